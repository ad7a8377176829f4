//! Where a check begins.

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
    bench.sees("legendary");
    bench.roll("Bo");
    bench.sees("moderate");
    bench.sees_no("nobody may try");
    bench.press("right");
    bench.sees("nobody may try");
}
