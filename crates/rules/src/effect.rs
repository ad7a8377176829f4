//! What follows a check: facts that a session books.

use serde::{Deserialize, Serialize};

use super::{Id, System};
use tableside_text::{join, pluralise};

/// What a number is, that follows of a roll by a system's file.
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

/// How a number changes that a system's file has.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NumberChange {
    /// What it is.
    pub what: Counted,
    /// Its name in the system's file.
    pub id: Id,
    /// Whose.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub of: Party,
    /// By how much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<i32>,
    /// What it becomes; without both, what it is at first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<i32>,
    /// Whether the roll is refused where it can't be done.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub must: bool,
}

/// How a condition comes or goes by a system's file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ConditionChange {
    /// Its name.
    pub name: String,
    /// Whose.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub of: Party,
    /// Its level.
    pub level: i32,
    /// How many rounds it lasts; none until it is taken away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<i32>,
    /// Whether it goes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
}

/// Whom something that follows a roll is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(derive_more::Display, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Party {
    /// The one who rolled.
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

/// What follows a check.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Effect {
    /// Tokens gained (above 0) or spent (below 0).
    Token {
        /// The pool.
        pool: Id,
        /// Whose; nobody's outside a session.
        owner: Option<String>,
        /// How many.
        amount: i32,
    },
    /// A complication to be told.
    Complication,
    /// What goes wrong is shared with the helpers.
    SharedWith {
        /// The helpers.
        names: Vec<String>,
    },
    /// Effect levels: wedges of a clock.
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
        /// The clock in which they are counted; [`Id::NONE`] where they are told only.
        of: Id,
    },
    /// Damage dealt.
    Damage {
        /// How much.
        amount: i32,
        /// Whether the one who rolled takes it, not the opponent.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        own: bool,
    },
    /// A wound to be marked.
    Wound {
        /// Its rank.
        rank: i32,
        /// Whether the one who rolled takes it, not the opponent.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        own: bool,
    },
    /// The character is taken out.
    TakenOut,
    /// A pool came to a number that tells something.
    Reached {
        /// The pool's name at that time.
        pool: String,
        /// The pool's number in the game, by which its present name is found. None for other numbers of a character, and
        /// in logs of older programs.
        #[serde(default, rename = "pool-id", skip_serializing_if = "Option::is_none")]
        pool_id: Option<u32>,
        /// What it holds now.
        now: i32,
        /// What is told.
        told: String,
        /// The number of the character whose it is; who does not read that sheet reads nothing of this.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<u32>,
    },
    /// What the clock that was filled led to: a race won, another clock started.
    Led {
        /// The number of the clock that it is told of; who does not know it reads nothing of this.
        clock: u32,
        /// What is told.
        told: String,
    },
    /// A number changes, by a system's file.
    Number(NumberChange),
    /// A condition comes or goes.
    Condition(ConditionChange),
    /// An effect was not applied because the roll does not say which character it is for.
    NotBooked {
        /// The field that names the opponent; empty if the rolling character is missing.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        field: String,
    },
    /// Something is told.
    Told {
        /// What.
        words: String,
    },
    /// A further check is offered.
    Offer {
        /// Its name in the system's file.
        check: String,
        /// Whose.
        #[serde(default, skip_serializing_if = "crate::is_default")]
        of: Party,
        /// Fields that are filled in, as a person writes them.
        #[serde(default, with = "tuple_vec_map", skip_serializing_if = "Vec::is_empty")]
        with: Vec<(String, String)>,
    },
    /// The same may not be tried again until something changes.
    Lock {
        /// What was tried.
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

    /// What it says, in the words of the system.
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
