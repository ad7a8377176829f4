//! Asks the questions of a check, and applies the answers.

use super::FileCheck;
use super::state::FileCheckState;
use crate::system_file::program::effect_rule::EffectRule;
use crate::system_file::program::template::Template;
use crate::system_file::program::{OptionRule, QuestionRule, StepAction};
use crate::{Ask, ChoiceId, Choices, Explanation, Picked, RuleError, Step};

/// The value of [`FileCheckState::times_answered`] for a question that is over, however often it may be asked.
const ANSWERED: u8 = u8::MAX;

impl FileCheck {
    /// Returns the question that this state asks.
    pub(super) fn open_question(&self, state: &FileCheckState) -> Option<&'static QuestionRule> {
        if !state.has_entered_step || state.rolling.is_some() {
            return None;
        }
        match &self.program.steps.get(state.step)?.act {
            StepAction::Choose(question) => Some(question),
            _ => None,
        }
    }

    /// True if the question may not be asked again.
    pub(super) fn is_over(
        &self,
        question: &QuestionRule,
        state: &FileCheckState,
    ) -> Result<bool, RuleError> {
        let times = question.times.amount(self.values_in(state));
        let times = self.locate_error(state, times)?;
        Ok(state.times_answered == ANSWERED || i32::from(state.times_answered) >= times)
    }

    /// Asks a question. If only one option is open, it is taken without asking. If none is open, the question is skipped.
    pub(super) fn ask(
        &self,
        mut state: FileCheckState,
        question: &QuestionRule,
        why: &mut Explanation,
    ) -> Result<Step<FileCheckState>, RuleError> {
        let mut open = Vec::new();
        let mut closed = Vec::new();
        for (id, option) in (0..).zip(&question.options) {
            if self.holds(option.when.as_ref(), &state)? {
                open.push((id, option));
            } else {
                closed.push((option.id, option.opens));
            }
        }
        if open.len() < 2 {
            why.closed.extend(closed);
        }

        match open.as_slice() {
            [] => {}
            [(id, _)] => {
                let id = *id;
                return self.apply_option(state, question, id, true, why);
            }
            _ if self.is_over(question, &state)? => {}
            _ => {
                let choices = self.choices(&state, question, &open, why.is_for_odds)?;
                return Ok(Step::Ask(state, Ask::choose(choices, question.by)));
            }
        }
        self.leave(&mut state, why);
        self.run_steps(state, why)
    }

    /// Takes the answer to a question.
    pub(super) fn take_choice(
        &self,
        state: FileCheckState,
        question: &QuestionRule,
        choice: ChoiceId,
        why: &mut Explanation,
    ) -> Result<Step<FileCheckState>, RuleError> {
        if !why.is_for_odds
            && let Some(option) = question.options.get(choice.0 as usize)
        {
            let choices = self.choices(&state, question, &[(choice.0, option)], false)?;
            why.tell(|why| explain_choice(why, &choices, choice.0));
        }
        self.apply_option(state, question, choice.0, false, why)
    }

    /// Applies an option: its values, its effects and its re-rolls. `is_only` is true if no other option was open.
    fn apply_option(
        &self,
        mut state: FileCheckState,
        question: &QuestionRule,
        id: u32,
        is_only: bool,
        why: &mut Explanation,
    ) -> Result<Step<FileCheckState>, RuleError> {
        if let Some(option) = question.options.get(id as usize) {
            if !why.is_for_odds {
                let effects = EffectRule::all(&option.effects, self.values_in(&state));
                let effects = self.locate_error(&state, effects)?;
                why.tell(|why| why.effects.extend(effects));
            }

            self.set(&mut state, &option.lets)?;
            // The first option always ends the question.
            state.times_answered = if id == 0 || is_only {
                ANSWERED
            } else {
                state.times_answered.saturating_add(1)
            };

            let is_over = self.is_over(question, &state)?;
            // If `times` is an expression, the re-roll may change its value, so the question may be asked again.
            let is_last = is_over && why.is_for_odds && question.times.length == 0;
            let first_later_step = state.step + usize::from(is_last);
            if self.roll_again(&mut state, id as usize, first_later_step) || !is_over {
                return Ok(Step::Continue(state));
            }
        }
        self.leave(&mut state, why);
        self.run_steps(state, why)
    }

    /// Returns a question with its open options. For odds, all texts except the names of the options are empty.
    fn choices(
        &self,
        state: &FileCheckState,
        question: &QuestionRule,
        open: &[(u32, &OptionRule)],
        is_for_odds: bool,
    ) -> Result<Choices, RuleError> {
        let text = |template: &Template| {
            if is_for_odds {
                Ok(String::new())
            } else {
                self.filled(template, state)
            }
        };

        let ask = text(&question.ask)?;
        let mut options = Vec::new();
        for (id, option) in open {
            let name = option.id.to_owned();
            let mut label = text(&option.label)?;
            if label.is_empty() {
                label.clone_from(&name);
            }
            let cost = if is_for_odds {
                String::new()
            } else {
                self.cost(option, question.by, state)?
            };
            options.push(Picked {
                id: ChoiceId(*id),
                name,
                label,
                cost,
            });
        }

        let mut open_options = open.iter();
        let default = open_options.position(|(id, _)| *id as usize == question.default);
        Ok(Choices {
            choice: question.id,
            ask,
            options,
            default: default.unwrap_or(0),
        })
    }
}

fn explain_choice(why: &mut Explanation, choices: &Choices, id: u32) {
    let option = choices.options.iter().find(|option| option.id.0 == id);
    if let Some(option) = option
        && let Some((_, by)) = &why.chosen
    {
        let sentence = format!("{}.", choices.describe_answer(&option.label, *by));
        why.say(sentence);
    }
}
