use rstest::rstest;

use super::*;
use crate::rules::{AnswerSource, DynCheck, Stand, System, Value, resolve};

fn acs(given: &[(&str, i32)], difficulty: &str, explosion: &str) -> Acs {
    let given = given
        .iter()
        .map(|&(name, number)| (name, Value::Number(number)))
        .chain([("difficulty", Value::from(difficulty))]);
    let mut house = House::default();
    house
        .set(System::Hfrpg, "explosion", Value::from(explosion))
        .unwrap();
    Acs::new(&Fields::new(&SPEC, given).unwrap(), &house).unwrap()
}

#[rstest]
#[case(40, "critical-success", 1)]
#[case(16, "critical-success", 1)]
#[case(15, "clean-success", 0)]
#[case(13, "clean-success", 0)]
#[case(12, "scraped-by", -1)]
#[case(10, "scraped-by", -1)]
#[case(9, "almost-there", 1)]
#[case(7, "almost-there", 1)]
#[case(6, "clean-failure", 0)]
#[case(4, "clean-failure", 0)]
#[case(3, "critical-failure", -1)]
#[case(0, "critical-failure", -1)]
fn a_result_falls_into_its_threshold(
    #[case] total: i32,
    #[case] outcome: &str,
    #[case] token: i32,
) {
    let row = threshold_of(total);
    assert_eq!((SPEC.outcome(row.outcome).id, row.token), (outcome, token));
}

fn steps(check: &Acs, faces: &[Face], answer: Option<&str>) -> Vec<String> {
    let mut trail = Vec::new();
    let mut dealer = AnswerSource::by_hand(faces);
    dealer.answers.extend(answer.map(str::to_owned));
    dealer.defaults = true;
    assert_eq!(resolve(check, &mut trail, &mut dealer), Ok(Stand::Response));
    check.outcome(&trail).steps
}

#[test]
fn shannon_is_told_in_the_words_of_the_rules() {
    let check = acs(
        &[("attribute", 3), ("competency", 2), ("specialisation", 1)],
        "very-hard",
        "once",
    );
    assert_eq!(
        steps(&check, &[4, 4, 1, 4, 2], None),
        [
            "Rolled 3d4: 4, 4, 1.",
            "One 4 and the 1 cancel each other; one 4 explodes: 4 + 4.",
            "The 4 rolled again: 4, then 2.",
            "14 from the kept dice + 2 (Competency) + 1 (Specialisation) makes 17.",
            "17 is 16 or more: Critical Success, and a bonus token.",
        ]
    );
}

#[test]
fn massimo_is_told_in_the_words_of_the_rules() {
    let check = acs(&[("attribute", 4), ("competency", 3)], "easy", "once");
    assert_eq!(
        steps(&check, &[1, 4, 5, 8], None),
        [
            "Rolled 4d10: 1, 4, 5, 8.",
            "One 1 implodes and removes the 8; the highest left counts: 5.",
            "5 from the kept dice + 3 (Competency) makes 8.",
            "8 is 7 to 9: Almost There, and a bonus token.",
        ]
    );
}

#[test]
fn tokens_are_told_with_what_they_did() {
    let check = acs(
        &[("attribute", 2), ("competency", 0), ("bonus", 3)],
        "normal",
        "once",
    );
    assert_eq!(
        steps(&check, &[6, 1, 3], Some("2,1"))[1..3],
        [
            "3 bonus tokens spent: the 6 becomes 8, the 1 becomes 2.",
            "The 8 explodes: 8.",
        ]
    );
}

#[test]
fn a_button_says_what_it_comes_to_and_what_it_costs() {
    let check = acs(
        &[("attribute", 2), ("competency", 0), ("bonus", 3)],
        "normal",
        "once",
    );
    let Ask::Choose { what, by } = check.after(&[Answer::Faces(vec![6, 1])]).unwrap() else {
        panic!("no choice is put");
    };
    let buttons: Vec<(&str, &str)> = what
        .options
        .iter()
        .map(|option| (option.name.as_str(), option.label.as_str()))
        .collect();
    assert_eq!(by, Side::Actor);
    assert_eq!(what.default, 0);
    assert_eq!(
        buttons,
        [
            ("2,1", "8 and 1 explosion, 3 tokens"),
            ("2,0", "8 counts, 2 tokens"),
            ("1,1", "7 counts, 2 tokens"),
            ("0,1", "6 counts, 1 token"),
            ("0,0", "1 counts, no token"),
        ]
    );
}

#[test]
fn a_chain_ends_after_a_thousand_further_rolls() {
    let check = acs(&[("attribute", 1), ("competency", 0)], "very-hard", "once");
    let mut trail = vec![Answer::Faces(vec![4]); 1_000];
    assert!(matches!(check.after(&trail), Ok(Ask::Roll { .. })));
    trail.push(Answer::Faces(vec![4]));
    assert!(matches!(
        check.after(&trail),
        Ok(Ask::Response(
            CRITICAL_SUCCESS,
            Tally {
                total: Some(4_004),
                ..
            }
        ))
    ));
}

/// The chances of the outcomes in the given number of ways, by walking every face of the pool and
/// then the chains through the machine.
fn ways(check: &Acs) -> Vec<(OutcomeId, u128, u128)> {
    let mut found = Vec::new();
    let len = check.pool().len();
    let sides = u128::from(check.top());
    let mut faces = vec![1; len];
    loop {
        let heard = Heard::Dice(check.pool().read(&faces));
        let mut open = vec![(check.hear(check.start(), &heard), sides.pow(5))];
        while let Some((state, ways)) = open.pop() {
            if let Some((outcome, _)) = check.settled(&state) {
                found.push((outcome, ways, sides.pow(5)));
                continue;
            }
            match check.ask(&state) {
                Ask::Response(outcome, _) => found.push((outcome, ways, sides.pow(5))),
                Ask::Choose { what, .. } => {
                    let id = what.fallback().id;
                    open.push((check.hear(state, &Heard::Chose(id)), ways));
                }
                Ask::Roll { pool, .. } => {
                    assert_eq!((pool.len(), ways % sides), (1, 0));
                    for face in 1..=check.top() {
                        let heard = Heard::Dice(pool.read(&[face]));
                        open.push((check.hear(state, &heard), ways / sides));
                    }
                }
            }
        }
        let Some(at) = faces.iter().position(|&face| face < check.top()) else {
            return found;
        };
        faces[at] += 1;
        faces[..at].fill(1);
    }
}

#[rstest]
#[case::r1(3, 0, "normal", "once", [(71, 1024), (81, 1024), (81, 1024), (287, 1024), (81, 256), (45, 256)])]
#[case(1, 3, "normal", "once", [(1, 16), (3, 64), (9, 64), (3, 8), (3, 8), (0, 1)])]
#[case(2, 4, "normal", "once", [(17, 128), (9, 128), (11, 32), (15, 64), (7, 32), (0, 1)])]
#[case(3, 5, "normal", "once", [(103, 512), (63, 512), (27, 64), (27, 128), (11, 256), (0, 1)])]
#[case(3, 5, "hard", "once", [(4, 27), (1, 9), (1, 3), (1, 3), (2, 27), (0, 1)])]
#[case(4, 6, "easy", "once", [(3339, 10000), (831, 2000), (69, 400), (781, 10000), (0, 1), (0, 1)])]
#[case(3, 6, "very-hard", "once", [(23, 128), (9, 128), (9, 32), (15, 32), (0, 1), (0, 1)])]
fn the_published_chances_hold(
    #[case] attribute: i32,
    #[case] competency: i32,
    #[case] difficulty: &str,
    #[case] explosion: &str,
    #[case] expected: [(u128, u128); 6],
) {
    let given = [("attribute", attribute), ("competency", competency)];
    let check = acs(&given, difficulty, explosion);
    let found = ways(&check);
    let sides = u128::from(check.top());
    let whole = sides.pow(u32::try_from(attribute).unwrap() + 5);
    for (index, (over, under)) in (0..).zip(expected) {
        let of = found.iter().filter(|(id, ..)| *id == OutcomeId(index));
        let ways: u128 = of.map(|(_, ways, _)| ways).sum();
        assert_eq!(ways * under, over * whole, "outcome {index}");
    }
}

#[rstest]
#[case::r2("apart", 875, 4096)]
#[case::r3("twice", 65, 256)]
fn the_other_readings_of_an_explosion_have_their_own_chance_of_a_critical_success(
    #[case] explosion: &str,
    #[case] over: u128,
    #[case] under: u128,
) {
    let check = acs(&[("attribute", 3), ("competency", 0)], "normal", explosion);
    let found = ways(&check);
    let of = found.iter().filter(|(id, ..)| *id == CRITICAL_SUCCESS);
    let ways: u128 = of.map(|(_, ways, _)| ways).sum();
    assert_eq!(ways * under, over * 8_u128.pow(8));
}
