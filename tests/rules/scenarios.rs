//! Worked examples of the rules, as files: `tests/scenarios/SYSTEM/*.toml`.
//!
//! Each `[[scenario]]` says what is rolled and what must come of it. The faces go through the same code
//! as a real roll. CONTRIBUTING.md says how to write one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::DateTime;
use serde::Deserialize;
use tableside::cli::{self, Exit, Io};
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

/// What a roll showed; every way of rolling can be brought into this shape.
#[derive(Debug, Default)]
struct SeatView {
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
enum CliError {
    Refused(String),
    Error(String),
}

/// Rolls a scenario through the rules, with its faces typed in.
fn roll(system: System, scenario: &Scenario) -> Result<SeatView, CliError> {
    let error = |error: &dyn std::fmt::Display| CliError::Error(error.to_string());
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
        .map_err(|refused| CliError::Refused(refused.to_string()))?;
    let mut dealer = AnswerSource::by_hand(&scenario.faces);
    dealer.answers = scenario.choose.iter().cloned().collect();
    dealer.by = ChosenBy::Gm;
    dealer.defaults = true;
    let mut trail = Vec::new();
    match resolve(&*check, &mut trail, &mut dealer).map_err(|wrong| error(&wrong))? {
        Progress::Done => {}
        Progress::Waits(ask) => return Err(CliError::Error(format!("still waits for {ask:?}"))),
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
    Ok(SeatView {
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
fn differences(expect: &Expect, seen: &Result<SeatView, CliError>) -> Vec<String> {
    let seen = match (seen, &expect.refused, &expect.error) {
        (Err(CliError::Refused(said)), Some(part), None)
        | (Err(CliError::Error(said)), None, Some(part)) => {
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

/// Rolls a scenario through the command line, and reads what its JSON says.
fn roll_on_the_command_line(system: System, scenario: &Scenario) -> Result<SeatView, CliError> {
    let (exit, out, err) = run(&words(system, scenario));
    match exit {
        Exit::Success => {}
        Exit::Failed | Exit::Ended(_) => return Err(CliError::Refused(err)),
        Exit::Misused => return Err(CliError::Error(err)),
    }
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let known = [
        "system", "check", "fields", "dice", "choices", "total", "target", "outcome", "success",
        "effects",
    ];
    let keys = json.as_object().unwrap().iter();
    let keys = keys.filter(|(name, _)| !known.contains(&name.as_str()));
    let number = |name: &str| {
        json[name]
            .as_i64()
            .map(|number| i32::try_from(number).unwrap())
    };
    let dice = json["dice"].as_array().unwrap();
    let texts = |name: &str| -> Vec<String> {
        let of_dice = dice
            .iter()
            .map(|die| die[name].as_str().unwrap().to_owned());
        of_dice.collect()
    };
    let choices = json["choices"].as_array().unwrap().iter().map(|choice| {
        let (choice, chose) = (&choice["choice"], &choice["chose"]);
        format!("{}={}", choice.as_str().unwrap(), chose.as_str().unwrap())
    });
    Ok(SeatView {
        outcome: json["outcome"].as_str().unwrap().to_owned(),
        success: json
            .get("success")
            .map(|success| success.as_bool().unwrap()),
        total: number("total"),
        target: number("target"),
        kept: dice
            .iter()
            .map(|die| die["kept"].as_bool().unwrap())
            .collect(),
        dice: texts("die"),
        roles: texts("role"),
        values: dice
            .iter()
            .map(|die| {
                let value = die.get("value").unwrap_or_else(|| &die["face"]);
                Face::try_from(value.as_u64().unwrap()).unwrap()
            })
            .collect(),
        replaces: dice
            .iter()
            .map(|die| {
                die.get("replaces")
                    .map_or(-1, |index| index.as_i64().unwrap())
            })
            .collect(),
        keys: keys
            .map(|(name, value)| (name.clone(), toml::Value::try_from(value).unwrap()))
            .collect(),
        effects: serde_json::from_value(json["effects"].clone()).unwrap(),
        choices: choices.collect(),
        steps: Vec::new(),
    })
}

/// The scenario as a person would write it in a shell.
fn words(system: System, scenario: &Scenario) -> Vec<String> {
    let plain = |value: &toml::Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    let mut words: Vec<String> = [
        "tableside",
        "roll",
        system.spec().id,
        &scenario.check,
        "--json",
    ]
    .map(str::to_owned)
    .to_vec();
    for (name, value) in &scenario.fields {
        match value.as_bool() {
            Some(true) => words.push(format!("--{name}")),
            Some(false) => {}
            None => words.extend([format!("--{name}"), plain(value)]),
        }
    }
    for (rule, value) in &scenario.house {
        words.extend(["--rule".to_owned(), format!("{rule}={}", plain(value))]);
    }
    for answer in &scenario.choose {
        words.extend(["--choose".to_owned(), answer.clone()]);
    }
    let faces: Vec<String> = scenario.faces.iter().map(ToString::to_string).collect();
    words.extend(["--faces".to_owned(), faces.join(",")]);
    words
}

fn run(words: &[String]) -> (Exit, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut world = Io {
        env: &|_| None,
        input: &mut std::io::empty(),
        out: &mut out,
        err: &mut err,
        to_terminal: false,
        can_ask: false,
        clock: || DateTime::UNIX_EPOCH,
    };
    let exit = cli::run(words.iter().map(Into::into), &mut world);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (exit, text(out), text(err))
}

/// Every scenario that differs from what is written, rolled in this way.
fn tell(roll: impl Fn(System, &Scenario) -> Result<SeatView, CliError>, hears_steps: bool) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (system, path) in files() {
        let text = fs::read_to_string(&path).unwrap();
        let file: File =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for mut scenario in file.scenario {
            count += 1;
            if !hears_steps {
                scenario.expect.says.clear();
            }
            let found = differences(&scenario.expect, &roll(system, &scenario));
            if !found.is_empty() {
                let place = path.file_name().unwrap().display();
                wrong.push(format!(
                    "{system}/{place}: {}\n    {}",
                    scenario.name,
                    found.join("\n    ")
                ));
            }
        }
    }
    assert!(count > 0, "no scenario was found");
    assert!(
        wrong.is_empty(),
        "{} of {count} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_worked_example_comes_out_as_written() {
    tell(roll, true);
}

#[test]
fn every_worked_example_comes_out_the_same_on_the_command_line() {
    tell(roll_on_the_command_line, false);
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
