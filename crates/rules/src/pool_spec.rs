//! Pools of tokens, as a system describes them.

use serde::{Deserialize, Serialize};
use strum::{EnumString, VariantNames};

use super::system_file::{EffectRule, ExpressionValue, TomlTable};
use super::{Effect, Id};

/// A pool of tokens.
#[expect(
    clippy::struct_excessive_bools,
    reason = "the flags are independent of each other"
)]
#[derive(Clone, Copy, Debug)]
pub struct PoolSpec {
    /// The id in rules and files.
    pub id: Id,
    /// The name on the screen.
    pub name: &'static str,
    /// The abbreviation on cards and in narrow columns, two to seven letters. By default it is the name.
    pub short: Option<&'static str>,
    /// The word for one token; by default the name of the pool.
    pub(super) one: Option<&'static str>,
    /// The word for several tokens; by default the name of the pool.
    pub(super) many: Option<&'static str>,
    /// The words for tokens below 0; `None` if the pool has no such words.
    pub(super) below: Option<BelowWords>,
    /// The kind of owner: each character, each player, or the table.
    pub purse: PoolOwner,
    /// The smallest amount; `None` if there is no bound.
    pub floor: Option<i32>,
    /// The largest amount; `None` if there is no bound.
    pub cap: Option<i32>,
    /// The amount at the start, if no stat of the owner decides it.
    pub start: i32,
    /// The id of the owner's stat that is the amount at the start, such as a level.
    pub start_stat: Option<&'static str>,
    /// The change at the end of a session.
    pub at_session_end: AtEnd,
    /// The change at the end of a scene.
    pub at_scene_end: AtEnd,
    /// True if the pool is set to its start when a turn of its owner begins.
    pub resets_each_turn: bool,
    /// The roll at the start of its owner's turn that sets the pool to its start; `None` if there is none.
    pub recharge: Option<Recharge>,
    /// The rest after which the pool is set to its start; `None` if no rest does this.
    pub resets_after_rest: Option<RestKind>,
    /// True if damage takes tokens of this pool before hit points.
    pub absorbs_damage: bool,
    /// How a gain changes the amount.
    pub gain: GainRule,
    /// True if the GM awards its tokens, for example for good play.
    pub is_award: bool,
    /// The changes that players make themselves to the pools of their characters.
    pub players: PlayerMoves,
    /// True if a character gets the pool only when somebody gives it: most characters have no such pool.
    pub is_optional: bool,
    /// The amounts at which something happens.
    pub at: &'static [Threshold],
    /// The most that the effects of rolls and aspects may add in one scene; `None` if there is no limit.
    pub gain_per_scene: Option<i32>,
}

/// An amount of a pool with its effects.
#[derive(Debug)]
pub struct Threshold {
    /// The amount.
    pub value: i32,
    /// The message; may be empty.
    pub say: &'static str,
    pub(super) effects: Vec<EffectRule>,
}

impl Threshold {
    /// Returns the effects.
    pub fn effects(&self) -> Vec<Effect> {
        // The compiler accepts only constants here, and evaluates them once.
        EffectRule::all(&self.effects, |_| ExpressionValue::default()).unwrap_or_default()
    }
}

/// The words for tokens that a pool holds below 0.
#[derive(Clone, Copy, Debug)]
pub struct BelowWords {
    /// For one token.
    pub one: &'static str,
    /// For several tokens.
    pub many: &'static str,
    /// For the pool as a whole.
    pub pool: &'static str,
}

impl PoolSpec {
    /// Returns the abbreviation, or the name if there is none.
    pub fn short_name(&self) -> &'static str {
        self.short.unwrap_or(self.name)
    }

    /// Returns an amount of tokens in words, without its sign: `2 Destiny Points`.
    pub fn words(&self, amount: i32) -> String {
        let (one, many) = match self.below {
            Some(below) if amount < 0 => (below.one, below.many),
            _ => (
                self.one.unwrap_or(self.name),
                self.many.unwrap_or(self.name),
            ),
        };

        match amount.unsigned_abs() {
            1 => format!("1 {one}"),
            count => format!("{count} {many}"),
        }
    }

    /// Describes a change: `spends 2 Destiny Points` for −2.
    pub(super) fn describe_change(&self, amount: i32) -> String {
        match self.below {
            Some(BelowWords { pool, .. }) => format!("{pool} {amount:+}").replace('-', "−"),
            None if amount < 0 => format!("spends {}", self.words(amount)),
            None => format!("gains {}", self.words(amount)),
        }
    }
}

/// The owners of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum PoolOwner {
    /// Each character.
    Character,
    /// Each player, who shares it between all of their characters. A character without a player has its own pool.
    Player,
    /// The table, for all.
    Table,
}

/// The change of a pool at the end of a scene or session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, EnumString, VariantNames)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum AtEnd {
    /// No change.
    Stay,
    /// It is set to its start.
    Reset,
    /// It is raised to its start if it is below.
    AtLeastStart,
}

/// A roll at the start of a turn that refills a pool: a d6 that shows at least 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Recharge {
    /// The lowest face of a d6 that refills the pool, 1 to 6.
    pub from: u8,
}

impl Recharge {
    /// Creates the rule. `None` if a d6 has no such face.
    pub fn on(from: i32) -> Option<Self> {
        let from = u8::try_from(from).ok()?;
        if (1..=6).contains(&from) {
            Some(Self { from })
        } else {
            None
        }
    }

    /// Compiles `recharge`, the lowest face of a d6 that refills a pool at the start of its owner's turn.
    pub(super) fn compile(table: &TomlTable<'_>) -> Option<Self> {
        let value = table.get("recharge")?;
        let from = value.number()?;
        let rule = Self::on(from);
        if rule.is_none() {
            value.fault(
                "recharge must be the lowest face of a d6 that refills the pool, from 1 to 6",
            );
        }
        rule
    }
}

/// The kinds of rest that refill a pool. A long rest includes a short one.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, EnumString, VariantNames,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum RestKind {
    /// A short or a long rest.
    Short,
    /// A long rest.
    Long,
}

/// How a gain changes the amount of a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, EnumString, VariantNames)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum GainRule {
    /// The gain is added.
    #[default]
    Add,
    /// The higher of the amount and the gain counts, as for temporary hit points.
    Higher,
}

/// The changes that players make themselves to a pool of their character. They ask the GM for other changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, EnumString, VariantNames)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum PlayerMoves {
    /// They spend tokens, as Destiny Points.
    #[default]
    Spend,
    /// They mark tokens, as stress.
    Gain,
    /// They spend and gain tokens.
    Both,
    /// They ask for every change. Only rolls count in the pool, as death saves.
    Ask,
}

impl PlayerMoves {
    /// True if players change the pool by this number themselves.
    pub fn allow(self, by: i32) -> bool {
        match self {
            Self::Spend => by < 0,
            Self::Gain => by > 0,
            Self::Both => true,
            Self::Ask => false,
        }
    }
}
