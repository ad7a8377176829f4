//! What came of an act, in whole sentences that read well aloud.

use super::options;
use crate::dice::Role;
use crate::rules::{Answer, Ask, Effect, Outcome, ShownDie, System, TokenKind};
use crate::session::{Roll, What, describe_roll};
use crate::table::Done;

/// What came of it, a sentence or two a line.
pub(super) fn lines(done: &Done) -> Vec<String> {
    let event = &done.entry.event;
    match &event.what {
        What::Ticked {
            clock,
            by,
            filled,
            of,
            then,
        } => {
            let way = if *by < 0 { "goes back" } else { "advances" };
            let full = if filled == of { ", and is full" } else { "" };
            let by = by.unsigned_abs();
            let mut lines = vec![format!("{clock} {way} by {by}: {filled} of {of}{full}.")];
            lines.extend((!then.is_empty()).then(|| sentence(&plain(then))));
            lines
        }
        What::Tokens {
            owner,
            pool,
            by,
            now,
            note,
        } => {
            let way = if *by < 0 { "spends" } else { "gains" };
            let mut lines = vec![format!(
                "{owner} {way} {} in {pool}, and has {now} now.",
                by.unsigned_abs()
            )];
            lines.extend((!note.is_empty()).then(|| sentence(note)));
            lines
        }
        What::Scene { name } if name.is_empty() => vec!["A new scene begins.".to_owned()],
        What::Scene { name } => vec![format!("The scene: {name}.")],
        What::Round { round, over } => {
            let begins = std::iter::once(format!("Round {round} begins."));
            let over = (!over.is_empty()).then(|| sentence(over));
            begins.chain(over).collect()
        }
        What::Noted { text, .. } => vec![format!("Noted: {}", sentence(text))],
        What::Undone { event, text } => vec![format!(
            "Took back entry {event}: {}",
            sentence(&plain(text))
        )],
        What::Redone { event, text } => {
            vec![format!(
                "Brought back entry {event}: {}",
                sentence(&plain(text))
            )]
        }
        What::Rolled(roll) => resolved(roll, done.system),
        What::Amended { entry, roll, .. } => {
            let mut lines = vec![format!("Entry {entry} is read again.")];
            lines.extend(resolved(roll, done.system));
            lines
        }
        What::Rerolled { entry, roll } => {
            let mut lines = vec![format!("Entry {entry} is rolled again.")];
            lines.extend(resolved(roll, done.system));
            lines
        }
        What::Begun(roll) => begun(roll, done.system),
        What::Abandoned(_)
        | What::Added { .. }
        | What::Removed { .. }
        | What::Edited { .. }
        | What::Ended
        | What::Struck { .. } => vec![sentence(&plain(&event.text(done.system)))],
    }
}

fn resolved(roll: &Roll, system: System) -> Vec<String> {
    let mut lines = vec![sentence(&describe_roll(roll, system))];
    let Ok(outcome) = roll.derive(system) else {
        return lines;
    };
    lines.push(dice(&outcome));
    lines.extend(roll.trail.iter().filter_map(Answer::by_default));
    lines.extend(
        roll.effects
            .iter()
            .map(|effect| effect_aloud(effect, &roll.who)),
    );
    lines
}

fn begun(roll: &Roll, system: System) -> Vec<String> {
    let mut lines = vec![sentence(&describe_waiting(roll, system))];
    let asked = roll.machine(system).and_then(|machine| {
        lines.push(dice(&machine.outcome(&roll.trail)));
        Ok(machine.after(&roll.trail)?)
    });
    match asked {
        Ok(Ask::Choose { what, .. }) => {
            lines.push(format!("Answer it with one of: {}.", options(&what)));
        }
        Ok(Ask::Roll { .. }) => lines.push("It waits for the faces of dice.".to_owned()),
        Ok(Ask::Done(..)) | Err(_) => {}
    }
    lines
}

fn describe_waiting(roll: &Roll, system: System) -> String {
    let check = roll
        .spec(system)
        .map_or(roll.check.as_str(), |spec| spec.label);
    match roll.who.as_str() {
        "" => format!("{check} waits for an answer"),
        who => format!("{who}, {check}, waits for an answer"),
    }
}

/// The dice in words: those that count, then those that do not.
fn dice(outcome: &Outcome) -> String {
    let words = |kept: bool| {
        let dice = outcome.dice.iter().filter(|die| die.kept == kept);
        dice.map(die).collect::<Vec<_>>().join(", ")
    };
    match (words(true).as_str(), words(false).as_str()) {
        ("", "") => "No dice were rolled.".to_owned(),
        (kept, "") => format!("Dice: {kept}."),
        ("", dropped) => format!("Dice that do not count: {dropped}."),
        (kept, dropped) => format!("Dice: {kept}. Not counted: {dropped}."),
    }
}

fn die(die: &ShownDie) -> String {
    let role = die.role.name().replace('-', " ");
    let again = if die.replaces.is_some() { "again " } else { "" };
    let words = match die.role {
        Role::Tens | Role::Ones => format!("{role} {}", die.face),
        _ => format!("{again}{role} {} shows {}", die.die, die.face),
    };
    match die.value {
        Some(value) => format!("{words}, counted as {value}"),
        None => words,
    }
}

fn effect_aloud(effect: &Effect, who: &str) -> String {
    match effect {
        Effect::Token {
            pool,
            owner,
            amount,
        } => {
            let owner = owner.as_deref().unwrap_or(who);
            let way = if *amount < 0 { "spends" } else { "gains" };
            let many = amount.saturating_abs();
            match pool {
                TokenKind::Tokens => {
                    let way = if *amount < 0 { "falls" } else { "rises" };
                    format!("The token pool of {owner} {way} by {many}.")
                }
                _ => format!("{owner} {way} {}.", pool.words(many)),
            }
        }
        other => sentence(&plain(&other.to_string())),
    }
}

/// Signs as words.
fn plain(text: &str) -> String {
    let signs = [
        ("  → ", " becomes "),
        (" → ", " becomes "),
        ("+ ", "now "),
        ("− ", "no longer "),
        ("#", "entry "),
        (" +", " plus "),
        (" −", " minus "),
    ];
    let start = text.to_owned();
    signs
        .iter()
        .fold(start, |text, (sign, word)| text.replace(sign, word))
}

/// The text with a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.trim().chars();
    let first = letters
        .next()
        .map(|first| first.to_uppercase().collect::<String>());
    let mut whole = first.unwrap_or_default();
    whole.push_str(letters.as_str());
    if !whole.ends_with(['.', '!', '?', '…']) {
        whole.push('.');
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_begins_large_and_ends() {
        assert_eq!(sentence("ones: kept → any"), "Ones: kept → any.");
        assert_eq!(sentence("Who goes there?"), "Who goes there?");
        assert_eq!(plain("The alarm +2: 3 of 6"), "The alarm plus 2: 3 of 6");
        assert_eq!(
            plain("Struck #4: Agility d6 → d8"),
            "Struck entry 4: Agility d6 becomes d8"
        );
    }
}
