//! The numbers by which things are known within their game, and what a change can be about.

use serde::{Deserialize, Serialize};

/// The number of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CharacterId(pub u32);

/// The number of a clock.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct ClockId(pub u32);

/// The number of a pool.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct PoolId(pub u32);

/// The number of a prepared scene.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct PreparedId(pub u32);

/// The number of a call for a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CallId(pub u32);

/// The number of an unfinished check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UnfinishedId(pub u32);

/// The number of a request to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HostRequestId(pub u32);

/// The number of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NoteId(pub u32);

/// The id of a seat. It stays the same if the seat is renamed and is never used again after the seat is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeatId(pub u64);

impl SeatId {
    /// The user of this computer, with a screen or on the command line.
    pub const HOST: Self = Self(0);
    /// No seat: an onlooker, the authors of a sample's log, and the author of an act that nobody's name is stored with.
    pub const NOBODY: Self = Self(1);
}

/// The seat that acts, and the name under which events record it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    pub name: String,
    pub seat: SeatId,
}

impl Author {
    pub fn new(name: impl Into<String>, seat: SeatId) -> Self {
        Self {
            name: name.into(),
            seat,
        }
    }

    /// The author of acts for which no name is stored.
    pub fn nobody() -> Self {
        Self::new("", SeatId::NOBODY)
    }
}

/// What a change is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntityRef {
    Character(CharacterId),
    Clock(ClockId),
    Pool(PoolId),
    Prepared(PreparedId),
    Call(CallId),
    Unfinished(UnfinishedId),
    #[serde(rename = "ask")]
    HostRequest(HostRequestId),
    /// What a character may not try again.
    Lock(CharacterId),
    /// A scene, by its place among all.
    Scene(usize),
    Note(NoteId),
    LinesAndVeils,
    /// A session that ended, by its index in [`Game::sessions`](super::Game::sessions).
    Session(usize),
    House,
    /// The rules: the file that the game is played by, and what the table decided of it.
    Rules,
    Round,
    /// The last entry of the host's log that was followed.
    #[serde(rename = "house-log")]
    HostLog,
}

impl EntityRef {
    /// What kind of thing it is.
    pub const fn kind(self) -> EntityKind {
        match self {
            Self::Character(_) => EntityKind::Character,
            // Hosts and games exchange nothing but clocks.
            Self::Clock(_) | Self::HostRequest(_) | Self::HostLog => EntityKind::Clock,
            Self::Pool(_) => EntityKind::Pool,
            Self::Prepared(_) => EntityKind::Prepared,
            Self::Call(_) => EntityKind::Call,
            Self::Lock(_) => EntityKind::Lock,
            Self::House => EntityKind::House,
            Self::Note(_) => EntityKind::Note,
            Self::LinesAndVeils | Self::Session(_) => EntityKind::Game,
            Self::Unfinished(_) | Self::Scene(_) | Self::Rules | Self::Round => EntityKind::Game,
        }
    }

    /// What it is called.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Unfinished(_) => "check",
            Self::Scene(_) => "scene",
            Self::Rules => "rules",
            Self::Round => "round",
            Self::LinesAndVeils => "lines and veils",
            Self::Session(_) => "session",
            other => other.kind().into_str(),
        }
    }

    /// The number that it takes from those of the game; 0 where it has none.
    pub(super) const fn number(self) -> u32 {
        match self {
            Self::Character(CharacterId(id))
            | Self::Clock(ClockId(id))
            | Self::Pool(PoolId(id))
            | Self::Prepared(PreparedId(id))
            | Self::Call(CallId(id))
            | Self::Note(NoteId(id))
            | Self::Unfinished(UnfinishedId(id))
            | Self::HostRequest(HostRequestId(id)) => id,
            Self::Lock(_)
            | Self::Scene(_)
            | Self::LinesAndVeils
            | Self::Session(_)
            | Self::House
            | Self::Rules
            | Self::Round
            | Self::HostLog => 0,
        }
    }
}

/// What can come, go and change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum EntityKind {
    /// A character.
    Character,
    /// A clock.
    Clock,
    /// A pool.
    Pool,
    /// A house rule.
    #[strum(serialize = "house rule")]
    House,
    /// A prepared scene.
    #[strum(serialize = "prepared scene")]
    Prepared,
    /// What may not be tried again.
    Lock,
    /// A call for a roll.
    #[strum(serialize = "call for a roll")]
    Call,
    /// A note or a handout.
    Note,
    /// The game itself: an edit by hand.
    Game,
}
