//! The program opens the page where it is told to.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

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
