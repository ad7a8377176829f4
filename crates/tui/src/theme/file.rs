//! Theme files.

use std::ops::Range;

use ratatui::style::{Color, Modifier, Style};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use toml::Spanned;

use super::{Role, Theme};

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

/// An error in a theme file.
pub(super) struct Fault {
    /// The position in the file, in bytes.
    pub(super) span: Range<usize>,
    pub(super) problem: String,
}

/// The named colours of a theme file.
type Palette<'a> = FxHashMap<&'a str, Color>;

pub(super) fn parse_theme(text: &str) -> Result<Theme, Fault> {
    let file: ThemeFile = toml::from_str(text).map_err(|error| Fault {
        span: error.span().unwrap_or_default(),
        problem: error.message().to_owned(),
    })?;

    let mut palette = Palette::default();
    for (name, value) in &file.palette {
        let subject = format!("palette colour `{name}`");
        let color = parse_color(value, &subject, &Palette::default())?;
        palette.insert(name, color);
    }

    let base = base_theme(&file)?;
    let [.., mut colors] = base.shown;
    colors.styles.resize(Role::ALL.len(), Style::new());
    if let Some(ground) = &file.ground {
        let color = parse_color(ground, "ground", &palette)?;
        colors.ground = Some(color);
    }
    for (name, role_style) in &file.roles {
        let role = parse_role(name)?;
        let subject = format!("role `{}`", role.into_str());
        colors.styles[role as usize] = role_style.to_style(&subject, &palette)?;
    }

    Ok(Theme {
        name: file.name.unwrap_or(base.name),
        description: file.description.unwrap_or(base.description),
        shown: colors.on_each_depth(),
    })
}

/// Returns the theme that provides the roles that the file leaves out.
fn base_theme(file: &ThemeFile) -> Result<Theme, Fault> {
    if let Some(name) = &file.base {
        return Theme::named(name.get_ref())
            .ok_or_else(|| unknown_name(name, "theme", Theme::names()));
    }

    // Built-in themes have all roles and need no base.
    let has_all_roles = file.roles.len() == Role::ALL.len();
    if has_all_roles {
        Ok(Theme {
            name: String::new(),
            description: String::new(),
            shown: Default::default(),
        })
    } else {
        Ok(Theme::default())
    }
}

fn parse_role(name: &Spanned<String>) -> Result<Role, Fault> {
    name.get_ref().parse().map_err(|_unknown| {
        let role_names = Role::ALL.iter().map(Role::into_str);
        unknown_name(name, "role", role_names)
    })
}

impl RoleStyle {
    /// Returns the style. `subject` names the role in errors.
    fn to_style(&self, subject: &str, palette: &Palette<'_>) -> Result<Style, Fault> {
        let mut style = Style::default();
        if let Some(fg) = &self.fg {
            style.fg = Some(parse_color(fg, subject, palette)?);
        }
        if let Some(bg) = &self.bg {
            style.bg = Some(parse_color(bg, subject, palette)?);
        }

        style.add_modifier.set(Modifier::BOLD, self.bold);
        style.add_modifier.set(Modifier::ITALIC, self.italic);
        style.add_modifier.set(Modifier::UNDERLINED, self.underline);
        style.add_modifier.set(Modifier::DIM, self.dim);
        style.add_modifier.set(Modifier::REVERSED, self.reverse);
        style.add_modifier.set(Modifier::CROSSED_OUT, self.strike);
        Ok(style)
    }
}

fn parse_color(
    value: &Spanned<String>,
    subject: &str,
    palette: &Palette<'_>,
) -> Result<Color, Fault> {
    let text = value.get_ref().as_str();
    if text == "terminal" {
        return Ok(Color::Reset);
    }
    if let Some(color) = palette.get(text) {
        return Ok(*color);
    }

    text.parse().map_err(|_not_a_color| Fault {
        span: value.span(),
        problem: format!(
            "{subject}: `{text}` is no colour; write \"#rrggbb\", \"terminal\" for the terminal's own, one of its \
             sixteen such as \"bright-red\", or a name from [palette]"
        ),
    })
}

fn unknown_name<'a>(
    name: &Spanned<String>,
    kind: &str,
    known_names: impl Iterator<Item = &'a str> + Clone,
) -> Fault {
    let text = name.get_ref();
    let hint = tableside_text::suggest_or_list(text, known_names);
    Fault {
        span: name.span(),
        problem: format!("there is no {kind} `{text}`; {hint}"),
    }
}
