//! A game on disk, as its files are torn, cut, changed, filled and taken away.

use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde_json::json;
use tableside::store::{
    Damage, EVENTS_PER_FILE, GameLocation, MismatchFinding, NewEvent, OnMismatch, Opened, Options,
    Reader, Saving, StoreError,
};
use tempfile::TempDir;

use super::folder::{at, mode, open, open_with, options, text, view};

const STATE: &str = "name = \"Mira's table\"\n\n[scene]\nname = \"The cliff\"\n";

/// An empty game, and the folder that it goes away with.
fn empty() -> (TempDir, PathBuf) {
    let around = tempfile::tempdir().unwrap();
    let folder = around.path().join("demo");
    drop(
        GameLocation::from(&folder)
            .create::<&str>(&options(), STATE, &[])
            .unwrap(),
    );
    (around, folder)
}

fn event(n: u64) -> serde_json::Value {
    json!({"Rolled": {"who": "Mira", "faces": [n % 6 + 1, 4], "note": "Möwe"}})
}

/// A game with so many events after its snapshot.
fn played(events: u64) -> (TempDir, PathBuf) {
    let (around, folder) = empty();
    let opened = open(&folder).unwrap();
    for n in 1..=events {
        assert_eq!(append(&opened, n), n);
    }
    (around, folder)
}

/// Appends the event of that number, and says which number it got.
fn append(opened: &Opened, n: u64) -> u64 {
    opened.store.append(at(), "gm", &event(n)).unwrap()
}

fn file(folder: &Path, sequence: u64) -> PathBuf {
    folder.join(format!("journal/{sequence:06}.jsonl"))
}

fn numbers(opened: &Opened) -> Vec<u64> {
    opened.records.iter().map(|record| record.n).collect()
}

fn damage(result: Result<Opened, StoreError>) -> Damage {
    match result.unwrap_err() {
        StoreError::Damaged(damage) => damage,
        error => panic!("{error}"),
    }
}

/// The first notice says so.
#[track_caller]
fn told(opened: &Opened, words: &str) {
    let notices = &opened.notices;
    assert!(notices[0].contains(words), "{notices:?}");
}

#[track_caller]
fn told_nothing(opened: &Opened) {
    assert_eq!(opened.notices, Vec::<String>::new());
}

/// Each line with its end.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').collect()
}

fn newlines(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count()
}

fn torn_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("journal")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.to_string_lossy().contains(".torn"))
        .collect()
}

#[test]
fn what_was_appended_is_read_again() {
    let (_around, folder) = empty();
    let opened = open(&folder).unwrap();
    append(&opened, 1);
    let by = "Jörg \"the\" rope\n";
    opened.store.append(at(), by, &event(2)).unwrap();
    let pretty = serde_json::value::RawValue::from_string("{\n  \"a\": [1,\r\n 2]\n}".to_owned());
    opened.store.append(at(), "gm", &pretty.unwrap()).unwrap();
    drop(opened);

    let opened = open(&folder).unwrap();
    told_nothing(&opened);
    assert_eq!(numbers(&opened), [1, 2, 3]);
    assert_eq!((&*opened.records[1].by, opened.records[1].at), (by, at()));
    let read = |at: usize| -> serde_json::Value {
        serde_json::from_str(opened.records[at].event.get()).unwrap()
    };
    assert_eq!(read(1), event(2));
    assert_eq!(read(2), json!({"a": [1, 2]}));
}

#[test]
fn a_line_looks_as_promised() {
    let (_around, folder) = empty();
    let opened = open(&folder).unwrap();
    for event in [json!({"Noted": "hi"}), json!("Second")] {
        opened.store.append(at(), "gm", &event).unwrap();
    }
    drop(opened);
    let text = text(&folder, "journal/000001.jsonl");
    let first = r#"{"n":1,"at":"2026-11-20T19:03:11Z","by":"gm","event":{"Noted":"hi"}"#;
    let second = r#"{"n":2,"at":"2026-11-20T19:03:11Z","by":"gm","event":"Second""#;
    let crc = crc32c::crc32c(first.as_bytes());
    let chained = crc32c::crc32c_append(crc, second.as_bytes());
    assert_eq!(
        text,
        format!("{first},\"crc\":\"{crc:08x}\"}}\n{second},\"crc\":\"{chained:08x}\"}}\n")
    );
}

#[test]
fn every_truncation_opens_loses_at_most_the_torn_event_and_says_so() {
    let (_around, folder) = played(5);
    let path = file(&folder, 1);
    let whole = fs::read(&path).unwrap();
    for length in 0..whole.len() {
        let cut = &whole[..length];
        fs::write(&path, cut).unwrap();
        let kept = newlines(cut) as u64;
        let whole_lines = memchr::memrchr(b'\n', cut).map_or(0, |end| end + 1);
        let torn = &cut[whole_lines..];

        let opened = open(&folder).unwrap();
        assert!(numbers(&opened).into_iter().eq(1..=kept), "at {length}");
        let evidence = torn_files(&folder);
        if torn.is_empty() {
            told_nothing(&opened);
            assert!(evidence.is_empty());
        } else {
            told(&opened, &format!("last {} byte", torn.len()));
            told(&opened, ".torn");
            assert_eq!(evidence.len(), 1);
            assert_eq!(fs::read(&evidence[0]).unwrap(), torn);
            fs::remove_file(&evidence[0]).unwrap();
        }
        // The game goes on as if nothing had been.
        assert_eq!(append(&opened, 0), kept + 1);
        drop(opened);
        let opened = open(&folder).unwrap();
        told_nothing(&opened);
        assert_eq!(opened.records.len() as u64, kept + 1);
    }
}

#[test]
fn earlier_evidence_is_never_written_over() {
    let (_around, folder) = played(1);
    let path = file(&folder, 1);
    let whole = fs::read(&path).unwrap();
    for tail in ["a", "b", "c"] {
        fs::write(&path, [&whole, tail.as_bytes()].concat()).unwrap();
        drop(open(&folder).unwrap());
    }
    let ends = ["torn", "torn-2", "torn-3"];
    let kept = ends.map(|end| text(&folder, &format!("journal/000001.jsonl.{end}")));
    assert_eq!(kept, ["a", "b", "c"]);
}

#[test]
fn every_flipped_byte_is_noticed_and_nothing_is_thrown_away() {
    let (_around, folder) = played(5);
    let path = file(&folder, 1);
    let whole = fs::read(&path).unwrap();
    let last_line = whole.len() - lines(&whole).last().unwrap().len();
    for place in 0..whole.len() {
        for flip in [0x01, 0x20, 0x80] {
            let mut flipped = whole.clone();
            flipped[place] ^= flip;
            fs::write(&path, &flipped).unwrap();
            let line = newlines(&whole[..place]);
            // Without a checksum or a newline at its end, the last line cannot be told from a torn one.
            let opened = if place >= last_line {
                open(&folder).ok()
            } else {
                None
            };
            if let Some(opened) = opened {
                assert!(place >= whole.len() - 19, "byte {place} ^ {flip}");
                assert_eq!(opened.notices.len(), 1, "byte {place} ^ {flip}");
                assert_eq!(opened.records.len(), 4);
                let evidence = torn_files(&folder);
                let kept = fs::read(&path).unwrap();
                assert_eq!([kept, fs::read(&evidence[0]).unwrap()].concat(), flipped);
                fs::remove_file(&evidence[0]).unwrap();
            } else {
                let damage = damage(open(&folder));
                assert_eq!(damage.line, line + 1, "byte {place} ^ {flip}: {damage}");
                assert_eq!(damage.last_good, line as u64);
                assert_eq!(fs::read(&path).unwrap(), flipped);
                let shown = view(&folder).unwrap();
                assert_eq!(shown.damage, Some(damage));
                assert_eq!(shown.records.len(), line);
            }
        }
    }
}

#[test]
fn a_line_removed_doubled_or_moved_is_noticed() {
    let (_around, folder) = played(6);
    let path = file(&folder, 1);
    let whole = fs::read(&path).unwrap();
    let lines = lines(&whole);
    for (order, line) in [
        (vec![0, 1, 3, 4, 5], 3),
        (vec![1, 2, 3, 4, 5], 1),
        (vec![0, 1, 1, 2, 3, 4, 5], 3),
        (vec![0, 2, 1, 3, 4, 5], 2),
    ] {
        let arranged: Vec<&[u8]> = order.iter().map(|&index| lines[index]).collect();
        fs::write(&path, arranged.concat()).unwrap();
        assert_eq!(damage(open(&folder)).line, line, "{order:?}");
    }
}

#[test]
fn damage_is_named_and_cut_only_with_leave() {
    let (_around, folder) = played(10);
    let path = file(&folder, 1);
    let mut bytes = fs::read(&path).unwrap();
    let third = memchr::memchr_iter(b'\n', &bytes).nth(2).unwrap();
    bytes[third + 10] ^= 4;
    fs::write(&path, &bytes).unwrap();

    let error = open(&folder).unwrap_err();
    let said = error.to_string();
    assert!(said.contains("000001.jsonl, line 4"), "{said}");
    assert!(said.contains("the last good event is 3"), "{said}");
    assert!(error.hint().unwrap().contains("--view"));
    assert_eq!(fs::read(&path).unwrap(), bytes);

    let opened = open_with(&folder, |options| options.cut_damage = true).unwrap();
    assert_eq!(numbers(&opened), [1, 2, 3]);
    told(&opened, "damaged");
    let kept = fs::read(&torn_files(&folder)[0]).unwrap();
    assert_eq!(kept, bytes[third + 1..]);
    assert_eq!(append(&opened, 4), 4);
    drop(opened);
    assert_eq!(open(&folder).unwrap().records.len(), 4);
}

#[test]
fn a_block_that_never_arrived_is_a_torn_end_although_whole_lines_follow() {
    let (_around, folder) = played(10);
    let path = file(&folder, 1);
    let mut bytes = fs::read(&path).unwrap();
    let newlines: Vec<usize> = memchr::memchr_iter(b'\n', &bytes).collect();
    bytes[newlines[5] + 1..=newlines[6]].fill(0);
    fs::write(&path, &bytes).unwrap();
    let opened = open(&folder).unwrap();
    assert_eq!(opened.records.len(), 6);
    told(&opened, "2 complete events after the incomplete part");
    let kept = fs::read(&torn_files(&folder)[0]).unwrap();
    assert_eq!(kept, bytes[newlines[5] + 1..]);
}

#[test]
fn a_long_game_fills_several_files_and_any_part_of_it_is_read() {
    let events = EVENTS_PER_FILE * 2 + 1000;
    let (_around, folder) = empty();
    {
        let opened = open(&folder).unwrap();
        for n in 1..=events {
            opened.store.append(at(), "gm", &n).unwrap();
        }
    }
    // The disk may lag behind a loop like this one, and then a file grows beyond its length.
    let reader = Reader::new(&folder);
    let files = reader.files().unwrap();
    assert!(files.len() >= 2, "{files:?}");
    assert!(files.iter().copied().eq(1..=files.len() as u64));

    let mut all: Vec<u64> = Vec::new();
    for block in reader.iter_all().unwrap() {
        let block = block.unwrap();
        assert!(block.damage().is_empty());
        all.extend(block.records().map(|record| record.unwrap().n));
    }
    assert!(all.into_iter().eq(1..=events));

    let second = reader.load(2).unwrap();
    let first_of_second = second.records().next().unwrap().unwrap().n;
    // A file that was just begun hides nothing of those before it.
    fs::write(file(&folder, files.len() as u64 + 1), b"").unwrap();
    for range in [
        1..2,
        1..events + 1,
        first_of_second - 3..first_of_second + 3,
        first_of_second..first_of_second + 1,
        events..events + 10,
        events + 5..events + 6,
        7..7,
    ] {
        let expected = range.clone().filter(|&n| n <= events);
        let read = reader.read(range.clone()).unwrap();
        assert!(read.iter().map(|record| record.n).eq(expected), "{range:?}");
    }
}

/// A game whose journal has three files, made by hand so that each is as long as it is said to be.
fn three_files() -> (TempDir, PathBuf) {
    let around = tempfile::tempdir().unwrap();
    let folder = around.path().join("demo");
    let events: Vec<serde_json::Value> = (1..=EVENTS_PER_FILE * 2 + 500).map(event).collect();
    let entries = events.iter().map(|event| NewEvent {
        at: at(),
        by: "gm".into(),
        event,
    });
    let entries: Vec<_> = entries.collect();
    drop(
        GameLocation::from(&folder)
            .create(&options(), STATE, &entries)
            .unwrap(),
    );
    (around, folder)
}

#[test]
fn opening_reads_the_last_file_only() {
    let (_around, folder) = three_files();
    let opened = open(&folder).unwrap();
    let last = EVENTS_PER_FILE * 2 + 500;
    assert_eq!(opened.snapshot.last, last);
    assert_eq!(numbers(&opened), (last - 199..=last).collect::<Vec<_>>());
    drop(opened);
    // Nobody looks into the first file, so nobody minds what is in it.
    fs::write(file(&folder, 1), "nonsense").unwrap();
    let opened = open(&folder).unwrap();
    told_nothing(&opened);
    drop(opened);
    // To read more of the past, the file before is read too.
    let opened = open_with(&folder, |options| options.tail = 1000).unwrap();
    assert_eq!(opened.records.len(), 1000);
    drop(opened);
    let wanted = |options: &mut Options| options.tail = EVENTS_PER_FILE * 2;
    let damage = damage(open_with(&folder, wanted));
    assert!(damage.file.ends_with("000001.jsonl"), "{damage}");
}

#[test]
fn the_line_that_a_new_file_continues_is_blamed_when_it_is_the_damaged_one() {
    let (_around, folder) = three_files();
    let path = file(&folder, 2);
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 4;
    bytes[last] = if bytes[last] == b'0' { b'1' } else { b'0' };
    fs::write(&path, &bytes).unwrap();
    let damage = damage(open(&folder));
    assert!(damage.file.ends_with("000002.jsonl"), "{damage}");
    assert_eq!(damage.line as u64, EVENTS_PER_FILE);
    assert_eq!(damage.last_good, EVENTS_PER_FILE * 2 - 1);
}

#[test]
fn a_file_that_is_missing_is_damage() {
    let (_around, folder) = three_files();
    fs::remove_file(file(&folder, 2)).unwrap();
    let missing = damage(open(&folder));
    assert!(missing.file.ends_with("000002.jsonl"), "{missing}");
    assert_eq!(missing.last_good, EVENTS_PER_FILE);
    // Renaming the later one into the gap does not help.
    fs::rename(file(&folder, 3), file(&folder, 2)).unwrap();
    assert_eq!(damage(open(&folder)).line, 1);
}

#[test]
fn a_crash_while_a_new_file_was_begun_loses_nothing() {
    let (_around, folder) = played(5);
    fs::write(file(&folder, 2), "").unwrap();
    let opened = open(&folder).unwrap();
    told_nothing(&opened);
    assert_eq!(numbers(&opened), [1, 2, 3, 4, 5]);
    append(&opened, 6);
    drop(opened);
    assert_eq!(text(&folder, "journal/000002.jsonl").lines().count(), 1);
    // And when the first line of the new file was torn.
    fs::write(file(&folder, 2), "{\"n\":6,\"at\":").unwrap();
    let opened = open(&folder).unwrap();
    assert_eq!(numbers(&opened), [1, 2, 3, 4, 5]);
    assert_eq!(opened.notices.len(), 1);
    assert_eq!(append(&opened, 6), 6);
    drop(opened);
    assert_eq!(numbers(&open(&folder).unwrap()), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn a_session_without_a_journal_opens() {
    let (_around, folder) = empty();
    fs::remove_dir_all(folder.join("journal")).unwrap();
    assert!(view(&folder).unwrap().records.is_empty());
    assert!(!folder.join("journal").exists());
    let opened = open(&folder).unwrap();
    assert!(opened.records.is_empty() && opened.notices.is_empty());
    append(&opened, 1);
    drop(opened);
    assert_eq!(numbers(&open(&folder).unwrap()), [1]);
}

#[test]
fn a_journal_that_ends_before_its_snapshot_is_set_aside_with_leave_alone() {
    let (_around, folder) = three_files();
    let last = EVENTS_PER_FILE * 2 + 500;
    let end = EVENTS_PER_FILE * 2;
    fs::remove_file(file(&folder, 3)).unwrap();

    let refused = open(&folder).unwrap_err();
    let StoreError::Mismatched(mismatch) = refused else {
        panic!("{refused}");
    };
    assert_eq!(mismatch.reached, last);
    assert_eq!(mismatch.finding, MismatchFinding::EndsBefore(end));

    let aside = |options: &mut Options| options.on_mismatch = OnMismatch::SetJournalAside;
    let opened = open_with(&folder, aside).unwrap();
    told(&opened, "were renamed to *.torn");
    assert_eq!(torn_files(&folder).len(), 2);
    assert_eq!(append(&opened, 0), last + 1);
    drop(opened);

    for block in Reader::new(&folder).iter_all().unwrap() {
        assert_eq!(block.unwrap().damage(), []);
    }
}

#[test]
fn reading_on_stops_at_damage_but_checks_every_other_line() {
    let (_around, folder) = played(9);
    let text = text(&folder, "journal/000001.jsonl");
    let changed = text.replacen("\"faces\":[4", "\"faces\":[6", 1);
    fs::write(file(&folder, 1), changed).unwrap();
    let reader = Reader::new(&folder);
    let block = reader.load(1).unwrap();
    assert_eq!(block.damage().len(), 1);
    assert_eq!(block.records().count(), 8);
    assert!(matches!(reader.read(1..10), Err(StoreError::Damaged(_))));
    assert_eq!(reader.read(5..10).unwrap().len(), 5);
}

#[test]
fn files_and_folders_are_for_their_owner_only() {
    let (_around, folder) = played(1);
    assert_eq!(mode(&folder), 0o700);
    assert_eq!(mode(&folder.join("journal")), 0o700);
    for name in ["game.toml", "lock", "journal/000001.jsonl"] {
        assert_eq!(mode(&folder.join(name)), 0o600, "{name}");
    }
}

#[test]
fn a_symbolic_link_among_the_files_is_refused_but_a_linked_folder_is_fine() {
    let (around, folder) = played(2);
    let link = around.path().join("link");
    std::os::unix::fs::symlink(&folder, &link).unwrap();
    assert_eq!(numbers(&open(&link).unwrap()), [1, 2]);

    for name in ["game.toml", "journal/000001.jsonl", "journal", "lock"] {
        let (path, moved) = (folder.join(name), around.path().join("moved"));
        fs::rename(&path, &moved).unwrap();
        std::os::unix::fs::symlink(&moved, &path).unwrap();
        let error = open(&folder).unwrap_err();
        let is_named = matches!(error, StoreError::Symlink { .. });
        assert!(is_named, "{name}: {error}");
        fs::remove_file(&path).unwrap();
        fs::rename(&moved, &path).unwrap();
    }
}

#[test]
fn looking_touches_nothing_and_writes_nothing() {
    let (_around, folder) = played(3);
    let path = file(&folder, 1);
    let torn = [fs::read(&path).unwrap(), b"{\"n\":4".to_vec()].concat();
    fs::write(&path, &torn).unwrap();
    let shown = view(&folder).unwrap();
    assert_eq!(shown.records.len(), 3);
    told(&shown, "leaves out");
    assert!(shown.store.is_view());
    let refused = shown.store.append(at(), "gm", &event(4));
    assert!(matches!(refused, Err(StoreError::ViewOnly)));
    assert_eq!(fs::read(&path).unwrap(), torn);
    assert!(torn_files(&folder).is_empty());
    assert_eq!(shown.store.saving(), Saving::Quiet);
}

#[test]
fn a_session_that_is_not_there_and_one_that_is_there_already_are_said_so() {
    let (around, folder) = empty();
    let error = open(&around.path().join("nowhere")).unwrap_err();
    assert!(matches!(error, StoreError::Missing { .. }));
    assert!(error.hint().unwrap().contains("tableside games"));
    let error = GameLocation::from(&folder)
        .create::<&str>(&options(), STATE, &[])
        .unwrap_err();
    assert!(matches!(error, StoreError::Exists { .. }), "{error}");
}

#[test]
fn a_broken_clock_still_writes_lines_that_can_be_read() {
    let (_around, folder) = empty();
    let opened = open(&folder).unwrap();
    let (first, last) = (DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC);
    for at in [last, first, DateTime::UNIX_EPOCH] {
        opened.store.append(at, "gm", &event(1)).unwrap();
    }
    drop(opened);
    assert_eq!(open(&folder).unwrap().records.len(), 3);
}

#[test]
fn an_event_that_would_fill_a_file_is_refused_and_the_next_one_is_not() {
    let (_around, folder) = empty();
    let opened = open(&folder).unwrap();
    let giant = "x".repeat(5 << 20);
    let refused = opened.store.append(at(), "gm", &giant);
    assert!(matches!(refused, Err(StoreError::Unwritable { .. })));
    assert_eq!(append(&opened, 1), 1);
    drop(opened);
    assert_eq!(numbers(&open(&folder).unwrap()), [1]);
}

#[test]
fn a_file_of_a_number_that_nobody_counts_to_is_damage_and_found_at_once() {
    let (_around, folder) = played(5);
    fs::write(file(&folder, u64::MAX), "{}\n").unwrap();
    let missing = damage(open(&folder));
    assert_eq!((missing.line, missing.last_good), (0, 5), "{missing}");
    let reader = Reader::new(&folder);
    assert!(reader.iter_all().unwrap().nth(1).unwrap().is_err());
    let looked = view(&folder).unwrap();
    assert_eq!(looked.damage, Some(missing));
    drop(looked);
    let cut = open_with(&folder, |options| options.cut_damage = true).unwrap();
    assert_eq!(numbers(&cut), [1, 2, 3, 4, 5]);
}

#[test]
fn a_pipe_in_a_files_place_is_refused_and_not_waited_for() {
    let journal = ["journal/000001.jsonl", "journal/000002.jsonl"];
    for name in ["game.toml", "lock"].into_iter().chain(journal) {
        let (_around, folder) = played(5);
        let path = folder.join(name);
        fs::remove_file(&path).unwrap_or_default();
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        let refused = open(&folder).unwrap_err().to_string();
        let words = "it is not a regular file";
        assert!(
            refused.contains(name) && refused.contains(words),
            "{refused}"
        );
    }
}
