//! Compiles what a file derives from a sheet: the values of fields, derived stats, standings and damage.

use super::declarations::Declarations;
use super::scope::CheckScope;
use crate::permanent::keep_list;
use crate::system_file::program::expression::Expression;
use crate::system_file::program::sheet_rules::{
    DerivedStat, HarmRule, SheetPart, SheetRules, StandingRule,
};
use crate::system_file::read::{TomlTable, TomlValue, unknown_name};
use crate::{Field, Kind, Severity, Standing};

impl Declarations<'_> {
    /// Compiles the tables in `from`: the terms whose sum is the value of a field.
    pub(super) fn sheet_parts(&self, table: &TomlTable<'_>) -> &'static [SheetPart] {
        let scope = CheckScope::of_sheet(self);
        let mut parts = Vec::new();

        for value in table.list("from") {
            if value.is_table()
                && let Some(part_table) = value.table("the part")
            {
                parts.extend(sheet_part(&scope, &part_table));
            }
        }

        scope.forbid_lookups(table, self.stats.len(), "values of the sheet");
        keep_list(parts)
    }

    /// Compiles the rules that concern a whole sheet.
    pub(super) fn sheet_rules(&self, file: &TomlTable<'_>) -> SheetRules {
        let scope = CheckScope::of_sheet(self);

        let standings = file.read_each("standing", |table| self.standing(&scope, table));
        let derived = self.derived_stats(&scope, file);
        self.validate_questions(file);
        let harm = file
            .table("harm")
            .and_then(|table| harm_rule(&scope, &table));

        scope.forbid_lookups(file, self.stats.len(), "values of the sheet");
        SheetRules {
            derived,
            standings,
            harm,
        }
    }

    /// Faults each question that does not name a stat with numbers.
    fn validate_questions(&self, file: &TomlTable<'_>) {
        for table in file.tables_again("stat") {
            let Some(asks) = table.table("asks") else {
                continue;
            };
            asks.ignore_other_keys();
            let Some(each) = asks.get("each") else {
                continue;
            };
            let Some(id) = each.name_among("unknown stat", &self.stat_ids()) else {
                continue;
            };
            let counts = |stat: &Field| matches!(stat.kind, Kind::Number { .. });
            if self.stat(id).is_some_and(|stat| !counts(stat)) {
                each.fault(format!(
                    "each must name a stat of the kind number, and {id} is not one"
                ));
            }
        }
    }

    fn standing(&self, scope: &CheckScope<'_>, table: &TomlTable<'_>) -> Option<StandingRule> {
        let check = table.optional_name("check", "unknown check", &self.check_ids());

        let mut asks = Vec::new();
        for (field, value) in table.entries_of("asks") {
            self.require_field(field, |message| value.fault(message));
            if let Some(text) = value.text() {
                asks.push((field, text));
            }
        }

        let ends = self.standing_ends(scope, table);
        let standing = Standing {
            word: table.require("word").and_then(TomlValue::text)?,
            means: table.text_or_empty("means"),
            check: check.unwrap_or_default(),
            asks: keep_list(asks),
            severity: table.variant("severity").unwrap_or(Severity::Out),
            can_end: !ends.is_empty(),
        };
        let when = table.require("when")?;
        Some(StandingRule {
            when: scope.expression(when)?,
            standing,
            ends,
        })
    }

    /// Compiles the `ends` of a state: the stats that change if a GM ends it, with their new numbers.
    fn standing_ends(
        &self,
        scope: &CheckScope<'_>,
        table: &TomlTable<'_>,
    ) -> Vec<(usize, Expression)> {
        let mut ends = Vec::new();
        for (id, value) in table.entries_of("ends") {
            let Some(place) = self.stats.iter().position(|stat| stat.id == id) else {
                value.fault(unknown_name("unknown stat", id, &self.stat_ids()));
                continue;
            };
            if !matches!(
                self.stats[place].kind,
                Kind::Number { .. } | Kind::Ranks { .. }
            ) {
                value.fault(format!("{id} is neither a number nor a list with ranks"));
                continue;
            }
            if let Some(number) = scope.expression(value) {
                ends.push((place, number));
            }
        }
        ends
    }

    fn derived_stats(&self, scope: &CheckScope<'_>, file: &TomlTable<'_>) -> Vec<DerivedStat> {
        let mut derived = Vec::new();

        for (place, table) in file.tables_again("stat").iter().enumerate() {
            let Some(value) = table.get("derived") else {
                continue;
            };
            let kind = self.stats.get(place).map(|stat| stat.kind);
            if !matches!(kind, Some(Kind::Number { .. })) {
                value.fault("only a stat of the kind number can be derived");
            }
            if let Some(value) = scope.expression(value) {
                derived.push(DerivedStat { place, value });
            }
        }
        derived
    }
}

/// Compiles one term of the sum in `from`, such as `{ is = "stat.might", told = "Might" }`.
fn sheet_part(scope: &CheckScope<'_>, table: &TomlTable<'_>) -> Option<SheetPart> {
    let explanation = scope.template_at(table, "told");
    let amount = table.require("is")?;
    Some(SheetPart {
        amount: scope.expression(amount)?,
        explanation: explanation.unwrap_or_default(),
    })
}

/// Compiles `[harm]`: the damage that a character has, and the most that it can take.
fn harm_rule(scope: &CheckScope<'_>, table: &TomlTable<'_>) -> Option<HarmRule> {
    // Compile both keys before returning for a faulty one, so that all faults are reported.
    let damage = table
        .require("is")
        .and_then(|value| scope.expression(value));
    let max_damage = table
        .require("most")
        .and_then(|value| scope.expression(value));

    Some(HarmRule {
        damage: damage?,
        max_damage: max_damage?,
    })
}
