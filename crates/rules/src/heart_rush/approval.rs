//! The approval of an aspect by the GM (Heart Rush, Positive Invocation), for tables whose house rule asks for it.

use crate::{
    Ask, Check, ChoiceId, Choices, Explanation, Fields, HouseRules, Picked, PreparedCheck, Refused,
    RuleError, Side, Step, Value, machine,
};
use tableside_dice::Observation;

const APPROVE: ChoiceId = ChoiceId(0);
const REFUSE: ChoiceId = ChoiceId(1);

/// A check that begins with the GM's decision whether the aspect applies.
#[derive(Clone, Debug)]
struct Approval<C> {
    with_aspect: C,
    without_aspect: C,
}

/// The state of the check after the decision; the default is the state before it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
enum State<S> {
    #[default]
    Undecided,
    Approved(S),
    Refused(S),
}

/// Prepares a check, which waits for the GM's approval first if it spends points on an aspect and the house rule
/// `aspect-approval` asks for it.
pub(super) fn prepare<C: Check>(
    fields: &Fields,
    house: &HouseRules,
    make: impl Fn(&Fields) -> Result<C, Refused>,
) -> PreparedCheck {
    let spends = fields.maybe_number("aspect").unwrap_or(0) > 0;
    if !spends || !house.is("aspect-approval", "gm") {
        return Ok(machine(fields, make(fields)?));
    }

    let mut plain_fields = fields.clone();
    let cleared = plain_fields.set("aspect", Value::Number(0));
    cleared.map_err(|error: RuleError| Refused(error.to_string()))?;
    let approval = Approval {
        with_aspect: make(fields)?,
        without_aspect: make(&plain_fields)?,
    };
    Ok(machine(fields, approval))
}

/// Whether the aspect applies.
fn approve_or_refuse() -> Choices {
    let option = |id, name: &str, label: &str| Picked {
        id,
        name: name.to_owned(),
        label: label.to_owned(),
    };
    Choices {
        choice: "aspect",
        ask: "Does the aspect apply?".to_owned(),
        options: vec![
            option(APPROVE, "approve", "It applies"),
            option(REFUSE, "refuse", "It does not: no points are spent"),
        ],
        default: 0,
    }
}

impl<C: Check> Check for Approval<C> {
    type State = State<C::State>;

    fn next(&self, state: Self::State, why: &mut Explanation) -> Step<Self::State> {
        match state {
            State::Undecided => {
                Step::Ask(State::Undecided, Ask::choose(approve_or_refuse(), Side::Gm))
            }
            State::Approved(inner) => self.with_aspect.next(inner, why).map(State::Approved),
            State::Refused(inner) => self.without_aspect.next(inner, why).map(State::Refused),
        }
    }

    fn after_roll(
        &self,
        state: Self::State,
        dice: &Observation,
        why: &mut Explanation,
    ) -> Step<Self::State> {
        match state {
            State::Undecided => self.next(state, why),
            State::Approved(inner) => {
                let step = self.with_aspect.after_roll(inner, dice, why);
                step.map(State::Approved)
            }
            State::Refused(inner) => {
                let step = self.without_aspect.after_roll(inner, dice, why);
                step.map(State::Refused)
            }
        }
    }

    fn after_choice(
        &self,
        state: Self::State,
        choice: ChoiceId,
        why: &mut Explanation,
    ) -> Step<Self::State> {
        match state {
            State::Undecided if choice == REFUSE => {
                why.tell(|why| {
                    why.say(
                        "The GM decided that the aspect does not apply: no points are spent on it.",
                    );
                });
                Step::Continue(State::Refused(C::State::default()))
            }
            State::Undecided => {
                why.tell(|why| why.say("The GM approved the aspect."));
                Step::Continue(State::Approved(C::State::default()))
            }
            State::Approved(inner) => {
                let step = self.with_aspect.after_choice(inner, choice, why);
                step.map(State::Approved)
            }
            State::Refused(inner) => {
                let step = self.without_aspect.after_choice(inner, choice, why);
                step.map(State::Refused)
            }
        }
    }
}
