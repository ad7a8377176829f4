//! The bindings of keys to actions in each context. The screen, the help and the book read the same table.

mod key_names;

use std::ops::Range;

use rustc_hash::FxHashMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::app::action::{Action, Context};
use crate::terminal::input::{Key, KeyCode, KeyModifiers};
use tableside_text::suggest_or_list;

pub use self::key_names::KeyNames;

/// The default bindings.
const DEFAULTS: &str = include_str!("keys.toml");

/// An action of a context with its keys, in the order of `keys.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    pub action: Action,
    /// The keys. Empty if only the palette can run the action.
    pub keys: Vec<Key>,
}

/// The bindings of each context, in the order of [`Context::ALL`].
type ContextBindings = Vec<Vec<Binding>>;

/// The bindings of all contexts.
#[derive(Clone, Debug)]
pub struct Keymap {
    bindings: ContextBindings,
    actions: FxHashMap<(Context, Key), Action>,
}

/// A mistake in a user's `keys.toml`, with its line and a suggestion.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("keys.toml{0}")]
pub struct KeymapError(String);

impl Default for Keymap {
    fn default() -> Self {
        Self::with_user("").expect("a test reads the default bindings")
    }
}

impl Keymap {
    /// Replaces the default keys of the actions that the user's file names.
    pub fn with_user(text: &str) -> Result<Self, KeymapError> {
        let mut bindings = vec![Vec::new(); Context::ALL.len()];
        read_file(DEFAULTS, &mut bindings, Source::Defaults)?;
        read_file(text, &mut bindings, Source::User)?;
        Self::from_bindings(bindings)
    }

    /// Builds the map from keys to actions. A key with two actions in the same context is an error.
    fn from_bindings(bindings: ContextBindings) -> Result<Self, KeymapError> {
        let mut actions = FxHashMap::default();
        for (context, context_bindings) in Context::ALL.iter().zip(&bindings) {
            for binding in context_bindings {
                for key in &binding.keys {
                    let action = binding.action;
                    let other_action = actions.insert((*context, *key), action);
                    if let Some(other_action) = other_action
                        && other_action != action
                    {
                        return Err(KeymapError(format!(
                            ": in [{context}] `{key}` would mean both {other_action} and {action}; give one of them \
                             another key, or [] for none"
                        )));
                    }
                }
            }
        }
        Ok(Self { bindings, actions })
    }

    /// Returns the action of a key in the first of these contexts that binds it. See [`Context::chain`].
    pub fn action(&self, contexts: &[Context], key: Key) -> Option<Action> {
        contexts
            .iter()
            .find_map(|context| self.actions.get(&(*context, key)).copied())
    }

    /// The bindings of a context. The help and the line of keys use their order.
    pub fn bindings(&self, context: Context) -> &[Binding] {
        &self.bindings[context as usize]
    }

    /// Returns the keys of an action in these contexts.
    ///
    /// Leaves out keys that an earlier context binds to another action, and letters in a text field.
    pub fn keys_for(&self, action: Action, contexts: &[Context]) -> Vec<Key> {
        let is_text_field = contexts.contains(&Context::Field);
        contexts
            .iter()
            .flat_map(|context| self.bindings(*context))
            .filter(|binding| binding.action == action)
            .flat_map(|binding| binding.keys.iter().copied())
            .filter(|key| self.action(contexts, *key) == Some(action))
            .filter(|key| !is_text_field || key.letter().is_none())
            .collect()
    }

    /// Splits a key with Alt into Escape and the key without Alt, unless the key is bound to an action.
    ///
    /// Terminals send the same bytes for both, and on a slow connection Escape and the next key can arrive together.
    pub fn unfold(&self, contexts: &[Context], key: Key) -> (Option<Key>, Key) {
        let has_alt = key.held.contains(KeyModifiers::ALT);
        if !has_alt || self.action(contexts, key).is_some() {
            return (None, key);
        }

        let key_without_alt = Key {
            held: key.held - KeyModifiers::ALT,
            ..key
        };
        (Some(Key::plain(KeyCode::Esc)), key_without_alt)
    }
}

/// The origin of a `keys.toml`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The program's own file, which defines the bindings.
    Defaults,
    /// The user's file, which may only change the keys of existing bindings.
    User,
}

/// Reads a `keys.toml` and adds its keys to the bindings.
fn read_file(
    text: &str,
    bindings: &mut ContextBindings,
    source: Source,
) -> Result<(), KeymapError> {
    let file = DeTable::parse(text).map_err(|error| {
        let span = error.span().unwrap_or_default();
        error_at(text, span, error.message())
    })?;

    for (section, actions) in file.get_ref() {
        let name = section.get_ref().as_ref();
        let Some(context) = context_named(name) else {
            let names = Context::ALL.iter().map(Context::into_str);
            let hint = suggest_or_list(name, names);
            let message = format!("there is no section `[{name}]`; {hint}");
            return Err(error_at(text, section.span(), &message));
        };
        let DeValue::Table(actions) = actions.get_ref() else {
            let message =
                format!("`{name}` is a section: write it as [{name}], with its actions below");
            return Err(error_at(text, section.span(), &message));
        };
        let context_bindings = &mut bindings[context as usize];
        read_context(text, context, actions, context_bindings, source)?;
    }
    Ok(())
}

/// Names of actions in the `keys.toml` of earlier versions, which are still read.
const FORMER_NAMES: [(&str, Action); 2] =
    [("strike", Action::UndoEntry), ("closed", Action::Hidden)];

/// Reads the keys of the actions of a context.
fn read_context(
    text: &str,
    context: Context,
    actions: &DeTable<'_>,
    bindings: &mut Vec<Binding>,
    source: Source,
) -> Result<(), KeymapError> {
    for (action, keys) in actions {
        let name = action.get_ref().as_ref();
        if source == Source::Defaults
            && let Ok(action) = name.parse()
        {
            bindings.push(Binding {
                action,
                keys: Vec::new(),
            });
        }

        let current_name = match FORMER_NAMES.iter().find(|(former, _)| *former == name) {
            Some((_, action)) => action.into_str(),
            None => name,
        };
        let place = bindings
            .iter()
            .position(|binding| binding.action.into_str() == current_name);
        let Some(place) = place else {
            let message = unknown_action(name, context, bindings);
            return Err(error_at(text, action.span(), &message));
        };
        bindings[place].keys = read_keys(keys).map_err(|problem| {
            let message = format!("{name} in [{context}]: {problem}");
            error_at(text, action.span(), &message)
        })?;
    }
    Ok(())
}

/// Reads one key or a list of keys.
fn read_keys(value: &Spanned<DeValue<'_>>) -> Result<Vec<Key>, String> {
    match value.get_ref() {
        DeValue::Array(keys) => keys.iter().map(read_key).collect(),
        _ => Ok(vec![read_key(value)?]),
    }
}

fn read_key(value: &Spanned<DeValue<'_>>) -> Result<Key, String> {
    match value.get_ref() {
        DeValue::String(name) => name.parse::<Key>().map_err(|error| error.to_string()),
        _ => Err("a key is written in quotation marks, such as \"x\" or \"ctrl-r\"".to_owned()),
    }
}

fn context_named(name: &str) -> Option<Context> {
    Context::ALL
        .iter()
        .copied()
        .find(|context| context.into_str() == name)
}

fn error_at(text: &str, span: Range<usize>, message: &str) -> KeymapError {
    let line = tableside_text::line_number(text, span.start);
    KeymapError(format!(", line {line}: {message}"))
}

/// The message for an action that the context does not have.
fn unknown_action(name: &str, context: Context, bindings: &[Binding]) -> String {
    let hint = match context_of_action(name) {
        Some(other_context) => format!("it belongs to [{other_context}]"),
        None => {
            let names = bindings.iter().map(|binding| binding.action.into_str());
            suggest_or_list(name, names)
        }
    };
    format!("`{name}` is no action of [{context}]; {hint}")
}

/// Returns the first context that lists an action by default.
fn context_of_action(name: &str) -> Option<Context> {
    let action: Action = name.parse().ok()?;
    let defaults = Keymap::default();
    Context::ALL.iter().copied().find(|context| {
        let mut bindings = defaults.bindings(*context).iter();
        bindings.any(|binding| binding.action == action)
    })
}

#[cfg(test)]
mod tests;
