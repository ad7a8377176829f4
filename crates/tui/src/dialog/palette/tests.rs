//! What a few letters find, and that it is what it says.

use std::sync::Arc;

use super::*;
use crate::fixtures::new_table;
use tableside_game::{Character, Clock, Command, Segments};
use tableside_rules::{Sheet, System};
use tableside_table::{Seat, Table};

fn table() -> Arc<Table> {
    let table = new_table("test", System::HEART_RUSH);
    for name in ["Mira", "Bo"] {
        let sheet = Sheet::new(System::HEART_RUSH);
        let command = Command::add(Character::new(name, sheet));
        table.submit(&Seat::gm(), &command.into()).unwrap();
    }
    let clock = Clock::new("The alarm", Segments::try_from(6).unwrap());
    let command = Command::add(clock);
    table.submit(&Seat::gm(), &command.into()).unwrap();
    table
}

fn found_after(sought: &str, recent: &[String]) -> Vec<Item> {
    table().read(&Seat::gm(), |view| {
        let keymap = Keymap::default();
        let mut palette = Palette::new(Context::Clocks.chain(), &keymap, recent, view);
        palette.field.set(sought);
        palette.find(view);
        palette.found
    })
}

fn first(sought: &str) -> String {
    let mut found = found_after(sought, &[]).into_iter();
    found.next().map_or_else(String::new, |item| item.words)
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
    for sought in ["qqqq", "delete the char", "tick session"] {
        assert_eq!(found_after(sought, &[]), [], "{sought}");
    }
}

#[test]
fn what_belongs_here_comes_first_and_what_was_just_done_before_it() {
    assert_eq!(first(""), Action::Advance.describe());
    let recent = ["absent Bo".to_owned(), "tick The alarm".to_owned()];
    let found = found_after("", &recent);
    let words = found.iter().map(|item| item.words.as_str()).take(3);
    let due = ["absent Bo", "tick The alarm", Action::Advance.describe()];
    assert_eq!(words.collect::<Vec<_>>(), due);
}

#[test]
fn the_name_of_a_thing_is_enough_for_what_is_wanted_of_it_most() {
    assert_eq!(first("alarm"), "tick The alarm");
    assert_eq!(first("The alarm"), "tick The alarm");
    assert_eq!(first("Mira"), "roll Mira");
    assert_eq!(first("hide alarm"), "hide The alarm");
    assert_eq!(first("roll mira agil"), "roll Mira Agility");
    assert_eq!(first("mira dest"), "gain 1 Mira Destiny Points");
}

#[test]
fn what_is_deleted_is_of_the_kind_that_was_said() {
    let found = found_after("delete char", &[]);
    let words = found.iter().map(|item| item.words.as_str());
    assert_eq!(words.collect::<Vec<_>>(), ["delete Mira", "delete Bo"]);
    assert_eq!(first("delete clock"), "delete The alarm");
}

#[test]
fn the_clocks_of_the_table_come_before_those_of_the_rules() {
    let table = new_table("test", System::GNOSIS);
    let mira = Character::new("Mira", Sheet::new(System::GNOSIS));
    let alarm = Clock::new("The alarm", Segments::try_from(6).unwrap());
    for command in [Command::add(mira), Command::add(alarm)] {
        table.submit(&Seat::gm(), &command.into()).unwrap();
    }
    table.read(&Seat::gm(), |view| {
        let mut palette = Palette::new(Context::Table.chain(), &Keymap::default(), &[], view);
        palette.field.set("tick");
        palette.find(view);
        let words = palette.found.iter().map(|item| &*item.words).take(2);
        assert_eq!(
            words.collect::<Vec<_>>(),
            ["tick The alarm", "tick Mira Stress"]
        );
    });
}

#[test]
fn what_is_typed_out_is_offered_as_it_was_typed() {
    assert_eq!(first("tick alarm 3"), "tick alarm 3");
    assert_eq!(first("note The rope held"), "note The rope held");
    assert_eq!(first("roll Mira agility cn=12"), "roll Mira agility cn=12");
}

#[test]
fn every_command_listed_is_what_its_words_say_on_the_command_line() {
    let table = table();
    table.read(&Seat::gm(), |view| {
        let palette = Palette::new(Context::Table.chain(), &Keymap::default(), &[], view);
        let (mut acts, mut rolls) = (0, 0);
        for item in &palette.all {
            match &item.does {
                ItemAction::Command(id, target) => {
                    let typed = parse_act(&item.words, view).unwrap();
                    let targets = target.iter().copied().collect();
                    assert_eq!(typed, id.act_on(targets, view).unwrap(), "{}", item.words);
                    acts += 1;
                }
                ItemAction::Roll(roll) => {
                    let typed = begun_roll(parse_act(&item.words, view));
                    let listed = begun_roll(roll.roll(view).map(|roll| {
                        let command = Command::Roll(Box::new(roll));
                        command.into()
                    }));
                    assert_eq!(typed, listed, "{}", item.words);
                    rolls += 1;
                }
                ItemAction::RollOnTable(_) | ItemAction::Typed => panic!("{}", item.words),
                ItemAction::Action(_) | ItemAction::Open(..) => {}
            }
        }
        assert!(acts > 15 && rolls > 10, "{acts} {rolls}");
    });
}

/// The roll of an act, also if fields are missing.
fn begun_roll(result: Result<Act, ParseError>) -> RollCommand {
    match result {
        Ok(Act::Do(command)) => match *command {
            Command::Roll(roll) => *roll,
            command => panic!("{command:?}"),
        },
        Ok(act) => panic!("{act:?}"),
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
