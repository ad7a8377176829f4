//! Explains the rolls of a check: which dice lie on the table, and which count.

use tableside_dice::{DieRole, Face, PendingDie, PoolQuery, PoolReading, ReadingKind};

use crate::system_file::program::ThrowRule;
use crate::{Explanation, ShownDie};

/// The values of the dice of a group that are rolled again.
pub(super) type RerolledGroup = (DieRole, (i32, i32));

/// A die on the table: the places of its rolls in [`Explanation::dice`], the first roll and then its explosions.
type DieOnTable = Vec<usize>;

/// All dice on the table, as a query reads them.
struct QueriedDice {
    query: PoolQuery,
    dice: Vec<DieOnTable>,
    /// The face of the first roll of each die.
    faces: Vec<Face>,
}

impl QueriedDice {
    fn new(why: &Explanation, throw: &ThrowRule, query: &PoolQuery) -> Self {
        let mut query = query.clone();
        let mut dice: Vec<DieOnTable> = Vec::new();

        for (group, rule) in query.groups.iter_mut().zip(&throw.dice_groups) {
            let rolls: Vec<usize> = (0..why.dice.len())
                .filter(|place| why.dice[*place].role == rule.name)
                .collect();
            let is_reroll = |place: &usize| why.dice[*place].replaces.is_some();
            let mut group_dice: Vec<DieOnTable> = Vec::new();

            // The explosions of some dice follow the dice that were rolled with them.
            for batch in rolls.chunk_by(|a, b| is_reroll(a) || !is_reroll(b)) {
                let faces: Vec<Face> = batch.iter().map(|place| why.dice[*place].face).collect();
                let owners = group.owners(&faces, rule.most_explosions());
                let first = group_dice.len();
                for (place, owner) in batch.iter().zip(owners) {
                    let die = first + owner;
                    group_dice.resize(group_dice.len().max(die + 1), Vec::new());
                    group_dice[die].push(*place);
                }
            }
            group_dice.retain(|die| !is_replaced(why, die));

            // Two digits make one percentile die.
            let digits = 1 + usize::from(group.is_percentile);
            group.pending = group_dice
                .iter()
                .step_by(digits)
                .map(|die| PendingDie {
                    total: explosion_sum(why, die),
                    explosions_left: 0,
                })
                .collect();
            dice.extend(group_dice);
        }

        let faces = dice.iter().map(|die| why.dice[die[0]].face).collect();
        Self { query, dice, faces }
    }

    /// Returns for each die whether a reading counts it.
    fn kept(&self) -> Vec<bool> {
        self.query.kept(&self.faces)
    }
}

/// True if a re-roll replaced the die.
fn is_replaced(why: &Explanation, die: &DieOnTable) -> bool {
    why.dice.iter().any(|shown| shown.replaces == Some(die[0]))
}

fn explosion_sum(why: &Explanation, die: &DieOnTable) -> i32 {
    die[1..]
        .iter()
        .map(|place| i32::from(why.dice[*place].face))
        .sum()
}

/// Shows the last roll. Dice that are rolled again replace those on the table whose values are within the bounds of
/// their group.
pub(super) fn show_roll(
    why: &mut Explanation,
    throw: &ThrowRule,
    query: &PoolQuery,
    rerolled: &[RerolledGroup],
) {
    if rerolled.is_empty() {
        why.roll();
        return;
    }
    let Some((pool, faces)) = why.rolls.last().cloned() else {
        return;
    };

    let mut replaced = replaced_dice(why, throw, query, rerolled);
    for ((die, role), face) in pool.each_die().zip(faces) {
        let next = replaced
            .iter()
            .position(|replaced_die| why.dice[replaced_die[0]].role == role);
        let Some(next) = next else {
            why.dice.push(ShownDie::new(die, role, face, true));
            continue;
        };

        let rolls = replaced.remove(next);
        why.roll_again(rolls[0], face);
        for explosion in &rolls[1..] {
            why.dice[*explosion].kept = false;
        }
    }
}

/// Finds the dice that are rolled again: those that a sum over the bounds would count.
fn replaced_dice(
    why: &Explanation,
    throw: &ThrowRule,
    query: &PoolQuery,
    rerolled: &[RerolledGroup],
) -> Vec<DieOnTable> {
    let mut table = QueriedDice::new(why, throw, query);

    table.query.readings.clear();
    for (place, rule) in throw.dice_groups.iter().enumerate() {
        let group = rerolled.iter().find(|(role, _)| *role == rule.name);
        // Without bounds, no value is between 1 and 0.
        let (lowest, highest) = group.map_or((1, 0), |(_, bounds)| *bounds);
        table.query.readings.push(PoolReading {
            kind: ReadingKind::Sum,
            groups: 1 << place,
            lowest,
            highest,
        });
    }

    let kept = table.kept();
    table
        .dice
        .into_iter()
        .zip(kept)
        .filter_map(|(die, is_kept)| is_kept.then_some(die))
        .collect()
}

/// Marks the dice on the table that count. Explosions count with their die.
pub(super) fn mark_kept_dice(why: &mut Explanation, throw: &ThrowRule, query: &PoolQuery) {
    let table = QueriedDice::new(why, throw, query);
    for (die, is_kept) in table.dice.iter().zip(table.kept()) {
        for roll in die {
            why.dice[*roll].kept = is_kept;
        }
    }
}
