//! How the page feels to the table: browsers look on while the GM ticks a clock twenty times a second.
//!
//! `cargo run --release --example viewers [KEYS]` opens a game with its page in a process of its own, and tells for no
//! viewer, one, a hundred and a thousand, and for a thousand of whom half never read: how long the GM's key takes to its
//! frame, how long to the event at the last of those who read, what a change and what silence cost a viewer in bytes, and
//! what one takes in memory. Each is of so many keys, 200 if nothing is said. It stops by itself.

#![expect(clippy::print_stdout, reason = "it is there to tell its figures")]
#![expect(
    clippy::unwrap_used,
    reason = "a bench that cannot go on should say so loudly"
)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use tableside::cli::sample;
use tableside::dice::SystemDice;
use tableside::rules::System;
use tableside::screen::{Input, Screen, Setup, Theme};
use tableside::table::Table;
use tableside::web::{Bounds, Page, PageOpening};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{sleep, timeout};

/// How often the GM presses a key.
const EVERY: Duration = Duration::from_millis(50);

/// How long an event may take before it counts as missed.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long silence is listened to: a comment comes every thirty seconds.
const SILENCE: Duration = Duration::from_secs(31);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == "serve") {
        serve();
        return ExitCode::SUCCESS;
    }
    let keys = words.first().and_then(|word| word.parse().ok());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        for (readers, deaf) in [(0, 0), (1, 0), (100, 0), (1000, 0), (500, 500)] {
            measure(keys.unwrap_or(200), readers, deaf).await;
        }
    });
    ExitCode::SUCCESS
}

/// The other process: a game with its page and the GM's screen, which hears a key for each line.
fn serve() {
    let game = sample(System::HEART_RUSH).unwrap();
    let dice = Box::new(SystemDice::from_key([7; 32]));
    let table = Table::unsaved("t", game.game, game.entries, None, now, dice);
    let opening = PageOpening {
        address: "127.0.0.1:0".parse().unwrap(),
        has_key: false,
        limits: Bounds {
            connections: 1100,
            ..Bounds::default()
        },
        theme: Theme::default(),
        themes: Vec::new(),
    };
    let page = Page::open(&table, &opening).unwrap();
    println!("{}", page.address());
    let mut screen = Screen::new(Arc::clone(&table), Setup::gm(), (120, 40));
    screen.handle(Input::Bytes(b"3".to_vec()));
    screen.frame();
    for line in std::io::stdin().lines() {
        let began = Instant::now();
        screen.handle(Input::Bytes(line.unwrap().into_bytes()));
        screen.frame();
        println!("{}", began.elapsed().as_micros());
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "somebody has to look at the clock"
)]
fn now() -> DateTime<Utc> {
    Utc::now()
}

/// The other process, as this one knows it.
struct Served {
    child: Child,
    keys: ChildStdin,
    lines: std::io::Lines<BufReader<ChildStdout>>,
    address: String,
}

impl Served {
    fn start() -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .arg("serve")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let keys = child.stdin.take().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines.next().unwrap().unwrap();
        let address = address.trim_start_matches("http://").trim_end_matches('/');
        Self {
            address: address.to_owned(),
            child,
            keys,
            lines,
        }
    }

    /// Its memory in KiB, where the system tells it.
    fn memory(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().next());
        number.map_or(f64::NAN, |number| number.parse().unwrap())
    }
}

/// Counts what comes to a viewer, and tells when an event did.
async fn look(address: String, bytes: Arc<AtomicUsize>, told: UnboundedSender<Instant>) {
    let mut stream = ask(&address).await;
    let mut piece = vec![0; 64 * 1024];
    while let Ok(count @ 1..) = stream.read(&mut piece).await {
        bytes.fetch_add(count, Ordering::Relaxed);
        let text = String::from_utf8_lossy(&piece[..count]);
        let events = text.matches("event: ").count();
        (0..events).for_each(|_| told.send(Instant::now()).unwrap_or_default());
    }
}

async fn ask(address: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let words = b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n";
    stream.write_all(words).await.unwrap();
    stream
}

/// Waits for so many events; the time of the last one, unless some are missed.
async fn all(count: usize, came: &mut UnboundedReceiver<Instant>) -> Option<Instant> {
    let mut last = None;
    for _ in 0..count {
        last = Some(timeout(PATIENCE, came.recv()).await.ok()??);
    }
    last
}

async fn measure(keys: usize, readers: usize, deaf: usize) {
    let mut served = Served::start();
    let before = served.memory();
    let bytes = Arc::new(AtomicUsize::new(0));
    let (told, mut came) = unbounded_channel();
    for _ in 0..readers {
        let looking = look(served.address.clone(), Arc::clone(&bytes), told.clone());
        drop(tokio::spawn(looking));
    }
    let mut silent = Vec::new();
    for _ in 0..deaf {
        silent.push(ask(&served.address).await);
    }
    let begun = all(readers, &mut came).await;
    assert!(begun.is_some() || readers == 0, "not all could look");
    let memory = served.memory() - before;
    bytes.store(0, Ordering::Relaxed);
    let (mut frames, mut events, mut missed) = (Vec::new(), Vec::new(), 0);
    for key in 0..keys {
        let began = Instant::now();
        writeln!(served.keys, "{}", ["+", "-"][key % 2]).unwrap();
        let frame: f64 = served.lines.next().unwrap().unwrap().parse().unwrap();
        frames.push(frame / 1000.0);
        match all(readers, &mut came).await {
            Some(last) => events.push(last.duration_since(began).as_secs_f64() * 1000.0),
            None => missed += usize::from(readers > 0),
        }
        sleep(EVERY.saturating_sub(began.elapsed())).await;
    }
    let each = |bytes: &AtomicUsize| bytes.swap(0, Ordering::Relaxed) / readers.max(1);
    let change = each(&bytes) / keys.max(1);
    println!("{readers} who read, {deaf} who do not:");
    tell("  the GM's key to its frame", frames);
    if readers > 0 {
        tell("  the key to the event at the last of them", events);
        println!("  {missed} keys missed; {change} bytes a change to each");
        let viewers = f64::from(u32::try_from(readers + deaf).unwrap());
        println!("  {:.1} KiB of memory a viewer", memory / viewers);
        sleep(SILENCE).await;
        println!(
            "  {} bytes to each in {} s of silence",
            each(&bytes),
            SILENCE.as_secs()
        );
    }
    drop((silent, served.keys));
    served.child.wait().unwrap();
}

fn tell(what: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let at = |part: usize| times.get(times.len().saturating_sub(1) * part / 100);
    let [half, most, worst] = [50, 95, 100].map(|part| at(part).copied().unwrap_or(f64::NAN));
    println!("{what}: {half:.2} ms, 95 of 100 within {most:.2} ms, all within {worst:.2} ms");
}
