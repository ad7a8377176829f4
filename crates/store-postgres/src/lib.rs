//! Saved games in PostgreSQL.
//!
//! Any number of processes can open the same game. The primary key of the table `journal` serialises them: each event is
//! inserted under its number, and on a conflict the second process reads the new events, decides again and retries.
//! `NOTIFY` informs the other processes. Files that a data folder keeps next to a game, such as `access.toml`, are rows of
//! the table `file` with the same names and contents.
//!
//! This crate implements the traits of [`tableside_store::backend`], and is the only one that depends on a PostgreSQL
//! client. Begin with [`open`]; then read `database` (the tables and statements) and `game` (an open game).
//!
//! | module | contents |
//! |---|---|
//! | `database` | a database with its connection; statements that read and write |
//! | `connection` | the connection: a thread that reconnects, an append queue that batches events, addresses |
//! | `notifications` | messages of other processes, passed to open games |
//! | `storage`, `game_row`, `sidecar_row`, `journal_rows` | the traits of `tableside-store`, in this order for all games, one game, its files, its journal |
//! | `game`, `save_progress`, `journal_end`, `new_game` | an open game, what it knows to be saved, checking the end of its journal, creating a game |

mod connection;
mod database;
mod game;
mod game_row;
mod journal_end;
mod journal_rows;
mod new_game;
mod notifications;
mod save_progress;
mod sidecar_row;
mod storage;

use tableside_store::Storage;
use tableside_store::backend::Result;

use database::Database;
use storage::PostgresStorage;

/// Connects to the database with a `postgres://` address, and creates its tables if they are missing. Each call is a
/// separate node, even in one process.
pub fn open(url: &str) -> Result<Storage> {
    let database = Database::open(url)?;
    Ok(Storage::from_backend(PostgresStorage::new(database)))
}
