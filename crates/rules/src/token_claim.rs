//! The tokens that a roll may use up. They belong to it from its first die on.

use super::system_file::FileCheck;
use super::{
    CheckSpec, Counted, Effect, Field, Fields, HouseRules, Id, NumberChange, Outcome, Party, Value,
    ValueSource, Whose,
};

/// Tokens of one pool that a roll may use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenClaim {
    /// The pool's name in the system's file.
    pub pool: Id,
    /// Whose pool it is.
    pub of: Party,
    /// Above 0: the most tokens that the roll takes out of the pool. Below 0: the most that it puts in, such as penalty
    /// tokens that it works off or fatigue that it costs.
    pub most: i32,
    /// Whether the pool must hold exactly this amount, because all owed tokens have to be used.
    pub is_owed: bool,
}

impl TokenClaim {
    /// How many tokens of this claim an outcome uses up, with the sign of [`Self::most`].
    pub fn used_by(&self, outcome: &Outcome) -> i32 {
        let known = outcome.used.iter().find(|used| used.pool == self.pool);
        if let Some(known) = known {
            return known.tokens;
        }

        let mut used = 0;
        for effect in &outcome.effects {
            match effect {
                // An effect of code names an owner only if it is the other side.
                Effect::Token {
                    pool,
                    amount,
                    owner,
                } if *pool == self.pool
                    && *amount < 0
                    && owner.is_some() == (self.of == Party::Opponent) =>
                {
                    used -= amount;
                }
                Effect::Number(NumberChange {
                    what: Counted::Pool,
                    id,
                    of,
                    by: Some(by),
                    ..
                }) if (*id, *of) == (self.pool, self.of) && *by < 0 => used -= by,
                _ => {}
            }
        }
        used
    }
}

impl CheckSpec {
    /// The tokens that a roll of these fields may use up, at most one claim for each pool and owner.
    ///
    /// A field claims its number if it is spent, or if it says what the pool holds and the check may take from that
    /// pool.
    pub fn token_claims(&self, fields: &Fields, house: &HouseRules) -> Vec<TokenClaim> {
        let mut claims = Vec::new();

        for (field, value) in fields.iter() {
            let Some(Value::Number(number @ 1..)) = value else {
                continue;
            };
            let Some(of) = party_of(field.whose) else {
                continue;
            };
            let claim = |pool, most, is_owed| TokenClaim {
                pool,
                of,
                most,
                is_owed,
            };
            match (field.source, field.spends) {
                (ValueSource::Tokens { kind, owed: true }, _) => {
                    add_claim(&mut claims, claim(kind, -number, true));
                }
                // The steps of a file say below what a field costs.
                (_, Some(pool)) if self.program.is_none() => {
                    add_claim(&mut claims, claim(pool, *number, false));
                }
                _ => {}
            }
        }

        for claim in self.costs_in_file(fields, house) {
            add_claim(&mut claims, claim);
        }
        for (field, value) in fields.iter() {
            self.claim_what_pool_holds(&mut claims, field, value);
        }
        claims
    }

    /// Claims the number of a field that says what a pool holds, if the check may take tokens from that pool.
    fn claim_what_pool_holds(
        &self,
        claims: &mut Vec<TokenClaim>,
        field: &Field,
        value: Option<&Value>,
    ) {
        let (ValueSource::Tokens { kind, owed: false }, Some(Value::Number(number @ 1..))) =
            (field.source, value)
        else {
            return;
        };
        let Some(of) = party_of(field.whose) else {
            return;
        };
        let may_take = self
            .program
            .is_some_and(|program| program.may_take(kind, of));
        if !may_take {
            return;
        }

        let known = claims
            .iter_mut()
            .find(|claim| (claim.pool, claim.of) == (kind, of));
        match known {
            Some(claim) => claim.most = claim.most.max(*number),
            None => claims.push(TokenClaim {
                pool: kind,
                of,
                most: *number,
                is_owed: false,
            }),
        }
    }

    /// What the fields of a file's check cost whatever the dice show.
    fn costs_in_file(&self, fields: &Fields, house: &HouseRules) -> Vec<TokenClaim> {
        let program = self.program.filter(|program| program.has_costs());
        let begun = program.and_then(|program| FileCheck::new(program, fields, house).ok());
        let Some((check, stage)) = begun else {
            return Vec::new();
        };

        let mut costs = Vec::new();
        for effect in check.costs(&stage) {
            let Effect::Number(NumberChange {
                id,
                of,
                by: Some(by),
                ..
            }) = effect
            else {
                continue;
            };
            costs.push(TokenClaim {
                pool: id,
                of,
                most: -by,
                is_owed: false,
            });
        }
        costs
    }
}

/// Whose pool a field of that owner is paid from. `None` for a helper of the opponent, whose tokens no effect takes.
const fn party_of(whose: Whose) -> Option<Party> {
    match whose {
        Whose::Own => Some(Party::Roller),
        Whose::Opponent => Some(Party::Opponent),
        Whose::Helper => Some(Party::Helpers),
        Whose::OpponentHelper => None,
    }
}

/// Adds a claim to those of the same pool and owner.
fn add_claim(claims: &mut Vec<TokenClaim>, new: TokenClaim) {
    let known = claims
        .iter_mut()
        .find(|claim| (claim.pool, claim.of) == (new.pool, new.of));
    match known {
        Some(claim) => claim.most += new.most,
        None => claims.push(new),
    }
}
