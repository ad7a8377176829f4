//! Several commands as one act, and what one line says about it.

use crate::dice::Dice;
use crate::session::event::EntityKind;
use crate::session::summary::stands;
use crate::session::{Command, CommandContext, CommandError, Event, EventKind, Session};

/// So many names are told; of more, how many they are.
const MOST_NAMES: usize = 8;

impl Session {
    /// Every command on what those before it left. Where one has nothing to do, because that is so
    /// already or goes no further, the others are done all the same; any other refusal refuses the whole.
    pub(super) fn decide_all(
        &self,
        commands: &[Command],
        moment: &CommandContext,
        dice: &mut dyn Dice,
    ) -> Result<Event, CommandError> {
        let mut after = self.clone();
        let mut done = Vec::new();
        let mut changes = Vec::new();
        let mut idle = None;
        for command in commands {
            match after.decide(command, moment, dice) {
                Ok(event) => {
                    after.apply(&event);
                    changes.extend(event.changes);
                    done.push(event.what);
                }
                Err(refusal) if is_idle(&refusal) => idle = idle.or(Some(refusal)),
                Err(refusal) => return Err(refusal),
            }
        }
        if done.iter().filter(|what| what.roll().is_some()).count() > 1 {
            return Err(CommandError::TwoChecks);
        }
        let what = self.told_as_one(done);
        let what = what.ok_or_else(|| idle.unwrap_or(CommandError::Unchanged))?;
        Ok(Event { what, changes })
    }

    /// One line for all of it: a check before anything else, things of a kind by their names.
    fn told_as_one(&self, mut done: Vec<EventKind>) -> Option<EventKind> {
        if let Some(roll) = done.iter().position(|what| what.roll().is_some()) {
            return Some(done.swap_remove(roll));
        }
        if done.len() < 2 {
            return done.pop();
        }
        let lines: Option<Vec<Line>> = done.iter().map(line).collect();
        let kind = lines.as_ref().and_then(|lines| lines.first()?.kind);
        let of_a_kind = lines.filter(|lines| lines.iter().all(|line| line.kind == kind));
        match (of_a_kind, done.first()?) {
            (Some(lines), EventKind::Added { kind, .. }) if all_added(&done) => {
                Some(EventKind::Added {
                    kind: *kind,
                    name: names(&lines),
                })
            }
            (Some(lines), EventKind::Removed { kind, .. }) if all_removed(&done) => {
                Some(EventKind::Removed {
                    kind: *kind,
                    name: names(&lines),
                })
            }
            (
                Some(lines),
                EventKind::Ticked { .. } | EventKind::Tokens { .. } | EventKind::Edited { .. },
            ) if !any_came_or_went(&done) => Some(EventKind::Edited {
                kind: kind?,
                name: names(&lines),
                how: hows(&lines),
            }),
            (_, EventKind::Edited { kind, name, how }) => {
                let others = done.iter().skip(1).map(|what| self.sentence(what));
                let all: Vec<String> = std::iter::once(how.clone()).chain(others).collect();
                Some(EventKind::Edited {
                    kind: *kind,
                    name: name.clone(),
                    how: all.join("; "),
                })
            }
            (_, _) => {
                let all: Vec<String> = done.iter().map(|what| self.sentence(what)).collect();
                Some(EventKind::Edited {
                    kind: EntityKind::Session,
                    name: String::new(),
                    how: all.join("; "),
                })
            }
        }
    }

    fn sentence(&self, what: &EventKind) -> String {
        let event = Event {
            what: what.clone(),
            changes: Vec::new(),
        };
        event.text(self.system)
    }
}

/// What one of several acts says: about whom, and what.
struct Line {
    kind: Option<EntityKind>,
    name: String,
    how: String,
}

fn line(what: &EventKind) -> Option<Line> {
    let (kind, name, how) = match what {
        EventKind::Added { kind, name } | EventKind::Removed { kind, name } => {
            (*kind, name.clone(), String::new())
        }
        EventKind::Edited { kind, name, how } => (*kind, name.clone(), how.clone()),
        EventKind::Ticked {
            clock,
            by,
            filled,
            of,
            then,
        } => {
            let way = if *by < 0 { "goes back" } else { "advances" };
            let stands = stands(*filled, *of, then);
            let how = format!("{way} by {}, {stands}", by.unsigned_abs());
            (EntityKind::Clock, clock.clone(), how)
        }
        EventKind::Tokens {
            owner,
            pool,
            by,
            now,
            note,
        } => {
            let way = if *by < 0 { "spends" } else { "gains" };
            let note = if note.is_empty() {
                String::new()
            } else {
                format!(" ({note})")
            };
            let how = format!("{way} {} in {pool}, now {now}{note}", by.unsigned_abs());
            (EntityKind::Pool, owner.clone(), how)
        }
        EventKind::Rolled(_)
        | EventKind::Incomplete(_)
        | EventKind::Abandoned(_)
        | EventKind::Amended { .. }
        | EventKind::Rerolled { .. }
        | EventKind::Thrown(_)
        | EventKind::Round { .. }
        | EventKind::Scene { .. }
        | EventKind::Ended
        | EventKind::Noted { .. }
        | EventKind::Struck { .. }
        | EventKind::RequestError { .. }
        | EventKind::Redone { .. } => return None,
    };
    Some(Line {
        kind: Some(kind),
        name,
        how,
    })
}

fn all_added(done: &[EventKind]) -> bool {
    done.iter()
        .all(|what| matches!(what, EventKind::Added { .. }))
}

fn all_removed(done: &[EventKind]) -> bool {
    done.iter()
        .all(|what| matches!(what, EventKind::Removed { .. }))
}

fn any_came_or_went(done: &[EventKind]) -> bool {
    let came_or_went =
        |what: &EventKind| matches!(what, EventKind::Added { .. } | EventKind::Removed { .. });
    done.iter().any(came_or_went)
}

/// The names, each once: `Goblin, Goblin 2`.
fn names(lines: &[Line]) -> String {
    let mut known: Vec<&str> = Vec::new();
    for line in lines {
        if !known.contains(&line.name.as_str()) {
            known.push(&line.name);
        }
    }
    let more = known.len().saturating_sub(MOST_NAMES);
    known.truncate(MOST_NAMES);
    match more {
        0 => known.join(", "),
        more => format!("{}, and {more} more", known.join(", ")),
    }
}

/// What became of them: once where it is the same for all, else by name.
fn hows(lines: &[Line]) -> String {
    let first = lines.first().map_or("", |line| line.how.as_str());
    let one_name = lines
        .iter()
        .all(|line| lines.first().is_some_and(|first| first.name == line.name));
    if lines.iter().all(|line| line.how == first) {
        return first.to_owned();
    }
    let told = lines.iter().take(MOST_NAMES).map(|line| {
        if one_name {
            line.how.clone()
        } else {
            format!("{}: {}", line.name, line.how)
        }
    });
    told.collect::<Vec<_>>().join("; ")
}

/// Whether nothing is to be done, for it is so already or at its end.
fn is_idle(refusal: &CommandError) -> bool {
    matches!(
        refusal,
        CommandError::Unchanged
            | CommandError::ClockAtEnd { .. }
            | CommandError::ClockStands { .. }
            | CommandError::PoolAtEnd { .. }
            | CommandError::StatAtEnd { .. }
    )
}
