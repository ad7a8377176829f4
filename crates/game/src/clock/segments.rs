//! The size of a clock.

use serde::{Deserialize, Serialize};

use crate::{CommandError, Result};

/// The number of segments of a clock, from 2 to 128.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    derive_more::Into,
    Serialize,
    Deserialize,
)]
#[serde(into = "u8", try_from = "i32")]
pub struct Segments(u8);

impl Segments {
    pub const MIN: u8 = 2;
    pub const MAX: u8 = 128;

    pub const fn count(self) -> u8 {
        self.0
    }

    /// Adds segments, or removes them if `by` is negative, within the bounds of clocks.
    pub fn saturating_add(self, by: i32) -> Self {
        let count = i32::from(self.0).saturating_add(by);
        let bounded = count.clamp(Self::MIN.into(), Self::MAX.into());
        Self(u8::try_from(bounded).unwrap_or(Self::MAX))
    }
}

impl Default for Segments {
    fn default() -> Self {
        Self(Self::MIN)
    }
}

impl TryFrom<i32> for Segments {
    type Error = CommandError;

    fn try_from(count: i32) -> Result<Self> {
        match u8::try_from(count) {
            Ok(count @ Self::MIN..=Self::MAX) => Ok(Self(count)),
            _ => Err(CommandError::Segments(count)),
        }
    }
}
