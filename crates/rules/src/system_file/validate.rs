//! Tries a file's checks before anybody plays them: its examples, and the odds at the ends of its fields.

use std::collections::BTreeSet;
use std::iter;

use crate::system_file::program::effect_rule::What;
use crate::system_file::program::expression::Known;
use crate::system_file::read::{Given, Table};
use crate::{
    Answer, AnswerSource, Ask, CheckSpec, ChosenBy, DynCheck, Field, Fields, HouseRules, Kind,
    Odds, Policy, Progress, RuleError, Value, ValueSource, resolve,
};
use tableside_dice::{Dice as _, Die, SystemDice};

/// The odds of a whole file take at most so many steps.
const MOST_WEIGHED_OF_FILE: usize = 3_000_000;

/// Tries every check that is described by steps.
pub(crate) fn try_checks(file: &Table<'_>, checks: &[&'static CheckSpec]) {
    let mut steps = 0;
    for (table, check) in file.tables_again("check").iter().zip(checks) {
        if check.program.is_none() {
            continue;
        }
        try_offers(table, check, checks);
        let mut examples = Vec::new();
        // What goes wrong in a step does so in each example.
        let mut told = BTreeSet::new();
        for (place, example) in (1..).zip(table.tables_again("example")) {
            match try_example(check, &example) {
                Ok(fields) => examples.push(fields),
                Err(why) if told.insert(why.to_string()) => {
                    example.fault(format!("example {place} of {}: {why}", check.id));
                }
                Err(_) => {}
            }
        }
        let (mut is_rolled, mut refused) = (false, None);
        // Most at the presets: somebody waits for it.
        let rolls = iter::once(60).chain(iter::repeat(6));
        for ((fields, which, policy), rolls) in corners(check, &examples).into_iter().zip(rolls) {
            let odds = match check.prepare(&fields, &HouseRules::default()) {
                Ok(machine) => Odds::of(check, &*machine, &policy)
                    .and_then(|odds| try_rolls(rolls, &*machine, &policy).map(|()| odds)),
                // Rules may refuse a check at some values.
                Err(why) => {
                    refused.get_or_insert_with(|| format!("with {which}: {why}"));
                    continue;
                }
            };
            is_rolled = true;
            match odds {
                Ok(odds) => steps += odds.steps(),
                Err(why) => {
                    if told.insert(why.to_string()) {
                        table.fault(format!("{} with {which}: {why}", check.id));
                    }
                    break;
                }
            }
            if steps > MOST_WEIGHED_OF_FILE {
                table.fault(format!(
                    "{}: the odds of the whole file take more than {MOST_WEIGHED_OF_FILE} steps",
                    check.id
                ));
                return;
            }
        }
        if let (false, Some(why)) = (is_rolled, refused) {
            table.fault(format!("{} can't be rolled at all; {why}", check.id));
        }
    }
}

/// Rolls so often, always the same: odds look at no words and no effects.
fn try_rolls(rolls: u8, check: &dyn DynCheck, policy: &Policy) -> Result<(), RuleError> {
    let mut dice = SystemDice::from_key([rolls; 32]);
    for _ in 0..rolls {
        let mut trail = Vec::new();
        loop {
            match check.after(&trail)? {
                Progress::Waits(Ask::Roll { pool, .. }) => {
                    let faces = pool.each_die().map(|(die, _)| dice.roll(die));
                    trail.push(Answer::Faces(faces.collect()));
                }
                Progress::Waits(Ask::Choose { choices, .. }) => {
                    let mut options = choices.options.iter();
                    let meant = options.find(|option| policy.answers.contains(&option.name));
                    let chose = meant.unwrap_or_else(|| choices.fallback()).name.clone();
                    trail.push(Answer::chose(choices.choice, chose, ChosenBy::Default));
                }
                Progress::Done(..) => break,
            }
        }
    }
    Ok(())
}

/// Tries what offers give the checks that they offer, where it is not worked out at the table.
fn try_offers(table: &Table<'_>, by: &CheckSpec, checks: &[&'static CheckSpec]) {
    for effect in by.program.iter().flat_map(|program| program.effects()) {
        if let What::Offer { check, with } = &effect.what
            && let Some(offered) = checks.iter().find(|one| one.id == *check)
        {
            for (field, to) in with.iter().filter(|(_, to)| to.names().next().is_none()) {
                let to = to.value(|_| Known::default()).unwrap_or_default();
                // A word may be the name of something on the sheet.
                let field = offered.field(field).filter(|field| match field.kind {
                    Kind::Number { .. } | Kind::Flag => !matches!(to, Known::Word(_)),
                    kind => matches!(kind, Kind::Word(_)) && field.source == ValueSource::Table,
                });
                if let Some(Err(why)) = field.map(|field| field.parse(&to.to_string())) {
                    table.fault(format!("{check} is offered: {why}"));
                }
            }
        }
    }
}

fn try_example(check: &'static CheckSpec, example: &Table<'_>) -> Result<Fields, RuleError> {
    let mut fields = Fields::presets(check);
    for (name, given) in example.entries("fields") {
        fields.set(name, given.value())?;
    }
    let faces = example.list("faces").into_iter().filter_map(Given::number);
    let faces: Vec<_> = faces.filter_map(|face| face.try_into().ok()).collect();
    let chosen = example.texts("choose").iter();
    let wanted = example.words("outcome");
    let mut house = HouseRules::default();
    for (rule, reading) in example.entries("house") {
        house.set(check.system, rule, reading.value())?;
    }
    fields.complete()?;
    let machine = check.prepare(&fields, &house);
    let machine = machine.map_err(|why| RuleError::Said(why.0))?;
    let mut source = AnswerSource::by_hand(&faces);
    source.answers = chosen.map(|answer| (*answer).to_owned()).collect();
    source.defaults = true;
    let mut trail: Vec<Answer> = Vec::new();
    if let Progress::Waits(_) = resolve(&*machine, &mut trail, &mut source)? {
        return Err(RuleError::Said("it needs more faces".to_owned()));
    }
    let outcome = machine.outcome(&trail);
    let found = check.outcome(outcome.outcome).id;
    if found != wanted {
        return Err(RuleError::Said(format!(
            "it comes to {found}, not to {wanted}"
        )));
    }
    let ticks = match machine.after(&trail)? {
        Progress::Done(_, score) => Some(score.levels),
        Progress::Waits(_) => None,
    };
    let found = [
        ("total", outcome.total),
        ("target", outcome.target),
        ("ticks", ticks),
    ];
    for (what, found) in found {
        if let Some(wanted) = example.number(what).filter(|wanted| found != Some(*wanted)) {
            let found = found.map_or_else(|| "none".to_owned(), |found| found.to_string());
            let why = format!("its {what} is {found}, not {wanted}");
            return Err(RuleError::Said(why));
        }
    }
    Ok(fields)
}

/// The presets, with what must be given at its least, or as in an example where the rules refuse that; then with each
/// answer, and each field at either end.
fn corners(check: &'static CheckSpec, examples: &[Fields]) -> Vec<(Fields, String, Policy)> {
    let mut least = Fields::presets(check);
    for field in check.fields.iter().filter(|field| field.is_required()) {
        let value = ends(field).into_iter().next();
        value.and_then(|value| least.set(field.id, value).ok());
    }
    let mut all = [&least].into_iter().chain(examples);
    let presets = all.find(|fields| check.prepare(fields, &HouseRules::default()).is_ok());
    let presets = presets.unwrap_or(&least);
    let (name, unanswered) = ("its presets".to_owned(), Policy::default());
    let mut corners = vec![(presets.clone(), name, unanswered.clone())];
    for answer in check.choices.iter().flat_map(|choice| choice.answers) {
        let answers = vec![(*answer).to_owned()];
        let forgiving = true;
        let policy = Policy { answers, forgiving };
        corners.push((presets.clone(), format!("the answer {answer}"), policy));
    }
    for field in check.fields {
        for value in ends(field) {
            let mut fields = presets.clone();
            if fields.set(field.id, value.clone()).is_ok() {
                let name = format!("{} {value}", field.id);
                corners.push((fields, name, unanswered.clone()));
            }
        }
    }
    corners
}

/// The ends of what a field takes.
fn ends(field: &Field) -> Vec<Value> {
    match field.kind {
        Kind::Number { min, max } => vec![Value::Number(min), Value::Number(max)],
        Kind::Die => vec![Value::Die(Die::D4), Value::Die(Die::D20)],
        Kind::Text => vec![Value::from("")],
        kind => kind.rungs(),
    }
}
