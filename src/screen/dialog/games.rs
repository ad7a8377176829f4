//! The list of games, before any is open: looked into, made, named, put away.

use std::fmt::Debug;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use ratatui::layout::Position;

use super::form::{Form, FormDialog, FormSpec, Id, Row};
use super::reading::{Block, Scroll};
use super::{Canvas, Dialog, DialogAction, DialogEvent, FilterLine};
use crate::rules::System;
use crate::screen::action::{Action, Context};
use crate::screen::setup::Zone;
use crate::screen::theme::Role;
use crate::store::LONGEST_NAME;
use crate::table::SeatView;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub name: String,
    /// What stands beside it: the system, the scene, why it cannot be opened.
    pub about: String,
    pub played: DateTime<Utc>,
}

/// Where the games are. What cannot be done is told in a sentence.
pub trait Library: Debug + Send + Sync {
    /// The games, or those put away, the last played first.
    fn games(&self, in_archive: bool) -> Vec<Game>;

    /// What there is to see of a game: its party, its clocks, its last scene, a line each.
    fn preview(&self, name: &str, in_archive: bool) -> Vec<String>;

    /// Makes a game, with its system's sample or empty.
    fn create(&self, name: &str, system: System, sample: bool) -> Result<(), String>;

    /// Makes another game like that one.
    fn duplicate(&self, name: &str, to: &str) -> Result<(), String>;

    fn rename(&self, name: &str, to: &str) -> Result<(), String>;

    fn archive(&self, name: &str) -> Result<(), String>;

    /// Takes a game out of the archive.
    fn restore(&self, name: &str) -> Result<(), String>;
}

#[derive(Debug)]
pub(in crate::screen) struct GamesDialog {
    library: Arc<dyn Library>,
    zone: Zone,
    games: Vec<Game>,
    /// Whether the archive is looked at.
    in_archive: bool,
    /// Only games that this is a part of are listed.
    filter: String,
    form: Form,
    /// The game looked into, and what there is to see.
    preview: (String, Vec<Block>),
}

fn id_of(place: usize) -> Id {
    Id::Nth("game", u32::try_from(place).unwrap_or(u32::MAX))
}

impl GamesDialog {
    pub(in crate::screen) fn open(library: Arc<dyn Library>, zone: Zone) -> Self {
        let mut opened = Self {
            library,
            zone,
            games: Vec::new(),
            in_archive: false,
            filter: String::new(),
            form: Form::new("", Vec::new()).wide(),
            preview: (String::new(), Vec::new()),
        };
        opened.read();
        opened
    }

    /// Reads the library anew, and goes to a game that was not there before.
    fn read(&mut self) {
        let before = std::mem::replace(&mut self.games, self.library.games(self.in_archive));
        let is_new = |game: &Game| before.iter().all(|known| known.name != game.name);
        self.list();
        if let Some(place) = self.games.iter().position(is_new) {
            self.form.go_to(id_of(place));
        }
        self.preview.0.clear();
        self.look_into();
    }

    fn list(&mut self) {
        let sought = self.filter.trim().to_lowercase();
        let found = self.games.iter().enumerate().filter(|(_, game)| {
            let words = format!("{} {}", game.name, game.about);
            words.to_lowercase().contains(&sought)
        });
        let rows = found.map(|(place, game)| {
            let played = self.zone.day_and_time(game.played);
            Row::item(id_of(place), game.name.clone(), game.about.clone()).beside(played)
        });
        self.form.lay_out(rows.collect());
        let (title, none) = match (self.in_archive, sought.is_empty()) {
            (false, true) => ("Which game?", "No game is kept here yet: n makes one."),
            (true, true) => ("The archive", "The archive is empty."),
            (false, false) => ("Which game?", "No game is called like that."),
            (true, false) => ("The archive", "No game is called like that."),
        };
        title.clone_into(&mut self.form.title);
        self.form.none = none;
    }

    fn show_only(&mut self, sought: &str) {
        sought.clone_into(&mut self.filter);
        self.list();
    }

    /// The game that keys act on.
    fn game(&self) -> Option<&Game> {
        let focused = self.form.focused()?;
        let mut games = self.games.iter().enumerate();
        games.find_map(|(place, game)| (id_of(place) == focused).then_some(game))
    }

    /// Looks into the game that keys act on.
    fn look_into(&mut self) {
        let name = self
            .game()
            .map_or_else(String::new, |game| game.name.clone());
        if name != self.preview.0 {
            let lines = self.library.preview(&name, self.in_archive);
            let blocks = lines.into_iter().map(|line| {
                let role = if line.starts_with(' ') {
                    Role::Muted
                } else {
                    Role::Text
                };
                Block::Parts(vec![(role, line)])
            });
            self.preview = (name, blocks.collect());
        }
    }

    /// Opens a form in which a game gets a name.
    fn ask_name(
        &self,
        (title, rows): (String, Vec<Row>),
        naming: Naming,
        seen: &SeatView<'_>,
    ) -> DialogAction {
        let library = Arc::clone(&self.library);
        let spec = NameForm { library, naming };
        DialogAction::Open(FormDialog::new(Form::new(title, rows), spec, seen).into())
    }

    fn act(&mut self, action: Action, seen: &SeatView<'_>) -> DialogAction {
        let name = self.game().map(|game| game.name.clone());
        match (action, name) {
            (Action::Open, Some(_)) if self.in_archive => {
                self.form.problem = Some("take it out of the archive first".to_owned());
            }
            (Action::Open, Some(name)) => return DialogAction::OpenGame(name),
            (Action::Filter, _) => {
                let line = FilterLine::open(&self.filter, "a part of its name");
                return DialogAction::Open(line.into());
            }
            (Action::New, _) => {
                let systems = System::ALL.map(|system| system.spec().name);
                let begins = ["an empty party", "the sample game"];
                let rows = vec![
                    name_row("").help("It is kept in a folder of this name."),
                    Row::choice("system", "System", systems, 0).help("The rules it is played by."),
                    Row::choice("begins", "Begins with", begins, 0)
                        .help("A sample game has a party, clocks and a few rolls to look at."),
                ];
                return self.ask_name(("New game".to_owned(), rows), Naming::New, seen);
            }
            (Action::Duplicate, Some(name)) if !self.in_archive => {
                let rows = vec![name_row(&format!("{name} 2"))];
                let form = (format!("Another {name}"), rows);
                return self.ask_name(form, Naming::Duplicate(name), seen);
            }
            (Action::Rename, Some(name)) if !self.in_archive => {
                let form = (format!("Rename {name}"), vec![name_row(&name)]);
                return self.ask_name(form, Naming::Rename(name), seen);
            }
            // It can be taken out again, so nothing is asked.
            (Action::Archive | Action::Delete, Some(name)) => {
                let done = if self.in_archive {
                    self.library.restore(&name)
                } else {
                    self.library.archive(&name)
                };
                self.form.problem = done.err();
                self.read();
            }
            (Action::Close, _) if !self.filter.is_empty() => self.show_only(""),
            (Action::Close, _) if !self.in_archive => return DialogAction::Quit,
            (Action::Archived | Action::Close, _) => {
                self.in_archive = !self.in_archive;
                self.filter.clear();
                self.read();
            }
            (Action::Quit, _) => return DialogAction::Quit,
            (action, _) => {
                self.form.handle(&DialogEvent::Action(action));
            }
        }
        DialogAction::Stay
    }
}

impl Dialog for GamesDialog {
    fn contexts(&self) -> &'static [Context] {
        Context::Games.chain()
    }

    fn hints(&self) -> &'static [Action] {
        use Action::{Archive, Archived, Duplicate, Filter, New, Open, Quit, Rename};
        match (self.in_archive, self.games.is_empty()) {
            (true, true) => &[Archived, Quit],
            (true, false) => &[Archive, Filter, Archived, Quit],
            (false, true) => &[New, Archived, Quit],
            (false, false) => &[
                Open, New, Filter, Duplicate, Rename, Archive, Archived, Quit,
            ],
        }
    }

    fn handle(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> DialogAction {
        let done = match event {
            DialogEvent::Action(action) => self.act(*action, seen),
            event if self.form.is_pressed_again(event) => self.act(Action::Open, seen),
            event => {
                self.form.handle(event);
                DialogAction::Stay
            }
        };
        self.look_into();
        done
    }

    fn on_change(&mut self, _seen: &SeatView<'_>) {
        self.read();
    }

    fn filter(&mut self, text: &str) {
        self.show_only(text);
        self.look_into();
    }

    fn view(&self, _seen: &SeatView<'_>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let title = (self.form.title.as_str(), self.filter.as_str());
        let (_, blocks) = &self.preview;
        self.form
            .draw_over(title, blocks, &Scroll::default(), canvas)
    }
}

/// What a name is typed for.
#[derive(Debug)]
enum Naming {
    New,
    /// Another name for that game.
    Rename(String),
    /// A game like that one.
    Duplicate(String),
}

#[derive(Debug)]
struct NameForm {
    library: Arc<dyn Library>,
    naming: Naming,
}

fn name_row(name: &str) -> Row {
    Row::text("name", "Name", name, LONGEST_NAME).hint("friday")
}

impl FormSpec for NameForm {
    fn submit(&mut self, form: &Form, _seen: &SeatView<'_>) -> Result<DialogAction, String> {
        let name = form.text("name");
        match &self.naming {
            Naming::New => {
                let system = System::ALL.get(form.choice("system")).copied();
                let system = system.unwrap_or(System::ALL[0]);
                let with_sample = form.choice("begins") == 1;
                self.library.create(&name, system, with_sample)?;
            }
            Naming::Rename(from) => self.library.rename(from, &name)?,
            Naming::Duplicate(from) => self.library.duplicate(from, &name)?,
        }
        Ok(DialogAction::Close)
    }
}

#[cfg(test)]
mod tests;
