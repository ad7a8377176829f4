//! The roles of dice in checks that are Rust code.
//!
//! The module is public so that other crates name these constants with it, as in `die_roles::HEART`.

use tableside_dice::DieRole;

/// Heart Rush: the heart die.
pub const HEART: DieRole = labelled("heart", "heart");
/// Heart Rush: the ability die.
pub const ABILITY: DieRole = labelled("ability", "ability");
/// Heart Rush: a die that advantage or disadvantage adds.
pub const EXTRA: DieRole = labelled("extra", "extra");
/// Heart Rush: a weapon die.
pub const WEAPON: DieRole = labelled("weapon", "weapon");
/// Heart Rush: the defender's heart die.
pub const DEFENSE_HEART: DieRole = labelled("defense-heart", "defender's heart")
    .opposed()
    .with_label_beside_vs("heart");
/// Heart Rush: the defender's ability die.
pub const DEFENSE_ABILITY: DieRole = labelled("defense-ability", "defender's ability")
    .opposed()
    .with_label_beside_vs("ability");

/// HFRPG: a further roll of an exploding die.
pub const CHAIN: DieRole = labelled("chain", "chain");

/// Gnosis: a Power die.
pub const POWER: DieRole = labelled("power", "power");
/// Gnosis: a Precision die.
pub const PRECISION: DieRole = labelled("precision", "precision");
/// Gnosis: a Possibility die.
pub const POSSIBILITY: DieRole = labelled("possibility", "possibility");
/// Gnosis: a die of the Pain Pool.
pub const PAIN: DieRole = labelled("pain", "pain");

/// Creates a role from its name, and from the label that explanations show.
const fn labelled(name: &'static str, label: &'static str) -> DieRole {
    DieRole::new(name, Some(label))
}
