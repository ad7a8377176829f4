//! Rolls the dice of a check that a file describes, side by side and again, and shows them.

use std::sync::Arc;

use crate::system_file::program::expression::{Known, Name};
use crate::system_file::program::{Act, Throw};
use crate::system_file::run::FileCheck;
use crate::system_file::run::state::{Rolled, Rolling, Stage};
use crate::words::join;
use crate::{Ask, Explanation, RuleError, ShownDie, Step};
use tableside_dice::{
    DieRole, Face, Observation, PendingDie, Pool, PoolQuery, Reading, ReadingKind, RolledQuery,
};

impl FileCheck {
    /// Takes up the dice that an option has rolled again; returns whether there are any. What is not rolled again from
    /// that step on is put together.
    pub(crate) fn roll_again(&self, state: &mut Stage, option: usize, from: usize) -> bool {
        for at in (0..state.rolled.len()).rev() {
            let rolled = &state.rolled[at];
            let Some(throw) = self.throw(rolled.step) else {
                continue;
            };
            let mut lying = rolled.lying.clone();
            let (mut pending, mut again) = (Vec::new(), Vec::new());
            for (heap, rule) in throw.heaps.iter().enumerate() {
                let mut bounds = rule.again.iter();
                let mine = (state.step, option);
                let bounds = bounds.position(|((step, chosen, _), _)| (*step, *chosen) == mine);
                let taken = bounds.map_or(0, |bounds| {
                    let (taken, left) = rolled.fold.remove_in_range(&lying, heap, bounds);
                    lying = left;
                    let bounds = rolled.fold.groups[heap].rerolls.get(bounds);
                    again.extend(bounds.map(|range| (rule.name, (range.lowest, range.highest))));
                    taken
                });
                pending.push(vec![PendingDie::new(rule.most_explosions()); taken]);
            }
            if pending.iter().all(Vec::is_empty) {
                // What is read anew is the same, but a `let` of its name may have stood in for it.
                if !again.is_empty() {
                    Self::read(state, throw, &rolled.fold.results(&rolled.lying));
                }
                continue;
            }
            let mut fold = rolled.fold.with_pending(pending);
            if !self.is_rolled_again(throw, from) {
                (fold, lying) = fold.without_rerolls(&lying);
            }
            state.rolling = Some(Arc::new(Rolling {
                step: state.rolled.remove(at).step,
                fold: Arc::new(fold),
                lying,
                side: 0,
                open: None,
                again,
            }));
            return true;
        }
        false
    }

    /// Begins to roll the dice of the current step.
    pub(super) fn begin_roll(
        &self,
        state: &mut Stage,
        throw: &Throw,
        why: &Explanation,
    ) -> Result<(), RuleError> {
        let live = &self.live()[state.step + 1];
        let live = why.is_for_odds.then_some(&live[..]);
        let has_rerolls = self.is_rolled_again(throw, 0);
        let fold = self.worked(state, throw.fold(self.of(state), live, has_rerolls))?;
        let lying = fold.empty_state();
        state.rolling = Some(Arc::new(Rolling {
            step: state.step,
            fold,
            lying,
            side: 0,
            open: None,
            again: Vec::new(),
        }));
        Ok(())
    }

    /// Asks for the dice of the next side that has any, or reads all dice if every side has rolled.
    pub(super) fn next_roll(
        &self,
        mut state: Stage,
        why: &mut Explanation,
    ) -> Result<Step<Stage>, RuleError> {
        let Some((mut rolling, throw)) = self.take_rolling(&mut state) else {
            return Ok(Step::Continue(state));
        };
        skip_idle_sides(&mut rolling, throw);
        let Some(&side) = throw.sides.get(rolling.side) else {
            return self.finish_roll(state, rolling, throw, why);
        };

        let pending = (0..throw.heaps.len())
            .map(|group| pending_dice(&rolling, throw, group).to_vec())
            .collect();
        let mut fold = rolling.fold.with_pending(pending);
        fold.is_final = self.is_final(&rolling, throw, why);
        let names: Vec<DieRole> = throw.heaps.iter().map(|heap| heap.name).collect();
        state.rolling = Some(rolling);
        Ok(Step::Ask(
            state,
            Ask::roll(Pool::from_query(fold, &names), side),
        ))
    }

    /// Takes the dice that a side rolled, and reads all dice if it was the last side.
    pub(super) fn take_roll(
        &self,
        mut state: Stage,
        dice: &Observation,
        why: &mut Explanation,
    ) -> Result<Step<Stage>, RuleError> {
        let Some((mut rolling, throw)) = self.take_rolling(&mut state) else {
            return Ok(Step::Continue(state));
        };
        if let Some(results) = dice.results() {
            Self::read(&mut state, throw, results);
            self.leave(&mut state, why);
            return self.run_steps(state, why);
        }
        let Some(RolledQuery {
            state: lying,
            pending: open,
        }) = dice.query()
        else {
            return Ok(Step::Continue(state));
        };
        skip_idle_sides(&mut rolling, throw);

        let is_first = rolling.open.is_none();
        let again = if is_first { &rolling.again[..] } else { &[] };
        why.tell(|why| show(why, (throw, &rolling.fold), again));

        let next = Arc::make_mut(&mut rolling);
        next.lying = next.fold.merge(&next.lying, lying);
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

    /// True if nothing but the readings of these dice matters after this roll, so that odds may merge all dice that read
    /// the same.
    fn is_final(&self, rolling: &Rolling, throw: &Throw, why: &Explanation) -> bool {
        why.is_for_odds
            && throw.sides.len() == 1
            && !self.is_rolled_again(throw, 0)
            && rolling.open.is_none()
    }

    /// Takes the dice that are being rolled out of a state, with the description of their throw.
    fn take_rolling(&self, state: &mut Stage) -> Option<(Arc<Rolling>, &'static Throw)> {
        let rolling = state.rolling.take()?;
        let throw = self.throw(rolling.step)?;
        Some((rolling, throw))
    }

    /// Reads the dice that all sides have rolled.
    fn finish_roll(
        &self,
        mut state: Stage,
        rolling: Arc<Rolling>,
        throw: &Throw,
        why: &mut Explanation,
    ) -> Result<Step<Stage>, RuleError> {
        Self::read(&mut state, throw, &rolling.fold.results(&rolling.lying));
        why.tell(|why| self.tell_readings(why, (throw, &rolling.fold), &state));

        let is_again = !rolling.again.is_empty();
        if self.is_rolled_again(throw, 0) {
            let Rolling {
                step, fold, lying, ..
            } = Arc::unwrap_or_clone(rolling);
            state.rolled.push(Rolled { step, fold, lying });
        }

        // The question that had them rolled again is put once more, or left.
        let is_over = match self.program.steps.get(state.step).map(|step| &step.act) {
            Some(Act::Choose(question)) if is_again => self.is_over(question, &state)?,
            _ => !is_again,
        };
        if is_over {
            self.leave(&mut state, why);
        }
        Ok(Step::Continue(state))
    }

    fn read(state: &mut Stage, throw: &Throw, readings: &[i32]) {
        for ((name, _), reading) in throw.readings.iter().zip(readings) {
            state.set(*name, Known::Number((*reading).into()));
        }
    }

    /// Says what the dice come to.
    fn tell_readings(
        &self,
        why: &mut Explanation,
        (throw, fold): (&Throw, &PoolQuery),
        state: &Stage,
    ) {
        recount(why, throw, fold);
        // A check that says in words what was read says it once.
        let mut steps = self.program.steps.iter();
        if steps.any(|step| matches!(step.act, Act::Say(_))) {
            return;
        }
        let told = throw.readings.iter().filter_map(|(at, _)| {
            let (name, is_told) = self.program.names[*at];
            let words = self.spec.words_of(name).filter(|_| is_told)?;
            Some(format!("{words} {}", self.of(state)(Name::Step(*at))))
        });
        let told = join(told, ", ");
        if !told.is_empty() {
            why.say(format!("That is {told}."));
        }
    }
}

/// The dice of one group that the current side rolls, or none if another side rolls the group.
fn pending_dice<'a>(rolling: &'a Rolling, throw: &Throw, group: usize) -> &'a [PendingDie] {
    if throw.sides.get(rolling.side) != Some(&throw.heaps[group].by) {
        return &[];
    }
    match &rolling.open {
        None => &rolling.fold.groups[group].pending,
        Some(open) => &open[group],
    }
}

/// Goes on to the next side that has dice to roll.
fn skip_idle_sides(rolling: &mut Arc<Rolling>, throw: &Throw) {
    let is_idle = |rolling: &Rolling| {
        let mut groups = 0..throw.heaps.len();
        groups.all(|group| pending_dice(rolling, throw, group).is_empty())
    };
    while rolling.side < throw.sides.len() && is_idle(rolling) {
        let rolling = Arc::make_mut(rolling);
        rolling.side += 1;
        rolling.open = None;
    }
}

/// Shows the last roll. Dice that were rolled again take the places of those that lay there within these bounds.
fn show(
    why: &mut Explanation,
    (throw, fold): (&Throw, &PoolQuery),
    again: &[(DieRole, (i32, i32))],
) {
    if again.is_empty() {
        why.roll();
        return;
    }
    let Some((pool, faces)) = why.rolls.last().cloned() else {
        return;
    };
    let (mut fold, dice, lay) = lying(why, throw, fold);
    // Those that counted for a sum of what is meant are meant.
    let meant = (0..).zip(&throw.heaps).map(|(at, rule)| {
        let bounds = again.iter().find(|(name, _)| *name == rule.name);
        let (from, to) = bounds.map_or((1, 0), |(_, bounds)| *bounds);
        let (reads, of) = (ReadingKind::Sum, 1 << at);
        Reading {
            kind: reads,
            groups: of,
            lowest: from,
            highest: to,
        }
    });
    fold.readings = meant.collect();
    let meant = dice.into_iter().zip(fold.kept(&lay));
    let meant = meant.filter_map(|(die, is_meant)| is_meant.then_some(die));
    let mut meant: Vec<Vec<usize>> = meant.collect();
    for ((die, role), face) in pool.each_die().zip(faces) {
        let of_role = |die: &Vec<usize>| why.dice[die[0]].role == role;
        let Some(place) = meant.iter().position(of_role) else {
            why.dice.push(ShownDie::new(die, role, face, true));
            continue;
        };
        let rolls = meant.remove(place);
        why.roll_again(rolls[0], face);
        for more in &rolls[1..] {
            why.dice[*more].kept = false;
        }
    }
}

/// The dice that lie there now, each with the places of its rolls and the first of its faces: those that an explosion
/// brought belong to their die.
fn lying(
    why: &Explanation,
    throw: &Throw,
    fold: &PoolQuery,
) -> (PoolQuery, Vec<Vec<usize>>, Vec<Face>) {
    let mut fold = fold.clone();
    let mut dice: Vec<Vec<usize>> = Vec::new();
    let face = |at: &usize| why.dice[*at].face;
    let is_again = |at: &usize| why.dice[*at].replaces.is_some();
    for (heap, rule) in fold.groups.iter_mut().zip(&throw.heaps) {
        let mine = |at: &usize| why.dice[*at].role == rule.name;
        let mine: Vec<usize> = (0..why.dice.len()).filter(mine).collect();
        let mut of_heap: Vec<Vec<usize>> = Vec::new();
        // What dice explode to comes after those that were rolled with them.
        for rolled in mine.chunk_by(|a, b| is_again(a) || !is_again(b)) {
            let faces: Vec<Face> = rolled.iter().map(face).collect();
            let owners = heap.owners(&faces, rule.most_explosions());
            let first = of_heap.len();
            for (place, die) in rolled.iter().zip(owners) {
                of_heap.resize(of_heap.len().max(first + die + 1), Vec::new());
                of_heap[first + die].push(*place);
            }
        }
        of_heap.retain(|die| why.dice.iter().all(|one| one.replaces != Some(die[0])));
        let chain = |die: &Vec<usize>| {
            let sum = die[1..].iter().map(|at| i32::from(face(at))).sum();
            PendingDie {
                total: sum,
                explosions_left: 0,
            }
        };
        let chains = of_heap.iter().step_by(1 + usize::from(heap.is_percentile));
        heap.pending = chains.map(chain).collect();
        dice.extend(of_heap);
    }
    let faces = dice.iter().map(|die| face(&die[0])).collect();
    (fold, dice, faces)
}

/// Marks the dice that count among all that lie there now; those that an explosion brought count with their die.
fn recount(why: &mut Explanation, throw: &Throw, fold: &PoolQuery) {
    let (fold, dice, faces) = lying(why, throw, fold);
    for (die, kept) in dice.iter().zip(fold.kept(&faces)) {
        for at in die {
            why.dice[*at].kept = kept;
        }
    }
}
