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

dialog-resumed = У вас есть незаконченная заявка, вот где вы остановились. Отказаться от неё: /cancel
dialog-expired-anew = Прежняя заявка не была закончена вовремя, из неё ничего не отправлено. Начнём заново.
dialog-expired = Эта заявка не была закончена вовремя. Ничего не отправлено.
dialog-unknown-command = Такой команды здесь нет. Какие есть: /help
dialog-cancelled = Отменено. Ничего не отправлено.
dialog-nothing-to-cancel = Отменять нечего.
dialog-fault-choice = Выберите, пожалуйста, кнопкой.
dialog-fault-none-chosen = Выберите хотя бы одно.
dialog-fault-too-many-chosen = { $most ->
    [one] Можно выбрать не больше { $most } варианта.
    [few] Можно выбрать не больше { $most } вариантов.
   *[many] Можно выбрать не больше { $most } вариантов.
}
dialog-fault-not-text = Ответьте, пожалуйста, словами.
dialog-fault-too-short = { $least ->
    [one] Слишком коротко: нужен хотя бы { $least } знак.
    [few] Слишком коротко: нужно хотя бы { $least } знака.
   *[many] Слишком коротко: нужно хотя бы { $least } знаков.
}
dialog-fault-too-long = { $most ->
    [one] Слишком длинно: помещается { $most } знак.
    [few] Слишком длинно: помещается { $most } знака.
   *[many] Слишком длинно: помещается { $most } знаков.
}
dialog-fault-not-file = Пришлите документ или фото или продолжите кнопками.
dialog-fault-no-file-here = Файл здесь не нужен; он не сохранён.
dialog-fault-no-files = Сначала пришлите файл.
dialog-fault-too-many-files = { $most ->
    [one] Сохраняется не больше { $most } файла; этот не сохранён.
    [few] Сохраняется не больше { $most } файлов; этот не сохранён.
   *[many] Сохраняется не больше { $most } файлов; этот не сохранён.
}
dialog-fault-required = На это нужно ответить.
dialog-file-kept = Получено. Пришлите ещё или продолжите.
dialog-noted = Записано: { $answer }
dialog-files-cleared = Файлы убраны.
dialog-not-edited = Правка сообщения не меняет ответа. Пришлите его заново или измените ответ перед отправкой заявки.
dialog-old-button = Эта кнопка — от прежнего вопроса. Вот где мы сейчас.
dialog-old-draft = Эта кнопка — от прежней заявки. Вот где мы сейчас.
dialog-use-buttons = На всё отвечено. Продолжите, пожалуйста, кнопками.
dialog-still-needed = Перед отправкой нужно ответить на это.
dialog-sent = Отправлено. Номер: { $number }
dialog-already-sent = Уже отправлено. Номер: { $number }

dialog-help =
    Я задаю несколько вопросов и передаю ответы, когда вы их подтвердите; до этого ничего не отправляется. Отвечайте кнопками или словами. Можно уйти и вернуться позже.
    /start — начать или продолжить, /back — шаг назад, /skip — дальше без ответа, /cancel — отказаться.
dialog-step = { $at } из { $count }
dialog-optional = Это можно пропустить.
dialog-answered = Сейчас: { $answer }
dialog-files = { $count ->
    [one] { $count } файл
    [few] { $count } файла
   *[many] { $count } файлов
}
dialog-preview-title = Проверьте, пожалуйста
dialog-preview-hint = Всё верно? Тогда отправляйте.
dialog-shared-number = передан через Telegram
dialog-view-sent = Ваша заявка отправлена. Её номер: { $number }
dialog-view-closed = Открытых заявок нет. Чтобы начать, нажмите кнопку или отправьте /start
budget-to = до { $to } { $currency }
budget-between = { $from } – { $to } { $currency }
budget-from = от { $from } { $currency }
dialog-button-next = Дальше
dialog-button-keep = Оставить
dialog-button-skip = Пропустить
dialog-button-back = Назад
dialog-button-cancel = Отмена
dialog-button-clear = Убрать файлы
dialog-button-confirm = Отправить
dialog-button-edit = Изменить: { $label }
dialog-button-anew = Новая заявка
dialog-button-share = Поделиться номером
dialog-confirmation = Спасибо! Мы получили вашу заявку и свяжемся с вами. Её номер: { $number }

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
card-files = { $count ->
    [one] Ниже { $count } файл
    [few] Ниже { $count } файла
   *[many] Ниже { $count } файлов
}
card-from = По ссылке: { $source }
card-language = Пишет на: { $code }
card-files-refused = Telegram не передаёт: { $names }
card-unreachable = Недоступен в Telegram: клиент заблокировал бота
brief-may-be-repeat = Возможно, этот файл пришёл повторно.
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

# Что делают сотрудники и что получают в ответ на команды.
press-returned = Теперь она ничья.
press-closed = Заявка закрыта.
press-not-taken = Её никто не взял.
press-already-closed = Уже закрыта: { $name }.
press-only-administrators = Это могут только администраторы.
card-return = Вернуть
card-close = Закрыть
card-closed-by = Закрыл(а): { $name }, { $at }
card-closed-because = Закрыл(а): { $name }, { $at }: { $reason }
state-new = новая
state-in-work = в работе: { $name }
state-closed = закрыта: { $name }
state-name-in-work = в работе
state-name-closed = закрыта
list-title = Последние заявки
list-empty = Здесь заявок нет.
list-latest = « Последние
list-older = Раньше »
stats-title = Как обстоят дела
stats-closed-today = Закрыто сегодня: { $count }{ $rest }
stats-closed-lately = Закрыто за 30 дней: { $count }{ $rest }
stats-unknown = Отправок с неизвестным исходом: { $count }{ $rest }
stats-failed = Не доставлено: { $count }{ $rest }
story-history = История
story-stored = сохранена
story-by-itself = сама собой
story-earlier-changes = { $count ->
    [one] … а до того ещё { $count } изменение
    [few] … а до того ещё { $count } изменения
   *[many] … а до того ещё { $count } изменений
}
story-messages = Сообщения
story-more-messages = … и ещё { $count }
story-earlier = Прежние заявки этого контакта
effect-pending = ждёт
effect-sending = отправляется
effect-done = доставлено
effect-unknown = исход неизвестен
effect-failed = не доставлено
effect-counts = попыток: { $attempts }, неизвестных: { $unknowns }
number-unreadable = В номере 14 знаков из 0-9 и a-f; хватит первых четырёх.
number-unknown = Нет заявки, номер которой так начинается.
number-several = Так начинается несколько заявок:
retry-nothing = Ничего недоставленного или неизвестного у неё нет.
retry-begun = { $count ->
    [one] Снова отправляется { $count } сообщение.
    [few] Снова отправляются { $count } сообщения.
   *[many] Снова отправляются { $count } сообщений.
}

# Меню команд.
command-start = Начать заявку
command-help = Что умеет этот бот
command-cancel = Отказаться от черновика
command-list = Последние заявки
command-stats = Сколько каких заявок
command-show = Вся история заявки по номеру
command-retry = Отправить недоставленное снова
command-take = Взять заявку
command-return = Вернуть заявку
command-close = Закрыть заявку, можно с причиной

reminder-unclaimed = Эту заявку от { $at } никто не взял.
reminder-returned = По этой заявке долго ничего не делали, она снова ничья:
