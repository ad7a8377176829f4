use super::*;

#[test]
fn one_key_closes_it_to_all_and_then_to_players_by_name() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.press("ctrl-l");
    bench.sees("the GM alone");
    bench.press("enter");
    assert_eq!(
        (bench.rolled().hidden_from, bench.rolled().noticed),
        (vec!["*".to_owned()], false)
    );
    bench.roll("Mira");
    bench.press("ctrl-l ctrl-l right down right down");
    bench.write("Cleo, Dan");
    bench.press("down right");
    bench.sees("that something is rolled");
    bench.press("enter");
    let roll = bench.rolled();
    assert_eq!(roll.hidden_from, ["Ana", "Bo", "Cleo", "Dan"]);
    assert!(roll.noticed);
    // The same again is closed to the same.
    let number = bench.newest();
    bench.open(|seen| RollDialog::repeat(number, seen).unwrap());
    bench.press("enter");
    let again = bench.rolled();
    assert_eq!(
        (again.hidden_from, again.noticed),
        (roll.hidden_from, roll.noticed)
    );
}

#[test]
fn closed_to_nobody_by_name_is_not_rolled_in_the_open() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.press("ctrl-l ctrl-l enter");
    assert!(bench.acts.is_empty());
    bench.sees("nobody is named from whom it is hidden");
    bench.press("ctrl-l enter");
    assert!(bench.rolled().hidden_from.is_empty());
}
