//! Colours by role: what a thing is decides how it looks, and no view names a colour.
//!
//! Never by colour alone: whatever a role says, a word or a shape beside it says too, and without
//! colour [`Role::weight`] sets the few things apart that must be.

mod few;
mod read;
mod role;

use ratatui::style::{Color, Modifier, Style};

use super::color_depth::Depth;

pub use role::Role;

/// The themes that Tableside comes with, the first one first.
const BUILT_IN: [(&str, &str); 9] = [
    ("dark", include_str!("../../themes/dark.toml")),
    ("candle", include_str!("../../themes/candle.toml")),
    ("sea", include_str!("../../themes/sea.toml")),
    ("light", include_str!("../../themes/light.toml")),
    ("parchment", include_str!("../../themes/parchment.toml")),
    (
        "high-contrast",
        include_str!("../../themes/high-contrast.toml"),
    ),
    ("okabe-ito", include_str!("../../themes/okabe-ito.toml")),
    (
        "okabe-ito-light",
        include_str!("../../themes/okabe-ito-light.toml"),
    ),
    ("ansi", include_str!("../../themes/ansi.toml")),
];

/// A style for each role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    name: String,
    description: String,
    ground: Color,
    /// One style for each [`Role`], in the order of [`Role::ALL`].
    styles: Vec<Style>,
    /// The same brought down to sixteen colours.
    few: Vec<Style>,
}

/// What is wrong with a theme's file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}: {problem}")]
pub struct ThemeError {
    /// The file, as the caller named it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub problem: String,
}

impl Default for Theme {
    /// The dark theme.
    fn default() -> Self {
        Self::named("dark").unwrap_or_else(Self::bare)
    }
}

impl Theme {
    /// The built-in theme of that name.
    pub fn named(name: &str) -> Option<Self> {
        let (name, text) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
        Self::parse(text, name).ok()
    }

    /// The names of the built-in themes.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// Reads a theme; `file` is how an error names it. A role that it leaves out looks as in the
    /// theme that it names as its `base`, or in the dark one.
    pub fn parse(text: &str, file: &str) -> Result<Self, ThemeError> {
        let theme = read::parse(text, file)?;
        Ok(theme.brought_down())
    }

    /// The same theme under another name: that of its file, by which people call it.
    #[must_use]
    pub fn called(self, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..self
        }
    }

    /// The name in the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A line about it.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// How a role looks on a terminal that shows so many colours.
    pub fn style(&self, role: Role, depth: Depth) -> Style {
        let styles = match depth {
            Depth::Mono => return Style::new().add_modifier(role.weight()),
            Depth::Ansi16 => &self.few,
            Depth::Ansi256 | Depth::True => &self.styles,
        };
        styles.get(role as usize).copied().unwrap_or_default()
    }

    /// What lies under everything: plain text on the ground. Paint the whole frame with it first.
    pub fn base(&self, depth: Depth) -> Style {
        match depth {
            Depth::Mono => Style::new(),
            Depth::Ansi16 | Depth::Ansi256 | Depth::True => Style::new()
                .bg(self.ground)
                .patch(self.style(Role::Text, depth)),
        }
    }

    /// The terminal's own colours, with weights for what matters.
    fn bare() -> Self {
        let styles: Vec<Style> = Role::ALL
            .iter()
            .map(|role| Style::new().add_modifier(role.weight()))
            .collect();
        let (name, description) = ("bare".to_owned(), "the terminal's own colours".to_owned());
        Self {
            name,
            description,
            ground: Color::Reset,
            few: styles.clone(),
            styles,
        }
    }
}

/// The weights that a theme's file may ask for.
const WEIGHTS: [(&str, Modifier); 6] = [
    ("bold", Modifier::BOLD),
    ("italic", Modifier::ITALIC),
    ("underline", Modifier::UNDERLINED),
    ("dim", Modifier::DIM),
    ("reverse", Modifier::REVERSED),
    ("strike", Modifier::CROSSED_OUT),
];

#[cfg(test)]
mod tests;
