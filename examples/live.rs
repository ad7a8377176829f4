//! How a full table feels, and a full host: many screens over SSH while GMs change something.
//!
//! `cargo run --release --example live [TABLES] [SCREENS] [SECONDS] [PAUSE] [WORSE]` opens so many tables behind one
//! door in a process of its own, with so many screens each besides the GM's, and every GM changes something each
//! PAUSE milliseconds (1 200 60 100 if nothing is said). It tells how long it takes from a GM's key to the last
//! screen's frame, what a change costs a screen in bytes, and what the process takes in time and memory. With
//! `worse` there are also a client that never reads, one that sends garbage, and five hundred connections that never
//! log in. `live host [MOST]` raises the tables of four, with a change of each every ten seconds, until the slowest
//! hundredth takes more than 50 ms or there are so many (600). It stops by itself.

#![expect(clippy::print_stdout, reason = "it is there to tell its figures")]
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a bench that cannot go on should say so loudly"
)]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use rand::rngs::StdRng;
use russh::keys::{Algorithm, PrivateKey, PrivateKeyWithHashAlg, PublicKeyOrCertificate};
use russh::{ChannelMsg, client};
use tableside::cli;
use tableside::dice::SystemDice;
use tableside::rules::System;
use tableside::store::Name;
use tableside::table::Table;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;
use tokio::time::{sleep, sleep_until, timeout};

/// How long a screen may take before it counts as missed.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the slowest hundredth may take in a host.
const LIMIT: Duration = Duration::from_millis(50);

/// After so long each state is written.
const SAVED: Duration = Duration::from_secs(35);

/// So many join at a time.
const AT_ONCE: usize = 16;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == "serve") {
        serve(&words[1]);
        return ExitCode::SUCCESS;
    }
    let number = |at: usize, usual: usize| {
        let given = words.get(at).and_then(|word| word.parse().ok());
        given.unwrap_or(usual)
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    if words.first().is_some_and(|word| word == "host") {
        runtime.block_on(raise(number(1, 600)));
        return ExitCode::SUCCESS;
    }
    let (tables, screens, seconds) = (number(0, 1), number(1, 200), number(2, 60));
    let pause = Duration::from_millis(number(3, 100).try_into().unwrap());
    let worse = words.iter().any(|word| word == "worse");
    runtime.block_on(async {
        let mut host = HostProcess::open(tables);
        host.fill(tables, screens).await;
        let crowd = worse.then(|| Crowd::gather(host.port));
        host.measure(Duration::from_secs(seconds as u64), pause)
            .await;
        drop(crowd);
    });
    ExitCode::SUCCESS
}

/// Raises the tables of a host until the slowest hundredth takes too long.
async fn raise(most: usize) {
    let mut host = HostProcess::open(most);
    for tables in [50, 100, 200, 300, 400, 500, 600, 800, 1000] {
        if tables > most {
            return;
        }
        host.fill(tables, 3).await;
        let slow = host
            .measure(Duration::from_secs(30), Duration::from_secs(10))
            .await;
        if slow > LIMIT {
            println!("{tables} tables are too many here");
            return;
        }
    }
}

/// The other process: the program itself, as `tableside host`.
fn serve(data: &str) {
    let words = ["tableside", "--data", data, "host", "--listen", "0"];
    let (mut out, mut err) = (std::io::stdout(), std::io::stderr());
    let mut io = cli::Io {
        env: &|_| None,
        input: &mut std::io::empty(),
        out: &mut out,
        err: &mut err,
        to_terminal: false,
        can_ask: false,
        clock: now,
    };
    cli::run(words.map(Into::into), &mut io);
}

/// So many games in a folder, and who may join them by that key.
fn make(tables: usize, data: &Path, key: &str) {
    let sample = cli::sample(System::HEART_RUSH).unwrap();
    let seats = format!(
        "[limits]\nconnections = 1000\n[[seat]]\nname = \"gm\"\nrole = \"gm\"\nkeys = [{key:?}]\n[[seat]]\nname = \"Ana\"\nkeys = [{key:?}]\n"
    );
    for number in 0..tables {
        let name = Name::new(&format!("t{number}"), &[]).unwrap();
        let dice = Box::new(SystemDice::from_key([7; 32]));
        let game = (sample.game.clone(), sample.entries.clone());
        let table = Table::unsaved("t", game.0, game.1, None, now, dice);
        table.rename(&data.into(), &name).unwrap();
        write_private(&table.folder().unwrap().join("access.toml"), &seats);
    }
    let most = [
        "connections",
        "connections-per-address",
        "logging-in",
        "logging-in-per-address",
        "new-per-second",
    ];
    let most = most.map(|limit| format!("{limit} = 10000\n")).concat();
    write_private(
        &data.join("host.toml"),
        &format!("open-games = 10000\n[limits]\n{most}"),
    );
}

fn write_private(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

#[expect(
    clippy::disallowed_methods,
    reason = "somebody has to look at the clock"
)]
fn now() -> DateTime<Utc> {
    Utc::now()
}

struct Trusting;

impl client::Handler for Trusting {
    type Error = russh::Error;

    async fn check_server_key(&mut self, _: &PublicKeyOrCertificate) -> Result<bool, russh::Error> {
        Ok(true)
    }
}

/// A frame that came to a screen.
struct Came {
    screen: usize,
    at: Instant,
    bytes: usize,
}

/// Joins as that seat; what comes is told. Returns where keys go.
async fn join(
    port: u16,
    user: String,
    key: &Arc<PrivateKey>,
    (screen, told): (usize, UnboundedSender<Came>),
) -> UnboundedSender<&'static str> {
    let config = client::Config {
        nodelay: true,
        ..client::Config::default()
    };
    let mut session = client::connect(Arc::new(config), ("127.0.0.1", port), Trusting)
        .await
        .expect("the server answers");
    let key = PrivateKeyWithHashAlg::new(Arc::clone(key), None);
    let login = session.authenticate_publickey(user, key).await.unwrap();
    assert!(login.success(), "the key is listed");
    let mut channel = session.channel_open_session().await.unwrap();
    channel
        .request_pty(true, "xterm-256color", 120, 40, 0, 0, &[])
        .await
        .unwrap();
    channel.request_shell(true).await.unwrap();
    let (keys, mut pressed) = unbounded_channel::<&'static str>();
    drop(tokio::spawn(async move {
        let _session = session;
        loop {
            tokio::select! {
                message = channel.wait() => match message {
                    Some(ChannelMsg::Data { data }) => {
                        let came = Came { screen, at: Instant::now(), bytes: data.len() };
                        if told.send(came).is_err() {
                            return;
                        }
                    }
                    Some(_) => {}
                    None => return,
                },
                key = pressed.recv() => match key {
                    Some(key) => channel.data(key.as_bytes()).await.unwrap(),
                    None => return,
                },
            }
        }
    }));
    keys
}

/// A table with its people.
struct Full {
    gm: UnboundedSender<&'static str>,
    _keys: Vec<UnboundedSender<&'static str>>,
    frames: UnboundedReceiver<Came>,
    screens: usize,
    /// The next key: up and down in turn, so that each changes something.
    key: &'static str,
}

impl Full {
    async fn open(port: u16, number: usize, screens: usize, key: Arc<PrivateKey>) -> Self {
        let (told, frames) = unbounded_channel();
        let mut keys = Vec::new();
        for screen in 0..screens {
            let user = format!("t{number}+Ana");
            keys.push(join(port, user, &key, (screen, told.clone())).await);
        }
        let gm = join(port, format!("t{number}+gm"), &key, (screens, told)).await;
        Self {
            gm,
            _keys: keys,
            frames,
            screens,
            key: "+",
        }
    }

    /// Waits until nothing comes any more.
    async fn settle(&mut self) {
        while timeout(Duration::from_millis(300), self.frames.recv())
            .await
            .is_ok()
        {}
    }

    /// One change; the time to the last screen but the GM's own, the bytes, and how many never came.
    async fn change(&mut self) -> (Duration, usize, usize) {
        while self.frames.try_recv().is_ok() {}
        let began = Instant::now();
        self.gm.send(self.key).unwrap();
        self.key = if self.key == "+" { "-" } else { "+" };
        let mut waiting = vec![true; self.screens];
        let (mut left, mut last, mut bytes) = (self.screens, began, 0);
        while left > 0 {
            let Ok(Some(came)) = timeout(PATIENCE, self.frames.recv()).await else {
                break;
            };
            if let Some(waits) = waiting.get_mut(came.screen) {
                bytes += came.bytes;
                left -= usize::from(std::mem::take(waits));
                last = came.at;
            }
        }
        (last - began, bytes, left)
    }
}

/// What the other process has taken so far: seconds of processor time, and MiB.
fn taken(pid: u32) -> (f64, f64) {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let after = stat.rsplit(')').next().unwrap().to_owned();
    let ticks: Vec<f64> = after
        .split_whitespace()
        .skip(11)
        .take(2)
        .map(|word| word.parse().unwrap())
        .collect();
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS"))
        .unwrap();
    let kib: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    (ticks.iter().sum::<f64>() / 100.0, kib / 1024.0)
}

fn part(sorted: &[Duration], of: f64) -> Duration {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a place in a list"
    )]
    let at = ((sorted.len() as f64 - 1.0) * of).round() as usize;
    sorted[at]
}

/// A host in a process of its own, and the tables at which people sit.
struct HostProcess {
    server: Child,
    port: u16,
    key: Arc<PrivateKey>,
    full: Vec<Full>,
    /// The memory before anybody came, in MiB.
    empty: f64,
    /// People who sit there.
    people: usize,
    _data: tempfile::TempDir,
}

#[expect(clippy::cast_precision_loss, reason = "figures to be read")]
impl HostProcess {
    fn open(tables: usize) -> Self {
        let data = tempfile::tempdir().unwrap();
        let mut luck: StdRng = rand::make_rng();
        let key = PrivateKey::random(&mut luck, Algorithm::Ed25519).unwrap();
        make(tables, data.path(), &key.public_key().to_openssh().unwrap());
        let mut server = Command::new(std::env::current_exe().unwrap())
            .arg("serve")
            .arg(data.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
        let line = lines.next().unwrap().unwrap();
        let port = line.split(" at 127.0.0.1:").nth(1).unwrap();
        let port = port.split(';').next().unwrap().parse().unwrap();
        // Who joins is told there; somebody has to listen.
        drop(std::thread::Builder::new().spawn(move || lines.for_each(drop)));
        let (_, empty) = taken(server.id());
        Self {
            server,
            port,
            key: Arc::new(key),
            full: Vec::new(),
            empty,
            people: 0,
            _data: data,
        }
    }

    /// Has people sit down at so many tables in all.
    async fn fill(&mut self, tables: usize, screens: usize) {
        let mut joining = JoinSet::new();
        for number in self.full.len()..tables {
            if joining.len() >= AT_ONCE {
                self.full
                    .extend(joining.join_next().await.map(Result::unwrap));
            }
            let (port, key) = (self.port, Arc::clone(&self.key));
            joining.spawn(async move {
                let mut table = Full::open(port, number, screens, key).await;
                table.settle().await;
                table.gm.send("3").unwrap();
                table.settle().await;
                table
            });
            self.people += screens + 1;
        }
        self.full.extend(joining.join_all().await);
        let (_, joined) = taken(self.server.id());
        let each = (joined - self.empty) * 1024.0 / self.people as f64;
        println!(
            "{tables} tables, {} screens: {:.1} MiB before anybody came, {each:.0} KiB a screen",
            self.people, self.empty
        );
        // The last changes are in the journal; the states of their games are written within half a minute.
        sleep(SAVED).await;
        let (before, _) = taken(self.server.id());
        let idle = Instant::now();
        sleep(Duration::from_secs(10)).await;
        let (quiet, _) = taken(self.server.id());
        let frames: usize = self.full.iter().map(|table| table.frames.len()).sum();
        println!(
            "  idle: {:.2} % of a core, {frames} frames",
            (quiet - before) / idle.elapsed().as_secs_f64() * 100.0
        );
    }

    /// Every GM changes something after each pause; returns what the slowest hundredth took.
    async fn measure(&mut self, long: Duration, pause: Duration) -> Duration {
        let pids = [self.server.id(), std::process::id()];
        let (before, start) = (pids.map(|pid| taken(pid).0), Instant::now());
        let end = tokio::time::Instant::now() + long;
        let tables = self.full.len();
        let mut playing = JoinSet::new();
        for (number, mut table) in self.full.drain(..).enumerate() {
            let first = pause.mul_f64(number as f64 / tables as f64);
            let mut due = tokio::time::Instant::now() + first;
            playing.spawn(async move {
                let (mut times, mut bytes, mut missed) = (Vec::new(), 0, 0);
                while due < end {
                    sleep_until(due).await;
                    let (time, sent, left) = table.change().await;
                    times.push(time);
                    bytes += sent;
                    missed += left;
                    due += pause;
                }
                (table, times, bytes, missed)
            });
        }
        let (mut times, mut bytes, mut missed, mut frames) = (Vec::new(), 0, 0, 0);
        while let Some(played) = playing.join_next().await {
            let (table, of_table, sent, left) = played.unwrap();
            frames += of_table.len() * table.screens;
            times.extend(of_table);
            bytes += sent;
            missed += left;
            self.full.push(table);
        }
        let shares = [0, 1].map(|at| {
            let spent = taken(pids[at]).0 - before[at];
            spent / start.elapsed().as_secs_f64() * 100.0
        });
        times.sort_unstable();
        println!(
            "  GM's key to the last screen: p50 {:.2} ms, p99 {:.2} ms, most {:.2} ms; {} changes, {missed} of {frames} frames missed",
            millis(part(&times, 0.5)),
            millis(part(&times, 0.99)),
            millis(part(&times, 1.0)),
            times.len()
        );
        println!(
            "  {} bytes a screen and change; the host takes {:.1} % of a core, those who sit there {:.1} %; {:.1} MiB",
            bytes / frames.max(1),
            shares[0],
            shares[1],
            taken(pids[0]).1
        );
        part(&times, 0.99)
    }
}

impl Drop for HostProcess {
    fn drop(&mut self) {
        self.server.kill().ok();
        self.server.wait().ok();
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Those whom nobody wants: one who never reads, one who talks nonsense, five hundred who say nothing.
struct Crowd {
    _silent: Vec<std::net::TcpStream>,
}

impl Crowd {
    fn gather(port: u16) -> Self {
        let connect = move || std::net::TcpStream::connect(("127.0.0.1", port)).ok();
        let silent = (0..500).filter_map(|_| connect()).collect();
        drop(std::thread::Builder::new().spawn(move || {
            while let Some(mut far) = connect() {
                let nonsense = [b"SSH-2.0-x\r\n".to_vec(), vec![0xff; 10_000]].concat();
                far.write_all(&nonsense).ok();
                std::thread::sleep(Duration::from_millis(20));
            }
        }));
        Self { _silent: silent }
    }
}
