//! Odds with a placing given beforehand, as in `--choose 0,2,1`: how many tokens each die gets, in rolled order.
//!
//! Where the rules do not allow it on the dice that fell, tokens go where they go unanswered.

use super::{Acs, State};
use crate::dice::{Face, Natural, choose};
use crate::rules::hfrpg::exploding::Base;
use crate::rules::hfrpg::token_allocation::{MOST_DICE, Tokens, parse};

/// The most ways, as odds tell them apart, in which dice with these tokens are looked at.
const MOST_FALLS: u64 = 300_000;

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
        let mut ranks = self.tokens.open(self.explosion, faces, self.top()).ranks();
        let rank = match self.tokens {
            Tokens::Bonus(_) => ranks.next(),
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
        let spec = System::HFRPG.check("acs").unwrap();
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
        let spec = System::HFRPG.check("acs").unwrap();
        let fields = Fields::new(spec, fields).unwrap();
        let check = spec.prepare(&fields, &House::default()).unwrap();
        let odds = Odds::of(spec, &*check, &Policy::new([answer.to_owned()]));
        let error = odds.unwrap_err().to_string();
        assert!(error.contains("is no answer to placing"), "{error}");
    }
}
