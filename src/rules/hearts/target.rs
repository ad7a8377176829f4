//! The target that a roll must not exceed, the levels of success, and what happens to the successes (HEARTS,
//! How to Make a Check; Check Modifiers).

use super::sheet::KINDS;
use crate::dice::{Die, DieRole, Group, Pool, Projection};
use crate::rules::words::{joined, terms};
use crate::rules::{Ask, Explanation, Fields, House, Refused, Side, Walk};

/// How well a roll did. Only skills have all five; what has no levels succeeds or fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Level {
    /// A success that is a multiple of 10.
    Heroic,
    /// At most half the target.
    Hard,
    /// At most the target.
    Success,
    /// Above the target.
    Failure,
    /// A failure that is a multiple of 10.
    Fumble,
}

impl Level {
    /// The successes that it gains (HEARTS, Level of Success).
    pub(super) const fn successes(self) -> i32 {
        match self {
            Self::Heroic => 3,
            Self::Hard => 2,
            Self::Success => 1,
            Self::Failure => 0,
            Self::Fumble => -1,
        }
    }

    /// Its name and its reason, as a sentence.
    const fn words(self) -> &'static str {
        match self {
            Self::Heroic => "a Heroic Success, for it is a success and a multiple of 10",
            Self::Hard => "a Hard Success, for it is at most half the target",
            Self::Success => "a Success, for it is at most the target",
            Self::Failure => "a Failure",
            Self::Fumble => "a Fumble, for it is a failure and a multiple of 10",
        }
    }
}

/// What is rolled in that kind of check, and the highest that can be: 1D100 for a skill, 2D10 for a trait, 1D10
/// for a quantity. A 0 is a 10, but for a house rule on quantities.
fn dice(kind: &str, house: &House) -> (Pool, i32) {
    match kind {
        "skill" => {
            let digit = |role| Group::new(Die::Digit, 1, role);
            let dice = vec![digit(DieRole::TENS), digit(DieRole::ONES)];
            (Pool::all(dice, Projection::Digits), 100)
        }
        "trait" => {
            let dice = vec![Group::new(Die::D10, 2, DieRole::POOL)];
            (Pool::all(dice, Projection::Sum), 20)
        }
        _ if house.is("quantity-zero", "zero") => (Pool::one(Die::Digit, DieRole::POOL), 9),
        _ => (Pool::one(Die::D10, DieRole::POOL), 10),
    }
}

/// One side of a check: what it rolls, what it must not exceed, and what becomes of its successes.
#[expect(clippy::struct_excessive_bools, reason = "each is a rule of its own")]
#[derive(Clone, Debug)]
pub(super) struct Target {
    pool: Pool,
    /// The highest that can be rolled.
    highest: i32,
    /// Only skills have levels, and only they are assisted.
    pub(super) is_skill: bool,
    /// Nothing is rolled, and it scores 1 success.
    is_automatic: bool,
    /// What the roll must not exceed.
    pub(super) number: i32,
    /// The highest roll that is a Hard Success.
    hard: i32,
    /// Whether the highest roll there is fails whatever the target, but for a house rule.
    highest_fails: bool,
    /// Whether a Hard and a Heroic Success add up (by a house rule).
    levels_add: bool,
    times: i32,
    add: i32,
    words: String,
}

/// That many numerators over that denominator, rounded up as all fractions are (HEARTS, Fractions).
const fn round_up(numerator: i32, denominator: i32) -> i32 {
    -(-numerator).div_euclid(denominator)
}

/// The value multiplied as the challenge says, rounded up once.
fn multiply(value: i32, challenge: &str) -> i32 {
    match challenge {
        "easy" => value * 2,
        "difficult" => round_up(value, 2),
        "heroic" => round_up(value, 10),
        _ => value,
    }
}

impl Target {
    /// The side that makes this kind of check.
    pub(super) fn own(fields: &Fields, house: &House, kind: &str) -> Result<Self, Refused> {
        let value = if fields.maybe_number("skill").is_some() {
            "skill"
        } else {
            "value"
        };
        Self::new(fields, house, kind, (value, ""))
    }

    /// The side that it is made against.
    pub(super) fn against(fields: &Fields, house: &House) -> Result<Self, Refused> {
        let kind = fields.text("against-check");
        Self::new(fields, house, kind, ("against", "against-"))
    }

    /// The side whose value is in that field; the names of its other fields begin with `before`.
    /// Refuses a value that this kind of check cannot have.
    fn new(
        fields: &Fields,
        house: &House,
        kind: &str,
        (name, before): (&str, &str),
    ) -> Result<Self, Refused> {
        let number = |name, without| {
            let given = fields.maybe_number(&format!("{before}{name}"));
            given.unwrap_or(without)
        };
        let value = fields.number(name);
        let known = KINDS.iter().find(|(known, ..)| *known == kind);
        if let Some((kind, _, most)) = known.filter(|(.., most)| value > *most) {
            return Err(Refused(format!(
                "{name} is the value of a {kind}, {most} at most, and {value} was given"
            )));
        }
        let bonus = number("bonus", 0);
        // The tens of the helper's skill.
        let assist = number("assist", 0) / 10;
        let challenge = fields.text(&format!("{before}challenge"));
        // Never below 0: no roll is that low.
        let target = multiply(value + bonus + assist, challenge).max(0);
        let added = terms(&[("bonus", bonus), ("assist", assist)]);
        let words = match challenge {
            "normal" if added.is_empty() => format!("The target is {target}."),
            "normal" => format!("The target is {value}{added}, that is {target}."),
            _ => {
                format!("The target is {value}{added}, and the challenge is {challenge}: {target}.")
            }
        };
        let (pool, highest) = dice(kind, house);
        Ok(Self {
            pool,
            highest,
            is_skill: kind == "skill",
            is_automatic: challenge == "automatic",
            number: target,
            hard: round_up(target, 2),
            highest_fails: !house.is("maximum", "counts"),
            levels_add: house.is("levels", "add"),
            times: number("successes-times", 1),
            add: number("successes-add", 0),
            words,
        })
    }

    /// What that side rolls; `None` if it succeeds automatically.
    pub(super) fn roll(&self, by: Side, walk: &mut Walk<'_>) -> Result<Option<i32>, Ask> {
        if self.is_automatic {
            return Ok(None);
        }
        let fell = walk.roll(by, || self.pool.clone())?;
        Ok(Some(fell.sum()))
    }

    /// How well that roll did.
    pub(super) fn level(&self, roll: i32) -> Level {
        let fails = self.highest_fails && roll == self.highest;
        let success = roll <= self.number && !fails;
        let ten = self.is_skill && roll % 10 == 0;
        match success {
            true if ten => Level::Heroic,
            true if self.is_skill && roll <= self.hard => Level::Hard,
            true => Level::Success,
            false if ten => Level::Fumble,
            false => Level::Failure,
        }
    }

    /// The successes before modification: those of the roll's level, and where the table lets levels add up
    /// those of a Hard Success that is Heroic, too. What is not rolled scores 1.
    pub(super) fn scores(&self, roll: Option<i32>) -> i32 {
        let Some(roll) = roll else {
            return Level::Success.successes();
        };
        let level = self.level(roll);
        let both = self.levels_add && level == Level::Heroic && roll <= self.hard;
        level.successes() + if both { Level::Hard.successes() } else { 0 }
    }

    /// The successes of a level after modification: the positive ones multiplied, then added to
    /// (HEARTS, Check Modifiers).
    pub(super) fn modify(&self, successes: i32) -> i32 {
        let times = if successes > 0 { self.times } else { 1 };
        successes * times + self.add
    }

    /// Shows the dice of a roll, and says what they read as, were held against and came to.
    pub(super) fn tell(&self, why: &mut Explanation, roll: i32) {
        let (_, faces) = why.show_roll();
        let faces = joined(faces, " and ");
        why.say(match self.highest {
            100 => format!("Rolled 1D100: {faces} reads {roll}."),
            20 => format!("Rolled 2D10: {faces} make {roll}."),
            _ => format!("Rolled 1D10: {roll}."),
        });
        why.say(&self.words);
        let level = self.level(roll);
        let words = if roll <= self.number && level.successes() < 1 {
            "the highest roll there is, which always fails"
        } else {
            level.words()
        };
        let both = if self.scores(Some(roll)) > level.successes() {
            ", and at most half: both count"
        } else {
            ""
        };
        why.say(format!("{roll} against {} is {words}{both}.", self.number));
    }

    /// Whether the check succeeds, as a sentence, where modifiers had a say in it (HEARTS, How to Make a
    /// Check).
    pub(super) fn concludes(&self, successes: i32) -> Option<String> {
        let left = self.modify(successes);
        (self.times > 1 || self.add != 0).then(|| match left {
            1.. => format!("{} remaining: the check succeeds.", count(left)),
            _ => "No success remains: the check fails.".to_owned(),
        })
    }

    /// How the successes came about, as a sentence.
    pub(super) fn success_words(&self, successes: i32) -> String {
        let mut words = count(successes);
        if self.times > 1 && successes > 0 {
            words = format!("{words}, times {}", self.times);
        }
        if self.add != 0 {
            let sign = if self.add < 0 { '−' } else { '+' };
            words = format!("{words} {sign} {}", self.add.abs());
        }
        let after = self.modify(successes);
        if after == successes && after < 0 {
            format!("It costs {}.", count(-after))
        } else if after == successes {
            format!("It scores {words}.")
        } else {
            format!("It scores {words}: {after}.")
        }
    }
}

/// So many successes in words.
pub(super) fn count(successes: i32) -> String {
    let sign = if successes < 0 { "−" } else { "" };
    match successes.unsigned_abs() {
        1 => format!("{sign}1 success"),
        number => format!("{sign}{number} successes"),
    }
}
