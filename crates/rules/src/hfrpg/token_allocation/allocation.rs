//! Allocations of tokens to dice: the number of tokens on each die, in rolled order.

use std::collections::BTreeMap;

use super::super::exploding::{Explosion, read};
use super::Tokens;
use crate::words::join;
use tableside_dice::Face;

/// One concrete allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Allocation {
    /// What it comes to.
    pub rank: u32,
    /// The tokens on each die, in rolled order.
    pub tokens: Vec<u8>,
}

impl Allocation {
    /// As `--choose` takes it: `0,2,1`.
    pub(crate) fn name(&self) -> String {
        join(&self.tokens, ",")
    }

    /// How many tokens it takes.
    pub(crate) fn spent(&self) -> i32 {
        self.tokens.iter().copied().map(i32::from).sum()
    }
}

/// The tokens that a name like `0,2,1` puts on each die.
pub(crate) fn parse(name: &str) -> Option<Vec<u8>> {
    let numbers = name.split(',');
    numbers.map(|number| number.trim().parse().ok()).collect()
}

impl Tokens {
    /// The faces with these tokens on them, in rolled order; nothing if the rules do not allow it.
    pub(crate) fn place(self, faces: &[Face], tokens: &[u8], top: Face) -> Option<Vec<Face>> {
        let spent: i32 = tokens.iter().copied().map(i32::from).sum();
        let allowed = match self {
            Self::Bonus(count) => spent <= i32::from(count),
            Self::Penalty(_) => spent == self.owed(faces),
        };
        if !allowed || tokens.len() != faces.len() {
            return None;
        }
        let moved = |(&face, &tokens): (&Face, &u8)| {
            let value = match self {
                Self::Bonus(_) => face.checked_add(tokens.into())?,
                Self::Penalty(_) => face.checked_sub(tokens.into())?,
            };
            (1..=top).contains(&value).then_some(value)
        };
        faces.iter().zip(tokens).map(moved).collect()
    }

    /// One allocation for each result that these faces, in rolled order, can be brought to, the best
    /// result first: the one with the fewest tokens, and of those the one with most on the earliest
    /// dice.
    pub(crate) fn allocations(
        self,
        explosion: Explosion,
        rolled: &[Face],
        top: Face,
    ) -> Vec<Allocation> {
        let mut faces = rolled.to_vec();
        faces.sort_unstable_by(|a, b| b.cmp(a));
        let (most, down) = match self {
            Self::Bonus(count) => (i32::from(count), false),
            Self::Penalty(_) => (self.owed(&faces), true),
        };
        // Every way, sorted from the highest die down, in which the faces can end, and its tokens.
        let mut ways = vec![(Vec::new(), 0)];
        for &face in &faces {
            let longer = ways.into_iter().flat_map(|(values, spent)| {
                let before = values.last().copied().unwrap_or(top);
                let range = if down {
                    1..=face.min(before)
                } else {
                    face..=before
                };
                range.filter_map(move |value| {
                    let spent = spent + i32::from(value.abs_diff(face));
                    (spent <= most).then(|| ([&values, [value].as_slice()].concat(), spent))
                })
            });
            ways = longer.collect();
        }
        let mut found: BTreeMap<u32, Allocation> = BTreeMap::new();
        for (values, spent) in ways {
            let rank = read(explosion, &values, top).rank(top);
            let known = found.get(&rank);
            let is_dear = known.is_some_and(|known| known.spent() < spent);
            if is_dear || down && spent < most {
                continue;
            }
            let tokens = deal(rolled, &values, down);
            if known.is_none_or(|known| known.spent() > spent || known.tokens < tokens) {
                found.insert(rank, Allocation { rank, tokens });
            }
        }
        found.into_values().rev().collect()
    }
}

impl Tokens {
    /// The most allocations that one message lists.
    const MOST_LISTED: usize = 40;

    /// Every allocation that [`Self::place`] accepts, those with the most tokens on the first dice first. `None` if there
    /// are more than a message can list.
    pub(crate) fn all_allocations(self, faces: &[Face], top: Face) -> Option<Vec<Vec<u8>>> {
        let most = match self {
            Self::Bonus(count) => i32::from(count),
            Self::Penalty(_) => self.owed(faces),
        };

        let mut allocations: Vec<Vec<u8>> = vec![Vec::new()];
        for &face in faces {
            let room = match self {
                Self::Bonus(_) => top - face,
                Self::Penalty(_) => face - 1,
            };
            let mut longer = Vec::new();
            for allocation in &allocations {
                let spent: i32 = allocation.iter().copied().map(i32::from).sum();
                let left = (most - spent).min(i32::from(room));
                for tokens in (0..=left).rev() {
                    let mut next = allocation.clone();
                    next.push(u8::try_from(tokens).ok()?);
                    longer.push(next);
                }
            }
            if longer.len() > 1_000 {
                return None;
            }
            allocations = longer;
        }

        allocations.retain(|tokens| self.place(faces, tokens, top).is_some());
        if allocations.len() > Self::MOST_LISTED {
            return None;
        }
        Some(allocations)
    }
}

/// Gives the rolled dice these values, each to one die, so that the earliest dice have the most tokens.
fn deal(rolled: &[Face], values: &[Face], down: bool) -> Vec<u8> {
    let mut values = values.to_vec();
    // The values that take the most tokens stand first.
    values.sort_unstable_by(|a, b| if down { a.cmp(b) } else { b.cmp(a) });
    let reaches = |face: Face, value: Face| {
        if down { value <= face } else { value >= face }
    };
    let mut tokens = Vec::with_capacity(rolled.len());
    for (index, &face) in rolled.iter().enumerate() {
        let mut rest = rolled[index + 1..].to_vec();
        rest.sort_unstable_by(|a, b| if down { a.cmp(b) } else { b.cmp(a) });
        let leaves_enough = |&at: &usize| {
            let others = values.iter().enumerate().filter(|(other, _)| *other != at);
            let mut pairs = rest.iter().zip(others);
            reaches(face, values[at]) && pairs.all(|(&face, (_, &value))| reaches(face, value))
        };
        let Some(at) = (0..values.len()).find(leaves_enough) else {
            return Vec::new();
        };
        tokens.push(u8::try_from(values.remove(at).abs_diff(face)).unwrap_or(u8::MAX));
    }
    tokens
}
