//! Themes, which map roles to colours. Views use roles and never colours.
//!
//! Colour never carries a meaning alone: a word or a shape has the same meaning. Without colour, [`Role::weight`]
//! distinguishes the most important roles.

mod role;

use std::ops::Range;
use std::sync::LazyLock;

use ratatui::style::{Color, Modifier, Style};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use toml::Spanned;

use crate::terminal::color_depth::Depth;
use tableside_text;

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

/// The theme for terminals with sixteen colours. The nearest colours of a richer theme would not differ enough.
static SIXTEEN: LazyLock<Theme> =
    LazyLock::new(|| Theme::named("ansi").expect("it comes with the program"));

/// An error in a theme file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}: {problem}")]
pub struct ThemeError {
    /// The file, as the caller named it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The problem, and what is allowed instead.
    pub problem: String,
}

/// A style for each role, on terminals of each [`Depth`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    name: String,
    description: String,
    /// In the order of the depths.
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
        let weights = Role::ALL.iter();
        let weights = weights.map(|role| Style::new().add_modifier(role.weight()));
        let mono = Self {
            ground: None,
            styles: weights.collect(),
        };
        let all = self.styles.iter().flat_map(|style| [style.fg, style.bg]);
        let mut all = all.chain([self.ground]).flatten();
        let is_rich = all.any(|color| matches!(color, Color::Rgb(..) | Color::Indexed(16..)));
        let sixteen = if is_rich {
            SIXTEEN.shown[Depth::Ansi16 as usize].clone()
        } else {
            self.clone()
        };
        let styles = self.styles.iter().map(|style| Style {
            fg: style.fg.map(indexed),
            bg: style.bg.map(indexed),
            ..*style
        });
        let of_256 = Self {
            ground: self.ground.map(indexed),
            styles: styles.collect(),
        };
        [mono, sixteen, of_256, self]
    }
}

/// Returns the nearest colour of the palette of 256.
fn indexed(color: Color) -> Color {
    match color {
        Color::Rgb(r, g, b) => {
            Color::Indexed(anstyle_lossy::rgb_to_xterm((r, g, b).into()).index())
        }
        color => color,
    }
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
        let (name, text) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
        Self::parse(text, name).ok()
    }

    /// The names of the built-in themes.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// Parses a theme. Errors name the `file`. Roles that the theme leaves out come from its `base`, or from the dark
    /// theme if it has no base.
    pub fn parse(text: &str, file: &str) -> Result<Self, ThemeError> {
        let read = toml::from_str(text)
            .map_err(|error| (error.span().unwrap_or_default(), error.message().to_owned()));
        let read = read.and_then(|file| theme(&file));
        read.map_err(|(at, problem)| ThemeError {
            file: file.to_owned(),
            line: tableside_text::line_number(text, at.start),
            problem,
        })
    }

    /// Renames the theme, usually after its file.
    pub fn called(self, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..self
        }
    }

    /// Returns the name of the theme.
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

/// The contents of a theme file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ThemeFile {
    name: Option<String>,
    description: Option<String>,
    base: Option<Spanned<String>>,
    ground: Option<Spanned<String>>,
    #[serde(default)]
    palette: FxHashMap<String, Spanned<String>>,
    #[serde(default)]
    roles: FxHashMap<Spanned<String>, RoleStyle>,
}

/// The style of a role in a theme file.
#[derive(Default, Deserialize)]
#[serde(
    deny_unknown_fields,
    default,
    expecting = "a style such as { fg = \"#d8d5cc\", bold = true }"
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the file")]
struct RoleStyle {
    fg: Option<Spanned<String>>,
    bg: Option<Spanned<String>>,
    bold: bool,
    italic: bool,
    underline: bool,
    dim: bool,
    reverse: bool,
    strike: bool,
}

/// The position of an error in the file, and its description.
type Fault = (Range<usize>, String);

/// The named colours of a theme file.
type Palette<'a> = FxHashMap<&'a str, Color>;

fn theme(file: &ThemeFile) -> Result<Theme, Fault> {
    let mut palette = Palette::default();
    for (name, value) in &file.palette {
        let what = format!("palette colour `{name}`");
        palette.insert(name, color(value, &what, &Palette::default())?);
    }
    let base = match &file.base {
        // Built-in themes have all roles and need no base.
        None if file.roles.len() == Role::ALL.len() => Theme {
            name: String::new(),
            description: String::new(),
            shown: Default::default(),
        },
        None => Theme::default(),
        Some(base) => {
            Theme::named(base.get_ref()).ok_or_else(|| unknown(base, "theme", Theme::names()))?
        }
    };
    let [.., mut colors] = base.shown;
    colors.styles.resize(Role::ALL.len(), Style::new());
    if let Some(ground) = &file.ground {
        colors.ground = Some(color(ground, "ground", &palette)?);
    }
    for (name, parts) in &file.roles {
        let known = || unknown(name, "role", Role::ALL.iter().map(Role::into_str));
        let role = name.get_ref().parse::<Role>().map_err(|_unknown| known())?;
        colors.styles[role as usize] =
            style(parts, &format!("role `{}`", role.into_str()), &palette)?;
    }
    Ok(Theme {
        name: file.name.clone().unwrap_or(base.name),
        description: file.description.clone().unwrap_or(base.description),
        shown: colors.on_each_depth(),
    })
}

fn style(parts: &RoleStyle, what: &str, palette: &Palette<'_>) -> Result<Style, Fault> {
    let color = |value: &Option<Spanned<String>>| {
        let value = value.as_ref();
        value.map(|value| color(value, what, palette)).transpose()
    };
    let weights = [
        (parts.bold, Modifier::BOLD),
        (parts.italic, Modifier::ITALIC),
        (parts.underline, Modifier::UNDERLINED),
        (parts.dim, Modifier::DIM),
        (parts.reverse, Modifier::REVERSED),
        (parts.strike, Modifier::CROSSED_OUT),
    ];
    let weights = weights.into_iter().filter(|(is_set, _)| *is_set);
    Ok(Style {
        fg: color(&parts.fg)?,
        bg: color(&parts.bg)?,
        add_modifier: weights.map(|(_, weight)| weight).collect(),
        ..Style::default()
    })
}

fn color(value: &Spanned<String>, what: &str, palette: &Palette<'_>) -> Result<Color, Fault> {
    let word = value.get_ref().as_str();
    let known = match word {
        "terminal" => Some(Color::Reset),
        word => palette.get(word).copied().or_else(|| word.parse().ok()),
    };
    known.ok_or_else(|| {
        let problem = format!(
            "{what}: `{word}` is no colour; write \"#rrggbb\", \"terminal\" for the terminal's own, one of its \
             sixteen such as \"bright-red\", or a name from [palette]"
        );
        (value.span(), problem)
    })
}

fn unknown<'a>(
    name: &Spanned<String>,
    what: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Fault {
    let hint = tableside_text::suggest_or_list(name.get_ref(), known);
    let problem = format!("there is no {what} `{}`; {hint}", name.get_ref());
    (name.span(), problem)
}

#[cfg(test)]
mod tests;
