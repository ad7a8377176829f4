//! What is told as it happens: all of it once, then what changed, an event a change.

use super::client::{TestServer, parts};

#[test]
fn each_change_is_one_event_with_the_parts_that_changed() {
    let server = TestServer::open();
    let mut events = server.listen("/events");
    let (name, begin) = events.next().unwrap();
    assert_eq!(name, "state");
    assert_eq!(begin, server.state());

    server.run_command("roll Mira agility cn=12");
    let rolled = events.change();
    assert!(parts(&rolled).contains(&"rolls"));
    assert_eq!(rolled["rolls"][0]["title"], "Mira · Agility");
    assert_eq!(rolled["rolls"][1], begin["rolls"][0]);

    server.run_command("tick the watch wakes");
    let ticked = events.change();
    assert_eq!(parts(&ticked), ["clocks"]);
    assert_eq!(ticked["clocks"][0]["filled"], 4);

    server.run_command("scene The gate");
    let scene = events.change();
    assert_eq!(scene["scene"], "The gate");

    server.run_command("undo");
    assert_eq!(events.change()["scene"], "Past the guards");
    server.run_command("undo");
    assert_eq!(events.change()["clocks"][0]["filled"], 3);
    server.run_command("undo");
    let taken_back = events.change();
    assert_eq!(taken_back["rolls"][0]["struck"], "undone");
}

#[test]
fn what_players_do_not_see_is_no_event_until_it_is_shown() {
    let server = TestServer::open();
    let mut events = server.listen("/events");
    events.next().unwrap();
    server.run_command("add clock The ambush 4 hidden");
    server.run_command("tick the ambush 2");
    server.run_command("note they lie in wait");
    server.run_command("show the ambush");
    let shown = events.change();
    assert_eq!(parts(&shown), ["clocks"]);
    let clocks = shown["clocks"].as_array().unwrap();
    let ambush = clocks.last().unwrap();
    assert_eq!(
        (&ambush["name"], &ambush["filled"]),
        (&"The ambush".into(), &2.into())
    );
    server.run_command("hide the ambush");
    let hidden = events.change();
    assert!(!hidden.to_string().contains("ambush"), "{hidden}");
    server.run_command("tick the watch wakes");
    assert_eq!(events.change()["clocks"][0]["filled"], 4);
}

#[test]
fn who_was_too_slow_for_a_change_gets_all_of_it_again() {
    let server = TestServer::open();
    let mut events = server.listen("/events");
    events.next().unwrap();
    let mut other = server.listen("/events");
    other.next().unwrap();
    let mut told = 0;
    for round in 0..40 {
        server.run_command(if round % 2 == 0 {
            "tick the watch wakes"
        } else {
            "tick the watch wakes -1"
        });
    }
    // However many of them were one, the last one says how it stands.
    server.run_command("scene The end");
    loop {
        let (_, data) = events.next().unwrap();
        told += 1;
        if data["scene"] == "The end" {
            break;
        }
    }
    assert!(told <= 41, "{told}");
    assert_eq!(server.state()["clocks"][0]["filled"], 3);
}

#[test]
fn a_page_that_was_closed_and_opened_goes_on() {
    let mut server = TestServer::open();
    let mut events = server.listen("/events");
    events.next().unwrap();
    server.close();
    assert!(events.next().is_none(), "the connection ends with the page");
    server.run_command("tick the watch wakes");
    server.reopen();
    let mut events = server.listen("/events");
    let (name, state) = events.next().unwrap();
    assert_eq!(name, "state");
    assert_eq!(state["clocks"][0]["filled"], 4);
    server.run_command("undo");
    assert_eq!(events.change()["clocks"][0]["filled"], 3);
}
