//! Which effects a request to Telegram may be made for, by what it says.

use frontdesk_local::Call;
use serde_json::Value;

use super::{Key, grouped};
use crate::invariants::text;
use crate::notices::{is_report_of, is_warning};
use crate::talk::{is_answer, is_confirmation, is_reminder};

/// The effects that a call may show, of those that are stored.
pub(super) fn candidates(call: &Call, body: &Value, items: &[Value]) -> Vec<Key> {
    let chat = body["chat_id"].as_i64().unwrap_or_default();
    let shown = text(body, "text");
    let file = ["document", "photo"]
        .iter()
        .find_map(|kind| body[kind].as_str())
        .or_else(|| body["media"][0]["media"].as_str());
    let is_it = |item: &&Value| {
        let (pk, sk) = (text(item, "pk"), text(item, "sk"));
        let names_it = || {
            let lead = pk.strip_prefix("REQ#");
            lead.is_some_and(|lead| shown.contains(&grouped(lead)))
        };
        if let Some(file) = file {
            return sk.starts_with("EFF#brief") && has_file(items, pk, file);
        }
        if shown.is_empty() || !sk.starts_with("EFF#") {
            return false;
        }
        match (chat > 0, is_confirmation(shown), is_answer(shown)) {
            (true, true, _) => sk.starts_with("EFF#confirmation") && names_it(),
            (true, false, _) => sk == "EFF#panel" && pk == format!("CHAT#desk#{chat}"),
            (false, _, true) => sk.starts_with("EFF#answer") && shown.ends_with(text(item, "html")),
            (false, _, false) if is_reminder(shown) => {
                sk.starts_with("EFF#reminder") && shown.ends_with(text(item, "html"))
            }
            (false, _, false) if is_warning(shown) => sk.starts_with("EFF#warning"),
            (false, _, false) => {
                let day = pk.strip_prefix("REPORT#");
                day.is_some_and(|day| is_report_of(shown, day))
                    || sk.starts_with("EFF#card") && names_it()
            }
        }
    };
    if call.function != "notifier" {
        return Vec::new();
    }
    let shows = items.iter().filter(is_it);
    let key = |item: &Value| (text(item, "pk").to_owned(), text(item, "sk").to_owned());
    shows.map(key).collect()
}

/// True where a request has this file.
fn has_file(items: &[Value], pk: &str, file: &str) -> bool {
    let mut items = items.iter();
    let brief = items.find(|item| text(item, "pk") == pk && text(item, "sk") == "BRIEF");
    let mut files = brief
        .and_then(|brief| brief["files"].as_array())
        .into_iter()
        .flatten();
    files.any(|kept| text(kept, "file_id") == file)
}
