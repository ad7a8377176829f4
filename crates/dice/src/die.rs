//! One die: its size, its faces, its name.

use std::str::FromStr;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What a die shows.
pub type Face = i16;

/// A die with faces of its own, as a system's file describes it.
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CustomDie {
    /// Its name: `fudge`.
    pub name: &'static str,
    /// What it shows, one for each side: numbers, or the places from 1 where it shows symbols.
    pub faces: &'static [Face],
    /// How each side is written; none where the number is.
    pub marks: &'static [&'static str],
    /// Each symbol with how often each side shows it.
    pub symbols: &'static [(&'static str, &'static [i32])],
}

/// A die that a check can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, derive_more::Display)]
#[display("{}", self.name())]
#[derive(Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Die {
    /// Four faces, 1–4.
    D4,
    /// Six faces, 1–6.
    D6,
    /// Eight faces, 1–8.
    D8,
    /// Ten faces, 1–10, the 10 printed as 0.
    D10,
    /// Twelve faces, 1–12.
    D12,
    /// Twenty faces, 1–20.
    D20,
    /// A ten-sided die read as a digit, 0–9: the tens and the ones of a d100.
    Digit,
    /// Another number of sides, 2 to 100, with the faces from 1 up.
    Sides(u8),
    /// Faces of its own.
    Custom(&'static CustomDie),
}

/// The most sides that a die has.
const MOST_SIDES: usize = 100;

impl Die {
    /// The dice that a sheet or a field may name, smallest first.
    pub const LADDER: [Self; 6] = [
        Self::D4,
        Self::D6,
        Self::D8,
        Self::D10,
        Self::D12,
        Self::D20,
    ];

    /// The lowest face: 0 for a digit, else 1 or what its own faces say.
    pub fn lowest(self) -> Face {
        match self {
            Self::Digit => 0,
            Self::Custom(own) => own.faces.iter().copied().min().unwrap_or(1),
            _ => 1,
        }
    }

    /// The highest face: 9 for a digit, else the number of faces or what its own faces say.
    #[inline]
    pub fn highest(self) -> Face {
        match self {
            Self::D4 => 4,
            Self::D6 => 6,
            Self::D8 => 8,
            Self::D10 => 10,
            Self::D12 => 12,
            Self::D20 => 20,
            Self::Digit => 9,
            Self::Sides(sides) => sides.into(),
            Self::Custom(own) => own.faces.iter().copied().max().unwrap_or(1),
        }
    }

    /// How many sides it has.
    pub fn sides(self) -> u8 {
        let sides = match self {
            Self::Custom(own) => own.faces.len(),
            Self::Digit => 10,
            plain => return u8::try_from(plain.highest()).unwrap_or(u8::MAX),
        };
        u8::try_from(sides).unwrap_or(u8::MAX)
    }

    /// What it shows on each of its sides.
    pub fn faces(self) -> Vec<Face> {
        match self {
            Self::Custom(own) => own.faces.to_vec(),
            plain => (plain.lowest()..=plain.highest()).collect(),
        }
    }

    /// Whether the die has this face.
    pub fn has(self, face: Face) -> bool {
        match self {
            Self::Custom(own) => own.faces.contains(&face),
            plain => face >= plain.lowest() && face <= plain.highest(),
        }
    }

    /// The die with so many sides: one of the ladder where it has them.
    pub fn with_sides(sides: u8) -> Self {
        let known = Self::LADDER.into_iter().find(|die| die.sides() == sides);
        known.unwrap_or_else(|| Self::Sides(sides.clamp(2, 100)))
    }

    /// Checks a face that was given in that place, counted from 1.
    pub fn check(self, face: Face, position: usize) -> Result<(), FaceError> {
        if self.has(face) {
            return Ok(());
        }
        let faces = (self.lowest().into(), self.highest().into());
        let error = FaceError::no_such_face(position, face.into(), self.name(), faces);
        Err(error)
    }

    /// The face meant by one read off a real die: the 0 of a ten-sided one is a 10, except on a digit, and the 00 of a
    /// d100 is 100.
    pub const fn face_from_printed(self, printed: Face) -> Face {
        match (self, printed) {
            (Self::D10, 0) => 10,
            (Self::Sides(100), 0) => 100,
            (_, face) => face,
        }
    }

    /// Its name as written on sheets and in JSON; the ten-sided dice are all `d10`.
    pub fn name(self) -> &'static str {
        static NAMES: LazyLock<Vec<String>> =
            LazyLock::new(|| (0..=MOST_SIDES).map(|sides| format!("d{sides}")).collect());
        if let Self::Custom(own) = self {
            return own.name;
        }
        &NAMES[usize::from(self.sides()).min(MOST_SIDES)]
    }

    /// A face as it is written on the die: its mark, else its number.
    pub fn face_label(self, face: Face) -> String {
        let mark = match self {
            Self::Custom(own) => {
                let place = own.faces.iter().position(|known| *known == face);
                place.and_then(|place| own.marks.get(place))
            }
            _ => None,
        };
        mark.map_or_else(|| face.to_string(), |mark| (*mark).to_owned())
    }

    /// The next smaller die of the ladder, if there is one.
    pub fn next_smaller(self) -> Option<Self> {
        Self::LADDER.into_iter().rev().find(|die| *die < self)
    }
}

impl From<Die> for &'static str {
    fn from(die: Die) -> Self {
        die.name()
    }
}

/// Faces that do not belong to the dice asked for, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct FaceError(String);

impl FaceError {
    /// Fewer faces than dice: so many are needed up to and with those asked for.
    pub fn too_few(needed: usize, given: usize, asked: &str) -> Self {
        Self(format!(
            "too few faces: {needed} needed so far ({asked}), {given} given"
        ))
    }

    /// More faces than dice.
    pub fn too_many(needed: usize, given: usize) -> Self {
        Self(format!("too many faces: {needed} needed, {given} given"))
    }

    /// The die does not have the face that was given in that place, counted from 1.
    pub fn no_such_face(position: usize, face: i32, die: &str, (from, to): (i32, i32)) -> Self {
        let between = if from < 0 { " to " } else { "–" };
        Self(format!(
            "face {position} is {face}, and a {die} has the faces {from}{between}{to}"
        ))
    }
}

/// The text names no die of the ladder.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0} is no die; the dice are d4, d6, d8, d10, d12 and d20")]
pub struct UnknownDie(pub String);

impl FromStr for Die {
    type Err = UnknownDie;

    fn from_str(text: &str) -> Result<Self, UnknownDie> {
        let size = text.strip_prefix(['d', 'D']).unwrap_or_default();
        let mut ladder = Self::LADDER.into_iter();
        let known = ladder.find(|die| die.name().trim_start_matches('d') == size);
        known.ok_or_else(|| UnknownDie(text.to_owned()))
    }
}

impl TryFrom<String> for Die {
    type Error = UnknownDie;

    fn try_from(text: String) -> Result<Self, UnknownDie> {
        text.parse()
    }
}
