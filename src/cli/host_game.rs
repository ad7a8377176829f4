//! The host's own game, which has the host clocks, for commands that open another game by themselves.
//!
//! If `tableside host` is running, it performs the requests of such a game. Otherwise the command does.

use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use super::open_game::{close, deliver, open_place};
use super::{App, CliError, unsaved};
use tableside_commands::Request;
use tableside_game::{CommandError, Game};
use tableside_rules::{Refused, System};
use tableside_store::{GameLocation, Name, Reader, StoreError};
use tableside_table::{
    GameRequest, HostChanges, HostTable, Problem, RequestError, Table, TimeSource, Watching,
};

/// The time between two looks at the host's log.
const PAUSE: Duration = Duration::from_secs(1);

/// The game that a command reads: one of the saved games, or the host's own.
#[derive(Debug, clap::Args)]
pub(super) struct GameOrHost {
    /// The game
    #[arg(required_unless_present = "host")]
    game: Option<String>,
    /// Uses the host's shared clocks, which appear in every game
    #[arg(long, conflicts_with = "game")]
    host: bool,
}

impl GameOrHost {
    pub(super) fn name(&self, app: &App<'_>) -> Result<Name, CliError> {
        match &self.game {
            Some(game) if !self.host => app.name(game),
            _ => Ok(Name::host_game()),
        }
    }
}

/// The place of the host's own game. Another process may have it open.
#[derive(Clone)]
struct HostPlace {
    place: GameLocation,
    clock: TimeSource,
}

fn unreachable(error: &CliError) -> Problem {
    Problem::HostUnreachable(RequestError::failed(format!("the host: {}", error.words())))
}

impl HostTable for HostPlace {
    fn perform(&self, request: &GameRequest) -> Result<u64, Problem> {
        let request = Request::ForGame(Box::new(request.clone()));
        let response = deliver(&self.place, &request, &mut || {
            open_place(&self.place, self.clock, false)
        });
        let response = match response {
            Ok(Ok(response)) => response,
            Ok(Err(refusal)) => return Err(CommandError::from(Refused(refusal.what)).into()),
            Err(error) => return Err(unreachable(&error)),
        };
        response.saved().map_err(Problem::HostUnreachable)?;
        Ok(response.entry.number)
    }

    fn changes_since(&self, entry: u64) -> Result<HostChanges, Problem> {
        let table =
            open_place(&self.place, self.clock, true).map_err(|error| unreachable(&error))?;
        if let Some(incomplete) = table.incomplete() {
            return Err(unreachable(&CliError::failed(incomplete.to_string())));
        }
        Ok(table.host_changes(entry)?)
    }
}

impl App<'_> {
    /// Returns the place of the host's own game, which may not exist.
    fn host_place(&self) -> Result<HostPlace, CliError> {
        Ok(HostPlace {
            place: self.storage()?.location(&Name::host_game()),
            clock: self.clock,
        })
    }

    /// Joins a game to the host of its data folder, if there is one. A game that cannot reach its host opens anyway.
    pub(super) fn join_host(
        &self,
        table: &Arc<Table>,
        notices: &mut Vec<String>,
    ) -> Result<(), CliError> {
        let host = self.host_place()?;
        if !host.place.exists() {
            return Ok(());
        }
        if let Err(problem) = table.join_host(Arc::new(host)) {
            notices.push(format!("The host clocks were not updated: {problem}."));
        }
        Ok(())
    }

    /// Creates the host's own game if it does not exist: a game without characters and pools.
    pub(super) fn create_host_game(&self) -> Result<(), CliError> {
        if self.host_place()?.place.exists() {
            return Ok(());
        }

        let name = Name::host_game();
        let empty = Game::new(System::default()).emptied();
        let table = unsaved(name.as_str(), (empty, Vec::new()), None, self.clock)?;
        match table.rename(&self.storage()?, &name) {
            Ok(()) => close(&table),
            // Another process has just created it.
            Err(Problem::Store(StoreError::Exists(_))) => Ok(()),
            Err(problem) => Err(problem.into()),
        }
    }

    /// Starts a thread with which a game on a screen follows the host, until the returned value is dropped.
    ///
    /// If a host is created later, the game joins it after the next event of the game: without a host, no thread should
    /// look for one every second. A game that is not saved has no host.
    pub(super) fn follow_host(&self, table: &Arc<Table>) -> Result<Watching, CliError> {
        let host = self.host_place()?;
        // One pending signal is enough: the thread looks at everything since its last turn.
        let (signal, changes) = sync_channel(1);
        let watching = table.watch(Box::new(move |_| {
            // A full channel means that the thread is about to run anyway.
            signal.try_send(()).ok();
        }));

        let table = Arc::downgrade(table);
        thread::Builder::new()
            .name("host".to_owned())
            .spawn(move || follow_from(&host, &table, &changes))
            .map_err(|error| CliError::failed(format!("cannot follow the host: {error}")))?;
        Ok(watching)
    }
}

/// Has a table follow the host until the table is closed or no longer watched.
fn follow_from(host: &HostPlace, table: &Weak<Table>, changes: &Receiver<()>) {
    let mut followed_end = None;
    while let Some(table) = table.upgrade() {
        // An unreadable log is tried again a second later.
        let end = Reader::new(&host.place).end().ok().flatten();
        if end != followed_end && table.place().is_some() {
            let followed = if followed_end.is_none() {
                table.join_host(Arc::new(host.clone()))
            } else {
                table.follow_host()
            };
            if followed.is_ok() {
                followed_end = end;
            }
        }

        // A closed table must not be kept open by this thread.
        drop(table);
        let has_no_host = followed_end.is_none();
        if has_no_host && changes.recv().is_err() {
            return;
        }
        thread::sleep(PAUSE);
    }
}
