//! How what followed from a roll is written: an effect is a word with its number, and the roller's name is not
//! repeated.

use serde::{Deserialize, Serialize};

use crate::rules::{Consequence, Effect, TokenKind};

/// An effect: `{"destiny":-2}`, `"complication"`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Followed {
    /// The roller's Destiny Points.
    Destiny(i32),
    /// The roller's bonus or penalty tokens.
    Tokens(i32),
    /// The roller's Favor.
    Favor(i32),
    /// The roller's Logos.
    Logos(i32),
    /// The roller's Watch Actions.
    WatchActions(i32),
    /// Somebody else's tokens.
    Token {
        pool: TokenKind,
        owner: Option<String>,
        amount: i32,
    },
    Complication,
    SharedWith(Vec<String>),
    EffectLevels(i32),
    AtACost,
    Stress(i32),
    Blood(i32),
    /// Consequences that are told only.
    Consequences(i32),
    Damage(i32),
    DamageTaken(i32),
    Wound(i32),
    WoundTaken(i32),
    TakenOut,
    /// A pool, what it holds now, and what that tells.
    Reached(String, i32, String),
    Lock(String),
}

impl Followed {
    pub(super) fn of(effect: Effect, who: &str) -> Self {
        match effect {
            Effect::Token {
                pool,
                owner,
                amount,
            } => {
                if owner.as_deref().unwrap_or("") != who {
                    return Self::Token {
                        pool,
                        owner,
                        amount,
                    };
                }
                match pool {
                    TokenKind::Destiny => Self::Destiny(amount),
                    TokenKind::Tokens => Self::Tokens(amount),
                    TokenKind::Favor => Self::Favor(amount),
                    TokenKind::Logos => Self::Logos(amount),
                    TokenKind::WatchActions => Self::WatchActions(amount),
                }
            }
            Effect::Complication => Self::Complication,
            Effect::SharedWith { names } => Self::SharedWith(names),
            Effect::EffectLevels { amount } => Self::EffectLevels(amount),
            Effect::AtACost => Self::AtACost,
            Effect::Consequence { amount, of } => match of {
                Consequence::Stress => Self::Stress(amount),
                Consequence::Blood => Self::Blood(amount),
                Consequence::None => Self::Consequences(amount),
            },
            Effect::Damage { amount, own: false } => Self::Damage(amount),
            Effect::Damage { amount, own: true } => Self::DamageTaken(amount),
            Effect::Wound { rank, own: false } => Self::Wound(rank),
            Effect::Wound { rank, own: true } => Self::WoundTaken(rank),
            Effect::TakenOut => Self::TakenOut,
            Effect::Reached { pool, now, told } => Self::Reached(pool, now, told),
            Effect::Lock { about } => Self::Lock(about),
        }
    }

    pub(super) fn effect(self, who: &str) -> Effect {
        let token = |pool, amount| Effect::Token {
            pool,
            owner: (!who.is_empty()).then(|| who.to_owned()),
            amount,
        };
        let consequence = |amount, of| Effect::Consequence { amount, of };
        match self {
            Self::Destiny(amount) => token(TokenKind::Destiny, amount),
            Self::Tokens(amount) => token(TokenKind::Tokens, amount),
            Self::Favor(amount) => token(TokenKind::Favor, amount),
            Self::Logos(amount) => token(TokenKind::Logos, amount),
            Self::WatchActions(amount) => token(TokenKind::WatchActions, amount),
            Self::Token {
                pool,
                owner,
                amount,
            } => Effect::Token {
                pool,
                owner,
                amount,
            },
            Self::Complication => Effect::Complication,
            Self::SharedWith(names) => Effect::SharedWith { names },
            Self::EffectLevels(amount) => Effect::EffectLevels { amount },
            Self::AtACost => Effect::AtACost,
            Self::Stress(amount) => consequence(amount, Consequence::Stress),
            Self::Blood(amount) => consequence(amount, Consequence::Blood),
            Self::Consequences(amount) => consequence(amount, Consequence::None),
            Self::Damage(amount) => Effect::Damage { amount, own: false },
            Self::DamageTaken(amount) => Effect::Damage { amount, own: true },
            Self::Wound(rank) => Effect::Wound { rank, own: false },
            Self::WoundTaken(rank) => Effect::Wound { rank, own: true },
            Self::TakenOut => Effect::TakenOut,
            Self::Reached(pool, now, told) => Effect::Reached { pool, now, told },
            Self::Lock(about) => Effect::Lock { about },
        }
    }
}
