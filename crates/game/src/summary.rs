//! The words of events: one line for the log, and whole sentences for a screen reader.
//!
//! The log, `tableside do` and the screens take their words from here. The words are composed from the stored event
//! each time, so a new version of the program can describe an old game with other words.

mod effects;
mod roll_words;

use std::cmp::Reverse;

use super::dice_words::{dice_aloud, thrown_in_words};
use super::note::{describe_note, describe_note_aloud};
use super::{
    EntityKind, Event, EventKind, Game, Initiative, InitiativeRoll, Named, Readers, Roll,
    SetInitiative, filled_of,
};
use tableside_rules::System;
use tableside_text::{capitalise, join};

pub(crate) use roll_words::describe_check;
pub use roll_words::{default_answers, describe_roll, sentence};
use roll_words::{
    describe_outcome_keys, describe_thrown, describe_waiting, in_brackets, with_stop,
};

/// The words for a tick of a clock or a change of a pool.
pub(super) struct StepWords<'a> {
    pub(super) kind: EntityKind,
    /// The clock, or the owner of the pool.
    pub(super) name: &'a str,
    pub(super) step: String,
}

impl EventKind {
    /// Describes the event in one line.
    pub(super) fn text(&self, system: System) -> String {
        self.describe(system, false)
    }

    /// Describes a tick of a clock or a change of tokens, without its consequences.
    pub(super) fn step(&self, aloud: bool) -> Option<StepWords<'_>> {
        match self {
            Self::Ticked {
                clock,
                by,
                filled,
                of,
                ..
            } => {
                let by = if aloud {
                    amount_aloud(*by, "advances by", "goes back by")
                } else {
                    signed(*by)
                };
                Some(StepWords {
                    kind: EntityKind::Clock,
                    name: clock,
                    step: format!("{by}: {}", filled_of(*filled, *of)),
                })
            }
            Self::Tokens {
                owner,
                pool,
                by,
                now,
                ..
            } => {
                let step = if aloud {
                    let by = amount_aloud(*by, "gains", "spends");
                    format!("{by} in {pool}, and has {now} now")
                } else {
                    format!("{pool} {}, now {now}", signed(*by))
                };
                Some(StepWords {
                    kind: EntityKind::Pool,
                    name: owner,
                    step,
                })
            }
            _ => None,
        }
    }

    /// Describes the event without its effects. With `aloud` the words suit a screen reader.
    fn describe(&self, system: System, aloud: bool) -> String {
        match self {
            Self::Rolled(roll) => describe_roll(roll, system),
            Self::Incomplete(roll) => {
                let check = describe_check(roll, system);
                format!("{check} begun; it waits for an answer")
            }
            Self::Abandoned(roll) => {
                let check = describe_check(roll, system);
                format!("{check} cancelled")
            }
            Self::Amended { entry, roll, .. } => {
                let tag = entry_tag(*entry, aloud);
                let result = describe_roll(roll, system);
                format!("Amended{tag}: {result}")
            }
            Self::Rerolled { entry, roll } => {
                let tag = entry_tag(*entry, aloud);
                let result = describe_roll(roll, system);
                format!("Rolled{tag} again: {result}")
            }
            Self::Thrown(thrown) => describe_thrown(thrown),
            Self::Ticked { then, .. } => self.describe_step(then, aloud),
            Self::Tokens { note, .. } => self.describe_step(note, aloud),
            Self::Added { kind, name, how } => {
                let entity = kind.into_str();
                let details = after("; ", how);
                format!("New {entity}: {name}{details}")
            }
            Self::Removed { kind, name } => {
                let entity = kind.into_str();
                format!("Removed the {entity} {name}")
            }
            Self::Edited { kind, name, how } => describe_edit(*kind, name, how, system),
            Self::Round { round, over } => {
                let consequences = after(": ", over);
                format!("Round {round}{consequences}")
            }
            Self::Initiative { rolls, set, over } => {
                let order = describe_initiative(rolls, set);
                format!("{order}{}", after("; ", over))
            }
            Self::Turn {
                begins,
                round,
                over,
            } => describe_turn(begins.as_ref(), *round, over),
            Self::FightEnded { rounds: 0 } => "The fight ended".to_owned(),
            Self::FightEnded { rounds } => {
                format!("The fight ended in round {rounds}")
            }
            Self::Scene { name, then } => {
                let title = scene_title(name);
                let consequences = after("; ", then);
                format!("{title}{consequences}")
            }
            Self::SessionEnded { session, then } => {
                let consequences = after("; ", then);
                format!("Session {session} ended{consequences}")
            }
            Self::Ended => "The session ended".to_owned(),
            Self::HandoutRead => "Read a handout".to_owned(),
            Self::LinesAndVeils => "Changed the lines and veils".to_owned(),
            Self::Paused => "Let's pause".to_owned(),
            Self::Noted {
                text,
                about,
                readers,
                handout,
            } => {
                let readers = readers.as_ref().and_then(Readers::chosen_names);
                if aloud {
                    return describe_note_aloud(text, readers.as_deref(), *handout);
                }
                let about = about.map(|entry| format!(" (about #{entry})"));
                let note = describe_note(text, readers.as_deref(), *handout);
                note + about.as_deref().unwrap_or_default()
            }
            Self::Struck { entry, reason } => {
                let which = if *entry == 0 && reason.is_empty() {
                    " an entry".to_owned()
                } else {
                    entry_tag(*entry, aloud)
                };
                format!("Undid{which} and its effects{}", after(": ", reason))
            }
            Self::Undone { event, text } => {
                format!("Undid{}: {text}", entry_tag(*event, aloud))
            }
            Self::Redone { event, text } => {
                format!("Redid{}: {text}", entry_tag(*event, aloud))
            }
        }
    }

    /// Describes a step of a clock or pool, and its consequences or reason.
    fn describe_step(&self, remark: &str, aloud: bool) -> String {
        let Some(StepWords { kind, name, step }) = self.step(aloud) else {
            return String::new();
        };
        match kind {
            EntityKind::Pool if aloud => format!("{name} {step}{}", in_brackets(remark)),
            EntityKind::Pool => format!("{name}: {step}{}", in_brackets(remark)),
            _ => format!("{name} {step}{}", after("; ", remark)),
        }
    }
}

/// Describes an amount with a sign: `+2`, `−1`.
fn signed(by: i32) -> String {
    if by < 0 {
        format!("−{}", by.unsigned_abs())
    } else {
        format!("+{by}")
    }
}

/// Describes an amount with a verb: `gains 2`, `spends 1`.
fn amount_aloud(by: i32, rise: &str, fall: &str) -> String {
    let verb = if by < 0 { fall } else { rise };
    format!("{verb} {}", by.unsigned_abs())
}

/// The number of an entry. Players get no numbers, because gaps would show that entries are hidden.
fn entry_tag(entry: u64, aloud: bool) -> String {
    match entry {
        0 => String::new(),
        entry if aloud => format!(" entry {entry}"),
        entry => format!(" #{entry}"),
    }
}

/// Puts a separator before the words. Returns an empty text if there are no words.
fn after(separator: &str, words: &str) -> String {
    if words.is_empty() {
        String::new()
    } else {
        format!("{separator}{words}")
    }
}

fn describe_edit(kind: EntityKind, name: &str, how: &str, system: System) -> String {
    if kind == EntityKind::House {
        let rules = system.spec().house;
        let rule = rules.iter().find(|rule| rule.id == name);
        let label = rule.map_or(name, |rule| rule.label);
        return format!("House rule {label}: {how}");
    }

    if name.is_empty() {
        how.to_owned()
    } else {
        format!("{name}: {how}")
    }
}

/// Describes an order of turns: `Initiative: Mira 18, Bo 12; out of the order: Goblin`.
fn describe_initiative(rolls: &[InitiativeRoll], set: &[SetInitiative]) -> String {
    let mut placed: Vec<(Initiative, &str)> = rolls
        .iter()
        .map(|rolled| (rolled.initiative, rolled.roll.who.as_str()))
        .collect();
    let mut removed = Vec::new();
    for typed in set {
        match typed.to {
            Some(initiative) => placed.push((initiative, typed.who.name.as_str())),
            None => removed.push(typed.who.name.as_str()),
        }
    }
    placed.sort_by_key(|(initiative, _)| Reverse(*initiative));

    let mut parts = Vec::new();
    if !placed.is_empty() {
        let verb = if rolls.is_empty() {
            "Initiative"
        } else {
            "Initiative rolled"
        };
        let order = placed
            .iter()
            .map(|(initiative, name)| format!("{name} {initiative}"));
        parts.push(format!("{verb}: {}", join(order, ", ")));
    }
    if !removed.is_empty() {
        let names = removed.join(", ");
        let words = if placed.is_empty() { "Out" } else { "out" };
        parts.push(format!("{words} of the turn order: {names}"));
    }
    parts.join("; ")
}

/// Describes the start of a turn: `Round 2: Mira's turn; Bo is no longer dazed`.
fn describe_turn(begins: Option<&Named>, round: Option<u32>, over: &str) -> String {
    let turn = match begins {
        Some(named) => format!("{}'s turn", named.name),
        None => "no character can act".to_owned(),
    };
    let first = match round {
        Some(round) => format!("Round {round}: {turn}"),
        None => capitalise(&turn),
    };
    format!("{first}{}", after("; ", over))
}

fn scene_title(name: &str) -> String {
    if name.is_empty() {
        "A new scene".to_owned()
    } else if name.starts_with("Scene ") {
        // A scene without a name is called `Scene` and its number.
        name.to_owned()
    } else {
        format!("Scene: {name}")
    }
}

impl Event {
    /// Describes the event in one line.
    pub fn text(&self, system: System) -> String {
        let text = self.what.text(system);
        let other_game = self.describe_other_game();
        if text.ends_with(&other_game) {
            // The text of an undone event names the other game already.
            return text;
        }
        format!("{text}{other_game}")
    }

    /// Names the other game of the host in which the act was done, in brackets.
    fn describe_other_game(&self) -> String {
        match &self.at {
            Some(at) => in_brackets(&at.to_string()),
            None => String::new(),
        }
    }

    /// Describes the event in whole sentences for a screen reader. `other` is the event that it undoes or redoes.
    pub fn aloud(&self, game: &Game, other: Option<&Self>) -> Vec<String> {
        let system = game.system;
        let mut kind = self.what.clone();
        if let EventKind::Undone { text, .. } | EventKind::Redone { text, .. } = &mut kind
            && let Some(other) = other
        {
            *text = other.what.describe(system, true);
        }

        let first = format!(
            "{}{}",
            kind.describe(system, true),
            self.describe_other_game()
        );
        let mut lines = vec![with_stop(&first)];
        match &self.what {
            EventKind::Incomplete(roll) => {
                lines.extend(describe_waiting(roll, system));
                if let Some(words) = self.describe_set_aside(game) {
                    lines.push(sentence(&words));
                }
            }
            EventKind::Thrown(thrown) => lines.push(format!("Dice: {}.", thrown_in_words(thrown))),
            kind => {
                if let Some(roll) = kind.resolved() {
                    lines.extend(self.roll_aloud(roll, game));
                }
            }
        }
        lines
    }

    fn roll_aloud(&self, roll: &Roll, game: &Game) -> Vec<String> {
        let Ok(outcome) = roll.derive(game.system) else {
            return Vec::new();
        };

        let mut lines = vec![dice_aloud(&outcome)];
        for words in self.in_short(game) {
            lines.push(sentence(&words));
        }
        lines
    }

    /// Describes the further results of a check and its effects. Each line is a sentence without its capital letter and
    /// its full stop.
    pub fn in_short(&self, game: &Game) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(roll) = self.what.resolved()
            && let Ok(spec) = roll.spec(game.system)
            && let Ok(outcome) = roll.derive(game.system)
        {
            lines.extend(describe_outcome_keys(spec, &outcome));
        }
        lines.extend(self.describe_effects(game, true));
        lines
    }
}
