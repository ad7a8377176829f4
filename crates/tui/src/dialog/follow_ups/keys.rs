//! The buttons of follow-ups, and their keys.

use crate::dialog::button_row::Button;
use crate::dialog::follow_ups::{FollowUp, LabelledFollowUp};

/// The keys of damage, effects, checks and questions.
pub(in crate::dialog) const DIGITS: &str = "123456789";

/// The keys of ticks. The letters of the other buttons and actions of a result are left out.
pub(in crate::dialog) const CLOCK_LETTERS: &str = "tvwxzbdegkmps";

/// A button with its action.
pub(in crate::dialog) struct OfferedButton {
    pub(in crate::dialog) next: FollowUp,
    pub(in crate::dialog) button: Button,
}

impl OfferedButton {
    pub(in crate::dialog) fn new(next: FollowUp, label: impl Into<String>, key: char) -> Self {
        Self {
            next,
            button: Button::new(label, key),
        }
    }
}

/// Assigns keys to follow-ups. A follow-up keeps its key after others were done.
pub(in crate::dialog) struct ButtonKeys {
    keys: &'static str,
    /// The labels since the dialog opened, in the order of the keys.
    labels: Vec<String>,
}

impl ButtonKeys {
    pub(in crate::dialog) fn new(keys: &'static str) -> Self {
        Self {
            keys,
            labels: Vec::new(),
        }
    }

    /// Returns the buttons of the open follow-ups. Each label begins with its key.
    pub(in crate::dialog) fn buttons_of(
        &mut self,
        follow_ups: Vec<LabelledFollowUp>,
    ) -> Vec<OfferedButton> {
        let mut free_indexes: Vec<usize> = (0..self.labels.len()).collect();
        let mut offers = Vec::new();

        for LabelledFollowUp { label, open } in follow_ups {
            let index = self.index_of(&label, &mut free_indexes);
            let key = self.keys.chars().nth(index);
            let label = match key {
                Some(key) => format!("{key} {label}"),
                None => label,
            };
            if let Some(next) = open {
                let button = Button::new(label, key);
                offers.push(OfferedButton { next, button });
            }
        }
        offers
    }

    /// Returns the index that the label had before, or else the next index.
    fn index_of(&mut self, label: &str, free_indexes: &mut Vec<usize>) -> usize {
        let former_place = free_indexes
            .iter()
            .position(|index| self.labels[*index] == label);
        if let Some(place) = former_place {
            return free_indexes.remove(place);
        }

        self.labels.push(label.to_owned());
        self.labels.len() - 1
    }
}
