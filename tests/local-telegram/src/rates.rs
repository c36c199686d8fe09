//! How many messages a bot may send: sliding windows on the desk's clock.

use std::collections::{HashMap, VecDeque};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// The stand-in's limits. A group is held to its own limit and to that of any chat; 0 is no limit.
///
/// Messages count, each item of an album for itself; edits, deletions and answers to presses do
/// not. A refused message does not count either.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct Rates {
    /// Messages to any one chat in a minute.
    pub per_chat_per_minute: u32,
    /// Messages to one group or supergroup in a minute.
    pub per_group_per_minute: u32,
    /// Messages of the bot to all chats in a second.
    pub bot_per_second: u32,
}

impl Rates {
    /// No limits at all.
    pub const NONE: Self = Self {
        per_chat_per_minute: 0,
        per_group_per_minute: 0,
        bot_per_second: 0,
    };
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            per_chat_per_minute: 60,
            per_group_per_minute: 20,
            bot_per_second: 30,
        }
    }
}

/// Counts what was sent.
#[derive(Default)]
pub(crate) struct Meter {
    pub(crate) rates: Rates,
    bot: VecDeque<Timestamp>,
    chats: HashMap<i64, VecDeque<Timestamp>>,
}

impl Meter {
    /// Counts `messages` to a chat, or says after how many seconds they may be tried again.
    pub(crate) fn take(
        &mut self,
        chat_id: i64,
        is_group: bool,
        messages: usize,
        now: Timestamp,
    ) -> Result<(), u64> {
        let minute = SignedDuration::from_secs(60);
        let second = SignedDuration::from_secs(1);
        let chat = self.chats.entry(chat_id).or_default();
        prune(chat, minute, now);
        prune(&mut self.bot, second, now);
        let group_limit = if is_group {
            self.rates.per_group_per_minute
        } else {
            0
        };
        let wait = wait(chat, minute, self.rates.per_chat_per_minute, messages, now)
            .max(wait(chat, minute, group_limit, messages, now))
            .max(wait(
                &self.bot,
                second,
                self.rates.bot_per_second,
                messages,
                now,
            ));
        if wait.is_positive() {
            let rounded_up = wait.as_millis().unsigned_abs().div_ceil(1000);
            return Err(u64::try_from(rounded_up).unwrap_or(u64::MAX).max(1));
        }
        chat.extend(std::iter::repeat_n(now, messages));
        self.bot.extend(std::iter::repeat_n(now, messages));
        Ok(())
    }
}

fn prune(sent: &mut VecDeque<Timestamp>, span: SignedDuration, now: Timestamp) {
    while sent
        .front()
        .is_some_and(|at| now.duration_since(*at) >= span)
    {
        sent.pop_front();
    }
}

fn wait(
    sent: &VecDeque<Timestamp>,
    span: SignedDuration,
    limit: u32,
    messages: usize,
    now: Timestamp,
) -> SignedDuration {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let over = (sent.len() + messages)
        .saturating_sub(limit)
        .min(sent.len());
    if limit == 0 || over == 0 {
        return SignedDuration::ZERO;
    }
    sent.get(over - 1)
        .map_or(SignedDuration::ZERO, |at| span - now.duration_since(*at))
}
