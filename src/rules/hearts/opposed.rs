//! Opposed checks: one character resists another, or itself (HEARTS, Opposed Checks).

use super::fields::{
    ADD, ASSIST, ASSISTING, BONUS, CHALLENGE, OWN_CHECK, SKILL, TIMES, TRAIT, against,
    against_check, theirs,
};
use super::target::{Target, count};
use super::{HALF_AT_A_TIE, OPPOSED_FUMBLE};
use crate::rules::{
    Ask, Check, CheckSpec, Explanation, Field, Fields, House, Key, OutcomeId, OutcomeSpec, Refused,
    Side, System, Tally, Tone, Walk, machine,
};

const AGAINST_BONUS: Field = theirs(BONUS, "against-bonus", "Defender's bonus");
const AGAINST_ASSIST: Field = theirs(ASSIST, "against-assist", "Defender's assist");
const AGAINST_CHALLENGE: Field = theirs(CHALLENGE, "against-challenge", "Defender's challenge");
const AGAINST_ADD: Field = theirs(ADD, "against-successes-add", "Defender's successes added");
const AGAINST_TIMES: Field = theirs(
    TIMES,
    "against-successes-times",
    "Defender's successes times",
);

const AGGRESSOR: OutcomeId = OutcomeId(0);
const TIE: OutcomeId = OutcomeId(1);
const DEFENDER: OutcomeId = OutcomeId(2);

const OUTCOMES: &[OutcomeSpec] = &[
    OutcomeSpec::new("aggressor", "Aggressor", true, Tone::Good),
    OutcomeSpec::new("tie", "Tie", false, Tone::Mixed),
    OutcomeSpec::new("defender", "Defender", false, Tone::Bad),
];

/// The opposed skill check, described.
pub(super) static SKILLS: CheckSpec = CheckSpec {
    system: System::Hearts,
    id: "opposed",
    label: "Opposed check",
    help: "One character resists another: the defender's successes are taken from the aggressor's. What remains is \
           resolved as if it had been rolled; a tie gives each side half a Normal Success.",
    fields: &[
        SKILL,
        BONUS,
        ASSIST,
        CHALLENGE,
        ADD,
        TIMES,
        against("Defender's skill", "skills", 50),
        AGAINST_BONUS,
        AGAINST_ASSIST,
        AGAINST_CHALLENGE,
        AGAINST_ADD,
        AGAINST_TIMES,
        against_check("skill"),
    ],
    outcomes: OUTCOMES,
    helping: Some(ASSISTING),
    prepare: |fields, house| Ok(machine(fields, Opposed::new(fields, house, "skill")?)),
    ..CheckSpec::PLAIN
};

/// The opposed trait check, described.
pub(super) static TRAITS: CheckSpec = CheckSpec {
    system: System::Hearts,
    id: "opposed-trait",
    label: "Opposed trait check",
    help: "Trait against trait, of two characters or of one that struggles with itself, or against another check. Both \
           at once is a tie: each side gets half.",
    fields: &[
        TRAIT,
        BONUS,
        CHALLENGE,
        ADD,
        TIMES,
        against("Defender's trait", "traits", 10),
        AGAINST_BONUS,
        AGAINST_CHALLENGE,
        AGAINST_ADD,
        AGAINST_TIMES,
        OWN_CHECK,
        against_check("trait"),
    ],
    outcomes: OUTCOMES,
    prepare: |fields, house| {
        let own = fields.text("own-check");
        Ok(machine(fields, Opposed::new(fields, house, own)?))
    },
    ..CheckSpec::PLAIN
};

/// An opposed check with everything known but the dice.
#[derive(Clone, Debug)]
struct Opposed {
    aggressor: Target,
    defender: Target,
    /// A tie gives half only where both succeeded, by a house rule.
    tie_needs_both: bool,
    /// A Fumble counts as 0 successes, by a house rule.
    fumble_is_zero: bool,
}

impl Opposed {
    fn new(fields: &Fields, house: &House, kind: &str) -> Result<Self, Refused> {
        let aggressor = Target::own(fields, house, kind)?;
        let defender = Target::against(fields, house)?;
        if !defender.is_skill && fields.maybe_number("against-assist").unwrap_or(0) > 0 {
            let why = "only a skill check is assisted; leave out against-assist, or let the defender check a skill";
            return Err(Refused(why.to_owned()));
        }
        Ok(Self {
            aggressor,
            defender,
            tie_needs_both: house.departs(&HALF_AT_A_TIE),
            fumble_is_zero: house.departs(&OPPOSED_FUMBLE),
        })
    }

    /// The successes of one side after modification, once it rolled.
    fn successes(
        &self,
        (name, side): (&str, &Target),
        by: Side,
        walk: &mut Walk<'_>,
    ) -> Result<i32, Ask> {
        let roll = side.roll(by, walk)?;
        let mut scored = side.scores(roll);
        if self.fumble_is_zero {
            scored = scored.max(0);
        }
        walk.tell(|why| {
            match roll {
                Some(roll) => {
                    why.say(format!("{name}:"));
                    side.tell(why, roll);
                }
                None => why.say(format!(
                    "{name}: an automatic challenge is not rolled, 1 success."
                )),
            }
            why.say(side.success_words(scored));
        });
        Ok(side.modify(scored))
    }

    fn explain(&self, aggressor: i32, defender: i32, why: &mut Explanation) {
        let margin = aggressor - defender;
        why.keys = vec![
            ("aggressor", Key::Number(aggressor)),
            ("defender", Key::Number(defender)),
            ("margin", Key::Number(margin)),
        ];
        if margin == 0 {
            let scored = aggressor > 0 && defender > 0;
            let half = scored || !self.tie_needs_both;
            why.keys.push(("half", Key::Flag(half)));
            let who = if scored {
                "both succeeded"
            } else {
                "neither succeeded"
            };
            let what = if half {
                "each side gets half the result of a Normal Success, rounded up"
            } else {
                "neither side gets anything"
            };
            why.say(format!("A tie at {aggressor}, {who}: {what}."));
        } else {
            let (winner, loser) = if margin > 0 {
                ("aggressor", "defender")
            } else {
                ("defender", "aggressor")
            };
            let left = margin.abs();
            why.say(format!(
                "{aggressor} less {defender} leaves the {winner} {}, resolved as a {} Success; the {loser} counts as \
                 having rolled a Failure.",
                count(left),
                level_name(left)
            ));
        }
    }
}

impl Check for Opposed {
    /// The successes of the aggressor and the defender, once they are known.
    type State = (Option<i32>, Option<i32>);

    fn next(&self, state: Self::State, walk: &mut Walk<'_>) -> Result<Self::State, Ask> {
        let (aggressor, defender) = match state {
            (None, _) => {
                let side = ("The aggressor", &self.aggressor);
                let scored = self.successes(side, Side::Actor, walk)?;
                return Ok((Some(scored), None));
            }
            (aggressor, None) => {
                let side = ("The defender", &self.defender);
                let scored = self.successes(side, Side::Opponent, walk)?;
                return Ok((aggressor, Some(scored)));
            }
            (Some(aggressor), Some(defender)) => (aggressor, defender),
        };
        walk.tell(|why| self.explain(aggressor, defender, why));
        let margin = aggressor - defender;
        let outcome = match margin.signum() {
            1 => AGGRESSOR,
            0 => TIE,
            _ => DEFENDER,
        };
        Err(Ask::Done(outcome, Tally::new(None, margin.max(0))))
    }
}

/// The level that so many successes are resolved as; more than a Heroic Success has no name of its own.
fn level_name(successes: i32) -> &'static str {
    match successes {
        1 => "Normal",
        2 => "Hard",
        _ => "Heroic",
    }
}
