use super::*;
use crate::session::Faces;

/// Mira's skill check against 12 by hand, left resolved.
fn rolled(bench: &mut Bench, faces: &str) -> u64 {
    bench.roll("Mira");
    bench.press("ctrl-h enter");
    bench.write(faces);
    bench.press("enter");
    bench.newest()
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

#[test]
fn a_forgotten_plus_one_is_typed_and_shows_what_is_otherwise() {
    let mut bench = Bench::heart_rush();
    let number = rolled(&mut bench, "6 5");
    bench.open(|seen| AmendDialog::open(number, seen).unwrap());
    bench.sees("the same: nothing changed yet");
    bench.press("enter");
    bench.sees("nothing is otherwise yet");
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
        bench.log().starts_with(&format!("Amended #{number}")),
        "{}",
        bench.log()
    );
}

#[test]
fn dice_that_are_missing_are_named_and_may_be_typed() {
    let mut bench = Bench::heart_rush();
    let number = rolled(&mut bench, "6 5");
    bench.open(|seen| AmendDialog::open(number, seen).unwrap());
    bench.press("ad right");
    let frame = bench.frame(80, 24);
    assert!(frame.contains("d6 missing"), "{frame}");
    assert!(
        frame.contains("now d6 is rolled, the others stay."),
        "{frame}"
    );
    bench.press("mi x enter");
    bench.sees("is no face of a die");
    bench.press("backspace 9 enter");
    bench.sees("has the faces 1–6");
    bench.press("backspace 6 enter");
    assert!(bench.dialog.is_none());
    assert_eq!(
        amended(&bench),
        (given(&[("advantage", "1")]), Faces::Typed(vec![6]))
    );
    assert!(bench.log().contains("12 against 12"), "{}", bench.log());
    // The die fell; reading once more brings it again.
    let again = bench.newest();
    bench.open(|seen| AmendDialog::open(again, seen).unwrap());
    bench.press("mo right");
    bench.sees_no("missing");
}

#[test]
fn a_choice_may_be_answered_otherwise() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.by_hand("1 5");
    bench.write("f");
    let number = bench.newest();
    bench.open(|seen| AmendDialog::open(number, seen).unwrap());
    bench.write("co");
    bench.sees("› Complication");
    bench.press("right");
    bench.sees("d8 is rolled");
    bench.press("down 7 enter");
    assert!(bench.dialog.is_none());
    let (fields, faces) = amended(&bench);
    assert_eq!(fields, given(&[("choose", "complication")]));
    assert_eq!(faces, Faces::Typed(vec![7]));
    assert!(
        bench.log().contains("Success with a complication"),
        "{}",
        bench.log()
    );
}

#[test]
fn what_came_from_the_sheet_stays_unless_it_is_changed_by_name() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.press("p right");
    bench.by_hand("5 3");
    let number = bench.newest();
    bench.open(|seen| AmendDialog::open(number, seen).unwrap());
    bench.write("p");
    bench.sees("Mountain Guide");
    bench.press("right enter");
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
        refused.expect_err("it is refused").to_string()
    };
    assert!(why(&bench, 1).contains("is no resolved check"));
    bench.open(|seen| AmendDialog::open(number, seen).unwrap());
    bench.press("right enter");
    let now = number + 1;
    assert!(why(&bench, number).contains(&format!("#{now} holds instead")));
    bench.table.submit(&Seat::gm(), &Act::Undo).unwrap();
    assert!(why(&bench, now).contains("taken back"));
    bench.sit_down("Ana", "Mira");
    assert!(
        why(&bench, number).contains("not yours"),
        "{}",
        why(&bench, number)
    );
}
