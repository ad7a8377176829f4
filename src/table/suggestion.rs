//! What players suggest to the GM, who does it or not.

use std::sync::Arc;

use super::{Act, Entry, Problem, Role, Seat, SeatView, Suggestion, Table};
use crate::session::{Command, CommandError, Session};

/// So many suggestions of one person may wait for the GM.
const SUGGESTIONS_EACH: usize = 5;

/// So many may wait in all.
const SUGGESTIONS: usize = 30;

impl Table {
    /// Puts something that the seat may not do before the GM.
    pub fn suggest(&self, seat: &Seat, act: &Act) -> Result<(), Problem> {
        let inner = self.inner();
        let allowed = match seat.role {
            Role::Gm => false,
            Role::Player => true,
            Role::Watcher => inner.presence.allowed.watchers_suggest,
        };
        if !allowed {
            return Err(seat.refusal(inner.session.system).into());
        }
        let waiting = &inner.presence.suggestions;
        let own = waiting.iter().filter(|one| one.seat == seat.id).count();
        if own >= SUGGESTIONS_EACH || waiting.len() >= SUGGESTIONS {
            let gm = inner.session.system.spec().gm;
            let words =
                format!("the {gm} has not answered your last suggestions yet; wait for that");
            return Err(CommandError::NotAllowed(words).into());
        }
        let seen_as = inner.views.of(&inner.session, seat);
        drop(inner);
        let act = self.read(seat, |seen| meant(act, seen))?;
        let own_words = self.read(seat, |seen| describe(&act, seen))?;
        let all = Seat::gm();
        let words = self.read(&all, |seen| {
            describe(&rebased(&act, &seen_as, seen.session()), seen)
        });
        self.change_presence(|presence| {
            let id = presence.next();
            presence.suggestions.push(Suggestion {
                id,
                by: seat.name.clone(),
                seat: seat.id,
                act,
                seen_as,
                words: words.unwrap_or_else(|_| own_words.clone()),
                own_words,
            });
        });
        Ok(())
    }

    /// Does what was suggested; it is recorded as done by the one who suggested it. Where a rule says no,
    /// the suggestion stays.
    pub fn accept(self: &Arc<Self>, seat: &Seat, id: u64) -> Result<Arc<Entry>, Problem> {
        let suggestion = self.suggested(seat, id)?;
        let act = self.read(seat, |seen| {
            rebased(&suggestion.act, &suggestion.seen_as, seen.session())
        });
        let entry = self.submit_by(seat, (&suggestion.by, suggestion.seat), &act, None)?;
        self.settle(&suggestion, "accepted");
        Ok(entry)
    }

    fn suggested(&self, seat: &Seat, id: u64) -> Result<Suggestion, Problem> {
        let inner = self.inner();
        if !seat.sees_all() {
            return Err(seat.refusal(inner.session.system).into());
        }
        let found = inner.presence.suggestions.iter().find(|one| one.id == id);
        Ok(found.cloned().ok_or(CommandError::Gone("suggestion"))?)
    }

    /// Takes a suggestion off the list.
    pub fn decline(&self, seat: &Seat, id: u64) -> Result<Suggestion, Problem> {
        let suggestion = self.suggested(seat, id)?;
        self.settle(&suggestion, "declined");
        Ok(suggestion)
    }

    /// Takes a suggestion off the list, and has the person told.
    fn settle(&self, suggestion: &Suggestion, how: &str) {
        let gm = self.inner().session.system.spec().gm;
        let words = format!("the {gm} {how}: {}", suggestion.own_words);
        self.change_presence(|presence| {
            presence.suggestions.retain(|one| one.id != suggestion.id);
            presence.tell(Some(suggestion.seat), words);
        });
    }
}

/// What a person means who suggests it: to take back the newest act that the person can read of, whatever
/// happens until the GM agrees.
fn meant(act: &Act, seen: &SeatView<'_>) -> Result<Act, CommandError> {
    match act {
        Act::Undo => {
            let mut acts = seen.log();
            let newest =
                acts.find(|entry| entry.event.what.is_an_act() && !seen.is_struck(entry.number));
            let newest = newest.ok_or(CommandError::NothingTo("take back"))?;
            Ok(Act::Strike {
                entry: newest.number,
                reason: String::new(),
            })
        }
        Act::Redo => Err(CommandError::NothingTo("bring back")),
        act => Ok(act.clone()),
    }
}

/// The act of somebody who saw the session so, for the session as it is: with all that was hidden, and all
/// that happened since.
fn rebased(act: &Act, seen_as: &Session, now: &Session) -> Act {
    match act {
        Act::Do(command) => now.rebase(seen_as, command).into(),
        act => act.clone(),
    }
}

/// What would be done, as the log would tell it: `The cliff +2: 4 of 6`.
fn describe(act: &Act, seen: &SeatView<'_>) -> Result<String, CommandError> {
    match act {
        Act::Do(command) => describe_command(command, seen),
        Act::Undo => Ok("take the last change back".to_owned()),
        Act::Redo => Ok("bring back what was taken back".to_owned()),
        Act::Strike { entry, .. } => Ok(format!("take back: {}", told(*entry, seen))),
        Act::Amend { entry, fields, .. } => {
            let fields = fields
                .iter()
                .map(|(field, value)| format!("{field} {value}"));
            let fields = fields.collect::<Vec<_>>().join(", ");
            Ok(format!("read again with {fields}: {}", told(*entry, seen)))
        }
        Act::Reroll { entry, .. } => Ok(format!("roll again: {}", told(*entry, seen))),
    }
}

fn told(entry: u64, seen: &SeatView<'_>) -> String {
    seen.entry(entry).map_or_else(
        || format!("#{entry}"),
        |entry| entry.event.text(seen.system()),
    )
}

fn describe_command(command: &Command, seen: &SeatView<'_>) -> Result<String, CommandError> {
    match command {
        // What the dice say is not known before.
        Command::Throw(throw) => Ok(format!("roll {}", throw.notation)),
        Command::Roll(roll) => {
            let check = roll.filled.fields.spec().label;
            let who = roll.who.and_then(|id| seen.character(id));
            Ok(match who {
                Some(one) => format!("roll {check} for {}", one.name),
                None => format!("roll {check}"),
            })
        }
        Command::All(all) => {
            let all = all.iter().map(|one| describe_command(one, seen));
            Ok(all.collect::<Result<Vec<_>, _>>()?.join("; "))
        }
        command => seen.would(command),
    }
}
