//! Explains the rolls of a check: the dice on the table, and the dice that count.

use tableside_dice::{DiceGroup, DieRole, Face, PendingDie, PoolQuery, PoolReading, ReadingKind};

use crate::system_file::program::{GroupRule, ThrowRule};
use crate::{Explanation, ShownDie};

/// The name of a group of dice, and the lowest and highest value of its dice that are rolled again.
pub(super) type RerolledGroup = (DieRole, (i32, i32));

/// Bounds that exclude every value.
const EMPTY_RANGE: (i32, i32) = (1, 0);

/// A die on the table: the indices of its rolls in [`Explanation::dice`], the first roll and then its explosions.
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
            let mut group_dice = rolled_dice(why, group, rule);
            group_dice.retain(|die| !is_replaced(why, die));

            // Two digits make one percentile die.
            let digits = if group.is_percentile { 2 } else { 1 };
            group.pending.clear();
            for die in group_dice.iter().step_by(digits) {
                group.pending.push(PendingDie {
                    total: explosion_sum(why, die),
                    explosions_left: 0,
                });
            }
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

/// Returns the dice of a group, each with its explosions, including dice that were rolled again later.
fn rolled_dice(why: &Explanation, group: &DiceGroup, rule: &GroupRule) -> Vec<DieOnTable> {
    let is_of_group = |place: &usize| why.dice[*place].role == rule.name;
    let is_reroll = |place: &usize| why.dice[*place].replaces.is_some();
    let rolls: Vec<usize> = (0..why.dice.len()).filter(is_of_group).collect();

    // Explosions follow the dice that were rolled with them. A re-roll after other dice begins a new batch.
    let mut dice: Vec<DieOnTable> = Vec::new();
    for batch in rolls.chunk_by(|before, after| is_reroll(before) || !is_reroll(after)) {
        let faces: Vec<Face> = batch.iter().map(|place| why.dice[*place].face).collect();
        let owners = group.owners(&faces, rule.most_explosions());

        let first_die = dice.len();
        for (place, owner) in batch.iter().zip(owners) {
            let die = first_die + owner;
            if die >= dice.len() {
                dice.resize(die + 1, Vec::new());
            }
            dice[die].push(*place);
        }
    }
    dice
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
        let mut candidates = replaced.iter();
        let next = candidates.position(|candidate| why.dice[candidate[0]].role == role);
        let Some(next) = next else {
            // The die is an explosion of a die that was rolled again.
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

/// Returns the dice that are rolled again: those that a sum of the dice within the bounds would count.
fn replaced_dice(
    why: &Explanation,
    throw: &ThrowRule,
    query: &PoolQuery,
    rerolled: &[RerolledGroup],
) -> Vec<DieOnTable> {
    let mut table = QueriedDice::new(why, throw, query);

    table.query.readings.clear();
    for (place, rule) in throw.dice_groups.iter().enumerate() {
        let mut groups = rerolled.iter();
        let (lowest, highest) = match groups.find(|(role, _)| *role == rule.name) {
            Some((_, bounds)) => *bounds,
            None => EMPTY_RANGE,
        };
        table.query.readings.push(PoolReading {
            kind: ReadingKind::Sum,
            groups: 1 << place,
            lowest,
            highest,
        });
    }

    let mut replaced = Vec::new();
    for (die, is_kept) in table.dice.iter().zip(table.kept()) {
        if is_kept {
            replaced.push(die.clone());
        }
    }
    replaced
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
