//! The entities that commands add, edit, copy and remove: characters, clocks, pools and prepared scenes.

use serde::Deserialize as _;
use serde_json::Value as Json;

use super::stored_form::to_json;
use super::{
    Character, CharacterId, Clock, ClockId, CommandError, EntityKind, EntityRef, Game, PoolId,
    Prepared, PreparedId, Result, TokenPool,
};

/// An entity that a command adds or edits. A new one gets its ID when it is added.
#[derive(Clone, Debug, PartialEq)]
pub enum Entity {
    Character(Character),
    Clock(Clock),
    Pool(TokenPool),
    Prepared(Prepared),
}

/// A new clock. The segments can be typed as numbers or as dice, which are rolled when the clock is added: `6`, `4+d4`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewClock {
    pub clock: Clock,
    /// The typed number of segments. `None` if the number in `clock` applies.
    pub segments: Option<String>,
    /// The typed number of filled segments. `None` if the number in `clock` applies.
    pub filled: Option<String>,
}

/// An entity with its name.
pub(super) struct NamedEntity<'a> {
    pub(super) entity: EntityRef,
    pub(super) owner: Option<CharacterId>,
    pub(super) name: &'a str,
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
    pub(super) fn entity_ref(&self) -> EntityRef {
        match self {
            Self::Character(character) => EntityRef::Character(character.id),
            Self::Clock(clock) => EntityRef::Clock(clock.id),
            Self::Pool(pool) => EntityRef::Pool(pool.id),
            Self::Prepared(scene) => EntityRef::Prepared(scene.id),
        }
    }

    pub(super) fn set_id(&mut self, id: u32) {
        match self {
            Self::Character(character) => character.id = CharacterId(id),
            Self::Clock(clock) => clock.id = ClockId(id),
            Self::Pool(pool) => pool.id = PoolId(id),
            Self::Prepared(scene) => scene.id = PreparedId(id),
        }
    }

    pub(super) fn set_name(&mut self, name: String) {
        match self {
            Self::Character(character) => character.name = name,
            Self::Clock(clock) => clock.name = name,
            Self::Pool(pool) => pool.name = name,
            Self::Prepared(scene) => scene.name = name,
        }
    }

    /// Removes traces of play from the entity, such as conditions and filled segments.
    pub(super) fn reset(&mut self) {
        match self {
            Self::Character(character) => {
                character.acted = false;
                character.conditions.clear();
                character.fresh.clear();
            }
            Self::Clock(clock) => {
                clock.filled = 0;
                clock.turns = 0;
            }
            Self::Pool(pool) => {
                pool.tokens = pool.start;
                if let Some(gains) = &mut pool.gains {
                    gains.this_scene = 0;
                }
            }
            Self::Prepared(_) => {}
        }
    }

    /// Returns the stored form, as in events and saved games.
    pub(super) fn to_stored(&self) -> Json {
        match self {
            Self::Character(character) => to_json(character),
            Self::Clock(clock) => to_json(clock),
            Self::Pool(pool) => to_json(pool),
            Self::Prepared(scene) => to_json(scene),
        }
    }

    /// Reads an entity of the same kind from its stored form.
    pub(super) fn read_same_kind(&self, stored: &Json) -> serde_json::Result<Self> {
        Ok(match self {
            Self::Character(_) => Self::Character(Character::deserialize(stored)?),
            Self::Clock(_) => Self::Clock(Clock::deserialize(stored)?),
            Self::Pool(_) => Self::Pool(TokenPool::deserialize(stored)?),
            Self::Prepared(_) => Self::Prepared(Prepared::deserialize(stored)?),
        })
    }
}

impl Game {
    /// Returns every entity that has a name, with its owner.
    pub(super) fn named_entities(&self) -> impl Iterator<Item = NamedEntity<'_>> {
        let characters = self.roster.iter().map(|character| NamedEntity {
            entity: EntityRef::Character(character.id),
            owner: None,
            name: &character.name,
        });
        let clocks = self.clocks.iter().map(|clock| NamedEntity {
            entity: EntityRef::Clock(clock.id),
            owner: clock.owner,
            name: &clock.name,
        });
        let pools = self.pools.iter().map(|pool| NamedEntity {
            entity: EntityRef::Pool(pool.id),
            owner: pool.owner,
            name: &pool.name,
        });
        let prepared = self.prepared.iter().map(|scene| NamedEntity {
            entity: EntityRef::Prepared(scene.id),
            owner: None,
            name: &scene.name,
        });
        characters.chain(clocks).chain(pools).chain(prepared)
    }

    /// Returns a copy of a character, clock, pool or prepared scene.
    pub(super) fn entity(&self, entity: EntityRef) -> Option<Entity> {
        match entity {
            EntityRef::Character(id) => {
                let character = self.character(id)?;
                Some(Entity::Character(character.clone()))
            }
            EntityRef::Clock(id) => {
                let clock = self.clock(id)?;
                Some(Entity::Clock(clock.clone()))
            }
            EntityRef::Pool(id) => {
                let pool = self.pool(id)?;
                Some(Entity::Pool(pool.clone()))
            }
            EntityRef::Prepared(id) => {
                let scene = self.prepared(id)?;
                Some(Entity::Prepared(scene.clone()))
            }
            _ => None,
        }
    }

    /// Returns the kind of an entity, and its name.
    ///
    /// # Errors
    /// Returns an error if the game does not have the entity, or if entities of its kind have no name.
    pub fn named(&self, entity: EntityRef) -> Result<(EntityKind, String)> {
        let mut named_entities = self.named_entities();
        let named = named_entities.find(|named| named.entity == entity);
        let name = match (named, entity) {
            (Some(named), _) => named.name.to_owned(),
            (None, EntityRef::Call(id)) => self.describe_call(id)?,
            (None, _) => return Err(CommandError::Gone(entity.word())),
        };
        Ok((entity.kind(), name))
    }
}
