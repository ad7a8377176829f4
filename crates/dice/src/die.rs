//! One die: its sides, its faces and its name.

use std::str::FromStr;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The number that a die shows.
pub type Face = i16;

/// A die with any faces or symbols.
///
/// [`Die`] holds a `'static` reference to it: put it in a `static`, or leak it.
///
/// ```
/// use tableside_dice::{CustomDie, Die};
///
/// static FUDGE: CustomDie = CustomDie {
///     name: "fudge",
///     faces: &[-1, -1, 0, 0, 1, 1],
///     marks: &["−", "−", "0", "0", "+", "+"],
///     symbols: &[],
/// };
/// assert_eq!(Die::Custom(&FUDGE).face_label(-1), "−");
/// ```
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CustomDie {
    /// The name, such as `fudge`.
    pub name: &'static str,
    /// The number on each side. For a die with symbols, the numbers of the sides themselves: 1, 2, 3, …
    pub faces: &'static [Face],
    /// The text on each side. Empty if it is the number.
    pub marks: &'static [&'static str],
    /// Each symbol with the number of times that each side shows it.
    pub symbols: &'static [(&'static str, &'static [i32])],
}

/// A kind of die.
///
/// Dice are ordered by their variants, so the dice of [`Die::LADDER`] come first and in order of size.
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
    /// A ten-sided die read as a digit, 0–9, such as the tens and the ones of a percentile roll.
    Digit,
    /// Another number of sides, 2 to 100, with the faces from 1.
    Sides(u8),
    /// A die with other faces.
    Custom(&'static CustomDie),
}

/// The largest number of sides of a plain die.
const MOST_SIDES: usize = 100;

impl Die {
    /// The common dice, smallest first. Rules with step dice replace a die by its neighbour in this list.
    pub const LADDER: [Self; 6] = [
        Self::D4,
        Self::D6,
        Self::D8,
        Self::D10,
        Self::D12,
        Self::D20,
    ];

    /// Returns the lowest face.
    pub fn lowest(self) -> Face {
        match self {
            Self::Digit => 0,
            Self::Custom(custom) => {
                let lowest = custom.faces.iter().min();
                lowest.copied().unwrap_or(1)
            }
            _ => 1,
        }
    }

    /// Returns the highest face.
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
            Self::Custom(custom) => {
                let highest = custom.faces.iter().max();
                highest.copied().unwrap_or(1)
            }
        }
    }

    /// Returns the number of sides.
    pub fn sides(self) -> u8 {
        match self {
            Self::Custom(custom) => u8::try_from(custom.faces.len()).unwrap_or(u8::MAX),
            Self::Digit => 10,
            plain => u8::try_from(plain.highest()).unwrap_or(u8::MAX),
        }
    }

    /// Returns the face on each side. Faces of a custom die may repeat.
    pub fn faces(self) -> Vec<Face> {
        match self {
            Self::Custom(custom) => custom.faces.to_vec(),
            plain => {
                let faces = plain.lowest()..=plain.highest();
                faces.collect()
            }
        }
    }

    /// Returns true if a side shows this face.
    pub fn has(self, face: Face) -> bool {
        match self {
            Self::Custom(custom) => custom.faces.contains(&face),
            plain => face >= plain.lowest() && face <= plain.highest(),
        }
    }

    /// Returns the die with that number of sides, one of [`Die::LADDER`] if possible. The number is limited to 2 to 100.
    pub fn with_sides(sides: u8) -> Self {
        Self::LADDER
            .into_iter()
            .find(|die| die.sides() == sides)
            .unwrap_or_else(|| Self::Sides(sides.clamp(2, 100)))
    }

    /// Checks a face that was entered by hand. The error names its position, counted from 1.
    ///
    /// # Errors
    /// If the die does not have this face.
    pub fn check(self, face: Face, position: usize) -> Result<(), FaceError> {
        if self.has(face) {
            return Ok(());
        }
        let lowest = i32::from(self.lowest());
        let highest = i32::from(self.highest());
        Err(FaceError::no_such_face(
            position,
            face.into(),
            self.name(),
            (lowest, highest),
        ))
    }

    /// Translates the face printed on a real die: the 0 of a d10 is 10, and the 00 of a d100 is 100. A digit stays.
    pub const fn face_from_printed(self, printed: Face) -> Face {
        match (self, printed) {
            (Self::D10, 0) => 10,
            (Self::Sides(100), 0) => 100,
            (_, face) => face,
        }
    }

    /// Returns the name, which is stored in JSON. All dice with ten sides are `d10`.
    pub fn name(self) -> &'static str {
        static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
            let sides = 0..=MOST_SIDES;
            sides.map(|sides| format!("d{sides}")).collect()
        });
        if let Self::Custom(custom) = self {
            return custom.name;
        }
        &NAMES[usize::from(self.sides()).min(MOST_SIDES)]
    }

    /// Returns the text that the die shows for a face: its mark, or the number.
    pub fn face_label(self, face: Face) -> String {
        let mark = match self {
            Self::Custom(custom) => custom.mark(face),
            _ => None,
        };
        match mark {
            Some(mark) => mark.to_owned(),
            None => face.to_string(),
        }
    }

    /// Returns the next smaller die of [`Die::LADDER`], if there is one.
    pub fn next_smaller(self) -> Option<Self> {
        let mut largest_first = Self::LADDER.into_iter().rev();
        largest_first.find(|die| *die < self)
    }
}

impl CustomDie {
    /// Returns the text of the first side that shows a face.
    fn mark(&self, face: Face) -> Option<&'static str> {
        let side = self.faces.iter().position(|shown| *shown == face)?;
        self.marks.get(side).copied()
    }
}

impl From<Die> for &'static str {
    fn from(die: Die) -> Self {
        die.name()
    }
}

/// The error for faces that do not fit the dice, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct FaceError(String);

impl FaceError {
    /// There are fewer faces than dice. `needed` includes earlier rolls, and `dice` names the dice of the current roll.
    pub fn too_few(needed: usize, given: usize, dice: &str) -> Self {
        Self(format!(
            "too few faces: {needed} needed so far ({dice}), {given} given"
        ))
    }

    /// There are more faces than dice.
    pub fn too_many(needed: usize, given: usize) -> Self {
        Self(format!("too many faces: {needed} needed, {given} given"))
    }

    /// The face at that position, counted from 1, is outside the lowest and highest face of its die.
    pub fn no_such_face(position: usize, face: i32, die: &str, bounds: (i32, i32)) -> Self {
        let (from, to) = bounds;
        let between = if from < 0 { " to " } else { "–" };
        Self(format!(
            "face {position} is {face}, and a {die} has the faces {from}{between}{to}"
        ))
    }
}

/// The error for a text that is not the name of a die of [`Die::LADDER`]. It holds the text.
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
