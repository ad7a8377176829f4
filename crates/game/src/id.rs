//! The IDs of entities within their game, and references to entities.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CharacterId(pub u32);

#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct ClockId(pub u32);

#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct PoolId(pub u32);

#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct PreparedId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CallId(pub u32);

/// The ID of a waiting roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UnfinishedId(pub u32);

/// The ID of a request to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HostRequestId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NoteId(pub u32);

/// The ID of a seat. A renamed seat keeps its ID, and no other seat gets the ID of a removed seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeatId(pub u64);

impl SeatId {
    /// The user of this computer, with a screen or on the command line.
    pub const HOST: Self = Self(0);
    /// Stands for no seat: for a watcher, for the authors of a sample's log, and for an act without a stored author.
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

/// A reference to an entity: something in a game that can change.
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
    /// The attempts that a character may not repeat.
    Lock(CharacterId),
    /// A scene, by its index.
    Scene(usize),
    Note(NoteId),
    LinesAndVeils,
    /// A session that ended, by its index in [`Game::sessions`](super::Game::sessions).
    Session(usize),
    /// The house rules.
    House,
    /// The rule system together with the house rules.
    Rules,
    Round,
    /// The entry of the host's log up to which the game has followed.
    #[serde(rename = "house-log")]
    HostLog,
}

impl EntityRef {
    /// Returns the kind of the entity, as events name it.
    pub const fn kind(self) -> EntityKind {
        match self {
            Self::Character(_) => EntityKind::Character,
            // A game and its host exchange only clocks.
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

    /// Returns the word for the entity in messages.
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

    /// Returns the ID of the entity, 0 if it has none. All entities of a game share one sequence of IDs.
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

/// The kind of an entity, as events name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum EntityKind {
    Character,
    Clock,
    Pool,
    #[strum(serialize = "house rule")]
    House,
    #[strum(serialize = "prepared scene")]
    Prepared,
    /// An attempt that a character may not repeat.
    Lock,
    #[strum(serialize = "call for a roll")]
    Call,
    /// A note or a handout.
    Note,
    /// The game itself, for example in an edit of its file.
    Game,
}
