//! How a sample game is written down.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::dice::Face;
use crate::rules::{System, Value};
use crate::session::{Allegiance, ClockKind, Condition, Reset, Then, Visibility};

/// A value as a script writes it.
pub(super) type Amount = Value;

/// A whole sample game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Script {
    pub(super) system: System,
    /// What the game is called.
    pub(super) name: String,
    /// The day on which it was played.
    pub(super) evening: String,
    #[serde(default)]
    pub(super) house: BTreeMap<String, Amount>,
    #[serde(default, rename = "character")]
    pub(super) characters: Vec<Person>,
    #[serde(default, rename = "clock")]
    pub(super) clocks: Vec<Progress>,
    #[serde(default, rename = "pool")]
    pub(super) pools: Vec<Tokens>,
    #[serde(default, rename = "play")]
    pub(super) plays: Vec<Play>,
}

/// A character; stats that are left out are a new character's.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Person {
    pub(super) name: String,
    #[serde(default)]
    pub(super) player: String,
    #[serde(default)]
    pub(super) side: Allegiance,
    #[serde(default)]
    pub(super) hidden: bool,
    #[serde(default)]
    pub(super) absent: bool,
    #[serde(default)]
    pub(super) notes: String,
    #[serde(default)]
    pub(super) conditions: Vec<Condition>,
    #[serde(default)]
    pub(super) sheet: BTreeMap<String, Value>,
    /// What the rules' pools hold at first, where it is not what the rules say.
    #[serde(default)]
    pub(super) tokens: BTreeMap<String, i32>,
}

/// A clock.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Progress {
    pub(super) name: String,
    pub(super) segments: u8,
    #[serde(default)]
    pub(super) kind: ClockKind,
    #[serde(default)]
    pub(super) visibility: Visibility,
    #[serde(default)]
    pub(super) filled: u8,
    #[serde(default)]
    pub(super) owner: Option<String>,
    #[serde(default)]
    pub(super) of_scene: bool,
    #[serde(default)]
    pub(super) race: String,
    #[serde(default)]
    pub(super) ends: Option<[String; 2]>,
    /// The check that fills it.
    #[serde(default)]
    pub(super) check: Option<Filling>,
    /// The clock that it is linked to, and what happens to that one.
    #[serde(default)]
    pub(super) to: Option<String>,
    #[serde(default)]
    pub(super) then: Then,
}

/// A check that fills a clock.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Filling {
    pub(super) name: String,
    #[serde(default)]
    pub(super) who: Option<String>,
    #[serde(default)]
    pub(super) fields: BTreeMap<String, Amount>,
    #[serde(default)]
    pub(super) ticks: BTreeMap<String, i32>,
}

/// A pool of the table's own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tokens {
    pub(super) name: String,
    #[serde(default)]
    pub(super) owner: Option<String>,
    #[serde(default, rename = "tokens")]
    pub(super) held: i32,
    #[serde(default)]
    pub(super) floor: i32,
    #[serde(default)]
    pub(super) cap: Option<i32>,
    #[serde(default)]
    pub(super) start: i32,
    #[serde(default)]
    pub(super) reset: Reset,
    #[serde(default)]
    pub(super) thresholds: Vec<(i32, String)>,
}

/// One thing that was done; the key that is there says which.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Play {
    /// The time of day, as `19:02:11`.
    pub(super) at: String,
    /// Who did it.
    #[serde(default = "gm")]
    pub(super) seat: String,
    /// The next scene's name.
    pub(super) scene: Option<String>,
    /// A check.
    pub(super) roll: Option<String>,
    /// The character that it is about.
    pub(super) who: Option<String>,
    #[serde(default)]
    pub(super) fields: BTreeMap<String, Amount>,
    #[serde(default)]
    pub(super) faces: Vec<Face>,
    #[serde(default)]
    pub(super) choose: Vec<String>,
    pub(super) clock: Option<String>,
    #[serde(default)]
    pub(super) helpers: Vec<String>,
    #[serde(default)]
    pub(super) hidden_from: Vec<String>,
    /// A note.
    pub(super) note: Option<String>,
    /// The entry that the note is about.
    pub(super) about: Option<u64>,
    /// A clock that is advanced `by` so many segments.
    pub(super) tick: Option<String>,
    /// A pool of `who`, or of the table, that gains or loses `by` so many.
    pub(super) tokens: Option<String>,
    pub(super) by: Option<i32>,
    /// A stat of `who` that becomes `to`, or steps `by`.
    pub(super) stat: Option<String>,
    pub(super) to: Option<Amount>,
    /// The conditions that `who` has from now on.
    pub(super) conditions: Option<Vec<Condition>>,
    /// What `who` may try again.
    pub(super) unlock: Option<String>,
    /// The next round.
    #[serde(default)]
    pub(super) round: bool,
    /// `who` has acted.
    #[serde(default)]
    pub(super) acted: bool,
    /// What was done last is taken back.
    #[serde(default)]
    pub(super) undo: bool,
}

fn gm() -> String {
    "gm".to_owned()
}
