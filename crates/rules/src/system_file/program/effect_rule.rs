//! The effects of a roll: changes of numbers and conditions, messages, further checks and locks.

use super::expression::{Expression, ExpressionValue, ResolvedName};
use super::template::Template;
use crate::{ConditionChange, Counted, Effect, Field, Id, NumberChange, Party, RuleError};

/// An effect with its condition.
#[derive(Debug)]
pub(crate) struct EffectRule {
    pub(crate) when: Option<Expression>,
    pub(crate) of: Party,
    pub(crate) what: EffectAction,
    /// True if the roll is refused when the effect is impossible. Otherwise as much of the effect applies as possible.
    pub(crate) must: bool,
}

/// The action of an effect.
#[derive(Debug)]
pub(crate) enum EffectAction {
    /// Changes a pool, a stat or a clock.
    Number { what: Counted, id: Id, to: Amount },
    /// Adds a condition, or removes it.
    Condition {
        name: &'static str,
        level: Expression,
        rounds: Option<Expression>,
        is_gone: bool,
    },
    /// Gives consequences. The table describes them.
    Consequence(Expression),
    /// Shows a message.
    Tell(Template),
    /// Offers a further check, with values for its fields.
    Offer {
        check: &'static str,
        with: Vec<(&'static str, Expression)>,
    },
    /// Forbids repeating the attempt.
    Lock {
        about: Template,
        /// The event that lifts the lock.
        until: &'static str,
        by_gm: bool,
    },
}

/// How a number changes.
#[derive(Debug)]
pub(crate) enum Amount {
    By(Expression),
    /// Changes to a number, or to a value of the stat.
    To(Expression, Option<&'static Field>),
    /// Returns to the start value.
    Start,
}

impl EffectRule {
    /// Returns the effects whose conditions hold.
    pub(crate) fn all<'a>(
        rules: impl IntoIterator<Item = &'a Self>,
        value_of: impl Fn(ResolvedName) -> ExpressionValue + Copy,
    ) -> Result<Vec<Effect>, String> {
        let mut effects = Vec::new();
        for rule in rules {
            let holds = match &rule.when {
                Some(when) => when.holds(value_of)?,
                None => true,
            };
            if holds {
                effects.extend(rule.effect(value_of)?);
            }
        }
        Ok(effects)
    }

    /// True if the effect is allowed at a threshold of a pool: it is for the pool's owner, and no offer or lock.
    pub(crate) fn is_allowed_for_pool(&self) -> bool {
        let needs_roll = matches!(
            self.what,
            EffectAction::Offer { .. } | EffectAction::Lock { .. }
        );
        self.of == Party::Roller && !needs_roll
    }

    /// True if the effect may lower that pool. To guess the sign of an expression, it is evaluated with 1 for each name:
    /// `-missing` lowers a pool, and `2 * pushes` does not.
    pub(crate) fn may_lower(&self, pool: Id) -> bool {
        let EffectAction::Number { what, id, to } = &self.what else {
            return false;
        };
        if *what != Counted::Pool || *id != pool {
            return false;
        }

        match to {
            Amount::By(by) => by
                .amount(|_| ExpressionValue::Number(1))
                .is_ok_and(|amount| amount < 0),
            Amount::To(..) | Amount::Start => true,
        }
    }

    /// Returns the effect for the current values; `None` for a change by 0.
    fn effect(
        &self,
        value_of: impl Fn(ResolvedName) -> ExpressionValue + Copy,
    ) -> Result<Option<Effect>, String> {
        let effect = match &self.what {
            EffectAction::Number { what, id, to } => {
                return self.number_change(*what, *id, to, value_of);
            }
            EffectAction::Condition {
                name,
                level,
                rounds,
                is_gone,
            } => Effect::Condition(ConditionChange {
                name: (*name).to_owned(),
                of: self.of,
                level: level.amount(value_of)?,
                rounds: match rounds {
                    Some(rounds) => Some(rounds.amount(value_of)?),
                    None => None,
                },
                gone: *is_gone,
            }),
            EffectAction::Consequence(amount) => Effect::Consequence {
                amount: amount.amount(value_of)?,
                of: Id::NONE,
            },
            EffectAction::Tell(words) => Effect::Told {
                words: words.filled(value_of)?,
            },
            EffectAction::Offer { check, with } => {
                let mut values = Vec::new();
                for (field, expression) in with {
                    let value = expression.value(value_of)?;
                    // The text has the form of typed input, with an ASCII minus.
                    let text = value.to_string().replace('−', "-");
                    values.push(((*field).to_owned(), text));
                }
                Effect::Offer {
                    check: (*check).to_owned(),
                    of: self.of,
                    with: values,
                }
            }
            EffectAction::Lock { about, by_gm, .. } => Effect::Lock {
                about: about.filled(value_of)?,
                by_gm: *by_gm,
            },
        };
        Ok(Some(effect))
    }

    fn number_change(
        &self,
        what: Counted,
        id: Id,
        amount: &Amount,
        value_of: impl Fn(ResolvedName) -> ExpressionValue + Copy,
    ) -> Result<Option<Effect>, String> {
        let (by, to) = match amount {
            Amount::By(by) => {
                let amount = by.amount(value_of)?;
                (Some(amount), None)
            }
            Amount::To(to, stat) => {
                let value = to.value(value_of)?;
                let number = number_of(value, *stat)?;
                (None, Some(number))
            }
            Amount::Start => (None, None),
        };
        if by == Some(0) {
            return Ok(None);
        }

        Ok(Some(Effect::Number(NumberChange {
            what,
            id,
            of: self.of,
            by,
            to,
            must: self.must,
        })))
    }
}

/// Returns the number that an effect stores for a value: for a stat of words the index of the word, for a die the
/// number of its sides.
pub(crate) fn number_of(value: ExpressionValue, stat: Option<&Field>) -> Result<i32, String> {
    let Some(stat) = stat else {
        return value.amount();
    };

    let stat_value = match &value {
        ExpressionValue::Word(word) => stat.parse(word),
        other => {
            let number = other.clone().amount()?;
            stat.value_of(number).ok_or_else(|| {
                let given = other.to_string();
                RuleError::wrong(stat.id, stat.describe(), &given)
            })
        }
    };
    let stat_value = stat_value.map_err(|error| error.to_string())?;

    let number = ExpressionValue::from(&stat_value).amount();
    Ok(number.unwrap_or_else(|_| stat.height(&stat_value)))
}
