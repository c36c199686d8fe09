use frontdesk_domain::dialog::{self, BriefFile, DialogPress, FileKind, Source};
use frontdesk_domain::text::{clean, clean_line, cut, is_blank, telegram_len};
use frontdesk_domain::{
    Command, Country, DraftToken, Language, Name, NumberGiven, Phone, Press, RequestId,
};
use frontdesk_telegram::Token;
use frontdesk_texts::escape;
use unicode_segmentation::UnicodeSegmentation;

/// What people type and what buttons bring back: cleaned, cut and escaped without harm, and every id,
/// name, token, button and phone number either reads back as it was or is refused. The first two bytes
/// choose where texts are cut and whose country the phone is read in.
pub fn texts(data: &[u8]) {
    let Some(([limit, country], text)) = data.split_first_chunk() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    cleaned(text);
    shortened(text, usize::from(*limit));
    escaped(text);
    identified(text);
    commanded(text);
    dialled(text, usize::from(*country));
}

/// What may be in no text that is kept, in words other than the product's.
pub(crate) fn is_harmful(c: char) -> bool {
    let controls = ('\0'..='\u{1f}').contains(&c) && c != '\n' && c != '\t';
    controls
        || ('\u{7f}'..='\u{9f}').contains(&c)
        || ('\u{2028}'..='\u{202e}').contains(&c)
        || ('\u{2066}'..='\u{2069}').contains(&c)
}

/// What of a text cleaning must keep.
pub(crate) fn seen(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !is_harmful(*c))
        .collect()
}

fn cleaned(text: &str) {
    for (kept, lines) in [(clean(text), true), (clean_line(text), false)] {
        assert!(!kept.contains(is_harmful), "{kept:?}");
        assert!(lines || !kept.contains(['\n', '\t']), "{kept:?}");
        assert_eq!(kept.trim(), kept);
        assert_eq!(seen(&kept), seen(text), "nothing that is seen may go");
        assert_eq!(clean(&kept), kept, "cleaning again changes nothing");
    }
    if is_blank(text) {
        assert!(is_blank(&clean(text)) && !text.contains(|c: char| c.is_ascii_graphic()));
    }
}

fn shortened(text: &str, limit: usize) {
    let kept = cut(text, limit);
    assert!(text.starts_with(kept) && telegram_len(kept) <= limit);
    if kept.len() == text.len() {
        return;
    }
    let next = text.graphemes(true).scan(0, |end, grapheme| {
        *end += grapheme.len();
        Some(*end)
    });
    let mut ends = std::iter::once(0)
        .chain(next)
        .skip_while(|end| *end < kept.len());
    assert_eq!(ends.next(), Some(kept.len()), "a cut within a character");
    let one_more = ends.next().expect("more was cut off");
    assert!(telegram_len(&text[..one_more]) > limit, "cut too early");
}

fn escaped(text: &str) {
    let html = escape(text);
    assert!(!html.contains(['<', '>', '"']));
    let mut back = html
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"");
    assert_eq!(back.matches('&').count(), back.matches("&amp;").count());
    back = back.replace("&amp;", "&");
    assert_eq!(back, text);
}

fn identified(text: &str) {
    if let Ok(press) = Press::parse(text) {
        assert_eq!(press.data(), text, "another button's data");
        assert!(text.len() <= 64);
    }
    if let Some(press) = DialogPress::parse(text) {
        assert_eq!(press.data(), text, "another button's data");
        assert!(text.len() <= 64 && Press::parse(text).is_err());
    }
    if let Some(source) = Source::parse(text) {
        assert!(source.as_str() == text && (1..=64).contains(&text.len()));
    }
    if let Ok(id) = RequestId::parse(text) {
        let digits = text.replace(' ', "").to_ascii_lowercase();
        assert_eq!(id.to_string(), digits);
        assert_eq!(RequestId::parse(&id.grouped()), Ok(id));
    }
    if let Ok(token) = DraftToken::parse(text) {
        assert_eq!(token.as_str(), text);
        assert!((22..=64).contains(&text.len()) && text.is_ascii());
    }
    if let Some(name) = Name::parse(text) {
        assert_eq!(name.as_str(), text);
        assert!((1..=32).contains(&text.len()) && !text.contains(['#', '/', ':', '.']));
    }
    if let Some(language) = Language::parse(text) {
        let code = text.get(..2).expect("two letters");
        assert!(code.eq_ignore_ascii_case(language.code()));
        assert!(!text[2..].starts_with(char::is_alphanumeric), "{text}");
    }
    if let Some(token) = Token::parse(text) {
        assert!(text.contains(':') && format!("{token:?}") == "Token");
    }
}

/// A command of the staff's keeps its number and its reason, and of the rest nothing; one of the
/// customers' is one whose name can be typed as one.
fn commanded(text: &str) {
    if let Some(command) = Command::parse(text) {
        assert!(Command::NAMES.contains(&command.name()));
        let typed = text[1..].get(..command.name().len()).expect("its name");
        assert!(text.starts_with('/') && typed.eq_ignore_ascii_case(command.name()));
        let (number, reason) = match &command {
            Command::List | Command::Stats => (None, None),
            Command::Show(number)
            | Command::Retry(number)
            | Command::Take(number)
            | Command::Return(number) => (Some(number), None),
            Command::Close(number, reason) => (Some(number), reason.as_deref()),
        };
        let mut again = format!("/{}", command.name());
        if let Some(NumberGiven::Beginning(digits)) = number {
            assert!((NumberGiven::LEAST..=NumberGiven::WHOLE).contains(&digits.len()));
            let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
            assert!(digits.chars().all(is_digit));
            let is_whole = digits.len() == NumberGiven::WHOLE;
            assert_eq!(RequestId::parse(digits).is_ok(), is_whole, "{digits}");
            again = format!("{again} {digits}");
            if let Some(reason) = reason.filter(|_| is_whole) {
                again = format!("{again} {reason}");
            }
            if reason.is_none() || is_whole {
                assert_eq!(Command::parse(&again), Some(command.clone()), "{again}");
            }
        }
        if let Some(reason) = reason {
            assert!(telegram_len(reason) <= 200 && !reason.contains(is_harmful));
            assert!(!reason.is_empty() && seen(text).contains(&seen(reason)));
        }
    }
    if let Some(command) = dialog::Command::parse(text) {
        let name = text.strip_prefix('/').expect("a slash");
        assert!(name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'));
        if let dialog::Command::Start(Some(source)) = command {
            assert!(text.ends_with(source.as_str()) || text.trim_end().ends_with(source.as_str()));
        }
    }
    let file = BriefFile {
        kind: FileKind::Document,
        file_id: "f".to_owned(),
        name: Some(text.to_owned()),
        size: None,
        caption: text.to_owned(),
        album: None,
    };
    let file = file.cleaned();
    let name = file.name.as_deref().unwrap_or_default();
    assert!(!name.contains(is_harmful) && !name.contains('\n'));
    assert!(!file.caption.contains(is_harmful) && telegram_len(&file.caption) <= 1024);
}

fn dialled(text: &str, country: usize) {
    let codes: Vec<_> = Country::codes().collect();
    let country = Country::parse(codes[country % codes.len()]).expect("a code of the list");
    let Ok(phone) = Phone::parse(text, country) else {
        return;
    };
    assert_eq!(phone.typed, text);
    let digits = phone.e164.strip_prefix('+').expect("a plus");
    assert!(
        (8..=15).contains(&digits.len()) && !digits.starts_with('0'),
        "{digits}"
    );
    assert!(digits.bytes().all(|byte| byte.is_ascii_digit()));
    let again = Phone::parse(&phone.e164, country).expect("E.164 is a number");
    assert_eq!(again.e164, phone.e164, "it reads back as another number");
}
