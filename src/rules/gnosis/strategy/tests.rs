use super::*;
use crate::rules::{AnswerSource, Progress, Value, resolve};

fn spec() -> &'static CheckSpec {
    System::GNOSIS.check("strategy").unwrap()
}

fn strategy(given: &[(&str, i32)]) -> Result<Strategy, Refused> {
    let given = given
        .iter()
        .map(|&(name, number)| (name, Value::Number(number)));
    Strategy::new(&Fields::new(spec(), given).unwrap(), &House::default())
}

#[test]
fn who_is_taken_out_does_not_roll() {
    let refused = strategy(&[("pain", 5), ("disadvantage", 3)]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "all three attributes are at a disadvantage: the Hero is taken out and cannot roll"
    );
    assert!(strategy(&[("pain", 5), ("disadvantage", 2)]).is_ok());
    assert!(
        strategy(&[("pain", 5), ("disadvantage", 5), ("power-tier", 3)]).is_ok(),
        "the tier takes the first three"
    );
}

#[test]
fn the_house_rule_fills_in_the_margin_that_nobody_gave() {
    let mut house = House::default();
    house
        .set(System::GNOSIS, "critical-margin", Value::Number(5))
        .unwrap();
    let mut fields = Fields::new(spec(), [("pain", Value::Number(5))]).unwrap();
    assert_eq!(Strategy::new(&fields, &house).unwrap().critical, 5);
    fields.decide(&house);
    assert_eq!(fields.number("critical-margin"), 5);
    let given = [
        ("pain", Value::Number(5)),
        ("critical-margin", Value::Number(7)),
    ];
    let mut fields = Fields::new(spec(), given).unwrap();
    fields.decide(&house);
    assert_eq!(fields.number("critical-margin"), 7);
    assert_eq!(Strategy::new(&fields, &house).unwrap().critical, 7);
}

#[test]
fn the_castle_is_told_in_the_words_of_the_rules() {
    let given = [
        ("power-tier", 1),
        ("precision-tier", 2),
        ("possibility-tier", 3),
        ("pain", 5),
    ];
    let fields = Fields::new(spec(), given.map(|(id, value)| (id, value.into()))).unwrap();
    let strategy = spec().prepare(&fields, &House::default()).unwrap();
    let mut trail = Vec::new();
    let faces = [8, 4, 2, 9, 5, 3, 7, 1, 4, 4, 10, 8, 7, 2];
    let stand = resolve(&*strategy, &mut trail, &mut AnswerSource::by_hand(&faces)).unwrap();
    assert_eq!(stand, Progress::Done);
    assert_eq!(
        strategy.outcome(&trail).steps,
        [
            "Power, 2d12: 8, 4; the highest counts: 8.",
            "Precision, 3d10: 2, 9, 5; the highest counts: 9.",
            "Possibility, 4d8: 3, 7, 1, 4; the highest counts: 7.",
            "Pain, 5d10: 4, 10, 8, 7, 2; the highest three count: 10 + 8 + 7 = 25.",
            "8 + 9 + 7 makes 24 for the Hero, against the Pain Pool's 25 (Journeyman).",
            "1 below: Failure.",
            "Failure at Similar Power: the Intent fails, and 1 consequence of Stress.",
            "The highest die is 10, of Pain: the dominant theme.",
        ]
    );
}
