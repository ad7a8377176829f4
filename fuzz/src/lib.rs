//! Everything that reads what others wrote, each given any bytes: nothing may panic, whatever is read can be
//! written and read again, and what is shown holds no control character.

use std::cell::RefCell;
use std::fs;
use std::sync::Arc;

use chrono::DateTime;
use tableside::cli::sample;
use tableside::dice::Luck;
use tableside::dice::notation::Notation;
use tableside::rules::System;
use tableside::screen::input::Parser;
use tableside::screen::keymap::Keymap;
use tableside::screen::theme::Theme;
use tableside::screen::{Input, Screen, Setup};
use tableside::session::{Event, Session};
use tableside::store::{Options, Reader, Store};
use tableside::table::{Filter, Seat, Table};

/// What is tried with any bytes.
pub type Target = fn(&[u8]);

/// Every target by its name.
pub const TARGETS: [(&str, Target); 10] = [
    ("session", session),
    ("event", event),
    ("folder", folder),
    ("notation", notation),
    ("fields", fields),
    ("keymap", keymap),
    ("theme", theme),
    ("keys", keys),
    ("screen", screen),
    ("text", text),
];

fn in_words(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

/// `session.toml`.
fn session(data: &[u8]) {
    if let Ok(session) = Session::from_toml(&in_words(data)) {
        let again = Session::from_toml(&session.to_toml());
        assert_eq!(again.ok(), Some(session), "it is written as it was read");
    }
}

/// An event of the journal, told, applied and taken back.
fn event(data: &[u8]) {
    let Ok(event) = serde_json::from_slice::<Event>(data) else {
        return;
    };
    let line = serde_json::to_string(&event).expect("an event can be written");
    let again: Event = serde_json::from_str(&line).expect("and read again");
    assert_eq!(serde_json::to_string(&again).ok(), Some(line));
    for system in System::ALL {
        let _told = event.text(system);
        let mut session = Session::new(system);
        session.apply(&event);
        let _state = session.to_toml();
    }
}

thread_local! {
    static FOLDER: tempfile::TempDir = tempfile::tempdir().expect("a folder to play in");
    static SCREEN: RefCell<Screen> = RefCell::new(sit_down());
}

/// The journal and the digest beside it, as files: opened, mended, searched.
fn folder(data: &[u8]) {
    FOLDER.with(|around| {
        let folder = around.path().join("game");
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("it is ours");
        }
        fs::create_dir_all(folder.join("journal")).expect("there is room");
        let state = "format = 1\nlast = 0\nsystem = \"hearts\"\n";
        fs::write(folder.join("session.toml"), state).expect("there is room");
        let half = data.len() / 2;
        fs::write(folder.join("journal/000001.jsonl"), data).expect("there is room");
        fs::write(folder.join("journal/000001.digest"), &data[half..]).expect("there is room");
        fs::write(folder.join("journal/000002.jsonl"), &data[..half]).expect("there is room");
        for view in [true, false] {
            let options = Options {
                view,
                cut_damage: true,
                ..Options::new(DateTime::UNIX_EPOCH)
            };
            if let Ok(opened) = Store::open(&folder, &options) {
                let _read = opened.store.reader().read(0..100);
            }
        }
        let reader = Reader::new(&folder);
        let _digest = reader.digest(1, 1).and_then(|digest| digest.part(0));
    });
}

/// Free dice: `4d6k3+2`.
fn notation(data: &[u8]) {
    if let Ok(notation) = in_words(data).parse::<Notation>() {
        let (least, most) = notation.range();
        let rolled = notation.roll(&mut Luck::from_key([1; 32]));
        assert!((least..=most).contains(&rolled.total));
    }
}

/// The fields of a check, as they are typed on the command line and in the dialog.
fn fields(data: &[u8]) {
    let Some((&which, rest)) = data.split_first() else {
        return;
    };
    let system = System::ALL[usize::from(which) % System::ALL.len()];
    let table = table(system);
    let words = in_words(rest);
    table.read(&Seat::gm(), |seen| {
        let who = seen.roster().next().map(|one| one.id);
        for check in system.spec().checks {
            let mut filled = seen.fill(check, who);
            for (field, given) in check.fields.iter().zip(words.split('\n').cycle()) {
                let _refused = seen.fill_in(&mut filled, who, field, given);
            }
        }
    });
}

/// The user's keys.
fn keymap(data: &[u8]) {
    let _read = Keymap::with_user(&in_words(data));
}

/// A user's theme.
fn theme(data: &[u8]) {
    let _read = Theme::parse(&in_words(data), "theme.toml");
}

/// Bytes from a terminal, in two pieces.
fn keys(data: &[u8]) {
    let (first, second) = data.split_at(data.len() / 2);
    let (mut parser, mut typed) = (Parser::default(), Vec::new());
    parser.feed(first, &mut typed);
    parser.feed(second, &mut typed);
    parser.flush(&mut typed);
}

/// Bytes from a terminal to a whole screen, which does what they say.
fn screen(data: &[u8]) {
    SCREEN.with_borrow_mut(|screen| {
        *screen = sit_down();
        for bytes in data.chunks(16) {
            screen.hear(Input::Bytes(bytes.to_vec()));
            screen.hear(Input::Silence);
            while let Some(wonder) = screen.take_wonder() {
                screen.hear(Input::Learned(wonder.answer()));
            }
            let _frame = screen.frame();
        }
    });
}

/// Words from outside: whatever they are, what is shown of them does nothing to a terminal.
fn text(data: &[u8]) {
    let words = in_words(data);
    let shown = tableside::text::sanitise(&words, 200);
    assert!(!shown.chars().any(tableside::text::is_hostile), "{shown:?}");
    let cut = tableside::text::fit(&shown, 20);
    assert!(tableside::text::width(&cut) <= 20);
    let _filter = Filter::parse(&words);
}

fn table(system: System) -> Arc<Table> {
    let sample = sample(system).unwrap_or_else(|_| unreachable!("samples are tested"));
    let dice = Box::new(Luck::from_key([1; 32]));
    let clock = || DateTime::UNIX_EPOCH;
    let (name, session) = (sample.name, sample.session);
    Table::unsaved(&name, session, sample.entries, None, clock, dice)
}

fn sit_down() -> Screen {
    Screen::new(table(System::HeartRush), Setup::gm(), (80, 24))
}
