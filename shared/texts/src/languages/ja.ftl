press-claimed = あなたの担当になりました。
press-already-yours = すでにあなたの担当です。
press-already-taken = すでに{ $name }さんが担当しています。
press-no-such-request = その依頼は見つかりません。
press-gone = このボタンはもう使えません。
only-staff = この操作はスタッフだけができます。
only-staff-anonymous-administrator = 匿名の管理者として押されたため、どなたか確認できません。権限の設定で「匿名のまま」をオフにして、もう一度押してください。
only-staff-service = どなたが押したか確認できません。
wrong-chat = ボタンはスタッフのチャットでのみ使えます。

use-the-form = サイトのフォームをご利用ください。ここに書かれた内容は保存されません。

fault-missing = この項目を入力してください。
fault-too-short = 短すぎます。{ $least }文字以上で入力してください。
fault-too-long = 長すぎます。{ $most }文字以内で入力してください。
fault-phone-no-digits = 電話番号には数字が必要です。
fault-phone = 電話番号として正しくありません。
fault-unknown = この項目はフォームにありません。
fault-repeated = 同じ項目が複数回送信されました。
fault-not-text = 文字列ではありません。
fault-token = 22～64文字の A-Z a-z 0-9 - _ からなるトークンではありません。

notice-invalid = まだ送信されていません。印のついた項目を直してください。
notice-other-content = このフォームは別の内容ですでに送信されています。新しい依頼として追加するには、もう一度送信してください。
notice-try-later = 保存できませんでした。ただいま接続できません。しばらくしてからもう一度送信してください。
notice-too-large = 送信できませんでした。データが大きすぎます。
notice-unreadable = 送信できませんでした。フォームを読み取れません。
notice-no-such-form = そのフォームはありません。
send-button = 送信
required-note = * の付いた項目は必須です。
thanks-title = ありがとうございます
thanks-text = ご依頼を受け付けました。受付番号：

card-take = 担当する
card-may-be-repeat = 重複の可能性があります。最初のカードが届いたか確認できていません。
card-typed = 入力
card-cut = …（ここまで。全文は保存されています）
card-not-taken = まだ担当者がいません
card-received = 受付
card-taken-by = 担当：{ $name }、{ $at }
card-earlier-leads = この連絡先の過去の依頼：{ $count }{ $more }件
