//! The sections of the help: all keys under the headings of their contexts.

use super::text_width;
use crate::app::keymap::Keymap;
use crate::app::offered::is_offered;
use crate::terminal::input::Key;
use crate::widget::Appearance;
use crate::{Action, Context};
use tableside_table::SeatView;

/// The actions that a GM needs all evening, the most useful first.
const ALL_EVENING: [Action; 19] = {
    use Action::{
        Advance, CallRoll, Conditions, Damage, Filter, New, NextPanel, NextRound, NextScene, Note,
        Palette, Purse, Roll, TabClocks, TabLog, TabParty, TabTable, TabTokens, Undo,
    };
    [
        Roll, Undo, NextScene, CallRoll, NextRound, Palette, Conditions, Damage, Advance, Purse,
        Note, New, Filter, NextPanel, TabTable, TabParty, TabClocks, TabTokens, TabLog,
    ]
};

/// An action with its keys.
pub(super) struct KeyEntry {
    pub(super) keys: Vec<Key>,
    pub(super) action: Action,
}

/// The entries under one heading.
pub(super) struct Section {
    pub(super) heading: &'static str,
    pub(super) entries: Vec<KeyEntry>,
}

/// The keys that are active in some contexts.
pub(super) struct ActiveKeys<'a> {
    /// The nearest context comes first.
    pub(super) contexts: &'a [Context],
    pub(super) keymap: &'a Keymap,
}

impl ActiveKeys<'_> {
    /// Returns all sections, those of the active contexts first.
    pub(super) fn sections(&self) -> Vec<Section> {
        let mut sections = vec![Section {
            heading: "All evening",
            entries: self.all_evening(),
        }];
        for context in self.contexts {
            sections.push(self.near_section(*context));
        }
        for context in Context::ALL {
            if !self.contexts.contains(context) {
                sections.push(self.far_section(*context));
            }
        }
        sections
    }

    fn all_evening(&self) -> Vec<KeyEntry> {
        // While a dialog or the list of games is open, the keys of the game have no effect.
        let is_game_active = self.contexts.contains(&Context::Everywhere)
            && self.contexts.first() != Some(&Context::Games);
        if !is_game_active {
            return Vec::new();
        }

        let mut entries = Vec::new();
        for action in ALL_EVENING {
            let keys = self.keymap.keys_for(action, self.contexts);
            if !keys.is_empty() {
                entries.push(KeyEntry { keys, action });
            }
        }
        entries
    }

    /// Returns the keys of an active context, except the keys in the first section.
    fn near_section(&self, context: Context) -> Section {
        let listed_actions: Vec<Action> = self
            .all_evening()
            .into_iter()
            .map(|entry| entry.action)
            .collect();

        let mut entries = Vec::new();
        for binding in self.keymap.bindings(context) {
            let mut keys = binding.keys.clone();
            keys.retain(|key| self.counts_in(context, *key));
            let action = binding.action;
            if !keys.is_empty() && !listed_actions.contains(&action) {
                entries.push(KeyEntry { keys, action });
            }
        }
        Section {
            heading: context.label(),
            entries,
        }
    }

    /// Returns the keys of a context that is not active.
    fn far_section(&self, context: Context) -> Section {
        let mut entries = Vec::new();
        for binding in self.keymap.bindings(context) {
            if !binding.keys.is_empty() {
                entries.push(KeyEntry {
                    keys: binding.keys.clone(),
                    action: binding.action,
                });
            }
        }
        Section {
            heading: context.label(),
            entries,
        }
    }

    /// Returns true if a key is active in this context: no nearer context uses it, and it is not typed as text.
    fn counts_in(&self, context: Context, key: Key) -> bool {
        let is_typed = self.contexts.contains(&Context::Field) && key.letter().is_some();
        let nearest_use = self
            .contexts
            .iter()
            .find(|context| self.keymap.action(&[**context], key).is_some());
        !is_typed && nearest_use == Some(&context)
    }
}

impl KeyEntry {
    /// Returns true if the seat may use the action, and its label, its description or a key matches the search.
    pub(super) fn matches(&self, search: &str, view: &SeatView<'_>) -> bool {
        if !is_offered(self.action, view) {
            return false;
        }
        if search.is_empty() {
            return true;
        }

        let has_text = [self.action.describe(), self.action.label()]
            .iter()
            .any(|text| text.to_lowercase().contains(search));
        let has_key = self.keys.iter().any(|key| {
            let labels = [key.label(false), key.label(true)];
            labels.iter().any(|label| label.to_lowercase() == search)
        });
        has_text || has_key
    }

    /// Returns the labels of the keys that fit into a quarter of the width, or of the first key if none fits.
    pub(super) fn key_labels(&self, width: usize, look: Appearance<'_>) -> String {
        let all_labels = self.keys.iter().map(|key| key.label(look.ascii));
        let mut labels: Vec<String> = all_labels.collect();
        labels.dedup();
        while labels.len() > 1 && text_width(&labels.join(" ")) > width / 4 {
            labels.pop();
        }
        labels.join(" ")
    }
}
