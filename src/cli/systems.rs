//! `tableside systems`: the rule systems, their checks and house rules, from their descriptions.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json, json};

use super::find_system::all_systems;
use super::odds::outcomes_json;
use super::roll_args::describe_field;
use super::{App, CliError, Ink, Output, object, pluralise};
use crate::config::SystemFile;
use tableside_dice::{Die, Fraction, percent};
use tableside_rules::{
    CheckSpec, Field, Fields, HouseRule, HouseRules, Kind, Odds, Policy, RuleError, System,
    SystemSpec,
};
use tableside_store::write_text;
use tableside_text::join;

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Args {
    /// The system, or its file
    system: Option<String>,
    check: Option<String>,
    /// As one JSON document
    #[arg(long)]
    json: bool,
    /// Prints the file of the system
    #[arg(long, requires = "system", conflicts_with_all = ["json", "check"])]
    toml: bool,
    /// Their names alone
    #[arg(long, conflicts_with_all = ["json", "system"])]
    names: bool,
    #[command(subcommand)]
    of_file: Option<OfFile>,
}

/// What is done with files.
#[derive(Debug, clap::Subcommand)]
enum OfFile {
    /// Names every fault of a system's file, or sums it up with its odds
    Check {
        /// The system's file
        file: PathBuf,
        /// As one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Begins a system: ID.toml in this folder, a copy to change
    New {
        /// The name of the new system
        id: String,
        /// The system that it is a copy of
        #[arg(long)]
        like: String,
    },
}

/// Describes systems, one system, or one check; or does something with a file.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    match &args.of_file {
        Some(OfFile::Check { file, json }) => return check_file(app, file, *json),
        Some(OfFile::New { id, like }) => return begin(app, id, like),
        None => {}
    }
    let system = args.system.as_deref();
    let system = system.map(|named| app.system(named)).transpose()?;
    let check = system.zip(args.check.as_deref());
    let check = check.map(|(system, check)| system.check(check));
    let out = &mut app.out;
    match (system, check.transpose()?) {
        (None, _) => list_systems(app, args),
        (Some(system), _) if args.toml => out.verbatim(system.text()),
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

/// Lists all, with where they come from. A file with faults stays in the list and says so.
fn list_systems(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let all = all_systems(&app.config).into_iter();
    if args.names {
        return app.out.lines(all.map(|(id, _)| id));
    }
    let read = all.map(|(id, own)| {
        let from = own.as_ref().map(|own| own.path.display().to_string());
        let read = own.map(|own| own.read().map_err(|faults| faults.to_string()));
        let named = || System::named(&id, std::iter::empty()).map_err(|error| error.to_string());
        let system = read.unwrap_or_else(named);
        (id, from.unwrap_or_else(|| "shipped".to_owned()), system)
    });
    if args.json {
        let all = read.map(|(id, from, found)| {
            let from = json!({"from": from});
            match found {
                Ok(system) => object([system_json(system.spec()), from]),
                Err(faults) => {
                    let faults: Vec<&str> = faults.lines().collect();
                    object([json!({"system": id}), from, json!({"faults": faults})])
                }
            }
        });
        return app.out.json(&all.collect::<Vec<_>>());
    }
    let rows = read.map(|(id, from, found)| match found {
        Ok(system) => (id, format!("{}  ({from})", system.check_ids().join(", "))),
        Err(faults) => {
            let count = pluralise(faults.lines().count(), "fault");
            let named = format!("`tableside systems check {from}` names them");
            (id, format!("broken, {count}; {named}  ({from})"))
        }
    });
    app.out.columns(&rows.collect::<Vec<_>>())
}

/// Sums a file up: what it has, and the odds of each check at its presets.
fn check_file(app: &mut App<'_>, file: &Path, json: bool) -> Result<(), CliError> {
    let system = SystemFile::new(file.to_path_buf()).read()?;
    let spec = system.spec();
    let odds = |check: &'static CheckSpec| -> Result<Vec<(String, Fraction)>, String> {
        let fields = Fields::presets(check);
        fields.complete().map_err(|error| match error {
            RuleError::Missing(missing) => {
                let names = join(missing.iter().map(|value| value.id), ", ");
                format!("{names} must be given")
            }
            error => error.to_string(),
        })?;
        let machine = check.prepare(&fields, &HouseRules::default());
        let machine = machine.map_err(|refused| refused.to_string())?;
        let odds = Odds::of(check, &*machine, &Policy::default());
        let odds = odds.map_err(|error| error.to_string())?;
        let outcomes = odds.outcomes.into_iter();
        let named = outcomes.map(|(id, chance)| (check.outcome(id).id.to_owned(), chance));
        Ok(named.collect())
    };
    if json {
        let checks = spec.checks.iter().map(|check| match odds(check) {
            Ok(odds) => json!({"check": check.id, "outcomes": outcomes_json(&odds)}),
            Err(why) => json!({"check": check.id, "outcomes": null, "why": why}),
        });
        return app.out.json(&json!({
            "system": spec.id,
            "name": spec.name,
            "sha256": system.sha256(),
            "stats": list(spec.stats, |stat| json!(stat.id)),
            "pools": list(spec.pools, |pool| json!(pool.id)),
            "checks": checks.collect::<Vec<_>>(),
        }));
    }
    let counts = [
        (spec.stats.len(), "stat"),
        (spec.pools.len(), "pool"),
        (spec.checks.len(), "check"),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts = join(counts.map(|(count, what)| pluralise(count, what)), ", ");
    let (id, name) = (spec.id, spec.name);
    app.out
        .line(&format!("{id}: {name}, {counts}, no faults"))?;
    let rows = spec.checks.iter().map(|check| {
        let told = odds(check).map(|odds| {
            let odds = odds.iter();
            let told = odds.map(|(outcome, chance)| format!("{outcome} {}", percent(chance)));
            join(told, ", ")
        });
        (check.id.to_owned(), told.unwrap_or_else(|why| why))
    });
    app.out.columns(&rows.collect::<Vec<_>>())
}

/// Writes the copy of a system under another name.
fn begin(app: &mut App<'_>, id: &str, like: &str) -> Result<(), CliError> {
    let is_fit = |letter: char| matches!(letter, 'a'..='z' | '0'..='9' | '-');
    if !(2..=40).contains(&id.len()) || !id.chars().all(is_fit) {
        return Err(CliError::usage(format!(
            "{id:?} is no name of a system: it is 2 to 40 of a to z, 0 to 9 and -"
        )));
    }
    let from = app.system(like)?;
    if let Some(check) = from.coded_checks().next() {
        let kept = System::shipped().filter(|system| system.is_kept());
        let kept = join(kept.map(System::id), ", ");
        let what = format!("{like} cannot be copied: its check {check} is code of the program");
        let hint = format!("begin with one of {kept}");
        return Err(CliError::failed(what).hint(hint));
    }
    let spec = from.spec();
    let mut in_head = true;
    let lines = from.text().lines().map(|line| {
        in_head &= !line.starts_with('[');
        match line.split('=').next().map(str::trim) {
            Some("id") if in_head => format!("id = \"{id}\"\n"),
            Some("name") if in_head => format!("name = \"{} (ours)\"\n", spec.name),
            _ => format!("{line}\n"),
        }
    });
    let text: String = lines.collect();
    let path = PathBuf::from(format!("{id}.toml"));
    write_text(&path, false, &text)?;
    app.out.line(&format!(
        "{id}.toml is a copy of {like} to change; `tableside systems check {id}.toml` names its faults"
    ))?;
    let Some(folder) = app.config.systems_folder() else {
        return Ok(());
    };
    app.out.line(&format!(
        "in {} it is known by its name, {id}",
        folder.display()
    ))
}

fn print_system(out: &mut Output<'_>, spec: &SystemSpec) -> Result<(), CliError> {
    out.inked(&[(Ink::Strong, spec.name)])?;
    let checks = spec.checks.iter();
    let checks = checks.map(|check| (check.id.to_owned(), vec![check.help.to_owned()]));
    out.section("Checks", checks.collect())?;
    if !spec.credit.is_empty() {
        out.paragraph("", spec.credit)?;
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
            let read = format!("{word}{usual}: {reading}");
            read.trim_end_matches(": ").to_owned()
        }));
        let origin = format!("[{}] {}", rule.from, rule.page);
        let origin = origin.trim_start_matches("[] ");
        about.extend((!origin.is_empty()).then(|| origin.to_owned()));
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
        "credit": spec.credit,
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
