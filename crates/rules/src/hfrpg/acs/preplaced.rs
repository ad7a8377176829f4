//! Odds for tokens that are placed before the roll, as with `--choose 0,2,1`: the number of tokens on each die.
//!
//! If the rules forbid the chosen placing on the rolled faces, the tokens are placed by default.

use super::{Acs, AcsState};
use crate::Step;
use crate::hfrpg::token_allocation::{MAX_DICE, Tokens, parse_placing, total};
use tableside_dice::{Face, Natural, choose};

/// The most different rolls for which odds are computed. Rolls that differ only in the order of dice with equal numbers
/// of tokens count once.
const MAX_ROLLS: u128 = 300_000;

impl Acs {
    /// Returns this check with its tokens placed before the roll. `None` if `answer` is not a placing, if no roll allows it,
    /// or if it leads to more than [`MAX_ROLLS`].
    pub(super) fn with_tokens_placed(&self, answer: &str) -> Option<Self> {
        let mut tokens = parse_placing(answer)?;
        let available = match self.tokens {
            Tokens::Bonus(count) | Tokens::Penalty(count) => i32::from(count),
        };

        let fits_dice = tokens
            .iter()
            .all(|&count| Face::from(count) < self.maximum());
        let is_allowed = self.automatic.is_none()
            && total(&tokens) <= available
            && fits_dice
            && tokens.len() == usize::from(self.attribute);
        if !is_allowed {
            return None;
        }

        tokens.sort_unstable();
        if self.count_rolls(&tokens) > MAX_ROLLS.into() {
            return None;
        }
        Some(Self {
            preplaced: Some(tokens),
            ..self.clone()
        })
    }

    /// Counts the different rolls if the order of dice with equal numbers of tokens does not matter.
    fn count_rolls(&self, sorted_tokens: &[u8]) -> Natural {
        let other_faces = usize::from(self.die.sides()) - 1;
        let mut rolls = Natural::ONE;
        for equal in sorted_tokens.chunk_by(|a, b| a == b) {
            let rolls_of_group = choose(other_faces + equal.len(), equal.len());
            rolls = &rolls * &rolls_of_group;
        }
        rolls
    }

    /// Returns the tokens on each die, in ascending order.
    fn preplaced_tokens(&self) -> &[u8] {
        self.preplaced.as_deref().unwrap_or_default()
    }

    /// Counts the consecutive dice from index `first` on that get the same number of tokens as the first of them.
    pub(super) fn count_equal_placings(&self, first: usize) -> u8 {
        let mut groups = self.preplaced_tokens()[first..].chunk_by(|a, b| a == b);
        let count = groups.next().map_or(0, <[u8]>::len);
        u8::try_from(count).unwrap_or_default()
    }

    /// Continues after a group of dice is rolled: with the next group, or with the result of the pool.
    pub(super) fn read_preplaced(
        &self,
        mut faces: [Face; MAX_DICE],
        rolled: usize,
    ) -> Step<AcsState> {
        let tokens = self.preplaced_tokens();
        if rolled < tokens.len() {
            return Step::Continue(AcsState::Preplaced { faces, rolled });
        }

        let faces = &mut faces[..rolled];
        if let Some(changed_faces) = self.place_tokens(faces, tokens) {
            return self.explode(self.read_unsorted(&changed_faces));
        }

        faces.sort_unstable_by(|a, b| b.cmp(a));
        let reachable = self.reachable_results(faces);
        self.explode(self.default_result(reachable))
    }
}
