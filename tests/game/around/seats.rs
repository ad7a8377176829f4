//! What a seat sees: nothing that is hidden from it, in no list, no word of the log and no refusal.

use tableside::game::{
    Allegiance, AttachedCheck, Character, Clock, Command, FreeRoll, FreeRollCommand, RollCommand,
    Segments, Visibility,
};
use tableside::rules::{ChosenBy, Sheet, System, Value};
use tableside::table::{Act, Filter, Seat, plain_status};

use super::{TestGame, Try, note, player, with_modifier};

fn game() -> TestGame {
    let game = TestGame::with(
        System::HEART_RUSH,
        &[
            ("Mira", &[("agility", "d10")]),
            ("Bo", &[]),
            ("Xhulk", &[("might", "d12")]),
        ],
    );
    game.run(Command::edit(Character {
        side: Allegiance::Adversary,
        hidden: true,
        notes: "Xsecret".into(),
        ..game.named("Xhulk")
    }));
    game
}

const CLIFF: &[(&str, &str)] = &[("cn", "12"), ("ability", "agility")];

/// Mira climbs, and these do not see it; returns the number of the entry.
fn climb(game: &TestGame, hidden_from: &[&str], noticed: bool) -> u64 {
    let wish = Try {
        fields: CLIFF,
        faces: &[5, 6],
        hidden_from,
        noticed,
        ..Try::default()
    };
    game.roll(&wish).number
}

fn lines(game: &TestGame, seat: &Seat) -> Vec<String> {
    game.table.read(seat, |seen| {
        let log = seen.log();
        log.map(|entry| entry.event.text(seen.system())).collect()
    })
}

#[test]
fn a_roll_closed_to_all_or_to_one_is_not_in_their_log() {
    let game = game();
    let (mira, bo) = (game.player("Mira"), game.player("Bo"));
    let roll = |hidden_from: &[&str]| climb(&game, hidden_from, false);
    let (open, all, one) = (roll(&[]), roll(&["*"]), roll(&["Bo"]));
    let sees = |seat: &Seat| {
        [open, all, one].map(|number| game.table.read(seat, |seen| seen.entry(number).is_some()))
    };
    assert_eq!(sees(&Seat::gm()), [true, true, true]);
    assert_eq!(sees(&mira), [true, false, true]);
    assert_eq!(sees(&bo), [true, false, false]);
    assert_eq!(sees(&Seat::onlooker()), [true, false, true]);
    assert_eq!(lines(&game, &bo).len(), 1);
}

#[test]
fn a_name_like_that_of_another_owns_nothing_of_that_one() {
    let game = game();
    let mira = game.player("Mira");
    game.run(note("Xsecret of the GM"));
    game.act(&mira, &note("mira's own").into()).unwrap();
    let undo = |seat: &Seat| game.act(seat, &Act::Undo);
    let named = |name: &str, seat: &Seat| Seat {
        name: name.into(),
        ..seat.clone()
    };
    // Seats of other people who are called so.
    let [gm, later] = ["gm", "mira"].map(|name| named(name, &player("bo", &[])));
    for seat in [&gm, &later] {
        assert!(lines(&game, seat).is_empty());
        assert!(undo(seat).is_err());
        let found = search_all(&game, seat);
        assert!(found.is_empty(), "{found:?}");
    }
    // One's own is one's own under another name, too.
    let renamed = named("Miranda", &mira);
    assert_eq!(lines(&game, &renamed).len(), 1);
    let number = undo(&renamed).unwrap().number;
    assert!(game.act(&later, &Act::Redo).is_err());
    assert!(game.act(&renamed, &Act::Redo).unwrap().number > number);
}

/// All that the log's filter finds.
fn search_all(game: &TestGame, seat: &Seat) -> Vec<u64> {
    let filter = Filter::default();
    let patience = std::time::Duration::from_mins(1);
    let found = game.table.search(seat, &filter, u64::MAX, patience);
    found.numbers().collect()
}

#[test]
fn a_closed_check_that_waits_is_not_shown_to_them_either() {
    let game = game();
    let bo = game.player("Bo");
    let wish = Try {
        fields: CLIFF,
        faces: &[1, 6],
        hidden_from: &["bo"],
        ..Try::default()
    };
    let mut command = game.command(&wish).unwrap();
    command.wait = true;
    game.run(Command::Roll(Box::new(command)));
    let waiting = |seat| game.table.read(seat, |seen| seen.unfinished().count());
    let counts = [&Seat::gm(), &bo, &Seat::onlooker()].map(waiting);
    assert_eq!(counts, [1, 0, 1]);
    assert!(lines(&game, &bo).is_empty());
}

#[test]
fn a_seat_that_may_only_notice_a_roll_reads_that_there_was_one_and_nothing_else() {
    let game = game();
    let (noticed, hidden) = (climb(&game, &["Bo"], true), climb(&game, &["Bo"], false));
    let bo = game.player("Bo");
    assert_eq!(lines(&game, &bo), ["Dice were rolled in secret."]);
    game.table.read(&bo, |seen| {
        let entry = seen.entry(noticed).unwrap();
        assert_eq!((entry.roll(), entry.by.as_str()), (None, "somebody"));
        assert!(entry.event.changes.is_empty());
        assert_eq!((seen.rolls(), seen.statistics().all.rolls), (0, 0));
        assert_eq!(seen.entry(hidden), None);
    });
    let entry = game.look(|seen| seen.entry(noticed).unwrap());
    let json = tableside::table::EntryJson {
        entry: &entry,
        scene: "",
        session: 1,
        is_struck: false,
        system: game.system,
    };
    let json = serde_json::to_value(json).unwrap();
    assert_eq!(json["noticed"], true);
    assert_eq!(json["hidden-from"], serde_json::json!(["Bo"]));
    // Read again, nothing more is heard of it.
    let amended = game.act(&Seat::gm(), &with_modifier(noticed)).unwrap();
    game.table.read(&bo, |seen| {
        assert_eq!(seen.entry(amended.number), None);
        assert_eq!(seen.replaced_by(noticed), None);
    });
}

#[test]
fn an_amended_closed_roll_stays_closed() {
    let game = game();
    let entry = climb(&game, &["*"], false);
    game.act(&Seat::gm(), &with_modifier(entry)).unwrap();
    let bo = game.player("Bo");
    assert!(lines(&game, &bo).is_empty());
    let replaced = game.table.read(&bo, |seen| seen.replaced_by(entry));
    assert_eq!(replaced, None);
}

#[test]
fn how_full_a_known_clock_is_and_private_notes_are_out_of_reach() {
    let game = game();
    game.run(Command::add(Clock {
        visibility: Visibility::Known,
        filled: 5,
        check: Some(Box::new(AttachedCheck::new("skill"))),
        ..Clock::new("The tide", Segments::try_from(6).unwrap())
    }));
    let reached = |seat: &Seat| {
        game.table.read(seat, |seen| {
            let clock = seen.clocks().last().unwrap();
            let notes: String = seen.roster().map(|one| one.notes.as_str()).collect();
            let told = seen.forecast(clock.clock.id).is_some();
            (clock.clock.filled, clock.clock.check.is_some(), told, notes)
        })
    };
    assert_eq!(reached(&Seat::gm()), (5, true, true, "Xsecret".to_owned()));
    let mira = game.player("Mira");
    assert_eq!(reached(&mira), (0, false, false, String::new()));
    // Covered from onlookers, the GM's own screen reaches no more.
    game.look(|seen| {
        let onlooker = Seat::onlooker();
        let covered = seen.covered(&onlooker);
        assert_eq!(covered.clocks().last().unwrap().clock.filled, 0);
    });
}

#[test]
fn free_dice_are_seen_where_they_are_open_and_noticed_at_most_where_they_are_not() {
    let game = game();
    let mira = game.player("Mira");
    let throw = |who: &str, hidden_from: &[&str], noticed: bool| {
        game.run(Command::FreeRoll(Box::new(FreeRollCommand {
            who: Some(game.id(who)),
            what: FreeRoll::Dice {
                notation: "2d6+1".into(),
                faces: Some(vec![3, 4]),
            },
            hidden_from: hidden_from.iter().map(|name| (*name).into()).collect(),
            noticed,
        })));
    };
    let before = lines(&game, &mira).len();
    throw("Bo", &["*"], false);
    throw("Xhulk", &[], false);
    assert_eq!(lines(&game, &mira).len(), before);
    throw("Bo", &["*"], true);
    throw("Bo", &[], false);
    let told = lines(&game, &mira).join("\n");
    assert!(told.contains("Dice were rolled in secret."), "{told}");
    assert!(told.contains("Bo, dice, 2d6+1: 8"), "{told}");
    assert!(!told.contains("Xhulk"), "{told}");
    let rolled = game.table.read(&mira, |seen| seen.rolled().count());
    assert_eq!(rolled, 1);
}

#[test]
fn an_answer_of_nobody_in_particular_is_none_of_a_players() {
    let game = game();
    let mira = game.player("Mira");
    let wish = Try {
        fields: CLIFF,
        faces: &[1, 6],
        choose: &["fail"],
        ..Try::default()
    };
    let mut command = game.command(&wish).unwrap();
    command.by = ChosenBy::Command;
    let roll = |command: RollCommand| game.act(&mira, &Command::Roll(Box::new(command)).into());
    assert!(roll(command.clone()).is_err());
    command.by = ChosenBy::Player;
    roll(command).unwrap();
}

#[test]
fn an_adversarys_numbers_are_a_word_to_players_unless_the_table_says_otherwise() {
    let game = game();
    let mut sheet = Sheet::new(System::HEART_RUSH);
    sheet.set("hit-points", Value::Number(7)).unwrap();
    let oske = Character {
        side: Allegiance::Adversary,
        ..Character::new("Oske", sheet)
    };
    game.run(Command::add(oske));
    let mira = game.player("Mira");
    let read = || {
        game.table.read(&mira, |seen| {
            let oske = seen.character_named("Oske").unwrap();
            let is_told = oske.sheet.value("hit-points") == Some(&Value::Number(7));
            (oske.health, is_told)
        })
    };
    assert_eq!(read(), (Some("badly hurt"), false));
    game.run(Command::SetHouse {
        rule: "adversaries".into(),
        value: "open".into(),
    });
    assert_eq!(read(), (None, true));
}

#[test]
fn an_adversary_without_words_for_its_health_gets_no_empty_line() {
    let game = TestGame::with(System::HEARTS, &[("Ann", &[]), ("Rat", &[])]);
    game.run(Command::edit(Character {
        side: Allegiance::Adversary,
        ..game.named("Rat")
    }));

    let player = game.player("Ann");
    let lines = game
        .table
        .read(&player, |seen| plain_status("hearts", seen));
    assert!(lines.iter().any(|line| line.contains("Rat")), "{lines:?}");
    assert!(lines.iter().all(|line| line.trim() != "."), "{lines:?}");
}

#[test]
fn two_checks_are_two_acts() {
    let game = game();
    let wish = Try {
        fields: CLIFF,
        faces: &[5, 6],
        ..Try::default()
    };
    let check = Command::Roll(Box::new(game.command(&wish).unwrap()));
    let both = Command::All(vec![check.clone(), check]);
    let refused = game.act(&Seat::gm(), &both.into()).unwrap_err();
    assert_eq!(
        refused,
        "a command can make only one roll; enter one command for each roll"
    );
}

#[test]
fn what_a_pool_of_an_adversary_comes_to_is_told_to_those_who_read_the_sheet() {
    let game = TestGame::with(System::FOUR_DICE_ASPECTS, &[("Mira", &[]), ("Ogre", &[])]);
    game.run(Command::edit(Character {
        side: Allegiance::Adversary,
        ..game.named("Ogre")
    }));
    let told = |who, seat: &Seat| {
        let wish = Try {
            who,
            check: "take-harm",
            fields: &[("hit", "4")],
            choose: &["stress"],
            ..Try::default()
        };
        let number = game.roll(&wish).number;
        game.table.read(seat, |seen| {
            let aloud = seen.entry(number).unwrap().event.aloud(seen.game(), None);
            aloud.join(" ").contains("no physical stress is left")
        })
    };
    let mira = game.player("Mira");
    assert!(told("Mira", &mira));
    assert!(!told("Ogre", &mira));
    game.act(&Seat::gm(), &Act::Undo).unwrap();
    assert!(told("Ogre", &Seat::gm()));
    game.act(&Seat::gm(), &Act::Undo).unwrap();
    game.run(Command::SetHouse {
        rule: "adversaries".into(),
        value: "open".into(),
    });
    assert!(told("Ogre", &mira));
}
