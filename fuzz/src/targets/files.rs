//! Files that a user may edit, and files from other machines.

use std::fs;
use std::path::Path;

use chrono::DateTime;
use tableside::game::{Event, Game};
use tableside::rules::System;
use tableside::screen::app::keymap::Keymap;
use tableside::screen::theme::Theme;
use tableside::store::{FORMAT, GameLocation, Options, Reader};

use super::text::assert_is_safe;

/// Reads `game.toml`.
pub(super) fn read_game(input: &[u8]) {
    let Ok(game) = Game::from_toml(&String::from_utf8_lossy(input)) else {
        return;
    };

    assert_survives_saving(&game);
}

/// Reads a rule system, and begins a game with it.
pub(super) fn read_system(input: &[u8]) {
    let text = String::from_utf8_lossy(input);

    match System::of_file(&text, true) {
        Ok(system) => assert_survives_saving(&Game::new(system)),
        Err(error) => {
            let message = error.to_string();
            assert_is_safe(&message.replace('\n', " "));
        }
    }
}

/// A saved game is equal to the game after it is read again.
fn assert_survives_saving(game: &Game) {
    let text = game.to_toml();
    let reloaded = Game::from_toml(&text).expect("a saved game can be read");
    assert_eq!(reloaded, *game);
}

/// Reads an event of the journal, describes it, and applies it to a game of each system.
pub(super) fn read_event(input: &[u8]) {
    let Ok(event) = serde_json::from_slice::<Event>(input) else {
        return;
    };

    let line = serde_json::to_string(&event).expect("an event can be written");
    let reloaded: Event = serde_json::from_str(&line).expect("a written event can be read");
    let second_line = serde_json::to_string(&reloaded).expect("an event can be written");
    assert_eq!(second_line, line);

    for system in System::shipped() {
        assert_is_safe(&event.text(system));

        let mut game = Game::new(system);
        game.apply(&event);
        game.to_toml();
    }
}

/// Opens a game whose journal is the input, first to view it, then to play, which repairs the files.
pub(super) fn open_folder(input: &[u8]) {
    let parent = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = parent.path().join("game");
    write_game(&folder, input).expect("the temporary folder can be written");

    for view in [true, false] {
        let options = Options {
            view,
            cut_damage: true,
            ..Options::new(DateTime::UNIX_EPOCH)
        };
        if let Ok(opened) = GameLocation::from(&folder).open(&options) {
            // A damaged line is an ordinary error.
            opened.store.reader().read(0..100).ok();
        }
    }

    let reader = Reader::new(&folder);
    for number in 0..10 {
        // A missing or damaged event is an ordinary error.
        reader.event(number).ok();
    }
}

/// Writes a game with two files of the journal. The second one holds the first half of the input.
fn write_game(folder: &Path, journal: &[u8]) -> std::io::Result<()> {
    let half = &journal[..journal.len() / 2];
    let snapshot = format!("format = {FORMAT}\nlast = 0\nsystem = \"hearts\"\n");

    fs::create_dir_all(folder.join("journal"))?;
    fs::write(folder.join("game.toml"), snapshot)?;
    fs::write(folder.join("journal/000001.jsonl"), journal)?;
    fs::write(folder.join("journal/000002.jsonl"), half)
}

/// Reads the user's keys.
pub(super) fn read_keymap(input: &[u8]) {
    // A mistake in the file is an ordinary error.
    Keymap::with_user(&String::from_utf8_lossy(input)).ok();
}

/// Reads a user's theme.
pub(super) fn read_theme(input: &[u8]) {
    // A mistake in the file is an ordinary error.
    Theme::parse(&String::from_utf8_lossy(input), "theme.toml").ok();
}
