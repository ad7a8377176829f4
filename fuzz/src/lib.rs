//! Everything that reads what others wrote, each given any bytes: nothing may panic, whatever is read can be
//! written and read again, and what is shown holds no control character.

use std::cell::RefCell;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use chrono::DateTime;
use tableside::cli::{Io, sample};
use tableside::commands::Request;
use tableside::dice::SystemDice;
use tableside::dice::notation::Notation;
use tableside::game::{Event, Game};
use tableside::rules::System;
use tableside::screen::app::keymap::Keymap;
use tableside::screen::terminal::input::Parser;
use tableside::screen::theme::Theme;
use tableside::screen::{Input, Screen, Setup};
use tableside::server::{Server, ServerOpening};
use tableside::store::{GameLocation, Options, Reader};
use tableside::table::{Filter, Seat, Table};

/// What is tried with any bytes.
pub type Target = fn(&[u8]);

/// Every target by its name.
pub const TARGETS: [(&str, Target); 14] = [
    ("game", game),
    ("event", event),
    ("folder", folder),
    ("notation", notation),
    ("fields", fields),
    ("system", system),
    ("keymap", keymap),
    ("theme", theme),
    ("keys", keys),
    ("screen", screen),
    ("text", text),
    ("phrase", phrase),
    ("arguments", arguments),
    ("ssh", ssh),
];

fn in_words(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

/// `game.toml`.
fn game(data: &[u8]) {
    if let Ok(game) = Game::from_toml(&in_words(data)) {
        let again = Game::from_toml(&game.to_toml());
        assert_eq!(again.ok(), Some(game), "it is written as it was read");
    }
}

/// A rule system's file: read, tried, played by.
fn system(data: &[u8]) {
    match System::of_file(&in_words(data), true) {
        Ok(system) => {
            let game = Game::new(system);
            let again = Game::from_toml(&game.to_toml());
            assert_eq!(again.ok(), Some(game), "it is known by its file");
        }
        Err(faults) => check_words(&faults.to_string().replace('\n', " ")),
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
    for system in System::shipped() {
        let _told = event.text(system);
        let mut game = Game::new(system);
        game.apply(&event);
        let _state = game.to_toml();
    }
}

thread_local! {
    static FOLDER: tempfile::TempDir = tempfile::tempdir().expect("a folder to play in");
    static SCREEN: RefCell<Screen> = RefCell::new(sit_down());
}

/// The journal, as files: opened, mended, read.
fn folder(data: &[u8]) {
    FOLDER.with(|around| {
        let folder = around.path().join("game");
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("it is ours");
        }
        fs::create_dir_all(folder.join("journal")).expect("there is room");
        let state = "format = 1\nlast = 0\nsystem = \"hearts\"\n";
        fs::write(folder.join("game.toml"), state).expect("there is room");
        let half = data.len() / 2;
        fs::write(folder.join("journal/000001.jsonl"), data).expect("there is room");
        fs::write(folder.join("journal/000002.jsonl"), &data[..half]).expect("there is room");
        for view in [true, false] {
            let options = Options {
                view,
                cut_damage: true,
                ..Options::new(DateTime::UNIX_EPOCH)
            };
            if let Ok(opened) = GameLocation::from(&folder).open(&options) {
                let _read = opened.store.reader().read(0..100);
            }
        }
        let reader = Reader::new(&folder);
        for number in 0..10 {
            let _event = reader.event(number);
        }
    });
}

/// Free dice: `4d6k3+2`.
fn notation(data: &[u8]) {
    if let Ok(notation) = in_words(data).parse::<Notation>() {
        let (least, most) = notation.range();
        let rolled = notation.roll(&mut SystemDice::from_key([1; 32]));
        assert!((least..=most).contains(&rolled.total));
    }
}

fn any_system(which: u8) -> System {
    let count = System::shipped().len();
    let system = System::shipped().nth(usize::from(which) % count);
    system.unwrap_or_default()
}

/// The fields of a check, as they are typed on the command line and in the dialog.
fn fields(data: &[u8]) {
    let Some((&which, rest)) = data.split_first() else {
        return;
    };
    let system = any_system(which);
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
            screen.handle(Input::Bytes(bytes.to_vec()));
            screen.handle(Input::Silence);
            while let Some(wonder) = screen.take_job() {
                screen.handle(Input::Learned(wonder.answer()));
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

/// What is said to the table, a phrase a line, in one game after the other.
fn phrase(data: &[u8]) {
    let Some((&which, rest)) = data.split_first() else {
        return;
    };
    let system = any_system(which);
    let table = table(system);
    for words in in_words(rest).lines().take(8) {
        let request = Request::Say {
            words: words.to_owned(),
            wait: which > 127,
            text: None,
        };
        match request.run(&table, &Seat::gm()) {
            Ok(response) => check_words(&response.entry.event.text(response.system)),
            Err(failure) => check_words(&failure.what),
        }
    }
    assert!(table.read(&Seat::gm(), |seen| {
        seen.clocks()
            .all(|one| one.clock.filled <= one.clock.segments.into())
    }));
}

fn check_words(words: &str) {
    let shown = tableside::text::sanitise(words, 4000);
    assert!(!shown.chars().any(tableside::text::is_hostile), "{shown:?}");
}

/// Commands that take fields, an argument a line; none of them listens, and none names a file.
fn arguments(data: &[u8]) {
    const COMMANDS: [&[&str]; 9] = [
        &["roll"],
        &["roll", "dice"],
        &["odds"],
        &["odds", "dice"],
        &["roll", "skill", "--system", "heart-rush"],
        &["odds", "strategy", "--system", "gnosis"],
        &["do", "demo"],
        &["log", "demo"],
        &["status", "demo"],
    ];
    let Some((&which, rest)) = data.split_first() else {
        return;
    };
    let rest = in_words(rest);
    if rest.contains('/') {
        return;
    }
    FOLDER.with(|around| {
        let data = around.path().join("data");
        let given = data.to_string_lossy().into_owned();
        let run = |arguments: Vec<String>| {
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let mut world = Io {
                env: &|name| (name == "TABLESIDE_DATA").then(|| given.clone()),
                input: &mut std::io::empty(),
                out: &mut out,
                err: &mut err,
                to_terminal: false,
                can_ask: false,
                clock: || DateTime::UNIX_EPOCH,
            };
            let arguments = std::iter::once("tableside".to_owned()).chain(arguments);
            tableside::cli::run(arguments.map(Into::into), &mut world);
            let errors = String::from_utf8_lossy(&err);
            assert!(!errors.contains("panicked"), "{errors}");
        };
        if !data.exists() {
            let new = ["new", "demo", "--system", "heart-rush", "--sample"];
            run(new.map(str::to_owned).to_vec());
        }
        let command = COMMANDS[usize::from(which) % COMMANDS.len()];
        let arguments = command.iter().map(|word| (*word).to_owned());
        run(arguments
            .chain(rest.lines().take(40).map(str::to_owned))
            .collect());
    });
}

/// What comes from the network before anybody has proved who they are.
fn ssh(data: &[u8]) {
    static FAULTS: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static OPEN: (tempfile::TempDir, Server) = {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |info| {
                FAULTS.fetch_add(1, Ordering::SeqCst);
                before(info);
            }));
            let home = tempfile::tempdir().expect("there is room");
            let server = open_server(home.path());
            (home, server)
        };
    }
    OPEN.with(|(_home, server)| {
        let stream = TcpStream::connect(server.address()).expect("somebody listens");
        let wait = Some(Duration::from_secs(1));
        stream.set_read_timeout(wait).expect("a time");
        stream.set_write_timeout(wait).expect("a time");
        // Thousands of connections in the state of waiting would take all ports.
        socket2::SockRef::from(&stream)
            .set_linger(Some(Duration::ZERO))
            .expect("a socket");
        // A refused client is hung up on, in the middle of a word too.
        (&stream).write_all(data).unwrap_or_default();
        stream.shutdown(Shutdown::Write).unwrap_or_default();
        let mut heard = Vec::new();
        (&stream)
            .take(1 << 20)
            .read_to_end(&mut heard)
            .unwrap_or_default();
        assert!(heard.is_empty() || heard.starts_with(b"SSH-2.0-Tableside\r\n"));
    });
    assert_eq!(
        FAULTS.swap(0, Ordering::SeqCst),
        0,
        "a thread of the server"
    );
}

fn open_server(home: &Path) -> Server {
    let sample = sample(System::HEART_RUSH).unwrap_or_else(|_| unreachable!("samples are tested"));
    let dice = Box::new(SystemDice::from_key([1; 32]));
    let home = Some(home.into());
    let clock = || DateTime::UNIX_EPOCH;
    let table = Table::unsaved("fuzz", sample.game, sample.entries, home, clock, dice);
    table.keep_now().expect("there is room");
    let folder = table.folder().expect("it was kept");
    let limits = "[limits]\nnew-per-second = 10000\nlogin-seconds = 1\n";
    fs::write(folder.join("access.toml"), limits).expect("there is room");
    let opening = ServerOpening {
        address: (Ipv4Addr::LOCALHOST, 0).into(),
        open_watchers: false,
        pq_only: false,
        setup: Setup::gm(),
        echo: None,
        #[cfg(debug_assertions)]
        panic_seat: None,
    };
    Server::start(&table, opening).expect("a port is free")
}

fn table(system: System) -> Arc<Table> {
    let sample = sample(system).unwrap_or_else(|_| unreachable!("samples are tested"));
    let dice = Box::new(SystemDice::from_key([1; 32]));
    let clock = || DateTime::UNIX_EPOCH;
    let (name, game) = (sample.name, sample.game);
    Table::unsaved(&name, game, sample.entries, None, clock, dice)
}

fn sit_down() -> Screen {
    Screen::new(table(System::HEART_RUSH), Setup::gm(), (80, 24))
}
