//! What a check reports is what its machine came to, on random trails of every check of every system.

use tableside::dice::{Dice, Die, Face, SystemDice};
use tableside::rules::{
    Answer, AnswerSource, Ask, CheckSpec, ChosenBy, DynCheck, Fields, House, Kind, Progress,
    System, Value, resolve,
};

/// How many trails each check is walked on.
const TRAILS: u32 = 600;

fn pick<T: Copy>(from: &[T], luck: &mut SystemDice) -> T {
    let count = u32::try_from(from.len()).unwrap();
    from[usize::try_from(luck.up_to(count)).unwrap() - 1]
}

fn number(min: i32, max: i32, luck: &mut SystemDice) -> i32 {
    let count = u32::try_from(max - min).unwrap() + 1;
    min + i32::try_from(luck.up_to(count)).unwrap() - 1
}

/// Any value that the field takes; small numbers as often as large ones.
fn value(kind: Kind, luck: &mut SystemDice) -> Value {
    match kind {
        Kind::Die => Value::Die(pick(&Die::LADDER, luck)),
        Kind::Number { min, max } if luck.up_to(2) == 1 => {
            Value::Number(number(min.max(-3), max.min(12), luck))
        }
        Kind::Number { min, max } => Value::Number(number(min, max, luck)),
        Kind::Flag => Value::Flag(luck.up_to(2) == 1),
        Kind::Word(words) => Value::from(pick(words, luck)),
        Kind::Text | Kind::Ranks { .. } => Value::from("the ladder"),
    }
}

fn house(system: System, luck: &mut SystemDice) -> House {
    let mut house = House::default();
    for rule in system.spec().house {
        let value = value(rule.kind(), luck);
        house.set(system, rule.id, value).unwrap();
    }
    house
}

/// A check with random fields; `None` if the fields contradict each other or the rules refuse them.
fn prepare(spec: &'static CheckSpec, luck: &mut SystemDice) -> Option<(Box<dyn DynCheck>, Fields)> {
    let mut given: Vec<(&str, Value)> = Vec::new();
    for field in spec.fields {
        let excluded = field
            .excludes
            .is_some_and(|other| given.iter().any(|(name, _)| *name == other));
        let needed = field.start.is_none();
        if !excluded && (needed || luck.up_to(2) == 1) {
            given.push((field.id, value(field.kind, luck)));
        }
    }
    let fields = Fields::new(spec, given).ok()?;
    let house = house(spec.system, luck);
    let check = spec.prepare(&fields, &house).ok()?;
    Some((check, fields))
}

/// Rolls the check to its end, with any answer to every choice.
fn walk(check: &dyn DynCheck, luck: &mut SystemDice) -> Vec<Answer> {
    let mut trail = Vec::new();
    loop {
        match resolve(check, &mut trail, &mut AnswerSource::rolling(luck)).unwrap() {
            Progress::Done => return trail,
            Progress::Waits(Ask::Choose { what, .. }) => {
                assert!(what.default < what.options.len(), "{what:?}");
                let options: Vec<&str> = what
                    .options
                    .iter()
                    .map(|option| option.name.as_str())
                    .collect();
                trail.push(Answer::Chose {
                    choice: what.choice.to_owned(),
                    chose: pick(&options, luck).to_owned(),
                    by: ChosenBy::Player,
                });
            }
            Progress::Waits(ask) => panic!("dice were at hand, and it waits for {ask:?}"),
        }
    }
}

fn agree(spec: &'static CheckSpec) {
    let mut luck = SystemDice::from_key([41; 32]);
    let mut seen = vec![0_u32; spec.outcomes.len()];
    let mut walked = 0;
    for _ in 0..TRAILS {
        let Some((check, fields)) = prepare(spec, &mut luck) else {
            continue;
        };
        walked += 1;
        let trail = walk(&*check, &mut luck);
        let Ask::Done(outcome, tally) = check.after(&trail).unwrap() else {
            panic!("resolved, and not done");
        };
        let told = check.outcome(&trail);
        let context = format!("{}: {fields:?} {trail:?} {told:?}", spec.id);
        assert_eq!(told.outcome, outcome, "{context}");
        if tally.open.is_none() {
            assert_eq!(told.total, tally.total, "{context}");
        }
        let success = spec.has_success.then_some(tally.is_success);
        assert_eq!(told.success, success, "{context}");
        let faces: Vec<Face> = trail
            .iter()
            .flat_map(|answer| match answer {
                Answer::Faces(faces) => faces.clone(),
                Answer::Chose { .. } => Vec::new(),
            })
            .collect();
        let shown: Vec<Face> = told.dice.iter().map(|die| die.face).collect();
        assert_eq!(shown, faces, "{context}");
        assert!(!told.steps.is_empty(), "{context}");
        seen[usize::from(outcome.0)] += 1;
    }
    assert!(walked > TRAILS / 20, "{}: only {walked} walked", spec.id);
    for (outcome, times) in spec.outcomes.iter().zip(seen) {
        assert!(times > 0, "{} never came to {}", spec.id, outcome.id);
    }
}

#[test]
fn every_check_reports_what_its_machine_came_to() {
    for system in System::shipped() {
        for spec in system.spec().checks {
            agree(spec);
        }
    }
}
