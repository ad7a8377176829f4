//! Which sections of a session changed when: a screen leaves alone what is as it was.

use rustc_hash::FxHashMap;

use crate::session::{Change, CharacterId, ClockId, Event, EventKind, Session, Subject, part};

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
    const COUNT: usize = Self::Around as usize + 1;
}

/// How often the session had changed when each part of it last did.
#[derive(Clone, Debug, Default)]
pub struct Revisions {
    sections: [u64; Section::COUNT],
    /// Where less than a section changed.
    clocks: FxHashMap<ClockId, u64>,
    characters: FxHashMap<CharacterId, u64>,
}

impl Revisions {
    /// That of a section, but for what changed about one clock or one character alone.
    pub fn section(&self, section: Section) -> u64 {
        self.sections[section as usize]
    }

    /// Whether the session has the things that it had then, whatever is otherwise about them.
    pub fn has_same_things_since(&self, revision: u64) -> bool {
        use Section::{Clocks, Party, Rolls, Tokens};
        let mut lists = [Party, Clocks, Tokens, Rolls].into_iter();
        lists.all(|section| self.section(section) <= revision)
    }

    /// That of what the table shows of a clock.
    pub fn clock(&self, id: ClockId) -> u64 {
        let own = self.clocks.get(&id).copied().unwrap_or(0);
        own.max(self.section(Section::Clocks))
    }

    /// The clocks about which alone something changed since.
    pub fn clocks_since(&self, revision: u64) -> impl Iterator<Item = ClockId> {
        let all = self.clocks.iter();
        all.filter(move |(_, own)| **own > revision)
            .map(|(id, _)| *id)
    }

    /// The characters about which alone something changed since.
    pub fn characters_since(&self, revision: u64) -> impl Iterator<Item = CharacterId> {
        let all = self.characters.iter();
        all.filter(move |(_, own)| **own > revision)
            .map(|(id, _)| *id)
    }

    /// That of what the table shows of a character.
    pub fn character(&self, id: CharacterId) -> u64 {
        let own = self.characters.get(&id).copied().unwrap_or(0);
        own.max(self.section(Section::Party))
    }

    /// Everything may be otherwise.
    pub(super) fn note_all(&mut self, revision: u64) {
        self.sections = [revision; Section::COUNT];
    }

    fn note_in(&mut self, section: Section, revision: u64) {
        self.sections[section as usize] = revision;
    }

    /// What this event touched is otherwise; the session has applied it. Where it is not known what that
    /// is, it is everything.
    pub(super) fn note(&mut self, event: &Event, session: &Session, revision: u64) {
        match &event.what {
            EventKind::Ticked { .. } | EventKind::Tokens { .. } | EventKind::Edited { .. } => {}
            EventKind::Rolled(_) => self.note_in(Section::Rolls, revision),
            _ => self.note_all(revision),
        }
        for change in &event.changes {
            self.note_change(change, session, revision);
        }
    }

    fn note_change(&mut self, change: &Change, session: &Session, revision: u64) {
        match (change.of, change.part.as_str()) {
            (Subject::Clock(id), part::FILLED) => {
                self.clocks.insert(id, revision);
                // One that the rules gave to a character stands on its card.
                let found = session.clock(id);
                if found.is_none_or(|clock| clock.rule.is_some()) {
                    self.note_in(Section::Party, revision);
                }
            }
            // They stand on cards, too, and the pools share a column of numbers.
            (Subject::Pool(_), part::TOKENS | part::GAINED) => {
                self.note_in(Section::Tokens, revision);
                self.note_in(Section::Party, revision);
            }
            (Subject::Character(who), name)
                if name == part::CONDITIONS || change.stat().is_some() =>
            {
                self.characters.insert(who, revision);
            }
            _ => self.note_all(revision),
        }
    }
}
