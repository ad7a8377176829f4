//! The roles of dice in a roll.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// The meaning of a die in a roll, such as "heart" or "tens", by which a display can distinguish dice.
///
/// Roles with the same name are equal. The label is the text for display.
#[derive(Clone, Copy, Debug)]
pub struct DieRole {
    name: &'static str,
    label: Option<&'static str>,
}

impl PartialEq for DieRole {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for DieRole {}

impl Hash for DieRole {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl PartialOrd for DieRole {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for DieRole {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name.cmp(other.name)
    }
}

impl DieRole {
    /// Heart Rush: the heart die.
    pub const HEART: Self = Self::labelled("heart", Some("heart"));
    /// Heart Rush: the ability die.
    pub const ABILITY: Self = Self::labelled("ability", Some("ability"));
    /// A die that advantage or disadvantage adds.
    pub const EXTRA: Self = Self::labelled("extra", Some("extra"));
    /// Heart Rush: a weapon die.
    pub const WEAPON: Self = Self::labelled("weapon", Some("weapon"));
    /// Heart Rush: the defender's heart die.
    pub const DEFENSE_HEART: Self = Self::labelled("defense-heart", Some("defender's heart"));
    /// Heart Rush: the defender's ability die.
    pub const DEFENSE_ABILITY: Self = Self::labelled("defense-ability", Some("defender's ability"));
    /// The tens of a d100.
    pub const TENS: Self = Self::labelled("tens", Some("tens"));
    /// The ones of a d100.
    pub const ONES: Self = Self::labelled("ones", Some("ones"));
    /// A die of an unnamed pool.
    pub const POOL: Self = Self::labelled("pool", None);
    /// HFRPG: the further roll of an exploding die.
    pub const CHAIN: Self = Self::labelled("chain", Some("chain"));
    /// Gnosis: a Power die.
    pub const POWER: Self = Self::labelled("power", Some("power"));
    /// Gnosis: a Precision die.
    pub const PRECISION: Self = Self::labelled("precision", Some("precision"));
    /// Gnosis: a Possibility die.
    pub const POSSIBILITY: Self = Self::labelled("possibility", Some("possibility"));
    /// Gnosis: a die of the Pain Pool.
    pub const PAIN: Self = Self::labelled("pain", Some("pain"));

    /// Creates a role from its name and a label. The roles [`TENS`](Self::TENS) and [`ONES`](Self::ONES) have labels of their own.
    pub fn named(name: &'static str, label: Option<&'static str>) -> Self {
        let default_label = match name {
            "tens" => Self::TENS.label,
            "ones" => Self::ONES.label,
            _ => None,
        };
        Self::labelled(name, label.or(default_label))
    }

    const fn labelled(name: &'static str, label: Option<&'static str>) -> Self {
        Self { name, label }
    }

    /// Returns the name, which is stored in JSON.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Returns the text for display. `None` if the size of the die is enough.
    pub const fn label(self) -> Option<&'static str> {
        self.label
    }
}
