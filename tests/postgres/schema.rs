//! Databases of earlier versions.

use chrono::DateTime;
use tableside::store::{Name, NewEvent, Options};

use crate::server::Server;

#[test]
fn the_host_of_an_earlier_version_is_found_under_its_present_name() {
    let Some(server) = Server::start() else {
        return;
    };
    let no_events: &[NewEvent<'_, &str>] = &[];
    let options = Options::new(DateTime::UNIX_EPOCH);
    let host = server.node().location(&Name::host_game());
    drop(host.create(&options, "x = 1\n", no_events).unwrap());

    // As the first edition left it.
    server
        .sql("update game set name = '.house', state = replace(state, 'format = 2', 'format = 1')");
    server.sql("update tableside set schema = 1");
    assert!(!host.exists());

    let nodes = [server.node(), server.node()];
    for node in nodes {
        let opened = node.location(&Name::host_game()).open(&options).unwrap();
        assert!(opened.snapshot.text.ends_with("x = 1\n"));
    }
    assert_eq!(server.sql("select name from game"), ".host\n");
    assert_eq!(server.sql("select schema from tableside"), "2\n");
}

#[test]
fn a_second_host_is_left_under_its_former_name() {
    let Some(server) = Server::start() else {
        return;
    };
    let no_events: &[NewEvent<'_, &str>] = &[];
    let options = Options::new(DateTime::UNIX_EPOCH);
    let host = server.node().location(&Name::host_game());
    drop(host.create(&options, "x = 1\n", no_events).unwrap());

    server.sql(
        "insert into game (name, kept, state, last) select '.house', kept, state, last from game",
    );
    server.sql("update tableside set schema = 1");
    assert!(server.node().location(&Name::host_game()).exists());
    let names = server.sql("select name from game order by name");
    assert_eq!(names, ".host\n.house\n");
}
