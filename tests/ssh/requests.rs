//! What a client may ask for besides a screen: everything gets a clear line and an exit status, and nothing
//! hangs.

use std::net::TcpStream;
use std::process::{Command, Stdio};

use super::bench::{House, finish};

#[test]
fn without_a_terminal_the_table_is_told_as_the_seat_sees_it() {
    let Some(house) = House::open() else { return };
    // The sample game has clocks that players do not see, and one that they see the outside of.
    let told = |seat: &str| {
        let output = house.ssh(seat, &["-T"], seat, &[]);
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    let all = told("gm");
    assert!(all.contains("Rusk rides home"), "{all}");
    assert!(
        all.contains("The prisoner's trust: effort, 1 of 4"),
        "{all}"
    );
    for seat in ["Ana", "Wim"] {
        let told = told(seat);
        assert!(told.starts_with("demo, a game of Heart Rush."), "{told}");
        assert!(told.contains("Mira, played by Ana"), "{told}");
        assert!(!told.contains("Rusk rides home"), "{told}");
        assert!(
            told.contains("The prisoner's trust: effort, ? of 4"),
            "{told}"
        );
    }
}

#[test]
fn commands_files_and_forwarding_are_refused_in_words() {
    let Some(house) = House::open() else { return };
    let said = |before: &[&str], after: &[&str]| {
        let output = house.ssh("Ana", before, "Ana", after);
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    let (status, words) = said(&[], &["true"]);
    assert_eq!(status, Some(1));
    assert!(words.contains("runs no commands"), "{words}");
    let (status, words) = said(&["-s"], &["sftp"]);
    assert_eq!(status, Some(1));
    assert!(words.contains("moves no files"), "{words}");
    let (status, words) = said(&["-W", "127.0.0.1:22"], &[]);
    assert_eq!(status, Some(255));
    assert!(words.contains("forwarding failed"), "{words}");
    let (status, words) = said(
        &[
            "-N",
            "-o",
            "ExitOnForwardFailure=yes",
            "-R",
            "0:127.0.0.1:22",
        ],
        &[],
    );
    assert_eq!(status, Some(255));
    assert!(words.contains("forwarding failed"), "{words}");
    // An agent is left alone, and said to be; the status comes all the same.
    let (status, words) = said(&["-T"], &[]);
    assert_eq!(status, Some(0));
    assert!(!words.contains("agent"), "{words}");
    for program in ["sftp", "scp"] {
        let options = house.client("Ana");
        let port = options.iter().position(|word| word == "-p").unwrap();
        let mut options = options;
        options[port] = "-P".to_owned();
        let mut command = Command::new(program);
        command.args(options).args(["-o", "BatchMode=yes"]);
        if program == "sftp" {
            command.arg("Ana@127.0.0.1");
        } else {
            command.args(["/etc/hostname", "Ana@127.0.0.1:/tmp/never"]);
        }
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
        assert!(words.contains("moves no files"), "{program}: {words}");
    }
}

#[test]
fn a_forwarded_port_leads_nowhere_and_the_screen_goes_on() {
    let Some(house) = House::open() else { return };
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let mut arguments = house.client("Ana");
    let forward = format!("{port}:127.0.0.1:{}", house.port);
    arguments.extend(["-A".into(), "-L".into(), forward, "Ana@127.0.0.1".into()]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let home = house.data.path();
    let mut ana = super::bench::Connection::start(home, "ssh", &arguments, (100, 30));
    ana.wait("Table");
    let far = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let mut answer = [0];
    let read = std::io::Read::read(&mut &far, &mut answer).unwrap_or(0);
    assert_eq!(read, 0, "something answered");
    ana.press_for("2", "Cunn");
}

#[test]
fn a_size_from_nowhere_is_made_one() {
    let Some(house) = House::open() else { return };
    let mut ana = house.join("Ana", (65_535, 3));
    ana.resize((80, 24));
    ana.wait("Mira");
}

#[test]
fn windows_stay_where_they_are_and_the_screen_says_so() {
    let Some(house) = House::open() else { return };
    let mut arguments = vec!["DISPLAY=:9".to_owned(), "ssh".to_owned()];
    arguments.extend(house.client("Ana"));
    // What `-X` asks for; `-Y` does without the X server's own tools.
    arguments.extend(["-Y".into(), "Ana@127.0.0.1".into()]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut ana = super::bench::Connection::start(house.data.path(), "env", &arguments, (100, 30));
    ana.wait("X11 is not forwarded here");
    ana.press_for("2", "Cunn");
}
