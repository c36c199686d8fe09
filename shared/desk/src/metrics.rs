//! What the desk measures while it works. Whoever runs it decides where that goes: on Lambda, into
//! CloudWatch.

/// The target of the events that carry metrics.
pub const TARGET: &str = "frontdesk::metrics";

/// A metric. CloudWatch asks for money for each, so there are few, and none has dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Leads that were stored.
    LeadsAccepted,
    /// Forms and updates that came again and were recognised.
    Repeats,
    /// From what has changed to the card that shows it.
    CardDelay,
    /// Sends that Telegram put off.
    RateLimited,
    /// How long the oldest effect has been waiting to be delivered.
    OldestUndelivered,
    /// Sends whose outcome is unknown, and which no rule will settle.
    UnknownOutcomes,
    /// Effects that were given up and not yet retried.
    FailedEffects,
    /// Chats of the staff's that cannot be reached.
    UnreachableChats,
    /// How long a report that is due has not been delivered.
    ReportOverdue,
}

impl Metric {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::LeadsAccepted,
        Self::Repeats,
        Self::CardDelay,
        Self::RateLimited,
        Self::OldestUndelivered,
        Self::UnknownOutcomes,
        Self::FailedEffects,
        Self::UnreachableChats,
        Self::ReportOverdue,
    ];

    /// Its name in CloudWatch.
    pub fn name(self) -> &'static str {
        match self {
            Self::LeadsAccepted => "LeadsAccepted",
            Self::Repeats => "Repeats",
            Self::CardDelay => "CardDelay",
            Self::RateLimited => "RateLimited",
            Self::OldestUndelivered => "OldestUndelivered",
            Self::UnknownOutcomes => "UnknownOutcomes",
            Self::FailedEffects => "FailedEffects",
            Self::UnreachableChats => "UnreachableChats",
            Self::ReportOverdue => "ReportOverdue",
        }
    }

    /// Its unit, as CloudWatch calls it.
    pub fn unit(self) -> &'static str {
        match self {
            Self::CardDelay => "Milliseconds",
            Self::OldestUndelivered | Self::ReportOverdue => "Seconds",
            Self::LeadsAccepted
            | Self::Repeats
            | Self::RateLimited
            | Self::UnknownOutcomes
            | Self::FailedEffects
            | Self::UnreachableChats => "Count",
        }
    }

    /// Records a value, in the metric's unit.
    pub(crate) fn record(self, value: u64) {
        tracing::info!(target: TARGET, metric = self.name(), unit = self.unit(), value);
    }
}
