//! What people type, made safe to store and show.

use unicode_segmentation::UnicodeSegmentation;

/// Takes out what no one typed on purpose and what can break a display: control characters but line
/// breaks and tabs, and the marks that override the direction of text. Line breaks become `\n`, and
/// blanks at either end go.
pub fn clean(typed: &str) -> String {
    let unified = typed.replace("\r\n", "\n").replace('\r', "\n");
    let kept: String = unified.chars().filter(|c| !is_harmful(*c)).collect();
    kept.trim().to_owned()
}

/// The same, on one line: breaks and tabs become blanks.
pub fn clean_line(typed: &str) -> String {
    clean(typed).replace(['\n', '\t'], " ")
}

/// True where nothing of `text` would be seen: only blanks, marks of zero width and the like.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| {
        c.is_whitespace()
            || matches!(
                c,
                '\u{ad}' | '\u{200b}'
                    ..='\u{200f}' | '\u{2060}' | '\u{2800}' | '\u{3164}' | '\u{feff}'
            )
    })
}

fn is_harmful(c: char) -> bool {
    let override_mark = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let line_mark = matches!(c, '\u{2028}' | '\u{2029}');
    (c.is_control() && c != '\n' && c != '\t') || override_mark || line_mark
}

/// How long Telegram holds `text` to be: UTF-16 code units. (It counts code points for the limit and
/// UTF-16 for offsets; the larger of the two is the safe measure.)
pub fn telegram_len(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The longest beginning of `text` within `limit` UTF-16 units that does not end inside what a reader
/// sees as one character (a letter with its accent, a family emoji).
pub fn cut(text: &str, limit: usize) -> &str {
    if telegram_len(text) <= limit {
        return text;
    }
    let mut units = 0;
    let end = text
        .grapheme_indices(true)
        .find(|(_, grapheme)| {
            units += telegram_len(grapheme);
            units > limit
        })
        .map_or(text.len(), |(at, _)| at);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_direction_marks_go_and_lines_stay() {
        assert_eq!(clean(" a\0b\u{202e}c\r\nd\te\r "), "abc\nd\te");
        assert_eq!(clean_line("a\nb\tc"), "a b c");
        assert_eq!(clean("<3 < Gabriele "), "<3 < Gabriele");
    }

    #[test]
    fn a_text_of_invisible_marks_is_blank() {
        assert!(is_blank(" \u{200b}\u{feff}\u{3164}\n"));
        assert!(!is_blank("\u{200b}x"));
    }

    #[test]
    fn a_cut_falls_between_characters_as_people_see_them() {
        let family = "👨‍👩‍👧";
        let text = family.repeat(3);
        let units = telegram_len(family);
        assert_eq!(cut(&text, units * 2 + 3), family.repeat(2));
        assert_eq!(cut("e\u{301}e\u{301}", 3), "e\u{301}");
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut(family, 2), "");
    }
}
