//! The parts of an entity that a change can be about.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value as Json};
use strum::{EnumString, IntoStaticStr};

use super::EntityRef;

/// A part of an entity. Files store it as a JSON pointer into the entity: `/tokens`, `/sheet/hit-points`.
///
/// A field that no code refers to by name is [`Other`](Self::Other), so a new field of an entity needs no variant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, EnumString, IntoStaticStr)]
#[serde(from = "String")]
#[strum(serialize_all = "snake_case")]
pub enum Part {
    /// The whole entity, which was added or removed. The pointer of the whole entity is empty.
    #[default]
    #[strum(disabled)]
    Whole,
    Absent,
    Acted,
    Brought,
    Cap,
    Check,
    Conditions,
    Ends,
    Every,
    Filled,
    Floor,
    Followed,
    /// The limit of a pool on tokens gained in one scene, with the tokens gained in this scene.
    Gains,
    /// The tokens that a pool gained in this scene.
    #[strum(serialize = "gains/this_scene")]
    GainedThisScene,
    #[strum(serialize = "gains/most")]
    GainLimit,
    Hidden,
    Initiative,
    Kind,
    Link,
    /// The locks of a character.
    #[strum(serialize = "about")]
    Locks,
    /// The locks of a character that only the GM lifts.
    #[strum(serialize = "by-gm")]
    GmLocks,
    Name,
    Notes,
    OfScene,
    Owner,
    Player,
    Race,
    /// All recent harm of a character.
    #[strum(serialize = "fresh")]
    RecentHarms,
    Reset,
    Round,
    Segments,
    Side,
    Start,
    System,
    Thresholds,
    Tokens,
    Turns,
    Visibility,
    WhenFull,
    /// A stat of a character's sheet, by its ID.
    #[strum(disabled)]
    Stat(String),
    /// Recent harm of a character, by its key in [`Character::fresh`](super::Character::fresh).
    #[strum(disabled)]
    RecentHarm(String),
    /// Any other field, by its pointer. House rules are fields of [`EntityRef::House`].
    #[strum(disabled)]
    Other(String),
}

/// A part of one entity of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityPart {
    pub entity: EntityRef,
    pub part: Part,
}

impl Part {
    const SHEET: &str = "/sheet/";
    const RECENT_HARM: &str = "/fresh/";

    /// True if the change adds or removes the entity.
    pub fn is_whole(&self) -> bool {
        *self == Self::Whole
    }

    /// The JSON pointer of the part within its entity.
    pub(super) fn pointer(&self) -> Cow<'_, str> {
        match self {
            Self::Whole => Cow::Borrowed(""),
            Self::Other(pointer) => Cow::Borrowed(pointer),
            Self::Stat(id) => Cow::Owned(format!("{}{id}", Self::SHEET)),
            Self::RecentHarm(key) => Cow::Owned(format!("{}{key}", Self::RECENT_HARM)),
            field => Cow::Owned(format!("/{}", <&str>::from(field))),
        }
    }

    /// Returns this part of an entity in its stored form, null if it has none.
    pub(super) fn value_in(&self, entity: &Json) -> Json {
        entity.pointer(&self.pointer()).cloned().unwrap_or_default()
    }

    /// Sets this part of an entity in its stored form. A null value removes the part.
    pub(super) fn set_in(&self, entity: &mut Json, value: Json) {
        set_pointer(entity, &self.pointer(), value);
    }
}

fn set_pointer(entity: &mut Json, pointer: &str, value: Json) {
    let Some((parent, key)) = pointer.rsplit_once('/') else {
        *entity = value;
        return;
    };

    if entity.pointer(parent).is_none() && !value.is_null() {
        set_pointer(entity, parent, Json::Object(Map::new()));
    }

    let Some(Json::Object(fields)) = entity.pointer_mut(parent) else {
        return;
    };
    if value.is_null() {
        fields.remove(key);
    } else {
        fields.insert(key.to_owned(), value);
    }
}

impl From<String> for Part {
    fn from(pointer: String) -> Self {
        if pointer.is_empty() {
            return Self::Whole;
        }
        if let Some(id) = pointer.strip_prefix(Self::SHEET) {
            return Self::Stat(id.to_owned());
        }
        if let Some(key) = pointer.strip_prefix(Self::RECENT_HARM) {
            return Self::RecentHarm(key.to_owned());
        }

        let field = pointer.strip_prefix('/').and_then(|name| name.parse().ok());
        field.unwrap_or(Self::Other(pointer))
    }
}

impl fmt::Display for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.pointer())
    }
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.pointer())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_names_a_part_and_is_written_again_unchanged() {
        let parts = [
            ("", Part::Whole),
            ("/filled", Part::Filled),
            ("/of_scene", Part::OfScene),
            ("/gains/this_scene", Part::GainedThisScene),
            ("/by-gm", Part::GmLocks),
            ("/sheet/hit-points", Part::Stat("hit-points".to_owned())),
            ("/fresh/3 wounds", Part::RecentHarm("3 wounds".to_owned())),
            ("/surplus", Part::Other("/surplus".to_owned())),
            ("/sheet", Part::Other("/sheet".to_owned())),
            ("/stat", Part::Other("/stat".to_owned())),
            ("filled", Part::Other("filled".to_owned())),
        ];
        for (pointer, part) in parts {
            assert_eq!(Part::from(pointer.to_owned()), part);
            assert_eq!(part.to_string(), pointer);
        }
    }
}
