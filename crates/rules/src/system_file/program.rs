//! What a file says of a check, read: its steps, its outcomes, and what of the numbers later steps still look at.

pub(crate) mod effect_rule;
pub(crate) mod expression;
pub(crate) mod sheet_rules;
pub(crate) mod template;

use std::sync::Arc;

use crate::system_file::program::effect_rule::{EffectRule, What};
use crate::system_file::program::expression::{ByNames, Expression, Known, Name};
use crate::system_file::program::template::Template;
use crate::{Id, OutcomeId, Party, Score, Side};
use tableside_dice::{
    DiceGroup, Die, DieRole, Explosion, PendingDie, PoolQuery, Reading, ReadingKind, RerollRange,
};

/// The most dice of one heap.
pub(crate) const MOST_DICE: i32 = 100;

/// The steps of a check and what comes of them.
#[derive(Debug, Default)]
pub(crate) struct Program {
    /// The readings and `let`s by name, and whether they are told.
    pub(super) names: Vec<(&'static str, bool)>,
    pub(super) steps: Vec<ProgramStep>,
    /// The condition, what a clock is filled by and what follows, for each of the check's outcomes.
    pub(crate) endings: Vec<Ending>,
    /// How the check ends, by what its outcomes look at.
    pub(crate) known_ends: Option<ByNames<(OutcomeId, Score)>>,
    pub(crate) total: Option<Expression>,
    pub(crate) target: Option<Expression>,
    /// What follows whatever the outcome: what fields spend, and what the check says.
    pub(crate) always: Vec<EffectRule>,
    /// For each step, and for the end, which names odds still look at from there on.
    pub(crate) live: Vec<Vec<bool>>,
    /// How long all expressions together are that odds work out.
    pub(crate) length: usize,
}

impl Program {
    /// True if an effect of the check is for the opponent.
    pub(crate) fn affects_opponent(&self) -> bool {
        let of_endings = self.endings.iter().flat_map(|ending| &ending.effects);
        let of_options = self
            .steps
            .iter()
            .filter_map(|step| match &step.act {
                Act::Choose(question) => Some(&question.options),
                _ => None,
            })
            .flatten()
            .flat_map(|option| &option.effects);
        let mut all = self.always.iter().chain(of_endings).chain(of_options);
        all.any(|effect| effect.of == Party::Opponent)
    }
}

/// One step.
#[derive(Debug)]
pub(super) struct ProgramStep {
    /// Where it begins in the file, in bytes.
    pub(crate) at: usize,
    pub(crate) when: Option<Expression>,
    pub(crate) act: Act,
}

/// Names, each with what it comes to; later ones may look at those before them.
#[derive(Debug)]
pub(crate) struct Lets {
    pub(crate) each: Vec<(usize, Expression)>,
    /// What all of them come to.
    pub(crate) known: ByNames<Arc<[Known]>>,
}

impl Lets {
    pub(crate) fn new(each: Vec<(usize, Expression)>) -> Self {
        let known = ByNames::new(each.iter().flat_map(|(_, to)| to.names()));
        Self { each, known }
    }
}

/// What a step does.
#[derive(Debug)]
pub(crate) enum Act {
    /// Names what expressions come to.
    Let(Lets),
    /// Rolls and reads dice.
    Roll(Throw),
    /// Asks somebody.
    Choose(Question),
    /// Refuses the check.
    Refuse(Template),
    /// Tells something in the words of the rules.
    Say(Template),
}

/// Dice that are rolled in one step.
#[derive(Debug)]
pub(crate) struct Throw {
    pub(crate) heaps: Vec<HeapRule>,
    /// The sides that roll them, in the order in which they are asked.
    pub(crate) sides: Vec<Side>,
    /// What is read of them, and the names of it.
    pub(crate) readings: Vec<(usize, ReadingRule)>,
}

/// Dice of one name.
#[derive(Debug)]
pub(crate) struct HeapRule {
    pub(crate) name: DieRole,
    pub(crate) count: Expression,
    pub(crate) die: DieRule,
    /// How they explode: from which face, how often at most, and whether as dice of their own.
    pub(crate) explodes: Option<(Option<Expression>, u8, bool)>,
    pub(crate) by: Side,
    /// The bounds within which they may be rolled again, each with the option that does it.
    pub(crate) again: Vec<(AgainId, Bounds)>,
}

/// The option that rolls dice again: its question's step, its place there, and the place among what it rolls again.
pub(crate) type AgainId = (usize, usize, usize);

/// A lowest and a highest value; none where there is no bound.
#[derive(Debug, Default)]
pub(crate) struct Bounds {
    pub(crate) from: Option<Expression>,
    pub(crate) to: Option<Expression>,
}

/// Which die.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DieRule {
    /// This one.
    Plain(Die),
    /// Two digits, read as a number from 1 to 100.
    Hundred,
    /// The one that a field holds.
    Field(usize),
}

/// What is read of dice.
#[derive(Debug)]
pub(crate) struct ReadingRule {
    pub(crate) reads: ReadingKind,
    /// How many of the highest or the lowest, where that is worked out.
    pub(crate) keep: Option<Expression>,
    pub(crate) of: u32,
    pub(crate) bounds: Bounds,
}

/// A question and its answers.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) id: &'static str,
    pub(crate) ask: Template,
    pub(crate) by: Side,
    /// How often it is asked at most.
    pub(crate) times: Expression,
    pub(crate) options: Vec<Choice>,
    /// The place of the answer when nobody answers.
    pub(crate) default: usize,
}

/// One answer to a question.
#[derive(Debug)]
pub(crate) struct Choice {
    pub(crate) id: &'static str,
    pub(crate) label: Template,
    pub(crate) when: Option<Expression>,
    /// The same as it is written.
    pub(crate) opens: &'static str,
    pub(crate) lets: Lets,
    pub(crate) effects: Vec<EffectRule>,
}

/// One outcome.
#[derive(Debug)]
pub(crate) struct Ending {
    pub(crate) when: Option<Expression>,
    pub(crate) ticks: Expression,
    pub(crate) effects: Vec<EffectRule>,
}

/// Whether a condition of the rules bears on a check.
#[derive(Debug)]
pub(crate) enum Bearing {
    /// Whatever its fields are.
    Always,
    /// Where this holds.
    Where(Expression),
    /// Not at all.
    Never,
}

impl HeapRule {
    /// How often one of the dice is rolled more at most.
    pub(crate) fn most_explosions(&self) -> u8 {
        self.explodes.as_ref().map_or(0, |(_, most, _)| *most)
    }
}

impl Throw {
    /// Whether its dice may be rolled again at that step or later.
    pub(crate) fn is_rolled_again(&self, from: usize) -> bool {
        let mut again = self.heaps.iter().flat_map(|heap| &heap.again);
        again.any(|((question, ..), _)| *question >= from)
    }

    /// The dice as they are before anything fell, under the values that are known. Odds say which names are still
    /// looked at: readings of others read nothing.
    pub(crate) fn fold(
        &self,
        of: impl Fn(Name) -> Known + Copy,
        live: Option<&[bool]>,
    ) -> Result<Arc<PoolQuery>, String> {
        let number = |bound: &Option<Expression>, absent| {
            let bound = bound.as_ref();
            bound.map_or(Ok(absent), |bound| bound.amount(of))
        };
        let bounds = |bounds: &Bounds| {
            let from = number(&bounds.from, i32::MIN)?;
            Ok::<_, String>((from, number(&bounds.to, i32::MAX)?))
        };
        let heaps = self.heaps.iter().map(|rule| {
            let count = rule.count.amount(of)?;
            if !(0..=MOST_DICE).contains(&count) {
                let name = rule.name.name();
                let why = format!("{name} has {count} dice; there are 0 to {MOST_DICE}");
                return Err(why);
            }
            let (die, is_hundred) = match rule.die {
                DieRule::Plain(die) => (die, false),
                DieRule::Hundred => (Die::Digit, true),
                DieRule::Field(field) => {
                    let sides = u8::try_from(of(Name::Field(field)).amount()?);
                    (Die::with_sides(sides.unwrap_or(2)), false)
                }
            };
            let highest = i32::from(if is_hundred { 100 } else { die.highest() });
            let explodes = rule.explodes.as_ref().map(|&(ref from, _, as_dice)| {
                let from = number(from, highest)?;
                Ok::<_, String>(Explosion {
                    lowest: from,
                    adds_dice: as_dice,
                })
            });
            let left = rule.most_explosions();
            let count = usize::try_from(count).unwrap_or(0);
            let again = rule.again.iter();
            let again = again.map(|(id, again)| {
                let (lowest, highest) = bounds(again)?;
                let tag = (id.0, id.1);
                Ok(RerollRange {
                    tag,
                    lowest,
                    highest,
                })
            });
            Ok(DiceGroup {
                die,
                is_percentile: is_hundred,
                pending: vec![PendingDie::new(left); count],
                explodes: explodes.transpose()?,
                rerolls: again.collect::<Result<_, String>>()?,
            })
        });
        let heaps = heaps.collect::<Result<Vec<_>, String>>()?;
        let readings = self.readings.iter().map(|(name, rule)| {
            let reads = match (rule.reads, &rule.keep) {
                (ReadingKind::SumOfKept { highest, .. }, Some(keep)) => ReadingKind::SumOfKept {
                    count: u16::try_from(keep.amount(of)?.max(0)).unwrap_or(u16::MAX),
                    highest,
                },
                (reads, _) => reads,
            };
            let (from, to) = bounds(&rule.bounds)?;
            let of = rule.of * u32::from(live.is_none_or(|live| live[*name]));
            Ok(Reading {
                kind: reads,
                groups: of,
                lowest: from,
                highest: to,
            })
        });
        let mut fold = PoolQuery {
            groups: heaps,
            readings: readings.collect::<Result<_, String>>()?,
            is_whole: false,
            is_final: false,
        };
        if live.is_some() {
            fold.merge_groups();
        }
        Ok(Arc::new(fold))
    }
}

impl Program {
    /// All that may follow.
    pub(crate) fn effects(&self) -> impl Iterator<Item = &EffectRule> {
        let questions = self.steps.iter().filter_map(|step| match &step.act {
            Act::Choose(question) => Some(&question.options),
            _ => None,
        });
        let options = questions.flatten().flat_map(|option| &option.effects);
        let endings = self.endings.iter().flat_map(|ending| &ending.effects);
        self.always.iter().chain(options).chain(endings)
    }

    /// Whether something that follows locks: few checks have that, and each roll asks.
    pub(crate) fn may_lock(&self) -> bool {
        let mut effects = self.effects();
        effects.any(|effect| matches!(effect.what, What::Lock { .. }))
    }

    /// Whether a field or a helper of this check costs something of a pool.
    pub(crate) fn has_costs(&self) -> bool {
        self.always.iter().any(|effect| effect.must)
    }

    /// Whether an effect of this check may take tokens of that owner's pool.
    pub(crate) fn may_take(&self, pool: Id, of: Party) -> bool {
        // A roller without a pool of this kind uses the table's.
        let is_theirs = |effect: &EffectRule| {
            effect.of == of || (of == Party::Roller && effect.of == Party::Table)
        };
        let mut effects = self.effects();
        effects.any(|effect| is_theirs(effect) && effect.may_lower(pool))
    }

    pub(crate) fn throws(&self) -> impl Iterator<Item = &Throw> {
        self.steps.iter().filter_map(|step| match &step.act {
            Act::Roll(throw) => Some(throw),
            _ => None,
        })
    }

    /// Works out which names odds still look at from each step on.
    pub(crate) fn find_what_lives(&mut self) {
        let mut live = vec![false; self.names.len()];
        let ends = self.endings.iter();
        let ends = ends.flat_map(|ending| ending.when.iter().chain([&ending.ticks]));
        let ends = ends.chain(&self.total);
        let end = ByNames::new(ends.clone().flat_map(Expression::names));
        let mut length = look_at(&mut live, ends);
        let mut all = vec![live.clone()];
        let again = self.throws().filter(|throw| throw.is_rolled_again(0));
        let read_again = again.flat_map(|throw| throw.readings.iter().map(|(name, _)| *name));
        let read_again: Vec<usize> = read_again.collect();
        for step in self.steps.iter().rev() {
            length += look_at(&mut live, &step.when);
            match &step.act {
                Act::Let(lets) => {
                    for (name, to) in lets.each.iter().rev() {
                        // What it was before nobody looks at any more.
                        live[*name] &= step.when.is_some() || read_again.contains(name);
                        length += look_at(&mut live, [to]);
                    }
                }
                Act::Roll(throw) => {
                    for heap in &throw.heaps {
                        let from = heap.explodes.iter().filter_map(|(from, ..)| from.as_ref());
                        length += look_at(&mut live, from.chain([&heap.count]));
                        let again = heap.again.iter();
                        length += look_at(&mut live, again.flat_map(|(_, bounds)| bounds.each()));
                    }
                    for (_, reading) in &throw.readings {
                        length += look_at(&mut live, reading.bounds.each().chain(&reading.keep));
                    }
                }
                Act::Choose(question) => {
                    length += look_at(&mut live, [&question.times]);
                    for option in &question.options {
                        length += look_at(&mut live, &option.when);
                        length += look_at(&mut live, option.lets.each.iter().map(|(_, to)| to));
                    }
                }
                Act::Refuse(_) | Act::Say(_) => {}
            }
            all.push(live.clone());
        }
        all.reverse();
        (self.live, self.length, self.known_ends) = (all, length, Some(end));
    }
}

impl Bounds {
    pub(crate) fn each(&self) -> impl Iterator<Item = &Expression> {
        self.from.iter().chain(&self.to)
    }
}

/// Marks the names that these look at, and returns how long they are.
fn look_at<'a>(live: &mut [bool], at: impl IntoIterator<Item = &'a Expression>) -> usize {
    let looked_at = at.into_iter().inspect(|one| {
        for name in one.names() {
            if let Name::Step(place) = name {
                live[place] = true;
            }
        }
    });
    looked_at.map(|one| one.length).sum()
}
