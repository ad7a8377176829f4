//! What is told as it happens: all of it once, then what changed, an event a change.

use super::client::{House, parts};

#[test]
fn each_change_is_one_event_with_the_parts_that_changed() {
    let house = House::open();
    let mut events = house.listen("/events");
    let (name, begin) = events.next().unwrap();
    assert_eq!(name, "state");
    assert_eq!(begin, house.state());

    house.say("roll Mira agility cn=12");
    let rolled = events.change();
    assert!(parts(&rolled).contains(&"rolls"));
    assert_eq!(rolled["rolls"][0]["title"], "Mira · Agility");
    assert_eq!(rolled["rolls"][1], begin["rolls"][0]);

    house.say("tick the watch wakes");
    let ticked = events.change();
    assert_eq!(parts(&ticked), ["clocks"]);
    assert_eq!(ticked["clocks"][0]["filled"], 4);

    house.say("scene The gate");
    let scene = events.change();
    assert_eq!(scene["scene"], "The gate");

    house.say("undo");
    assert_eq!(events.change()["scene"], "Past the guards");
    house.say("undo");
    assert_eq!(events.change()["clocks"][0]["filled"], 3);
    house.say("undo");
    let taken_back = events.change();
    assert_eq!(taken_back["rolls"][0]["struck"], "taken back");
}

#[test]
fn what_players_do_not_see_is_no_event_until_it_is_shown() {
    let house = House::open();
    let mut events = house.listen("/events");
    events.next().unwrap();
    house.say("add clock The ambush 4 hidden");
    house.say("tick the ambush 2");
    house.say("note they lie in wait");
    house.say("show the ambush");
    let shown = events.change();
    assert_eq!(parts(&shown), ["clocks"]);
    let clocks = shown["clocks"].as_array().unwrap();
    let ambush = clocks.last().unwrap();
    assert_eq!(
        (&ambush["name"], &ambush["filled"]),
        (&"The ambush".into(), &2.into())
    );
    house.say("hide the ambush");
    let hidden = events.change();
    assert!(!hidden.to_string().contains("ambush"), "{hidden}");
    house.say("tick the watch wakes");
    assert_eq!(events.change()["clocks"][0]["filled"], 4);
}

#[test]
fn who_was_too_slow_for_a_change_gets_all_of_it_again() {
    let house = House::open();
    let mut events = house.listen("/events");
    events.next().unwrap();
    let mut other = house.listen("/events");
    other.next().unwrap();
    let mut told = 0;
    for round in 0..40 {
        house.say(if round % 2 == 0 {
            "tick the watch wakes"
        } else {
            "tick the watch wakes -1"
        });
    }
    // However many of them were one, the last one says how it stands.
    house.say("scene The end");
    loop {
        let (_, data) = events.next().unwrap();
        told += 1;
        if data["scene"] == "The end" {
            break;
        }
    }
    assert!(told <= 41, "{told}");
    assert_eq!(house.state()["clocks"][0]["filled"], 3);
}

#[test]
fn a_page_that_was_closed_and_opened_goes_on() {
    let mut house = House::open();
    let mut events = house.listen("/events");
    events.next().unwrap();
    house.close();
    assert!(events.next().is_none(), "the connection ends with the page");
    house.say("tick the watch wakes");
    house.reopen();
    let mut events = house.listen("/events");
    let (name, state) = events.next().unwrap();
    assert_eq!(name, "state");
    assert_eq!(state["clocks"][0]["filled"], 4);
    house.say("undo");
    assert_eq!(events.change()["clocks"][0]["filled"], 3);
}
