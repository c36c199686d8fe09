//! What a button means: its callback data.

use thiserror::Error;

use crate::RequestId;

/// A button of the desk's. Its data holds only short codes and ids, so it is far below Telegram's 64
/// bytes whatever a label says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// Take a request.
    Take(RequestId),
}

/// Callback data of no button of the desk's, or of one that is no longer made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a button of this desk's")]
pub struct UnknownPress;

impl Press {
    /// Reads callback data. Anyone can make up any.
    pub fn parse(data: &str) -> Result<Self, UnknownPress> {
        let id = data.strip_prefix("take:").ok_or(UnknownPress)?;
        let press = RequestId::parse(id)
            .map(Self::Take)
            .map_err(|_| UnknownPress)?;
        // An id also reads as people write it; a button's data has one spelling.
        (press.data() == data).then_some(press).ok_or(UnknownPress)
    }

    /// The callback data: `take:` and the id, 19 bytes.
    pub fn data(&self) -> String {
        let Self::Take(id) = self;
        format!("take:{id}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_reads_back_and_is_19_bytes() {
        let press = Press::Take(RequestId::parse("3f9a22c107bed4").expect("an id"));
        assert_eq!(press.data(), "take:3f9a22c107bed4");
        assert_eq!(press.data().len(), 19);
        assert_eq!(Press::parse(&press.data()), Ok(press));
        for wrong in [
            "",
            "take:",
            "take:3f9a",
            "TAKE:3f9a22c107bed4",
            "close:3f9a22c107bed4",
            "take:3F9A22C107BED4",
            "take:3f9a 22c1 07be d4",
        ] {
            assert_eq!(Press::parse(wrong), Err(UnknownPress), "{wrong}");
        }
    }
}
