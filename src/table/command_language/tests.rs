//! What people say, and what comes of it.

mod around;

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::*;
use crate::dice::{Die, Luck};
use crate::rules::{Sheet, System};
use crate::session::{Character, Command, Session};
use crate::table::{Seat, Table};

fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn new_table(system: System) -> Arc<Table> {
    let dice = Box::new(Luck::from_key([7; 32]));
    Table::unsaved("test", Session::new(system), Vec::new(), None, noon, dice)
}

/// A table of Heart Rush with two heroes, three goblins and a clock.
fn table() -> Arc<Table> {
    let table = new_table(System::HeartRush);
    for name in ["Mira", "Bo", "Goblin", "Goblin 2", "Salt and Pepper"] {
        let mut sheet = Sheet::new(System::HeartRush);
        let professions = sheet
            .stat("professions")
            .unwrap()
            .parse("Sailor 3, Mountain Guide 2");
        sheet.set("professions", professions.unwrap()).unwrap();
        let character = Character::new(name, sheet);
        let command = Command::AddCharacter(Box::new(character));
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

#[track_caller]
fn says(table: &Arc<Table>, words: &str, due: &str) {
    assert_eq!(told(table, words).as_deref(), Ok(due), "{words}");
}

#[track_caller]
fn refuses(table: &Arc<Table>, words: &str, due: &str) {
    assert_eq!(told(table, words).err().as_deref(), Some(due), "{words}");
}

#[test]
fn words_that_can_be_read_in_too_many_ways_are_given_up_and_long_names_are_not() {
    let table = table();
    let from = format!("move 1 {}x", "from ".repeat(56));
    let refused = told(&table, &from).unwrap_err();
    assert!(refused.contains("too many ways"), "{refused}");
    assert!(
        refused.contains("move AMOUNT NAME from FROM to TO"),
        "{refused}"
    );
    let long = "of the Order ".repeat(12);
    let name = format!("Bo {}", long.trim());
    says(
        &table,
        &format!("rename Bo to {name}"),
        &format!("Bo: now named {name}"),
    );
}

#[test]
fn a_clock_is_ticked_by_its_name_or_part_of_it() {
    let table = table();
    says(&table, "tick the alarm", "The alarm +1: 1 of 6");
    says(&table, "TICK Alarm by two", "The alarm +2: 3 of 6");
    says(&table, "untick al", "The alarm −1: 2 of 6");
    says(&table, "fill alrm", "The alarm +4: 6 of 6, full");
    refuses(&table, "tick alarm 2", "The alarm is full already (6 of 6)");
    refuses(&table, "tick alarm 0", "nothing changed");
    says(&table, "empty the alarm", "The alarm −6: 0 of 6");
    says(&table, "hide the alarm", "The alarm: hidden");
    says(&table, "show alarm", "The alarm: visible");
    says(&table, "known alarm", "The alarm: known");
}

#[test]
fn a_number_that_belongs_to_a_name_is_part_of_it() {
    let table = table();
    told(&table, "add clock Gate 4").unwrap();
    told(&table, "add clock Gate 2 4").unwrap();
    says(&table, "tick gate 2", "Gate 2 +1: 1 of 4");
    says(&table, "tick gate by 2", "Gate +2: 2 of 4");
    says(&table, "tick gate 2 2", "Gate 2 +2: 3 of 4");
    says(
        &table,
        "damage goblin 3",
        "Goblin: 3 damage, hit points 40 to 37",
    );
    says(
        &table,
        "damage goblin 2 3",
        "Goblin 2: 3 damage, hit points 40 to 37",
    );
}

#[test]
fn a_die_goes_as_many_steps_as_are_said() {
    let table = table();
    says(&table, "raise Mira might 2", "Mira: Might d6 to d10");
    says(&table, "lower Mira might 3", "Mira: Might d10 to d4");
    refuses(
        &table,
        "raise Mira might 9",
        "Mira: Might is d4, and cannot go 9 steps",
    );
    refuses(
        &table,
        "lower Mira might 2",
        "Mira: Might is d4 already, and goes no further",
    );
}

#[test]
fn free_dice_are_read_by_those_from_whom_they_are_not_hidden() {
    let table = table();
    says(&table, "roll 2d6+1 faces=3,4", "Dice, 2d6+1: 8");
    says(&table, "roll Mira d6 faces=2 hidden", "Mira, dice, d6: 2");
    says(&table, "roll Mira d6 noticed faces=5", "Mira, dice, d6: 5");
    told(&table, "hide Goblin").unwrap();
    says(&table, "roll Goblin d6 faces=6", "Goblin, dice, d6: 6");
    let (texts, thrown) = table.read(&Seat::onlooker(), |seen| {
        let texts: Vec<String> = seen
            .log()
            .map(|entry| entry.event.text(seen.system()))
            .collect();
        let dice = seen.statistics().all.dice;
        (texts, dice.first().map(|figures| figures.thrown))
    });
    assert_eq!(texts, ["Something was rolled in secret.", "Dice, 2d6+1: 8"]);
    assert_eq!(thrown, Some(2), "the faces of open dice are counted");
    let (rolled, thrown) = table.read(&Seat::gm(), |seen| {
        let dice = seen.statistics().all.dice;
        (
            seen.rolled().count(),
            dice.first().map(|figures| figures.thrown),
        )
    });
    assert_eq!((rolled, thrown), (4, Some(5)));
    // Whoever is called like dice is meant.
    told(&table, "add character d6").unwrap();
    refuses(
        &table,
        "roll d6",
        "cn is missing; it must be a number from 1 to 40",
    );
}

#[test]
fn a_clock_that_is_called_like_an_article_is_found() {
    let table = table();
    told(&table, "add clock A 4").unwrap();
    told(&table, "add clock B 4").unwrap();
    says(&table, "tick a 2", "A +2: 2 of 4");
    says(&table, "link A to B", "A: advances B when full");
}

#[test]
fn where_nothing_is_like_it_nothing_is_suggested() {
    let table = table();
    let told = told(&table, "set all 1 all 1").unwrap_err();
    assert!(!told.contains("did you mean"), "{told}");
}

#[test]
fn of_several_that_could_be_meant_none_is_taken() {
    let table = table();
    refuses(
        &table,
        "absent gob",
        "\"gob\" could be Goblin or Goblin 2; say which",
    );
    refuses(
        &table,
        "tick the alrmm",
        "there is no clock \"the alrmm\"; did you mean The alarm?",
    );
    refuses(
        &table,
        "absent Mirra",
        "there is no character \"Mirra\"; did you mean Mira?",
    );
    refuses(&table, "absent Zed", "there is no character \"Zed\"");
}

#[test]
fn what_is_not_said_rightly_is_answered_with_the_form() {
    let table = table();
    refuses(&table, "", "say what is to be done, as in: tick The alarm");
    refuses(
        &table,
        "tik the alarm",
        "no action begins with \"tik\"; did you mean tick?",
    );
    refuses(
        &table,
        "tick",
        "CLOCK is missing; say it as in: tick CLOCK [AMOUNT]",
    );
    refuses(
        &table,
        "tick the alarm twice",
        "\"twice\" is too much; say it as in: tick CLOCK [AMOUNT]",
    );
    refuses(
        &table,
        "damage Mira much",
        "AMOUNT, a number, should stand where \"much\" does; say it as in: damage WHO… AMOUNT [shrug]",
    );
    refuses(
        &table,
        "add clock Long 1",
        "a clock has 2–128 segments, and 1 were given",
    );
    refuses(
        &table,
        "add clock Long",
        "SEGMENTS is missing; say it as in: add clock NAME SEGMENTS [effort|countdown|race|tug-of-war] [hidden|known] [OWNER]",
    );
    refuses(
        &table,
        "add clock Long 300",
        "a clock has 2–128 segments, and 300 were given",
    );
    refuses(
        &table,
        "segments the alarm -3",
        "a clock has 2–128 segments, and -3 were given",
    );
}

#[test]
fn tokens_are_given_and_spent() {
    let table = table();
    says(
        &table,
        "give Mira 1 destiny",
        "Mira: Destiny Points +1, now 4",
    );
    says(
        &table,
        "give Mira 2 for courage",
        "Mira: Destiny Points +2, now 6 (courage)",
    );
    says(
        &table,
        "spend mira 1 destiny points",
        "Mira: Destiny Points −1, now 5",
    );
    says(
        &table,
        "set Mira destiny to 2",
        "Mira: Destiny Points −3, now 2",
    );
    says(&table, "add pool Torches 6", "New pool: Torches");
    says(&table, "spend 1 torches", "The table: Torches −1, now 5");
    says(&table, "set torches 3", "The table: Torches −2, now 3");
    says(
        &table,
        "threshold torches at 0 it is dark",
        "Torches: tells at 0: it is dark",
    );
    says(
        &table,
        "spend 3 torches",
        "The table: Torches −3, now 0 (it is dark)",
    );
    says(
        &table,
        "threshold torches 0 none",
        "Torches: tells nothing any more",
    );
    says(
        &table,
        "limit torches to 2 a scene",
        "Torches: a scene gives at most 2",
    );
    says(&table, "gain 3 torches", "The table: Torches +2, now 2");
    says(
        &table,
        "limit torches none",
        "Torches: a scene gives any number",
    );
    let moved = told(&table, "move 1 destiny from Mira to Bo").unwrap();
    assert!(moved.contains("Destiny Points"), "{moved}");
}

#[test]
fn a_stat_is_set_and_stepped() {
    let table = table();
    says(&table, "set Mira agility d8", "Mira: Agility d6 to d8");
    says(&table, "raise Mira agility", "Mira: Agility d8 to d10");
    says(
        &table,
        "lower Mira hit points 5",
        "Mira: Hit points 40 to 35",
    );
    refuses(
        &table,
        "set Mira agility d7",
        "agility must be one of d4, d6, d8, d10, d12, d20, and \"d7\" was given",
    );
}

#[test]
fn several_are_named_with_commas_and_and() {
    let table = table();
    for words in [
        "absent Mira and Bo",
        "present Mira, Bo",
        "acted all",
        "waits everybody",
    ] {
        told(&table, words).unwrap();
    }
    says(
        &table,
        "absent Salt and Pepper",
        "Salt and Pepper: is absent",
    );
    told(&table, "absent Salt and Pepper, Mira").unwrap();
    told(&table, "absent Bo, Mira").unwrap();
    table.read(&Seat::gm(), |seen| {
        let here = seen.roster().filter(|one| one.is_here());
        let here: Vec<&str> = here.map(|one| one.name.as_str()).collect();
        assert_eq!(here, ["Goblin", "Goblin 2"]);
    });
}

#[test]
fn a_condition_comes_with_its_rounds_and_goes() {
    let table = table();
    told(&table, "condition Mira dazed 2 rounds").unwrap();
    told(&table, "condition Mira is on fire 3 for 1 round").unwrap();
    table.read(&Seat::gm(), |seen| {
        let mira = seen.character_named("Mira").unwrap();
        let told: Vec<_> = mira
            .conditions
            .iter()
            .map(|one| (one.name.as_str(), one.value, one.rounds))
            .collect();
        assert_eq!(
            told,
            [("dazed", None, Some(2)), ("on fire", Some(3), Some(1))]
        );
    });
    told(&table, "cure Mira of dazed").unwrap();
    refuses(
        &table,
        "cure Mira dazed",
        "there is no condition \"dazed\"; Mira is on fire",
    );
    told(&table, "cure Mira").unwrap();
}

#[test]
fn a_check_is_rolled_by_its_name_or_by_what_stands_on_the_sheet() {
    let table = table();
    let roll = |words: &str| match act(&table, words).unwrap() {
        Act::Do(command) => match *command {
            Command::Roll(roll) => *roll,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    let one = roll("roll Mira agility cn=12 faces=5,4");
    assert_eq!(one.fields.spec().id, "skill");
    assert_eq!(one.fields.number("cn"), 12);
    assert_eq!(
        one.sources
            .iter()
            .find(|(field, _)| field == "ability")
            .unwrap()
            .1
            .to_string(),
        "Agility"
    );
    assert_eq!(one.faces, crate::session::Faces::Typed(vec![5, 4]));
    let two = roll("roll Mira save might 9 hidden");
    assert_eq!(two.fields.spec().id, "save");
    assert_eq!(two.fields.number("cn"), 9);
    assert_eq!(two.hidden_from, ["*"]);
    let three = roll("roll Mira mountain guide cn=12 helped choose=fail for the alarm");
    assert_eq!(three.fields.number("profession"), 2);
    assert!(three.fields.flag("helped"));
    assert_eq!(three.choose, ["fail"]);
    assert!(three.clock.is_some());
    let four = roll("roll Mira skill agility profession=mountain guide cn=8 help=Bo");
    assert_eq!(four.fields.number("profession"), 2);
    assert_eq!(four.helpers.len(), 1);
    let attack = roll("roll Mira attack might weapon=d8 defense-heart=d8 defense-ability=d6");
    assert_eq!(attack.fields.text("stance"), "even");
    assert_eq!(attack.fields.die("ability"), Die::D6);
    let five = roll("roll worst skill cn=12");
    assert!(!five.helpers.is_empty() || five.who != crate::session::Who::Nobody);
    refuses(
        &table,
        "roll Mira agility",
        "cn is missing; it must be a number from 1 to 40",
    );
    refuses(
        &table,
        "roll Mira agilitty cn=9",
        "there is no check, skill or field \"agilitty\"; did you mean Agility?",
    );
    let wrong = told(&table, "roll Mira skill cnn=9").unwrap_err();
    assert!(wrong.contains("cnn") && wrong.contains("cn"), "{wrong}");
}

#[test]
fn what_was_done_is_taken_back_struck_and_noted() {
    let table = table();
    told(&table, "tick alarm").unwrap();
    let undone = told(&table, "undo").unwrap();
    assert!(undone.starts_with("Took back #"), "{undone}");
    told(&table, "redo").unwrap();
    says(&table, "note  The rope   held", "The rope held");
    says(&table, "note about #1 well met", "well met (about #1)");
    told(&table, "roll Mira agility cn=12 faces=5,4").unwrap();
    let amended = told(&table, "amend last modifier=5").unwrap();
    assert!(amended.starts_with("Amended #"), "{amended}");
    told(&table, "strike last wrong dice").unwrap();
    says(&table, "next scene The warehouse", "Scene: The warehouse");
    says(&table, "new scene", "A new scene");
    says(&table, "end the session", "The session ended");
    says(&table, "house ones any", "House rule ones: kept to any");
    says(&table, "house ones KEPT", "House rule ones: any to kept");
}

#[test]
fn a_call_is_made_answered_and_taken_back() {
    let table = table();
    told(&table, "call all skill cn=9").unwrap();
    told(&table, "call Mira agility cn=9 shown").unwrap();
    told(&table, "cancel call Bo").unwrap();
    refuses(
        &table,
        "answer fail",
        "there is nothing to answer: no check waits",
    );
    told(&table, "roll Mira agility cn=9 faces=1,6 wait").unwrap();
    told(&table, "answer fail").unwrap();
}

#[test]
fn things_are_renamed_copied_and_deleted() {
    let table = table();
    told(&table, "rename the alarm to The siren").unwrap();
    says(&table, "tick siren", "The siren +1: 1 of 6");
    says(&table, "duplicate goblin", "New character: Goblin 3");
    says(&table, "delete goblin 3", "Removed the character Goblin 3");
    says(
        &table,
        "add character Gark adversary hidden",
        "New character: Gark",
    );
    told(&table, "show gark").unwrap();
    told(&table, "side Gark ally").unwrap();
    told(&table, "player Mira Ana").unwrap();
    told(&table, "notes Mira owes the smith three coins").unwrap();
}

#[test]
fn a_clock_of_somebody_is_named_by_its_owner() {
    let table = new_table(System::Gnosis);
    told(&table, "add character Ana").unwrap();
    told(&table, "add character Bo").unwrap();
    let unclear = told(&table, "tick stress").unwrap_err();
    assert_eq!(
        unclear,
        "\"stress\" could be Ana Stress or Bo Stress; say which"
    );
    says(&table, "tick Ana's stress 2", "Stress +2: 2 of 3");
    told(&table, "tick bo stress").unwrap();
}

#[test]
fn every_command_has_an_example_that_begins_as_it_does() {
    for spec in commands() {
        let form = spec.form();
        assert!(!spec.help.is_empty() && !form.contains('~'), "{spec:?}");
        let first = spec.example.split(' ').next();
        assert_eq!(first, spec.verbs().next(), "{spec:?}");
        assert_eq!(form.split(' ').next(), first);
    }
}

#[test]
fn no_words_whatever_do_harm() {
    let table = table();
    let long = "note ".to_owned() + &"x ".repeat(900);
    told(&table, &long).unwrap();
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
