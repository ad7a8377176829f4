//! Colours by role: what a thing is decides how it looks, and no view names a colour.
//!
//! Never by colour alone: whatever a role says, a word or a shape beside it says too, and without
//! colour [`Role::weight`] sets the few things apart that must be.

mod read;
mod role;

use std::sync::LazyLock;

use ratatui::style::{Color, Style};

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

/// What terminals of sixteen colours show in the place of a theme that has more: to bring one down would
/// lose what is told by its colours.
static SIXTEEN: LazyLock<Theme> =
    LazyLock::new(|| Theme::named("ansi").expect("it comes with the program"));

/// A style for each role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    name: String,
    description: String,
    ground: Color,
    /// One style for each [`Role`], in the order of [`Role::ALL`].
    styles: Vec<Style>,
    /// Whether it has colours beyond a terminal's own sixteen.
    is_rich: bool,
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
        Self::named("dark").expect("it comes with the program")
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
        read::parse(text, file)
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
        match depth {
            Depth::Mono => Style::new().add_modifier(role.weight()),
            depth => self.on(depth).styles[role as usize],
        }
    }

    /// What lies under everything: plain text on the ground. Paint the whole frame with it first.
    pub fn base(&self, depth: Depth) -> Style {
        match depth {
            Depth::Mono => Style::new(),
            depth => {
                let text = self.style(Role::Text, depth);
                Style::new().bg(self.on(depth).ground).patch(text)
            }
        }
    }

    /// The theme that such a terminal shows in the place of this one.
    fn on(&self, depth: Depth) -> &Self {
        if depth == Depth::Ansi16 && self.is_rich {
            &SIXTEEN
        } else {
            self
        }
    }

    /// Styles that are still to be filled in.
    fn bare() -> Self {
        Self {
            name: String::new(),
            description: String::new(),
            ground: Color::Reset,
            styles: vec![Style::new(); Role::ALL.len()],
            is_rich: false,
        }
    }
}

#[cfg(test)]
mod tests;
