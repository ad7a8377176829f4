use super::*;
use crate::session::{Faces, RollCommand};

fn number(roll: &RollCommand, field: &str) -> i32 {
    roll.fields.number(field)
}

#[test]
fn a_check_is_rolled_at_once() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    insta::assert_snapshot!("roll_set_up", bench.shots());
    bench.press("enter");
    let roll = bench.rolled();
    assert_eq!(number(&roll, "cn"), 12);
    assert!(roll.wait);
    insta::assert_snapshot!("roll_resolved", bench.shots());
    bench.press("enter");
    assert!(bench.dialog.is_none());
}

#[test]
fn the_sheet_is_stepped_through_by_name() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.write("ab");
    bench.press("right");
    assert!(bench.frame(80, 24).contains("Agility"));
    bench.write("p");
    bench.press("right right");
    assert!(bench.frame(80, 24).contains("Sailor"));
    bench.press("left");
    bench.write("cha15");
    bench.press("enter");
    let roll = bench.rolled();
    assert_eq!(roll.fields.die("ability"), Die::D10);
    assert_eq!((number(&roll, "profession"), number(&roll, "cn")), (2, 15));
    let sources: Vec<_> = roll
        .sources
        .iter()
        .map(|(field, name)| format!("{field} {name}"))
        .collect();
    assert_eq!(
        sources,
        [
            "heart Heart die now",
            "ability Agility",
            "profession Mountain Guide"
        ]
    );
}

#[test]
fn a_number_out_of_bounds_is_kept_and_told() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.write("99");
    bench.press("enter");
    assert!(bench.acts.is_empty());
    let frame = bench.frame(80, 24);
    assert!(frame.contains("must be a number from 1 to 40"), "{frame}");
    bench.press("down");
    assert!(bench.frame(80, 24).contains("99"));
    bench.press("up");
    bench.write("9");
    bench.press("enter");
    assert_eq!(number(&bench.rolled(), "cn"), 9);
}

#[test]
fn more_points_than_there_are_cannot_be_spent() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.write("as");
    bench.write("4");
    let frame = bench.frame(80, 24);
    assert!(frame.contains("Mira has 3 Destiny Points"), "{frame}");
    bench.press("enter");
    assert!(bench.acts.is_empty());
}

#[test]
fn faces_by_hand_are_checked_and_a_choice_goes_on_by_hand() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.write("12");
    bench.press("ctrl-h enter");
    insta::assert_snapshot!("roll_by_hand", bench.shots());
    bench.write("9 1");
    let frame = bench.frame(80, 24);
    assert!(
        frame.contains("a d8 has the faces 1 to 8, and 9 was typed"),
        "{frame}"
    );
    bench.press("ctrl-u");
    bench.write("7 1");
    bench.press("enter");
    assert_eq!(bench.rolled().faces, Faces::Typed(vec![7, 1]));
    insta::assert_snapshot!("roll_waits", bench.shots());
    bench.write("r");
    bench.write("6");
    bench.press("enter");
    match bench.last_command() {
        Command::Answer { chose, faces, .. } => {
            assert_eq!(
                (chose.as_str(), faces),
                ("complication", Faces::Typed(vec![6]))
            );
        }
        other => panic!("{other:?}"),
    }
    let frame = bench.frame(80, 24);
    assert!(frame.contains("Note the complication"), "{frame}");
}

#[test]
fn a_check_that_waits_is_taken_up_again() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.press("ctrl-h enter");
    bench.write("7 1");
    bench.press("enter esc");
    assert!(bench.dialog.is_none());
    bench.roll("Mira");
    assert!(bench.frame(80, 24).contains("Re-roll the 1"));
    bench.press("esc");
    let id = bench.read(|seen| seen.unfinished().next().unwrap().id);
    bench.open(|seen| RollDialog::resume(id, seen).unwrap());
    bench.press("f");
    bench.press("esc");
    assert_eq!(bench.read(|seen| seen.unfinished().count()), 0);
}

#[test]
fn somebody_else_may_answer_meanwhile() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.press("ctrl-h enter");
    bench.write("7 1");
    bench.press("enter");
    let check = bench.read(|seen| seen.unfinished().next().unwrap().id);
    bench.run(Command::Answer {
        check,
        chose: "fail".into(),
        by: crate::rules::ChosenBy::Player,
        faces: Faces::Rolled,
    });
    let Bench {
        table,
        seat,
        dialog,
        ..
    } = &mut bench;
    table.read(seat, |seen| dialog.as_mut().unwrap().on_change(seen));
    assert!(bench.frame(80, 24).contains("Failure"));
}

#[test]
fn what_follows_can_be_done_from_the_result() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.write("1");
    bench.press("ctrl-h enter");
    bench.write("7 6");
    bench.press("enter");
    assert!(bench.frame(80, 24).contains("1 The cliff +1"));
    bench.press("1");
    assert!(matches!(bench.last_command(), Command::Tick { by: 1, .. }));
    let frame = bench.frame(80, 24);
    assert!(
        frame.contains("1 of 6") && !frame.contains("The cliff +1 "),
        "{frame}"
    );
    bench.press("n");
    bench.write("up at last");
    bench.press("enter");
    let noted = bench.last_command();
    assert!(matches!(noted, Command::Note { text, about: Some(_) } if text == "up at last"));
    bench.press("y");
    assert!(bench.frame(80, 24).contains("Challenge Number"));
}

#[test]
fn a_smaller_heart_die_shows_while_the_dialog_is_open() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.run(Command::StepStat {
        who: bench.id("Mira"),
        stat: "heart-now".into(),
        by: -1,
    });
    let Bench {
        table,
        seat,
        dialog,
        ..
    } = &mut bench;
    table.read(seat, |seen| dialog.as_mut().unwrap().on_change(seen));
    bench.press("enter");
    assert_eq!(bench.rolled().fields.die("heart"), Die::D6);
}

#[test]
fn a_refusal_is_told_and_nothing_is_lost() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.write("15");
    bench.run(Command::RemoveCharacter(bench.id("Mira")));
    bench.press("enter");
    let frame = bench.frame(80, 24);
    assert!(
        frame.contains("that character is not there any more"),
        "{frame}"
    );
    assert!(frame.contains("15"), "{frame}");
}

#[test]
fn the_mouse_steps_and_presses() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.click("Advantage", (80, 24));
    bench.click("0›", (80, 24));
    assert!(bench.frame(80, 24).contains("‹1›"));
    bench.press("enter");
    if bench.frame(80, 24).contains("[›Close‹]") {
        bench.click("Close", (80, 24));
        assert!(bench.dialog.is_none());
    }
}

#[test]
fn the_worth_of_one_more_is_drawn_when_it_arrives() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    let dialog = bench.dialog.as_mut().unwrap();
    let wonder = dialog.wonder().unwrap();
    assert!(dialog.wonder().is_none());
    dialog.learn(wonder.answer());
    let frame = bench.frame(80, 24);
    assert!(frame.contains("one more: "), "{frame}");
    bench.press("right");
    assert!(!bench.frame(80, 24).contains("one more: "));
}

#[test]
fn every_check_of_every_system_is_rolled_to_its_end() {
    for system in System::ALL {
        let mut bench = Bench::new(system);
        for name in ["One", "Other"] {
            let one = Character::new(name, Sheet::new(system));
            bench.run(Command::AddCharacter(Box::new(one)));
        }
        let checks = system.spec().checks.len();
        let mut shots = String::new();
        for index in 0..checks {
            bench.roll("One");
            for _ in 0..index {
                bench.press("]");
            }
            shots += &bench.frame(80, 24);
            bench.press("enter");
            for _ in 0..8 {
                let frame = bench.frame(80, 24);
                if frame.contains("Close") {
                    break;
                }
                bench.press("enter");
            }
            shots += &bench.frame(80, 24);
            assert!(bench.frame(80, 24).contains("Close"), "{shots}");
            bench.press("esc");
        }
        assert_eq!(bench.read(|seen| seen.unfinished().count()), 0);
    }
}

#[test]
fn an_opponent_named_once_stands_for_every_field_and_is_hurt() {
    let mut bench = Bench::heart_rush();
    let mut sheet = Sheet::new(System::HeartRush);
    sheet.set("armor", Value::Text("light".into())).unwrap();
    bench.run(Command::AddCharacter(Box::new(Character::new(
        "Oske", sheet,
    ))));
    bench.roll("Mira");
    bench.press("] ]");
    bench.write("de");
    bench.press("left");
    let frame = bench.frame(80, 40);
    for row in ["Defender's heart die", "Defender's ability die", "Armor"] {
        let line = frame.lines().find(|line| line.contains(row)).unwrap();
        assert!(line.contains("Oske"), "{line}");
    }
    bench.press("ctrl-h enter");
    bench.write("8 6 4");
    bench.press("enter");
    bench.write("1 1");
    bench.press("enter");
    let frame = bench.frame(80, 40);
    assert!(frame.contains("[›1 Oske takes 14‹]"), "{frame}");
    assert!(frame.contains("[ 2 Oske shrugs off half ]"), "{frame}");
    bench.press("enter");
    let points = bench.read(|seen| {
        let oske = seen.character_named("Oske").unwrap();
        (
            oske.sheet.number("hit-points"),
            oske.sheet.ranks("wounds").len(),
        )
    });
    assert_eq!(points, (Some(40 - 14), 1));
    assert!(!bench.frame(80, 40).contains("Oske takes"));
    assert!(!bench.frame(80, 40).contains("Oske shrugs"));
}

#[test]
fn a_player_rolls_the_own_characters_and_nothing_is_closed() {
    let mut bench = Bench::heart_rush();
    let mira = bench.id("Mira");
    bench.seat = Seat {
        id: crate::table::SeatId(7),
        name: "Ana".into(),
        role: crate::table::Role::Player,
        characters: vec![mira],
    };
    bench.roll("Mira");
    let frame = bench.frame(80, 24);
    assert!(!frame.contains("Seen by"), "{frame}");
    bench.press("ctrl-l up up up up up right");
    assert!(bench.frame(80, 24).contains("Mira"));
    bench.press("enter");
    assert!(bench.rolled().hidden_from.is_empty());
    assert_eq!(bench.rolled().by, crate::rules::ChosenBy::Player);
    assert!(!bench.frame(80, 24).contains("The cliff +"));
}

#[test]
fn a_check_that_waits_can_be_left_waiting_or_given_up() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.press("ctrl-h enter");
    bench.write("7 1");
    bench.press("enter");
    bench.write("a");
    assert!(bench.frame(80, 24).contains("Challenge Number"));
    assert_eq!(bench.read(|seen| seen.unfinished().count()), 1);
    bench.press("esc");
    bench.roll("Mira");
    bench.write("g");
    assert!(bench.dialog.is_none());
    assert_eq!(bench.read(|seen| seen.unfinished().count()), 0);
}

#[test]
fn abilities_are_walked_in_both_directions_whatever_was_rolled_last() {
    let mut bench = Bench::heart_rush();
    for name in ["Agility", "Cunning", "Presence", "Might"] {
        bench.roll("Mira");
        bench.write("ab");
        let shown = |bench: &Bench| {
            let frame = bench.frame(80, 24);
            let line = frame.lines().find(|line| line.contains("Ability die"));
            line.unwrap().to_owned()
        };
        bench.press("right");
        assert!(shown(&bench).contains(name), "{}", shown(&bench));
        for after in [
            "right right right right",
            "left left left left",
            "right left",
        ] {
            bench.press(after);
            assert!(shown(&bench).contains(name), "{after}: {}", shown(&bench));
        }
        bench.press("ctrl-h enter");
        bench.write("5 4");
        bench.press("enter esc");
    }
}

#[test]
fn a_die_typed_over_the_ability_rolled_last_stays() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.write("ab");
    bench.press("right ctrl-h enter");
    bench.write("5 4");
    bench.press("enter esc");
    // Might is a d6 on the sheet, and offered before anybody says anything.
    bench.roll("Mira");
    bench.write("ab6");
    bench.press("ctrl-h enter");
    bench.write("5 4");
    bench.press("enter");
    assert_eq!(bench.rolled().fields.die("ability"), Die::D6);
}

#[test]
fn space_turns_yes_and_no_while_a_check_is_set_up() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.write("he");
    bench.press("down down space");
    assert!(bench.frame(80, 24).contains("‹helps›"));
    bench.press("space");
    assert!(!bench.frame(80, 24).contains("‹helps›"));
    bench.press("space");
    bench.write("ch");
    bench.press("space enter");
    let roll = bench.rolled();
    assert_eq!(
        (roll.helpers, roll.fields.number("cn")),
        (vec![bench.id("Tamsin")], 12)
    );
}

/// A check of Mira's that came to that.
fn with_faces(bench: &mut Bench, cn: &str, faces: &str) {
    bench.roll("Mira");
    bench.write(cn);
    bench.press("ctrl-h enter");
    bench.write(faces);
    bench.press("enter");
}

#[test]
fn after_a_roll_letters_are_the_same_whatever_clocks_are_called() {
    for (cn, faces) in [("1", "7 6"), ("30", "5 2")] {
        let mut bench = Bench::heart_rush();
        bench.add_clock("Rusk rides home", ClockKind::Countdown);
        bench.add_clock("Under the yard", ClockKind::Effort);
        let filled = |bench: &Bench| {
            bench.read(|seen| {
                seen.clocks()
                    .map(|one| one.clock.filled)
                    .collect::<Vec<_>>()
            })
        };
        with_faces(&mut bench, cn, faces);
        let before = filled(&bench);
        assert!(bench.frame(80, 24).contains("[ 1 The "));
        bench.write("aeostdhl");
        assert_eq!(filled(&bench), before);
        bench.write("r");
        let frame = bench.frame(80, 24);
        assert!(
            frame.contains("Challenge Number") && frame.contains("by hand"),
            "{frame}"
        );
        bench.press("esc");
        with_faces(&mut bench, cn, faces);
        bench.write("1u");
        assert_eq!(
            filled(&bench),
            before,
            "what was done last is taken back first"
        );
        assert!(bench.frame(80, 24).contains("[ 1 "));
        bench.write("1");
        bench.run(Command::NextRound);
        bench.write("uu");
        let (roll, round) = bench.read(|seen| (seen.rolled().next().unwrap(), seen.round()));
        assert!(bench.read(|seen| seen.is_struck(roll)));
        assert_eq!(
            (filled(&bench), round),
            (before, 1),
            "what others did stays"
        );
        let frame = bench.frame(80, 24);
        assert!(
            frame.contains("Taken back") && !frame.contains("[ 1 "),
            "{frame}"
        );
        bench.write("u");
        assert!(bench.frame(80, 24).contains("! it is taken back already"));
        bench.write("y");
        assert!(bench.frame(80, 24).contains("Challenge Number"));
    }
}

#[test]
fn damage_is_dealt_from_the_log_until_it_was_dealt() {
    let mut bench = Bench::heart_rush();
    bench.run(Command::AddCharacter(Box::new(Character::new(
        "Oske",
        Sheet::new(System::HeartRush),
    ))));
    let attack = |bench: &mut Bench| {
        bench.roll("Mira");
        bench.press("] ]");
        bench.write("de");
        bench.press("left ctrl-h enter");
        bench.write("8 6 4");
        bench.press("enter");
        bench.write("6 4");
        bench.press("enter");
        assert!(
            bench.frame(80, 40).contains("1 Oske takes 8"),
            "{}",
            bench.frame(80, 40)
        );
        bench.press("esc");
        bench.read(|seen| seen.rolled().next().unwrap())
    };
    let (first, second) = (attack(&mut bench), attack(&mut bench));
    let offers = |bench: &mut Bench, entry: u64| {
        bench.open(|seen| ExplainDialog::new(entry, seen));
        bench.frame(80, 40).contains("[ 1 Oske takes 8 ]")
    };
    let points = |bench: &Bench| {
        let oske = bench.id("Oske");
        bench.read(|seen| seen.character(oske).unwrap().sheet.number("hit-points"))
    };
    assert!(offers(&mut bench, first) && offers(&mut bench, second));
    bench.press("1");
    assert_eq!(points(&bench), Some(40 - 8));
    let frame = bench.frame(80, 40);
    assert!(
        frame.contains("✓ Oske: 8 damage") && !frame.contains("Oske takes"),
        "{frame}"
    );
    // Each hit is dealt once, and dealt from anywhere.
    assert!(offers(&mut bench, first) && !offers(&mut bench, second));
    let oske = bench.id("Oske");
    bench.run(Command::Damage {
        who: oske,
        amount: 8,
        shrug_off: false,
    });
    assert!(!offers(&mut bench, first) && !offers(&mut bench, second));
    bench.table.submit(&Seat::gm(), &Act::Undo).unwrap();
    assert!(offers(&mut bench, first));
    bench.press("enter");
    assert!(bench.dialog.is_none(), "whoever reads leaves with Enter");
    assert_eq!(points(&bench), Some(40 - 8));
}
