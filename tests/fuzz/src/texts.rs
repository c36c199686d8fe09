use frontdesk_domain::text::{clean, clean_line, cut, is_blank, telegram_len};
use frontdesk_domain::{Country, DraftToken, Language, Name, Phone, Press, RequestId};
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
