//! Rolls the dice of a check that a file describes, side by side and again, and shows them.

use std::sync::Arc;

use crate::system_file::check::FileCheck;
use crate::system_file::program::expression::{Known, Name};
use crate::system_file::program::{Act, Throw};
use crate::system_file::stage::{Rolled, Rolling, Stage};
use crate::words::join;
use crate::{Ask, Check, Explanation, ShownDie, Walk};
use tableside_dice::{
    DieRole, Face, PendingDie, Pool, PoolQuery, Reading, ReadingKind, RolledQuery,
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
            if !throw.is_rolled_again(from) {
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

    /// Rolls the dice of the side that is next, then the next side's, and reads them at the end.
    pub(crate) fn roll(&self, mut state: Stage, walk: &mut Walk<'_>) -> Result<Stage, Ask> {
        let Some(mut rolling) = state.rolling.take() else {
            return Ok(state);
        };
        let Some(throw) = self.throw(rolling.step) else {
            return Ok(state);
        };
        let sides = &throw.sides;
        let is_whole = walk.why.is_weighing;
        while let Some(&side) = sides.get(rolling.side) {
            let chains = |at: usize| match &rolling.open {
                _ if throw.heaps[at].by != side => &[],
                None => &rolling.fold.groups[at].pending[..],
                Some(open) => &open[at],
            };
            if (0..throw.heaps.len()).all(|at| chains(at).is_empty()) {
                let rolling = Arc::make_mut(&mut rolling);
                rolling.side += 1;
                rolling.open = None;
                continue;
            }
            let is_first = rolling.open.is_none();
            let is_final = is_whole && sides.len() == 1 && !throw.is_rolled_again(0) && is_first;
            let pool = || {
                let pending = (0..throw.heaps.len())
                    .map(|at| chains(at).to_vec())
                    .collect();
                let mut fold = rolling.fold.with_pending(pending);
                (fold.is_whole, fold.is_final) = (is_whole, is_final);
                let names: Vec<DieRole> = throw.heaps.iter().map(|heap| heap.name).collect();
                Pool::from_query(fold, &names)
            };
            let fallen = walk.roll(side, pool)?.query();
            let Some(RolledQuery {
                state: lying,
                pending: open,
            }) = fallen
            else {
                return Ok(state);
            };
            let again = if is_first { &rolling.again[..] } else { &[] };
            walk.tell(|why| show(why, (throw, &rolling.fold), again));
            if is_final {
                Self::read(&mut state, throw, lying);
                self.leave(&mut state, walk);
                return self.next(state, walk);
            }
            let rolling = Arc::make_mut(&mut rolling);
            rolling.lying = rolling.fold.merge(&rolling.lying, lying);
            if open.iter().all(Vec::is_empty) {
                rolling.side += 1;
                rolling.open = None;
            } else {
                rolling.open = Some(open.clone());
            }
            break;
        }
        if rolling.side < sides.len() {
            state.rolling = Some(rolling);
            return Ok(state);
        }
        Self::read(&mut state, throw, &rolling.fold.results(&rolling.lying));
        walk.tell(|why| self.tell_readings(why, (throw, &rolling.fold), &state));
        let is_again = !rolling.again.is_empty();
        if throw.is_rolled_again(0) {
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
            self.leave(&mut state, walk);
        }
        Ok(state)
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
