//! Calls from a group, and who lacks the skill that is called for or helped with.

use super::groups::{bench, go, step_to};
use super::*;

/// What every call says: who, and the fields.
fn calls(bench: &Bench) -> Vec<String> {
    bench.read(|seen| {
        let told = |call: &crate::session::Call| {
            let fields = call
                .fields
                .iter()
                .map(|(id, given)| format!(" {id}={given}"));
            let fields: String = fields.collect();
            format!("{}{fields}", seen.owner_name(Some(call.who)))
        };
        seen.calls().map(told).collect()
    })
}

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
        let mut bench = bench(system, &[("Ana", &stats), ("Bo", &[])]);
        bench.open(|seen| CallDialog::open(&[], seen));
        go(&mut bench, field);
        step_to(&mut bench, "‹Climbing›");
        bench.sees("Ana, Bo (without C");
        bench.press("enter");
        assert!(bench.dialog.is_none(), "{}", bench.frame(120, 40));
        let calls = calls(&bench);
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
    let mut bench = bench(
        System::Hearts,
        &[
            ("Ana", &[("skills", "Climb 44")]),
            ("Bo", &[("skills", "Brawn 67")]),
            ("Dee", &[("skills", "Climb 30")]),
        ],
    );
    bench.roll("Ana");
    go(&mut bench, "Helpers");
    bench.press("right");
    // Bo, who has another skill, then Dee, who has this one.
    bench.press("right");
    bench.sees("has no Climb: pick another at Assist");
    bench.press("down right");
    bench.sees("Dee: Climb");
    go(&mut bench, "Assist");
    step_to(&mut bench, "Bo: Brawn");
    go(&mut bench, "Helpers");
    let frame = bench.frame(120, 40);
    assert!(!frame.contains("has no Climb"), "{frame}");
    bench.press("right");
    bench.sees("another helper is better");
}
