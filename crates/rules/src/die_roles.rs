//! The roles of dice in checks that are Rust code.

use tableside_dice::DieRole;

/// Heart Rush: the heart die.
pub const HEART: DieRole = DieRole::new("heart", Some("heart"));
/// Heart Rush: the ability die.
pub const ABILITY: DieRole = DieRole::new("ability", Some("ability"));
/// Heart Rush: a die that advantage or disadvantage adds.
pub const EXTRA: DieRole = DieRole::new("extra", Some("extra"));
/// Heart Rush: a weapon die.
pub const WEAPON: DieRole = DieRole::new("weapon", Some("weapon"));
/// Heart Rush: the defender's heart die.
pub const DEFENSE_HEART: DieRole = DieRole::new("defense-heart", Some("defender's heart"));
/// Heart Rush: the defender's ability die.
pub const DEFENSE_ABILITY: DieRole = DieRole::new("defense-ability", Some("defender's ability"));

/// HFRPG: a further roll of an exploding die.
pub const CHAIN: DieRole = DieRole::new("chain", Some("chain"));

/// Gnosis: a Power die.
pub const POWER: DieRole = DieRole::new("power", Some("power"));
/// Gnosis: a Precision die.
pub const PRECISION: DieRole = DieRole::new("precision", Some("precision"));
/// Gnosis: a Possibility die.
pub const POSSIBILITY: DieRole = DieRole::new("possibility", Some("possibility"));
/// Gnosis: a die of the Pain Pool.
pub const PAIN: DieRole = DieRole::new("pain", Some("pain"));
