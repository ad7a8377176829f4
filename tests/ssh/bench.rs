//! A served table in a folder of its own, and people who join it with the stock client in terminals of
//! their own.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use portable_pty::CommandBuilder;
use russh::client::{self, KeyboardInteractiveAuthResponse};
use russh::keys::{PrivateKeyWithHashAlg, load_secret_key};
use russh::{Channel, ChannelMsg};
use serde_json::Value as Json;
use tokio::runtime::{Builder, Runtime};

use super::pty::PATIENCE;
pub(crate) use super::pty::Pty as Connection;
use super::ssh_client::has_client;
pub(crate) use super::ssh_client::make_key;
use super::trusting::Trusting;

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_tableside");

/// A served table.
pub(crate) struct House {
    pub(crate) data: tempfile::TempDir,
    server: Child,
    pub(crate) port: u16,
    lines: Receiver<String>,
}

impl House {
    /// The sample game, with a seat for the GM, for Ana and Jakob who play in it, and for somebody who
    /// watches; `None` without a client to join with.
    pub(crate) fn open() -> Option<Self> {
        Self::with(&[], &[], "")
    }

    pub(crate) fn with(
        arguments: &[&str],
        environment: &[(&str, &str)],
        more: &str,
    ) -> Option<Self> {
        if !has_client() {
            return None;
        }
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
            let seat = format!("[[seat]]\nname = {name:?}\nrole = {role:?}\nkeys = [{key:?}]\n\n");
            access.push_str(&seat);
        }
        write_private(&data.path().join("demo/access.toml"), &access);
        let serve = [&["serve", "demo"], arguments].concat();
        Some(Self::opened(data, &serve, environment))
    }

    /// Sample games of several systems behind one door. Ana is the GM of the first and plays in all others, Bo plays in
    /// the second; `host.toml` says more.
    pub(crate) fn hosting(
        games: &[(&str, &str)],
        arguments: &[&str],
        environment: &[(&str, &str)],
        host: &str,
    ) -> Option<Self> {
        if !has_client() {
            return None;
        }
        let data = tempfile::tempdir().unwrap();
        let keys = ["Ana", "Bo", "Zoe"].map(|name| make_key(data.path(), name, "ed25519"));
        for (place, (name, system)) in games.iter().enumerate() {
            run(data.path(), &["new", name, "--system", system, "--sample"]);
            let role = if place == 0 { "gm" } else { "player" };
            let seat = |name: &str, role: &str, key: &str| {
                format!("[[seat]]\nname = {name:?}\nrole = {role:?}\nkeys = [{key:?}]\n")
            };
            let mut access = seat("Ana", role, &keys[0]);
            if place == 1 {
                access += &seat("Bo", "player", &keys[1]);
            }
            write_private(&data.path().join(name).join("access.toml"), &access);
        }
        if !host.is_empty() {
            write_private(&data.path().join("host.toml"), host);
        }
        let host = [&["host"], arguments].concat();
        Some(Self::opened(data, &host, environment))
    }

    fn opened(data: tempfile::TempDir, serve: &[&str], environment: &[(&str, &str)]) -> Self {
        let (server, lines) = start(data.path(), serve, environment);
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
        (self.server, self.lines) = start(self.data.path(), &["serve", "demo"], &[]);
        self.find_port();
    }

    fn find_port(&mut self) {
        let told = self.told(" is open at ");
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

    /// What a command says that is refused.
    pub(crate) fn refused(&self, arguments: &[&str]) -> String {
        let output = command(self.data.path(), arguments).output().unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
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
            // An older client does not know how to be told.
            "IgnoreUnknown=ObscureKeystrokeTiming",
            "ObscureKeystrokeTiming=no",
            "IdentitiesOnly=yes",
            "StrictHostKeyChecking=no",
            "UserKnownHostsFile=/dev/null",
            "LogLevel=ERROR",
        ] {
            options.extend(["-o".into(), option.into()]);
        }
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
    pub(crate) fn join(&self, seat: &str, size: (u16, u16)) -> Connection {
        let mut guest = self.knock(seat, seat, size);
        guest.wait("Table");
        guest
    }

    /// Somebody types `ssh user@host`, with that key.
    pub(crate) fn knock(&self, key: &str, user: &str, size: (u16, u16)) -> Connection {
        self.knock_with(&[], key, user, size)
    }

    pub(crate) fn knock_with(
        &self,
        before: &[&str],
        key: &str,
        user: &str,
        size: (u16, u16),
    ) -> Connection {
        let mut arguments: Vec<String> = before.iter().map(|word| (*word).to_owned()).collect();
        arguments.extend(self.client(key));
        arguments.push(format!("{user}@127.0.0.1"));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        Connection::start(self.data.path(), "ssh", &arguments, size)
    }
}

fn start(
    data: &Path,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> (Child, Receiver<String>) {
    let mut server = command(data, arguments)
        .args(["--listen", "0"])
        .envs(environment.iter().copied())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
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

/// A file that only its owner may read.
fn write_private(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

fn command(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command
        .args(arguments)
        .env_clear()
        .env("HOME", data)
        .env("TABLESIDE_DATA", data);
    command
}

pub(crate) fn run(data: &Path, arguments: &[&str]) -> String {
    let output = command(data, arguments).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {err}");
    String::from_utf8(output.stdout).unwrap()
}

/// What somebody at a terminal does.
impl Connection {
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

    /// Reads until the screen is as wanted; returns what it shows.
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

/// Somebody whose client says whatever it likes, as often as it likes.
pub(crate) struct Raw {
    runtime: Runtime,
    session: client::Handle<Trusting>,
}

impl Raw {
    /// Comes in by that key, or without one, as anybody may who only watches.
    pub(crate) fn enter(house: &House, key: Option<&str>, user: &str) -> Option<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let config = Arc::new(client::Config::default());
        let path = key.map(|key| house.data.path().join(key));
        let port = house.port;
        let session = runtime.block_on(async move {
            let mut session = client::connect(config, ("127.0.0.1", port), Trusting)
                .await
                .ok()?;
            let is_in = if let Some(path) = path {
                let key = Arc::new(load_secret_key(path, None).unwrap());
                let key = PrivateKeyWithHashAlg::new(key, None);
                session
                    .authenticate_publickey(user, key)
                    .await
                    .ok()?
                    .success()
            } else {
                let entered = session
                    .authenticate_keyboard_interactive_start(user, None)
                    .await
                    .ok()?;
                matches!(entered, KeyboardInteractiveAuthResponse::Success)
            };
            is_in.then_some(session)
        });
        session.map(|session| Self { runtime, session })
    }

    /// Does that on a channel of its own, and leaves it open; returns what came of it.
    pub(crate) fn on_channel<T, F: Future<Output = T>>(
        &self,
        act: impl FnOnce(Channel<client::Msg>) -> F,
    ) -> T {
        self.runtime.block_on(async {
            let channel = self.session.channel_open_session().await.unwrap();
            act(channel).await
        })
    }

    /// Opens a screen, and returns the channel that it is on.
    pub(crate) fn screen(&self, size: (u32, u32)) -> Channel<client::Msg> {
        self.on_channel(async |channel| {
            let (columns, rows) = size;
            channel
                .request_pty(false, "xterm-256color", columns, rows, 0, 0, &[])
                .await
                .unwrap();
            channel.request_shell(false).await.unwrap();
            channel
        })
    }

    /// Types that, and does not wait for what comes of it.
    pub(crate) fn types(&self, channel: &Channel<client::Msg>, keys: &str) {
        let keys = keys.as_bytes().to_vec();
        self.runtime
            .block_on(channel.data(keys.as_slice()))
            .unwrap_or_default();
    }

    /// All that comes until the channel is closed.
    pub(crate) fn rest(&self, mut channel: Channel<client::Msg>) -> String {
        self.runtime.block_on(async {
            let mut all = Vec::new();
            while let Some(said) = channel.wait().await {
                if let ChannelMsg::Data { data } | ChannelMsg::ExtendedData { data, .. } = said {
                    all.extend_from_slice(&data);
                }
            }
            String::from_utf8_lossy(&all).into_owned()
        })
    }
}
