//! The tokens that a roll used up, for its explanation and the log.

use super::Id;

/// The roller's tokens that a roll used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsedTokens {
    /// The pool's name in the system's file.
    pub pool: Id,
    /// Above 0: the number of tokens that the pool loses. Below 0: the number of owed tokens that were used up.
    pub tokens: i32,
}
