//! Every command with what it does, by what it acts on.

pub(super) mod checks;
pub(super) mod clocks;
pub(super) mod game;
pub(super) mod party;
pub(super) mod tokens;
