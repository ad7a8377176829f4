//! The dice of a step.

use std::sync::Arc;

use tableside_dice::{
    DiceGroup, Die, DieRole, Explosion, PendingDie, PoolQuery, PoolReading, ReadingKind,
    RerollRange,
};

use super::expression::{Expression, ExpressionValue, ResolvedName};
use crate::Side;

/// The most dice of one group.
const MAX_DICE: i32 = 100;

/// The dice that are rolled in one step.
#[derive(Debug)]
pub(crate) struct ThrowRule {
    pub(crate) dice_groups: Vec<GroupRule>,
    /// The sides that roll, in the order in which they are asked.
    pub(crate) sides: Vec<Side>,
    /// The readings, each with the index of its value.
    pub(crate) readings: Vec<(usize, ReadingRule)>,
}

/// A group of equal dice with a name.
#[derive(Debug)]
pub(crate) struct GroupRule {
    pub(crate) name: DieRole,
    pub(crate) count: Expression,
    pub(crate) die: DieRule,
    pub(crate) explodes: Option<ExplodeRule>,
    pub(crate) by: Side,
    /// The options that re-roll dice of this group.
    pub(crate) rerolls: Vec<RerollRule>,
}

/// How dice of a group explode.
#[derive(Debug)]
pub(crate) struct ExplodeRule {
    /// The lowest face that explodes; by default the highest face.
    pub(crate) lowest: Option<Expression>,
    /// The most explosions of one die.
    pub(crate) most: u8,
    /// True if each explosion adds a new die. Otherwise its face is added to the value of the exploding die.
    pub(crate) adds_dice: bool,
}

/// A re-roll of some dice of a group by an option.
#[derive(Debug)]
pub(crate) struct RerollRule {
    pub(crate) option: OptionPlace,
    /// The values of the dice that are re-rolled.
    pub(crate) bounds: ValueBounds,
}

/// The position of an option in a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OptionPlace {
    /// The index of the step that asks the question.
    pub(crate) question: usize,
    /// The index of the option in the question.
    pub(crate) option: usize,
}

/// A lowest and a highest value, both included.
#[derive(Debug, Default)]
pub(crate) struct ValueBounds {
    pub(crate) from: Option<Expression>,
    pub(crate) to: Option<Expression>,
}

/// The die of a group.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DieRule {
    Plain(Die),
    /// Two digits, read as a number from 1 to 100.
    Hundred,
    /// The die in the field with this index.
    Field(usize),
}

/// How a value is read from the rolled dice.
#[derive(Debug)]
pub(crate) struct ReadingRule {
    pub(crate) reads: ReadingKind,
    /// The number of dice that a sum with `keep` counts. It replaces the number in `reads` at each roll.
    pub(crate) keep: Option<Expression>,
    /// The groups that are read: bit n is set for the group with index n.
    pub(crate) of: u32,
    /// The values of the dice that are read.
    pub(crate) bounds: ValueBounds,
}

impl GroupRule {
    /// Returns the most explosions of one die.
    pub(crate) fn most_explosions(&self) -> u8 {
        match &self.explodes {
            Some(rule) => rule.most,
            None => 0,
        }
    }

    /// Returns the group for the current values, before its dice are rolled.
    fn dice_group(
        &self,
        value_of: impl Fn(ResolvedName) -> ExpressionValue + Copy,
        has_rerolls: bool,
    ) -> Result<DiceGroup, String> {
        let count = self.count.amount(value_of)?;
        if !(0..=MAX_DICE).contains(&count) {
            return Err(format!(
                "{} has {count} dice; the count must be from 0 to {MAX_DICE}",
                self.name.name()
            ));
        }

        let (die, is_percentile) = match self.die {
            DieRule::Plain(die) => (die, false),
            DieRule::Hundred => (Die::Digit, true),
            DieRule::Field(field) => {
                let sides = value_of(ResolvedName::Field(field)).amount()?;
                let sides = u8::try_from(sides).unwrap_or(2);
                (Die::with_sides(sides), false)
            }
        };
        let highest_face = if is_percentile {
            100
        } else {
            i32::from(die.highest())
        };

        let explodes = match &self.explodes {
            Some(rule) => Some(Explosion {
                lowest: amount_or(rule.lowest.as_ref(), highest_face, value_of)?,
                adds_dice: rule.adds_dice,
            }),
            None => None,
        };

        let mut rerolls = Vec::new();
        if has_rerolls {
            for reroll in &self.rerolls {
                let (lowest, highest) = reroll.bounds.values(value_of)?;
                rerolls.push(RerollRange {
                    tag: (reroll.option.question, reroll.option.option),
                    lowest,
                    highest,
                });
            }
        }

        let count = usize::try_from(count).unwrap_or(0);
        Ok(DiceGroup {
            die,
            is_percentile,
            pending: vec![PendingDie::new(self.most_explosions()); count],
            explodes,
            rerolls,
        })
    }
}

impl ReadingRule {
    fn kind(
        &self,
        value_of: impl Fn(ResolvedName) -> ExpressionValue + Copy,
    ) -> Result<ReadingKind, String> {
        match (self.reads, &self.keep) {
            (ReadingKind::SumOfKept { highest, .. }, Some(keep)) => {
                let count = keep.amount(value_of)?.max(0);
                Ok(ReadingKind::SumOfKept {
                    count: u16::try_from(count).unwrap_or(u16::MAX),
                    highest,
                })
            }
            (kind, _) => Ok(kind),
        }
    }
}

impl ValueBounds {
    pub(crate) fn each(&self) -> impl Iterator<Item = &Expression> {
        self.from.iter().chain(&self.to)
    }

    /// Returns the lowest and the highest value.
    fn values(
        &self,
        value_of: impl Fn(ResolvedName) -> ExpressionValue + Copy,
    ) -> Result<(i32, i32), String> {
        let lowest = amount_or(self.from.as_ref(), i32::MIN, value_of)?;
        let highest = amount_or(self.to.as_ref(), i32::MAX, value_of)?;
        Ok((lowest, highest))
    }
}

impl ThrowRule {
    /// Returns the steps of the questions that may re-roll some of the dice.
    pub(crate) fn rerolling_steps(&self) -> impl Iterator<Item = usize> {
        self.dice_groups
            .iter()
            .flat_map(|group| &group.rerolls)
            .map(|reroll| reroll.option.question)
    }

    /// Returns the query for the current values, before any die is rolled.
    ///
    /// Odds pass `live`, which marks the values that later steps need. The other readings then read no dice. Without
    /// `has_rerolls` the query does not distinguish the dice that an option could roll again.
    pub(crate) fn query(
        &self,
        value_of: impl Fn(ResolvedName) -> ExpressionValue + Copy,
        live: Option<&[bool]>,
        has_rerolls: bool,
    ) -> Result<Arc<PoolQuery>, String> {
        let mut groups = Vec::new();
        for group in &self.dice_groups {
            groups.push(group.dice_group(value_of, has_rerolls)?);
        }

        let mut readings = Vec::new();
        for (value, rule) in &self.readings {
            let (lowest, highest) = rule.bounds.values(value_of)?;
            let is_needed = live.is_none_or(|live| live[*value]);
            readings.push(PoolReading {
                kind: rule.kind(value_of)?,
                groups: if is_needed { rule.of } else { 0 },
                lowest,
                highest,
            });
        }

        let mut query = PoolQuery {
            groups,
            readings,
            is_final: false,
        };
        if live.is_some() {
            query.merge_groups();
        }
        Ok(Arc::new(query))
    }
}

fn amount_or(
    expression: Option<&Expression>,
    default: i32,
    value_of: impl Fn(ResolvedName) -> ExpressionValue + Copy,
) -> Result<i32, String> {
    match expression {
        Some(expression) => expression.amount(value_of),
        None => Ok(default),
    }
}
