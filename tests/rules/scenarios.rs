//! Worked examples of the rules, as files: `tests/scenarios/SYSTEM/*.toml`.
//!
//! Each `[[scenario]]` says what is rolled and what must come of it. The faces go through the same code
//! as a real roll. CONTRIBUTING.md says how to write one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tableside::dice::Face;
use tableside::rules::{
    Answer, AnswerSource, ChosenBy, Effect, Fields, House, Key, Progress, System, Value, resolve,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    scenario: Vec<Scenario>,
}

/// One worked example.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    /// What it shows, as a sentence.
    name: String,
    /// The check; the system is the folder's name.
    check: String,
    #[serde(default)]
    fields: toml::Table,
    #[serde(default)]
    house: toml::Table,
    /// The answers to choices, in order; choices without one take their default.
    #[serde(default)]
    choose: Vec<String>,
    #[serde(default)]
    faces: Vec<Face>,
    expect: Expect,
}

/// What must come of it; what is left out is not looked at.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    outcome: Option<String>,
    success: Option<OrNone<bool>>,
    total: Option<OrNone<i32>>,
    target: Option<OrNone<i32>>,
    /// Of each die rolled, whether it is kept.
    kept: Option<Vec<bool>>,
    /// Of each die rolled, its size.
    dice: Option<Vec<String>>,
    /// Of each die rolled, its role.
    roles: Option<Vec<String>>,
    /// Of each die rolled, the face that counts after tokens.
    values: Option<Vec<Face>>,
    /// Of each die rolled, the index of the die that it was rolled again for, else −1.
    replaces: Option<Vec<i64>>,
    /// Further JSON keys; `"none"` for one that must not be there.
    #[serde(default)]
    keys: BTreeMap<String, toml::Value>,
    effects: Option<Vec<Effect>>,
    /// The choices as answered: `["complication=fail"]`.
    choices: Option<Vec<String>>,
    /// Parts of sentences that must be among the steps.
    #[serde(default)]
    says: Vec<String>,
    /// Part of the sentence with which the rules refuse the check.
    refused: Option<String>,
    /// Part of the sentence with which a wrong field, house rule, face or answer is reported.
    error: Option<String>,
}

/// A value, or the word `none` where JSON has null.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(untagged)]
enum OrNone<T> {
    Some(T),
    None(Nothing),
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Nothing {
    None,
}

impl<T> From<Option<T>> for OrNone<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::None(Nothing::None), Self::Some)
    }
}

/// What a roll showed.
#[derive(Debug)]
struct Shown {
    outcome: String,
    success: Option<bool>,
    total: Option<i32>,
    target: Option<i32>,
    kept: Vec<bool>,
    dice: Vec<String>,
    roles: Vec<String>,
    values: Vec<Face>,
    replaces: Vec<i64>,
    keys: BTreeMap<String, toml::Value>,
    effects: Vec<Effect>,
    choices: Vec<String>,
    steps: Vec<String>,
}

/// Why there was nothing to see.
#[derive(Debug)]
enum Fault {
    Refused(String),
    Error(String),
}

/// Rolls a scenario through the rules, with its faces typed in.
fn roll(system: System, scenario: &Scenario) -> Result<Shown, Fault> {
    let error = |error: &dyn std::fmt::Display| Fault::Error(error.to_string());
    let spec = system
        .check(&scenario.check)
        .map_err(|unknown| error(&unknown))?;
    let given = scenario
        .fields
        .iter()
        .map(|(name, value)| (name, value_of(value)));
    let fields = Fields::new(spec, given).map_err(|wrong| error(&wrong))?;
    let mut house = House::default();
    for (rule, value) in &scenario.house {
        house
            .set(system, rule, value_of(value))
            .map_err(|wrong| error(&wrong))?;
    }
    let check = spec
        .prepare(&fields, &house)
        .map_err(|refused| Fault::Refused(refused.to_string()))?;
    let mut dealer = AnswerSource::by_hand(&scenario.faces);
    dealer.answers = scenario.choose.iter().cloned().collect();
    dealer.by = ChosenBy::Gm;
    dealer.defaults = true;
    let mut trail = Vec::new();
    match resolve(&*check, &mut trail, &mut dealer).map_err(|wrong| error(&wrong))? {
        Progress::Done => {}
        Progress::Waits(ask) => return Err(Fault::Error(format!("still waits for {ask:?}"))),
    }
    let outcome = check.outcome(&trail);
    let choices = trail.iter().filter_map(|answer| match answer {
        Answer::Chose { choice, chose, .. } => Some(format!("{choice}={chose}")),
        Answer::Faces(_) => None,
    });
    let keys = outcome.keys.iter().map(|(name, key)| {
        let value = match key {
            Key::Number(number) => toml::Value::from(*number),
            Key::Flag(flag) => toml::Value::from(*flag),
            Key::Words(words) => toml::Value::from(words.clone()),
        };
        ((*name).to_owned(), value)
    });
    let of_dice = || outcome.dice.iter();
    Ok(Shown {
        outcome: spec.outcome(outcome.outcome).id.to_owned(),
        success: outcome.success,
        total: outcome.total,
        target: outcome.target,
        kept: of_dice().map(|die| die.kept).collect(),
        dice: of_dice().map(|die| die.die.to_string()).collect(),
        roles: of_dice().map(|die| die.role.name().to_owned()).collect(),
        values: of_dice().map(|die| die.value.unwrap_or(die.face)).collect(),
        replaces: of_dice()
            .map(|die| {
                die.replaces
                    .map_or(-1, |index| i64::try_from(index).unwrap())
            })
            .collect(),
        choices: choices.collect(),
        keys: keys.collect(),
        effects: outcome.effects,
        steps: outcome.steps,
    })
}

fn value_of(value: &toml::Value) -> Value {
    value.clone().try_into().unwrap()
}

/// Says how what was seen differs from what was expected.
fn differences(expect: &Expect, seen: &Result<Shown, Fault>) -> Vec<String> {
    let seen = match (seen, &expect.refused, &expect.error) {
        (Err(Fault::Refused(said)), Some(part), None)
        | (Err(Fault::Error(said)), None, Some(part)) => {
            return if said.contains(part.as_str()) {
                Vec::new()
            } else {
                vec![format!("said {said:?} instead of {part:?}")]
            };
        }
        (Ok(seen), None, None) => seen,
        (seen, _, _) => return vec![format!("came to {seen:?}")],
    };
    let mut found = Vec::new();
    let mut compare = |what: &str, expected: Option<String>, seen: String| {
        if let Some(expected) = expected.filter(|expected| *expected != seen) {
            found.push(format!("{what}: {seen} instead of {expected}"));
        }
    };
    macro_rules! compare {
        ($($field:ident),*) => {$(
            let expected = expect.$field.as_ref().map(|value| format!("{value:?}"));
            compare(stringify!($field), expected, format!("{:?}", seen.$field));
        )*};
    }
    compare!(
        outcome, kept, dice, roles, values, replaces, effects, choices
    );
    let shown = |value: Option<OrNone<i32>>| value.map(|value| format!("{value:?}"));
    compare(
        "total",
        shown(expect.total),
        shown(Some(seen.total.into())).unwrap(),
    );
    compare(
        "target",
        shown(expect.target),
        shown(Some(seen.target.into())).unwrap(),
    );
    compare(
        "success",
        expect.success.map(|value| format!("{value:?}")),
        format!("{:?}", OrNone::from(seen.success)),
    );
    let nothing = toml::Value::from("none");
    for (name, expected) in &expect.keys {
        let seen = seen.keys.get(name).unwrap_or(&nothing);
        compare(name, Some(expected.to_string()), seen.to_string());
    }
    for part in &expect.says {
        if !seen.steps.iter().any(|step| step.contains(part)) {
            found.push(format!(
                "{part:?} is not said; the steps are {:?}",
                seen.steps
            ));
        }
    }
    found
}

fn files() -> Vec<(System, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let list = |folder: &Path| -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.sort();
        paths
    };
    let mut found = Vec::new();
    for folder in list(&root) {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let system: System = name.parse().unwrap();
        found.extend(list(&folder).into_iter().map(|file| (system, file)));
    }
    found
}

#[test]
fn every_worked_example_comes_out_as_written() {
    let mut wrong = Vec::new();
    for (system, path) in files() {
        let text = fs::read_to_string(&path).unwrap();
        let file: File =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(!file.scenario.is_empty(), "{}", path.display());
        for scenario in file.scenario {
            let found = differences(&scenario.expect, &roll(system, &scenario));
            if !found.is_empty() {
                let (place, found) = (path.display(), found.join("\n    "));
                wrong.push(format!("{place}: {}\n    {found}", scenario.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_house_rule_has_an_example_that_comes_out_otherwise() {
    let mut otherwise: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for (system, path) in files() {
        let file: File = toml::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        for mut scenario in file.scenario {
            let house = std::mem::take(&mut scenario.house);
            let [(rule, _)] = house.iter().collect::<Vec<_>>()[..] else {
                continue;
            };
            let plain = differences(&scenario.expect, &roll(system, &scenario));
            *otherwise.entry((system.id(), rule.clone())).or_default() +=
                usize::from(!plain.is_empty());
        }
    }
    for system in System::shipped() {
        // What shows at the table, not in the roll, is played there.
        let evenings = format!("tests/evenings/{}.txt", system.spec().id);
        let evenings = fs::read_to_string(evenings).unwrap_or_default();
        // What every table decides shows to players alone: tests/game/around/seats.rs plays it.
        let own = system.spec().house.iter();
        for rule in own.filter(|rule| rule.from != "Table") {
            let by_roll = otherwise.get(&(system.id(), rule.id.to_owned()));
            // A system that is all file has them there, and they are tried when it is read.
            let in_file = format!("house = {{ {} = ", rule.id);
            assert!(
                system.text().contains(&in_file)
                    || by_roll.is_some_and(|count| *count > 0)
                    || evenings.contains(&format!("> house {} ", rule.id)),
                "{system} {}: no example comes out otherwise",
                rule.id
            );
        }
    }
}

/// What the code asks of house rules by name, `house.is("tie", "both-succeed")`, is a reading other than the proposed
/// one of a rule that some system has.
#[test]
fn every_house_rule_that_is_asked_for_is_in_a_file() {
    let rules = System::shipped().flat_map(|system| system.spec().house);
    let rules: Vec<_> = rules.collect();
    let mut asked = 0;
    for path in sources("src".as_ref()) {
        let text = fs::read_to_string(&path).unwrap();
        // As it is broken into lines does not matter.
        let text = text.split_whitespace().collect::<String>();
        for question in text.split("house.is(\"").skip(1) {
            let names: Vec<&str> = question.split('"').collect();
            let rule = rules.iter().find(|rule| rule.id == names[0]);
            let known = rule.is_some_and(|rule| rule.words().skip(1).any(|one| one.0 == names[2]));
            assert!(known, "{}: {} {}", path.display(), names[0], names[2]);
            asked += 1;
        }
    }
    assert!(asked > 10, "{asked}");
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let each = entries.flat_map(|path| {
        if path.is_dir() {
            sources(&path)
        } else {
            vec![path]
        }
    });
    each.collect()
}
