//! Which key means what, and where: one table answers the key, prints the help and fills the book.

use std::ops::Range;

use rustc_hash::FxHashMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::app::action::{Action, Context};
use crate::terminal::input::{Key, KeyCode, KeyModifiers};
use tableside_text;

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

/// The bindings of each context, in the order of [`Context::ALL`].
type Places = Vec<Vec<Binding>>;

/// Every key of every place.
#[derive(Clone, Debug)]
pub struct Keymap {
    places: Places,
    actions: FxHashMap<(Context, Key), Action>,
}

/// What is wrong with a user's `keys.toml`, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("keys.toml{0}")]
pub struct KeymapError(String);

impl Default for Keymap {
    /// The keys that Tableside comes with.
    fn default() -> Self {
        Self::with_user("").expect("a test reads them")
    }
}

impl Keymap {
    /// The default keys with those of the user's file instead, where it names them.
    pub fn with_user(text: &str) -> Result<Self, KeymapError> {
        let mut places = vec![Vec::new(); Context::ALL.len()];
        apply(DEFAULTS, &mut places, true)?;
        apply(text, &mut places, false)?;
        Self::from_places(places)
    }

    fn from_places(places: Places) -> Result<Self, KeymapError> {
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

    /// The actions of a place, in the order in which the help names them, and the key line those of a tab.
    pub fn bindings(&self, context: Context) -> &[Binding] {
        &self.places[context as usize]
    }

    /// The keys that lead to an action from these places; those that a nearer place takes away are
    /// left out, and letters where letters are text.
    pub fn keys_for(&self, action: Action, contexts: &[Context]) -> Vec<Key> {
        let is_text = contexts.contains(&Context::Field);
        let all = contexts.iter().flat_map(|context| self.bindings(*context));
        let own = all.filter(|binding| binding.action == action);
        own.flat_map(|binding| binding.keys.iter().copied())
            .filter(|key| self.action(contexts, *key) == Some(action))
            .filter(|key| !is_text || key.letter().is_none())
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

/// Reads a file over these bindings; the program's own makes them.
fn apply(text: &str, places: &mut Places, is_own: bool) -> Result<(), KeymapError> {
    let wrong = |span: Range<usize>, message: String| {
        let line = tableside_text::line_number(text, span.start);
        KeymapError(format!(", line {line}: {message}"))
    };
    let file = DeTable::parse(text).map_err(|error| {
        let message = error.message().to_owned();
        wrong(error.span().unwrap_or_default(), message)
    })?;
    for (section, actions) in file.get_ref() {
        let name = section.get_ref().as_ref();
        let mut all = Context::ALL.iter().zip(places.iter_mut());
        let place = all.find(|(context, _)| context.into_str() == name);
        let Some((context, bindings)) = place else {
            let hint =
                tableside_text::suggest_or_list(name, Context::ALL.iter().map(Context::into_str));
            let message = format!("there is no place `[{name}]`; {hint}");
            return Err(wrong(section.span(), message));
        };
        let DeValue::Table(actions) = actions.get_ref() else {
            let message =
                format!("`{name}` is a place: write it as [{name}], and its actions below");
            return Err(wrong(section.span(), message));
        };
        for (action, keys) in actions {
            let name = action.get_ref().as_ref();
            if let Some(action) = name.parse().ok().filter(|_| is_own) {
                let keys = Vec::new();
                bindings.push(Binding { action, keys });
            }
            let mut known = bindings.iter_mut();
            let Some(binding) = known.find(|binding| binding.action.into_str() == name) else {
                let known = bindings.iter().map(|binding| binding.action.into_str());
                let hint =
                    elsewhere(name).unwrap_or_else(|| tableside_text::suggest_or_list(name, known));
                let message = format!("`{name}` is no action of [{context}]; {hint}");
                return Err(wrong(action.span(), message));
            };
            binding.keys = read_keys(keys).map_err(|problem| {
                wrong(action.span(), format!("{name} in [{context}]: {problem}"))
            })?;
        }
    }
    Ok(())
}

fn read_keys(value: &Spanned<DeValue<'_>>) -> Result<Vec<Key>, String> {
    let read = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
        DeValue::String(name) => name.parse::<Key>().map_err(|error| error.to_string()),
        _ => Err("a key is written in quotation marks, such as \"x\" or \"ctrl-r\"".to_owned()),
    };
    match value.get_ref() {
        DeValue::Array(keys) => keys.iter().map(read).collect(),
        _ => Ok(vec![read(value)?]),
    }
}

/// Where an action belongs that was named in the wrong place.
fn elsewhere(name: &str) -> Option<String> {
    let action: Action = name.parse().ok()?;
    let defaults = Keymap::default();
    let has = |context: &&Context| {
        let mut known = defaults.bindings(**context).iter();
        known.any(|binding| binding.action == action)
    };
    let home = Context::ALL.iter().find(has);
    home.map(|context| format!("it belongs to [{context}]"))
}

#[cfg(test)]
mod tests;
