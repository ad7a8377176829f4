//! Recaps: two long evenings, whose recaps are kept as snapshots, and what counts and what does not.

use std::cell::Cell;
use std::fs;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use tableside::dice::SystemDice;
use tableside::game::Game;
use tableside::rules::System;
use tableside::table::{Recap, RecapScope, Seat, Table};

use crate::around::player;
use crate::played::{run_command, run_command_as};

thread_local! {
    /// The time of the line that is played.
    static NOW: Cell<DateTime<Utc>> = const { Cell::new(DateTime::UNIX_EPOCH) };
}

fn table_of(name: &str, game: Game) -> Arc<Table> {
    let dice = Box::new(SystemDice::from_key([1; 32]));
    Table::unsaved(name, game, Vec::new(), None, || NOW.get(), dice)
}

/// Plays an evening in the format of the sample games, in the sample game of the system.
fn play(system: System, text: &str) -> Arc<Table> {
    let game = Game::from_toml(system.sample().unwrap().game).unwrap();
    let mut lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (name, day) = lines.next().unwrap().rsplit_once(", ").unwrap();
    let table = table_of(name, game);
    for line in lines {
        let (time, words) = line.split_once(' ').unwrap();
        NOW.set(format!("{day}T{time}Z").parse().unwrap());
        run_command_as(&table, &Seat::gm(), words)
            .unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    table
}

/// A game of Heart Rush with Mira and Bo.
fn small_game() -> Arc<Table> {
    let table = table_of("t", Game::new(System::HEART_RUSH));
    for words in [
        "add character Mira",
        "add character Bo",
        "add clock The alarm 6",
    ] {
        run_command(&table, words);
    }
    table
}

fn utc(at: DateTime<Utc>, format: &str) -> String {
    at.format(format).to_string()
}

fn recap(table: &Table, seat: &Seat, session: usize) -> Recap {
    let scope = RecapScope::session(&table.game(), session).unwrap();
    table.recap(seat, &scope).unwrap()
}

/// The recap of the first session, for the GM.
fn text(table: &Table) -> String {
    recap(table, &Seat::gm(), 1).markdown(&utc)
}

fn long_evening(system: System, reader: &str) {
    let name = system.id();
    let evening = fs::read_to_string(format!("tests/game/recaps/{name}.txt")).unwrap();
    let table = play(system, &evening);
    let seat = table.read(&Seat::gm(), |view| {
        let character = view.character_named(reader).unwrap();
        player(&character.player, &[character.id])
    });
    let seats = [Seat::gm(), seat];
    for (seat, reader) in seats.iter().zip(["gm", "player"]) {
        let recap = recap(&table, seat, 1).markdown(&utc);
        insta::assert_snapshot!(format!("{name}-{reader}"), recap);
    }
}

#[test]
fn an_evening_of_heart_rush_reads_like_notes() {
    long_evening(System::HEART_RUSH, "Wren");
}

#[test]
fn an_evening_of_forged_in_the_dark_reads_like_notes() {
    long_evening(System::FORGED_IN_THE_DARK, "Tavi");
}

#[test]
fn ten_ticks_of_a_clock_are_one_line() {
    let table = small_game();
    for _ in 0..5 {
        run_command(&table, "tick alarm");
    }
    let told = text(&table);
    assert_eq!(
        told.matches("- **The alarm**: 5 of 6.").count(),
        2,
        "{told}"
    );
}

#[test]
fn an_act_that_was_undone_does_not_appear() {
    let table = small_game();
    run_command(&table, "tick alarm 2");
    run_command(&table, "note Nobody saw it");
    run_command(&table, "undo");
    run_command(&table, "undo");
    let told = text(&table);
    assert!(
        !told.contains("alarm") && !told.contains("Nobody"),
        "{told}"
    );
}

#[test]
fn an_undo_in_the_middle_counts_only_what_holds() {
    let table = small_game();
    run_command(&table, "add pool Torches 5");
    run_command(&table, "gain 2 Torches");
    run_command(&table, "tick alarm 2");
    run_command(&table, "spend 1 Torches");
    run_command(&table, "tick alarm 3");
    run_command(&table, "undo");
    let told = text(&table);
    assert!(told.contains("**The alarm**: 2 of 6."), "{told}");
}

#[test]
fn an_amended_roll_counts_once_and_keeps_its_notes() {
    let table = small_game();
    let roll = run_command(
        &table,
        "roll Mira skill heart=d8 ability=d8 cn=15 faces=3,4",
    );
    run_command(&table, &format!("note about {roll} The door holds."));
    run_command(&table, &format!("amend {roll} cn=5"));
    let told = text(&table);
    assert!(told.contains("1 roll, 1 succeeded."), "{told}");
    assert!(
        told.contains("**Mira** succeeded at the skill check, 7 vs 5. The door holds."),
        "{told}"
    );
}

#[test]
fn a_session_is_told_alone_and_a_scene_goes_on_in_the_next_one() {
    let table = small_game();
    run_command(&table, "next scene The docks");
    run_command(&table, "note First evening");
    run_command(&table, "end session");
    run_command(&table, "note Second evening");

    let first = recap(&table, &Seat::gm(), 1);
    assert_eq!(first.open, None);
    let first = first.markdown(&utc);
    assert!(first.starts_with("# t, session 1\n"), "{first}");
    assert!(
        first.contains("## The docks\n") && !first.contains("Second"),
        "{first}"
    );

    let second = recap(&table, &Seat::gm(), 2).markdown(&utc);
    assert!(second.contains("## The docks, continued\n"), "{second}");
    assert!(!second.contains("First"), "{second}");
}

#[test]
fn players_read_no_hidden_roll_and_no_note_of_the_gm() {
    let table = small_game();
    run_command(&table, "next scene The docks");
    run_command(
        &table,
        "roll Bo skill hidden heart=d8 ability=d8 cn=15 faces=1,1",
    );
    run_command(&table, "note Bo is the traitor");
    run_command(&table, "add clock The traitor's plan 4 hidden");
    run_command(&table, "tick plan 3");
    for seat in [Seat::onlooker(), player("ana", &[])] {
        let recap = recap(&table, &seat, 1);
        let told = recap.markdown(&utc) + recap.json().as_str();
        for hidden in ["**Bo**", "\"who\": \"Bo\"", "traitor", "plan", "rolled"] {
            assert!(!told.contains(hidden), "{told}");
        }
    }
}

#[test]
fn everything_has_its_present_name_and_is_no_markup() {
    let table = small_game();
    run_command(&table, "tick alarm");
    run_command(&table, "rename The alarm to The *bells*");
    let told = text(&table);
    assert!(told.contains("- **The \\*bells\\***: 1 of 6."), "{told}");
}

#[test]
fn a_full_clock_is_told_with_the_characters_that_filled_it() {
    let table = small_game();
    run_command(&table, "add clock The ferry sinks 2 countdown");
    run_command(&table, "add clock Up the cliff 4 effort");
    for who in ["Mira", "Bo"] {
        let fail = format!("roll {who} skill heart=d8 ability=d8 cn=9 faces=3,4");
        run_command(&table, &format!("{fail} clock=The ferry sinks"));
    }
    run_command(&table, "tick Up the cliff 3");
    run_command(&table, "tick Up the cliff -1");
    let told = text(&table);
    let ferry = "**The ferry sinks** is full (2 of 2); Mira and Bo brought it there.";
    assert!(told.contains(ferry), "{told}");
    assert!(told.contains("- **Up the cliff**: 2 of 4."), "{told}");
    let (_, open) = told.split_once("## Still open").unwrap();
    assert!(!open.contains("The ferry sinks"), "{told}");
}

#[test]
fn a_players_recap_ends_at_the_state_on_the_screen() {
    let table = small_game();
    run_command(&table, "add clock The ferry sinks 4 countdown");
    let fail = "roll Mira skill heart=d8 ability=d8 cn=9 faces=3,4 clock=The ferry sinks";
    run_command(&table, fail);
    run_command(&table, "tick The ferry sinks 3");
    run_command(&table, "tick alarm 2");
    let told = recap(&table, &Seat::onlooker(), 1).markdown(&utc);
    let ferry = "**The ferry sinks** is full (4 of 4), partly because of Mira.";
    assert!(told.contains(ferry), "{told}");
    assert!(told.contains("**The alarm**: 2 of 6."), "{told}");

    // The state of a later session is not told in the recap of an earlier one.
    run_command(&table, "end session");
    run_command(&table, "tick alarm 2");
    let told = recap(&table, &Seat::onlooker(), 1).markdown(&utc);
    assert!(told.contains("**The alarm**: 2 of 6."), "{told}");
}

#[test]
fn harm_is_told_in_words_and_scratches_are_left_out() {
    let table = small_game();
    run_command(&table, "damage Bo 1");
    run_command(&table, "damage Mira 12");
    run_command(&table, "condition Mira bleeding");
    run_command(&table, "condition Mira dazed 1 for 2 rounds");
    let told = text(&table);
    assert!(!told.contains("**Bo**"), "{told}");
    assert!(told.contains("**Mira** lost 12 hit points"), "{told}");
    assert!(told.contains("is bleeding and dazed."), "{told}");
    let (_, open) = told.split_once("## Still open").unwrap();
    assert!(
        open.contains("**Mira** is bleeding and dazed (2 rounds)"),
        "{told}"
    );
}

#[test]
fn tokens_are_told_as_they_stand_and_only_if_they_changed() {
    let table = small_game();
    run_command(&table, "add pool Torches 5");
    run_command(&table, "add pool Oil 5");
    run_command(&table, "spend 2 Torches");
    run_command(&table, "gain 1 Oil");
    run_command(&table, "spend 1 Oil");
    let told = text(&table);
    assert!(told.contains("- **Torches**: 3 (2 fewer)."), "{told}");
    assert!(!told.contains("Oil"), "{told}");
}

#[test]
fn the_making_of_a_character_is_no_story_but_later_damage_is() {
    let table = table_of("t", Game::new(System::HEART_RUSH));
    for words in [
        "add character Mira",
        "set Mira might d10",
        "set Mira hit-points 44",
        "next scene The yard",
        "set Mira agility d10",
        "damage Mira 20",
    ] {
        run_command(&table, words);
    }
    let text = recap(&table, &Seat::gm(), 1).markdown(&utc);
    assert!(!text.contains("might"), "{text}");
    assert!(text.contains("agility"), "{text}");
    assert!(text.contains("lost 20 hit points"), "{text}");
}

#[test]
fn a_party_member_who_did_not_roll_took_part_unless_absent() {
    let table = small_game();
    for words in [
        "add character Goblin adversary",
        "roll Mira skill ability=might cn=5",
        "end session",
        "add character Late",
    ] {
        run_command(&table, words);
    }
    let cast = |session| -> Vec<String> {
        let recap = recap(&table, &Seat::gm(), session);
        recap
            .cast
            .into_iter()
            .map(|member| member.character)
            .collect()
    };
    assert_eq!(cast(1), ["Mira", "Bo"]);

    run_command(&table, "absent Bo");
    assert_eq!(cast(2), ["Mira", "Late"]);
}

#[test]
fn a_condition_with_a_noun_is_had_and_every_clock_in_play_is_open() {
    let table = small_game();
    run_command(&table, "condition Mira exhaustion");
    run_command(&table, "add clock The flood 8");
    run_command(&table, "tick flood 1");
    run_command(&table, "tick flood 1");
    let told = text(&table);
    let (before, open) = told.split_once("## Still open").unwrap();
    assert!(before.contains("**Mira** has exhaustion."), "{told}");
    assert!(open.contains("has the condition exhaustion"), "{told}");
    assert!(open.contains("**The flood**: 2 of 8."), "{told}");
}
