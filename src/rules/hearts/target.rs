//! What every check of HEARTS shares: the target that the roll must not exceed, the levels of success,
//! and what happens to the successes (HEARTS, How to Make a Check; Check Modifiers).

use super::{LEVELS, MAXIMUM, QUANTITY_ZERO};
use crate::dice::{Die, Group, Pool, Projection, Role};
use crate::rules::{
    Brings, Field, Fields, Helping, House, Kind, Preset, Refused, Shares, Sheet, Source, Value,
    Whose,
};
use crate::text::is_same;

/// How hard a challenge is, in the order of the page.
const CHALLENGES: &[&str] = &["automatic", "easy", "normal", "difficult", "heroic"];

const SKILL_HELP: &str = "The value that 1D100 must not exceed.";
const BONUS_HELP: &str = "Static modifiers, added to the value before the challenge multiplies it.";
const ASSIST_HELP: &str = "The helper's skill; its tens are added to the value.";
const CHALLENGE_HELP: &str =
    "Automatic: 1 success, no roll. Easy: doubled. Difficult: half. Heroic: a tenth, rounded up.";
const ADD_HELP: &str = "Added to the successes, after they are multiplied.";
const TIMES_HELP: &str = "Multiplies the successes, if there are any.";

const SKILLS: Source = Source::offered("skills");

const HELPERS_SKILLS: Source = Source::ranked("skills");

const TRAITS: Source = Source::offered("traits");

/// The value that a check is made against.
const fn value(id: &'static str, label: &'static str, max: i32, help: &'static str) -> Field {
    Field::new(id, label, Kind::Number { min: 0, max }).help(help)
}

const fn challenge(id: &'static str, label: &'static str) -> Field {
    Field::word(id, label, CHALLENGES)
        .help(CHALLENGE_HELP)
        .preset(Preset::Word("normal"))
}

pub(super) const SKILL: Field = value("skill", "Skill", 200, SKILL_HELP).from(SKILLS);
pub(super) const TRAIT: Field = value(
    "value",
    "Characteristic or trait",
    40,
    "The value that 2D10 must not exceed.",
)
.from(TRAITS);
pub(super) const QUANTITY: Field = value(
    "value",
    "Quantity",
    20,
    "The quantity that 1D10 must not exceed.",
)
.from(Source::offered("quantities"));
pub(super) const BONUS: Field = Field::number("bonus", "Bonus", (-100, 100), 0).help(BONUS_HELP);
pub(super) const ASSIST: Field = Field::number("assist", "Assist", (0, 200), 0)
    .help(ASSIST_HELP)
    .from(HELPERS_SKILLS)
    .of(Whose::Helper);
pub(super) const CHALLENGE: Field = challenge("challenge", "Challenge");
pub(super) const SUCCESSES_ADD: Field =
    Field::number("successes-add", "Successes added", (-9, 9), 0).help(ADD_HELP);
pub(super) const SUCCESSES_TIMES: Field =
    Field::number("successes-times", "Successes times", (1, 9), 1).help(TIMES_HELP);

/// What the defender's roll must not exceed; a dialog begins in the middle of what such a value is.
pub(super) const fn against(label: &'static str, list: &'static str, begins: i32) -> Field {
    Field {
        begins: Some(begins),
        ..value(
            "against",
            label,
            200,
            "The skill, trait or quantity that the defender's roll must not exceed; of the same character in an inner \
             struggle.",
        )
    }
    .from(Source::ranked(list))
    .of(Whose::Opponent)
}

/// What the defender checks.
pub(super) const fn against_check(preset: &'static str) -> Field {
    Field::word("against-check", "Defender's check", CHECKS)
        .help(
            "What the defender checks: a skill on 1D100, a trait on 2D10, a quantity on \
             1D10.",
        )
        .preset(Preset::Word(preset))
        .from(Source::Follows("against"))
        .of(Whose::Opponent)
        .quiet()
}

/// What whoever struggles checks.
pub(super) const OWN_CHECK: Field = Field::word("own-check", "Own check", &["trait", "quantity"])
    .help("What is checked: a trait on 2D10, a quantity on 1D10.")
    .preset(Preset::Word("trait"))
    .from(Source::Follows("value"))
    .quiet();

/// The kinds of checks, each with the list of a sheet that it is made on and the highest value there.
const KINDS: [(&str, &str, i32); 3] = [
    ("skill", "skills", 200),
    ("trait", "traits", 40),
    ("quantity", "quantities", 20),
];

const CHECKS: &[&str] = &["skill", "trait", "quantity"];

/// What an opposed check reads off a sheet by a name that its own list does not have: the value, and what
/// kind of check is made on it.
pub(super) fn derive(
    sheet: &Sheet,
    _: &House,
    field: &'static str,
    name: Option<&str>,
) -> Option<(Value, String)> {
    let known = match field {
        "value" | "own-check" => &KINDS[1..],
        _ => &KINDS[..],
    };
    let (kind, (known, value)) = known.iter().find_map(|(kind, list, _)| {
        let mut ranks = sheet.ranks(list).iter();
        Some((
            *kind,
            ranks.find(|(known, _)| name.is_some_and(|name| is_same(known, name)))?,
        ))
    })?;
    let value = match field {
        "own-check" | "against-check" => Value::from(kind),
        _ => Value::Number(*value),
    };
    Some((value, known.clone()))
}

/// The dice of that kind of check; refuses a value that it cannot have, and help that it does not take.
pub(super) fn dice_of(
    kind: &str,
    (name, value): (&str, i32),
    house: &House,
) -> Result<Dice, Refused> {
    let most = KINDS.iter().find(|(known, ..)| *known == kind);
    if let Some((kind, _, most)) = most.filter(|(.., most)| value > *most) {
        return Err(Refused(format!(
            "{name} is the value of a {kind}, {most} at most, and {value} was given"
        )));
    }
    Ok(match kind {
        "skill" => Dice::Skill,
        "trait" => Dice::Trait,
        _ if house.departs(&QUANTITY_ZERO) => Dice::QuantityFromZero,
        _ => Dice::Quantity,
    })
}

/// A field of the own side, for the defender.
const fn theirs(field: Field, id: &'static str, label: &'static str) -> Field {
    Field { id, label, ..field }
        .from(Source::Table)
        .of(Whose::Own)
}

pub(super) const AGAINST_BONUS: Field = theirs(BONUS, "against-bonus", "Defender's bonus");
pub(super) const AGAINST_ASSIST: Field = theirs(ASSIST, "against-assist", "Defender's assist");
pub(super) const AGAINST_CHALLENGE: Field =
    theirs(CHALLENGE, "against-challenge", "Defender's challenge");
pub(super) const AGAINST_ADD: Field = theirs(
    SUCCESSES_ADD,
    "against-successes-add",
    "Defender's successes added",
);
pub(super) const AGAINST_TIMES: Field = theirs(
    SUCCESSES_TIMES,
    "against-successes-times",
    "Defender's successes times",
);

/// Assisting lends a skill that the helper must have; of what goes wrong the page shares nothing (HEARTS,
/// Assisting on Checks).
pub(super) const ASSISTING: Helping = Helping {
    brings: Brings::Skill,
    acts: false,
    shares: Shares::Nothing,
    help: "Who has the skill lends its tens, one helper's alone; what goes wrong is not shared.",
};

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

/// What is rolled for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Dice {
    /// 1D100, tens and ones.
    Skill,
    /// 2D10, a 0 is a 10.
    Trait,
    /// 1D10, a 0 is a 10.
    Quantity,
    /// 1D10, a 0 is zero (by a house rule).
    QuantityFromZero,
}

impl Dice {
    /// The pool.
    pub(super) fn pool(self) -> Pool {
        let some = |die, count, role| Group::new(die, count, role);
        match self {
            Self::Skill => Pool::all(
                vec![
                    some(Die::Digit, 1, Role::Tens),
                    some(Die::Digit, 1, Role::Ones),
                ],
                Projection::Faces,
            ),
            Self::Trait => Pool::all(vec![some(Die::D10, 2, Role::Pool)], Projection::Sum),
            Self::Quantity => Pool::one(Die::D10, Role::Pool),
            Self::QuantityFromZero => Pool::one(Die::Digit, Role::Pool),
        }
    }

    /// The highest that can be rolled.
    const fn highest(self) -> i32 {
        match self {
            Self::Skill => 100,
            Self::Trait => 20,
            Self::Quantity => 10,
            Self::QuantityFromZero => 9,
        }
    }

    const fn has_levels(self) -> bool {
        match self {
            Self::Skill => true,
            Self::Trait | Self::Quantity | Self::QuantityFromZero => false,
        }
    }
}

/// One side of a check: what it rolls, what it must not exceed, and what becomes of its successes.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// The dice; none where the success is automatic.
    pub(super) dice: Option<Dice>,
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
    /// The side that makes the check.
    pub(super) fn own(fields: &Fields, house: &House, dice: Dice) -> Self {
        let value = match dice {
            Dice::Skill => "skill",
            Dice::Trait | Dice::Quantity | Dice::QuantityFromZero => "value",
        };
        Self::new(fields, house, dice, (value, ""))
    }

    /// The side that it is made against.
    pub(super) fn against(fields: &Fields, house: &House, dice: Dice) -> Self {
        Self::new(fields, house, dice, ("against", "against-"))
    }

    /// The side whose value is in that field; the names of its other fields begin with `before`.
    fn new(fields: &Fields, house: &House, dice: Dice, (value, before): (&str, &str)) -> Self {
        let number = |name, without| {
            let given = fields.maybe_number(&format!("{before}{name}"));
            given.unwrap_or(without)
        };
        let value = fields.number(value);
        let bonus = number("bonus", 0);
        // The tens of the helper's skill.
        let assist = number("assist", 0) / 10;
        let challenge = fields.text(&format!("{before}challenge"));
        // Never below 0: no roll is that low.
        let target = multiply(value + bonus + assist, challenge).max(0);
        let mut words = vec![value.to_string()];
        let mut add_words = |name: &str, amount: i32| {
            if amount != 0 {
                let sign = if amount < 0 { '−' } else { '+' };
                words.push(format!("{sign} {} ({name})", amount.abs()));
            }
        };
        add_words("bonus", bonus);
        add_words("assist", assist);
        let sum = words.join(" ");
        let words = match (challenge, words.len()) {
            ("normal", 1) => format!("The target is {target}."),
            ("normal", _) => format!("The target is {sum}, that is {target}."),
            (challenge, _) => {
                format!("The target is {sum}, and the challenge is {challenge}: {target}.")
            }
        };
        Self {
            dice: (challenge != "automatic").then_some(dice),
            number: target,
            hard: round_up(target, 2),
            highest_fails: !house.departs(&MAXIMUM),
            levels_add: house.departs(&LEVELS),
            times: number("successes-times", 1),
            add: number("successes-add", 0),
            words,
        }
    }

    /// How well that roll did.
    pub(super) fn level(&self, dice: Dice, roll: i32) -> Level {
        let fails = self.highest_fails && roll == dice.highest();
        let success = roll <= self.number && !fails;
        let ten = roll % 10 == 0;
        match (success, dice.has_levels()) {
            (true, true) if ten => Level::Heroic,
            (true, true) if roll <= self.hard => Level::Hard,
            (true, _) => Level::Success,
            (false, true) if ten => Level::Fumble,
            (false, _) => Level::Failure,
        }
    }

    /// The successes of a roll before modification: those of its level, and where the table lets levels add
    /// up those of a Hard Success that is Heroic, too.
    pub(super) fn scores(&self, dice: Dice, roll: i32) -> i32 {
        let level = self.level(dice, roll);
        let both = self.levels_add && level == Level::Heroic && roll <= self.hard;
        level.successes() + if both { Level::Hard.successes() } else { 0 }
    }

    /// The successes of a level after modification: the positive ones multiplied, then added to
    /// (HEARTS, Check Modifiers).
    pub(super) fn modify(&self, successes: i32) -> i32 {
        let times = if successes > 0 { self.times } else { 1 };
        successes * times + self.add
    }

    /// What the roll was held against, as a sentence.
    pub(super) fn target_words(&self) -> &str {
        &self.words
    }

    /// What a roll came to, as a sentence.
    pub(super) fn level_words(&self, dice: Dice, roll: i32) -> String {
        let level = self.level(dice, roll);
        let high = roll <= self.number && level.successes() < 1;
        let words = if high {
            "the highest roll there is, which always fails"
        } else {
            level.words()
        };
        let both = self.scores(dice, roll) > level.successes();
        let both = if both {
            ", and at most half: both count"
        } else {
            ""
        };
        format!("{roll} against {} is {words}{both}.", self.number)
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

/// The value that these two digits spell: 00 and 0 together are 100 (HEARTS, Dice).
pub(super) fn spell(tens: u8, ones: u8) -> i32 {
    match 10 * i32::from(tens) + i32::from(ones) {
        0 => 100,
        roll => roll,
    }
}
