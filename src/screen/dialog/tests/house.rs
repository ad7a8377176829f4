use super::*;
use crate::rules::heart_rush;

#[test]
fn every_house_rule_says_its_readings_and_what_the_page_says() {
    let mut bench = Bench::new(System::HeartRush);
    bench.open(house_form);
    insta::assert_snapshot!("house", bench.shots());
    bench.go("scene-cap");
    let shown = bench.frame(80, 24);
    assert!(shown.contains("H9"), "{shown}");
    assert!(shown.contains("at most 5 Destiny Points"), "{shown}");
}

#[test]
fn rules_are_decided_together_as_one_act_and_taken_back_as_one() {
    let mut bench = Bench::new(System::HeartRush);
    bench.open(house_form);
    bench.go("ones");
    bench.press("right");
    bench.go("scene-cap");
    bench.press("right enter");
    assert!(bench.dialog.is_none());
    let decided = |bench: &Bench| {
        bench.read(|seen| {
            let house = seen.house();
            (
                house.departs(&heart_rush::ONES),
                house.departs(&heart_rush::SCENE_CAP),
            )
        })
    };
    assert_eq!(decided(&bench), (true, true));
    bench.table.submit(&Seat::gm(), &Act::Undo).unwrap();
    assert_eq!(decided(&bench), (false, false));
}

#[test]
fn the_readings_are_leafed_through_where_they_have_no_room() {
    let mut bench = Bench::new(System::HeartRush);
    bench.open(house_form);
    assert!(!bench.frame(40, 12).contains("H1 "));
    bench.press("pgdn");
    let mut shown = bench.frame(40, 12);
    for _ in 0..9 {
        bench.press("pgdn");
        shown += &bench.frame(40, 12);
    }
    assert!(shown.contains("│ of it."), "{shown}");
    assert!(shown.contains("› ones"), "the rule stays: {shown}");
    bench.press("down");
    assert!(bench.frame(40, 12).contains("● "), "from its beginning");
}

#[test]
fn what_somebody_else_decides_meanwhile_is_followed() {
    let mut bench = Bench::new(System::HeartRush);
    bench.open(house_form);
    bench.run(Command::SetHouse {
        rule: "ones".into(),
        value: "any".into(),
    });
    bench.changed();
    let shown = bench.frame(80, 24);
    assert!(shown.contains("default: kept"), "{shown}");
    bench.press("enter");
    assert!(bench.acts.is_empty() && bench.dialog.is_none());
}
