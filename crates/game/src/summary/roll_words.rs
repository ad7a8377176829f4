//! The words for checks and free dice.

use crate::dice_words::dice_aloud;
use crate::{Roll, Thrown};
use tableside_rules::{Answer, Ask, CheckSpec, ChosenBy, DynCheck, Key, Outcome, Progress, System};
use tableside_text::{capitalise, join};

/// The values of an outcome that its effects describe as well.
const DESCRIBED_BY_EFFECTS: [&str; 5] = [
    "effect-levels",
    "consequences",
    "at-a-cost",
    "damage",
    "taken",
];

/// Describes a resolved check in one line: the character, the check, the outcome, the total and the target.
pub fn describe_roll(roll: &Roll, system: System) -> String {
    let outcome = match roll.shown_outcome(system) {
        Some(outcome) => roll.outcome_words(outcome, system),
        None => roll.outcome.clone(),
    };
    let numbers = match (roll.derive(system), roll.spec(system)) {
        (Ok(outcome), Ok(spec)) => spec.describe_numbers(&outcome),
        _ => roll
            .total
            .map_or_else(String::new, |total| total.to_string()),
    };

    let check = describe_check(roll, system);
    if numbers.is_empty() {
        format!("{check}: {outcome}")
    } else {
        format!("{check}: {outcome}, {numbers}")
    }
}

/// Names the character and the check, with its subject in brackets.
pub(crate) fn describe_check(roll: &Roll, system: System) -> String {
    let label: &str = match roll.spec(system) {
        Ok(spec) => spec.label,
        Err(_) => &roll.check,
    };
    let subject = match roll.all_fields(system) {
        Ok(fields) => in_brackets(fields.text("about")),
        Err(_) => String::new(),
    };
    let check = format!("{label}{subject}");
    with_name(&roll.who, &check)
}

/// Describes the values of a check other than its outcome, its total and its effects.
pub(super) fn describe_outcome_keys(spec: &CheckSpec, outcome: &Outcome) -> Option<String> {
    // An opposed check is resolved as another check, which its last step names.
    let mut names = outcome.keys.iter().map(|(name, _)| *name);
    let is_opposed = names.any(|name| name == "aggressor");
    if is_opposed {
        let last_step = outcome.steps.last()?;
        return Some(last_step.trim_end_matches('.').to_owned());
    }

    let mut descriptions = Vec::new();
    for (name, key) in &outcome.keys {
        if !DESCRIBED_BY_EFFECTS.contains(name)
            && let Some(label) = spec.words_of(name)
        {
            descriptions.extend(describe_key(label, key, spec));
        }
    }
    if descriptions.is_empty() {
        None
    } else {
        Some(descriptions.join(", "))
    }
}

fn describe_key(label: &str, key: &Key, spec: &CheckSpec) -> Option<String> {
    let description = match key {
        Key::Number(0) if spec.has_success => return None,
        Key::Flag(false) => return None,
        Key::Flag(true) => label.to_owned(),
        Key::Number(number @ ..0) => {
            let amount = number.unsigned_abs();
            format!("{label} minus {amount}")
        }
        Key::Number(number) => format!("{label} {number}"),
        Key::Words(words) => {
            let list = words.join(" and ");
            format!("{label} {list}")
        }
    };
    Some(description)
}

/// Describes the answers that a check took by default, because no player chose.
pub fn default_answers(machine: &dyn DynCheck, trail: &[Answer]) -> Vec<String> {
    let mut lines = Vec::new();
    for (step, answer) in trail.iter().enumerate() {
        let Answer::Chose {
            chose,
            by: by @ ChosenBy::Default,
            ..
        } = answer
        else {
            continue;
        };
        let before_answer = machine.after(&trail[..step]);
        let Ok(Progress::Waits(Ask::Choose { choices, .. })) = before_answer else {
            continue;
        };

        // A single option is not a choice, so the log does not mention it.
        if choices.options.len() > 1 {
            let mut options = choices.options.iter();
            let label = match options.find(|option| option.name == *chose) {
                Some(option) => &option.label,
                None => chose,
            };
            lines.push(choices.describe_answer(label, *by));
        }
    }
    lines
}

/// Describes the dice of a waiting check, and the answer that it waits for.
pub(super) fn describe_waiting(roll: &Roll, system: System) -> Vec<String> {
    let Ok(machine) = roll.machine(system) else {
        return Vec::new();
    };

    let outcome = machine.outcome(&roll.trail);
    let mut lines = vec![dice_aloud(&outcome)];
    match machine.after(&roll.trail) {
        Ok(Progress::Waits(Ask::Choose { choices, .. })) => {
            let names = choices.options.iter().map(|option| &option.name);
            let options = join(names, " or ");
            lines.push(format!("Answer with {options}."));
        }
        Ok(Progress::Waits(Ask::Roll { .. })) => {
            lines.push("The roll waits for the faces of dice.".to_owned());
        }
        Ok(Progress::Done(..)) | Err(_) => {}
    }
    lines
}

/// Describes free dice, or rolls on random tables, in one line.
pub(super) fn describe_thrown(thrown: &Thrown) -> String {
    let mut rolls = Vec::new();
    for (index, roll) in thrown.all().enumerate() {
        let total = describe_total(roll);
        let is_dice_of_row = index > 0 && roll.table.is_empty();
        if is_dice_of_row {
            rolls.push(format!("{}: {total}", roll.notation));
            continue;
        }

        let title = match roll.table.as_str() {
            "" if roll.who.is_empty() => "Dice",
            "" => "dice",
            table => table,
        };
        let separator = if roll.text.is_empty() { "" } else { ", " };
        rolls.push(format!(
            "{title}, {}: {total}{separator}{}",
            roll.notation, roll.text
        ));
    }
    with_name(&thrown.who, &rolls.join("; "))
}

/// The total, or the totals of an expression such as `6x 4d6kh3`.
fn describe_total(thrown: &Thrown) -> String {
    match thrown.rolled() {
        Some(rolled) if !rolled.repetitions.is_empty() => join(rolled.totals(), ", "),
        _ => thrown.total.to_string(),
    }
}

/// Puts the name of the character before the words.
fn with_name(name: &str, words: &str) -> String {
    if name.is_empty() {
        words.to_owned()
    } else {
        format!("{name}, {words}")
    }
}

/// Returns a remark in brackets after a space, or an empty text for an empty remark.
pub(super) fn in_brackets(remark: &str) -> String {
    if remark.is_empty() {
        String::new()
    } else {
        format!(" ({remark})")
    }
}

/// Makes a sentence: adds a capital letter and a full stop.
pub fn sentence(text: &str) -> String {
    with_stop(&capitalise(text.trim()))
}

/// Adds a full stop if the text has none. An empty text stays empty.
pub(super) fn with_stop(text: &str) -> String {
    const STOPS: [char; 4] = ['.', '!', '?', '…'];

    let trimmed = text.trim();
    if trimmed.is_empty() || trimmed.ends_with(STOPS) {
        trimmed.to_owned()
    } else {
        format!("{trimmed}.")
    }
}
