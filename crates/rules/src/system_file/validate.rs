//! Plays the checks of a compiled file: its examples, and rolls and odds at the limits of the fields.

use std::collections::BTreeSet;

use tableside_dice::{Dice as _, Die, SystemDice};

use crate::system_file::program::effect_rule::EffectAction;
use crate::system_file::program::expression::{Expression, ExpressionValue};
use crate::system_file::read::{TomlTable, TomlValue};
use crate::{
    Answer, AnswerSource, Ask, CheckSpec, ChosenBy, DynCheck, Field, Fields, HouseRules, Kind,
    Odds, Outcome, Policy, Progress, RuleError, Value, ValueSource, resolve,
};

/// The most steps that the odds of a whole file may take. A step takes about a microsecond.
const MAX_STEPS_OF_FILE: usize = 3_000_000;

/// How often a check is rolled with its presets. The user waits for it.
const ROLLS_OF_PRESETS: u8 = 60;

/// How often a check is rolled in each other setup.
const ROLLS_OF_OTHERS: u8 = 6;

/// A way in which a check is tried.
struct ValidationCase {
    fields: Fields,
    /// The difference from other setups, for messages: `its presets`, `bonus 3`.
    description: String,
    policy: Policy,
}

/// Validates every check that has steps, and logs the faults.
pub(super) fn validate_checks(file: &TomlTable<'_>, checks: &[&'static CheckSpec]) {
    let mut steps_left = MAX_STEPS_OF_FILE;

    for (table, check) in file.tables_again("check").iter().zip(checks) {
        if check.program.is_none() {
            continue;
        }

        validate_offers(table, check, checks);
        let mut reported = BTreeSet::new();
        let examples = validate_examples(table, check, &mut reported);
        let has_steps_left =
            validate_setups(table, check, &examples, &mut reported, &mut steps_left);
        if !has_steps_left {
            return;
        }
    }
}

/// Plays the examples and returns the fields of those that are right. `reported` holds the faults of this
/// check, since a faulty step fails in every example.
fn validate_examples(
    table: &TomlTable<'_>,
    check: &'static CheckSpec,
    reported: &mut BTreeSet<String>,
) -> Vec<Fields> {
    let mut correct = Vec::new();

    for (number, example) in (1..).zip(table.tables_again("example")) {
        match play_example(check, &example) {
            Ok(fields) => correct.push(fields),
            Err(error) => {
                let message = error.to_string();
                if reported.insert(message.clone()) {
                    example.fault(format!("example {number} of {}: {message}", check.id));
                }
            }
        }
    }
    correct
}

/// Rolls each setup and computes its odds. Returns false if the file may take no more steps.
fn validate_setups(
    table: &TomlTable<'_>,
    check: &'static CheckSpec,
    examples: &[Fields],
    reported: &mut BTreeSet<String>,
    steps_left: &mut usize,
) -> bool {
    let mut is_rolled = false;
    let mut first_refusal = None;

    for (place, setup) in setups(check, examples).iter().enumerate() {
        let description = &setup.description;
        let machine = match check.prepare(&setup.fields, &HouseRules::default()) {
            Ok(machine) => machine,
            // Rules may refuse a check for some values, but not for all.
            Err(refused) => {
                first_refusal.get_or_insert_with(|| format!("with {description}: {refused}"));
                continue;
            }
        };
        is_rolled = true;

        let rolls = if place == 0 {
            ROLLS_OF_PRESETS
        } else {
            ROLLS_OF_OTHERS
        };
        match try_setup(check, &*machine, &setup.policy, rolls) {
            Ok(steps) if steps > *steps_left => {
                table.fault(format!(
                    "{}: the odds of the whole file take more than {MAX_STEPS_OF_FILE} steps",
                    check.id
                ));
                return false;
            }
            Ok(steps) => *steps_left -= steps,
            Err(error) => {
                let message = error.to_string();
                if reported.insert(message.clone()) {
                    table.fault(format!("{} with {description}: {message}", check.id));
                }
                break;
            }
        }
    }

    if !is_rolled && let Some(refusal) = first_refusal {
        table.fault(format!("{} can never be rolled; {refusal}", check.id));
    }
    true
}

/// Computes the odds and rolls some dice. Returns the steps that the odds took.
fn try_setup(
    check: &'static CheckSpec,
    machine: &dyn DynCheck,
    policy: &Policy,
    rolls: u8,
) -> Result<usize, RuleError> {
    let odds = Odds::of(check, machine, policy)?;

    // Odds evaluate no texts and no effects, so roll as well. The seed is fixed so that a file always gives the same
    // faults.
    let mut dice = SystemDice::from_key([rolls; 32]);
    for _ in 0..rolls {
        roll_once(machine, policy, &mut dice)?;
    }
    Ok(odds.steps())
}

fn roll_once(
    machine: &dyn DynCheck,
    policy: &Policy,
    dice: &mut SystemDice,
) -> Result<(), RuleError> {
    let mut trail = Vec::new();
    loop {
        match machine.after(&trail)? {
            Progress::Waits(Ask::Roll { pool, .. }) => {
                let faces = pool.each_die().map(|(die, _)| dice.roll(die));
                trail.push(Answer::Faces(faces.collect()));
            }
            Progress::Waits(Ask::Choose { choices, .. }) => {
                let answer = choices
                    .options
                    .iter()
                    .find(|option| policy.answers.contains(&option.name))
                    .unwrap_or_else(|| choices.fallback());
                let name = answer.name.clone();
                trail.push(Answer::chose(choices.choice, name, ChosenBy::Default));
            }
            Progress::Done(..) => return Ok(()),
        }
    }
}

/// Checks the constant values that offers of further checks give to fields.
fn validate_offers(table: &TomlTable<'_>, offering: &CheckSpec, checks: &[&'static CheckSpec]) {
    let effects = offering
        .program
        .iter()
        .flat_map(|program| program.effects());

    for effect in effects {
        let EffectAction::Offer { check, with } = &effect.what else {
            continue;
        };
        let Some(offered) = checks.iter().find(|other| other.id == *check) else {
            continue;
        };
        for (field_id, value) in with {
            if let Some(field) = offered.field(field_id)
                && let Err(error) = check_constant(field, value)
            {
                table.fault(format!("the offer of {check} is invalid: {error}"));
            }
        }
    }
}

fn check_constant(field: &Field, value: &Expression) -> Result<(), RuleError> {
    let is_constant = value.names().next().is_none();
    if !is_constant {
        return Ok(());
    }

    let constant = value
        .value(|_| ExpressionValue::default())
        .unwrap_or_default();
    let takes_constant = match field.kind {
        // A word may be the name of an entry on the sheet.
        Kind::Number { .. } | Kind::Flag => !matches!(constant, ExpressionValue::Word(_)),
        Kind::Word(_) => field.source == ValueSource::Table,
        _ => false,
    };
    if takes_constant {
        field.parse(&constant.to_string())?;
    }
    Ok(())
}

/// Plays an example and returns its fields. The error describes a different result.
fn play_example(check: &'static CheckSpec, example: &TomlTable<'_>) -> Result<Fields, RuleError> {
    let mut fields = Fields::presets(check);
    for (name, value) in example.entries_of("fields") {
        fields.set(name, value.field_value())?;
    }
    let faces: Vec<_> = example
        .list("faces")
        .into_iter()
        .filter_map(TomlValue::number)
        .filter_map(|face| face.try_into().ok())
        .collect();
    let answers = example.texts("choose");
    let wanted_outcome = example.text_or_empty("outcome");
    let mut house_rules = HouseRules::default();
    for (rule, value) in example.entries_of("house") {
        house_rules.set(check.system, rule, value.field_value())?;
    }
    fields.complete()?;

    let machine = check
        .prepare(&fields, &house_rules)
        .map_err(|refused| RuleError::Said(refused.0))?;
    let mut source = AnswerSource::by_hand(&faces);
    source.answers = answers.iter().map(|answer| (*answer).to_owned()).collect();
    source.defaults = true;
    let mut trail: Vec<Answer> = Vec::new();
    if let Progress::Waits(_) = resolve(&*machine, &mut trail, &mut source)? {
        return Err(RuleError::Said("the example needs more faces".to_owned()));
    }

    let outcome = machine.outcome(&trail);
    let outcome_id = check.outcome(outcome.outcome).id;
    if outcome_id != wanted_outcome {
        return Err(RuleError::Said(format!(
            "the outcome is {outcome_id}, but the example expects {wanted_outcome}"
        )));
    }
    let ticks = match machine.after(&trail)? {
        Progress::Done(_, score) => Some(score.levels),
        Progress::Waits(_) => None,
    };
    check_numbers(example, &outcome, ticks)?;
    Ok(fields)
}

/// Compares the numbers that an example gives.
fn check_numbers(
    example: &TomlTable<'_>,
    outcome: &Outcome,
    ticks: Option<i32>,
) -> Result<(), RuleError> {
    let results = [
        ("total", outcome.total),
        ("target", outcome.target),
        ("ticks", ticks),
    ];

    for (key, result) in results {
        let Some(wanted) = example.number(key) else {
            continue;
        };
        if result != Some(wanted) {
            let result = match result {
                Some(result) => result.to_string(),
                None => "none".to_owned(),
            };
            return Err(RuleError::Said(format!(
                "the {key} is {result}, but the example expects {wanted}"
            )));
        }
    }
    Ok(())
}

/// Returns the setups in which a check is tried: its presets, each answer to its questions, and each field at its limits.
fn setups(check: &'static CheckSpec, examples: &[Fields]) -> Vec<ValidationCase> {
    let presets = playable_presets(check, examples);
    let mut setups = vec![ValidationCase {
        fields: presets.clone(),
        description: "its presets".to_owned(),
        policy: Policy::default(),
    }];

    for answer in check.choices.iter().flat_map(|choice| choice.answers) {
        setups.push(ValidationCase {
            fields: presets.clone(),
            description: format!("the answer {answer}"),
            policy: Policy {
                answers: vec![(*answer).to_owned()],
                forgiving: true,
            },
        });
    }

    for field in check.fields {
        for value in limits(field) {
            let mut fields = presets.clone();
            if fields.set(field.id, value.clone()).is_ok() {
                setups.push(ValidationCase {
                    fields,
                    description: format!("{} {value}", field.id),
                    policy: Policy::default(),
                });
            }
        }
    }
    setups
}

/// Returns the presets with required fields at their lowest values. If the rules refuse those, returns the fields of the
/// first example that they allow.
fn playable_presets(check: &'static CheckSpec, examples: &[Fields]) -> Fields {
    let mut lowest = Fields::presets(check);
    for field in check.fields {
        if field.is_required()
            && let Some(value) = limits(field).into_iter().next()
        {
            // A value that the field does not take leaves the field open, which the roll then reports.
            lowest.set(field.id, value).ok();
        }
    }

    let is_allowed = |fields: &&Fields| check.prepare(fields, &HouseRules::default()).is_ok();
    [&lowest]
        .into_iter()
        .chain(examples)
        .find(is_allowed)
        .unwrap_or(&lowest)
        .clone()
}

/// Returns the lowest and the highest value of a field, or all values if they are few.
fn limits(field: &Field) -> Vec<Value> {
    match field.kind {
        Kind::Number { min, max } => vec![Value::Number(min), Value::Number(max)],
        Kind::Die => vec![Value::Die(Die::D4), Value::Die(Die::D20)],
        Kind::Text => vec![Value::from("")],
        kind => kind.rungs(),
    }
}
