//! The question how to place tokens: its options, the answers that it accepts, and its default.

use super::Acs;
use super::thresholds::{CRITICAL_SUCCESS, threshold_of};
use crate::hfrpg::exploding::PoolResult;
use crate::hfrpg::token_allocation::{Allocation, ReachableResults, Tokens, parse_placing};
use crate::{ChoiceId, Choices, OutcomeId, Picked};
use tableside_dice::Face;
use tableside_text::{join, pluralise};

/// What a result of the pool can still lead to when its exploding dice are rolled again. Bonus tokens are wasted on a
/// result if a cheaper one has the same prospects.
#[derive(PartialEq, Eq)]
enum Prospects {
    /// The outcome is certain, whatever the exploding dice show.
    Certain {
        outcome: OutcomeId,
        /// True if the roll ends with a single die that shows 1, which gives a penalty token.
        is_single_one: bool,
    },
    /// The exploding dice of this result decide the outcome.
    Open(ChoiceId),
}

impl Acs {
    /// Returns the question how to place the tokens, with an option for each reachable result, the best first.
    ///
    /// If the rolled faces are known, each option is named by the cheapest placing for its result, such as `0,2,1`. The
    /// computation of odds does not record faces and names each option by its result.
    pub(super) fn placings(&self, reachable: ReachableResults, rolled: &[Face]) -> Choices {
        let allocations = if rolled.is_empty() {
            Vec::new()
        } else {
            self.cheapest_allocations(rolled)
        };

        let mut options = Vec::new();
        for rank in reachable.ranks() {
            let result = PoolResult::from_rank(rank, self.maximum());
            options.push(match find_by_rank(&allocations, rank) {
                Some(allocation) => Picked {
                    id: ChoiceId(rank),
                    name: allocation.name(),
                    label: self.option_label(result, allocation.spent()),
                    cost: self.option_cost(allocation.spent()),
                },
                None => Picked {
                    id: ChoiceId(rank),
                    name: result_name(result, self.maximum()),
                    label: String::new(),
                    cost: String::new(),
                },
            });
        }

        let default = match self.tokens {
            Tokens::Bonus(_) if self.spends_by_default => {
                self.default_bonus_option(&options, &allocations)
            }
            Tokens::Bonus(_) | Tokens::Penalty(_) => options.len() - 1,
        };
        Choices {
            choice: "placing",
            ask: String::new(),
            options,
            default,
        }
    }

    /// Returns the label of an option. Penalty tokens and the lack of bonus tokens are a part of it, because they are no
    /// cost for the deciding side.
    fn option_label(&self, result: PoolResult, tokens: i32) -> String {
        let sum = result.sum(self.maximum());
        let effect = match result.exploding {
            0 => format!("{sum} counts"),
            1 => format!("{sum} and 1 explosion"),
            exploding => format!("{sum} and {exploding} explosions"),
        };
        match (self.tokens, tokens) {
            (_, 0) => format!("{effect}, no token"),
            (Tokens::Penalty(_), _) => format!("{effect}, {}", pluralise(tokens, "token")),
            (Tokens::Bonus(_), _) => effect,
        }
    }

    /// Returns the cost of an option: the bonus tokens that it spends.
    fn option_cost(&self, tokens: i32) -> String {
        match (self.tokens, tokens) {
            (_, 0) | (Tokens::Penalty(_), _) => String::new(),
            (Tokens::Bonus(_), _) => pluralise(tokens, "token"),
        }
    }

    /// Returns the index of the cheapest option with the same prospects as the best option.
    fn default_bonus_option(&self, options: &[Picked], allocations: &[Allocation]) -> usize {
        let best_prospects = self.prospects(options[0].id);
        let mut cheapest = 0;
        let mut least_spent = None;

        for (place, option) in options.iter().enumerate() {
            if self.prospects(option.id) != best_prospects {
                continue;
            }
            let spent = find_by_rank(allocations, option.id.0).map_or(0, Allocation::spent);
            if least_spent.is_none_or(|least| spent < least) {
                cheapest = place;
                least_spent = Some(spent);
            }
        }
        cheapest
    }

    fn prospects(&self, option: ChoiceId) -> Prospects {
        let result = PoolResult::from_rank(option.0, self.maximum());
        let total = result.sum(self.maximum()) + self.modifiers();
        let outcome = threshold_of(total).outcome;

        if result.exploding > 0 && outcome != CRITICAL_SUCCESS {
            return Prospects::Open(option);
        }
        let shows_one = result.exploding == 0 && result.counted_face == 1;
        Prospects::Certain {
            outcome,
            is_single_one: self.attribute == 1 && shows_one,
        }
    }

    /// Returns the option with the same result as the placing in an answer.
    pub(super) fn parse_placing(
        &self,
        rolled: &[Face],
        choices: &Choices,
        answer: &str,
    ) -> Option<ChoiceId> {
        let tokens = parse_placing(answer)?;
        let faces = self.place_tokens(rolled, &tokens)?;
        let rank = self.read_unsorted(&faces).rank(self.maximum());
        choices
            .options
            .iter()
            .map(|option| option.id)
            .find(|id| *id == ChoiceId(rank))
    }

    /// Describes the accepted placings: all of them, unless they are too many for a message.
    pub(super) fn describe_placings(&self, rolled: &[Face], choices: &Choices) -> String {
        let Some(allocations) = self.tokens.all_allocations(rolled, self.maximum()) else {
            return format!(
                "the answers are the numbers of tokens on each of the {} dice, as in {}",
                rolled.len(),
                choices.fallback().name
            );
        };

        let names = allocations
            .iter()
            .map(|tokens| join(tokens, ","))
            .filter(|name| self.parse_placing(rolled, choices, name).is_some());
        let separator = if rolled.len() > 1 { "; " } else { ", " };
        let answers = join(names, separator);
        format!("the answers, as the number of tokens on each die, are {answers}")
    }
}

fn find_by_rank(allocations: &[Allocation], rank: u32) -> Option<&Allocation> {
    allocations
        .iter()
        .find(|allocation| allocation.rank == rank)
}

/// Names a result for an option without a placing. `16+1` stands for a sum of 16 and one explosion.
fn result_name(result: PoolResult, maximum: Face) -> String {
    match result.exploding {
        0 => result.counted_face.to_string(),
        exploding => format!("{}+{exploding}", result.sum(maximum)),
    }
}
