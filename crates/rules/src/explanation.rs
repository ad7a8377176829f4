//! The explanation that a check writes while it steps: dice, sentences in the words of the rules, and effects.

use std::collections::BTreeSet;

use super::words::{join, terms};
use super::{ChosenBy, Effect, Key, RuleError, ShownDie, UsedTokens};
use tableside_dice::{Face, Pool};

/// The explanation of a roll. It stays empty while odds are computed.
#[derive(Debug, Default)]
pub struct Explanation {
    is_listening: bool,
    /// True while odds are computed, false for a roll.
    pub(super) is_for_odds: bool,
    /// Every roll of the trail: its pool, and the faces in rolled order.
    pub(super) rolls: Vec<(Pool, Vec<Face>)>,
    /// The last choice: the name of the option, and the person who took it.
    pub(super) chosen: Option<(String, ChosenBy)>,
    /// Every die, in rolled order.
    pub(super) dice: Vec<ShownDie>,
    /// The sentences.
    pub(super) steps: Vec<String>,
    /// The number that the total is compared with.
    pub(super) target: Option<i32>,
    /// Further keys, in the order in which JSON shows them.
    pub(super) keys: Vec<(&'static str, Key)>,
    /// The effects.
    pub(super) effects: Vec<Effect>,
    /// The tokens used up, if the effects alone do not tell them from tokens gained.
    pub(super) used: Vec<UsedTokens>,
    /// The options of questions that were skipped because fewer than two were open.
    pub(super) closed: Closed,
}

/// Options that were not open, each with the condition that would have opened it.
pub(super) type Closed = BTreeSet<(&'static str, &'static str)>;

/// The error for an answer that is one of these options.
pub(super) fn refusal(closed: &Closed, answer: &str) -> Option<RuleError> {
    let (option, when) = closed.iter().find(|(option, _)| *option == answer)?;
    let why = format!("{option} is not open: {when} does not hold");
    Some(RuleError::Said(why))
}

impl Explanation {
    /// An explanation that records everything.
    pub(super) fn listening() -> Self {
        Self {
            is_listening: true,
            ..Self::default()
        }
    }

    /// An explanation that records only the rolls.
    pub(super) fn silent() -> Self {
        Self::default()
    }

    /// An explanation for odds, which records nothing.
    pub(super) fn for_odds() -> Self {
        Self {
            is_for_odds: true,
            ..Self::default()
        }
    }

    /// Calls `tell` if words are recorded.
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

    /// Shows the dice of the last roll without a sentence, and returns its pool and faces.
    ///
    /// # Panics
    /// If there was no roll.
    pub(super) fn show_roll(&mut self) -> (Pool, Vec<Face>) {
        let last = self.rolls.last().cloned();
        let (pool, faces) = last.expect("a roll is told after its dice fell");
        let kept = pool.kept(&faces);
        let shown = pool.each_die().zip(&faces).zip(kept);
        let shown = shown.map(|(((die, role), &face), kept)| ShownDie::new(die, role, face, kept));
        self.dice.extend(shown);
        (pool, faces)
    }

    /// Shows the last roll, with a sentence on the rolled and dropped faces.
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

    /// Adds the new face of a die that was rolled again. The old face no longer counts, and a dropped die stays dropped.
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

    /// Adds a sentence on the sum of the kept dice and the modifiers that are not 0.
    pub(super) fn sum(&mut self, kept: i32, modifiers: &[(&str, i32)]) {
        let total = kept + modifiers.iter().map(|(_, amount)| amount).sum::<i32>();
        self.say(match terms(modifiers) {
            none if none.is_empty() => format!("The kept dice make {kept}."),
            words => format!("{kept} from the kept dice{words} makes {total}."),
        });
    }
}
