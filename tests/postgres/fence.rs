//! Two processes at one game: one order, whoever is first.

use std::sync::Arc;

use tableside::server::{has_seat, invite};
use tableside::store::Storage;
use tableside::table::Table;

use crate::server::{Server, beside, check, make, name, noon, open, run_command};

/// Both tables act at once, each so often; returns the notes that were answered as done.
fn storm(tables: &[Arc<Table>], each: usize) -> Vec<String> {
    let storms = tables.iter().enumerate().map(|(node, table)| {
        let table = Arc::clone(table);
        let act = move |turn: usize| {
            // Between what anybody may do at any time something that depends on what the other did.
            if turn.is_multiple_of(4) {
                // A full clock takes no more.
                run_command(&table, "tick the siren 1").ok();
                run_command(&table, "tick the siren -1").ok();
                return None;
            }
            let note = format!("note {node} {turn}");
            run_command(&table, &format!("note {note}")).unwrap();
            Some(note)
        };
        beside(move || (0..each).filter_map(act).collect::<Vec<_>>())
    });
    let storms: Vec<_> = storms.collect();
    let notes = storms.into_iter().flat_map(|one| one.join().unwrap());
    notes.collect()
}

fn two(server: &Server, called: &str) -> (Storage, Vec<Arc<Table>>) {
    let (one, other) = (server.node(), server.node());
    let first = make(&one, called);
    run_command(&first, "add clock The siren 8").unwrap();
    let tables = vec![first, open(&other, called)];
    (one, tables)
}

#[test]
fn two_nodes_write_one_history() {
    let Some(server) = Server::start() else {
        return;
    };
    let (storage, tables) = two(&server, "friday");
    let notes = storm(&tables, 1000);
    assert_eq!(notes.len(), 1500);
    check(&storage, "friday", &notes, &tables).unwrap();
}

#[test]
fn without_the_fence_the_check_finds_what_is_broken() {
    let Some(server) = Server::start() else {
        return;
    };
    let (storage, tables) = two(&server, "friday");
    server.sql("alter table journal drop constraint journal_pkey");
    let notes = storm(&tables, 20);
    let broken = check(&storage, "friday", &notes, &tables).unwrap_err();
    assert!(broken.contains("does not match its checksum"), "{broken}");
}

#[test]
fn two_nodes_invite_at_once_and_no_seat_is_lost() {
    let Some(server) = Server::start() else {
        return;
    };
    let (storage, _tables) = two(&server, "friday");
    let nodes = [storage.clone(), server.node()].into_iter().enumerate();
    let invite_all = nodes.map(|(node, storage)| {
        beside(move || {
            let friday = name("friday");
            for guest in 0..20 {
                let seat = format!("guest{node}-{guest}");
                invite((&storage, &friday), (&seat, None, None), noon()).unwrap();
            }
        })
    });
    for one in invite_all.collect::<Vec<_>>() {
        one.join().unwrap();
    }
    let place = storage.location(&name("friday"));
    for guest in 0..40 {
        let seat = format!("guest{}-{}", guest % 2, guest / 2);
        assert!(has_seat(&place, &seat).unwrap(), "{seat}");
    }
}
