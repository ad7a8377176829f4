//! How commands open a game, or have the process that holds it run their request.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::find_system::find_system;
use super::hooks::{self, HookOptions, RunningHooks};
use super::{App, CliError};
use crate::config::Config;
use crate::own_files::OwnFiles;
use tableside_commands::{Request, Response};
use tableside_dice::{Dice, SystemDice};
use tableside_game::Game;
use tableside_store::{GameLocation, Name, Storage, StoreError};
use tableside_table::ipc::{CallError, call, has_server};
use tableside_table::{Entry, OnEdit, OpenError, Opening, RequestError, Seat, Table, TimeSource};
use tableside_text::{did_you_mean, nearest};

/// An open game, and notices for its players.
pub(super) type Opened = (Arc<Table>, Vec<String>);

/// The longest that saving is waited for when a command is done.
const PATIENCE_WITH_DISK: Duration = Duration::from_secs(10);

/// The longest that opening waits for a command that holds the game for a moment.
const PATIENCE_WITH_COMMANDS: Duration = Duration::from_secs(1);

/// How long to wait for a game whose holder does not answer: other commands hold one for a moment only.
const PATIENCE_WITH_HOLDERS: Duration = Duration::from_secs(10);

/// How long until it is tried again.
const PAUSE: Duration = Duration::from_millis(15);

/// Lets the person who opened a game roll on random tables of their own, and take rules from their files.
pub(super) fn bring_own_files(config: &Config, table: &Table) {
    let table_files = OwnFiles::new(config.clone());
    table.use_random_tables(Box::new(move |system| table_files.tables(system)));
    let creature_files = OwnFiles::new(config.clone());
    table.use_creatures(Box::new(move |system| creature_files.creatures(system)));
    let config = config.clone();
    table.use_systems(Arc::new(move |named| {
        find_system(&config, named).map_err(|error| error.words())
    }));
}

impl App<'_> {
    /// The name of the game that a person means, or of one that is to be created.
    pub(super) fn name(&self, given: &str) -> Result<Name, CliError> {
        // Without a place for games there is only the name to check, and what uses it says what is wrong with the place.
        let name = match self.storage() {
            Ok(storage) => storage.find(given, self.reserved),
            Err(_) => Name::new(given, self.reserved),
        };
        name.map_err(|error| unfit_name(&error))
    }

    /// The name of a game that is to be created.
    pub(super) fn new_name(&self, given: &str) -> Result<Name, CliError> {
        let name = self.storage()?.new_name(given, None, self.reserved);
        name.map_err(|error| unfit_name(&error))
    }

    /// Where games are kept.
    pub(super) fn storage(&self) -> Result<Storage, CliError> {
        if let Some(storage) = self.storage.get() {
            return Ok(storage.clone());
        }
        let storage = storage(&self.config)?;
        Ok(self.storage.get_or_init(|| storage).clone())
    }

    /// Where games are kept, if there is a place; a database that was asked for must be there.
    pub(super) fn any_storage(&self) -> Result<Option<Storage>, CliError> {
        match self.storage() {
            Err(error) if self.config.database.is_some() => Err(error),
            storage => Ok(storage.ok()),
        }
    }

    /// Opens a game by its name; with `view` only to be looked at.
    pub(super) fn open(&mut self, name: &Name, view: bool) -> Result<Opened, CliError> {
        let until = Instant::now() + PATIENCE_WITH_COMMANDS;
        loop {
            match self.open_now(name, view) {
                Err(CliError::Held(_)) if Instant::now() < until => thread::sleep(PAUSE),
                opened => return opened,
            }
        }
    }

    /// Opens a game to read from it. If it cannot be read whole, the command fails with the reason when it is done.
    pub(super) fn look_at(&mut self, name: &Name) -> Result<Arc<Table>, CliError> {
        let (table, notices) = self.open(name, true)?;
        self.notices.extend(notices);
        if let Some(incomplete) = table.incomplete() {
            self.incomplete.push(incomplete.to_string());
        }
        Ok(table)
    }

    /// The same without waiting; where the file was edited or damaged, the person at the terminal says how to go on.
    fn open_now(&mut self, name: &Name, view: bool) -> Result<Opened, CliError> {
        let place = self.storage()?.location(name);
        let mut on_edit = OnEdit::Ask;
        loop {
            let opening = Opening {
                clock: self.clock,
                dice: system_dice()?,
                view,
                on_edit,
            };
            on_edit = match Table::open(&place, opening) {
                Ok((table, mut notices)) => {
                    bring_own_files(&self.config, &table);
                    if !view && *name != Name::host_game() {
                        self.join_host(&table, &mut notices)?;
                    }
                    return Ok((table, notices));
                }
                Err(OpenError::Store(StoreError::Missing { .. })) => {
                    return Err(self.missing(name));
                }
                Err(error) if self.can_ask && may_ask(&error, on_edit) => {
                    self.ask_how_to_go_on(error, view)?
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Asks what to do about a file that was edited or is damaged; any other error stays one, and so does damage where
    /// one only looks: nothing can be restored then.
    fn ask_how_to_go_on(&mut self, error: OpenError, view: bool) -> Result<OnEdit, CliError> {
        let leave = ("leave", "change nothing", None);
        let keep = ("keep", "keep the present file", Some(OnEdit::Keep));
        let restore = |label| ("restore", label, Some(OnEdit::Restore));
        let (question, ways) = match &error {
            OpenError::Edited { edited, .. } => {
                self.out.line(&format!("{error}."))?;
                self.out
                    .lines(edited.differences.iter().map(|one| format!("  {one}")))?;
                if edited.can_restore {
                    let back =
                        restore("restore the saved state; the present file is kept as a copy");
                    ("leave, keep or restore?", vec![leave, keep, back])
                } else {
                    self.out.line("The saved state is lost.")?;
                    ("leave or keep?", vec![leave, keep])
                }
            }
            OpenError::Store(StoreError::Mismatched(mismatch)) if !view => {
                self.out.line(&format!("{mismatch}."))?;
                let alone = "continue with game.toml alone; the journal's files are kept as copies";
                let state = ("state", alone, Some(OnEdit::KeepState));
                if mismatch.before_belongs {
                    let back = "continue with the journal and game.toml.before; game.toml is kept as a copy";
                    let journal = ("journal", back, Some(OnEdit::Restore));
                    ("leave, state or journal?", vec![leave, state, journal])
                } else {
                    ("leave or state?", vec![leave, state])
                }
            }
            error if !view && error.is_damage() => {
                self.out.line(&format!("{error}."))?;
                let back =
                    "continue from the last good state; the damaged files are kept as copies";
                ("leave or restore?", vec![leave, restore(back)])
            }
            _ => return Err(error.into()),
        };
        let answers = ways.iter().map(|(word, label, _)| (*word, *label));
        let chosen = self.choose(question, &answers.collect::<Vec<_>>(), 0)?;
        let chosen = ways.get(chosen).and_then(|(.., on_edit)| *on_edit);
        chosen
            .ok_or_else(|| CliError::failed("the game was not opened, and its files are unchanged"))
    }

    /// Runs the hooks of a game that is open here. An error becomes a notice, and the game continues without hooks.
    pub(super) fn run_hooks(
        &self,
        table: &Arc<Table>,
        notices: &mut Vec<String>,
    ) -> Option<RunningHooks> {
        if table.is_view() {
            return None;
        }
        let options = HookOptions {
            clock: self.clock,
            echo: None,
            alive: None,
        };
        match hooks::run(table, options) {
            Ok(hooks) => hooks,
            Err(error) => {
                notices.push(error.words());
                None
            }
        }
    }

    /// Describes a game that does not exist. Suggests another game, and if only a game was typed, also a command.
    pub(super) fn missing(&self, name: &Name) -> CliError {
        if *name == Name::host_game() {
            return CliError::failed("there is no host yet")
                .hint("`tableside do --host add clock NAME SIZE` makes it");
        }
        let known = self.storage().map(|storage| storage.games());
        let known = known.ok().and_then(Result::ok).unwrap_or_default();
        let names = known.iter().map(|listed| listed.name.as_str());
        let commands: &[&str] = if self.has_command { &[] } else { self.reserved };
        let near = nearest(name.as_str(), names.chain(commands.iter().copied()));
        CliError::failed(format!("there is no game {name}{}", did_you_mean(near)))
            .hint("`tableside games` lists all games; `tableside new` creates one")
    }

    /// Runs the request in that game, wherever it is open.
    pub(super) fn send(&mut self, name: &Name, request: &Request) -> Result<Response, CliError> {
        let place = self.storage()?.location(name);
        let mut opened = None;
        let done = deliver(&place, request, &mut || {
            let (table, mut notices) = self.open_now(name, false)?;
            let hooks = if *name == Name::host_game() {
                None
            } else {
                self.run_hooks(&table, &mut notices)
            };
            // What is read from the answer stays what it is: notices go beside it.
            self.notices.extend(notices);
            opened = Some((Arc::clone(&table), hooks));
            Ok(table)
        });

        if let Some((table, Some(mut hooks))) = opened {
            hooks.stop_listening();
            // Release the game for other commands while the hooks deliver.
            drop(table);
            self.notices.extend(hooks.finish());
        }
        Ok(done??)
    }
}

/// Whether a person is asked about this error. Each answer is given once; a journal of another history can come to
/// light after the answer to an edit or to damage.
fn may_ask(error: &OpenError, answered: OnEdit) -> bool {
    match answered {
        OnEdit::Ask => true,
        OnEdit::Keep | OnEdit::Restore => {
            matches!(error, OpenError::Store(StoreError::Mismatched(_)))
        }
        OnEdit::KeepState => false,
    }
}

fn unfit_name(error: &StoreError) -> CliError {
    let hint = error.hint().unwrap_or_default();
    CliError::usage(error.to_string()).hint(hint)
}

/// Opens the game of that place, where nobody is asked how to go on.
pub(super) fn open_place(
    place: &GameLocation,
    clock: TimeSource,
    view: bool,
) -> Result<Arc<Table>, CliError> {
    let opening = Opening {
        clock,
        dice: system_dice()?,
        view,
        on_edit: OnEdit::Ask,
    };
    Ok(Table::open(place, opening)?.0)
}

/// Runs the request in the game of that place: here if nobody else has it open, else there. The inner error is a
/// request that was refused, the outer one a request that could not be made.
pub(super) fn deliver(
    place: &GameLocation,
    request: &Request,
    open: &mut dyn FnMut() -> Result<Arc<Table>, CliError>,
) -> Result<Result<Response, RequestError>, CliError> {
    let until = Instant::now() + PATIENCE_WITH_HOLDERS;
    loop {
        let held = match open() {
            Ok(table) => {
                let done = request.run(&table, &Seat::gm());
                close(&table)?;
                return Ok(done);
            }
            Err(CliError::Held(held)) => held,
            Err(error) => return Err(error),
        };
        let Some(folder) = place.folder() else {
            return Err(CliError::Held(held));
        };
        let error = match call(folder, request) {
            Ok(done) => return Ok(Ok(done)),
            Err(CallError::Refused(undone)) => return Ok(Err(undone)),
            Err(CallError::NoAnswer) if Instant::now() < until => {
                thread::sleep(PAUSE);
                continue;
            }
            Err(error) => error,
        };
        let (what, hint) = match error {
            CallError::NoAnswer if has_server(folder) => {
                let what = format!("{}, and {error}", held.what);
                (what, "wait until it has time, or close it there first")
            }
            CallError::NoAnswer => (held.what, "do it there, or close it there first"),
            CallError::Version { .. } => (error.to_string(), "close it there first"),
            CallError::AnswerLost(_) | CallError::Refused(_) => {
                let hint = "`tableside log` shows whether it was done";
                (error.to_string(), hint)
            }
        };
        return Err(CliError::failed(what).hint(hint));
    }
}

/// Where games are kept: the database that was asked for, else the data folder.
pub(super) fn storage(config: &Config) -> Result<Storage, CliError> {
    match &config.database {
        Some(url) => open_database(url),
        None => Ok(config.data()?.into()),
    }
}

#[cfg(feature = "postgres")]
fn open_database(url: &str) -> Result<Storage, CliError> {
    Ok(tableside_store_postgres::open(url)?)
}

#[cfg(not(feature = "postgres"))]
fn open_database(_url: &str) -> Result<Storage, CliError> {
    Err(CliError::failed(
        "this tableside was built without the feature postgres, and does not support databases",
    ))
}

/// Brings everything to the disk before the program ends.
pub(super) fn close(table: &Table) -> Result<(), CliError> {
    Ok(table.flush(PATIENCE_WITH_DISK)?)
}

/// A game that is kept nowhere yet. It goes to `storage` with its first change; without one it stays in memory.
pub(super) fn unsaved(
    name: &str,
    (game, entries): (Game, Vec<Entry>),
    storage: Option<Storage>,
    clock: TimeSource,
) -> Result<Arc<Table>, CliError> {
    let dice = system_dice()?;
    Ok(Table::unsaved(name, game, entries, storage, clock, dice))
}

/// Dice from the system's own randomness.
pub(super) fn system_dice() -> Result<Box<dyn Dice + Send>, CliError> {
    let none = |error| CliError::failed(format!("the system has no randomness to give: {error}"));
    Ok(Box::new(SystemDice::from_system().map_err(none)?))
}
