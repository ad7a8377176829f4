//! Implements the basic roll, which skill checks, saving throws, attacks and stratagems share.
//!
//! 1. The player rolls the dice of the check, usually a heart die and an ability die.
//! 2. Levels of advantage and disadvantage cancel (Heart Rush, Advantage & Disadvantage; Helping). Each remaining level of
//!    advantage adds a die of the smallest size in the pool, and the lowest result is dropped. Each remaining level of
//!    disadvantage adds a die of the largest size, and the highest result is dropped.
//! 3. Modifiers are added to the sum: half or all of the rank of a profession, the points of aspects for and against
//!    the hero, and others.
//! 4. An aspect that helps the hero costs Destiny Points, and an aspect that hinders the hero brings them (Heart Rush,
//!    Using Aspects).

use crate::die_roles;
use crate::{Ask, Effect, Explanation, Fields, HouseRules, Id, Refused, Side, System};
use tableside_dice::{Die, DieRole, EqualDice, Face, Keep, Measure, Observation, Pool};

/// The most Destiny Points that a hero gains from negative invocations in a scene (Heart Rush, Negative Invocation).
pub(super) const MAX_GAINED_POINTS: i32 = 5;

/// Returns the highest face that counts like a 1 (Heart Rush, Conditions: Vulnerability).
pub(super) fn highest_low_face(fields: &Fields) -> Face {
    1 + Face::try_from(fields.number("vulnerability")).unwrap_or(0)
}

/// Returns a single die.
pub(super) const fn single_die(die: Die, role: DieRole) -> EqualDice {
    EqualDice::new(die, 1, role)
}

/// Levels of advantage and disadvantage.
#[derive(Clone, Copy, Debug)]
pub(super) struct AdvantageLevels {
    pub(super) advantage: i32,
    pub(super) disadvantage: i32,
    /// True if other characters help. Any number of helpers gives one level of advantage.
    pub(super) is_helped: bool,
}

impl AdvantageLevels {
    /// Returns the levels of the rolling hero.
    pub(super) fn of_hero(fields: &Fields) -> Self {
        Self {
            advantage: fields.maybe_number("advantage").unwrap_or(0),
            disadvantage: fields.maybe_number("disadvantage").unwrap_or(0),
            is_helped: fields.flag("helped"),
        }
    }

    /// Returns all levels of advantage, including help.
    fn all_advantage(self) -> i32 {
        self.advantage + i32::from(self.is_helped)
    }

    /// Returns the levels that remain after advantage and disadvantage cancel: above 0 for advantage, below 0 for
    /// disadvantage.
    fn net(self) -> i32 {
        self.all_advantage() - self.disadvantage
    }

    /// Adds the extra dice of the remaining levels to the dice of a roll. The pool is read as the sum of its kept dice.
    pub(super) fn add_dice(self, mut dice: Vec<EqualDice>) -> Pool {
        let kept = dice.iter().map(|group| u32::from(group.count)).sum();
        let sizes = dice.iter().map(|group| group.die);
        let (extra_die, keep) = match self.net() {
            0 => (None, Keep::All),
            1.. => (sizes.min(), Keep::Highest(kept)),
            _ => (sizes.max(), Keep::Lowest(kept)),
        };

        if let Some(die) = extra_die {
            let count = u8::try_from(self.net().unsigned_abs()).unwrap_or(u8::MAX);
            dice.push(EqualDice::new(die, count, die_roles::EXTRA));
        }
        Pool::new(dice, keep, Measure::Sum)
    }

    /// Returns a sentence about how the levels cancel. `None` unless there are both advantage and disadvantage.
    pub(super) fn explain_cancelling(self) -> Option<String> {
        let advantage = self.all_advantage();
        let disadvantage = self.disadvantage;
        if advantage == 0 || disadvantage == 0 {
            return None;
        }

        let levels = if advantage == 1 { "level" } else { "levels" };
        let with_help = if self.is_helped {
            ", 1 of them for help,"
        } else {
            ""
        };
        let result = match self.net() {
            0 => "nothing".to_owned(),
            net @ 1.. => format!("A{net}"),
            net => format!("D{}", -net),
        };
        Some(format!(
            "{advantage} {levels} of advantage{with_help} less {disadvantage} of disadvantage leave {result}."
        ))
    }
}

/// Returns the heart die and the ability die, with the dice of advantage or disadvantage.
pub(super) fn heart_and_ability(fields: &Fields) -> Pool {
    let heart = single_die(fields.die("heart"), die_roles::HEART);
    let ability = single_die(fields.die("ability"), die_roles::ABILITY);
    AdvantageLevels::of_hero(fields).add_dice(vec![heart, ability])
}

/// The points of an aspect that helps a roll, and of an aspect that hinders it.
#[derive(Clone, Copy, Debug)]
pub(super) struct AspectPoints {
    pub(super) helping_points: i32,
    pub(super) hindering_points: i32,
}

impl AspectPoints {
    /// Returns the points as modifiers of the roll.
    pub(super) const fn modifiers(self) -> [(&'static str, i32); 2] {
        [
            ("aspect", self.helping_points),
            ("hindrance", -self.hindering_points),
        ]
    }
}

/// Dice with modifiers, and the Destiny Points that the roll costs and brings.
#[derive(Clone, Debug)]
pub(super) struct BasicRoll {
    pub(super) pool: Pool,
    /// The name and the amount of each modifier.
    pub(super) modifiers: Vec<(&'static str, i32)>,
    pub(super) modifier_sum: i32,
    aspect_points: AspectPoints,
    /// The owner of the Destiny Points that change; `None` for the rolling hero.
    owner: Option<&'static str>,
    /// A sentence about how advantage and disadvantage cancel.
    pub(super) cancelled: Option<String>,
}

impl BasicRoll {
    /// Creates the roll of the hero, with the modifiers in the fields.
    ///
    /// It is refused if the house rule `scene-cap` limits the gained Destiny Points, and the hindrance exceeds the limit.
    pub(super) fn new(pool: Pool, fields: &Fields, house: &HouseRules) -> Result<Self, Refused> {
        let number = |id| fields.maybe_number(id).unwrap_or(0);

        let profession = if fields.flag("tangential") {
            ("tangential profession", number("profession") / 2)
        } else {
            ("profession", number("profession"))
        };
        let aspect_points = AspectPoints {
            helping_points: number("aspect"),
            hindering_points: number("hindrance"),
        };
        let mut modifiers = vec![profession];
        modifiers.extend(aspect_points.modifiers());
        modifiers.push(("modifier", number("modifier")));

        let mut roll = Self::with_modifiers(pool, modifiers, aspect_points, house)?;
        roll.cancelled = AdvantageLevels::of_hero(fields).explain_cancelling();
        Ok(roll)
    }

    /// Creates a roll with these modifiers, which already include the points of `aspect_points`. It is refused like
    /// [`Self::new`].
    pub(super) fn with_modifiers(
        pool: Pool,
        modifiers: Vec<(&'static str, i32)>,
        aspect_points: AspectPoints,
        house: &HouseRules,
    ) -> Result<Self, Refused> {
        let hindrance = aspect_points.hindering_points;
        if hindrance > MAX_GAINED_POINTS && house.is("scene-cap", "refuse") {
            return Err(Refused(format!(
                "negative invocations give at most {MAX_GAINED_POINTS} Destiny Points in a scene, and a hindrance of \
                 {hindrance} would give {hindrance}"
            )));
        }

        Ok(Self {
            pool,
            modifier_sum: modifiers.iter().map(|(_, amount)| amount).sum(),
            modifiers,
            aspect_points,
            owner: None,
            cancelled: None,
        })
    }

    /// Changes the Destiny Points of another side instead of the hero's.
    pub(super) fn owned_by(mut self, owner: &'static str) -> Self {
        self.owner = Some(owner);
        self
    }

    /// Asks a side to roll the dice.
    pub(super) fn ask(&self, side: Side) -> Ask {
        Ask::roll(self.pool.clone(), side)
    }

    /// Explains the roll, and returns its total with all modifiers.
    pub(super) fn total(&self, dice: &Observation, why: &mut Explanation) -> i32 {
        let kept_sum = dice.sum();
        why.tell(|why| {
            self.explain_dice(why);
            why.sum(kept_sum, &self.modifiers);
        });
        kept_sum + self.modifier_sum
    }

    /// Explains the rolled dice, and how advantage and disadvantage cancel.
    pub(super) fn explain_dice(&self, why: &mut Explanation) {
        why.roll();
        if let Some(cancelled) = &self.cancelled {
            why.say(cancelled);
        }
    }

    /// Returns the changes of Destiny Points (Heart Rush, Using Aspects).
    pub(super) fn effects(&self) -> Vec<Effect> {
        let spent = self.aspect_points.helping_points;
        let gained = self.aspect_points.hindering_points.min(MAX_GAINED_POINTS);

        let mut effects = Vec::new();
        for amount in [-spent, gained] {
            if amount != 0 {
                effects.push(Effect::Token {
                    pool: Id::new("destiny"),
                    owner: self.owner.map(str::to_owned),
                    amount,
                });
            }
        }
        effects
    }
}

/// Formats a Challenge Number with its name if it has one: `12 (Hard)`.
pub(super) fn name_challenge_number(number: i32) -> String {
    let name = System::HEART_RUSH
        .check("skill")
        .ok()
        .and_then(|skill| skill.field("cn"))
        .and_then(|field| field.name_of(number));
    match name {
        Some(name) => format!("{number} ({name})"),
        None => number.to_string(),
    }
}

/// Describes whether a total reaches a Challenge Number.
pub(super) fn compare(total: i32, challenge_number: i32) -> String {
    let verb = if total >= challenge_number {
        "reaches"
    } else {
        "is below"
    };
    let number = name_challenge_number(challenge_number);
    format!("{total} {verb} the Challenge Number {number}.")
}
