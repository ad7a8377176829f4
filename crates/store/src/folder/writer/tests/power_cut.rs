//! Every state that a power cut can leave behind. What saving asks of the disk is recorded, step by step;
//! then each state of the files is built that the order of writes and syncs allows, and opened.
//!
//! The model is harsher than file systems are: what was not synced may be there or not, each step by itself,
//! files' names in any choice of their changes, a file's end cut anywhere, torn in the middle of a line, or
//! as long as it was with a hole where bytes never arrived. What was written before a sync that failed may be
//! lost however often the file is synced again.

use std::collections::BTreeSet;

use super::states::{Step, states};
use super::*;

fn event(number: u64) -> String {
    // Of different lengths, and longer than what counts as a hole.
    format!(
        "event {number} {}",
        "of many ".repeat(usize::try_from(number % 7).unwrap())
    )
}

/// Opens a game with so many events before it, and records what is asked of the disk from then on.
fn record(before: u64) -> Set {
    set_after(&(1..=before).map(event).collect::<Vec<String>>())
}

impl Set {
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

    /// Builds every state and opens it: it holds a beginning of the history with all that was promised.
    fn check(self, at_least: usize) {
        let steps = self.disk(|now| std::mem::take(&mut now.steps));
        let root = self.around.path().to_owned();
        let around = tempfile::tempdir().unwrap();
        let mut seen = BTreeSet::new();
        let folder = around.path().join("demo");
        states(&steps, &mut |state| {
            if !seen.insert(state.mark()) {
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
            // To mend a torn end takes syncs of its own: every fourth state is opened to be played on.
            let options = Options {
                view: seen.len() % 4 != 0,
                ..Options::new(DateTime::UNIX_EPOCH)
            };
            let opened = Store::open(&folder, &options)
                .unwrap_or_else(|error| unreachable!("{error}\n{state:?}"));
            assert!(opened.damage.is_none(), "{:?}\n{state:?}", opened.damage);
            let last = opened.store.last();
            assert!(last >= state.promised, "{last} is the last: {state:?}");
            for record in &opened.records {
                let told: String = serde_json::from_str(record.event.get()).unwrap();
                assert_eq!(told, event(record.n), "{state:?}");
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
        // The first try fails, and the file is written afresh.
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
    let begun = recording.around.path().join("demo/journal/000002.jsonl");
    assert!(begun.exists());
    recording.check(40);
}
