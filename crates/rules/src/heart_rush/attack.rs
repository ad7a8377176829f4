//! Implements attack and defense (Heart Rush, Types of Rolls, 3; Combat, Attacking and Defending).
//!
//! 1. The attacker makes a basic roll with the weapon die, or two of them if the weapon matches the stance.
//! 2. The defender makes a basic roll. Armor and a shield are added to it. A defender in the same stance as the
//!    attacker attacks as well, and then rolls weapon dice instead of adding armor and shield.
//! 3. The defender takes the difference as damage, halved in the Defensive stance. If both attack, the one with the
//!    lower total takes it.
//! 4. Damage of 10 or more is a wound. A house rule can replace the 10.

use super::basic::{AdvantageLevels, AspectPoints, BasicRoll, single_die};
use crate::die_roles;
use crate::{
    Check, Effect, Explanation, Fields, HouseRules, Key, OutcomeId, Refused, Score, Side, Step,
    System,
};
use tableside_dice::{Die, EqualDice, Observation};

const WOUND: OutcomeId = OutcomeId(0);
const HIT: OutcomeId = OutcomeId(1);
const MISS: OutcomeId = OutcomeId(2);

/// The owner that effects name for the defender's pools. A game replaces it by the defender's name.
const DEFENDER: &str = "defender";

/// An attack before its dice are rolled.
#[derive(Clone, Debug)]
pub(super) struct Attack {
    offense: BasicRoll,
    defense: BasicRoll,
    /// True if the defender is in the Defensive stance. Damage is then halved and rounded up.
    is_defensive: bool,
    /// True if both are in the same stance. Then both attack.
    is_same_stance: bool,
    /// The least damage that is a wound.
    wound_at: i32,
    /// A sentence about the bonus of the attacker's stance, if it beats the defender's stance.
    stance_bonus: Option<&'static str>,
}

/// The damage of an attack.
#[derive(Clone, Copy, Debug)]
struct AttackDamage {
    amount: i32,
    /// True if the attacker takes it.
    is_own: bool,
}

impl Attack {
    pub(super) fn new(fields: &Fields, house: &HouseRules) -> Result<Self, Refused> {
        let is_same_stance = fields.flag("same-stance");
        let is_defensive = fields.flag("defensive");
        if is_same_stance && is_defensive {
            return Err(Refused(
                "a defender in the same stance as the attacker cannot be in the Defensive stance; leave out \
                 same-stance or defensive"
                    .to_owned(),
            ));
        }

        let defense = defense_roll(fields, house)?;
        Ok(Self {
            offense: offense_roll(fields, house)?,
            defense,
            is_defensive,
            is_same_stance,
            wound_at: house.number(System::HEART_RUSH, "wound-at"),
            stance_bonus: stance_bonus(fields.text("stance")),
        })
    }

    /// Returns the damage that the defender takes, after halving (Heart Rush, Combat, Damage).
    fn defender_damage(&self, attack: i32, defense: i32) -> i32 {
        let difference = (attack - defense).max(0);
        if self.is_defensive {
            (difference + 1) / 2
        } else {
            difference
        }
    }

    /// Returns the damage that the defender takes, or the damage of the attacker if both attack and the attacker's
    /// total is lower.
    fn damage(&self, attack: i32, defense: i32) -> AttackDamage {
        if self.is_same_stance && attack < defense {
            AttackDamage {
                amount: defense - attack,
                is_own: true,
            }
        } else {
            AttackDamage {
                amount: self.defender_damage(attack, defense),
                is_own: false,
            }
        }
    }

    fn explain(&self, attack: i32, defense: i32, why: &mut Explanation) {
        let defender_damage = self.defender_damage(attack, defense);
        why.target = Some(defense);
        why.keys.push(("damage", Key::Number(defender_damage)));

        self.explain_difference(attack, defense, why);
        if self.is_defensive && attack > defense {
            why.say(format!(
                "The defender is in the Defensive stance: half, rounded up, is {defender_damage}."
            ));
        }
        if let Some(bonus) = self.stance_bonus {
            why.say(bonus);
        }

        why.effects.extend(self.offense.effects());
        why.effects.extend(self.defense.effects());
        self.explain_damage(self.damage(attack, defense), why);
    }

    fn explain_difference(&self, attack: i32, defense: i32, why: &mut Explanation) {
        let difference = attack - defense;
        if self.is_same_stance && difference < 0 {
            let taken = -difference;
            why.say(format!(
                "Attack {attack} against attack {defense}: the attacker is lower and takes the difference, {taken}."
            ));
            why.keys.push(("taken", Key::Number(taken)));
        } else if difference <= 0 {
            why.say(format!(
                "Attack {attack} against defense {defense}: no damage."
            ));
        } else {
            why.say(format!(
                "Attack {attack} against defense {defense}: {difference} damage."
            ));
        }
    }

    /// Adds the damage to the effects, and a wound if the damage is large enough.
    fn explain_damage(&self, damage: AttackDamage, why: &mut Explanation) {
        let AttackDamage { amount, is_own } = damage;
        if amount > 0 {
            why.effects.push(Effect::Damage {
                amount,
                own: is_own,
            });
        }
        if amount >= self.wound_at {
            why.say(format!(
                "{amount} damage is {} or more: a wound of rank {amount}.",
                self.wound_at
            ));
            why.effects.push(Effect::Wound {
                rank: amount,
                own: is_own,
            });
        }
    }
}

fn offense_roll(fields: &Fields, house: &HouseRules) -> Result<BasicRoll, Refused> {
    let dice = vec![
        single_die(fields.die("heart"), die_roles::HEART),
        single_die(fields.die("ability"), die_roles::ABILITY),
        weapon_dice(fields.die("weapon"), fields.flag("matching")),
    ];
    let pool = AdvantageLevels::of_hero(fields).add_dice(dice);
    BasicRoll::new(pool, fields, house)
}

fn defense_roll(fields: &Fields, house: &HouseRules) -> Result<BasicRoll, Refused> {
    let mut dice = vec![
        single_die(fields.die("defense-heart"), die_roles::DEFENSE_HEART),
        single_die(fields.die("defense-ability"), die_roles::DEFENSE_ABILITY),
    ];
    let mut modifiers = Vec::new();
    if fields.flag("same-stance") {
        let is_matching = fields.flag("defense-matching");
        dice.push(weapon_dice(fields.die("defense-weapon"), is_matching));
    } else {
        // Each class of armor (none, light, medium, heavy) adds 2 more, each class of shield (none, light, heavy) 1 more
        // (Heart Rush, Combat, Armor; Shields).
        modifiers.push(("armor", 2 * fields.place("armor")));
        modifiers.push(("shield", fields.place("shield")));
    }

    let levels = AdvantageLevels {
        advantage: fields.number("defense-advantage"),
        disadvantage: fields.number("defense-disadvantage"),
        is_helped: false,
    };
    let aspect_points = AspectPoints {
        helping_points: fields.number("defense-aspect"),
        hindering_points: fields.number("defense-hindrance"),
    };
    modifiers.extend(aspect_points.modifiers());
    modifiers.push(("modifier", fields.number("defense-modifier")));

    let pool = levels.add_dice(dice);
    let mut roll = BasicRoll::with_modifiers(pool, modifiers, aspect_points, house)?;
    roll.cancelled = levels.explain_cancelling();
    Ok(roll.owned_by(DEFENDER))
}

/// Returns one weapon die, or two if the weapon matches the stance.
fn weapon_dice(die: Die, is_matching: bool) -> EqualDice {
    EqualDice::new(die, 1 + u8::from(is_matching), die_roles::WEAPON)
}

/// Returns a sentence about the bonus of a stance that beats the defender's (Heart Rush, Combat, Stances).
fn stance_bonus(stance: &str) -> Option<&'static str> {
    match stance {
        "might" => Some(
            "Might beats Cunning: in melee also a push of 10 feet; a ranged attack ignores armor, a thrown one \
             strikes a second time, a whip has one weapon die more.",
        ),
        "agility" => Some("Agility beats Might: also a free sidestep."),
        "cunning" => {
            Some("Cunning beats Agility: also up to two levels of dazed, off-balanced or weakened.")
        }
        _ => None,
    }
}

impl Check for Attack {
    /// The attacker's total; `None` before the attacker has rolled.
    type State = Option<i32>;

    fn next(&self, attack: Option<i32>, _: &mut Explanation) -> Step<Option<i32>> {
        let ask = match attack {
            None => self.offense.ask(Side::Actor),
            Some(_) => self.defense.ask(Side::Opponent),
        };
        Step::Ask(attack, ask)
    }

    fn after_roll(
        &self,
        attack: Option<i32>,
        dice: &Observation,
        why: &mut Explanation,
    ) -> Step<Option<i32>> {
        let Some(attack) = attack else {
            let attack = self.offense.total(dice, why);
            return Step::Continue(Some(attack));
        };

        let defense = self.defense.total(dice, why);
        why.tell(|why| self.explain(attack, defense, why));

        let damage = self.defender_damage(attack, defense);
        let outcome = match damage {
            0 => MISS,
            damage if damage >= self.wound_at => WOUND,
            _ => HIT,
        };
        Step::Done(outcome, Score::new(Some(attack), damage))
    }
}
