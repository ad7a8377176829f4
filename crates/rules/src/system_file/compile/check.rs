//! Compiles the description of a check.

use super::declarations::Declarations;
use super::scope::{CheckScope, is_reserved, name_in_expressions};
use crate::permanent::{keep, keep_list};
use crate::system_file::read::{TomlTable, TomlValue, unknown_name};
use crate::{
    CheckSpec, ChoiceSpec, Field, HelpEffect, Helping, Kind, OutcomeSpec, SharedConsequences,
    System, Value,
};

const MAX_FIELDS: usize = 32;

/// The options of the commands `roll` and `odds`. Fields are options of these commands too, so no field may have such an id.
const COMMAND_OPTIONS: [&str; 13] = [
    "help", "faces", "choose", "clock", "rule", "game", "as", "seed", "json", "ascii", "data",
    "theme", "database",
];

pub(super) fn check(
    table: &TomlTable<'_>,
    declared: &Declarations<'_>,
    system: System,
) -> CheckSpec {
    let field_tables = table.tables("field");
    table.check_count("fields", field_tables.len(), MAX_FIELDS);
    let fields = fields(&field_tables, declared);
    let are_all_compiled = fields.len() == field_tables.len();
    let default_helping = helping_of_field(&fields);

    let scope = CheckScope::new(declared, fields);
    scope.is_partial.set(!are_all_compiled);
    let has_steps = table.get("step").is_some();
    let compiled = scope.compile_steps(table, &field_tables);
    let check_id = table.text("id").unwrap_or_default();
    let bearing = declared
        .conditions
        .iter()
        .map(|condition| {
            let effects = condition.effects.iter();
            effects
                .map(|effect| scope.bearing(effect, check_id))
                .collect()
        })
        .collect();
    let fields = scope.fields.take();
    let target = table.get("target").map(TomlValue::field_value);
    let target_id = target.as_ref().and_then(Value::text);
    let target_field = fields.iter().find(|field| Some(field.id) == target_id);
    let target_short = target_field.map_or("", |field| field.short);

    let mut choices = compiled.choices;
    for choice in table.tables("choice") {
        choices.push(ChoiceSpec {
            id: choice.text_or_empty("id"),
            answers: choice.texts("answers"),
            written: choice.text_or_empty("written"),
            help: choice.text_or_empty("help"),
        });
    }

    for example in table.tables("example") {
        let known_fields = if are_all_compiled {
            Some(fields.as_slice())
        } else {
            None
        };
        check_example(&example, known_fields, &compiled.outcomes);
    }

    let id = table.id();
    let helping = table.table("helping").and_then(|table| helping(&table));
    let has_success = table.get("has_success").and_then(TomlValue::flag);
    CheckSpec {
        system,
        id,
        label: table.label(id),
        target_short,
        shown: keep_list(words_of_values(table)),
        deed: table.text_or_empty("deed"),
        help: table.text_or_empty("help"),
        has_success: has_success.unwrap_or(true),
        explodes: table.flag("explodes"),
        rolls_under: table.flag("rolls_under"),
        success_after: table.text("success_after"),
        helping: helping.or(default_helping),
        fields: keep_list(fields),
        choices: keep_list(choices),
        outcomes: keep_list(compiled.outcomes),
        program: if has_steps {
            Some(keep(compiled.program))
        } else {
            None
        },
        bearing,
    }
}

fn fields(tables: &[TomlTable<'_>], declared: &Declarations<'_>) -> Vec<Field> {
    let mut fields = Vec::new();
    for table in tables {
        let Some(field) = Field::compile(table, declared) else {
            continue;
        };

        let name = name_in_expressions(field.id);
        if is_reserved(&name) || COMMAND_OPTIONS.contains(&field.id) {
            table.fault(format!(
                "the id {} is reserved; choose another id for this field",
                field.id
            ));
        }
        fields.push(field);
    }
    validate_needed_fields(tables, &fields);
    fields
}

/// Logs a fault for each field that needs an unknown number.
fn validate_needed_fields(tables: &[TomlTable<'_>], fields: &[Field]) {
    let numbers: Vec<&str> = fields
        .iter()
        .filter(|field| matches!(field.kind, Kind::Number { .. }))
        .map(|field| field.id)
        .collect();
    for table in tables {
        if let Some(needed) = table.get("needs") {
            needed.name_among("unknown field with a number", &numbers);
        }
    }
}

/// Returns how others help if a field counts helpers.
fn helping_of_field(fields: &[Field]) -> Option<Helping> {
    let field = fields.iter().find(|field| field.counts_helpers)?;
    Some(Helping {
        brings: HelpEffect::Count(field.id),
        acts: false,
        shares: SharedConsequences::Nothing,
        help: field.help,
    })
}

/// Compiles `[check.helping]`.
fn helping(table: &TomlTable<'_>) -> Option<Helping> {
    let brings = table.require("brings")?;
    let effect = if brings.is_table() {
        field_of_helpers(&brings.table("brings")?)?
    } else {
        brings.meaning(&[("skill", HelpEffect::Skill), ("told", HelpEffect::Told)])?
    };

    Some(Helping {
        brings: effect,
        acts: table.flag("acts"),
        shares: table.variant("shares").unwrap_or_default(),
        help: table.text_or_empty("help"),
    })
}

/// Compiles `brings = { flag = … }` or `brings = { sum = … }`, which name a field of the check.
fn field_of_helpers(table: &TomlTable<'_>) -> Option<HelpEffect> {
    match (table.text("flag"), table.text("sum")) {
        (Some(flag), None) => Some(HelpEffect::Flag(flag)),
        (None, Some(sum)) => Some(HelpEffect::Sum(sum)),
        _ => {
            table.fault("brings needs either flag or sum");
            None
        }
    }
}

/// Returns the words for the values in `shown`. A list of names without words hides all values.
fn words_of_values(table: &TomlTable<'_>) -> Vec<(&'static str, &'static str)> {
    let mut shown = Vec::new();
    if table.get("shown").is_some_and(TomlValue::is_table) {
        for (name, value) in table.entries_of("shown") {
            if let Some(words) = value.text() {
                shown.push((name, words));
            }
        }
    }
    shown
}

/// Checks the names in an example. `fields` is `None` if some of the check's fields are faulty.
fn check_example(example: &TomlTable<'_>, fields: Option<&[Field]>, outcomes: &[OutcomeSpec]) {
    if let Some(outcome) = example.require("outcome") {
        let ids: Vec<&str> = outcomes.iter().map(|outcome| outcome.id).collect();
        outcome.name_among("unknown outcome", &ids);
    }

    for (name, value) in example.entries_of("fields") {
        let Some(fields) = fields else {
            continue;
        };
        let ids: Vec<&str> = fields.iter().map(|field| field.id).collect();
        if !ids.contains(&name) {
            value.fault(unknown_name("unknown field", name, &ids));
        }
    }

    // `validate` reads these keys. Ask for them, so that they are not reported as unknown.
    let validated_keys = ["faces", "choose", "house", "total", "target", "ticks"];
    for key in validated_keys {
        example.get(key);
    }
}
