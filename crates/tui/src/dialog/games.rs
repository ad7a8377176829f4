//! The list of games, before any is open: looked into, made, named, put away.

use std::collections::HashSet;
use std::fmt::Debug;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::app::setup::Zone;
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, Row, RowId, filter_line,
};
use crate::{Action, Context, Role};
use tableside_rules::System;
use tableside_store::LONGEST_GAME_NAME;
use tableside_table::{SeatView, clock_line};
use tableside_text::fold;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameEntry {
    pub name: String,
    /// What stands beside it: the system, the scene, why it cannot be opened.
    pub about: String,
    pub played: DateTime<Utc>,
}

/// Where the games are. What cannot be done is told in a sentence.
pub trait Library: Debug + Send + Sync {
    /// What stands above the list.
    fn title(&self) -> String {
        "Which game?".to_owned()
    }

    /// Whether that can be done here.
    fn offers(&self, action: Action) -> bool {
        action != Action::Code
    }

    /// The games, or those put away, the last played first.
    fn games(&self, in_archive: bool) -> Vec<GameEntry>;

    /// What there is to see of a game: its party, its clocks, its last scene, a line each.
    fn preview(&self, name: &str, in_archive: bool) -> Vec<String>;

    /// The systems that there are, each by its name, or with the faults of its file.
    fn systems(&self) -> Vec<(String, Result<System, String>)>;

    /// Makes a game, with its system's sample or empty.
    fn create(&self, name: &str, system: System, sample: bool) -> Result<(), String>;

    /// Makes another game like that one.
    fn duplicate(&self, name: &str, to: &str) -> Result<(), String>;

    fn rename(&self, name: &str, to: &str) -> Result<(), String>;

    /// Puts a game into the archive; returns what it is called there.
    fn archive(&self, name: &str) -> Result<String, String>;

    /// Takes a game out of the archive.
    fn restore(&self, name: &str) -> Result<(), String>;

    /// Takes the seat that an invitation's code is for.
    fn redeem(&self, code: &str) -> Result<(), String>;
}

pub(crate) struct GamesDialog {
    library: Arc<dyn Library>,
    zone: Zone,
    /// The game that one came from; without a name once it is put away.
    before: Option<String>,
    games: Vec<GameEntry>,
    /// Whether the archive is looked at.
    in_archive: bool,
    /// The list that the form shows. `None` if it has to be laid out again, because the games were read again.
    laid_out: Option<LaidOutList>,
    /// The game looked into, and what there is to see.
    preview: (String, Vec<Block>),
}

/// Identifies a list in the form. As long as it is the same, no key has to lay it out again.
#[derive(Clone, PartialEq, Eq)]
struct LaidOutList {
    filter: String,
    in_archive: bool,
}

fn id_of(place: usize) -> RowId {
    RowId::Nth("game", u32::try_from(place).unwrap_or(u32::MAX))
}

impl GamesDialog {
    /// With the game that one comes from under the cursor.
    pub(crate) fn open(library: Arc<dyn Library>, zone: Zone, at: Option<&str>) -> Dialog {
        let mut opened = Self {
            library,
            zone,
            before: at.map(str::to_owned),
            games: Vec::new(),
            in_archive: false,
            laid_out: None,
            preview: (String::new(), Vec::new()),
        };
        let mut form = Form::default().with_context(Context::Games, &[]);
        opened.read(&mut form);
        if let Some(place) = opened.games.iter().position(|game| Some(&*game.name) == at) {
            form.focus_row(id_of(place));
            opened.look_into(&form);
        }
        Dialog::without_view(form, opened)
    }

    /// Reads the library anew, and goes to a game that was not there before, whose name it returns; or stays at the
    /// one that it was at, wherever that lies now.
    fn read(&mut self, form: &mut Form) -> Option<String> {
        let at = Self::name(form);
        let before = std::mem::replace(&mut self.games, self.library.games(self.in_archive));
        let names_before: HashSet<&str> = before.iter().map(|game| &*game.name).collect();
        let is_new = |game: &GameEntry| !names_before.contains(&*game.name);
        self.list(form);
        let new = self.games.iter().position(is_new);
        let is_at = |game: &GameEntry| Some(&game.name) == at.as_ref();
        let goes_to = new.filter(|_| !before.is_empty());
        if let Some(place) = goes_to.or_else(|| self.games.iter().position(is_at)) {
            form.focus_row(id_of(place));
        }
        self.preview = Default::default();
        self.look_into(form);
        new.map(|place| self.games[place].name.clone())
    }

    /// Puts a game away, and says where that gave it another name.
    fn put_away(&mut self, name: &str) -> Result<(), String> {
        let called = self.library.archive(name)?;
        if self.before.as_deref() == Some(name) {
            self.before = Some(String::new());
        }
        let renamed = || format!("the archive has a {name} already: this one is {called}");
        (called == name).then_some(()).ok_or_else(renamed)
    }

    /// Lays out the list, if the filter has changed.
    fn list_if_changed(&mut self, form: &mut Form) {
        let is_current = self
            .laid_out
            .as_ref()
            .is_some_and(|list| list.filter == form.note && list.in_archive == self.in_archive);
        if !is_current {
            self.list(form);
        }
    }

    fn list(&mut self, form: &mut Form) {
        use Action::{Archive, Archived, Code, Duplicate, Filter, New, Open, Quit, Rename};
        self.laid_out = Some(LaidOutList {
            filter: form.note.clone(),
            in_archive: self.in_archive,
        });

        // Only games that this is a part of are listed.
        let sought = fold(&form.note);
        let found = self.games.iter().enumerate().filter(|(_, game)| {
            let words = format!("{} {}", game.name, game.about);
            fold(&words).contains(&sought)
        });
        let rows = found.map(|(place, game)| {
            let played = self.zone.day_and_time(game.played);
            Row::item(id_of(place), game.name.clone(), game.about.clone()).beside(played)
        });
        form.lay_out(rows.collect());
        form.title = if self.in_archive {
            "The archive".to_owned()
        } else {
            self.library.title()
        };
        let [begins, has_code] = [New, Code].map(|action| self.library.offers(action));
        form.hinted_actions = match (self.in_archive, self.games.is_empty()) {
            (true, true) => &[Archived, Quit],
            (true, false) => &[Archive, Filter, Archived, Quit],
            (false, true) if has_code && begins => &[New, Code, Quit],
            (false, true) if has_code => &[Code, Quit],
            (false, true) if begins => &[New, Archived, Quit],
            (false, true) => &[Quit],
            (false, false) if has_code && begins => &[Open, New, Code, Filter, Quit],
            (false, false) if has_code => &[Open, Code, Filter, Quit],
            (false, false) if !begins => &[Open, Filter, Quit],
            (false, false) => &[
                Open, New, Filter, Duplicate, Rename, Archive, Archived, Quit,
            ],
        };
        form.empty_text = match (self.in_archive, sought.is_empty()) {
            (false, true) if has_code => "No game expects you yet: c takes a code from a GM.",
            (false, true) if begins => "No game is kept here yet: n makes one.",
            (false, true) => {
                "No game expects you yet. Who joins with a key of their own takes a code from a GM here."
            }
            (true, true) => "The archive is empty.",
            (_, false) => "No game is called like that.",
        };
    }

    /// The name of the game that keys act on.
    fn name(form: &Form) -> Option<String> {
        Some(form.rows.get(form.focus)?.label.to_string())
    }

    /// Looks into the game that keys act on.
    fn look_into(&mut self, form: &Form) {
        let name = Self::name(form).unwrap_or_default();
        if name != self.preview.0 {
            let lines = self.library.preview(&name, self.in_archive);
            let blocks = lines.into_iter().map(|line| {
                let is_beneath = line.starts_with(' ');
                let role = if is_beneath { Role::Muted } else { Role::Text };
                Block::Parts(vec![(role, line)])
            });
            self.preview = (name, blocks.collect());
        }
    }

    /// Opens a form, and does with the library what is filled in there.
    fn ask(
        &self,
        form: Form,
        refresh: impl Fn(&mut Form) + Send + 'static,
        done: impl Fn(&dyn Library, &Form) -> Result<(), String> + Send + 'static,
    ) -> DialogAction {
        let library = Arc::clone(&self.library);
        let spec = (
            move |form: &mut Form, _: &SeatView<'_>| refresh(form),
            move |form: &Form, _: &SeatView<'_>| {
                done(&*library, form)?;
                Ok(DialogAction::Close)
            },
        );
        DialogAction::Open(Dialog::without_view(form, spec).into())
    }

    /// Asks for a name beside that of a game, and does that with the two.
    fn ask_name(
        &self,
        title: String,
        begins: &str,
        named: impl Fn(&dyn Library, &str) -> Result<(), String> + Send + 'static,
    ) -> DialogAction {
        let form = Form::new(title, vec![name_row(begins)]);
        let done = move |library: &dyn Library, form: &Form| named(library, &form.text("name"));
        self.ask(form, |_| {}, done)
    }
}

impl DialogSpec for GamesDialog {
    fn refresh(&mut self, form: &mut Form, _view: &SeatView<'_>) {
        self.list_if_changed(form);
        self.look_into(form);
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        _view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let action = event.try_as_action_ref()?;
        let name = Self::name(form);
        if !matches!(action, Action::Close) && !self.library.offers(*action) {
            let why = "a lobby takes codes, from who came over SSH with a key";
            form.problem = (*action == Action::Code).then(|| why.to_owned());
            return None;
        }
        form.problem = None;
        match (*action, name) {
            (Action::Code, _) => {
                let row = Row::text("code", "Code", "", 40)
                    .hint("as in 7H2K-Q4YJ-C6VB")
                    .help("As the GM told it; it works once.");
                let form = Form::new("Take a seat", vec![row]);
                let redeem =
                    |library: &dyn Library, form: &Form| library.redeem(&form.text("code"));
                return Some(self.ask(form, |_| {}, redeem));
            }
            (Action::Filter, _) => {
                let line = filter_line(&form.note, "a part of its name");
                return Some(DialogAction::Open(line.into()));
            }
            (Action::New, _) => {
                let systems = self.library.systems();
                let names = systems.iter().map(|(name, found)| match found {
                    Ok(system) => system.spec().name.to_owned(),
                    Err(_) => format!("{name} (broken)"),
                });
                let begins = ["an empty party", "the sample game"];
                let rows = vec![
                    name_row("").help("It is kept in a folder of this name."),
                    Row::choice("system", "System", names, 0),
                    Row::choice("begins", "Begins with", begins, 0)
                        .help("A sample game has a party, clocks and a few rolls to look at."),
                ];
                let form = Form::new("New game", rows);
                let of_form = systems.clone();
                let credit = move |form: &mut Form| {
                    let picked = of_form.get(form.choice("system"));
                    let spec = picked.and_then(|(_, found)| Some(found.as_ref().ok()?.spec()));
                    let about = spec.map(|spec| format!("{} {}", spec.about, spec.credit));
                    if let Some(row) = form.row_mut("system") {
                        row.help = about.unwrap_or_default().into();
                    }
                };
                let create = move |library: &dyn Library, form: &Form| {
                    let system = systems.get(form.choice("system"));
                    let (_, system) = system.ok_or("there is no such system")?;
                    library.create(&form.text("name"), system.clone()?, form.is_on("begins"))
                };
                return Some(self.ask(form, credit, create));
            }
            (Action::Duplicate, Some(from)) if !self.in_archive => {
                let (title, begins) = (format!("Another {from}"), format!("{from} 2"));
                let duplicate = move |all: &dyn Library, name: &str| all.duplicate(&from, name);
                return Some(self.ask_name(title, &begins, duplicate));
            }
            (Action::Rename, Some(from)) if !self.in_archive => {
                let (title, begins) = (format!("Rename {from}"), from.clone());
                let rename = move |all: &dyn Library, name: &str| all.rename(&from, name);
                return Some(self.ask_name(title, &begins, rename));
            }
            // It can be taken out again, so nothing is asked.
            (Action::Archive | Action::Delete, Some(name)) => {
                let done = if self.in_archive {
                    self.library.restore(&name)
                } else {
                    self.put_away(&name)
                };
                form.problem = done.err();
                self.read(form);
            }
            (Action::Close, _) if !form.note.is_empty() => form.note.clear(),
            (Action::Close, _) if !self.in_archive && self.library.offers(Action::Archived) => {
                match self.before.as_deref() {
                    None => return Some(DialogAction::Games),
                    Some("") => {
                        let why = "the game that was open is put away: Enter opens another";
                        form.problem = Some(why.to_owned());
                    }
                    Some(name) => return Some(DialogAction::OpenGame(name.to_owned())),
                }
            }
            (Action::Close, _) if !self.in_archive => {}
            (Action::Archived | Action::Close, _) => {
                self.in_archive = !self.in_archive;
                form.note.clear();
                self.read(form);
            }
            (Action::Quit, _) => return Some(DialogAction::Quit),
            _ => return None,
        }
        Some(DialogAction::Stay)
    }

    /// Opens the game that keys act on.
    fn submit(&mut self, form: &mut Form, _view: &SeatView<'_>) -> Result<DialogAction, String> {
        match Self::name(form) {
            Some(_) if self.in_archive => Err("a takes it out of the archive first".to_owned()),
            Some(name) => Ok(DialogAction::OpenGame(name)),
            None => Ok(DialogAction::Stay),
        }
    }

    fn on_change(&mut self, form: &mut Form, _view: &SeatView<'_>) -> Option<Dialog> {
        let new = self.read(form);
        if let Some(before) = self.before.as_mut().filter(|name| !name.is_empty())
            && !self.in_archive
            && self.games.iter().all(|game| game.name != *before)
        {
            // It was given another name.
            *before = new.unwrap_or_default();
        }
        None
    }

    fn blocks(&self, _form: &Form, view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        // In a lobby what is seen is the host.
        let is_lobby = self.library.offers(Action::Code);
        let clocks = view.clocks().filter(|_| is_lobby);
        let told = |line| Block::Parts(vec![(Role::Text, line)]);
        let clocks = clocks.map(|clock| told(format!("The host: {}", clock_line(&clock))));
        clocks.chain(self.preview.1.iter().cloned()).collect()
    }
}

fn name_row(name: &str) -> Row {
    Row::text("name", "Name", name, LONGEST_GAME_NAME)
        .needed()
        .hint("any name you like")
}

#[cfg(test)]
mod tests;
