//! A log longer than memory: searched, counted and leafed through, which comes to the same as reading all of
//! it into memory.

#[path = "../../examples/play/play.rs"]
mod play;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::around::note;
use super::opened::{noon, opening};
use super::statistics::statistics;
use play::Whim;
use rstest::rstest;
use tableside::dice::SystemDice;
use tableside::game::{Allegiance, Character, Clock, Command, Every, Segments, Visibility};
use tableside::rules::System;
use tableside::store::{
    By, GameLocation, NewEvent as Stored, Options, Reader, StoreClient as _, StoreError,
};
use tableside::table::{
    Act, Entry, Filter, OnEdit, Opening, Seat, SeatId, SeatRole, Table, WithText,
};

const COUNT: usize = 9_000;

/// What was played, over and over, so that it fills two files of the journal and begins a third.
fn long_log(data: &Path, system: System) -> PathBuf {
    let mut whim = Whim(SystemDice::from_key([4; 32]));
    let table = play::table(system, None, &mut whim);
    let mut entries: Vec<Arc<Entry>> = Vec::new();
    let mut submit = |act: &Act| entries.extend(table.submit(&Seat::gm(), act));
    // What a scene does to it stands in the line of the scene.
    let mut hidden = Clock::new("The undertow", Segments::try_from(9).unwrap());
    hidden.visibility = Visibility::Hidden;
    hidden.every = [(Every::Scene, 1)].into();
    submit(&Command::add(hidden).into());
    for number in 0..150 {
        let act = table.read(&Seat::gm(), |seen| play::act(seen, &mut whim));
        submit(&act);
        if number % 10 == 0 {
            let text = format!("At the \"harbour\" {number}: rolled, critical \u{1f}fields");
            submit(&note(&text).into());
        }
        if number % 50 == 7 {
            let name = format!("Harbour {number}");
            submit(&Command::NextScene { name }.into());
        }
    }
    let named = |name: &str| table.game().character_named(name).unwrap().clone();
    let goblin = Character {
        side: Allegiance::Adversary,
        hidden: true,
        ..named("Goblin 3")
    };
    submit(&Command::edit(goblin).into());
    // Who is called otherwise by now is read by players under that name.
    let ann = Character {
        name: "Nadja".to_owned(),
        ..named("Ann")
    };
    submit(&Command::edit(ann).into());
    let (state, _) = table.snapshot();
    let folder = data.join("long");
    let texts = entries
        .iter()
        .map(|entry| WithText::new(&entry.event, system));
    let texts: Vec<WithText<'_>> = texts.collect();
    let (name, seat) = ("bo", 7);
    let stored = entries.iter().zip(&texts).enumerate().cycle().take(COUNT);
    let stored = stored.map(|(index, (entry, event))| Stored {
        at: entry.at,
        // Players took notes, too.
        by: match index % 3 {
            0 => By { name, seat },
            _ => entry.by.as_str().into(),
        },
        event,
    });
    let stored: Vec<Stored<'_, _>> = stored.collect();
    GameLocation::from(&folder)
        .create(&Options::new(noon()), &state, &stored)
        .unwrap();
    folder
}

fn open(folder: &Path, view: bool) -> Arc<Table> {
    let opening = Opening {
        view,
        ..opening(OnEdit::Keep)
    };
    Table::open(folder, opening).unwrap().0
}

fn bo() -> Seat {
    Seat::new(SeatId(7), "bo", SeatRole::Player)
}

/// All that a search finds, stretch by stretch.
fn search(table: &Table, seat: &Seat, filter: &str) -> Vec<u64> {
    let filter = Filter::parse(filter);
    let mut below = u64::MAX;
    let mut all = Vec::new();
    while below > 1 {
        let found = table.search(seat, &filter, below, Duration::ZERO);
        assert_eq!(found.error, None);
        assert!(found.from < below);
        all.splice(0..0, found.numbers());
        below = found.from;
    }
    all
}

/// The same by reading everything.
fn read(table: &Table, seat: &Seat, filter: &str) -> Vec<u64> {
    let filter = Filter::parse(filter);
    table.read(seat, |seen| {
        let log = seen.log().filter(|entry| filter.lets_through(entry, seen));
        let mut numbers: Vec<u64> = log.map(|entry| entry.number).collect();
        numbers.reverse();
        numbers
    })
}

/// One of them is empty.
const FILTERS: &str = include_str!("filters.txt");

#[rstest]
#[case::of_opponents(System::HEART_RUSH)]
#[case(System::HFRPG)]
fn a_search_of_the_files_finds_what_reading_everything_finds_for_every_seat(
    #[case] system: System,
) {
    let data = tempfile::tempdir().unwrap();
    let folder = long_log(data.path(), system);
    let whole = open(&folder, true);
    whole.reach_back(1).unwrap();
    let seats = [Seat::gm(), bo(), Seat::onlooker()];
    let table = open(&folder, false);
    for seat in &seats {
        for filter in FILTERS.lines() {
            let found = search(&table, seat, filter);
            let known = read(&whole, seat, filter);
            // What was noted when it was opened is no entry.
            let differs = found.iter().zip(&known).find(|(one, other)| one != other);
            let told = (&seat.name, filter, found.len(), known.len(), differs);
            assert!(found == known, "{told:?}");
        }
    }
    assert!(!search(&table, &Seat::gm(), "harbour").is_empty());
    // The format's own words are not the log's.
    assert!(search(&table, &Seat::gm(), "trail").is_empty());
}

#[test]
fn any_entry_is_read_alone() {
    let data = tempfile::tempdir().unwrap();
    let folder = long_log(data.path(), System::HEARTS);
    let reader = Reader::new(&folder);
    let all = reader.read(1..u64::MAX).unwrap();
    assert_eq!(all.len(), COUNT);
    for record in all.iter().step_by(7) {
        let alone = reader.event(record.n).unwrap().unwrap();
        assert_eq!(alone.event.get(), record.event.get());
    }
    assert!(reader.event(0).unwrap().is_none());
    assert!(reader.event(COUNT as u64 + 1).unwrap().is_none());
}

#[test]
fn figures_of_a_long_log_are_those_of_all_its_events() {
    let data = tempfile::tempdir().unwrap();
    let folder = long_log(data.path(), System::GNOSIS);
    let figures = |table: &Table| statistics(table, &bo());
    let table = open(&folder, true);
    assert!(figures(&table).from > 1, "it says that not all is counted");
    table.count_all().unwrap();
    let counted = figures(&table);
    assert!(counted.all.rolls > 1_000);
    let whole = open(&folder, true);
    whole.reach_back(1).unwrap();
    assert_eq!(figures(&whole), counted);
}

/// Strikes an early entry that Bo does not see, and lets an evening pass.
fn one_struck_long_ago(folder: &Path) -> u64 {
    let table = open(folder, false);
    let shown = search(&table, &bo(), "harbour");
    let mut found = search(&table, &Seat::gm(), "harbour").into_iter();
    let entry = found.find(|number| !shown.contains(number)).unwrap();
    let reason = String::new();
    let act = Act::Strike { entry, reason };
    table.submit(&Seat::gm(), &act).unwrap();
    for number in 0..300 {
        let act = note(&format!("note {number}")).into();
        table.submit(&Seat::gm(), &act).unwrap();
    }
    table.flush(Duration::from_secs(20)).unwrap();
    entry
}

#[test]
fn an_entry_from_far_back_is_shown_with_what_became_of_it() {
    let data = tempfile::tempdir().unwrap();
    let folder = long_log(data.path(), System::HEARTS);
    let struck = one_struck_long_ago(&folder);
    let table = open(&folder, false);
    let found = search(&table, &Seat::gm(), "harbour");
    let held = found[1];
    table.fetch(&found[..40]);
    table.read(&Seat::gm(), |seen| {
        assert!(seen.log_reaches_to() > struck, "it is not in memory");
        for number in &found[..40] {
            let entry = seen.entry(*number).unwrap();
            assert_eq!(entry.number, *number);
            let text = entry.event.text(seen.system()).to_lowercase();
            assert!(text.contains("harbour"), "{text}");
        }
        assert!(seen.is_struck(struck));
        assert!(!seen.is_struck(held));
    });
}

#[test]
fn the_whole_log_is_handed_over_as_reading_everything_shows_it_while_others_play_on() {
    let data = tempfile::tempdir().unwrap();
    let system = System::HEART_RUSH;
    let folder = long_log(data.path(), system);
    let struck = one_struck_long_ago(&folder);
    let whole = open(&folder, true);
    whole.reach_back(1).unwrap();
    let told = |entry: &Entry, scene: &str, is_struck: bool| {
        let text = entry.event.text(system);
        (entry.number, text, scene.to_owned(), is_struck)
    };
    let table = open(&folder, false);
    for seat in [Seat::gm(), bo()] {
        let due: Vec<_> = whole.read(&seat, |seen| {
            let all = seen.log().rev();
            all.map(|entry| {
                let scene = &seen.scene_of(entry.number).name;
                told(&entry, scene, seen.is_struck(entry.number))
            })
            .collect()
        });
        let mut found = Vec::new();
        let taken = table.whole_log(
            &seat,
            &Filter::default(),
            |logged| logged,
            |logged| {
                if found.is_empty() {
                    let note = note("Meanwhile, at the table.");
                    table.submit(&Seat::gm(), &note.into()).unwrap();
                }
                found.push(told(&logged.entry, &logged.scene, logged.is_struck));
                Ok::<(), StoreError>(())
            },
        );
        taken.unwrap();
        assert!(due.len() > 1_000, "{}", due.len());
        let is_struck = |number| due.iter().any(|one| one.0 == number && one.3);
        assert_eq!(is_struck(struck), seat == Seat::gm());
        assert!(found == due, "{} and {}", found.len(), due.len());
    }
}
