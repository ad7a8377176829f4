//! The effects of a check, which a game applies.

use serde::{Deserialize, Serialize};

use super::{HIT_POINTS, Id, System, Value};
use tableside_text::pluralise;

/// The kind of number that an effect in a system file changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counted {
    /// Tokens of a pool.
    Pool,
    /// A value of the sheet.
    Stat,
    /// A clock of the character.
    Clock,
}

/// A change of a number, as a system file describes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NumberChange {
    /// The kind of number.
    pub what: Counted,
    /// The id of the pool, stat or clock in the system's file.
    pub id: Id,
    /// The party whose number changes.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub of: Party,
    /// The amount to add; below 0 to subtract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<i32>,
    /// The new number. If both `by` and `to` are `None`, the number returns to its start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<i32>,
    /// True if the roll is forbidden when the change is impossible, as for a price that the character cannot pay.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub must: bool,
}

/// A condition that starts or ends, as a system file describes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ConditionChange {
    /// The name of the condition.
    pub name: String,
    /// The character that has it.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub of: Party,
    /// The level, from 1.
    pub level: i32,
    /// The number of rounds that it lasts, or `None` until it is removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<i32>,
    /// True if the condition ends.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
}

/// The party that an effect applies to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(derive_more::Display, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Party {
    /// The rolling character.
    #[default]
    #[display("")]
    Roller,
    /// The opponent.
    #[display("opponent: ")]
    Opponent,
    /// Each of the helpers.
    #[display("helpers: ")]
    Helpers,
    /// The whole table, such as its shared pools.
    #[display("table: ")]
    Table,
}

/// An effect of a check.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Effect {
    /// Tokens gained (above 0) or spent (below 0).
    Token {
        /// The id of the pool.
        pool: Id,
        /// The name of the pool's owner. `None` for the roller's own pool, and for rolls outside of a game.
        owner: Option<String>,
        /// The amount.
        amount: i32,
    },
    /// A complication for the GM to describe.
    Complication,
    /// The helpers share the bad consequences.
    SharedWith {
        /// The names of the helpers.
        names: Vec<String>,
    },
    /// Effect levels. Each fills one segment of a clock.
    EffectLevels {
        /// The amount.
        amount: i32,
    },
    /// The roll succeeds, and something bad happens in the narration.
    AtACost,
    /// Consequences for the rolling character.
    Consequence {
        /// The amount.
        amount: i32,
        /// The clock that counts them, or [`Id::NONE`].
        of: Id,
    },
    /// Damage dealt.
    Damage {
        /// The points of damage.
        amount: i32,
        /// True if the roller takes it, false if the opponent does.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        own: bool,
    },
    /// A wound of the opponent or the roller.
    Wound {
        /// Its rank.
        rank: i32,
        /// True if the roller takes it, false if the opponent does.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        own: bool,
    },
    /// The character is taken out.
    TakenOut,
    /// A pool reached a number for which the system has a message.
    Reached {
        /// The pool's name at that time.
        pool: String,
        /// The number that identifies the pool in the game, so that it can be shown under its present name. `None` for
        /// the other numbers of a character, and in logs of older versions of the program.
        #[serde(default, rename = "pool-id", skip_serializing_if = "Option::is_none")]
        pool_id: Option<u32>,
        /// The number of tokens in the pool after the change.
        now: i32,
        /// The message.
        told: String,
        /// The id of the pool's character. Seats that may not see that sheet do not get the effect.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<u32>,
    },
    /// A message about a clock that the roll moved, such as a race won or another clock started.
    #[serde(rename = "led")]
    ClockMessage {
        /// The id of the clock that the message describes. Seats that may not see it do not get the effect.
        clock: u32,
        #[serde(rename = "told")]
        text: String,
    },
    /// A change of a number that a system file describes.
    Number(NumberChange),
    /// A condition that starts or ends.
    Condition(ConditionChange),
    /// An effect was not applied because the roll names no character for it.
    #[serde(rename = "not-booked")]
    NoRecipient {
        /// The field that names the opponent; empty if the rolling character is missing.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        field: String,
    },
    /// A message for the players.
    Told {
        /// The words.
        words: String,
    },
    /// An offer of a further check.
    Offer {
        /// The id of the check.
        check: String,
        /// The party that may make it.
        #[serde(default, skip_serializing_if = "crate::is_default")]
        of: Party,
        /// The fields that the offer fills in, with their values as a player would type them.
        #[serde(default, with = "tuple_vec_map", skip_serializing_if = "Vec::is_empty")]
        with: Vec<(String, String)>,
    },
    /// An attempt that may not be repeated until circumstances change.
    Lock {
        /// The name of the attempt.
        about: String,
        /// True if only the GM can lift the lock. Otherwise a rest lifts it too.
        #[serde(default, rename = "by-gm", skip_serializing_if = "std::ops::Not::not")]
        by_gm: bool,
    },
}

impl Effect {
    /// Tokens that the roller gains (above 0) or spends (below 0).
    pub(super) const fn tokens(pool: Id, amount: i32) -> Self {
        Self::Token {
            pool,
            owner: None,
            amount,
        }
    }

    /// Describes the effect in the words of the system.
    pub fn text(&self, system: System) -> String {
        match self {
            Self::Token {
                pool,
                owner,
                amount,
            } => describe_tokens(system, *pool, owner.as_deref(), *amount),
            Self::Complication => "a complication happens".to_owned(),
            Self::SharedWith { names } => {
                format!("the consequences are shared with {}", names.join(", "))
            }
            Self::EffectLevels { amount } => pluralise(amount, "effect level"),
            Self::AtACost => "at a cost".to_owned(),
            Self::Consequence { amount, of } => system.spec().consequences(*amount, *of),
            Self::Damage { amount, own } => format!("{amount} damage{}", describe_taker(*own)),
            Self::Wound { rank, own } => {
                format!("a wound of rank {rank}{}", describe_taker(*own))
            }
            Self::TakenOut => "taken out".to_owned(),
            Self::Reached {
                pool, now, told, ..
            } => format!("{pool} now {now}: {told}"),
            Self::ClockMessage { text, .. } => text.clone(),
            Self::Number(change) => change.describe(system),
            Self::Condition(change) => change.describe(),
            Self::NoRecipient { field } if field.is_empty() => "no character was chosen".to_owned(),
            Self::NoRecipient { .. } => "no target was chosen".to_owned(),
            Self::Told { words } => words.clone(),
            Self::Offer { check, of, with } => describe_offer(system, check, *of, with),
            Self::Lock { about, by_gm } => describe_lock(system, about, *by_gm),
        }
    }
}

impl NumberChange {
    /// Describes the change: `Stress +1`, `3 damage`.
    pub(super) fn describe(&self, system: System) -> String {
        let spec = system.spec();
        let stat = match self.what {
            Counted::Stat => spec.stats.iter().find(|stat| stat.id == self.id.as_str()),
            Counted::Pool | Counted::Clock => None,
        };

        let name = if let Some(stat) = stat {
            stat.label
        } else if let Some(pool) = spec.pool(self.id) {
            pool.name
        } else if let Some(clock) = spec.clock(self.id) {
            clock.name
        } else {
            self.id.as_str()
        };

        let owner = self.of;
        let is_hit_points = stat.is_some_and(|stat| stat.id == HIT_POINTS);
        match (self.by, self.to) {
            (Some(amount), _) if amount < 0 && is_hit_points => {
                format!("{owner}{} damage", amount.unsigned_abs())
            }
            (Some(amount), _) if is_hit_points => format!("{owner}heals {amount}"),
            (Some(amount), _) if amount < 0 => format!("{owner}{name} −{}", amount.unsigned_abs()),
            (Some(amount), _) => format!("{owner}{name} +{amount}"),
            (None, Some(number)) => {
                let value = stat.and_then(|stat| stat.value_of(number));
                let value = value.unwrap_or(Value::Number(number));
                format!("{owner}{name} becomes {value}")
            }
            (None, None) => format!("{owner}{name} goes back to its start"),
        }
    }
}

impl ConditionChange {
    fn describe(&self) -> String {
        let character = self.of;
        if self.gone {
            return format!("{character}no longer {}", self.name);
        }

        let level = match self.level {
            1 => String::new(),
            level => format!(" {level}"),
        };
        let duration = match self.rounds {
            Some(rounds) => format!(" for {}", pluralise(rounds, "round")),
            None => String::new(),
        };
        format!("{character}{}{level}{duration}", self.name)
    }
}

fn describe_tokens(system: System, pool: Id, owner: Option<&str>, amount: i32) -> String {
    let change = match system.spec().pool(pool) {
        Some(pool) => pool.describe_change(amount),
        None => format!("{pool} {amount:+}"),
    };
    match owner {
        Some(owner) => format!("{owner}: {change}"),
        None => change,
    }
}

fn describe_taker(own: bool) -> &'static str {
    if own { ", taken by the attacker" } else { "" }
}

fn describe_offer(
    system: System,
    check_id: &str,
    party: Party,
    values: &[(String, String)],
) -> String {
    let check = system.check(check_id).ok();
    let label = match check {
        Some(check) => check.label,
        None => check_id,
    };

    let mut filled_in = Vec::new();
    for (id, value) in values {
        let field = check.and_then(|check| check.field(id));
        let label = field.map_or(id.as_str(), |field| field.label);
        filled_in.push(format!(", {label} {value}"));
    }
    format!("{party}{label} may follow{}", filled_in.concat())
}

fn describe_lock(system: System, about: &str, by_gm: bool) -> String {
    match (about, by_gm) {
        ("", true) => describe_lock(system, "it", true),
        (_, true) => format!(
            "{about}: may not be tried again until the {} allows it",
            system.spec().gm
        ),
        ("", false) => "may not be tried again until something changes".to_owned(),
        (_, false) => format!("{about}: may not be tried again until something changes"),
    }
}
