//! `tableside [GAME]`: the table itself, on a screen.

use std::sync::Arc;

use super::open_game::bring_own_files;
use super::sample::sample;
use super::serve::{LiveTable, open_page, opening};
use super::{App, CliError, Opened, close, unsaved};
use crate::config::Config;
use tableside_rules::{Creature, System};
use tableside_server;
use tableside_table::{Seat, Table};
use tableside_text::{quote_for_shell, suggest_or_list};
use tableside_tui::app::keymap::Keymap;
use tableside_tui::terminal::run;
use tableside_tui::{ExitReason, Memory, Setup, Theme, Zone};
use tableside_web::Page;

/// Opens the table: that of the game named, or the one that is picked.
pub(super) fn run(
    app: &mut App<'_>,
    game: Option<&str>,
    view: bool,
    listen: &LiveTable,
) -> Result<(), CliError> {
    let mut opened = match game {
        Some(name) => Some(app.open_or_join(name, view)?),
        None if app.is_fresh()? => Some((app.begin()?, Vec::new())),
        None => None,
    };
    loop {
        let was_open = opened.is_some();
        let mut before = None;
        if let Some(opened) = opened.take() {
            match show(app, listen, opened)? {
                (ExitReason::Games, kept) => before = kept,
                (why, _) => return left_by(why.exit_code()),
            }
        }
        opened = Some(match pick(app, before.as_deref())? {
            Ok(name) => app.open_or_join(&name, view)?,
            // The sample that nobody changed is kept nowhere, and is as it was.
            Err(ExitReason::Games) if was_open => (app.begin()?, Vec::new()),
            Err(why) => return left_by(why.exit_code()),
        });
    }
}

/// Has the person pick a game from the list, or leave it for the game before.
fn pick(app: &App<'_>, before: Option<&str>) -> Result<Result<String, ExitReason>, CliError> {
    let library = app.library(app.any_storage()?);
    let setup = app.setup()?;
    Ok(run::pick(&app.begin()?, library, before, setup)?)
}

/// Shows the screen until it is left, and says why that was and where the game is kept by then.
fn show(
    app: &mut App<'_>,
    listen: &LiveTable,
    (table, mut notices): Opened,
) -> Result<(ExitReason, Option<String>), CliError> {
    let mut setup = app.setup()?;
    if let Some(incomplete) = table.incomplete() {
        notices.push(incomplete.to_string());
    }
    let mut server = None;
    if listen.ssh.listen.is_some() {
        let opening = opening(&listen.ssh, setup.clone(), None)?;
        server = Some(tableside_server::Server::start(&table, opening)?);
    }
    let page = open_page(&table, listen, &setup)?;
    notices.extend(page.as_ref().map(Page::describe));
    if let Some(server) = &server {
        notices.push(server.describe());
        setup.serves = true;
    }
    let hooks = app.run_hooks(&table, &mut notices);
    setup.notices.extend(notices);
    let following = (!table.is_view()).then(|| app.follow_host(&table));
    let _following = following.transpose()?;
    let ended = run::run(&table, setup)?;
    drop(page);
    if server.is_some() {
        drop(server);
        // What players did while the screen was closed is brought to the disk, too.
        close(&table)?;
    }
    if let Some(hooks) = hooks {
        app.notices.extend(hooks.finish());
    }
    if let Some(error) = ended.unsaved {
        return Err(error.into());
    }
    Ok((ended.why, table.place().map(|place| place.name())))
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
        let Some(text) = self.config.keys()? else {
            return Ok(Keymap::default());
        };
        Keymap::with_user(&text).map_err(|error| CliError::failed(error.to_string()))
    }

    /// Opens a game by its name. If it is open to others elsewhere, the error says how to join.
    fn open_or_join(&mut self, given: &str, view: bool) -> Result<Opened, CliError> {
        let name = self.name(given)?;
        let error = match self.open(&name, view) {
            Err(CliError::Held(error)) => error,
            opened => return opened,
        };
        let Some(address) = tableside_server::open_at(&self.storage()?.location(&name)) else {
            return Err(CliError::Held(error));
        };
        let join = tableside_server::join_command(Some(address), "", "gm");
        Err(CliError::failed(error.what).hint(format!(
            "join it there with `{join}`, after `tableside invite {} gm --role gm`; or look at it with --view",
            quote_for_shell(given)
        )))
    }

    /// What a screen brings along.
    pub(super) fn setup(&self) -> Result<Setup, CliError> {
        let mut notices = Vec::new();
        Ok(Setup {
            seat: Seat::gm(),
            theme: theme(&self.config, &mut notices)?,
            depth: self.depth,
            ascii: self.config.ascii,
            keymap: Arc::new(self.keymap()?),
            zone: Zone::Local,
            storage: self.any_storage()?,
            reserved: self.reserved,
            serves: false,
            notices,
            notify: self.config.notify()?,
            memory: Some(Arc::new(self.config.clone())),
        })
    }

    /// Whether there is no game yet.
    fn is_fresh(&self) -> Result<bool, CliError> {
        match self.any_storage()? {
            Some(storage) => Ok(storage.games()?.is_empty()),
            None => Ok(true),
        }
    }

    /// The sample game of the first system in memory, kept from its first change.
    fn begin(&self) -> Result<Arc<Table>, CliError> {
        let sample = sample(System::default())?;
        let game = (sample.game, sample.entries);
        let table = unsaved(&sample.name, game, self.any_storage()?, self.clock)?;
        bring_own_files(&self.config, &table);
        Ok(table)
    }
}

/// The theme that was asked for, else the one chosen last, else the dark one. A theme chosen earlier that is
/// gone is a notice, no error.
fn theme(config: &Config, notices: &mut Vec<String>) -> Result<Theme, CliError> {
    if let Some(name) = &config.theme {
        return named(config, name);
    }
    let kept = config.kept_theme().map_err(CliError::from);
    let theme = kept.and_then(|name| name.map(|name| named(config, &name)).transpose());
    match theme {
        Ok(theme) => Ok(theme.unwrap_or_default()),
        Err(error) => {
            notices.push(error.words());
            Ok(Theme::default())
        }
    }
}

/// One of the user's own themes, else one of those that came along.
fn named(config: &Config, name: &str) -> Result<Theme, CliError> {
    if let Some(text) = config.user_theme(name)? {
        return read(&text, name).map_err(CliError::failed);
    }
    Theme::named(name).ok_or_else(|| {
        let mut known = config.user_themes();
        known.extend(Theme::names().map(str::to_owned));
        let hint = suggest_or_list(name, known.iter().map(String::as_str));
        CliError::usage(format!("there is no theme {name:?}; {hint}"))
    })
}

fn read(text: &str, name: &str) -> Result<Theme, String> {
    let theme = Theme::parse(text, &format!("themes/{name}.toml"));
    let theme = theme.map_err(|error| error.to_string())?;
    Ok(theme.called(name))
}

/// Keeps what was chosen on a screen in the user's own files.
impl Memory for Config {
    fn themes(&self) -> Vec<(String, Result<Theme, String>)> {
        let names = self.user_themes().into_iter();
        let themes = names.map(|name| {
            let theme = match self.user_theme(&name) {
                Ok(text) => read(&text.unwrap_or_default(), &name),
                Err(error) => Err(error.to_string()),
            };
            (name, theme)
        });
        themes.collect()
    }

    fn keep_theme(&self, name: &str) -> Result<(), String> {
        self.keep_theme(name).map_err(|error| error.to_string())
    }

    fn save_table(&self, name: &str, text: &str, replace: bool) -> Result<(), String> {
        let saved = self.save_table(name, text, replace);
        saved.map(drop).map_err(|error| error.to_string())
    }

    fn save_creature(&self, system: System, creature: &Creature) -> Result<(), String> {
        let saved = self.save_creatures(system.id(), system, std::slice::from_ref(creature));
        saved.map(drop).map_err(|error| error.to_string())
    }

    fn delete_table(&self, name: &str) -> Result<(), String> {
        self.delete_table(name).map_err(|error| error.to_string())
    }
}
