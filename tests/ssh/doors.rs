//! Who gets in, by what, and who does not.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::bench::{TestServer, code, make_key};

const SIZE: (u16, u16) = (100, 30);

/// Makes an invitation; returns its code.
fn invite(server: &TestServer, name: &str) -> String {
    code(&server.run(&format!("invite demo {name}")))
}

#[test]
fn a_listed_key_joins_and_an_unlisted_one_does_not() {
    let Some(server) = TestServer::open() else {
        return;
    };
    // Whatever the person is called on the own machine, the key says who it is.
    let mut guest = server.knock("Ana", "root", SIZE);
    guest.wait("Mira");
    server.make_key("stranger");
    let output = server.ssh("stranger", &["-T"], "Ana", &[]);
    assert_eq!(output.status.code(), Some(255));
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(words.contains("Permission denied"), "{words}");
    assert!(output.stdout.is_empty());
    let refused = server.told("refused");
    for words in ["seat=\"Ana\" address=127.0.0.1", "key=SHA256:"] {
        assert!(refused.contains(words), "{refused}");
    }
    let joined = server.log();
    assert!(joined.contains("joined seat=\"Ana\""), "{joined}");
}

#[test]
fn an_rsa_key_is_refused_with_what_to_do_instead() {
    let Some(server) = TestServer::open() else {
        return;
    };
    make_key(server.machine.home.path(), "old", "rsa");
    let mut guest = server.knock_with(&["-o", "LogLevel=INFO"], "old", "Ana", SIZE);
    let shown = guest.wait("Invitation code:");
    let shown = shown.replace('\n', " ");
    assert!(shown.contains("RSA keys are not taken"), "{shown}");
    assert!(shown.contains("ssh-keygen -t ed25519"), "{shown}");
}

#[test]
fn an_agent_with_many_keys_gets_in_by_the_last_one_and_is_asked_for_a_code() {
    let Some(server) = TestServer::with(&[], &[], "[limits]\nlogin-tries = 2\n") else {
        return;
    };
    let agent = server.make_many_keys(30);
    server
        .knock_with(&agent.options(), "Ana", "Ana", SIZE)
        .wait("Mira");

    let code = invite(&server, "Bo");
    let mut bo = server.knock_with(&agent.options(), "Jakob", "Nobody", SIZE);
    bo.wait("as Jakob, not as Nobody");
    server.make_key("laptop");
    let mut bo = server.knock_with(&agent.options(), "laptop", "Bo", SIZE);
    bo.type_code("0000-0000-0000");
    bo.wait_until("another question", |shown| {
        shown.matches("Invitation code:").count() > 1
    });
    bo.press(&format!("{code}\r"));
    bo.wait("Remember it");
    bo.press_for("y\r", "Mira");
}

#[test]
fn as_many_codes_may_be_typed_on_a_connection_as_the_file_says() {
    let Some(server) = TestServer::with(&[], &[], "[limits]\nlogin-tries = 2\n") else {
        return;
    };
    server.make_key("laptop");
    let code = invite(&server, "Bo");
    let mut bo = server.knock("laptop", "Bo", SIZE);
    for number in 1..=2 {
        bo.wait_until("the question", |shown| {
            shown.matches("Invitation code:").count() >= number
        });
        bo.press("0000-0000-0000\r");
    }
    assert_eq!(bo.end(), 255);
    // The next connection asks again.
    let mut bo = server.knock("laptop", "Bo", SIZE);
    bo.type_code(&code);
    bo.wait("Remember it");
}

#[test]
fn an_invitation_lets_one_in_once_and_the_key_is_remembered_if_wanted() {
    let Some(server) = TestServer::open() else {
        return;
    };
    server.make_key("laptop");
    server.make_key("phone");
    let code = invite(&server, "Bo");
    let mut bo = server.knock("laptop", "bo", SIZE);
    bo.type_code(&code.to_lowercase());
    bo.wait("Remember it");
    bo.press_for("y\r", "Mira");
    bo.press("q");
    assert_eq!(bo.end(), 0);
    // The key opens the seat now, and the code nothing any more.
    let mut again = server.knock("laptop", "bo", SIZE);
    again.wait("Mira");
    let mut other = server.knock("phone", "bo", SIZE);
    other.type_code(&code);
    other.wait_until("another question", |shown| {
        shown.matches("Invitation code:").count() > 1
    });
    drop(other);
    // Without a word the key is not kept.
    let code = invite(&server, "Cleo");
    let mut cleo = server.knock("phone", "Cleo", SIZE);
    cleo.type_code(&code);
    cleo.wait("Remember it");
    cleo.press_for("n\r", "Mira");
    drop(cleo);
    let output = server.ssh("phone", &["-T"], "Cleo", &[]);
    assert_eq!(output.status.code(), Some(255));
    // Who is cut off at the question has used the code up, and is let in by the key.
    let cut_off = invite(&server, "Dee");
    let mut dee = server.knock("phone", "Dee", SIZE);
    dee.type_code(&cut_off);
    dee.wait("Remember it");
    dee.cut();
    let mut dee = server.knock("phone", "Dee", SIZE);
    dee.wait("Mira");
    drop(dee);
    let access = fs::read_to_string(server.folder().join("access.toml")).unwrap();
    for text in [server.log(), access] {
        assert!(!text.contains(&code), "{text}");
    }
}

#[test]
fn five_wrong_codes_end_an_invitation_and_so_does_its_time() {
    let Some(server) = TestServer::open() else {
        return;
    };
    server.make_key("laptop");
    let code = invite(&server, "Bo");
    let mut gm = server.join("gm", (120, 40));
    for tries in [3, 2] {
        let mut bo = server.knock_with(&["-o", "LogLevel=INFO"], "laptop", "Bo", SIZE);
        for number in 1..=tries {
            bo.wait_until("the question", |shown| {
                shown.matches("Invitation code:").count() >= number
            });
            bo.press("0000-0000-0000\r");
            server.told("no such invitation");
            if number > 1 {
                bo.wait("That was no code for the name \"Bo\"");
            }
        }
    }
    gm.wait("5 wrong codes ended the invitation of Bo");
    let mut bo = server.knock("laptop", "Bo", SIZE);
    bo.type_code(&code);
    server.told("no such invitation");
    drop(bo);

    let code = invite(&server, "Dora");
    let path = server.folder().join("access.toml");
    let text = fs::read_to_string(&path).unwrap();
    let late = text.lines().map(|line| match line.strip_prefix("expires") {
        Some(_) => "expires = \"2026-01-01T00:00:00Z\"",
        None => line,
    });
    fs::write(&path, late.collect::<Vec<_>>().join("\n")).unwrap();
    let mut dora = server.knock("laptop", "Dora", SIZE);
    dora.type_code(&code);
    server.told("no such invitation");
}

#[test]
fn the_hosts_key_stays_the_same_and_is_the_owners_alone() {
    let Some(mut server) = TestServer::open() else {
        return;
    };
    let path = server.folder().join("host_key");
    let key = fs::read(&path).unwrap();
    let mode = fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let print = |server: &TestServer| {
        let told = server.run("invite demo x");
        told.lines().last().unwrap().to_owned()
    };
    let before = print(&server);
    server.restart();
    assert_eq!(print(&server), before);
    assert_eq!(fs::read(&path).unwrap(), key);
}

#[test]
fn whose_seat_is_taken_away_leaves_and_does_not_come_back() {
    let Some(server) = TestServer::open() else {
        return;
    };
    let mut gm = server.join("gm", (120, 40));
    let mut ana = server.join("Ana", SIZE);
    gm.take_the_seat_of_ana();
    assert_eq!(ana.end(), 1);
    ana.wait("Your seat was removed");
    gm.wait_until("Ana gone", |shown| !shown.contains("Ana     player, a key"));
    let output = server.ssh("Ana", &["-T"], "Ana", &[]);
    assert_eq!(output.status.code(), Some(255));
    // And an invitation from the same place.
    gm.press_for("n", "Invite");
    gm.press_for("Bo\r", "It works once");
    let shown = gm.wait("Tell Bo to type");
    let command = format!("ssh -p {} Bo@127.0.0.1", server.port);
    assert!(shown.contains(&command), "{shown}");
    let code = shown.lines().find_map(|line| {
        line.split_whitespace()
            .find(|word| word.len() == 14 && word.matches('-').count() == 2)
    });
    server.make_key("laptop");
    let mut bo = server.knock("laptop", "Bo", SIZE);
    bo.type_code(code.unwrap());
    bo.wait("Remember it");
}

#[test]
fn whose_key_it_is_decides_and_a_name_of_somebody_else_is_answered() {
    let Some(server) = TestServer::open() else {
        return;
    };
    let words = "your key belongs to Ana, so you join as Ana, not as Jakob";
    server.knock("Ana", "jakob", SIZE).wait(words);
    let told = server.ssh("Ana", &["-T"], "Jakob", &[]);
    let told = String::from_utf8(told.stdout).unwrap();
    assert!(told.contains(words), "{told}");
    // Also where the name that was typed is nobody's.
    let words = "your key belongs to Ana, so you join as Ana, not as zoe";
    server.knock("Ana", "zoe", SIZE).wait(words);
}

#[test]
fn an_invitation_says_where_to_join_and_whom_the_person_will_play() {
    let Some(mut server) = TestServer::open() else {
        return;
    };
    let invited = |server: &TestServer, name: &str| server.run(&format!("invite demo {name}"));
    let told = invited(&server, "mira");
    let command = format!("ssh -p {} Ana@127.0.0.1", server.port);
    for words in ["Ana is invited as player", "Ana plays Mira", &command] {
        assert!(told.contains(words), "{told}");
    }
    let told = invited(&server, "Bo");
    for words in ["Bo has no character yet", "Players there are: ", "Jakob"] {
        assert!(told.contains(words), "{told}");
    }
    assert!(!invited(&server, "Jakob").contains("has no character yet"));
    // Somebody who opens a game that is open to others is told how to join it.
    let refused = server.refused("demo");
    let command = format!("ssh -p {} gm@127.0.0.1", server.port);
    assert!(refused.contains(&command), "{refused}");
    server.end();
    let told = invited(&server, "Ana");
    assert!(told.contains("ssh -p PORT Ana@HOST"), "{told}");
}
