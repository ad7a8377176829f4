//! `tableside keys`: the keys as they stand, the user's own among them.

use super::App;
use super::error::CliError;
use super::output::Ink;
use crate::screen::action::Context;
use crate::screen::keymap::{Binding, Keymap};

/// Lists every key of every place. A mistake in the user's file is an error that names it.
pub(super) fn run(app: &mut App<'_>) -> Result<(), CliError> {
    let usual = Keymap::default();
    let keymap = app.keymap()?;
    for place in Context::ALL {
        let bindings = keymap.bindings(*place);
        if bindings.is_empty() {
            continue;
        }
        let title = format!("[{}]  to {}", place.name(), place.describe());
        app.out.inked(&[(Ink::Strong, &title)])?;
        let rows = bindings.iter().map(|binding| {
            let is_own = !usual.bindings(*place).contains(binding);
            let own = if is_own { "  (yours)" } else { "" };
            let (does, name) = (binding.action.describe(), binding.action.name());
            (labels(binding), format!("{does}  {name}{own}"))
        });
        app.out.columns(&rows.collect::<Vec<_>>())?;
        app.out.line("")?;
    }
    app.out.line(&match app.config.keys_file() {
        Some(path) => format!("Keys of your own go into {}.", path.display()),
        None => "There is no home folder to keep keys of your own in.".to_owned(),
    })
}

fn labels(binding: &Binding) -> String {
    if binding.keys.is_empty() {
        return "none".to_owned();
    }
    let labels: Vec<String> = binding.keys.iter().map(|key| key.label(true)).collect();
    labels.join(" ")
}
