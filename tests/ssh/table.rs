//! Several people at one table.

use super::bench::{Connection, TestServer};

const GM: (u16, u16) = (120, 40);

#[test]
fn four_people_see_each_change_at_once_on_screens_of_their_own() {
    let Some(server) = TestServer::open() else {
        return;
    };
    let mut gm = server.join("gm", GM);
    let mut ana = server.join("Ana", (80, 24));
    let mut jakob = server.join("Jakob", (100, 30));
    let mut wim = server.join("Wim", (40, 12));
    gm.wait("with Ana, Jakob, Wim");
    wim.wait("with 3 others");
    ana.press_for("2", "Cunn");
    jakob.press_for("5T", "Colours");
    jakob.press("\r");
    gm.press_for("S", "Next scene");
    gm.press("Over the bridge\r");
    for guest in [&mut gm, &mut ana, &mut jakob, &mut wim] {
        guest.wait("Over the bridge");
    }
    // Each stayed where it was: the party, the log, the table.
    ana.wait("Cunn");
    jakob.wait("Event");
    // Jakob took other colours than everybody else.
    let paper = |guest: &Connection| guest.all.windows(5).filter(|part| part == b"48;5;").count();
    assert!(paper(&jakob) > 0, "{}", paper(&ana));
    jakob.cut();
    gm.wait_until("Jakob gone", |shown| shown.contains("with Ana, Wim"));
    wim.press("q");
    assert_eq!(wim.end(), 0);
    wim.is_given_back().unwrap();
    gm.wait_until("Wim gone", |shown| !shown.contains("Wim"));
}

#[test]
fn a_screen_follows_the_size_of_its_terminal() {
    let Some(server) = TestServer::open() else {
        return;
    };
    let mut ana = server.join("Ana", (100, 30));
    ana.resize((30, 8));
    ana.wait("Tableside needs");
    ana.resize((160, 45));
    let shown = ana.wait("Last rolls");
    assert!(
        shown.lines().any(|line| line.chars().count() > 120),
        "{shown}"
    );
}

#[test]
fn who_was_cut_off_in_the_middle_of_a_check_finds_it_and_the_tab_again() {
    let Some(server) = TestServer::open() else {
        return;
    };
    let mut ana = server.join("Ana", (100, 30));
    ana.press_for("2", "Mira");
    // Until the dice ask for a decision.
    let waits = |server: &TestServer| {
        let status = server.status();
        status["unfinished"][0].is_object()
    };
    let mut rolled = 0;
    while !waits(&server) {
        let before = server.entries();
        ana.press_for("r", "Enter");
        ana.press("\r");
        ana.wait_until("a roll", |_| server.entries() > before || waits(&server));
        if !waits(&server) {
            ana.press("\x1b\x1b");
        }
        rolled += 1;
        assert!(rolled < 100, "no check ever asked");
    }
    ana.cut();
    server.told("left seat=\"Ana\"");
    assert!(waits(&server));
    let mut again = server.join("Ana", (100, 30));
    // The dialog with the question is open again, over the tab that was.
    again.wait_until("the check", |shown| {
        shown.contains("Complication") || shown.contains("complication")
    });
    again.press("\x1b\x1b");
    again.wait("Cunn");
    // On purpose, the tab is kept and the dialog is not.
    again.press_for("3", "Clocks");
    again.press("q");
    again.wait("Quit?");
    again.press("y");
    assert_eq!(again.end(), 0);
    let mut third = server.join("Ana", (100, 30));
    third.wait_until("the clocks", |shown| !shown.contains("Quit?"));
}

#[test]
fn a_screen_that_panics_ends_alone() {
    let Some(server) = TestServer::with(&[], &[("TABLESIDE_PANIC", "seat Ana")], "") else {
        return;
    };
    let mut gm = server.join("gm", GM);
    let mut ana = server.join("Ana", (80, 24));
    gm.wait("with Ana");
    ana.press("\x1c");
    assert_eq!(ana.end(), 1);
    ana.wait("This screen failed");
    ana.is_given_back().unwrap();
    gm.wait_until("Ana gone", |shown| !shown.contains("with Ana"));
    gm.press_for("S", "Next scene");
    gm.press_for("After the fall\r", "After the fall");
    server.join("Ana", (80, 24)).wait("After the fall");
}

#[test]
fn the_gms_own_screen_serves_others_and_asks_before_it_closes() {
    let Some(mut server) = TestServer::open() else {
        return;
    };
    server.end();
    let screen = server.machine.command(&["demo", "--listen", "0"]);
    let mut gm = Connection::run(&screen, GM);
    let shown = gm.wait("The table is open at");
    let port = shown.split("127.0.0.1:").nth(1).unwrap();
    let port: String = port.chars().take_while(char::is_ascii_digit).collect();
    server.port = port.parse().unwrap();
    let mut ana = server.knock("Ana", "Ana", (80, 24));
    ana.wait("with gm");
    gm.wait("with Ana");
    gm.press_for("q", "The game closes for Ana too");
    gm.press("y");
    assert_eq!(gm.end(), 0);
    gm.is_given_back().unwrap();
    assert_eq!(ana.end(), 0);
    ana.wait("The table was closed.");
    ana.is_given_back().unwrap();
    server.status();
}

#[test]
fn what_somebody_suggested_leaves_with_the_seat() {
    let Some(server) = TestServer::open() else {
        return;
    };
    let mut gm = server.join("gm", GM);
    let mut ana = server.join("Ana", (90, 30));
    ana.press_for("2", "Mira");
    ana.press_for("j ", "Suggest this to the GM:");
    ana.press_for("y", "suggested; waiting for the GM");
    gm.wait("Ana suggests");
    gm.take_the_seat_of_ana();
    assert_eq!(ana.end(), 1);
    gm.press("\x1b");
    gm.wait_until("nothing suggested", |shown| !shown.contains("Ana suggests"));
    gm.press_for("\x19", "no suggestions");
}
