//! The dice and the words of a resolved check, gathered while its trail is told.

use super::ShownDie;
use crate::dice::{Face, Pool};

/// What a check tells of itself: every die rolled, and sentences in the words of the rules.
#[derive(Debug, Default)]
pub(super) struct Story {
    /// Every die so far, in rolled order.
    pub(super) dice: Vec<ShownDie>,
    /// The sentences so far.
    pub(super) steps: Vec<String>,
}

impl Story {
    /// Adds a sentence.
    pub(super) fn say(&mut self, words: impl Into<String>) {
        self.steps.push(words.into());
    }

    /// Adds a rolled pool without a word.
    pub(super) fn add(&mut self, pool: &Pool, faces: &[Face]) {
        let kept = pool.kept(faces);
        let shown = pool.order().zip(faces).zip(&kept);
        self.dice
            .extend(shown.map(|(((die, role), &face), &kept)| ShownDie {
                die,
                face,
                kept,
                role,
                value: None,
                replaces: None,
            }));
    }

    /// Adds a rolled pool and says what was rolled and what was dropped.
    pub(super) fn roll(&mut self, pool: &Pool, faces: &[Face]) {
        self.add(pool, faces);
        let kept = pool.kept(faces);
        let rolled: Vec<String> = pool
            .order()
            .zip(faces)
            .map(|((die, _), face)| format!("{face} on the {die}"))
            .collect();
        let dropped: Vec<String> = faces
            .iter()
            .zip(&kept)
            .filter(|&(_, &kept)| !kept)
            .map(|(face, _)| face.to_string())
            .collect();
        let dropped = match dropped.as_slice() {
            [] => String::new(),
            dropped => format!("; dropped: {}", dropped.join(", ")),
        };
        self.say(format!(
            "Rolled {}: {}{dropped}.",
            pool.describe(),
            rolled.join(", ")
        ));
    }

    /// Adds a die rolled again for that one, which no longer counts; a dropped die stays dropped.
    pub(super) fn roll_again(&mut self, index: usize, face: Face) {
        let Some(old) = self.dice.get_mut(index) else {
            return;
        };
        let kept = std::mem::replace(&mut old.kept, false);
        let (die, role) = (old.die, old.role);
        self.dice.push(ShownDie {
            die,
            face,
            kept,
            role,
            value: None,
            replaces: Some(index),
        });
        self.say(format!("The {die} rolled again shows {face}."));
    }

    /// Says how the kept dice and the modifiers, those that are not 0, add up.
    pub(super) fn sum(&mut self, kept: i32, modifiers: &[(&str, i32)]) {
        let there: Vec<&(&str, i32)> = modifiers
            .iter()
            .filter(|(_, amount)| *amount != 0)
            .collect();
        let total = kept + there.iter().map(|(_, amount)| amount).sum::<i32>();
        let words: Vec<String> = there
            .iter()
            .map(|(name, amount)| {
                let sign = if *amount < 0 { '−' } else { '+' };
                format!("{sign} {} ({name})", amount.abs())
            })
            .collect();
        let words = words.join(" ");
        if there.is_empty() {
            self.say(format!("The kept dice make {kept}."));
        } else {
            self.say(format!("{kept} from the kept dice {words} makes {total}."));
        }
    }
}
