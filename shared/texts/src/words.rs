//! The desk's own words.

use frontdesk_domain::{FieldFault, Language, PhoneFault};

use crate::form_page::Notice;

/// What a press came to, as its answer says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PressResult<'a> {
    /// The request is now with whoever pressed.
    Claimed,
    /// It was already.
    AlreadyYours,
    /// Somebody else has it.
    AlreadyTaken {
        /// Who.
        by: &'a str,
    },
    /// There is no such request.
    NoSuchRequest,
}

/// Telegram's own users behind which a person hides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnonymousPress {
    /// "GroupAnonymousBot": an administrator who shows as the group.
    Administrator,
    /// "Telegram": posts of a linked channel and service messages.
    Service,
}

/// The answer to a press on a request's button; at most 200 characters, as names have 64 at most.
pub fn press_result(language: Language, result: &PressResult<'_>) -> String {
    match (language, result) {
        (Language::En, PressResult::Claimed) => "It is yours.".to_owned(),
        (Language::Ru, PressResult::Claimed) => "Заявка ваша.".to_owned(),
        (Language::En, PressResult::AlreadyYours) => "You have it already.".to_owned(),
        (Language::Ru, PressResult::AlreadyYours) => "Она уже у вас.".to_owned(),
        (Language::En, PressResult::AlreadyTaken { by }) => format!("Already taken by {by}."),
        (Language::Ru, PressResult::AlreadyTaken { by }) => format!("Уже взята: {by}."),
        (Language::En, PressResult::NoSuchRequest) => "There is no such request.".to_owned(),
        (Language::Ru, PressResult::NoSuchRequest) => "Такой заявки нет.".to_owned(),
    }
}

/// The answer to a press by somebody who is not on the staff list, or who hides.
pub fn only_staff(language: Language, anonymous: Option<AnonymousPress>) -> &'static str {
    match (language, anonymous) {
        (Language::En, None) => "Only the desk's staff can do this.",
        (Language::Ru, None) => "Это могут только сотрудники.",
        (Language::En, Some(AnonymousPress::Administrator)) => {
            "You press as an anonymous administrator, so the desk cannot tell who you are. Turn \
             \"Remain anonymous\" off in your rights and press again."
        }
        (Language::Ru, Some(AnonymousPress::Administrator)) => {
            "Вы нажимаете как анонимный администратор, и не видно, кто вы. Отключите анонимность \
             в своих правах и нажмите снова."
        }
        (Language::En, Some(AnonymousPress::Service)) => "The desk cannot tell who pressed.",
        (Language::Ru, Some(AnonymousPress::Service)) => "Не видно, кто нажал.",
    }
}

/// The answer to a press on a card that is not in a chat of the staff's.
pub fn wrong_chat(language: Language) -> &'static str {
    match language {
        Language::En => "Buttons work only in the staff's own chat.",
        Language::Ru => "Кнопки работают только в чате сотрудников.",
    }
}

/// The answer to a press on a button that is not made any more, or was never the desk's.
pub fn press_gone(language: Language) -> &'static str {
    match language {
        Language::En => "This button no longer works.",
        Language::Ru => "Эта кнопка больше не работает.",
    }
}

/// What the bot says to whoever writes to it.
pub fn use_the_form(language: Language) -> &'static str {
    match language {
        Language::En => "Please use the form on our site. What you write here is not kept.",
        Language::Ru => "Пожалуйста, заполните форму на сайте. Написанное здесь не сохраняется.",
    }
}

/// What is wrong with a field.
pub fn field_fault(language: Language, fault: FieldFault) -> String {
    let text = match (language, fault) {
        (Language::En, FieldFault::Missing) => "Please fill this in.",
        (Language::Ru, FieldFault::Missing) => "Заполните это поле.",
        (Language::En, FieldFault::TooShort(least)) => {
            return format!("Too short: the least number of characters is {least}.");
        }
        (Language::Ru, FieldFault::TooShort(least)) => {
            return format!("Слишком коротко: наименьшее число знаков — {least}.");
        }
        (Language::En, FieldFault::TooLong(most)) => {
            return format!("Too long: the greatest number of characters is {most}.");
        }
        (Language::Ru, FieldFault::TooLong(most)) => {
            return format!("Слишком длинно: наибольшее число знаков — {most}.");
        }
        (Language::En, FieldFault::Phone(PhoneFault::NoDigits)) => "A phone number has digits.",
        (Language::Ru, FieldFault::Phone(PhoneFault::NoDigits)) => "В номере телефона нет цифр.",
        (Language::En, FieldFault::Phone(_)) => "This is not a phone number.",
        (Language::Ru, FieldFault::Phone(_)) => "Это не номер телефона.",
        (Language::En, FieldFault::Unknown) => "The form has no such field.",
        (Language::Ru, FieldFault::Unknown) => "В форме нет такого поля.",
        (Language::En, FieldFault::Repeated) => "It was sent more than once.",
        (Language::Ru, FieldFault::Repeated) => "Поле отправлено несколько раз.",
        (Language::En, FieldFault::NotText) => "It is not a text.",
        (Language::Ru, FieldFault::NotText) => "Это не текст.",
        (Language::En, FieldFault::Token) => "It is not one token of 22 to 64 of A-Z a-z 0-9 - _.",
        (Language::Ru, FieldFault::Token) => "Это не токен из 22–64 знаков A-Z a-z 0-9 - _.",
    };
    text.to_owned()
}

/// What a page says of a submission that was not stored.
pub fn notice(language: Language, notice: Notice) -> &'static str {
    match (language, notice) {
        (Language::En, Notice::Invalid) => "Not sent yet: please correct what is marked.",
        (Language::Ru, Notice::Invalid) => "Ещё не отправлено: исправьте отмеченное.",
        (Language::En, Notice::OtherContent) => {
            "This form was already sent, with other content. Send it again to add this as a new request."
        }
        (Language::Ru, Notice::OtherContent) => {
            "Эта форма уже отправлена с другим содержанием. Отправьте снова, чтобы добавить новую заявку."
        }
        (Language::En, Notice::TryLater) => {
            "Not stored: the desk cannot be reached just now. Please send it again in a moment."
        }
        (Language::Ru, Notice::TryLater) => {
            "Не сохранено: сервис сейчас недоступен. Отправьте ещё раз чуть позже."
        }
        (Language::En, Notice::TooLarge) => "Not sent: this is more than the form takes.",
        (Language::Ru, Notice::TooLarge) => "Не отправлено: слишком много данных.",
        (Language::En, Notice::Unreadable) => "Not sent: the form could not be read.",
        (Language::Ru, Notice::Unreadable) => "Не отправлено: форму не удалось прочитать.",
        (Language::En, Notice::NoSuchForm) => "There is no such form here.",
        (Language::Ru, Notice::NoSuchForm) => "Такой формы здесь нет.",
    }
}

pub(crate) fn send_button(language: Language) -> &'static str {
    match language {
        Language::En => "Send",
        Language::Ru => "Отправить",
    }
}

pub(crate) fn required_note(language: Language) -> &'static str {
    match language {
        Language::En => "Fields marked * are required.",
        Language::Ru => "Поля со знаком * обязательны.",
    }
}

pub(crate) fn thanks(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::En => ("Thank you", "We have received your request. Its number:"),
        Language::Ru => ("Спасибо", "Мы получили вашу заявку. Её номер:"),
    }
}

pub(crate) struct CardWords {
    pub(crate) take: &'static str,
    pub(crate) may_be_repeat: &'static str,
    pub(crate) typed: &'static str,
    pub(crate) cut: &'static str,
    pub(crate) not_taken: &'static str,
    pub(crate) received: &'static str,
    pub(crate) time_format: &'static str,
}

pub(crate) fn card(language: Language) -> CardWords {
    match language {
        Language::En => CardWords {
            take: "Take",
            may_be_repeat: "This may be a repeat: whether the first card arrived is not known.",
            typed: "typed",
            cut: "… (cut here; the whole text is stored)",
            not_taken: "Nobody has it yet",
            received: "Received",
            time_format: "%-d %b %Y, %H:%M",
        },
        Language::Ru => CardWords {
            take: "Взять",
            may_be_repeat: "Возможно, повтор: неизвестно, дошла ли первая карточка.",
            typed: "введено",
            cut: "… (обрезано; текст сохранён целиком)",
            not_taken: "Пока никто не взял",
            received: "Получено",
            time_format: "%d.%m.%Y, %H:%M",
        },
    }
}

pub(crate) fn taken_by(language: Language, name: &str, at: &str) -> String {
    match language {
        Language::En => format!("Taken by {name}, {at}"),
        Language::Ru => format!("Взял(а): {name}, {at}"),
    }
}

/// `most` is the count from which on it is "or more".
pub(crate) fn earlier_leads(language: Language, count: u32, most: u32) -> String {
    let more = if count >= most { "+" } else { "" };
    match language {
        Language::En if count == 1 => "1 earlier lead of this contact".to_owned(),
        Language::En => format!("{count}{more} earlier leads of this contact"),
        Language::Ru => format!("Прежних заявок этого контакта: {count}{more}"),
    }
}
