//! Rolls the dice of a check, for one side after the other, and rolls dice again.

use std::sync::Arc;

use tableside_dice::{DieRole, Observation, PendingDie, Pool, PoolState, RolledQuery};

use super::FileCheck;
use super::shown_dice::{RerolledGroup, mark_kept_dice, show_roll};
use super::state::{FileCheckState, FinishedRoll, RollInProgress};
use crate::system_file::program::expression::{ExpressionValue, ResolvedName};
use crate::system_file::program::{OptionPlace, StepAction, ThrowRule};
use crate::words::join;
use crate::{Ask, Explanation, RuleError, Step};

impl FileCheck {
    /// Begins the re-roll of an option. Returns false if the option re-rolls no dice.
    ///
    /// If no option from the step `from` on can roll these dice once more, odds no longer distinguish dice with the same
    /// readings.
    pub(super) fn roll_again(
        &self,
        state: &mut FileCheckState,
        option: usize,
        from: usize,
    ) -> bool {
        let option_place = OptionPlace {
            question: state.step,
            option,
        };
        for place in (0..state.rolled.len()).rev() {
            let rolled = &state.rolled[place];
            let Some(throw) = self.throw(rolled.step) else {
                continue;
            };

            let taken = take_dice(rolled, throw, option_place);
            if taken.pending.iter().all(Vec::is_empty) {
                // No die is rolled again, but a `let` may have replaced the readings of the dice.
                if !taken.rerolled.is_empty() {
                    let readings = rolled.query.results(&rolled.on_table);
                    Self::read(state, throw, &readings);
                }
                continue;
            }

            let mut query = rolled.query.with_pending(taken.pending);
            let mut remaining = taken.remaining;
            if !self.is_rolled_again(throw, from) {
                (query, remaining) = query.without_rerolls(&remaining);
            }
            let finished = state.rolled.remove(place);
            state.rolling = Some(Arc::new(RollInProgress {
                step: finished.step,
                query: Arc::new(query),
                on_table: remaining,
                side: 0,
                open: None,
                rerolled: taken.rerolled,
            }));
            return true;
        }
        false
    }

    /// Begins to roll the dice of the current step.
    pub(super) fn begin_roll(
        &self,
        state: &mut FileCheckState,
        throw: &ThrowRule,
        why: &Explanation,
    ) -> Result<(), RuleError> {
        let needed_values = if why.is_for_odds {
            Some(self.live()[state.step + 1].as_slice())
        } else {
            None
        };
        let has_rerolls = self.is_rolled_again(throw, 0);
        let query = throw.query(self.values_in(state), needed_values, has_rerolls);
        let query = self.locate_error(state, query)?;
        let on_table = query.empty_state();
        state.rolling = Some(Arc::new(RollInProgress {
            step: state.step,
            query,
            on_table,
            side: 0,
            open: None,
            rerolled: Vec::new(),
        }));
        Ok(())
    }

    /// Asks the next side that has dice to roll them. If every side has rolled, reads all dice.
    pub(super) fn next_roll(
        &self,
        mut state: FileCheckState,
        why: &mut Explanation,
    ) -> Result<Step<FileCheckState>, RuleError> {
        let Some((mut rolling, throw)) = self.take_rolling(&mut state) else {
            return Ok(Step::Continue(state));
        };
        skip_idle_sides(&mut rolling, throw);
        let Some(&side) = throw.sides.get(rolling.side) else {
            return self.finish_roll(state, rolling, throw, why);
        };

        let groups = 0..throw.dice_groups.len();
        let pending = groups
            .map(|group| pending_dice(&rolling, throw, group).to_vec())
            .collect();
        let mut query = rolling.query.with_pending(pending);
        query.is_final = self.is_final(&rolling, throw, why);
        state.rolling = Some(rolling);

        let groups = throw.dice_groups.iter();
        let names: Vec<DieRole> = groups.map(|group| group.name).collect();
        let pool = Pool::from_query(query, &names);
        Ok(Step::Ask(state, Ask::roll(pool, side)))
    }

    /// Takes the dice that a side rolled, and reads all dice if it was the last side.
    pub(super) fn take_roll(
        &self,
        mut state: FileCheckState,
        dice: &Observation,
        why: &mut Explanation,
    ) -> Result<Step<FileCheckState>, RuleError> {
        let Some((mut rolling, throw)) = self.take_rolling(&mut state) else {
            return Ok(Step::Continue(state));
        };
        // If only the readings of the dice matter, odds observe these instead of the dice.
        if let Some(results) = dice.results() {
            Self::read(&mut state, throw, results);
            self.leave(&mut state, why);
            return self.run_steps(state, why);
        }
        let Some(RolledQuery {
            state: on_table,
            pending: open,
        }) = dice.query()
        else {
            return Ok(Step::Continue(state));
        };
        skip_idle_sides(&mut rolling, throw);

        let is_first = rolling.open.is_none();
        let rerolled = if is_first { &rolling.rerolled[..] } else { &[] };
        why.tell(|why| show_roll(why, throw, &rolling.query, rerolled));

        let next = Arc::make_mut(&mut rolling);
        next.on_table = next.query.merge(&next.on_table, on_table);
        if open.iter().all(Vec::is_empty) {
            next.side += 1;
            next.open = None;
        } else {
            next.open = Some(open.clone());
        }

        if rolling.side < throw.sides.len() {
            state.rolling = Some(rolling);
            return Ok(Step::Continue(state));
        }
        self.finish_roll(state, rolling, throw, why)
    }

    /// True if only the readings of these dice matter after this roll. Odds then merge rolls with the same readings.
    fn is_final(&self, rolling: &RollInProgress, throw: &ThrowRule, why: &Explanation) -> bool {
        why.is_for_odds
            && throw.sides.len() == 1
            && !self.is_rolled_again(throw, 0)
            && rolling.open.is_none()
    }

    /// Takes the dice that are being rolled out of a state, with the description of their throw.
    fn take_rolling(
        &self,
        state: &mut FileCheckState,
    ) -> Option<(Arc<RollInProgress>, &'static ThrowRule)> {
        let rolling = state.rolling.take()?;
        let throw = self.throw(rolling.step)?;
        Some((rolling, throw))
    }

    /// Reads the dice that all sides have rolled.
    fn finish_roll(
        &self,
        mut state: FileCheckState,
        rolling: Arc<RollInProgress>,
        throw: &ThrowRule,
        why: &mut Explanation,
    ) -> Result<Step<FileCheckState>, RuleError> {
        let readings = rolling.query.results(&rolling.on_table);
        Self::read(&mut state, throw, &readings);
        why.tell(|why| {
            mark_kept_dice(why, throw, &rolling.query);
            self.explain_readings(why, throw, &state);
        });

        let is_again = !rolling.rerolled.is_empty();
        if self.is_rolled_again(throw, 0) {
            let RollInProgress {
                step,
                query,
                on_table,
                ..
            } = Arc::unwrap_or_clone(rolling);
            state.rolled.push(FinishedRoll {
                step,
                query,
                on_table,
            });
        }

        // A re-roll belongs to a question, which may be asked again after it.
        let step = self.program.steps.get(state.step);
        let is_over = match step.map(|step| &step.act) {
            Some(StepAction::Choose(question)) if is_again => self.is_over(question, &state)?,
            _ => !is_again,
        };
        if is_over {
            self.leave(&mut state, why);
        }
        Ok(Step::Continue(state))
    }

    /// Sets the values of a throw to these readings.
    fn read(state: &mut FileCheckState, throw: &ThrowRule, readings: &[i32]) {
        for ((place, _), reading) in throw.readings.iter().zip(readings) {
            let number = i64::from(*reading);
            state.set(*place, ExpressionValue::Number(number));
        }
    }

    /// Adds a sentence with the readings that have words.
    fn explain_readings(&self, why: &mut Explanation, throw: &ThrowRule, state: &FileCheckState) {
        // The sentences of a check with `say` steps already name the readings.
        let mut steps = self.program.steps.iter();
        let has_sentences = steps.any(|step| matches!(step.act, StepAction::Say(_)));
        if has_sentences {
            return;
        }

        let value_of = self.values_in(state);
        let mut readings = Vec::new();
        for (place, _) in &throw.readings {
            let (name, is_shown) = self.program.names[*place];
            if is_shown && let Some(words) = self.spec.words_of(name) {
                let value = value_of(ResolvedName::Step(*place));
                readings.push(format!("{words} {value}"));
            }
        }
        if !readings.is_empty() {
            why.say(format!("That is {}.", join(readings, ", ")));
        }
    }
}

/// Returns the dice of one group that the current side rolls; empty if another side rolls the group.
fn pending_dice<'a>(
    rolling: &'a RollInProgress,
    throw: &ThrowRule,
    group: usize,
) -> &'a [PendingDie] {
    let rolling_side = throw.sides.get(rolling.side).copied();
    if rolling_side != Some(throw.dice_groups[group].by) {
        return &[];
    }
    match &rolling.open {
        None => &rolling.query.groups[group].pending,
        Some(open) => &open[group],
    }
}

/// The dice on the table after an option took those that it rolls again.
struct TakenDice {
    remaining: PoolState,
    /// The dice of each group that are rolled again.
    pending: Vec<Vec<PendingDie>>,
    rerolled: Vec<RerolledGroup>,
}

/// Takes the dice that an option rolls again off the table.
fn take_dice(rolled: &FinishedRoll, throw: &ThrowRule, option: OptionPlace) -> TakenDice {
    let query = &rolled.query;
    let mut remaining = rolled.on_table.clone();
    let mut pending = Vec::new();
    let mut rerolled = Vec::new();

    for (group, rule) in throw.dice_groups.iter().enumerate() {
        let mut rerolls = rule.rerolls.iter();
        let range_place = rerolls.position(|reroll| reroll.option == option);

        let mut count = 0;
        if let Some(range_place) = range_place {
            (count, remaining) = query.remove_in_range(&remaining, group, range_place);
            if let Some(range) = query.groups[group].rerolls.get(range_place) {
                rerolled.push((rule.name, (range.lowest, range.highest)));
            }
        }
        let die = PendingDie::new(rule.most_explosions());
        pending.push(vec![die; count]);
    }

    TakenDice {
        remaining,
        pending,
        rerolled,
    }
}

/// Moves on to the next side that has dice to roll.
fn skip_idle_sides(rolling: &mut Arc<RollInProgress>, throw: &ThrowRule) {
    let is_idle = |rolling: &RollInProgress| {
        let mut groups = 0..throw.dice_groups.len();
        groups.all(|group| pending_dice(rolling, throw, group).is_empty())
    };
    while rolling.side < throw.sides.len() && is_idle(rolling) {
        let rolling = Arc::make_mut(rolling);
        rolling.side += 1;
        rolling.open = None;
    }
}
