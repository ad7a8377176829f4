//! Compiles the re-rolls of options, once the steps that roll the dice are compiled.

use tableside_dice::DieRole;

use super::scope::CheckScope;
use crate::system_file::program::expression::{Expression, ResolvedName};
use crate::system_file::program::{OptionPlace, Program, ProgramStep, RerollRule, StepAction};
use crate::system_file::read::TomlValue;

/// The most options that re-roll one group of dice. Each of them doubles the number of states that odds distinguish.
const MAX_REROLLS: usize = 6;

/// The `reroll` of an option for one group of dice. It is compiled after the step that rolls the dice.
pub(super) struct Reroll<'t> {
    pub(super) option: OptionPlace,
    pub(super) role: DieRole,
    pub(super) value: TomlValue<'t>,
}

impl CheckScope<'_> {
    /// Adds each re-roll to the group of dice that it rolls again. One option may re-roll dice of one step only.
    pub(super) fn compile_rerolls(&self, program: &mut Program, rerolls: Vec<Reroll<'_>>) {
        let mut first_rerolls: Vec<(OptionPlace, Option<usize>)> = Vec::new();

        for reroll in rerolls {
            let mut steps = program.steps.iter();
            let rolling_step = steps.position(|step| rolls_dice(step, reroll.role));

            let mut earlier_rerolls = first_rerolls.iter();
            let earlier = earlier_rerolls.find(|(option, _)| *option == reroll.option);
            match earlier {
                None => first_rerolls.push((reroll.option, rolling_step)),
                Some((_, earlier_step)) => {
                    if rolling_step.is_some() && *earlier_step != rolling_step {
                        reroll.value.fault(
                            "an option can re-roll the dice of one step only; roll these dice in the same step as the others",
                        );
                    }
                }
            }

            self.add_reroll(program, &reroll);
        }
    }

    fn add_reroll(&self, program: &mut Program, reroll: &Reroll<'_>) {
        let value = reroll.value;
        let Some(table) = value.table("reroll") else {
            return;
        };
        let mut is_rolled = false;

        for (place, step) in program.steps.iter_mut().enumerate() {
            let StepAction::Roll(throw) = &mut step.act else {
                continue;
            };
            let mut dice_groups = throw.dice_groups.iter_mut();
            let Some(group) = dice_groups.find(|group| group.name == reroll.role) else {
                continue;
            };
            is_rolled = true;

            let bounds = self.bounds(&table);
            let uses_later_value = bounds
                .each()
                .flat_map(Expression::names)
                .any(|name| self.is_set_later(name, place));
            if uses_later_value {
                value.fault("the bounds of a reroll can only use values that are set before the first roll of its dice");
            }

            group.rerolls.push(RerollRule {
                option: reroll.option,
                bounds,
            });
            if group.rerolls.len() > MAX_REROLLS {
                value.fault(format!(
                    "at most {MAX_REROLLS} options may re-roll the same dice"
                ));
            }
        }

        if !is_rolled && !self.is_partial.get() {
            value.fault(format!("unknown dice {:?}", reroll.role.name()));
        }

        // Compile the bounds even if no dice have that name, so that its keys are not reported as unknown.
        self.bounds(&table);
    }

    /// True if a value is not yet known when the step with the index `place` rolls its dice.
    fn is_set_later(&self, name: ResolvedName, place: usize) -> bool {
        match name {
            ResolvedName::Step(value) => self.values.borrow()[value].known_from >= place,
            _ => false,
        }
    }
}

/// True if a step rolls dice with this name.
fn rolls_dice(step: &ProgramStep, role: DieRole) -> bool {
    match &step.act {
        StepAction::Roll(throw) => throw.dice_groups.iter().any(|group| group.name == role),
        _ => false,
    }
}
