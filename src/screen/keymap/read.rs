//! Reads `keys.toml`, the program's own and the user's.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Binding, KeymapError};
use crate::screen::action::{Action, Context};
use crate::screen::input::Key;
use crate::text;

/// The bindings of each context, in the order of [`Context::ALL`].
type Places = Vec<Vec<Binding>>;

/// Reads the program's own file, where every name is known to be right: its lines are
/// `[place]` and `action = "key"` or `action = ["key", …]`, in a tenth of the time that TOML takes.
pub(super) fn defaults(text: &str) -> Places {
    let mut places = vec![Vec::new(); Context::ALL.len()];
    let mut place = None;
    for line in text.lines() {
        let line = line.trim_start();
        if let Some((name, _)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            place = position(name).and_then(|place| places.get_mut(place));
        } else if let (Some(place), Some((name, keys))) = (&mut place, line.split_once(" = "))
            && let Some(action) = Action::named(name)
        {
            // Every second piece stands between quotation marks.
            let keys = keys.split('"').skip(1).step_by(2);
            place.push(Binding {
                action,
                keys: keys.filter_map(|key| key.parse().ok()).collect(),
            });
        }
    }
    places
}

/// Reads a user's file over the default bindings.
pub(super) fn apply(text: &str, places: &mut Places) -> Result<(), KeymapError> {
    let wrong = |span: Range<usize>, message: String| {
        let before = text.bytes().take(span.start);
        let line = 1 + before.filter(|byte| *byte == b'\n').count();
        KeymapError(format!(", line {line}: {message}"))
    };
    let file = DeTable::parse(text).map_err(|error| {
        let message = error.message().to_owned();
        wrong(error.span().unwrap_or_default(), message)
    })?;
    for (section, actions) in file.get_ref() {
        let name = section.get_ref().as_ref();
        let place =
            position(name).and_then(|at| Some((Context::ALL.get(at)?, places.get_mut(at)?)));
        let Some((context, bindings)) = place else {
            let hint = hint(name, Context::ALL.iter().map(|context| context.name()));
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
            let mut known = bindings.iter_mut();
            let Some(binding) = known.find(|binding| binding.action.name() == name) else {
                let known = bindings.iter().map(|binding| binding.action.name());
                let hint = elsewhere(name).unwrap_or_else(|| hint(name, known));
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

fn position(name: &str) -> Option<usize> {
    Context::ALL
        .iter()
        .position(|context| context.name() == name)
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
    let action = Action::named(name)?;
    let places = defaults(super::DEFAULTS);
    let home = Context::ALL
        .iter()
        .zip(&places)
        .find(|(_, bindings)| bindings.iter().any(|binding| binding.action == action));
    home.map(|(context, _)| format!("it belongs to [{context}]"))
}

fn hint<'a>(typed: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    match text::nearest(typed, known.clone()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("there are {}", known.collect::<Vec<_>>().join(", ")),
    }
}
