use super::*;
use crate::CharacterId;
use tableside_rules::{Answer, ChosenBy, Effect};

fn roll() -> Roll {
    Roll {
        who: "Mira".into(),
        id: Some(CharacterId(3)),
        check: "skill".into(),
        fields: [("heart".into(), "d8".into()), ("cn".into(), 12.into())].into(),
        sources: [("heart".into(), "Heart die now".into())].into(),
        trail: vec![
            Answer::Faces(vec![1, 5]),
            Answer::Chose {
                choice: "complication".into(),
                chose: "fail".into(),
                by: ChosenBy::Player,
            },
        ],
        total: Some(6),
        outcome: "failure".into(),
        luck: Some(125),
        effects: vec![Effect::Complication],
        ..Roll::default()
    }
}

fn read_again(event: &Event) -> String {
    let line = serde_json::to_string(event).unwrap();
    assert_eq!(&serde_json::from_str::<Event>(&line).unwrap(), event);
    line
}

#[test]
fn a_roll_is_stored_completely_and_read_again() {
    let line = read_again(&Event::new(EventKind::Rolled(Box::new(roll())), Vec::new()));
    assert_eq!(
        line,
        concat!(
            r#"{"what":{"rolled":{"who":"Mira","id":3,"check":"skill","#,
            r#""fields":{"cn":12,"heart":"d8"},"sources":{"heart":{"what":"Heart die now"}},"#,
            r#""trail":[[1,5],{"choice":"complication","chose":"fail","by":"player"}],"#,
            r#""total":6,"outcome":"failure","luck":125,"effects":[{"kind":"complication"}]}}}"#
        )
    );
}

#[test]
fn lines_that_are_not_valid_events_are_refused() {
    for line in include_str!("refused.jsonl").lines() {
        assert!(serde_json::from_str::<Event>(line).is_err(), "{line}");
    }
}

#[test]
fn every_effect_is_read_again() {
    for line in include_str!("effects.jsonl").lines() {
        let read: Effect = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), line);
    }
}
