//! The explanation of an ACS roll: the tokens, the dice that cancel, implode, explode and count, and the gained tokens.

use super::thresholds::threshold_of;
use super::{Acs, Tokens};
use crate::die_roles;
use crate::hfrpg::exploding::{
    CountedDie, ExplosionRule, PoolCounts, PoolResult, ResolvedPool, count_face,
};
use crate::hfrpg::token_allocation::parse_placing;
use crate::words::{capitalise, join};
use crate::{Effect, Explanation, Id, ShownDie, System, UsedTokens};
use tableside_dice::Face;

/// The pool of bonus and penalty tokens.
const TOKENS: Id = Id::new("tokens");

/// A die whose face tokens changed.
struct ChangedDie {
    from: Face,
    to: Face,
}

impl Acs {
    /// Adds the dice of the pool to the explanation, with sentences about the tokens and the result.
    pub(super) fn explain_pool(&self, why: &mut Explanation) {
        let (pool, rolled) = why.rolls.last().cloned().expect("the pool was rolled");
        let rolled_faces = join(&rolled, ", ");
        why.say(format!("Rolled {}: {rolled_faces}.", pool.describe()));

        let faces = self.faces_with_tokens(&rolled, why);
        self.explain_tokens(&rolled, &faces, why);

        let counted = self.counted_dice(&faces);
        for (index, (die, role)) in pool.each_die().enumerate() {
            let mut shown_die = ShownDie::new(die, role, rolled[index], counted[index]);
            if faces[index] != rolled[index] {
                shown_die.value = Some(faces[index]);
            }
            why.dice.push(shown_die);
        }

        why.say(self.explain_pool_result(&faces));
    }

    /// Returns the faces with the tokens placed on them, in rolled order.
    fn faces_with_tokens(&self, rolled: &[Face], why: &Explanation) -> Vec<Face> {
        let chosen = why
            .chosen
            .as_ref()
            .and_then(|(answer, _)| parse_placing(answer));
        // If the check asked no question, all placings have the same result. Bonus tokens then stay in the pool, and
        // penalty tokens are placed.
        let tokens = chosen.or_else(|| match self.tokens {
            Tokens::Bonus(_) => None,
            Tokens::Penalty(_) => {
                let allocations = self.cheapest_allocations(rolled);
                let best = allocations.into_iter().next()?;
                Some(best.tokens)
            }
        });

        tokens
            .and_then(|tokens| self.place_tokens(rolled, &tokens))
            .unwrap_or_else(|| rolled.to_vec())
    }

    /// Adds a sentence about the placed tokens, and records them as used.
    fn explain_tokens(&self, rolled: &[Face], faces: &[Face], why: &mut Explanation) {
        let changed_dice: Vec<ChangedDie> = rolled
            .iter()
            .zip(faces)
            .filter(|(from, to)| from != to)
            .map(|(&from, &to)| ChangedDie { from, to })
            .collect();
        let changes = join(
            changed_dice
                .iter()
                .map(|die| format!("the {} becomes {}", die.from, die.to)),
            ", ",
        );
        let placed: i32 = changed_dice
            .iter()
            .map(|die| i32::from(die.from.abs_diff(die.to)))
            .sum();

        why.used.push(UsedTokens {
            pool: TOKENS,
            tokens: match self.tokens {
                Tokens::Bonus(_) => placed,
                Tokens::Penalty(_) => -placed,
            },
        });
        match self.tokens {
            Tokens::Bonus(available) => {
                explain_bonus_tokens(available.into(), placed, &changes, why);
            }
            Tokens::Penalty(available) => {
                explain_penalty_tokens(available.into(), placed, &changes, why);
            }
        }
    }

    /// Adds the further rolls to the explanation, with sentences about the total, the outcome and the gained tokens.
    /// `dice_sum` is the sum of all dice.
    pub(super) fn explain_result(&self, dice_sum: i32, why: &mut Explanation) {
        self.explain_further_rolls(why);

        let modifiers = [
            ("Competency", self.competency),
            ("Specialisation", self.specialisation),
            ("group", self.group),
        ];
        why.sum(dice_sum, &modifiers);

        if self.attribute == 1 && dice_sum == 1 {
            why.say("A single die that shows 1 gives a penalty token.");
            why.effects.push(Effect::tokens(TOKENS, -1));
        }

        let total = dice_sum + self.modifiers();
        let threshold = threshold_of(total);
        let gained_token = match threshold.token {
            1 => ", and a bonus token",
            -1 => ", and a penalty token",
            _ => "",
        };
        let label = self.spec.outcome(threshold.outcome).label;
        why.say(format!(
            "{total} is {}: {label}{gained_token}.",
            threshold.range
        ));
        if threshold.token != 0 {
            why.effects.push(Effect::tokens(TOKENS, threshold.token));
        }
    }

    /// Adds the further rolls of exploding dice to the explanation, with a sentence for each exploding die.
    fn explain_further_rolls(&self, why: &mut Explanation) {
        let maximum = self.maximum();
        let further_faces: Vec<Face> = why
            .rolls
            .iter()
            .skip(1)
            .flat_map(|(_, faces)| faces)
            .copied()
            .collect();

        for &face in &further_faces {
            let die = ShownDie::new(self.die, die_roles::CHAIN, face, true);
            why.dice.push(die);
        }
        // A face below the maximum ends the rolls of one exploding die.
        for rolls_of_die in further_faces.split_inclusive(|&face| face != maximum) {
            let faces = join(rolls_of_die, ", then ");
            why.say(format!("The {maximum} rolled again: {faces}."));
        }
    }

    /// Returns for each die, in rolled order, whether it counts.
    fn counted_dice(&self, faces: &[Face]) -> Vec<bool> {
        let mut descending: Vec<usize> = (0..faces.len()).collect();
        descending.sort_by(|&a, &b| faces[b].cmp(&faces[a]));

        let ResolvedPool { exploding, counted } = self.explosion.resolve(self.count_dice(faces));
        let counted_rank = match counted {
            CountedDie::Ranked(rank) => Some(rank),
            // In descending order, the first maximum after the exploding dice is a cancelled one.
            CountedDie::Maximum if faces.contains(&1) => Some(exploding),
            // An exploding die that counts twice is already among the exploding dice.
            CountedDie::Maximum | CountedDie::None => None,
        };

        let mut is_counted = vec![false; faces.len()];
        for rank in (0..exploding).chain(counted_rank) {
            if let Some(&index) = descending.get(rank) {
                is_counted[index] = true;
            }
        }
        is_counted
    }

    fn count_dice(&self, faces: &[Face]) -> PoolCounts {
        PoolCounts {
            dice: faces.len(),
            maximums: count_face(faces, self.maximum()),
            ones: count_face(faces, 1),
        }
    }

    /// Explains how the faces, with tokens, lead to the result of the pool.
    fn explain_pool_result(&self, faces: &[Face]) -> String {
        let maximum = self.maximum();
        let PoolCounts { maximums, ones, .. } = self.count_dice(faces);
        let result = self.read_unsorted(faces);
        let cancelled = maximums.min(ones);

        let explanation = if ones > maximums {
            explain_implosion(faces, ones - maximums, result.counted_face)
        } else if maximums > ones {
            self.explain_explosion(maximums - ones, cancelled, result)
        } else if cancelled == 1 {
            format!("the {maximum} does not explode but still counts")
        } else if cancelled > 1 {
            format!("no {maximum} explodes, but one still counts")
        } else {
            format!("the highest counts: {}", result.counted_face)
        };

        if cancelled == 0 {
            return capitalise(&format!("{explanation}."));
        }
        let cancelled_maximums = name_dice(cancelled, maximums, maximum);
        let cancelled_ones = name_dice(cancelled, ones, 1);
        capitalise(&format!(
            "{cancelled_maximums} and {cancelled_ones} cancel each other; {explanation}."
        ))
    }

    fn explain_explosion(&self, exploding: usize, cancelled: usize, result: PoolResult) -> String {
        let maximum = self.maximum();
        let explode = match (cancelled, exploding) {
            (0, 1) => format!("the {maximum} explodes"),
            (_, 1) => format!("one {maximum} explodes"),
            _ => format!("{} {maximum}s explode", number_in_words(exploding)),
        };

        let mut terms = vec![maximum; exploding];
        let mut counted_die = "";
        if result.counted_face > 0 {
            terms.insert(0, result.counted_face);
            counted_die = match (self.explosion, cancelled) {
                (ExplosionRule::Twice, 0) => " on top of the highest die",
                (ExplosionRule::Apart, 0) => " on top of the best other die",
                _ => "",
            };
        }
        format!("{explode}{counted_die}: {}", join(terms, " + "))
    }
}

fn explain_bonus_tokens(available: i32, placed: i32, changes: &str, why: &mut Explanation) {
    if available == 0 {
        return;
    }
    if placed == 0 {
        why.say("No bonus token is spent.");
        return;
    }

    let remaining = available - placed;
    let kept = match remaining {
        0 => String::new(),
        1 => format!(
            " {} stays in the pool.",
            capitalise(&name_tokens(remaining))
        ),
        _ => format!(" {} stay in the pool.", capitalise(&name_tokens(remaining))),
    };
    why.say(format!("{} spent: {changes}.{kept}", name_tokens(placed)));
    why.effects.push(Effect::tokens(TOKENS, -placed));
}

fn explain_penalty_tokens(available: i32, placed: i32, changes: &str, why: &mut Explanation) {
    if placed == 0 {
        why.say("Every die shows 1: the penalty tokens stay in the pool.");
        return;
    }

    why.say(format!("{} used: {changes}.", name_tokens(-placed)));
    if placed < available {
        why.say("The other penalty tokens do not fit and stay in the pool.");
    }
    why.effects.push(Effect::tokens(TOKENS, placed));
}

fn explain_implosion(faces: &[Face], imploding: usize, counted_face: Face) -> String {
    if faces.len() == 1 {
        return "the single die shows 1".to_owned();
    }

    let mut descending = faces.to_vec();
    descending.sort_unstable_by(|a, b| b.cmp(a));
    let removed = join(&descending[..imploding.min(faces.len() - 1)], " and ");

    let implode = match imploding {
        1 => "one 1 implodes and removes".to_owned(),
        _ => format!("{} 1s implode and remove", number_in_words(imploding)),
    };
    let limit = if imploding >= faces.len() {
        " (one die is always left)"
    } else {
        ""
    };
    format!("{implode} {removed}{limit}; the highest left counts: {counted_face}")
}

/// Returns a number of tokens in the words of the system. A negative number stands for penalty tokens.
fn name_tokens(count: i32) -> String {
    System::HFRPG.spec().tokens(TOKENS, count)
}

/// Names `count` of the `all` dice that show a face: `the 4` if only one die shows it, else `one 4` or `two 4s`.
fn name_dice(count: usize, all: usize, face: Face) -> String {
    match (count, all) {
        (1, 1) => format!("the {face}"),
        (1, _) => format!("one {face}"),
        _ => format!("{} {face}s", number_in_words(count)),
    }
}

fn number_in_words(number: usize) -> &'static str {
    const WORDS: [&str; 9] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight",
    ];
    WORDS.get(number).copied().unwrap_or("many")
}
