//! Dice: what they are, how a rolled pool is read, and where luck comes from.
//!
//! Nothing here knows a rule system. A [`Pool`] says which dice are rolled, which are kept and what
//! the rule looks at; [`Pool::read`] turns faces into that, and [`Pool::readings`] is its exact image
//! over every way the dice can fall.

mod die;
mod luck;
mod pool;

pub use die::{Die, Face, UnknownDie};
pub use luck::{Dice, Luck, SeedError};
pub use pool::{FaceError, Group, Keep, Pool, Reading, Role, See};
