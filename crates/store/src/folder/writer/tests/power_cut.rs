//! Opens every state that a power cut can leave behind.
//!
//! The test records all operations of saving, builds each state of the files that their order allows, and opens it. The
//! model is stricter than real file systems: each unsynced change may be on the disk or not, independently of the
//! others; the end of a file may be cut anywhere, torn in the middle of a line, or contain a hole where bytes never
//! reached the disk. Bytes that were written before a failed sync may be lost, however often the file is synced again.

use std::collections::BTreeSet;

use super::states::{Step, report_states};
use super::*;
use crate::{GameLocation, Options};

fn event(number: u64) -> String {
    // The events differ in length, and are longer than a hole.
    format!(
        "event {number} {}",
        "of many ".repeat(usize::try_from(number % 7).unwrap())
    )
}

/// Opens a game with this number of events, and records all later operations.
fn record(before: u64) -> Fixture {
    fixture_with(&(1..=before).map(event).collect::<Vec<String>>())
}

impl Fixture {
    fn play_next(&self) {
        let next = self.game.store().last() + 1;
        self.game.play(&event(next));
        assert_eq!(self.game.store().last(), next);
    }

    fn flush(&self) {
        self.game.flush().unwrap();
        let last = self.game.store().last();
        self.disk(|now| now.steps.push(Step::Promised(last)));
    }

    /// Builds every state and opens it. Each state must contain the first events of the history, including all events
    /// that were reported as saved.
    ///
    /// Repairing a torn end syncs files, which is slow. Only every fourth state is opened for playing.
    fn check(self, at_least: usize) {
        self.check_with(at_least, |number| number % 4 != 0);
    }

    /// Does the work of [`check`](Self::check). `is_view` gets the number of the state, and returns true if it is opened
    /// for reading only.
    fn check_with(self, at_least: usize, is_view: impl Fn(usize) -> bool) {
        let steps = self.disk(|now| std::mem::take(&mut now.steps));
        let root = self.data_folder.path().to_owned();
        let around = tempfile::tempdir().unwrap();
        let mut seen = BTreeSet::new();
        let folder = around.path().join("demo");
        report_states(&steps, &mut |state| {
            if !seen.insert(state.hash_value()) {
                return;
            }
            if folder.exists() {
                fs::remove_dir_all(&folder).unwrap();
            }
            fs::create_dir_all(folder.join("journal")).unwrap();
            for (path, bytes) in &state.files {
                let path = around.path().join(path.strip_prefix(&root).unwrap());
                fs::write(path, bytes).unwrap();
            }
            let options = Options {
                view: is_view(seen.len()),
                ..Options::new(DateTime::UNIX_EPOCH)
            };
            let opened = GameLocation::from(&folder)
                .open(&options)
                .unwrap_or_else(|error| unreachable!("{error}\n{state:?}"));
            assert!(opened.damage.is_none(), "{:?}\n{state:?}", opened.damage);
            let last = opened.store.last();
            assert!(last >= state.promised, "{last} is the last: {state:?}");
            for record in &opened.records {
                let event_text: String = serde_json::from_str(record.event.get()).unwrap();
                assert_eq!(event_text, event(record.n), "{state:?}");
            }
            let text = &opened.snapshot.text;
            let known = super::state(opened.snapshot.last);
            assert!(text.ends_with(&known), "{text}");
            let first = opened.records.first().map_or(last + 1, |record| record.n);
            let counted = opened.records.len() as u64;
            let has_no_gap = first <= opened.snapshot.last + 1 && first + counted == last + 1;
            assert!(has_no_gap, "{state:?}");
        });
        assert!(seen.len() >= at_least, "{} states", seen.len());
    }
}

#[test]
fn every_state_that_a_power_cut_can_leave_opens_with_all_that_was_synced() {
    let recording = record(3);
    for round in 0..14 {
        for _ in 0..=round % 5 {
            recording.play_next();
        }
        if round % 2 == 0 {
            recording.game.store().snapshot_soon();
        }
        recording.flush();
    }
    recording.play_next();
    recording.play_next();
    recording.check(1_000);
}

#[test]
fn a_power_cut_after_a_failed_sync_loses_nothing_that_was_promised_since() {
    let recording = record(3);
    recording.play_next();
    recording.flush();
    for _ in 0..2 {
        recording.disk(|now| now.syncs_fail = 1);
        recording.play_next();
        recording.play_next();
        // The first sync fails, so the whole file is written again.
        while recording.game.store().flush(PLENTY).is_err() {}
        recording.flush();
        recording.play_next();
    }
    recording.flush();
    recording.check(100);
}

#[test]
fn a_power_cut_while_a_new_file_of_the_journal_is_begun_leaves_no_gap() {
    let recording = record(EVENTS_PER_FILE - 2);
    for _ in 0..5 {
        recording.play_next();
        recording.flush();
    }
    recording.play_next();
    let begun = recording
        .data_folder
        .path()
        .join("demo/journal/000002.jsonl");
    assert!(begun.exists());
    recording.check(40);
}

#[test]
fn a_power_cut_while_a_game_is_converted_loses_nothing() {
    for is_view in [true, false] {
        let events: Vec<String> = (1..=3).map(event).collect();
        let recording = former_fixture_with(&events);
        recording.disk(|now| now.steps.insert(0, Step::Promised(3)));
        for _ in 0..2 {
            recording.play_next();
            recording.game.store().snapshot_soon();
            recording.flush();
        }
        recording.check_with(50, |_| is_view);
    }
}
