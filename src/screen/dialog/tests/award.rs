use super::*;

fn bench() -> Bench {
    let bench = Bench::heart_rush();
    let mira = bench.id("Mira");
    bench.run(Command::SetStat {
        who: mira,
        stat: "aspects".into(),
        value: Value::Ranks(vec![("Hot-headed".into(), 3), ("Captain".into(), 4)]),
    });
    bench
}

fn open(bench: &mut Bench, name: &str) {
    let who = bench.id(name);
    let pool = bench.read(|seen| seen.pools_of(Some(who)).next().unwrap().id);
    bench.open(|seen| AwardForm::open(pool, seen));
}

fn held(bench: &Bench, name: &str) -> i32 {
    let who = bench.id(name);
    bench.read(|seen| seen.pools_of(Some(who)).next().unwrap().tokens)
}

#[test]
fn an_award_says_to_whom_how_many_and_why() {
    let mut bench = bench();
    open(&mut bench, "Mira");
    bench.press("down right down");
    bench.write("a song");
    insta::assert_snapshot!("award", bench.shots());
    bench.press("enter");
    assert!(bench.dialog.is_none());
    assert_eq!(held(&bench, "Mira"), 5);
    let text = bench.log();
    assert!(text.contains("a song"), "{text}");
}

#[test]
fn an_aspect_that_complicates_life_gains_its_rank_within_the_scene() {
    let mut bench = bench();
    open(&mut bench, "Mira");
    bench.press("right");
    let frame = bench.frame(80, 24);
    assert!(
        frame.contains("Hot-headed 3 complicates life") && frame.contains("3 → 6"),
        "{frame}"
    );
    bench.press("enter");
    assert_eq!(held(&bench, "Mira"), 6);
    open(&mut bench, "Mira");
    bench.press("right right");
    bench.sees("6 → 8, no more this scene");
    bench.press("enter");
    assert_eq!(held(&bench, "Mira"), 8);
    open(&mut bench, "Mira");
    bench.press("right enter");
    assert!(bench.dialog.is_some(), "the scene's limit is reached");
    assert!(bench.frame(80, 24).contains('!'), "{}", bench.frame(80, 24));
}
