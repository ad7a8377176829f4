//! What an event says to a person: one line for the log, whole sentences for a voice, and what followed from it.
//! Whoever tells an event tells it in these words.

use std::collections::HashMap;

use super::{Change, CharacterId, ClockId, EntityKind, Event, EventKind, PoolId, Roll, Thrown};
use crate::dice::Role;
use crate::dice::notation::{Fate, RolledDie};
use crate::rules::{
    Answer, Ask, CheckSpec, Choices, ChosenBy, Effect, Fields, Key, Outcome, ShownDie, System,
    TokenKind,
};

/// Dice told in a line; of more, only how many.
const MOST_TOLD: usize = 200;

/// What things are called for whom an event is told; what is not in it is not told of.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The characters.
    pub characters: HashMap<CharacterId, String>,
    /// The clocks, those of a character with its name before theirs, and how many segments they have.
    pub clocks: HashMap<ClockId, (String, u8)>,
    /// The pools, with their owners' names before theirs.
    pub pools: HashMap<PoolId, String>,
}

impl Names {
    /// Whether the words begin with one of them.
    fn begin(&self, words: &str) -> bool {
        let clocks = self.clocks.values().map(|(name, _)| name);
        let mut all = self
            .characters
            .values()
            .chain(clocks)
            .chain(self.pools.values());
        all.any(|name| words.starts_with(name.as_str()))
    }
}

/// The number of an entry beside a verb; nothing for whoever may not count the entries.
fn tag(entry: u64) -> String {
    match entry {
        0 => String::new(),
        entry => format!(" #{entry}"),
    }
}

impl Event {
    /// The event in one line.
    pub fn text(&self, system: System) -> String {
        match &self.what {
            EventKind::Rolled(roll) => describe_roll(roll, system),
            EventKind::Incomplete(roll) => {
                format!("{} begun; it waits for an answer", check_of(roll, system))
            }
            EventKind::Amended { entry, roll, .. } => {
                format!("Amended{}: {}", tag(*entry), describe_roll(roll, system))
            }
            EventKind::Rerolled { entry, roll } => {
                format!(
                    "Rolled{} again: {}",
                    tag(*entry),
                    describe_roll(roll, system)
                )
            }
            EventKind::Abandoned(roll) => format!("{} given up", check_of(roll, system)),
            EventKind::Thrown(thrown) => describe_thrown(thrown),
            EventKind::Ticked {
                clock,
                by,
                filled,
                of,
                then,
            } => {
                format!("{clock} {}: {}", signed(*by), stands(*filled, *of, then))
            }
            EventKind::Tokens {
                owner,
                pool,
                by,
                now,
                note,
            } => {
                format!("{owner}: {}", moved(pool, *by, *now, note))
            }
            EventKind::Added { kind, name } => format!("New {}: {name}", kind.word()),
            EventKind::Removed { kind, name } => format!("Removed the {} {name}", kind.word()),
            EventKind::Edited {
                kind: EntityKind::House,
                name,
                how,
            } => format!("House rule {name}: {how}"),
            EventKind::Edited { name, how, .. } if name.is_empty() => how.clone(),
            EventKind::Edited { name, how, .. } => format!("{name}: {how}"),
            EventKind::Round { round, over } if over.is_empty() => format!("Round {round}"),
            EventKind::Round { round, over } => format!("Round {round}: {over}"),
            EventKind::Scene { name } if name.is_empty() => "A new scene".to_owned(),
            EventKind::Scene { name } => format!("Scene: {name}"),
            EventKind::Ended => "The session ended".to_owned(),
            EventKind::Noted { text, about: None } => text.clone(),
            EventKind::Noted {
                text,
                about: Some(about),
            } => format!("{text} (about #{about})"),
            EventKind::Struck { entry, reason } if reason.is_empty() => match *entry {
                0 => "Struck an entry".to_owned(),
                entry => format!("Struck #{entry}"),
            },
            EventKind::Struck { entry, reason } => format!("Struck{}: {reason}", tag(*entry)),
            EventKind::RequestError { event, text } => format!("Took back{}: {text}", tag(*event)),
            EventKind::Redone { event, text } => format!("Brought back{}: {text}", tag(*event)),
        }
    }

    /// The event in whole sentences for a voice: none of its own signs, and every name as it is. `other` is
    /// the event that it takes back or brings back.
    pub fn aloud(&self, system: System, names: &Names, other: Option<&Self>) -> Vec<String> {
        let again = |verb: &str, number: u64, text: &str| {
            let said = match other {
                Some(other) => other.said(system),
                None => vec![stopped(text)],
            };
            vec![format!("{verb} entry {number}: {}", said.join(" "))]
        };
        let mut lines = match &self.what {
            EventKind::RequestError { event, text } => again("Took back", *event, text),
            EventKind::Redone { event, text } => again("Brought back", *event, text),
            _ => self.said(system),
        };
        match &self.what {
            EventKind::Incomplete(roll) => lines.extend(waiting(roll, system)),
            EventKind::Thrown(thrown) => lines.push(format!("Dice: {}.", thrown_in_words(thrown))),
            what => {
                if let Some(outcome) = what.resolved().and_then(|roll| roll.derive(system).ok()) {
                    lines.push(dice_aloud(&outcome));
                    let followed = self.in_short(system, names).into_iter();
                    // A name stays as it is, also where it begins a sentence.
                    lines.extend(followed.map(|words| {
                        if names.begin(&words) {
                            stopped(&words)
                        } else {
                            sentence(&words)
                        }
                    }));
                }
            }
        }
        lines
    }

    /// What happened, without what followed.
    fn said(&self, system: System) -> Vec<String> {
        let read = |lead: String, roll: &Roll| vec![lead, stopped(&describe_roll(roll, system))];
        match &self.what {
            EventKind::Ticked {
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
                lines.extend((!then.is_empty()).then(|| stopped(then)));
                lines
            }
            EventKind::Tokens {
                owner,
                pool,
                by,
                now,
                note,
            } => {
                let way = if *by < 0 { "spends" } else { "gains" };
                let by = by.unsigned_abs();
                let mut lines = vec![format!("{owner} {way} {by} in {pool}, and has {now} now.")];
                lines.extend((!note.is_empty()).then(|| sentence(note)));
                lines
            }
            EventKind::Scene { name } if name.is_empty() => vec!["A new scene begins.".to_owned()],
            EventKind::Scene { name } => vec![format!("The scene: {}", stopped(name))],
            EventKind::Round { round, over } => {
                let mut lines = vec![format!("Round {round} begins.")];
                lines.extend((!over.is_empty()).then(|| stopped(over)));
                lines
            }
            EventKind::Noted { text, .. } => vec![format!("Noted: {}", stopped(text))],
            EventKind::Struck { entry, reason } if reason.is_empty() => {
                vec![format!("Struck entry {entry}.")]
            }
            EventKind::Struck { entry, reason } => {
                vec![format!("Struck entry {entry}: {}", stopped(reason))]
            }
            EventKind::Amended { entry, roll, .. } => {
                read(format!("Entry {entry} is read again."), roll)
            }
            EventKind::Rerolled { entry, roll } => {
                read(format!("Entry {entry} is rolled again."), roll)
            }
            EventKind::Incomplete(roll) => {
                vec![format!("{}, waits for an answer.", check_of(roll, system))]
            }
            EventKind::RequestError { event, .. } => vec![format!("Took back entry {event}.")],
            EventKind::Redone { event, .. } => vec![format!("Brought back entry {event}.")],
            EventKind::Rolled(_)
            | EventKind::Thrown(_)
            | EventKind::Abandoned(_)
            | EventKind::Added { .. }
            | EventKind::Removed { .. }
            | EventKind::Edited { .. }
            | EventKind::Ended => vec![stopped(&self.text(system))],
        }
    }

    /// What a check came to beside its total, and what followed: what the rules need next. Each is a sentence
    /// but for its capital letter and its full stop.
    pub fn in_short(&self, system: System, names: &Names) -> Vec<String> {
        let read = self.what.resolved().and_then(|roll| {
            let spec = roll.spec(system).ok()?;
            came_to(spec, &roll.derive(system).ok()?)
        });
        read.into_iter()
            .chain(self.followed(system, names))
            .collect()
    }

    /// What followed: for whom it counts, what nobody chose, and every number that is otherwise.
    pub fn followed(&self, system: System, names: &Names) -> Vec<String> {
        let mut told = Vec::new();
        // What is read or rolled again takes back and books again.
        let changes = match self.what.replaces() {
            Some(_) => netted(&self.changes),
            None => self.changes.clone(),
        };
        if let Some(roll) = self.what.resolved() {
            let succeeded = || {
                roll.derive(system)
                    .is_ok_and(|outcome| outcome.success == Some(true))
            };
            if roll.group && succeeded() {
                told.push(format!("everybody succeeds: {}", everybody(roll)));
            }
            told.extend(by_default(roll, system));
            // Tokens that were booked are told by what the pool holds now.
            let booked = |change: &Change| matches!(change, Change::Tokens { .. });
            let booked = changes.iter().any(booked);
            let effects = roll.effects.iter();
            let effects =
                effects.filter(|effect| !(booked && matches!(effect, Effect::Token { .. })));
            told.extend(effects.map(|effect| effect_in_words(effect, &roll.who)));
        }
        told.extend(
            changes
                .iter()
                .filter_map(|change| describe(change, system, names)),
        );
        told
    }
}

/// The one who rolled, and all who were in it.
fn everybody(roll: &Roll) -> String {
    let helpers = roll.helpers.iter().map(|one| one.name.as_str());
    let all = std::iter::once(roll.who.as_str()).chain(helpers);
    all.collect::<Vec<_>>().join(", ")
}

/// The changes of one and the same number as one, and none where it is as before.
fn netted(changes: &[Change]) -> Vec<Change> {
    let mut net: Vec<Change> = Vec::new();
    for change in changes {
        let merged = net.iter_mut().any(|known| match (known, change) {
            (
                Change::Tokens { pool, to, .. },
                Change::Tokens {
                    pool: same,
                    to: now,
                    ..
                },
            ) if pool == same => {
                *to = *now;
                true
            }
            (
                Change::Filled { clock, to, .. },
                Change::Filled {
                    clock: same,
                    to: now,
                    ..
                },
            ) if clock == same => {
                *to = *now;
                true
            }
            (
                Change::Stat { who, stat, to, .. },
                Change::Stat {
                    who: same,
                    stat: of,
                    to: now,
                    ..
                },
            ) if (&*who, &*stat) == (same, of) => {
                to.clone_from(now);
                true
            }
            _ => false,
        });
        if !merged {
            net.push(change.clone());
        }
    }
    net.retain(|change| match change {
        Change::Tokens { from, to, .. } => from != to,
        Change::Filled { from, to, .. } => from != to,
        Change::Stat { from, to, .. } => from != to,
        _ => true,
    });
    net
}

/// A difference that people count; nothing for those that are told otherwise.
fn describe(change: &Change, system: System, names: &Names) -> Option<String> {
    match change {
        Change::Tokens { pool, from, to } => {
            let (from, to) = (spelled(*from), spelled(*to));
            Some(format!("{} {from} to {to}", names.pools.get(pool)?))
        }
        Change::Filled { clock, from, to } => {
            let (name, of) = names.clocks.get(clock)?;
            let full = if to >= of { ", full" } else { "" };
            Some(format!("{name} {from} to {to} of {of}{full}"))
        }
        Change::Shown { clock, to, .. } => {
            Some(format!("{} is {}", names.clocks.get(clock)?.0, to.id()))
        }
        Change::Stat {
            who,
            stat,
            from,
            to,
        } => {
            let mut stats = system.spec().stats.iter();
            let label = stats
                .find(|known| known.id == stat)
                .map_or(stat.as_str(), |known| known.label);
            Some(format!(
                "{}: {label} {from} to {to}",
                names.characters.get(who)?
            ))
        }
        Change::Round { from, to } => Some(format!("round {from} to {to}")),
        Change::House { rule, from, to } => Some(format!("{rule}: {from} to {to}")),
        Change::Character { .. }
        | Change::Clock { .. }
        | Change::Link { .. }
        | Change::Attached { .. }
        | Change::Prepared { .. }
        | Change::Brought { .. }
        | Change::Pool { .. }
        | Change::About { .. }
        | Change::Conditions { .. }
        | Change::Fresh { .. }
        | Change::Gained { .. }
        | Change::Scene { .. }
        | Change::Lock { .. }
        | Change::Called { .. }
        | Change::Waiting { .. } => None,
    }
}

/// A number as one says it.
fn spelled(number: i32) -> String {
    if number < 0 {
        format!("minus {}", number.unsigned_abs())
    } else {
        number.to_string()
    }
}

/// What a check says beside its outcome, its total and its effects.
fn came_to(spec: &CheckSpec, outcome: &Outcome) -> Option<String> {
    // An opposed check is resolved as another one: its story ends with which.
    let is_opposed = outcome.keys.iter().any(|(name, _)| *name == "aggressor");
    if is_opposed {
        let last = outcome.steps.last();
        return last.map(|step| step.trim_end_matches('.').to_owned());
    }
    let effects = |name: &str| {
        let mut effects = outcome.effects.iter();
        effects.any(|effect| match effect {
            Effect::EffectLevels { .. } => name == "effect-levels",
            Effect::Consequence { .. } => name == "consequences",
            Effect::AtACost => name == "at-a-cost",
            Effect::Damage { own, .. } => name == if *own { "taken" } else { "damage" },
            _ => false,
        })
    };
    let keys = outcome.keys.iter().filter(|(name, _)| !effects(name));
    let told = keys.filter_map(|(name, key)| {
        Some(match (*name, key) {
            ("successes", Key::Number(1)) => "1 success".to_owned(),
            ("extra" | "margin", Key::Number(0)) | (_, Key::Flag(false)) => return None,
            ("extra", Key::Number(extra)) => format!("{extra} of them beyond the first"),
            ("margin", Key::Number(margin)) if *margin < 0 => {
                format!("{} short of it", margin.unsigned_abs())
            }
            ("margin", Key::Number(margin)) => format!("{margin} more than it needed"),
            ("theme", Key::Words(themes)) => {
                format!("the dominant theme is {}", themes.join(" and "))
            }
            ("successes", Key::Number(successes)) => format!("{} successes", spelled(*successes)),
            (_, Key::Number(0)) if spec.has_success => return None,
            (name, Key::Number(1)) => format!("1 {}", name.trim_end_matches('s')),
            (name, Key::Number(number)) => format!("{number} {}", name.replace('-', " ")),
            (name, Key::Flag(true)) => name.replace('-', " "),
            (name, Key::Words(words)) => {
                format!("{} {}", name.replace('-', " "), words.join(" and "))
            }
        })
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// The answers that nobody gave.
fn by_default(roll: &Roll, system: System) -> Vec<String> {
    let by = |answer: &Answer| match answer {
        Answer::Chose { by, .. } => Some(*by),
        Answer::Faces(_) => None,
    };
    let mut answers = roll.trail.iter().filter_map(by);
    if !answers.any(|by| by == ChosenBy::Default) {
        return Vec::new();
    }
    let machine = roll.machine(system);
    machine.map_or_else(
        |_no_check| Vec::new(),
        |machine| default_answers(&*machine, &roll.trail),
    )
}

/// What was chosen where nobody answered, by what it means.
pub fn default_answers(machine: &dyn crate::rules::DynCheck, trail: &[Answer]) -> Vec<String> {
    let answers = trail.iter().enumerate();
    let told = answers.filter_map(|(step, answer)| {
        let Answer::Chose {
            chose,
            by: ChosenBy::Default,
            ..
        } = answer
        else {
            return None;
        };
        let before = trail.get(..step)?;
        let Ok(Ask::Choose { what, .. }) = machine.after(before) else {
            return None;
        };
        let mut options = what.options.iter();
        let picked = options.find(|option| option.name == *chose);
        let label = picked.map_or(chose.as_str(), |option| option.label.as_str());
        // With one option there was nothing to choose.
        (what.options.len() > 1).then(|| format!("chosen by default: {label}"))
    });
    told.collect()
}

/// An effect in words; whose it is where it is somebody else's than `who`.
fn effect_in_words(effect: &Effect, who: &str) -> String {
    let (pool, owner, amount) = match effect {
        Effect::Token {
            pool,
            owner,
            amount,
        } => (pool, owner, amount),
        Effect::Lock { about } if !about.is_empty() => {
            return format!("may not be tried again until something changes: {about}");
        }
        Effect::Reached { pool, now, told } => {
            return format!("the pool {pool} has {now} now: {told}");
        }
        other => return other.to_string(),
    };
    let owner = match owner.as_deref().unwrap_or(who) {
        "" => "nobody",
        owner => owner,
    };
    let many = amount.saturating_abs();
    match (pool, *amount < 0) {
        (TokenKind::Tokens, true) => format!("the token pool of {owner} falls by {many}"),
        (TokenKind::Tokens, false) => format!("the token pool of {owner} rises by {many}"),
        (_, true) => format!("{owner} spends {}", pool.words(many)),
        (_, false) => format!("{owner} gains {}", pool.words(many)),
    }
}

/// What a check that waits shows, and what it waits for.
fn waiting(roll: &Roll, system: System) -> Vec<String> {
    let Ok(machine) = roll.machine(system) else {
        return Vec::new();
    };
    let mut lines = vec![dice_aloud(&machine.outcome(&roll.trail))];
    match machine.after(&roll.trail) {
        Ok(Ask::Choose { what, .. }) => {
            lines.push(format!(
                "Answer it with one of: {}.",
                options_in_words(&what)
            ));
        }
        Ok(Ask::Roll { .. }) => lines.push("It waits for the faces of dice.".to_owned()),
        Ok(Ask::Done(..)) | Err(_) => {}
    }
    lines
}

/// The options of a choice: `fail or complication`.
fn options_in_words(what: &Choices) -> String {
    let names = what.options.iter().map(|option| option.name.as_str());
    names.collect::<Vec<_>>().join(" or ")
}

/// The dice for a voice: those that count, then those that do not.
fn dice_aloud(outcome: &Outcome) -> String {
    let words = |kept: bool| {
        let dice = outcome.dice.iter().filter(|die| die.kept == kept);
        dice.map(die_aloud).collect::<Vec<_>>().join(", ")
    };
    match (words(true).as_str(), words(false).as_str()) {
        ("", "") => "No dice were rolled.".to_owned(),
        (kept, "") => format!("Dice: {kept}."),
        ("", dropped) => format!("Dice that do not count: {dropped}."),
        (kept, dropped) => format!("Dice: {kept}. Not counted: {dropped}."),
    }
}

fn die_aloud(die: &ShownDie) -> String {
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

/// The dice in a line; in brackets those that do not count.
pub fn dice_in_words(dice: &[ShownDie]) -> String {
    let words: Vec<String> = dice.iter().map(die_in_words).collect();
    words.join(", ")
}

/// A die in words; in brackets one that does not count.
pub fn die_in_words(die: &ShownDie) -> String {
    let value = die.value.map(|value| format!(" → {value}"));
    let value = value.unwrap_or_default();
    let again = if die.replaces.is_some() { "again " } else { "" };
    let role = die.role.name();
    let words = match die.role {
        // The digits of 1D100 are read together: which die is which matters, not its size.
        Role::Tens | Role::Ones => format!("{role} {}", die.face),
        _ => format!("{again}{role} {} {}{value}", die.die, die.face),
    };
    if die.kept {
        words
    } else {
        format!("({words})")
    }
}

/// Free dice in one line: who, what, and what it adds up to.
fn describe_thrown(thrown: &Thrown) -> String {
    let Thrown {
        who,
        notation,
        total,
        ..
    } = thrown;
    match who.as_str() {
        "" => format!("Dice, {notation}: {total}"),
        who => format!("{who}, dice, {notation}: {total}"),
    }
}

/// Free dice as they fell, in a line.
pub fn thrown_in_words(thrown: &Thrown) -> String {
    thrown
        .rolled()
        .map_or_else(String::new, |rolled| free_dice_in_words(&rolled.dice))
}

/// Free dice in a line; in brackets those that do not count.
pub fn free_dice_in_words(dice: &[RolledDie]) -> String {
    let told = dice.iter().take(MOST_TOLD).enumerate().map(|(index, die)| {
        let between = match (index, die.chain) {
            (0, _) => "",
            (_, true) => " then ",
            (_, false) => ", ",
        };
        let (sides, face) = (die.sides, die.face);
        match die.fate {
            Fate::Kept => format!("{between}d{sides} {face}"),
            Fate::Dropped => format!("{between}(d{sides} {face})"),
            Fate::Rerolled => format!("{between}(d{sides} {face}, again)"),
        }
    });
    let words: String = told.collect();
    match dice.len() {
        0 => "no dice".to_owned(),
        count if count > MOST_TOLD => format!("{words} and {} more", count - MOST_TOLD),
        _ => words,
    }
}

/// The text with a capital letter and a full stop.
pub fn sentence(text: &str) -> String {
    let mut letters = text.trim().chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let whole: String = first.chain(letters).collect();
    stopped(&whole)
}

/// The text with a full stop.
fn stopped(text: &str) -> String {
    let mut whole = text.trim().to_owned();
    if !whole.ends_with(['.', '!', '?', '…']) {
        whole.push('.');
    }
    whole
}

/// A resolved check in one line: who, which, outcome, total and target.
pub fn describe_roll(roll: &Roll, system: System) -> String {
    let outcome = roll.told(system);
    let outcome = outcome.map_or(roll.outcome.as_str(), |told| told.label);
    let numbers = match (roll.total, target(roll, system)) {
        (Some(total), Some(target)) => format!(", {total} against {target}"),
        (Some(total), None) => format!(", {total}"),
        (None, _) => String::new(),
    };
    format!("{}: {outcome}{numbers}", check_of(roll, system))
}

fn target(roll: &Roll, system: System) -> Option<i32> {
    roll.derive(system).ok()?.target
}

fn check_of(roll: &Roll, system: System) -> String {
    let label = roll
        .spec(system)
        .map_or(roll.check.as_str(), |spec| spec.label);
    let about = roll
        .all_fields(system)
        .map(|fields: Fields| fields.text("about").to_owned())
        .unwrap_or_default();
    let about = if about.is_empty() {
        String::new()
    } else {
        format!(" ({about})")
    };
    if roll.who.is_empty() {
        format!("{label}{about}")
    } else {
        format!("{}, {label}{about}", roll.who)
    }
}

/// How a clock stands, and what that led to.
pub(super) fn stands(filled: u8, of: u8, then: &str) -> String {
    let full = if filled == of { ", full" } else { "" };
    let link = if then.is_empty() { "" } else { "; " };
    format!("{filled} of {of}{full}{link}{then}")
}

/// How many tokens came or went, how many there are now, and why.
fn moved(pool: &str, by: i32, now: i32, note: &str) -> String {
    let note = if note.is_empty() {
        String::new()
    } else {
        format!(" ({note})")
    };
    format!("{pool} {}, now {now}{note}", signed(by))
}

fn signed(by: i32) -> String {
    if by < 0 {
        format!("−{}", by.unsigned_abs())
    } else {
        format!("+{by}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_begins_large_and_ends() {
        assert_eq!(sentence("ones: kept to any"), "Ones: kept to any.");
        assert_eq!(sentence("Who goes there?"), "Who goes there?");
    }
}
