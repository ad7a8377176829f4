//! Several commands as one act, and what one line says about it.

use crate::{Command, CommandContext, CommandError, Event, EventKind, Every, Game, differences};
use crate::{EntityKind, Result, refused};
use tableside_dice::Dice;
use tableside_text::join;

/// At most so many names or changes are told; the rest is counted: "and 3 more".
const MOST_NAMES: usize = 8;

impl Game {
    /// Every command on what those before it left. Where one has nothing to do, because that is so
    /// already or goes no further, the others are done all the same; any other refusal refuses the whole.
    pub(super) fn decide_all(
        &self,
        commands: &[Command],
        moment: &CommandContext,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let mut after = self.clone();
        let mut done = Vec::new();
        let mut changes = Vec::new();
        let mut idle = None;
        for command in commands {
            let decided = match command {
                Command::Rest { who, rest } => after.decide_rest(*who, *rest, dice),
                command => after.decide(command, moment, dice),
            };
            match decided {
                Ok(event) => {
                    after.apply(&event);
                    changes.extend(event.changes);
                    done.push(event.what);
                }
                Err(refusal @ (CommandError::Unchanged | CommandError::AtEnd(_))) => {
                    idle = idle.or(Some(refusal));
                }
                Err(refusal) => return Err(refusal),
            }
        }
        // Who rests together rests once.
        let rests = |one: &Command| matches!(one, Command::Rest { .. });
        if commands.iter().any(rests) {
            let before = after.clone();
            let how = join(after.tick_every(Every::Rest), ", ");
            if !how.is_empty() {
                changes.extend(differences(&before, &after));
                let (kind, name) = (EntityKind::Game, String::new());
                done.push(EventKind::Edited { kind, name, how });
            }
        }
        if done.iter().filter(|what| what.roll().is_some()).count() > 1 {
            return Err(refused("two checks are two acts; make one after the other"));
        }
        let what = self.told_as_one(done);
        let what = what.ok_or_else(|| idle.unwrap_or(CommandError::Unchanged))?;
        Ok(Event::new(what, changes))
    }

    /// One line for all of it: the check alone, if there is one; things of a kind by their names.
    pub(super) fn told_as_one(&self, mut done: Vec<EventKind>) -> Option<EventKind> {
        let roll = done.iter().position(|what| what.roll().is_some());
        if let Some(only) = roll.or_else(|| (done.len() == 1).then_some(0)) {
            return Some(done.swap_remove(only));
        }
        let lines: Option<Vec<Line<'_>>> = done.iter().map(line).collect();
        let of_a_kind = lines.filter(|lines| {
            let mut pairs = lines.windows(2);
            pairs.all(|pair| (pair[0].kind, pair[0].came) == (pair[1].kind, pair[1].came))
        });
        if let Some(lines) = of_a_kind {
            let (Line { kind, came, .. }, name) = (lines.first()?, names(&lines));
            let (kind, how) = (*kind, hows(&lines));
            return Some(match came {
                Some(true) => EventKind::Added { kind, name, how },
                Some(false) => EventKind::Removed { kind, name },
                None => EventKind::Edited { kind, name, how },
            });
        }
        // The first says whom it is about, the others say it themselves.
        let (kind, name, first) = match done.first()? {
            EventKind::Edited { kind, name, how } => (*kind, name.clone(), how.clone()),
            first => (EntityKind::Game, String::new(), first.text(self.system)),
        };
        let others = done.iter().skip(1).map(|what| what.text(self.system));
        let how = join(std::iter::once(first).chain(others), "; ");
        Some(EventKind::Edited { kind, name, how })
    }
}

/// What one of several acts says: about whom, and what.
struct Line<'a> {
    kind: EntityKind,
    name: &'a str,
    /// Whether it came or went; none where it only changed.
    came: Option<bool>,
    how: String,
}

fn line(what: &EventKind) -> Option<Line<'_>> {
    let (kind, name, came, how) = match what {
        EventKind::Added { kind, name, how } => (*kind, &**name, Some(true), how.clone()),
        EventKind::Removed { kind, name } => (*kind, &**name, Some(false), String::new()),
        EventKind::Edited { kind, name, how } => (*kind, &**name, None, how.clone()),
        EventKind::Ticked { then: more, .. } | EventKind::Tokens { note: more, .. } => {
            let (kind, name, step) = what.step(true)?;
            let also = if more.is_empty() { "" } else { "; " };
            (kind, name, None, format!("{step}{also}{more}"))
        }
        _ => return None,
    };
    Some(Line {
        kind,
        name,
        came,
        how,
    })
}

/// The names, each once: `Goblin, Goblin 2`.
fn names(lines: &[Line<'_>]) -> String {
    let mut known: Vec<&str> = Vec::new();
    for line in lines {
        known.extend((!known.contains(&line.name)).then_some(line.name));
    }
    let more = known.len().saturating_sub(MOST_NAMES);
    known.truncate(MOST_NAMES);
    match more {
        0 => known.join(", "),
        more => format!("{}, and {more} more", known.join(", ")),
    }
}

/// What became of them: once where it is the same for all, else by name.
fn hows(lines: &[Line<'_>]) -> String {
    let Some(first) = lines.first() else {
        return String::new();
    };
    if lines.iter().all(|line| line.how == first.how) {
        return first.how.clone();
    }
    let one_name = lines.iter().all(|line| line.name == first.name);
    let told = lines.iter().take(MOST_NAMES).map(|line| {
        if one_name {
            line.how.clone()
        } else {
            format!("{}: {}", line.name, line.how)
        }
    });
    let told = join(told, "; ");
    match lines.len().saturating_sub(MOST_NAMES) {
        0 => told,
        more => format!("{told}; and {more} more"),
    }
}
