use super::*;
use crate::session::CallCommand;

#[test]
fn everybody_is_called_on_with_two_keys() {
    let mut bench = Bench::heart_rush();
    bench.open(|seen| CallDialog::open(&[], seen));
    insta::assert_snapshot!("call_set_up", bench.shots());
    bench.press("enter");
    assert!(bench.dialog.is_none());
    assert_eq!(bench.calls(), ["Mira: skill cn=12", "Tamsin: skill cn=12"]);
}

#[test]
fn the_check_its_number_and_who_sees_it_are_said() {
    let mut bench = Bench::heart_rush();
    let mira = bench.id("Mira");
    bench.open(|seen| CallDialog::open(&[mira], seen));
    // The saving throw, Agility, 15.
    bench.press("down right down down right right down 15");
    bench.sees("Saving throw");
    bench.sees("Very Hard");
    bench.press("up up up up up");
    let frame = bench.frame(80, 24);
    let last = frame.lines().find(|line| line.contains('›')).unwrap();
    assert!(last.contains("Shown to"), "one goes round: {frame}");
    bench.press("right enter");
    assert!(bench.dialog.is_none());
    assert_eq!(bench.calls(), ["Mira: save ability=Agility cn=15 shown"]);
}

#[test]
fn several_are_picked_one_by_one() {
    let mut bench = Bench::heart_rush();
    bench.open(|seen| CallDialog::open(&[], seen));
    bench.press("right right right");
    bench.sees("nobody is picked yet");
    bench.press("enter");
    assert!(bench.acts.is_empty());
    bench.press("down down space enter");
    assert_eq!(bench.calls(), ["Tamsin: skill cn=12"]);
}

#[test]
fn the_worst_is_found_by_the_odds_and_the_others_help() {
    let mut bench = Bench::heart_rush();
    bench.open(|seen| CallDialog::open(&[], seen));
    bench.press("right");
    let frame = bench.frame(120, 40);
    assert!(frame.contains("the worst (weakest link)"), "{frame}");
    assert!(
        frame.contains("Mira is among those with the lowest chance"),
        "{frame}"
    );
    bench.press("enter");
    let (who, helpers) = bench.read(|seen| {
        let call = seen.calls().next().unwrap();
        (call.who, call.helpers.clone())
    });
    // Both have the same dice for the ability offered first; the roster decides.
    assert_eq!(who, bench.id("Mira"));
    assert_eq!(helpers, [bench.id("Tamsin")]);
    bench.roll("Mira");
    bench.sees("called for");
    bench.by_hand("5 5 5");
    let roll = bench.rolled();
    assert!(roll.fields.flag("helped"));
    assert_eq!(roll.helpers, [bench.id("Tamsin")]);
    assert_eq!(bench.calls(), Vec::<String>::new());
}

#[test]
fn a_called_check_comes_ready_and_leads_on_to_the_next() {
    let mut bench = Bench::heart_rush();
    let both = [bench.id("Mira"), bench.id("Tamsin")];
    bench.run(Command::Call(CallCommand {
        group: false,
        who: both.to_vec(),
        check: "save".into(),
        fields: vec![
            ("ability".into(), "agility".into()),
            ("cn".into(), "15".into()),
        ],
        helpers: Vec::new(),
        shown: false,
    }));
    bench.roll("Mira");
    bench.by_hand("5 5");
    let roll = bench.rolled();
    assert_eq!(roll.fields.spec().id, "save");
    assert_eq!(
        (roll.fields.number("cn"), roll.fields.die("ability")),
        (15, Die::D10)
    );
    assert!(
        roll.sources
            .contains(&("ability".to_owned(), "Agility".into()))
    );
    bench.sees("Roll for Tamsin");
    bench.write("r");
    bench.sees("Tamsin: Saving throw");
    bench.sees("15");
    bench.press("enter");
    bench.write("3 3");
    bench.press("enter");
    assert_eq!(bench.calls(), Vec::<String>::new());
}

#[test]
fn stepping_to_another_who_is_called_takes_up_that_call() {
    let mut bench = Bench::heart_rush();
    for (who, cn) in [("Mira", "9"), ("Tamsin", "18")] {
        let who = vec![bench.id(who)];
        bench.run(Command::Call(CallCommand {
            group: false,
            who,
            check: "save".into(),
            fields: vec![("cn".into(), cn.into())],
            helpers: Vec::new(),
            shown: false,
        }));
    }
    bench.roll("Mira");
    bench.press("wh right");
    bench.sees("Nearly Impossible");
    bench.press("right");
    bench.sees_no("called for");
}

#[test]
fn a_call_is_taken_back_where_it_was_made() {
    let mut bench = Bench::heart_rush();
    bench.open(|seen| CallDialog::open(&[], seen));
    bench.press("enter");
    bench.open(|seen| CallDialog::open(&[], seen));
    bench.press("up right right");
    bench.sees("take back: Tamsin, Skill check");
    bench.press("enter");
    assert_eq!(bench.calls(), ["Mira: skill cn=12"]);
    bench.open(|seen| CallDialog::open(&[], seen));
    bench.press("enter");
    assert_eq!(bench.calls().len(), 3);
    bench.open(|seen| CallDialog::open(&[], seen));
    bench.press("up left");
    bench.sees("take back all 3");
    bench.press("enter");
    assert_eq!(bench.calls(), Vec::<String>::new());
}

#[test]
fn a_player_rolls_only_for_the_own_characters() {
    let mut bench = Bench::heart_rush();
    bench.open(|seen| CallDialog::open(&[], seen));
    bench.press("enter");
    bench.sit_down("Bo", "Tamsin");
    bench.roll("Tamsin");
    bench.sees("called for");
    bench.press("enter enter");
    assert_eq!(bench.calls(), Vec::<String>::new());
    bench.seat = Seat::gm();
    assert_eq!(bench.calls(), ["Mira: skill cn=12"]);
}

#[test]
fn a_number_nobody_entered_is_the_one_that_the_check_begins_with() {
    let mut bench = Bench::with(System::Hearts, &[("Isolde", &[])]);
    bench.open(|seen| CallDialog::open(&[], seen));
    bench.press("down right right right");
    bench.sees("Defender's skill");
    bench.sees("50");
    bench.press("right");
    bench.sees("Defender's trait");
    bench.sees_no(" 50 ");
}
