//! Initiatives: the numbers by which characters take their turns.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use tableside_text::normalise_number;

/// The largest initiative that can be typed. The smallest one is its negative.
const MOST: i64 = 999;

/// The number of thousandths in 1, because initiatives have three decimals.
const PARTS: i64 = 1000;

/// A character's number in the turn order. An initiative has at most three decimals, with which many groups settle
/// ties.
///
/// Initiatives are stored and compared exactly. In files and JSON an initiative is a number, as in `15` or `15.5`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Initiative {
    thousandths: i64,
}

/// The typed initiative is not a valid number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a number from −{MOST} to {MOST}, with at most three decimals")]
pub struct InitiativeError;

impl Initiative {
    /// Returns the number plus `steps`, within the bounds of typed numbers.
    pub fn stepped(self, steps: i32) -> Self {
        let bound = MOST * PARTS;
        let thousandths = self.thousandths + i64::from(steps) * PARTS;
        Self {
            thousandths: thousandths.clamp(-bound, bound),
        }
    }

    /// Returns the number plus thousandths, which order characters with the same total.
    pub(crate) fn plus_thousandths(self, thousandths: i32) -> Self {
        Self {
            thousandths: self.thousandths + i64::from(thousandths),
        }
    }

    /// Reads decimal digits after an optional sign, without the bounds of typed numbers.
    fn read(text: &str) -> Option<Self> {
        let number = normalise_number(text.trim());
        let (sign, digits) = match number.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, number.strip_prefix('+').unwrap_or(&number)),
        };
        let (integer, decimals) = digits.split_once(['.', ',']).unwrap_or((digits, "0"));

        let has_integer = has_digits(integer, 10);
        let has_decimals = has_digits(decimals, 3);
        if !has_integer || !has_decimals {
            return None;
        }

        let integer: i64 = integer.parse().ok()?;
        let fraction: i64 = format!("{decimals:0<3}").parse().ok()?;
        let thousandths = sign * (integer * PARTS + fraction);
        Some(Self { thousandths })
    }
}

/// True if a text has one to `most` digits and no other characters.
fn has_digits(text: &str, most: usize) -> bool {
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit());
    is_decimal && (1..=most).contains(&text.len())
}

impl From<i32> for Initiative {
    fn from(integer: i32) -> Self {
        let thousandths = i64::from(integer) * PARTS;
        Self { thousandths }
    }
}

impl FromStr for Initiative {
    type Err = InitiativeError;

    fn from_str(text: &str) -> Result<Self, InitiativeError> {
        let number = Self::read(text).ok_or(InitiativeError)?;
        if number.thousandths.abs() > MOST * PARTS {
            return Err(InitiativeError);
        }
        Ok(number)
    }
}

impl fmt::Display for Initiative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.thousandths < 0 { "-" } else { "" };
        let integer = self.thousandths.abs() / PARTS;
        let fraction = self.thousandths.abs() % PARTS;
        if fraction == 0 {
            return write!(f, "{sign}{integer}");
        }

        let decimals = format!("{fraction:03}");
        write!(f, "{sign}{integer}.{}", decimals.trim_end_matches('0'))
    }
}

impl Serialize for Initiative {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.thousandths % PARTS == 0 {
            return serializer.serialize_i64(self.thousandths / PARTS);
        }

        // The nearest floating-point number has the same three decimals.
        let number: f64 = self
            .to_string()
            .parse()
            .map_err(serde::ser::Error::custom)?;
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
                let initiative = Self::read(&number.to_string());
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
    fn other_texts_are_refused() {
        for typed in [
            "", "-", "1e2", "15.", ".5", "1.2345", "1.2.3", "1 5", "1000", "999.001", "12 HP",
            "five",
        ] {
            typed.parse::<Initiative>().unwrap_err();
        }
    }
}
