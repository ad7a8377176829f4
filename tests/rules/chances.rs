//! The exact probabilities printed in the rules' pages, by walking every face of every die.

use std::collections::BTreeMap;

use rstest::rstest;
use tableside::rules::{
    Answer, Ask, ChosenBy, DynCheck, Fields, House, Key, Outcome, System, Value,
};

/// A fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fraction(u128, u128);

impl Fraction {
    fn new(over: u128, under: u128) -> Self {
        let (mut a, mut b) = (over, under);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Self(over / a, under / a)
    }

    fn plus(self, other: Self) -> Self {
        Self::new(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }

    fn read(text: &str) -> Self {
        let (over, under) = text.split_once('/').unwrap_or((text, "1"));
        Self::new(over.parse().unwrap(), under.parse().unwrap())
    }
}

/// Every way to the end of the check, each with one over its number of equally likely siblings.
fn walk_all(
    check: &dyn DynCheck,
    answer: &str,
    trail: &mut Vec<Answer>,
    under: u128,
    end: &mut impl FnMut(Outcome, u128),
) {
    match check.after(trail).unwrap() {
        Ask::Response(..) => end(check.outcome(trail), under),
        Ask::Choose { what, .. } => {
            trail.push(Answer::Chose {
                choice: what.choice.to_owned(),
                chose: answer.to_owned(),
                by: ChosenBy::Command,
            });
            walk_all(check, answer, trail, under, end);
            trail.pop();
        }
        Ask::Roll { pool, .. } => {
            let dice: Vec<_> = pool.order().map(|(die, _)| die).collect();
            let under = dice
                .iter()
                .fold(under, |under, die| under * u128::from(die.sides()));
            let mut faces: Vec<u8> = dice.iter().map(|die| die.lowest()).collect();
            loop {
                trail.push(Answer::Faces(faces.clone()));
                walk_all(check, answer, trail, under, end);
                trail.pop();
                let Some(next) =
                    (0..dice.len()).find(|&index| faces[index] < dice[index].highest())
                else {
                    return;
                };
                faces[next] += 1;
                for (face, die) in faces.iter_mut().zip(&dice).take(next) {
                    *face = die.lowest();
                }
            }
        }
    }
}

/// `a 1 b 2` as fields; a value that is a number is one, `yes` is a flag.
fn fields_of(words: &str) -> Vec<(&str, Value)> {
    let words: Vec<&str> = words.split_whitespace().collect();
    words
        .chunks(2)
        .map(|pair| {
            let value = match (pair[1], pair[1].parse()) {
                (_, Ok(number)) => Value::Number(number),
                ("yes", _) => Value::Flag(true),
                (word, _) => Value::from(word),
            };
            (pair[0], value)
        })
        .collect()
}

/// The chance of each outcome, and the mean of each number among the keys.
fn chances(system: System, check: &str, words: &str, answer: &str) -> BTreeMap<String, Fraction> {
    let spec = system.check(check).unwrap();
    let fields = Fields::new(spec, fields_of(words)).unwrap();
    let machine = (spec.prepare)(&fields, &House::default()).unwrap();
    let mut ways: BTreeMap<(String, u128), u128> = BTreeMap::new();
    walk_all(&*machine, answer, &mut Vec::new(), 1, &mut |told, under| {
        let mut count = |name: &str, times: u128| {
            *ways.entry((name.to_owned(), under)).or_default() += times;
        };
        count(spec.outcome(told.outcome).id, 1);
        count("any-success", u128::from(told.success == Some(true)));
        for (name, key) in &told.keys {
            if let Key::Number(number) = key {
                // Means of numbers that may be negative are not asked for.
                count(
                    &format!("mean-{name}"),
                    u128::try_from(*number).unwrap_or(0),
                );
            }
        }
    });
    let mut chances = BTreeMap::new();
    for ((name, under), times) in ways {
        let entry = chances.entry(name).or_insert(Fraction(0, 1));
        *entry = entry.plus(Fraction::new(times, under));
    }
    chances
}

fn assert_chances(system: System, check: &str, words: &str, answer: &str, expected: &str) {
    let chances = chances(system, check, words, answer);
    for pair in expected.split_whitespace() {
        let (name, fraction) = pair.split_once('=').unwrap();
        let seen = chances.get(name).copied().unwrap_or(Fraction(0, 1));
        assert_eq!(seen, Fraction::read(fraction), "{name} of {check} {words}");
    }
}

#[rstest]
#[case("heart d8 ability d6 cn 9", "success=7/16")]
#[case("heart d8 ability d6 cn 12", "success=1/8")]
#[case("heart d8 ability d6 cn 9 advantage 1", "success=23/36")]
#[case("heart d8 ability d6 cn 9 advantage 2", "success=1331/1728")]
#[case("heart d8 ability d6 cn 9 disadvantage 1", "success=7/32")]
#[case("heart d8 ability d6 cn 9 disadvantage 2", "success=117/1024")]
#[case("heart d8 ability d8 cn 12 profession 2", "success=7/16")]
#[case("heart d8 ability d10 cn 12 profession 4", "success=59/80")]
fn saves_have_their_printed_chances(#[case] fields: &str, #[case] expected: &str) {
    assert_chances(System::HeartRush, "save", fields, "", expected);
}

#[rstest]
#[case(
    "heart d8 ability d6 cn 9",
    "complication",
    "any-success=13/24 success-with-complication=1/8"
)]
#[case("heart d8 ability d6 cn 9", "fail", "any-success=5/12")]
#[case(
    "heart d8 ability d10 cn 12 profession 2",
    "complication",
    "any-success=517/800"
)]
#[case("heart d8 ability d10 cn 12 profession 2", "fail", "any-success=21/40")]
#[case(
    "heart d8 ability d6 cn 9 advantage 1",
    "complication",
    "any-success=383/576"
)]
#[case(
    "heart d8 ability d6 cn 9 disadvantage 1",
    "complication",
    "any-success=769/2304"
)]
#[case("heart d4 ability d4 cn 6", "complication", "any-success=9/16")]
#[case("heart d4 ability d4 cn 6", "fail", "any-success=3/8")]
fn skill_checks_have_their_printed_chances(
    #[case] fields: &str,
    #[case] answer: &str,
    #[case] expected: &str,
) {
    assert_chances(System::HeartRush, "skill", fields, answer, expected);
}

#[rstest]
#[case("heart d8 ability d6 cn 9", 13, 48)]
#[case("heart d8 ability d6 cn 9 advantage 1", 1, 16)]
#[case("heart d8 ability d6 cn 9 disadvantage 1", 139, 384)]
fn complications_have_their_printed_chances(
    #[case] fields: &str,
    #[case] over: u128,
    #[case] under: u128,
) {
    let chances = chances(System::HeartRush, "skill", fields, "complication");
    let any = ["success-with-complication", "failure-with-complication"]
        .iter()
        .fold(Fraction(0, 1), |sum, name| sum.plus(chances[*name]));
    assert_eq!(any, Fraction(over, under));
}

#[test]
fn an_attack_has_its_printed_chances() {
    assert_chances(
        System::HeartRush,
        "attack",
        "heart d8 ability d8 weapon d8 defense-heart d8 defense-ability d8",
        "",
        "any-success=6365/8192 wound=2779/16384 mean-damage=82485/16384",
    );
}

#[rstest]
#[case(
    "skill 50",
    "heroic=1/20 hard=23/100 success=11/50 failure=9/20 fumble=1/20"
)]
#[case("skill 44", "heroic=1/25 hard=1/5 success=1/5 failure=1/2 fumble=3/50")]
#[case(
    "skill 45",
    "heroic=1/25 hard=21/100 success=1/5 failure=49/100 fumble=3/50"
)]
#[case(
    "skill 67",
    "heroic=3/50 hard=31/100 success=3/10 failure=29/100 fumble=1/25"
)]
#[case(
    "skill 50 challenge easy",
    "heroic=9/100 hard=9/20 success=9/20 failure=0 fumble=1/100"
)]
#[case(
    "skill 50 challenge heroic",
    "heroic=0 hard=3/100 success=1/50 failure=17/20 fumble=1/10"
)]
fn levels_of_success_have_their_printed_chances(#[case] fields: &str, #[case] expected: &str) {
    assert_chances(System::Hearts, "skill", fields, "", expected);
}

#[rstest]
#[case("trait", "value 10", "success=9/20")]
#[case("trait", "value 11", "success=11/20")]
#[case("trait", "value 15", "success=17/20")]
#[case("trait", "value 20", "success=99/100")]
#[case("quantity", "value 3", "success=3/10")]
#[case("quantity", "value 9", "success=9/10")]
#[case("quantity", "value 10", "success=9/10")]
#[case(
    "opposed",
    "skill 50 against 50",
    "aggressor=216/625 tie=193/625 defender=216/625"
)]
#[case(
    "opposed",
    "skill 70 against 30",
    "aggressor=2847/5000 defender=107/625 tie=1297/5000"
)]
#[case(
    "opposed",
    "skill 44 against 67",
    "aggressor=156/625 defender=2393/5000 tie=1359/5000"
)]
fn other_checks_of_hearts_have_their_printed_chances(
    #[case] check: &str,
    #[case] fields: &str,
    #[case] expected: &str,
) {
    assert_chances(System::Hearts, check, fields, "", expected);
}

#[rstest]
#[case(
    "moderate",
    "",
    "failure=5/12 consequence=1/6 success=7/18 critical=1/36"
)]
#[case(
    "moderate",
    "aided yes",
    "failure=5/18 consequence=5/36 success=5/9 critical=1/36"
)]
#[case(
    "moderate",
    "hindered yes",
    "failure=7/12 consequence=5/36 success=1/4 critical=1/36"
)]
#[case(
    "moderate",
    "advantage yes",
    "failure=7/36 consequence=1/8 success=131/216 critical=2/27"
)]
#[case(
    "moderate",
    "disadvantage yes",
    "failure=49/72 consequence=1/8 success=41/216 critical=1/216"
)]
#[case(
    "difficult",
    "",
    "failure=5/6 consequence=1/12 success=1/18 critical=1/36"
)]
#[case(
    "difficult",
    "advantage yes",
    "failure=139/216 consequence=17/108 success=1/8 critical=2/27"
)]
#[case(
    "difficult",
    "hindered yes",
    "failure=11/12 consequence=1/18 success=0 critical=1/36"
)]
#[case(
    "easy",
    "",
    "failure=1/12 consequence=1/12 success=29/36 critical=1/36"
)]
#[case(
    "easy",
    "disadvantage yes",
    "failure=43/216 consequence=17/108 success=23/36 critical=1/216"
)]
fn challenges_have_their_printed_chances(
    #[case] difficulty: &str,
    #[case] further: &str,
    #[case] expected: &str,
) {
    let fields = format!("competence trained difficulty {difficulty} {further}");
    assert_chances(
        System::FridayNightDungeon,
        "challenge",
        &fields,
        "",
        expected,
    );
}

#[test]
fn combat_dice_have_their_printed_chances() {
    let expected = "three-swords=1/27 three-talents=1/27 three-shields=1/27 mixed=8/9";
    assert_chances(System::FridayNightDungeon, "combat", "", "", expected);
}
