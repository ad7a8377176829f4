//! What one does in the list of games.

use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard};

use super::*;
use crate::fixtures::{new_table, noon};
use crate::{Flow, Input, Screen, Setup};
use tableside_table::Table;

/// A library in memory that notes what was done to it.
#[derive(Debug, Default)]
struct Fake(Mutex<Games>);

#[derive(Debug, Default)]
struct Games {
    /// The games, and those put away.
    names: [Vec<String>; 2],
    done: Vec<String>,
}

impl Fake {
    fn games(&self) -> MutexGuard<'_, Games> {
        self.0.lock().unwrap()
    }

    fn add(&self, name: &str, done: String) -> Result<(), String> {
        if name.is_empty() {
            return Err("it is empty".to_owned());
        }
        let mut games = self.games();
        games.names[0].push(name.to_owned());
        games.done.push(done);
        Ok(())
    }

    fn shift(&self, name: &str, from: usize, done: &str) {
        let mut games = self.games();
        games.names[from].retain(|known| known != name);
        games.names[1 - from].push(name.to_owned());
        games.done.push(format!("{done} {name}"));
    }
}

impl Library for Fake {
    fn games(&self, in_archive: bool) -> Vec<GameEntry> {
        let names = self.games().names[usize::from(in_archive)].clone();
        let game = |name: String| GameEntry {
            name,
            about: "Heart Rush".to_owned(),
            played: noon(),
        };
        names.into_iter().map(game).collect()
    }

    fn preview(&self, name: &str, _: bool) -> Vec<String> {
        vec![format!("inside {name}")]
    }

    fn systems(&self) -> Vec<(String, Result<System, String>)> {
        let shipped = System::shipped().map(|system| (system.id().to_owned(), Ok(system)));
        let broken = Err("ours.toml:1:1: it is broken".to_owned());
        shipped.chain([("ours".to_owned(), broken)]).collect()
    }

    fn create(&self, name: &str, system: System, sample: bool) -> Result<(), String> {
        self.add(name, format!("create {name} {} {sample}", system.spec().id))
    }

    fn duplicate(&self, name: &str, to: &str) -> Result<(), String> {
        self.add(to, format!("duplicate {name} {to}"))
    }

    fn rename(&self, name: &str, to: &str) -> Result<(), String> {
        self.games().names[0].retain(|known| known != name);
        self.add(to, format!("rename {name} {to}"))
    }

    fn archive(&self, name: &str) -> Result<String, String> {
        self.shift(name, 0, "archive");
        Ok(name.to_owned())
    }

    fn redeem(&self, _: &str) -> Result<(), String> {
        Err("nobody is invited here".to_owned())
    }

    fn restore(&self, name: &str) -> Result<(), String> {
        self.shift(name, 1, "restore");
        Ok(())
    }
}

/// A screen that shows these games.
struct Bench {
    library: Arc<Fake>,
    table: Arc<Table>,
    screen: Screen,
    far: vt100::Parser,
}

impl Bench {
    fn new(names: &[&str], size: (u16, u16)) -> Self {
        Self::from_game(names, size, None)
    }

    /// Where one comes from that game.
    fn from_game(names: &[&str], size: (u16, u16), before: Option<&str>) -> Self {
        let library = Arc::new(Fake::default());
        let names = names.iter().map(|name| (*name).to_owned());
        library.games().names = [names.collect(), vec!["An old war".to_owned()]];
        let table = new_table("", System::HEART_RUSH);
        let setup = Setup {
            zone: Zone::Utc,
            ..Setup::gm()
        };
        let games: Arc<dyn Library> = library.clone();
        let side = |length: u16| length.max(1).try_into().unwrap();
        let mut bench = Self {
            library,
            table: Arc::clone(&table),
            screen: Screen::picking(table, (games, before), setup, size),
            far: vt100::Parser::new(side(size.1), side(size.0), 0),
        };
        bench.look();
        bench
    }

    fn look(&mut self) {
        self.far.process(&self.screen.frame());
    }

    /// Presses keys; the game that was picked, if one was.
    fn press(&mut self, keys: &[u8]) -> Option<String> {
        self.screen.handle(Input::Bytes(keys.to_vec()));
        self.look();
        self.screen.take_flow();
        self.screen.take_picked()
    }

    fn shown(&self) -> String {
        self.far.screen().contents()
    }
}

#[test]
fn enter_opens_the_game_under_the_cursor() {
    let mut bench = Bench::new(&["The cliff", "The castle"], (80, 24));
    assert_eq!(bench.press(b"\r").as_deref(), Some("The cliff"));
    assert_eq!(bench.press(b"j\r").as_deref(), Some("The castle"));
}

#[test]
fn the_cursor_stays_at_its_game_where_others_are_played() {
    let mut bench = Bench::new(&["The cliff", "The castle"], (80, 24));
    bench.library.games().names[0].reverse();
    bench.table.refresh_screens();
    bench.screen.handle(Input::Changed);
    assert_eq!(bench.press(b"\r").as_deref(), Some("The cliff"));
}

#[test]
fn a_few_letters_find_a_game() {
    let mut bench = Bench::new(&["The cliff", "The castle", "Friday"], (80, 24));
    assert_eq!(bench.press(b"/cas\r"), None);
    assert!(bench.shown().contains("inside The castle"));
    assert_eq!(bench.press(b"\r").as_deref(), Some("The castle"));
    bench.press(b"/qqq\r");
    assert_eq!(bench.press(b"\r"), None);
}

#[test]
fn the_mouse_selects_first_and_opens_then() {
    let mut bench = Bench::new(&["The cliff", "The castle"], (80, 24));
    let shown = bench.shown();
    let row = shown.lines().position(|line| line.contains("The castle"));
    let click = format!("\x1b[<0;15;{}M", row.unwrap() + 1);
    assert_eq!(bench.press(click.as_bytes()), None);
    assert_eq!(bench.press(click.as_bytes()).as_deref(), Some("The castle"));
}

#[test]
fn a_game_is_made_step_by_step_and_a_wrong_name_is_told() {
    let mut bench = Bench::new(&[], (80, 24));
    assert_eq!(bench.press(b"\r"), None);
    bench.press(b"n\r");
    let shown = bench.shown();
    assert!(shown.contains("Name is still to be said"), "{shown}");
    bench.press(b"friday\x1b[B\x1b[C");
    let shown = bench.shown();
    assert!(shown.contains("Roll under a value, count"), "{shown}");
    bench.press(b"\x1b[B\x1b[C\r");
    assert_eq!(bench.press(b"\r").as_deref(), Some("friday"));
    assert_eq!(bench.library.games().done, ["create friday hearts true"]);
}

#[test]
fn games_are_named_copied_put_away_and_taken_out_again() {
    let mut bench = Bench::new(&["one", "two"], (120, 24));
    for (keys, done) in [
        (&b"R\x15three\r"[..], "rename one three"),
        (b"D\r", "duplicate three three 2"),
        (b"gd", "archive two"),
        (b"Aa", "restore An old war"),
    ] {
        bench.press(keys);
        assert_eq!(bench.library.games().done.last().unwrap(), done);
    }
    assert_eq!(bench.library.games().done.len(), 4);
}

#[test]
fn escape_goes_back_to_the_game_that_one_came_from() {
    for (keys, game) in [
        (&b""[..], Some("two")),
        (b"R\x15three\r", Some("three")),
        // Another of its name is another game.
        (b"antwo\r", None),
        (b"aa", None),
    ] {
        let mut bench = Bench::from_game(&["one", "two"], (80, 24), Some("two"));
        bench.press(keys);
        bench.press(b"\x1b");
        bench.screen.handle(Input::Silence);
        bench.look();
        assert_eq!(bench.screen.take_picked().as_deref(), game);
        let shown = bench.shown();
        assert_eq!(shown.contains("that was open is put away"), game.is_none());
        // Of what is not listed any more, nothing is told.
        assert_eq!(shown.contains("inside"), keys != b"aa", "{shown}");
    }
}

#[test]
fn changes_that_never_stop_do_not_put_an_escape_off() {
    let mut bench = Bench::new(&["The cliff"], (80, 24));
    bench.screen.handle(Input::Bytes(b"\x1b".to_vec()));
    let late = std::time::Instant::now() + std::time::Duration::from_secs(1);
    assert!(bench.screen.patience(late).is_some());
    for _ in 0..10 {
        bench.screen.handle(Input::Changed);
        assert!(bench.screen.is_silence_due(late));
    }
}

#[test]
fn one_may_leave_without_any() {
    let mut bench = Bench::new(&["The cliff"], (80, 24));
    bench.screen.handle(Input::Bytes(b"q".to_vec()));
    assert!(matches!(bench.screen.take_flow(), Flow::Leave(_)));
    assert_eq!(bench.screen.take_picked(), None);
}

#[test]
fn the_list_of_games_at_every_size() {
    let long = "The long and winding road to the castle of the northern wind and back again";
    let names = ["The cliff", long, "美咲の旅", "Friday"];
    for (name, keys) in [("list", &b"j"[..]), ("new", b"jn")] {
        let mut text = String::new();
        for size in [(40, 12), (80, 24), (120, 40)] {
            let mut bench = Bench::new(&names, size);
            bench.press(keys);
            writeln!(text, "{}x{}", size.0, size.1).unwrap();
            for line in bench.shown().lines() {
                writeln!(text, "{}", line.trim_end()).unwrap();
            }
        }
        insta::assert_snapshot!(format!("games_{name}"), text);
    }
}
