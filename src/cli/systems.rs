//! `tableside systems`: the rule systems, their checks and house rules, from their descriptions.

use serde_json::{Map, Value as Json, json};

use super::roll_args::describe_field;
use super::{App, CliError, Ink, Output, object};
use crate::dice::Die;
use crate::rules::{CheckSpec, Field, HouseRule, Kind, System, SystemSpec};

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
    let out = &mut app.out;
    let system: Option<System> = args.system.as_deref().map(str::parse).transpose()?;
    let check = system.zip(args.check.as_deref());
    let check = check.map(|(system, check)| system.check(check));
    match (system, check.transpose()?) {
        (None, _) if args.json => {
            let all = System::shipped().map(|system| system_json(system.spec()));
            out.json(&all.collect::<Vec<_>>())
        }
        (None, _) => {
            let row = |system: System| (system.id().to_owned(), checks(system).join(", "));
            out.columns(&System::shipped().map(row).collect::<Vec<_>>())
        }
        (Some(system), None) if args.json => out.json(&system_json(system.spec())),
        (Some(system), None) => print_system(out, system.spec()),
        (Some(system), Some(check)) if args.json => {
            let spec = system.spec();
            let rules = json!({"house-rules": list(spec.house, house_json)});
            out.json(&object([
                json!({"system": spec.id}),
                check_json(check),
                rules,
            ]))
        }
        (Some(_), Some(check)) => print_check(out, check),
    }
}

pub(super) fn checks(system: System) -> Vec<&'static str> {
    system.spec().checks.iter().map(|check| check.id).collect()
}

fn print_system(out: &mut Output<'_>, spec: &SystemSpec) -> Result<(), CliError> {
    out.inked(&[(Ink::Strong, spec.name)])?;
    let checks = spec.checks.iter();
    let checks = checks.map(|check| (check.id.to_owned(), vec![check.help.to_owned()]));
    out.section("Checks", checks.collect())?;
    if !spec.credit.is_empty() {
        out.section(
            "Credit",
            vec![(String::new(), vec![spec.credit.to_owned()])],
        )?;
    }
    print_house_rules(out, spec)
}

fn print_house_rules(out: &mut Output<'_>, spec: &SystemSpec) -> Result<(), CliError> {
    let rules = spec.house.iter().map(|rule| {
        let mut about = vec![rule.question.to_owned()];
        if let Kind::Number { min, max } = rule.kind() {
            let default = rule.default_value();
            about.push(format!(
                "{min} to {max}; {default} unless the table decides otherwise"
            ));
        }
        about.extend(rule.words().enumerate().map(|(index, (word, reading))| {
            let usual = if index == 0 { " (the default)" } else { "" };
            format!("{word}{usual}: {reading}")
        }));
        about.push(format!("[{}] {}", rule.from, rule.page));
        (rule.id.to_owned(), about)
    });
    out.section("House rules (--rule ID=VALUE)", rules.collect())
}

fn print_check(out: &mut Output<'_>, check: &CheckSpec) -> Result<(), CliError> {
    let name = format!("{}, {}", check.system.spec().name, check.label);
    out.inked(&[(Ink::Strong, &name)])?;
    out.paragraph("", check.help)?;
    let fields = check.fields.iter();
    let fields = fields.map(|field| (format!("--{}", field.id), vec![describe_field(field)]));
    out.section("Fields", fields.collect())?;
    let choices = check.choices.iter().map(|choice| {
        let answers = match choice.answers {
            [] => choice.written.to_owned(),
            answers => answers.join(" or "),
        };
        (
            choice.id.to_owned(),
            vec![format!("{answers}. {}", choice.help)],
        )
    });
    out.section("Choices (--choose VALUE)", choices.collect())?;
    let outcomes = check.outcomes.iter().map(|outcome| {
        let is_success = check.has_success && outcome.success;
        let success = if is_success { " (a success)" } else { "" };
        let about = format!("{}{success}", outcome.label);
        (outcome.id.to_owned(), vec![about])
    });
    out.section("Outcomes", outcomes.collect())?;
    print_house_rules(out, check.system.spec())
}

fn system_json(spec: &SystemSpec) -> Json {
    json!({
        "system": spec.id,
        "name": spec.name,
        "gm": spec.gm,
        "checks": list(spec.checks, |check| check_json(check)),
        "house-rules": list(spec.house, house_json),
    })
}

fn list<T>(all: &[T], one: impl Fn(&T) -> Json) -> Vec<Json> {
    all.iter().map(one).collect()
}

fn check_json(check: &CheckSpec) -> Json {
    json!({
        "check": check.id,
        "label": check.label,
        "help": check.help,
        "fields": list(check.fields, field_json),
        "choices": list(check.choices, |choice| {
            json!({"choice": choice.id, "answers": choice.answers, "written": choice.written, "help": choice.help})
        }),
        "outcomes": list(check.outcomes, |outcome| {
            let success = check.has_success.then(|| json!({"success": outcome.success}));
            let names = json!({"outcome": outcome.id, "label": outcome.label});
            object([names, success.unwrap_or_default()])
        }),
    })
}

fn field_json(field: &Field) -> Json {
    let (kind, range) = match field.kind {
        Kind::Die => ("die", json!({"values": Die::LADDER})),
        Kind::Number { min, max } => ("number", json!({"min": min, "max": max})),
        Kind::Flag => ("flag", Json::Null),
        Kind::Word(words) => ("word", json!({"values": words})),
        Kind::Text | Kind::Ranks { .. } => ("text", Json::Null),
    };
    let names = field.names.iter();
    let names = names.map(|(number, name)| (number.to_string(), json!(name)));
    let names: Map<String, Json> = names.collect();
    let names = (!names.is_empty()).then(|| json!({"names": names}));
    object([
        json!({"field": field.id, "label": field.label, "kind": kind}),
        range,
        json!({
            "required": field.is_required(),
            "default": field.start,
            "help": field.help,
        }),
        names.unwrap_or_default(),
    ])
}

fn house_json(rule: &HouseRule) -> Json {
    let values = if let Kind::Number { min, max } = rule.kind() {
        json!({"min": min, "max": max})
    } else {
        let values = rule.words();
        let values = values.map(|(value, reading)| json!({"value": value, "reading": reading}));
        json!({"values": values.collect::<Vec<_>>()})
    };
    object([
        json!({"rule": rule.id, "question": rule.question}),
        values,
        json!({"default": rule.default_value(), "from": rule.from, "page": rule.page}),
    ])
}
