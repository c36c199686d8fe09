//! Who works at the desk.

/// A member of staff, as the settings name them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The person's Telegram user id.
    pub id: i64,
    /// The name that colleagues see on cards.
    pub name: String,
    /// What the person may do.
    pub role: Role,
}

/// What a member of staff may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// May do what the settings keep for administrators, too.
    Administrator,
    /// Works on requests.
    Member,
}
