//! A pool of tokens.

mod threshold;

use serde::{Deserialize, Serialize};

use super::{CharacterId, CommandError, PoolId, refused};
use tableside_rules::{AtEnd, Id, PoolSpec};

pub use threshold::{read_thresholds, write_thresholds};

/// Whether the rules book a pool, or only people do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PoolKind {
    /// Tokens that the rules know.
    Rule(Id),
    /// Anything of the table's own.
    #[default]
    Own,
}

/// When a pool goes back to its start by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reset {
    /// Never.
    #[default]
    Never,
    /// At the end of a scene.
    Scene,
    /// At the end of the session.
    Session,
    /// At the end of the session it is raised to its start if it is below.
    AtLeastStart,
}

impl Reset {
    /// All, in order.
    pub const ALL: [Self; 4] = [Self::Never, Self::Scene, Self::Session, Self::AtLeastStart];
}

impl From<AtEnd> for Reset {
    fn from(end: AtEnd) -> Self {
        match end {
            AtEnd::Stay => Self::Never,
            AtEnd::Reset => Self::Session,
            AtEnd::AtLeastStart => Self::AtLeastStart,
        }
    }
}

/// A limit on what a scene gives, and what it gave already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gains {
    /// The most that one scene gives.
    pub most: i32,
    /// What this scene gave.
    #[serde(default)]
    pub this_scene: i32,
}

/// What becomes of tokens that are gained.
pub(super) struct Gain {
    /// As many as the scene still gives.
    pub(super) scene: i32,
    /// As many of them as the pool holds.
    pub(super) booked: i32,
    /// Why fewer came than were due, if fewer did.
    pub(super) kept_back: Option<String>,
}

/// A pool of tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenPool {
    /// The number that events know it by.
    pub id: PoolId,
    pub name: String,
    /// Whether the rules book it.
    #[serde(default)]
    pub kind: PoolKind,
    /// Whose it is; the table's if nobody's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<CharacterId>,
    /// What it holds, from floor to cap.
    #[serde(default)]
    pub tokens: i32,
    /// The least that it may hold.
    #[serde(default)]
    pub floor: i32,
    /// The most that it may hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap: Option<i32>,
    /// What it holds at first and after a reset.
    #[serde(default)]
    pub start: i32,
    /// When it goes back to its start.
    #[serde(default)]
    pub reset: Reset,
    /// The limit on what a scene gives: the rules', or the table's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gains: Option<Gains>,
    /// Notes that are told when the pool [reaches](Self::reaches) a number: "at 10: the dragon wakes".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thresholds: Vec<(i32, String)>,
}

/// The most that any pool holds, either way.
pub const MOST_TOKENS: i32 = 9_999;

impl Gains {
    /// At most so many, of which the scene gave none yet.
    pub(super) const fn of(most: i32) -> Self {
        Self {
            most,
            this_scene: 0,
        }
    }
}

impl TokenPool {
    /// An empty pool of the table's own; its number is given when it is made.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// The pool that the rules give to a character, or to the table.
    pub fn from_rules(spec: &PoolSpec, owner: Option<CharacterId>) -> Self {
        Self {
            kind: PoolKind::Rule(spec.id),
            owner,
            tokens: spec.start,
            floor: spec.floor.unwrap_or(-MOST_TOKENS),
            cap: spec.cap,
            start: spec.start,
            reset: spec.at_session_end.into(),
            gains: spec.gain_per_scene.map(Gains::of),
            ..Self::new(spec.name)
        }
    }

    /// The number as near to `tokens` as the pool may hold.
    pub fn within(&self, tokens: i32) -> i32 {
        let cap = self.cap.unwrap_or(MOST_TOKENS).min(MOST_TOKENS);
        tokens.clamp(self.floor.min(cap).max(-MOST_TOKENS), cap)
    }

    /// What becomes of so many more tokens, or fewer: a scene gives no more than its limit, and what the pool
    /// does not hold counts for nothing.
    pub(super) fn gain(&self, amount: i32) -> Gain {
        let limit = self.gains.filter(|_| amount > 0);
        let scene = limit.map_or(amount, |gains| {
            amount.min((gains.most - gains.this_scene).max(0))
        });
        let booked = self.within(self.tokens.saturating_add(scene)) - self.tokens;
        // A pool may hold more than its most while the tokens of a roll that ends are in it.
        let booked = if amount > 0 { booked.max(0) } else { booked };
        let why = match limit {
            _ if booked >= amount => None,
            Some(gains) if scene < amount => Some(format!("a scene gives {} at most", gains.most)),
            Some(_) | None => Some(format!("it holds {} at most", self.within(i32::MAX))),
        };
        Gain {
            scene,
            booked,
            kept_back: why.map(|why| format!("{booked} of {amount} gained, for {why}")),
        }
    }

    /// Refuses more than a scene gives.
    pub(super) fn too_much(&self, owner: &str, more: i32) -> CommandError {
        let Gains { most, this_scene } = self.gains.unwrap_or(Gains::of(0));
        let name = &self.name;
        refused(format!(
            "{owner} gained {this_scene} of at most {most} in {name} this scene; {more} more is too much"
        ))
    }

    /// Its name in JSON: the rule's, else its own.
    pub fn id_word(&self) -> &str {
        match self.kind {
            PoolKind::Rule(id) => id.as_str(),
            PoolKind::Own => &self.name,
        }
    }
}
