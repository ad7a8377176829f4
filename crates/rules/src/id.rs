//! The ids of pools and clocks.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::permanent::intern;

/// The id of a pool or a clock in rules, JSON and files, such as `watch-actions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
#[derive(derive_more::Display)]
pub struct Id(&'static str);

/// The largest number of characters in an id.
const LONGEST: usize = 40;

/// The most different ids that one process reads. Each stays in memory until the program ends.
const MOST_IDS: usize = 100_000;

impl Id {
    /// The id that stands for the absence of a pool or clock.
    pub const NONE: Self = Self::new("none");

    /// Creates an id in Rust code.
    pub const fn new(id: &'static str) -> Self {
        Self(id)
    }

    /// Returns the text.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

/// Stores each distinct id once, until the program ends.
impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        static IDS: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());

        let text = String::deserialize(from)?;
        if !is_valid(&text) {
            return Err(D::Error::custom(format!(
                "invalid id {text:.LONGEST$?}: use 1 to {LONGEST} of a to z, 0 to 9 and -"
            )));
        }

        let mut ids = IDS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = ids.get(&*text) {
            return Ok(Self(id));
        }
        if ids.len() == MOST_IDS {
            return Err(D::Error::custom(
                "too many different ids were read since the program started; restart it",
            ));
        }

        let id = intern(&text);
        ids.insert(id);
        Ok(Self(id))
    }
}

fn is_valid(id: &str) -> bool {
    let has_valid_length = (1..=LONGEST).contains(&id.len());
    let has_valid_letters = id
        .bytes()
        .all(|letter| matches!(letter, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    has_valid_length && has_valid_letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_stored_once_and_other_texts_are_refused() {
        let read = |text: &str| serde_json::from_value::<Id>(text.into());
        let first = read("stress-2").unwrap();
        let second = read("stress-2").unwrap();
        assert!(std::ptr::eq(first.as_str(), second.as_str()));
        assert_eq!(first, Id::new("stress-2"));
        assert_eq!(first.to_string(), "stress-2");

        for wrong in ["", "Stress", "stress 2", &"a".repeat(41)] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
