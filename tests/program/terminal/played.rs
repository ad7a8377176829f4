//! A scene of each system, played by keys alone: `played/*.scene` say what is pressed and what the screen
//! then shows. A line is `KEYS => TEXT & TEXT`; a text after `!` is gone. Keys are names (`Enter`, `Left*3`,
//! `C-h` with control), single characters, or words in quotes that are typed. `#` says what is played.

use rstest::rstest;

use super::*;
use crate::keys::sent;

/// The keys of a line, each as what it sends.
fn keys(line: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        if let Some(quoted) = rest.strip_prefix('\'') {
            let (typed, after) = quoted.split_once('\'').expect("a closing quote");
            keys.push(typed.to_owned());
            rest = after.trim_start();
            continue;
        }
        let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
        rest = after.trim_start();
        let (name, times) = match word.split_once('*') {
            Some((name, times)) if !name.is_empty() => (name, times.parse().unwrap()),
            _ => (word, 1),
        };
        let sent = sent(name);
        assert!(
            sent != name || name.chars().count() == 1,
            "no key is called {name:?}"
        );
        keys.extend(std::iter::repeat_n(sent, times));
    }
    keys
}

/// Whether the screen shows all that the line wants, however wide its columns are.
fn shows(shown: &str, wanted: &str) -> bool {
    let narrow = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: Vec<String> = shown.lines().map(narrow).collect();
    let shown = shown.join("\n");
    wanted
        .split(" & ")
        .map(narrow)
        .filter(|text| !text.is_empty())
        .all(|text| match text.strip_prefix('!') {
            Some(gone) => !shown.contains(gone),
            None => shown.contains(&text),
        })
}

fn play(terminal: &mut Terminal, script: &str) {
    for line in script.lines() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let (pressed, wanted) = line.split_once(" =>").expect(line);
        assert!(!wanted.trim().is_empty(), "{line} wants nothing");
        for key in keys(pressed) {
            if key == "\x1b" {
                // Followed at once by another key it would be that key with Alt.
                terminal.press_and_see(&key);
            } else {
                terminal.press(&key);
            }
        }
        terminal.wait_for(line, |shown| shows(shown, wanted));
    }
}

#[rstest]
#[case::heart_rush("heart-rush", include_str!("played/heart-rush.scene"))]
#[case::hearts("hearts", include_str!("played/hearts.scene"))]
#[case::friday_night_dungeon("friday-night-dungeon", include_str!("played/friday-night-dungeon.scene"))]
#[case::hfrpg("hfrpg", include_str!("played/hfrpg.scene"))]
#[case::gnosis("gnosis", include_str!("played/gnosis.scene"))]
fn a_scene_is_played_by_keys_alone(#[case] system: &str, #[case] script: &str) {
    let data = new_game(system);
    let mut terminal = Terminal::with(data.path(), &["demo"], (100, 40), &[]);
    terminal.wait(|shown| shown.contains("1 Table"));
    play(&mut terminal, script);
    let played = status(data.path());
    // Leaves at once, whatever is open.
    terminal.quit("\x03");
    assert_eq!(status(data.path()), played);
    run(data.path(), &["verify", "demo"]);
}
