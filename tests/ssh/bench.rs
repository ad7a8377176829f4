//! A served table in a folder of its own, and people who join it with the stock client in terminals of
//! their own.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use russh::client::{self, KeyboardInteractiveAuthResponse};
use russh::keys::{Algorithm, PrivateKey, PrivateKeyWithHashAlg, load_secret_key};
use russh::{Channel, ChannelMsg};
use serde_json::Value as Json;
use tokio::runtime::{Builder, Runtime};

use super::machine::Machine;
use super::pty::PATIENCE;
pub(crate) use super::pty::Pty as Connection;
use super::running::Running;
use super::ssh_client::has_client;
pub(crate) use super::ssh_client::make_key;
use super::trusting::Trusting;

/// A served table.
pub(crate) struct TestServer {
    pub(crate) machine: Machine,
    server: Running,
    pub(crate) port: u16,
}

impl TestServer {
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
        let machine = Machine::with_demo();
        let mut access = format!("{more}\n");
        for (name, role) in [
            ("gm", "gm"),
            ("Ana", "player"),
            ("Jakob", "player"),
            ("Wim", "watcher"),
        ] {
            let key = make_key(machine.home.path(), name, "ed25519");
            access += &seat(name, role, &key);
        }
        write_private(&machine.data().join("demo/access.toml"), &access);
        let serve = [&["serve", "demo"], arguments].concat();
        Some(Self::opened(machine, &serve, environment))
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
        let machine = Machine::new();
        let home = machine.home.path();
        let keys = ["Ana", "Bo", "Zoe"].map(|name| make_key(home, name, "ed25519"));
        for (place, (name, system)) in games.iter().enumerate() {
            machine.run(&format!("new {name} --system {system} --sample"));
            let role = if place == 0 { "gm" } else { "player" };
            let mut access = seat("Ana", role, &keys[0]);
            if place == 1 {
                access += &seat("Bo", "player", &keys[1]);
            }
            write_private(&machine.data().join(name).join("access.toml"), &access);
        }
        if !host.is_empty() {
            write_private(&machine.data().join("host.toml"), host);
        }
        let host = [&["host"], arguments].concat();
        Some(Self::opened(machine, &host, environment))
    }

    fn opened(machine: Machine, serve: &[&str], environment: &[(&str, &str)]) -> Self {
        let server = start(&machine, serve, environment);
        let mut server = Self {
            machine,
            server,
            port: 0,
        };
        server.find_port();
        server
    }

    /// Ends the server and starts it anew.
    pub(crate) fn restart(&mut self) {
        self.end();
        self.server = start(&self.machine, &["serve", "demo"], &[]);
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
        let mut lines = std::iter::repeat_with(|| self.server.line());
        lines.find(|line| line.contains(words)).unwrap()
    }

    /// Ends the server as a person would; the folder stays.
    pub(crate) fn end(&mut self) {
        let pid = self.server.child.id().to_string();
        Command::new("kill").args(["-TERM", &pid]).status().unwrap();
        let status = self.server.child.wait().unwrap();
        assert!(status.success(), "{status}");
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.machine.data().join("demo")
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder().join("joins.log")).unwrap()
    }

    pub(crate) fn run(&self, words: &str) -> String {
        let ran = self.machine.run(words);
        assert_eq!(ran.code, 0, "{words}: {ran:?}");
        ran.out
    }

    /// What a command says that is refused.
    pub(crate) fn refused(&self, words: &str) -> String {
        let ran = self.machine.run(words);
        assert_ne!(ran.code, 0, "{words}: {ran:?}");
        ran.err
    }

    pub(crate) fn status(&self) -> Json {
        serde_json::from_str(&self.run("status demo --json")).unwrap()
    }

    /// How many entries the log has.
    pub(crate) fn entries(&self) -> u64 {
        self.status()["log"].as_u64().unwrap()
    }

    /// Somebody gets another key of that name.
    pub(crate) fn make_key(&self, name: &str) {
        make_key(self.machine.home.path(), name, "ed25519");
    }

    /// Makes so many keys that no seat lists, as a person's agent may hold them.
    pub(crate) fn make_many_keys(&self, count: usize) -> ManyKeys {
        let mut files = Vec::new();
        for number in 0..count {
            let name = format!("agent-{number}");
            self.make_key(&name);
            let path = self.machine.home.path().join(name);
            files.push(path.display().to_string());
        }
        ManyKeys { files }
    }

    /// The client's options for that key.
    pub(crate) fn client(&self, key: &str) -> Vec<String> {
        let key = self.machine.home.path().join(key).display().to_string();
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
        let mut ssh = self.machine.program("ssh");
        ssh.args(before)
            .args(self.client(key))
            .arg(format!("{user}@127.0.0.1"))
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            // A client with windows could ask for them.
            .env("DISPLAY", ":9");
        Connection::run(&ssh, size)
    }
}

/// Keys that a client offers before the seat's own.
pub(crate) struct ManyKeys {
    files: Vec<String>,
}

impl ManyKeys {
    /// The client's options by which it offers all of them.
    pub(crate) fn options(&self) -> Vec<&str> {
        self.files.iter().flat_map(|file| ["-i", &**file]).collect()
    }
}

pub(crate) fn seat(name: &str, role: &str, key: &str) -> String {
    format!("[[seat]]\nname = {name:?}\nrole = {role:?}\nkeys = [{key:?}]\n\n")
}

fn start(machine: &Machine, arguments: &[&str], environment: &[(&str, &str)]) -> Running {
    let mut server = machine.command(&[arguments, &["--listen", "0"]].concat());
    Running::start(server.envs(environment.iter().copied()))
}

/// The code of the invitation that is told there.
pub(crate) fn code(told: &str) -> String {
    let code = told.lines().find_map(|line| line.strip_prefix("Code:"));
    let code = code.unwrap().split_whitespace().next();
    code.unwrap().to_owned()
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

/// What somebody at a terminal does.
impl Connection {
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

    /// The GM takes Ana's seat away, on the GM's screen.
    pub(crate) fn take_the_seat_of_ana(&mut self) {
        self.press_for("W", "Seats");
        self.wait("player, a key");
        self.press_for("jd", "Remove the seat of Ana?");
        self.press("y");
    }

    /// Types the code of an invitation where it is asked for.
    pub(crate) fn type_code(&mut self, code: &str) {
        self.wait("Invitation code:");
        self.press(&format!("{code}\r"));
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
    pub(crate) fn enter(server: &TestServer, key: Option<&str>, user: &str) -> Option<Self> {
        let path = key.map(|key| server.machine.home.path().join(key));
        Self::enter_at(server.port, path, user)
    }

    /// The same at the server of that port, with the key in that file.
    pub(crate) fn enter_at(port: u16, key: Option<PathBuf>, user: &str) -> Option<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let config = Arc::new(client::Config::default());
        let session = runtime.block_on(async move {
            let mut session = client::connect(config, ("127.0.0.1", port), Trusting)
                .await
                .ok()?;
            let is_in = if let Some(path) = key {
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

    /// Offers so many fresh keys that nobody knows; returns how many were heard before the server hung up.
    pub(crate) fn offer_keys(port: u16, user: &str, count: usize) -> usize {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let config = Arc::new(client::Config::default());
        runtime.block_on(async move {
            let mut session = client::connect(config, ("127.0.0.1", port), Trusting)
                .await
                .unwrap();
            for number in 0..count {
                let key = PrivateKey::random(&mut rand::rng(), Algorithm::Ed25519).unwrap();
                let key = PrivateKeyWithHashAlg::new(Arc::new(key), None);
                if session.authenticate_publickey(user, key).await.is_err() {
                    return number;
                }
            }
            count
        })
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
