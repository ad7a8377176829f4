//! Snapshots and files next to a game that cannot be written.

use std::time::{Duration, Instant};

use tableside::store::Sidecar;

use crate::server::{Server, make, name, run_command};

const LONG: Duration = Duration::from_mins(1);

#[test]
fn a_snapshot_is_not_saved_if_the_journal_has_lost_its_last_event() {
    let Some(server) = Server::start() else {
        return;
    };
    let table = make(&server.node(), "friday");
    run_command(&table, "note before").unwrap();
    let last_saved = server.sql("select last from game");
    server.sql("delete from journal");

    let error = table.flush(LONG).unwrap_err().to_string();
    assert!(
        error.contains("does not contain all saved events"),
        "{error}"
    );
    assert_eq!(server.sql("select last from game"), last_saved);
}

#[test]
fn a_flush_stops_waiting_after_its_limit() {
    let Some(server) = Server::start() else {
        return;
    };
    server.crash();
    server.begin_with("-c max_prepared_transactions=1");
    let table = make(&server.node(), "friday");
    run_command(&table, "note before").unwrap();

    // The prepared transaction locks the row of the game until it is rolled back.
    server.sql("begin; update game set saved = saved; prepare transaction 'lock'");
    let began = Instant::now();
    let error = table.flush(Duration::from_millis(1)).unwrap_err();
    assert!(error.to_string().contains("does not answer"), "{error}");
    assert!(began.elapsed() < Duration::from_secs(20));

    server.sql("rollback prepared 'lock'");
    table.flush(LONG).unwrap();
}

#[test]
fn a_file_that_another_process_has_created_meanwhile_is_not_replaced() {
    let Some(server) = Server::start() else {
        return;
    };
    let storage = server.node();
    let _table = make(&storage, "friday");
    let file = Sidecar::new(&storage.location(&name("friday")), "access.toml");
    assert!(file.replace_from(None, "first").unwrap());
    assert!(!file.replace_from(None, "second").unwrap());
    assert_eq!(file.read().unwrap().as_deref(), Some("first"));
}
