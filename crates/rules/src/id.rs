//! Names that systems give: of their pools and their clocks.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::permanent::intern;

/// The name of a pool or a clock in rules, JSON and files: `watch-actions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
#[derive(derive_more::Display)]
pub struct Id(&'static str);

/// The most characters.
const LONGEST: usize = 40;

/// How many different names are read at most. Each stays in memory until the program ends.
const MOST_NAMES: usize = 100_000;

impl Id {
    /// No pool and no clock.
    pub const NONE: Self = Self::new("none");

    /// The name that a system's own code gives.
    pub const fn new(id: &'static str) -> Self {
        Self(id)
    }

    /// The name as it is written.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

/// Each name that is read stays for as long as the program runs, once.
impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        static READ: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
        let id = String::deserialize(from)?;
        let is_plain = |letter: u8| matches!(letter, b'a'..=b'z' | b'0'..=b'9' | b'-');
        if !(1..=LONGEST).contains(&id.len()) || !id.bytes().all(is_plain) {
            return Err(D::Error::custom(format!(
                "a name is 1 to {LONGEST} of a-z, 0-9 and -, and {id:.LONGEST$?} was given"
            )));
        }
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.get(&*id) {
            return Ok(Self(known));
        }
        if read.len() == MOST_NAMES {
            return Err(D::Error::custom("too many different names were read"));
        }

        let id = intern(&id);
        read.insert(id);
        Ok(Self(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_once_and_no_other_text_is_one() {
        let read = |text: &str| serde_json::from_value::<Id>(text.into());
        let (one, again) = (read("stress-2").unwrap(), read("stress-2").unwrap());
        assert!(std::ptr::eq(one.as_str(), again.as_str()));
        assert_eq!(
            (one, one.to_string()),
            (Id::new("stress-2"), "stress-2".into())
        );
        for wrong in ["", "Stress", "stress 2", &"a".repeat(41)] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
