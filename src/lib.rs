//! Tableside, a session tracker for tabletop roleplaying games in the terminal.
//!
//! This package is the program: the command line and its configuration. Everything else is in the crates of the
//! workspace, which are re-exported here for the integration tests. Dependencies point from left to right only:
//!
//! `cli → {server, web} → tui → commands → table → {store, game} → rules → dice`
//!
//! `dice`, `rules` and `game` do no input or output; the time and the dice are arguments. Every crate may use `text`.

pub mod cli;
pub mod config;
mod own_files;

pub use tableside_commands as commands;
pub use tableside_dice as dice;
pub use tableside_game as game;
pub use tableside_rules as rules;
pub use tableside_server as server;
pub use tableside_store as store;
pub use tableside_store::file;
#[cfg(feature = "postgres")]
pub use tableside_store_postgres as store_postgres;
pub use tableside_table as table;
pub use tableside_text as text;
pub use tableside_tui as screen;
pub use tableside_web as web;
