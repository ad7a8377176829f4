//! Where faces come from when nobody types them: a cryptographic generator.

use rand::rngs::{ChaCha12Rng, SysError, SysRng};
use rand::{RngExt, SeedableRng, TryRng};
use thiserror::Error;

use super::{Die, Face};

/// A source of faces. Dice are an argument: no rule reaches for them.
pub trait Dice {
    /// A number from 1 to `sides`, which is at least 1, each as likely as the others.
    fn up_to(&mut self, sides: u32) -> u32;

    /// A face of that die, each as likely as the others.
    fn roll(&mut self, die: Die) -> Face {
        let side = self.up_to(u32::from(die.sides())) - 1;
        match die {
            Die::Custom(own) => usize::try_from(side).map_or(0, |side| own.faces[side]),
            plain => plain.lowest() + Face::try_from(side).unwrap_or_default(),
        }
    }
}

/// `ChaCha12` with unbiased range sampling, seeded by the operating system or by a key.
#[derive(Debug)]
pub struct SystemDice(ChaCha12Rng);

/// A text that is no seed, with what it is instead, in words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the seed must be 64 hexadecimal digits, and this is {0}")]
pub struct SeedError(String);

impl SystemDice {
    /// A generator seeded by the operating system.
    ///
    /// # Errors
    /// When the operating system has no randomness to give.
    pub fn from_system() -> Result<Self, SysError> {
        let mut key = [0; 32];
        SysRng.try_fill_bytes(&mut key)?;
        Ok(Self::from_key(key))
    }

    /// The generator with that key; the same key gives the same faces.
    pub fn from_key(key: [u8; 32]) -> Self {
        Self(ChaCha12Rng::from_seed(key))
    }

    /// The generator with the key that 64 hexadecimal digits spell.
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
        let read = base16ct::mixed::decode(text, &mut key);
        read.expect("64 hexadecimal digits were just counted");
        Ok(Self::from_key(key))
    }
}

impl Dice for SystemDice {
    fn up_to(&mut self, sides: u32) -> u32 {
        self.0.random_range(1..=sides.max(1))
    }
}
