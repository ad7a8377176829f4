//! The costs of the options of a question, in the words of the rules.

use super::FileCheck;
use super::state::FileCheckState;
use crate::system_file::program::OptionRule;
use crate::system_file::program::effect_rule::EffectRule;
use crate::{
    ConditionChange, Counted, Effect, Kind, NumberChange, Party, PoolSpec, RuleError, Side,
    ValueSource, Whose,
};
use tableside_text::uncapitalise;

impl FileCheck {
    /// Returns the cost of an option for the deciding side: the price that the file words, and each change of its numbers
    /// and conditions among the effects of the option. Empty if the option costs nothing.
    ///
    /// Any change of a number of the deciding side is a cost, because a pool may count what is scarce or what harms.
    pub(super) fn cost(
        &self,
        option: &OptionRule,
        by: Side,
        state: &FileCheckState,
    ) -> Result<String, RuleError> {
        let effects = EffectRule::all(&option.effects, self.values_in(state));
        let effects = self.locate_error(state, effects)?;

        let mut costs = vec![self.filled(&option.cost, state)?];
        for effect in &effects {
            costs.extend(self.cost_of_effect(effect, by));
        }
        costs.retain(|cost| !cost.is_empty());
        Ok(costs.join(", "))
    }

    fn cost_of_effect(&self, effect: &Effect, by: Side) -> Option<String> {
        match effect {
            Effect::Number(change) if pays(by, change.of) => self.cost_of_change(change),
            Effect::Condition(ConditionChange {
                name,
                of,
                gone: false,
                ..
            }) if pays(by, *of) => Some(name.clone()),
            _ => None,
        }
    }

    /// Describes a change of a number: `2 fate points`, `all 50 luck`, `+1 stress`, `momentum 8 → 2`.
    fn cost_of_change(&self, change: &NumberChange) -> Option<String> {
        let pool = match change.what {
            Counted::Pool => self.spec.system.spec().pool(change.id),
            Counted::Stat | Counted::Clock => None,
        };
        let Some(pool) = pool else {
            let description = change.describe(self.spec.system);
            return Some(uncapitalise(&description));
        };

        let available = self.tokens_in(pool, change.of);
        match (change.by, change.to) {
            (Some(0), _) => None,
            (Some(amount @ ..-1), _) if available == Some(-amount) => {
                Some(format!("all {}", tokens_in_words(pool, amount)))
            }
            (Some(amount @ ..0), _) => Some(tokens_in_words(pool, amount)),
            (Some(amount), _) => Some(format!("+{}", tokens_in_words(pool, amount))),
            (None, to) => {
                let name = uncapitalise(pool.name);
                let new_amount = to.unwrap_or(pool.start);
                Some(match available {
                    Some(available) => format!("{name} {available} → {new_amount}"),
                    None => format!("{name} → {new_amount}"),
                })
            }
        }
    }

    /// Returns the tokens in a pool, if a field of the check holds their exact number.
    fn tokens_in(&self, pool: &PoolSpec, of: Party) -> Option<i32> {
        let whose = match of {
            Party::Roller => Whose::Own,
            Party::Opponent => Whose::Opponent,
            Party::Helpers | Party::Table => return None,
        };
        let place = self.spec.fields.iter().position(|field| {
            let holds_tokens = matches!(
                field.source,
                ValueSource::Tokens { kind, owed: false } if kind == pool.id
            );
            holds_tokens && field.whose == whose
        })?;
        let tokens = self.fields.get(place)?.clone().amount().ok()?;

        // A field with a lower maximum than the pool may hold fewer tokens than the pool.
        let is_exact = match self.spec.fields.get(place)?.kind {
            Kind::Number { max, .. } => tokens < max || pool.cap.is_some_and(|cap| cap <= max),
            _ => false,
        };
        is_exact.then_some(tokens)
    }
}

/// True if the deciding side pays for an effect on this party.
fn pays(by: Side, of: Party) -> bool {
    match by {
        Side::Actor => of != Party::Opponent,
        Side::Opponent => matches!(of, Party::Opponent | Party::Table),
        Side::Gm => false,
    }
}

/// Returns an amount of tokens in words, without its sign: `2 fate points`.
fn tokens_in_words(pool: &PoolSpec, amount: i32) -> String {
    if pool.one.is_some() {
        return pool.words(amount);
    }
    format!("{} {}", amount.unsigned_abs(), uncapitalise(pool.name))
}
