//! Tests that typed commands have the expected text in the log.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use strum::VariantArray as _;

use super::*;
use tableside_dice::{Die, SystemDice};
use tableside_game::{Character, Command, Faces, Game, RollCommand};
use tableside_rules::{Sheet, System};
use tableside_table::{Act, Seat, Table};

fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

/// A new game in memory, with a fixed seed.
fn new_table(name: &str, system: System) -> Arc<Table> {
    let dice = Box::new(SystemDice::from_key([7; 32]));
    Table::unsaved(name, Game::new(system), Vec::new(), None, noon, dice)
}

/// A table of Heart Rush with two heroes, three others and a clock.
fn table() -> Arc<Table> {
    let table = new_table("test", System::HEART_RUSH);
    for name in ["Mira", "Bo", "Goblin", "Goblin 2", "Salt and Pepper"] {
        let mut sheet = Sheet::new(System::HEART_RUSH);
        let professions = sheet.stat("professions").unwrap();
        let professions = professions.parse("Sailor 3, Mountain Guide 2");
        sheet.set("professions", professions.unwrap()).unwrap();
        let command = Command::add(Character::new(name, sheet));
        table.submit(&Seat::gm(), &command.into()).unwrap();
    }
    log_text(&table, "add clock The alarm 6 countdown").unwrap();
    table
}

fn act(table: &Arc<Table>, words: &str) -> Result<Act, ParseError> {
    table.read(&Seat::gm(), |view| parse_act(words, view))
}

/// Runs a command, and returns its text in the log.
fn log_text(table: &Arc<Table>, words: &str) -> Result<String, String> {
    let act = act(table, words).map_err(|error| error.to_string())?;
    let entry = table.submit(&Seat::gm(), &act);
    let entry = entry.map_err(|problem| problem.to_string())?;
    table.read(&Seat::gm(), |view| Ok(entry.event.text(view.system())))
}

/// Runs each line of a script. The expected text in the log follows `->`, or the expected error follows `!!`; `...`
/// stands for any text.
#[track_caller]
fn play(table: &Arc<Table>, script: &str) {
    for line in script.lines().map(str::trim) {
        if line.is_empty() {
            continue;
        }

        let (words, expected) = if let Some((words, text)) = line.split_once(" -> ") {
            (words, Ok(text))
        } else if let Some((words, error)) = line.split_once(" !! ") {
            (words, Err(error))
        } else {
            (line, Ok("..."))
        };

        let result = log_text(table, words);
        let is_expected = match (&result, expected) {
            (Ok(text), Ok(expected)) | (Err(text), Err(expected)) => fits_pattern(text, expected),
            _ => false,
        };
        assert!(is_expected, "{words}: {result:?}");
    }
}

fn fits_pattern(text: &str, pattern: &str) -> bool {
    match pattern.split_once("...") {
        Some((start, end)) => text.starts_with(start) && text.ends_with(end),
        None => text == pattern,
    }
}

/// Every story of the file runs on a new table of Heart Rush, or of the system at the end of its title.
#[test]
fn typed_commands_have_the_results_of_the_stories() {
    for story in include_str!("tests/words.txt").split("\n\n") {
        let (title, script) = story.split_once('\n').unwrap();
        let system = title
            .rsplit_once(" in ")
            .and_then(|(_, system)| system.parse().ok());
        let table = match system {
            Some(system) => new_table("test", system),
            None => table(),
        };
        play(&table, script);
    }
}

#[test]
fn too_many_or_no_words_are_refused() {
    let table = table();
    let error = "type a command, for example: tick The alarm";
    assert_eq!(log_text(&table, ""), Err(error.to_owned()));

    let error = log_text(&table, "set all 1 all 1").unwrap_err();
    assert!(!error.contains("did you mean"), "{error}");

    let words = format!("move 1 {}x", "from ".repeat(56));
    let error = log_text(&table, &words).unwrap_err();
    assert!(error.contains("too many ways"), "{error}");
    assert!(
        error.contains("move AMOUNT NAME from FROM to TO"),
        "{error}"
    );

    let name = format!("Bo {}", "of the Order ".repeat(12).trim());
    let renamed = format!("Bo: now named {name}");
    assert_eq!(
        log_text(&table, &format!("rename Bo to {name}")),
        Ok(renamed)
    );
}

#[test]
fn a_check_is_rolled_by_its_name_or_by_what_stands_on_the_sheet() {
    let table = table();
    let roll = |words: &str| -> RollCommand {
        let Act::Do(command) = act(&table, words).unwrap() else {
            panic!("{words} is not a command")
        };
        let Command::Roll(roll) = *command else {
            panic!("{words} is not a roll")
        };
        *roll
    };
    let by_ability = roll("roll Mira agility cn=12 faces=5,4");
    assert_eq!(by_ability.filled.fields.spec().id, "skill");
    assert_eq!(by_ability.filled.fields.number("cn"), 12);
    assert_eq!(
        by_ability.filled.source("ability").unwrap().to_string(),
        "Agility"
    );
    assert_eq!(by_ability.faces, Faces::Typed(vec![5, 4]));
    let by_save = roll("roll Mira save with might 9 hidden");
    assert_eq!(by_save.filled.fields.spec().id, "save");
    assert_eq!(by_save.filled.fields.number("cn"), 9);
    assert_eq!(by_save.hidden_from, ["*"]);
    let by_profession = roll("roll Mira mountain-guide cn=12 helped choose=fail for the alarm");
    assert_eq!(by_profession.filled.fields.number("profession"), 2);
    assert!(by_profession.filled.fields.flag("helped") && by_profession.clock.is_some());
    assert_eq!(by_profession.choose, ["fail"]);
    let with_helper = roll("roll Mira skill agility profession=mountain guide cn=8 help=Bo");
    assert_eq!(with_helper.filled.fields.number("profession"), 2);
    assert_eq!(with_helper.helpers.len(), 1);
    let attack = roll("roll Mira attack might weapon=d8 defense-heart=d8 defense-ability=d6");
    assert_eq!(attack.filled.fields.text("stance"), "even");
    assert_eq!(attack.filled.fields.die("ability"), Die::D6);
    let of_worst = roll("roll worst skill cn=12");
    assert!(!of_worst.helpers.is_empty() || of_worst.who.is_some());
    let script = "
        roll Mira agility !! Challenge Number (cn) is missing; it must be a number from 1 to 40
        roll Mira agilitty cn=9 !! there is no check, skill or field \"agilitty\"; did you mean Agility?
        roll Mira skill cnn=9 !! ...
        roll 2d6+1 faces=3,4 -> Dice, 2d6+1: 8
        roll Mira d6 faces=2 hidden -> Mira, dice, d6: 2
        roll Mira d6 noticed faces=5 -> Mira, dice, d6: 5
        hide Goblin
        roll Goblin d6 faces=6 -> Goblin, dice, d6: 6
    ";
    play(&table, script);
    let texts = table.read(&Seat::onlooker(), |seen| {
        let texts = seen.log().map(|entry| entry.event.text(seen.system()));
        texts.take(2).collect::<Vec<_>>()
    });
    assert_eq!(texts, ["Dice were rolled in secret.", "Dice, 2d6+1: 8"]);
    // A character with a name like dice wins over the dice.
    let script = "
        add character d6
        roll d6 !! Challenge Number (cn) is missing; it must be a number from 1 to 40
    ";
    play(&table, script);
}

#[test]
fn every_command_has_help_and_shows_its_form_without_fillers_and_synonyms() {
    for spec in commands() {
        let form = spec.form();
        assert!(
            !spec.help().is_empty() && !form.contains(['~', '/']),
            "{form}"
        );

        let first = form.split(' ').next();
        let verb = first.filter(|word| !word.starts_with(char::is_uppercase));
        assert_eq!(verb, spec.verbs().next());
    }
}

#[test]
fn every_command_has_a_form() {
    for id in CommandId::VARIANTS {
        assert!(commands().any(|spec| spec.id == *id), "{id:?}");
    }
}

#[test]
fn a_command_without_words_acts_as_in_words() {
    let table = table();
    table.read(&Seat::gm(), |view| {
        let clock = clock_named("the alarm", view).unwrap();
        let clock = Target::Clock(clock);
        let ticked = CommandId::Tick.act_on(vec![clock], view).unwrap();
        assert_eq!(ticked, parse_act("tick the alarm", view).unwrap());

        let visibility = [CommandId::MakeKnown, CommandId::Hide, CommandId::Show];
        let chosen = choose_command(&visibility, Some(&clock), view);
        assert_eq!(chosen, Some(CommandId::MakeKnown));
        let character = Target::Character(character_named("mira", view).unwrap());
        let chosen = choose_command(&visibility, Some(&character), view);
        assert_eq!(chosen, Some(CommandId::Hide));
        let chosen = choose_command(&[CommandId::MarkActed], Some(&clock), view);
        assert_eq!(chosen, None);
    });
}

#[test]
fn no_words_cause_a_panic() {
    let table = table();
    log_text(&table, &("note ".to_owned() + "x ".repeat(900).as_str())).unwrap();
    log_text(&table, &"tick ".repeat(1_001)).unwrap_err();
    for words in [
        "move 1 a from b from c to d to e",
        "roll = = =",
        "roll Mira =",
        "roll Mira cn=",
        "set",
        "give Mira 99999999999999 destiny",
        "tick the alarm -2147483648",
        "untick the alarm -2147483648",
        "lower Mira hit points -2147483648",
        "condition Mira x 2 for -5 rounds",
        "faces ,,,",
        "\u{202e}tick \u{1b}[2J",
        &"and ".repeat(500),
        &format!("acted {}", "Mira and ".repeat(300)),
    ] {
        let _any_result = log_text(&table, words);
    }
}
