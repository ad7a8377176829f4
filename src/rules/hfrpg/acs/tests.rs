use rstest::rstest;

use super::*;
use crate::rules::{AnswerSource, DynCheck, Progress, System, Value, resolve};

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
    let mut source = AnswerSource::by_hand(faces);
    source.answers.extend(answer.map(str::to_owned));
    source.defaults = true;
    assert_eq!(resolve(check, &mut trail, &mut source), Ok(Progress::Done));
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
        Ok(Ask::Done(
            CRITICAL_SUCCESS,
            Tally {
                total: Some(4_004),
                ..
            }
        ))
    ));
}
