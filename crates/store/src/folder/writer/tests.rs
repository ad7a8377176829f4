//! Tests of saving on a disk that fails, hangs, or loses power.

mod disk;
mod fixture;
mod power_cut;
mod states;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use chrono::DateTime;

use super::*;
use crate::snapshot::{PREVIOUS_SNAPSHOT_FILE, SNAPSHOT_FILE, Snapshot};
use crate::{EVENTS_PER_FILE, GameStore};
use disk::TestDisk;
use fixture::*;

#[test]
fn an_event_is_in_the_file_before_append_returns_and_on_the_disk_soon_after() {
    let fixture = new_fixture();
    fixture.disk(|disk| disk.syncs_hang = true);
    assert!(fixture.game.play("a"));
    assert_eq!(fixture.events(), ["a"]);
    assert!(matches!(
        fixture.game.store().saving(),
        Saving::Behind { .. }
    ));
    fixture.disk(|disk| disk.syncs_hang = false);
    fixture.wait_until_saved();
}

#[test]
fn a_key_never_waits_for_a_disk_that_hangs_and_a_flush_not_forever() {
    let fixture = new_fixture();
    fixture.disk(|disk| disk.syncs_hang = true);
    for _ in 0..100 {
        assert!(fixture.game.play("a"));
    }
    let flushed = fixture.game.store().flush(Duration::from_millis(1));
    let error = flushed.unwrap_err().to_string();
    assert!(error.contains("the disk does not answer"), "{error}");
    fixture.disk(|disk| disk.syncs_hang = false);
    fixture.game.flush().unwrap();
    assert_eq!(fixture.events().len(), 100);
}

#[test]
fn on_a_full_disk_play_goes_on_and_everything_is_saved_in_order_when_there_is_room() {
    let fixture = new_fixture();
    assert!(fixture.game.play("a"));
    fixture.disk(|disk| disk.room = Some(0));
    for event in ["b", "c"] {
        assert!(!fixture.game.play(event));
    }
    let reason = "cannot write the journal: the disk is full";
    assert_eq!(fixture.reason(), reason);
    let error = fixture.game.flush().unwrap_err().to_string();
    assert!(
        error.ends_with(&format!("are not saved: {reason}")),
        "{error}"
    );
    assert_eq!(fixture.events(), ["a"]);

    // The saving thread retries although no further event is appended.
    fixture.disk(|disk| disk.room = None);
    fixture.wait_until_saved();
    assert_eq!(fixture.events(), ["a", "b", "c"]);
    assert!(fixture.game.play("d"));
}

#[test]
fn half_a_line_is_finished_when_there_is_room() {
    for room in 1..90 {
        let fixture = new_fixture();
        fixture.disk(|disk| disk.room = Some(room));
        fixture.game.play("a");
        assert!(!fixture.game.play("b"));
        assert!(fixture.game.flush().is_err());
        fixture.disk(|disk| disk.room = None);
        assert!(fixture.game.play("c"));
        fixture.game.flush().unwrap();
        assert_eq!(fixture.events(), ["a", "b", "c"]);
    }
}

#[test]
fn after_a_failed_sync_the_events_are_written_to_a_new_file() {
    let fixture = new_fixture();
    fixture.game.play("a");
    fixture.game.flush().unwrap();
    let old = fs::metadata(fixture.journal()).unwrap().ino();
    fixture.disk(|disk| disk.syncs_fail = 3);
    fixture.game.play("b");
    fixture.wait_until(|saving| match saving {
        Saving::Failing { reason, .. } => reason.contains("sync"),
        _ => false,
    });
    // Until the retry succeeds, a crash of the program without a power cut loses no events.
    assert!(fixture.game.play("c"));
    assert_eq!(fixture.events(), ["a", "b", "c"]);
    fixture.wait_until_saved();
    assert_ne!(fs::metadata(fixture.journal()).unwrap().ino(), old);
    assert_eq!(fixture.events(), ["a", "b", "c"]);
    fixture.game.play("d");
    fixture.game.flush().unwrap();
    assert_eq!(fixture.events(), ["a", "b", "c", "d"]);
    let names = fs::read_dir(fixture.folder.join("journal"))
        .unwrap()
        .count();
    assert_eq!(names, 1);
}

/// Damages the journal after these events, and checks that they and the next event are restored.
fn check_restored(before: &[&str], damage: impl FnOnce(&Fixture)) -> Fixture {
    let fixture = new_fixture();
    for event in before {
        fixture.game.play(event);
        fixture.game.flush().unwrap();
    }
    damage(&fixture);
    fixture.game.play("b");
    fixture.game.flush().unwrap();
    assert_eq!(fixture.events(), [before, &["b"]].concat());
    fixture
}

#[test]
fn a_journal_that_was_deleted_or_replaced_is_put_back_whole() {
    let without_folder =
        |fixture: &Fixture| fs::remove_dir_all(fixture.folder.join("journal")).unwrap();
    check_restored(&["a"], |fixture| {
        fs::remove_file(fixture.journal()).unwrap();
    });
    check_restored(&[], without_folder);
    let fixture = check_restored(&["a"], without_folder);
    let journal = fs::metadata(fixture.folder.join("journal")).unwrap();
    assert_eq!(journal.permissions().mode() & 0o777, 0o700);
    // If another program has replaced the file, its file is kept under another name.
    let fixture = check_restored(&["a"], |fixture| {
        fs::remove_file(fixture.journal()).unwrap();
        fs::write(fixture.journal(), "theirs").unwrap();
    });
    let kept = fixture.folder.join("journal/000001.jsonl.torn");
    assert_eq!(fs::read_to_string(kept).unwrap(), "theirs");
}

#[test]
fn a_new_file_that_cannot_be_made_does_not_stop_the_game() {
    let fixture = new_fixture();
    fixture.disk(|disk| disk.creates_fail = true);
    for _ in 0..=EVENTS_PER_FILE {
        assert!(fixture.game.play("a"));
    }
    assert!(fixture.game.flush().is_err());
    assert!(!fixture.folder.join("journal/000002.jsonl").exists());
    fixture.disk(|disk| disk.creates_fail = false);
    assert!(fixture.game.play("c"));
    fixture.game.flush().unwrap();
    assert!(fixture.folder.join("journal/000002.jsonl").exists());
    assert_eq!(fixture.events().len() as u64, EVENTS_PER_FILE + 2);
}

#[test]
fn every_event_of_a_full_file_can_be_read_while_the_next_file_is_empty() {
    let fixture = new_fixture();
    for _ in 0..EVENTS_PER_FILE {
        assert!(fixture.game.play("a"));
    }
    fixture.game.flush().unwrap();
    let next_file = fs::metadata(fixture.folder.join("journal/000002.jsonl")).unwrap();
    assert_eq!(next_file.len(), 0);

    let reader = crate::Reader::new(&fixture.folder);
    for number in [1, 4000, EVENTS_PER_FILE] {
        let event = reader.event(number).unwrap();
        assert_eq!(event.map(|event| event.n), Some(number));
    }
    assert!(reader.event(EVENTS_PER_FILE + 1).unwrap().is_none());
}

#[test]
fn an_edited_snapshot_is_kept_whole_and_once_whichever_step_of_a_save_fails() {
    let mut steps = 0;
    for fail_at in 0.. {
        let fixture = new_fixture();
        let path = fixture.folder.join(SNAPSHOT_FILE);
        let edited = format!("{}# edited\n", fs::read_to_string(&path).unwrap());
        fs::write(&path, &edited).unwrap();
        fixture.game.store().replace_edited();
        fixture.game.play("a");
        fixture.disk(|disk| disk.fail_at = Some(fail_at));
        let mut saved = fixture.game.flush();
        if saved.is_ok() {
            break;
        }
        steps += 1;
        for _ in 0..2 {
            assert!(fixture.game.flush().is_err());
        }
        fixture.disk(|disk| disk.fail_at = None);
        saved = fixture.game.flush();
        saved.unwrap();

        let kept: Vec<String> = files_in(&fixture.folder)
            .iter()
            .filter(|path| path.to_string_lossy().contains("edited"))
            .map(|path| fs::read_to_string(path).unwrap())
            .collect();
        assert_eq!(kept, [edited], "step {fail_at}");
    }
    assert!(steps >= 7, "{steps}");
}

#[test]
fn whichever_step_of_a_save_fails_a_whole_snapshot_is_there_and_the_next_try_succeeds() {
    let mut steps = 0;
    for fail_at in 0.. {
        let fixture = new_fixture();
        let is_saved = |name: &str, last: u64| {
            let snapshot = Snapshot::read(&fixture.folder.join(name)).unwrap();
            snapshot.text.ends_with(&state(last))
        };
        fixture.disk(|disk| disk.fail_at = Some(fail_at));
        fixture.game.play("a");
        let saved = fixture.game.flush();
        assert!(is_saved(SNAPSHOT_FILE, 0) || is_saved(SNAPSHOT_FILE, 1));
        if saved.is_ok() {
            break;
        }
        steps += 1;
        fixture.disk(|disk| disk.fail_at = None);
        fixture.game.flush().unwrap();
        assert!(is_saved(SNAPSHOT_FILE, 1), "step {fail_at}");
        assert!(
            is_saved(PREVIOUS_SNAPSHOT_FILE, 0) || fail_at >= 8,
            "step {fail_at}"
        );
        assert_eq!(fixture.events(), ["a"]);
        assert_eq!(fixture.game.store().saving(), Saving::Quiet);
    }
    // The journal takes two steps: write and sync. The snapshot takes seven: create, write, sync, copy, rename, rename,
    // and sync the folder.
    assert_eq!(steps, 9);
}

#[test]
fn a_failing_snapshot_is_reported_and_retried() {
    let fixture = new_fixture();
    fixture.disk(|disk| disk.creates_fail = true);
    fixture.game.play("a");
    for _ in 0..3 {
        assert!(fixture.game.flush().is_err());
    }
    let reason = fixture.reason();
    assert!(
        reason.contains(".game.toml.new: the disk is full"),
        "{reason}"
    );
    fixture.disk(|disk| disk.creates_fail = false);
    fixture.wait_until_saved();
    let saved = Snapshot::read(&fixture.folder.join(SNAPSHOT_FILE)).unwrap();
    assert_eq!(saved.last, 1);
}

#[test]
fn a_dropped_store_has_its_events_on_the_disk_and_gives_the_lock_back() {
    let Fixture {
        data_folder: _data_folder,
        folder,
        game,
        ..
    } = new_fixture();
    drop(game);
    let disk = TestDisk::default();
    let store = open(&folder, disk.clone());
    disk.set(|disk| disk.room = Some(0));
    append(&store, "a");
    assert!(!is_written(&store));
    assert!(Lock::acquire(&folder, DateTime::UNIX_EPOCH).is_err());
    disk.set(|disk| disk.room = None);
    drop(store);
    assert_eq!(open(&folder, TestDisk::default()).last(), 1);
}

#[test]
fn a_panic_while_saving_is_reported_and_loses_no_events() {
    let fixture = new_fixture();
    fixture.disk(|disk| disk.syncs_panic = true);
    assert!(fixture.game.play("a"));
    fixture.wait_until(|saving| matches!(saving, Saving::Failing { .. }));
    assert_eq!(
        fixture.reason(),
        "saving panicked; this is a bug in tableside"
    );
    assert!(fixture.game.play("b"));

    fixture.disk(|disk| disk.syncs_panic = false);
    fixture.wait_until_saved();
    assert_eq!(fixture.events(), ["a", "b"]);
}
