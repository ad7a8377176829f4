//! Reads a theme's file.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::style::{Color, Modifier, Style};
use rustc_hash::FxHashMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Role, Theme, ThemeError, WEIGHTS};
use crate::text;

type Value<'i> = Spanned<DeValue<'i>>;
type Entry<'a, 'i> = (&'a Spanned<Cow<'i, str>>, &'a Value<'i>);

/// The keys at the top of a theme's file.
const KEYS: [&str; 6] = ["name", "description", "base", "ground", "palette", "roles"];

/// The terminal's own colours, by number.
const SIXTEEN: [&str; 16] = [
    "black",
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "white",
    "bright-black",
    "bright-red",
    "bright-green",
    "bright-yellow",
    "bright-blue",
    "bright-magenta",
    "bright-cyan",
    "bright-white",
];

pub(super) fn parse(text: &str, file: &str) -> Result<Theme, ThemeError> {
    let fault = |at: Range<usize>, problem: String| {
        let line = 1 + text
            .bytes()
            .take(at.start)
            .filter(|byte| *byte == b'\n')
            .count();
        ThemeError {
            file: file.to_owned(),
            line,
            problem,
        }
    };
    let table = DeTable::parse(text)
        .map_err(|error| fault(error.span().unwrap_or_default(), error.message().to_owned()))?;
    let table = table.get_ref();
    for key in table.keys() {
        let name = key.get_ref().as_ref();
        if !KEYS.contains(&name) {
            let problem = format!(
                "`{name}` means nothing here; {}",
                hint(name, KEYS.into_iter())
            );
            return Err(fault(key.span(), problem));
        }
    }
    read(table).map_err(|(at, problem)| fault(at, problem))
}

/// Where a fault is, and what it is.
type Fault = (Range<usize>, String);

fn read(table: &DeTable<'_>) -> Result<Theme, Fault> {
    let mut palette = Palette::default();
    for (name, value) in section(table, "palette")? {
        let color = palette.color(value).map_err(|problem| {
            (
                value.span(),
                format!("palette colour `{}`: {problem}", name.get_ref()),
            )
        })?;
        palette.0.insert(name.get_ref().as_ref(), color);
    }
    let mut theme = base(table)?;
    if let Some(name) = words(table, "name")? {
        name.clone_into(&mut theme.name);
    }
    if let Some(description) = words(table, "description")? {
        description.clone_into(&mut theme.description);
    }
    if let Some(value) = table.get("ground") {
        let color = palette.color(value);
        theme.ground = color.map_err(|problem| (value.span(), format!("ground: {problem}")))?;
    }
    for (name, value) in section(table, "roles")? {
        let role = Role::named(name.get_ref()).ok_or_else(|| {
            let known = Role::ALL.iter().map(|role| role.name());
            let problem = format!(
                "there is no role `{0}`; {1}",
                name.get_ref(),
                hint(name.get_ref(), known)
            );
            (name.span(), problem)
        })?;
        let style = palette
            .style(value)
            .map_err(|problem| (value.span(), format!("role `{}`: {problem}", role.name())))?;
        if let Some(slot) = theme.styles.get_mut(role as usize) {
            *slot = style;
        }
    }
    Ok(theme)
}

/// The theme that fills the gaps. The built-in ones have none, and so need not be read for it.
fn base(table: &DeTable<'_>) -> Result<Theme, Fault> {
    let roles = section(table, "roles")?.count();
    match table.get("base") {
        None if roles == Role::ALL.len() => Ok(Theme::bare()),
        None => Ok(Theme::default()),
        Some(value) => {
            let name = value.get_ref().as_str().unwrap_or_default();
            Theme::named(name).ok_or_else(|| {
                let problem = format!(
                    "there is no theme `{name}` to begin with; {}",
                    hint(name, Theme::names())
                );
                (value.span(), problem)
            })
        }
    }
}

fn section<'a, 'i>(
    table: &'a DeTable<'i>,
    name: &str,
) -> Result<impl Iterator<Item = Entry<'a, 'i>> + use<'a, 'i>, Fault> {
    let entries = match table.get(name) {
        None => None,
        Some(value) => match value.get_ref() {
            DeValue::Table(entries) => Some(entries),
            _ => {
                return Err((
                    value.span(),
                    format!("`{name}` is a part of its own: write it as [{name}]"),
                ));
            }
        },
    };
    Ok(entries.into_iter().flatten())
}

fn words<'a>(table: &'a DeTable<'_>, name: &str) -> Result<Option<&'a str>, Fault> {
    let Some(value) = table.get(name) else {
        return Ok(None);
    };
    let refuse = || (value.span(), format!("{name}: write it in quotation marks"));
    value.get_ref().as_str().ok_or_else(refuse).map(Some)
}

/// Colours by the names that the file gives them.
#[derive(Default)]
struct Palette<'a>(FxHashMap<&'a str, Color>);

impl Palette<'_> {
    fn color(&self, value: &Value<'_>) -> Result<Color, String> {
        let Some(word) = value.get_ref().as_str() else {
            return Err("a colour is written in quotation marks, such as \"#d8d5cc\"".to_owned());
        };
        if word == "terminal" {
            return Ok(Color::Reset);
        }
        if let Some(color) = self.0.get(word) {
            return Ok(*color);
        }
        if let Some(index) = SIXTEEN.iter().position(|name| *name == word) {
            return Ok(Color::Indexed(u8::try_from(index).unwrap_or_default()));
        }
        let number = word.strip_prefix('#').filter(|digits| digits.len() == 6);
        match number.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(number) => Ok(Color::from_u32(number)),
            None => Err(format!(
                "`{word}` is no colour; write \"#rrggbb\", \"terminal\" for the terminal's own, one of its \
                 sixteen such as \"bright-red\", or a name from [palette]"
            )),
        }
    }

    fn style(&self, value: &Value<'_>) -> Result<Style, String> {
        let DeValue::Table(parts) = value.get_ref() else {
            return Err("write it as { fg = \"#d8d5cc\", bold = true }".to_owned());
        };
        let mut style = Style::new();
        for (part, value) in parts {
            let name = part.get_ref().as_ref();
            match name {
                "fg" => style.fg = Some(self.color(value)?),
                "bg" => style.bg = Some(self.color(value)?),
                _ => style = style.add_modifier(weight(name, value)?),
            }
        }
        Ok(style)
    }
}

fn weight(name: &str, value: &Value<'_>) -> Result<Modifier, String> {
    let Some((_, weight)) = WEIGHTS.iter().find(|(known, _)| *known == name) else {
        let known = ["fg", "bg"]
            .into_iter()
            .chain(WEIGHTS.iter().map(|(known, _)| *known));
        return Err(format!(
            "`{name}` is no part of a style; {}",
            hint(name, known)
        ));
    };
    match value.get_ref() {
        DeValue::Boolean(true) => Ok(*weight),
        DeValue::Boolean(false) => Ok(Modifier::empty()),
        _ => Err(format!("{name} is true or false")),
    }
}

fn hint<'a>(typed: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    match text::nearest(typed, known.clone()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("there are {}", known.collect::<Vec<_>>().join(", ")),
    }
}
