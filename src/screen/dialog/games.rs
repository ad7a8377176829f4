//! The list of games, before any is open: found by a few letters, looked into, made, named, put away.

mod draw;
mod library;

use std::time::Duration;

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::layout::{Position, Rect};
use signal_hook::consts::{SIGCONT, SIGTSTP};

pub use library::{Game, Library};

use super::confirm::Question;
use super::form::{Form, Row, Went};
use super::{DialogEvent, Touched};
use crate::rules::System;
use crate::screen::action::{Action, Context};
use crate::screen::bounded;
use crate::screen::display::Display;
use crate::screen::input::{ExitReason, Flow, Input};
use crate::screen::input::{Key, Mouse, MouseKind, Parser, Typed};
use crate::screen::list::{Cursor as _, List};
use crate::screen::setup::Setup;
use crate::screen::widget::field::Field;
use crate::store::LONGEST_NAME;

const LONGEST: usize = 100;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picked {
    /// The game of that name.
    Game(String),
    Nothing(ExitReason),
}

/// What a name is typed for.
#[derive(Clone, Debug)]
enum Naming {
    New,
    /// Another name for that game.
    Rename(String),
    /// A game like that one.
    Duplicate(String),
}

/// What keys go to.
#[derive(Debug, Default)]
enum Mode {
    #[default]
    Browse,
    Search,
    /// A name, and what else a game is made of.
    Name(Naming, Form),
    /// Whether that game goes into the archive.
    Archive(String, Question),
}

/// The games to pick from, and where one is among them.
struct Games<'a> {
    library: &'a mut dyn Library,
    known: Vec<Game>,
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
    picked: Option<Picked>,
    flow: Flow,
    /// Whether everything is to be drawn anew.
    is_drawn_anew: bool,
}

impl Games<'_> {
    /// Reads the library anew, and goes to that game.
    fn look_again(&mut self, name: Option<&str>) {
        self.known = if self.in_archive {
            self.library.archived()
        } else {
            self.library.games()
        };
        self.preview.0.clear();
        self.find();
        let at = name.and_then(|name| self.known.iter().position(|game| game.name == name));
        if let Some(at) = at {
            self.list.select(at);
        }
    }

    /// Finds again after the search or the library changed, the best first.
    fn find(&mut self) {
        let sought = self.search.value().trim();
        let mut matcher = Matcher::new(Config::DEFAULT);
        let pattern = Pattern::parse(sought, CaseMatching::Ignore, Normalization::Smart);
        let mut letters = Vec::new();
        let mut scored: Vec<(u32, usize)> = Vec::new();
        for (index, game) in self.known.iter().enumerate() {
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
    }

    fn search_for(&mut self, text: &str) {
        self.search.set(text);
        self.find();
    }

    fn lines(&self) -> Vec<Option<usize>> {
        self.found.iter().copied().map(Some).collect()
    }

    fn game(&self) -> Option<&Game> {
        let id = self.list.id().filter(|id| self.found.contains(id));
        id.and_then(|id| self.known.get(id))
    }

    fn contexts(&self) -> &'static [Context] {
        match &self.mode {
            Mode::Browse => Context::Games.chain(),
            Mode::Search => Context::Picker.chain(),
            Mode::Name(_, form) => form.contexts(),
            Mode::Archive(..) => Context::Confirm.chain(),
        }
    }

    fn press(&mut self, key: Key) {
        self.notice = None;
        let (before, key) = self.setup.keymap.unfold(self.contexts(), key);
        for key in before.into_iter().chain([key]) {
            let action = self.setup.keymap.action(self.contexts(), key);
            let letter = key.letter().filter(|letter| !letter.is_control());
            match (&self.mode, letter, action) {
                (Mode::Search, Some(letter), _) => self.type_in(&letter.to_string()),
                (Mode::Name(_, form), Some(_), _) if form.takes_letters() => {
                    self.handle(&DialogEvent::Key(key));
                }
                (_, _, Some(Action::Suspend)) => self.flow = Flow::Suspend,
                (_, _, Some(Action::Redraw)) => self.is_drawn_anew = true,
                (_, _, Some(Action::QuitNow)) => self.flow = Flow::Leave(ExitReason::Quit),
                (Mode::Browse, _, Some(action)) => self.act_in_list(action),
                (Mode::Search, _, Some(action)) => self.act_in_search(action),
                (_, _, Some(action)) => self.handle(&DialogEvent::Action(action)),
                (_, _, None) => self.handle(&DialogEvent::Key(key)),
            }
        }
    }

    fn type_in(&mut self, text: &str) {
        if matches!(self.mode, Mode::Search) {
            self.search.paste(text);
            self.find();
        } else {
            self.handle(&DialogEvent::Paste(text.to_owned()));
        }
    }

    /// Hands something to what is on top of the list.
    fn handle(&mut self, event: &DialogEvent) {
        match &mut self.mode {
            Mode::Browse | Mode::Search => {}
            Mode::Name(_, form) => match form.handle(event) {
                Went::Left => self.mode = Mode::Browse,
                Went::Submitted => self.give_name(),
                Went::On | Went::Changed | Went::Stepped(_) => {}
            },
            Mode::Archive(name, question) => match question.answer(event) {
                Some(true) => {
                    let name = std::mem::take(name);
                    self.mode = Mode::Browse;
                    let done = self.library.archive(&name);
                    self.tell(done, format!("{name} is in the archive"), None);
                }
                Some(false) => self.mode = Mode::Browse,
                None => {}
            },
        }
    }

    fn walk(&mut self, action: Action, page: isize) -> bool {
        let by = match action {
            Action::Up => -1,
            Action::Down => 1,
            Action::PageUp => -page,
            Action::PageDown => page,
            Action::First => isize::MIN / 2,
            Action::Last => isize::MAX / 2,
            _ => return false,
        };
        self.list.find(self.lines());
        self.list.step(by);
        true
    }

    fn act_in_search(&mut self, action: Action) {
        match action {
            Action::Open | Action::Submit => {
                self.mode = Mode::Browse;
                self.open();
            }
            Action::Close => {
                self.mode = Mode::Browse;
                self.search_for("");
            }
            action if self.walk(action, PAGE) => {}
            action => {
                self.search.apply(action);
                self.find();
            }
        }
    }

    fn act_in_list(&mut self, action: Action) {
        let name = self.game().map(|game| game.name.clone());
        match (action, name) {
            (Action::Open, _) => self.open(),
            (Action::Filter, _) => self.mode = Mode::Search,
            (Action::New, _) => {
                let systems = System::ALL.map(|system| system.spec().name);
                let begins = ["an empty party", "the sample game"];
                let rows = vec![
                    named("").help("It is kept in a folder of this name."),
                    Row::choice("system", "System", systems, 0).help("The rules it is played by."),
                    Row::choice("begins", "Begins with", begins, 0)
                        .help("A sample game has a party, clocks and a few rolls to look at."),
                ];
                self.mode = Mode::Name(Naming::New, Form::new("New game", rows));
            }
            (Action::Archived, _) => {
                self.in_archive = !self.in_archive;
                self.search.set("");
                self.look_again(None);
            }
            (Action::Close, _) if !self.search.value().is_empty() => self.search_for(""),
            (Action::Close, _) if self.in_archive => {
                self.in_archive = false;
                self.look_again(None);
            }
            (Action::Quit | Action::Close, _) => self.flow = Flow::Leave(ExitReason::Quit),
            (Action::Archive | Action::Delete, Some(name)) if self.in_archive => {
                let done = self.library.restore(&name);
                self.tell(done, format!("{name} is back"), None);
            }
            (Action::Archive | Action::Delete, Some(name)) => {
                let words = format!("Put {name} into the archive? It can be taken out again.");
                self.mode = Mode::Archive(name, Question::new(words));
            }
            (Action::Duplicate, Some(name)) if !self.in_archive => {
                let rows = vec![named(&format!("{name} 2"))];
                let form = Form::new(format!("Another {name}"), rows);
                self.mode = Mode::Name(Naming::Duplicate(name), form);
            }
            (Action::Rename, Some(name)) if !self.in_archive => {
                let form = Form::new(format!("Rename {name}"), vec![named(&name)]);
                self.mode = Mode::Name(Naming::Rename(name), form);
            }
            (action, _) => {
                self.walk(action, PAGE);
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
        let Mode::Name(naming, form) = &mut self.mode else {
            return;
        };
        let name = form.text("name");
        let (done, words) = match naming {
            Naming::New => {
                let system = System::ALL.get(form.choice("system")).copied();
                let system = system.unwrap_or(System::HeartRush);
                let done = self
                    .library
                    .create(&name, system, form.choice("begins") == 1);
                (done, format!("{name} is made; Enter opens it"))
            }
            Naming::Rename(from) => (
                self.library.rename(from, &name),
                format!("{from} is called {name} now"),
            ),
            Naming::Duplicate(from) => (
                self.library.duplicate(from, &name),
                format!("{name} is another {from}"),
            ),
        };
        if let Err(why) = done {
            form.problem = Some(why);
            return;
        }
        self.mode = Mode::Browse;
        self.in_archive = false;
        self.search.set("");
        self.tell(done, words, Some(&name));
    }

    fn tell(&mut self, done: Result<(), String>, words: String, name: Option<&str>) {
        self.notice = Some(done.err().unwrap_or(words));
        self.look_again(name);
    }

    /// The mouse: the first press selects a game, the second opens it.
    fn click(&mut self, touched: Option<Touched>, at: Position) {
        match (&self.mode, touched) {
            (Mode::Browse | Mode::Search, Some(Touched::Row(line))) => {
                let game = self.found.get(line).copied();
                if self.list.id() == game {
                    self.open();
                }
                if let Some(game) = game {
                    self.list.select(game);
                }
            }
            (Mode::Browse | Mode::Search, _) => {}
            _ => self.handle(&DialogEvent::Click { at, touched }),
        }
    }

    /// Brings the cursor into sight, and looks into its game.
    fn settle(&mut self, room: usize) {
        self.list.find(self.lines());
        self.list.scroll(1, room);
        let name = self.game().map(|game| game.name.clone());
        let name = name.unwrap_or_default();
        if name != self.preview.0 {
            let shown = if name.is_empty() {
                Vec::new()
            } else {
                self.library.preview(&name, self.in_archive)
            };
            self.preview = (name, shown);
        }
    }
}

/// So many games further is the next page.
const PAGE: isize = 10;

fn named(name: &str) -> Row {
    Row::text("name", "Name", name, LONGEST_NAME).hint("friday")
}

/// A screen that shows games to pick from.
pub(in crate::screen) struct Picker<'a> {
    games: Games<'a>,
    display: Display,
    parser: Parser,
    size: (u16, u16),
    is_stale: bool,
    /// What the mouse finds where in the last frame.
    hits: Vec<(Rect, Touched)>,
}

impl<'a> Picker<'a> {
    /// The games of that library, on a terminal of that size.
    pub(in crate::screen) fn new(
        library: &'a mut dyn Library,
        setup: Setup,
        size: (u16, u16),
    ) -> Self {
        let size = bounded(size);
        let display = Display::new(size.0, size.1, setup.depth).ascii(setup.ascii);
        let mut games = Games {
            library,
            known: Vec::new(),
            found: Vec::new(),
            in_archive: false,
            search: Field::new("", LONGEST),
            mode: Mode::default(),
            notice: None,
            preview: (String::new(), Vec::new()),
            setup,
            list: List::default(),
            picked: None,
            flow: Flow::Stay,
            is_drawn_anew: false,
        };
        games.look_again(None);
        Self {
            games,
            display,
            parser: Parser::default(),
            size,
            is_stale: true,
            hits: Vec::new(),
        }
    }

    pub(in crate::screen) fn handle(&mut self, input: Input) {
        let mut typed = Vec::new();
        let flow = &mut self.games.flow;
        match input {
            Input::Bytes(bytes) => self.parser.feed(&bytes, &mut typed),
            Input::Silence => self.parser.flush(&mut typed),
            Input::Resize(width, height) => self.resize((width, height)),
            Input::Signal(SIGTSTP) => flow.turn(Flow::Suspend),
            Input::Signal(SIGCONT) => flow.turn(Flow::Resume),
            Input::Signal(signal) => flow.turn(Flow::Leave(ExitReason::Signal(signal))),
            Input::Closed => flow.turn(Flow::Leave(ExitReason::InputClosed)),
            Input::Changed(_) | Input::Saving | Input::Learned(_) => {}
        }
        for typed in typed {
            self.is_stale = true;
            match typed {
                Typed::Key(key) => self.games.press(key),
                Typed::Mouse(mouse) => self.point(mouse),
                Typed::Paste(text) => self.games.type_in(&text),
            }
        }
    }

    fn point(&mut self, mouse: Mouse) {
        let at = Position::new(mouse.column, mouse.row);
        let action = match mouse.kind {
            MouseKind::Press => {
                let mut hits = self.hits.iter().rev();
                let touched = hits.find(|(area, _)| area.contains(at));
                return self.games.click(touched.map(|(_, touched)| *touched), at);
            }
            MouseKind::ScrollUp => Action::Up,
            MouseKind::ScrollDown => Action::Down,
            MouseKind::Release | MouseKind::Drag => return,
        };
        match self.games.mode {
            Mode::Browse | Mode::Search => {
                self.games.walk(action, PAGE);
            }
            Mode::Name(..) | Mode::Archive(..) => {
                self.games.handle(&DialogEvent::Action(action));
            }
        }
    }

    /// How long to wait for the rest of a key.
    pub(in crate::screen) fn patience(&self) -> Option<Duration> {
        self.parser.patience()
    }

    /// What it wants of the terminal, once.
    pub(in crate::screen) fn take_wish(&mut self) -> Flow {
        std::mem::take(&mut self.games.flow)
    }

    /// Whether nothing was picked and nothing else is to be done.
    pub(in crate::screen) fn is_waiting(&self) -> bool {
        self.games.picked.is_none() && matches!(self.games.flow, Flow::Stay)
    }

    pub(in crate::screen) fn take_picked(&mut self) -> Option<Picked> {
        self.games.picked.take()
    }

    /// Forgets what the terminal shows.
    pub(in crate::screen) fn resume(&mut self, size: (u16, u16)) {
        self.resize(size);
        self.display.forget();
    }

    fn resize(&mut self, size: (u16, u16)) {
        self.size = bounded(size);
        self.display.resize(self.size.0, self.size.1);
        self.is_stale = true;
    }

    /// What is to be written to the terminal.
    pub(in crate::screen) fn frame(&mut self) -> Vec<u8> {
        if !std::mem::take(&mut self.is_stale) {
            return Vec::new();
        }
        let (list, _) = draw::areas(Rect::new(0, 0, self.size.0, self.size.1));
        self.games.settle(list.height.saturating_sub(1).into());
        if std::mem::take(&mut self.games.is_drawn_anew) {
            self.display.forget();
        }
        let (games, hits) = (&self.games, &mut self.hits);
        hits.clear();
        self.display.frame(|paper| {
            paper.reset();
            (games.draw(paper, hits), vec![paper.area])
        })
    }
}

#[cfg(test)]
mod tests;
