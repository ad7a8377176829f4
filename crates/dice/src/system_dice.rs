//! Sources of rolled faces: a trait, and a cryptographic random generator.

use rand::rngs::{ChaCha12Rng, SysError, SysRng};
use rand::{RngExt, SeedableRng, TryRng};
use thiserror::Error;

use super::{Die, Face};

/// A source of rolled faces.
///
/// Functions that roll take it as an argument, so that a test or a replay can supply its own faces.
pub trait Dice {
    /// Returns a number from 1 to `sides`, each with the same probability. `sides` is at least 1.
    fn up_to(&mut self, sides: u32) -> u32;

    /// Rolls a die. Each side has the same probability.
    fn roll(&mut self, die: Die) -> Face {
        let side = self.up_to(u32::from(die.sides())) - 1;
        match die {
            Die::Custom(custom) => usize::try_from(side).map_or(0, |side| custom.faces[side]),
            plain => plain.lowest() + Face::try_from(side).unwrap_or_default(),
        }
    }
}

/// Dice from the `ChaCha12` generator, seeded by the operating system or by a key. Sampling is unbiased.
#[derive(Debug)]
pub struct SystemDice(ChaCha12Rng);

/// The error for a text that is not a seed. It holds a description of the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the seed must be 64 hexadecimal digits, and this is {0}")]
pub struct SeedError(String);

impl SystemDice {
    /// Creates dice seeded by the operating system.
    ///
    /// # Errors
    /// If the operating system cannot supply random bytes.
    pub fn from_system() -> Result<Self, SysError> {
        let mut key = [0; 32];
        SysRng.try_fill_bytes(&mut key)?;
        Ok(Self::from_key(key))
    }

    /// Creates dice from a key. The same key gives the same faces.
    pub fn from_key(key: [u8; 32]) -> Self {
        Self(ChaCha12Rng::from_seed(key))
    }

    /// Creates dice from a key of 64 hexadecimal digits.
    ///
    /// # Errors
    /// If the text does not consist of 64 hexadecimal digits.
    pub fn from_hex(text: &str) -> Result<Self, SeedError> {
        let is_hex = text.chars().all(|digit| digit.is_ascii_hexdigit());
        if !is_hex || text.len() != 64 {
            return Err(SeedError(match text.len() {
                1 if is_hex => "1 digit".to_owned(),
                count if is_hex => format!("{count} digits"),
                _ => "something else".to_owned(),
            }));
        }
        let mut key = [0; 32];
        base16ct::mixed::decode(text, &mut key).expect("64 hexadecimal digits were just counted");
        Ok(Self::from_key(key))
    }
}

impl Dice for SystemDice {
    fn up_to(&mut self, sides: u32) -> u32 {
        self.0.random_range(1..=sides.max(1))
    }
}
