//! What follows a roll by a system's file: numbers, conditions, words, further checks.

use crate::system_file::program::expression::{Expression, Known, Name};
use crate::system_file::program::template::Template;
use crate::{ConditionChange, Counted, Effect, Field, Id, NumberChange, Party, RuleError};

/// Something that follows, if its condition holds.
#[derive(Debug)]
pub(crate) struct EffectRule {
    pub(crate) when: Option<Expression>,
    pub(crate) of: Party,
    pub(crate) what: What,
    /// Whether the roll is refused where it can't be done; else as much of it is done as can be.
    pub(crate) must: bool,
}

/// What follows.
#[derive(Debug)]
pub(crate) enum What {
    /// A number changes.
    Number { what: Counted, id: Id, to: Amount },
    /// A condition comes or goes.
    Condition {
        name: &'static str,
        level: Expression,
        rounds: Option<Expression>,
        is_gone: bool,
    },
    /// So many consequences, which people tell.
    Consequence(Expression),
    /// Words are told.
    Tell(Template),
    /// A further check is offered, with fields filled in.
    Offer {
        check: &'static str,
        with: Vec<(&'static str, Expression)>,
    },
    /// The same may not be tried again until something changes.
    Lock {
        about: Template,
        until: &'static str,
        by_gm: bool,
    },
}

/// How a number changes.
#[derive(Debug)]
pub(crate) enum Amount {
    /// By so much.
    By(Expression),
    /// To this, which is a value of that stat, if of one.
    To(Expression, Option<&'static Field>),
    /// To what it was at first.
    Start,
}

impl EffectRule {
    /// What follows of all these under the values of now.
    pub(crate) fn all<'a>(
        rules: impl IntoIterator<Item = &'a Self>,
        of: impl Fn(Name) -> Known + Copy,
    ) -> Result<Vec<Effect>, String> {
        let mut all = Vec::new();
        for rule in rules {
            let holds = rule.when.as_ref().map_or(Ok(true), |when| when.holds(of));
            if holds? {
                all.extend(rule.effect(of)?);
            }
        }
        Ok(all)
    }

    /// Whether a pool that comes to a number may do it.
    pub(crate) fn is_of_a_pool(&self) -> bool {
        self.of == Party::Roller && !matches!(self.what, What::Offer { .. } | What::Lock { .. })
    }

    /// Whether it may lower that pool. An amount that is worked out is tried with 1 for each of its names, so that
    /// `-missing` lowers a pool and `2 * pushes` does not.
    pub(crate) fn may_lower(&self, pool: Id) -> bool {
        let What::Number { what, id, to } = &self.what else {
            return false;
        };
        if *what != Counted::Pool || *id != pool {
            return false;
        }

        match to {
            Amount::By(by) => by
                .amount(|_| Known::Number(1))
                .is_ok_and(|amount| amount < 0),
            Amount::To(..) | Amount::Start => true,
        }
    }

    fn effect(&self, values: impl Fn(Name) -> Known + Copy) -> Result<Option<Effect>, String> {
        let (of, must) = (self.of, self.must);
        Ok(Some(match &self.what {
            What::Number { what, id, to } => {
                let (by, to) = match to {
                    Amount::By(by) => (Some(by.amount(values)?), None),
                    Amount::To(to, stat) => (None, Some(number_of(to.value(values)?, *stat)?)),
                    Amount::Start => (None, None),
                };
                if by == Some(0) {
                    return Ok(None);
                }
                let (what, id) = (*what, *id);
                Effect::Number(NumberChange {
                    what,
                    id,
                    of,
                    by,
                    to,
                    must,
                })
            }
            What::Condition {
                name,
                level,
                rounds,
                is_gone,
            } => {
                let rounds = rounds.as_ref().map(|rounds| rounds.amount(values));
                Effect::Condition(ConditionChange {
                    name: (*name).to_owned(),
                    of,
                    level: level.amount(values)?,
                    rounds: rounds.transpose()?,
                    gone: *is_gone,
                })
            }
            What::Consequence(amount) => Effect::Consequence {
                amount: amount.amount(values)?,
                of: Id::NONE,
            },
            What::Tell(words) => Effect::Told {
                words: words.filled(values)?,
            },
            What::Offer { check, with } => {
                let with = with.iter().map(|(field, value)| {
                    let value = value.value(values)?.to_string().replace('−', "-");
                    Ok(((*field).to_owned(), value))
                });
                Effect::Offer {
                    check: (*check).to_owned(),
                    of,
                    with: with.collect::<Result<_, String>>()?,
                }
            }
            What::Lock { about, by_gm, .. } => Effect::Lock {
                about: about.filled(values)?,
                by_gm: *by_gm,
            },
        }))
    }
}

/// The number that stands for what something becomes: of a stat the place of a word, or the sides of a die.
pub(crate) fn number_of(to: Known, stat: Option<&Field>) -> Result<i32, String> {
    let Some(stat) = stat else {
        return to.amount();
    };
    let value = match &to {
        Known::Word(word) => stat.parse(word),
        other => {
            let wrong = || RuleError::wrong(stat.id, stat.describe(), &other.to_string());
            stat.value_of(other.clone().amount()?).ok_or_else(wrong)
        }
    };
    let value = value.map_err(|wrong| wrong.to_string())?;
    let number = Known::from(&value).amount();
    Ok(number.unwrap_or_else(|_| stat.height(&value)))
}
