use super::*;
use crate::session::RollCommand;

fn rolled(bench: &Bench) -> RollCommand {
    match bench.last_command() {
        Command::Roll(roll) => *roll,
        other => panic!("{other:?} is no roll"),
    }
}

#[test]
fn one_key_closes_it_to_all_and_then_to_players_by_name() {
    let mut bench = Bench::heart_rush();
    bench.roll("Mira");
    bench.press("ctrl-l");
    assert!(bench.frame(80, 24).contains("the GM alone"));
    bench.press("enter");
    assert_eq!(
        (rolled(&bench).hidden_from, rolled(&bench).noticed),
        (vec!["*".to_owned()], false)
    );
    bench.roll("Mira");
    bench.press("ctrl-l ctrl-l right down right down");
    bench.write("Cleo, Dan");
    bench.press("down right");
    assert!(bench.frame(80, 24).contains("that something is rolled"));
    bench.press("enter");
    let roll = rolled(&bench);
    assert_eq!(roll.hidden_from, ["Ana", "Bo", "Cleo", "Dan"]);
    assert!(roll.noticed);
    // The same again is closed to the same.
    let number = bench.read(|seen| seen.log().next().unwrap().number);
    bench.open(|seen| RollDialog::repeat(number, seen).unwrap());
    bench.press("enter");
    let again = rolled(&bench);
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
    let frame = bench.frame(80, 24);
    assert!(
        frame.contains("nobody is named from whom it is hidden"),
        "{frame}"
    );
    bench.press("ctrl-l enter");
    assert!(rolled(&bench).hidden_from.is_empty());
}

#[test]
fn hearts_has_a_player_singer() {
    let mut bench = Bench::new(System::Hearts);
    bench.run(Command::AddCharacter(Box::new(Character::new(
        "Ana",
        Sheet::new(System::Hearts),
    ))));
    bench.roll("Ana");
    bench.press("ctrl-l");
    let frame = bench.frame(80, 24);
    assert!(frame.contains("the Player-Singer alone"), "{frame}");
    assert!(!frame.contains("GM"), "{frame}");
}
