//! Allocations of tokens to dice: the number of tokens on each die, in rolled order.

use std::collections::BTreeMap;

use super::super::exploding::{Explosion, read};
use super::{MOST_DICE, Tokens};
use crate::dice::Face;
use crate::rules::words::joined;

/// One concrete allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::rules::hfrpg) struct Allocation {
    /// What it comes to.
    pub(in crate::rules::hfrpg) rank: u32,
    /// The tokens on each die, in rolled order.
    pub(in crate::rules::hfrpg) tokens: Vec<u8>,
}

impl Allocation {
    /// As `--choose` takes it: `0,2,1`.
    pub(in crate::rules::hfrpg) fn name(&self) -> String {
        joined(&self.tokens, ",")
    }

    /// How many tokens it takes.
    pub(in crate::rules::hfrpg) fn spent(&self) -> i32 {
        self.tokens.iter().copied().map(i32::from).sum()
    }
}

/// The tokens that a name like `0,2,1` puts on each die.
pub(in crate::rules::hfrpg) fn parse(name: &str) -> Option<Vec<u8>> {
    name.split(',')
        .map(|number| number.trim().parse().ok())
        .collect()
}

impl Tokens {
    /// The faces with these tokens on them, in rolled order; nothing if the rules do not allow it.
    pub(in crate::rules::hfrpg) fn place(
        self,
        faces: &[Face],
        tokens: &[u8],
        top: Face,
    ) -> Option<Vec<Face>> {
        let spent: i32 = tokens.iter().copied().map(i32::from).sum();
        let allowed = match self {
            Self::None => spent == 0,
            Self::Bonus(count) => spent <= i32::from(count),
            Self::Penalty(_) => spent == self.owed(faces),
        };
        if !allowed || tokens.len() != faces.len() {
            return None;
        }
        let moved = |(&face, &tokens): (&Face, &u8)| {
            let value = match self {
                Self::None | Self::Bonus(_) => face.checked_add(tokens)?,
                Self::Penalty(_) => face.checked_sub(tokens)?,
            };
            (1..=top).contains(&value).then_some(value)
        };
        faces.iter().zip(tokens).map(moved).collect()
    }

    /// One allocation for each result that these faces, in rolled order, can be brought to, the best
    /// result first: the one with the fewest tokens, and of those the one with most on the earliest
    /// dice.
    pub(in crate::rules::hfrpg) fn allocations(
        self,
        explosion: Explosion,
        rolled: &[Face],
        top: Face,
    ) -> Vec<Allocation> {
        let mut faces = rolled.to_vec();
        faces.sort_unstable_by(|a, b| b.cmp(a));
        let left = match self {
            Self::None => 0,
            Self::Bonus(count) => i32::from(count),
            Self::Penalty(_) => self.owed(&faces),
        };
        let mut search = Search {
            tokens: self,
            explosion,
            top,
            rolled,
            faces: &faces,
            values: [0; MOST_DICE],
            found: BTreeMap::new(),
        };
        search.go_on(0, left, 0);
        search.found.into_values().rev().collect()
    }
}

/// A walk through all ways, sorted from the highest die down, in which the faces can end.
struct Search<'a> {
    tokens: Tokens,
    explosion: Explosion,
    top: Face,
    rolled: &'a [Face],
    faces: &'a [Face],
    values: [Face; MOST_DICE],
    found: BTreeMap<u32, Allocation>,
}

impl Search<'_> {
    fn go_on(&mut self, at: usize, left: i32, spent: i32) {
        let Some(&face) = self.faces.get(at) else {
            if left == 0 || !matches!(self.tokens, Tokens::Penalty(_)) {
                self.arrive(spent);
            }
            return;
        };
        let before = at.checked_sub(1).map_or(self.top, |at| self.values[at]);
        let range = match self.tokens {
            Tokens::None => face..=face,
            Tokens::Bonus(_) => face..=before,
            Tokens::Penalty(_) => 1..=face.min(before),
        };
        for value in range {
            let step = i32::from(value.abs_diff(face));
            if step <= left {
                self.values[at] = value;
                self.go_on(at + 1, left - step, spent + step);
            }
        }
    }

    fn arrive(&mut self, spent: i32) {
        let values = &self.values[..self.faces.len()];
        let rank = read(self.explosion, values, self.top).rank(self.top);
        let known = self.found.get(&rank);
        if known.is_some_and(|known| known.spent() < spent) {
            return;
        }
        let tokens = deal(
            self.rolled,
            values,
            matches!(self.tokens, Tokens::Penalty(_)),
        );
        let better = known.is_none_or(|known| known.spent() > spent || known.tokens < tokens);
        if better {
            self.found.insert(rank, Allocation { rank, tokens });
        }
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
            let pairs = rest.iter().zip(others);
            reaches(face, values[at])
                && pairs
                    .into_iter()
                    .all(|(&face, (_, &value))| reaches(face, value))
        };
        let Some(at) = (0..values.len()).find(leaves_enough) else {
            return Vec::new();
        };
        tokens.push(values.remove(at).abs_diff(face));
    }
    tokens
}
