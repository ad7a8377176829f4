//! What words filled a form with.

use crate::session::{CharacterId, ClockId, PoolId, PreparedId};

/// Something that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thing {
    /// A character.
    Character(CharacterId),
    /// A clock.
    Clock(ClockId),
    /// A pool of tokens.
    Pool(PoolId),
}

/// Whose something is: a character's, or else the table's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owner(pub(super) Option<CharacterId>);

/// What stands in a place of a form.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Filling {
    /// Characters; one, or several where the form takes them.
    Who(Vec<CharacterId>),
    /// A character, or the table.
    Owner(Owner),
    /// Anything with a name.
    Thing(Thing),
    /// Several things.
    Things(Vec<Thing>),
    /// A prepared scene.
    Scene(PreparedId),
    /// A stat, by its name in files.
    Stat(&'static str),
    /// A number.
    Number(i32),
    /// An entry of the log.
    Entry(u64),
    /// Words as they were written.
    Text(String),
}

/// What words filled a form with.
#[derive(Clone, Debug, Default)]
pub(super) struct Parsed {
    fillings: Vec<(&'static str, Filling)>,
    words: Vec<&'static str>,
}

impl Parsed {
    pub(super) fn fill(&mut self, slot: &'static str, filling: Filling) {
        self.fillings.push((slot, filling));
    }

    pub(super) fn say(&mut self, word: &'static str) {
        self.words.push(word);
    }

    /// Whether that word of the form was said.
    pub(super) fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    fn filling(&self, slot: &str) -> Option<&Filling> {
        let found = self.fillings.iter().find(|(known, _)| *known == slot);
        found.map(|(_, filling)| filling)
    }

    /// The characters named.
    pub(super) fn all(&self) -> &[CharacterId] {
        match self.filling("WHO").or_else(|| self.filling("WHO…")) {
            Some(Filling::Who(who)) => who,
            _ => &[],
        }
    }

    /// The one character named.
    pub(super) fn who(&self) -> Option<CharacterId> {
        self.all().first().copied()
    }

    /// Whose, where somebody was named, or the table.
    pub(super) fn owner(&self, slot: &str) -> Option<Owner> {
        match self.filling(slot) {
            Some(Filling::Owner(owner)) => Some(*owner),
            _ => None,
        }
    }

    /// Any thing named.
    pub(super) fn thing(&self) -> Option<Thing> {
        match self.filling("THING") {
            Some(Filling::Thing(thing)) => Some(*thing),
            _ => None,
        }
    }

    /// The clock named.
    pub(super) fn clock(&self) -> Option<ClockId> {
        self.clock_in("CLOCK")
    }

    /// The clock named there.
    pub(super) fn clock_in(&self, slot: &str) -> Option<ClockId> {
        match self.filling(slot) {
            Some(Filling::Thing(Thing::Clock(id))) => Some(*id),
            _ => None,
        }
    }

    /// Several things named.
    pub(super) fn things(&self) -> &[Thing] {
        match self.filling("THINGS…") {
            Some(Filling::Things(things)) => things,
            _ => &[],
        }
    }

    /// The prepared scene named.
    pub(super) fn scene(&self) -> Option<PreparedId> {
        match self.filling("SCENE") {
            Some(Filling::Scene(id)) => Some(*id),
            _ => None,
        }
    }

    /// The pool named.
    pub(super) fn pool(&self) -> Option<PoolId> {
        match self.filling("POOL") {
            Some(Filling::Thing(Thing::Pool(id))) => Some(*id),
            _ => None,
        }
    }

    /// The stat named.
    pub(super) fn stat(&self) -> Option<&'static str> {
        match self.filling("STAT") {
            Some(Filling::Stat(stat)) => Some(stat),
            _ => None,
        }
    }

    /// A number.
    pub(super) fn number(&self, slot: &str) -> Option<i32> {
        match self.filling(slot) {
            Some(Filling::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// The entry named.
    pub(super) fn entry(&self) -> Option<u64> {
        match self.filling("ENTRY") {
            Some(Filling::Entry(entry)) => Some(*entry),
            _ => None,
        }
    }

    /// A text; empty where none was said.
    pub(super) fn text(&self, slot: &str) -> &str {
        match self.filling(slot) {
            Some(Filling::Text(text)) => text,
            _ => "",
        }
    }
}
