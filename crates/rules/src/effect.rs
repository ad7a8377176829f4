//! The effects of a check, which a game applies.

use serde::{Deserialize, Serialize};

use super::{Id, System};
use tableside_text::{join, pluralise};

/// The kind of number that an effect of a system's file changes.
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

/// A change of a number, described by a system's file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NumberChange {
    /// The kind of number.
    pub what: Counted,
    /// The id of the pool, stat or clock in the system's file.
    pub id: Id,
    /// The owner.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub of: Party,
    /// The amount added, below 0 to subtract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<i32>,
    /// The new number. Without `by` and `to` the number returns to its start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<i32>,
    /// True if the roll is refused when the change is impossible.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub must: bool,
}

/// A condition that starts or ends, described by a system's file.
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

/// The party that an effect is for.
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
    /// The table.
    #[display("table: ")]
    Table,
}

/// An effect of a check.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Effect {
    /// Tokens gained (above 0) or spent (below 0).
    Token {
        /// The pool.
        pool: Id,
        /// The owner's name. `None` for the roller's own pool, and outside a game.
        owner: Option<String>,
        /// How many.
        amount: i32,
    },
    /// A complication for the GM to describe.
    Complication,
    /// The helpers share what goes wrong.
    SharedWith {
        /// The names of the helpers.
        names: Vec<String>,
    },
    /// Effect levels, which fill as many segments of a clock.
    EffectLevels {
        /// How many.
        amount: i32,
    },
    /// It succeeds, and something bad happens in the narration.
    AtACost,
    /// Consequences to be taken.
    Consequence {
        /// How many.
        amount: i32,
        /// The clock that counts them, or [`Id::NONE`].
        of: Id,
    },
    /// Damage dealt.
    Damage {
        /// How much.
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
        /// The pool's number in the game, by which its present name is found. None for other numbers of a character, and
        /// in logs of older programs.
        #[serde(default, rename = "pool-id", skip_serializing_if = "Option::is_none")]
        pool_id: Option<u32>,
        /// What it holds now.
        now: i32,
        /// The message.
        told: String,
        /// The id of the pool's character. Seats that may not see that sheet do not get the effect.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<u32>,
    },
    /// A consequence of a full clock, such as a race won or another clock started.
    Led {
        /// The id of the clock that the message describes. Seats that may not see it do not get the effect.
        clock: u32,
        /// The message.
        told: String,
    },
    /// A change of a number, by a system's file.
    Number(NumberChange),
    /// A condition that starts or ends.
    Condition(ConditionChange),
    /// An effect was not applied because the roll does not say which character it is for.
    NotBooked {
        /// The field that names the opponent; empty if the rolling character is missing.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        field: String,
    },
    /// A message.
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
        /// The fields that are filled in, as a person types them.
        #[serde(default, with = "tuple_vec_map", skip_serializing_if = "Vec::is_empty")]
        with: Vec<(String, String)>,
    },
    /// The same may not be tried again until something changes.
    Lock {
        /// The name of what was tried.
        about: String,
        /// True if only the GM lifts it, and no rest does.
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
        let spec = system.spec();
        match self {
            Self::Token {
                pool,
                owner,
                amount,
            } => {
                let whose = owner.as_ref().map(|name| format!("{name}: "));
                let booked = spec.pool(*pool).map(|pool| pool.booked(*amount));
                let booked = booked.unwrap_or_else(|| format!("{pool} {amount:+}"));
                whose.unwrap_or_default() + booked.as_str()
            }
            Self::Complication => "a complication happens".to_owned(),
            Self::SharedWith { names } => {
                format!("what goes wrong is shared with {}", names.join(", "))
            }
            Self::EffectLevels { amount } => pluralise(amount, "effect level"),
            Self::AtACost => "at a cost".to_owned(),
            Self::Consequence { amount, of } => spec.consequences(*amount, *of),
            Self::Damage { amount, own } => format!("{amount} damage{}", taken(*own)),
            Self::Wound { rank, own } => format!("a wound of rank {rank}{}", taken(*own)),
            Self::TakenOut => "taken out".to_owned(),
            Self::Reached {
                pool, now, told, ..
            } => format!("{pool} now {now}: {told}"),
            Self::Led { told, .. } => told.clone(),
            Self::Number(change) => {
                let (id, of) = (change.id, change.of);
                let mut stats = spec.stats.iter();
                let stat =
                    stats.find(|stat| change.what == Counted::Stat && stat.id == id.as_str());
                let pool = || spec.pool(id).map(|pool| pool.name);
                let clock = || spec.clock(id).map(|clock| clock.name);
                let name = stat.map(|stat| stat.label).or_else(pool).or_else(clock);
                let name = name.unwrap_or(id.as_str());
                let value = |to| stat.and_then(|stat| stat.value_of(to));
                let to = change.to.map(|to| value(to).unwrap_or_else(|| to.into()));
                match (change.by, to) {
                    (Some(by), _) if by < 0 => format!("{of}{name} −{}", by.unsigned_abs()),
                    (Some(by), _) => format!("{of}{name} +{by}"),
                    (None, Some(to)) => format!("{of}{name} becomes {to}"),
                    (None, None) => format!("{of}{name} goes back to its start"),
                }
            }
            Self::Condition(change) => {
                let (of, name) = (change.of, &change.name);
                if change.gone {
                    return format!("{of}no longer {name}");
                }
                let level = match change.level {
                    1 => String::new(),
                    level => format!(" {level}"),
                };
                let rounds = change.rounds;
                let rounds = rounds.map(|rounds| format!(" for {}", pluralise(rounds, "round")));
                let rounds = rounds.unwrap_or_default();
                format!("{of}{name}{level}{rounds}")
            }
            Self::NotBooked { field } if field.is_empty() => "no character was chosen".to_owned(),
            Self::NotBooked { .. } => "no target was chosen".to_owned(),
            Self::Told { words } => words.clone(),
            Self::Offer { check, of, with } => {
                let offered = system.check(check).ok();
                let label = offered.map_or(&**check, |offered| offered.label);
                let with = with.iter().map(|(id, value)| {
                    let field = offered.and_then(|offered| offered.field(id));
                    format!(", {} {value}", field.map_or(&**id, |field| field.label))
                });
                format!("{of}{label} may follow{}", join(with, ""))
            }
            Self::Lock { about, by_gm } if !by_gm && about.is_empty() => {
                "may not be tried again until something changes".to_owned()
            }
            Self::Lock { about, by_gm: true } => {
                let what = if about.is_empty() { "it" } else { about };
                format!(
                    "{what}: may not be tried again until the {} allows it",
                    system.spec().gm
                )
            }
            Self::Lock { about, .. } => {
                format!("{about}: may not be tried again until something changes")
            }
        }
    }
}

fn taken(own: bool) -> &'static str {
    if own { ", taken by the attacker" } else { "" }
}
