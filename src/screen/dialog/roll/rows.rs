//! The rows of a check being set up, in words.

use std::borrow::Cow;

use super::setup::{Closed, RowId, Setup};
use super::value;
use crate::rules::{Field, Kind, Preset, Source, Value};
use crate::screen::dialog::page::{Cell, Row};
use crate::table::Seen;

/// A row in words, kept while it is drawn.
#[derive(Clone, Debug)]
pub(super) struct Words {
    label: Cow<'static, str>,
    value: String,
    beside: String,
    problem: Option<String>,
    quiet: bool,
}

/// Every row in words.
pub(super) fn words(setup: &Setup, rows: &[RowId], seen: &Seen<'_>) -> Vec<Words> {
    rows.iter().map(|row| word(setup, row, seen)).collect()
}

/// The rows to be drawn.
pub(super) fn rows<'a>(setup: &'a Setup, ids: &[RowId], words: &'a [Words]) -> Vec<Row<'a>> {
    let both = ids.iter().zip(words);
    both.map(|(id, words)| {
        let typed = match id {
            RowId::Field(id) => setup.typed(id),
            _ => None,
        };
        let line = match id {
            RowId::Field(id) => setup.line(id),
            _ => None,
        };
        let cell = match (line, typed) {
            (Some(line), _) => Cell::Text(line, "nothing"),
            (None, Some(typed)) => Cell::Typed(typed.field()),
            (None, None) => Cell::Value(&words.value),
        };
        Row {
            beside: Cow::Borrowed(&words.beside),
            problem: words.problem.as_deref(),
            quiet: words.quiet,
            ..Row::new(words.label.as_ref(), cell)
        }
    })
    .collect()
}

fn word(setup: &Setup, row: &RowId, seen: &Seen<'_>) -> Words {
    let plain = |label: &'static str, value: String, beside: String| Words {
        label: label.into(),
        value,
        beside,
        problem: None,
        quiet: false,
    };
    match row {
        RowId::Who => {
            let who = setup.who.and_then(|id| seen.character(id));
            let player = who.map_or(String::new(), |who| who.player.clone());
            plain(
                "Who",
                who.map_or("nobody", |who| &who.name).to_owned(),
                player,
            )
        }
        RowId::Check => {
            let checks = seen.system().spec().checks;
            let at = checks.iter().position(|check| *check == setup.check);
            let beside = format!("{} of {}", at.unwrap_or(0) + 1, checks.len());
            let beside = if checks.len() > 1 {
                beside
            } else {
                String::new()
            };
            plain("Check", setup.check.label.to_owned(), beside)
        }
        RowId::Field(id) => match setup.check.field(id) {
            Some(field) => field_words(setup, field, seen),
            None => plain("", String::new(), String::new()),
        },
        RowId::Helper(id) => {
            let name = seen.character(*id).map_or("", |one| &one.name);
            let helps = setup.helpers.contains(id);
            Words {
                label: format!("  {name}").into(),
                value: if helps { "helps" } else { "no" }.to_owned(),
                beside: String::new(),
                problem: None,
                quiet: !helps,
            }
        }
        RowId::Clock => {
            let clock = setup.clock.and_then(|id| seen.clock(id));
            let beside = clock.map_or_else(String::new, |seen| {
                let of = seen.clock.segments.count();
                let filled = seen.filled.map(|filled| format!("{filled} of {of}, "));
                let does = seen.clock.kind.describe();
                filled.unwrap_or_default() + does
            });
            Words {
                quiet: clock.is_none(),
                ..plain(
                    "Clock",
                    clock.map_or("none", |seen| &seen.clock.name).to_owned(),
                    beside,
                )
            }
        }
        RowId::Closed => {
            let (value, beside) = match &setup.closed {
                Closed::Open => ("everybody", String::new()),
                Closed::All => ("the GM alone", String::new()),
                Closed::To(names) if names.is_empty() => ("not all", "choose below".to_owned()),
                Closed::To(names) => {
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    ("not all", format!("hidden from {}", names.join(", ")))
                }
            };
            Words {
                quiet: setup.closed == Closed::Open,
                ..plain("Seen by", value.to_owned(), beside)
            }
        }
        RowId::Player(name) => {
            let hidden = matches!(&setup.closed, Closed::To(names) if names.contains(name));
            Words {
                label: format!("  {name}").into(),
                value: if hidden { "does not see it" } else { "sees it" }.to_owned(),
                beside: String::new(),
                problem: None,
                quiet: !hidden,
            }
        }
    }
}

fn field_words(setup: &Setup, field: &'static Field, seen: &Seen<'_>) -> Words {
    let value = setup.fields().value(field.id);
    let shown = match (value, field.kind) {
        (None, _) => match field.preset {
            Preset::House(rule, number) => {
                let house = seen.house().number(rule).unwrap_or(number);
                house.to_string()
            }
            _ => "none".to_owned(),
        },
        (Some(Value::Text(word)), Kind::Word(_)) => word.replace('-', " "),
        (Some(value), _) => value.to_string(),
    };
    let preset = field.preset_value();
    let is_preset = value.is_none() || value == preset.as_ref();
    Words {
        label: field.label.into(),
        value: shown,
        beside: beside(setup, field, value, seen),
        problem: setup.field_problem(field.id, seen),
        quiet: is_preset && setup.filled.source(field.id).is_none(),
    }
}

/// Where a value comes from, what it is called, or how much there is of it.
fn beside(setup: &Setup, field: &'static Field, value: Option<&Value>, seen: &Seen<'_>) -> String {
    if let Some(source) = setup.filled.source(field.id) {
        return source.to_owned();
    }
    let named = match value {
        Some(Value::Number(number)) => field.name_of(*number),
        _ => None,
    };
    if let Some(name) = named {
        return name.to_owned();
    }
    let pool = field.spends.zip(setup.who);
    if let Some(pool) = pool.and_then(|(kind, who)| value::pool(kind, who, seen)) {
        return format!("of {} {}", pool.tokens.max(0), pool.name);
    }
    match (field.preset, field.source) {
        (Preset::House(..), _) if value.is_none() => "house rule".to_owned(),
        (_, Source::Ranked { .. } | Source::OneOf(_) | Source::Derived)
            if !seen.picks(setup.who, field).is_empty() && !setup.is_given(field.id) =>
        {
            "none picked".to_owned()
        }
        _ => String::new(),
    }
}
