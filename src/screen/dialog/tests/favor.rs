use super::*;
use crate::rules::TokenKind;
use crate::session::Faces;

fn gnosis(favor: i32) -> Bench {
    let bench = Bench::new(System::Gnosis);
    let mira = Character::new("Mira", Sheet::new(System::Gnosis));
    bench.run(Command::AddCharacter(Box::new(mira)));
    let pool = bench.read(|seen| {
        let mut pools = seen.pools();
        let found = pools.find(|pool| pool.id_word() == TokenKind::Favor.id());
        found.unwrap().id
    });
    bench.run(Command::SetTokens { pool, to: favor });
    bench
}

fn held(bench: &Bench) -> i32 {
    bench.read(|seen| {
        let mut pools = seen.pools();
        let found = pools.find(|pool| pool.id_word() == TokenKind::Favor.id());
        found.unwrap().tokens
    })
}

fn rolls(bench: &Bench) -> usize {
    bench.read(|seen| seen.log().filter(|entry| entry.roll().is_some()).count())
}

#[test]
fn a_favor_rolls_again_once_and_esc_declines() {
    let mut bench = gnosis(2);
    bench.roll("Mira");
    bench.press("enter");
    assert!(
        bench.frame(80, 24).contains("Favor: roll again"),
        "{}",
        bench.frame(80, 24)
    );
    bench.press("esc");
    assert_eq!((held(&bench), rolls(&bench)), (2, 1));
    bench.roll("Mira");
    bench.press("enter");
    insta::assert_snapshot!("favor_offered", bench.shots());
    bench.write("f");
    assert!(matches!(
        bench.acts.last(),
        Some(Act::Reroll {
            faces: Faces::Rolled,
            ..
        })
    ));
    assert_eq!((held(&bench), rolls(&bench)), (1, 3));
    let frame = bench.frame(120, 40);
    assert!(frame.contains("Rolled again instead of #"), "{frame}");
    assert!(
        !frame.contains("Favor: roll again"),
        "the second is accepted: {frame}"
    );
}

#[test]
fn dice_by_hand_stay_by_hand_when_a_favor_is_spent() {
    let mut bench = gnosis(1);
    bench.roll("Mira");
    bench.press("ctrl-h enter");
    bench.write("1 1 1");
    bench.press("enter");
    bench.write("1 1 1");
    bench.press("enter");
    bench.write("f");
    assert_eq!(held(&bench), 1, "not before the dice lie there");
    bench.write("12 10 8");
    bench.press("enter");
    bench.write("1 1 1");
    bench.press("enter");
    assert_eq!(held(&bench), 0, "{}", bench.frame(80, 24));
    assert!(
        bench.frame(80, 24).contains("30"),
        "{}",
        bench.frame(80, 24)
    );
}

#[test]
fn without_favor_none_is_offered_and_an_explained_roll_offers_it_too() {
    let mut bench = gnosis(0);
    bench.roll("Mira");
    bench.press("enter");
    assert!(!bench.frame(80, 24).contains("Favor: roll again"));
    let number = bench.read(|seen| seen.log().next().unwrap().number);
    bench.open(|_| Dialog::explain(number));
    assert!(!bench.frame(80, 24).contains("Favor: roll again"));
    let pool = bench.read(|seen| {
        let mut pools = seen.pools();
        let found = pools.find(|pool| pool.id_word() == TokenKind::Favor.id());
        found.unwrap().id
    });
    bench.run(Command::SetTokens { pool, to: 1 });
    bench.open(|_| Dialog::explain(number));
    insta::assert_snapshot!("favor_explained", bench.shots());
    bench.press("enter");
    assert!(bench.dialog.is_none(), "Enter closes");
    bench.open(|_| Dialog::explain(number));
    bench.press("esc");
    assert_eq!(rolls(&bench), 1);
    bench.open(|_| Dialog::explain(number));
    bench.write("f");
    assert_eq!((held(&bench), rolls(&bench)), (0, 2));
    let frame = bench.frame(120, 40);
    assert!(
        frame.contains(&format!("Rolled again instead of #{number}")),
        "{frame}"
    );
}
