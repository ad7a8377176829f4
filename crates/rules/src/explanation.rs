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
    /// The damage that the roll can do to further characters.
    pub(super) area_damage: Option<i32>,
    /// The numbers of the result in words, if the check words them.
    pub(super) numbers: Option<String>,
    /// Further named values of the outcome, in the order in which JSON shows them.
    pub(super) keys: Vec<(&'static str, Key)>,
    /// The effects.
    pub(super) effects: Vec<Effect>,
    /// The tokens that were used up. Recorded only for pools in which the effects do not tell used tokens from gained
    /// ones.
    pub(super) used: Vec<UsedTokens>,
    /// The unavailable options of questions that were skipped because at most one option was available.
    pub(super) closed: Closed,
}

/// The ids of options that were not available, each with its condition as written in the system file.
pub(super) type Closed = BTreeSet<(&'static str, &'static str)>;

/// Returns the error for an answer that names one of these unavailable options; `None` if it names none of them.
pub(super) fn refusal(closed: &Closed, answer: &str) -> Option<RuleError> {
    let mut options = closed.iter();
    let (option, when) = options.find(|(option, _)| *option == answer)?;
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

    /// Calls `add_words` if this explanation records everything. Sentences, dice and effects are only added inside such
    /// a call.
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

    /// Adds the dice of the last roll to `dice` without a sentence, and returns the pool and faces of the roll.
    ///
    /// # Panics
    /// If there was no roll.
    pub(super) fn show_roll(&mut self) -> (Pool, Vec<Face>) {
        let last_roll = self.rolls.last().cloned();
        let (pool, faces) = last_roll.expect("a roll is shown after it was rolled");

        let kept = pool.kept(&faces);
        for (index, (die, role)) in pool.each_die().enumerate() {
            let shown_die = ShownDie::new(die, role, faces[index], kept[index]);
            self.dice.push(shown_die);
        }
        (pool, faces)
    }

    /// Adds the dice of the last roll to `dice`, with a sentence about the rolled and dropped faces.
    pub(super) fn roll(&mut self) {
        let (pool, faces) = self.show_roll();
        let description = pool.describe();
        let is_mixed = description.contains('+');

        let first_shown = self.dice.len() - faces.len();
        let mut rolled = Vec::new();
        let mut dropped = Vec::new();
        for shown in &self.dice[first_shown..] {
            let die = shown.die;
            let label = die.face_label(shown.face);
            if is_mixed {
                rolled.push(format!("{label} on the {die}"));
            } else {
                rolled.push(label.clone());
            }
            if pool.drops() && !shown.kept {
                dropped.push(label);
            }
        }

        let rolled = rolled.join(", ");
        let dropped = dropped.join(", ");
        if dropped.is_empty() {
            self.say(format!("Rolled {description}: {rolled}."));
        } else {
            self.say(format!(
                "Rolled {description}: {rolled}; dropped: {dropped}."
            ));
        }
    }

    /// Adds the new face of the die at this index of `dice`, which was rolled again. The old face no longer counts. If the old
    /// die was dropped, so is the new one.
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
