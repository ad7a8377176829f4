//! The names of keys in texts. `⟨new⟩` in a text stands for the key of the action `new`, `⟨games.archive⟩` for the key
//! that `archive` has in the context `games`.

use std::borrow::Cow;

use crate::app::action::{Action, Context};
use crate::app::keymap::Keymap;

const OPENING: char = '⟨';
const CLOSING: char = '⟩';

/// Names the keys of a place on the screen.
#[derive(Clone, Copy)]
pub struct KeyNames<'a> {
    pub keymap: &'a Keymap,
    /// The contexts whose keys apply there, the most specific first.
    pub contexts: &'a [Context],
}

impl KeyNames<'_> {
    /// Returns the name of the first key of an action. Empty if the action has no key here.
    pub fn name(self, action: Action) -> String {
        let keys = self.keymap.keys_for(action, self.contexts);
        match keys.first() {
            Some(key) => key.label(true),
            None => String::new(),
        }
    }

    /// Replaces the actions in a text by the names of their keys. An action without a key keeps its label, in
    /// quotation marks, under which the palette finds it.
    pub fn fill_in<'t>(self, text: impl Into<Cow<'t, str>>) -> Cow<'t, str> {
        let text = text.into();
        if !text.contains(OPENING) {
            return text;
        }

        let mut filled = String::new();
        let mut rest: &str = &text;
        while let Some((before, after)) = rest.split_once(OPENING) {
            filled.push_str(before);
            match after.split_once(CLOSING) {
                Some((name, after_name)) if let Some(key) = self.key_of(name) => {
                    filled.push_str(&key);
                    rest = after_name;
                }
                _ => {
                    filled.push(OPENING);
                    rest = after;
                }
            }
        }
        filled.push_str(rest);
        filled.into()
    }

    /// Returns the key of `new` or `games.new`. `None` for other words.
    fn key_of(self, name: &str) -> Option<String> {
        let (contexts, action) = match name.split_once('.') {
            Some((context, action)) => (context.parse::<Context>().ok()?.chain(), action),
            None => (self.contexts, name),
        };
        let action: Action = action.parse().ok()?;

        let key = KeyNames { contexts, ..self }.name(action);
        if key.is_empty() {
            Some(format!("“{}”", action.label()))
        } else {
            Some(key)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_name_the_keys_that_are_bound() {
        let keymap = Keymap::with_user(
            "[notes]\nnote = \"f5\"\nlines-and-veils = []\n[everywhere]\nroll = \"f6\"",
        );
        let names = KeyNames {
            keymap: &keymap.unwrap(),
            contexts: Context::Notes.chain(),
        };

        let text = "⟨note⟩ writes one, ⟨lines-and-veils⟩ shows them, ⟨everywhere.roll⟩ rolls.";
        assert_eq!(
            names.fill_in(text),
            "F5 writes one, “lines and veils” shows them, F6 rolls."
        );
        assert_eq!(names.fill_in("a ⟨stranger⟩ ⟨"), "a ⟨stranger⟩ ⟨");
    }
}
