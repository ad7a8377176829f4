//! `tableside keys`: the keys as they stand, the user's own among them.

use serde_json::{Value as Json, json};

use super::App;
use super::error::CliError;
use super::output::Ink;
use crate::screen::action::Context;
use crate::screen::keymap::{Binding, Keymap};
use crate::text::width;

/// The widest column of keys.
const WIDEST: usize = 24;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// As one JSON document
    #[arg(long)]
    json: bool,
}

/// Lists every key of every place. A mistake in the user's file is an error that names it.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let usual = Keymap::default();
    let keymap = app.keymap()?;
    let is_own = |place: Context, binding: &Binding| !usual.bindings(place).contains(binding);
    if args.json {
        let places = Context::ALL.iter().flat_map(|place| {
            let bindings = keymap.bindings(*place).iter();
            let rows = bindings.map(|binding| {
                let keys: Vec<String> = binding.keys.iter().map(|key| key.label(true)).collect();
                json!({
                    "place": place.name(),
                    "action": binding.action.name(),
                    "keys": keys,
                    "does": binding.action.describe(),
                    "own": is_own(*place, binding),
                })
            });
            rows.collect::<Vec<Json>>()
        });
        return app.out.json(&places.collect::<Vec<Json>>());
    }
    let mut first = true;
    for place in Context::ALL {
        let rows: Vec<(String, &Binding)> = keymap
            .bindings(*place)
            .iter()
            .map(|binding| (labels(binding), binding))
            .collect();
        if rows.is_empty() {
            continue;
        }
        if !std::mem::take(&mut first) {
            app.out.line("")?;
        }
        let title = format!("[{}]", place.name());
        let words = format!("  to {}", place.describe());
        app.out
            .inked(&[(Ink::Strong, &title), (Ink::Faint, &words)])?;
        let column = rows.iter().map(|(keys, _)| width(keys)).max().unwrap_or(0);
        let column = column.min(WIDEST);
        for (keys, binding) in rows {
            let gap = " ".repeat(column.saturating_sub(width(&keys)));
            let own = if is_own(*place, binding) {
                "  (yours)"
            } else {
                ""
            };
            let line = format!("  {keys}{gap}  {}", binding.action.describe());
            let name = format!("  {}", binding.action.name());
            app.out
                .inked(&[(Ink::Plain, &line), (Ink::Faint, &name), (Ink::Strong, own)])?;
        }
    }
    app.out.line("")?;
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
