//! Saved games in PostgreSQL.
//!
//! Any number of processes can open the same game. The primary key of the table `journal` serialises them: each event is
//! inserted under its number, and on a conflict the second process reads the new events, decides again and retries.
//! `NOTIFY` informs the other processes. Files that a data folder keeps next to a game, such as `access.toml`, are rows of
//! the table `file` with the same names and contents.
//!
//! This crate implements the traits of [`tableside_store::backend`]. No other crate depends on a PostgreSQL client.
//! Begin with [`open`]; then read `database` (the tables and statements) and `game` (an open game).
//!
//! | module | contents |
//! |---|---|
//! | `database` | a database with its connection; statements that read and write |
//! | `connection` | the connection: a thread that reconnects, an append queue that batches events, addresses |
//! | `notifications` | messages of other processes, passed to open games |
//! | `storage`, `game_row`, `sidecar_row`, `journal_rows` | the traits of `tableside-store` for all games, one game, its files and its journal, in this order |
//! | `game`, `save_progress`, `journal_end`, `new_game` | an open game, its saved events and snapshots, the check of its journal's end, a new game |

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

/// Connects to the database with a `postgres://` address, and creates its tables if they are missing. Each call creates
/// a separate node with its own connection, even in one process. A node receives the notifications of all other nodes.
pub fn open(url: &str) -> Result<Storage> {
    let database = Database::open(url)?;
    Ok(Storage::from_backend(PostgresStorage::new(database)))
}
