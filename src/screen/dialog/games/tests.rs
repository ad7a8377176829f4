//! What one does in the list of games.

use std::fmt::Write as _;

use super::*;
use crate::screen::keymap::Keymap;

/// A library in memory that notes what was done to it.
#[derive(Default)]
struct Fake {
    games: Vec<String>,
    archived: Vec<String>,
    done: Vec<String>,
}

fn shown(names: &[String]) -> Vec<Game> {
    let game = |name: &String| Game {
        name: name.clone(),
        about: "Heart Rush".to_owned(),
        played: None,
    };
    names.iter().map(game).collect()
}

impl Library for Fake {
    fn games(&mut self) -> Vec<Game> {
        shown(&self.games)
    }

    fn archived(&mut self) -> Vec<Game> {
        shown(&self.archived)
    }

    fn preview(&mut self, name: &str, _: bool) -> Vec<String> {
        vec![format!("inside {name}")]
    }

    fn create(&mut self, name: &str, system: System, sample: bool) -> Result<(), String> {
        if name.is_empty() {
            return Err("it is empty".to_owned());
        }
        self.games.push(name.to_owned());
        self.done
            .push(format!("create {name} {} {sample}", system.spec().id));
        Ok(())
    }

    fn duplicate(&mut self, name: &str, to: &str) -> Result<(), String> {
        self.games.push(to.to_owned());
        self.done.push(format!("duplicate {name} {to}"));
        Ok(())
    }

    fn rename(&mut self, name: &str, to: &str) -> Result<(), String> {
        self.games.retain(|known| known != name);
        self.games.push(to.to_owned());
        self.done.push(format!("rename {name} {to}"));
        Ok(())
    }

    fn archive(&mut self, name: &str) -> Result<(), String> {
        self.games.retain(|known| known != name);
        self.archived.push(name.to_owned());
        self.done.push(format!("archive {name}"));
        Ok(())
    }

    fn restore(&mut self, name: &str) -> Result<(), String> {
        self.archived.retain(|known| known != name);
        self.games.push(name.to_owned());
        self.done.push(format!("restore {name}"));
        Ok(())
    }
}

fn library(names: &[&str]) -> Fake {
    Fake {
        games: names.iter().map(|name| (*name).to_owned()).collect(),
        ..Fake::default()
    }
}

fn browse(library: &mut Fake) -> Picker<'_> {
    let mut picker = Picker::new(library, Setup::gm(), (80, 24));
    picker.frame();
    picker
}

fn press(picker: &mut Picker<'_>, keys: &[u8]) -> Option<Picked> {
    picker.handle(Input::Bytes(keys.to_vec()));
    picker.frame();
    picker.take_picked()
}

fn game(name: &str) -> Picked {
    Picked::Game(name.to_owned())
}

#[test]
fn enter_opens_the_game_under_the_cursor() {
    let mut library = library(&["The cliff", "The castle"]);
    let mut picker = browse(&mut library);
    assert_eq!(press(&mut picker, b"\r"), Some(game("The cliff")));
    assert_eq!(press(&mut picker, b"j\r"), Some(game("The castle")));
}

#[test]
fn a_few_letters_find_a_game() {
    let mut library = library(&["The cliff", "The castle", "Friday"]);
    let mut picker = browse(&mut library);
    assert_eq!(press(&mut picker, b"/cas"), None);
    assert_eq!(picker.games.preview.1, ["inside The castle"]);
    assert_eq!(press(&mut picker, b"\r"), Some(game("The castle")));
    press(&mut picker, b"/qqq");
    assert_eq!(press(&mut picker, b"\r"), None);
}

#[test]
fn the_mouse_selects_first_and_opens_then() {
    let mut library = library(&["The cliff", "The castle"]);
    let mut picker = browse(&mut library);
    assert_eq!(press(&mut picker, b"\x1b[<0;5;5M"), None);
    assert_eq!(
        press(&mut picker, b"\x1b[<0;5;5M"),
        Some(game("The castle"))
    );
}

#[test]
fn a_game_is_made_step_by_step_and_a_wrong_name_is_told() {
    let mut library = library(&[]);
    let mut picker = browse(&mut library);
    assert_eq!(press(&mut picker, b"\r"), None);
    press(&mut picker, b"n");
    press(&mut picker, b"\r");
    let wrong = |form: &Form| form.problem.as_deref() == Some("it is empty");
    assert!(matches!(&picker.games.mode, Mode::Name(_, form) if wrong(form)));
    press(&mut picker, b"friday\x1b[B\x1b[C\x1b[B\x1b[C\r");
    assert_eq!(press(&mut picker, b"\r"), Some(game("friday")));
    assert_eq!(library.done, ["create friday hearts true"]);
}

#[test]
fn games_are_named_copied_put_away_and_taken_out_again() {
    let mut library = library(&["one", "two"]);
    let mut picker = Picker::new(&mut library, Setup::gm(), (120, 24));
    picker.frame();
    press(&mut picker, b"R\x15three\r");
    press(&mut picker, b"D\r");
    press(&mut picker, b"gdn");
    press(&mut picker, b"dy");
    press(&mut picker, b"Aa");
    assert_eq!(
        library.done,
        [
            "rename one three",
            "duplicate three three 2",
            "archive two",
            "restore two"
        ]
    );
}

#[test]
fn the_question_names_the_keys_that_answer_it() {
    let keymap = Keymap::with_user("[confirm]\nyes = \"j\"\nno = \"q\"").unwrap();
    let setup = Setup {
        keymap: keymap.into(),
        ..Setup::gm()
    };
    let mut library = library(&["one"]);
    let mut picker = Picker::new(&mut library, setup, (80, 24));
    picker.frame();
    let side = |length: u16| length.try_into().unwrap();
    let mut far = vt100::Parser::new(side(24), side(80), 0);
    picker.handle(Input::Bytes(b"d".to_vec()));
    far.process(&picker.frame());
    let shown = far.screen().contents();
    assert!(shown.contains("j yes   q no"), "{shown}");
    press(&mut picker, b"y");
    press(&mut picker, b"j");
    assert_eq!(library.done, ["archive one"]);
}

#[test]
fn one_may_leave_without_any() {
    let mut library = library(&["The cliff"]);
    let mut picker = Picker::new(&mut library, Setup::gm(), (80, 24));
    press(&mut picker, b"q");
    assert_eq!(picker.take_wish(), Flow::Leave(ExitReason::Quit));
}

#[test]
fn no_size_is_too_small() {
    for size in [(1, 1), (500, 3), (0, 0), (100, 5), (40, 30)] {
        let mut library = library(&["The cliff"]);
        let mut picker = Picker::new(&mut library, Setup::gm(), (80, 24));
        picker.resume(size);
        picker.frame();
        press(&mut picker, b"n");
        press(&mut picker, b"\x1b[B\r");
    }
}

/// What one reads after these keys, at every size.
fn looks(names: &[&str], keys: &[&[u8]]) -> String {
    let mut text = String::new();
    for (width, height) in [(40, 12), (80, 24), (120, 40), (160, 45)] {
        let mut library = library(names);
        library.archived = vec!["An old war".to_owned()];
        let mut picker = Picker::new(&mut library, Setup::gm(), (width, height));
        let side = |length: u16| length.try_into().unwrap();
        let mut far = vt100::Parser::new(side(height), side(width), 0);
        far.process(&picker.frame());
        for key in keys {
            picker.handle(Input::Bytes(key.to_vec()));
            far.process(&picker.frame());
        }
        let shown = far.screen().contents();
        let lines = shown.lines().map(str::trim_end);
        writeln!(text, "{width}x{height}").unwrap();
        for line in lines {
            text += line;
            text.push('\n');
        }
    }
    text
}

#[test]
fn the_list_of_games_at_every_size() {
    let long = "The long and winding road to the castle of the northern wind and back again";
    let names = ["The cliff", long, "美咲の旅", "Friday"];
    for (name, keys) in [("list", &[&b"j"[..]][..]), ("new", &[b"j", b"n"])] {
        insta::assert_snapshot!(format!("games_{name}"), looks(&names, keys));
    }
}
