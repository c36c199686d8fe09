//! The secret that tells Telegram's requests to the webhook from anybody else's.

use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

/// Telegram's longest secret.
const LONGEST: usize = 256;

/// The secrets that are accepted: the present one and, while they are being changed, the previous.
/// Only their digests are kept.
#[derive(Clone)]
pub struct Secrets(Vec<[u8; 32]>);

impl Secrets {
    /// Accepts each of `secrets` that is not empty. With none, everything is refused.
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let given = secrets.into_iter().filter(|secret| !secret.is_empty());
        Self(given.map(|secret| Sha256::digest(secret).into()).collect())
    }

    /// True if the header's value is one of the secrets. The time it takes depends on the length of
    /// what was sent, never on how much of it is right.
    pub fn accept(&self, header: Option<&[u8]>) -> bool {
        let Some(sent) = header.filter(|sent| (1..=LONGEST).contains(&sent.len())) else {
            return false;
        };
        let sent: [u8; 32] = Sha256::digest(sent).into();
        let none = Choice::from(0);
        self.0
            .iter()
            .fold(none, |found, secret| found | secret.ct_eq(&sent))
            .into()
    }
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Secrets({} of them)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_very_secret_is_accepted_and_without_one_nothing_is() {
        let secrets = Secrets::new(["right", "former", ""]);
        assert!(secrets.accept(Some(b"right")));
        assert!(secrets.accept(Some(b"former")));
        let long = [b'a'; 300];
        for wrong in [
            None,
            Some(&b""[..]),
            Some(b"Right"),
            Some(b"right "),
            Some(b"righ"),
            Some(&long[..]),
        ] {
            assert!(!secrets.accept(wrong));
        }
        for none in [Secrets::new([]), Secrets::new([""])] {
            assert!(!none.accept(Some(b"")) && !none.accept(None) && !none.accept(Some(b"right")));
        }
    }
}
