//! Right items.

use frontdesk_domain::effect::EffectId;
use frontdesk_storage::EffectKey;
use serde_json::{Value, json};

use super::bot;
use super::change::{number, text_value};
use crate::sample::{REQUEST, STAFF_CHAT};

pub(super) fn request() -> Value {
    json!({
        "pk": {"S": format!("REQ#{REQUEST}")}, "sk": {"S": "REQ"}, "v": {"N": "1"},
        "source": {"S": "contact"}, "token": {"S": "0123456789abcdefghijkl"}, "digest": {"S": "00"},
        "answers": {"L": [
            {"M": {"field": {"S": "phone"}, "text": {"S": "8121234567"}, "e164": {"S": "+78121234567"}}},
        ]},
        "contact_pk": {"S": "CONTACT#00"}, "contact_sk": {"N": "1795960000000"},
        "version": {"N": "2"}, "state": {"S": "in_work"}, "assignee": {"N": "501"},
        "assignee_name": {"S": "Anna"}, "closed_by": {"N": "502"}, "closed_name": {"S": "Boris"},
        "closed_reason": {"S": "a double"}, "due": {"N": "1795970000000"}, "called_out": {"N": "1"},
        "chat": {"N": "77"}, "language": {"S": "ru"}, "link": {"S": "site"},
        "began": {"N": "1795950000000"}, "files": {"N": "2"}, "unreachable": {"N": "1"},
        "refused": {"SS": ["a.pdf"]}, "created": {"N": "1795960000000"},
        "changed": {"N": "1795960100000"}, "list_pk": {"S": "lead#in_work"},
        "list_sk": {"N": "1795960100000"},
    })
}

pub(super) fn body() -> Value {
    json!({
        "pk": {"S": format!("REQ#{REQUEST}")}, "sk": {"S": "BODY"}, "v": {"N": "1"},
        "answers": {"L": [{"M": {"field": {"S": "message"}, "text": {"S": "long ".repeat(400)}}}]},
    })
}

pub(super) fn card() -> Value {
    json!({
        "pk": {"S": format!("REQ#{REQUEST}")}, "sk": {"S": "EFF#card#staff"}, "v": {"N": "1"},
        "state": {"S": "sending"}, "want": {"N": "2"}, "shown": {"N": "1"},
        "not_before": {"N": "1795960000000"}, "slot": {"N": "1795960000000"},
        "due_shard": {"S": "DUE#1"}, "due": {"N": "1795960120000"}, "since": {"N": "1795960000000"}, "attempts": {"N": "1"},
        "unknowns": {"N": "0"}, "resends": {"N": "0"}, "holder": {"S": "0123456789abcdef"},
        "lease_until": {"N": "1795960060000"}, "message_chat": {"N": STAFF_CHAT.to_string()},
        "message": {"N": "7"}, "strays": {"SS": [format!("{STAFF_CHAT}:8")]}, "revision": {"N": "4"},
        "failed_at": {"N": "1795960000000"}, "error": {"S": "timeout"},
    })
}

/// A customer's draft, in the item of its panel; what its phases and answers need is all there.
pub(super) fn panel() -> Value {
    let mut item = card();
    item["pk"] = text_value("CHAT#desk#77");
    item["sk"] = text_value("EFF#panel");
    item["draft_version"] = number(4);
    item["draft"] = json!({"M": {
        "token": {"S": "0123456789abcdefghijkl"}, "language": {"S": "ru"}, "source": {"S": "site"},
        "began": {"N": "1795960000000"}, "changed": {"N": "1795960100000"},
        "answers": {"L": [
            {"M": {"step": {"S": "description"}, "kind": {"S": "long_text"}, "text": {"S": "A shop"},
                "names": {"L": [{"S": "site"}]}, "range": {"S": "500000-"}, "e164": {"S": "+78121234567"},
                "own": {"N": "1"}}},
            {"M": {"step": {"S": "brief"}, "kind": {"S": "files"}}},
        ]},
        "files": {"N": "1"}, "told_album": {"S": "a"}, "phase": {"S": "asking"},
        "step": {"S": "services"}, "returning": {"N": "0"}, "marked": {"L": [{"S": "site"}]},
        "request": {"S": REQUEST},
    }});
    item
}

pub(super) fn draft_text() -> Value {
    json!({
        "pk": {"S": "CHAT#desk#77"}, "sk": {"S": "DRAFT#text#description"}, "v": {"N": "1"},
        "token": {"S": "0123456789abcdefghijkl"}, "expires": {"N": "1805960000"},
        "text": {"S": "long ".repeat(200)},
    })
}

pub(super) fn draft_file() -> Value {
    json!({
        "pk": {"S": "CHAT#desk#77"}, "sk": {"S": "DRAFT#file#00"}, "v": {"N": "1"},
        "token": {"S": "0123456789abcdefghijkl"}, "expires": {"N": "1805960000"},
        "kind": {"S": "document"}, "file_id": {"S": "f"}, "name": {"S": "brief.pdf"},
        "size": {"N": "1000"}, "caption": {"S": ""}, "album": {"S": "a"},
    })
}

/// What answers a command in a chat.
pub(super) fn answer() -> Value {
    let id = EffectId::Answer {
        bot: bot(),
        update: 5,
        chat: 77,
    };
    let key = EffectKey::from(&id);
    let mut item = card();
    item["pk"] = text_value(&key.pk);
    item["sk"] = text_value(&key.sk);
    item["html"] = text_value("<b>5</b> requests");
    item["buttons"] = json!({"L": [{"L": [{"L": [{"S": "More"}, {"S": "list:"}]}]}]});
    item["reply_to"] = number(7);
    item["reply_chat"] = number(-5);
    item["expires"] = number(1_805_960_000);
    item
}

pub(super) fn chat() -> Value {
    json!({
        "pk": {"S": format!("CHAT#desk#{STAFF_CHAT}")}, "sk": {"S": "CHAT"}, "v": {"N": "1"},
        "blocked_until": {"N": "1795960000000"}, "next_free": {"N": "1795960000000"},
        "migrated_to": {"N": "-1009000000001"},
    })
}
