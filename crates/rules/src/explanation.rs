//! The explanation that a check writes while it steps: dice, sentences in the words of the rules, and effects.

use std::collections::BTreeSet;

use super::words::terms;
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
    /// The last choice: the name of the option, and the source of the answer.
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
    /// The tokens used up, if the effects alone do not distinguish them from tokens gained.
    pub(super) used: Vec<UsedTokens>,
    /// The options of questions that were skipped because fewer than two were open.
    pub(super) closed: Closed,
}

/// Options that were not open, each with the condition that would have opened it.
pub(super) type Closed = BTreeSet<(&'static str, &'static str)>;

/// The error for an answer that is one of these options.
pub(super) fn refusal(closed: &Closed, answer: &str) -> Option<RuleError> {
    let (option, when) = closed.iter().find(|(option, _)| *option == answer)?;
    Some(RuleError::Said(format!(
        "the option {option} is not available: its condition {when} is false"
    )))
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

    /// An explanation for odds, which stays empty.
    pub(super) fn for_odds() -> Self {
        Self {
            is_for_odds: true,
            ..Self::default()
        }
    }

    /// Calls `add_words` if words are recorded.
    #[inline]
    pub(super) fn tell(&mut self, add_words: impl FnOnce(&mut Self)) {
        if self.is_listening {
            add_words(self);
        }
    }

    /// Adds a sentence.
    pub(super) fn say(&mut self, sentence: impl Into<String>) {
        self.steps.push(sentence.into());
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
        let last_roll = self.rolls.last().cloned();
        let (pool, faces) = last_roll.expect("a roll is shown after it was rolled");

        let faces_with_kept = faces.iter().zip(pool.kept(&faces));
        for ((die, role), (face, is_kept)) in pool.each_die().zip(faces_with_kept) {
            self.dice.push(ShownDie::new(die, role, *face, is_kept));
        }
        (pool, faces)
    }

    /// Shows the last roll, with a sentence on the rolled and dropped faces.
    pub(super) fn roll(&mut self) {
        let (pool, faces) = self.show_roll();
        let description = pool.describe();
        let is_mixed = description.contains('+');

        let mut rolled = Vec::new();
        for ((die, _), face) in pool.each_die().zip(&faces) {
            let label = die.face_label(*face);
            if is_mixed {
                rolled.push(format!("{label} on the {die}"));
            } else {
                rolled.push(label);
            }
        }

        let mut dropped = Vec::new();
        if pool.drops() {
            for shown in &self.dice[self.dice.len() - faces.len()..] {
                if !shown.kept {
                    dropped.push(shown.die.face_label(shown.face));
                }
            }
        }

        let mut sentence = format!("Rolled {description}: {}", rolled.join(", "));
        if !dropped.is_empty() {
            sentence.push_str("; dropped: ");
            sentence.push_str(&dropped.join(", "));
        }
        sentence.push('.');
        self.say(sentence);
    }

    /// Adds the new face of a die that was rolled again. The old face no longer counts, and a dropped die stays dropped.
    pub(super) fn roll_again(&mut self, index: usize, face: Face) {
        let Some(old_die) = self.dice.get_mut(index) else {
            return;
        };

        let was_kept = std::mem::replace(&mut old_die.kept, false);
        let die = old_die.die;
        let new_die = ShownDie {
            replaces: Some(index),
            ..ShownDie::new(die, old_die.role, face, was_kept)
        };
        self.dice.push(new_die);

        let label = die.face_label(face);
        self.say(format!("The {die} rolled again shows {label}."));
    }

    /// Adds a sentence on the sum of the kept dice and the modifiers that are not 0.
    pub(super) fn sum(&mut self, kept: i32, modifiers: &[(&str, i32)]) {
        let terms = terms(modifiers);
        if terms.is_empty() {
            self.say(format!("The kept dice make {kept}."));
            return;
        }

        let added: i32 = modifiers.iter().map(|(_, amount)| amount).sum();
        let total = kept + added;
        self.say(format!("{kept} from the kept dice{terms} makes {total}."));
    }
}
