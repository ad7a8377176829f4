//! Odds with a placing given beforehand, as in `--choose 0,2,1`: so many tokens to each die in rolled order.
//!
//! Where the rules do not allow it on the dice that fell, tokens go where they go unanswered.

use super::{Acs, State};
use crate::dice::{Face, Group, Pool, Projection, Role};
use crate::rules::hfrpg::exploding::Base;
use crate::rules::hfrpg::token_allocation::{MOST_DICE, Tokens, parse};

/// The most ways, as odds tell them apart, in which dice with these tokens are looked at.
const MOST_FALLS: u64 = 300_000;

/// A placing; dice that get the same number of tokens stand together, for among them no odds tell one
/// from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    tokens: [u8; MOST_DICE],
    count: usize,
}

/// The faces of the dice rolled so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::rules::hfrpg) struct Dealt {
    faces: [Face; MOST_DICE],
    rolled: usize,
}

impl Placed {
    fn tokens(&self) -> &[u8] {
        &self.tokens[..self.count]
    }

    /// How many of the dice from there on get the same number of tokens.
    fn alike(&self, from: usize) -> usize {
        let rest = &self.tokens()[from..];
        rest.iter().take_while(|tokens| **tokens == rest[0]).count()
    }

    /// In how many ways the dice can fall, those alike as a heap.
    fn falls(&self, top: Face) -> u64 {
        let (mut falls, mut at) = (1_u64, 0);
        while at < self.count {
            let alike = self.alike(at);
            let heaps =
                (1..=alike as u64).fold(1, |heaps, die| heaps * (u64::from(top) - 1 + die) / die);
            falls = falls.saturating_mul(heaps);
            at += alike;
        }
        falls
    }
}

impl Acs {
    /// This check with its tokens placed so, if that is a placing that the rules allow on any dice.
    pub(super) fn with_tokens_placed(&self, answer: &str) -> Option<Self> {
        let mut given = parse(answer)?;
        let most = match self.tokens {
            Tokens::None => return None,
            Tokens::Bonus(most) | Tokens::Penalty(most) => i32::from(most),
        };
        let spent: i32 = given.iter().copied().map(i32::from).sum();
        let fits = spent <= most && given.iter().all(|tokens| *tokens < self.top());
        if self.automatic.is_some() || !fits || given.len() != usize::from(self.attribute) {
            return None;
        }
        given.sort_unstable();
        let mut tokens = [0; MOST_DICE];
        tokens[..given.len()].copy_from_slice(&given);
        let count = given.len();
        let placed = Placed { tokens, count };
        (placed.falls(self.top()) <= MOST_FALLS).then(|| Self {
            preplaced: Some(placed),
            ..self.clone()
        })
    }

    /// The dice that are rolled next: those that get the same number of tokens.
    pub(super) fn next_alike(&self, dealt: Dealt) -> Pool {
        let alike = self
            .preplaced
            .map_or(0, |placed| placed.alike(dealt.rolled));
        let group = Group::new(
            self.die,
            u8::try_from(alike).unwrap_or_default(),
            Role::POOL,
        );
        Pool::all(vec![group], Projection::Counts)
    }

    /// The state after these further dice fell.
    pub(super) fn deal(&self, dealt: Dealt, fell: &[Face]) -> State {
        let mut faces = dealt.faces;
        let rolled = dealt.rolled + fell.len();
        faces[dealt.rolled..rolled].copy_from_slice(fell);
        let Some(placed) = self.preplaced.filter(|placed| placed.count == rolled) else {
            return State::Dealt(Dealt { faces, rolled });
        };
        let faces = &mut faces[..rolled];
        if let Some(values) = self.tokens.place(faces, placed.tokens(), self.top()) {
            return self.count(self.read(&values));
        }
        faces.sort_unstable_by(|a, b| b.cmp(a));
        let mut ranks = self.tokens.open(self.explosion, faces, self.top()).ranks();
        let rank = match self.tokens {
            Tokens::None | Tokens::Bonus(_) => ranks.next(),
            Tokens::Penalty(_) => ranks.last(),
        };
        self.count(Base::of_rank(rank.unwrap_or_default(), self.top()))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::rules::{Fields, House, Odds, Policy, System, Value};

    fn chances(tokens: (&str, i32), attribute: i32, answer: Option<&str>) -> Vec<String> {
        let given = [("attribute", attribute), ("competency", 3), tokens];
        let given = given.map(|(name, number)| (name, Value::Number(number)));
        let spec = System::Hfrpg.check("acs").unwrap();
        let fields = Fields::new(spec, given).unwrap();
        let check = spec.prepare(&fields, &House::default()).unwrap();
        let policy = Policy::new(answer.map(str::to_owned));
        let odds = Odds::of(spec, &*check, &policy).unwrap();
        let chances = odds.outcomes.iter();
        chances.map(|(_, chance)| chance.to_string()).collect()
    }

    // One d8 with 3. A bonus token raises each face but the 8, so that 2 faces of 8 explode; a penalty token
    // lowers each but the 1, and nothing explodes.
    #[rstest]
    #[case(("bonus", 1), "1", ["1/8", "3/32", "5/32", "3/8", "1/4", "0"])]
    #[case(("penalty", 1), "1", ["0", "0", "1/8", "3/8", "1/2", "0"])]
    fn a_placing_counts_whatever_the_dice_show(
        #[case] tokens: (&str, i32),
        #[case] answer: &str,
        #[case] expected: [&str; 6],
    ) {
        assert_eq!(chances(tokens, 1, Some(answer)), expected);
    }

    #[rstest]
    #[case("0,3")]
    #[case("8,0")]
    #[case("1,0,0")]
    #[case("much")]
    fn a_placing_that_no_dice_allow_is_no_answer(#[case] answer: &str) {
        let fields = [("attribute", 2), ("competency", 3), ("bonus", 2)];
        let fields = fields.map(|(name, number)| (name, Value::Number(number)));
        let spec = System::Hfrpg.check("acs").unwrap();
        let fields = Fields::new(spec, fields).unwrap();
        let check = spec.prepare(&fields, &House::default()).unwrap();
        let odds = Odds::of(spec, &*check, &Policy::new([answer.to_owned()]));
        let error = odds.unwrap_err().to_string();
        assert!(error.contains("is no answer to placing"), "{error}");
    }
}
