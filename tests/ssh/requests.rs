//! What a client may ask for besides a screen: everything gets a clear line and an exit status, and nothing
//! hangs.

use std::net::TcpStream;
use std::process::{Command, Stdio};

use super::bench::{TestServer, finish};

#[test]
fn without_a_terminal_the_table_is_told_as_the_seat_sees_it() {
    let Some(server) = TestServer::open() else {
        return;
    };
    // The sample game has clocks that players do not see, and one that they see the outside of.
    let told = |seat: &str| {
        let output = server.ssh(seat, &["-T"], seat, &[]);
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    for (seat, secret, trust) in [
        ("gm", true, "The prisoner's trust: effort, 1 of 4"),
        ("Ana", false, "The prisoner's trust: effort, ? of 4"),
        ("Wim", false, "The prisoner's trust: effort, ? of 4"),
    ] {
        let told = told(seat);
        assert!(told.starts_with("demo, a game of Heart Rush."), "{told}");
        assert!(told.contains("Mira, played by Ana"), "{told}");
        assert_eq!(told.contains("Rusk rides home"), secret, "{told}");
        assert!(told.contains(trust), "{told}");
    }
}

#[test]
fn commands_files_and_forwarding_are_refused_in_words() {
    let Some(server) = TestServer::open() else {
        return;
    };
    let said = |before: &[&str], after: &[&str]| {
        let output = server.ssh("Ana", before, "Ana", after);
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    let (fails, back) = ("-oExitOnForwardFailure=yes", "0:127.0.0.1:22");
    for (before, after, due, refusal) in [
        (&[][..], &["true"][..], 1, "runs no commands"),
        (&["-s"], &["sftp"], 1, "transfers no files"),
        (&["-W", "127.0.0.1:22"], &[], 255, "forwarding failed"),
        (&["-N", fails, "-R", back], &[], 255, "forwarding failed"),
    ] {
        let (status, words) = said(before, after);
        assert_eq!(status, Some(due), "{words}");
        assert!(words.contains(refusal), "{words}");
    }
    // An agent is left alone, and said to be; the status comes all the same.
    let (status, words) = said(&["-T"], &[]);
    assert_eq!(status, Some(0));
    assert!(!words.contains("agent"), "{words}");
    for program in ["sftp", "scp"] {
        let mut options = server.client("Ana");
        let port = options.iter().position(|word| word == "-p").unwrap();
        options[port] = "-P".to_owned();
        let mut command = Command::new(program);
        command.args(options).args(["-o", "BatchMode=yes"]);
        match program {
            "sftp" => command.arg("Ana@127.0.0.1"),
            _ => command.args(["/etc/hostname", "Ana@127.0.0.1:/tmp/never"]),
        };
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let Ok(child) = child else {
            continue;
        };
        let output = finish(child);
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success());
        assert!(words.contains("transfers no files"), "{program}: {words}");
    }
}

#[test]
fn a_forwarded_port_leads_nowhere_and_the_screen_goes_on() {
    let Some(server) = TestServer::open() else {
        return;
    };
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let forward = format!("{port}:127.0.0.1:{}", server.port);
    let mut ana = server.knock_with(&["-A", "-L", &forward], "Ana", "Ana", (100, 30));
    ana.wait("Table");
    let far = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let mut answer = [0];
    let read = std::io::Read::read(&mut &far, &mut answer).unwrap_or(0);
    assert_eq!(read, 0, "something answered");
    ana.press_for("2", "Cunn");
}

#[test]
fn a_size_from_nowhere_is_made_one() {
    let Some(server) = TestServer::open() else {
        return;
    };
    let mut ana = server.join("Ana", (65_535, 3));
    ana.resize((80, 24));
    ana.wait("Mira");
}

#[test]
fn windows_stay_where_they_are_and_the_screen_says_so() {
    let Some(server) = TestServer::open() else {
        return;
    };
    // What `-X` asks for; `-Y` does without the X server's own tools.
    let mut ana = server.knock_with(&["-Y"], "Ana", "Ana", (100, 30));
    ana.wait("X11 is not forwarded here");
    ana.press_for("2", "Cunn");
}
