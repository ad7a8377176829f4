//! The list of games, before any is open: found by a few letters, looked into, made, named, put away.

mod act;
mod draw;
mod shelf;

use std::time::Duration;

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::layout::Rect;
use signal_hook::consts::{SIGCONT, SIGTSTP};

pub use shelf::{Game, Shelf};

use super::action::{Action, Context};
use super::bounded;
use super::display::Display;
use super::input::{ExitReason, Flow, Input};
use super::input::{Key, MouseKind, Parser, Typed};
use super::list::{Cursor as _, List};
use super::setup::Setup;
use super::widget::field::Field;
use crate::rules::System;

/// The longest search.
const LONGEST: usize = 100;

/// The keys that count in the list: its own, and those of any list.
const GAMES: &[Context] = Context::Games.chain();

/// What was picked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picked {
    /// The game of that name.
    Game(String),
    /// None.
    Nothing(ExitReason),
}

/// What a name is typed for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Naming {
    /// A new game of that system, with its sample or empty.
    New(System, bool),
    /// Another name for that game.
    Rename(String),
    /// A game like that one.
    Duplicate(String),
}

/// What keys go to.
#[derive(Clone, Debug, Default)]
enum Mode {
    /// The list.
    #[default]
    Browse,
    /// The search.
    Search,
    /// The systems that a new game may have, and what it begins with.
    Begin(List<usize>),
    /// A name, and what is wrong with it.
    Name(Naming, Field, Option<String>),
    /// Whether that game goes into the archive.
    Confirm(String),
}

/// A screen that shows games to pick from.
pub(super) struct Picker<'a> {
    shelf: &'a mut dyn Shelf,
    games: Vec<Game>,
    /// The games found, by their places among all.
    found: Vec<usize>,
    /// Whether the archive is looked at.
    in_archive: bool,
    search: Field,
    mode: Mode,
    notice: Option<String>,
    /// The game looked into, and what there is to see.
    preview: (String, Vec<String>),
    setup: Setup,
    list: List<usize>,
    display: Display,
    parser: Parser,
    size: (u16, u16),
    is_stale: bool,
    wish: Flow,
    picked: Option<Picked>,
}

/// What a new game may begin with: every system, empty or with its sample.
fn beginnings() -> Vec<(System, bool)> {
    let both = |system| [(system, false), (system, true)];
    System::ALL.into_iter().flat_map(both).collect()
}

impl<'a> Picker<'a> {
    /// The games of that shelf, on a terminal of that size.
    pub(super) fn new(shelf: &'a mut dyn Shelf, setup: Setup, size: (u16, u16)) -> Self {
        let size = bounded(size);
        let display = Display::new(size.0, size.1, setup.depth).ascii(setup.ascii);
        let mut picker = Self {
            shelf,
            games: Vec::new(),
            found: Vec::new(),
            in_archive: false,
            search: Field::new("", LONGEST),
            mode: Mode::default(),
            notice: None,
            preview: (String::new(), Vec::new()),
            setup,
            list: List::default(),
            display,
            parser: Parser::default(),
            size,
            is_stale: true,
            wish: Flow::Stay,
            picked: None,
        };
        picker.look_again(None);
        picker
    }

    /// Reads the shelf anew, and goes to that game.
    fn look_again(&mut self, name: Option<&str>) {
        self.games = if self.in_archive {
            self.shelf.archived()
        } else {
            self.shelf.games()
        };
        self.preview.0.clear();
        self.find();
        let at = name.and_then(|name| self.games.iter().position(|game| game.name == name));
        if let Some(at) = at {
            self.list.select(at);
        }
    }

    /// Finds again after the search or the shelf changed, the best first.
    fn find(&mut self) {
        let sought = self.search.value().trim();
        let mut matcher = Matcher::new(Config::DEFAULT);
        let pattern = Pattern::parse(sought, CaseMatching::Ignore, Normalization::Smart);
        let mut letters = Vec::new();
        let mut scored: Vec<(u32, usize)> = Vec::new();
        for (index, game) in self.games.iter().enumerate() {
            let words = format!("{} {}", game.name, game.about);
            let score = pattern.score(Utf32Str::new(&words, &mut letters), &mut matcher);
            scored.extend(score.map(|score| (score, index)));
        }
        if !sought.is_empty() {
            scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        }
        self.found = scored.into_iter().map(|(_, index)| index).collect();
        let first = self.found.first().copied();
        if let Some(first) = first.filter(|_| !sought.is_empty()) {
            self.list.select(first);
        }
        self.is_stale = true;
    }

    fn lines(&self) -> Vec<Option<usize>> {
        self.found.iter().copied().map(Some).collect()
    }

    fn game(&self) -> Option<&Game> {
        let id = self.list.id().filter(|id| self.found.contains(id));
        id.and_then(|id| self.games.get(id))
    }

    fn contexts(&self) -> &'static [Context] {
        match self.mode {
            Mode::Browse => GAMES,
            Mode::Search => Context::Picker.chain(),
            Mode::Begin(_) => Context::List.chain(),
            Mode::Name(..) => Context::Field.chain(),
            Mode::Confirm(_) => Context::Confirm.chain(),
        }
    }

    /// Hears something.
    pub(super) fn hear(&mut self, input: Input) {
        let mut typed = Vec::new();
        match input {
            Input::Bytes(bytes) => self.parser.feed(&bytes, &mut typed),
            Input::Silence => self.parser.flush(&mut typed),
            Input::Resize(width, height) => self.resize((width, height)),
            Input::Signal(SIGTSTP) => self.wish.turn(Flow::Suspend),
            Input::Signal(SIGCONT) => self.wish.turn(Flow::Resume),
            Input::Signal(signal) => self.wish.turn(Flow::Leave(ExitReason::Signal(signal))),
            Input::Closed => self.wish.turn(Flow::Leave(ExitReason::InputClosed)),
            Input::Changed(_) | Input::Saving | Input::Learned(_) => {}
        }
        for typed in typed {
            self.is_stale = true;
            match typed {
                Typed::Key(key) => self.press(key),
                Typed::Mouse(mouse) => match mouse.kind {
                    MouseKind::ScrollUp => self.step(-1),
                    MouseKind::ScrollDown => self.step(1),
                    MouseKind::Press => self.click(mouse.row),
                    MouseKind::Release | MouseKind::Drag => {}
                },
                Typed::Paste(text) => self.type_in(&text),
            }
        }
    }

    fn step(&mut self, by: isize) {
        if let Mode::Begin(list) = &mut self.mode {
            list.step(by);
        } else {
            self.list.find(self.lines());
            self.list.step(by);
        }
    }

    /// The first press selects a game, the second opens it.
    fn click(&mut self, y: u16) {
        if !matches!(self.mode, Mode::Browse | Mode::Search) {
            return;
        }
        let list = self.list_area();
        let line = y.checked_sub(list.y + 1).map(usize::from);
        let line = line.map(|line| line + self.list.top());
        if let Some(game) = line.and_then(|line| self.found.get(line)).copied() {
            if self.list.id() == Some(game) {
                self.open();
            }
            self.list.select(game);
        }
    }

    fn type_in(&mut self, text: &str) {
        match &mut self.mode {
            Mode::Search => {
                self.search.paste(text);
                self.find();
            }
            Mode::Name(_, field, problem) => {
                field.paste(text);
                *problem = None;
            }
            Mode::Browse | Mode::Begin(_) | Mode::Confirm(_) => {}
        }
    }

    fn press(&mut self, key: Key) {
        self.notice = None;
        let (before, key) = self.setup.keymap.unfold(self.contexts(), key);
        for key in before.into_iter().chain([key]) {
            let types = matches!(self.mode, Mode::Search | Mode::Name(..));
            if let Some(letter) = key.letter().filter(|letter| types && !letter.is_control()) {
                self.type_in(&letter.to_string());
                continue;
            }
            match self.setup.keymap.action(self.contexts(), key) {
                Some(Action::Suspend) => self.wish = Flow::Suspend,
                Some(Action::Redraw) => self.resume(self.size),
                Some(Action::QuitNow) => self.wish = Flow::Leave(ExitReason::Quit),
                Some(action) => self.act(action),
                None => {}
            }
        }
    }

    fn open(&mut self) {
        match self.game() {
            Some(_) if self.in_archive => {
                self.notice = Some("take it out of the archive first".to_owned());
            }
            Some(game) => self.picked = Some(Picked::Game(game.name.clone())),
            None => {}
        }
    }

    /// Takes the name that was typed; what is wrong with it is said, and it stays.
    fn give_name(&mut self) {
        let Mode::Name(naming, field, _) = &self.mode else {
            return;
        };
        let name = field.value().trim().to_owned();
        let (done, words) = match naming.clone() {
            Naming::New(system, sample) => (
                self.shelf.create(&name, system, sample),
                format!("{name} is made; Enter opens it"),
            ),
            Naming::Rename(from) => (
                self.shelf.rename(&from, &name),
                format!("{from} is called {name} now"),
            ),
            Naming::Duplicate(from) => (
                self.shelf.duplicate(&from, &name),
                format!("{name} is another {from}"),
            ),
        };
        if let (Err(why), Mode::Name(_, _, problem)) = (&done, &mut self.mode) {
            *problem = Some(why.clone());
            return;
        }
        self.mode = Mode::Browse;
        self.in_archive = false;
        self.search.set("");
        self.told(done, words, Some(&name));
    }

    fn told(&mut self, done: Result<(), String>, words: String, name: Option<&str>) {
        self.notice = Some(done.err().unwrap_or(words));
        self.look_again(name);
    }

    /// How long to wait for the rest of a key.
    pub(super) fn patience(&self) -> Option<Duration> {
        self.parser.patience()
    }

    /// What it wants of the terminal, once.
    pub(super) fn take_wish(&mut self) -> Flow {
        std::mem::take(&mut self.wish)
    }

    /// Whether nothing was picked and nothing else is to be done.
    pub(super) fn is_waiting(&self) -> bool {
        self.picked.is_none() && matches!(self.wish, Flow::Stay)
    }

    /// What was picked, once.
    pub(super) fn take_picked(&mut self) -> Option<Picked> {
        self.picked.take()
    }

    /// Forgets what the terminal shows.
    pub(super) fn resume(&mut self, size: (u16, u16)) {
        self.resize(size);
        self.display.forget();
        self.is_stale = true;
    }

    fn resize(&mut self, size: (u16, u16)) {
        self.size = bounded(size);
        self.display.resize(self.size.0, self.size.1);
        self.is_stale = true;
    }

    fn list_area(&self) -> Rect {
        draw::areas(Rect::new(0, 0, self.size.0, self.size.1)).0
    }

    fn room(&self) -> usize {
        self.list_area().height.saturating_sub(1).into()
    }

    /// What is to be written to the terminal.
    pub(super) fn frame(&mut self) -> Vec<u8> {
        if !std::mem::take(&mut self.is_stale) {
            return Vec::new();
        }
        let lines = self.lines();
        self.list.find(lines);
        self.list.scroll(self.room());
        let name = self
            .game()
            .map(|game| game.name.clone())
            .unwrap_or_default();
        if name != self.preview.0 {
            let shown = if name.is_empty() {
                Vec::new()
            } else {
                self.shelf.preview(&name, self.in_archive)
            };
            self.preview = (name, shown);
        }
        let view = draw::View {
            games: &self.games,
            found: &self.found,
            in_archive: self.in_archive,
            search: &self.search,
            mode: &self.mode,
            notice: self.notice.as_deref(),
            preview: &self.preview.1,
            setup: &self.setup,
            list: &self.list,
        };
        self.display.frame(|paper| {
            paper.reset();
            (view.draw(paper), vec![paper.area])
        })
    }
}

#[cfg(test)]
mod tests;
