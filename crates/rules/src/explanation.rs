//! What a check says of itself while it steps: its dice, sentences in the words of the rules, what follows.

use std::collections::BTreeSet;

use super::words::{join, terms};
use super::{ChosenBy, Effect, Key, RuleError, ShownDie, UsedTokens};
use tableside_dice::{Face, Pool};

/// What a check says of itself. While odds are computed nobody listens, and nothing is said.
#[derive(Debug, Default)]
pub struct Explanation {
    is_listening: bool,
    /// Whether every answer is computed, instead of one given.
    pub(super) is_for_odds: bool,
    /// Every roll of the trail so far: its pool, and the faces in rolled order.
    pub(super) rolls: Vec<(Pool, Vec<Face>)>,
    /// The last choice: the option taken by its name, and by whom.
    pub(super) chosen: Option<(String, ChosenBy)>,
    /// Every die so far, in rolled order.
    pub(super) dice: Vec<ShownDie>,
    /// The sentences so far.
    pub(super) steps: Vec<String>,
    /// What the total is compared with, where there is one number.
    pub(super) target: Option<i32>,
    /// Further keys, in the order in which JSON shows them.
    pub(super) keys: Vec<(&'static str, Key)>,
    /// What follows.
    pub(super) effects: Vec<Effect>,
    /// Tokens used up, where the effects alone do not tell them from tokens gained.
    pub(super) used: Vec<UsedTokens>,
    /// The options of questions that were not put for want of another.
    pub(super) closed: Closed,
}

/// Options that were not open, each with what would have opened it.
pub(super) type Closed = BTreeSet<(&'static str, &'static str)>;

/// What is said of an answer that is one of these.
pub(super) fn refusal(closed: &Closed, answer: &str) -> Option<RuleError> {
    let (option, when) = closed.iter().find(|(option, _)| *option == answer)?;
    let why = format!("{option} is not open: {when} does not hold");
    Some(RuleError::Said(why))
}

impl Explanation {
    /// One that takes down everything.
    pub(super) fn listening() -> Self {
        Self {
            is_listening: true,
            ..Self::default()
        }
    }

    /// One that takes down no more than which dice fell.
    pub(super) fn silent() -> Self {
        Self::default()
    }

    /// One for every way in which a check can go.
    pub(super) fn for_odds() -> Self {
        Self {
            is_for_odds: true,
            ..Self::default()
        }
    }

    /// Tells something, if anybody listens.
    #[inline]
    pub(super) fn tell(&mut self, tell: impl FnOnce(&mut Self)) {
        if self.is_listening {
            tell(self);
        }
    }

    /// Adds a sentence.
    pub(super) fn say(&mut self, words: impl Into<String>) {
        self.steps.push(words.into());
    }

    /// The faces of the first roll, in rolled order.
    pub(super) fn first_faces(&self) -> &[Face] {
        self.rolls.first().map_or(&[], |(_, faces)| faces)
    }

    /// Shows the dice of the last roll without a word, and returns its pool and faces.
    pub(super) fn show_roll(&mut self) -> (Pool, Vec<Face>) {
        let last = self.rolls.last().cloned();
        let (pool, faces) = last.expect("a roll is told after its dice fell");
        let kept = pool.kept(&faces);
        let shown = pool.each_die().zip(&faces).zip(kept);
        let shown = shown.map(|(((die, role), &face), kept)| ShownDie::new(die, role, face, kept));
        self.dice.extend(shown);
        (pool, faces)
    }

    /// Shows the last roll, and says what was rolled and what was dropped.
    pub(super) fn roll(&mut self) {
        let (pool, faces) = self.show_roll();
        let words = pool.describe();
        let rolled = pool.each_die().zip(&faces).map(|((die, _), face)| {
            let face = die.face_label(*face);
            if words.contains('+') {
                format!("{face} on the {die}")
            } else {
                face
            }
        });
        let rolled = join(rolled, ", ");
        let shown = self.dice.iter().skip(self.dice.len() - faces.len());
        let dropped = shown.filter(|die| pool.drops() && !die.kept);
        let dropped = dropped.map(|die| die.die.face_label(die.face));
        let dropped = match join(dropped, ", ") {
            none if none.is_empty() => none,
            dropped => format!("; dropped: {dropped}"),
        };
        self.say(format!("Rolled {words}: {rolled}{dropped}."));
    }

    /// Adds a die rolled again for that one, which no longer counts; a dropped die stays dropped.
    pub(super) fn roll_again(&mut self, index: usize, face: Face) {
        let Some(old) = self.dice.get_mut(index) else {
            return;
        };
        let kept = std::mem::replace(&mut old.kept, false);
        let (die, role) = (old.die, old.role);
        self.dice.push(ShownDie {
            replaces: Some(index),
            ..ShownDie::new(die, role, face, kept)
        });
        let face = die.face_label(face);
        self.say(format!("The {die} rolled again shows {face}."));
    }

    /// Says how the kept dice and the modifiers, those that are not 0, add up.
    pub(super) fn sum(&mut self, kept: i32, modifiers: &[(&str, i32)]) {
        let total = kept + modifiers.iter().map(|(_, amount)| amount).sum::<i32>();
        self.say(match terms(modifiers) {
            none if none.is_empty() => format!("The kept dice make {kept}."),
            words => format!("{kept} from the kept dice{words} makes {total}."),
        });
    }
}
