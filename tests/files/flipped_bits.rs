//! A flipped bit, in the state or in the journal, is never taken for what was saved; one can go back to what was.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tableside::rules::System;
use tableside::store::{StoreClient as _, StoreError};
use tableside::table::{OnEdit, OpenError, Table};

use super::opened::{open, opening};
use super::played::{PATIENCE, begin, run_command};

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.join("journal")).unwrap();
    for file in ["game.toml", "journal/000001.jsonl"] {
        fs::copy(from.join(file), to.join(file)).unwrap();
    }
}

/// A folder as an evening leaves it, the state having been saved more than once, and that state.
fn saved(data: &Path) -> String {
    let table = begin(data, System::HFRPG);
    for words in [
        "add character Shannon",
        "add clock The bridge 8",
        "tick bridge",
        "tick bridge 2",
    ] {
        run_command(&table, words);
        table.flush(PATIENCE).unwrap();
    }
    state(&table)
}

/// The state but for the number of entries: that one went back is an entry, too.
fn state(table: &Table) -> String {
    let (text, _) = table.snapshot();
    let lines = text.lines().filter(|line| !line.starts_with("entries = "));
    lines.collect::<Vec<_>>().join("\n")
}

/// Saves a game and closes it, so that no thread writes into its folder afterwards.
///
/// While the saving thread reports how a save went, it holds the game as well. The last handle may then be dropped on
/// that thread, which saves once more after `drop` returned here. Once a flush is answered, it has nothing left to save.
fn close(table: Arc<Table>) {
    table.flush(PATIENCE).unwrap();
    drop(table);
}

fn all_files(folder: &Path) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.is_file());
    files.map(|path| fs::read(path).unwrap()).collect()
}

/// A copy of the saved folder in which one bit of a file is another.
struct Flipped {
    folder: PathBuf,
    /// What is in the file now.
    file: Vec<u8>,
    /// What opening it says, which names the file.
    error: OpenError,
}

fn flipped(data: &Path, file: &str, at: usize) -> Flipped {
    let (saved, folder) = (data.join("unsaved-1"), data.join("broken"));
    copy(&saved, &folder);
    let before = "game.toml.before";
    fs::copy(saved.join(before), folder.join(before)).unwrap();
    let path = folder.join(file);
    let mut bytes = fs::read(&path).unwrap();
    bytes[at] ^= 1 << (at % 8);
    fs::write(&path, &bytes).unwrap();
    let error = Table::open(&folder, opening(OnEdit::Ask)).err();
    let error = error.unwrap_or_else(|| panic!("byte {at} is flipped, and nobody says so"));
    let name = path.file_name().unwrap().to_str().unwrap();
    assert!(error.to_string().contains(name), "{error}");
    Flipped {
        folder,
        file: bytes,
        error,
    }
}

#[test]
fn a_flipped_bit_in_the_state_is_never_taken_for_what_was_saved() {
    let data = tempfile::tempdir().unwrap();
    let lived = saved(data.path());
    let folder = data.path().join("unsaved-1");
    let whole = fs::read(folder.join("game.toml")).unwrap();
    for at in 0..whole.len() {
        let flipped = flipped(data.path(), "game.toml", at);
        let broken = flipped.folder;
        let left = fs::read(broken.join("game.toml")).unwrap();
        assert_eq!(left, flipped.file);
        // A format from the future is not damage, and is refused.
        let is_newer = matches!(flipped.error, OpenError::Store(StoreError::Newer { .. }));
        if at % 9 == 0 && !is_newer {
            let (table, _) = Table::open(&broken, opening(OnEdit::Restore)).unwrap();
            assert_eq!(state(&table), lived, "byte {at}");
            close(table);
            assert!(
                all_files(&broken).contains(&flipped.file),
                "byte {at} is not kept"
            );
            close(open(&broken));
        }
        fs::remove_dir_all(&broken).unwrap();
    }
}

#[test]
fn a_flipped_bit_in_the_journal_is_named_and_the_game_goes_on_before_it() {
    let data = tempfile::tempdir().unwrap();
    saved(data.path());
    let folder = data.path().join("unsaved-1");
    let whole = fs::read(folder.join("journal/000001.jsonl")).unwrap();
    let end = memchr::memrchr(b'\n', &whole[..whole.len() - 1]).unwrap();
    for at in (0..end).step_by(7) {
        let flipped = flipped(data.path(), "journal/000001.jsonl", at);
        assert!(flipped.error.is_damage());
        let broken = flipped.folder;
        let (table, notices) = Table::open(&broken, opening(OnEdit::Restore)).unwrap();
        assert!(notices[0].contains(".torn"), "{notices:?}");
        let torn = fs::read(broken.join("journal/000001.jsonl.torn")).unwrap();
        assert!(flipped.file.ends_with(&torn), "what was cut off is kept");
        close(table);
        fs::remove_dir_all(&broken).unwrap();
    }
}
