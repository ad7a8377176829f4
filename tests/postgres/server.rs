//! A server of a test's own, and games in it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use chrono::{DateTime, Utc};
use tableside::cli::sample;
use tableside::commands::act_in_words;
use tableside::dice::SystemDice;
use tableside::rules::System;
use tableside::store::{Name, Reader, Storage};
use tableside::store_postgres;
use tableside::table::{OnEdit, Opening, Problem, Seat, Table};
use tempfile::TempDir;

use crate::not_run::did_not_run;

/// A server, until it is dropped.
pub(crate) struct Server {
    folder: TempDir,
    programs: PathBuf,
}

/// Where the server's programs are.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter();
    let debian = debian.flatten().flatten();
    folders.extend(debian.map(|version| version.path().join("bin")));
    let all = ["initdb", "pg_ctl", "psql"];
    let has_all = |folder: &PathBuf| all.iter().all(|name| folder.join(name).exists());
    folders.into_iter().find(has_all)
}

impl Server {
    /// A server, if there is one on this machine.
    pub(crate) fn start() -> Option<Self> {
        let Some(programs) = programs() else {
            did_not_run("PostgreSQL", "postgresql", "WITHOUT_POSTGRES");
            return None;
        };
        let folder = tempfile::tempdir_in("/tmp").unwrap();
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path(), open).unwrap();
        let server = Self { folder, programs };
        Self::own(server.folder());
        let data = server.folder().join("data");
        let data = data.to_str().unwrap();
        server.run("initdb", &["-D", data, "-U", "gm", "-A", "trust", "-N"]);
        server.begin();
        Some(server)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Makes a file or folder one of the server's user, where that is another.
    pub(crate) fn own(path: &Path) {
        if is_root() {
            let chown = Command::new("chown").arg("nobody").arg(path).status();
            assert!(chown.unwrap().success());
        }
    }

    /// Runs one of its programs; it refuses to be run by root.
    fn try_run(&self, program: &str, words: &[&str]) -> Output {
        let program = self.programs.join(program);
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"]);
            command.arg(program);
            command
        } else {
            Command::new(program)
        };
        command
            .args(words)
            .current_dir("/")
            .env("TZ", "UTC")
            .output()
            .unwrap()
    }

    fn run(&self, program: &str, words: &[&str]) -> String {
        let ran = self.try_run(program, words);
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{program} {words:?}: {said}");
        String::from_utf8(ran.stdout).unwrap()
    }

    fn control(&self, words: &[&str]) -> Output {
        let folder = self.folder().display();
        let options = format!("-k {folder} -c listen_addresses='' -c max_connections=200");
        let (data, log) = (format!("{folder}/data"), format!("{folder}/log"));
        let all = ["-D", &data, "-o", &options, "-l", &log, "-w"];
        self.try_run("pg_ctl", &[&all, words].concat())
    }

    pub(crate) fn begin(&self) {
        self.begin_with("");
    }

    /// The same with these options of `postgres`.
    pub(crate) fn begin_with(&self, options: &str) {
        let started = self.control(&["-o", options, "start"]);
        assert!(started.status.success(), "{options}: {started:?}");
    }

    /// As when the machine loses its power, but for what the disk has.
    pub(crate) fn crash(&self) {
        assert!(self.control(&["stop", "-m", "immediate"]).status.success());
    }

    /// The address of its database, through the socket in that folder.
    pub(crate) fn url_through(folder: &Path) -> String {
        let folder = folder.to_str().unwrap().replace('/', "%2F");
        format!("postgres://gm@{folder}/postgres")
    }

    pub(crate) fn url(&self) -> String {
        Self::url_through(self.folder())
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.folder().join(".s.PGSQL.5432")
    }

    /// Runs a statement beside the program.
    pub(crate) fn sql(&self, statement: &str) -> String {
        self.sql_at(5432, statement)
    }

    /// The same where the server was begun with another port.
    pub(crate) fn sql_at(&self, port: u16, statement: &str) -> String {
        let (folder, port) = (self.folder().to_str().unwrap(), port.to_string());
        let at = ["-h", folder, "-p", &port, "-U", "gm", "-qAtc", statement];
        self.run("psql", &[&at[..], &["postgres"]].concat())
    }

    /// Another node at it.
    pub(crate) fn node(&self) -> Storage {
        store_postgres::open(&self.url()).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.control(&["stop", "-m", "immediate"]);
    }
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout == b"0\n"
}

pub(crate) fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

pub(crate) fn name(name: &str) -> Name {
    Name::new(name, &[]).unwrap()
}

fn dice() -> Box<SystemDice> {
    Box::new(SystemDice::from_system().unwrap())
}

/// Makes a game with the sample's party under that name.
pub(crate) fn make(storage: &Storage, called: &str) -> Arc<Table> {
    let game = sample(System::HEART_RUSH).unwrap();
    let table = Table::unsaved(called, game.game, game.entries, None, noon, dice());
    table.rename(storage, &name(called)).unwrap();
    table
}

/// Opens the game of that name.
pub(crate) fn open(storage: &Storage, called: &str) -> Arc<Table> {
    let opening = Opening {
        clock: noon,
        dice: dice(),
        view: false,
        on_edit: OnEdit::Ask,
    };
    let place = storage.location(&name(called));
    Table::open(place, opening).unwrap().0
}

/// Does what the words say, as the GM.
pub(crate) fn run_command(table: &Arc<Table>, words: &str) -> Result<(), Problem> {
    let act = act_in_words(table, &Seat::gm(), words).unwrap();
    table.submit(&Seat::gm(), &act).map(drop)
}

/// Checks a game in every way that it can be broken in: its log has one order, no gap, nothing twice, and each of these
/// notes once; a table that saw all of it is what the log leads to.
pub(crate) fn check(
    storage: &Storage,
    called: &str,
    notes: &[String],
    tables: &[Arc<Table>],
) -> Result<(), String> {
    let place = storage.location(&name(called));
    let reader = Reader::new(&place);
    let mut last = 0;
    let mut text = String::new();
    for block in reader.iter_all().map_err(|error| error.to_string())? {
        let block = block.map_err(|error| error.to_string())?;
        if let Some(damage) = block.damage().first() {
            return Err(damage.to_string());
        }
        for (n, line) in block.lines() {
            if n != last + 1 {
                return Err(format!("event {n} comes after {last}"));
            }
            last = n;
            text += std::str::from_utf8(line).unwrap();
            text += "\n";
        }
    }
    for note in notes {
        let quoted = format!("\"{note}\"");
        // A note's text stands in its line and in its event.
        let found = text.lines().filter(|line| line.contains(&quoted)).count();
        if found != 1 {
            return Err(format!("{note} stands there {found} times"));
        }
    }
    let afresh = open(storage, called).game();
    for table in tables {
        table.catch_up().map_err(|error| error.to_string())?;
        if table.game() != afresh {
            return Err("a table is not what the log leads to".to_owned());
        }
    }
    Ok(())
}

/// Does something on a thread of its own.
pub(crate) fn beside<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> JoinHandle<T> {
    thread::Builder::new().spawn(work).unwrap()
}
