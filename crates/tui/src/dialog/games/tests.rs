//! Tests of the keys and the screens of the list of games.

use std::fmt::Write as _;
use std::num::NonZero;
use std::sync::{Mutex, MutexGuard};

use super::*;
use crate::fixtures::{new_table, noon};
use crate::{Flow, GamePreview, Input, Screen, Setup};
use tableside_rules::System;
use tableside_table::Table;

/// A library in memory that logs its calls.
#[derive(Debug, Default)]
struct FakeLibrary(Mutex<LibraryState>);

#[derive(Debug, Default)]
struct LibraryState {
    names: Vec<String>,
    archived_names: Vec<String>,
    calls: Vec<String>,
}

impl FakeLibrary {
    fn state(&self) -> MutexGuard<'_, LibraryState> {
        self.0.lock().unwrap()
    }

    fn add(&self, name: &str, call: String) -> Result<(), String> {
        if name.is_empty() {
            return Err("it is empty".to_owned());
        }
        let mut state = self.state();
        state.names.push(name.to_owned());
        state.calls.push(call);
        Ok(())
    }
}

impl Library for FakeLibrary {
    fn games(&self, in_archive: bool) -> Vec<GameEntry> {
        let state = self.state();
        let names = if in_archive {
            &state.archived_names
        } else {
            &state.names
        };
        names
            .iter()
            .map(|name| GameEntry {
                name: name.clone(),
                about: AboutGame::Facts {
                    system: "Heart Rush".to_owned(),
                    characters: 4,
                    session: 3,
                },
                played: noon(),
            })
            .collect()
    }

    fn preview(&self, name: &str, _in_archive: bool) -> GamePreview {
        GamePreview::text(format!("inside {name}"))
    }

    fn systems(&self) -> Vec<(String, Result<System, String>)> {
        let mut systems = Vec::new();
        for system in System::shipped() {
            systems.push((system.id().to_owned(), Ok(system)));
        }
        let error = "ours.toml:1:1: it is broken".to_owned();
        systems.push(("ours".to_owned(), Err(error)));
        systems
    }

    fn create(&self, game: &NewGame) -> Result<(), String> {
        let NewGame {
            name,
            system,
            sample,
            characters,
        } = game;
        let system = system.spec().id;
        let characters = characters.join("+");
        self.add(
            name,
            format!("create {name} {system} {sample} {characters}"),
        )
    }

    fn duplicate(&self, name: &str, to: &str) -> Result<(), String> {
        self.add(to, format!("duplicate {name} {to}"))
    }

    fn rename(&self, name: &str, to: &str) -> Result<(), String> {
        self.state().names.retain(|other| other != name);
        self.add(to, format!("rename {name} {to}"))
    }

    fn archive(&self, name: &str) -> Result<String, String> {
        let mut state = self.state();
        state.names.retain(|other| other != name);
        state.archived_names.push(name.to_owned());
        state.calls.push(format!("archive {name}"));
        Ok(name.to_owned())
    }

    fn restore(&self, name: &str) -> Result<(), String> {
        let mut state = self.state();
        state.archived_names.retain(|other| other != name);
        state.names.push(name.to_owned());
        state.calls.push(format!("restore {name}"));
        Ok(())
    }

    fn redeem(&self, _code: &str) -> Result<(), String> {
        Err("nobody is invited here".to_owned())
    }
}

/// A screen with the list of games, and the terminal that shows it.
struct TestScreen {
    library: Arc<FakeLibrary>,
    table: Arc<Table>,
    screen: Screen,
    terminal: vt100::Parser,
}

impl TestScreen {
    fn new(names: &[&str], size: (u16, u16)) -> Self {
        Self::opened_from(names, size, None)
    }

    /// Opens the list from a game, or at the start of the program if `previous` is `None`.
    fn opened_from(names: &[&str], size: (u16, u16), previous: Option<&str>) -> Self {
        let library = Arc::new(FakeLibrary::default());
        library.state().names = names.iter().map(|name| (*name).to_owned()).collect();
        library.state().archived_names = vec!["An old war".to_owned()];

        let table = new_table("", System::HEART_RUSH);
        let setup = Setup {
            zone: Zone::Utc,
            ..Setup::gm()
        };
        let games: Arc<dyn Library> = library.clone();
        let width = NonZero::new(size.0).unwrap();
        let height = NonZero::new(size.1).unwrap();
        let mut screen = Self {
            library,
            table: Arc::clone(&table),
            screen: Screen::picking(table, games, previous, setup, size),
            terminal: vt100::Parser::new(height, width, 0),
        };
        screen.draw();
        screen
    }

    fn draw(&mut self) {
        self.terminal.process(&self.screen.frame());
    }

    /// Presses keys. Returns the name of the game that they open.
    fn press(&mut self, keys: &[u8]) -> Option<String> {
        self.screen.handle(Input::Bytes(keys.to_vec()));
        self.draw();
        self.screen.take_flow();
        self.screen.take_picked()
    }

    fn text(&self) -> String {
        self.terminal.screen().contents()
    }

    fn last_call(&self) -> String {
        self.library.state().calls.last().unwrap().clone()
    }
}

#[test]
fn enter_opens_the_game_under_the_cursor() {
    let mut screen = TestScreen::new(&["The cliff", "The castle"], (80, 24));
    assert_eq!(screen.press(b"\r").as_deref(), Some("The cliff"));
    assert_eq!(screen.press(b"j\r").as_deref(), Some("The castle"));
}

#[test]
fn the_cursor_stays_on_its_game_when_the_order_changes() {
    let mut screen = TestScreen::new(&["The cliff", "The castle"], (80, 24));
    screen.library.state().names.reverse();
    screen.table.refresh_screens();
    screen.screen.handle(Input::Changed);
    assert_eq!(screen.press(b"\r").as_deref(), Some("The cliff"));
}

#[test]
fn a_filter_finds_a_game() {
    let mut screen = TestScreen::new(&["The cliff", "The castle", "Friday"], (80, 24));
    assert_eq!(screen.press(b"/cas\r"), None);
    assert!(screen.text().contains("inside The castle"));
    assert_eq!(screen.press(b"\r").as_deref(), Some("The castle"));
}

#[test]
fn enter_opens_no_game_when_the_filter_finds_none() {
    let mut screen = TestScreen::new(&["The cliff", "The castle", "Friday"], (80, 24));
    screen.press(b"/qqq\r");
    assert_eq!(screen.press(b"\r"), None);
}

#[test]
fn the_first_click_selects_a_game_and_the_second_one_opens_it() {
    let mut screen = TestScreen::new(&["The cliff", "The castle"], (80, 24));
    let text = screen.text();
    let row = text.lines().position(|line| line.contains("The castle"));
    let click = format!("\x1b[<0;15;{}M", row.unwrap() + 1);
    assert_eq!(screen.press(click.as_bytes()), None);
    let opened = screen.press(click.as_bytes());
    assert_eq!(opened.as_deref(), Some("The castle"));
}

#[test]
fn a_new_game_needs_a_name() {
    let mut screen = TestScreen::new(&[], (80, 24));
    assert_eq!(screen.press(b"\r"), None);
    screen.press(b"n\r");
    let text = screen.text();
    assert!(text.contains("Name is missing"), "{text}");
}

#[test]
fn a_new_game_is_created_and_opened() {
    let mut screen = TestScreen::new(&[], (80, 24));
    let opened = screen.press(b"nfriday\x1b[B5e\x1b[BAna, Bo,\x1b[B\x1b[C\r");
    assert_eq!(opened.as_deref(), Some("friday"));
    let calls = &screen.library.state().calls;
    assert_eq!(*calls, ["create friday 5e true Ana+Bo"]);
}

#[test]
fn typing_picks_the_system_of_a_new_game() {
    for (typed, system) in [
        ("for", "forged-in-the-dark"),
        ("he", "heart-rush"),
        ("gn", "gnosis"),
        ("5", "5e"),
        ("dark", "forged-in-the-dark"),
        ("two dice", "two-dice-moves"),
    ] {
        let mut screen = TestScreen::new(&[], (80, 24));
        let keys = format!("nx\x1b[B{typed}\r");
        assert_eq!(screen.press(keys.as_bytes()).as_deref(), Some("x"));
        assert_eq!(screen.last_call(), format!("create x {system} false "));
    }
}

#[test]
fn games_are_renamed_duplicated_archived_and_restored() {
    let mut screen = TestScreen::new(&["one", "two"], (120, 24));
    screen.press(b"R\x15three\r");
    assert_eq!(screen.last_call(), "rename one three");
    screen.press(b"D\r");
    assert_eq!(screen.last_call(), "duplicate three three 2");
    screen.press(b"gd");
    assert_eq!(screen.last_call(), "archive two");
    screen.press(b"Aa");
    assert_eq!(screen.last_call(), "restore An old war");
    assert_eq!(screen.library.state().calls.len(), 4);
}

/// Opens the list from the game `two`, presses keys and then Escape.
fn escape_after(keys: &[u8]) -> TestScreen {
    let mut screen = TestScreen::opened_from(&["one", "two"], (80, 24), Some("two"));
    screen.press(keys);
    screen.press(b"\x1b");
    // The silence tells a single Escape from the beginning of a sequence.
    screen.screen.handle(Input::Silence);
    screen.draw();
    screen
}

#[test]
fn escape_returns_to_the_previous_game() {
    let mut screen = escape_after(b"");
    assert_eq!(screen.screen.take_picked().as_deref(), Some("two"));
    assert!(!screen.text().contains("that was open is in the archive"));
    assert!(screen.text().contains("inside"));
}

#[test]
fn escape_returns_to_the_previous_game_under_its_new_name() {
    let mut screen = escape_after(b"R\x15three\r");
    assert_eq!(screen.screen.take_picked().as_deref(), Some("three"));
    assert!(!screen.text().contains("that was open is in the archive"));
}

#[test]
fn a_new_game_may_have_the_name_of_an_archived_one() {
    let mut screen = TestScreen::opened_from(&["one", "two"], (80, 24), Some("two"));
    assert_eq!(screen.press(b"ayntwo\r").as_deref(), Some("two"));
    assert_eq!(screen.last_call(), "create two heart-rush false ");
}

#[test]
fn an_archived_game_has_no_preview() {
    let mut screen = escape_after(b"aya");
    assert_eq!(screen.screen.take_picked(), None);
    assert!(screen.text().contains("that was open is in the archive"));
    assert!(!screen.text().contains("inside"));
}

#[test]
fn continual_changes_do_not_delay_an_escape() {
    let mut screen = TestScreen::new(&["The cliff"], (80, 24));
    screen.screen.handle(Input::Bytes(b"\x1b".to_vec()));
    let later = std::time::Instant::now() + std::time::Duration::from_secs(1);
    assert!(screen.screen.patience(later).is_some());
    for _ in 0..10 {
        screen.screen.handle(Input::Changed);
        assert!(screen.screen.is_silence_due(later));
    }
}

#[test]
fn q_leaves_the_program_without_a_game() {
    let mut screen = TestScreen::new(&["The cliff"], (80, 24));
    screen.screen.handle(Input::Bytes(b"q".to_vec()));
    assert!(matches!(screen.screen.take_flow(), Flow::Leave(_)));
    assert_eq!(screen.screen.take_picked(), None);
}

/// Draws the list of games after some keys, on terminals of three sizes.
fn draw_at_all_sizes(keys: &[u8]) -> String {
    let long = "The long and winding road to the castle of the northern wind and back again";
    let names = ["The cliff", long, "美咲の旅", "Friday"];
    let mut pictures = String::new();
    for (width, height) in [(40, 12), (80, 24), (120, 40)] {
        let mut screen = TestScreen::new(&names, (width, height));
        screen.press(keys);
        writeln!(pictures, "{width}x{height}").unwrap();
        for line in screen.text().lines() {
            writeln!(pictures, "{}", line.trim_end()).unwrap();
        }
    }
    pictures
}

#[test]
fn the_list_of_games_fits_every_size() {
    insta::assert_snapshot!("games_list", draw_at_all_sizes(b"j"));
}

#[test]
fn the_form_of_a_new_game_fits_every_size() {
    insta::assert_snapshot!("games_new", draw_at_all_sizes(b"jn"));
}

#[test]
fn the_game_that_was_open_is_archived_only_after_a_question() {
    let mut screen = TestScreen::opened_from(&["one", "two"], (80, 24), Some("two"));
    screen.press(b"a\r");
    assert!(screen.library.state().calls.is_empty());
    screen.press(b"a");
    assert!(screen.text().contains("You just left two."));
    screen.press(b"y");
    assert_eq!(screen.last_call(), "archive two");
    // Another game is archived at once, and the screen says where it is.
    screen.press(b"a");
    assert_eq!(screen.last_call(), "archive one");
    let text = screen.text();
    assert!(text.contains("one is in the archive now."), "{text}");
    assert!(text.contains("All games are in the archive"), "{text}");
}
