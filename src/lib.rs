//! Tableside, a session tracker for tabletop roleplaying games in the terminal.
//!
//! The map of the house; an arrow means "may use", and nothing points back:
//!
//! `main → cli → {server, web, screen, table, store, config} → session → rules → dice`
//!
//! `dice`, `rules` and `session` know no files, no clock and no terminal: time and luck come in as
//! arguments. Every room may use `text`, which makes words from outside safe to show.
//! `file` opens files that others may have put there. ARCHITECTURE.md says what each room is for and where a new thing goes.

pub mod cli;
pub mod config;
pub mod dice;
pub mod file;
pub mod rules;
pub mod screen;
pub mod server;
pub mod session;
pub mod store;
pub mod table;
pub mod text;
pub mod web;
