use frontdesk_telegram::{Error, SendMessage, read_answer};
use serde_json::Value;

/// An answer of the Bot API: it is a success only where it says so and names the message, and every
/// other is told by its own words.
pub fn answers(data: &[u8]) {
    // What is not read may be no UTF-8, or nested deeper than a whole reading goes.
    let text = String::from_utf8_lossy(data);
    if text.matches(['{', '[']).count() > 100 {
        let _ = read_answer::<SendMessage>(data);
        return;
    }
    // Nor are numbers that no reading holds.
    let Ok(value) = serde_json::from_str::<Value>(&text) else {
        let _ = read_answer::<SendMessage>(data);
        return;
    };
    let at = |path: &str| value.pointer(path);
    match read_answer::<SendMessage>(data) {
        Ok(sent) => {
            assert_eq!(at("/ok"), Some(&Value::Bool(true)));
            assert_eq!(
                at("/result/message_id"),
                Some(&Value::from(sent.message_id))
            );
        }
        Err(Error::NoAnswer(kind)) => assert_eq!(kind, "answer_unreadable"),
        Err(error) => {
            assert_eq!(at("/ok"), Some(&Value::Bool(false)));
            let code = at("/error_code").and_then(Value::as_i64).expect("a code");
            let migrated = at("/parameters/migrate_to_chat_id").and_then(Value::as_i64);
            match error {
                Error::Migrated(chat) => assert_eq!(migrated, Some(chat)),
                Error::RateLimited(seconds) => {
                    assert_eq!(code, 429);
                    match at("/parameters/retry_after").and_then(Value::as_f64) {
                        // Never shorter than what was asked for, as far as there are seconds to count.
                        #[allow(
                            clippy::cast_precision_loss,
                            reason = "the comparison is one-sided"
                        )]
                        Some(asked) => {
                            let asked = asked.min(u64::MAX as f64);
                            assert!(seconds as f64 >= asked, "{seconds} < {asked}");
                        }
                        None => assert!(seconds > 0),
                    }
                }
                Error::Unauthorized => assert_eq!(code, 401),
                Error::NotModified | Error::MessageGone => assert_eq!(code, 400),
                Error::Server => assert!(code >= 500),
                Error::Rejected(kind) => assert!(code < 500 && !kind.is_empty()),
                Error::NotConnected | Error::NoAnswer(_) => panic!("an answer came"),
            }
        }
    }
}
