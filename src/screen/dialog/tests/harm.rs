use super::*;
use crate::screen::dialog::{Copied, Harm};

fn open(bench: &mut Bench, what: Harm, names: &[&str]) {
    let who: Vec<CharacterId> = names.iter().map(|name| bench.id(name)).collect();
    bench.open(|seen| HarmForm::open(what, who, seen).unwrap());
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
    open(&mut bench, Harm::Damage, &["Mira"]);
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
    open(&mut bench, Harm::Damage, &["Mira", "Tamsin"]);
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
    open(&mut bench, Harm::Rest, &["Mira"]);
    bench.press("down right enter");
    assert_eq!(bench.log(), "Mira, Tamsin: a short rest");
    assert_eq!(stat(&bench, "Tamsin", "heart-now"), "d8");
}

#[test]
fn what_the_rules_do_not_know_is_said_instead_of_asked() {
    let bench = Bench::new(System::Hearts);
    bench.add("Mira", &[]);
    let who = bench.id("Mira");
    let why = |what| bench.read(|seen| HarmForm::open(what, vec![who], seen).err().unwrap());
    assert!(why(Harm::Damage).contains("HEARTS knows no hit points"));
    assert!(why(Harm::Aid).contains("say nothing of first aid"));
    assert!(why(Harm::Unlock).contains("nothing is locked for Mira"));
}

#[test]
fn a_goblin_four_times_is_one_act() {
    let mut bench = Bench::heart_rush();
    let of = Copied::Characters(vec![bench.id("Mira")]);
    bench.open(|seen| CopiesDialog::open(of, seen));
    bench.press("enter");
    assert_eq!(bench.log(), "New character: Mira 2, Mira 3, Mira 4");
    bench.table.submit(&Seat::gm(), &Act::Undo).unwrap();
    assert_eq!(bench.read(|seen| seen.roster().count()), 2);
}
