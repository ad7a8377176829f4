use super::*;
use crate::rules::TokenKind;
use crate::session::{Faces, PoolId};

fn gnosis(favor: i32) -> Bench {
    let bench = Bench::new(System::Gnosis);
    bench.add("Mira", &[]);
    bank(&bench, favor);
    bench
}

/// The bank's pool and what is in it.
fn pool(bench: &Bench) -> (PoolId, i32) {
    bench.read(|seen| {
        let mut pools = seen.pools();
        let favor = pools.find(|pool| pool.id_word() == TokenKind::Favor.id());
        favor.map(|pool| (pool.id, pool.tokens)).unwrap()
    })
}

fn held(bench: &Bench) -> i32 {
    pool(bench).1
}

fn bank(bench: &Bench, to: i32) {
    let (pool, held) = pool(bench);
    if held != to {
        bench.run(Command::SetTokens { pool, to });
    }
}

/// Throws by hand: that face for each of the Hero's dice, or the highest, and that for pain.
fn throw(bench: &mut Bench, hero: &str, pain: &str) {
    loop {
        let frame = bench.frame(120, 40);
        if !frame.contains("Type the faces") {
            return;
        }
        let dice = frame.matches("╰d").count();
        let face = if frame.contains("pain") { pain } else { hero };
        let best = if frame.contains("╰d12") {
            "12"
        } else if frame.contains("╰d10") {
            "10"
        } else {
            "8"
        };
        let face = if face == "best" { best } else { face };
        bench.write(&vec![face; dice].join(" "));
        bench.press("enter");
    }
}

fn rolls(bench: &Bench) -> usize {
    bench.read(|seen| seen.log().filter(|entry| entry.roll().is_some()).count())
}

#[test]
fn a_favor_rolls_again_once_and_esc_declines() {
    let mut bench = gnosis(2);
    bench.roll("Mira");
    bench.press("ctrl-h enter");
    throw(&mut bench, "5", "5");
    bench.sees("Favor: roll again");
    bench.press("esc");
    assert_eq!((held(&bench), rolls(&bench)), (2, 1));
    bench.roll("Mira");
    bench.press("ctrl-h enter");
    throw(&mut bench, "5", "5");
    bench.write("f");
    assert_eq!(held(&bench), 2, "not before the dice lie there");
    throw(&mut bench, "best", "1");
    let Some(Act::Reroll {
        faces: Faces::Typed(faces),
        ..
    }) = bench.acts.last()
    else {
        panic!("{:?}", bench.acts.last());
    };
    assert_eq!(faces[..3], [12, 10, 8]);
    assert_eq!((held(&bench), rolls(&bench)), (1, 3));
    let frame = bench.frame(120, 40);
    assert!(frame.contains("Rolled again instead of #"), "{frame}");
    assert!(frame.contains("30 against 3"), "{frame}");
    assert!(
        !frame.contains("Favor: roll again"),
        "the second is accepted: {frame}"
    );
}

#[test]
fn without_favor_none_is_offered_and_an_explained_roll_offers_it_too() {
    let mut bench = gnosis(0);
    bench.roll("Mira");
    bench.press("ctrl-h enter");
    throw(&mut bench, "5", "5");
    bench.sees_no("Favor: roll again");
    let number = bench.newest();
    bench.open(|seen| ExplainDialog::new(number, seen));
    bench.sees_no("Favor: roll again");
    bank(&bench, 1);
    bench.open(|seen| ExplainDialog::new(number, seen));
    bench.press("enter");
    assert!(bench.dialog.is_none(), "Enter closes");
    bench.open(|seen| ExplainDialog::new(number, seen));
    bench.press("esc");
    assert_eq!(rolls(&bench), 1);
    bench.open(|seen| ExplainDialog::new(number, seen));
    bench.write("f");
    assert!(matches!(
        bench.acts.last(),
        Some(Act::Reroll {
            faces: Faces::Rolled,
            ..
        })
    ));
    assert_eq!(rolls(&bench), 2);
    let frame = bench.frame(120, 40);
    assert!(
        frame.contains(&format!("Rolled again instead of #{number}")),
        "{frame}"
    );
}
