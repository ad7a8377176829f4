//! HFRPG, as its page puts it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::fall::{Counted, Share, count};
use super::{End, Given, every_setting_agrees};

/// What a pool comes to: a number, and how many chains are still to be rolled.
type Base = (i32, u32);

/// Reads a pool after tokens, by the page's own procedure (R1) or one of the other two readings.
fn read(faces: &[i32], top: i32, given: &Given) -> Base {
    let mut sorted = faces.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let count = |face| sorted.iter().filter(|&&other| other == face).count();
    let (ones, tops) = (count(1), count(top));
    let cancelled = ones.min(tops);
    if ones > cancelled {
        let removed = (ones - cancelled).min(sorted.len() - 1);
        return (sorted[removed], 0);
    }
    let exploding = tops - cancelled;
    if exploding == 0 {
        return (sorted.first().copied().unwrap_or(0), 0);
    }
    let all = i32::try_from(exploding).unwrap() * top;
    let chains = u32::try_from(exploding).unwrap();
    let base = match given.text("rule:explosion") {
        // The highest die, itself exploding or not, and the exploding dice once more.
        "twice" => top + all,
        // A cancelled maximum is the highest die, and every exploding one comes on top of it.
        _ if cancelled > 0 => top + all,
        "apart" => sorted.get(exploding).copied().unwrap_or(0) + all,
        // One of the exploding dice is the highest.
        _ => all,
    };
    (base, chains)
}

/// How good a base is: its chance of a Critical Success, then its expected total.
struct Judge {
    top: i32,
    added: i32,
    known: RefCell<BTreeMap<(i32, u32, u32), u128>>,
}

impl Judge {
    /// The falls that reach 16, of so many further rolls.
    fn reaching(&self, total: i32, chains: u32, rolls: u32) -> u128 {
        if total >= 16 {
            return u128::from(self.top.unsigned_abs()).pow(rolls);
        }
        if chains == 0 || rolls == 0 {
            return 0;
        }
        if let Some(&known) = self.known.borrow().get(&(total, chains, rolls)) {
            return known;
        }
        let ways = (1..=self.top)
            .map(|face| {
                let chains = if face == self.top { chains } else { chains - 1 };
                self.reaching(total + face, chains, rolls - 1)
            })
            .sum();
        self.known.borrow_mut().insert((total, chains, rolls), ways);
        ways
    }

    fn worth(&self, (base, chains): Base) -> (u128, i32) {
        // A chain's mean is (top + 1) / 2 · top / (top − 1).
        let mean = base * 2 * (self.top - 1) + chains.cast_signed() * self.top * (self.top + 1);
        (self.reaching(base + self.added, chains, 16), mean)
    }
}

/// Every way to move these faces by that many tokens, each step of one within 1 and the maximum.
fn placings(faces: &[i32], tokens: i32, step: i32, top: i32) -> Vec<(Vec<i32>, i32)> {
    let Some((first, others)) = faces.split_first() else {
        return vec![(Vec::new(), 0)];
    };
    let mut all = Vec::new();
    for used in 0..=tokens {
        let face = first + used * step;
        if !(1..=top).contains(&face) {
            break;
        }
        for (mut rest, more) in placings(others, tokens - used, step, top) {
            rest.insert(0, face);
            all.push((rest, used + more));
        }
    }
    all
}

fn acs(given: &Given) -> Counted<End> {
    let end = |outcome| End {
        outcome,
        success: ["critical-success", "clean-success", "scraped-by"].contains(&outcome),
        total: None,
    };
    let top = match given.text("difficulty") {
        "certain" => return [(end("clean-success"), Share::new(1, 1))].into(),
        "impossible" => return [(end("clean-failure"), Share::new(1, 1))].into(),
        "very-easy" => 12,
        "easy" => 10,
        "hard" => 6,
        "very-hard" => 4,
        _ => 8,
    };
    let attribute = given.number("attribute");
    if attribute == 0 && given.text("rule:attribute-zero") == "failure" {
        return [(end("clean-failure"), Share::new(1, 1))].into();
    }
    let added = given.number("competency") + given.number("specialisation") + given.number("group");
    let judge = Judge {
        top,
        added,
        known: RefCell::default(),
    };
    let (bonus, penalty) = (given.number("bonus"), given.number("penalty"));
    let bases = count(|fall| {
        let faces: Vec<i32> = (0..attribute).map(|_| fall.die(top)).collect();
        let worth = |(placed, _): &(Vec<i32>, i32)| judge.worth(read(placed, top, given));
        let placed = if penalty > 0 {
            // All that fit must be used, and the GM places them.
            let fit = penalty.min(faces.iter().map(|face| face - 1).sum());
            let mut all = placings(&faces, penalty, -1, top);
            all.retain(|(_, used)| *used == fit);
            all.into_iter().min_by_key(worth)
        } else {
            placings(&faces, bonus, 1, top)
                .into_iter()
                .max_by_key(worth)
        };
        read(&placed.unwrap().0, top, given)
    });
    let mut ends: Counted<End> = BTreeMap::new();
    for ((base, chains), share) in bases {
        let chained = count(|fall| {
            let (mut total, mut chains) = (base + added, chains);
            while chains > 0 && total < 16 {
                let face = fall.die(top);
                total += face;
                if face < top {
                    chains -= 1;
                }
            }
            end(match total {
                16.. => "critical-success",
                13.. => "clean-success",
                10.. => "scraped-by",
                7.. => "almost-there",
                4.. => "clean-failure",
                _ => "critical-failure",
            })
        });
        for (end, more) in chained {
            let sum = ends.entry(end).or_insert(Share::NONE);
            *sum = sum.plus(share.times(more));
        }
    }
    ends
}

#[test]
fn acs_rolls_have_the_odds_of_their_faces() {
    every_setting_agrees("hfrpg acs", acs);
}

#[test]
fn acs_rolls_with_bonus_tokens_have_the_odds_of_their_faces() {
    every_setting_agrees("hfrpg acs with bonus tokens", acs);
}

#[test]
fn acs_rolls_with_penalty_tokens_have_the_odds_of_their_faces() {
    every_setting_agrees("hfrpg acs with penalty tokens", acs);
}
