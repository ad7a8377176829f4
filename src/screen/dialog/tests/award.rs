use super::*;

#[test]
fn an_award_says_to_whom_how_many_and_why() {
    let mut bench = Bench::heart_rush();
    let mira = bench.id("Mira");
    bench.run(Command::SetStat {
        who: mira,
        stat: "aspects".into(),
        value: Value::Ranks(vec![("Hot-headed".into(), 3), ("Captain".into(), 4)]),
    });
    let pool = |bench: &Bench| {
        bench.read(|seen| {
            let pool = seen.pools_of(Some(mira)).next().unwrap();
            (pool.id, pool.tokens)
        })
    };
    let (id, _) = pool(&bench);
    bench.open(|seen| award_form(id, seen));
    bench.press("down right down");
    bench.write("a song");
    insta::assert_snapshot!("award", bench.shots());
    bench.press("enter");
    assert!(bench.dialog.is_none());
    assert_eq!(pool(&bench), (id, 5));
    assert!(bench.log().contains("a song"), "{}", bench.log());
}
