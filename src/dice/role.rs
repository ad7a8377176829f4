//! What a die is for.

/// What a die is in its check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Heart Rush: the heart die.
    Heart,
    /// Heart Rush: the ability die.
    Ability,
    /// A die added by advantage or disadvantage.
    Extra,
    /// Heart Rush: a weapon die.
    Weapon,
    /// Heart Rush: the defender's heart die.
    DefenseHeart,
    /// Heart Rush: the defender's ability die.
    DefenseAbility,
    /// HEARTS: the tens of a d100.
    Tens,
    /// HEARTS: the ones of a d100.
    Ones,
    /// A die of an unnamed pool.
    Pool,
    /// HFRPG: the further roll of an exploding die.
    Chain,
    /// Gnosis: a Power die.
    Power,
    /// Gnosis: a Precision die.
    Precision,
    /// Gnosis: a Possibility die.
    Possibility,
    /// Gnosis: a die of the Pain Pool.
    Pain,
}

impl Role {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Heart => "heart",
            Self::Ability => "ability",
            Self::Extra => "extra",
            Self::Weapon => "weapon",
            Self::DefenseHeart => "defense-heart",
            Self::DefenseAbility => "defense-ability",
            Self::Tens => "tens",
            Self::Ones => "ones",
            Self::Pool => "pool",
            Self::Chain => "chain",
            Self::Power => "power",
            Self::Precision => "precision",
            Self::Possibility => "possibility",
            Self::Pain => "pain",
        }
    }
}
