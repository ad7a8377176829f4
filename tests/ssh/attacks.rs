//! Guests who mean harm. During each attack a friend gets in and plays; how long that took is printed, and only
//! what is far too long fails.

use std::fs;
use std::io::Write as _;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::bench::{Connection, Raw, TestServer, code};

const SIZE: (u16, u16) = (100, 30);
const GM: (u16, u16) = (120, 40);

/// Nothing that a friend waits for takes so long, on the slowest day.
const FAR_TOO_LONG: Duration = Duration::from_secs(10);

/// Does that, prints how long it took, and fails where it was far too long.
#[track_caller]
fn soon<T>(what: &str, act: impl FnOnce() -> T) -> T {
    let since = Instant::now();
    let done = act();
    let took = since.elapsed();
    println!("{what}: {} ms", took.as_millis());
    assert!(took < FAR_TOO_LONG, "{what} took {took:?}");
    done
}

fn edit(server: &TestServer, change: impl FnOnce(&str) -> String) {
    let path = server.folder().join("access.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(path, change(&text)).unwrap();
}

/// The file without the seat of that name.
fn without(text: &str, name: &str) -> String {
    let name = format!("name = {name:?}");
    let seats = text.split("[[seat]]");
    let left: Vec<&str> = seats.filter(|seat| !seat.contains(&name)).collect();
    left.join("[[seat]]")
}

/// The file with another line in the seat of that name.
fn with_line(text: &str, name: &str, (from, to): (&str, &str)) -> String {
    let name = format!("name = {name:?}");
    let seats = text.split("[[seat]]").map(|seat| {
        if seat.contains(&name) {
            assert!(seat.contains(from), "{seat}");
            seat.replace(from, to)
        } else {
            seat.to_owned()
        }
    });
    seats.collect::<Vec<_>>().join("[[seat]]")
}

/// Keys by the ten thousand that each cost as much as a key can.
fn storm() -> String {
    let palette = format!(
        ":move 1 {}{}\x1b\x1b",
        "from ".repeat(56),
        "x\x7f".repeat(8_000)
    );
    let mut keys = "H\x1b\x1b".repeat(10_000);
    keys.push_str(&palette);
    keys
}

#[test]
fn a_storm_of_keys_holds_nobody_up_and_its_seat_can_be_taken_away() {
    let Some(mut server) = TestServer::open() else {
        return;
    };
    let mut gm = server.join("gm", GM);
    let ana = Raw::enter(&server, Some("Ana"), "Ana").unwrap();
    let screen = ana.screen((100, 30));
    gm.wait("with Ana");
    ana.types(&screen, &storm());
    let mut jakob = soon("a friend joins during a storm", || {
        server.join("Jakob", SIZE)
    });
    soon("a friend's key", || jakob.press_for("2", "Cunn"));
    soon("the storm's seat is taken away", || {
        gm.take_the_seat_of_ana();
        gm.wait_until("Ana gone", |shown| !shown.contains("with Ana"))
    });
    // The table closes at once, also under attack.
    let other = Raw::enter(&server, Some("Jakob"), "Jakob").unwrap();
    let screen = other.screen((100, 30));
    other.types(&screen, &storm());
    soon("the table closes during a storm", || server.end());
}

#[test]
fn keys_without_end_are_cut_off_and_hold_nobody_up() {
    let Some(server) = TestServer::with(&[], &[], "[limits]\nnew-per-second = 2\n") else {
        return;
    };
    let port = server.port;
    thread::scope(|scope| {
        let offering = scope.spawn(move || Raw::offer_keys(port, "Ana", 2000));
        soon("a friend joins while keys are offered", || {
            server.join("Jakob", SIZE)
        });
        let heard = offering.join().unwrap();
        // An agent's keys are far fewer.
        assert!((100..1000).contains(&heard), "{heard} keys were heard");
    });
}

#[test]
fn requests_leave_nothing_behind_that_grows() {
    let Some(server) = TestServer::open() else {
        return;
    };
    let ana = Raw::enter(&server, Some("Ana"), "Ana").unwrap();
    let channel = ana.on_channel(async |channel| {
        for _ in 0..30_000 {
            channel
                .request_x11(false, false, "MIT-MAGIC-COOKIE-1", "00", 0)
                .await
                .unwrap();
            channel.agent_forward(false).await.unwrap();
        }
        channel.request_shell(false).await.unwrap();
        channel
    });
    soon("a friend joins after 60 000 requests", || {
        server.join("Jakob", SIZE)
    });
    let told = ana.rest(channel);
    for words in ["X11 is not forwarded", "is not used here"] {
        assert_eq!(told.matches(words).count(), 1, "{told}");
    }
}

#[test]
fn a_watcher_stays_a_watcher_whatever_the_name() {
    let Some(server) = TestServer::with(&["--open-watchers"], &[], "") else {
        return;
    };
    server.make_key("stranger");
    let mut gm = server.join("gm", GM);
    for name in ["zoe", "Ana", "watcher", "gm", "GM"] {
        let mut guest = server.knock("stranger", name, SIZE);
        guest.wait("Mira");
        if name == "zoe" {
            gm.wait("with zoe (watching)");
        }
        // Whatever changes, it is nobody else.
        gm.press_for("S", "Next scene");
        gm.press(&format!("After {name}\r"));
        guest.wait(&format!("After {name}"));
        guest.press_for("2 ", "watchers cannot act");
        assert!(!guest.shown().contains("Captain Rusk"), "{}", guest.shown());
    }
    // And nobody has a seat that is called so.
    let gms = "only a seat with the role gm can be called gm";
    for (seat, words) in [
        ("gm --role player", gms),
        ("GM --role player", gms),
        ("Watcher", "cannot be called watcher"),
    ] {
        let refused = server.refused(&format!("invite demo {seat}"));
        assert!(refused.contains(words), "{refused}");
    }
}

#[test]
fn a_seat_that_is_taken_out_or_changed_by_hand_ends_its_screen_at_once() {
    let Some(server) = TestServer::open() else {
        return;
    };
    let mut ana = server.join("Ana", SIZE);
    let mut jakob = server.join("Jakob", SIZE);
    let before = server.entries();
    edit(&server, |text| without(text, "Ana"));
    soon("a seat taken out of the file leaves", || ana.end());
    ana.wait("Your seat was removed");
    assert_eq!(server.entries(), before);
    // Nobody else is disturbed, until it is somebody else's turn.
    jakob.press_for("2", "Cunn");
    edit(&server, |text| {
        with_line(text, "Jakob", ("role = \"player\"", "role = \"watcher\""))
    });
    soon("a seat with another role leaves", || jakob.end());
    jakob.wait("Your seat was changed");
    // A key that is not listed any more opens nothing, and ends what it opened.
    let mut wim = server.join("Wim", SIZE);
    let mut gm = server.join("gm", GM);
    gm.wait("with Wim");
    edit(&server, |text| {
        let lines = text.lines().filter(|line| !line.contains(" Wim\""));
        lines.collect::<Vec<_>>().join("\n")
    });
    soon("a seat whose key is taken out leaves", || wim.end());
    gm.wait_until("Wim gone", |shown| !shown.contains("with Wim"));
}

#[test]
fn a_seat_that_is_taken_out_leaves_however_many_strangers_knock() {
    let games = [("friday", "heart-rush"), ("saturday", "hearts")];
    let Some(server) = TestServer::hosting(&games, &["--idle", "1"], &[], "") else {
        return;
    };
    server.make_key("stranger");
    let mut bo = server.knock("Bo", "bo", SIZE);
    bo.wait("saturday");
    let mut ana = server.knock("Ana", "friday+ana", SIZE);
    ana.wait("Table");

    // There is always another login before a second without one could pass: at no game, at a game, in the lobby.
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let (port, key) = (server.port, server.machine.home.path().join("stranger"));
        let is_attack_over = &is_over;
        scope.spawn(move || {
            let doors = ["nowhere+zed", "friday+zed", "zed"];
            let mut knocks = doors.into_iter().cycle();
            while !is_attack_over.load(Ordering::Acquire) {
                let user = knocks.next().unwrap();
                drop(Raw::enter_at(port, Some(key.clone()), user));
            }
        });
        // Set when it is dropped, also where something fails.
        let _over = SetOnDrop(&is_over);

        let access = server.machine.data().join("friday/access.toml");
        let text = fs::read_to_string(&access).unwrap();
        fs::write(&access, without(&text, "Ana")).unwrap();
        soon("a seat taken out of the file leaves", || ana.end());
        ana.wait("Your seat was removed");

        // A table that everybody has left is put away, and the host's own file is read.
        soon("the empty table is put away", || {
            server.told("put away game=\"friday\"")
        });
        let host = server.machine.data().join("host.toml");
        let text = fs::read_to_string(&host).unwrap();
        let key = fs::read_to_string(server.machine.home.path().join("Bo.pub")).unwrap();
        let seat = format!("\n[[seat]]\nname = 'Bo'\nkeys = ['{}']\n", key.trim());
        fs::write(&host, format!("gms = ['Bo']\n{text}{seat}")).unwrap();
        soon("Bo may begin a game", || bo.wait("n new"));
    });
}

/// Sets a flag when it is dropped.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

#[test]
fn what_a_gm_left_open_is_not_given_to_the_player_that_the_seat_is_now() {
    let Some(server) = TestServer::open() else {
        return;
    };
    let secret = |guest: &Connection| guest.shown().contains("Captain Rusk");
    let role = |from: &str, to: &str| {
        let (from, to) = (format!("role = {from:?}"), format!("role = {to:?}"));
        edit(&server, |text| with_line(text, "Ana", (&from, &to)));
    };
    role("player", "gm");
    let mut gia = server.join("Ana", GM);
    gia.press_for("2", "Captain Rusk");
    // Its form is open when the line is cut.
    gia.press("jjjjjj");
    gia.wait("› ◌ Captain Rusk");
    gia.press("\r");
    gia.wait_until("the form", |shown| !shown.contains("Enter open"));
    gia.cut();
    server.told("left seat=\"Ana\"");
    role("gm", "player");
    let mut gia = server.join("Ana", GM);
    assert!(!secret(&gia), "{}", gia.shown());
    gia.press_for("2", "Cunn");
    assert!(!secret(&gia), "{}", gia.shown());
}

#[test]
fn a_crowd_of_watchers_takes_nobodys_place_and_can_be_sent_off() {
    let Some(server) = TestServer::with(
        &["--open-watchers"],
        &[],
        "[limits]\nwatchers = 8\nconnections = 8\nnew-per-second = 100\n",
    ) else {
        return;
    };
    let crowd: Vec<Raw> = (0..12)
        .filter_map(|number| Raw::enter(&server, None, &format!("w{number}")))
        .collect();
    let screens: Vec<_> = crowd.iter().map(|one| one.screen((500, 200))).collect();
    let mut gm = soon("the GM joins a full table", || server.join("gm", GM));
    soon("a player joins a full table", || server.join("Ana", SIZE));
    gm.press_for("W", "without a seat");
    // The seats come first, the crowd last.
    gm.press("jjjjjjjjjjj");
    let chosen = |shown: &str| {
        let last = shown.lines().rfind(|line| line.contains("without a seat"));
        let last = last.filter(|line| line.contains("› "))?;
        last.split_whitespace()
            .find(|word| word.starts_with('w'))
            .map(str::to_owned)
    };
    let shown = gm.wait_until("the last of them", |shown| {
        chosen(shown).is_some() && shown.matches("without a seat").count() == 8
    });
    let sent = chosen(&shown).unwrap();
    gm.press_for("d", &format!("Disconnect {sent} (watching)?"));
    gm.press("y");
    gm.wait_until("one gone", |shown| {
        shown.matches("without a seat").count() == 7
    });
    let is_there = gm.shown().contains(&format!("{sent} (watching)"));
    assert!(!is_there, "{}", gm.shown());
    drop(screens);
    drop(crowd);
    let again = Raw::enter(&server, None, &sent).unwrap();
    let screen = again.screen((80, 24));
    let told = again.rest(screen);
    assert!(told.contains("removed a watcher"), "{told}");
}

#[test]
fn a_typed_code_is_not_cut_off_by_those_who_say_only_what_they_are() {
    let Some(server) = TestServer::open() else {
        return;
    };
    server.make_key("laptop");
    let code = code(&server.run("invite demo Bo"));
    let port = server.port;
    let (over, is_over) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut lines = Vec::new();
            let pace = Duration::from_millis(20);
            while is_over.recv_timeout(pace) == Err(RecvTimeoutError::Timeout) {
                let line = TcpStream::connect(("127.0.0.1", port));
                lines.extend(line.map(|mut line| {
                    line.write_all(b"SSH-2.0-x\r\n").unwrap_or_default();
                    line
                }));
                if lines.len() > 200 {
                    lines.drain(..100);
                }
            }
        });
        // Dropped, it ends the attack, also where something fails.
        let _over = over;
        let mut bo = soon("the question for a code comes", || {
            let mut bo = server.knock("laptop", "Bo", SIZE);
            bo.wait("Invitation code:");
            bo
        });
        for seat in ["Ana", "Jakob", "Wim"] {
            soon("a friend joins", || server.join(seat, SIZE));
        }
        soon("the code lets in", || {
            bo.press(&format!("{code}\r"));
            bo.wait("Remember it");
            bo.press_for("y\r", "Mira")
        });
    });
}

#[test]
fn nobody_waits_for_what_somebody_put_in_a_files_place() {
    let Some(server) = TestServer::open() else {
        return;
    };
    let ana = server.join("Ana", SIZE);
    for name in ["joins.log", "access.toml"] {
        let path = server.folder().join(name);
        fs::rename(&path, server.machine.home.path().join(name)).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
    }
    soon("a friend joins all the same", || server.join("Jakob", SIZE));
    drop(ana);
}

#[test]
fn who_does_too_much_at_once_is_told_so_and_no_more_is_done() {
    let Some(server) = TestServer::with(&[], &[], "[limits]\nacts-per-second = 5\n") else {
        return;
    };
    let mut ana = server.join("Ana", SIZE);
    ana.press_for("2", "Cunn");
    let before = server.entries();
    ana.press(&"+-".repeat(500));
    ana.wait("too many commands at once");
    let done = server.entries() - before;
    assert!((1..500).contains(&done), "{done}");
}

#[test]
fn an_unlisted_key_does_not_tell_who_is_expected() {
    let Some(server) = TestServer::open() else {
        return;
    };
    server.make_key("stranger");
    server.run("invite demo Bo");
    let said = |user: &str| {
        let loud = ["-vv", "-o", "LogLevel=DEBUG2", "-T"];
        let output = server.ssh("stranger", &loud, user, &[]);
        let words = String::from_utf8_lossy(&output.stderr);
        let accepted = words.matches("Server accepts key").count();
        (accepted, output.status.code())
    };
    assert_eq!(said("Bo"), said("Ana"));
    assert_eq!(said("Bo"), said("nobody"));
}
