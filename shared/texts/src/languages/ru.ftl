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

# Ежедневный отчёт. $count и $open — числа, с «+» там, где счёт прекращён.
report-title = Отчёт за { $day }
report-accepted = Принято заявок: { $count }{ $rest }
report-repeats = Узнано повторов: { $count }{ $rest }
report-new = Никто не взял: { $count }{ $rest }
report-in-work = В работе: { $count }{ $rest }
report-since = , самая старая с { $at }
report-nothing-waits = Ничто не ждёт доставки
report-waits = Ждёт доставки с { $at }
report-unknown = Отправок с неизвестным исходом: { $count }, сейчас открыто: { $open }
report-failed = Не доставлено: { $count }, сейчас открыто: { $open }
report-kept-aside = Обновлений, с которыми нельзя работать: { $count }{ $rest }
notice-may-be-repeat = Возможно, повтор: неизвестно, дошло ли первое сообщение.

# Предупреждения: когда что-то испортилось и когда снова в порядке.
warning-delay = Сообщения ждут слишком долго: самое старое с { $detail }. Работает ли notifier, отвечает ли Telegram?
warning-delay-over = Сообщения снова доставляются вовремя.
warning-outcomes = Отправок с неизвестным исходом: { $detail }. Сами они не повторяются.
warning-outcomes-over = Все исходы снова известны.
warning-dead-letters = Не доставлено после всех попыток: { $detail }. Исправьте причину и верните сообщения из очереди недоставленных.
warning-dead-letters-over = Недоставленных больше нет.
warning-chats = Чаты сотрудников, до которых не достучаться: { $detail }. Бот всё ещё участник?
warning-chats-over = Все чаты сотрудников снова доступны.
warning-webhook-other-address = Кто-то направил обновления бота на другой адрес. Это исправлено.
warning-webhook-deliveries-fail = Telegram не может доставить обновления.
warning-webhook-updates-wait = Много обновлений ждёт доставки.
warning-webhook-over = Обновления снова приходят.
