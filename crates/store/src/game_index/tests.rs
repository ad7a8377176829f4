use std::fs;

use chrono::TimeDelta;
use tempfile::TempDir;

use super::*;
use crate::{Name, NewEvent, Options};

/// A data folder with games.
struct Fixture {
    data: TempDir,
    storage: Storage,
}

impl Fixture {
    fn new(games: &[&str]) -> Self {
        let data = tempfile::tempdir().unwrap();
        let storage = Storage::from(data.path());
        let no_events: &[NewEvent<'_, &str>] = &[];
        for game in games {
            let location = storage.location(&Name::new(game, &[]).unwrap());
            let options = Options::new(DateTime::UNIX_EPOCH);
            drop(location.create(&options, "x = 1\n", no_events).unwrap());
        }
        Self { data, storage }
    }

    fn append_event(&self, game: &str) {
        let location = self.storage.location(&Name::new(game, &[]).unwrap());
        let opened = location.open(&Options::new(DateTime::UNIX_EPOCH)).unwrap();
        opened
            .store
            .append(DateTime::UNIX_EPOCH, "gm", "an event")
            .unwrap();
    }

    fn index_file(&self) -> PathBuf {
        self.data.path().join(".games.index")
    }

    /// Lists all games at a time when no file has changed recently. Returns the games whose summaries were computed.
    fn computed(&self) -> Vec<String> {
        let later = date_of(SystemTime::now()) + TimeDelta::hours(1);
        self.computed_at(later)
    }

    fn computed_at(&self, now: DateTime<Utc>) -> Vec<String> {
        let mut computed = Vec::new();
        let mut games = self.storage.games().unwrap();
        games.sort_by(|a, b| a.name.cmp(&b.name));

        let summaries = self.storage.summaries_at(&games, now, |game| {
            computed.push(game.name.clone());
            if game.name == "broken" {
                Err("it cannot be read")
            } else {
                Ok(format!("the summary of {}", game.name))
            }
        });

        for (game, summary) in games.iter().zip(summaries) {
            match summary {
                Ok(summary) => assert_eq!(summary, format!("the summary of {}", game.name)),
                Err(_) => assert_eq!(game.name, "broken"),
            }
        }
        computed
    }
}

#[test]
fn a_summary_is_computed_once_and_again_after_the_game_changed() {
    let fixture = Fixture::new(&["friday", "monday"]);
    assert_eq!(fixture.computed(), ["friday", "monday"]);
    assert_eq!(fixture.computed(), [""; 0]);

    fixture.append_event("friday");
    assert_eq!(fixture.computed(), ["friday"]);
    assert_eq!(fixture.computed(), [""; 0]);

    let snapshot = fixture.data.path().join("monday/game.toml");
    fs::write(&snapshot, "edited").unwrap();
    assert_eq!(fixture.computed(), ["monday"]);

    let rules = fixture.data.path().join("monday/system.toml");
    fs::write(&rules, "new rules").unwrap();
    assert_eq!(fixture.computed(), ["monday"]);
}

#[test]
fn an_error_is_never_kept() {
    let fixture = Fixture::new(&["broken", "friday"]);
    assert_eq!(fixture.computed(), ["broken", "friday"]);
    assert_eq!(fixture.computed(), ["broken"]);
}

#[test]
fn a_game_that_has_just_changed_is_not_kept() {
    let fixture = Fixture::new(&["friday"]);
    let now = DateTime::UNIX_EPOCH;
    assert_eq!(fixture.computed_at(now), ["friday"]);
    assert_eq!(fixture.computed_at(now), ["friday"]);
    assert!(!fixture.index_file().exists());
}

#[test]
fn a_damaged_index_is_built_again() {
    let fixture = Fixture::new(&["friday"]);
    assert_eq!(fixture.computed(), ["friday"]);
    let index = fs::read(fixture.index_file()).unwrap();

    for position in 0..index.len() {
        let mut damaged = index.clone();
        damaged[position] ^= 1;
        fs::write(fixture.index_file(), &damaged[..]).unwrap();
        assert_eq!(fixture.computed(), ["friday"], "byte {position}");

        fs::write(fixture.index_file(), &index[..position]).unwrap();
        assert_eq!(fixture.computed(), ["friday"], "{position} bytes");
    }
    assert_eq!(fixture.computed(), [""; 0]);
}

#[test]
fn removed_games_leave_the_index() {
    let fixture = Fixture::new(&["friday", "monday"]);
    fixture.computed();
    fs::remove_dir_all(fixture.data.path().join("monday")).unwrap();
    assert_eq!(fixture.computed(), [""; 0]);

    let index = fs::read_to_string(fixture.index_file()).unwrap();
    assert!(index.contains("friday"));
    assert!(!index.contains("monday"));
}
