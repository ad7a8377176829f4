//! What a check reports agrees with the machine that every driver walks, on random trails.
#![cfg(test)]

use proptest::prelude::*;
use tableside::dice::{Dice, Die, Luck};
use tableside::rules::{
    Answer, Ask, CheckSpec, Choices, ChosenBy, Dealer, Field, Fields, House, Kind, Options, Stand,
    System, Value, Walk, resolve,
};

fn below(luck: &mut Luck, count: usize) -> usize {
    let sides = u32::try_from(count).unwrap_or(u32::MAX);
    usize::try_from(luck.up_to(sides) - 1).unwrap_or(0)
}

fn between(luck: &mut Luck, min: i32, max: i32) -> i32 {
    let step = below(luck, usize::try_from(max - min + 1).unwrap_or(1));
    min + i32::try_from(step).unwrap_or(0)
}

fn value(luck: &mut Luck, field: &Field) -> Value {
    match field.kind {
        Kind::Die => Value::Die(Die::LADDER[below(luck, Die::LADDER.len())]),
        Kind::Number { min, max } => Value::Number(between(luck, min, max)),
        Kind::Flag => Value::Flag(below(luck, 2) == 1),
        Kind::Word(words) => Value::from(words[below(luck, words.len())]),
        Kind::Text => Value::from("the sea"),
    }
}

/// Fields at random: the required ones, of two that exclude each other one, and some of the others.
fn fields(luck: &mut Luck, spec: &'static CheckSpec) -> Option<Fields> {
    let mut given: Vec<(&str, Value)> = Vec::new();
    for field in spec.fields {
        let excluded = field
            .excludes
            .is_some_and(|other| given.iter().any(|(name, _)| *name == other));
        let needed = field.preset_value().is_none();
        if !excluded && (needed || below(luck, 2) == 1) {
            given.push((field.id, value(luck, field)));
        }
    }
    Fields::new(spec, given).ok()
}

fn house(luck: &mut Luck, system: System) -> House {
    let mut house = House::default();
    for rule in system.spec().house {
        let value = match rule.options {
            Options::Words(words) => Value::from(words[below(luck, words.len())].0),
            Options::Number { min, max, .. } => Value::Number(between(luck, min, max)),
        };
        house
            .set(system, rule.id, value)
            .expect("a rule's own value");
    }
    house
}

fn chosen(luck: &mut Luck, what: &Choices) -> Answer {
    Answer::Chose {
        choice: what.choice.to_owned(),
        chose: what.options[below(luck, what.options.len())].name.clone(),
        by: ChosenBy::Player,
    }
}

/// Walks a check to its end with dice that fall and choices made at random.
fn walk(luck: &mut Luck, check: &dyn Walk) -> Vec<Answer> {
    let mut trail = Vec::new();
    loop {
        let stand = resolve(check, &mut trail, &mut Dealer::rolling(luck)).expect("its own dice");
        match stand {
            Stand::Done => return trail,
            Stand::Waits(Ask::Choose { what, .. }) => {
                assert!(what.default < what.options.len(), "{what:?}");
                trail.push(chosen(luck, &what));
            }
            Stand::Waits(ask) => panic!("waits for {ask:?}"),
        }
    }
}

fn agree(luck: &mut Luck, system: System, spec: &'static CheckSpec) {
    let Some(fields) = fields(luck, spec) else {
        return;
    };
    let Ok(check) = (spec.prepare)(&fields, &house(luck, system)) else {
        return;
    };
    let trail = walk(luck, &*check);
    let Ok(Ask::Done(outcome, tally)) = check.after(&trail) else {
        panic!("{trail:?} is no end");
    };
    let report = check.outcome(&trail);
    let faces = trail.iter().flat_map(|answer| match answer {
        Answer::Faces(faces) => faces.clone(),
        Answer::Chose { .. } => Vec::new(),
    });
    let shown = report.dice.iter().map(|die| die.face);
    assert_eq!(report.outcome, outcome, "{check:?} {trail:?}");
    assert_eq!(report.total, tally.total, "{check:?} {trail:?}");
    if let Some(success) = report.success {
        assert_eq!(success, tally.levels > 0, "{check:?} {trail:?}");
    }
    assert_eq!(
        shown.collect::<Vec<_>>(),
        faces.collect::<Vec<_>>(),
        "{check:?} {trail:?}"
    );
    assert!(!report.steps.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_report_tells_the_same_as_the_machine(key in any::<[u8; 32]>()) {
        let mut luck = Luck::from_key(key);
        for system in System::ALL {
            for spec in system.spec().checks {
                agree(&mut luck, system, spec);
            }
        }
    }
}
