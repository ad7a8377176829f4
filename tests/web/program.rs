//! The program opens the page where it is told to.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tableside");

/// A program that ends with the test.
struct Served(Child, BufReader<ChildStdout>);

impl Drop for Served {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Served {
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.1.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }
}

fn program(data: &std::path::Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.env("TABLESIDE_DATA", data);
    command.env("TABLESIDE_CONFIG", data.join("config"));
    command
}

/// A program that serves the sample game with these options.
fn serving(data: &std::path::Path, options: &[&str]) -> Command {
    let sample = ["new", "friday", "--system", "heart-rush", "--sample"];
    let made = program(data).args(sample).output().unwrap();
    assert!(made.status.success());
    let mut command = program(data);
    command.args(["serve", "friday"]).args(options);
    command
}

fn serve(data: &std::path::Path, options: &[&str]) -> Served {
    let mut command = serving(data, options);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    Served(child, out)
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
    let data = tempfile::tempdir().unwrap();
    let mut served = serve(data.path(), &["--web", "127.0.0.1:0"]);
    let line = served.line();
    let address = line.strip_prefix("The page is at ").unwrap();
    assert!(look(address).contains("Past the guards"));
    assert!(
        !data.path().join("friday/address").exists(),
        "no other door is open"
    );
    drop(served);

    let data = tempfile::tempdir().unwrap();
    let both = [
        "--web",
        "127.0.0.1:0",
        "--listen",
        "127.0.0.1:0",
        "--web-key",
    ];
    let mut served = serve(data.path(), &both);
    let line = served.line();
    let address = line.strip_prefix("The page is at ").unwrap();
    assert!(address.contains("/t/"), "{address}");
    assert!(look(address).contains("Past the guards"));
    assert!(served.line().starts_with("The table is open at 127.0.0.1:"));
}

#[test]
fn what_is_no_address_is_named_with_its_option() {
    let data = tempfile::tempdir().unwrap();
    let wrong = serving(data.path(), &["--web", "example.org:80"]).output();
    let wrong = wrong.unwrap();
    let said = String::from_utf8(wrong.stderr).unwrap();
    assert!(
        said.contains("--web \"example.org:80\" is no address"),
        "{said}"
    );
}
