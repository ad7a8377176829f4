//! `tableside systems`: the rule systems, their checks and house rules, from their descriptions.

use serde_json::{Map, Value as Json, json};

use super::check_args::check_named;
use super::new::system_named;
use super::output::{Ink, Output, object};
use super::{App, CliError};
use crate::dice::Die;
use crate::rules::{CheckSpec, Field, HouseRule, Kind, Options, Preset, System, SystemSpec, Value};
use crate::text::width;

/// Columns of a line; more is hard to read.
const COLUMNS: usize = 80;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    system: Option<String>,
    check: Option<String>,
    /// As one JSON document
    #[arg(long)]
    json: bool,
}

/// Describes systems, one system, or one check.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let as_json = args.json;
    let out = &mut app.out;
    let Some(system) = args.system.as_deref() else {
        let specs = || System::ALL.into_iter().map(System::spec);
        if as_json {
            return out.json(&specs().map(system_json).collect::<Vec<_>>());
        }
        return specs().try_for_each(|spec| list_system(out, spec));
    };
    let system = system_named(system)?;
    match args.check.as_deref() {
        None if as_json => out.json(&system_json(system.spec())),
        None => tell_system(out, system.spec()),
        Some(check) => {
            let check = check_named(system, check)?;
            if as_json {
                out.json(&object([
                    json!({"system": system.spec().id}),
                    check_json(check),
                ]))
            } else {
                tell_check(out, check)
            }
        }
    }
}

fn list_system(out: &mut Output<'_>, spec: &SystemSpec) -> Result<(), CliError> {
    let checks: Vec<&str> = spec.checks.iter().map(|check| check.id).collect();
    out.inked(&[
        (Ink::Strong, &format!("{:22}", spec.id)),
        (Ink::Plain, &checks.join(", ")),
    ])
}

fn tell_system(out: &mut Output<'_>, spec: &SystemSpec) -> Result<(), CliError> {
    out.inked(&[(Ink::Strong, spec.name)])?;
    heading(out, "Checks")?;
    for check in spec.checks {
        entry(out, check.id, check.help)?;
    }
    heading(out, "House rules (--rule ID=VALUE)")?;
    for rule in spec.house {
        entry(out, rule.id, rule.question)?;
        match rule.options {
            Options::Number { min, max, default } => {
                let range = format!("{min} to {max}; {default} unless the table decides otherwise");
                paragraph(out, "      ", &range)?;
            }
            Options::Words(words) => {
                for (index, (word, reading)) in words.iter().enumerate() {
                    let usual = if index == 0 { " (the default)" } else { "" };
                    paragraph(out, "      ", &format!("{word}{usual}: {reading}"))?;
                }
            }
        }
        paragraph(out, "      ", &format!("[{}] {}", rule.from, rule.page))?;
    }
    Ok(())
}

fn tell_check(out: &mut Output<'_>, check: &CheckSpec) -> Result<(), CliError> {
    let name = format!("{}, {}", check.system.spec().name, check.label);
    out.inked(&[(Ink::Strong, &name)])?;
    paragraph(out, "", check.help)?;
    heading(out, "Fields")?;
    for field in check.fields {
        let default = match field.preset_value() {
            Some(Value::Text(text)) if text.is_empty() => String::new(),
            Some(Value::Flag(_)) => String::new(),
            Some(value) => format!(" [{value}]"),
            None if field.preset == Preset::Required => " (needed)".to_owned(),
            None => String::new(),
        };
        let mut about = format!(
            "{}{default}: {}.",
            field.describe(),
            field.help.trim_end_matches('.')
        );
        if !field.names.is_empty() {
            let names = field.names.iter();
            let names: Vec<String> = names
                .map(|(number, name)| format!("{number} {name}"))
                .collect();
            about.push(' ');
            about.push_str(&names.join(", "));
            about.push('.');
        }
        entry(out, &format!("--{}", field.id), &about)?;
    }
    if !check.choices.is_empty() {
        heading(out, "Choices (--choose VALUE)")?;
    }
    for choice in check.choices {
        let about = if choice.answers.is_empty() {
            choice.help.to_owned()
        } else {
            format!("{}. {}", choice.answers.join(" or "), choice.help)
        };
        entry(out, choice.id, &about)?;
    }
    heading(out, "Outcomes")?;
    for outcome in check.outcomes {
        let success = match (check.has_success, outcome.success) {
            (true, true) => " (a success)",
            (true, false) | (false, _) => "",
        };
        entry(out, outcome.id, &format!("{}{success}", outcome.label))?;
    }
    Ok(())
}

fn heading(out: &mut Output<'_>, title: &str) -> Result<(), CliError> {
    out.line("")?;
    out.inked(&[(Ink::Strong, title)])
}

/// A name and its description, indented.
fn entry(out: &mut Output<'_>, name: &str, about: &str) -> Result<(), CliError> {
    out.inked(&[(Ink::Strong, &format!("  {name}"))])?;
    paragraph(out, "      ", about)
}

/// A text in lines that are not too long, each behind the same indent.
fn paragraph(out: &mut Output<'_>, indent: &str, text: &str) -> Result<(), CliError> {
    let mut line = indent.to_owned();
    for word in text.split_whitespace() {
        if width(&line) + 1 + width(word) > COLUMNS && line.len() > indent.len() {
            out.line(&line)?;
            indent.clone_into(&mut line);
        }
        if line.len() > indent.len() {
            line.push(' ');
        }
        line.push_str(word);
    }
    out.line(&line)
}

fn system_json(spec: &SystemSpec) -> Json {
    let checks = spec.checks.iter();
    let checks = checks.map(|check| check_json(check));
    let rules = spec.house.iter().map(house_json);
    json!({
        "system": spec.id,
        "name": spec.name,
        "gm": spec.gm,
        "checks": checks.collect::<Vec<_>>(),
        "house-rules": rules.collect::<Vec<_>>(),
    })
}

fn check_json(check: &CheckSpec) -> Json {
    let fields: Vec<Json> = check.fields.iter().map(field_json).collect();
    let choices = check
        .choices
        .iter()
        .map(|choice| json!({"choice": choice.id, "answers": choice.answers, "help": choice.help}));
    let outcomes = check.outcomes.iter().map(|outcome| {
        let success = check
            .has_success
            .then(|| json!({"success": outcome.success}));
        object([
            json!({"outcome": outcome.id, "label": outcome.label}),
            success.unwrap_or_default(),
        ])
    });
    json!({
        "check": check.id,
        "label": check.label,
        "help": check.help,
        "fields": fields,
        "choices": choices.collect::<Vec<_>>(),
        "outcomes": outcomes.collect::<Vec<_>>(),
    })
}

fn field_json(field: &Field) -> Json {
    let (kind, range) = match field.kind {
        Kind::Die => {
            let dice = Die::LADDER.iter().map(|die| die.name());
            ("die", json!({"values": dice.collect::<Vec<_>>()}))
        }
        Kind::Number { min, max } => ("number", json!({"min": min, "max": max})),
        Kind::Flag => ("flag", Json::Null),
        Kind::Word(words) => ("word", json!({"values": words})),
        Kind::Text | Kind::Ranks { .. } => ("text", Json::Null),
    };
    let names = field.names.iter();
    let names: Map<String, Json> = names
        .map(|(number, name)| (number.to_string(), json!(name)))
        .collect();
    let names = (!names.is_empty()).then(|| json!({"names": names}));
    object([
        json!({"field": field.id, "label": field.label, "kind": kind}),
        range,
        json!({
            "required": field.preset == Preset::Required,
            "default": field.preset_value(),
            "help": field.help,
        }),
        names.unwrap_or_default(),
    ])
}

fn house_json(rule: &HouseRule) -> Json {
    let values = match rule.options {
        Options::Words(words) => {
            let values = words.iter();
            let values = values.map(|(value, reading)| json!({"value": value, "reading": reading}));
            json!({"values": values.collect::<Vec<_>>()})
        }
        Options::Number { min, max, .. } => json!({"min": min, "max": max}),
    };
    object([
        json!({"rule": rule.id, "question": rule.question}),
        values,
        json!({"default": rule.default_value(), "from": rule.from, "page": rule.page}),
    ])
}
