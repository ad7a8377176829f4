//! Three nodes, each with a GM's screen over SSH at every game, while nodes are killed and paused, connections are cut
//! and the database falls over. `ACTS=10000` makes it longer, and `--nocapture` tells how long a key took to the
//! frames of the other nodes.

use std::collections::HashMap;
use std::net::TcpListener;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use russh::keys::{Algorithm, PrivateKey, PrivateKeyWithHashAlg};
use russh::{ChannelMsg, client};
use tableside::store::Reader;
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::machine::Machine;
use crate::running::Running;
use crate::server::{Server, check, make, name};
use crate::trusting::Trusting;

const NODES: usize = 3;
const GAMES: usize = 10;

/// How long a GM waits for a note to be seen by the others.
const PATIENCE: Duration = Duration::from_secs(10);

/// The keys that show the log, open a note with nothing in it, keep it, and leave a dialog.
const LOG: &str = "5";
const NOTE: &str = "a\x15";
const KEEP: &str = "\x13";
const ESCAPE: &str = "\x1b";

/// The keys that go away from the log and come back to its newest entry.
const AFRESH: &str = "15\x1b[H";

/// A program that serves all games.
fn serve(server: &Server, port: u16, machine: &Machine) -> Running {
    let (port, url) = (port.to_string(), server.url());
    let serve = ["host", "--listen", &port, "--database", &url];
    let node = Running::start(&mut machine.command(&serve));
    let said = node.line();
    assert!(said.contains(" is open at "), "{said}");
    node
}

fn signal(node: &Running, name: &str) {
    let pid = node.child.id().to_string();
    let sent = Command::new("kill").args([name, &pid]).status();
    assert!(sent.unwrap().success());
}

/// A game and its screens, one at each node.
#[derive(Default)]
struct TestGame {
    /// What each screen shows.
    shown: [Mutex<String>; NODES],
    /// When the screen of each node first showed a note of another.
    seen: Mutex<HashMap<String, [Option<Instant>; NODES]>>,
    news: Notify,
}

impl TestGame {
    /// Takes in what that node's screen shows.
    fn show(&self, node: usize, shown: String) {
        let own = format!("{node}-");
        let mut seen = self.seen.lock();
        for note in shown.split("storm ").skip(1) {
            // What somebody is just writing is no news.
            if let Some((note, _)) = note.split_once('.').filter(|_| !note.starts_with(&own)) {
                let seen = seen.entry(format!("storm {note}.")).or_default();
                seen[node].get_or_insert_with(Instant::now);
            }
        }
        drop(seen);
        *self.shown[node].lock() = shown;
        self.news.notify_waiters();
    }

    /// Waits until all other nodes show it, and returns when they did.
    async fn see(&self, note: &str, by: usize) -> Vec<Instant> {
        loop {
            let news = self.news.notified();
            let seen = self.seen.lock().get(note).copied().unwrap_or_default();
            let others = (0..NODES).filter(|node| *node != by);
            if let Some(all) = others.map(|node| seen[node]).collect() {
                return all;
            }
            news.await;
        }
    }
}

/// What is played, and what came of it.
struct Storm {
    games: [TestGame; GAMES],
    ports: [u16; NODES],
    key: Arc<PrivateKey>,
    acts: usize,
    begun: AtomicUsize,
    ended: AtomicUsize,
    /// Nothing was broken yet.
    is_calm: AtomicBool,
    /// From the last key of a note to the frames of the other nodes, while it was calm.
    times: Mutex<Vec<Duration>>,
}

impl Storm {
    /// Sits at a game, and sits down again whenever the line was cut.
    async fn sit(self: Arc<Self>, node: usize, game: usize, mut keys: UnboundedReceiver<String>) {
        loop {
            let left = self.watch(node, game, &mut keys).await;
            assert!(left.is_none());
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Joins, and takes in what comes until the line is cut.
    async fn watch(
        &self,
        node: usize,
        game: usize,
        keys: &mut UnboundedReceiver<String>,
    ) -> Option<()> {
        let config = Arc::new(client::Config::default());
        let address = ("127.0.0.1", self.ports[node]);
        let mut session = client::connect(config, address, Trusting).await.ok()?;
        let key = PrivateKeyWithHashAlg::new(Arc::clone(&self.key), None);
        let login = session.authenticate_publickey(format!("g{game}+gm"), key);
        login.await.ok()?.success().then_some(())?;
        let mut channel = session.channel_open_session().await.ok()?;
        let asked = channel.request_pty(true, "xterm-256color", 100, 30, 0, 0, &[]);
        asked.await.ok()?;
        channel.request_shell(true).await.ok()?;
        let mut terminal = vt100::Parser::new(30.try_into().unwrap(), 100.try_into().unwrap(), 0);
        // What was typed without a table is lost.
        while keys.try_recv().is_ok() {}
        channel.data(LOG.as_bytes()).await.ok()?;
        loop {
            tokio::select! {
                message = channel.wait() => if let ChannelMsg::Data { data } = message? {
                    terminal.process(&data);
                    self.games[game].show(node, terminal.screen().contents());
                },
                Some(more) = keys.recv() => channel.data(more.as_bytes()).await.ok()?,
            }
        }
    }

    /// Writes one note after the other; returns those that the others did not see in time.
    async fn act(
        self: Arc<Self>,
        node: usize,
        game: usize,
        keys: UnboundedSender<String>,
    ) -> Vec<String> {
        let mut lost = Vec::new();
        for turn in 0.. {
            if self.begun.fetch_add(1, Ordering::Relaxed) >= self.acts {
                break;
            }
            let note = format!("storm {node}-{turn}.");
            let began = Instant::now();
            keys.send(format!("{NOTE}{note}{KEEP}")).unwrap();
            match timeout(PATIENCE, self.games[game].see(&note, node)).await {
                Ok(seen) if self.is_calm.load(Ordering::Relaxed) => {
                    let seen = seen.into_iter().map(|at| at - began);
                    self.times.lock().extend(seen);
                }
                Ok(_) => {}
                Err(_) => {
                    keys.send(ESCAPE.to_owned()).unwrap();
                    lost.push(note);
                }
            }
            self.ended.fetch_add(1, Ordering::Relaxed);
        }
        lost
    }

    /// Waits until so many hundredths of the acts have ended.
    fn wait(&self, percent: usize) {
        while self.ended.load(Ordering::Relaxed) < self.acts * percent / 100 {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Makes the games, in each of which that key has the GM's seat.
fn prepare(server: &Server, key: &PrivateKey) {
    for game in 0..GAMES {
        drop(make(&server.node(), &format!("g{game}")));
    }
    let key = key.public_key().to_openssh().unwrap();
    server.sql(&format!(
        "insert into file (game, name, text) select id, 'access.toml',
            '[[seat]]\nname = \"gm\"\nrole = \"gm\"\nkeys = [\"{key}\"]\n' from game where name like 'g_'"
    ));
}

/// Everything that may happen to nodes and to the database, while a share of the acts is done.
fn break_things(storm: &Storm, server: &Server, nodes: &mut [Running; NODES], machine: &Machine) {
    storm.wait(40);
    storm.is_calm.store(false, Ordering::Relaxed);
    for round in 0..2 {
        let at = 40 + 25 * round;
        let node = &mut nodes[round];
        signal(node, "-KILL");
        node.child.wait().unwrap();
        thread::sleep(Duration::from_secs(1));
        *node = serve(server, storm.ports[round], machine);
        storm.wait(at + 5);
        server.crash();
        server.begin();
        storm.wait(at + 10);
        // So long that the others take it for dead.
        signal(&nodes[2], "-STOP");
        thread::sleep(Duration::from_secs(4));
        signal(&nodes[2], "-CONT");
        storm.wait(at + 15);
        server.sql("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tableside'");
    }
}

#[test]
fn three_nodes_come_through_a_storm_with_one_history() {
    let Some(server) = Server::start() else {
        return;
    };
    let acts = std::env::var("ACTS").map_or(600, |acts| acts.parse().unwrap());
    let key = PrivateKey::random(&mut rand::rng(), Algorithm::Ed25519).unwrap();
    prepare(&server, &key);
    let free = [(); NODES].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let ports = free.each_ref().map(|one| one.local_addr().unwrap().port());
    drop(free);
    let machine = Machine::new();
    let mut nodes = ports.map(|port| serve(&server, port, &machine));
    let storm = Arc::new(Storm {
        games: Default::default(),
        ports,
        key: Arc::new(key),
        acts,
        begun: AtomicUsize::new(0),
        ended: AtomicUsize::new(0),
        is_calm: AtomicBool::new(true),
        times: Mutex::default(),
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let mut acting = JoinSet::new();
    let mut sitting = JoinSet::new();
    let mut all_keys = Vec::new();
    for (node, game) in (0..NODES).flat_map(|node| (0..GAMES).map(move |game| (node, game))) {
        let (keys, typed) = unbounded_channel();
        all_keys.push(keys.clone());
        sitting.spawn_on(Arc::clone(&storm).sit(node, game, typed), runtime.handle());
        acting.spawn_on(Arc::clone(&storm).act(node, game, keys), runtime.handle());
    }
    break_things(&storm, &server, &mut nodes, &machine);
    let lost: Vec<String> = runtime.block_on(acting.join_all()).concat();
    // At the end all screens of a game are the same, but for what each said last.
    for keys in all_keys {
        keys.send(AFRESH.to_owned()).unwrap();
    }
    let began = Instant::now();
    for (number, game) in storm.games.iter().enumerate() {
        let shown = || game.shown.each_ref().map(|shown| shown.lock().clone());
        while shown()[1..] != shown()[..NODES - 1] {
            let shown = shown().join("\n\n");
            assert!(
                began.elapsed() < Duration::from_secs(40),
                "game {number}:\n{shown}"
            );
            thread::sleep(Duration::from_millis(50));
        }
    }
    drop(runtime);
    drop(nodes);
    // What anybody saw is in the log, once and in one order.
    for (number, game) in storm.games.iter().enumerate() {
        let seen: Vec<String> = game.seen.lock().keys().cloned().collect();
        let called = format!("g{number}");
        let storage = server.node();
        check(&storage, &called, &seen, &[]).unwrap();
        // Nor was anything done twice that nobody saw.
        let reader = Reader::new(storage.location(&name(&called)));
        let log = reader.read(1..u64::MAX).unwrap();
        let notes = log.iter().filter_map(|one| {
            let (_, note) = one.event.get().split_once("storm ")?;
            note.split_once('.').map(|(note, _)| note)
        });
        let mut notes: Vec<&str> = notes.collect();
        let all = notes.len();
        notes.sort_unstable();
        notes.dedup();
        assert_eq!(notes.len(), all, "a note is there twice");
    }
    let mut times = std::mem::take(&mut *storm.times.lock());
    times.sort_unstable();
    let part = |of: usize| times[(times.len() - 1) * of / 100];
    println!(
        "{acts} acts, {} lost sight of; key to another node's frame p50 {:.1?}, p99 {:.1?}",
        lost.len(),
        part(50),
        part(99)
    );
    assert!(
        lost.len() * 5 < acts,
        "{} of {acts} were not seen",
        lost.len()
    );
}
