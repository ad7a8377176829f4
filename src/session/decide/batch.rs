//! Several commands as one act, and what one line says about it.

use crate::dice::Dice;
use crate::session::error::refused;
use crate::session::event::EntityKind;
use crate::session::summary::{stands, why};
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
                Err(refusal @ (CommandError::Unchanged | CommandError::AtEnd(_))) => {
                    idle = idle.or(Some(refusal));
                }
                Err(refusal) => return Err(refusal),
            }
        }
        if done.iter().filter(|what| what.roll().is_some()).count() > 1 {
            return Err(refused("two checks are two acts; make one after the other"));
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
        let of_a_kind = lines.filter(|lines| {
            let mut pairs = lines.windows(2);
            pairs.all(|pair| (pair[0].kind, pair[0].came) == (pair[1].kind, pair[1].came))
        });
        let Some(lines) = of_a_kind else {
            let told = done.iter().map(|what| self.sentence(what));
            let mut told: Vec<String> = told.collect();
            let (kind, name) = match done.first()? {
                EventKind::Edited { kind, name, how } => {
                    told[0].clone_from(how);
                    (*kind, name.clone())
                }
                _ => (EntityKind::Session, String::new()),
            };
            let how = told.join("; ");
            return Some(EventKind::Edited { kind, name, how });
        };
        let (first, name) = (lines.first()?, names(&lines));
        let kind = first.kind;
        Some(match first.came {
            Some(true) => EventKind::Added { kind, name },
            Some(false) => EventKind::Removed { kind, name },
            None => {
                let how = hows(&lines);
                EventKind::Edited { kind, name, how }
            }
        })
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
    kind: EntityKind,
    name: String,
    /// Whether it came, or went; none where it is only otherwise.
    came: Option<bool>,
    how: String,
}

fn line(what: &EventKind) -> Option<Line> {
    let way = |by: &i32, (back, on)| if *by < 0 { back } else { on };
    let (kind, name, came, how) = match what {
        EventKind::Added { kind, name } => (*kind, name, Some(true), String::new()),
        EventKind::Removed { kind, name } => (*kind, name, Some(false), String::new()),
        EventKind::Edited { kind, name, how } => (*kind, name, None, how.clone()),
        EventKind::Ticked {
            clock,
            by,
            filled,
            of,
            then,
        } => {
            let way = way(by, ("goes back", "advances"));
            let stands = stands(*filled, *of, then);
            let how = format!("{way} by {}, {stands}", by.unsigned_abs());
            (EntityKind::Clock, clock, None, how)
        }
        EventKind::Tokens {
            owner,
            pool,
            by,
            now,
            note,
        } => {
            let way = way(by, ("spends", "gains"));
            let how = format!(
                "{way} {} in {pool}, now {now}{}",
                by.unsigned_abs(),
                why(note)
            );
            (EntityKind::Pool, owner, None, how)
        }
        _ => return None,
    };
    Some(Line {
        kind,
        name: name.clone(),
        came,
        how,
    })
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
