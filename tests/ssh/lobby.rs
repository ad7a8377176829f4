//! Many games behind one door: the lobby, going in and out, beginning games, putting them away.

use std::fs;

use serde_json::Value as Json;

use super::bench::{TestServer, code, seat};

/// A game of each system that the host's rules were written for.
const GAMES: [(&str, &str); 5] = [
    ("friday", "heart-rush"),
    ("saturday", "hearts"),
    ("fnd", "friday-night-dungeon"),
    ("hf", "hfrpg"),
    ("truth", "gnosis"),
];

const SIZE: (u16, u16) = (110, 34);

fn status(server: &TestServer) -> Json {
    serde_json::from_str(&server.run("host --status --json")).unwrap()
}

#[test]
fn one_key_leads_to_every_table_where_it_has_a_seat() {
    let Some(server) = TestServer::hosting(&GAMES, &[], &[], "") else {
        return;
    };
    let mut ana = server.knock("Ana", "ana", SIZE);
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
    let mut bo = server.knock("Bo", "saturday+bo", SIZE);
    bo.wait("You are Bo");
    let mut other = server.knock("Ana", "ana", SIZE);
    other.wait("connected: Bo");
    other.wait("The cellar; connected: Ana");
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
    let told = status(&server);
    assert_eq!(told["games-open"], 2, "{told}");
    assert_eq!(told["screens"], 1, "{told}");
    // Who has no seat at a table, and who asks for a table that is not there, hear the same.
    let refused = |game: &str| {
        let told = server.ssh("Bo", &[], &format!("{game}+bo"), &[]);
        assert!(!told.status.success());
        String::from_utf8_lossy(&told.stderr).replace(game, "GAME")
    };
    assert_eq!(refused("friday"), refused("monday"));
    // Without a terminal the lobby is a list.
    let listed = server.ssh("Bo", &["-T"], "bo", &[]);
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert!(listed.contains("saturday: you are player"), "{listed}");
    assert!(!listed.contains("friday"), "{listed}");
}

#[test]
fn a_game_is_begun_in_the_lobby_and_a_code_leads_to_another() {
    let host = "gms = ['ana']\n";
    let Some(server) = TestServer::hosting(&GAMES[..2], &[], &[], host) else {
        return;
    };
    let mut bo = server.knock("Bo", "bo", SIZE);
    bo.wait("saturday");
    // Bo may not begin a game, nor may Ana, who is called so at a table alone, before the host gave her a seat.
    bo.press("n");
    let mut ana = server.knock("Ana", "ana", SIZE);
    ana.wait("The lobby: Ana");
    ana.press("n");
    let invited = server.run("invite --host ana");
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
    let access = server.machine.data().join("monday/access.toml");
    assert!(fs::read_to_string(&access).unwrap().contains("ssh-ed25519"));
    // An invitation from the GM's screen, or from the shell, is taken in the lobby.
    let invited = server.run("invite monday bo");
    assert!(invited.contains("monday+bo@"), "{invited}");
    bo.press_for("c", "Take a seat");
    bo.press("AAAA-BBBB-CCCC\x13");
    bo.wait("no invitation for Bo has this code");
    bo.press(&format!("\x15{}\x13", code(&invited)));
    bo.wait("monday");
    bo.press("/monday\r");
    bo.press_for("\r", "You are bo");
    ana.wait("bo");
}

#[test]
fn codes_typed_in_the_lobby_end_no_invitation_and_each_right_one_opens_its_game() {
    let Some(server) = TestServer::hosting(&GAMES[..1], &[], &[], "") else {
        return;
    };
    let names = ["g0", "g1", "g2", "g3", "g4", "g5", "g6"];
    let codes = names.map(|name| {
        server.run(&format!("new {name} --system heart-rush"));
        code(&server.run(&format!("invite {name} zoe")))
    });
    let of_host = code(&server.run("invite --host zoe"));

    // A stranger types six wrong codes under her name, three on each of two connections.
    server.make_key("stranger");
    let mut strangers = ["stranger", "stranger"].map(|key| server.knock(key, "zoe", SIZE));
    for number in 1..=3 {
        for stranger in &mut strangers {
            stranger.wait_until("the question", |shown| {
                shown.matches("Invitation code:").count() >= number
            });
            stranger.press("0000-0000-0000\r");
        }
    }
    for stranger in &mut strangers {
        assert_eq!(stranger.end(), 255);
        assert!(!stranger.shown().contains("end an invitation"));
    }

    // The games that were made first are the last ones played: each code is tried where others are expected, too.
    for (name, code) in names.iter().zip(&codes).take(2) {
        let mut zoe = server.knock("Zoe", "zoe", SIZE);
        zoe.type_code(code);
        zoe.wait("Remember it");
        zoe.press_for("n\r", name);
        drop(zoe);
    }
    let mut zoe = server.knock("Zoe", "zoe", SIZE);
    zoe.type_code(&of_host);
    zoe.wait("Remember it");
    zoe.press_for("y\r", "The lobby: zoe");
    for (name, code) in names.iter().zip(&codes).skip(2) {
        zoe.press_for("c", "Take a seat");
        zoe.press(&format!("{code}\x13"));
        zoe.wait(name);
    }
}

#[test]
fn wrong_codes_in_the_lobby_are_bounded_for_each_person() {
    let Some(server) = TestServer::hosting(&GAMES[..2], &[], &[], "") else {
        return;
    };
    let code = code(&server.run("invite friday bo"));
    let mut bo = server.knock("Bo", "bo", SIZE);
    bo.wait("saturday");
    bo.press_for("c", "Take a seat");
    for number in 0..5 {
        bo.press(&format!("\x15AAAA-BBBB-000{number}\x13"));
        bo.wait_until("a refusal", |shown| {
            shown.contains("no invitation for Bo has this code")
                && shown.contains(&format!("000{number}"))
        });
    }
    bo.press("\x15AAAA-BBBB-CCCC\x13");
    bo.wait("5 wrong codes in a minute");
    // Another connection of the same key has no more tries.
    let mut again = server.knock("Bo", "bo", SIZE);
    again.wait("saturday");
    again.press_for("c", "Take a seat");
    again.press(&format!("{code}\x13"));
    again.wait("5 wrong codes in a minute");
    // At the game's own door the invitation holds.
    server.make_key("phone");
    let mut phone = server.knock("phone", "friday+bo", SIZE);
    phone.type_code(&code);
    phone.wait("Remember it");
}

#[test]
fn nobody_begins_games_without_end() {
    let host = "gms = ['ana', 'bo']\nmost-games = 5\nnew-games-per-minute = 2\n";
    let Some(server) = TestServer::hosting(&GAMES[..2], &[], &[], host) else {
        return;
    };
    let names = ["Ana", "Bo"];
    let [mut ana, mut bo] = names.map(|name| {
        let invited = server.run(&format!("invite --host {name}"));
        let mut person = server.knock(name, &name.to_lowercase(), SIZE);
        person.wait("saturday");
        person.press_for("c", "Take a seat");
        person.press(&format!("{}\x13", code(&invited)));
        person.wait("n new");
        person
    });
    for name in ["one", "two"] {
        ana.press_for("n", "New game");
        ana.press(&format!("{name}\x13"));
        ana.wait(&format!("{name} · "));
        ana.press_for("q", "saturday");
    }
    ana.press_for("n", "New game");
    ana.press("three\x13");
    ana.wait("you created 2 games in a minute");
    // Each person has tries of their own, and a game that cannot be made takes none.
    bo.press_for("n", "New game");
    bo.press("one\x13");
    bo.wait("already");
    bo.press("\x15three\x13");
    bo.wait("three · ");
    bo.press_for("q", "saturday");
    bo.press_for("n", "New game");
    bo.press("four\x13");
    bo.wait("there are 5 games here");
    assert!(!server.machine.data().join("four").exists());
}

#[test]
fn an_agent_with_many_keys_comes_to_the_lobby_and_to_a_table() {
    let Some(server) = TestServer::hosting(&GAMES[..1], &[], &[], "[limits]\nlogin-tries = 2\n")
    else {
        return;
    };
    let agent = server.make_many_keys(30);
    for user in ["ana", "friday+ana"] {
        let mut ana = server.knock_with(&agent.options(), "Ana", user, SIZE);
        ana.wait(if user == "ana" {
            "The lobby: Ana"
        } else {
            "Table"
        });
    }
    for (user, invited) in [
        ("zoe", server.run("invite --host zoe")),
        ("friday+cleo", server.run("invite friday cleo")),
    ] {
        let mut guest = server.knock_with(&agent.options(), "Zoe", user, SIZE);
        guest.type_code(&code(&invited));
        guest.wait("Remember it");
        // The key that is remembered is the first of the agent's: another guest's after that.
        guest.press("n\r");
        guest.wait_until("in", |shown| {
            shown.contains("lobby") || shown.contains("Table")
        });
    }
}

#[test]
fn a_login_touches_no_game_where_it_has_no_seat() {
    let Some(server) = TestServer::hosting(&GAMES[..2], &[], &[], "") else {
        return;
    };
    // A game of which nobody has asked has no lock beside its seats.
    let lock = server.machine.data().join("friday/access.lock");
    server.make_key("stranger");
    for key in ["stranger", "Bo"] {
        drop(server.ssh(key, &["-T"], "bo", &[]));
        drop(server.ssh(key, &["-T"], "saturday+bo", &[]));
    }
    assert!(!lock.exists());
    // What is written beside the program counts at the next login.
    let access = server.machine.data().join("friday/access.toml");
    let listed = fs::read_to_string(&access).unwrap();
    let key = fs::read_to_string(server.machine.home.path().join("stranger.pub")).unwrap();
    let told = |key: &str| {
        let told = server.ssh(key, &["-T"], "zed", &[]);
        String::from_utf8_lossy(&told.stdout).into_owned()
    };
    assert_eq!(told("stranger"), "");
    fs::write(
        &access,
        format!("{listed}{}", seat("zed", "player", key.trim())),
    )
    .unwrap();
    assert!(told("stranger").contains("friday: you are player"));
    fs::write(&access, &listed).unwrap();
    assert_eq!(told("stranger"), "");
    // So does a game that is made, or gone.
    fs::write(
        &access,
        format!("{listed}{}", seat("zed", "player", key.trim())),
    )
    .unwrap();
    server.run("new later --system hearts");
    let later = server.machine.data().join("later/access.toml");
    fs::copy(&access, &later).unwrap();
    let both = told("stranger");
    assert!(
        both.contains("friday: you are") && both.contains("later: you are"),
        "{both}"
    );
    fs::remove_dir_all(server.machine.data().join("friday")).unwrap();
    let one = told("stranger");
    assert!(
        !one.contains("friday") && one.contains("later: you are"),
        "{one}"
    );
}

#[test]
fn somebody_new_comes_to_the_host_by_a_code_of_its_own() {
    let Some(server) = TestServer::hosting(&GAMES[..1], &[], &[], "") else {
        return;
    };
    let invited = server.run("invite --host zoe");
    assert!(invited.contains("zoe@"), "{invited}");
    let mut zoe = server.knock("Zoe", "zoe", SIZE);
    zoe.type_code(&code(&invited));
    zoe.wait("Remember it");
    zoe.press("y\r");
    zoe.wait("The lobby: zoe");
    zoe.wait("You have no seat in a game yet.");
    // What is edited while somebody is in the lobby alone is read, too.
    let file = server.machine.data().join("host.toml");
    let edited = format!("gms = ['zoe']\n{}", fs::read_to_string(&file).unwrap());
    fs::write(&file, edited).unwrap();
    zoe.wait("n new");
    zoe.press_for("n", "New game");
    zoe.press("sunday\x13");
    zoe.wait("sunday");
    zoe.cut();
    // The key alone is enough from now on.
    let mut zoe = server.knock("Zoe", "zoe", SIZE);
    zoe.wait("sunday");
}

#[test]
fn a_table_is_put_away_when_all_have_left_and_comes_back_as_it_was() {
    let Some(server) = TestServer::hosting(&GAMES[..1], &["--idle", "1"], &[], "") else {
        return;
    };
    let mut ana = server.knock("Ana", "friday+ana", SIZE);
    ana.wait("Table");
    // A command reaches the table that is open.
    server.run("do friday add clock The flood 6");
    ana.wait("The flood");
    ana.press("q");
    assert_eq!(ana.end(), 0);
    server.told("put away game=\"friday\" in ");
    assert_eq!(status(&server)["games-open"], 0);
    // While it is put away, commands open it themselves.
    server.run("do friday tick the flood 2");
    let mut ana = server.knock("Ana", "friday+ana", SIZE);
    ana.wait("The flood");
    ana.wait("2/6");
    server.told("opened game=\"friday\" in ");
    assert_eq!(status(&server)["games-open"], 1);
}

#[cfg(debug_assertions)]
#[test]
fn a_fault_at_one_table_is_noticed_at_no_other() {
    let environment = [("TABLESIDE_PANIC", "seat Bo")];
    let Some(server) = TestServer::hosting(&GAMES[..2], &[], &environment, "") else {
        return;
    };
    let mut ana = server.knock("Ana", "friday+ana", SIZE);
    ana.wait("Table");
    let mut bo = server.knock("Bo", "saturday+bo", SIZE);
    bo.wait("You are Bo");
    bo.press("\x1c");
    assert_eq!(bo.end(), 1);
    bo.is_given_back().unwrap();
    ana.press_for("S", "Next scene");
    ana.press("Still here\r");
    ana.wait("Still here");
    let mut bo = server.knock("Bo", "saturday+bo", SIZE);
    bo.wait("You are Bo");
}

#[test]
fn a_clock_of_the_host_ticks_at_every_table_and_in_the_lobby() {
    let Some(server) = TestServer::hosting(&GAMES[..3], &["--idle", "1"], &[], "") else {
        return;
    };
    let mut ana = server.knock("Ana", "friday+ana", SIZE);
    ana.wait("Table");
    let mut bo = server.knock("Bo", "saturday+bo", SIZE);
    bo.wait("You are Bo");
    let mut lobby = server.knock("Ana", "ana", SIZE);
    lobby.wait("The lobby: Ana");
    server.run("do --host add clock The reactor 4");
    for screen in [&mut ana, &mut bo, &mut lobby] {
        screen.wait("The reactor");
    }
    ana.press_for("3", "The reactor");
    server.run("do friday tick the reactor");
    lobby.wait("The host: The reactor: 1/4");
    // A table that nobody has open ticks it, too, and its link is its own.
    server.run("do fnd tick the reactor");
    lobby.wait("The host: The reactor: 2/4");
    let standing = |game: &str| server.run(&format!("status {game}"));
    for game in ["friday", "saturday", "fnd"] {
        let told = standing(game);
        assert!(told.contains("The reactor: effort, 2 of 4"), "{told}");
    }
    // Who ticked it takes it back, everywhere.
    server.run("do fnd undo");
    lobby.wait("The host: The reactor: 1/4");
    ana.wait("1/4");
    for game in ["friday", "saturday", "fnd"] {
        let told = standing(game);
        assert!(told.contains("The reactor: effort, 1 of 4"), "{told}");
        let told = server.run(&format!("verify {game}"));
        assert!(told.contains("holds"), "{told}");
    }
}
