//! What an ACS roll needs to know, what it asks, how it can end.

use super::super::sheet::ATTRIBUTES;
use super::{Acs, DIFFICULTIES};
use crate::rules::{
    Brings, CheckSpec, ChoiceSpec, Field, Helping, Kind, OutcomeSpec, Preset, Shares, Source,
    System, TokenKind, Tone, machine,
};

/// The ACS roll, described.
pub(in crate::rules::hfrpg) static SPEC: CheckSpec = CheckSpec {
    system: System::Hfrpg,
    id: "acs",
    label: "ACS roll",
    help: "Attribute + Competency + Specialisation: so many dice as the Attribute, the highest counts, and the other two are added.",
    fields: &[
        Field::new("attribute", "Attribute", Kind::Number { min: 0, max: 8 })
            .help("The number of dice.")
            .from(Source::OneOf(ATTRIBUTES))
            .named(&[(0, "impaired"), (3, "average"), (6, "olympian")]),
        Field::new("competency", "Competency", Kind::Number { min: 0, max: 9 })
            .help("Added to the dice.")
            .from(Source::ranked("competencies"))
            .named(&[(1, "beginner"), (3, "average"), (6, "expert")]),
        Field::number("specialisation", "Specialisation", (0, 9), 0)
            .help("Added to the dice.")
            .from(Source::ranked("specialisations")),
        Field::word("difficulty", "Difficulty", DIFFICULTIES)
            .help(
                "The size of the dice: d12 when Very Easy, d10, d8 when Normal, d6, d4 when Very \
                 Hard.",
            )
            .preset(Preset::Word("normal")),
        Field::number("group", "Group", (0, 60), 0)
            .help("In a group roll: Competency and Specialisation of all the others, added up."),
        Field::number("bonus", "Bonus tokens", (0, 99), 0)
            .help(
                "The most bonus tokens that may be spent; where they go is chosen after the dice \
                 are seen.",
            )
            .from(Source::Tokens {
                kind: TokenKind::Tokens,
                owed: false,
            })
            .spends(TokenKind::Tokens)
            .excludes("penalty"),
        Field::number("penalty", "Penalty tokens", (0, 99), 0)
            .help("The penalty tokens in the pool: all that fit must be used, where the GM says.")
            .from(Source::Tokens {
                kind: TokenKind::Tokens,
                owed: true,
            })
            .excludes("bonus"),
    ],
    choices: &[ChoiceSpec {
        id: "placing",
        answers: &[],
        help: "Where the tokens go, so many to each die in rolled order, as in 0,2,1. A bonus token raises a die by 1, a penalty token lowers it. Unanswered: the best that bonuses can do, the worst that penalties can.",
    }],
    outcomes: &[
        OutcomeSpec::new("critical-success", "Critical Success", true, Tone::Triumph),
        OutcomeSpec::new("clean-success", "Clean Success", true, Tone::Good),
        OutcomeSpec::new("scraped-by", "Scraped By", true, Tone::Mixed),
        OutcomeSpec::new("almost-there", "Almost There", false, Tone::Bad),
        OutcomeSpec::new("clean-failure", "Clean Failure", false, Tone::Bad),
        OutcomeSpec::new(
            "critical-failure",
            "Critical Failure",
            false,
            Tone::Disaster,
        ),
    ],
    explodes: true,
    helping: Some(Helping {
        brings: Brings::Sum("group"),
        acts: false,
        shares: Shares::Nothing,
        help: "Each adds Competency and Specialisation; what goes wrong is not shared.",
    }),
    prepare: |fields, house| Ok(machine(fields, Acs::new(fields, house)?)),
    ..CheckSpec::PLAIN
};
