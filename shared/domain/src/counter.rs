/// What is counted beside the transactions, for the daily report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// A form was sent again and recognised.
    LeadRepeated,
    /// An update came again and was recognised.
    UpdateRepeated,
    /// An update that can never work was kept aside.
    UpdateKeptAside,
    /// A send's outcome was not learnt.
    SendUnknown,
    /// An effect was given up.
    EffectFailed,
}

impl Counter {
    /// Its name in storage and logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::LeadRepeated => "lead_repeated",
            Self::UpdateRepeated => "update_repeated",
            Self::UpdateKeptAside => "update_kept_aside",
            Self::SendUnknown => "send_unknown",
            Self::EffectFailed => "effect_failed",
        }
    }
}
