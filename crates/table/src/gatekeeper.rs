//! Traits through which the screens of a table use the server and the web page.

use chrono::{DateTime, Utc};

use super::{SeatId, SeatRole};

/// A seat in the list of seats that may join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedSeat {
    pub id: SeatId,
    /// True for a watcher without a permanent seat, who leaves the list when the connection ends.
    pub is_passing: bool,
    pub name: String,
    pub role: SeatRole,
    /// The names of the characters that the seat plays.
    pub characters: Vec<String>,
    /// The fingerprints of the keys that may take the seat.
    pub keys: Vec<String>,
    /// When the invitation to the seat expires.
    pub invited_until: Option<DateTime<Utc>>,
}

/// A new invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invited {
    /// The name of the seat.
    pub name: String,
    pub role: SeatRole,
    /// The names of the characters that the seat plays, except those whose player has the seat's name.
    pub characters: Vec<String>,
    /// The code that the player types. It is stored nowhere else.
    pub code: String,
    /// The command that the player types to join, as far as the server knows its own address.
    pub command: String,
    /// When the invitation expires.
    pub until: DateTime<Utc>,
    /// The fingerprint of the server's key, which the player compares.
    pub fingerprint: String,
}

/// Admits players and removes them. The server implements it.
pub trait Gatekeeper: Send + Sync {
    /// Describes in a sentence where players join, with the fingerprint of the server's key.
    fn describe(&self) -> String;
    /// Invites a player to the seat with this name. Creates the seat if it is missing.
    fn invite(&self, name: &str, role: SeatRole) -> Result<Invited, String>;
    /// Removes a seat with its keys and its invitation, and closes its screens.
    fn dismiss(&self, seat: SeatId) -> Result<(), String>;
    /// Removes the keys and the invitation of a seat, and closes its screens.
    fn revoke(&self, seat: SeatId) -> Result<(), String>;
}

/// The page that shows the table in browsers.
pub trait PublicPage: Send + Sync {
    /// The address of the page.
    fn address(&self) -> String;
    /// Gives the page a new address, returns it, and disconnects browsers at the old one. A page that only this computer
    /// can open keeps its address.
    fn renew(&self) -> Result<String, String>;
}
