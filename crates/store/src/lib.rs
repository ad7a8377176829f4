//! Saved games.
//!
//! A saved game is a snapshot of its state and a journal of all its events. This crate stores both in a folder; the crate
//! `tableside-store-postgres` stores them in a database. An event survives a crash of the program as soon as
//! [`append_json`](GameStore::append_json) returns, and a power cut a moment later. A snapshot is written from time to
//! time, and never contains more events than the journal.
//!
//! This crate never interprets a game: an event is any JSON value, and a state is any TOML document.
//!
//! Begin with these types:
//!
//! - [`Storage`] is a data folder or a database. It lists, renames, archives, imports and exports games.
//! - [`GameLocation`] is where one game is saved. It opens and creates the game. [`Sidecar`] is a file next to the game.
//! - [`GameStore`] is an open game. It appends events and asks a [`StoreClient`] for the state to save.
//! - [`Reader`] reads any part of the journal, and [`GameIndex`] keeps summaries for lists of games.
//!
//! | module | contents |
//! |---|---|
//! | `game_store`, `game_location`, `storage`, `sidecar` | the types above, and the traits that a folder and a database implement |
//! | `journal` | lines of the journal (`line`), a file with all lines checked (`block`), reading (`reader`) |
//! | `snapshot` | the header and the seal of a snapshot |
//! | `folder` | games in folders: locking, opening and repairing (`recover`), saving (`writer`), the archive |
//! | `new_game`, `bundle`, `exports` | the files of a new game; a game as one file; the folder of exported logs |
//! | `file`, `output_file` | reading and writing files safely |

mod bundle;
mod error;
mod exports;
pub mod file;
mod folder;
mod game_index;
mod game_location;
mod game_name;
mod game_store;
mod journal;
mod mismatch;
mod moment;
mod new_game;
mod output_file;
mod sidecar;
mod snapshot;
mod storage;

pub use bundle::{
    ACCESS_FILE, BUNDLE_FORMAT, ExportOptions, ImportOptions, Imported, export, is_bundle, is_rules,
};
pub use error::{Damage, StoreError};
pub use game_index::{GameIndex, GameStamp, IndexEntry, Stamp};
pub use game_location::GameLocation;
pub use game_name::{LONGEST_GAME_NAME, Name};
pub use game_store::{GameStore, NewEvent, OnMismatch, Opened, Options, Saving, StoreClient};
pub use journal::EVENTS_PER_FILE;
pub use journal::block::Block;
pub use journal::line::{By, Record, number as number_of};
pub use journal::reader::{JournalEnd, Reader};
pub use mismatch::{Mismatch, MismatchFinding};
pub use moment::date_of;
pub use output_file::{write_file, write_text};
pub use sidecar::{FileStamp, Sidecar};
pub use snapshot::{FORMAT, Snapshot};
pub use storage::{GameFile, SavedGame, Storage};

/// The traits and functions that another kind of storage needs. Users of saved games do not need them.
pub mod backend {
    pub use crate::error::Result;
    pub use crate::game_location::{FillGame, LocationBackend, PutFile};
    pub use crate::game_name::FORMER_HOST_GAME;
    pub use crate::journal::line::{ChainEnd, EncodedLine, encode, stored_crc};
    pub use crate::journal::reader::{JournalSource, last_stated_end};
    pub use crate::mismatch::describe_lost_events;
    pub use crate::moment::from_epoch;
    pub use crate::sidecar::{LARGEST_SIDECAR, SidecarFile};
    pub use crate::snapshot::{Checksums, SNAPSHOT_FILE, seal_snapshot};
    pub use crate::storage::StorageBackend;
}
