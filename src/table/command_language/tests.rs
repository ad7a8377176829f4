//! What people say, and what comes of it.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::*;
use crate::dice::{Die, SystemDice};
use crate::rules::{Sheet, System};
use crate::session::{Character, Command, Faces, RollCommand, Session};
use crate::table::{Seat, Table};

fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn new_table(system: System) -> Arc<Table> {
    let dice = Box::new(SystemDice::from_key([7; 32]));
    Table::unsaved("test", Session::new(system), Vec::new(), None, noon, dice)
}

/// A table of Heart Rush with two heroes, three others and a clock.
fn table() -> Arc<Table> {
    let table = new_table(System::HeartRush);
    for name in ["Mira", "Bo", "Goblin", "Goblin 2", "Salt and Pepper"] {
        let mut sheet = Sheet::new(System::HeartRush);
        let professions = sheet.stat("professions").unwrap();
        let professions = professions.parse("Sailor 3, Mountain Guide 2");
        sheet.set("professions", professions.unwrap()).unwrap();
        let command = Command::AddCharacter(Box::new(Character::new(name, sheet)));
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
    for line in script
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
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

#[test]
fn clocks_are_named_whole_or_in_part_with_or_without_their_numbers() {
    let script = "
        tick the alarm -> The alarm +1: 1 of 6
        TICK Alarm by two -> The alarm +2: 3 of 6
        untick al -> The alarm −1: 2 of 6
        fill alrm -> The alarm +4: 6 of 6, full
        tick alarm 2 !! The alarm is full already (6 of 6)
        tick alarm 0 !! nothing changed
        empty the alarm -> The alarm −6: 0 of 6
        hide the alarm -> The alarm: hidden
        show alarm -> The alarm: visible
        known alarm -> The alarm: known
        add clock Gate 4
        add clock Gate 2 4
        tick gate 2 -> Gate 2 +1: 1 of 4
        tick gate by 2 -> Gate +2: 2 of 4
        tick gate 2 2 -> Gate 2 +2: 3 of 4
        damage goblin 3 -> Goblin: 3 damage, hit points 40 to 37
        damage goblin 2 3 -> Goblin 2: 3 damage, hit points 40 to 37
        add clock A 4
        add clock B 4
        tick a 2 -> A +2: 2 of 4
        link A to B -> A: advances B when full
        absent gob !! \"gob\" could be Goblin or Goblin 2; say which
        tick the alrmm !! there is no clock \"the alrmm\"; did you mean The alarm?
        absent Mirra !! there is no character \"Mirra\"; did you mean Mira?
        absent Zed !! there is no character \"Zed\"
    ";
    play(&table(), script);
    let script = "
        add character Ana
        add character Bo
        tick stress !! \"stress\" could be Ana Stress or Bo Stress; say which
        tick Ana's stress 2 -> Stress +2: 2 of 3
        tick bo stress
    ";
    play(&new_table(System::Gnosis), script);
}

#[test]
fn what_does_not_fit_is_answered_with_the_form() {
    let table = table();
    let script = "
        tik the alarm !! no action begins with \"tik\"; did you mean tick?
        tick !! CLOCK is missing; say it as in: tick CLOCK [AMOUNT]
        tick the alarm twice !! \"twice\" is too much; say it as in: tick CLOCK [AMOUNT]
        damage Mira much !! AMOUNT, a number, should stand where \"much\" does; say it as in: damage WHO… AMOUNT [shrug]
        add clock Long 1 !! a clock has 2–128 segments, and 1 were given
        add clock Long !! SEGMENTS is missing; say it as in: add clock NAME SEGMENTS [effort|countdown|race|tug-of-war] [hidden|known] [OWNER]
        segments the alarm -3 !! a clock has 2–128 segments, and -3 were given
    ";
    play(&table, script);
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
fn tokens_are_given_spent_and_moved() {
    let script = "
        give Mira 1 destiny -> Mira: Destiny Points +1, now 4
        give Mira 2 for courage -> Mira: Destiny Points +2, now 6 (courage)
        spend mira 1 destiny points -> Mira: Destiny Points −1, now 5
        set Mira destiny to 2 -> Mira: Destiny Points −3, now 2
        add pool Torches 6 -> New pool: Torches
        spend 1 torches -> The table: Torches −1, now 5
        set torches 3 -> The table: Torches −2, now 3
        threshold torches at 0 it is dark -> Torches: tells at 0: it is dark
        spend 3 torches -> The table: Torches −3, now 0 (it is dark)
        threshold torches 0 none -> Torches: tells nothing any more
        limit torches to 2 a scene -> Torches: a scene gives at most 2
        gain 3 torches -> The table: Torches +2, now 2
        limit torches none -> Torches: a scene gives any number
        move 1 destiny from Mira to Bo -> ...
    ";
    play(&table(), script);
}

#[test]
fn characters_are_changed_one_by_one_or_together() {
    let table = table();
    let script = "
        set Mira agility d8 -> Mira: Agility d6 to d8
        raise Mira agility -> Mira: Agility d8 to d10
        lower Mira hit points 5 -> Mira: Hit points 40 to 35
        set Mira agility d7 !! agility must be one of d4, d6, d8, d10, d12, d20, and \"d7\" was given
        raise Mira might 2 -> Mira: Might d6 to d10
        lower Mira might 3 -> Mira: Might d10 to d4
        raise Mira might 9 !! Mira: Might is d4, and cannot go 9 steps
        lower Mira might 2 !! Mira: Might is d4 already, and goes no further
        condition Mira dazed 2 rounds
        condition Mira is on fire 3 for 1 round
        cure Mira of dazed
        cure Mira dazed !! there is no condition \"dazed\"; Mira is on fire
        absent Mira and Bo
        present Mira, Bo
        acted all
        waits everybody
        absent Salt and Pepper -> Salt and Pepper: is absent
        absent Bo, Mira
    ";
    play(&table, script);
    table.read(&Seat::gm(), |seen| {
        let mira = seen.character_named("Mira").unwrap();
        let fire = mira.conditions.first().unwrap();
        assert_eq!((fire.value, fire.rounds), (Some(3), Some(1)));
        let here = seen.roster().filter(|one| one.is_here());
        let here: Vec<&str> = here.map(|one| one.name.as_str()).collect();
        assert_eq!(here, ["Goblin", "Goblin 2"]);
    });
    let script = "
        cure Mira
        rename the alarm to The siren
        tick siren -> The siren +1: 1 of 6
        duplicate goblin -> New character: Goblin 3
        delete goblin 3 -> Removed the character Goblin 3
        add character Gark adversary hidden -> New character: Gark
        show gark
        side Gark ally
        player Mira Ana
        notes Mira owes the smith three coins
    ";
    play(&table, script);
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
    assert_eq!(one.fields.spec().id, "skill");
    assert_eq!(one.fields.number("cn"), 12);
    let mut sources = one.sources.iter();
    let ability = sources.find(|(field, _)| field == "ability").unwrap();
    assert_eq!(ability.1.to_string(), "Agility");
    assert_eq!(one.faces, Faces::Typed(vec![5, 4]));
    let two = roll("roll Mira save might 9 hidden");
    assert_eq!(two.fields.spec().id, "save");
    assert_eq!(two.fields.number("cn"), 9);
    assert_eq!(two.hidden_from, ["*"]);
    let three = roll("roll Mira mountain guide cn=12 helped choose=fail for the alarm");
    assert_eq!(three.fields.number("profession"), 2);
    assert!(three.fields.flag("helped") && three.clock.is_some());
    assert_eq!(three.choose, ["fail"]);
    let four = roll("roll Mira skill agility profession=mountain guide cn=8 help=Bo");
    assert_eq!(four.fields.number("profession"), 2);
    assert_eq!(four.helpers.len(), 1);
    let attack = roll("roll Mira attack might weapon=d8 defense-heart=d8 defense-ability=d6");
    assert_eq!(attack.fields.text("stance"), "even");
    assert_eq!(attack.fields.die("ability"), Die::D6);
    let five = roll("roll worst skill cn=12");
    assert!(!five.helpers.is_empty() || five.who != crate::session::Who::Nobody);
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
fn what_was_done_is_taken_back_struck_and_noted() {
    let script = "
        tick alarm
        undo -> Took back #...
        redo
        note  The rope   held -> The rope held
        note about #1 well met -> well met (about #1)
        roll Mira agility cn=12 faces=5,4
        amend last modifier=5 -> Amended #...
        strike last wrong dice
        next scene The warehouse -> Scene: The warehouse
        new scene -> A new scene
        end the session -> The session ended
        house ones any -> House rule ones: kept to any
        house ones KEPT -> House rule ones: any to kept
        call all skill cn=9
        call Mira agility cn=9 shown
        cancel call Bo
        answer fail !! there is nothing to answer: no check waits
        roll Mira agility cn=9 faces=1,6 wait
        answer fail
    ";
    play(&table(), script);
}

#[test]
fn clocks_are_linked_raced_and_filled_by_a_check() {
    let table = table();
    let script = "
        add clock The gate closes 4
        link the alarm to gate closes starts -> The alarm: starts The gate closes when full
        tick gate closes !! The gate closes cannot advance: it starts when The alarm is full
        unlink the alarm
        tick gate closes -> The gate closes +1: 1 of 4
        unlink the alarm !! nothing changed
        attach the alarm by Mira skill might cn=12 helped
    ";
    play(&table, script);
    table.read(&Seat::gm(), |seen| {
        let alarm = seen.clocks().next().unwrap().clock;
        let check = alarm.check.as_ref().unwrap();
        assert_eq!(
            (check.check.as_str(), seen.owner_name(check.who)),
            ("skill", "Mira")
        );
        let fields = check
            .fields
            .iter()
            .map(|(id, given)| (id.as_str(), given.as_str()));
        let due = [("ability", "Might"), ("cn", "12"), ("helped", "yes")];
        assert_eq!(fields.collect::<Vec<_>>(), due);
    });
    let script = "
        detach alarm
        race the alarm against gate closes
        add clock The fire 4
        race fire against the alarm
        race fire against the alarm !! nothing changed
        fill fire
        tick gate closes !! The gate closes cannot advance: the race is over, and The fire came first
    ";
    play(&table, script);
}

#[test]
fn a_scene_is_prepared_brought_and_revealed() {
    let table = table();
    let hidden = || {
        table.read(&Seat::gm(), |seen| {
            let hidden = seen.roster().filter(|one| one.hidden);
            (seen.roster().count(), hidden.count(), seen.clocks().count())
        })
    };
    let prepare = "prepare Goblin, Goblin 2 and the alarm as The ambush away";
    play(&table, prepare);
    assert_eq!(hidden(), (3, 0, 0));
    play(&table, "bring ambush");
    assert_eq!(hidden(), (5, 2, 1));
    play(&table, "reveal scene ambush");
    assert_eq!(hidden(), (5, 0, 1));
    let script = "
        bring the ambuhs !! there is no prepared scene \"the ambuhs\"; did you mean The ambush?
        drop scene ambush
    ";
    play(&table, script);
}

#[test]
fn the_worst_of_the_party_is_called() {
    let table = table();
    let script = "
        lower Bo heart-now
        side Goblin adversary
        call worst might cn=12
    ";
    play(&table, script);
    table.read(&Seat::gm(), |seen| {
        let call = seen.calls().next().unwrap();
        assert_eq!(
            (seen.owner_name(Some(call.who)), call.helpers.len()),
            ("Bo", 3)
        );
        let fields = [("ability", "Might"), ("cn", "12")];
        assert_eq!(
            call.fields,
            fields.map(|(id, given)| (id.to_owned(), given.to_owned()))
        );
    });
}

#[test]
fn every_command_has_an_example_that_begins_as_it_does() {
    for spec in commands() {
        let form = spec.form();
        assert!(!spec.help.is_empty() && !form.contains('~'), "{form}");
        let first = spec.example.split(' ').next();
        assert_eq!(first, spec.verbs().next(), "{form}");
        assert_eq!(form.split(' ').next(), first);
    }
}

#[test]
fn no_words_whatever_do_harm() {
    let table = table();
    told(&table, &("note ".to_owned() + &"x ".repeat(900))).unwrap();
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
