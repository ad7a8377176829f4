//! One die: its size, its faces, its name.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::FaceError;

/// What a die shows.
pub type Face = u8;

/// A die that a check can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
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
}

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

    /// The lowest face: 0 for a digit, else 1.
    pub const fn lowest(self) -> Face {
        if matches!(self, Self::Digit) { 0 } else { 1 }
    }

    /// The highest face: 9 for a digit, else the number of faces.
    pub const fn highest(self) -> Face {
        match self {
            Self::D4 => 4,
            Self::D6 => 6,
            Self::D8 => 8,
            Self::D10 => 10,
            Self::D12 => 12,
            Self::D20 => 20,
            Self::Digit => 9,
        }
    }

    /// How many faces it has.
    pub const fn sides(self) -> u8 {
        self.highest() - self.lowest() + 1
    }

    /// Whether the die has this face.
    pub const fn has(self, face: Face) -> bool {
        face >= self.lowest() && face <= self.highest()
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

    /// The face meant by one read off a real die: the 0 of a ten-sided one is a 10, except on a digit.
    pub const fn as_read(self, printed: Face) -> Face {
        match (self, printed) {
            (Self::D10, 0) => 10,
            (_, face) => face,
        }
    }

    /// Its name as written on sheets and in JSON; the ten-sided dice are all `d10`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::D4 => "d4",
            Self::D6 => "d6",
            Self::D8 => "d8",
            Self::D10 | Self::Digit => "d10",
            Self::D12 => "d12",
            Self::D20 => "d20",
        }
    }

    /// The next larger die of the ladder, if there is one.
    pub fn up(self) -> Option<Self> {
        Self::LADDER.into_iter().find(|die| *die > self)
    }

    /// The next smaller die of the ladder, if there is one.
    pub fn down(self) -> Option<Self> {
        Self::LADDER.into_iter().rev().find(|die| *die < self)
    }
}

impl fmt::Display for Die {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl From<Die> for &'static str {
    fn from(die: Die) -> Self {
        die.name()
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
        Self::LADDER
            .into_iter()
            .find(|die| die.name().trim_start_matches('d') == size)
            .ok_or_else(|| UnknownDie(text.to_owned()))
    }
}

impl TryFrom<String> for Die {
    type Error = UnknownDie;

    fn try_from(text: String) -> Result<Self, UnknownDie> {
        text.parse()
    }
}
