//! The tokens that a roll may use up. A game reserves them when the first die of the roll is rolled.

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
    /// The owner of the pool.
    pub of: Party,
    /// Above 0, the most tokens that the roll takes from the pool. Below 0, the most that it adds, such as penalty tokens
    /// that it pays off or fatigue that it costs.
    pub most: i32,
    /// True if the pool must hold exactly this amount, because all owed tokens have to be used.
    pub is_owed: bool,
}

impl TokenClaim {
    /// Returns the number of tokens of this claim that an outcome uses up, with the sign of [`Self::most`].
    pub fn used_by(&self, outcome: &Outcome) -> i32 {
        let recorded = outcome.used.iter().find(|used| used.pool == self.pool);
        if let Some(recorded) = recorded {
            return recorded.tokens;
        }

        let mut used = 0;
        for effect in &outcome.effects {
            let change = match effect {
                Effect::Token {
                    pool,
                    amount,
                    owner,
                } => {
                    // In effects of Rust code only tokens of the opponent have an owner.
                    let is_opponents = owner.is_some();
                    if *pool != self.pool || is_opponents != (self.of == Party::Opponent) {
                        continue;
                    }
                    *amount
                }
                Effect::Number(NumberChange {
                    what: Counted::Pool,
                    id,
                    of,
                    by: Some(amount),
                    ..
                }) if *id == self.pool && *of == self.of => *amount,
                _ => continue,
            };
            if change < 0 {
                used -= change;
            }
        }
        used
    }

    /// True if the other claim is on the same pool of the same owner.
    fn has_same_pool(&self, other: &Self) -> bool {
        self.pool == other.pool && self.of == other.of
    }
}

impl CheckSpec {
    /// Returns the tokens that a roll with these fields may use up, at most one claim for each pool and owner.
    ///
    /// A field claims its number if it is spent. It also claims its number if it is the number of tokens in a pool and the
    /// check may take tokens from that pool, unless another field sets how many of them are spent.
    pub fn token_claims(&self, fields: &Fields, house: &HouseRules) -> Vec<TokenClaim> {
        let mut claims = Vec::new();

        for (field, value) in fields.iter() {
            if let Some(claim) = self.claim_spent(field, value) {
                add_claim(&mut claims, claim);
            }
        }
        for claim in self.costs_in_file(fields, house) {
            add_claim(&mut claims, claim);
        }
        for (field, value) in fields.iter() {
            if let Some(claim) = self.claim_pool(field, value, fields) {
                extend_claim(&mut claims, claim);
            }
        }
        claims
    }

    /// Returns the claim of a field whose tokens are spent or owed.
    fn claim_spent(&self, field: &Field, value: Option<&Value>) -> Option<TokenClaim> {
        let number = positive_number(value)?;
        let of = party_of(field.whose)?;

        if let ValueSource::Tokens {
            kind: pool,
            owed: true,
        } = field.source
        {
            return Some(TokenClaim {
                pool,
                of,
                most: -number,
                is_owed: true,
            });
        }

        // The steps of a check in a file contain the costs of its fields (`costs_in_file`).
        if self.program.is_some() {
            return None;
        }
        Some(TokenClaim {
            pool: field.spends?,
            of,
            most: number,
            is_owed: false,
        })
    }

    /// Returns the claim of a field that holds the number of tokens in a pool, if the check may take tokens from it.
    fn claim_pool(
        &self,
        field: &Field,
        value: Option<&Value>,
        fields: &Fields,
    ) -> Option<TokenClaim> {
        let ValueSource::Tokens {
            kind: pool,
            owed: false,
        } = field.source
        else {
            return None;
        };
        let number = positive_number(value)?;
        let of = party_of(field.whose)?;

        let may_take = match self.program {
            Some(program) => program.may_take(pool, of),
            None => !has_set_amount(pool, fields),
        };
        if !may_take {
            return None;
        }
        Some(TokenClaim {
            pool,
            of,
            most: number,
            is_owed: false,
        })
    }

    /// Returns the costs of a check in a file that do not depend on dice.
    fn costs_in_file(&self, fields: &Fields, house: &HouseRules) -> Vec<TokenClaim> {
        let Some(program) = self.program else {
            return Vec::new();
        };
        if !program.has_costs() {
            return Vec::new();
        }
        let Ok((check, stage)) = FileCheck::new(program, fields, house) else {
            return Vec::new();
        };

        let mut costs = Vec::new();
        for effect in check.costs(&stage) {
            if let Effect::Number(NumberChange {
                id: pool,
                of,
                by: Some(amount),
                ..
            }) = effect
            {
                costs.push(TokenClaim {
                    pool,
                    of,
                    most: -amount,
                    is_owed: false,
                });
            }
        }
        costs
    }
}

/// True if a field sets how many tokens of the roller's pool a check in code may spend.
fn has_set_amount(pool: Id, fields: &Fields) -> bool {
    fields
        .iter()
        .any(|(field, value)| field.spends == Some(pool) && positive_number(value).is_some())
}

fn positive_number(value: Option<&Value>) -> Option<i32> {
    value?.number().filter(|number| *number > 0)
}

/// Returns the party whose pool pays for a field. `None` for a helper of the opponent, since no effect takes their tokens.
const fn party_of(whose: Whose) -> Option<Party> {
    match whose {
        Whose::Own => Some(Party::Roller),
        Whose::Opponent => Some(Party::Opponent),
        Whose::Helper => Some(Party::Helpers),
        Whose::OpponentHelper => None,
    }
}

/// Adds the tokens of a claim to an earlier claim on the same pool.
fn add_claim(claims: &mut Vec<TokenClaim>, claim: TokenClaim) {
    match claims.iter_mut().find(|other| other.has_same_pool(&claim)) {
        Some(earlier) => earlier.most += claim.most,
        None => claims.push(claim),
    }
}

/// Raises an earlier claim on the same pool to the tokens of this claim.
fn extend_claim(claims: &mut Vec<TokenClaim>, claim: TokenClaim) {
    match claims.iter_mut().find(|other| other.has_same_pool(&claim)) {
        Some(earlier) => earlier.most = earlier.most.max(claim.most),
        None => claims.push(claim),
    }
}
