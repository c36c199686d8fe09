//! Identifiers: of requests, contacts, contents, and the names given in the settings.

use std::fmt;

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::DraftToken;

/// A request's id and number: 7 bytes, written as 14 lower-case hex digits.
///
/// It is derived from the draft token, which others do not know, so they can neither guess nor count it,
/// and the same draft always leads to the same request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId([u8; Self::BYTES]);

/// The text is not 14 hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a request id")]
pub struct MalformedId;

impl RequestId {
    const BYTES: usize = 7;

    /// How many ids a draft has: the digest's windows of 7 bytes. The second and later ones are for
    /// the day when the first is taken by another draft.
    pub const CANDIDATES: usize = 32 / Self::BYTES;

    /// The ids of the draft `token` of `kind` (`form`) from `source` (the form's name), in the order
    /// in which they are to be tried.
    pub fn candidates(kind: &str, source: &Name, token: &DraftToken) -> [Self; Self::CANDIDATES] {
        let digest = digest_of([kind, source.as_str(), token.as_str()]);
        std::array::from_fn(|n| Self(std::array::from_fn(|byte| digest[n * Self::BYTES + byte])))
    }

    /// Reads 14 hex digits, with or without the spaces of [`grouped`](Self::grouped), in either case.
    pub fn parse(text: &str) -> Result<Self, MalformedId> {
        let mut bytes = [0; Self::BYTES];
        let mut digits = text.chars().filter(|c| *c != ' ');
        for byte in &mut bytes {
            let (high, low) = digits.next().zip(digits.next()).ok_or(MalformedId)?;
            let (high, low) = high.to_digit(16).zip(low.to_digit(16)).ok_or(MalformedId)?;
            *byte = u8::try_from(high * 16 + low).map_err(|_| MalformedId)?;
        }
        digits
            .next()
            .is_none()
            .then_some(Self(bytes))
            .ok_or(MalformedId)
    }

    /// The form for people: `3f9a 22c1 07be d4`.
    pub fn grouped(&self) -> String {
        let digits = self.to_string();
        [
            &digits[0..4],
            &digits[4..8],
            &digits[8..12],
            &digits[12..14],
        ]
        .join(" ")
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

/// What one person's requests have in common: a digest of the normalised phone, so that the person
/// can be looked up by it but an index does not spell it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactKey(String);

impl ContactKey {
    /// The key of whoever can be reached at this E.164 number.
    pub fn of_phone(e164: &str) -> Self {
        Self(hex(&digest_of(["contact", "phone", e164])[..16]))
    }

    /// A key as it was stored.
    pub fn stored(text: String) -> Self {
        Self(text)
    }

    /// The key as it is stored: 32 hex digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A digest of what a customer typed, to tell a repeat from another content under the same token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentDigest(String);

impl ContentDigest {
    /// The digest of named values in the order of the form's fields; fields left out do not count.
    pub fn of<'a>(typed: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let parts = typed.into_iter().flat_map(|(name, value)| [name, value]);
        Self(hex(&digest_of(parts)))
    }

    /// A digest as it was stored.
    pub fn stored(text: String) -> Self {
        Self(text)
    }

    /// The digest as it is stored: 64 hex digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A name from the settings (of a form, field, place or bot): 1 to 32 of `a-z 0-9 _ -`, beginning
/// with a letter, so that it can stand in keys, paths and callback data as it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(String);

impl Name {
    /// Reads a name; `None` where the rule is broken.
    pub fn parse(text: &str) -> Option<Self> {
        let allowed = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '_' | '-');
        (text.starts_with(|c: char| c.is_ascii_lowercase())
            && text.len() <= 32
            && text.chars().all(allowed))
        .then(|| Self(text.to_owned()))
    }

    /// The name's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// SHA-256 over parts, each with its length before it, so that no two lists of parts run together.
fn digest_of<'a>(parts: impl IntoIterator<Item = &'a str>) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().into()
}

/// The first 8 bytes, in hex, of a digest over `parts`: names an effect after what caused it.
pub(crate) fn short_digest<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    hex(&digest_of(parts)[..8])
}

/// Lower-case hex digits, two for each byte.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from(b"0123456789abcdef"[usize::from(nibble)]);
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_back_with_and_without_its_spaces() {
        let id = RequestId::parse("3f9a22c107bed4").expect("14 hex digits");
        assert_eq!(id.to_string(), "3f9a22c107bed4");
        assert_eq!(id.grouped(), "3f9a 22c1 07be d4");
        assert_eq!(RequestId::parse(&id.grouped()), Ok(id));
        assert_eq!(RequestId::parse("3F9A22C107BED4"), Ok(id));
        for wrong in [
            "",
            "3f9a22c107bed",
            "3f9a22c107bed4aa",
            "3f9a22c107bedg",
            "3f9a22c107bed\u{e9}",
        ] {
            assert_eq!(RequestId::parse(wrong), Err(MalformedId), "{wrong}");
        }
    }

    #[test]
    fn the_same_draft_gives_the_same_ids_and_another_source_gives_others() {
        let token = DraftToken::parse("0123456789abcdefghijkl").expect("22 characters");
        let name = |text| Name::parse(text).expect("a name");
        let ids = RequestId::candidates("form", &name("contact"), &token);
        assert_eq!(ids, RequestId::candidates("form", &name("contact"), &token));
        assert_ne!(ids, RequestId::candidates("form", &name("contac"), &token));
        assert_ne!(ids[0], ids[1]);
    }

    #[test]
    fn contents_that_differ_only_in_where_a_value_ends_have_other_digests() {
        let one = ContentDigest::of([("name", "ab"), ("note", "c")]);
        assert_ne!(one, ContentDigest::of([("name", "a"), ("note", "bc")]));
        assert_eq!(one, ContentDigest::of([("name", "ab"), ("note", "c")]));
    }
}
