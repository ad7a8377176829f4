//! Finds the values that odds still need at each step, so that they can merge states that differ in other values.

use super::expression::{ByNames, Expression, Name};
use super::{Act, Program, ProgramStep, Throw};

/// The values that are needed from some step on, found from the last step to the first.
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
            if let Name::Step(value) = name {
                self.live[value] = true;
            }
        }
    }

    fn mark_all<'a>(&mut self, expressions: impl IntoIterator<Item = &'a Expression>) {
        for expression in expressions {
            self.mark(expression);
        }
    }

    /// Goes back over a step. `reread` holds the values of readings that a re-roll may set again.
    fn step_back(&mut self, step: &ProgramStep, reread: &[usize]) {
        self.mark_all(&step.when);

        match &step.act {
            Act::Let(lets) => {
                for (value, expression) in lets.each.iter().rev() {
                    // The step replaces the value, so the value before it is not needed.
                    let replaces = step.when.is_none() && !reread.contains(value);
                    if replaces {
                        self.live[*value] = false;
                    }
                    self.mark(expression);
                }
            }
            Act::Roll(throw) => self.mark_throw(throw),
            Act::Choose(question) => {
                self.mark(&question.times);
                for option in &question.options {
                    self.mark_all(&option.when);
                    self.mark_all(option.lets.each.iter().map(|(_, expression)| expression));
                }
            }
            Act::Refuse(_) | Act::Say(_) => {}
        }
    }

    fn mark_throw(&mut self, throw: &Throw) {
        for heap in &throw.heaps {
            if let Some((Some(lowest), ..)) = &heap.explodes {
                self.mark(lowest);
            }
            self.mark(&heap.count);
            for (_, bounds) in &heap.again {
                self.mark_all(bounds.each());
            }
        }
        for (_, reading) in &throw.readings {
            self.mark_all(reading.bounds.each());
            self.mark_all(&reading.keep);
        }
    }
}

impl Program {
    /// Fills `live`, `length` and `known_ends` once everything else is compiled.
    pub(crate) fn find_what_lives(&mut self) {
        let at_end: Vec<&Expression> = self
            .endings
            .iter()
            .flat_map(|ending| ending.when.iter().chain([&ending.ticks]))
            .chain(&self.total)
            .collect();
        let names_at_end = at_end.iter().flat_map(|expression| expression.names());
        let known_ends = ByNames::new(names_at_end);

        let mut liveness = Liveness {
            live: vec![false; self.names.len()],
            length: 0,
        };
        liveness.mark_all(at_end);

        let reread: Vec<usize> = self
            .throws()
            .filter(|throw| throw.is_rolled_again(0))
            .flat_map(|throw| &throw.readings)
            .map(|(value, _)| *value)
            .collect();

        let mut live = vec![liveness.live.clone()];
        for step in self.steps.iter().rev() {
            liveness.step_back(step, &reread);
            live.push(liveness.live.clone());
        }
        live.reverse();

        self.live = live;
        self.length = liveness.length;
        self.known_ends = Some(known_ends);
    }
}
