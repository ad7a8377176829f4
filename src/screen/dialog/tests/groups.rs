use super::*;
use crate::rules::Effect;

fn sneaks() -> Bench {
    Bench::with(
        System::HeartRush,
        &[
            ("Ana", &[("agility", "d6")]),
            ("Bo", &[("agility", "d4")]),
            ("Dee", &[("agility", "d10")]),
        ],
    )
}

#[test]
fn the_best_of_all_works_with_those_who_take_part() {
    let mut bench = sneaks();
    bench.roll("Ana");
    bench.go("Ability die");
    bench.press("right");
    bench.go("Who");
    bench.press("left");
    bench.sees("Dee has the highest chance");
    bench.go("The others");
    bench.press("right");
    bench.sees("takes part");
    // Dee guards the camp: the next best rolls, and she does not help.
    bench.press("down down right");
    let frame = bench.frame(80, 24);
    assert!(frame.contains("stays out"), "{frame}");
    assert!(frame.contains("Ana: Skill check"), "{frame}");
    bench.press("enter");
    let roll = bench.rolled();
    assert_eq!(roll.helpers, [bench.id("Bo")]);
}

#[test]
fn helpers_are_named_share_what_goes_wrong_and_have_acted() {
    let mut bench = sneaks();
    bench.roll("Ana");
    bench.go("Helpers");
    bench.press("right right down right");
    bench.sees("Bo, Dee");
    insta::assert_snapshot!("helpers", bench.shots());
    bench.by_hand("2 2 3");
    let acted = |name: &str| {
        let id = bench.id(name);
        bench.read(|seen| seen.character(id).unwrap().acted)
    };
    assert!(acted("Bo") && acted("Dee") && !acted("Ana"));
    let effects = bench.read(|seen| seen.log().next().unwrap().roll().unwrap().effects.clone());
    let names = vec!["Bo".to_owned(), "Dee".to_owned()];
    assert!(
        effects.contains(&Effect::SharedWith { names }),
        "{effects:?}"
    );
}
