//! The compiled form of a check: its steps, outcomes and effects.
//!
//! Readings and `let`s are called *values* here and are referred to by their indices in [`Program::names`].

pub(crate) mod effect_rule;
pub(crate) mod expression;
mod expression_value;
pub(crate) mod harmed_check;

mod liveness;
pub(crate) mod sheet_rules;
pub(crate) mod template;
mod throw;

use std::sync::Arc;

use self::effect_rule::{EffectAction, EffectRule};
use self::expression::{ByNames, Expression, ExpressionValue};
use self::template::Template;
pub(crate) use self::throw::{
    DieRule, ExplodeRule, GroupRule, OptionPlace, ReadingRule, RerollRule, ThrowRule, ValueBounds,
};
use crate::{Id, OutcomeId, Party, Score, Side};

/// A compiled check.
#[derive(Debug, Default)]
pub(crate) struct Program {
    /// The name of each value, and whether JSON shows it.
    pub(crate) names: Vec<(&'static str, bool)>,
    pub(crate) steps: Vec<ProgramStep>,
    /// The rules of the outcomes, in the order of `CheckSpec::outcomes`.
    pub(crate) endings: Vec<Ending>,
    /// Caches outcomes by the values that they depend on.
    pub(crate) remembered_outcomes: Option<ByNames<(OutcomeId, Score)>>,
    pub(crate) total: Option<Expression>,
    pub(crate) target: Option<Expression>,
    /// The damage that the roll can do to further characters.
    pub(crate) area_damage: Option<Expression>,
    /// The numbers of the result in words, if they are more than the total and the target.
    pub(crate) numbers: Option<Template>,
    /// The effects of every outcome: the costs of fields, and the effects of the check.
    pub(crate) always: Vec<EffectRule>,
    /// For each step and for the end, a list that marks the values which odds still need from there on.
    pub(crate) live: Vec<Vec<bool>>,
    /// The same as `live`, if every question takes its default.
    pub(crate) live_by_default: Vec<Vec<bool>>,
    /// For each step, true if it is a question whose default has no effect. Odds that take defaults skip it.
    pub(crate) is_idle_by_default: Vec<bool>,
    /// The sum of the lengths of the expressions that odds evaluate.
    pub(crate) length: usize,
}

/// A step of a check.
#[derive(Debug)]
pub(crate) struct ProgramStep {
    /// The start of the step in the file, in bytes.
    pub(crate) at: usize,
    pub(crate) when: Option<Expression>,
    pub(crate) act: StepAction,
}

/// The action of a step.
#[derive(Debug)]
pub(crate) enum StepAction {
    /// Sets values.
    Let(Assignments),
    /// Rolls and reads dice.
    Roll(ThrowRule),
    /// Asks a question.
    Choose(QuestionRule),
    /// Refuses the check.
    Refuse(Template),
    /// Adds a sentence to the explanation.
    Say(Template),
}

/// Values with their expressions. An expression may use the values before it.
#[derive(Debug)]
pub(crate) struct Assignments {
    pub(crate) each: Vec<Assignment>,
    /// Caches the values by the values that their expressions use.
    pub(crate) remembered: ByNames<Arc<[ExpressionValue]>>,
}

/// A value that a step or an option sets.
#[derive(Debug)]
pub(crate) struct Assignment {
    /// The index of the value in [`Program::names`].
    pub(crate) place: usize,
    pub(crate) value: Expression,
}

impl Assignments {
    pub(crate) fn new(each: Vec<Assignment>) -> Self {
        let used_names = each.iter().flat_map(|assignment| assignment.value.names());
        Self {
            remembered: ByNames::new(used_names),
            each,
        }
    }

    /// Returns the expressions of the values.
    pub(crate) fn expressions(&self) -> impl Iterator<Item = &Expression> {
        self.each.iter().map(|assignment| &assignment.value)
    }
}

/// A question with its options.
#[derive(Debug)]
pub(crate) struct QuestionRule {
    pub(crate) id: &'static str,
    pub(crate) ask: Template,
    pub(crate) by: Side,
    /// The largest number of times that the question is asked.
    pub(crate) times: Expression,
    pub(crate) options: Vec<OptionRule>,
    /// The index of the option that is taken if no answer is given.
    pub(crate) default: usize,
}

/// An option of a question.
#[derive(Debug)]
pub(crate) struct OptionRule {
    pub(crate) id: &'static str,
    pub(crate) label: Template,
    /// The price of the option, if it is more than the changes among its effects; may be empty.
    pub(crate) cost: Template,
    pub(crate) when: Option<Expression>,
    /// The condition `when` as written in the file; empty if it is missing.
    pub(crate) opens: &'static str,
    pub(crate) lets: Assignments,
    pub(crate) effects: Vec<EffectRule>,
}

/// The rule of an outcome.
#[derive(Debug)]
pub(crate) struct Ending {
    pub(crate) when: Option<Expression>,
    /// The number of segments of a clock that the outcome fills.
    pub(crate) ticks: Expression,
    pub(crate) effects: Vec<EffectRule>,
}

/// The rolls of a check in which a condition has its effect.
#[derive(Debug)]
pub(crate) enum Bearing {
    Always,
    /// In rolls whose fields fulfil this condition.
    Where(Expression),
    Never,
}

impl Program {
    /// Returns all effects that the check may have.
    pub(crate) fn effects(&self) -> impl Iterator<Item = &EffectRule> {
        let questions = self.steps.iter().filter_map(|step| match &step.act {
            StepAction::Choose(question) => Some(question),
            _ => None,
        });
        let of_options = questions
            .flat_map(|question| &question.options)
            .flat_map(|option| &option.effects);
        let of_outcomes = self.endings.iter().flat_map(|ending| &ending.effects);

        self.always.iter().chain(of_options).chain(of_outcomes)
    }

    /// Returns the throws of all steps.
    pub(crate) fn throws(&self) -> impl Iterator<Item = &ThrowRule> {
        self.steps.iter().filter_map(|step| match &step.act {
            StepAction::Roll(throw) => Some(throw),
            _ => None,
        })
    }

    /// True if an effect of the check is for the opponent.
    pub(crate) fn affects_opponent(&self) -> bool {
        self.effects().any(|effect| effect.of == Party::Opponent)
    }

    /// True if an effect of the check forbids repeating the attempt.
    pub(crate) fn may_lock(&self) -> bool {
        self.effects()
            .any(|effect| matches!(effect.what, EffectAction::Lock { .. }))
    }

    /// True if a field or a helper costs something.
    pub(crate) fn has_costs(&self) -> bool {
        self.always.iter().any(|effect| effect.must)
    }

    /// True if an effect of the check may take tokens from that pool of that party.
    pub(crate) fn may_take(&self, pool: Id, of: Party) -> bool {
        self.effects().any(|effect| {
            // A roller without a pool of this kind uses the table's.
            let uses_table_pool = of == Party::Roller && effect.of == Party::Table;
            let is_theirs = effect.of == of || uses_table_pool;
            is_theirs && effect.may_lower(pool)
        })
    }
}
