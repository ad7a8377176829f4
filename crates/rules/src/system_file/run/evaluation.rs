//! Evaluates expressions in a state of a check.

use std::sync::Arc;

use super::FileCheck;
use super::state::FileCheckState;
use crate::system_file::program::Assignments;
use crate::system_file::program::expression::{Expression, ExpressionValue, ResolvedName};
use crate::system_file::program::template::Template;
use crate::{CheckSpec, Fields, RuleError};

/// True if a condition that only uses fields holds for these fields; false if it cannot be evaluated.
pub(crate) fn holds(when: &Expression, fields: &Fields) -> bool {
    let values = field_values(fields);
    let value_of = |name| {
        let value = field_value(fields.spec(), &values, name);
        value.unwrap_or_default()
    };
    when.holds(value_of) == Ok(true)
}

/// True if an expression uses the field with this index.
pub(crate) fn looks_at(when: &Expression, field: usize) -> bool {
    when.names()
        .any(|name| matches!(name, ResolvedName::Field(place) | ResolvedName::Place(place) if place == field))
}

/// Returns the values of the fields in the form that expressions use. A field without a value is 0.
pub(super) fn field_values(fields: &Fields) -> Vec<ExpressionValue> {
    fields
        .iter()
        .map(|(_, value)| value.map_or_else(ExpressionValue::default, ExpressionValue::from))
        .collect()
}

/// Returns the value of a name that refers to a field.
fn field_value(
    spec: &CheckSpec,
    values: &[ExpressionValue],
    name: ResolvedName,
) -> Option<ExpressionValue> {
    match name {
        ResolvedName::Field(place) => values.get(place).cloned(),
        ResolvedName::Place(place) => match values.get(place)? {
            ExpressionValue::Word(word) => {
                let kind = spec.fields.get(place)?.kind;
                Some(ExpressionValue::Number(kind.place(word).into()))
            }
            ExpressionValue::Number(_) | ExpressionValue::Truth(_) => None,
        },
        ResolvedName::Step(_) | ResolvedName::HouseRule(_) | ResolvedName::Sum(_) => None,
    }
}

impl FileCheck {
    /// Returns a function from names to their values in a state.
    pub(super) fn values_in<'a>(
        &'a self,
        state: &'a FileCheckState,
    ) -> impl Fn(ResolvedName) -> ExpressionValue + Copy + 'a {
        move |name| {
            let value = match name {
                ResolvedName::Field(_) | ResolvedName::Place(_) | ResolvedName::Sum(_) => {
                    field_value(self.spec, &self.fields, name)
                }
                ResolvedName::HouseRule(place) => self.house.get(place).cloned(),
                ResolvedName::Step(place) => state.value(place).cloned(),
            };
            value.unwrap_or_default()
        }
    }

    /// Creates an error that names the step with this index and its line, or the outcome if there is no such step.
    pub(super) fn error_at_step(&self, step: usize, problem: &str) -> RuleError {
        let check = self.spec.id;
        let place = match self.program.steps.get(step) {
            Some(program_step) => {
                let line = self.line_at(program_step.at);
                format!("step {} of {check}, line {line}", step + 1)
            }
            None => format!("the outcome of {check}"),
        };
        RuleError::Said(format!("{place}: {problem}"))
    }

    /// Returns the line of the system file at this byte, counted from 1.
    fn line_at(&self, byte: usize) -> usize {
        let text = self.spec.system.text();
        let text_before = text.get(..byte).unwrap_or_default();
        text_before.matches('\n').count() + 1
    }

    /// Adds the current step, with its line, to an error.
    pub(super) fn locate_error<T>(
        &self,
        state: &FileCheckState,
        result: Result<T, String>,
    ) -> Result<T, RuleError> {
        result.map_err(|problem| self.error_at_step(state.step, &problem))
    }

    /// True if the condition holds. A missing condition always holds.
    pub(super) fn holds(
        &self,
        when: Option<&Expression>,
        state: &FileCheckState,
    ) -> Result<bool, RuleError> {
        match when {
            Some(when) => {
                let holds = when.holds(self.values_in(state));
                self.locate_error(state, holds)
            }
            None => Ok(true),
        }
    }

    /// Returns the text of a template with the current values.
    pub(super) fn filled(
        &self,
        template: &Template,
        state: &FileCheckState,
    ) -> Result<String, RuleError> {
        let text = template.filled(self.values_in(state));
        self.locate_error(state, text)
    }

    /// Returns the number of a total or a target; `None` if the expression is missing or gives a word.
    pub(super) fn optional_number(
        &self,
        expression: Option<&Expression>,
        state: &FileCheckState,
    ) -> Result<Option<i32>, RuleError> {
        let Some(expression) = expression else {
            return Ok(None);
        };
        let value = expression.value(self.values_in(state));
        match self.locate_error(state, value)? {
            ExpressionValue::Word(_) => Ok(None),
            number => {
                let amount = self.locate_error(state, number.amount())?;
                Ok(Some(amount))
            }
        }
    }

    /// Sets the values of a `let`. Each expression can use the values that are set before it.
    pub(super) fn set(
        &self,
        state: &mut FileCheckState,
        assignments: &Assignments,
    ) -> Result<(), RuleError> {
        let values = assignments
            .remembered
            .get_or_compute(self.values_in(state), |_| {
                self.evaluate_assignments(state, assignments)
            })?;

        for (assignment, value) in assignments.each.iter().zip(&*values) {
            state.set(assignment.place, value.clone());
        }
        Ok(())
    }

    fn evaluate_assignments(
        &self,
        state: &FileCheckState,
        assignments: &Assignments,
    ) -> Result<Arc<[ExpressionValue]>, RuleError> {
        let mut later_state = state.clone();
        let mut values = Vec::new();

        for assignment in &assignments.each {
            let result = assignment.value.value(self.values_in(&later_state));
            let value = self.locate_error(&later_state, result)?;
            later_state.set(assignment.place, value.clone());
            values.push(value);
        }
        Ok(values.into())
    }
}
