//! Liveness analysis: which values do later steps of a check still use? Odds merge states that differ only in values that
//! are no longer used.

use super::expression::{ByNames, Expression, ResolvedName};
use super::{OptionPlace, Program, ProgramStep, StepAction, ThrowRule};

/// The values that the analysed steps use. The analysis goes from the last step to the first.
struct Liveness {
    live: Vec<bool>,
    /// The sum of the lengths of the expressions.
    length: usize,
}

impl Liveness {
    /// Marks the values that an expression uses.
    fn mark(&mut self, expression: &Expression) {
        self.length += expression.length;
        for name in expression.names() {
            if let ResolvedName::Step(value) = name {
                self.live[value] = true;
            }
        }
    }

    fn mark_all<'a>(&mut self, expressions: impl IntoIterator<Item = &'a Expression>) {
        for expression in expressions {
            self.mark(expression);
        }
    }

    /// Adds a step before those that were analysed. `skipped` marks the steps that odds skip, and `reread` lists the readings
    /// that a re-roll may set again.
    fn step_back(&mut self, step: &ProgramStep, reread: &[usize], skipped: &[bool]) {
        self.mark_all(&step.when);

        match &step.act {
            StepAction::Let(lets) => {
                for assignment in lets.each.iter().rev() {
                    // If the step always sets the value, no later step uses the value from before it.
                    let may_be_reread = reread.contains(&assignment.place);
                    if step.when.is_none() && !may_be_reread {
                        self.live[assignment.place] = false;
                    }
                    self.mark(&assignment.value);
                }
            }
            StepAction::Roll(throw) => self.mark_throw(throw, skipped),
            StepAction::Choose(question) => {
                self.mark(&question.times);
                for option in &question.options {
                    self.mark_all(&option.when);
                    self.mark_all(option.lets.expressions());
                }
            }
            StepAction::Refuse(_) | StepAction::Say(_) => {}
        }
    }

    fn mark_throw(&mut self, throw: &ThrowRule, skipped: &[bool]) {
        let has_rerolls = is_rerolled(throw, skipped);

        for group in &throw.dice_groups {
            if let Some(explodes) = &group.explodes {
                self.mark_all(&explodes.lowest);
            }
            self.mark(&group.count);
            if has_rerolls {
                for reroll in &group.rerolls {
                    self.mark_all(reroll.bounds.each());
                }
            }
        }
        for (_, reading) in &throw.readings {
            self.mark_all(reading.bounds.each());
            self.mark_all(&reading.keep);
        }
    }
}

/// True if an option of a step that is not skipped re-rolls some of these dice.
fn is_rerolled(throw: &ThrowRule, skipped: &[bool]) -> bool {
    throw
        .rerolling_steps()
        .any(|step| skipped.get(step) != Some(&true))
}

impl Program {
    /// Sets the results of the analysis and creates the cache of outcomes, once everything else is compiled.
    pub(crate) fn compute_liveness(&mut self) {
        let at_end = self.needed_at_end();
        let names_at_end = at_end.iter().flat_map(|expression| expression.names());
        let remembered_outcomes = ByNames::new(names_at_end);

        let no_step = vec![false; self.steps.len()];
        (self.live, self.length) = self.live_values(&no_step);

        self.is_idle_by_default = self
            .steps
            .iter()
            .enumerate()
            .map(|(place, step)| self.is_idle_by_default(place, step))
            .collect();
        (self.live_by_default, _) = self.live_values(&self.is_idle_by_default);
        self.remembered_outcomes = Some(remembered_outcomes);
    }

    /// Returns the expressions that the outcome, the score and the total depend on.
    fn needed_at_end(&self) -> Vec<&Expression> {
        let mut expressions = Vec::new();
        for ending in &self.endings {
            expressions.extend(&ending.when);
            expressions.push(&ending.ticks);
        }
        expressions.extend(&self.total);
        expressions
    }

    /// True if a step is a question whose default has no effect: its first option, which is always open, sets no value and
    /// re-rolls no dice.
    fn is_idle_by_default(&self, place: usize, step: &ProgramStep) -> bool {
        let StepAction::Choose(question) = &step.act else {
            return false;
        };
        let Some(first) = question.options.first() else {
            return false;
        };
        let first_option = OptionPlace {
            question: place,
            option: 0,
        };
        let is_rerolled = self
            .throws()
            .flat_map(|throw| &throw.dice_groups)
            .flat_map(|group| &group.rerolls)
            .any(|reroll| reroll.option == first_option);

        let is_always_open = first.when.is_none();
        let sets_no_value = first.lets.each.is_empty();
        question.default == 0 && is_always_open && sets_no_value && !is_rerolled
    }

    /// Returns the values that odds need from each step on, and at the end, if they skip these steps. The second result is
    /// the sum of the lengths of the expressions in the other steps.
    fn live_values(&self, skipped: &[bool]) -> (Vec<Vec<bool>>, usize) {
        let mut liveness = Liveness {
            live: vec![false; self.names.len()],
            length: 0,
        };
        liveness.mark_all(self.needed_at_end());

        let reread: Vec<usize> = self
            .throws()
            .filter(|throw| is_rerolled(throw, skipped))
            .flat_map(|throw| &throw.readings)
            .map(|(value, _)| *value)
            .collect();

        let mut live = vec![liveness.live.clone()];
        for (place, step) in self.steps.iter().enumerate().rev() {
            if !skipped[place] {
                liveness.step_back(step, &reread, skipped);
            }
            live.push(liveness.live.clone());
        }
        live.reverse();
        (live, liveness.length)
    }
}
