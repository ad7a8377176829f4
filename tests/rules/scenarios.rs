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
    Answer, AnswerSource, ChosenBy, Effect, Fields, HouseRules, Key, Progress, System, Value,
    resolve,
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
    /// What must come of it; what is left out is not looked at.
    ///
    /// `outcome`, `success`, `total` and `target`, or `"none"`; of each die rolled, in `dice` its size, in `roles` its role,
    /// in `kept` whether it is kept, in `values` the face that counts after tokens, in `replaces` the index of the die that
    /// it was rolled again for, else -1; `choices` as answered, `["complication=fail"]`; `effects`; `keys`, further keys of
    /// the JSON, `"none"` for one that must not be there; `says`, parts of sentences that must be among the steps; `refused`
    /// or `error`, part of the sentence with which the rules refuse the check, or with which a wrong field, house rule, face
    /// or answer is reported.
    expect: toml::Table,
}

/// What a roll showed.
#[derive(Debug)]
struct Shown {
    /// By the names that scenarios give it.
    told: BTreeMap<&'static str, toml::Value>,
    keys: BTreeMap<&'static str, toml::Value>,
    effects: Vec<Effect>,
    steps: Vec<String>,
}

fn or_none(value: Option<impl Into<toml::Value>>) -> toml::Value {
    value.map_or_else(|| "none".into(), Into::into)
}

fn list<T: Into<toml::Value>>(all: impl Iterator<Item = T>) -> toml::Value {
    toml::Value::Array(all.map(Into::into).collect())
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
    let given = scenario.fields.iter();
    let given = given.map(|(name, value)| (name, value_of(value)));
    let fields = Fields::new(spec, given).map_err(|wrong| error(&wrong))?;
    let mut house = HouseRules::default();
    for (rule, value) in &scenario.house {
        let set = house.set(system, rule, value_of(value));
        set.map_err(|wrong| error(&wrong))?;
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
        Progress::Done(..) => {}
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
        (*name, value)
    });
    let dice = || outcome.dice.iter();
    let index = |index: usize| i64::try_from(index).unwrap();
    let told = [
        ("outcome", spec.outcome(outcome.outcome).id.into()),
        ("success", or_none(outcome.success)),
        ("total", or_none(outcome.total)),
        ("target", or_none(outcome.target)),
        ("dice", list(dice().map(|die| die.die.to_string()))),
        ("roles", list(dice().map(|die| die.role.name()))),
        ("kept", list(dice().map(|die| die.kept))),
        (
            "values",
            list(dice().map(|die| i64::from(die.value.unwrap_or(die.face)))),
        ),
        (
            "replaces",
            list(dice().map(|die| die.replaces.map_or(-1, index))),
        ),
        ("choices", list(choices)),
    ];
    Ok(Shown {
        told: told.into(),
        keys: keys.collect(),
        effects: outcome.effects,
        steps: outcome.steps,
    })
}

fn value_of(value: &toml::Value) -> Value {
    value.clone().try_into().unwrap()
}

/// Says how what was seen differs from what was expected.
fn differences(expect: &toml::Table, seen: &Result<Shown, Fault>) -> Vec<String> {
    let part = |name: &str| expect.get(name).and_then(toml::Value::as_str);
    let seen = match (seen, part("refused"), part("error")) {
        (Err(Fault::Refused(said)), Some(part), None)
        | (Err(Fault::Error(said)), None, Some(part)) => {
            return if said.contains(part) {
                Vec::new()
            } else {
                vec![format!("said {said:?} instead of {part:?}")]
            };
        }
        (Ok(seen), None, None) => seen,
        (seen, _, _) => return vec![format!("came to {seen:?}")],
    };
    let nothing = toml::Value::from("none");
    let mut found = Vec::new();
    for (what, due) in expect {
        match what.as_str() {
            "keys" => {
                let keys = due.as_table().unwrap().iter();
                let seen = &seen.keys;
                let others =
                    keys.filter(|(name, due)| *due != seen.get(name.as_str()).unwrap_or(&nothing));
                found.extend(others.map(|(name, due)| format!("{name} is not {due}: {seen:?}")));
            }
            "effects" => {
                let due: Vec<Effect> = due.clone().try_into().unwrap();
                if due != seen.effects {
                    found.push(format!("effects: {:?} instead of {due:?}", seen.effects));
                }
            }
            "says" => {
                let parts = due.as_array().unwrap().iter();
                let parts = parts.map(|part| part.as_str().unwrap());
                let is_said = |part: &str| seen.steps.iter().any(|step| step.contains(part));
                let unsaid = parts.filter(|part| !is_said(part));
                found.extend(unsaid.map(|part| format!("{part:?} is not said: {:?}", seen.steps)));
            }
            what => {
                let seen = &seen.told[what];
                if due != seen {
                    found.push(format!("{what}: {seen} instead of {due}"));
                }
            }
        }
    }
    found
}

/// Every scenario with its system and its file.
fn scenarios() -> Vec<(System, PathBuf, Scenario)> {
    let mut all = Vec::new();
    for path in files_in("tests/scenarios".as_ref()) {
        let folder = path.parent().unwrap().file_name().unwrap();
        let system: System = folder.to_str().unwrap().parse().unwrap();
        let file = toml::from_str::<File>(&fs::read_to_string(&path).unwrap());
        let file = file.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(!file.scenario.is_empty(), "{}", path.display());
        let scenarios = file.scenario.into_iter();
        all.extend(scenarios.map(|scenario| (system, path.clone(), scenario)));
    }
    all
}

/// What is in a folder and its folders, in order.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let (folders, mut files): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path.is_dir());
    files.extend(folders.iter().flat_map(|folder| files_in(folder)));
    files
}

#[test]
fn every_worked_example_comes_out_as_written() {
    let mut wrong = Vec::new();
    for (system, path, scenario) in scenarios() {
        let found = differences(&scenario.expect, &roll(system, &scenario));
        if !found.is_empty() {
            let (place, found) = (path.display(), found.join("\n    "));
            wrong.push(format!("{place}: {}\n    {found}", scenario.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_house_rule_has_an_example_that_comes_out_otherwise() {
    let mut otherwise: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for (system, _, mut scenario) in scenarios() {
        let house = std::mem::take(&mut scenario.house);
        let [(rule, _)] = house.iter().collect::<Vec<_>>()[..] else {
            continue;
        };
        let plain = differences(&scenario.expect, &roll(system, &scenario));
        let count = otherwise.entry((system.id(), rule.clone())).or_default();
        *count += usize::from(!plain.is_empty());
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
    let mut sources = files_in("src".as_ref());
    sources.extend(files_in("crates".as_ref()));
    for path in sources {
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
