//! `tableside systems`: the rule systems, their checks and house rules, from their descriptions.

use clap::ArgMatches;
use serde_json::{Map, Value as Json, json};

use super::new::system_named;
use super::output::{Ink, Output};
use super::{CliError, Desk};
use crate::dice::Die;
use crate::rules::{
    CheckSpec, Field, HouseRule, Kind, Options, OutcomeSpec, Preset, System, SystemSpec, Value,
};
use crate::text::width;

/// Columns of a line; more is hard to read.
const COLUMNS: usize = 80;

/// Describes systems, one system, or one check.
pub(super) fn run(desk: &mut Desk<'_>, matches: &ArgMatches) -> Result<(), CliError> {
    let one = |id| matches.get_one::<String>(id).map(String::as_str);
    let as_json = matches.get_flag("json");
    let out = &mut desk.out;
    let Some(system) = one("system") else {
        let specs = || System::ALL.into_iter().map(System::spec);
        if as_json {
            return out.json(&specs().map(system_json).collect::<Vec<_>>());
        }
        return specs().try_for_each(|spec| list_system(out, spec));
    };
    let system = system_named(system)?;
    match one("check") {
        None if as_json => out.json(&system_json(system.spec())),
        None => tell_system(out, system.spec()),
        Some(check) => {
            let check = system.check(check)?;
            if as_json {
                let mut document = Map::new();
                document.insert("system".into(), json!(system.spec().id));
                document.extend(check_json(check));
                out.json(&document)
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

/// A name, and what is said of it, indented.
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
    let checks = checks.map(|check| Json::Object(check_json(check)));
    let rules = spec.house.iter().map(house_json);
    json!({
        "system": spec.id,
        "name": spec.name,
        "gm": spec.gm,
        "checks": checks.collect::<Vec<_>>(),
        "house-rules": rules.collect::<Vec<_>>(),
    })
}

fn check_json(check: &CheckSpec) -> Map<String, Json> {
    let mut shown = Map::new();
    shown.insert("check".into(), json!(check.id));
    shown.insert("label".into(), json!(check.label));
    shown.insert("help".into(), json!(check.help));
    shown.insert(
        "fields".into(),
        check.fields.iter().map(field_json).collect(),
    );
    let choices = check
        .choices
        .iter()
        .map(|choice| json!({"choice": choice.id, "answers": choice.answers, "help": choice.help}));
    shown.insert("choices".into(), choices.collect());
    let outcomes = check.outcomes.iter();
    let outcomes = outcomes.map(|outcome| outcome_json(check, outcome));
    shown.insert("outcomes".into(), outcomes.collect());
    shown
}

fn outcome_json(check: &CheckSpec, outcome: &OutcomeSpec) -> Json {
    let mut shown = Map::new();
    shown.insert("outcome".into(), json!(outcome.id));
    shown.insert("label".into(), json!(outcome.label));
    if check.has_success {
        shown.insert("success".into(), json!(outcome.success));
    }
    Json::Object(shown)
}

fn field_json(field: &Field) -> Json {
    let mut shown = Map::new();
    shown.insert("field".into(), json!(field.id));
    shown.insert("label".into(), json!(field.label));
    let kind = match field.kind {
        Kind::Die => "die",
        Kind::Number { .. } => "number",
        Kind::Flag => "flag",
        Kind::Word(_) => "word",
        Kind::Text => "text",
    };
    shown.insert("kind".into(), json!(kind));
    match field.kind {
        Kind::Die => {
            let dice: Vec<&str> = Die::LADDER.iter().map(|die| die.name()).collect();
            shown.insert("values".into(), json!(dice));
        }
        Kind::Number { min, max } => {
            shown.insert("min".into(), json!(min));
            shown.insert("max".into(), json!(max));
        }
        Kind::Word(words) => {
            shown.insert("values".into(), json!(words));
        }
        Kind::Flag | Kind::Text => {}
    }
    shown.insert("required".into(), json!(field.preset == Preset::Required));
    shown.insert("default".into(), json!(field.preset_value()));
    shown.insert("help".into(), json!(field.help));
    if !field.names.is_empty() {
        let names = field.names.iter();
        let names = names.map(|(number, name)| (number.to_string(), json!(name)));
        shown.insert("names".into(), Json::Object(names.collect()));
    }
    Json::Object(shown)
}

fn house_json(rule: &HouseRule) -> Json {
    let mut shown = Map::new();
    shown.insert("rule".into(), json!(rule.id));
    shown.insert("question".into(), json!(rule.question));
    match rule.options {
        Options::Words(words) => {
            let values = words.iter();
            let values = values.map(|(value, reading)| json!({"value": value, "reading": reading}));
            shown.insert("values".into(), values.collect());
        }
        Options::Number { min, max, .. } => {
            shown.insert("min".into(), json!(min));
            shown.insert("max".into(), json!(max));
        }
    }
    shown.insert("default".into(), json!(rule.default_value()));
    shown.insert("from".into(), json!(rule.from));
    shown.insert("page".into(), json!(rule.page));
    Json::Object(shown)
}
