//! Many games behind one door: the lobby, going in and out, beginning games, putting them away.

use std::fs;

use serde_json::Value as Json;

use super::bench::{House, code};

/// A game of each system that the house's rules were written for.
const GAMES: [(&str, &str); 5] = [
    ("friday", "heart-rush"),
    ("saturday", "hearts"),
    ("fnd", "friday-night-dungeon"),
    ("hf", "hfrpg"),
    ("truth", "gnosis"),
];

const SIZE: (u16, u16) = (110, 34);

fn status(house: &House) -> Json {
    serde_json::from_str(&house.run("host --status --json")).unwrap()
}

#[test]
fn one_key_leads_to_every_table_where_it_has_a_seat() {
    let Some(house) = House::hosting(&GAMES, &[], &[], "") else {
        return;
    };
    let mut ana = house.knock("Ana", "ana", SIZE);
    ana.wait("The lobby: Ana");
    for (name, _) in GAMES {
        ana.wait(name);
    }
    // The GM's own screen, with the GM's own keys.
    ana.press("/friday\r");
    ana.wait_until("friday alone", |shown| !shown.contains("saturday"));
    ana.press_for("\r", "Table");
    ana.press_for("S", "Next scene");
    ana.press("The cellar\r");
    ana.wait("The cellar");
    // Bo comes by the table's own name, and sees who is where in the lobby.
    let mut bo = house.knock("Bo", "saturday+bo", SIZE);
    bo.wait("You are Bo");
    let mut other = house.knock("Ana", "ana", SIZE);
    other.wait("there: Bo");
    other.wait("The cellar; there: Ana");
    // Out again, and into the next.
    ana.press("q");
    ana.wait("The lobby: Ana");
    ana.press("/saturday\r");
    ana.press("\r");
    ana.wait("You are Ana");
    bo.wait("Ana");
    ana.press("q");
    ana.wait("The lobby: Ana");
    ana.press("q");
    assert_eq!(ana.end(), 0);
    ana.is_given_back().unwrap();
    let told = status(&house);
    assert_eq!(told["games-open"], 2, "{told}");
    assert_eq!(told["screens"], 1, "{told}");
    // Who has no seat at a table, and who asks for a table that is not there, hear the same.
    let refused = |game: &str| {
        let told = house.ssh("Bo", &[], &format!("{game}+bo"), &[]);
        assert!(!told.status.success());
        String::from_utf8_lossy(&told.stderr).replace(game, "GAME")
    };
    assert_eq!(refused("friday"), refused("monday"));
    // Without a terminal the lobby is a list.
    let listed = house.ssh("Bo", &["-T"], "bo", &[]);
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert!(listed.contains("saturday: you are player"), "{listed}");
    assert!(!listed.contains("friday"), "{listed}");
}

#[test]
fn a_game_is_begun_in_the_lobby_and_a_code_leads_to_another() {
    let host = "gms = ['ana']\n";
    let Some(house) = House::hosting(&GAMES[..2], &[], &[], host) else {
        return;
    };
    let mut bo = house.knock("Bo", "bo", SIZE);
    bo.wait("saturday");
    // Bo may not begin a game, nor may Ana, who is called so at a table alone, before the house gave her a seat.
    bo.press("n");
    let mut ana = house.knock("Ana", "ana", SIZE);
    ana.wait("The lobby: Ana");
    ana.press("n");
    let invited = house.run("invite --house ana");
    ana.press_for("c", "Take a seat");
    assert!(!ana.shown().contains("New game"), "{}", ana.shown());
    ana.press(&format!("{}\x13", code(&invited)));
    ana.wait("n new");
    ana.press_for("n", "New game");
    ana.press("monday\x13");
    ana.wait("monday");
    assert!(!bo.shown().contains("New game"), "{}", bo.shown());
    ana.press("/monday\r");
    ana.press_for("\r", "Table");
    let access = house.machine.data().join("monday/access.toml");
    assert!(fs::read_to_string(&access).unwrap().contains("ssh-ed25519"));
    // An invitation from the GM's screen, or from the shell, is taken in the lobby.
    let invited = house.run("invite monday bo");
    assert!(invited.contains("monday+bo@"), "{invited}");
    bo.press_for("c", "Take a seat");
    bo.press("AAAA-BBBB-CCCC\x13");
    bo.wait("no invitation waits for Bo with that code");
    bo.press(&format!("\x15{}\x13", code(&invited)));
    bo.wait("monday");
    bo.press("/monday\r");
    bo.press_for("\r", "You are bo");
    ana.wait("bo");
}

#[test]
fn somebody_new_comes_to_the_house_by_a_code_of_its_own() {
    let Some(house) = House::hosting(&GAMES[..1], &[], &[], "") else {
        return;
    };
    let invited = house.run("invite --house zoe");
    assert!(invited.contains("zoe@"), "{invited}");
    let mut zoe = house.knock("Zoe", "zoe", SIZE);
    zoe.type_code(&code(&invited));
    zoe.wait("Remember it");
    zoe.press("y\r");
    zoe.wait("The lobby: zoe");
    zoe.wait("No game expects you yet");
    // What is edited while somebody is in the lobby alone is read, too.
    let file = house.machine.data().join("host.toml");
    let edited = format!("gms = ['zoe']\n{}", fs::read_to_string(&file).unwrap());
    fs::write(&file, edited).unwrap();
    zoe.wait("n new");
    zoe.press_for("n", "New game");
    zoe.press("sunday\x13");
    zoe.wait("sunday");
    zoe.cut();
    // The key alone is enough from now on.
    let mut zoe = house.knock("Zoe", "zoe", SIZE);
    zoe.wait("sunday");
}

#[test]
fn a_table_is_put_away_when_all_have_left_and_comes_back_as_it_was() {
    let Some(house) = House::hosting(&GAMES[..1], &["--idle", "1"], &[], "") else {
        return;
    };
    let mut ana = house.knock("Ana", "friday+ana", SIZE);
    ana.wait("Table");
    // A command reaches the table that is open.
    house.run("do friday add clock The flood 6");
    ana.wait("The flood");
    ana.press("q");
    assert_eq!(ana.end(), 0);
    house.told("put away game=\"friday\" in ");
    assert_eq!(status(&house)["games-open"], 0);
    // While it is put away, commands open it themselves.
    house.run("do friday tick the flood 2");
    let mut ana = house.knock("Ana", "friday+ana", SIZE);
    ana.wait("The flood");
    ana.wait("2/6");
    house.told("opened game=\"friday\" in ");
    assert_eq!(status(&house)["games-open"], 1);
}

#[cfg(debug_assertions)]
#[test]
fn a_fault_at_one_table_is_noticed_at_no_other() {
    let environment = [("TABLESIDE_PANIC", "seat Bo")];
    let Some(house) = House::hosting(&GAMES[..2], &[], &environment, "") else {
        return;
    };
    let mut ana = house.knock("Ana", "friday+ana", SIZE);
    ana.wait("Table");
    let mut bo = house.knock("Bo", "saturday+bo", SIZE);
    bo.wait("You are Bo");
    bo.press("\x1c");
    assert_eq!(bo.end(), 1);
    bo.is_given_back().unwrap();
    ana.press_for("S", "Next scene");
    ana.press("Still here\r");
    ana.wait("Still here");
    let mut bo = house.knock("Bo", "saturday+bo", SIZE);
    bo.wait("You are Bo");
}

#[test]
fn a_clock_of_the_house_ticks_at_every_table_and_in_the_lobby() {
    let Some(house) = House::hosting(&GAMES[..3], &["--idle", "1"], &[], "") else {
        return;
    };
    let mut ana = house.knock("Ana", "friday+ana", SIZE);
    ana.wait("Table");
    let mut bo = house.knock("Bo", "saturday+bo", SIZE);
    bo.wait("You are Bo");
    let mut lobby = house.knock("Ana", "ana", SIZE);
    lobby.wait("The lobby: Ana");
    house.run("do --house add clock The reactor 4");
    for screen in [&mut ana, &mut bo, &mut lobby] {
        screen.wait("The reactor");
    }
    ana.press_for("3", "The reactor");
    house.run("do friday tick the reactor");
    lobby.wait("The house: The reactor: 1/4");
    // A table that nobody has open ticks it, too, and its link is its own.
    house.run("do fnd tick the reactor");
    lobby.wait("The house: The reactor: 2/4");
    let standing = |game: &str| house.run(&format!("status {game}"));
    for game in ["friday", "saturday", "fnd"] {
        let told = standing(game);
        assert!(told.contains("The reactor: effort, 2 of 4"), "{told}");
    }
    // Who ticked it takes it back, everywhere.
    house.run("do fnd undo");
    lobby.wait("The house: The reactor: 1/4");
    ana.wait("1/4");
    for game in ["friday", "saturday", "fnd"] {
        let told = standing(game);
        assert!(told.contains("The reactor: effort, 1 of 4"), "{told}");
        let told = house.run(&format!("verify {game}"));
        assert!(told.contains("holds"), "{told}");
    }
}
