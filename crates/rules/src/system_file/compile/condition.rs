//! Compiles conditions: their effects, and the checks that they ask for.

use std::ops::RangeInclusive;

use super::declarations::Declarations;
use super::scope::CheckScope;
use crate::permanent::keep_list;
use crate::system_file::program::harmed_check::HarmedCheck;
use crate::system_file::read::{TomlTable, TomlValue, unknown_name};
use crate::{ConditionBearer, ConditionEffect, ConditionSpec, Field, Kind};

/// The allowed highest levels of a condition.
const CONDITION_LEVELS: RangeInclusive<i32> = 1..=99;

/// The most damage at which expressions are validated.
const MOST_DAMAGE: i32 = 9_999;

/// Compiles a condition. `check_conditions` validates its names and expressions, which need all declarations.
pub(super) fn condition(table: &TomlTable<'_>) -> ConditionSpec {
    let name = table.require("name").and_then(TomlValue::text);
    let when = table.text_or_empty("when");

    let mut effects = Vec::new();
    for (key, of) in [
        ("adds", ConditionBearer::Roller),
        ("keeps", ConditionBearer::Roller),
        ("against", ConditionBearer::Opponent),
    ] {
        for value in table.list(key) {
            let title = format!("{key} of {}", table.title_in_message());
            if let Some(effect) = value.table(&title) {
                effects.extend(condition_effect(&effect, of, when));
            }
        }
    }

    let levels_value = table.get("levels");
    let levels = levels_value.and_then(TomlValue::number).unwrap_or(1);
    if let Some(value) = levels_value
        && !CONDITION_LEVELS.contains(&levels)
    {
        value.fault("levels must be from 1 to 99");
    }
    ConditionSpec {
        name: name.unwrap_or_default(),
        help: table.text_or_empty("help"),
        effects: keep_list(effects),
        levels,
        at_highest: table.text_or_empty("at_highest"),
        begins: table.texts("begins"),
        ends: table.texts("ends"),
        severity: table.variant("severity").unwrap_or_default(),
    }
}

/// Compiles one effect of a condition. `when` is that of the whole condition.
fn condition_effect(
    table: &TomlTable<'_>,
    of: ConditionBearer,
    when: &'static str,
) -> Option<ConditionEffect> {
    let own_when = table.text("when");
    let ability = table.text("ability");
    let most = table.number("most");
    let field = table.require("field")?;
    Some(ConditionEffect {
        field: field.text()?,
        ability,
        most,
        of,
        checks: table.texts("checks"),
        when: own_when.unwrap_or(when),
    })
}

/// Compiles `harmed` of a condition: the check that its character makes when it takes damage. The values of its fields
/// are expressions over `damage`.
pub(super) fn harmed_check(
    table: &TomlTable<'_>,
    declared: &Declarations<'_>,
    condition: &'static str,
) -> Option<HarmedCheck> {
    let harmed = table.table("harmed")?;
    let check = harmed.required_name("check", "unknown check", &declared.check_ids())?;
    let damage = Field {
        id: "damage",
        kind: Kind::Number {
            min: 0,
            max: MOST_DAMAGE,
        },
        ..Field::default()
    };
    let scope = CheckScope::new(declared, vec![damage]);

    let outline = declared.checks.iter().find(|outline| outline.id == check);
    let mut with = Vec::new();
    for (field, value) in harmed.entries_of("with") {
        if let Some(outline) = outline
            && !outline.fields.contains(&field)
        {
            let problem = format!("{check} has no field");
            value.fault(unknown_name(&problem, field, &outline.fields));
        }
        if let Some(expression) = scope.word_or_expression(value) {
            with.push((field, expression));
        }
    }
    scope.forbid_lookups(&harmed, 1, "damage");
    Some(HarmedCheck {
        condition,
        check,
        with,
    })
}
