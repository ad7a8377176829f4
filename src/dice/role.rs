//! What a die is for.

/// What a die is in its check, by its name in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DieRole(&'static str);

impl DieRole {
    /// Heart Rush: the heart die.
    pub const HEART: Self = Self("heart");
    /// Heart Rush: the ability die.
    pub const ABILITY: Self = Self("ability");
    /// A die added by advantage or disadvantage.
    pub const EXTRA: Self = Self("extra");
    /// Heart Rush: a weapon die.
    pub const WEAPON: Self = Self("weapon");
    /// Heart Rush: the defender's heart die.
    pub const DEFENSE_HEART: Self = Self("defense-heart");
    /// Heart Rush: the defender's ability die.
    pub const DEFENSE_ABILITY: Self = Self("defense-ability");
    /// The tens of a d100.
    pub const TENS: Self = Self("tens");
    /// The ones of a d100.
    pub const ONES: Self = Self("ones");
    /// A die of an unnamed pool.
    pub const POOL: Self = Self("pool");
    /// HFRPG: the further roll of an exploding die.
    pub const CHAIN: Self = Self("chain");
    /// Gnosis: a Power die.
    pub const POWER: Self = Self("power");
    /// Gnosis: a Precision die.
    pub const PRECISION: Self = Self("precision");
    /// Gnosis: a Possibility die.
    pub const POSSIBILITY: Self = Self("possibility");
    /// Gnosis: a die of the Pain Pool.
    pub const PAIN: Self = Self("pain");

    /// Dice of a system's file, by their name there.
    pub(crate) const fn named(name: &'static str) -> Self {
        Self(name)
    }

    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        self.0
    }
}
