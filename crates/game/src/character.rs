//! A character: whose, on which side, in what condition, and the sheet.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::{CharacterId, Game, Initiative};
use tableside_rules::{MOST_LEVELS, Sheet};
use tableside_text::{is_same_name, pluralise};

/// Whose side a character is on.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Allegiance {
    /// A player's character.
    #[default]
    Party,
    /// With them.
    Ally,
    /// Against them.
    Adversary,
    /// On no side.
    #[serde(rename = "apathetic")]
    #[strum(serialize = "apathetic")]
    Neutral,
}

impl Allegiance {
    /// All sides, in order.
    pub const ALL: [Self; 4] = [Self::Party, Self::Ally, Self::Adversary, Self::Neutral];

    /// Whether the two stand together.
    pub fn is_with(self, other: Self) -> bool {
        let is_ours = |side| matches!(side, Self::Party | Self::Ally);
        self == other || (is_ours(self) && is_ours(other))
    }
}

/// The condition of one who dies with its last round unless aided (Friday Night Dungeon, Health, Healing, Wounds).
pub const DYING: &str = "dying";

/// Something that a character suffers or enjoys for a while.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    pub name: String,
    /// How much of it, where it has levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
    /// How many rounds it lasts, where it ends by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// Whether it loses a level with every round, and ends with the last.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fades: bool,
}

impl Condition {
    /// A condition that does not fade.
    pub fn new(name: &str, value: Option<i32>, rounds: Option<u32>) -> Self {
        Self {
            name: name.to_owned(),
            value,
            rounds,
            fades: false,
        }
    }

    /// Adds so many levels to the one of that name among these, which may be new; returns its level then.
    pub fn worsen(conditions: &mut Vec<Self>, name: &str, levels: i32) -> i32 {
        let is_it = |one: &&mut Self| is_same_name(&one.name, name);
        let Some(known) = conditions.iter_mut().find(is_it) else {
            conditions.push(Self::new(name, Some(levels), None));
            return levels;
        };
        let level = known.value.unwrap_or(1).saturating_add(levels);
        *known.value.insert(level.min(MOST_LEVELS))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)?;
        if let Some(value) = self.value {
            write!(formatter, " {value}")?;
        }
        if self.fades {
            formatter.write_str(", fading")?;
        }
        let tell = |rounds| write!(formatter, " ({})", pluralise(rounds, "round"));
        self.rounds.map_or(Ok(()), tell)
    }
}

/// Somebody in the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Character {
    /// The number that events know it by.
    pub id: CharacterId,
    pub name: String,
    /// Who plays it; empty for the GM's own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub player: String,
    #[serde(default)]
    pub side: Allegiance,
    /// Whether players may not know of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Whether it is not here today: dimmed and skipped.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub absent: bool,
    /// Whether it has acted this round.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub acted: bool,
    /// When its turn comes, the highest first; none where the table keeps no order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initiative: Option<Initiative>,
    /// The GM's private notes.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
    /// Its conditions, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// Harm that scenes brought, as far as First Aid did not remove it (Gnosis, First Aid): how much, by the
    /// place of the scene among all and the stat that counts it, `3 wounds`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fresh: BTreeMap<String, i32>,
    #[serde(with = "written_sheet")]
    pub sheet: Sheet,
    /// How well it is, where a seat reads this word instead of the sheet: none where it reads the sheet. Empty where
    /// the rules count no harm.
    #[serde(skip)]
    pub health: Option<&'static str>,
}

impl Character {
    /// A new member of the party with the system's defaults; its number is given when it joins.
    pub fn new(name: impl Into<String>, sheet: Sheet) -> Self {
        Self {
            id: CharacterId(0),
            name: name.into(),
            player: String::new(),
            side: Allegiance::Party,
            hidden: false,
            absent: false,
            acted: false,
            initiative: None,
            notes: String::new(),
            conditions: Vec::new(),
            fresh: BTreeMap::new(),
            sheet,
            health: None,
        }
    }

    /// Whether it has that condition.
    pub fn suffers(&self, name: &str) -> bool {
        let mut conditions = self.conditions.iter();
        conditions.any(|known| is_same_name(&known.name, name))
    }

    /// Its place in the order of turns: who has yet to act by initiative, then who has acted, then who has no number.
    pub fn place_in_turn(&self) -> (bool, bool, Reverse<Initiative>) {
        let number = self.initiative.filter(|_| self.is_here());
        match number {
            Some(number) => (false, self.acted, Reverse(number)),
            None => (true, false, Reverse(Initiative::default())),
        }
    }

    /// True if the character belongs to the party and is present.
    pub fn is_in_party(&self) -> bool {
        self.side == Allegiance::Party && self.is_here()
    }

    /// Whether it takes part today.
    pub fn is_here(&self) -> bool {
        !self.absent
    }
}

/// Under what name the harm of a scene stands in [`Character::fresh`].
fn key(scene: usize, stat: &str) -> String {
    format!("{scene} {stat}")
}

impl Game {
    /// The characters still to take a turn, the current one first.
    pub fn turns(&self) -> Vec<&Character> {
        let waits = |one: &&Character| matches!(one.place_in_turn(), (false, false, _));
        let mut turns: Vec<&Character> = self.roster.iter().filter(waits).collect();
        turns.sort_by_key(|one| one.place_in_turn());
        turns
    }

    /// How much harm of that kind First Aid may remove: what this scene brought, and the one before,
    /// for First Aid comes after the scene.
    pub fn treatable(&self, character: &Character, stat: &str) -> i32 {
        let now = self.scenes.len().saturating_sub(1);
        let scenes = now.saturating_sub(1)..=now;
        let harm = scenes.filter_map(|scene| character.fresh.get(&key(scene, stat)));
        harm.sum()
    }

    /// Counts what became of a character's harm since: harm taken is of this scene, and harm that goes was the
    /// newest, for what First Aid removed it cannot remove again.
    pub(super) fn count_recent_harm(&mut self, before: &Character) {
        let scene = self.scenes.len().saturating_sub(1);
        let clocks = self.system.spec().clocks;
        let Some(character) = self.character_mut(before.id) else {
            return;
        };
        for stat in clocks.iter().map(|clock| clock.overflow) {
            let both = (before.sheet.number(stat), character.sheet.number(stat));
            if let (Some(before), Some(now)) = both {
                character.count_harm(stat, scene, now - before);
            }
        }
    }
}

impl Character {
    fn count_harm(&mut self, stat: &str, scene: usize, by: i32) {
        if by > 0 {
            *self.fresh.entry(key(scene, stat)).or_default() += by;
        }
        let mut left = (-by).max(0);
        for scene in (0..=scene).rev() {
            if left == 0 {
                break;
            }
            if let Some(amount) = self.fresh.get_mut(&key(scene, stat)) {
                let gone = left.min(*amount);
                *amount -= gone;
                left -= gone;
            }
        }
        self.fresh.retain(|_, amount| *amount > 0);
    }
}

/// A character that was taken away, as far as the log still needs it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Departed {
    pub id: CharacterId,
    /// Its name when it went.
    pub name: String,
    /// Whether it was hidden from players then; it stays so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

impl From<&Character> for Departed {
    fn from(character: &Character) -> Self {
        Self {
            id: character.id,
            name: character.name.clone(),
            hidden: character.hidden,
        }
    }
}

/// A sheet as files and events hold it: its stats, and its system, so that it is read by itself.
mod written_sheet {
    use std::collections::BTreeMap;

    use serde::de::Error;
    use serde::ser::SerializeMap as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    use tableside_rules::{Sheet, System, Value};

    const SYSTEM: &str = "system";

    /// What stands before the name of a stat that only other rules of the game know.
    const KEPT: &str = "was:";

    pub(super) fn serialize<S: Serializer>(sheet: &Sheet, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry(SYSTEM, &sheet.system())?;
        let written = sheet.iter().filter(|(stat, _)| !sheet.is_derived(stat.id));
        for (stat, value) in written {
            map.serialize_entry(stat.id, value)?;
        }
        for (id, value) in sheet.kept() {
            map.serialize_entry(&format!("{KEPT}{id}"), value)?;
        }
        map.end()
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Sheet, D::Error> {
        let values = BTreeMap::<String, Value>::deserialize(from)?;
        let value = |name: &str| values.get(name).cloned();
        let system = value(SYSTEM).unwrap_or_else(|| "".into()).to_string();
        let system: System = system.parse().map_err(Error::custom)?;
        let mut sheet = Sheet::from_values(system, value).map_err(Error::custom)?;
        for (name, value) in &values {
            if let Some(id) = name.strip_prefix(KEPT) {
                sheet.keep(id, value.clone());
            }
        }
        Ok(sheet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_added_to_a_condition_whatever_its_letters_and_up_to_the_most() {
        let mut conditions = vec![Condition::new("Weary", None, Some(2))];
        assert_eq!(Condition::worsen(&mut conditions, "weary", 2), 3);
        assert_eq!(Condition::worsen(&mut conditions, "WEARY", i32::MAX), 5);
        assert_eq!(Condition::worsen(&mut conditions, "dazed", 1), 1);
        let told: Vec<String> = conditions.iter().map(ToString::to_string).collect();
        assert_eq!(told, ["Weary 5 (2 rounds)", "dazed 1"]);
    }
}
