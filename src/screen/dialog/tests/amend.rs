use super::*;
use crate::session::Faces;

/// Mira's skill check against 12 by hand, left resolved.
fn rolled(bench: &mut Bench, faces: &str) -> u64 {
    bench.roll("Mira");
    bench.press("ctrl-h enter");
    bench.write(faces);
    bench.press("enter");
    bench.read(|seen| seen.log().next().unwrap().number)
}

fn amended(bench: &Bench) -> (Vec<(String, String)>, Faces) {
    match bench.acts.last() {
        Some(Act::Amend { fields, faces, .. }) => (fields.clone(), faces.clone()),
        other => panic!("{other:?} reads nothing again"),
    }
}

fn given(fields: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = fields
        .iter()
        .map(|(id, words)| ((*id).to_owned(), (*words).to_owned()));
    owned.collect()
}

fn outcome(bench: &Bench) -> String {
    bench.read(|seen| seen.log().next().unwrap().event.text(seen.system()))
}

#[test]
fn a_forgotten_plus_one_is_typed_and_shows_what_is_otherwise() {
    let mut bench = Bench::heart_rush();
    let number = rolled(&mut bench, "6 5");
    bench.open(|seen| AmendDialog::open(number, seen).unwrap());
    let frame = bench.frame(80, 24);
    assert!(frame.contains("the same: nothing changed yet"), "{frame}");
    bench.press("enter");
    assert!(bench.frame(80, 24).contains("nothing is otherwise yet"));
    bench.press("right");
    let frame = bench.frame(80, 24);
    assert!(frame.contains("was ✗ Failure   11 against 12"), "{frame}");
    assert!(frame.contains("now ✓ Success   12 against 12"), "{frame}");
    insta::assert_snapshot!("amend", bench.shots());
    bench.press("enter");
    assert!(bench.dialog.is_none());
    assert_eq!(
        amended(&bench),
        (given(&[("modifier", "1")]), Faces::Rolled)
    );
    assert!(
        outcome(&bench).starts_with(&format!("Amended #{number}")),
        "{}",
        outcome(&bench)
    );
}

#[test]
fn dice_that_are_missing_are_named_and_may_be_typed() {
    let mut bench = Bench::heart_rush();
    let number = rolled(&mut bench, "6 5");
    bench.open(|seen| AmendDialog::open(number, seen).unwrap());
    bench.write("ad");
    bench.press("right");
    let frame = bench.frame(80, 24);
    assert!(frame.contains("d6 missing"), "{frame}");
    assert!(
        frame.contains("now d6 is rolled, the others stay."),
        "{frame}"
    );
    bench.write("mi");
    bench.write("x");
    bench.press("enter");
    assert!(bench.frame(80, 24).contains("is no face of a die"));
    bench.press("backspace");
    bench.write("9");
    bench.press("enter");
    assert!(
        bench.frame(80, 24).contains("has the faces 1–6"),
        "{}",
        bench.frame(80, 24)
    );
    bench.press("backspace");
    bench.write("6");
    bench.press("enter");
    assert!(bench.dialog.is_none(), "{}", bench.frame(80, 24));
    assert_eq!(
        amended(&bench),
        (given(&[("advantage", "1")]), Faces::Typed(vec![6]))
    );
    assert!(
        outcome(&bench).contains("12 against 12"),
        "{}",
        outcome(&bench)
    );
    // The die fell; reading once more brings it again.
    let again = bench.read(|seen| seen.log().next().unwrap().number);
    bench.open(|seen| AmendDialog::open(again, seen).unwrap());
    bench.write("mo");
    bench.press("right");
    assert!(!bench.frame(80, 24).contains("missing"));
}

#[test]
fn a_choice_may_be_answered_otherwise() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.press("ctrl-h enter");
    bench.write("1 5");
    bench.press("enter");
    bench.write("f");
    let number = bench.read(|seen| seen.log().next().unwrap().number);
    bench.open(|seen| AmendDialog::open(number, seen).unwrap());
    bench.write("co");
    let frame = bench.frame(80, 24);
    assert!(frame.contains("› Complication"), "{frame}");
    bench.press("right");
    let frame = bench.frame(80, 24);
    assert!(frame.contains("d8 is rolled"), "{frame}");
    bench.press("down");
    bench.write("7");
    bench.press("enter");
    assert!(bench.dialog.is_none(), "{}", bench.frame(80, 24));
    let (fields, faces) = amended(&bench);
    assert_eq!(fields, given(&[("choose", "complication")]));
    assert_eq!(faces, Faces::Typed(vec![7]));
    assert!(
        outcome(&bench).contains("Success with a complication"),
        "{}",
        outcome(&bench)
    );
}

#[test]
fn what_came_from_the_sheet_stays_unless_it_is_changed_by_name() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.write("p");
    bench.press("right ctrl-h enter");
    bench.write("5 3");
    bench.press("enter");
    let number = bench.read(|seen| seen.log().next().unwrap().number);
    bench.open(|seen| AmendDialog::open(number, seen).unwrap());
    bench.write("p");
    let frame = bench.frame(80, 24);
    assert!(frame.contains("Mountain Guide"), "{frame}");
    bench.press("right");
    bench.press("enter");
    assert_eq!(amended(&bench).0, given(&[("profession", "Sailor")]));
    let roll = bench.read(|seen| seen.log().next().unwrap().roll().unwrap().clone());
    assert!(
        roll.sources
            .contains(&("profession".into(), "Sailor".into())),
        "{roll:?}"
    );
}

#[test]
fn what_cannot_be_read_again_says_so() {
    let mut bench = Bench::heart_rush();
    let number = rolled(&mut bench, "6 5");
    let why = |bench: &Bench, entry| {
        let refused = bench.read(|seen| AmendDialog::open(entry, seen));
        refused.expect_err("it is refused")
    };
    assert!(why(&bench, 1).contains("is no resolved check"));
    bench.open(|seen| AmendDialog::open(number, seen).unwrap());
    bench.press("right enter");
    let now = number + 1;
    assert!(why(&bench, number).contains(&format!("#{now} holds instead")));
    bench.table.submit(&Seat::gm(), &Act::Undo).unwrap();
    assert!(why(&bench, now).contains("taken back"));
    let mira = bench.id("Mira");
    bench.seat = Seat {
        id: crate::table::SeatId(7),
        name: "Ana".into(),
        role: crate::table::Role::Player,
        characters: vec![mira],
    };
    assert!(
        why(&bench, number).contains("not yours"),
        "{}",
        why(&bench, number)
    );
}

#[test]
fn every_check_of_every_system_is_read_again_as_it_was() {
    for system in System::ALL {
        for check in system.spec().checks {
            let mut bench = Bench::new(system);
            let sheet = Sheet::new(system);
            bench.run(Command::AddCharacter(Box::new(Character::new(
                "Mira", sheet,
            ))));
            bench.roll("Mira");
            while !bench.frame(120, 40).contains(&format!(": {}", check.label)) {
                bench.press("]");
            }
            bench.press("enter");
            while bench.read(|seen| seen.unfinished().count()) > 0 {
                bench.press("enter");
            }
            let number = bench.read(|seen| seen.log().next().unwrap().number);
            bench.open(|seen| AmendDialog::open(number, seen).unwrap());
            let frame = bench.frame(120, 40);
            assert!(
                frame.contains("nothing changed yet"),
                "{system} {}: {frame}",
                check.id
            );
        }
    }
}
