//! What a seat may read of a roll that names what is hidden from it: everything else.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Entry, Seat};
use crate::rules::Effect;
use crate::session::{
    Change, CharacterId, ClockId, Event, PoolId, Roll, Session, Unfinished, Visibility, What,
};

/// What stands where a name is hidden.
pub(super) const SOMEBODY: &str = "somebody";

/// All that is to be read of a roll that one may notice, and not see.
fn veil(entry: &Entry) -> Entry {
    let event = Event {
        what: What::Noted {
            text: "Something was rolled in secret.".to_owned(),
            about: None,
        },
        changes: Vec::new(),
    };
    Entry::new(entry.number, entry.at, SOMEBODY, event)
}

/// Whether one notices that something was rolled of which one may see nothing: dice fell, and the one
/// who rolled them lets it be heard.
pub(super) fn is_noticed(what: &What) -> bool {
    match what {
        What::Rolled(roll) | What::Rerolled { roll, .. } => roll.noticed,
        What::Thrown(thrown) => thrown.noticed,
        What::Begun(_)
        | What::Abandoned(_)
        | What::Amended { .. }
        | What::Ticked { .. }
        | What::Tokens { .. }
        | What::Added { .. }
        | What::Removed { .. }
        | What::Edited { .. }
        | What::Round { .. }
        | What::Scene { .. }
        | What::Ended
        | What::Noted { .. }
        | What::Struck { .. }
        | What::Undone { .. }
        | What::Redone { .. }
        | What::Snapshotted { .. } => false,
    }
}

/// Takes out of entries what a seat may not see.
#[derive(Clone)]
pub(super) struct Redact<'a> {
    session: &'a Session,
    seat: &'a Seat,
    hidden: Vec<&'a str>,
}

impl<'a> Redact<'a> {
    pub(super) fn new(session: &'a Session, seat: &'a Seat) -> Self {
        let hidden = session.roster.iter().filter(|one| !seat.knows(one));
        Self {
            session,
            seat,
            hidden: hidden.map(|one| one.name.as_str()).collect(),
        }
    }

    /// The entry as the seat reads it.
    pub(super) fn entry(&self, entry: &Arc<Entry>) -> Arc<Entry> {
        if self.seat.sees_all() {
            return Arc::clone(entry);
        }
        let event = &entry.event;
        if !self.sees(&event.what) {
            return Arc::new(veil(entry));
        }
        let changes = event.changes.iter().filter(|change| self.may_see(change));
        let mut what = event.what.clone();
        match &mut what {
            What::Rolled(roll)
            | What::Begun(roll)
            | What::Abandoned(roll)
            | What::Amended { roll, .. }
            | What::Rerolled { roll, .. } => self.roll(roll),
            What::Undone { text, .. } | What::Redone { text, .. } => *text = self.words(text),
            What::Added { name, .. } | What::Removed { name, .. } => *name = self.words(name),
            What::Edited { name, how, .. } => {
                *name = self.words(name);
                *how = self.words(how);
            }
            What::Tokens { owner, note, .. } => {
                *owner = self.words(owner);
                *note = self.words(note);
            }
            // It may name a clock that is hidden.
            What::Ticked { then, .. } => then.clear(),
            What::Thrown(_)
            | What::Round { .. }
            | What::Scene { .. }
            | What::Ended
            | What::Noted { .. }
            | What::Struck { .. }
            | What::Snapshotted { .. } => {}
        }
        let changes = changes.cloned().collect();
        let event = Event { what, changes };
        Arc::new(Entry::new(entry.number, entry.at, &*entry.by, event))
    }

    /// Whether the seat knows all that an entry changed a part of: its words tell of it. Whole things are
    /// told of by their names alone.
    pub(super) fn knows_all_of(&self, entry: &Entry) -> bool {
        entry.event.changes.iter().all(|change| {
            let is_whole = matches!(
                change,
                Change::Character { .. }
                    | Change::Clock { .. }
                    | Change::Pool { .. }
                    | Change::Called { .. }
                    | Change::Waiting { .. }
            );
            is_whole || self.may_see(change)
        })
    }

    /// Whether the seat may see what was rolled, where something was, and not only that it was.
    pub(super) fn sees(&self, what: &What) -> bool {
        let id = what.roller().and_then(|(_, id)| id);
        let who = id.and_then(|id| self.session.character(id));
        let knows = who.is_none_or(|character| self.seat.knows(character));
        !self.seat.is_closed(what.hidden_from().0) && knows
    }

    /// The waiting check as the seat reads it.
    pub(super) fn waiting(&self, waiting: &'a Unfinished) -> Cow<'a, Unfinished> {
        if self.seat.sees_all() {
            return Cow::Borrowed(waiting);
        }
        let mut waiting = waiting.clone();
        self.roll(&mut waiting.roll);
        Cow::Owned(waiting)
    }

    fn roll(&self, roll: &mut Roll) {
        roll.helpers.retain(|name| !self.is_hidden(name));
        for (_, source) in &mut roll.sources {
            *source = self.words(source);
        }
        for effect in &mut roll.effects {
            match effect {
                Effect::SharedWith { names } => names.retain(|name| !self.is_hidden(name)),
                Effect::Reached { told, .. } => *told = self.words(told),
                _ => {}
            }
        }
        let empty =
            |effect: &Effect| matches!(effect, Effect::SharedWith { names } if names.is_empty());
        roll.effects.retain(|effect| !empty(effect));
        roll.clock = roll.clock.filter(|id| self.knows_clock(*id));
    }

    fn is_hidden(&self, name: &str) -> bool {
        self.hidden.contains(&name)
    }

    /// Words in which names stand alone, before a colon or between commas: `Ogre: Might`, `Ana, Ogre`.
    fn words(&self, words: &str) -> String {
        let parts = words.split(", ").map(|part| {
            let (name, rest) = part.split_once(':').unwrap_or((part, ""));
            match (self.is_hidden(name), part.len() > name.len()) {
                (true, true) => format!("{SOMEBODY}:{rest}"),
                (true, false) => SOMEBODY.to_owned(),
                (false, _) => part.to_owned(),
            }
        });
        parts.collect::<Vec<_>>().join(", ")
    }

    fn knows(&self, id: CharacterId) -> bool {
        self.session
            .character(id)
            .is_some_and(|one| self.seat.knows(one))
    }

    fn knows_clock(&self, id: ClockId) -> bool {
        self.session.clock(id).is_some_and(|clock| {
            clock.visibility == Visibility::Visible
                && clock.owner.is_none_or(|owner| self.knows(owner))
        })
    }

    fn knows_pool(&self, id: PoolId) -> bool {
        self.session
            .pool(id)
            .is_some_and(|pool| pool.owner.is_none_or(|owner| self.knows(owner)))
    }

    fn may_see(&self, change: &Change) -> bool {
        match change {
            Change::Filled { clock, .. } | Change::Shown { clock, .. } => self.knows_clock(*clock),
            Change::Tokens { pool, .. } | Change::Gained { pool, .. } => self.knows_pool(*pool),
            Change::Stat { who, .. }
            | Change::Conditions { who, .. }
            | Change::Fresh { who, .. }
            | Change::Lock { who, .. } => self.knows(*who),
            Change::About { who, part, .. } => {
                self.knows(*who) && *part != crate::session::Part::Notes
            }
            Change::Scene { .. } | Change::Round { .. } | Change::House { .. } => true,
            // Whole things, with all that is written on them.
            Change::Character { .. }
            | Change::Clock { .. }
            | Change::Link { .. }
            | Change::Attached { .. }
            | Change::Prepared { .. }
            | Change::Brought { .. }
            | Change::Pool { .. }
            | Change::Called { .. }
            | Change::Waiting { .. } => false,
        }
    }
}
