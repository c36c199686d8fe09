//! Telegram's HTML, with the length that Telegram holds it to have.

use std::fmt::Write;

use frontdesk_domain::text::{cut, telegram_len};

use crate::html::escape;

/// Telegram's limit of a text, measured as the stricter of its two measures.
const LONGEST: usize = 4096;

/// Shares `room` out among texts of these lengths: none gets more than it needs, and what short ones
/// leave goes to the long ones in equal parts.
fn shares(lengths: &[usize], room: usize) -> Vec<usize> {
    let mut by_length: Vec<usize> = (0..lengths.len()).collect();
    by_length.sort_by_key(|at| lengths[*at]);
    let mut shares = vec![0; lengths.len()];
    let mut left = room;
    for (taken, at) in by_length.iter().enumerate() {
        let part = left / (lengths.len() - taken);
        shares[*at] = lengths[*at].min(part);
        left -= shares[*at];
    }
    shares
}

/// HTML and the length of its text as Telegram measures it.
#[derive(Default)]
pub(crate) struct Marked {
    pub(crate) html: String,
    pub(crate) len: usize,
}

impl Marked {
    pub(crate) fn plain(&mut self, text: &str) -> &mut Self {
        self.html.push_str(&escape(text));
        self.len += telegram_len(text);
        self
    }

    /// Labels with their values, one on a line, in what the text so far and `rest` leave of a message; what
    /// does not fit is cut, and `mark` says so.
    pub(crate) fn fields<L: AsRef<str>>(
        &mut self,
        fields: &[(L, String)],
        mark: &str,
        rest: usize,
    ) -> &mut Self {
        // A field's line is its label, ": ", the value, the mark of a cut, and the line's end.
        let around = |label: &L| telegram_len(label.as_ref()) + telegram_len(mark) + 3;
        let fixed: usize = fields.iter().map(|(label, _)| around(label)).sum();
        let room = LONGEST.saturating_sub(self.len + rest + fixed);
        let lengths: Vec<_> = fields
            .iter()
            .map(|(_, value)| telegram_len(value))
            .collect();
        for ((label, value), share) in fields.iter().zip(shares(&lengths, room)) {
            let kept = cut(value, share);
            self.marked("b", label.as_ref()).plain(": ").plain(kept);
            if kept.len() < value.len() {
                self.plain(mark);
            }
            self.plain("\n");
        }
        self
    }

    /// A link to an address that needs no escaping.
    pub(crate) fn link(&mut self, address: &str, text: &str) -> &mut Self {
        let _ = write!(self.html, "<a href=\"{address}\">");
        self.plain(text);
        self.html.push_str("</a>");
        self
    }

    pub(crate) fn marked(&mut self, tag: &str, text: &str) -> &mut Self {
        let _ = write!(self.html, "<{tag}>");
        self.plain(text);
        let _ = write!(self.html, "</{tag}>");
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_short_texts_leave_goes_to_long_ones() {
        assert_eq!(shares(&[10, 5000, 20], 4000), [10, 3970, 20]);
        assert_eq!(shares(&[5000, 5000], 4000), [2000, 2000]);
        assert_eq!(shares(&[1, 2], 4000), [1, 2]);
        assert_eq!(shares(&[], 4000), [] as [usize; 0]);
    }
}
