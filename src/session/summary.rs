//! What an event says to a person: one line for the log, whole sentences for a voice, and what followed from it.
//! Whoever tells an event tells it in these words.

use super::dice_words::{dice_aloud, thrown_in_words};
use super::{Change, EntityKind, Event, EventKind, Roll, Session, Subject, Thrown, part};
use crate::rules::{
    Answer, Ask, CheckSpec, Choices, ChosenBy, Effect, Fields, Key, Outcome, System, TokenKind,
};

/// The number of an entry beside a verb; none for whoever may not count the entries.
fn tag(entry: u64) -> String {
    match entry {
        0 => String::new(),
        entry => format!(" #{entry}"),
    }
}

/// What an event says, without what followed.
struct Telling {
    /// In one line, for the log.
    line: String,
    /// In whole sentences for a voice: none of our own signs.
    aloud: Vec<String>,
}

impl Telling {
    fn new<const N: usize>(line: String, aloud: [String; N]) -> Self {
        let aloud = aloud.into_iter().filter(|sentence| !sentence.is_empty());
        Self {
            line,
            aloud: aloud.collect(),
        }
    }

    /// What reads well aloud as it stands.
    fn plain(line: String) -> Self {
        let aloud = vec![stopped(&line)];
        Self { line, aloud }
    }
}

impl EventKind {
    /// It in one line.
    pub(super) fn text(&self, system: System) -> String {
        self.tell(system).line
    }

    /// A step of a clock or a pool as one says it: of what, whose, and what it did.
    pub(super) fn step(&self) -> Option<(EntityKind, &str, String)> {
        let many = |by: &i32, back, on| {
            let way = if *by < 0 { back } else { on };
            format!("{way} {}", by.unsigned_abs())
        };
        match self {
            Self::Ticked {
                clock,
                by,
                filled,
                of,
                ..
            } => {
                let full = if filled == of { ", and is full" } else { "" };
                let step = many(by, "goes back by", "advances by");
                let step = format!("{step}: {filled} of {of}{full}");
                Some((EntityKind::Clock, clock, step))
            }
            Self::Tokens {
                owner,
                pool,
                by,
                now,
                ..
            } => {
                let step = many(by, "spends", "gains");
                let step = format!("{step} in {pool}, and has {now} now");
                Some((EntityKind::Pool, owner, step))
            }
            _ => None,
        }
    }

    fn tell(&self, system: System) -> Telling {
        let check = |roll: &Roll| check_of(roll, system);
        let again = |entry: u64, roll: &Roll, how: &str, words: [&str; 2]| {
            let read = describe_roll(roll, system);
            let line = format!("{}{}{}: {read}", words[0], tag(entry), words[1]);
            Telling::new(
                line,
                [format!("Entry {entry} is {how} again."), stopped(&read)],
            )
        };
        let back = |verb: &str, event: u64, text: &str| {
            let line = format!("{verb} back{}: {text}", tag(event));
            Telling::new(line, [format!("{verb} back entry {event}.")])
        };
        let step = |line: String, more: String| {
            let step = self.step();
            let aloud = step.map_or_else(String::new, |(_, name, step)| format!("{name} {step}."));
            Telling::new(line, [aloud, more])
        };
        match self {
            Self::Rolled(roll) => Telling::plain(describe_roll(roll, system)),
            Self::Incomplete(roll) => {
                let line = format!("{} begun; it waits for an answer", check(roll));
                Telling::new(line, [format!("{}, waits for an answer.", check(roll))])
            }
            Self::Abandoned(roll) => Telling::plain(format!("{} given up", check(roll))),
            Self::Amended { entry, roll, .. } => again(*entry, roll, "read", ["Amended", ""]),
            Self::Rerolled { entry, roll } => again(*entry, roll, "rolled", ["Rolled", " again"]),
            Self::Thrown(thrown) => Telling::plain(describe_thrown(thrown)),
            Self::Ticked {
                clock,
                by,
                filled,
                of,
                then,
            } => {
                let full = if filled == of { ", full" } else { "" };
                let also = if then.is_empty() { "" } else { "; " };
                let by = signed(*by);
                step(
                    format!("{clock} {by}: {filled} of {of}{full}{also}{then}"),
                    stopped(then),
                )
            }
            Self::Tokens {
                owner,
                pool,
                by,
                now,
                note,
            } => {
                let (by, why) = (signed(*by), why(note));
                step(
                    format!("{owner}: {pool} {by}, now {now}{why}"),
                    sentence(note),
                )
            }
            Self::Added { kind, name } => Telling::plain(format!("New {}: {name}", kind.word())),
            Self::Removed { kind, name } => {
                Telling::plain(format!("Removed the {} {name}", kind.word()))
            }
            Self::Edited { kind, name, how } => Telling::plain(match (kind, name.as_str()) {
                (EntityKind::House, name) => format!("House rule {name}: {how}"),
                (_, "") => how.clone(),
                (_, name) => format!("{name}: {how}"),
            }),
            Self::Round { round, over } => {
                let colon = if over.is_empty() { "" } else { ": " };
                let line = format!("Round {round}{colon}{over}");
                Telling::new(line, [format!("Round {round} begins."), stopped(over)])
            }
            Self::Scene { name } if name.is_empty() => {
                Telling::new("A new scene".into(), ["A new scene begins.".into()])
            }
            Self::Scene { name } => Telling::new(
                format!("Scene: {name}"),
                [format!("The scene: {}", stopped(name))],
            ),
            Self::Ended => Telling::plain("The session ended".to_owned()),
            Self::Noted { text, about } => {
                let about = about.map(|entry| format!(" (about #{entry})"));
                let line = format!("{text}{}", about.unwrap_or_default());
                Telling::new(line, [format!("Noted: {}", stopped(text))])
            }
            Self::Struck { entry, reason } => {
                let colon = if reason.is_empty() { "" } else { ": " };
                let line = match (*entry, reason.as_str()) {
                    (0, "") => "Struck an entry".to_owned(),
                    (entry, reason) => format!("Struck{}{colon}{reason}", tag(entry)),
                };
                let aloud = format!("Struck entry {entry}{colon}{reason}");
                Telling::new(line, [stopped(&aloud)])
            }
            Self::Undone { event, text } => back("Took", *event, text),
            Self::Redone { event, text } => back("Brought", *event, text),
        }
    }
}

impl Event {
    /// The event in one line.
    pub fn text(&self, system: System) -> String {
        self.what.text(system)
    }

    /// The event in whole sentences for a voice: none of its own signs, and every name as it is. `other` is
    /// the event that it takes back or brings back.
    pub fn aloud(&self, session: &Session, other: Option<&Self>) -> Vec<String> {
        let system = session.system;
        let mut lines = self.what.tell(system).aloud;
        if let EventKind::Undone { text, .. } | EventKind::Redone { text, .. } = &self.what {
            let said = other.map(|other| other.what.tell(system).aloud.join(" "));
            let said = said.unwrap_or_else(|| stopped(text));
            lines = lines
                .iter()
                .map(|line| format!("{}: {said}", line.trim_end_matches('.')))
                .collect();
        }
        match &self.what {
            EventKind::Incomplete(roll) => lines.extend(waiting(roll, system)),
            EventKind::Thrown(thrown) => lines.push(format!("Dice: {}.", thrown_in_words(thrown))),
            what => {
                if let Some(outcome) = what.resolved().and_then(|roll| roll.derive(system).ok()) {
                    lines.push(dice_aloud(&outcome));
                    let followed = self.in_short(session).into_iter();
                    // A name stays as it is, also where it begins a sentence.
                    lines.extend(followed.map(|words| {
                        if session.is_name_first(&words) {
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

    /// What a check came to beside its total, and what followed: what the rules need next. Each is a sentence
    /// but for its capital letter and its full stop.
    pub fn in_short(&self, session: &Session) -> Vec<String> {
        let system = session.system;
        let read = self.what.resolved().and_then(|roll| {
            let spec = roll.spec(system).ok()?;
            came_to(spec, &roll.derive(system).ok()?)
        });
        read.into_iter().chain(self.followed(session)).collect()
    }

    /// What followed: for whom it counts, what nobody chose, and every number that is otherwise.
    pub fn followed(&self, session: &Session) -> Vec<String> {
        let system = session.system;
        let mut told = Vec::new();
        // What befell people, their tokens, and then the clocks of the table.
        let order = |change: &&Change| match change.of {
            Subject::Character(_) => 0,
            Subject::Clock(id) if session.clock(id).is_some_and(|one| one.owner.is_some()) => 0,
            Subject::Pool(_) => 1,
            _ => 2,
        };
        let mut changes: Vec<&Change> = self.changes.iter().collect();
        changes.sort_by_key(order);
        if let Some(roll) = self.what.resolved() {
            let succeeded = || {
                roll.derive(system)
                    .is_ok_and(|outcome| outcome.success == Some(true))
            };
            if roll.group && succeeded() {
                told.push(format!("everybody succeeds: {}", everybody(roll)));
            }
            if let Ok(machine) = roll.machine(system) {
                told.extend(default_answers(&*machine, &roll.trail));
            }
            // Tokens that were booked are told by what the pool holds now.
            let booked = |change: &Change| change.part == part::TOKENS;
            let booked = self.changes.iter().any(booked);
            let effects = roll.effects.iter();
            let effects =
                effects.filter(|effect| !(booked && matches!(effect, Effect::Token { .. })));
            told.extend(effects.map(|effect| effect_in_words(effect, &roll.who)));
        }
        told.extend(changes.iter().filter_map(|change| change.counted(session)));
        told
    }
}

/// The one who rolled, and all who were in it.
fn everybody(roll: &Roll) -> String {
    let helpers = roll.helpers.iter().map(|one| one.name.as_str());
    let all = std::iter::once(roll.who.as_str()).chain(helpers);
    all.collect::<Vec<_>>().join(", ")
}

impl Session {
    /// Whether the words begin with the name of something here.
    fn is_name_first(&self, words: &str) -> bool {
        let clocks = self.clocks.iter().map(|clock| &clock.name);
        let mut names = self.roster.iter().map(|one| &one.name).chain(clocks);
        names.any(|name| words.starts_with(name))
    }
}

/// A number as one says it.
fn spelled(number: impl Into<i64>) -> String {
    let number = number.into();
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
            let options = options_in_words(&what);
            lines.push(format!("Answer it with one of: {options}."));
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

/// Free dice in one line: who, what, and what it adds up to.
fn describe_thrown(thrown: &Thrown) -> String {
    let (notation, total) = (&thrown.notation, thrown.total);
    match thrown.who.as_str() {
        "" => format!("Dice, {notation}: {total}"),
        who => format!("{who}, dice, {notation}: {total}"),
    }
}

/// The text with a capital letter and a full stop.
pub fn sentence(text: &str) -> String {
    let mut letters = text.trim().chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let whole: String = first.chain(letters).collect();
    stopped(&whole)
}

/// The text with a full stop; nothing stays nothing.
fn stopped(text: &str) -> String {
    let mut whole = text.trim().to_owned();
    if !whole.is_empty() && !whole.ends_with(['.', '!', '?', '…']) {
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
    let about = why(&about);
    if roll.who.is_empty() {
        format!("{label}{about}")
    } else {
        format!("{}, {label}{about}", roll.who)
    }
}

/// A note in brackets.
fn why(note: &str) -> String {
    if note.is_empty() {
        String::new()
    } else {
        format!(" ({note})")
    }
}

fn signed(by: i32) -> String {
    if by < 0 {
        format!("−{}", by.unsigned_abs())
    } else {
        format!("+{by}")
    }
}
