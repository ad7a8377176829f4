//! What happened, as it is told: the dice, what they came to, and what followed.

use super::scroll::Block;
use crate::rules::{CheckSpec, Effect, Key, Outcome, ShownDie, System};
use crate::screen::theme::Role;
use crate::screen::tone;
use crate::screen::widget::die::Die;
use crate::session::{Change, Event, Roll, What};
use crate::table::{Entry, Seen};

/// The dice as they lie on the table: those rolled again behind what they were, dropped ones dim.
pub(super) fn dice_of(dice: &[ShownDie]) -> Vec<Die<'static>> {
    let again = |index: usize| dice.iter().any(|die| die.replaces == Some(index));
    let shown = dice.iter().enumerate().filter(|(index, _)| !again(*index));
    shown
        .map(|(_, die)| {
            let face = die.value.unwrap_or(die.face);
            let mut drawn = Die::new(die.die.name(), face.to_string());
            if face == die.die.highest() {
                drawn = drawn.highest();
            } else if face == 1 {
                drawn = drawn.lowest();
            }
            let before = die.replaces.and_then(|index| dice.get(index));
            let before = before.map(|before| before.face);
            if let Some(was) = before.or_else(|| die.value.map(|_| die.face)) {
                drawn = drawn.rerolled(was.to_string());
            }
            if die.kept { drawn } else { drawn.dropped() }
        })
        .collect()
}

/// The outcome with its total and its target, each as far as there is one.
pub(super) fn headline(spec: &CheckSpec, outcome: &Outcome, ascii: bool) -> Block {
    let told = spec.told(outcome.outcome, outcome.success);
    let role = tone::role(told.tone);
    let mut parts = vec![(
        role,
        format!("{} {}", tone::sign(told.tone, ascii), told.label),
    )];
    let named = |target| {
        let field = spec.field("cn")?;
        Some(format!(" ({})", field.name_of(target)?))
    };
    let numbers = match (outcome.total, outcome.target) {
        (Some(total), Some(target)) => {
            let name = named(target).unwrap_or_default();
            format!("   {total} against {target}{name}")
        }
        (Some(total), None) => format!("   {total}"),
        (None, _) => String::new(),
    };
    parts.push((Role::Text, numbers));
    Block::Parts(parts)
}

/// The steps, numbered.
pub(super) fn steps(outcome: &Outcome) -> Vec<Block> {
    let numbered = outcome.steps.iter().zip(1..);
    numbered
        .map(|(step, number): (&String, u32)| Block::Words {
            role: Role::Text,
            lead: format!("{number:>2}  "),
            words: step.clone(),
        })
        .collect()
}

/// A sentence to tell it by, from the pool that had the highest die (Gnosis, Resolution: dominant
/// narration theme); nothing where the check has no theme.
pub(super) fn narration(outcome: &Outcome) -> Option<Block> {
    const ALL: [(&str, &str); 4] = [
        ("power", "Power"),
        ("precision", "Precision"),
        ("possibility", "Possibility"),
        ("pain", "Pain"),
    ];
    let (_, key) = outcome.keys.iter().find(|(name, _)| *name == "theme")?;
    let Key::Words(themes) = key else {
        return None;
    };
    let named = |inside: bool| -> Vec<&str> {
        let all = ALL.into_iter();
        let some = all.filter(|(id, _)| themes.contains(id) == inside);
        some.map(|(_, name)| name).collect()
    };
    let (these, others) = (named(true), named(false).join(", "));
    let words = match these.as_slice() {
        [] => return None,
        ["Pain"] => {
            "Tell it by Pain: what stands against the Hero shapes the scene, more than Power, \
                     Precision or Possibility."
                .to_owned()
        }
        [one] => format!("Tell it by {one}: the scene is about that, more than about {others}."),
        many => format!(
            "Tell it by {}, which share the highest die: pick one, or let them meet.",
            many.join(" and ")
        ),
    };
    Some(Block::Words {
        role: Role::Info,
        lead: String::new(),
        words,
    })
}

/// What followed, as it was booked: the effects, and every number that changed with it.
pub(super) fn follows(event: &Event, seen: &Seen<'_>, ascii: bool) -> Vec<Block> {
    let changes = event.changes.iter();
    let changes: Vec<String> = changes
        .filter_map(|change| describe(change, seen))
        .collect();
    let booked = |change: &Change| matches!(change, Change::Tokens { .. });
    let booked = event.changes.iter().any(booked);
    let effects = event.what.roll().map_or(&[][..], |roll| &roll.effects);
    // Tokens that were booked are told by what the pool holds now.
    let told = |effect: &&Effect| !(booked && matches!(effect, Effect::Token { .. }));
    let effects = effects
        .iter()
        .filter(told)
        .map(|effect| capital(&effect.to_string()));
    effects
        .chain(changes)
        .map(|words| Block::Words {
            role: Role::Text,
            lead: if ascii { "- " } else { "• " }.to_owned(),
            words: if ascii {
                words.replace('−', "-")
            } else {
                words
            },
        })
        .collect()
}

/// What was done about it, beneath the rest.
pub(super) fn done(said: &[String], ascii: bool) -> Vec<Block> {
    let lead = if ascii { "x " } else { "✓ " };
    let gap = (!said.is_empty()).then_some(Block::Gap);
    let said = said.iter().map(|words| Block::Words {
        role: Role::Info,
        lead: lead.to_owned(),
        words: words.clone(),
    });
    gap.into_iter().chain(said).collect()
}

pub(super) fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// A number as it is written by hand.
fn signed(number: i32) -> String {
    if number < 0 {
        format!("−{}", number.unsigned_abs())
    } else {
        number.to_string()
    }
}

/// A difference that people count: nothing where the seat does not know of it.
fn describe(change: &Change, seen: &Seen<'_>) -> Option<String> {
    match change {
        Change::Tokens { pool, from, to } => {
            let pool = seen.pools().find(|known| known.id == *pool)?;
            let owner = seen.owner_name(pool.owner);
            let (from, to) = (signed(*from), signed(*to));
            Some(format!("{owner}: {} {from} → {to}", pool.name))
        }
        Change::Filled { clock, from, to } => {
            let clock = seen
                .clock(*clock)
                .filter(|clock| clock.filled.is_some())?
                .clock;
            let of = clock.segments.count();
            let owner = clock.owner.map(|owner| seen.owner_name(Some(owner)));
            let owner = owner.map(|owner| format!("{owner}: ")).unwrap_or_default();
            let full = if *to >= of { ", full" } else { "" };
            Some(format!("{owner}{} {from} → {to} of {of}{full}", clock.name))
        }
        Change::Shown { clock, to, .. } => {
            let clock = seen.clock(*clock)?.clock;
            Some(format!("{} is {}", clock.name, to.id()))
        }
        Change::Stat {
            who,
            stat,
            from,
            to,
        } => {
            let who = seen.character(*who)?;
            let label = who
                .sheet
                .stat(stat)
                .map_or(stat.as_str(), |stat| stat.label);
            Some(format!("{}: {label} {from} → {to}", who.name))
        }
        Change::Round { from, to } => Some(format!("Round {from} → {to}")),
        Change::House { rule, from, to } => Some(format!("{rule}: {from} → {to}")),
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

/// The fields of a check that were not left as they are, each with where it came from.
pub(super) fn fields(roll: &Roll, system: System) -> String {
    let Ok(fields) = roll.all_fields(system) else {
        return String::new();
    };
    let given = |id: &str| roll.fields.iter().any(|(known, _)| known == id);
    let told = fields.iter().filter(|(field, _)| given(field.id));
    let told = told.filter_map(|(field, value)| {
        let value = value?;
        let source = roll.sources.iter().find(|(known, _)| known == field.id);
        let name = match value {
            crate::rules::Value::Number(number) => field.name_of(*number),
            _ => None,
        };
        let source = source.map(|(_, source)| source.to_string());
        let beside = source
            .or_else(|| name.map(str::to_owned))
            .map(|words| format!(" ({words})"))
            .unwrap_or_default();
        Some(format!("{} {value}{beside}", field.label))
    });
    told.collect::<Vec<_>>().join(", ")
}

/// A whole event, step by step.
pub(super) fn tell(event: &Event, seen: &Seen<'_>, ascii: bool) -> Vec<Block> {
    let system = seen.system();
    let mut blocks = Vec::new();
    let follows = follows(event, seen, ascii);
    if let (Some(roll), Some((spec, outcome))) = (
        event.what.resolved(),
        event.what.roll().and_then(|roll| derive(roll, system)),
    ) {
        let given = fields(roll, system);
        if !given.is_empty() {
            blocks.push(Block::words(Role::Muted, given));
        }
        if !outcome.dice.is_empty() {
            blocks.push(Block::Dice(dice_of(&outcome.dice)));
        }
        blocks.push(headline(spec, &outcome, ascii));
        blocks.push(Block::Gap);
        blocks.extend(steps(&outcome));
        blocks.extend(narration(&outcome));
    } else {
        blocks.push(Block::words(Role::Text, event.text(system)));
    }
    if !follows.is_empty() {
        blocks.push(Block::Gap);
        blocks.push(Block::words(Role::Heading, "What followed"));
        blocks.extend(follows);
    }
    blocks
}

/// What a recorded check says, derived again.
pub(super) fn derive(roll: &Roll, system: System) -> Option<(&'static CheckSpec, Outcome)> {
    Some((roll.spec(system).ok()?, roll.derive(system).ok()?))
}

/// What an entry was read instead of, and what holds instead of it, each in a line.
pub(super) fn readings(number: u64, seen: &Seen<'_>, ascii: bool) -> Vec<Block> {
    let told = |entry: &Entry, lead: String, role: Role| {
        let read = entry.roll().and_then(|roll| derive(roll, seen.system()));
        let (spec, outcome) = read?;
        let Block::Parts(parts) = headline(spec, &outcome, ascii) else {
            return None;
        };
        let words: String = parts.into_iter().map(|(_, words)| words).collect();
        Some(Block::Parts(vec![(Role::Muted, lead), (role, words)]))
    };
    let verb = |entry: &Entry| match entry.event.what {
        What::Rerolled { .. } => "Rolled again",
        _ => "Read again",
    };
    let mut lines = Vec::new();
    if let Some(later) = seen.replaced_by(number).and_then(|later| seen.entry(later)) {
        let lead = format!("{} as #{}: ", verb(&later), later.number);
        lines.extend(told(&later, lead, Role::Text));
    }
    let before = seen.entry(number).and_then(|entry| {
        let before = seen.entry(entry.event.what.replaces()?)?;
        Some((entry, before))
    });
    if let Some((entry, before)) = before {
        let lead = format!("{} instead of #{}: ", verb(&entry), before.number);
        lines.extend(told(&before, lead, Role::Struck));
    }
    lines
}
