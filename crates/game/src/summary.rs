//! What an event says to a person: one line for the log, whole sentences for a voice, and what followed from it.
//! The log, `do` and the screens take their words from here.

use super::dice_words::{dice_aloud, thrown_in_words};
use super::{
    Change, ClockId, EntityKind, EntityRef, Event, EventKind, Game, Part, Roll, Thrown, filled_of,
};
use tableside_rules::{Answer, Ask, CheckSpec, ChosenBy, Effect, Key, Outcome, Progress, System};
use tableside_text::{capitalise, join};

impl EventKind {
    /// It in one line.
    pub(super) fn text(&self, system: System) -> String {
        self.tell(system, false)
    }

    /// A step of a clock or a pool: of what, whose, and what it did, in a line or as one says it.
    pub(super) fn step(&self, aloud: bool) -> Option<(EntityKind, &str, String)> {
        let many = |by: i32, back: &str, on: &str| match (aloud, by < 0) {
            (false, true) => format!("−{}", by.unsigned_abs()),
            (false, false) => format!("+{by}"),
            (true, true) => format!("{back} {}", by.unsigned_abs()),
            (true, false) => format!("{on} {by}"),
        };
        match self {
            Self::Ticked {
                clock,
                by,
                filled,
                of,
                ..
            } => {
                let by = many(*by, "goes back by", "advances by");
                let step = format!("{by}: {}", filled_of(*filled, *of));
                Some((EntityKind::Clock, clock, step))
            }
            Self::Tokens {
                owner,
                pool,
                by,
                now,
                ..
            } => {
                let by = many(*by, "spends", "gains");
                let step = if aloud {
                    format!("{by} in {pool}, and has {now} now")
                } else {
                    format!("{pool} {by}, now {now}")
                };
                Some((EntityKind::Pool, owner, step))
            }
            _ => None,
        }
    }

    /// What it says, without what followed: in a line for the log, or for a voice without our own signs.
    fn tell(&self, system: System, aloud: bool) -> String {
        let check = |roll: &Roll| check_of(roll, system);
        // Players get no numbers of entries: gaps would tell of hidden ones.
        let tag = |entry: u64| match (entry, aloud) {
            (0, _) => String::new(),
            (entry, true) => format!(" entry {entry}"),
            (entry, false) => format!(" #{entry}"),
        };
        let after = |sign: &str, words: &str| match words {
            "" => String::new(),
            words => format!("{sign}{words}"),
        };
        match self {
            Self::Rolled(roll) => describe_roll(roll, system),
            Self::Incomplete(roll) => format!("{} begun; it waits for an answer", check(roll)),
            Self::Abandoned(roll) => format!("{} cancelled", check(roll)),
            Self::Amended { entry, roll, .. } => {
                format!("Amended{}: {}", tag(*entry), describe_roll(roll, system))
            }
            Self::Rerolled { entry, roll } => {
                let read = describe_roll(roll, system);
                format!("Rolled{} again: {read}", tag(*entry))
            }
            Self::Thrown(thrown) => describe_thrown(thrown),
            Self::Ticked { then: more, .. } | Self::Tokens { note: more, .. } => {
                let step = self.step(aloud);
                step.map_or_else(String::new, |(kind, name, step)| match kind {
                    EntityKind::Pool if !aloud => format!("{name}: {step}{}", why(more)),
                    EntityKind::Pool => format!("{name} {step}{}", why(more)),
                    _ => format!("{name} {step}{}", after("; ", more)),
                })
            }
            Self::Added { kind, name, how } => {
                format!("New {}: {name}{}", kind.into_str(), after("; ", how))
            }
            Self::Removed { kind, name } => format!("Removed the {} {name}", kind.into_str()),
            Self::Edited { kind, name, how } => match (kind, name.as_str()) {
                (EntityKind::House, name) => {
                    let mut rules = system.spec().house.iter();
                    let rule = rules.find(|rule| rule.id == name);
                    let label = rule.map_or(name, |rule| rule.label);
                    format!("House rule {label}: {how}")
                }
                (_, "") => how.clone(),
                (_, name) => format!("{name}: {how}"),
            },
            Self::Round { round, over } => format!("Round {round}{}", after(": ", over)),
            Self::Scene { name, then } => {
                let scene = match name.as_str() {
                    "" => "A new scene".to_owned(),
                    // One that nobody named has its number.
                    name if name.starts_with("Scene ") => name.to_owned(),
                    name => format!("Scene: {name}"),
                };
                format!("{scene}{}", after("; ", then))
            }
            Self::SessionEnded { session } => format!("Session {session} ended"),
            Self::Ended => "The session ended".to_owned(),
            Self::HandoutRead => "Read a handout".to_owned(),
            Self::LinesAndVeils => "Changed the lines and veils".to_owned(),
            Self::Paused => "Let's pause".to_owned(),
            Self::Noted { text, .. } if aloud => format!("Noted: {}", text.replace('\n', ". ")),
            Self::Noted {
                text,
                about,
                readers,
                handout,
            } => {
                let text = text.replace('\n', " / ");
                let about = about.map(|entry| format!(" (about #{entry})"));
                let about = about.unwrap_or_default();
                match readers {
                    Some(readers) if *handout => {
                        let readers = readers.describe(system.spec().gm);
                        format!("Handout for {readers}: {text}{about}")
                    }
                    _ => format!("{text}{about}"),
                }
            }
            Self::Struck { entry, reason } => {
                let which = match (*entry, reason.as_str()) {
                    (0, "") => " an entry".to_owned(),
                    (entry, _) => tag(entry),
                };
                format!("Struck{which}{}", after(": ", reason))
            }
            Self::Undone { event, text } => format!("Undid{}: {text}", tag(*event)),
            Self::Redone { event, text } => format!("Redid{}: {text}", tag(*event)),
        }
    }
}

impl Event {
    /// The event in one line.
    pub fn text(&self, system: System) -> String {
        let (text, at) = (self.what.text(system), self.done_at());
        // What is taken back says so itself.
        let told = text.strip_suffix(&*at).unwrap_or(&text);
        format!("{told}{at}")
    }

    /// In which other game of the host it was done, in brackets.
    fn done_at(&self) -> String {
        let at = self.at.as_deref().map(ToString::to_string);
        why(&at.unwrap_or_default())
    }

    /// The event in whole sentences for a voice. `other` is the event that it takes back or brings back.
    pub fn aloud(&self, game: &Game, other: Option<&Self>) -> Vec<String> {
        let system = game.system;
        let mut what = self.what.clone();
        if let EventKind::Undone { text, .. } | EventKind::Redone { text, .. } = &mut what
            && let Some(other) = other
        {
            *text = other.what.tell(system, true);
        }
        let told = format!("{}{}", what.tell(system, true), self.done_at());
        let mut lines = vec![stopped(&told)];
        match &self.what {
            EventKind::Incomplete(roll) => {
                lines.extend(waiting(roll, system));
                let set_aside = self.set_aside(game);
                lines.extend(set_aside.iter().map(|words| sentence(words)));
            }
            EventKind::Thrown(thrown) => lines.push(format!("Dice: {}.", thrown_in_words(thrown))),
            what => {
                if let Some(outcome) = what.resolved().and_then(|roll| roll.derive(system).ok()) {
                    lines.push(dice_aloud(&outcome));
                    lines.extend(self.in_short(game).iter().map(|words| sentence(words)));
                }
            }
        }
        lines
    }

    /// What a check came to beside its total, and what followed: what the rules need next. Each is a sentence
    /// but for its capital letter and its full stop.
    pub fn in_short(&self, game: &Game) -> Vec<String> {
        let system = game.system;
        let read = self.what.resolved().and_then(|roll| {
            let spec = roll.spec(system).ok()?;
            came_to(spec, &roll.derive(system).ok()?)
        });
        let followed = self.describe_effects(game, true);
        read.into_iter().chain(followed).collect()
    }

    /// The tokens that are set aside for a roll which begins to wait, or were until it ended.
    fn set_aside(&self, game: &Game) -> Option<String> {
        for change in &self.changes {
            if let Some(begun) = change.waiting_after() {
                let words = game.describe_set_aside(&begun);
                return (!words.is_empty()).then(|| format!("set aside until it ends: {words}"));
            }
            if let Some(ended) = change.waiting_before() {
                let words = game.describe_set_aside(&ended);
                return (!words.is_empty()).then(|| format!("no longer set aside: {words}"));
            }
        }
        None
    }

    /// A remark for each helper who had acted before in the same round, where helping takes an action (Heart Rush,
    /// Helping; Gnosis, Working Together).
    fn helped_beyond_their_action(&self, roll: &Roll) -> Vec<String> {
        if !matches!(self.what, EventKind::Rolled(_)) {
            return Vec::new();
        }

        roll.helpers
            .iter()
            .filter(|helper| roll.acted_before.contains(&helper.id))
            .map(|helper| {
                format!(
                    "{} had acted this round, and in combat helping takes an action",
                    helper.name
                )
            })
            .collect()
    }

    /// What followed: for whom it counts, what nobody chose, and every number that changed, as one
    /// says it or in our own signs.
    pub fn describe_effects(&self, game: &Game, aloud: bool) -> Vec<String> {
        let system = game.system;
        let mut told: Vec<String> = self.set_aside(game).into_iter().collect();
        // What befell people, their tokens, and then the clocks of the table.
        let order = |change: &&Change| match change.entity {
            EntityRef::Character(_) => 0,
            EntityRef::Clock(id) if game.clock(id).is_some_and(|one| one.owner.is_some()) => 0,
            EntityRef::Pool(_) => 1,
            _ => 2,
        };
        let mut changes: Vec<&Change> = self.changes.iter().collect();
        changes.sort_by_key(order);
        if let Some(roll) = self.what.resolved() {
            let read = roll.derive(system);
            if roll.group && read.is_ok_and(|outcome| outcome.success == Some(true)) {
                let helpers = roll.helpers.iter().map(|one| one.name.as_str());
                let names = join(std::iter::once(&*roll.who).chain(helpers), ", ");
                told.push(if roll.helpers.is_empty() {
                    "everybody in the party succeeds".to_owned()
                } else {
                    format!("everybody succeeds: {names}")
                });
            }
            told.extend(self.helped_beyond_their_action(roll));
            if let Ok(machine) = roll.machine(system) {
                told.extend(default_answers(&*machine, &roll.trail));
            }
            // Tokens that were booked are told by what the pool holds now, unless some had been set aside before.
            let booked = changes.iter().any(|change| change.part == Part::Tokens)
                && tokens_changed(&changes) == tokens_booked(roll);
            let is_stat = |id: &str| {
                let mut stats = changes.iter().filter_map(|change| change.stat());
                stats.any(|(_, stat)| stat == id)
            };
            told.extend(roll.effects.iter().filter_map(|effect| {
                let mut effect = effect.clone();
                match &mut effect {
                    Effect::Token { .. } if booked => return None,
                    Effect::Number(change) if is_stat(change.id.as_str()) => return None,
                    Effect::Token { owner, .. } if !roll.who.is_empty() => {
                        owner.get_or_insert_with(|| roll.who.clone());
                    }
                    _ => {}
                }
                Some(effect.text(system))
            }));
        }
        // A clock that something else led to is told by what that did.
        let roll = self.what.resolved();
        let own = roll.and_then(|roll| roll.clock).map(EntityRef::Clock);
        let effects = roll.into_iter().flat_map(|roll| &roll.effects);
        let led = effects.filter_map(|effect| match effect {
            Effect::Led { clock, .. } => Some(EntityRef::Clock(ClockId(*clock))),
            _ => None,
        });
        let led: Vec<EntityRef> = led.filter(|of| Some(*of) != own).collect();
        let is_told = |change: &Change| led.contains(&change.entity);
        let counted = changes.iter().filter(|change| !is_told(change));
        for change in counted {
            told.extend(change.describe_counter(game, aloud));

            let is_led = |effect: &Effect| match effect {
                Effect::Led { clock, .. } => EntityRef::Clock(ClockId(*clock)) == change.entity,
                _ => false,
            };
            // Players read no words that were stored, so the end of a race is composed for them here.
            if roll.is_some_and(|roll| !roll.effects.iter().any(is_led)) {
                told.extend(change.describe_clock_end(game));
            }
        }
        told
    }
}

/// By how many tokens these changes raise pools, all together.
fn tokens_changed(changes: &[&Change]) -> i64 {
    let tokens = changes.iter().filter(|change| change.part == Part::Tokens);
    let number = |side: &serde_json::Value| side.as_i64().unwrap_or(0);
    tokens
        .map(|change| number(&change.to) - number(&change.from))
        .sum()
}

/// How many tokens a roll brought, all together.
fn tokens_booked(roll: &Roll) -> i64 {
    let mut sum = 0;
    for effect in &roll.effects {
        if let Effect::Token { amount, .. } = effect {
            sum += i64::from(*amount);
        }
    }
    sum
}

/// Keys of an outcome that stand among its effects, too.
const TOLD_AS_EFFECTS: [&str; 5] = [
    "effect-levels",
    "consequences",
    "at-a-cost",
    "damage",
    "taken",
];

/// What a check says beside its outcome, its total and its effects.
fn came_to(spec: &CheckSpec, outcome: &Outcome) -> Option<String> {
    // An opposed check is resolved as another one: its story ends with which.
    let is_opposed = outcome.keys.iter().any(|(name, _)| *name == "aggressor");
    if is_opposed {
        let last = outcome.steps.last();
        return last.map(|step| step.trim_end_matches('.').to_owned());
    }
    let told = outcome.keys.iter().filter_map(|(name, key)| {
        let words = spec.words_of(name)?;
        match key {
            _ if TOLD_AS_EFFECTS.contains(name) => None,
            Key::Number(0) if spec.has_success => None,
            Key::Flag(is_on) => is_on.then(|| words.to_owned()),
            Key::Number(number @ ..0) => Some(format!("{words} minus {}", number.unsigned_abs())),
            Key::Number(number) => Some(format!("{words} {number}")),
            Key::Words(all) => Some(format!("{words} {}", all.join(" and "))),
        }
    });
    Some(join(told, ", ")).filter(|told| !told.is_empty())
}

/// What was chosen where nobody answered, by what it means.
pub fn default_answers(machine: &dyn tableside_rules::DynCheck, trail: &[Answer]) -> Vec<String> {
    let answers = trail.iter().enumerate();
    let told = answers.filter_map(|(step, answer)| {
        let Answer::Chose {
            chose,
            by: by @ ChosenBy::Default,
            ..
        } = answer
        else {
            return None;
        };
        let before = trail.get(..step)?;
        let Ok(Progress::Waits(Ask::Choose { choices, .. })) = machine.after(before) else {
            return None;
        };
        let mut options = choices.options.iter();
        let picked = options.find(|option| option.name == *chose);
        let label = picked.map_or(chose.as_str(), |option| option.label.as_str());
        // With one option there was nothing to choose.
        (choices.options.len() > 1).then(|| choices.describe_answer(label, *by))
    });
    told.collect()
}

/// What a check that waits shows, and what it waits for.
fn waiting(roll: &Roll, system: System) -> Vec<String> {
    let Ok(machine) = roll.machine(system) else {
        return Vec::new();
    };
    let mut lines = vec![dice_aloud(&machine.outcome(&roll.trail))];
    match machine.after(&roll.trail) {
        Ok(Progress::Waits(Ask::Choose { choices, .. })) => {
            let options = join(choices.options.iter().map(|option| &option.name), " or ");
            lines.push(format!("Answer it with one of: {options}."));
        }
        Ok(Progress::Waits(Ask::Roll { .. })) => {
            lines.push("It waits for the faces of dice.".to_owned());
        }
        Ok(Progress::Done(..)) | Err(_) => {}
    }
    lines
}

/// Free dice or rolls on tables in one line: who, what, what it adds up to, and what the tables say.
fn describe_thrown(thrown: &Thrown) -> String {
    let rolls = thrown.all().enumerate().map(|(index, one)| {
        let is_dice_of_row = index > 0 && one.table.is_empty();
        if is_dice_of_row {
            return format!("{}: {}", one.notation, describe_total(one));
        }
        let what = match one.table.as_str() {
            "" if one.who.is_empty() => "Dice",
            "" => "dice",
            table => table,
        };
        let says = if one.text.is_empty() { "" } else { ", " };
        let total = describe_total(one);
        format!("{what}, {}: {total}{says}{}", one.notation, one.text)
    });
    of(&thrown.who, join(rolls, "; "))
}

/// The total, or the totals of an expression such as `6x 4d6kh3`.
fn describe_total(thrown: &Thrown) -> String {
    match thrown.rolled() {
        Some(rolled) if !rolled.repetitions.is_empty() => join(rolled.totals(), ", "),
        _ => thrown.total.to_string(),
    }
}

/// It behind who did it, where that is known.
fn of(who: &str, what: String) -> String {
    match who {
        "" => what,
        who => format!("{who}, {what}"),
    }
}

/// The text with a capital letter and a full stop.
pub fn sentence(text: &str) -> String {
    stopped(&capitalise(text.trim()))
}

/// The text with a full stop; nothing stays nothing.
fn stopped(text: &str) -> String {
    let mut whole = text.trim().to_owned();
    whole.extend((!whole.is_empty() && !whole.ends_with(['.', '!', '?', '…'])).then_some('.'));
    whole
}

/// A resolved check in one line: who, which, outcome, total and target.
pub fn describe_roll(roll: &Roll, system: System) -> String {
    let target = roll.derive(system).ok().and_then(|read| read.target);
    let outcome = roll.shown_outcome(system);
    let outcome = outcome.map_or(roll.outcome.as_str(), |told| told.label);
    let numbers = match (roll.total, target) {
        (Some(total), Some(target)) => format!(", {total} against {target}"),
        (Some(total), None) => format!(", {total}"),
        (None, _) => String::new(),
    };
    format!("{}: {outcome}{numbers}", check_of(roll, system))
}

fn check_of(roll: &Roll, system: System) -> String {
    let spec = roll.spec(system);
    let label = spec.map_or(roll.check.as_str(), |spec| spec.label);
    let fields = roll.all_fields(system).ok();
    let about = why(fields.as_ref().map_or("", |fields| fields.text("about")));
    of(&roll.who, format!("{label}{about}"))
}

/// A note in brackets.
fn why(note: &str) -> String {
    match note {
        "" => String::new(),
        note => format!(" ({note})"),
    }
}
