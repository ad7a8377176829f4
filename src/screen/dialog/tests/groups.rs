use super::*;
use crate::rules::Effect;

pub(super) fn bench(system: System, party: &[(&str, &[(&str, &str)])]) -> Bench {
    let bench = Bench::new(system);
    for (name, stats) in party {
        bench.add(name, stats);
    }
    bench
}

/// Goes down until the field of that name has the focus.
pub(super) fn go(bench: &mut Bench, label: &str) {
    for _ in 0..40 {
        let frame = bench.frame(120, 40);
        let focused = frame.lines().find_map(|line| line.split_once("› "));
        if focused.is_some_and(|(_, rest)| rest.starts_with(label)) {
            return;
        }
        bench.press("down");
    }
    panic!("there is no {label}: {}", bench.frame(120, 40));
}

/// Steps the focused field until these words are seen.
pub(super) fn step_to(bench: &mut Bench, words: &str) {
    for _ in 0..40 {
        if bench.frame(120, 40).contains(words) {
            return;
        }
        bench.press("right");
    }
    panic!("there is no {words}: {}", bench.frame(120, 40));
}

fn sneaks() -> Bench {
    bench(
        System::HeartRush,
        &[
            ("Ana", &[("agility", "d6")]),
            ("Bo", &[("agility", "d4")]),
            ("Dee", &[("agility", "d10")]),
        ],
    )
}

#[test]
fn the_worst_of_all_sneaks_for_all_with_advantage() {
    let mut bench = sneaks();
    bench.roll("Ana");
    go(&mut bench, "Ability die");
    bench.press("right");
    go(&mut bench, "Who");
    bench.press("left left");
    let frame = bench.frame(80, 24);
    assert!(frame.contains("the worst (weakest link)"), "{frame}");
    assert!(frame.contains("Bo has the lowest chance: Bo"), "{frame}");
    bench.by_hand("2 2 3");
    let roll = bench.rolled();
    assert_eq!(roll.who, crate::session::Who::Character(bench.id("Bo")));
    assert!(roll.fields.flag("helped"));
    let helped = roll.sources.iter().find(|(id, _)| id == "helped").unwrap();
    assert_eq!(helped.1.to_string(), "Ana, Dee");
    assert_eq!(roll.helpers, [bench.id("Ana"), bench.id("Dee")]);
    bench.sees("Ana, Dee");
}

#[test]
fn the_best_of_all_works_with_those_who_take_part() {
    let mut bench = sneaks();
    bench.roll("Ana");
    go(&mut bench, "Ability die");
    bench.press("right");
    go(&mut bench, "Who");
    bench.press("left");
    bench.sees("Dee has the highest chance");
    go(&mut bench, "The others");
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
    go(&mut bench, "Helpers");
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
