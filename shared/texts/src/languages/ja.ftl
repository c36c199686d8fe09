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

# 日報。$count と $open は数で、数え終えたところでは「+」が付く。
report-title = { $day }の報告
report-accepted = 受け付けた依頼：{ $count }{ $rest }
report-repeats = 認識した重複：{ $count }{ $rest }
report-new = 未対応：{ $count }{ $rest }
report-in-work = 対応中：{ $count }{ $rest }
report-since = 、最も古いものは{ $at }から
report-nothing-waits = 配信待ちはありません
report-waits = 配信待ち：{ $at }から
report-unknown = 結果不明の送信：{ $count }、現在：{ $open }
report-failed = 断念した送信：{ $count }、現在：{ $open }
report-kept-aside = 処理できなかった更新：{ $count }{ $rest }
notice-may-be-repeat = 重複かもしれません。最初の通知が届いたかどうか不明です。

# 警告：悪くなったときと、元に戻ったとき。
warning-delay = メッセージが長く待っています。最も古いものは{ $detail }から。notifier は動いていますか。Telegram は応答していますか。
warning-delay-over = メッセージは再び時間どおりに届いています。
warning-outcomes = 結果不明の送信：{ $detail }。自動では再送されません。
warning-outcomes-over = すべての結果が判明しています。
warning-dead-letters = すべての試行後に断念：{ $detail }。原因を直してから、デッドレターを戻してください。
warning-dead-letters-over = 断念したものはもうありません。
warning-chats = 届かないスタッフのチャット：{ $detail }。ボットはまだメンバーですか。
warning-chats-over = すべてのスタッフのチャットに再び届きます。
warning-webhook-other-address = ボットの更新の宛先が変えられていました。元に戻しました。
warning-webhook-deliveries-fail = Telegram が更新を配信できません。
warning-webhook-updates-wait = 多くの更新が配信を待っています。
warning-webhook-over = 更新は再び届いています。
