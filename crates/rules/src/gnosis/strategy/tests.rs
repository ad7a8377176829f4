use super::*;
use crate::Value;

fn spec() -> &'static CheckSpec {
    System::GNOSIS.check("strategy").unwrap()
}

fn strategy(given: &[(&str, i32)]) -> Result<Strategy, Refused> {
    let given = given
        .iter()
        .map(|&(name, number)| (name, Value::Number(number)));
    Strategy::new(&Fields::new(spec(), given).unwrap(), &HouseRules::default())
}

#[test]
fn a_hero_who_is_taken_out_cannot_roll() {
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
fn the_house_rule_is_the_default_of_the_margin() {
    let mut house = HouseRules::default();
    house
        .set(System::GNOSIS, "critical-margin", Value::Number(5))
        .unwrap();
    let mut fields = Fields::new(spec(), [("pain", Value::Number(5))]).unwrap();
    assert_eq!(Strategy::new(&fields, &house).unwrap().critical_margin, 5);
    fields.decide(&house);
    assert_eq!(fields.number("critical-margin"), 5);
    let given = [
        ("pain", Value::Number(5)),
        ("critical-margin", Value::Number(7)),
    ];
    let mut fields = Fields::new(spec(), given).unwrap();
    fields.decide(&house);
    assert_eq!(fields.number("critical-margin"), 7);
    assert_eq!(Strategy::new(&fields, &house).unwrap().critical_margin, 7);
}
