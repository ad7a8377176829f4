//! The rows of a check being set up, in words.

use std::borrow::Cow;

use super::setup::{Closed, OTHERS, RowId, Setup};
use super::value;
use crate::rules::{Field, Kind, Preset, Source, Value};
use crate::screen::dialog::page::{Cell, Row};
use crate::screen::dialog::roll_summary::capital;
use crate::screen::roll_requests;
use crate::session::{Character, CharacterId};
use crate::table::SeatView;

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
pub(super) fn words(setup: &Setup, rows: &[RowId], seen: &SeatView<'_>) -> Vec<Words> {
    rows.iter().map(|row| word(setup, row, seen)).collect()
}

/// What every row is called.
pub(super) fn labels(setup: &Setup, rows: &[RowId], seen: &SeatView<'_>) -> Vec<Cow<'static, str>> {
    let words = words(setup, rows, seen).into_iter();
    words.map(|words| words.label).collect()
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

fn word(setup: &Setup, row: &RowId, seen: &SeatView<'_>) -> Words {
    match row {
        RowId::Who => {
            let who = setup.who.and_then(|id| seen.character(id));
            let player = who.map_or(String::new(), |who| who.player.clone());
            if let Some(group) = &setup.group {
                let name = roll_requests::group_name(seen.system(), group.kind).to_owned();
                let found = who.filter(|_| !group.why.is_empty());
                return plain("Who", name, found.map_or("", |who| &who.name).to_owned());
            }
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
            None if *id == OTHERS => plain("  others", String::new(), String::new()),
            // The faces of dice that are missing.
            None => plain("Missing dice", String::new(), "empty: rolled".to_owned()),
        },
        RowId::Answer(place) => answer(setup, *place),
        RowId::Helpers => helpers(setup, seen),
        RowId::Helper(id) => helper(setup, *id, seen),
        RowId::Clock => clock(setup, seen),
        RowId::Closed => closed(setup, seen),
        RowId::Noticed => {
            let value = if setup.noticed {
                "that something is rolled"
            } else {
                "nothing of it"
            };
            plain("They see", value.to_owned(), String::new())
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

/// A row with nothing wrong with it.
fn plain(label: &'static str, value: String, beside: String) -> Words {
    Words {
        label: label.into(),
        value,
        beside,
        problem: None,
        quiet: false,
    }
}

fn answer(setup: &Setup, place: usize) -> Words {
    let again = setup.again.as_ref();
    let question = again.and_then(|again| again.questions.get(place));
    let option = question.and_then(|question| question.options.get(question.chose));
    let choice = question.map_or("", |question| question.choice);
    Words {
        label: capital(choice).into(),
        value: option.map_or_else(String::new, |option| option.label.clone()),
        beside: String::new(),
        problem: None,
        quiet: false,
    }
}

fn helpers(setup: &Setup, seen: &SeatView<'_>) -> Words {
    let helping = setup.helping();
    let helpers: Vec<&Character> = helping
        .iter()
        .filter_map(|id| seen.character(*id))
        .collect();
    let names: Vec<&str> = helpers.iter().map(|one| one.name.as_str()).collect();
    let in_vain = match helpers.as_slice() {
        [one] if setup.group.is_none() => seen.helps_in_vain(&setup.filled, one),
        _ => None,
    };
    let (label, nobody) = match setup.group {
        Some(_) => ("The others", "on their own"),
        None => ("Helpers", "nobody"),
    };
    match names.as_slice() {
        [] => Words {
            quiet: true,
            ..plain(label, nobody.to_owned(), String::new())
        },
        [one] => plain(label, (*one).to_owned(), in_vain.unwrap_or_default()),
        names => plain(label, names.len().to_string(), names.join(", ")),
    }
}

fn helper(setup: &Setup, id: CharacterId, seen: &SeatView<'_>) -> Words {
    let one = seen.character(id);
    let in_vain = one
        .filter(|_| setup.group.is_none() && setup.helpers.contains(&id))
        .and_then(|one| seen.helps_in_vain(&setup.filled, one));
    let (does, value) = match &setup.group {
        Some(group) if group.has(id) => (true, "takes part"),
        Some(_) => (false, "stays out"),
        None if setup.helpers.contains(&id) => (true, "helps"),
        None => (false, "no"),
    };
    Words {
        label: format!("  {}", one.map_or("", |one| &one.name)).into(),
        value: value.to_owned(),
        beside: in_vain.unwrap_or_else(|| one.map_or_else(String::new, |one| one.player.clone())),
        problem: None,
        quiet: !does,
    }
}

fn clock(setup: &Setup, seen: &SeatView<'_>) -> Words {
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

fn closed(setup: &Setup, seen: &SeatView<'_>) -> Words {
    let hidden = setup.hidden_from();
    let (value, beside) = match &setup.closed {
        Closed::Open => ("everybody".to_owned(), String::new()),
        Closed::All => {
            let gm = seen.system().spec().gm;
            (format!("the {gm} alone"), String::new())
        }
        Closed::To(_) if hidden.is_empty() => ("not all".to_owned(), "choose below".to_owned()),
        Closed::To(_) => {
            let beside = format!("hidden from {}", hidden.join(", "));
            ("not all".to_owned(), beside)
        }
    };
    Words {
        quiet: setup.closed == Closed::Open,
        ..plain("Seen by", value, beside)
    }
}

fn field_words(setup: &Setup, field: &'static Field, seen: &SeatView<'_>) -> Words {
    let value = setup.fields().value(field.id);
    let shown = match (value, field.kind) {
        (None, _) => match field.preset {
            Preset::House(rule) => seen.house().number(rule).to_string(),
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
fn beside(
    setup: &Setup,
    field: &'static Field,
    value: Option<&Value>,
    seen: &SeatView<'_>,
) -> String {
    if let Some(source) = setup.filled.source(field.id) {
        return source.to_string();
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
