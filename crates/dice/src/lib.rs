//! Dice pools with exact odds.
//!
//! The crate rolls dice, reads rolled dice, and computes the exact probability of results as fractions: pools that keep
//! some of their dice, count successes, look for sets of equal values, explode or re-roll, and written expressions such
//! as `4d6kh3`. It contains no rules of any game, computes no probability in floating point, and never samples to
//! estimate one.
//!
//! Start with [`Pool`] for dice in code, or with [`notation::Notation`] for written dice. [`Pool::observations`]
//! returns all results, each with its number of ways (a way is one of the equally likely combinations of faces),
//! [`Natural`] and [`Fraction`] are the exact numbers, [`PoolQuery`] asks several questions about several groups of
//! dice at once, and [`SystemDice`] rolls. The README has ten examples.
#![warn(missing_docs)]

mod chi_square;
mod die;
mod distribution;
mod enumerate;
mod fraction;
mod kept_sum;
mod memo;
mod natural;
pub mod notation;
mod observations;
mod pool;
mod power;
mod query;
mod role;
mod series;
mod system_dice;

pub use chi_square::{ChiSquare, float};
pub use die::{CustomDie, Die, Face, FaceError, UnknownDie};
pub use distribution::Distribution;
pub use fraction::{Fraction, percent, ratio};
pub use memo::Memo;
pub use natural::{Natural, choose};
pub use observations::Observations;
pub use pool::{EqualDice, Keep, Measure, Observation, Pool};
pub use query::{
    DiceGroup, Explosion, PendingDie, PoolQuery, PoolReading, PoolState, ReadingKind, RerollRange,
    RolledQuery,
};
pub use role::DieRole;
use series::Series;
pub use system_dice::{Dice, SeedError, SystemDice};

/// Runs the examples of the README as tests.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
