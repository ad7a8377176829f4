//! What a check needs to know, described as data.
//!
//! The roll dialog, the flags of the command line, `systems --json` and the help are all made from
//! these descriptions.

use strum::{EnumString, VariantNames};

use super::system_file::SheetPart;
use super::{Id, Kind, RuleError, Value};
use tableside_dice::Die;

/// Where on a sheet the value of a field comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValueSource {
    /// Not from a sheet.
    #[default]
    Table,
    /// From this stat.
    Stat(&'static str),
    /// From one of these stats, or an entry of one that is a list, which a person picks by name; the first is
    /// offered. A field of words takes the word as far up as the number is above the least.
    OneOf {
        /// The stats.
        stats: &'static [&'static str],
        /// Whether of several names, joined by `+` or a comma, the best counts.
        best: bool,
    },
    /// From one entry of this list of named ranks; with `offer` the highest is filled in unasked,
    /// else none is.
    Ranked {
        /// The stat that holds the list.
        list: &'static str,
        /// Whether an entry is filled in before anybody picks one.
        offer: bool,
    },
    /// The system works it out from the sheet (`Field::parts`, else `Code::derive`).
    Derived,
    /// The system works it out from the name that was picked for this other field ([`Field::follows`], else
    /// `Code::derive`).
    Follows(&'static str),
    /// From the clock that the check is made for: how many of its segments are filled.
    Clock,
    /// From the character's condition whose name begins so: its level, 1 where it has none.
    Condition(&'static str),
    /// From the character's pool of these tokens: what it is above 0, or with `owed` what it is below 0.
    Tokens {
        /// The pool.
        kind: Id,
        /// Whether it is the side of the pool that must be used.
        owed: bool,
    },
}

/// On whose sheet a field's source is looked up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Whose {
    /// The character's who makes the check.
    #[default]
    Own,
    /// A helper's.
    Helper,
    /// The opponent's.
    Opponent,
    /// That of a character who helps the opponent.
    OpponentHelper,
}

/// How often a field of a check is changed before it is rolled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Asked {
    /// Nearly each time.
    Always,
    /// At times.
    #[default]
    AtTimes,
    /// Seldom: it is folded away, and left out where only the usual fields are offered.
    Seldom,
}

/// One thing that a check needs to know, or that a sheet holds.
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// Its name on the command line and in JSON.
    pub id: &'static str,
    /// Its name on the screen.
    pub label: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// What it is when nobody says.
    pub start: Option<Value>,
    /// Whether it may be left out although it has no start (Gnosis: `pain` or `difficulty`).
    pub optional: bool,
    /// The house rule that says what it is when nobody says otherwise.
    pub house: Option<&'static str>,
    /// Where on a sheet it comes from.
    pub source: ValueSource,
    /// What it adds up from, where a file says how it is worked out from the sheet.
    pub(super) parts: &'static [SheetPart],
    /// What it is when these stats were picked for the other field that it follows.
    pub follows: Vec<(&'static str, Value)>,
    /// Whose sheet that is.
    pub whose: Whose,
    /// One sentence of help.
    pub help: &'static str,
    /// Names for some of its values, shown beside the number: `(12, "Hard")`.
    pub names: Vec<(i32, &'static str)>,
    /// The pool that its number is spent from.
    pub spends: Option<Id>,
    /// The pool that its number is gained in.
    pub gains: Option<Id>,
    /// The own field whose stat is meant where only somebody is named: the defender's ability is that of the
    /// attack.
    pub like: Option<&'static str>,
    /// The number that a dialog begins with where nothing says any, if it is not one in the middle.
    pub begins: Option<i32>,
    /// How often it is changed.
    pub asked: Asked,
    /// On a sheet: its heading where room is short, at most six columns wide; empty where lists leave it out.
    pub short: &'static str,
    /// On a sheet: the heading that it stands under; empty for none.
    pub group: &'static str,
    /// On a sheet: whether it only tells how somebody stands. No check asks an opponent for it.
    pub state: bool,
    /// On a sheet: the stat that bounds a die. A heart die that shrank is never larger than the whole one.
    pub at_most: Option<&'static str>,
    /// The field that may not be given beside this one. Of two that may be left out, one must be given.
    pub excludes: Option<&'static str>,
    /// Whether its number is how many help.
    pub counts_helpers: bool,
}

impl Field {
    /// What a new character has.
    pub fn at_first(&self) -> Value {
        let start = self.start.clone();
        start.expect("a stat without a start is refused when its file is read")
    }

    /// Whether it is picked from a sheet by name.
    pub fn is_picked(&self) -> bool {
        matches!(
            self.source,
            ValueSource::OneOf { .. } | ValueSource::Ranked { .. }
        ) && self.like.is_none()
    }

    /// Whether its name says what is tested: an own value picked by name that no token is booked for.
    pub fn is_tested(&self) -> bool {
        let is_booked = self.spends.is_some() || self.gains.is_some();
        self.whose == Whose::Own && !is_booked && self.is_picked()
    }

    /// A number as it takes it: within its bounds, on where it is not 0, the word so far up, or the die with so many
    /// sides; none where it takes nothing of that kind.
    pub fn value_of(&self, number: i32) -> Option<Value> {
        Some(match self.kind {
            Kind::Number { min, max } => Value::Number(number.clamp(min, max)),
            Kind::Flag => Value::Flag(number != 0),
            Kind::Word(words) => Value::from(*words.get(usize::try_from(number).ok()?)?),
            Kind::Die => {
                let mut ladder = Die::LADDER.into_iter();
                ladder.find(|die| i32::from(die.sides()) == number)?.into()
            }
            Kind::Text | Kind::Ranks { .. } => return None,
        })
    }

    /// What it takes of that stat, or of an entry of it, where it takes one of several.
    pub fn value_from(&self, stat: &Self, value: &Value) -> Option<Value> {
        match (self.kind, stat.kind, value) {
            (Kind::Word(_), Kind::Number { min, .. }, Value::Number(number)) => {
                self.value_of(number - min)
            }
            (Kind::Word(_), _, Value::Number(rank)) => self.value_of(*rank),
            _ => Some(value.clone()),
        }
    }

    /// Whether of several names the best counts.
    pub fn takes_best(&self) -> bool {
        matches!(self.source, ValueSource::OneOf { best: true, .. })
    }

    /// How high a value of it is, among others.
    pub fn height(&self, value: &Value) -> i32 {
        let place = self.kind.place(value.text().unwrap_or_default());
        value.number().unwrap_or(place)
    }

    /// True if its value comes from the sheet of a helper, of either side.
    pub fn is_lent(&self) -> bool {
        matches!(self.whose, Whose::Helper | Whose::OpponentHelper)
    }

    /// Whether it has to be given.
    pub fn is_required(&self) -> bool {
        self.start.is_none() && !self.optional
    }

    /// What it takes, in words: `a number from 1 to 40`.
    pub fn describe(&self) -> String {
        let plain = self.kind.describe();
        match self.at_most {
            Some(bound) => format!("{plain}, and no larger than {bound}"),
            None => plain,
        }
    }

    /// Reads a value as a person writes it: `d8`, `3`, `Sailor 3, Cook 1`.
    pub fn parse(&self, text: &str) -> Result<Value, RuleError> {
        self.kind.parse(self.id, text)
    }

    /// The name of that number, if it has one: 12 is `Hard`. Between two named numbers there is none.
    pub fn name_of(&self, number: i32) -> Option<&'static str> {
        let named = self.names.iter().find(|(named, _)| *named == number);
        named.map(|(_, name)| *name)
    }
}
