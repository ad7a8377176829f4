//! Tests for the items of the palette and for its search.

use std::sync::Arc;

use super::*;
use crate::fixtures::new_table;
use tableside_commands::{ParseError, parse_act};
use tableside_game::{Character, Clock, Command, RollCommand, Segments};
use tableside_rules::{Sheet, System};
use tableside_table::{Seat, Table};

fn submit(command: Command, table: &Arc<Table>) {
    table.submit(&Seat::gm(), &command.into()).unwrap();
}

fn six_segment_clock(name: &str) -> Clock {
    Clock::new(name, Segments::try_from(6).unwrap())
}

/// A game of Heart Rush with two characters and a clock.
fn table() -> Arc<Table> {
    let table = new_table("test", System::HEART_RUSH);
    for name in ["Mira", "Bo"] {
        let character = Character::new(name, Sheet::new(System::HEART_RUSH));
        submit(Command::add(character), &table);
    }
    submit(Command::add(six_segment_clock("The alarm")), &table);
    table
}

fn search_in(table: &Table, context: Context, search: &str, recent: &[String]) -> Vec<String> {
    table.read(&Seat::gm(), |view| {
        let keymap = Keymap::default();
        let mut palette = Palette::new(context.chain(), &keymap, recent, view);
        palette.field.set(search);
        palette.find(view);
        palette.found.into_iter().map(|item| item.text).collect()
    })
}

/// The texts of the items that a search on the tab of clocks finds.
fn search(text: &str) -> Vec<String> {
    search_in(&table(), Context::Clocks, text, &[])
}

/// The text of the first item that a search finds.
fn first(text: &str) -> String {
    search(text).into_iter().next().unwrap_or_default()
}

#[test]
fn a_few_letters_find_an_action() {
    assert_eq!(first("advance"), Action::Advance.describe());
    assert_eq!(first("undo the last"), Action::Undo.describe());
    assert_eq!(first("nx rnd"), Action::NextRound.describe());
    assert_eq!(first("initiative"), Action::TurnOrder.describe());
    assert_eq!(first("reveal"), Action::Visibility.describe());
    assert_eq!(first("remove"), Action::Delete.describe());
    assert_eq!(first("end session"), Action::EndSession.describe());
}

#[test]
fn the_words_of_a_gm_find_their_action() {
    for (words, action) in [
        ("new game", Action::Games),
        ("fight", Action::TurnOrder),
        ("initiative", Action::TurnOrder),
        ("recap", Action::Recap),
        ("random table", Action::RandomTables),
        ("end session", Action::EndSession),
        ("undo", Action::Undo),
    ] {
        assert_eq!(first(words), action.describe(), "{words}");
    }
    assert_eq!(first("new character"), "new character");
    assert_eq!(first("add clock"), "new clock");

    let tables = search("table");
    assert_eq!(
        tables.first().map(String::as_str),
        Some(Action::RandomTables.describe())
    );
    assert!(!tables.iter().any(|text| text == Action::Quit.describe()));
}

#[test]
fn an_explanation_in_brackets_is_not_searched() {
    assert!(Action::Delete.describe().contains("restores"));
    assert_eq!(search("restores"), [""; 0]);
    assert_eq!(first("rest"), Action::Rest.describe());
}

#[test]
fn a_creature_is_found_by_its_name() {
    let table = new_table("test", System::FIVE_E);
    let found = search_in(&table, Context::Table, "goblin boss", &[]);
    assert_eq!(found, ["add creature Goblin Boss"]);
}

#[test]
fn letters_that_are_in_no_item_find_nothing() {
    let nothing: [&str; 0] = [];
    for text in ["qqqq", "delete the char", "tick session"] {
        assert_eq!(search(text), nothing, "{text}");
    }
}

#[test]
fn recent_items_come_before_the_actions_of_the_open_tab() {
    assert_eq!(first(""), Action::Advance.describe());

    let recent = ["absent Bo".to_owned(), "tick The alarm".to_owned()];
    let found = search_in(&table(), Context::Clocks, "", &recent);
    let expected = ["absent Bo", "tick The alarm", Action::Advance.describe()];
    assert_eq!(found[..3], expected);
}

#[test]
fn the_name_of_an_entity_finds_its_most_usual_command_first() {
    assert_eq!(first("alarm"), "tick The alarm");
    assert_eq!(first("The alarm"), "tick The alarm");
    assert_eq!(first("Mira"), "roll Mira");
    assert_eq!(first("hide alarm"), "hide The alarm");
    assert_eq!(first("roll mira agil"), "roll Mira Agility");
    assert_eq!(first("mira dest"), "gain 1 Mira Destiny Points");
}

#[test]
fn the_kind_of_an_entity_finds_the_command_that_deletes_it() {
    assert_eq!(search("delete char"), ["delete Mira", "delete Bo"]);
    assert_eq!(first("delete clock"), "delete The alarm");
}

#[test]
fn the_clocks_of_the_table_come_before_those_of_the_rules() {
    let table = new_table("test", System::GNOSIS);
    let mira = Character::new("Mira", Sheet::new(System::GNOSIS));
    submit(Command::add(mira), &table);
    submit(Command::add(six_segment_clock("The alarm")), &table);

    let found = search_in(&table, Context::Table, "tick", &[]);
    assert_eq!(found[..2], ["tick The alarm", "tick Mira Stress"]);
}

#[test]
fn a_command_that_is_typed_in_full_is_offered_as_typed() {
    assert_eq!(first("tick alarm 3"), "tick alarm 3");
    assert_eq!(first("note The rope held"), "note The rope held");
    assert_eq!(first("roll Mira agility cn=12"), "roll Mira agility cn=12");
}

#[test]
fn every_item_does_what_its_text_does_on_the_command_line() {
    let table = table();
    table.read(&Seat::gm(), |view| {
        let palette = Palette::new(Context::Table.chain(), &Keymap::default(), &[], view);
        let mut command_count = 0;
        let mut roll_count = 0;
        for item in &palette.all {
            let text = &item.text;
            match &item.does {
                ItemAction::Command(id, target) => {
                    let typed_act = parse_act(text, view).unwrap();
                    let targets = target.iter().copied().collect();
                    let item_act = id.act_on(targets, view).unwrap();
                    assert_eq!(typed_act, item_act, "{text}");
                    command_count += 1;
                }
                ItemAction::Roll(roll) => {
                    let typed_roll = roll_of(parse_act(text, view));
                    let item_roll = incomplete_or_whole(roll.roll(view));
                    assert_eq!(typed_roll, item_roll, "{text}");
                    roll_count += 1;
                }
                ItemAction::Typed => {
                    parse_act(text, view).unwrap();
                }
                ItemAction::RollOnTable(_) => panic!("{text}"),
                ItemAction::Action(_) | ItemAction::Create(_) | ItemAction::Open(..) => {}
            }
        }
        assert!(command_count > 15, "{command_count}");
        assert!(roll_count > 10, "{roll_count}");
    });
}

/// The roll of an act, also if fields are missing.
fn roll_of(result: Result<Act, ParseError>) -> RollCommand {
    let roll = result.map(|act| match act {
        Act::Do(command) => match *command {
            Command::Roll(roll) => *roll,
            command => panic!("{command:?}"),
        },
        act => panic!("{act:?}"),
    });
    incomplete_or_whole(roll)
}

fn incomplete_or_whole(result: Result<RollCommand, ParseError>) -> RollCommand {
    match result {
        Ok(roll) => roll,
        Err(ParseError::IncompleteRoll { roll, .. }) => *roll,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_command_shows_the_key_of_its_action() {
    assert_eq!(Action::of_command(CommandId::Tick), Some(Action::Advance));
    assert_eq!(
        Action::of_command(CommandId::Show),
        Some(Action::Visibility)
    );
    assert_eq!(Action::of_command(CommandId::Rename), None);
}
