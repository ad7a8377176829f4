//! What a character's sheet holds.

use crate::rules::Field;

const fn attribute(id: &'static str, label: &'static str, short: &'static str) -> Field {
    Field::number(id, label, (0, 8), 3)
        .short(short)
        .help("So many dice: 0 is impaired, 3 average, 6 the most that people have.")
}

/// The stats of a character, in the order of the sheet.
pub(super) const STATS: &[Field] = &[
    attribute("force", "Physical Force", "For"),
    attribute("speed", "Physical Speed", "Spe"),
    attribute("creativity", "Mental Creativity", "Cre"),
    attribute("reason", "Mental Reason", "Rea"),
    attribute("empathy", "Social Empathy", "Emp"),
    attribute("manipulation", "Social Manipulation", "Man"),
    Field::ranks("competencies", "Competencies", "competency", 9).help(
        "Name and value, as in: Athletics 3, Stealth 1. 1 is a beginner, 3 average, 6 an \
         expert.",
    ),
    Field::ranks("specialisations", "Specialisations", "specialisation", 9)
        .help("Name and value, as in: Camouflage 2, Ambush 1."),
];

/// The stats that decide the number of dice.
pub(super) const ATTRIBUTES: &[&str] = &[
    "force",
    "speed",
    "creativity",
    "reason",
    "empathy",
    "manipulation",
];
