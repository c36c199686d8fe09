use thiserror::Error;

/// What came of a call that did not simply succeed. No variant carries Telegram's own words: they
/// can name chats and people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// There was no connection, so nothing was sent.
    #[error("not connected")]
    NotConnected,
    /// The request went out and no complete answer came: it may have been carried out.
    #[error("no answer ({0})")]
    NoAnswer(&'static str),
    /// Telegram wants a wait, of this many seconds; nothing was done.
    #[error("to be sent again in {0} s")]
    RateLimited(u64),
    /// The group has become the supergroup with this id; nothing was done.
    #[error("the group has become a supergroup")]
    Migrated(i64),
    /// The bot's token was refused.
    #[error("the token was refused")]
    Unauthorized,
    /// The message shows that already.
    #[error("not modified")]
    NotModified,
    /// There is no such message to edit, or it can no longer be edited.
    #[error("the message is gone")]
    MessageGone,
    /// Telegram says that it failed; it did not happen.
    #[error("failed on Telegram's side")]
    Server,
    /// Refused for good.
    #[error("refused ({0})")]
    Rejected(&'static str),
}

impl Error {
    /// The error's kind for logs and records.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NotConnected => "not_connected",
            Self::NoAnswer(kind) | Self::Rejected(kind) => kind,
            Self::RateLimited(_) => "rate_limited",
            Self::Migrated(_) => "migrated",
            Self::Unauthorized => "unauthorized",
            Self::NotModified => "not_modified",
            Self::MessageGone => "message_gone",
            Self::Server => "telegram_server",
        }
    }

    /// True where the chat cannot be written to at all, whatever is sent.
    pub fn is_of_the_chat(&self) -> bool {
        matches!(
            self,
            Self::Rejected(
                "chat_not_found"
                    | "no_rights_in_chat"
                    | "blocked_by_user"
                    | "user_deactivated"
                    | "kicked_from_chat"
                    | "forbidden"
            )
        )
    }

    /// Reads an answer that says `ok: false`. The code and a part of the description decide; the texts
    /// are those of the Bot API server's source.
    #[cfg(any(feature = "client", test))]
    pub(crate) fn of(
        code: i64,
        description: &str,
        retry_after: Option<u64>,
        migrated: Option<i64>,
    ) -> Self {
        if let Some(chat) = migrated {
            return Self::Migrated(chat);
        }
        let says = |part: &str| description.contains(part);
        match code {
            429 => Self::RateLimited(retry_after.unwrap_or(DEFAULT_WAIT)),
            401 => Self::Unauthorized,
            500.. => Self::Server,
            400 if says("message is not modified") => Self::NotModified,
            400 if says("message to edit not found") || says("message can't be edited") => {
                Self::MessageGone
            }
            400 if says("chat not found") => Self::Rejected("chat_not_found"),
            // Groups may take texts and no files, or files of some kinds.
            400 if says("not enough rights to send") && !says("text messages") => {
                Self::Rejected("no_rights_for_files")
            }
            400 if says("not enough rights")
                || says("have no write access")
                || says("CHAT_WRITE_FORBIDDEN") =>
            {
                Self::Rejected("no_rights_in_chat")
            }
            400 if says("wrong file identifier")
                || says("wrong remote file identifier")
                || says("can't use file of type")
                || says("file is too big") =>
            {
                Self::Rejected("file_refused")
            }
            400 if says("can't parse entities") => Self::Rejected("markup_refused"),
            400 => Self::Rejected("bad_request"),
            403 if says("bot was blocked by the user") => Self::Rejected("blocked_by_user"),
            403 if says("user is deactivated") => Self::Rejected("user_deactivated"),
            403 if says("bot was kicked") => Self::Rejected("kicked_from_chat"),
            403 => Self::Rejected("forbidden"),
            404 => Self::Rejected("no_such_method"),
            _ => Self::Rejected("refused"),
        }
    }
}

/// Seconds to wait where a 429 does not say how long.
#[cfg(any(feature = "client", test))]
const DEFAULT_WAIT: u64 = 30;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_answer_has_its_class() {
        let of = |code, description| Error::of(code, description, None, None);
        for (code, description, class) in [
            (
                400,
                "Bad Request: message is not modified: specified new message content…",
                Error::NotModified,
            ),
            (
                400,
                "Bad Request: message to edit not found",
                Error::MessageGone,
            ),
            (
                400,
                "Bad Request: chat not found",
                Error::Rejected("chat_not_found"),
            ),
            (
                403,
                "Forbidden: bot was blocked by the user",
                Error::Rejected("blocked_by_user"),
            ),
            (
                403,
                "Forbidden: user is deactivated",
                Error::Rejected("user_deactivated"),
            ),
            (
                403,
                "Forbidden: bot was kicked from the supergroup chat",
                Error::Rejected("kicked_from_chat"),
            ),
            (401, "Unauthorized", Error::Unauthorized),
            (500, "Internal Server Error: restart", Error::Server),
            (
                429,
                "Too Many Requests: retry after 5",
                Error::RateLimited(30),
            ),
        ] {
            assert_eq!(of(code, description), class, "{code} {description}");
        }
        let upgraded = "Bad Request: group chat was upgraded to a supergroup chat";
        assert_eq!(
            Error::of(400, upgraded, None, Some(-100_123)),
            Error::Migrated(-100_123)
        );
        assert_eq!(
            Error::of(429, "", Some(70_000), None),
            Error::RateLimited(70_000)
        );
    }
}
