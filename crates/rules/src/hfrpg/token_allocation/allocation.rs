//! Placing of tokens on dice (HFRPG, Bonuses & Penalties): the number of tokens on each die, in rolled order.

use std::collections::BTreeMap;

use super::super::exploding::ExplosionRule;
use super::Tokens;
use crate::words::join;
use tableside_dice::Face;

/// The most placings that a message lists.
const MAX_LISTED: usize = 40;

/// The most placings that are generated for a message, before those that place a wrong number of tokens are removed.
const MAX_CANDIDATES: usize = 1_000;

/// A placing of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Allocation {
    /// The rank of the pool's result with these tokens.
    pub rank: u32,
    /// The tokens on each die, in rolled order.
    pub tokens: Vec<u8>,
}

/// Faces that tokens can change the rolled faces to, in descending order.
struct ChangedFaces {
    faces: Vec<Face>,
    spent: i32,
}

impl Allocation {
    /// Returns the placing as it is typed after `--choose`: `0,2,1`.
    pub(crate) fn name(&self) -> String {
        join(&self.tokens, ",")
    }

    /// Returns the number of tokens that are placed.
    pub(crate) fn spent(&self) -> i32 {
        total(&self.tokens)
    }

    /// True if this placing has fewer tokens, or equally many tokens and more of them on the earliest dice.
    fn is_better_than(&self, other: &Self) -> bool {
        let spent = self.spent();
        let other_spent = other.spent();
        spent < other_spent || spent == other_spent && self.tokens > other.tokens
    }
}

/// Parses a placing such as `0,2,1`.
pub(crate) fn parse_placing(text: &str) -> Option<Vec<u8>> {
    text.split(',')
        .map(|number| number.trim().parse().ok())
        .collect()
}

/// Returns the number of tokens of a placing.
pub(crate) fn total(tokens: &[u8]) -> i32 {
    tokens.iter().copied().map(i32::from).sum()
}

impl Tokens {
    /// Returns the faces with these tokens placed on them, in rolled order; `None` if the rules forbid it.
    pub(crate) fn place(self, rolled: &[Face], tokens: &[u8], maximum: Face) -> Option<Vec<Face>> {
        let spent = total(tokens);
        let may_spend = match self {
            Self::Bonus(available) => spent <= i32::from(available),
            Self::Penalty(_) => spent == self.owed(rolled),
        };
        if !may_spend || tokens.len() != rolled.len() {
            return None;
        }

        let mut changed_faces = Vec::new();
        for (&face, &count) in rolled.iter().zip(tokens) {
            let changed = match self {
                Self::Bonus(_) => face.checked_add(count.into())?,
                Self::Penalty(_) => face.checked_sub(count.into())?,
            };
            if !(1..=maximum).contains(&changed) {
                return None;
            }
            changed_faces.push(changed);
        }
        Some(changed_faces)
    }

    /// Returns one placing for each result that the rolled faces can be changed to, the best result first.
    ///
    /// Of all placings with the same result, it returns the one with the fewest tokens. If several have equally few, it
    /// returns the one with the most tokens on the earliest dice.
    pub(crate) fn cheapest_allocations(
        self,
        explosion: ExplosionRule,
        rolled: &[Face],
        maximum: Face,
    ) -> Vec<Allocation> {
        let mut best_by_rank: BTreeMap<u32, Allocation> = BTreeMap::new();

        for changed in self.changed_faces(rolled, maximum) {
            if self.is_penalty() && changed.spent < self.most_spent(rolled) {
                continue;
            }

            let rank = explosion.read_pool(&changed.faces, maximum).rank(maximum);
            let best = best_by_rank.get(&rank);
            if best.is_some_and(|best| best.spent() < changed.spent) {
                continue;
            }
            let tokens = self.assign_to_dice(rolled, &changed.faces);
            let allocation = Allocation { rank, tokens };
            if best.is_none_or(|best| allocation.is_better_than(best)) {
                best_by_rank.insert(rank, allocation);
            }
        }
        best_by_rank.into_values().rev().collect()
    }

    /// Returns all placings that [`Self::place`] accepts, those with the most tokens on the first dice first. `None` if
    /// there are more than a message can list.
    pub(crate) fn all_allocations(self, rolled: &[Face], maximum: Face) -> Option<Vec<Vec<u8>>> {
        let most_spent = self.most_spent(rolled);

        let mut allocations: Vec<Vec<u8>> = vec![Vec::new()];
        for &face in rolled {
            let most_on_die = match self {
                Self::Bonus(_) => maximum - face,
                Self::Penalty(_) => face - 1,
            };

            let mut extended = Vec::new();
            for allocation in &allocations {
                let available = most_spent - total(allocation);
                for tokens in (0..=available.min(most_on_die.into())).rev() {
                    let mut longer = allocation.clone();
                    longer.push(u8::try_from(tokens).ok()?);
                    extended.push(longer);
                }
            }
            if extended.len() > MAX_CANDIDATES {
                return None;
            }
            allocations = extended;
        }

        allocations.retain(|tokens| self.place(rolled, tokens, maximum).is_some());
        if allocations.len() > MAX_LISTED {
            return None;
        }
        Some(allocations)
    }

    fn is_penalty(self) -> bool {
        matches!(self, Self::Penalty(_))
    }

    /// Returns the most tokens that may be placed on these faces.
    fn most_spent(self, rolled: &[Face]) -> i32 {
        match self {
            Self::Bonus(available) => available.into(),
            Self::Penalty(_) => self.owed(rolled),
        }
    }

    /// Returns every set of faces that some or all of the tokens can change these dice to, each set once.
    fn changed_faces(self, rolled: &[Face], maximum: Face) -> Vec<ChangedFaces> {
        let most_spent = self.most_spent(rolled);
        let mut descending = rolled.to_vec();
        descending.sort_unstable_by(|a, b| b.cmp(a));

        let mut changes = vec![ChangedFaces {
            faces: Vec::new(),
            spent: 0,
        }];
        for face in descending {
            let mut extended = Vec::new();
            for change in &changes {
                let previous_face = change.faces.last().copied().unwrap_or(maximum);
                let new_faces = match self {
                    Self::Bonus(_) => face..=previous_face,
                    Self::Penalty(_) => 1..=face.min(previous_face),
                };
                for new_face in new_faces {
                    let spent = change.spent + i32::from(new_face.abs_diff(face));
                    if spent <= most_spent {
                        let faces = [change.faces.as_slice(), &[new_face]].concat();
                        extended.push(ChangedFaces { faces, spent });
                    }
                }
            }
            changes = extended;
        }
        changes
    }

    /// Assigns each of the changed faces to a rolled die, so that the earliest dice get the most tokens.
    fn assign_to_dice(self, rolled: &[Face], changed_faces: &[Face]) -> Vec<u8> {
        // Assign the face that needs the most tokens first.
        let mut unassigned = changed_faces.to_vec();
        self.sort_by_tokens(&mut unassigned);

        let mut tokens = Vec::with_capacity(rolled.len());
        for (index, &face) in rolled.iter().enumerate() {
            let mut later_dice = rolled[index + 1..].to_vec();
            self.sort_by_tokens(&mut later_dice);

            let place = (0..unassigned.len()).find(|&place| {
                let mut remaining = unassigned.clone();
                let new_face = remaining.remove(place);
                let mut pairs = later_dice.iter().zip(&remaining);
                self.can_change(face, new_face)
                    && pairs.all(|(&later, &remaining)| self.can_change(later, remaining))
            });
            let Some(place) = place else {
                return Vec::new();
            };
            let count = unassigned.remove(place).abs_diff(face);
            tokens.push(u8::try_from(count).unwrap_or(u8::MAX));
        }
        tokens
    }

    /// Sorts faces so that those furthest in the direction of the tokens come first.
    fn sort_by_tokens(self, faces: &mut [Face]) {
        match self {
            Self::Bonus(_) => faces.sort_unstable_by(|a, b| b.cmp(a)),
            Self::Penalty(_) => faces.sort_unstable(),
        }
    }

    /// True if tokens can change a die from one face to the other.
    fn can_change(self, from: Face, to: Face) -> bool {
        match self {
            Self::Bonus(_) => to >= from,
            Self::Penalty(_) => to <= from,
        }
    }
}
