//! What the checks of HEARTS need to know, and what they read off a sheet.

use crate::rules::{
    Brings, Field, Helping, House, Kind, Preset, Shares, Sheet, Source, Value, Whose,
};
use crate::text::is_same;

/// The value that a check is made against.
const fn value(id: &'static str, label: &'static str, max: i32) -> Field {
    Field::new(id, label, Kind::Number { min: 0, max })
}

pub(super) const SKILL: Field = value("skill", "Skill", 200)
    .help("The value that 1D100 must not exceed.")
    .from(Source::offered("skills"));

pub(super) const TRAIT: Field = value("value", "Characteristic or trait", 40)
    .help("The value that 2D10 must not exceed.")
    .from(Source::offered("traits"));

pub(super) const QUANTITY: Field = value("value", "Quantity", 20)
    .help("The quantity that 1D10 must not exceed.")
    .from(Source::offered("quantities"));

pub(super) const BONUS: Field = Field::number("bonus", "Bonus", (-100, 100), 0)
    .help("Static modifiers, added to the value before the challenge multiplies it.");

pub(super) const ASSIST: Field = Field::number("assist", "Assist", (0, 200), 0)
    .help("The helper's skill; its tens are added to the value.")
    .from(Source::ranked("skills"))
    .of(Whose::Helper);

/// How hard a challenge is, in the order of the page.
const CHALLENGES: &[&str] = &["automatic", "easy", "normal", "difficult", "heroic"];

pub(super) const CHALLENGE: Field = Field::word("challenge", "Challenge", CHALLENGES)
    .help(
        "Automatic: 1 success, no roll. Easy: doubled. Difficult: half. Heroic: a tenth, rounded up.",
    )
    .preset(Preset::Word("normal"));

pub(super) const ADD: Field = Field::number("successes-add", "Successes added", (-9, 9), 0)
    .help("Added to the successes, after they are multiplied.");

pub(super) const TIMES: Field = Field::number("successes-times", "Successes times", (1, 9), 1)
    .help("Multiplies the successes, if there are any.");

/// What the defender's roll must not exceed; a dialog begins in the middle of what such a value is.
pub(super) const fn against(label: &'static str, list: &'static str, begins: i32) -> Field {
    let field = value("against", label, 200)
        .help(
            "The skill, trait or quantity that the defender's roll must not exceed; of the same \
             character in an inner struggle.",
        )
        .from(Source::ranked(list))
        .of(Whose::Opponent);
    Field {
        begins: Some(begins),
        ..field
    }
}

/// A field of the own side, for the defender.
pub(super) const fn theirs(field: Field, id: &'static str, label: &'static str) -> Field {
    Field { id, label, ..field }
        .from(Source::Table)
        .of(Whose::Own)
}

/// What the defender checks.
pub(super) const fn against_check(preset: &'static str) -> Field {
    Field::word("against-check", "Defender's check", CHECKS)
        .help("What the defender checks: a skill on 1D100, a trait on 2D10, a quantity on 1D10.")
        .preset(Preset::Word(preset))
        .from(Source::Follows("against"))
        .of(Whose::Opponent)
        .quiet()
}

/// Whether a character who struggles against itself checks a trait or a quantity.
pub(super) const OWN_CHECK: Field = Field::word("own-check", "Own check", &["trait", "quantity"])
    .help("What is checked: a trait on 2D10, a quantity on 1D10.")
    .preset(Preset::Word("trait"))
    .from(Source::Follows("value"))
    .quiet();

/// The kinds of checks, each with the list of a sheet that it is made on and the highest value there.
pub(super) const KINDS: [(&str, &str, i32); 3] = [
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
        let found = ranks.find(|(known, _)| name.is_some_and(|name| is_same(known, name)));
        Some((*kind, found?))
    })?;
    let value = match field {
        "own-check" | "against-check" => Value::from(kind),
        _ => Value::Number(*value),
    };
    Some((value, known.clone()))
}

/// Assisting lends a skill that the helper must have; of what goes wrong the page shares nothing (HEARTS,
/// Assisting on Checks).
pub(super) const ASSISTING: Helping = Helping {
    brings: Brings::Skill,
    acts: false,
    shares: Shares::Nothing,
    help: "Who has the skill lends its tens, one helper's alone; what goes wrong is not shared.",
};
