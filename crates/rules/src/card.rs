//! The card of a character: the values that it shows, and their order.

use strum::{EnumString, VariantNames};

use super::{ClockSpec, Field, PoolSpec};

/// The card of a character, as the `[card]` table of a system file describes it.
#[derive(Clone, Copy, Debug)]
pub struct CardSpec {
    /// The values that a card of every size shows. The last of them are left out first.
    pub first: &'static [CardEntry],
    /// The other values, which a card shows as its room allows.
    pub then: &'static [CardEntry],
    /// The order of `then`.
    pub order: CardOrder,
    /// The look of a 0 in a value that starts at 0.
    pub zeros: Zeros,
}

impl CardSpec {
    /// Returns true for a value of `first`.
    pub fn puts_first(&self, entry: CardEntry) -> bool {
        self.first.iter().any(|first| first.id() == entry.id())
    }
}

/// A value on the card of a character.
#[derive(Clone, Copy, Debug)]
pub enum CardEntry {
    /// A stat of the sheet.
    Stat(&'static Field),
    /// A pool of tokens that the character owns.
    Pool(&'static PoolSpec),
    /// A clock that the rules give to the character.
    Clock(&'static ClockSpec),
    /// The state of the character, such as `down`, and the conditions.
    Conditions,
}

impl CardEntry {
    /// The id of the value in the system file.
    pub fn id(self) -> &'static str {
        match self {
            Self::Stat(stat) => stat.id,
            Self::Pool(pool) => pool.id.as_str(),
            Self::Clock(clock) => clock.id.as_str(),
            Self::Conditions => "conditions",
        }
    }

    /// The abbreviation on the card. Empty for values that a card shows without a name, such as texts and conditions.
    pub fn short(self) -> &'static str {
        match self {
            Self::Stat(stat) => stat.short,
            Self::Pool(pool) => pool.short_name(),
            Self::Clock(clock) => clock.short_name(),
            Self::Conditions => "",
        }
    }
}

/// The order of the values in `then`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum CardOrder {
    /// The order of the system file. Each value has the same place on every card.
    #[default]
    AsListed,
    /// The highest value first. The values are a list without fixed places.
    Highest,
}

/// The look of a 0 on a card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Zeros {
    /// In the same colour as other numbers.
    #[default]
    Show,
    /// In a dim colour.
    Dim,
    /// Not at all, and its place stays empty. In `first` it is dim.
    Hide,
}
