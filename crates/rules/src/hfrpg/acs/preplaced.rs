//! Odds with a placing given beforehand, as in `--choose 0,2,1`: how many tokens each die gets, in rolled order.
//!
//! Where the rules do not allow it on the dice that fell, tokens go where they go unanswered.

use super::{Acs, State};
use crate::hfrpg::token_allocation::{MOST_DICE, Tokens, parse};
use tableside_dice::{Face, Natural, choose};

/// The most ways, as odds tell them apart, in which dice with these tokens are looked at.
const MOST_FALLS: u128 = 300_000;

impl Acs {
    /// This check with its tokens placed so, if that is a placing that the rules allow on any dice.
    pub(super) fn with_tokens_placed(&self, answer: &str) -> Option<Self> {
        let mut given = parse(answer)?;
        let most = match self.tokens {
            Tokens::Bonus(most) | Tokens::Penalty(most) => i32::from(most),
        };
        let spent: i32 = given.iter().copied().map(i32::from).sum();
        let fits = spent <= most && given.iter().all(|tokens| Face::from(*tokens) < self.top());
        if self.automatic.is_some() || !fits || given.len() != usize::from(self.attribute) {
            return None;
        }
        given.sort_unstable();
        // Those alike fall as a heap.
        let other_faces = usize::from(self.die.sides()) - 1;
        let heaps = given.chunk_by(|a, b| a == b);
        let falls = heaps.map(|alike| choose(other_faces + alike.len(), alike.len()));
        let falls = falls.fold(Natural::ONE, |all, falls| &all * &falls);
        (falls <= MOST_FALLS.into()).then(|| Self {
            preplaced: Some(given),
            ..self.clone()
        })
    }

    /// The tokens on each die, lowest first.
    fn placed(&self) -> &[u8] {
        self.preplaced.as_deref().unwrap_or_default()
    }

    /// How many of the dice from there on get the same number of tokens.
    pub(super) fn alike(&self, from: usize) -> u8 {
        let mut heaps = self.placed()[from..].chunk_by(|a, b| a == b);
        let alike = heaps.next().map_or(0, <[u8]>::len);
        u8::try_from(alike).unwrap_or_default()
    }

    /// The state after so many dice fell.
    pub(super) fn deal(&self, mut faces: [Face; MOST_DICE], rolled: usize) -> State {
        if rolled < self.placed().len() {
            return State::Dealt { faces, rolled };
        }
        let faces = &mut faces[..rolled];
        if let Some(values) = self.tokens.place(faces, self.placed(), self.top()) {
            return self.count(self.read(&values));
        }
        faces.sort_unstable_by(|a, b| b.cmp(a));
        let open = self.tokens.open(self.explosion, faces, self.top());
        self.count(self.default_base(open))
    }
}
