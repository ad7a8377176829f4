//! Which key means what, and where: one table answers the key, prints the help and fills the README.

mod read;

use rustc_hash::FxHashMap;

use super::action::{Action, Context};
use super::input::{Key, KeyCode, KeyModifiers};

/// The keys that Tableside comes with.
const DEFAULTS: &str = include_str!("keys.toml");

/// One action of a place with its keys, in the order of `keys.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// What the keys do.
    pub action: Action,
    /// The keys; none where only the palette reaches the action.
    pub keys: Vec<Key>,
}

/// Every key of every place.
#[derive(Clone, Debug)]
pub struct Keymap {
    /// One list for each [`Context`], in the order of [`Context::ALL`].
    places: Vec<Vec<Binding>>,
    actions: FxHashMap<(Context, Key), Action>,
}

/// What is wrong with a user's `keys.toml`, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("keys.toml{0}")]
pub struct KeymapError(String);

impl Default for Keymap {
    /// The keys that Tableside comes with; a test reads them, so they hold no mistake.
    fn default() -> Self {
        Self::from_places(read::defaults(DEFAULTS)).unwrap_or_else(|_| Self {
            places: vec![Vec::new(); Context::ALL.len()],
            actions: FxHashMap::default(),
        })
    }
}

impl Keymap {
    /// The default keys with those of the user's file instead, where it names them.
    pub fn with_user(text: &str) -> Result<Self, KeymapError> {
        let mut places = read::defaults(DEFAULTS);
        read::apply(text, &mut places)?;
        Self::from_places(places)
    }

    fn from_places(places: Vec<Vec<Binding>>) -> Result<Self, KeymapError> {
        let mut actions = FxHashMap::default();
        for (context, bindings) in Context::ALL.iter().zip(&places) {
            for Binding { action, keys } in bindings {
                for key in keys {
                    let first = actions.insert((*context, *key), *action);
                    if let Some(first) = first.filter(|first| first != action) {
                        return Err(KeymapError(format!(
                            ": in [{context}] `{key}` would mean both {first} and {action}; give one of them another \
                             key, or [] for none"
                        )));
                    }
                }
            }
        }
        Ok(Self { places, actions })
    }

    /// What a key means in the first of these places that knows it; see [`Context::chain`].
    pub fn action(&self, contexts: &[Context], key: Key) -> Option<Action> {
        contexts
            .iter()
            .find_map(|context| self.actions.get(&(*context, key)).copied())
    }

    /// The actions of a place, in the order in which help and bottom line name them.
    pub fn bindings(&self, context: Context) -> &[Binding] {
        let place = Context::ALL.iter().position(|known| *known == context);
        place
            .and_then(|place| self.places.get(place))
            .map_or(&[], Vec::as_slice)
    }

    /// The keys that lead to an action from these places; those that a nearer place takes away are
    /// left out.
    pub fn keys_for(&self, action: Action, contexts: &[Context]) -> Vec<Key> {
        let all = contexts.iter().flat_map(|context| self.bindings(*context));
        let own = all.filter(|binding| binding.action == action);
        own.flat_map(|binding| binding.keys.iter().copied())
            .filter(|key| self.action(contexts, *key) == Some(action))
            .collect()
    }

    /// A key as it was meant. Over a slow line Escape and the letter after it arrive as one key with
    /// Alt: where that means nothing, it was two.
    pub fn unfold(&self, contexts: &[Context], key: Key) -> (Option<Key>, Key) {
        let held = key.held - KeyModifiers::ALT;
        if held == key.held || self.action(contexts, key).is_some() {
            (None, key)
        } else {
            (Some(Key::plain(KeyCode::Esc)), Key { held, ..key })
        }
    }
}

#[cfg(test)]
mod tests;
