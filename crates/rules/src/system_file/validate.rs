//! Plays the checks of a compiled file: its examples, and rolls and odds at the limits of the fields.

use std::collections::BTreeSet;

use tableside_dice::{Dice as _, Die, Face, SystemDice};

use crate::system_file::program::effect_rule::EffectAction;
use crate::system_file::program::expression::{Expression, ExpressionValue};
use crate::system_file::read::TomlTable;
use crate::{
    Answer, AnswerSource, Ask, CheckSpec, ChosenBy, DynCheck, Field, Fields, HouseRules, Kind,
    Odds, Outcome, Policy, Progress, RuleError, Value, ValueSource, resolve,
};

/// The most steps that the odds of a whole file may take. A step takes about a microsecond.
const MAX_STEPS_OF_FILE: usize = 3_000_000;

/// How often a check is rolled with its presets. More rolls would make the user wait noticeably.
const ROLLS_OF_PRESETS: u8 = 60;

/// How often a check is rolled in each other case.
const ROLLS_OF_OTHERS: u8 = 6;

/// The fields and answers that a check is tried with.
struct ValidationCase {
    fields: Fields,
    /// Describes the case in messages, after `with`: `its presets`, `bonus 3`.
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
            validate_cases(table, check, &examples, &mut reported, &mut steps_left);
        if !has_steps_left {
            return;
        }
    }
}

/// Plays the examples, and returns the fields of those with the expected result. `reported` holds the faults of this check
/// that were reported, since a faulty step fails in every example.
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

/// Rolls the check and computes its odds in each case. Returns false if the file has used up its steps.
fn validate_cases(
    table: &TomlTable<'_>,
    check: &'static CheckSpec,
    examples: &[Fields],
    reported: &mut BTreeSet<String>,
    steps_left: &mut usize,
) -> bool {
    let mut is_rolled = false;
    let mut first_refusal = None;

    for (place, case) in validation_cases(check, examples).iter().enumerate() {
        let description = &case.description;
        let prepared = check.prepare(&case.fields, &HouseRules::default());
        let machine = match prepared {
            Ok(machine) => machine,
            // The rules may refuse the check in some cases, but not in all.
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
        match try_case(check, &*machine, &case.policy, rolls) {
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

/// Computes the odds of a case, and rolls it this many times. Returns the steps that the odds took.
fn try_case(
    check: &'static CheckSpec,
    machine: &dyn DynCheck,
    policy: &Policy,
    rolls: u8,
) -> Result<usize, RuleError> {
    let odds = Odds::of(check, machine, policy)?;

    // Odds do not evaluate texts and effects, so roll as well. The seed is fixed so that validation is reproducible.
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
        // A word may also be the name of a stat or of an entry on the sheet.
        Kind::Number { .. } | Kind::Flag => !matches!(constant, ExpressionValue::Word(_)),
        Kind::Word(_) => field.source == ValueSource::Table,
        _ => false,
    };
    if takes_constant {
        field.parse(&constant.to_string())?;
    }
    Ok(())
}

/// Plays an example and returns its fields. The error describes how the result differs from the expected one.
fn play_example(check: &'static CheckSpec, example: &TomlTable<'_>) -> Result<Fields, RuleError> {
    let expected_outcome = example.text_or_empty("outcome");
    let mut source = answers_of_example(example);

    let mut fields = Fields::presets(check);
    for (name, value) in example.entries_of("fields") {
        fields.set(name, value.field_value())?;
    }
    let mut house_rules = HouseRules::default();
    for (rule, value) in example.entries_of("house") {
        house_rules.set(check.system, rule, value.field_value())?;
    }
    fields.complete()?;

    let machine = check
        .prepare(&fields, &house_rules)
        .map_err(|refused| RuleError::Said(refused.0))?;
    let mut trail: Vec<Answer> = Vec::new();
    let progress = resolve(&*machine, &mut trail, &mut source)?;
    let Progress::Done(_, score) = progress else {
        return Err(RuleError::Said("the example needs more faces".to_owned()));
    };

    let outcome = machine.outcome(&trail);
    let outcome_id = check.outcome(outcome.outcome).id;
    if outcome_id != expected_outcome {
        return Err(RuleError::Said(format!(
            "the outcome is {outcome_id}, but the example expects {expected_outcome}"
        )));
    }
    check_numbers(example, &outcome, score.levels)?;
    Ok(fields)
}

/// Returns the faces and answers of an example.
fn answers_of_example(example: &TomlTable<'_>) -> AnswerSource<'static> {
    let mut faces = Vec::new();
    for value in example.list("faces") {
        let face = value.number().map(Face::try_from);
        if let Some(Ok(face)) = face {
            faces.push(face);
        }
    }

    let mut source = AnswerSource::by_hand(&faces);
    source.defaults = true;
    for answer in example.texts("choose") {
        source.answers.push_back((*answer).to_owned());
    }
    source
}

/// Compares the numbers that an example expects with the result. An example may leave numbers out.
fn check_numbers(example: &TomlTable<'_>, outcome: &Outcome, ticks: i32) -> Result<(), RuleError> {
    let results = [
        ("total", outcome.total),
        ("target", outcome.target),
        ("ticks", Some(ticks)),
    ];

    for (key, result) in results {
        let expected = example.number(key);
        if expected.is_none() || result == expected {
            continue;
        }
        return Err(RuleError::Said(format!(
            "the {key} is {}, but the example expects {}",
            describe_number(result),
            describe_number(expected)
        )));
    }
    Ok(())
}

fn describe_number(number: Option<i32>) -> String {
    match number {
        Some(number) => number.to_string(),
        None => "none".to_owned(),
    }
}

/// Returns the cases that a check is tried in: its presets, each answer to its questions, and each field at its limits.
fn validation_cases(check: &'static CheckSpec, examples: &[Fields]) -> Vec<ValidationCase> {
    let presets = playable_presets(check, examples);
    let mut cases = vec![ValidationCase {
        fields: presets.clone(),
        description: "its presets".to_owned(),
        policy: Policy::default(),
    }];

    let choices = check.choices.iter();
    for answer in choices.flat_map(|choice| choice.answers) {
        cases.push(ValidationCase {
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
            let is_set = fields.set(field.id, value.clone()).is_ok();
            if is_set {
                cases.push(ValidationCase {
                    fields,
                    description: format!("{} {value}", field.id),
                    policy: Policy::default(),
                });
            }
        }
    }
    cases
}

/// Returns the presets with required fields at their lowest values. If the rules refuse a roll with these, returns the
/// fields of the first example that can be rolled.
fn playable_presets(check: &'static CheckSpec, examples: &[Fields]) -> Fields {
    let mut lowest = Fields::presets(check);
    for field in check.fields {
        if field.is_required()
            && let Some(value) = limits(field).into_iter().next()
        {
            // If the field does not take the value, it stays without one, and the roll reports that.
            lowest.set(field.id, value).ok();
        }
    }

    let house_rules = HouseRules::default();
    for fields in [&lowest].into_iter().chain(examples) {
        if check.prepare(fields, &house_rules).is_ok() {
            return fields.clone();
        }
    }
    lowest
}

/// Returns the lowest and the highest value of a field, or all values if they are few.
fn limits(field: &Field) -> Vec<Value> {
    match field.kind {
        Kind::Number { min, max } => vec![Value::Number(min), Value::Number(max)],
        Kind::Die => vec![Value::Die(Die::D4), Value::Die(Die::D20)],
        Kind::Text => vec![Value::from("")],
        kind => kind.all_values(),
    }
}
