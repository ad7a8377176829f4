//! `tableside [SESSION]`: the table itself. And how every command opens a session.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::args::{Cli, commands};
use super::ask::Answer;
use super::library::Sessions;
use super::serve::LiveTable;
use super::{App, CliError, sample, serve, theme_config};
use crate::dice::{Dice, SystemDice};
use crate::rules::System;
use crate::screen::keymap::Keymap;
use crate::screen::run::Picked;
use crate::screen::{self, Setup, Zone};
use crate::server;
use crate::session::Session;
use crate::store::{Name, StoreError, sessions};
use crate::table::{OnEdit, OpenError, Opening, Seat, Table};
use crate::text::nearest;

/// An open session, and notices for its players.
pub(super) type Opened = (Arc<Table>, Vec<String>);

/// The longest that saving is waited for when a command is done.
const PATIENCE: Duration = Duration::from_secs(10);

/// The longest that opening waits for a command that holds the session for a moment.
const PATIENCE_WITH_COMMANDS: Duration = Duration::from_secs(1);

/// How long until it is tried again.
pub(super) const PAUSE: Duration = Duration::from_millis(15);

/// Opens the table.
pub(super) fn run(app: &mut App<'_>, args: &Cli) -> Result<(), CliError> {
    let view = args.view;
    let opened = match &args.session {
        Some(name) => app.open_or_join(name, view)?,
        None => match app.pick()? {
            Choice::Session(name) => app.open_or_join(&name, view)?,
            Choice::Begin(system, sample) => (app.begin(system, sample)?, Vec::new()),
            Choice::Leave(ended) => return ended,
        },
    };
    show(app, &args.listen, opened)
}

/// What to open when no session was named.
enum Choice {
    Session(String),
    /// A new game of that system, with its sample game or without.
    Begin(System, bool),
    /// Nothing.
    Leave(Result<(), CliError>),
}

/// Shows the screen until it is left.
fn show(app: &App<'_>, listen: &LiveTable, (table, mut notices): Opened) -> Result<(), CliError> {
    let mut setup = app.setup(Vec::new())?;
    let server = match &listen.listen {
        None => None,
        Some(_) => Some(serve::start(&table, listen, setup.clone(), None)?),
    };
    if let Some(server) = &server {
        notices.push(server.describe());
        setup.serves = true;
    }
    setup.notices.extend(notices);
    let ended = screen::run::run(&table, setup)?;
    if server.is_some() {
        drop(server);
        // What players did while the screen was closed is brought to the disk, too.
        close(&table)?;
    }
    if let Some(error) = ended.unsaved {
        return Err(error.into());
    }
    left_by(ended.exit_code())
}

fn left_by(code: u8) -> Result<(), CliError> {
    match code {
        0 => Ok(()),
        code => Err(CliError::Ended(code)),
    }
}

impl App<'_> {
    /// The default keys, with the user's own in their place.
    pub(super) fn keymap(&self) -> Result<Keymap, CliError> {
        match self.config.keys()? {
            Some(text) => {
                Keymap::with_user(&text).map_err(|error| CliError::failed(error.to_string()))
            }
            None => Ok(Keymap::default()),
        }
    }

    /// Opens a session by its name. If it is open to others elsewhere, the error says how to join.
    fn open_or_join(&mut self, given: &str, view: bool) -> Result<Opened, CliError> {
        let error = match self.open(given, view) {
            Err(CliError::Held(error)) => error,
            answer => return answer,
        };
        let folder = name(given)?.in_folder(self.config.data()?);
        let Some(address) = server::open_at(&folder) else {
            return Err(error.into());
        };
        let join = server::join_command(Some(address), "gm");
        Err(CliError::failed(error.to_string()).hint(format!(
            "others may join it there, and so may you: `{join}`, after `tableside invite {given} gm --role gm`; or look at it with --view"
        )))
    }

    /// Opens a session by its name.
    pub(super) fn open(&mut self, given: &str, view: bool) -> Result<Opened, CliError> {
        let until = Instant::now() + PATIENCE_WITH_COMMANDS;
        loop {
            match self.open_now(given, view) {
                Err(CliError::Held(_)) if Instant::now() < until => thread::sleep(PAUSE),
                opened => return opened,
            }
        }
    }

    /// The same without waiting. Where the session's file was edited or damaged, the person at the terminal says
    /// how to go on.
    pub(super) fn open_now(&mut self, given: &str, view: bool) -> Result<Opened, CliError> {
        let name = name(given)?;
        let folder = name.in_folder(self.config.data()?);
        let mut on_edit = OnEdit::Ask;
        loop {
            let opening = Opening {
                clock: self.clock,
                dice: luck()?,
                view,
                on_edit,
            };
            on_edit = match Table::open(&folder, opening) {
                Ok(opened) => return Ok(opened),
                Err(OpenError::Store(StoreError::Missing { .. })) => {
                    return Err(self.missing(&name));
                }
                Err(error) if self.can_ask && on_edit == OnEdit::Ask => {
                    self.ask_how_to_go_on(error, view)?
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Asks what to do about a file that was edited or is damaged; any other error stays one.
    fn ask_how_to_go_on(&mut self, error: OpenError, view: bool) -> Result<OnEdit, CliError> {
        let leave = ("leave", "leave everything as it is", None);
        let keep = ("keep", "keep the file as it is now", Some(OnEdit::Keep));
        let restore = |label| ("restore", label, Some(OnEdit::Restore));
        let (question, ways) = match &error {
            OpenError::Edited { edited, .. } => {
                self.out.line(&format!("{error}."))?;
                for difference in &edited.differences {
                    self.out.line(&format!("  {difference}"))?;
                }
                if edited.can_restore {
                    let back = restore("go back to what was saved; the file is kept beside it");
                    ("leave, keep or restore?", vec![leave, keep, back])
                } else {
                    self.out.line("What was saved is not known any more.")?;
                    ("leave or keep?", vec![leave, keep])
                }
            }
            error if !view && error.is_damage() => {
                self.out.line(&format!("{error}."))?;
                let back = "go on from the last good state; what is damaged is kept beside it";
                ("leave or restore?", vec![leave, restore(back)])
            }
            _ => return Err(error.into()),
        };
        let answers: Vec<Answer<'_>> = ways
            .iter()
            .map(|(word, label, _)| Answer { word, label })
            .collect();
        let chosen = self.choose(question, &answers, 0)?;
        let chosen = ways.get(chosen).and_then(|(.., on_edit)| *on_edit);
        chosen.ok_or_else(|| CliError::failed("nothing was opened, and nothing was changed"))
    }

    /// A session that is not there; perhaps another was meant.
    pub(super) fn missing(&self, name: &Name) -> CliError {
        let known = self.config.data().ok().and_then(|data| sessions(data).ok());
        let known = known.unwrap_or_default();
        let names = || known.iter().map(|listed| listed.name.as_str());
        let near = nearest(name.as_str(), names().chain(commands().iter().copied()));
        let what = match near {
            Some(near) => format!("there is no session {name}; did you mean {near}?"),
            None => format!("there is no session {name}"),
        };
        CliError::failed(what)
            .hint("`tableside sessions` lists the sessions there are; `tableside new` makes one")
    }

    /// What a screen brings along.
    pub(super) fn setup(&self, mut notices: Vec<String>) -> Result<Setup, CliError> {
        Ok(Setup {
            seat: Seat::gm(),
            theme: theme_config::theme(&self.config, &mut notices)?,
            depth: self.depth,
            ascii: self.config.ascii,
            keymap: Arc::new(self.keymap()?),
            zone: Zone::Local,
            data: self.config.data().ok().map(ToOwned::to_owned),
            reserved: commands(),
            serves: false,
            notices,
            memory: Some(Arc::new(theme_config::Keeper(self.config.clone()))),
        })
    }

    /// Has one of the known sessions picked; on a fresh machine it is the sample game of Heart Rush.
    fn pick(&mut self) -> Result<Choice, CliError> {
        let known = match self.config.data() {
            Ok(data) => sessions(data)?,
            Err(_) => Vec::new(),
        };
        if known.is_empty() {
            return Ok(Choice::Begin(System::ALL[0], true));
        }
        let setup = self.setup(Vec::new())?;
        Ok(match screen::run::pick(&mut Sessions(self), setup)? {
            Picked::Game(name) => Choice::Session(name),
            Picked::Nothing(why) => Choice::Leave(left_by(why.exit_code())),
        })
    }

    /// A game in memory, kept from its first change.
    fn begin(&self, system: System, with_sample: bool) -> Result<Arc<Table>, CliError> {
        let (name, session, entries) = if with_sample {
            let sample = sample(system)?;
            (sample.name, sample.session, sample.entries)
        } else {
            let name = system.spec().name.to_owned();
            (name, Session::new(system), Vec::new())
        };
        let data = self.config.data().ok().map(ToOwned::to_owned);
        Ok(Table::unsaved(
            &name,
            session,
            entries,
            data,
            self.clock,
            luck()?,
        ))
    }
}

/// Brings everything to the disk before the program ends.
pub(super) fn close(table: &Table) -> Result<(), CliError> {
    Ok(table.flush(PATIENCE)?)
}

/// Checks a session's name.
pub(super) fn name(given: &str) -> Result<Name, CliError> {
    Name::new(given, commands()).map_err(|error| {
        let hint = error.hint().unwrap_or_default();
        CliError::usage(error.to_string()).hint(hint)
    })
}

/// Dice from the system's own randomness.
pub(super) fn luck() -> Result<Box<dyn Dice + Send>, CliError> {
    match SystemDice::from_system() {
        Ok(luck) => Ok(Box::new(luck)),
        Err(error) => Err(CliError::failed(format!(
            "the system has no randomness to give: {error}"
        ))),
    }
}
