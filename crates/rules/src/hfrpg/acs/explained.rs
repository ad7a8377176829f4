//! An ACS roll in words: what cancelled, what exploded, what counted, and the tokens that follow.

use super::{Acs, Tokens, parse, threshold_of};
use crate::hfrpg::exploding::{Base, Beside, Explosion, how_many, judge};
use crate::words::{capitalise, join};
use crate::{Effect, Explanation, Id, ShownDie, System, UsedTokens};
use tableside_dice::{DieRole, Face};

/// What bonus and penalty tokens are booked in.
const TOKENS: Id = Id::new("tokens");

impl Acs {
    /// Shows the pool, and says what the tokens did and what the dice come to.
    pub(super) fn explain_pool(&self, why: &mut Explanation) {
        let (pool, rolled) = why.rolls.last().cloned().expect("the pool has fallen");
        let faces = join(&rolled, ", ");
        why.say(format!("Rolled {}: {faces}.", pool.describe()));
        let values = self.values(&rolled, why);
        self.explain_tokens(&rolled, &values, why);
        let dice = pool.each_die().zip(rolled.iter().zip(&values));
        let dice = dice.zip(self.counting(&values));
        let dice = dice.map(|(((die, role), (&face, &value)), kept)| ShownDie {
            value: (value != face).then_some(value),
            ..ShownDie::new(die, role, face, kept)
        });
        why.dice.extend(dice);
        why.say(self.reason(&values, self.read(&values)));
    }

    /// The faces with the tokens on them, in rolled order.
    fn values(&self, rolled: &[Face], why: &Explanation) -> Vec<Face> {
        let chosen = why.chosen.as_ref().and_then(|(chosen, _)| parse(chosen));
        // Nobody is asked where all ways come to the same: bonuses stay in the pool, penalties do not.
        let tokens = chosen.or_else(|| match self.tokens {
            Tokens::Bonus(_) => None,
            Tokens::Penalty(_) => {
                let all = self.tokens.allocations(self.explosion, rolled, self.top());
                all.into_iter().next().map(|one| one.tokens)
            }
        });
        let values = tokens.and_then(|tokens| self.tokens.place(rolled, &tokens, self.top()));
        values.unwrap_or_else(|| rolled.to_vec())
    }

    /// Says what the tokens did, and books them.
    fn explain_tokens(&self, rolled: &[Face], values: &[Face], why: &mut Explanation) {
        let moved = || rolled.iter().zip(values).filter(|(from, to)| from != to);
        let used = moved().map(|(from, to)| i32::from(from.abs_diff(*to)));
        let used: i32 = used.sum();
        let changed = moved().map(|(from, to)| format!("the {from} becomes {to}"));
        let changed = join(changed, ", ");
        let words = |count| System::HFRPG.spec().tokens(TOKENS, count);
        let tokens = match self.tokens {
            Tokens::Bonus(_) => used,
            Tokens::Penalty(_) => -used,
        };
        why.used.push(UsedTokens {
            pool: TOKENS,
            tokens,
        });
        match self.tokens {
            Tokens::Bonus(count) if used > 0 => {
                let left = i32::from(count) - used;
                let kept = match left {
                    0 => String::new(),
                    1 => format!(" {} stays in the pool.", capitalise(&words(left))),
                    _ => format!(" {} stay in the pool.", capitalise(&words(left))),
                };
                why.say(format!("{} spent: {changed}.{kept}", words(used)));
                why.effects.push(Effect::tokens(TOKENS, -used));
            }
            Tokens::Bonus(1..) => why.say("No bonus token is spent."),
            Tokens::Penalty(_) if used == 0 => {
                why.say("Every die shows 1: the penalty tokens stay in the pool.");
            }
            Tokens::Penalty(count) => {
                why.say(format!("{} used: {changed}.", words(-used)));
                if used < i32::from(count) {
                    why.say("The other penalty tokens do not fit and stay in the pool.");
                }
                why.effects.push(Effect::tokens(TOKENS, used));
            }
            Tokens::Bonus(_) => {}
        }
    }

    /// Shows the further rolls, and says what all of it comes to.
    pub(super) fn explain_result(&self, dice: i32, why: &mut Explanation) {
        let further = why.rolls.iter().skip(1).map(|(_, faces)| faces);
        let chained: Vec<Face> = further.flatten().copied().collect();
        let shown = |&face: &Face| ShownDie::new(self.die, DieRole::CHAIN, face, true);
        why.dice.extend(chained.iter().map(shown));
        let top = self.top();
        for chain in chained.split_inclusive(|&face| face != top) {
            let faces = join(chain, ", then ");
            why.say(format!("The {top} rolled again: {faces}."));
        }
        let added = [
            ("Competency", self.competency),
            ("Specialisation", self.specialisation),
            ("group", self.group),
        ];
        why.sum(dice, &added);
        if (self.attribute, dice) == (1, 1) {
            why.say("A single die that shows 1 gives a penalty token.");
            why.effects.push(Effect::tokens(TOKENS, -1));
        }
        let total = dice + self.added();
        let row = threshold_of(total);
        let gained = match row.token {
            1 => ", and a bonus token",
            -1 => ", and a penalty token",
            _ => "",
        };
        let label = self.spec.outcome(row.outcome).label;
        why.say(format!("{total} is {}: {label}{gained}.", row.words));
        let tokens = Effect::tokens(TOKENS, row.token);
        why.effects.extend((row.token != 0).then_some(tokens));
    }

    /// Which dice count, in rolled order.
    fn counting(&self, values: &[Face]) -> Vec<bool> {
        let mut ranked: Vec<usize> = (0..values.len()).collect();
        ranked.sort_by(|&a, &b| values[b].cmp(&values[a]));
        let (exploding, beside) = self.judge(values);
        let mut kept = vec![false; values.len()];
        let beside = match beside {
            Beside::At(at) => Some(at),
            // A cancelled maximum; an exploding one that counts again is kept already.
            Beside::Top if values.contains(&1) => Some(exploding),
            Beside::Top | Beside::Nothing => None,
        };
        for place in (0..exploding).chain(beside) {
            if let Some(&index) = ranked.get(place) {
                kept[index] = true;
            }
        }
        kept
    }

    fn judge(&self, values: &[Face]) -> (usize, Beside) {
        let (tops, ones) = (how_many(values, self.top()), how_many(values, 1));
        judge(self.explosion, values.len(), tops, ones)
    }

    /// Why the pool comes to what it does.
    fn reason(&self, values: &[Face], base: Base) -> String {
        let top = self.top();
        let (tops, ones) = (how_many(values, top), how_many(values, 1));
        let cancelled = tops.min(ones);
        let cancels = (cancelled > 0).then(|| {
            let high = some(cancelled, tops, &top.to_string());
            let low = some(cancelled, ones, "1");
            format!("{high} and {low} cancel each other")
        });
        let beside = base.beside;
        let end = if ones > tops {
            why_imploding(values, ones - tops, beside)
        } else if tops > ones {
            let explode = match (cancelled, tops - ones) {
                (0, 1) => format!("the {top} explodes"),
                (_, 1) => format!("one {top} explodes"),
                (_, number) => format!("{} {top}s explode", words(number)),
            };
            let mut parts = vec![top.to_string(); tops - ones];
            let how = match (self.explosion, cancelled) {
                _ if beside == 0 => "",
                (Explosion::Twice, 0) => " on top of the highest die",
                (Explosion::Apart, 0) => " on top of the best other die",
                (Explosion::Once | Explosion::Apart | Explosion::Twice, _) => "",
            };
            if beside > 0 {
                parts.insert(0, beside.to_string());
            }
            format!("{explode}{how}: {}", parts.join(" + "))
        } else if cancelled > 0 {
            format!("the {top} does not explode but still counts")
        } else {
            format!("the highest counts: {beside}")
        };
        let cancels = cancels.map(|cancels| format!("{cancels}; "));
        capitalise(&format!("{}{end}.", cancels.unwrap_or_default()))
    }
}

fn why_imploding(values: &[Face], imploding: usize, left: Face) -> String {
    if values.len() == 1 {
        return "the single die shows 1".to_owned();
    }
    let mut faces = values.to_vec();
    faces.sort_unstable_by(|a, b| b.cmp(a));
    let removed = join(&faces[..imploding.min(values.len() - 1)], " and ");
    let implode = match imploding {
        1 => "one 1 implodes and removes".to_owned(),
        _ => format!("{} 1s implode and remove", words(imploding)),
    };
    let alone = if imploding >= values.len() {
        " (one die is always left)"
    } else {
        ""
    };
    format!("{implode} {removed}{alone}; the highest left counts: {left}")
}

/// `one 4` of several, `the 4` where there is no other, `two 4s`.
fn some(number: usize, of: usize, face: &str) -> String {
    match (number, of) {
        (1, 1) => format!("the {face}"),
        (1, _) => format!("one {face}"),
        _ => format!("{} {face}s", words(number)),
    }
}

/// A small number in words.
fn words(number: usize) -> &'static str {
    const WORDS: [&str; 9] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight",
    ];
    WORDS.get(number).copied().unwrap_or("many")
}
