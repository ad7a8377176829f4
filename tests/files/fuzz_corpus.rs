//! The seed inputs of the fuzz targets. A seed that a parser refuses at once never tests the code behind the parser.

use std::fs;
use std::path::PathBuf;

use tableside::game::{Event, Game};
use tableside::rules::System;
use tableside::screen::app::keymap::Keymap;
use tableside::screen::theme::Theme;

/// Fails if a parser refuses a seed of a target. The parser returns the error as text.
fn assert_all_seeds_are_read(target: &str, parse: impl Fn(&str) -> Result<(), String>) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");

    for file in fs::read_dir(folder.join(target)).unwrap() {
        let path = file.unwrap().path();
        let seed = fs::read_to_string(&path).unwrap();
        if let Err(error) = parse(&seed) {
            panic!("{}: {error}", path.display());
        }
    }
}

#[test]
fn every_game_of_the_corpus_is_read() {
    assert_all_seeds_are_read("game", |seed| match Game::from_toml(seed) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    });
}

#[test]
fn every_event_of_the_corpus_is_read() {
    assert_all_seeds_are_read("event", |seed| match serde_json::from_str::<Event>(seed) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    });
}

#[test]
fn every_system_of_the_corpus_is_read() {
    assert_all_seeds_are_read("system", |seed| match System::of_file(seed, true) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    });
}

#[test]
fn every_keymap_of_the_corpus_is_read() {
    assert_all_seeds_are_read("keymap", |seed| match Keymap::with_user(seed) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    });
}

#[test]
fn every_theme_of_the_corpus_is_read() {
    assert_all_seeds_are_read("theme", |seed| match Theme::parse(seed, "theme.toml") {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    });
}
