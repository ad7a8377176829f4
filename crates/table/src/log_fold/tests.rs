use super::*;
use crate::tests::new_table;
use crate::{Act, Seat, SeatId, SeatRole, Table};
use std::sync::Arc;
use tableside_game::{Character, Clock, Command, Segments, Visibility};
use tableside_rules::{Sheet, System};

const ALARM: ClockId = ClockId(1);

fn tick(number: u64) -> ReadEntry {
    let key = FoldKey::Step(StepKey {
        number: SteppedNumber::Clock(ALARM),
        scene: 0,
        has_consequence: false,
    });
    ReadEntry {
        number,
        key,
        is_struck: false,
    }
}

/// Returns the key of a tick that differs in one point from the other ticks.
fn other_tick(number: u64, change: impl FnOnce(&mut StepKey)) -> ReadEntry {
    let mut entry = tick(number);
    if let FoldKey::Step(key) = &mut entry.key {
        change(key);
    }
    entry
}

fn undo(number: u64, about: u64) -> ReadEntry {
    ReadEntry {
        number,
        key: FoldKey::Undo { about },
        is_struck: false,
    }
}

fn undos(about: u64, acts: usize, undone: usize) -> FoldKind {
    FoldKind::Undos {
        about,
        acts,
        undone,
    }
}

fn note(number: u64) -> ReadEntry {
    ReadEntry {
        number,
        ..ReadEntry::default()
    }
}

fn log(entries: impl IntoIterator<Item = ReadEntry>) -> FoldedLog {
    let mut log = FoldedLog::default();
    for entry in entries {
        log.push(entry);
    }
    log
}

/// Returns the numbers of the entries in each row, oldest first.
fn rows(log: &FoldedLog) -> Vec<Vec<u64>> {
    let mut rows = Vec::new();
    let mut place = 0;
    while place < log.len() {
        let oldest = log.fold(place).map_or(place, |fold| fold.oldest);
        let members = (place..=oldest).rev();
        rows.push(members.map(|place| log.number(place).unwrap()).collect());
        place = oldest + 1;
    }
    rows.reverse();
    rows
}

#[test]
fn neighbouring_ticks_of_one_clock_fold_and_a_single_one_does_not() {
    let log = log([tick(1), tick(2), tick(3), note(4), tick(5)]);
    assert_eq!(rows(&log), [vec![1, 2, 3], vec![4], vec![5]]);
    assert_eq!(log.fold(0), None);
    let fold = log.fold(3).unwrap();
    assert_eq!((fold.count(), fold.kind), (3, FoldKind::Steps));
}

#[test]
fn ticks_of_another_clock_or_scene_and_ticks_after_a_consequence_do_not_fold() {
    let other_clock = other_tick(2, |key| key.number = SteppedNumber::Clock(ClockId(2)));
    assert_eq!(rows(&log([tick(1), other_clock])).len(), 2);
    let next_scene = other_tick(2, |key| key.scene = 2);
    assert_eq!(rows(&log([tick(1), next_scene])).len(), 2);

    let filled = other_tick(2, |key| key.has_consequence = true);
    let log = log([tick(1), filled, tick(3), tick(4)]);
    assert_eq!(rows(&log), [[1, 2], [3, 4]]);
}

#[test]
fn an_undo_folds_with_its_entry_and_takes_it_out_of_other_folds() {
    let mut log = log([tick(1), tick(2), tick(3), undo(4, 3)]);
    assert_eq!(rows(&log), [[1, 2], [3, 4]]);
    assert_eq!(log.fold(0).unwrap().kind, undos(3, 1, 0));
    log.set_struck(3, true);
    assert_eq!(log.fold(0).unwrap().kind, undos(3, 1, 1));
}

#[test]
fn several_undos_in_a_row_fold_with_all_their_entries() {
    let mut log = log([note(1), note(2), tick(3), undo(4, 3), undo(5, 2)]);
    assert_eq!(rows(&log), [vec![1], vec![2, 3, 4, 5]]);
    assert_eq!(log.fold(0).unwrap().kind, undos(2, 2, 0));
    log.set_struck(2, true);
    log.set_struck(3, true);
    assert_eq!(log.fold(0).unwrap().kind, undos(2, 2, 2));
    // Two redos follow, and then a tick that folds with no entry.
    for entry in [undo(6, 2), undo(7, 3), tick(8)] {
        log.push(entry);
    }
    assert_eq!(rows(&log), [vec![1], vec![2, 3, 4, 5, 6, 7], vec![8]]);
}

#[test]
fn an_undo_of_an_entry_farther_away_folds_only_with_its_redo() {
    assert_eq!(rows(&log([note(1), note(2), undo(3, 1)])).len(), 3);
    let log = log([note(1), note(2), undo(3, 1), undo(4, 1), undo(5, 2)]);
    assert_eq!(rows(&log), [vec![1], vec![2], vec![3, 4], vec![5]]);
}

#[test]
fn a_struck_tick_leaves_its_fold_and_comes_back() {
    let mut log = log([tick(1), tick(2), tick(3), tick(4)]);
    log.set_struck(2, true);
    assert_eq!(rows(&log), [vec![1], vec![2], vec![3, 4]]);
    log.set_struck(2, false);
    assert_eq!(rows(&log), [[1, 2, 3, 4]]);
    // A tick that was undone and redone counts again, but it stays with its undo.
    log.push(undo(5, 4));
    log.push(undo(6, 4));
    assert_eq!(rows(&log), [[1, 2, 3], [4, 5, 6]]);
}

#[test]
fn an_older_part_of_the_log_folds_with_the_newer_part() {
    let mut newer = log([tick(3), tick(4), note(5)]);
    newer.prepend(log([note(1), tick(2)]));
    assert_eq!(rows(&newer), [vec![1], vec![2, 3, 4], vec![5]]);
    assert_eq!(newer.place_of(2), Some(3));
    assert_eq!(newer.number(4), Some(1));
    assert_eq!(newer.count_newer(3), 2);
    newer.push(tick(6));
    assert_eq!(newer.fold(0), None);

    let mut empty = FoldedLog::default();
    empty.prepend(log([tick(1)]));
    empty.push(tick(2));
    assert_eq!(rows(&empty), [[1, 2]]);
}

#[test]
fn a_filtered_log_has_no_folds() {
    assert_eq!(rows(&FoldedLog::unfolded([1, 2, 5])), [[1], [2], [5]]);
}

/// A table with a character, a clock of that character, and a hidden clock.
struct Clocks {
    table: Arc<Table>,
    player: Seat,
    own: ClockId,
    hidden: ClockId,
}

impl Clocks {
    fn new() -> Self {
        let table = new_table("clocks", System::HEART_RUSH);
        submit(
            &table,
            Command::add(Character::new("Mira", Sheet::new(System::HEART_RUSH))),
        );
        let owner = table.read(&Seat::gm(), |view| view.roster().next().unwrap().id);
        let alarm = Clock::new("The alarm", Segments::try_from(4).unwrap());
        submit(
            &table,
            Command::add(Clock {
                owner: Some(owner),
                ..alarm.clone()
            }),
        );
        submit(
            &table,
            Command::add(Clock {
                visibility: Visibility::Hidden,
                ..alarm
            }),
        );
        let ids = table.read(&Seat::gm(), |view| {
            let ids = view.clocks().map(|view| view.clock.id);
            ids.collect::<Vec<_>>()
        });
        let player = Seat {
            characters: vec![owner],
            ..Seat::new(SeatId(7), "bo", SeatRole::Player)
        };
        Self {
            table,
            player,
            own: ids[0],
            hidden: ids[1],
        }
    }

    fn tick(&self, seat: &Seat, clock: ClockId) -> u64 {
        let act = Command::Tick { clock, by: 1 }.into();
        self.table.submit(seat, &act).unwrap().number
    }

    /// Returns the rows of the log of a seat, and the descriptions of rows with ticks.
    fn read(&self, seat: &Seat) -> (Vec<Vec<u64>>, Vec<String>) {
        self.table.read(seat, |view| {
            let log = log(view.log_since(0).map(|entry| view.read_entry(&entry)));
            let rows = rows(&log);
            let folded = rows.iter().filter(|row| row.len() > 1);
            let texts = folded.filter_map(|row| {
                let (oldest, newest) = (row[0], row[row.len() - 1]);
                view.describe_steps(oldest, newest, row.len())
            });
            (rows.clone(), texts.collect())
        })
    }
}

fn submit(table: &Arc<Table>, act: impl Into<Act>) {
    table.submit(&Seat::gm(), &act.into()).unwrap();
}

#[test]
fn a_fold_says_from_where_to_where_the_clock_moved() {
    let clocks = Clocks::new();
    let gm = Seat::gm();
    let first = clocks.tick(&gm, clocks.own);
    clocks.tick(&gm, clocks.own);
    clocks.tick(&gm, clocks.own);
    submit(&clocks.table, Act::Undo);
    let (rows, texts) = clocks.read(&gm);
    let folds = [[first, first + 1], [first + 2, first + 3]];
    assert!(rows.ends_with(&folds.map(Vec::from)), "{rows:?}");
    assert_eq!(texts, ["The alarm 0 → 2 of 4 · 2 ticks"]);
}

#[test]
fn steps_of_a_stat_and_of_tokens_fold_and_end_with_the_newest_number() {
    let clocks = Clocks::new();
    let gm = Seat::gm();
    let (who, pool) = clocks.table.read(&gm, |view| {
        let who = view.roster().next().unwrap().id;
        (who, view.pools_of(Some(who)).next().unwrap().id)
    });
    let step = |stat: &str, by| {
        let stat = stat.to_owned();
        submit(&clocks.table, Command::StepStat { who, stat, by });
    };
    for _ in 0..4 {
        step("hit-points", -1);
    }
    step("cunning", 1);
    for by in [1, 1, -1] {
        submit(&clocks.table, Command::Tokens { pool, by });
    }

    let (rows, texts) = clocks.read(&gm);
    let sizes: Vec<usize> = rows.iter().map(Vec::len).collect();
    assert!(sizes.ends_with(&[4, 1, 3]), "{rows:?}");
    assert_eq!(
        texts,
        [
            "Mira: Hit points 40 → 36 · 4 changes",
            "Mira: Destiny Points 3 → 4 · 3 changes"
        ]
    );
}

#[test]
fn a_players_log_neither_shows_nor_counts_entries_that_the_player_does_not_read() {
    let clocks = Clocks::new();
    let gm = Seat::gm();
    let first = clocks.tick(&clocks.player, clocks.own);
    clocks.tick(&gm, clocks.hidden);
    let last = clocks.tick(&clocks.player, clocks.own);
    let (rows, texts) = clocks.read(&clocks.player);
    assert_eq!(rows, [[first, last]]);
    assert_eq!(texts, ["The alarm 0 → 2 of 4 · 2 ticks"]);
}

#[test]
fn a_player_reads_the_gms_ticks_of_a_clock_in_sight() {
    let clocks = Clocks::new();
    let first = clocks.tick(&clocks.player, clocks.own);
    let second = clocks.tick(&Seat::gm(), clocks.own);
    let (rows, texts) = clocks.read(&clocks.player);
    assert_eq!(rows, [[first, second]]);
    assert_eq!(texts, ["The alarm 0 → 2 of 4 · 2 ticks"]);
}

#[test]
fn a_players_undo_folds_although_the_player_reads_no_numbers() {
    let clocks = Clocks::new();
    let tick = clocks.tick(&clocks.player, clocks.own);
    clocks.tick(&Seat::gm(), clocks.hidden);
    let undo = clocks.table.submit(&clocks.player, &Act::Undo).unwrap();
    let (rows, _) = clocks.read(&clocks.player);
    assert_eq!(rows, [[tick, undo.number]]);
}
