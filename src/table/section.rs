//! Which sections of a session changed when: a screen leaves alone what is as it was.

use crate::session::{Change, Event, Session, What};

/// A section of the session that screens show on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The characters, with what they hold.
    Party,
    /// The clocks of the table.
    Clocks,
    /// The pools.
    Tokens,
    /// The rolls.
    Rolls,
    /// What stands around them: the scene, the round, who is here, who is to roll.
    Around,
}

impl Section {
    const ALL: [Self; 5] = [
        Self::Party,
        Self::Clocks,
        Self::Tokens,
        Self::Rolls,
        Self::Around,
    ];
}

/// How often the session had changed when each section last did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Revisions([u64; Section::ALL.len()]);

impl Revisions {
    /// That of a section.
    pub fn of(&self, section: Section) -> u64 {
        self.0[section as usize]
    }

    /// Everything may be otherwise.
    pub(super) fn note_all(&mut self, revision: u64) {
        self.0 = [revision; Section::ALL.len()];
    }

    /// What this event touched is otherwise; the session has applied it.
    pub(super) fn note(&mut self, event: &Event, session: &Session, revision: u64) {
        for section in Section::ALL {
            let changes = &mut event.changes.iter();
            if tells(&event.what, section)
                || changes.any(|change| touches(change, session, section))
            {
                self.0[section as usize] = revision;
            }
        }
    }
}

/// Whether a section shows that this happened, whatever it changed. Where it is not known, it does.
fn tells(what: &What, section: Section) -> bool {
    match what {
        What::Ticked { .. } | What::Tokens { .. } | What::Edited { .. } => false,
        What::Rolled(_) => section == Section::Rolls,
        _ => true,
    }
}

/// Whether a section shows what this changed. Where it is not known, it does.
fn touches(change: &Change, session: &Session, section: Section) -> bool {
    match change {
        // A clock that the rules gave to a character stands on its card.
        Change::Filled { clock, .. } => {
            let is_given = || {
                session
                    .clock(*clock)
                    .is_none_or(|clock| clock.rule.is_some())
            };
            section == Section::Clocks || section == Section::Party && is_given()
        }
        // What a pool may hold can depend on its owner's sheet.
        Change::Tokens { .. } | Change::Gained { .. } | Change::Stat { .. } => {
            matches!(section, Section::Tokens | Section::Party)
        }
        _ => true,
    }
}
