//! Reads a theme's file.

use std::ops::Range;

use ratatui::style::{Color, Modifier, Style};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use toml::Spanned;

use super::{Role, Theme, ThemeError};
use crate::text;

/// A theme as it is written.
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

/// How a role looks, as it is written.
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

/// Where a fault is, and what it is.
type Fault = (Range<usize>, String);

/// Colours by the names that the file gives them.
type Palette<'a> = FxHashMap<&'a str, Color>;

pub(super) fn parse(text: &str, file: &str) -> Result<Theme, ThemeError> {
    let read = toml::from_str(text)
        .map_err(|error| (error.span().unwrap_or_default(), error.message().to_owned()));
    read.and_then(|file| theme(&file)).map_err(|(at, problem)| {
        let before = text.bytes().take(at.start);
        ThemeError {
            file: file.to_owned(),
            line: 1 + before.filter(|byte| *byte == b'\n').count(),
            problem,
        }
    })
}

fn theme(file: &ThemeFile) -> Result<Theme, Fault> {
    let mut palette = Palette::default();
    for (name, value) in &file.palette {
        let what = format!("palette colour `{name}`");
        palette.insert(name, color(value, &what, &Palette::default())?);
    }
    let mut theme = match &file.base {
        // The built-in ones name every role.
        None if file.roles.len() == Role::ALL.len() => Theme::bare(),
        None => Theme::default(),
        Some(base) => {
            Theme::named(base.get_ref()).ok_or_else(|| unknown(base, "theme", Theme::names()))?
        }
    };
    theme.name = file.name.clone().unwrap_or(theme.name);
    theme.description = file.description.clone().unwrap_or(theme.description);
    if let Some(ground) = &file.ground {
        theme.ground = color(ground, "ground", &palette)?;
    }
    for (name, parts) in &file.roles {
        let known = || unknown(name, "role", Role::ALL.iter().map(|role| role.name()));
        let role = Role::named(name.get_ref()).ok_or_else(known)?;
        theme.styles[role as usize] = style(parts, &format!("role `{}`", role.name()), &palette)?;
    }
    let colors = theme.styles.iter().flat_map(|style| [style.fg, style.bg]);
    let mut colors = colors.flatten().chain([theme.ground]);
    theme.is_rich = colors.any(|color| matches!(color, Color::Rgb(..) | Color::Indexed(16..)));
    Ok(theme)
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
    let hint = match text::nearest(name.get_ref(), known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", known.collect::<Vec<_>>().join(", ")),
    };
    let problem = format!("there is no {what} `{}`; {hint}", name.get_ref());
    (name.span(), problem)
}
