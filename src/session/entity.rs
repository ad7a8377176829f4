//! What people add, edit, copy and take away by itself.

use serde_json::Value as Json;

use super::change::json;
use super::error::Result;
use super::event::EntityKind;
use super::id::Subject;
use super::{Character, Clock, CommandError, Prepared, Session, TokenPool};

/// One such thing, whole. Its number is given when it is added.
#[derive(Clone, Debug, PartialEq)]
pub enum Entity {
    Character(Character),
    Clock(Clock),
    Pool(TokenPool),
    Prepared(Prepared),
}

impl From<Character> for Entity {
    fn from(character: Character) -> Self {
        Self::Character(character)
    }
}

impl From<Clock> for Entity {
    fn from(clock: Clock) -> Self {
        Self::Clock(clock)
    }
}

impl From<TokenPool> for Entity {
    fn from(pool: TokenPool) -> Self {
        Self::Pool(pool)
    }
}

impl From<Prepared> for Entity {
    fn from(scene: Prepared) -> Self {
        Self::Prepared(scene)
    }
}

impl Entity {
    pub fn subject(&self) -> Subject {
        match self {
            Self::Character(one) => Subject::Character(one.id),
            Self::Clock(one) => Subject::Clock(one.id),
            Self::Pool(one) => Subject::Pool(one.id),
            Self::Prepared(one) => Subject::Prepared(one.id),
        }
    }

    /// What kind it is, and its name.
    pub(super) fn named(&self) -> (EntityKind, String) {
        let (kind, name) = match self {
            Self::Character(one) => (EntityKind::Character, &one.name),
            Self::Clock(one) => (EntityKind::Clock, &one.name),
            Self::Pool(one) => (EntityKind::Pool, &one.name),
            Self::Prepared(one) => (EntityKind::Prepared, &one.name),
        };
        (kind, name.clone())
    }

    /// As files hold it.
    pub(super) fn json(&self) -> Json {
        match self {
            Self::Character(one) => json(one),
            Self::Clock(one) => json(one),
            Self::Pool(one) => json(one),
            Self::Prepared(one) => json(one),
        }
    }
}

impl Session {
    /// A copy of the thing.
    pub(super) fn entity(&self, of: Subject) -> Result<Entity> {
        let found = match of {
            Subject::Character(id) => self.character(id).cloned().map(Entity::from),
            Subject::Clock(id) => self.clock(id).cloned().map(Entity::from),
            Subject::Pool(id) => self.pool(id).cloned().map(Entity::from),
            Subject::Prepared(id) => self.prepared(id).cloned().map(Entity::from),
            Subject::Call(_)
            | Subject::Unfinished(_)
            | Subject::Lock(_)
            | Subject::Scene(_)
            | Subject::House
            | Subject::Round => None,
        };
        found.ok_or_else(|| CommandError::Gone(of.word()))
    }
}
