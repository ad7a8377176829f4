//! A game during play, shared by several seats.
//!
//! A [`Table`] holds one open game. [`Table::submit`] is the only way to change it: it checks the rights of the seat, lets
//! the game decide, appends the event to the journal, applies it and wakes every screen. [`Table::read`] is the only way to
//! look at it: it passes a [`SeatView`], from which everything hidden from the seat has been removed (`redact`).
//!
//! The newest part of the log is in memory (`history`). Older entries are read from the journal, for a search (`search`),
//! an export (`log_export`), statistics (`count_log`) and verification (`verify`), on all cores (`workers`).
//!
//! This crate rolls dice only for the act of a seat, shows a seat only what the seat may see, and draws no screens.
//! Start reading with `table.rs`, then `decide.rs` and `redact.rs`.

mod act;
mod amendment;
mod brought_fields;
mod catch_up;
mod clock_lines;
mod count_log;
mod decide;
mod entry;
mod entry_json;
mod explanation;
mod filter;
mod game_summary;
mod gatekeeper;
mod history;
mod hook_event;
mod host_clocks;
pub mod ipc;
mod journal_entry;
mod log_export;
mod log_fold;
mod log_tally;
mod marks;
mod nodes;
mod open;
mod own_rules;
mod pool_ledger;
mod presence;
mod preview;
mod recap;
mod redact;
mod request_error;
mod saving;
mod search;
mod seat;
mod seat_index;
mod seat_view;
mod statistics;
mod status;
mod submit;
mod suggestion;
mod table;
mod token_bucket;
mod verify;
mod whole_log;
mod workers;
mod write_event;

pub use act::{Act, Problem};
pub use amendment::{Amendment, Question};
pub use clock_lines::{read_clock_lines, write_clock_line};
pub use entry::Entry;
pub use entry_json::{EntryJson, FreeDiceJson, ReadersJson, RollJson};
pub use explanation::{Headline, Part, condition_reasons, read_again};
pub use filter::Filter;
pub use game_summary::GameSummary;
pub use gatekeeper::{Gatekeeper, Invited, ListedSeat, PublicPage};
pub use history::History;
pub use hook_event::{CLOCK_FULL, HookEvent, HookEventReader, SESSION_ENDED};
pub use host_clocks::{GameRequest, HostChanges, HostTable, HostUpdate};
pub use journal_entry::WithText;
pub use log_export::{EntryFormat, FormatTime, LogForm, LogWriter, RenderedEntry};
pub use log_fold::{Fold, FoldKey, FoldKind, FoldedLog, ReadEntry};
pub use log_tally::LogTally;
pub use open::{Edited, Incomplete, OnEdit, OpenError, Opening};
pub use own_rules::{keep_origin, load_kept_rules};
pub use presence::{Presence, PresenceGuard};
pub use recap::{
    CastMember, ChangedCharacter, CharacterChange, ClockMove, ConditionCourse, ListEntry,
    LockedAttempt, LooseEnds, Moment, NotableRoll, OpenClock, OpenList, OpenState, Recap,
    RecapRange, RecapReader, RecapScene, RecapScope, RemarkableLuck, RollCount, Roller, TokenMove,
    WaitingRoll, WhyNotable,
};
pub use request_error::RequestError;
pub use search::{LogChunk, SearchHit};
pub use seat::{Allowed, Seat, SeatId, SeatRole};
pub use seat_view::{ClockView, SeatView};
pub use statistics::{CheckFigures, DieFigures, Figures, Luck, Statistics};
pub use status::{
    StatusLine, about_clock, clock_json, clock_line, plain_status, pool_json, scene, side_name,
    status, status_lines,
};
pub use suggestion::Suggestion;
pub use table::{
    FindSystem, ReadCreatures, ReadTables, Table, TableChange, TimeSource, Watcher, Watching,
};
pub use token_bucket::TokenBucket;
pub use verify::{Verified, verify};
pub use whole_log::Logged;

use table::Inner;

#[cfg(test)]
pub mod tests;
