//! What the attribute roll needs to know, what it asks, how it can end.

use super::super::effect_table::SCALES;
use super::super::{CRITICAL_MARGIN, DIFFICULTIES, PAIN};
use super::Strategy;
use crate::dice::Die;
use crate::rules::{
    Brings, CheckSpec, ChoiceSpec, Field, Helping, Kind, OutcomeSpec, Preset, Shares, Source,
    System, Tone, machine,
};

const fn tier(id: &'static str, label: &'static str, list: &'static str) -> Field {
    Field::number(id, label, (-3, 6), 0)
        .help(
            "The tier of the Boon used: so many dice more, the highest counts. Below 0 the \
             lowest counts.",
        )
        .from(Source::ranked(list))
}

/// The attribute roll, described.
pub(in crate::rules::gnosis) static SPEC: CheckSpec = CheckSpec {
    system: System::Gnosis,
    id: "strategy",
    label: "Strategy",
    help: "A Hero's Strategy, at most one Boon to each attribute, against a Pain Pool or a static difficulty.",
    fields: &[
        Field::die("power", "Power die")
            .help("The Hero's Power.")
            .preset(Preset::Die(Die::D12))
            .from(Source::Stat("power")),
        Field::die("precision", "Precision die")
            .help("The Hero's Precision.")
            .preset(Preset::Die(Die::D10))
            .from(Source::Stat("precision")),
        Field::die("possibility", "Possibility die")
            .help("The Hero's Possibility.")
            .preset(Preset::Die(Die::D8))
            .from(Source::Stat("possibility")),
        tier("power-tier", "Power tier", "power-boons"),
        tier("precision-tier", "Precision tier", "precision-boons"),
        tier("possibility-tier", "Possibility tier", "possibility-boons"),
        Field::number("disadvantage", "Disadvantage", (0, 9), 0)
            .help(
                "Wounds, Traumas and circumstances: each level goes to the attribute with the \
                 greatest advantage.",
            )
            .from(Source::Derived),
        Field::new("pain", "Pain Pool", Kind::Number { min: 3, max: 20 })
            .help("The GM rolls so many d10 and adds up the highest three.")
            .preset(Preset::Optional)
            .named(PAIN)
            .excludes("difficulty"),
        Field::new(
            "difficulty",
            "Static difficulty",
            Kind::Number { min: 1, max: 60 },
        )
        .help("A number instead of a Pain Pool.")
        .preset(Preset::Optional)
        .named(DIFFICULTIES)
        .excludes("pain"),
        Field::word("scale", "Scale", SCALES)
            .help("How the Hero compares with the challenge; it decides what an outcome achieves.")
            .preset(Preset::Word("similar-power")),
        Field::word("risk", "Risk", &["safe", "stressful", "bloody"])
            .help("What consequences are: told only, Stress, or Blood.")
            .preset(Preset::Word("stressful")),
        Field::new(
            "critical-margin",
            "Critical margin",
            Kind::Number { min: 1, max: 20 },
        )
        .help("By how much the Hero must be above or below for a critical.")
        .preset(Preset::House(&CRITICAL_MARGIN)),
    ],
    choices: &[ChoiceSpec {
        id: "disadvantage",
        answers: &["power", "precision", "possibility"],
        help: "Several attributes share the greatest advantage: which one takes the level of disadvantage? Unanswered: the first in the order power, precision, possibility.",
    }],
    outcomes: &[
        OutcomeSpec::new("critical-success", "Critical Success", true, Tone::Triumph),
        OutcomeSpec::new("success", "Success", true, Tone::Good),
        OutcomeSpec::new("tie", "Tie", true, Tone::Mixed),
        OutcomeSpec::new("failure", "Failure", false, Tone::Bad),
        OutcomeSpec::new(
            "critical-failure",
            "Critical Failure",
            false,
            Tone::Disaster,
        ),
    ],
    helping: Some(Helping {
        brings: Brings::Told,
        acts: true,
        shares: Shares::Consequences,
        help: "They work together: all have acted, and consequences are split evenly.",
    }),
    prepare: |fields, house| Ok(machine(fields, Strategy::new(fields, house)?)),
    ..CheckSpec::PLAIN
};
