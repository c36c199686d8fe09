//! The token under which a draft becomes at most one request.

use thiserror::Error;

use crate::id::hex;

/// A draft token: 22 to 64 characters of base64url, which includes every UUID.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftToken(String);

/// The text is not a draft token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a draft token has 22 to 64 characters of A-Z a-z 0-9 - _")]
pub struct MalformedToken;

impl DraftToken {
    /// Reads a token as a client sent it.
    pub fn parse(text: &str) -> Result<Self, MalformedToken> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        ((22..=64).contains(&text.len()) && text.chars().all(allowed))
            .then(|| Self(text.to_owned()))
            .ok_or(MalformedToken)
    }

    /// A token of the desk's own, from 16 random bytes: 32 hex digits.
    pub fn from_random(bytes: [u8; 16]) -> Self {
        Self(hex(&bytes))
    }

    /// The token's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_22_to_64_characters_of_base64url() {
        for good in [
            "0123456789abcdefghijkl",
            "AZaz09-_AZaz09-_AZaz09",
            "9f1c7d3e-5a21-4c7e-8b9a-0c1d2e3f4a5b",
            &"a".repeat(64),
        ] {
            assert!(DraftToken::parse(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "0123456789abcdefghijk",
            &"a".repeat(65),
            "0123456789abcdefghijk=",
            "0123456789abcdefghijk\u{fc}",
        ] {
            assert_eq!(DraftToken::parse(bad), Err(MalformedToken), "{bad}");
        }
    }
}
