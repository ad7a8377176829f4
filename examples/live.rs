//! How a full table feels: many screens over SSH while the GM changes something ten times a second.
//!
//! `cargo run --release --example live [TABLES] [SCREENS] [SECONDS] [WORSE]` opens so many tables in one
//! process of its own, with so many screens each besides the GM's (1 200 60 if nothing is said), and tells
//! how long it takes from the GM's key to the last screen's frame, what a change costs a screen in bytes, and
//! what the process takes in time and memory. With `worse` there are also a client that never reads, one that
//! sends garbage, and five hundred connections that never log in. It stops by itself.

#![expect(clippy::print_stdout, reason = "it is there to tell its figures")]
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a bench that cannot go on should say so loudly"
)]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use rand::rngs::StdRng;
use russh::keys::{Algorithm, PrivateKey, PrivateKeyWithHashAlg, PublicKeyOrCertificate};
use russh::{ChannelMsg, client};
use tableside::cli::sample;
use tableside::dice::SystemDice;
use tableside::rules::System;
use tableside::screen::Setup;
use tableside::server::{Opening, Server};
use tableside::store::Name;
use tableside::table::Table;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{sleep, sleep_until, timeout};

/// How often the GM changes something.
const EVERY: Duration = Duration::from_millis(100);

/// How long a screen may take before it counts as missed.
const PATIENCE: Duration = Duration::from_secs(2);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == "serve") {
        serve(words[1].parse().unwrap(), Path::new(&words[2]));
        return ExitCode::SUCCESS;
    }
    let number = |at: usize, usual: usize| {
        let given = words.get(at).and_then(|word| word.parse().ok());
        given.unwrap_or(usual)
    };
    let (tables, screens, seconds) = (number(0, 1), number(1, 200), number(2, 60));
    let worse = words.iter().any(|word| word == "worse");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(measure(tables, screens, seconds, worse));
    ExitCode::SUCCESS
}

/// The other process: so many tables, until nobody wants them any more.
fn serve(tables: usize, data: &Path) {
    let key = fs::read_to_string(data.join("key.pub")).unwrap();
    let open = |number: usize| {
        let game = sample(System::HEART_RUSH).unwrap();
        let name = Name::new(&format!("t{number}"), &[]).unwrap();
        let dice = Box::new(SystemDice::from_key([7; 32]));
        let table = Table::unsaved("t", game.session, game.entries, None, now, dice);
        table.rename(data, &name).unwrap();
        let access = format!(
            "[limits]\nconnections = 1000\nconnections-per-address = 1000\n[[seat]]\nname = \"gm\"\nrole = \"gm\"\nkeys = [{key:?}]\n[[seat]]\nname = \"Ana\"\nkeys = [{key:?}]\n"
        );
        fs::write(table.folder().unwrap().join("access.toml"), access).unwrap();
        let opening = Opening {
            address: "127.0.0.1:0".parse().unwrap(),
            open_watchers: false,
            pq_only: false,
            setup: Setup::gm(),
            echo: None,
            #[cfg(debug_assertions)]
            panic_seat: None,
        };
        Server::start(&table, opening).unwrap()
    };
    let servers: Vec<Server> = (0..tables).map(open).collect();
    for server in &servers {
        println!("{}", server.address().port());
    }
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
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
    user: &str,
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
}

impl Full {
    async fn open(port: u16, screens: usize, key: &Arc<PrivateKey>) -> Self {
        let (told, frames) = unbounded_channel();
        let mut keys = Vec::new();
        for screen in 0..screens {
            keys.push(join(port, "Ana", key, (screen, told.clone())).await);
        }
        let gm = join(port, "gm", key, (screens, told)).await;
        Self {
            gm,
            _keys: keys,
            frames,
            screens,
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
    async fn change(&mut self, key: &'static str) -> (Duration, usize, usize) {
        while self.frames.try_recv().is_ok() {}
        let began = Instant::now();
        self.gm.send(key).unwrap();
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

fn part(sorted: &[Duration], of: f64) -> f64 {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a place in a list"
    )]
    let at = ((sorted.len() as f64 - 1.0) * of).round() as usize;
    sorted[at].as_secs_f64() * 1e3
}

#[expect(clippy::cast_precision_loss, reason = "figures to be read")]
async fn measure(tables: usize, screens: usize, seconds: usize, worse: bool) {
    let data = tempfile::tempdir().unwrap();
    let mut luck: StdRng = rand::make_rng();
    let key = PrivateKey::random(&mut luck, Algorithm::Ed25519).unwrap();
    let line = key.public_key().to_openssh().unwrap();
    fs::write(data.path().join("key.pub"), line).unwrap();
    let key = Arc::new(key);
    let mut server = Command::new(std::env::current_exe().unwrap())
        .args(["serve", &tables.to_string()])
        .arg(data.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let pid = server.id();
    let out = BufReader::new(server.stdout.take().unwrap());
    let ports: Vec<u16> = out
        .lines()
        .take(tables)
        .map(|line| line.unwrap().parse().unwrap())
        .collect();
    let (_, empty) = taken(pid);
    let mut full = Vec::new();
    for port in &ports {
        full.push(Full::open(*port, screens, &key).await);
    }
    for table in &mut full {
        table.settle().await;
        table.gm.send("3").unwrap();
        table.settle().await;
    }
    let (before, joined) = taken(pid);
    let people = (tables * (screens + 1)) as f64;
    println!(
        "{tables} tables of {screens} screens and a GM: {empty:.1} MiB before anybody came, {:.0} KiB a screen",
        (joined - empty) * 1024.0 / people
    );
    let idle = Instant::now();
    sleep(Duration::from_secs(10)).await;
    let (quiet, _) = taken(pid);
    println!(
        "idle: {:.2} % of a core, {} frames",
        (quiet - before) / idle.elapsed().as_secs_f64() * 100.0,
        full.iter().map(|table| table.frames.len()).sum::<usize>()
    );
    let crowd = if worse {
        Some(Crowd::gather(ports[0]))
    } else {
        None
    };
    let (began, start) = (taken(pid).0, Instant::now());
    let changes = seconds * 10;
    let (mut times, mut bytes, mut missed) = (Vec::new(), 0, 0);
    for number in 0..changes {
        let due = tokio::time::Instant::now() + EVERY;
        let key = if number % 2 == 0 { "+" } else { "-" };
        let at = number % tables;
        let (time, sent, left) = full[at].change(key).await;
        times.push(time);
        bytes += sent;
        missed += left;
        // Every table has such a GM.
        for (other, table) in full.iter().enumerate() {
            if other != at {
                table.gm.send(key).unwrap();
            }
        }
        sleep_until(due).await;
    }
    let (end, after) = taken(pid);
    times.sort_unstable();
    println!(
        "GM's key to the last screen: p50 {:.2} ms, p99 {:.2} ms, most {:.2} ms; {missed} of {} missed",
        part(&times, 0.5),
        part(&times, 0.99),
        part(&times, 1.0),
        changes * screens
    );
    println!(
        "{} bytes a screen and change; server {:.1} % of a core, {after:.1} MiB at the end",
        bytes / (changes * screens).max(1),
        (end - began) / start.elapsed().as_secs_f64() * 100.0
    );
    drop(crowd);
    drop(full);
    drop(server.stdin.take());
    server.wait().unwrap();
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
