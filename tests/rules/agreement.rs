//! What a check reports is what its machine came to, on random trails of every check of every system.

use std::collections::BTreeMap;

use tableside::dice::{Dice, Die, Face, Fraction, SystemDice};
use tableside::rules::{
    Answer, AnswerSource, Ask, CheckSpec, ChosenBy, DynCheck, Fields, HouseRules, Kind, Odds,
    OutcomeId, Policy, Progress, System, Value, resolve,
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

/// Any value that the field takes: small numbers as often as large ones, or for most the smallest alone.
fn value(kind: Kind, is_small: bool, luck: &mut SystemDice) -> Value {
    match kind {
        Kind::Number { min, max } if is_small && luck.up_to(4) > 1 => {
            let least = min.max(0).min(max);
            Value::Number(number(least, max.min(least + 2), luck))
        }
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

fn house(system: System, luck: &mut SystemDice) -> HouseRules {
    let mut house = HouseRules::default();
    for rule in system.spec().house {
        let value = value(rule.kind(), false, luck);
        house.set(system, rule.id, value).unwrap();
    }
    house
}

/// A check with random fields; `None` if the fields contradict each other or the rules refuse them.
fn prepare(
    spec: &'static CheckSpec,
    is_small: bool,
    luck: &mut SystemDice,
) -> Option<(Box<dyn DynCheck>, Fields)> {
    let mut given: Vec<(&str, Value)> = Vec::new();
    for field in spec.fields {
        let excluded = field
            .excludes
            .is_some_and(|other| given.iter().any(|(name, _)| *name == other));
        let needed = field.start.is_none();
        if !excluded && (needed || luck.up_to(2) == 1) {
            given.push((field.id, value(field.kind, is_small, luck)));
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
            Progress::Done(..) => return trail,
            Progress::Waits(Ask::Choose { choices, .. }) => {
                assert!(choices.default < choices.options.len(), "{choices:?}");
                let options = choices.options.iter().map(|option| option.name.as_str());
                let options: Vec<&str> = options.collect();
                trail.push(Answer::Chose {
                    choice: choices.choice.to_owned(),
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
        let Some((check, fields)) = prepare(spec, false, &mut luck) else {
            continue;
        };
        walked += 1;
        let trail = walk(&*check, &mut luck);
        let Progress::Done(outcome, score) = check.after(&trail).unwrap() else {
            panic!("resolved, and not done");
        };
        let told = check.outcome(&trail);
        let context = format!("{}: {fields:?} {trail:?} {told:?}", spec.id);
        assert_eq!(told.outcome, outcome, "{context}");
        if score.open.is_none() {
            assert_eq!(told.total, score.total, "{context}");
        }
        let success = spec.has_success.then_some(score.is_success);
        assert_eq!(told.success, success, "{context}");
        let faces = trail.iter().filter_map(|answer| match answer {
            Answer::Faces(faces) => Some(faces),
            Answer::Chose { .. } => None,
        });
        let shown = told.dice.iter().map(|die| &die.face);
        assert!(shown.eq(faces.flatten()), "{context}");
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

/// How a check ends, as far as odds tell it.
type End = (OutcomeId, bool, i32, Option<i32>);

/// Settings with more raw ways than this are left out, and those with more than the second where a check has others.
const MOST_WAYS: [u64; 2] = [12_000, 1_000];

/// Every raw face of every die, typed in by hand one roll after the other, with the usual answer to every choice. None
/// where there are too many ways. What is told of each end is what the machine came to.
fn by_hand(
    check: &dyn DynCheck,
    trail: &mut Vec<Answer>,
    (chance, left): (&Fraction, u64),
    ends: &mut BTreeMap<End, Fraction>,
) -> Option<()> {
    match check.after(trail).unwrap() {
        Progress::Done(outcome, score) => {
            let told = check.outcome(trail);
            assert_eq!(
                (told.outcome, told.total),
                (outcome, score.total),
                "{trail:?}"
            );
            let end = (outcome, score.is_success, score.levels, score.total);
            *ends.entry(end).or_insert(Fraction::ZERO) += chance;
        }
        Progress::Waits(Ask::Choose { choices, .. }) => {
            trail.push(Answer::Chose {
                choice: choices.choice.to_owned(),
                chose: choices.fallback().name.clone(),
                by: ChosenBy::Default,
            });
            by_hand(check, trail, (chance, left), ends)?;
            trail.pop();
        }
        Progress::Waits(Ask::Roll { pool, .. }) => {
            // Sides that show the same are one way, and count so often.
            let dice = pool.each_die().map(|(die, _)| {
                let faces = die.faces();
                let mut sides: BTreeMap<Face, u64> = BTreeMap::new();
                for face in &faces {
                    *sides.entry(*face).or_default() += 1;
                }
                let all = faces.len() as u64;
                let chance = |count: u64| Fraction::from(count) / Fraction::from(all);
                let sides = sides.into_iter();
                sides.map(|(face, count)| (face, chance(count))).collect()
            });
            let dice: Vec<Vec<(Face, Fraction)>> = dice.collect();
            let mut sides = dice.iter().map(|sides| sides.len() as u64);
            let many = sides.try_fold(1, u64::checked_mul)?;
            let after = left.checked_div(many).filter(|after| *after > 0)?;
            for fall in 0..many {
                let (mut left, mut chance) = (fall, chance.clone());
                let faces = dice.iter().map(|sides| {
                    let (face, share) = &sides[usize::try_from(left % sides.len() as u64).unwrap()];
                    left /= sides.len() as u64;
                    chance = &chance * share;
                    *face
                });
                let faces = faces.collect();
                trail.push(Answer::Faces(faces));
                by_hand(check, trail, (&chance, after), ends)?;
                trail.pop();
            }
        }
    }
    Some(())
}

/// The odds of every check are those of every raw face typed in by hand, at random settings; `ODDS_CASES=1000` tries a
/// thousand of each check that are small enough.
#[test]
fn the_odds_of_every_check_are_those_of_dice_by_hand() {
    let cases = std::env::var("ODDS_CASES").ok();
    let cases: u32 = cases.and_then(|cases| cases.parse().ok()).unwrap_or(6);
    // Those in Rust are counted by another program in `by_faces`.
    let files = System::shipped().filter(|system| system.coded_checks().next().is_none());
    let specs = files.flat_map(|system| system.spec().checks);
    for spec in specs.filter(|spec| !spec.explodes) {
        let mut luck = SystemDice::from_key([43; 32]);
        let (mut counted, mut tried) = (0, 0);
        while counted < cases && tried < 40 * cases {
            tried += 1;
            let Some((check, fields)) = prepare(spec, true, &mut luck) else {
                continue;
            };
            let mut ends = BTreeMap::new();
            let most = MOST_WAYS[usize::from(counted > 0 || tried < 20 * cases)];
            let all = by_hand(&*check, &mut Vec::new(), (&Fraction::ONE, most), &mut ends);
            if all.is_none() {
                continue;
            }
            counted += 1;
            let odds = Odds::after(spec, &*check, &[], &Policy::default()).unwrap();
            let mut weighed = BTreeMap::new();
            for (outcome, score, chance) in odds.ends() {
                let end = (outcome, score.is_success, score.levels, score.total);
                *weighed.entry(end).or_insert(Fraction::ZERO) += chance;
            }
            assert_eq!(weighed, ends, "{}: {fields:?}", spec.id);
        }
        assert!(
            counted > 0,
            "{}: {tried} settings, none of them small",
            spec.id
        );
    }
}
