//! Attack and defense (Heart Rush, Types of Rolls, 3; Combat, Attacking and Defending).

use super::basic::{BasicRoll, cancelled_levels, net_advantage, one, with_extra};
use crate::{
    Check, Effect, Explanation, Fields, HouseRules, Key, OutcomeId, Refused, Score, Side, Step,
    System,
};
use tableside_dice::{Die, DieRole, EqualDice, Observation};

const WOUND: OutcomeId = OutcomeId(0);
const HIT: OutcomeId = OutcomeId(1);
const MISS: OutcomeId = OutcomeId(2);

/// Whose tokens an effect takes or gives where nobody is named on the other side.
const DEFENDER: &str = "defender";

/// An attack with everything known but the dice.
#[derive(Clone, Debug)]
pub(super) struct Attack {
    offense: BasicRoll,
    defense: BasicRoll,
    /// The defender is in the Defensive stance: the damage is halved, rounded up.
    defensive: bool,
    wound_at: i32,
    /// Both attack: the lower takes the difference.
    both: bool,
    /// What winning the match of stances adds, as a sentence.
    won: Option<&'static str>,
}

fn weapon(die: Die, matching: bool) -> EqualDice {
    EqualDice::new(die, 1 + u8::from(matching), DieRole::WEAPON)
}

/// What winning the match of stances adds (Heart Rush, Combat, Stances).
fn won_by(stance: &str) -> Option<&'static str> {
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

impl Attack {
    pub(super) fn new(fields: &Fields, house: &HouseRules) -> Result<Self, Refused> {
        let both = fields.flag("same-stance");
        let defensive = fields.flag("defensive");
        if both && defensive {
            return Err(Refused(
                "who attacks in the same stance is not in the Defensive stance; leave out one of same-stance and \
                 defensive"
                    .to_owned(),
            ));
        }
        let dice = vec![
            one(fields.die("heart"), DieRole::HEART),
            one(fields.die("ability"), DieRole::ABILITY),
            weapon(fields.die("weapon"), fields.flag("matching")),
        ];
        let mut defense = vec![
            one(fields.die("defense-heart"), DieRole::DEFENSE_HEART),
            one(fields.die("defense-ability"), DieRole::DEFENSE_ABILITY),
        ];
        let mut named = Vec::new();
        if both {
            let matching = fields.flag("defense-matching");
            defense.push(weapon(fields.die("defense-weapon"), matching));
        } else {
            // None, light, medium and heavy armor: 2 more each; none, a light and a heavy shield: 1 more each
            // (Heart Rush, Combat, Armor; Shields).
            named.push(("armor", 2 * fields.place("armor")));
            named.push(("shield", fields.place("shield")));
        }
        named.push(("modifier", fields.number("defense-modifier")));
        let levels = ["defense-advantage", "defense-disadvantage"].map(|id| fields.number(id));
        let [advantage, disadvantage] = levels;
        let net = advantage - disadvantage;
        let aspects = ["defense-aspect", "defense-hindrance"].map(|id| fields.number(id));
        let offense = with_extra(dice, net_advantage(fields));
        let defense_pool = with_extra(defense, net);
        let mut defense =
            BasicRoll::with(defense_pool, named, aspects.into(), Some(DEFENDER), house)?;
        defense.cancelled = cancelled_levels(advantage, false, disadvantage);
        Ok(Self {
            offense: BasicRoll::new(offense, fields, house)?,
            defense,
            defensive,
            wound_at: house.number(System::HEART_RUSH, "wound-at"),
            won: won_by(fields.text("stance")),
            both,
        })
    }

    /// The damage that the defender takes, after halving (Heart Rush, Combat, Damage).
    fn damage(&self, attack: i32, defense: i32) -> i32 {
        let damage = (attack - defense).max(0);
        let half = (damage + 1) / 2;
        if self.defensive { half } else { damage }
    }

    fn explain(&self, attack: i32, defense: i32, why: &mut Explanation) {
        let damage = self.damage(attack, defense);
        let difference = attack - defense;
        let own = self.both && difference < 0;
        why.target = Some(defense);
        why.keys.push(("damage", Key::Number(damage)));
        if own {
            why.say(format!(
                "Attack {attack} against attack {defense}: the attacker is lower and takes the difference, {}.",
                -difference
            ));
            why.keys.push(("taken", Key::Number(-difference)));
        } else if difference <= 0 {
            why.say(format!(
                "Attack {attack} against defense {defense}: no damage."
            ));
        } else {
            why.say(format!(
                "Attack {attack} against defense {defense}: {difference} damage."
            ));
        }
        if self.defensive && difference > 0 {
            why.say(format!(
                "The defender is in the Defensive stance: half, rounded up, is {damage}."
            ));
        }
        self.won.iter().for_each(|won| why.say(*won));
        let dealt = if own { -difference } else { damage };
        why.effects.extend(self.offense.effects());
        why.effects.extend(self.defense.effects());
        let damage = Effect::Damage { amount: dealt, own };
        why.effects.extend((dealt > 0).then_some(damage));
        if dealt >= self.wound_at {
            why.say(format!(
                "{dealt} damage is {} or more: a wound of rank {dealt}.",
                self.wound_at
            ));
            why.effects.push(Effect::Wound { rank: dealt, own });
        }
    }
}

impl Check for Attack {
    /// The attack's total, once it is known.
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

        let damage = self.damage(attack, defense);
        let outcome = match damage {
            0 => MISS,
            damage if damage >= self.wound_at => WOUND,
            _ => HIT,
        };
        Step::Done(outcome, Score::new(Some(attack), damage))
    }
}
