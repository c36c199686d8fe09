press-claimed = Заявка ваша.
press-already-yours = Она уже у вас.
press-already-taken = Уже взята: { $name }.
press-no-such-request = Такой заявки нет.
press-gone = Эта кнопка больше не работает.
only-staff = Это могут только сотрудники.
only-staff-anonymous-administrator = Вы нажимаете как анонимный администратор, и не видно, кто вы. Отключите анонимность в своих правах и нажмите снова.
only-staff-service = Не видно, кто нажал.
wrong-chat = Кнопки работают только в чате сотрудников.

use-the-form = Пожалуйста, заполните форму на сайте. Написанное здесь не сохраняется.

fault-missing = Заполните это поле.
fault-too-short = Слишком коротко: наименьшее число знаков — { $least }.
fault-too-long = Слишком длинно: наибольшее число знаков — { $most }.
fault-phone-no-digits = В номере телефона нет цифр.
fault-phone = Это не номер телефона.
fault-unknown = В форме нет такого поля.
fault-repeated = Поле отправлено несколько раз.
fault-not-text = Это не текст.
fault-token = Это не токен из 22–64 знаков A-Z a-z 0-9 - _.

notice-invalid = Ещё не отправлено: исправьте отмеченное.
notice-other-content = Эта форма уже отправлена с другим содержанием. Отправьте снова, чтобы добавить новую заявку.
notice-try-later = Не сохранено: сервис сейчас недоступен. Отправьте ещё раз чуть позже.
notice-too-large = Не отправлено: слишком много данных.
notice-unreadable = Не отправлено: форму не удалось прочитать.
notice-no-such-form = Такой формы здесь нет.
send-button = Отправить
required-note = Поля со знаком * обязательны.
thanks-title = Спасибо
thanks-text = Мы получили вашу заявку. Её номер:

card-take = Взять
card-may-be-repeat = Возможно, повтор: неизвестно, дошла ли первая карточка.
card-typed = введено
card-cut = … (обрезано; текст сохранён целиком)
card-not-taken = Пока никто не взял
card-received = Получено
card-taken-by = Взял(а): { $name }, { $at }
card-earlier-leads = { $count ->
    [one] { $count }{ $more } прежняя заявка этого контакта
    [few] { $count }{ $more } прежние заявки этого контакта
   *[many] { $count }{ $more } прежних заявок этого контакта
}
