//! What people add, edit, copy and take away by itself.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::stored_form::to_json;
use super::{Character, Clock, CommandError, Game, Prepared, TokenPool};
use super::{CharacterId, EntityKind, EntityRef, Result, refused};

/// One such thing, whole, as files hold it. Its number is given when it is added.
#[derive(Clone, Debug, PartialEq)]
pub struct Entity {
    pub(super) entity: EntityRef,
    pub(super) stored: Json,
}

macro_rules! entities {
    ($($kind:ident of $subject:ident),*) => {
        $(impl From<$kind> for Entity {
            fn from(one: $kind) -> Self {
                Self::new(EntityRef::$subject(one.id), &one)
            }
        })*
    };
}

entities!(Character of Character, Clock of Clock, TokenPool of Pool, Prepared of Prepared);

impl Entity {
    fn new(entity: EntityRef, state: &impl Serialize) -> Self {
        Self {
            entity,
            stored: to_json(state),
        }
    }

    /// With that number: a clock's `segments` or `filled`, `6`, or `4+d4` to roll for it when it is added.
    pub fn counted(mut self, part: &str, count: &str) -> Self {
        let plain = count.parse::<i32>();
        self.stored[part] = plain.map_or_else(|_| count.into(), Json::from);
        self
    }

    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T> {
        T::deserialize(&self.stored).map_err(|error| refused(error.to_string()))
    }
}

impl Game {
    /// Everything that people name: what it is, whose, and its name.
    pub(super) fn things(&self) -> impl Iterator<Item = (EntityRef, Option<CharacterId>, &str)> {
        let roster = self.roster.iter();
        let roster = roster.map(|one| (EntityRef::Character(one.id), None, &*one.name));
        let clocks = self.clocks.iter();
        let clocks = clocks.map(|one| (EntityRef::Clock(one.id), one.owner, &*one.name));
        let pools = self.pools.iter();
        let pools = pools.map(|one| (EntityRef::Pool(one.id), one.owner, &*one.name));
        let prepared = self.prepared.iter();
        let prepared = prepared.map(|one| (EntityRef::Prepared(one.id), None, &*one.name));
        roster.chain(clocks).chain(pools).chain(prepared)
    }

    /// What kind of thing it is, and its name.
    pub fn named(&self, of: EntityRef) -> Result<(EntityKind, String)> {
        let found = self.things().find(|(thing, ..)| *thing == of);
        let name = match (found, of) {
            (Some((.., name)), _) => name.to_owned(),
            (None, EntityRef::Call(id)) => self.describe_call(id)?,
            (None, _) => return Err(CommandError::Gone(of.word())),
        };
        Ok((of.kind(), name))
    }
}
