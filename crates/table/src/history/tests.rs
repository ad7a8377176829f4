use super::*;
use crate::SeatRole;
use chrono::{DateTime, Utc};
use proptest::prelude::*;
use tableside_game::{Author, SeatId};

const SYSTEM: System = System::HEART_RUSH;

fn entry(number: u64, seat: u64, what: EventKind) -> Arc<Entry> {
    let event = Event::new(what, Vec::new());
    let at = DateTime::<Utc>::UNIX_EPOCH;
    Arc::new(Entry::new(number, at, Author::new("", SeatId(seat)), event))
}

fn note() -> EventKind {
    EventKind::Noted {
        text: String::new(),
        about: None,
        readers: None,
        handout: false,
    }
}

fn undo(event: u64) -> EventKind {
    let text = String::new();
    EventKind::Undone { event, text }
}

fn strike(entry: u64) -> EventKind {
    let reason = String::new();
    EventKind::Struck { entry, reason }
}

fn player(id: u64) -> Seat {
    Seat::new(SeatId(id), "", SeatRole::Player)
}

/// Generates an event: its seat, its distance to the event that it refers to, and its kind.
fn step() -> impl Strategy<Value = (u64, u64, u8)> {
    (2_u64..5, 0_u64..20, 0_u8..6)
}

fn kind(number: u64, back: u64, choice: u8) -> EventKind {
    let Some(earlier) = number.checked_sub(back + 1).filter(|earlier| *earlier > 0) else {
        return note();
    };
    let text = String::new();
    match choice {
        0 => undo(earlier),
        1 => EventKind::Redone {
            event: earlier,
            text,
        },
        2 => strike(earlier),
        _ => note(),
    }
}

/// Finds the newest undoable act by searching all entries, without the index.
fn newest_undoable(history: &History, may: impl Fn(&Entry) -> bool) -> Option<u64> {
    let acts = history.iter().rev();
    acts.filter(|entry| may(entry) && entry.is_an_act())
        .map(|entry| entry.number)
        .find(|number| !history.is_struck(*number))
}

proptest! {
    #[test]
    fn the_index_of_undoable_acts_agrees_with_a_search_of_the_log(
        steps in proptest::collection::vec(step(), 1..60),
    ) {
        let mut history = History::default();
        for ((seat, back, choice), number) in steps.into_iter().zip(1..) {
            history.push(entry(number, seat, kind(number, back, choice)), SYSTEM);
            for id in 2..6 {
                let seat = player(id);
                let newest = history.to_undo(&seat).map(|entry| entry.number);
                prop_assert_eq!(newest, newest_undoable(&history, |entry| seat.did(entry)));
            }
            let newest = history.to_undo(&Seat::gm()).map(|entry| entry.number);
            prop_assert_eq!(newest, newest_undoable(&history, |_| true));
        }
    }
}

#[test]
fn memory_holds_a_bounded_number_of_entries_and_forgets_nothing_that_counts() {
    let mut history = History::default();
    history.push(entry(1, 2, note()), SYSTEM);
    history.push(entry(2, 3, note()), SYSTEM);
    history.push(entry(3, 0, strike(1)), SYSTEM);
    let last = 2 * MOST_RECENT;
    for number in 4..=last {
        history.push(entry(number, 3, note()), SYSTEM);
        history.forget_oldest();
    }

    assert_eq!(history.iter().count() as u64, MOST_RECENT);
    assert_eq!(history.first(), MOST_RECENT + 1);
    assert_eq!(history.last(), last);
    assert!(history.is_struck(1), "marks stay in memory");
    assert_eq!(history.marked_from(), 1);
    assert!(history.to_undo(&player(2)).is_none());
    assert_eq!(history.to_undo(&player(3)).unwrap().number, last);
    assert_eq!(history.undoable.len() as u64, MOST_RECENT);
}

#[test]
fn entries_on_a_screen_stay_when_newer_ones_leave_memory() {
    let mut history = History::after(9);
    history.hold(vec![entry(4, 0, note())]);
    for number in 10..=MOST_RECENT + 20 {
        history.push(entry(number, 0, note()), SYSTEM);
        history.forget_oldest();
    }

    assert!(history.entry(4).is_some());
    assert!(history.entry(10).is_none());
}

#[test]
fn a_player_may_read_rolls_scenes_and_own_entries_and_no_others() {
    let name = String::new();
    let then = name.clone();
    let mut history = History::default();
    history.push(entry(1, 0, note()), SYSTEM);
    history.push(entry(2, 3, note()), SYSTEM);
    history.push(entry(3, 0, EventKind::Scene { name, then }), SYSTEM);
    history.push(entry(4, 2, note()), SYSTEM);
    history.push(entry(5, 0, EventKind::Thrown(Box::default())), SYSTEM);

    let mut numbers: Vec<u64> = history
        .candidates(&player(2))
        .map(|entry| entry.number)
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [3, 4, 5]);
}
