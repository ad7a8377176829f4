//! What people say, and what comes of it.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::*;
use tableside_dice::{Die, SystemDice};
use tableside_game::{Character, Command, Faces, Game, RollCommand};
use tableside_rules::{Sheet, System};
use tableside_table::{Seat, Table};

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
    told(&table, "add clock The alarm 6 countdown").unwrap();
    table
}

fn act(table: &Arc<Table>, words: &str) -> Result<Act, ParseError> {
    table.read(&Seat::gm(), |seen| read(words, seen))
}

/// Does it, and says what the log says.
fn told(table: &Arc<Table>, words: &str) -> Result<String, String> {
    let act = act(table, words).map_err(|unclear| unclear.to_string())?;
    let entry = table.submit(&Seat::gm(), &act);
    let entry = entry.map_err(|problem| problem.to_string())?;
    table.read(&Seat::gm(), |seen| Ok(entry.event.text(seen.system())))
}

/// Does one line after another: behind `->` stands what the log says, behind `!!` why it cannot be, and `...`
/// leaves out the rest.
#[track_caller]
fn play(table: &Arc<Table>, script: &str) {
    let lines = script.lines().map(str::trim);
    for line in lines.filter(|line| !line.is_empty()) {
        let (words, due) = match (line.split_once(" -> "), line.split_once(" !! ")) {
            (Some((words, due)), _) => (words, Ok(due)),
            (None, Some((words, due))) => (words, Err(due)),
            (None, None) => (line, Ok("...")),
        };
        let told = told(table, words);
        let fits = |told: &str, due: &str| match due.split_once("...") {
            Some((begin, end)) => told.starts_with(begin) && told.ends_with(end),
            None => told == due,
        };
        let is_due = match (&told, due) {
            (Ok(told), Ok(due)) | (Err(told), Err(due)) => fits(told, due),
            _ => false,
        };
        assert!(is_due, "{words}: {told:?}");
    }
}

/// Every story of the file, at a table of its own: of Heart Rush, or of the system that its title ends with.
#[test]
fn what_is_said_comes_to_what_is_written() {
    for story in include_str!("tests/words.txt").split("\n\n") {
        let (title, script) = story.split_once('\n').unwrap();
        let table = match title.rsplit_once(" in ").map(|(_, system)| system.parse()) {
            Some(Ok(system)) => new_table("test", system),
            _ => table(),
        };
        play(&table, script);
    }
}

#[test]
fn what_is_too_long_or_nothing_is_refused_in_few_words() {
    let table = table();
    let nothing = "say what is to be done, as in: tick The alarm";
    assert_eq!(told(&table, ""), Err(nothing.to_owned()));
    let why = told(&table, "set all 1 all 1").unwrap_err();
    assert!(!why.contains("did you mean"), "{why}");
    let why = told(&table, &format!("move 1 {}x", "from ".repeat(56))).unwrap_err();
    assert!(why.contains("too many ways"), "{why}");
    assert!(why.contains("move AMOUNT NAME from FROM to TO"), "{why}");
    let name = format!("Bo {}", "of the Order ".repeat(12).trim());
    let due = format!("Bo: now named {name}");
    assert_eq!(told(&table, &format!("rename Bo to {name}")), Ok(due));
}

#[test]
fn a_check_is_rolled_by_its_name_or_by_what_stands_on_the_sheet() {
    let table = table();
    let roll = |words: &str| -> RollCommand {
        let Act::Do(command) = act(&table, words).unwrap() else {
            panic!("{words} is no command")
        };
        let Command::Roll(roll) = *command else {
            panic!("{words} is no roll")
        };
        *roll
    };
    let one = roll("roll Mira agility cn=12 faces=5,4");
    assert_eq!(one.filled.fields.spec().id, "skill");
    assert_eq!(one.filled.fields.number("cn"), 12);
    assert_eq!(one.filled.source("ability").unwrap().to_string(), "Agility");
    assert_eq!(one.faces, Faces::Typed(vec![5, 4]));
    let two = roll("roll Mira save with might 9 hidden");
    assert_eq!(two.filled.fields.spec().id, "save");
    assert_eq!(two.filled.fields.number("cn"), 9);
    assert_eq!(two.hidden_from, ["*"]);
    let three = roll("roll Mira mountain-guide cn=12 helped choose=fail for the alarm");
    assert_eq!(three.filled.fields.number("profession"), 2);
    assert!(three.filled.fields.flag("helped") && three.clock.is_some());
    assert_eq!(three.choose, ["fail"]);
    let four = roll("roll Mira skill agility profession=mountain guide cn=8 help=Bo");
    assert_eq!(four.filled.fields.number("profession"), 2);
    assert_eq!(four.helpers.len(), 1);
    let attack = roll("roll Mira attack might weapon=d8 defense-heart=d8 defense-ability=d6");
    assert_eq!(attack.filled.fields.text("stance"), "even");
    assert_eq!(attack.filled.fields.die("ability"), Die::D6);
    let five = roll("roll worst skill cn=12");
    assert!(!five.helpers.is_empty() || five.who.is_some());
    let script = "
        roll Mira agility !! cn is missing; it must be a number from 1 to 40
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
    assert_eq!(texts, ["Something was rolled in secret.", "Dice, 2d6+1: 8"]);
    // A character who is called like dice is meant.
    let script = "
        add character d6
        roll d6 !! cn is missing; it must be a number from 1 to 40
    ";
    play(&table, script);
}

#[test]
fn every_command_has_help_and_shows_its_form_without_fillers() {
    for spec in commands() {
        let form = spec.form();
        assert!(!spec.help().is_empty() && !form.contains('~'), "{form}");
        let first = form.split(' ').next();
        let verb = first.filter(|word| !word.starts_with(char::is_uppercase));
        assert_eq!(verb, spec.verbs().next());
    }
    let helped = spec::HELP.lines().filter(|line| !line.is_empty());
    assert_eq!(helped.count(), commands().count());
}

#[test]
fn no_words_whatever_do_harm() {
    let table = table();
    told(&table, &("note ".to_owned() + "x ".repeat(900).as_str())).unwrap();
    told(&table, &"tick ".repeat(1_001)).unwrap_err();
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
        let _either = told(&table, words);
    }
}
