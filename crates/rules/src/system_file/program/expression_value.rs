//! The values of expressions.

use std::fmt;

use rhai::ImmutableString;

use crate::Value;

/// A value in an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ExpressionValue {
    Number(i64),
    Word(ImmutableString),
    Truth(bool),
}

impl Default for ExpressionValue {
    fn default() -> Self {
        Self::Number(0)
    }
}

/// Converts the value of a field. A flag is 0 or 1, a die its number of sides, and a list of ranks its highest rank.
impl From<&Value> for ExpressionValue {
    fn from(value: &Value) -> Self {
        match value {
            Value::Flag(flag) => Self::Number(i64::from(*flag)),
            Value::Number(number) => Self::Number((*number).into()),
            Value::Die(die) => Self::Number(die.sides().into()),
            Value::Text(text) => Self::Word(text.into()),
            Value::Ranks(ranks) => {
                let highest = ranks.iter().map(|(_, rank)| *rank).max();
                Self::Number(highest.unwrap_or_default().into())
            }
        }
    }
}

impl ExpressionValue {
    /// Returns the number, or an error for a word. True is 1.
    pub(crate) fn amount(self) -> Result<i32, String> {
        match self {
            Self::Number(number) => {
                i32::try_from(number).map_err(|_out| format!("{number} is out of range"))
            }
            Self::Truth(truth) => Ok(truth.into()),
            Self::Word(word) => Err(format!("expected a number, got {word:?}")),
        }
    }
}

impl fmt::Display for ExpressionValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) if *number < 0 => write!(formatter, "−{}", number.unsigned_abs()),
            Self::Number(number) => number.fmt(formatter),
            Self::Word(word) => formatter.write_str(word),
            Self::Truth(true) => formatter.write_str("yes"),
            Self::Truth(false) => formatter.write_str("no"),
        }
    }
}
