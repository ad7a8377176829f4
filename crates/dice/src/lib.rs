//! Dice: what they are, how a rolled pool is read, and where luck comes from.
//!
//! Nothing here knows a rule system. A [`Pool`] says which dice are rolled, which are kept and what
//! the rule looks at; [`Pool::read`] turns faces into that, and [`Pool::observations`] is its exact image
//! over every way the dice can fall. Chances are exact: a [`Natural`] counts ways, a [`Fraction`] is
//! one count over another, and a double appears only where somebody asks for one.

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
mod query;
mod role;
mod series;
mod system_dice;

pub use chi_square::ChiSquare;
pub use chi_square::float;
pub use die::{CustomDie, Die, Face, FaceError, UnknownDie};
pub use distribution::Distribution;
pub use fraction::{Fraction, percent, ratio};
pub use memo::Memo;
pub use natural::Natural;
pub use natural::choose;
pub use observations::Observations;
pub use pool::{EqualDice, Keep, Measure, Observation, Pool};
pub use query::{
    DiceGroup, Explosion, PendingDie, PoolQuery, PoolState, Reading, ReadingKind, RerollRange,
    RolledQuery,
};
pub use role::DieRole;
use series::Series;
pub use system_dice::{Dice, SeedError, SystemDice};
