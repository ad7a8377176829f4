//! The checks that one side makes: skill, trait, quantity (HEARTS, Types of Checks).

use super::fields::{ADD, ASSIST, ASSISTING, BONUS, CHALLENGE, QUANTITY, SKILL, TIMES, TRAIT};
use super::target::{Level, Target};
use crate::rules::{
    Ask, Check, CheckSpec, Effect, Explanation, Field, Fields, House, Key, OutcomeId, OutcomeSpec,
    Refused, Side, System, Tally, TokenKind, Tone, Walk, machine,
};

/// The skill check, described.
pub(super) static SKILL_CHECK: CheckSpec = CheckSpec {
    system: System::Hearts,
    id: "skill",
    label: "Skill check",
    help: "1D100 against a skill, with levels of success. Is a check needed at all? Not with Training, Tools and Time \
           and without pressure, threat or duress; else only if there is a Reason why success or failure has Worth.",
    fields: &[
        SKILL,
        BONUS,
        ASSIST,
        CHALLENGE,
        ADD,
        TIMES,
        Field::flag("watch", "Watch Lead")
            .help("The Watch Lead's check in travel: each success is a Watch Action.")
            .quiet(),
    ],
    outcomes: &[
        OutcomeSpec::new("heroic", "Heroic Success", true, Tone::Triumph),
        OutcomeSpec::new("hard", "Hard Success", true, Tone::Triumph),
        OutcomeSpec::new("success", "Success", true, Tone::Good),
        OutcomeSpec::new("failure", "Failure", false, Tone::Bad),
        OutcomeSpec::new("fumble", "Fumble", false, Tone::Disaster),
    ],
    helping: Some(ASSISTING),
    rolls_under: true,
    success_after: Some("successes-add"),
    prepare: |fields, house| Ok(machine(fields, Single::new(fields, house)?)),
    ..CheckSpec::PLAIN
};

/// What a check without levels comes to.
const PLAIN: &[OutcomeSpec] = &[
    OutcomeSpec::new("success", "Success", true, Tone::Good),
    OutcomeSpec::new("failure", "Failure", false, Tone::Bad),
];

/// The characteristic or trait check, described.
pub(super) static TRAIT_CHECK: CheckSpec = CheckSpec {
    system: System::Hearts,
    id: "trait",
    label: "Trait check",
    help: "2D10 against a characteristic or trait; 0 reads 10, and there are no levels of success. Is a check needed \
           at all? Not without pressure and with what it takes; else only with Reason and Worth.",
    fields: &[TRAIT, BONUS, CHALLENGE, ADD, TIMES],
    outcomes: PLAIN,
    rolls_under: true,
    success_after: Some("successes-add"),
    prepare: |fields, house| Ok(machine(fields, Single::new(fields, house)?)),
    ..CheckSpec::PLAIN
};

/// The consumable or quantity check, described.
pub(super) static QUANTITY_CHECK: CheckSpec = CheckSpec {
    system: System::Hearts,
    id: "quantity",
    label: "Quantity check",
    help: "1D10 against a consumable's quantity, without levels of success. What becomes of the consumable is the \
           table's to say.",
    fields: &[QUANTITY, BONUS, CHALLENGE, ADD, TIMES],
    outcomes: PLAIN,
    rolls_under: true,
    success_after: Some("successes-add"),
    prepare: |fields, house| Ok(machine(fields, Single::new(fields, house)?)),
    ..CheckSpec::PLAIN
};

/// A check that one side makes, with everything known but the dice.
#[derive(Clone, Debug)]
struct Single {
    side: Target,
    watch: bool,
}

impl Single {
    /// The check's name is the kind of value that it is made against.
    fn new(fields: &Fields, house: &House) -> Result<Self, Refused> {
        Ok(Self {
            side: Target::own(fields, house, fields.spec().id)?,
            watch: fields.flag("watch"),
        })
    }
}

impl Check for Single {
    type State = ();

    fn next(&self, (): (), walk: &mut Walk<'_>) -> Result<(), Ask> {
        let roll = self.side.roll(Side::Actor, walk)?;
        let scored = self.side.scores(roll);
        let successes = self.side.modify(scored);
        walk.tell(|why| self.explain(roll, scored, why));
        let level = roll.map_or(Level::Success, |roll| self.side.level(roll));
        // Outcomes are in the order of levels; the first two are those of skills alone.
        let first = if self.side.is_skill {
            Level::Heroic
        } else {
            Level::Success
        };
        let outcome = OutcomeId(level as u8 - first as u8);
        Err(Ask::Done(outcome, Tally::new(roll, successes.max(0))))
    }
}

impl Single {
    fn explain(&self, roll: Option<i32>, scored: i32, why: &mut Explanation) {
        match roll {
            None => why.say("An automatic challenge is not rolled: 1 success."),
            Some(roll) => {
                self.side.tell(why, roll);
                why.target = Some(self.side.number);
            }
        }
        let successes = self.side.modify(scored);
        why.say(self.side.success_words(scored));
        why.steps.extend(self.side.concludes(scored));
        if self.watch && successes > 0 {
            let actions = Effect::tokens(TokenKind::WatchActions, successes);
            why.effects.push(actions);
        }
        why.keys = vec![
            ("successes", Key::Number(successes)),
            ("extra", Key::Number((successes - 1).max(0))),
        ];
    }
}
