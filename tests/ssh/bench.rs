//! A served table in a folder of its own, and people who join it with the stock client in terminals of
//! their own.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use portable_pty::CommandBuilder;
use serde_json::Value as Json;

use super::pty::PATIENCE;
pub(crate) use super::pty::Pty as Guest;

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_tableside");

/// Whether there is a client to test with; says so where there is none.
pub(crate) fn has_client() -> bool {
    let found = Command::new("ssh").arg("-V").output().is_ok();
    if !found {
        println!("skipped: there is no ssh client on this machine");
    }
    found
}

/// A served table.
pub(crate) struct House {
    pub(crate) data: tempfile::TempDir,
    server: Child,
    pub(crate) port: u16,
    lines: Receiver<String>,
}

impl House {
    /// The sample game, with a seat for the GM, for Ana and Jakob who play in it, and for somebody who
    /// watches.
    pub(crate) fn open() -> Self {
        Self::with(&[], &[], "")
    }

    pub(crate) fn with(arguments: &[&str], environment: &[(&str, &str)], more: &str) -> Self {
        let data = tempfile::tempdir().unwrap();
        let sample = ["new", "demo", "--system", "heart-rush", "--sample"];
        run(data.path(), &sample);
        let mut access = format!("{more}\n");
        for (name, role) in [
            ("gm", "gm"),
            ("Ana", "player"),
            ("Jakob", "player"),
            ("Wim", "watcher"),
        ] {
            let key = make_key(data.path(), name, "ed25519");
            let seat = [
                "[[seat]]",
                &format!("name = {name:?}"),
                &format!("role = {role:?}"),
            ];
            access.push_str(&seat.join("\n"));
            access.push_str(&format_args!("\nkeys = [{key:?}]\n\n").to_string());
        }
        fs::write(data.path().join("demo/access.toml"), access).unwrap();
        Self::serve(data, arguments, environment)
    }

    fn serve(data: tempfile::TempDir, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let (server, lines) = start(data.path(), arguments, environment);
        let mut house = Self {
            data,
            server,
            port: 0,
            lines,
        };
        house.find_port();
        house
    }

    /// Ends the server and starts it anew.
    pub(crate) fn restart(&mut self) {
        self.end();
        (self.server, self.lines) = start(self.data.path(), &[], &[]);
        self.find_port();
    }

    fn find_port(&mut self) {
        let told = self.told("The table is open at");
        let address = told.split_whitespace().nth(5).unwrap();
        let port = address.trim_end_matches(';').rsplit(':').next().unwrap();
        self.port = port.parse().unwrap();
    }

    /// Waits for a line of the server's.
    pub(crate) fn told(&self, words: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).unwrap();
            if line.contains(words) {
                return line;
            }
        }
    }

    /// Ends the server as a person would; the folder stays.
    pub(crate) fn end(&mut self) {
        let pid = self.server.id().to_string();
        Command::new("kill").args(["-TERM", &pid]).status().unwrap();
        let status = self.server.wait().unwrap();
        assert!(status.success(), "{status}");
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.data.path().join("demo")
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder().join("joins.log")).unwrap()
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        run(self.data.path(), arguments)
    }

    pub(crate) fn status(&self) -> Json {
        serde_json::from_str(&self.run(&["status", "demo", "--json"])).unwrap()
    }

    /// The client's options for that key.
    pub(crate) fn client(&self, key: &str) -> Vec<String> {
        let key = self.data.path().join(key).display().to_string();
        let port = self.port.to_string();
        let mut options: Vec<String> = vec!["-p".into(), port, "-i".into(), key];
        for option in [
            "IdentitiesOnly=yes",
            "StrictHostKeyChecking=no",
            "UserKnownHostsFile=/dev/null",
            "LogLevel=ERROR",
            "ObscureKeystrokeTiming=no",
            "IgnoreUnknown=ObscureKeystrokeTiming",
        ] {
            options.push("-o".into());
            options.push(option.into());
        }
        // Before the option that an older client does not know.
        let unknown = options.pop().unwrap();
        options.pop();
        options.splice(0..0, ["-o".to_owned(), unknown]);
        options
    }

    /// Runs the client without a terminal.
    pub(crate) fn ssh(&self, key: &str, before: &[&str], user: &str, after: &[&str]) -> Output {
        let child = Command::new("ssh")
            .args(self.client(key))
            .args(["-o", "BatchMode=yes"])
            .args(before)
            .arg(format!("{user}@127.0.0.1"))
            .args(after)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        finish(child)
    }

    /// Somebody joins with the seat's key, and sees the table.
    pub(crate) fn join(&self, seat: &str, size: (u16, u16)) -> Guest {
        let mut guest = self.knock(seat, seat, size);
        guest.wait("Table");
        guest
    }

    /// Somebody types `ssh user@host`, with that key.
    pub(crate) fn knock(&self, key: &str, user: &str, size: (u16, u16)) -> Guest {
        self.knock_with(&[], key, user, size)
    }

    pub(crate) fn knock_with(
        &self,
        before: &[&str],
        key: &str,
        user: &str,
        size: (u16, u16),
    ) -> Guest {
        let mut arguments: Vec<String> = before.iter().map(|word| (*word).to_owned()).collect();
        arguments.extend(self.client(key));
        arguments.push(format!("{user}@127.0.0.1"));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        Guest::start(self.data.path(), "ssh", &arguments, size)
    }
}

fn start(
    data: &Path,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> (Child, Receiver<String>) {
    let mut command = Command::new(PROGRAM);
    command
        .args(["serve", "demo", "--listen", "0"])
        .args(arguments)
        .env_clear()
        .env("HOME", data)
        .env("TABLESIDE_DATA", data)
        .stdout(Stdio::piped());
    for (name, value) in environment {
        command.env(name, value);
    }
    let mut server = command.spawn().unwrap();
    let out = BufReader::new(server.stdout.take().unwrap());
    let (sender, lines) = channel();
    thread::Builder::new()
        .spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        })
        .unwrap();
    (server, lines)
}

impl Drop for House {
    fn drop(&mut self) {
        self.server.kill().unwrap_or_default();
        self.server.wait().ok();
    }
}

/// Waits for the end of a command; a hanging one fails.
pub(crate) fn finish(mut child: Child) -> Output {
    let deadline = Instant::now() + PATIENCE;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("it hangs");
        }
        thread::yield_now();
    }
    child.wait_with_output().unwrap()
}

/// Makes a key pair; answers with the public line.
pub(crate) fn make_key(folder: &Path, name: &str, kind: &str) -> String {
    let path = folder.join(name);
    let made = Command::new("ssh-keygen")
        .args(["-q", "-t", kind, "-N", "", "-C", name, "-f"])
        .arg(&path)
        .status()
        .unwrap();
    assert!(made.success());
    let line = fs::read_to_string(path.with_extension("pub")).unwrap();
    line.trim().to_owned()
}

pub(crate) fn run(data: &Path, arguments: &[&str]) -> String {
    let output = Command::new(PROGRAM)
        .args(arguments)
        .env_clear()
        .env("HOME", data)
        .env("TABLESIDE_DATA", data)
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {err}");
    String::from_utf8(output.stdout).unwrap()
}

/// What somebody at a terminal does.
impl Guest {
    pub(crate) fn start(home: &Path, program: &str, arguments: &[&str], size: (u16, u16)) -> Self {
        let mut command = CommandBuilder::new(program);
        command.env_clear();
        command.env("TERM", "xterm-256color");
        command.env("HOME", home);
        command.env("TABLESIDE_DATA", home);
        command.env("PATH", std::env::var("PATH").unwrap_or_default());
        command.args(arguments);
        Self::run(command, size)
    }

    /// Reads until the screen is as wanted; answers with what it shows.
    pub(crate) fn wait_until(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        self.read_until(what, |guest| wanted(&guest.shown()))
    }

    /// Reads until the screen shows that.
    pub(crate) fn wait(&mut self, words: &str) -> String {
        self.wait_until(words, |shown| shown.contains(words))
    }

    /// Presses keys, and reads until the screen shows that.
    pub(crate) fn press_for(&mut self, keys: &str, words: &str) -> String {
        self.press(keys);
        self.wait(words)
    }

    /// The line is cut: nobody says goodbye.
    pub(crate) fn cut(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}
