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
    bench.press("ab right");
    bench.sees("Agility");
    bench.press("p right right");
    bench.sees("Sailor");
    bench.press("left cha15 enter");
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
    bench.press("99 enter");
    assert!(bench.acts.is_empty());
    bench.sees("must be a number from 1 to 40");
    bench.press("down");
    bench.sees("99");
    bench.press("up 9 enter");
    assert_eq!(number(&bench.rolled(), "cn"), 9);
}

#[test]
fn more_points_than_there_are_cannot_be_spent() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.press("as 4");
    bench.sees("Mira has 3 Destiny Points");
    bench.press("enter");
    assert!(bench.acts.is_empty());
}

#[test]
fn faces_by_hand_are_checked_and_a_choice_goes_on_by_hand() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.press("12 ctrl-h enter");
    insta::assert_snapshot!("roll_by_hand", bench.shots());
    bench.write("9 1");
    bench.sees("face 1 is 9, and a d8 has the faces 1–8");
    bench.press("ctrl-u");
    bench.write("7 1");
    bench.press("enter");
    assert_eq!(bench.rolled().faces, Faces::Typed(vec![7, 1]));
    insta::assert_snapshot!("roll_waits", bench.shots());
    bench.press("r 6 enter");
    match bench.last_command() {
        Command::Answer { chose, faces, .. } => {
            assert_eq!(
                (chose.as_str(), faces),
                ("complication", Faces::Typed(vec![6]))
            );
        }
        other => panic!("{other:?}"),
    }
    bench.sees("Note the complication");
}

#[test]
fn a_check_that_waits_is_taken_up_again() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.by_hand("7 1");
    bench.press("esc");
    assert!(bench.dialog.is_none());
    bench.roll("Mira");
    bench.sees("Re-roll the 1");
    bench.press("esc");
    let id = bench.read(|seen| seen.unfinished().next().unwrap().id);
    bench.open(|seen| RollDialog::resume(id, seen).unwrap());
    // Another check may be made meanwhile; this one goes on waiting until it is given up.
    bench.press("a");
    bench.sees("Challenge Number");
    assert_eq!(bench.read(|seen| seen.unfinished().count()), 1);
    bench.press("esc");
    bench.roll("Mira");
    bench.press("g");
    assert!(bench.dialog.is_none());
    assert_eq!(bench.read(|seen| seen.unfinished().count()), 0);
}

#[test]
fn somebody_else_may_answer_meanwhile() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.by_hand("7 1");
    let check = bench.read(|seen| seen.unfinished().next().unwrap().id);
    bench.run(Command::Answer {
        check,
        chose: "fail".into(),
        by: crate::rules::ChosenBy::Player,
        faces: Faces::Rolled,
    });
    bench.changed();
    bench.sees("Failure");
}

#[test]
fn what_follows_can_be_done_from_the_result() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.write("1");
    bench.by_hand("7 6");
    bench.sees("1 The cliff +1");
    bench.press("1");
    assert!(matches!(bench.last_command(), Command::Tick { by: 1, .. }));
    bench.sees("1 of 6");
    bench.sees_no("The cliff +1 ");
    bench.press("n");
    bench.write("up at last");
    bench.press("enter");
    let noted = bench.last_command();
    assert!(matches!(noted, Command::Note { text, about: Some(_) } if text == "up at last"));
    bench.press("y");
    bench.sees("Challenge Number");
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
    bench.changed();
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
    bench.sees("‹1›");
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
    bench.sees("one more: ");
    bench.press("right");
    bench.sees_no("one more: ");
}

#[test]
fn an_opponent_named_once_stands_for_every_field_and_is_hurt() {
    let mut bench = Bench::heart_rush();
    bench.add("Oske", &[("armor", "light")]);
    bench.roll("Mira");
    bench.press("] ] de left");
    let frame = bench.frame(80, 40);
    for row in ["Defender's heart die", "Defender's ability die", "Armor"] {
        let line = frame.lines().find(|line| line.contains(row)).unwrap();
        assert!(line.contains("Oske"), "{line}");
    }
    bench.by_hand("8 6 4");
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
    bench.sees_no("Oske takes");
    bench.sees_no("Oske shrugs");
}

#[test]
fn a_player_rolls_the_own_characters_and_nothing_is_closed() {
    let mut bench = Bench::heart_rush();
    bench.sit_down("Ana", "Mira");
    bench.roll("Mira");
    bench.sees_no("Seen by");
    bench.press("ctrl-l up up up up up right");
    bench.sees("Mira");
    bench.press("enter");
    assert!(bench.rolled().hidden_from.is_empty());
    assert_eq!(bench.rolled().by, crate::rules::ChosenBy::Player);
    bench.sees_no("The cliff +");
}

#[test]
fn abilities_are_walked_in_both_directions_whatever_was_rolled_last() {
    let mut bench = Bench::heart_rush();
    for name in ["Agility", "Cunning", "Presence", "Might"] {
        bench.roll("Mira");
        bench.write("ab");
        bench.press("right");
        assert!(bench.focused().contains(name), "{}", bench.focused());
        for after in [
            "right right right right",
            "left left left left",
            "right left",
        ] {
            bench.press(after);
            assert!(
                bench.focused().contains(name),
                "{after}: {}",
                bench.focused()
            );
        }
        bench.by_hand("5 4");
        bench.press("esc");
    }
}

#[test]
fn a_die_typed_over_the_ability_rolled_last_stays() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.press("ab right");
    bench.by_hand("5 4");
    bench.press("esc");
    // Might is a d6 on the sheet, and offered before anybody says anything.
    bench.roll("Mira");
    bench.write("ab6");
    bench.by_hand("5 4");
    assert_eq!(bench.rolled().fields.die("ability"), Die::D6);
}

#[test]
fn space_turns_yes_and_no_while_a_check_is_set_up() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.press("he down down space");
    bench.sees("‹helps›");
    bench.press("space");
    bench.sees_no("‹helps›");
    bench.press("space ch space enter");
    let roll = bench.rolled();
    assert_eq!(
        (roll.helpers, roll.fields.number("cn")),
        (vec![bench.id("Tamsin")], 12)
    );
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
        bench.roll("Mira");
        bench.write(cn);
        bench.by_hand(faces);
        let before = filled(&bench);
        bench.sees("[ 1 The ");
        bench.write("aeostdhl");
        assert_eq!(filled(&bench), before);
        bench.write("r");
        bench.sees("Challenge Number");
        bench.sees("by hand");
        bench.press("esc");
        bench.roll("Mira");
        bench.write(cn);
        bench.by_hand(faces);
        bench.write("1u");
        // What was done last is taken back first.
        assert_eq!(filled(&bench), before);
        bench.sees("[ 1 ");
        bench.write("1");
        bench.run(Command::NextRound);
        bench.write("uu");
        let (roll, round) = bench.read(|seen| (seen.rolled().next().unwrap(), seen.round()));
        assert!(bench.read(|seen| seen.is_struck(roll)));
        // What others did stays.
        assert_eq!((filled(&bench), round), (before, 1));
        bench.sees("taken back");
        bench.sees_no("[ 1 ");
        bench.write("u");
        bench.sees("! it is taken back already");
        bench.write("y");
        bench.sees("Challenge Number");
    }
}

#[test]
fn damage_is_dealt_from_the_log_until_it_was_dealt() {
    let mut bench = Bench::heart_rush();
    bench.add("Oske", &[]);
    let attack = |bench: &mut Bench| {
        bench.roll("Mira");
        bench.press("] ] de left");
        bench.by_hand("8 6 4");
        bench.write("6 4");
        bench.press("enter");
        bench.sees("1 Oske takes 8");
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
    bench.sees("✓ Oske: 8 damage");
    bench.sees_no("Oske takes");
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
