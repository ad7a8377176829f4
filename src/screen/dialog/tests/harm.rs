use super::*;
use crate::screen::action::Action;
use crate::table::command_language::Thing;

fn open(bench: &mut Bench, what: Action, names: &[&str]) {
    let who: Vec<CharacterId> = names.iter().map(|name| bench.id(name)).collect();
    bench.open(|seen| harm_form(what, who, seen).unwrap());
}

fn stat(bench: &Bench, name: &str, stat: &str) -> String {
    bench.read(|seen| {
        let one = seen.character_named(name).unwrap();
        one.sheet.value(stat).unwrap().to_string()
    })
}

#[test]
fn damage_says_what_it_leads_to_while_it_is_typed() {
    let mut bench = Bench::heart_rush();
    open(&mut bench, Action::Damage, &["Mira"]);
    bench.write("12");
    insta::assert_snapshot!("damage", bench.shots());
    bench.press("down space");
    let shown = bench.frame(80, 24);
    assert!(
        shown.contains("shrugs off half of 12; heart die d8 to d6"),
        "{shown}"
    );
    bench.press("enter");
    assert!(bench.dialog.is_none());
    assert_eq!(stat(&bench, "Mira", "hit-points"), "34");
    assert_eq!(stat(&bench, "Mira", "heart-now"), "d6");
}

#[test]
fn damage_of_several_is_one_act() {
    let mut bench = Bench::heart_rush();
    open(&mut bench, Action::Damage, &["Mira", "Tamsin"]);
    bench.press("enter");
    bench.sees("Damage is still to be said");
    bench.press("5 enter");
    assert_eq!(bench.log(), "Mira, Tamsin: 5 damage, hit points 40 to 35");
}

#[test]
fn the_party_rests_together_and_undo_takes_it_back_whole() {
    let mut bench = Bench::heart_rush();
    for name in ["Mira", "Tamsin"] {
        let who = bench.id(name);
        bench.run(Command::StepStat {
            who,
            stat: "heart-now".into(),
            by: -1,
        });
    }
    open(&mut bench, Action::Rest, &["Mira"]);
    bench.press("down right enter");
    assert_eq!(bench.log(), "Mira, Tamsin: a short rest");
    assert_eq!(stat(&bench, "Tamsin", "heart-now"), "d8");
}

#[test]
fn a_goblin_four_times_is_one_act() {
    let mut bench = Bench::heart_rush();
    let of = [Thing::Character(bench.id("Mira"))];
    bench.open(|seen| duplicate_form(&of, seen));
    bench.press("enter");
    assert_eq!(bench.log(), "New character: Mira 2, Mira 3, Mira 4");
    bench.table.submit(&Seat::gm(), &Act::Undo).unwrap();
    assert_eq!(bench.read(|seen| seen.roster().count()), 2);
}

#[test]
fn nothing_is_tried_again_where_nothing_is_locked() {
    let bench = Bench::heart_rush();
    let who = vec![bench.id("Mira")];
    let refused = bench.read(|seen| harm_form(Action::Unlock, who, seen).err());
    assert!(refused.unwrap().contains("nothing is locked for Mira"));
}
