//! Fields: the inputs of checks and the stats of sheets, described as data.
//!
//! The roll dialog, the flags of the command line, `systems --json` and the help are made from these descriptions.

use strum::{EnumString, VariantNames};

use super::system_file::SheetPart;
use super::{Id, Kind, RuleError, Value};
use tableside_dice::Die;

/// The source of a field's value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValueSource {
    /// The players decide it at the table.
    #[default]
    Table,
    /// The stat of this id.
    Stat(&'static str),
    /// One of these stats, picked by name. If a stat is a list, one of its entries is picked. Dialogs offer the first
    /// stat. If the field takes words, the number of the stat selects the word: its minimum the first word, and so on.
    OneOf {
        /// The ids of the stats.
        stats: &'static [&'static str],
        /// True if several names may be given, joined by `+` or a comma. The highest of their values counts.
        best: bool,
    },
    /// One entry of a list of names with ranks.
    Ranked {
        /// The stat that holds the list.
        list: &'static str,
        /// True if the field begins with the highest entry of the list, until another is picked.
        offer: bool,
    },
    /// Derived from the sheet by `Field::parts`, or by [`super::Code::derive`] if the field has no parts.
    Derived,
    /// Derived from the name that was picked for the field of this id, by [`Field::follows`], or by
    /// [`super::Code::derive`] if that is empty.
    Follows(&'static str),
    /// The number of filled segments of the clock that the check is made for.
    Clock,
    /// The level of the character's condition whose name begins with this, 1 for a condition without levels.
    Condition(&'static str),
    /// The number of tokens in a pool of the character. With `owed` it is the number of tokens that the pool is below
    /// 0, otherwise the number above 0.
    Tokens {
        /// The id of the pool.
        kind: Id,
        /// True if the field counts owed tokens. All owed tokens must be used.
        owed: bool,
    },
}

/// The character whose sheet a field is read from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Whose {
    /// The rolling character.
    #[default]
    Own,
    /// A helper.
    Helper,
    /// The opponent.
    Opponent,
    /// A helper of the opponent.
    OpponentHelper,
}

/// How often a field is changed before a roll.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Asked {
    /// For nearly every roll.
    Always,
    /// For some rolls.
    #[default]
    AtTimes,
    /// For few rolls. Dialogs hide the field until the player shows it, and brief displays omit it.
    Seldom,
}

/// A text stat that lists one name for each point of another stat, and the question for the next name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatQuestion {
    /// The id of the stat that counts the names.
    pub each: &'static str,
    /// The question, with `{name}` for the name of the character.
    pub question: &'static str,
    /// The suggested names. Others may be typed.
    pub answers: &'static [&'static str],
}

/// An input of a check, or a stat of a sheet.
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// Its name on the command line and in JSON.
    pub id: &'static str,
    /// Its name on the screen.
    pub label: &'static str,
    /// The kind of its values, with their bounds.
    pub kind: Kind,
    /// The default value. `None` if the field must be given, and for an optional field, which may stay without a value.
    pub start: Option<Value>,
    /// True if it may be left out although it has no default (Gnosis: `pain` or `difficulty`).
    pub optional: bool,
    /// The id of the house rule whose value is the default.
    pub house: Option<&'static str>,
    /// The source of its value.
    pub source: ValueSource,
    /// The terms whose sum is the value of a derived field. Empty if Rust code derives it.
    pub(super) parts: &'static [SheetPart],
    /// For [`ValueSource::Follows`]: the value of this field for each stat that can be picked for the other field.
    pub follows: Vec<(&'static str, Value)>,
    /// The character whose sheet provides the value.
    pub whose: Whose,
    /// One sentence of help.
    pub help: &'static str,
    /// Names of some of its numbers, shown after the number: `(12, "Hard")`.
    pub names: Vec<(i32, &'static str)>,
    /// The pool from which the roll spends as many tokens as its number.
    pub spends: Option<Id>,
    /// The pool in which the roll gains as many tokens as its number.
    pub gains: Option<Id>,
    /// For a field of the opponent: the field of the roller whose stat is used if only the opponent's name is given. A
    /// defender then rolls the same ability as the attacker.
    pub like: Option<&'static str>,
    /// The value that a dialog shows first.
    pub begins: Beginning,
    /// How often players change it before a roll.
    pub asked: Asked,
    /// For stats: the abbreviation on cards and in narrow columns, two to seven letters, or one for a text. Empty if lists leave the stat out.
    pub short: &'static str,
    /// For stats: the heading of its group, or empty.
    pub group: &'static str,
    /// For stats: true if it describes the character's present state and not an ability. Checks do not read it from the
    /// sheet of an opponent.
    pub state: bool,
    /// For stats: the id of the stat whose die is the upper bound. A reduced heart die, for example, is never larger
    /// than the full one.
    pub at_most: Option<&'static str>,
    /// For text stats: the question for a name when another stat rises.
    pub asks: Option<StatQuestion>,
    /// For fields of checks: how results mention the value, with `{}` for it: `{} effect`. `None` if they do not.
    pub said: Option<&'static str>,
    /// For stats: the id of the stat that holds its maximum, such as the hit point maximum. Both are shown as one value,
    /// `26/30`.
    pub most: Option<&'static str>,
    /// The field that excludes this field. If both are optional, one of them must be given.
    pub excludes: Option<&'static str>,
    /// The id of the number without which this field has no effect. While that number is 0, dialogs hide this field and
    /// titles do not name its value.
    pub needs: Option<&'static str>,
    /// True if it holds the number of helpers.
    pub counts_helpers: bool,
}

/// The value that a dialog shows first in a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beginning {
    /// The default, or else the middle of the bounds.
    #[default]
    Usual,
    /// This number, if the field has no default.
    Number(i32),
    /// The value that the same character last used, because it is closer than that of the sheet.
    Last,
}

impl Field {
    /// Returns the value that a new character has.
    ///
    /// # Panics
    /// If the stat has no default, which the reader of system files refuses.
    pub fn at_first(&self) -> Value {
        self.start
            .clone()
            .expect("a stat without a start is refused when its file is read")
    }

    /// True if its value is picked from a sheet by name.
    pub fn is_picked(&self) -> bool {
        matches!(
            self.source,
            ValueSource::OneOf { .. } | ValueSource::Ranked { .. }
        ) && self.like.is_none()
    }

    /// True if the picked name is the ability or skill that the check tests. It is then a value of the roller that
    /// neither spends nor gains tokens.
    pub fn is_tested(&self) -> bool {
        let changes_tokens = self.spends.is_some() || self.gains.is_some();
        self.whose == Whose::Own && !changes_tokens && self.is_picked()
    }

    /// Converts a number to a value of this field's kind: a number within bounds, a flag that is on unless the number
    /// is 0, the word with this index, or the die with this many sides. `None` if there is no such value.
    pub fn value_of(&self, number: i32) -> Option<Value> {
        match self.kind {
            Kind::Number { min, max } => Some(Value::Number(number.clamp(min, max))),
            Kind::Flag => Some(Value::Flag(number != 0)),
            Kind::Word(words) => {
                let index = usize::try_from(number).ok()?;
                let word = words.get(index)?;
                Some(Value::from(*word))
            }
            Kind::Die => Die::LADDER
                .into_iter()
                .find(|die| i32::from(die.sides()) == number)
                .map(Value::Die),
            Kind::Text | Kind::Ranks { .. } => None,
        }
    }

    /// Converts the value of a stat, or the number of an entry of a list, to a value of this field.
    pub fn value_from(&self, stat: &Self, value: &Value) -> Option<Value> {
        match (self.kind, stat.kind, value) {
            (Kind::Word(_), Kind::Number { min, .. }, Value::Number(number)) => {
                self.value_of(number - min)
            }
            (Kind::Word(_), _, Value::Number(rank)) => self.value_of(*rank),
            _ => Some(value.clone()),
        }
    }

    /// True if several names may be picked. The highest of their values counts.
    pub fn takes_best(&self) -> bool {
        matches!(self.source, ValueSource::OneOf { best: true, .. })
    }

    /// Returns a number by which values of the field are compared: a number itself, the sides of a die, or the index of a
    /// word.
    pub fn height(&self, value: &Value) -> i32 {
        match value {
            Value::Number(number) => *number,
            Value::Die(die) => i32::from(die.sides()),
            Value::Text(word) => self.kind.place(word),
            _ => 0,
        }
    }

    /// True if its value comes from the sheet of a helper, of either side.
    pub fn is_lent(&self) -> bool {
        matches!(self.whose, Whose::Helper | Whose::OpponentHelper)
    }

    /// True if it must be given.
    pub fn is_required(&self) -> bool {
        self.start.is_none() && !self.optional
    }

    /// Describes the values that it accepts: `a number from 1 to 40`.
    pub fn describe(&self) -> String {
        let description = self.kind.describe();
        match self.at_most {
            Some(bound) => format!("{description}, and no larger than {bound}"),
            None => description,
        }
    }

    /// Parses a typed value: `d8`, `3`, `Sailor 3, Cook 1`.
    ///
    /// # Errors
    /// If the field does not accept the value.
    pub fn parse(&self, text: &str) -> Result<Value, RuleError> {
        self.kind.parse(&self.name_with_id(), text)
    }

    /// The name in messages. The id that is typed on the command line follows if it differs: `Challenge Number (cn)`.
    pub fn name_with_id(&self) -> String {
        if self.label.is_empty() {
            self.id.to_owned()
        } else if self.label.to_lowercase() == self.id {
            self.label.to_owned()
        } else {
            format!("{} ({})", self.label, self.id)
        }
    }

    /// Returns the name of a number: 12 is `Hard`. `None` if exactly this number has no name.
    pub fn name_of(&self, number: i32) -> Option<&'static str> {
        self.names
            .iter()
            .find(|(named, _)| *named == number)
            .map(|(_, name)| *name)
    }
}
