//! Links that open the bot and say where its customer came from.

use anyhow::{Context, ensure};
use frontdesk_domain::dialog::Source;

/// The link to `bot` (its name in Telegram) with a source; only one that Telegram takes.
pub fn link(bot: &str, source: &str) -> anyhow::Result<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    ensure!(
        (5..=32).contains(&bot.len()) && bot.chars().all(plain),
        "a bot's name in Telegram has 5 to 32 of A-Z a-z 0-9 _"
    );
    let source = Source::parse(source).context("a source has 1 to 64 of A-Z a-z 0-9 _ -")?;
    Ok(format!("https://t.me/{bot}?start={}", source.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_that_telegram_takes_are_made() {
        let made = link("sample_desk_bot", "site-footer_2026").expect("a link");
        assert_eq!(made, "https://t.me/sample_desk_bot?start=site-footer_2026");
        assert!(link("sample_desk_bot", &"s".repeat(64)).is_ok());
        for (bot, source) in [
            ("sample_desk_bot", ""),
            ("sample_desk_bot", "a.b=c"),
            ("sample_desk_bot", &"s".repeat(65)),
            ("@sample_desk_bot", "footer"),
            ("bot", "footer"),
        ] {
            assert!(link(bot, source).is_err(), "{bot} {source}");
        }
    }
}
