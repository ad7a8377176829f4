//! The basic roll, which skill checks, saving throws, attacks and stratagems share: the dice, what
//! advantage adds to them, and what professions and aspects add to the total.

use crate::{Ask, Effect, Explanation, Fields, HouseRules, Id, Refused, Side, System};
use tableside_dice::{Die, DieRole, EqualDice, Face, Keep, Measure, Observation, Pool};

/// The most Destiny Points that a scene gives from negative invocations (Heart Rush, Negative
/// Invocation).
pub(super) const MOST_GAINED: i32 = 5;

/// The highest face that counts like a 1 (Heart Rush, Conditions: Vulnerability).
pub(super) fn counts_like_a_one(fields: &Fields) -> Face {
    1 + Face::try_from(fields.number("vulnerability")).unwrap_or(0)
}

/// One die in that role.
pub(super) const fn one(die: Die, role: DieRole) -> EqualDice {
    EqualDice::new(die, 1, role)
}

/// The levels of advantage that are left, below 0 of disadvantage: they cancel, and help is one level
/// however many help (Heart Rush, Advantage & Disadvantage; Helping).
pub(super) fn net_advantage(fields: &Fields) -> i32 {
    fields.number("advantage") - fields.number("disadvantage") + i32::from(fields.flag("helped"))
}

/// How levels of advantage and disadvantage cancel, as a sentence. `None` unless both are there.
pub(super) fn cancelled_levels(advantage: i32, helped: bool, disadvantage: i32) -> Option<String> {
    let all_advantage = advantage + i32::from(helped);
    if all_advantage == 0 || disadvantage == 0 {
        return None;
    }

    let with_help = if helped { ", 1 of them for help," } else { "" };
    let levels = if all_advantage == 1 {
        "level"
    } else {
        "levels"
    };
    let net = all_advantage - disadvantage;
    let result = match net {
        0 => "nothing".to_owned(),
        1.. => format!("A{net}"),
        _ => format!("D{}", -net),
    };
    Some(format!(
        "{all_advantage} {levels} of advantage{with_help} less {disadvantage} of disadvantage leave {result}."
    ))
}

/// The dice with those that advantage adds, of the smallest size, or disadvantage, of the largest; as
/// many results are dropped (Heart Rush, Advantage & Disadvantage). The rule sees the sum.
pub(super) fn with_extra(mut dice: Vec<EqualDice>, net: i32) -> Pool {
    let keep = dice.iter().map(|group| u32::from(group.count)).sum();
    let count = u8::try_from(net.unsigned_abs()).unwrap_or(u8::MAX);
    let sizes = dice.iter().map(|group| group.die);
    let (extra, keep) = match net.signum() {
        0 => (None, Keep::All),
        1 => (sizes.min(), Keep::Highest(keep)),
        _ => (sizes.max(), Keep::Lowest(keep)),
    };
    dice.extend(extra.map(|die| EqualDice::new(die, count, DieRole::EXTRA)));
    Pool::new(dice, keep, Measure::Sum)
}

/// The heart die, the ability die, and what advantage adds to them.
pub(super) fn heart_and_ability(fields: &Fields) -> Pool {
    let heart = one(fields.die("heart"), DieRole::HEART);
    let ability = one(fields.die("ability"), DieRole::ABILITY);
    with_extra(vec![heart, ability], net_advantage(fields))
}

/// Dice with what is added to those kept, and the Destiny Points that it costs and brings.
#[derive(Clone, Debug)]
pub(super) struct BasicRoll {
    pub(super) pool: Pool,
    /// Each modifier with its name.
    pub(super) named: Vec<(&'static str, i32)>,
    /// All of them together.
    pub(super) added: i32,
    aspect: i32,
    hindrance: i32,
    /// Whose tokens they are, where not those of the one who rolls.
    owner: Option<&'static str>,
    /// How advantage and disadvantage cancel, if both are there.
    pub(super) cancelled: Option<String>,
}

impl BasicRoll {
    /// With the modifiers that the fields speak of. Under a house rule a negative invocation that
    /// gains more than a scene gives is refused.
    pub(super) fn new(pool: Pool, fields: &Fields, house: &HouseRules) -> Result<Self, Refused> {
        let number = |name| fields.maybe_number(name).unwrap_or(0);
        let (profession, rank) = if fields.flag("tangential") {
            ("tangential profession", number("profession") / 2)
        } else {
            ("profession", number("profession"))
        };
        let named = vec![(profession, rank), ("modifier", number("modifier"))];
        let aspects = (number("aspect"), number("hindrance"));
        let cancelled = cancelled_levels(
            number("advantage"),
            fields.flag("helped"),
            number("disadvantage"),
        );
        Ok(Self {
            cancelled,
            ..Self::with(pool, named, aspects, None, house)?
        })
    }

    /// With these modifiers, and an aspect for and one against it before the last of them.
    pub(super) fn with(
        pool: Pool,
        mut named: Vec<(&'static str, i32)>,
        (aspect, hindrance): (i32, i32),
        owner: Option<&'static str>,
        house: &HouseRules,
    ) -> Result<Self, Refused> {
        if hindrance > MOST_GAINED && house.is("scene-cap", "refuse") {
            return Err(Refused(format!(
                "negative invocations give at most {MOST_GAINED} Destiny Points in a scene, and a hindrance of \
                 {hindrance} would give {hindrance}"
            )));
        }
        let last = named.len().saturating_sub(1);
        named.splice(last..last, [("aspect", aspect), ("hindrance", -hindrance)]);
        Ok(Self {
            pool,
            added: named.iter().map(|(_, amount)| amount).sum(),
            named,
            aspect,
            hindrance,
            owner,
            cancelled: None,
        })
    }

    /// Asks a side to roll the dice.
    pub(super) fn ask(&self, by: Side) -> Ask {
        Ask::roll(self.pool.clone(), by)
    }

    /// The total of these dice, with all modifiers.
    pub(super) fn total(&self, dice: &Observation, why: &mut Explanation) -> i32 {
        let kept = dice.sum();
        why.tell(|why| {
            self.tell_roll(why);
            why.sum(kept, &self.named);
        });
        kept + self.added
    }

    /// Tells the dice that were rolled, and how advantage and disadvantage cancel.
    pub(super) fn tell_roll(&self, why: &mut Explanation) {
        why.roll();
        if let Some(cancelled) = &self.cancelled {
            why.say(cancelled);
        }
    }

    /// The Destiny Points spent and gained (Heart Rush, Using Aspects).
    pub(super) fn effects(&self) -> impl Iterator<Item = Effect> {
        let amounts = [-self.aspect, self.hindrance.min(MOST_GAINED)].into_iter();
        let amounts = amounts.filter(|&amount| amount != 0);
        amounts.map(|amount| Effect::Token {
            pool: Id::new("destiny"),
            owner: self.owner.map(str::to_owned),
            amount,
        })
    }
}

/// A Challenge Number with its name, where it has one: `12 (Hard)`.
pub(super) fn name_number(cn: i32) -> String {
    let check = System::HEART_RUSH.check("skill").ok();
    let field = check.and_then(|check| check.field("cn"));
    let name = field.and_then(|field| field.name_of(cn));
    name.map_or_else(|| cn.to_string(), |name| format!("{cn} ({name})"))
}

/// How a total and a Challenge Number compare, as a sentence.
pub(super) fn compare(total: i32, cn: i32) -> String {
    let verb = if total >= cn { "reaches" } else { "is below" };
    format!("{total} {verb} the Challenge Number {}.", name_number(cn))
}
