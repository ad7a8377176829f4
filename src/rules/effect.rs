//! What follows a check: facts that a session books.

use serde::{Deserialize, Serialize};

use super::{Id, System};

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
        /// The pool's name.
        pool: String,
        /// What it holds now.
        now: i32,
        /// What is told.
        told: String,
    },
    /// What the clock that was filled led to: a race won, another clock started.
    Led {
        /// The number of the clock that it is told of; who does not know it reads nothing of this.
        clock: u32,
        /// What is told.
        told: String,
    },
    /// The same may not be tried again until something changes.
    Lock {
        /// What was tried.
        about: String,
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
                let booked = match spec.pool(*pool) {
                    Some(pool) => pool.booked(*amount),
                    None => format!("{pool} {amount:+}"),
                };
                whose.unwrap_or_default() + &booked
            }
            Self::Complication => "a complication happens".to_owned(),
            Self::SharedWith { names } => {
                format!("what goes wrong is shared with {}", names.join(", "))
            }
            Self::EffectLevels { amount: 1 } => "1 effect level".to_owned(),
            Self::EffectLevels { amount } => format!("{amount} effect levels"),
            Self::AtACost => "at a cost".to_owned(),
            Self::Consequence { amount, of } => spec.consequences(*amount, *of),
            Self::Damage { amount, own } => format!("{amount} damage{}", taken(*own)),
            Self::Wound { rank, own } => format!("a wound of rank {rank}{}", taken(*own)),
            Self::TakenOut => "taken out".to_owned(),
            Self::Reached { pool, now, told } => format!("{pool} now {now}: {told}"),
            Self::Led { told, .. } => told.clone(),
            Self::Lock { about } if about.is_empty() => {
                "may not be tried again until something changes".to_owned()
            }
            Self::Lock { about } => {
                format!("{about}: may not be tried again until something changes")
            }
        }
    }
}

fn taken(own: bool) -> &'static str {
    if own { ", taken by the attacker" } else { "" }
}
