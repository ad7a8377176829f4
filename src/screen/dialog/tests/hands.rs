//! Dice by hand, where a check begins, and what is marked for whoever decides.

use super::*;

#[test]
fn a_check_opens_at_a_difficulty_that_this_one_may_try() {
    let mut bench = Bench::new(System::FridayNightDungeon);
    for (name, skill) in [("Ana", "Climbing 5"), ("Bo", "Climbing 1")] {
        bench.add(name, &[("skills", skill)]);
    }
    bench.roll("Ana");
    bench.press("right right right right");
    bench.sees("legendary");
    bench.by_hand("4 4");
    bench.press("esc");
    bench.roll("Ana");
    assert!(
        bench.frame(80, 24).contains("legendary"),
        "what was used last"
    );
    bench.roll("Bo");
    let frame = bench.frame(80, 24);
    assert!(
        frame.contains("moderate") && !frame.contains("nobody may try"),
        "{frame}"
    );
    bench.press("right");
    assert!(
        bench.frame(80, 24).contains("nobody may try"),
        "one more is too much"
    );
}

#[test]
fn the_marked_placing_of_penalties_is_the_harshest_for_the_gm_places_them() {
    let mut bench = Bench::new(System::Hfrpg);
    bench.add("Ana", &[("force", "2")]);
    let pool = bench.read(|seen| seen.pools().next().unwrap().id);
    bench.run(Command::SetTokens { pool, to: -1 });
    bench.roll("Ana");
    bench.by_hand("8 5");
    let frame = bench.frame(120, 40);
    let marked: Vec<&str> = frame
        .lines()
        .filter(|line| line.contains("harshest"))
        .collect();
    assert_eq!(marked.len(), 1, "{frame}");
    assert!(!frame.contains(", best"), "{frame}");
    // Off the 5 it would leave the 8 exploding.
    assert!(marked[0].contains("7 counts"), "{frame}");
}
