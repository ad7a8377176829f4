//! The pages of reference: what stands between `<!-- of NAME -->` and `<!-- end -->` in the book is made from the
//! program's own descriptions. `BOOK_UPDATE=1 cargo test --test program book` writes it anew.

use std::fmt::Write as _;
use std::fs;

use tableside::commands::SECTIONS;
use tableside::rules::{CheckSpec, Field, HouseRule, Kind, System, Value};
use tableside::screen::app::action::Context;
use tableside::screen::app::keymap::Keymap;
use tableside::screen::theme::{Role, Theme};
use tableside::server::Limits;

use super::{anchor, is_due, pages};
use crate::machine::Machine;

/// What the program prints.
fn printed(words: &str) -> String {
    let ran = Machine::new().run(words);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words}");
    ran.out
}

/// The names that a help lists under that heading.
fn listed(help: &str, heading: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != heading).skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .collect()
}

/// The commands of the program.
pub(super) fn commands() -> impl Iterator<Item = String> {
    listed(&printed("--help"), "Commands:").into_iter()
}

/// What every command has for help, by its words; first what the program has, without any.
pub(super) fn helps() -> Vec<(String, String)> {
    let mut all = vec![(String::new(), printed("--help"))];
    for command in commands() {
        let help = printed(&format!("{command} --help"));
        let inner = listed(&help, "Commands:");
        all.push((command.clone(), help));
        // `systems new` makes what `systems check` looks at.
        for of_it in inner.iter().rev() {
            let command = format!("{command} {of_it}");
            let help = printed(&format!("{command} --help"));
            all.push((command, help));
        }
    }
    all
}

/// The same as a page; what all of them take stands at the first.
fn help_of_commands() -> String {
    let mut page = String::new();
    for (name, help) in helps() {
        let parts = help.split("\n\n");
        let parts = parts.filter(|part| name.is_empty() || !part.starts_with("Everywhere:"));
        let parts: Vec<&str> = parts.map(str::trim_end).collect();
        let help = parts.join("\n\n");
        if !name.is_empty() {
            write!(page, "\n## {name}\n\n").unwrap();
        }
        write!(page, "```text\n{help}\n```\n").unwrap();
    }
    page
}

/// What stands in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn plain_words() -> String {
    let mut page = String::new();
    for section in SECTIONS {
        let title = section.title;
        write!(page, "## {title}\n\n| command | effect |\n|---|---|\n").unwrap();
        for command in section.commands {
            let (form, help) = (cell(&command.form()), cell(command.help()));
            writeln!(page, "| `{form}` | {help} |").unwrap();
        }
        page.push('\n');
    }
    page
}

fn keys() -> String {
    let keymap = Keymap::default();
    let mut page = String::new();
    for place in Context::ALL {
        if keymap.bindings(*place).is_empty() {
            continue;
        }
        let name = place.into_str();
        write!(page, "## {}\n\nTo {}", place.label(), place.describe()).unwrap();
        write!(
            page,
            ". In `keys.toml`: `[{name}]`.\n\n| key | does | name |\n|---|---|---|\n"
        )
        .unwrap();
        for binding in keymap.bindings(*place) {
            let labels = binding.keys.iter();
            let labels: Vec<String> = labels
                .map(|key| format!("`{}`", key.label(false)))
                .collect();
            let (does, name) = (binding.action.describe(), binding.action.into_str());
            let labels = cell(&labels.join(" "));
            writeln!(page, "| {labels} | {does} | `{name}` |").unwrap();
        }
        page.push('\n');
    }
    page
}

fn systems() -> String {
    let mut page = String::from("| system | checks |\n|---|---|\n");
    for system in System::shipped() {
        let (id, name) = (system.id(), system.spec().name);
        let checks = system.spec().checks.iter();
        let checks: Vec<String> = checks.map(|check| format!("`{}`", check.id)).collect();
        let (to, checks) = (anchor(name), checks.join(", "));
        writeln!(page, "| [{name}](systems.md#{to}) (`{id}`) | {checks} |").unwrap();
    }
    page
}

fn field(field: &Field) -> String {
    let default = match &field.start {
        Some(Value::Text(text)) if text.is_empty() => String::new(),
        Some(Value::Flag(false)) => String::new(),
        Some(value) => value.to_string(),
        None if field.is_required() => "needed".to_owned(),
        None => String::new(),
    };
    let names = field.names.iter();
    let names: Vec<String> = names.map(|(at, name)| format!("{at} {name}")).collect();
    let names = if names.is_empty() {
        String::new()
    } else {
        format!(" {}.", names.join(", "))
    };
    let (id, takes, help) = (field.id, field.describe(), field.help);
    let about = cell(&format!("{help}{names}"));
    format!("| `{id}` | {takes} | {default} | {about} |\n")
}

fn check(page: &mut String, check: &CheckSpec) {
    let (system, id) = (check.system.spec().name, check.id);
    let command = format!("tableside roll {} {id}", check.system.id());
    write!(
        page,
        "### {system}: {id}\n\n{}\n\n`{command}`\n\n",
        check.help
    )
    .unwrap();
    if !check.fields.is_empty() {
        page.push_str("| field | takes | at first | is |\n|---|---|---|---|\n");
        page.extend(check.fields.iter().map(field));
        page.push('\n');
    }
    for choice in check.choices {
        let answers = match choice.answers {
            [] => choice.written.to_owned(),
            answers => answers.join(" or "),
        };
        let (id, help) = (choice.id, choice.help);
        write!(
            page,
            "The choice `{id}` (`--choose`): {answers}. {help}\n\n"
        )
        .unwrap();
    }
    let outcomes = check.outcomes.iter().map(|outcome| {
        let is_success = check.has_success && outcome.success;
        let success = if is_success { " (a success)" } else { "" };
        format!("`{}`{success}", outcome.id)
    });
    let outcomes: Vec<String> = outcomes.collect();
    write!(page, "Outcomes: {}.\n\n", outcomes.join(", ")).unwrap();
}

fn fields() -> String {
    let mut page = String::new();
    for system in System::shipped() {
        let spec = system.spec();
        write!(page, "## {}\n\n", spec.name).unwrap();
        if !spec.credit.is_empty() {
            write!(page, "{}\n\n", spec.credit).unwrap();
        }
        for one in spec.checks {
            check(&mut page, one);
        }
    }
    page
}

fn house_rule(page: &mut String, rule: &HouseRule) {
    writeln!(page, "- `{}`: {}", rule.id, rule.question).unwrap();
    if let Kind::Number { min, max } = rule.kind() {
        let start = rule.default_value();
        writeln!(page, "  - a number from {min} to {max}; at first {start}").unwrap();
    }
    for (place, (word, reading)) in rule.words().enumerate() {
        let usual = if place == 0 { " (at first)" } else { "" };
        writeln!(page, "  - `{word}`{usual}: {reading}").unwrap();
    }
    if !rule.page.is_empty() {
        writeln!(page, "  - {}", rule.page).unwrap();
    }
}

fn house_rules() -> String {
    let mut all: Vec<_> = System::shipped().map(System::spec).collect();
    // What every table decides stands once.
    let everywhere = |rule: &HouseRule| rule.from == "Table";
    let mut page = String::from("## Every system\n\n");
    for rule in all[0].house.iter().filter(|rule| everywhere(rule)) {
        house_rule(&mut page, rule);
    }
    all.retain(|spec| !spec.house.iter().all(everywhere));
    for spec in all {
        write!(page, "\n## {}\n\n", spec.name).unwrap();
        for rule in spec.house.iter().filter(|rule| !everywhere(rule)) {
            house_rule(&mut page, rule);
        }
    }
    page
}

/// The fields of a type in the source that have a comment, with their names in files and what is said of them.
fn described(file: &str, of: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(file).unwrap();
    let (_, body) = text.split_once(&format!("struct {of} {{\n")).unwrap();
    let (body, _) = body.split_once("\n}").unwrap();
    let (mut fields, mut about, mut renamed) = (Vec::new(), Vec::new(), None);
    for line in body.lines().map(str::trim) {
        if let Some(words) = line.strip_prefix("/// ") {
            about.push(words);
        } else if let Some((_, name)) = line.split_once("rename = \"") {
            renamed = name.split('"').next();
        } else if let Some((name, _)) = line.split_once(": ").filter(|_| !line.starts_with('#')) {
            let name = name.trim_start_matches("pub ").replace('_', "-");
            let name = renamed.take().map_or(name, str::to_owned);
            fields.push((name, cell(&about.join(" "))));
            about.clear();
        }
    }
    fields.retain(|(_, about)| !about.is_empty());
    assert!(!fields.is_empty(), "{file}: {of}");
    fields
}

fn settings(file: &str, of: &str) -> String {
    let mut page = String::from("| setting | is |\n|---|---|\n");
    for (name, about) in described(file, of) {
        writeln!(page, "| `{name}` | {about} |").unwrap();
    }
    page
}

fn limits() -> String {
    let usual = toml::Table::try_from(Limits::default()).unwrap();
    let mut page = String::from("| limit | at first | is |\n|---|---|---|\n");
    for (name, about) in described("crates/server/src/access.rs", "Limits") {
        writeln!(page, "| `{name}` | {} | {about} |", usual[&name]).unwrap();
    }
    page
}

fn themes() -> String {
    let names: Vec<String> = Theme::names().map(|name| format!("`{name}`")).collect();
    format!("{}\n", names.join(", "))
}

fn roles() -> String {
    let source = fs::read_to_string("crates/tui/src/theme/role.rs").unwrap();
    let lines = source.lines().filter(|line| line.ends_with("\";"));
    let about = lines.map(|line| line.split('"').nth(1).unwrap());
    let mut page = String::from("| role | is |\n|---|---|\n");
    for (role, about) in Role::ALL.iter().zip(about) {
        writeln!(page, "| `{}` | {about} |", role.into_str()).unwrap();
    }
    page
}

fn part(name: &str) -> String {
    match name {
        "commands" => help_of_commands(),
        "plain words" => plain_words(),
        "keys" => keys(),
        "systems" => systems(),
        "fields" => fields(),
        "house rules" => house_rules(),
        "config.toml" => settings("src/config.rs", "Chosen"),
        "limits" => limits(),
        "players" => settings("crates/server/src/access.rs", "Players"),
        "watchers" => settings("crates/server/src/access.rs", "Watchers"),
        "seat" => settings("crates/server/src/access.rs", "SeatEntry"),
        "hooks.toml" => settings("src/cli/hooks.rs", "Hook"),
        "table" => settings("crates/game/src/random_table/file.rs", "TableFile"),
        "rows" => settings("crates/game/src/random_table/file.rs", "RowFile"),
        "themes" => themes(),
        "roles" => roles(),
        _ => panic!("nothing is known of {name:?}"),
    }
}

#[test]
fn the_pages_of_reference_are_those_of_the_program() {
    let mut parts = 0;
    for page in pages() {
        let found = fs::read_to_string(&page).unwrap();
        let mut pieces = found.split("<!-- of ");
        let mut due = pieces.next().unwrap().to_owned();
        for piece in pieces {
            let (name, rest) = piece.split_once(" -->\n").unwrap();
            let (_, after) = rest.split_once("<!-- end -->").unwrap();
            let made = part(name);
            let made = made.trim_end();
            write!(due, "<!-- of {name} -->\n\n{made}\n\n<!-- end -->{after}").unwrap();
            parts += 1;
        }
        is_due(&page, &found, &due);
    }
    assert!(parts > 9, "{parts} parts");
}
