//! What a die is for.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// What a die is in its check, by its name in JSON.
#[derive(Clone, Copy, Debug)]
pub struct DieRole {
    name: &'static str,
    label: Option<&'static str>,
}

// Two roles are the same role if they have the same name; a label only adds words for people.
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
    /// A die added by advantage or disadvantage.
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

    /// Dice of a system's file, by their name there and by what people call them.
    pub fn named(name: &'static str, label: Option<&'static str>) -> Self {
        let of_a_hundred = [Self::TENS, Self::ONES];
        let built_in = of_a_hundred.into_iter().find(|role| role.name == name);
        let label = label.or_else(|| built_in.and_then(|role| role.label));
        Self::labelled(name, label)
    }

    const fn labelled(name: &'static str, label: Option<&'static str>) -> Self {
        Self { name, label }
    }

    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// What people call such a die; `None` where its size says everything.
    pub const fn label(self) -> Option<&'static str> {
        self.label
    }
}
