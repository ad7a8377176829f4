//! A database that goes away, and connections that break at the worst moment.

use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tableside::store::{Reader, Saving, Storage, StoreError};
use tableside::store_postgres;
use tableside::table::{Problem, Seat, Table};

use crate::server::{Server, beside, check, make, name, open, run_command};

/// What was answered.
#[derive(Default)]
struct Answers {
    done: Vec<String>,
    not_done: Vec<String>,
    unknown: Vec<String>,
}

/// Acts until it is told to stop.
fn act(table: &Arc<Table>, node: usize, is_over: &AtomicBool, count: &AtomicUsize) -> Answers {
    let mut answers = Answers::default();
    for turn in 0.. {
        if is_over.load(Ordering::Relaxed) {
            break;
        }
        let note = format!("note {node} {turn}");
        match run_command(table, &format!("note {note}")) {
            Ok(()) => {
                count.fetch_add(usize::from(node == 0), Ordering::Relaxed);
                answers.done.push(note);
            }
            Err(Problem::Store(StoreError::Database { what, .. })) => {
                if what.ends_with("the change was not made") {
                    answers.not_done.push(note);
                } else {
                    answers.unknown.push(note);
                }
            }
            Err(error) => panic!("{error}"),
        }
    }
    // Without a database they are refused by the thousand.
    answers.not_done.truncate(200);
    answers
}

/// Two nodes act while something happens to the database; then everything that was answered must be so.
fn under(server: &Server, others: &Storage, happens: impl FnOnce(&dyn Fn(usize))) -> Answers {
    let storage = server.node();
    let tables = vec![make(others, "friday"), open(&storage, "friday")];
    let (is_over, count) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicUsize::new(0)),
    );
    let acting = tables.iter().enumerate().map(|(node, table)| {
        let (table, is_over, count) = (Arc::clone(table), Arc::clone(&is_over), Arc::clone(&count));
        beside(move || act(&table, node, &is_over, &count))
    });
    let acting: Vec<_> = acting.collect();
    // Waits until so many more acts were done at the first node.
    happens(&|more| {
        let until = count.load(Ordering::Relaxed) + more;
        let began = Instant::now();
        while count.load(Ordering::Relaxed) < until {
            assert!(
                began.elapsed() < Duration::from_mins(1),
                "nothing is done any more"
            );
            thread::yield_now();
        }
    });
    is_over.store(true, Ordering::Relaxed);
    let mut all = Answers::default();
    for one in acting {
        let one = one.join().unwrap();
        all.done.extend(one.done);
        all.not_done.extend(one.not_done);
        all.unknown.extend(one.unknown);
    }
    check(&storage, "friday", &all.done, &tables).unwrap();
    let reader = Reader::new(storage.location(&name("friday")));
    let log = reader.read(1..u64::MAX).unwrap();
    let count = |note: &String| {
        let note = format!("\"{note}\"");
        log.iter()
            .filter(|one| one.event.get().contains(&note))
            .count()
    };
    for note in &all.not_done {
        assert_eq!(count(note), 0, "{note} was said not to be done");
    }
    for note in &all.unknown {
        assert!(count(note) <= 1, "{note} is there twice");
    }
    all
}

#[test]
fn what_was_answered_as_done_outlives_the_database() {
    let Some(server) = Server::start() else {
        return;
    };
    let answers = under(&server, &server.node(), |wait| {
        for _ in 0..3 {
            wait(100);
            server.crash();
            server.begin();
        }
        wait(100);
    });
    assert!(answers.done.len() >= 400);
}

#[test]
fn connections_that_are_cut_in_the_middle_cost_nothing() {
    let Some(server) = Server::start() else {
        return;
    };
    let answers = under(&server, &server.node(), |wait| {
        for _ in 0..20 {
            wait(7);
            server.sql("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tableside'");
        }
        wait(50);
    });
    assert!(answers.done.len() >= 190);
}

/// Stands between a node and the server, and swallows answers.
struct Proxy {
    folder: tempfile::TempDir,
    swallows: Arc<AtomicBool>,
}

impl Proxy {
    fn before(server: PathBuf) -> Self {
        let folder = tempfile::tempdir_in("/tmp").unwrap();
        let listener = UnixListener::bind(folder.path().join(".s.PGSQL.5432")).unwrap();
        let swallows = Arc::new(AtomicBool::new(false));
        let of_thread = Arc::clone(&swallows);
        beside(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = UnixStream::connect(&server) else {
                    continue;
                };
                let (near_too, far_too) = (near.try_clone().unwrap(), far.try_clone().unwrap());
                let never = Arc::new(AtomicBool::new(false));
                beside(move || pass(near_too, far_too, &never));
                let swallows = Arc::clone(&of_thread);
                beside(move || pass(far, near, &swallows));
            }
        });
        Self { folder, swallows }
    }
}

/// Passes bytes on until it is told to swallow the next ones; then both ends are cut.
fn pass(mut from: UnixStream, mut to: UnixStream, swallows: &AtomicBool) {
    let mut bytes = [0; 8192];
    while let Ok(length @ 1..) = from.read(&mut bytes) {
        // Only what is long enough to be an answer with rows.
        if (length > 40 && swallows.swap(false, Ordering::Relaxed))
            || to.write_all(&bytes[..length]).is_err()
        {
            break;
        }
    }
    from.shutdown(Shutdown::Both).ok();
    to.shutdown(Shutdown::Both).ok();
}

#[test]
fn an_answer_that_never_came_is_settled_by_looking() {
    let Some(server) = Server::start() else {
        return;
    };
    let proxy = Proxy::before(server.socket());
    let storage = store_postgres::open(&Server::url_through(proxy.folder.path())).unwrap();
    let answers = under(&server, &storage, |wait| {
        for _ in 0..20 {
            wait(5);
            proxy.swallows.store(true, Ordering::Relaxed);
            let began = Instant::now();
            while proxy.swallows.load(Ordering::Relaxed) {
                assert!(
                    began.elapsed() < Duration::from_mins(1),
                    "no answer comes any more"
                );
                thread::yield_now();
            }
        }
        wait(50);
    });
    assert!(answers.done.len() >= 150);
}

#[test]
fn a_table_without_its_database_says_so_and_goes_on_when_it_is_back() {
    let Some(server) = Server::start() else {
        return;
    };
    let table = make(&server.node(), "friday");
    let (tell, told) = std::sync::mpsc::channel();
    let _watching = table.watch(Box::new(move |news| tell.send(news).unwrap_or_default()));
    run_command(&table, "note before").unwrap();
    let wait = |wanted: &dyn Fn(&Saving) -> bool| {
        while !table.read(&Seat::gm(), |seen| wanted(&seen.saving())) {
            told.recv_timeout(Duration::from_secs(30)).unwrap();
        }
    };
    server.crash();
    wait(
        &|saving| matches!(saving, Saving::Failing { at: Some(_), reason } if reason == "the database does not answer"),
    );
    let began = Instant::now();
    let refused = run_command(&table, "note meanwhile")
        .unwrap_err()
        .to_string();
    assert_eq!(
        refused,
        "the database does not answer, and the change was not made"
    );
    assert!(began.elapsed() < Duration::from_secs(20));
    // The last of it can still be read.
    assert!(table.read(&Seat::gm(), |seen| seen.log().next_back().is_some()));
    server.begin();
    wait(&|saving| *saving == Saving::Quiet);
    run_command(&table, "note after").unwrap();
    let notes = ["before", "after"].map(str::to_owned);
    check(&server.node(), "friday", &notes, &[table]).unwrap();
}
