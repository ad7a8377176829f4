//! Initiatives: the numbers by which characters take their turns.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use tableside_text::normalise_number;

/// The largest initiative that can be typed. The smallest one is its negative.
const MOST: i64 = 999;

/// The most decimals of a typed initiative.
const TYPED_DECIMALS: usize = 3;

/// The most decimals of a stored initiative. The last one orders characters that rolled the same total.
const DECIMALS: usize = 4;

/// The number of parts in 1, for [`DECIMALS`] decimals.
const PARTS: i64 = 10_000;

/// The number of parts in the last decimal that can be typed and is shown.
const SHOWN_PARTS: i64 = 10;

/// A character's number in the turn order. A typed initiative has at most three decimals, with which many groups settle
/// ties. A tie that the rules settle after a roll adds a fourth decimal, which is not shown.
///
/// Initiatives are stored and compared exactly. In files and JSON an initiative is a number, as in `15` or `15.5`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Initiative {
    /// Ten-thousandths.
    parts: i64,
}

/// The typed initiative is not a valid number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a number from −{MOST} to {MOST}, with at most three decimals")]
pub struct InitiativeError;

impl Initiative {
    /// Returns the number plus `steps`, within the bounds of typed numbers.
    pub fn stepped(self, steps: i32) -> Self {
        let bound = MOST * PARTS;
        let parts = self.parts + i64::from(steps) * PARTS;
        Self {
            parts: parts.clamp(-bound, bound),
        }
    }

    /// Returns the number for the given place among characters with the same total, 0 for the last one.
    pub(crate) fn at_place(self, place: i32) -> Self {
        Self {
            parts: self.parts + i64::from(place),
        }
    }

    /// Returns the number without the decimal that orders equal totals.
    pub fn shown(self) -> Self {
        Self {
            parts: self.parts - self.parts.rem_euclid(SHOWN_PARTS),
        }
    }

    /// Returns all decimals.
    fn digits(self) -> String {
        let sign = if self.parts < 0 { "-" } else { "" };
        let integer = self.parts.abs() / PARTS;
        let fraction = self.parts.abs() % PARTS;
        if fraction == 0 {
            return format!("{sign}{integer}");
        }

        let decimals = format!("{fraction:0DECIMALS$}");
        format!("{sign}{integer}.{}", decimals.trim_end_matches('0'))
    }

    /// Reads at most `most_decimals` decimals after an optional sign, without the bounds of typed numbers.
    fn read(text: &str, most_decimals: usize) -> Option<Self> {
        let number = normalise_number(text.trim());
        let (sign, digits) = match number.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, number.strip_prefix('+').unwrap_or(&number)),
        };
        let (integer, decimals) = digits.split_once(['.', ',']).unwrap_or((digits, "0"));

        let has_integer = has_digits(integer, 10);
        let has_decimals = has_digits(decimals, most_decimals);
        if !has_integer || !has_decimals {
            return None;
        }

        let integer: i64 = integer.parse().ok()?;
        let fraction: i64 = format!("{decimals:0<DECIMALS$}").parse().ok()?;
        let parts = sign * (integer * PARTS + fraction);
        Some(Self { parts })
    }
}

/// True if a text has one to `most` digits and no other characters.
fn has_digits(text: &str, most: usize) -> bool {
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit());
    is_decimal && (1..=most).contains(&text.len())
}

impl From<i32> for Initiative {
    fn from(integer: i32) -> Self {
        let parts = i64::from(integer) * PARTS;
        Self { parts }
    }
}

impl FromStr for Initiative {
    type Err = InitiativeError;

    fn from_str(text: &str) -> Result<Self, InitiativeError> {
        let number = Self::read(text, TYPED_DECIMALS).ok_or(InitiativeError)?;
        if number.parts.abs() > MOST * PARTS {
            return Err(InitiativeError);
        }
        Ok(number)
    }
}

impl fmt::Display for Initiative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown().digits())
    }
}

impl Serialize for Initiative {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.parts % PARTS == 0 {
            return serializer.serialize_i64(self.parts / PARTS);
        }

        // The nearest floating-point number has the same decimals.
        let number: f64 = self.digits().parse().map_err(serde::ser::Error::custom)?;
        serializer.serialize_f64(number)
    }
}

impl<'de> Deserialize<'de> for Initiative {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Integer(i32),
            Decimal(f64),
        }

        match Written::deserialize(deserializer)? {
            Written::Integer(integer) => Ok(integer.into()),
            Written::Decimal(number) => {
                let initiative = Self::read(&number.to_string(), DECIMALS);
                initiative.ok_or_else(|| serde::de::Error::custom(InitiativeError))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_numbers_are_ordered_and_written_exactly() {
        for (typed, written) in [
            ("15", "15"),
            ("15.5", "15.5"),
            ("15,25", "15.25"),
            ("15.500", "15.5"),
            ("-0.125", "-0.125"),
            ("−３．１", "-3.1"),
            ("+7", "7"),
            ("0", "0"),
            ("999", "999"),
        ] {
            let number: Initiative = typed.parse().unwrap();
            assert_eq!(number.to_string(), written);
            let json = serde_json::to_string(&number).unwrap();
            assert_eq!(json, written);
            assert_eq!(serde_json::from_str::<Initiative>(&json).unwrap(), number);
            let toml =
                toml::to_string(&std::collections::BTreeMap::from([("it", number)])).unwrap();
            assert_eq!(toml, format!("it = {written}\n"));
        }
        let order: Vec<Initiative> = ["-2", "-1.5", "9", "15.05", "15.5", "15.51", "16"]
            .map(|typed| typed.parse().unwrap())
            .into();
        assert!(order.is_sorted());
    }

    #[test]
    fn the_order_of_equal_totals_is_stored_but_not_shown() {
        for total in [8, 0, -3] {
            let last = Initiative::from(total);
            let first = last.at_place(2);
            assert!(first > last);
            assert!(first < last.stepped(1));
            assert_eq!(first.to_string(), total.to_string());
            assert_eq!(first.shown(), last);

            let json = serde_json::to_string(&first).unwrap();
            assert_eq!(serde_json::from_str::<Initiative>(&json).unwrap(), first);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for typed in [
            "", "-", "1e2", "15.", ".5", "1.2345", "1.2.3", "1 5", "1000", "999.001", "12 HP",
            "five",
        ] {
            typed.parse::<Initiative>().unwrap_err();
        }
    }
}
