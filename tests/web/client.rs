//! A table with its page, and people who ask for it over plain TCP.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::Value as Json;
use tableside::cli::sample;
use tableside::commands::Request;
use tableside::dice::SystemDice;
use tableside::rules::System;
use tableside::screen::Theme;
use tableside::table::{Seat, Table};
use tableside::web::{Bounds, Page, PageOpening};
use tokio::net::TcpSocket;

/// How long anything may take; nothing waits that long unless it failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(40);

/// A sample game and its page.
pub(crate) struct TestServer {
    pub(crate) table: Arc<Table>,
    pub(crate) page: Option<Page>,
    /// Where the page listens.
    pub(crate) address: SocketAddr,
}

impl TestServer {
    pub(crate) fn open() -> Self {
        Self::with(Bounds::default(), false)
    }

    pub(crate) fn with(limits: Bounds, has_key: bool) -> Self {
        let game = sample(System::HEART_RUSH).unwrap();
        let dice = Box::new(SystemDice::from_key([7; 32]));
        let table = Table::unsaved("friday", game.game, game.entries, None, later, dice);
        let page = open(&table, "127.0.0.1:0".parse().unwrap(), limits, has_key);
        let address = page.address();
        let address = address.trim_start_matches("http://").split('/').next();
        let address = address.unwrap().parse().unwrap();
        Self {
            table,
            page: Some(page),
            address,
        }
    }

    /// Closes the page.
    pub(crate) fn close(&mut self) {
        self.page = None;
    }

    /// Opens it again where it was.
    pub(crate) fn reopen(&mut self) {
        self.page = Some(open(&self.table, self.address, Bounds::default(), false));
    }

    /// The GM says what is to be done.
    pub(crate) fn run_command(&self, words: &str) {
        let request = Request::Say {
            words: words.to_owned(),
            wait: false,
            text: None,
        };
        if let Err(refused) = request.run(&self.table, &Seat::gm()) {
            panic!("{words}: {}", refused.what);
        }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Connects from another address of this machine, such as 127.0.0.2.
    pub(crate) fn connect_from(&self, address: Ipv4Addr) -> TcpStream {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let stream = runtime.block_on(async {
            let socket = TcpSocket::new_v4().unwrap();
            socket.bind((address, 0).into()).unwrap();
            let stream = socket.connect(self.address).await.unwrap();
            stream.into_std().unwrap()
        });
        stream.set_nonblocking(false).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// What comes back for these bytes, until the page closes the connection.
    pub(crate) fn send(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        // Who is refused early may not be let finish.
        stream.write_all(bytes).ok();
        Answer::read(stream)
    }

    pub(crate) fn ask(&self, method: &str, path: &str) -> Answer {
        self.ask_as("localhost", method, path)
    }

    pub(crate) fn ask_as(&self, host: &str, method: &str, path: &str) -> Answer {
        self.send(format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes())
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path)
    }

    /// What is shown now.
    pub(crate) fn state(&self) -> Json {
        serde_json::from_str(&self.get("/state.json").body).unwrap()
    }

    pub(crate) fn listen(&self, path: &str) -> Events {
        let mut stream = self.connect();
        let words = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        stream.write_all(words.as_bytes()).unwrap();
        let mut events = Events(BufReader::new(stream));
        let head = events.lines_to_gap();
        assert!(head[0].contains("200"), "{head:?}");
        assert!(head.contains(&"content-type: text/event-stream".to_owned()));
        events
    }
}

fn open(table: &Arc<Table>, address: SocketAddr, limits: Bounds, has_key: bool) -> Page {
    let opening = PageOpening {
        address,
        has_key,
        limits,
        theme: Theme::default(),
        themes: Vec::new(),
    };
    Page::open(table, &opening).unwrap()
}

/// A second later than when it was last asked.
fn later() -> DateTime<Utc> {
    static SECONDS: AtomicI64 = AtomicI64::new(1_800_000_000);
    DateTime::from_timestamp(SECONDS.fetch_add(1, Ordering::Relaxed), 0).unwrap()
}

/// What came back.
pub(crate) struct Answer {
    /// None where the connection was closed without a word.
    pub(crate) status: Option<u16>,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn read(mut stream: TcpStream) -> Self {
        let mut all = Vec::new();
        // A reset ends it like a farewell.
        stream.read_to_end(&mut all).ok();
        let all = String::from_utf8(all).unwrap();
        let (head, body) = all.split_once("\r\n\r\n").unwrap_or((&all, ""));
        let status = head.split(' ').nth(1);
        Self {
            status: status.and_then(|status| status.parse().ok()),
            head: head.to_lowercase(),
            body: body.to_owned(),
        }
    }
}

/// What is told to somebody as it happens.
pub(crate) struct Events(BufReader<TcpStream>);

impl Events {
    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let count = self.0.read_line(&mut line).unwrap_or(0);
        (count > 0).then(|| line.trim_end().to_owned())
    }

    fn lines_to_gap(&mut self) -> Vec<String> {
        let lines = std::iter::from_fn(|| self.line());
        lines.take_while(|line| !line.is_empty()).collect()
    }

    /// The next event: its name and its data; none where the connection has ended.
    pub(crate) fn next(&mut self) -> Option<(String, Json)> {
        let (mut name, mut data) = (None, None);
        // Between the lines there are the lengths of the pieces that they came in.
        while data.is_none() {
            let line = self.line()?;
            name = line.strip_prefix("event: ").map(str::to_owned).or(name);
            data = line.strip_prefix("data: ").map(str::to_owned);
        }
        let data = serde_json::from_str(&data?).unwrap();
        Some((name?, data))
    }

    /// The parts that the next change has.
    pub(crate) fn change(&mut self) -> Json {
        let (name, data) = self.next().expect("the connection ended");
        assert_eq!(name, "change", "{data}");
        data
    }
}

/// The names of its parts.
pub(crate) fn parts(told: &Json) -> Vec<&str> {
    told.as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}
