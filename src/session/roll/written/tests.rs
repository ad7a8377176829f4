use super::*;
use crate::rules::System;

#[test]
fn no_check_is_called_like_another_part_of_a_roll() {
    for system in System::ALL {
        for check in system.spec().checks {
            assert!(!TAKEN.contains(&check.id), "{system}: {}", check.id);
        }
    }
}

#[test]
fn a_roll_is_read_as_it_was_written_before() {
    let before = r#"{"who":"Mira","id":3,"check":"skill","fields":{"heart":["d8"],"cn":12},"trail":[[1,5]],"total":6,"outcome":"failure","luck":125,"effects":[{"destiny":-2},"complication"]}"#;
    let now = r#"{"who":"Mira","id":3,"skill":{"heart":["d8"],"cn":12},"trail":[[1,5]],"came":["failure",125,6],"effects":[{"destiny":-2},"complication"]}"#;
    let between = r#"{"who":"Mira","id":3,"skill":{"heart":["d8"],"cn":12},"trail":[[1,5]],"total":6,"outcome":"failure","luck":125,"effects":[{"destiny":-2},"complication"]}"#;
    let read: Roll = serde_json::from_str(before).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), now);
    for line in [between, now] {
        assert_eq!(serde_json::from_str::<Roll>(line).unwrap(), read);
    }
}

#[test]
fn what_is_no_part_of_a_roll_is_refused() {
    for line in [
        r#"{"who":"Mira"}"#,
        r#"{"skill":{},"trail":[],"colour":{}}"#,
        r#"{"strategy":{},"own":["d12","d10","d8",3]}"#,
        r#"{"juggling":{},"own":["d12"]}"#,
        r#"{"skill":{},"came":[]}"#,
        r#"{"skill":{},"came":["failure",125,6,1]}"#,
    ] {
        assert!(serde_json::from_str::<Roll>(line).is_err(), "{line}");
    }
}

fn strategy(power: &str) -> Roll {
    let field = |name: &str, value: &str| (name.to_owned(), Value::from(value));
    let source = |name: &str, source: &str| (name.to_owned(), source.to_owned());
    Roll {
        check: "strategy".to_owned(),
        fields: vec![
            field("power", "d8"),
            field("precision", "d12"),
            field("possibility", "d10"),
            ("precision-tier".to_owned(), Value::Number(2)),
            ("pain".to_owned(), Value::Number(5)),
        ],
        sources: vec![
            source("power", power),
            source("precision", "Precision"),
            source("possibility", "Possibility"),
            source("precision-tier", "Light Step"),
        ],
        ..Roll::default()
    }
}

fn read_again(roll: &Roll) -> String {
    let line = serde_json::to_string(roll).unwrap();
    assert_eq!(&serde_json::from_str::<Roll>(&line).unwrap(), roll);
    line
}

#[test]
fn values_of_the_own_stats_need_no_names() {
    assert_eq!(
        read_again(&strategy("Power")),
        r#"{"strategy":{"precision-tier":[2,"Light Step"],"pain":5},"own":["d8","d12","d10"]}"#
    );
}

#[test]
fn a_value_of_an_own_stat_returns_to_its_place_among_the_others() {
    let field = |name: &str, value: &str| (name.to_owned(), Value::from(value));
    let roll = Roll {
        check: "attack".to_owned(),
        fields: vec![
            field("heart", "d8"),
            field("ability", "d6"),
            field("weapon", "d4"),
            field("defense-heart", "d10"),
            field("armor", "light"),
        ],
        sources: vec![
            field("heart", "Heart die now"),
            field("ability", "Might"),
            field("weapon", "Weapon die"),
            field("defense-heart", "Idra: Heart die now"),
            field("armor", "Armor"),
        ]
        .into_iter()
        .map(|(name, source)| (name, source.to_string()))
        .collect(),
        ..Roll::default()
    };
    assert_eq!(
        read_again(&roll),
        r#"{"attack":{"ability":["d6","Might"],"defense-heart":["d10","Idra: Heart die now"],"armor":["light"]},"own":["d8","d4"]}"#
    );
}

#[test]
fn where_the_first_stat_is_not_its_own_or_the_order_is_another_every_field_is_named() {
    assert_eq!(
        read_again(&strategy("Precision")),
        r#"{"strategy":{"power":["d8","Precision"],"precision":["d12"],"possibility":["d10"],"precision-tier":[2,"Light Step"],"pain":5}}"#
    );
    let mut another = strategy("Power");
    another.fields.swap(0, 1);
    another.sources.swap(0, 1);
    assert!(read_again(&another).starts_with(r#"{"strategy":{"precision":["d12"],"power""#));
}

#[test]
fn what_a_roll_came_to_is_read_again_whatever_of_it_there_is() {
    for (outcome, luck, total, written) in [
        ("tie", Some(500), Some(-3), r#","came":["tie",500,-3]"#),
        ("tie", Some(500), None, r#","came":["tie",500]"#),
        ("tie", None, None, r#","came":["tie"]"#),
        ("tie", None, Some(-3), r#","total":-3,"outcome":"tie""#),
        ("", None, Some(-3), r#","total":-3"#),
        ("", None, None, ""),
    ] {
        let roll = Roll {
            check: "strategy".to_owned(),
            outcome: outcome.to_owned(),
            luck,
            total,
            ..Roll::default()
        };
        let line = read_again(&roll);
        assert_eq!(line, format!(r#"{{"strategy":{{}}{written}}}"#));
    }
}
