//! The theme that was asked for, and where the one chosen on the screen is kept.

use super::error::CliError;
use crate::config::Config;
use crate::screen::Memory;
use crate::screen::theme::Theme;
use crate::text::nearest;

/// The theme that was asked for, else the one chosen last, else the dark one. A theme chosen earlier that is
/// gone is a notice, no error.
pub(super) fn theme(config: &Config, notices: &mut Vec<String>) -> Result<Theme, CliError> {
    if let Some(name) = &config.theme {
        return named(config, name);
    }
    let kept = config.kept_theme().map_err(CliError::from);
    let theme = kept.and_then(|name| name.map(|name| named(config, &name)).transpose());
    match theme {
        Ok(theme) => Ok(theme.unwrap_or_default()),
        Err(CliError::Said(error)) => {
            notices.push(error.what);
            Ok(Theme::default())
        }
        Err(error) => Err(error),
    }
}

/// One of the user's own themes, else one of those that came along.
fn named(config: &Config, name: &str) -> Result<Theme, CliError> {
    if let Some(text) = config.user_theme(name)? {
        return read(&text, name).map_err(CliError::failed);
    }
    Theme::named(name).ok_or_else(|| {
        let what = format!("there is no theme {name:?}");
        CliError::usage(match nearest(name, Theme::names()) {
            Some(near) => format!("{what}; did you mean {near}?"),
            None => {
                let names: Vec<&str> = Theme::names().collect();
                let names = names.join(", ");
                format!(
                    "{what}; there are {names}, and yours in the folder themes beside keys.toml"
                )
            }
        })
    })
}

fn read(text: &str, name: &str) -> Result<Theme, String> {
    let theme = Theme::parse(text, &format!("themes/{name}.toml"));
    theme
        .map(|theme| theme.called(name))
        .map_err(|error| error.to_string())
}

/// Keeps what was chosen on a screen in the user's own files.
#[derive(Debug)]
pub(super) struct Keeper(pub(super) Config);

impl Memory for Keeper {
    fn themes(&self) -> Vec<(String, Result<Theme, String>)> {
        let names = self.0.user_themes().into_iter();
        let themes = names.map(|name| {
            let theme = match self.0.user_theme(&name) {
                Ok(text) => read(&text.unwrap_or_default(), &name),
                Err(error) => Err(error.to_string()),
            };
            (name, theme)
        });
        themes.collect()
    }

    fn was_greeted(&self) -> bool {
        // Where that cannot be kept, three lines too many do no harm.
        self.0.was_greeted().unwrap_or_default()
    }

    fn keep_theme(&self, name: &str) -> Result<(), String> {
        self.0.keep_theme(name).map_err(|error| error.to_string())
    }
}
