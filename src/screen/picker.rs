//! A list of games to pick from, before any is open.

use std::time::Duration;

use chrono::{DateTime, Utc};
use ratatui::Terminal;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;
use signal_hook::consts::{SIGCONT, SIGTSTP};

use super::action::{Action, Context};
use super::backend::AnsiBackend;
use super::inbox::{Input, Leaving, Wish};
use super::input::{Key, MouseKind, Parser, Typed};
use super::list::List;
use super::one::bounded;
use super::setup::Setup;
use super::theme::Role;
use super::widget::grid::{Column, Grid, Row, Width};
use super::widget::hints::Hints;
use super::widget::row;

/// The keys that count: those of lists, and of everywhere.
const CONTEXTS: &[Context] = Context::List.chain();

/// A game that can be picked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its name.
    pub name: String,
    /// What stands beside it: the system, the scene, why it cannot be opened.
    pub about: String,
    /// When it was played last.
    pub played: Option<DateTime<Utc>>,
}

/// What was picked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picked {
    /// The game of that place in the list.
    Game(usize),
    /// A new one.
    New,
    /// None.
    Nothing(Leaving),
}

/// A screen that shows games to pick from.
pub(super) struct Picker {
    games: Vec<Game>,
    setup: Setup,
    list: List<usize>,
    terminal: Terminal<AnsiBackend>,
    parser: Parser,
    size: (u16, u16),
    is_stale: bool,
    wish: Wish,
    picked: Option<Picked>,
}

impl Picker {
    /// A list of these games, on a terminal of that size.
    pub(super) fn new(games: Vec<Game>, setup: Setup, size: (u16, u16)) -> Self {
        let size = bounded(size);
        let backend = AnsiBackend::new(size.0, size.1, setup.depth).ascii(setup.ascii);
        let Ok(terminal) = Terminal::new(backend);
        Self {
            games,
            setup,
            list: List::default(),
            terminal,
            parser: Parser::default(),
            size,
            is_stale: true,
            wish: Wish::Stay,
            picked: None,
        }
    }

    fn lines(&self) -> Vec<Option<usize>> {
        (0..self.games.len()).map(Some).collect()
    }

    /// Hears something.
    pub(super) fn hear(&mut self, input: Input) {
        let mut typed = Vec::new();
        match input {
            Input::Bytes(bytes) => self.parser.feed(&bytes, &mut typed),
            Input::Silence => self.parser.flush(&mut typed),
            Input::Resize(width, height) => self.resize((width, height)),
            Input::Signal(SIGTSTP) => self.wish = Wish::Suspend,
            Input::Signal(SIGCONT) => self.wish = Wish::Resume,
            Input::Signal(signal) => self.wish = Wish::Leave(Leaving::Signal(signal)),
            Input::Closed => self.wish = Wish::Leave(Leaving::InputClosed),
            Input::Changed(_) | Input::Saving | Input::Learned(_) => {}
        }
        for typed in typed {
            match typed {
                Typed::Key(key) => self.press(key),
                Typed::Mouse(mouse) => match mouse.kind {
                    MouseKind::ScrollUp => self.step(-1),
                    MouseKind::ScrollDown => self.step(1),
                    MouseKind::Press => self.click(mouse.row),
                    MouseKind::Release | MouseKind::Drag => {}
                },
                Typed::Paste(_) => {}
            }
        }
    }

    fn step(&mut self, by: isize) {
        let lines = self.lines();
        self.list.step(by, &lines);
        self.is_stale = true;
    }

    /// The first press selects a game, the second opens it.
    fn click(&mut self, y: u16) {
        let list = self.list_area();
        let line = y.checked_sub(list.y + 1).map(usize::from);
        let game = line.map(|line| line + self.list.top());
        if let Some(game) = game.filter(|game| *game < self.games.len()) {
            if self.list.id() == Some(game) {
                self.picked = Some(Picked::Game(game));
            }
            self.list.select(game);
            self.is_stale = true;
        }
    }

    fn press(&mut self, key: Key) {
        let page = isize::try_from(self.room()).unwrap_or(1);
        match self.setup.keymap.action(CONTEXTS, key) {
            Some(Action::Up) => self.step(-1),
            Some(Action::Down) => self.step(1),
            Some(Action::PageUp) => self.step(-page),
            Some(Action::PageDown) => self.step(page),
            Some(Action::First) => self.step(isize::MIN / 2),
            Some(Action::Last) => self.step(isize::MAX / 2),
            Some(Action::Open) => self.picked = self.list.id().map(Picked::Game),
            Some(Action::New) => self.picked = Some(Picked::New),
            Some(Action::Suspend) => self.wish = Wish::Suspend,
            Some(Action::Redraw) => self.resume(self.size),
            Some(Action::Quit | Action::QuitNow | Action::Close) => {
                self.wish = Wish::Leave(Leaving::Quit);
            }
            _ => {}
        }
    }

    /// How long to wait for the rest of a key.
    pub(super) fn patience(&self) -> Option<Duration> {
        self.parser.patience()
    }

    /// What it wants of the terminal, once.
    pub(super) fn take_wish(&mut self) -> Wish {
        std::mem::take(&mut self.wish)
    }

    /// Whether nothing was picked and nothing else is to be done.
    pub(super) fn is_waiting(&self) -> bool {
        self.picked.is_none() && matches!(self.wish, Wish::Stay)
    }

    /// What was picked, once.
    pub(super) fn take_picked(&mut self) -> Option<Picked> {
        self.picked.take()
    }

    /// Forgets what the terminal shows.
    pub(super) fn resume(&mut self, size: (u16, u16)) {
        self.resize(size);
        self.terminal.backend_mut().forget();
        let Ok(()) = self.terminal.clear();
        self.is_stale = true;
    }

    fn resize(&mut self, size: (u16, u16)) {
        self.size = bounded(size);
        self.terminal.backend_mut().resize(self.size.0, self.size.1);
        self.is_stale = true;
    }

    fn list_area(&self) -> Rect {
        let (width, height) = self.size;
        Rect::new(0, 0, width, height).intersection(Rect::new(
            0,
            2,
            width,
            height.saturating_sub(4),
        ))
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
        self.list.find(&lines);
        self.list.scroll(&lines, self.room());
        let area = self.list_area();
        let (games, setup, list) = (&self.games, &self.setup, &self.list);
        let Ok(_) = self.terminal.draw(|frame| {
            draw(games, setup, list, area, frame.buffer_mut());
        });
        self.terminal.backend_mut().take_frame()
    }
}

fn draw(games: &[Game], setup: &Setup, list: &List<usize>, area: Rect, buffer: &mut Buffer) {
    let look = setup.look();
    let screen = buffer.area;
    buffer.set_style(screen, look.base());
    let title = Line::from(vec![
        Span::styled(" Tableside", look.style(Role::Title)),
        Span::styled("  which game?", look.style(Role::Muted)),
    ]);
    buffer.set_line(0, 0, &title, screen.width);
    let widest = games
        .iter()
        .map(|game| super::widget::columns(&game.name))
        .max();
    let columns = [
        Column::new("Game", Width::Fixed(widest.unwrap_or(4).clamp(4, 40))),
        Column::new("About", Width::Grow(10)).priority(1),
        Column::new("Last played", Width::Fixed(16)).priority(2),
    ];
    let room = usize::from(area.height.saturating_sub(1));
    let in_sight = games.iter().skip(list.top()).take(room);
    let rows: Vec<Row<'_>> = in_sight
        .map(|game| {
            let played = game.played.map(|at| setup.zone.day_and_time(at));
            let muted = look.style(Role::Muted);
            Row {
                cells: vec![
                    Line::styled(game.name.as_str(), look.style(Role::Text)),
                    Line::styled(game.about.as_str(), muted),
                    Line::styled(played.unwrap_or_default(), muted),
                ],
                marked: false,
            }
        })
        .collect();
    let grid = Grid {
        columns: &columns,
        rows: &rows,
        selected: list.at().checked_sub(list.top()),
        cursor: None,
        look,
    };
    if games.is_empty() {
        let words = Line::styled("  No game is kept here yet.", look.style(Role::Muted));
        buffer.set_line(area.x, area.y, &words, area.width);
    } else {
        (&grid).render(area, buffer);
    }
    let keys: Vec<(String, &str)> = [Action::Open, Action::New, Action::Quit]
        .into_iter()
        .filter_map(|action| {
            let keys = setup.keymap.keys_for(action, CONTEXTS);
            Some((keys.first()?.label(look.ascii), action.label()))
        })
        .collect();
    let hints = Hints { keys: &keys, look };
    let line = row(screen, screen.height.saturating_sub(1));
    let line = Rect {
        x: line.x + 1.min(line.width),
        width: line.width.saturating_sub(2),
        ..line
    };
    (&hints).render(line, buffer);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picker(names: &[&str]) -> Picker {
        let game = |name: &&str| Game {
            name: (*name).to_owned(),
            about: "Heart Rush".to_owned(),
            played: None,
        };
        let games = names.iter().map(game).collect();
        Picker::new(games, Setup::gm(), (80, 24))
    }

    fn press(picker: &mut Picker, keys: &[u8]) -> Option<Picked> {
        picker.hear(Input::Bytes(keys.to_vec()));
        picker.frame();
        picker.take_picked()
    }

    #[test]
    fn enter_opens_the_game_under_the_cursor() {
        let mut picker = picker(&["The cliff", "The castle"]);
        picker.frame();
        assert_eq!(press(&mut picker, b"\r"), Some(Picked::Game(0)));
        assert_eq!(press(&mut picker, b"j\r"), Some(Picked::Game(1)));
    }

    #[test]
    fn the_mouse_selects_first_and_opens_then() {
        let mut picker = picker(&["The cliff", "The castle"]);
        picker.frame();
        assert_eq!(press(&mut picker, b"\x1b[<0;5;5M"), None);
        assert_eq!(press(&mut picker, b"\x1b[<0;5;5M"), Some(Picked::Game(1)));
    }

    #[test]
    fn where_there_is_no_game_there_is_a_new_one() {
        let mut picker = picker(&[]);
        picker.frame();
        assert_eq!(press(&mut picker, b"\r"), None);
        assert_eq!(press(&mut picker, b"n"), Some(Picked::New));
    }

    #[test]
    fn one_may_leave_without_any() {
        let mut picker = picker(&["The cliff"]);
        press(&mut picker, b"q");
        assert_eq!(picker.take_wish(), Wish::Leave(Leaving::Quit));
    }

    #[test]
    fn no_size_is_too_small() {
        for size in [(1, 1), (3, 2), (500, 3), (0, 0)] {
            let mut picker = picker(&["The cliff"]);
            picker.resume(size);
            picker.frame();
        }
    }
}
