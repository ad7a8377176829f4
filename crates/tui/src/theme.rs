//! Themes, which map roles to colours. Views use roles and never colours.
//!
//! Colour never carries a meaning alone: a word or a shape has the same meaning. Without colour, [`Role::weight`]
//! distinguishes the most important roles.

mod file;
mod role;

use std::sync::LazyLock;

use ratatui::style::{Color, Style};

use crate::terminal::color_depth::Depth;

pub use role::Role;

/// The built-in themes. The first one is the default.
const BUILT_IN: [(&str, &str); 9] = [
    ("dark", include_str!("../../../themes/dark.toml")),
    ("candle", include_str!("../../../themes/candle.toml")),
    ("sea", include_str!("../../../themes/sea.toml")),
    ("light", include_str!("../../../themes/light.toml")),
    ("parchment", include_str!("../../../themes/parchment.toml")),
    (
        "high-contrast",
        include_str!("../../../themes/high-contrast.toml"),
    ),
    ("okabe-ito", include_str!("../../../themes/okabe-ito.toml")),
    (
        "okabe-ito-light",
        include_str!("../../../themes/okabe-ito-light.toml"),
    ),
    ("ansi", include_str!("../../../themes/ansi.toml")),
];

/// The theme for terminals with sixteen colours. The nearest of these colours to a richer theme would not differ
/// enough.
static SIXTEEN: LazyLock<Theme> =
    LazyLock::new(|| Theme::named("ansi").expect("it comes with the program"));

/// An error in a theme file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}: {problem}")]
pub struct ThemeError {
    /// The file, as the caller named it.
    pub file: String,
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The problem, and the allowed values.
    pub problem: String,
}

/// A style for each role, on terminals of each [`Depth`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    name: String,
    description: String,
    /// The colours on terminals of each [`Depth`], in the order of its variants.
    shown: [Colors; 4],
}

/// The background, and a style for each [`Role`] in the order of [`Role::ALL`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Colors {
    ground: Option<Color>,
    styles: Vec<Style>,
}

impl Colors {
    /// Returns these colours for terminals of each depth.
    fn on_each_depth(self) -> [Self; 4] {
        let mono = Self::without_colors();
        let ansi_16 = if self.is_rich() {
            SIXTEEN.shown[Depth::Ansi16 as usize].clone()
        } else {
            self.clone()
        };
        let ansi_256 = self.with_indexed_colors();
        [mono, ansi_16, ansi_256, self]
    }

    /// Returns the weights of the roles, for terminals without colours.
    fn without_colors() -> Self {
        let styles = Role::ALL
            .iter()
            .map(|role| Style::new().add_modifier(role.weight()))
            .collect();
        Self {
            ground: None,
            styles,
        }
    }

    /// Returns true if any colour is not one of the sixteen colours of a terminal.
    fn is_rich(&self) -> bool {
        let has_rich_style = self
            .styles
            .iter()
            .any(|style| is_rich_color(style.fg) || is_rich_color(style.bg));
        has_rich_style || is_rich_color(self.ground)
    }

    /// Returns the nearest colours of the palette of 256.
    fn with_indexed_colors(&self) -> Self {
        let mut styles = self.styles.clone();
        for style in &mut styles {
            style.fg = style.fg.map(indexed);
            style.bg = style.bg.map(indexed);
        }
        Self {
            ground: self.ground.map(indexed),
            styles,
        }
    }
}

/// Returns true for a colour that is not one of the sixteen colours of a terminal.
fn is_rich_color(color: Option<Color>) -> bool {
    matches!(color, Some(Color::Rgb(..) | Color::Indexed(16..)))
}

/// Returns the nearest colour of the palette of 256.
pub(crate) fn indexed(color: Color) -> Color {
    let Color::Rgb(r, g, b) = color else {
        return color;
    };
    let nearest = anstyle_lossy::rgb_to_xterm((r, g, b).into());
    Color::Indexed(nearest.index())
}

impl Default for Theme {
    /// The dark theme.
    fn default() -> Self {
        Self::named("dark").expect("it comes with the program")
    }
}

impl Theme {
    /// Returns the built-in theme with this name.
    pub fn named(name: &str) -> Option<Self> {
        let built_in = BUILT_IN
            .iter()
            .find(|(built_in_name, _)| *built_in_name == name);
        let (_, text) = built_in?;
        Self::parse(text, name).ok()
    }

    /// The names of the built-in themes.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// Parses a theme. Errors name the `file`. Roles that the theme leaves out come from its `base`, or from the dark
    /// theme if it has no base.
    pub fn parse(text: &str, file: &str) -> Result<Self, ThemeError> {
        file::parse_theme(text).map_err(|fault| ThemeError {
            file: file.to_owned(),
            line: tableside_text::line_number(text, fault.span.start),
            problem: fault.problem,
        })
    }

    /// Renames the theme, usually after its file.
    pub fn called(self, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..self
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the description, which has one line.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Returns the style of a role on a terminal with this colour depth.
    pub fn style(&self, role: Role, depth: Depth) -> Style {
        self.shown[depth as usize].styles[role as usize]
    }

    /// Returns the style of an empty screen: normal text on the background.
    pub fn base(&self, depth: Depth) -> Style {
        let ground = Style {
            bg: self.shown[depth as usize].ground,
            ..Style::new()
        };
        ground.patch(self.style(Role::Text, depth))
    }
}

#[cfg(test)]
mod tests;
