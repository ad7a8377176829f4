//! Pools of tokens.

mod rules;
mod threshold;

use serde::{Deserialize, Serialize};

use super::{CharacterId, CommandError, PoolId, Result, refused};
use tableside_rules::{AtEnd, Id, PoolSpec, Recharge, RestKind};

pub use threshold::{read_thresholds, write_thresholds};

/// The maximum number of tokens in a pool. A pool can owe the same number.
pub const MOST_TOKENS: i32 = 9_999;

/// The origin of a pool. Rolls change only pools of the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PoolKind {
    /// A pool of the rules.
    Rule(Id),
    /// A pool that the group added.
    #[default]
    Own,
}

/// The time at which a pool goes back to its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reset {
    #[default]
    Never,
    /// At the end of each scene.
    Scene,
    /// At the end of each session.
    Session,
    /// At the end of each session, if the pool is below its start.
    AtLeastStart,
    /// When a turn of the owner begins.
    Turn,
    /// When a turn of the owner begins, if a d6 shows enough.
    Recharge(Recharge),
    /// After each rest.
    ShortRest,
    /// After each long rest.
    LongRest,
}

impl Reset {
    pub const ALL: [Self; 10] = [
        Self::Never,
        Self::Turn,
        Self::Recharge(Recharge { from: 6 }),
        Self::Recharge(Recharge { from: 5 }),
        Self::Recharge(Recharge { from: 4 }),
        Self::Scene,
        Self::Session,
        Self::AtLeastStart,
        Self::ShortRest,
        Self::LongRest,
    ];
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

/// A limit on the tokens that a pool gains in one scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gains {
    pub most: i32,
    /// The tokens gained in this scene.
    #[serde(default)]
    pub this_scene: i32,
}

impl Gains {
    /// Creates a limit. No tokens are gained yet in this scene.
    pub(super) const fn of(most: i32) -> Self {
        Self {
            most,
            this_scene: 0,
        }
    }

    /// The tokens that the pool can still gain in this scene.
    fn remaining(self) -> i32 {
        (self.most - self.this_scene).max(0)
    }
}

/// How a pool changes when it gains or loses an amount.
pub(super) struct Gain {
    /// The amount within the limit of the scene.
    pub(super) within_limit: i32,
    /// The amount by which the pool changes, within its floor and cap as well.
    pub(super) applied: i32,
    /// The reason why the pool gains less than the amount.
    pub(super) remark: Option<String>,
}

/// A pool of tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenPool {
    pub id: PoolId,
    pub name: String,
    #[serde(default)]
    pub kind: PoolKind,
    /// The owner, `None` for a pool of the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<CharacterId>,
    /// The tokens in the pool, from `floor` to `cap`.
    #[serde(default)]
    pub tokens: i32,
    #[serde(default)]
    pub floor: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap: Option<i32>,
    /// The tokens of a new pool, and of the pool after a reset.
    #[serde(default)]
    pub start: i32,
    #[serde(default)]
    pub reset: Reset,
    /// The limit on tokens gained in one scene, by the rules or by the group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gains: Option<Gains>,
    /// Notes that the log shows when the pool [reaches](Self::reaches) a number: `10: the dragon wakes`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thresholds: Vec<(i32, String)>,
}

impl TokenPool {
    /// Creates an empty pool of the group. The pool gets its ID when it is added to a game.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// Creates a pool of the rules for a character, or for the table.
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

    /// Returns the number nearest to `tokens` within the floor and cap.
    pub fn within(&self, tokens: i32) -> i32 {
        let cap = self.cap.unwrap_or(MOST_TOKENS).min(MOST_TOKENS);
        let floor = self.floor.min(cap).max(-MOST_TOKENS);
        tokens.clamp(floor, cap)
    }

    /// Refuses a number of tokens that the pool cannot hold.
    pub fn validate_tokens(&self, tokens: i32) -> Result<()> {
        let nearest = self.within(tokens);
        if tokens == nearest {
            return Ok(());
        }
        let bound = if tokens > nearest { "most" } else { "least" };
        let name = &self.name;
        Err(refused(format!(
            "{name} can hold at {bound} {nearest}, not {tokens}"
        )))
    }

    /// Returns how the pool changes by an amount: within the limit of the scene, and within its floor and cap.
    pub(super) fn gain(&self, amount: i32) -> Gain {
        let limit = if amount > 0 { self.gains } else { None };
        let within_limit = match limit {
            Some(gains) => amount.min(gains.remaining()),
            None => amount,
        };

        let mut applied = self.within(self.tokens.saturating_add(within_limit)) - self.tokens;
        if amount > 0 {
            // A pool can be above its cap while it holds the tokens of a roll that just ended.
            applied = applied.max(0);
        }

        let reason = match limit {
            _ if applied >= amount => None,
            Some(gains) if within_limit < amount => {
                Some(format!("a scene gives at most {}", gains.most))
            }
            _ => Some(format!("the pool holds at most {}", self.within(i32::MAX))),
        };
        Gain {
            within_limit,
            applied,
            remark: reason.map(|reason| format!("{applied} of {amount} gained, because {reason}")),
        }
    }

    /// Returns the error for a gain above the limit of the scene.
    pub(super) fn too_much(&self, owner: &str, more: i32) -> CommandError {
        let Gains { most, this_scene } = self.gains.unwrap_or(Gains::of(0));
        let name = &self.name;
        refused(format!(
            "{owner} already gained {this_scene} of at most {most} in {name} this scene, so {more} more is too much"
        ))
    }

    /// The roll that refills the pool at the start of its owner's turn, by its own setting or by the rules.
    pub(super) fn recharge(&self, spec: Option<&PoolSpec>) -> Option<Recharge> {
        match self.reset {
            Reset::Recharge(recharge) => Some(recharge),
            _ => spec?.recharge,
        }
    }

    /// True if the pool goes back to its start when a turn of its owner begins.
    pub(super) fn resets_each_turn(&self, spec: Option<&PoolSpec>) -> bool {
        self.reset == Reset::Turn || spec.is_some_and(|spec| spec.resets_each_turn)
    }

    /// True if the pool goes back to its start after this rest. A long rest includes a short one.
    pub(super) fn resets_after(&self, rest: RestKind, spec: Option<&PoolSpec>) -> bool {
        let own_rest = match self.reset {
            Reset::ShortRest => Some(RestKind::Short),
            Reset::LongRest => Some(RestKind::Long),
            _ => None,
        };
        let needed = own_rest.or_else(|| spec?.resets_after_rest);
        needed.is_some_and(|needed| needed <= rest)
    }

    /// The pool's name in JSON: the ID of its rule if it has one, otherwise its own name.
    pub fn id_word(&self) -> &str {
        match self.kind {
            PoolKind::Rule(id) => id.as_str(),
            PoolKind::Own => &self.name,
        }
    }
}
