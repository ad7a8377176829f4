//! The host of a data folder, for a game that is opened by itself: whoever has the host open does what the game asks.

use std::sync::Arc;
use std::sync::mpsc::sync_channel;
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

/// How often it is looked whether the host moved.
const PAUSE: Duration = Duration::from_secs(1);

/// Which game is meant.
#[derive(Debug, clap::Args)]
pub(super) struct Which {
    /// The game
    #[arg(required_unless_present = "host")]
    game: Option<String>,
    /// The host instead: its clocks stand in all games
    #[arg(long, conflicts_with = "game")]
    host: bool,
}

impl Which {
    /// Its name.
    pub(super) fn name(&self, app: &App<'_>) -> Result<Name, CliError> {
        match &self.game {
            Some(game) if !self.host => app.name(game),
            _ => Ok(Name::host_game()),
        }
    }
}

/// The host where it is kept, wherever it is open.
#[derive(Clone)]
struct HostPlace {
    place: GameLocation,
    clock: TimeSource,
}

fn unreachable(error: &CliError) -> Problem {
    Problem::HostUnreachable(RequestError::failed(format!("the host: {}", error.words())))
}

impl HostTable for HostPlace {
    fn ask(&self, request: &GameRequest) -> Result<u64, Problem> {
        let request = Request::ForGame(request.clone().into());
        let done = deliver(&self.place, &request, &mut || {
            open_place(&self.place, self.clock, false)
        })
        .map_err(|error| unreachable(&error))?;
        let done = done.map_err(|no| CommandError::from(Refused(no.what)))?;
        done.saved().map_err(Problem::HostUnreachable)?;
        Ok(done.entry.number)
    }

    fn news(&self, after: u64) -> Result<HostChanges, Problem> {
        let table = open_place(&self.place, self.clock, true);
        let table = table.map_err(|error| unreachable(&error))?;
        if let Some(incomplete) = table.incomplete() {
            return Err(unreachable(&CliError::failed(incomplete.to_string())));
        }
        Ok(table.host_changes(after)?)
    }
}

impl App<'_> {
    /// Where the host is, or would be.
    fn host(&self) -> Result<HostPlace, CliError> {
        let (place, clock) = (self.storage()?.place(&Name::host_game()), self.clock);
        Ok(HostPlace { place, clock })
    }

    /// Makes a game one of the host of its data folder, where there is one. Without the host it is played all the same.
    pub(super) fn join_host(
        &self,
        table: &Arc<Table>,
        notices: &mut Vec<String>,
    ) -> Result<(), CliError> {
        let host = self.host()?;
        if host.place.exists()
            && let Err(problem) = table.join_host(Arc::new(host))
        {
            notices.push(format!(
                "The clocks of the host stand as they did: {problem}."
            ));
        }
        Ok(())
    }

    /// Makes the host if there is none yet: a game of clocks alone.
    pub(super) fn create_host_game(&self) -> Result<(), CliError> {
        if self.host()?.place.exists() {
            return Ok(());
        }
        let (name, empty) = (Name::host_game(), Game::new(System::default()).emptied());
        let table = unsaved(name.as_str(), (empty, Vec::new()), None, self.clock)?;
        match table.rename(&self.storage()?, &name) {
            // Another process was faster.
            Err(Problem::Store(StoreError::Exists(_))) => Ok(()),
            made => {
                made?;
                close(&table)
            }
        }
    }

    /// Has a game that is open on a screen follow the host until the result is dropped. A host that is made meanwhile
    /// is joined soon after something happens next in the game, not before its frame is out: looking for one without
    /// end would cost those who have none. A game that is kept nowhere yet is one of no host.
    pub(super) fn follow_host(&self, table: &Arc<Table>) -> Result<Watching, CliError> {
        let host = self.host()?;
        let (wake, woken) = sync_channel(1);
        let watching = table.watch(Box::new(move |_| {
            wake.try_send(()).ok();
        }));
        let table = Arc::downgrade(table);
        let follow = move || {
            let mut end = None;
            while let Some(table) = table.upgrade() {
                let now = Reader::new(&host.place).end().ok().flatten();
                let followed = || match end {
                    None => table.join_host(Arc::new(host.clone())),
                    Some(_) => table.follow_host(),
                };
                if now != end && table.place().is_some() && followed().is_ok() {
                    end = now;
                }
                drop(table);
                if end.is_none() && woken.recv().is_err() {
                    return;
                }
                thread::sleep(PAUSE);
            }
        };
        let thread = thread::Builder::new().name("host".to_owned());
        let started = thread.spawn(follow).map(|_| watching);
        started.map_err(|error| CliError::failed(format!("cannot follow the host: {error}")))
    }
}
