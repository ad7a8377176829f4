use super::thresholds::CRITICAL_SUCCESS;
use super::*;
use crate::{Answer, DynCheck, Progress, Value};

fn acs(given: &[(&str, i32)], difficulty: &str) -> Box<dyn DynCheck> {
    let given = given.iter().map(|&(name, number)| (name, number.into()));
    let given = given.chain([("difficulty", Value::from(difficulty))]);
    let spec = crate::System::HFRPG.check("acs").unwrap();
    spec.prepare(&Fields::new(spec, given).unwrap(), &HouseRules::default())
        .unwrap()
}

#[test]
fn a_button_shows_the_result_and_the_cost_of_its_option() {
    let check = acs(
        &[("attribute", 2), ("competency", 0), ("bonus", 3)],
        "normal",
    );
    let Progress::Waits(Ask::Choose { choices, by }) =
        check.after(&[Answer::Faces(vec![6, 1])]).unwrap()
    else {
        panic!("the check asks no question");
    };
    let mut buttons = Vec::new();
    for option in &choices.options {
        buttons.push((option.name.clone(), option.button_label()));
    }
    assert_eq!(by, Side::Actor);
    assert_eq!(choices.default, 0);
    assert_eq!(
        buttons,
        [
            ("2,1", "8 and 1 explosion (3 tokens)"),
            ("2,0", "8 counts (2 tokens)"),
            ("1,1", "7 counts (2 tokens)"),
            ("0,1", "6 counts (1 token)"),
            ("0,0", "1 counts, no token"),
        ]
        .map(|(name, label)| (name.to_owned(), label.to_owned()))
    );
}

#[test]
fn exploding_ends_after_a_thousand_further_rolls() {
    let check = acs(&[("attribute", 1), ("competency", 0)], "very-hard");
    let mut trail = vec![Answer::Faces(vec![4]); 1_000];
    assert!(matches!(
        check.after(&trail),
        Ok(Progress::Waits(Ask::Roll { .. }))
    ));
    trail.push(Answer::Faces(vec![4]));
    assert!(matches!(
        check.after(&trail),
        Ok(Progress::Done(
            CRITICAL_SUCCESS,
            Score {
                total: Some(4_004),
                ..
            }
        ))
    ));
}
