//! What follows a check: facts that a session books.

use std::fmt;

use serde::de::IntoDeserializer;
use serde::{Deserialize, Serialize};

use super::RuleError;

/// A pool of tokens that the rules know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TokenKind {
    /// Heart Rush: Destiny Points.
    Destiny,
    /// HFRPG: bonus and penalty tokens, one signed pool.
    Tokens,
    /// Gnosis: Favor.
    Favor,
    /// Gnosis: Logos.
    Logos,
    /// HEARTS: Watch Actions.
    WatchActions,
}

impl TokenKind {
    /// The pool of that name in JSON and in files.
    pub(super) fn named(id: &str) -> Result<Self, RuleError> {
        let found = Self::deserialize(id.into_deserializer());
        found.map_err(|error: serde::de::value::Error| RuleError::Said(error.to_string()))
    }

    /// Its name in JSON and in session files.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Destiny => "destiny",
            Self::Tokens => "tokens",
            Self::Favor => "favor",
            Self::Logos => "logos",
            Self::WatchActions => "watch-actions",
        }
    }

    /// Their name, singular or plural by the amount.
    pub fn words(self, amount: i32) -> String {
        let one = amount.abs() == 1;
        match self {
            Self::Destiny => format!("{amount} Destiny {}", if one { "Point" } else { "Points" }),
            Self::Tokens => {
                let kind = if amount < 0 { "penalty" } else { "bonus" };
                let tokens = if one { "token" } else { "tokens" };
                format!("{} {kind} {tokens}", amount.abs())
            }
            Self::Favor => format!("{amount} Favor"),
            Self::Logos => format!("{amount} Logos"),
            Self::WatchActions => {
                format!("{amount} Watch {}", if one { "Action" } else { "Actions" })
            }
        }
    }
}

/// What a consequence is taken as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Consequence {
    /// A segment of Stress, a Trauma once that clock is full.
    Stress,
    /// A segment of Blood, a Wound once that clock is full.
    Blood,
    /// Told, not counted.
    None,
}

/// What follows a check.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Effect {
    /// Tokens gained (above 0) or spent (below 0).
    Token {
        /// The pool.
        pool: TokenKind,
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
        /// As what.
        of: Consequence,
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
    pub(super) const fn tokens(pool: TokenKind, amount: i32) -> Self {
        Self::Token {
            pool,
            owner: None,
            amount,
        }
    }
}

fn taken(own: bool) -> &'static str {
    if own { ", taken by the attacker" } else { "" }
}

impl fmt::Display for Effect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Token {
                pool,
                owner,
                amount,
            } => {
                let whose = owner
                    .as_deref()
                    .map(|name| format!("{name}: "))
                    .unwrap_or_default();
                match (pool, *amount < 0) {
                    // One signed pool: −1 is a bonus token less or a penalty token more.
                    (TokenKind::Tokens, true) => {
                        let many = amount.unsigned_abs();
                        write!(formatter, "{whose}token pool falls by {many}")
                    }
                    (TokenKind::Tokens, false) => {
                        write!(formatter, "{whose}token pool rises by {amount}")
                    }
                    (_, true) => write!(formatter, "{whose}spends {}", pool.words(-amount)),
                    (_, false) => write!(formatter, "{whose}gains {}", pool.words(*amount)),
                }
            }
            Self::Complication => formatter.write_str("a complication happens"),
            Self::SharedWith { names } => {
                write!(
                    formatter,
                    "what goes wrong is shared with {}",
                    names.join(", ")
                )
            }
            Self::EffectLevels { amount: 1 } => formatter.write_str("1 effect level"),
            Self::EffectLevels { amount } => write!(formatter, "{amount} effect levels"),
            Self::AtACost => formatter.write_str("at a cost"),
            Self::Consequence { amount, of } => {
                let word = if *amount == 1 {
                    "consequence"
                } else {
                    "consequences"
                };
                match of {
                    Consequence::Stress => write!(formatter, "{amount} {word} of Stress"),
                    Consequence::Blood => write!(formatter, "{amount} {word} of Blood"),
                    Consequence::None => write!(formatter, "{amount} {word}, told only"),
                }
            }
            Self::Damage { amount, own } => write!(formatter, "{amount} damage{}", taken(*own)),
            Self::Wound { rank, own } => {
                write!(formatter, "a wound of rank {rank}{}", taken(*own))
            }
            Self::TakenOut => formatter.write_str("taken out"),
            Self::Reached { pool, now, told } => write!(formatter, "{pool} now {now}: {told}"),
            Self::Led { told, .. } => formatter.write_str(told),
            Self::Lock { about } if about.is_empty() => {
                formatter.write_str("may not be tried again until something changes")
            }
            Self::Lock { about } => write!(
                formatter,
                "{about}: may not be tried again until something changes"
            ),
        }
    }
}
