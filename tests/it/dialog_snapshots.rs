//! A customer's whole conversation and what two members of staff see of it, in each language, as text
//! files to read. `UPDATE_SNAPSHOTS=1` writes them anew.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use crate::customer::{Customer, data_of};
use crate::harness::{ANNA, BORIS, Desk, STAFF, project};

/// Everything that happens, with what the chats show after it.
struct Transcript<'a> {
    desk: &'a Desk,
    vera: &'a Customer<'a>,
    shown: BTreeMap<(i64, i64), String>,
    text: String,
}

impl Transcript<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    /// What is new or changed in both chats.
    async fn watch(&mut self) {
        self.desk.run_to_quiet(600).await;
        for (chat, name) in [(self.vera.chat, "bot"), (STAFF, "bot, to the staff")] {
            for message in self.desk.messages(chat).await {
                if message["from_id"] != 1 {
                    continue;
                }
                let id = message["message_id"].as_i64().unwrap();
                let shows = render(&message);
                let former = self.shown.insert((chat, id), shows.clone());
                match former {
                    None => self.line(&format!("{name}:\n{shows}")),
                    Some(former) if former != shows => {
                        self.line(&format!("{name}, changed:\n{shows}"));
                    }
                    Some(_) => {}
                }
            }
        }
    }

    async fn says(&mut self, shown: &str, what: Value) {
        self.line(&format!("\nVera: {shown}"));
        self.vera.does(what).await;
        self.watch().await;
    }

    async fn writes(&mut self, text: &str) {
        self.says(text, json!({"text": text})).await;
    }

    /// Presses the button whose data ends so.
    async fn presses(&mut self, end: &str) {
        let panel = self.vera.panel().await;
        let (label, data) = button(&panel, end);
        let note = self.vera.presses_data(&panel, &data).await;
        let note = if note.is_empty() {
            String::new()
        } else {
            format!(" → {note}")
        };
        self.line(&format!("\nVera presses [{label}]{note}"));
        self.watch().await;
    }

    /// A member of staff types a command in the group.
    async fn staff_writes(&mut self, who: &str, user: i64, text: &str) {
        let said = json!({"chat_id": STAFF, "chat_type": "supergroup",
            "user": {"id": user, "first_name": who}, "text": text});
        self.desk.control("say", said).await;
        let command = text.split_whitespace().next().unwrap_or_default();
        self.line(&format!("\n{who}: {command}"));
        self.watch().await;
    }

    async fn staff_presses(&mut self, who: &str, user: i64, card: &Value, data: &str) {
        let pressed = self.desk.press(user, card, data).await;
        let note = pressed["answer"]["text"].as_str().unwrap().to_owned();
        self.line(&format!("\n{who} presses → {note}"));
        self.watch().await;
    }
}

fn button(message: &Value, end: &str) -> (String, String) {
    let rows = message["buttons"].as_array().unwrap();
    let mut buttons = rows.iter().filter_map(Value::as_array).flatten();
    let text = |button: &Value, name: &str| button[name].as_str().unwrap().to_owned();
    let found = buttons.find(|button| text(button, "callback_data").ends_with(end));
    let found = found.unwrap_or_else(|| panic!("no button {end}: {message:#}"));
    (text(found, "text"), text(found, "callback_data"))
}

/// A message as a person sees it.
fn render(message: &Value) -> String {
    let mut shows = String::new();
    let attachment = &message["attachment"];
    if !attachment.is_null() {
        let name = attachment["file_name"].as_str().unwrap_or_default();
        let kind = attachment["kind"].as_str().unwrap();
        let _ = writeln!(shows, "    <{kind} {name}>");
    }
    let text = message["text"].as_str().or(attachment["caption"].as_str());
    for line in text.unwrap_or_default().lines() {
        let _ = writeln!(shows, "{}", format!("    {line}").trim_end());
    }
    for row in message["buttons"].as_array().into_iter().flatten() {
        let labels = row.as_array().unwrap().iter();
        let labels: Vec<_> = labels
            .map(|button| format!("[{}]", button["text"].as_str().unwrap()))
            .collect();
        let _ = writeln!(shows, "    {}", labels.join(" "));
    }
    for row in message["keyboard"].as_array().into_iter().flatten() {
        let labels = row.as_array().unwrap().iter();
        let labels: Vec<_> = labels
            .map(|button| format!("({})", button["text"].as_str().unwrap()))
            .collect();
        let _ = writeln!(shows, "    {}", labels.join(" "));
    }
    shows.trim_end().to_owned()
}

/// Numbers and moments differ from run to run.
fn masked(text: &str, number: &str) -> String {
    let text = text.replace(number, "0000 0000 0000 00");
    let mut kept = String::new();
    for line in text.lines() {
        let is_moment = |line: &str| {
            let mut times = line.match_indices(':').filter(|(at, _)| {
                let around = line.as_bytes();
                *at > 0
                    && around[at - 1].is_ascii_digit()
                    && around.get(at + 1).is_some_and(u8::is_ascii_digit)
            });
            times.next().is_some()
        };
        let line = if is_moment(line) {
            without_digits(line)
        } else {
            line.to_owned()
        };
        let _ = writeln!(kept, "{line}");
    }
    kept
}

fn without_digits(line: &str) -> String {
    let day = line
        .find(|c: char| c.is_ascii_digit())
        .unwrap_or(line.len());
    format!("{}…", &line[..day])
}

async fn conversation(language: &str) -> String {
    let sample = std::fs::read_to_string(project().join("desk.toml")).unwrap();
    let settings = sample.replace(
        "staff_language = \"en\"",
        &format!("staff_language = \"{language}\""),
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("desk.toml");
    std::fs::write(&file, settings).unwrap();
    let desk = Desk::start_with(|options| options.settings = file).await;
    let vera = Customer::new(&desk, 7001, language);
    let mut chat = Transcript {
        desk: &desk,
        vera: &vera,
        shown: BTreeMap::new(),
        text: String::new(),
    };
    chat.writes("/start footer").await;
    chat.presses(":o:services:site").await;
    chat.presses(":o:services:promotion").await;
    chat.presses(":n:services").await;
    chat.presses(":o:type:shop").await;
    chat.says("(a sticker)", json!({"other": "sticker"})).await;
    chat.writes("/help").await;
    chat.writes("Tea & <coffee>").await;
    let pdf = json!({"file_name": "brief.pdf", "mime_type": "application/pdf", "file_size": 9});
    chat.says("(a document)", json!({"document": pdf})).await;
    chat.presses(":n:brief").await;
    chat.presses(":b:budget").await;
    chat.presses(":n:brief").await;
    chat.presses(":r:budget:50000-150000").await;
    chat.presses(":o:urgency:month").await;
    chat.writes("12").await;
    let contact = json!({"phone_number": "78121234567", "first_name": "Vera", "user_id": 7001});
    chat.says("(her number)", json!({"contact": contact})).await;
    chat.presses(":e:urgency").await;
    chat.presses(":o:urgency:now").await;
    let preview = vera.panel().await;
    chat.presses(":y").await;
    let id = vera.draft().await["draft"]["request"]
        .as_str()
        .unwrap()
        .to_owned();
    let number = frontdesk_domain::RequestId::parse(&id).unwrap().grouped();
    let again = vera.presses_data(&preview, &button(&preview, ":y").1).await;
    chat.line(&format!("\nVera presses it again → {again}"));
    chat.watch().await;
    let card = desk.messages(STAFF).await.remove(0);
    let take = format!("take:{id}");
    chat.staff_presses("Anna", ANNA, &card, &take).await;
    chat.staff_presses("Boris", BORIS, &card, &take).await;
    chat.staff_presses("Anna", ANNA, &card, &format!("back:{id}"))
        .await;
    chat.staff_presses("Boris", BORIS, &card, &take).await;
    chat.staff_writes("Anna", ANNA, "/list").await;
    chat.staff_writes("Boris", BORIS, &format!("/show {number}"))
        .await;
    chat.staff_writes("Boris", BORIS, &format!("/close {} done", &id[..6]))
        .await;
    chat.staff_writes("Anna", ANNA, "/stats").await;
    chat.presses(":a").await;
    chat.writes("/cancel").await;
    let text = masked(&chat.text, &number);
    desk.finish().await;
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn the_whole_conversation_reads_well_in_each_language() {
    for language in ["en", "ru", "ja"] {
        let file = project().join(format!("tests/it/snapshots/dialog.{language}.txt"));
        let text = conversation(language).await;
        if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, &text).unwrap();
        }
        let kept = std::fs::read_to_string(&file).unwrap_or_default();
        let differs = text
            .lines()
            .zip(kept.lines())
            .find(|(now, kept)| now != kept);
        assert_eq!(differs, None, "{language}");
        assert_eq!(text.lines().count(), kept.lines().count(), "{language}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_business_has_its_own_dialog_by_its_file_alone() {
    let desk = Desk::start_with(|options| {
        options.settings = project().join("tests/it/settings/car-repair.toml");
    })
    .await;
    let mut vera = Customer::new(&desk, 7001, "ru");
    vera.bot = "garage";
    let begun = vera.writes("/start").await;
    assert!(
        begun.contains("Это автосервис Вагнера") && begun.contains("1 из 4"),
        "{begun}"
    );
    vera.presses("Тормоза").await;
    vera.writes("Lada Vesta, 2021").await;
    vera.does(json!({"album": [{"photo": {"file_size": 1}}, {"photo": {"file_size": 2}}]}))
        .await;
    vera.presses("Дальше").await;
    // The contact may be skipped here.
    vera.writes("Пропустить").await;
    desk.settle().await;
    let panel = vera.panel().await;
    assert!(
        panel["text"].as_str().unwrap().contains("Фото: 2 файла"),
        "{panel}"
    );
    vera.presses_data(&panel, &data_of(&panel, "Отправить"))
        .await;
    desk.run_to_quiet(600).await;
    let workshop = desk.messages(-1_001_000_000_101).await;
    let card = workshop[0]["text"].as_str().unwrap();
    for line in [
        "Repair · ",
        "Trouble: Brakes",
        "Make and model: Lada Vesta, 2021",
        "Writes in: ru",
    ] {
        assert!(card.contains(line), "{line} in {card}");
    }
    assert_eq!(workshop.len(), 3);
    desk.finish().await;
}
