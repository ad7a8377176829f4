//! Calls from a group, and who lacks the skill that is called for or helped with.

use super::*;

#[test]
fn who_lacks_the_skill_that_is_called_for_rolls_untrained() {
    let skills = [
        (
            System::FridayNightDungeon,
            "skills",
            "Competence",
            "unskilled",
        ),
        (System::Hfrpg, "competencies", "Competency", "0"),
    ];
    for (system, list, field, least) in skills {
        let stats = [(list, "Climbing 3")];
        let mut bench = Bench::with(system, &[("Ana", &stats), ("Bo", &[])]);
        bench.open(|seen| CallDialog::open(&[], seen));
        bench.go(field);
        bench.step_to("‹Climbing›");
        bench.sees("Ana, Bo (without C");
        bench.press("enter");
        assert!(bench.dialog.is_none());
        let calls = bench.calls();
        assert!(calls[0].contains("=Climbing"), "{calls:?}");
        assert!(calls[1].contains(&format!("={least}")), "{calls:?}");
        let told = bench.log();
        assert!(told.contains("Ana, Bo (without Climbing)"), "{told}");
        bench.roll("Bo");
        let frame = bench.frame(120, 40);
        let line = frame.lines().find(|line| line.contains(field)).unwrap();
        assert!(line.contains(least), "{frame}");
    }
}

#[test]
fn a_helper_without_the_skill_is_told_to_help_in_vain() {
    let mut bench = Bench::with(
        System::Hearts,
        &[
            ("Ana", &[("skills", "Climb 44")]),
            ("Bo", &[("skills", "Brawn 67")]),
            ("Dee", &[("skills", "Climb 30")]),
        ],
    );
    bench.roll("Ana");
    bench.go("Helpers");
    bench.press("right");
    // Bo, who has another skill, then Dee, who has this one.
    bench.press("right");
    bench.sees("has no Climb: pick another at Assist");
    bench.press("down right");
    bench.sees("Dee: Climb");
    bench.go("Assist");
    bench.step_to("Bo: Brawn");
    bench.go("Helpers");
    bench.sees_no("has no Climb");
    bench.press("right");
    bench.sees("another helper is better");
}
