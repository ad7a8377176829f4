use super::*;
use crate::rules::{Answer, ChosenBy, Consequence, Effect, House, TokenKind};
use crate::session::Thing;

fn roll() -> Roll {
    Roll {
        who: "Mira".into(),
        id: Some(CharacterId(3)),
        check: "skill".into(),
        fields: vec![
            ("heart".into(), "d8".into()),
            ("ability".into(), "d10".into()),
            ("cn".into(), 12.into()),
        ],
        sources: vec![
            ("heart".into(), "Heart die now".into()),
            ("ability".into(), "Agility".into()),
        ],
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
        effects: vec![
            Effect::Token {
                pool: TokenKind::Destiny,
                owner: Some("Mira".into()),
                amount: -2,
            },
            Effect::Complication,
        ],
        ..Roll::default()
    }
}

fn read_again(event: &Event) -> String {
    let line = serde_json::to_string(event).unwrap();
    assert_eq!(&serde_json::from_str::<Event>(&line).unwrap(), event);
    line
}

fn waiting(from: Option<Roll>, to: Option<Roll>) -> Change {
    let id = UnfinishedId(4);
    let held = |roll: Option<Roll>| roll.map(|roll| Box::new(Unfinished { id, roll }));
    Change::Waiting {
        id,
        from: held(from),
        to: held(to),
    }
}

#[test]
fn a_roll_says_everything_once() {
    let event = Event {
        what: What::Rolled(Box::new(roll())),
        changes: vec![waiting(Some(roll().beginning(1)), None)],
    };
    assert_eq!(
        read_again(&event),
        concat!(
            r#"{"rolled":{"who":"Mira","id":3,"#,
            r#""skill":{"heart":["d8"],"ability":["d10","Agility"],"cn":12},"#,
            r#""trail":[[1,5],{"complication":"fail","by":"player"}],"#,
            r#""came":["failure",125,6],"effects":[{"destiny":-2},"complication"]},"#,
            r#""changes":[{"waiting":{"id":4,"from":1}}]}"#
        )
    );
}

#[test]
fn a_check_that_waits_is_told_whole_where_the_event_is_about_something_else() {
    let begun = roll().beginning(1);
    let event = Event {
        what: What::Begun(Box::new(begun.clone())),
        changes: vec![waiting(None, Some(begun.clone()))],
    };
    assert!(read_again(&event).ends_with(r#""changes":[{"waiting":{"id":4,"to":1}}]}"#));
    let other = Event {
        what: What::Undone {
            event: 7,
            text: String::new(),
        },
        changes: vec![waiting(Some(begun), None)],
    };
    assert!(read_again(&other).contains(r#""from":{"id":4,"roll":{"who":"Mira""#));
    let lost = r#"{"ended":null,"changes":[{"waiting":{"id":4,"from":1}}]}"#;
    assert!(serde_json::from_str::<Event>(lost).is_err());
}

#[test]
fn the_same_about_several_characters_is_said_once() {
    let acted = |who| Change::About {
        who: CharacterId(who),
        part: Part::Acted,
        from: true.into(),
        to: false.into(),
    };
    let event = Event {
        what: What::Round {
            round: 2,
            over: String::new(),
        },
        changes: vec![
            Change::Round { from: 1, to: 2 },
            acted(1),
            acted(2),
            acted(5),
        ],
    };
    assert_eq!(
        read_again(&event),
        concat!(
            r#"{"round":{"round":2},"changes":[{"round":[1,2]},"#,
            r#"{"each":[[1,2,5],"acted",true,false]}]}"#
        )
    );
}

#[test]
fn changes_need_no_names_for_their_parts_and_are_read_with_them_too() {
    let dazed = |rounds| Condition {
        name: "dazed".into(),
        value: Some(2),
        rounds,
        fades: false,
    };
    let who = CharacterId(7);
    let event = Event {
        what: What::Ended,
        changes: vec![
            Change::Stat {
                who,
                stat: "traumas".into(),
                from: 2.into(),
                to: 4.into(),
            },
            Change::About {
                who,
                part: Part::Acted,
                from: false.into(),
                to: true.into(),
            },
            Change::Conditions {
                who,
                from: vec![dazed(Some(1)), dazed(None)],
                to: vec![dazed(None)],
            },
            Change::Filled {
                clock: ClockId(3),
                from: 1,
                to: 2,
            },
            Change::Tokens {
                pool: PoolId(9),
                from: 0,
                to: -1,
            },
        ],
    };
    assert_eq!(
        read_again(&event),
        concat!(
            r#"{"ended":null,"changes":[{"stat":[7,"traumas",2,4]},{"about":[7,"acted",false,true]},"#,
            r#"{"conditions":[7,[["dazed",2,1],["dazed",2,null]],[["dazed",2,null]]]},"#,
            r#"{"filled":[3,1,2]},{"tokens":[9,0,-1]}]}"#
        )
    );
    let before = concat!(
        r#"{"ended":null,"changes":[{"stat":{"who":7,"stat":"traumas","from":2,"to":4}},"#,
        r#"{"about":{"who":7,"part":"acted","from":false,"to":true}},"#,
        r#"{"conditions":{"who":7,"from":[{"name":"dazed","value":2,"rounds":1},{"name":"dazed","value":2}],"#,
        r#""to":[{"name":"dazed","value":2}]}},"#,
        r#"{"filled":{"clock":3,"from":1,"to":2}},{"tokens":{"pool":9,"from":0,"to":-1}}]}"#
    );
    assert_eq!(serde_json::from_str::<Event>(before).unwrap(), event);
}

#[test]
fn a_condition_that_fades_still_fades_when_it_is_read_again() {
    let dazed = |fades| Condition {
        name: "dazed".into(),
        value: Some(2),
        rounds: None,
        fades,
    };
    let event = Event {
        what: What::Ended,
        changes: vec![Change::Conditions {
            who: CharacterId(7),
            from: vec![dazed(true)],
            to: vec![dazed(false)],
        }],
    };
    let changes = r#"{"conditions":[7,[["dazed",2,null,true]],[["dazed",2,null]]]}"#;
    assert!(read_again(&event).contains(changes));
}

#[test]
fn harm_and_the_scene_that_brought_it_are_one_where_they_rise_together() {
    let who = CharacterId(31);
    let fresh = |from, to| Change::Fresh {
        who,
        stat: "traumas".into(),
        scene: 2,
        from,
        to,
    };
    let counted = Change::Stat {
        who,
        stat: "traumas".into(),
        from: 0.into(),
        to: 1.into(),
    };
    let written = |changes: Vec<Change>| {
        let what = What::Ended;
        let line = read_again(&Event { what, changes });
        line.replace(r#"{"ended":null,"changes":"#, "")
    };
    assert_eq!(
        written(vec![fresh(0, 1), counted.clone()]),
        r#"[{"harm":[31,"traumas",2,0,1]}]}"#
    );
    assert_eq!(
        written(vec![fresh(1, 2), counted.clone()]),
        r#"[{"fresh":[31,"traumas",2,1,2]},{"stat":[31,"traumas",0,1]}]}"#,
        "one that is older is not of this scene"
    );
    assert_eq!(
        written(vec![fresh(0, 1)]),
        r#"[{"fresh":[31,"traumas",2,0,1]}]}"#
    );
    let before = concat!(
        r#"{"ended":null,"changes":[{"fresh":{"who":31,"stat":"traumas","scene":2,"from":0,"to":1}},"#,
        r#"{"stat":[31,"traumas",0,1]}]}"#
    );
    let read: Event = serde_json::from_str(before).unwrap();
    assert_eq!(read.changes, [fresh(0, 1), counted]);
}

#[test]
fn events_without_a_word_of_their_own_and_without_changes_are_read_again() {
    for what in [
        What::Ended,
        What::Added {
            kind: Thing::Clock,
            name: "The alarm".into(),
        },
    ] {
        let changes = Vec::new();
        read_again(&Event { what, changes });
    }
}

#[test]
fn every_effect_is_read_again() {
    let token = |pool, owner: Option<&str>| Effect::Token {
        pool,
        owner: owner.map(str::to_owned),
        amount: 2,
    };
    let consequence = |of| Effect::Consequence { amount: 1, of };
    let mut roll = roll();
    roll.sources.push(("helped".into(), "Toll".into()));
    roll.house = House::default();
    roll.effects = vec![
        token(TokenKind::Destiny, Some("Mira")),
        token(TokenKind::Tokens, Some("Mira")),
        token(TokenKind::Favor, Some("Mira")),
        token(TokenKind::Logos, Some("Toll")),
        token(TokenKind::WatchActions, None),
        Effect::Complication,
        Effect::SharedWith {
            names: vec!["Toll".into()],
        },
        Effect::EffectLevels { amount: 3 },
        Effect::AtACost,
        consequence(Consequence::Stress),
        consequence(Consequence::Blood),
        consequence(Consequence::None),
        Effect::Damage {
            amount: 4,
            own: false,
        },
        Effect::Damage {
            amount: 4,
            own: true,
        },
        Effect::Wound {
            rank: 10,
            own: false,
        },
        Effect::Wound {
            rank: 10,
            own: true,
        },
        Effect::TakenOut,
        Effect::Reached {
            pool: "Favor".into(),
            now: 3,
            told: "the \"gods\" listen".into(),
        },
        Effect::Lock {
            about: "the lock".into(),
        },
    ];
    let event = Event {
        what: What::Rolled(Box::new(roll)),
        changes: Vec::new(),
    };
    read_again(&event);
}
