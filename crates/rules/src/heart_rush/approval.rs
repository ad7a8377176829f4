//! Implements the GM's approval of an aspect (Heart Rush, Positive Invocation), for tables whose house rule asks for it.
//!
//! The GM decides before the roll whether the aspect applies. If it does not, no points are spent, and the check continues
//! without it.

use crate::{
    Ask, Check, ChoiceId, Choices, Explanation, Fields, HouseRules, Picked, PreparedCheck, Refused,
    Side, Step, Value, machine,
};
use tableside_dice::Observation;

const APPROVE: ChoiceId = ChoiceId(0);
const REFUSE: ChoiceId = ChoiceId(1);

/// A check that begins with the GM's decision. It holds the check with the aspect and the check without it.
#[derive(Clone, Debug)]
struct Approval<C> {
    with_aspect: C,
    without_aspect: C,
}

/// The state before the decision, or the state of the check that the decision leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
enum ApprovalState<S> {
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
    let spends_points = fields.maybe_number("aspect").unwrap_or(0) > 0;
    if !spends_points || !house.is("aspect-approval", "gm") {
        return Ok(machine(fields, make(fields)?));
    }

    let mut fields_without_aspect = fields.clone();
    fields_without_aspect
        .set("aspect", Value::Number(0))
        .map_err(|error| Refused(error.to_string()))?;

    let approval = Approval {
        with_aspect: make(fields)?,
        without_aspect: make(&fields_without_aspect)?,
    };
    Ok(machine(fields, approval))
}

/// Asks the GM whether the aspect applies.
fn approve_or_refuse() -> Choices {
    let option = |id, name: &str, label: &str| Picked {
        id,
        name: name.to_owned(),
        label: label.to_owned(),
        cost: String::new(),
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
    type State = ApprovalState<C::State>;

    fn next(&self, state: Self::State, why: &mut Explanation) -> Step<Self::State> {
        match state {
            ApprovalState::Undecided => Step::Ask(
                ApprovalState::Undecided,
                Ask::choose(approve_or_refuse(), Side::Gm),
            ),
            ApprovalState::Approved(inner) => self
                .with_aspect
                .next(inner, why)
                .map(ApprovalState::Approved),
            ApprovalState::Refused(inner) => self
                .without_aspect
                .next(inner, why)
                .map(ApprovalState::Refused),
        }
    }

    fn after_roll(
        &self,
        state: Self::State,
        dice: &Observation,
        why: &mut Explanation,
    ) -> Step<Self::State> {
        match state {
            ApprovalState::Undecided => self.next(state, why),
            ApprovalState::Approved(inner) => {
                let step = self.with_aspect.after_roll(inner, dice, why);
                step.map(ApprovalState::Approved)
            }
            ApprovalState::Refused(inner) => {
                let step = self.without_aspect.after_roll(inner, dice, why);
                step.map(ApprovalState::Refused)
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
            ApprovalState::Undecided if choice == REFUSE => {
                why.tell(|why| {
                    why.say(
                        "The GM decided that the aspect does not apply: no points are spent on it.",
                    );
                });
                Step::Continue(ApprovalState::Refused(C::State::default()))
            }
            ApprovalState::Undecided => {
                why.tell(|why| why.say("The GM approved the aspect."));
                Step::Continue(ApprovalState::Approved(C::State::default()))
            }
            ApprovalState::Approved(inner) => {
                let step = self.with_aspect.after_choice(inner, choice, why);
                step.map(ApprovalState::Approved)
            }
            ApprovalState::Refused(inner) => {
                let step = self.without_aspect.after_choice(inner, choice, why);
                step.map(ApprovalState::Refused)
            }
        }
    }
}
