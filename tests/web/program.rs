//! The program opens the page where it is told to.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;

use crate::machine::Machine;
use crate::running::Running;

/// The sample game served with these options.
fn serve(machine: &Machine, options: &[&str]) -> Running {
    Running::start(&mut machine.command(&[&["serve", "demo"], options].concat()))
}

/// What the page at that address says.
fn look(address: &str) -> String {
    let way = address.strip_prefix("http://").unwrap();
    let (host, path) = way.split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let words = format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
    stream.write_all(words.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn serve_opens_a_page_alone_and_beside_ssh() {
    let machine = Machine::with_demo();
    let served = serve(&machine, &["--web", "127.0.0.1:0"]);
    let line = served.line();
    let address = line.strip_prefix("The page is at ").unwrap();
    assert!(look(address).contains("Past the guards"));
    let is_another_door_open = machine.data().join("demo/address").exists();
    assert!(!is_another_door_open);
    drop(served);

    let machine = Machine::with_demo();
    let (web, ssh) = (["--web", "127.0.0.1:0"], ["--listen", "127.0.0.1:0"]);
    let served = serve(&machine, &[&web[..], &ssh, &["--web-key"]].concat());
    let line = served.line();
    let address = line.strip_prefix("The page is at ").unwrap();
    assert!(address.contains("/t/"), "{address}");
    assert!(look(address).contains("Past the guards"));
    assert!(served.line().starts_with("The table is open at 127.0.0.1:"));
}

/// The path of the page, as the first line of the program tells it.
fn path(served: &Running) -> String {
    let line = served.line();
    let (_, path) = line.split_once("/t/").unwrap();
    path.trim_end_matches('/').to_owned()
}

#[test]
fn the_path_of_the_page_belongs_to_the_game() {
    let machine = Machine::with_demo();
    let file = machine.data().join("demo/page_key");
    let here = ["--web", "127.0.0.1:0", "--web-key"];
    let first = path(&serve(&machine, &here));
    assert_eq!(fs::read_to_string(&file).unwrap().trim_end(), first);
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    // However and wherever the page is opened, also beside SSH and where every address is listened at.
    let beside_ssh = [&here[..], &["--listen", "127.0.0.1:0"]].concat();
    for options in [&here[..], &beside_ssh, &["--web", "0.0.0.0:0"]] {
        let served = serve(&machine, options);
        assert_eq!(path(&served), first, "{options:?}");
    }

    // Another game has another one, and no bundle carries it away.
    let made = machine.run("new other --system heart-rush");
    assert_eq!(made.code, 0, "{made:?}");
    let other = Running::start(&mut machine.command(&[&["serve", "other"], &here[..]].concat()));
    assert_ne!(path(&other), first);
    drop(other);
    machine.run("export demo bundle --seats");
    let bundle = fs::read_to_string(machine.home.path().join("bundle")).unwrap();
    assert!(!bundle.contains(&first));

    // A key that others may read or choose is no secret.
    for mode in [0o644, 0o620] {
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        let refused = machine.run_words(&[&["serve", "demo"], &here[..]].concat());
        assert_eq!(refused.code, 1);
        assert!(
            refused.err.contains("page_key: other users can"),
            "{refused:?}"
        );
    }
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    fs::write(&file, "too short\n").unwrap();
    let refused = machine.run_words(&[&["serve", "demo"], &here[..]].concat());
    assert!(refused.err.contains("it is not a page key"), "{refused:?}");
}

#[test]
fn a_new_path_ends_the_old_one_in_every_process() {
    let machine = Machine::with_demo();
    let here = ["--web", "127.0.0.1:0", "--web-key"];
    let served = serve(&machine, &here);
    let line = served.line();
    let (start, old) = line
        .strip_prefix("The page is at ")
        .unwrap()
        .split_once("/t/")
        .unwrap();

    // Another process gives the page another path.
    let new = "abcdefghijklmnopqrstuvwxyzab";
    let file = machine.data().join("demo/page_key");
    fs::write(&file, new).unwrap();
    let until = std::time::Instant::now() + std::time::Duration::from_secs(40);
    while !look(&format!("{start}/t/{new}/")).contains("200 OK") {
        assert!(std::time::Instant::now() < until, "the new path never came");
    }
    assert!(look(&format!("{start}/t/{old}")).contains("404 Not Found"));
    drop(served);
    assert_eq!(path(&serve(&machine, &here)), new);
}

#[test]
fn a_number_that_is_too_large_is_refused_with_the_largest() {
    let machine = Machine::with_demo();
    for (words, most) in [
        ("serve demo --web 127.0.0.1:0 --web-viewers", "1 to 10000"),
        ("host --idle", "0 to 4294967295"),
        ("log demo --explain", "0 to 18446744073709551615"),
    ] {
        for number in [
            "2305843009213693952",
            "99999999999999999999999",
            "-1",
            "1.5",
            "x",
            "",
        ] {
            let mut words: Vec<&str> = words.split(' ').collect();
            let is_large_enough = number.starts_with('2') && words.contains(&"--explain");
            let given = format!("{}={number}", words.pop().unwrap());
            words.push(&given);
            let refused = machine.run_words(&words);
            let has_bounds = refused.err.contains(most);
            let is_refused = refused.code == 2 && (has_bounds || number.is_empty());
            assert!(is_refused || is_large_enough, "{words:?}: {refused:?}");
        }
    }
}
