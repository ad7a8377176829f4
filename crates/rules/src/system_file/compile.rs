//! Compiles the tables of a system file into a [`SystemSpec`].
//!
//! Declarations come first: stats, clocks, conditions, house rules, pools and the outlines of checks. Everything that
//! contains expressions is compiled against them: fields, steps, effects, sheet rules and thresholds.

mod card;
mod check;
mod comparison;
mod condition;
mod declarations;
mod dice;
mod effect;
mod field;
mod reroll;
mod scope;
mod sheet;
mod step;
mod throw;

use self::card::{CardValues, card, check_maxima};
use self::condition::{condition, harmed_check};
use self::declarations::{
    CheckOutline, Declarations, clock, dying_rules, group_words, initiative_rules, pool,
    rest_rules, stat, thresholds,
};
use self::scope::{CheckScope, MAX_LISTED};
use crate::permanent::{keep, keep_list};
use crate::system_file::read::{TomlTable, TomlValue};
use crate::{CheckSpec, Creature, Field, HarmedCheck, HouseRule, PoolSpec, System, SystemSpec};

const MAX_STATS: usize = 64;
const MAX_CHECKS: usize = 32;

/// Compiles a file. Faults are logged. If there are any, the caller must drop the result.
pub(super) fn system(file: &TomlTable<'_>, system: System) -> SystemSpec {
    check_format(file);
    let id = file.id();
    if id.len() < 2 {
        file.fault("the id of a system must have 2 to 40 characters");
    }
    let name = file
        .require("name")
        .and_then(TomlValue::text)
        .unwrap_or_default();

    // Compile the declarations.
    let dice = dice::custom_dice(file);
    let stats = file.read_each("stat", stat);
    file.check_count("stats", stats.len(), MAX_STATS);
    let stats = keep_list(stats);
    check_maxima(file, stats);
    let clocks = file.read_each("clock", |table| clock(table, stats));
    let condition_tables = file.tables("condition");
    let conditions = keep_list(condition_tables.iter().map(condition).collect());
    let house_tables = file.tables("house");
    let mut house: Vec<HouseRule> = house_tables.iter().map(HouseRule::compile).collect();
    house.extend(crate::house_rules::of_every_table());
    let pool_tables = file.tables("pool");
    let pools: Vec<PoolSpec> = pool_tables
        .iter()
        .filter_map(|table| pool(table, stats))
        .collect();
    let check_tables = check_tables(file);
    let check_outlines = check_outlines(&check_tables);
    let shared_steps = shared_step_tables(file);

    let mut declared = Declarations {
        stats,
        pools: &pools,
        shared_fields: &[],
        shared_steps: &shared_steps,
        clocks: &clocks,
        conditions,
        house: &house,
        dice: &dice,
        checks: &check_outlines,
    };
    let shared_fields = file.read_each("field", |table| Field::compile(table, &declared));
    declared.shared_fields = &shared_fields;

    // Compile the parts that contain expressions.
    let mut checks: Vec<&'static CheckSpec> = Vec::new();
    for table in &check_tables {
        let check = check::check(table, &declared, system);
        checks.push(keep(check));
    }
    let harmed = check_conditions(&condition_tables, &declared, &checks);
    let sheet_rules = declared.sheet_rules(file);
    let dying = file
        .table("dying")
        .and_then(|table| dying_rules(&table, &declared, &checks));
    let initiative = file
        .table("initiative")
        .and_then(|table| initiative_rules(&table, &declared, &checks));
    let rest = rest_rules(file, &declared);
    let creatures = Creature::compile_all(file, stats, &pools);
    let pools = keep_list(add_thresholds(&pools, &pool_tables, &declared));
    let clocks = keep_list(clocks);
    let card_values = CardValues {
        stats,
        pools,
        clocks,
    };

    SystemSpec {
        id,
        name,
        gm: file.text("gm").unwrap_or("GM"),
        about: file.text_or_empty("about"),
        credit: file.text_or_empty("credit"),
        when: file.texts("help"),
        first_aid: file.variant("first_aid").unwrap_or_default(),
        taken_out: file.flag("taken_out"),
        only_heroes_roll: file.text_or_empty("only_heroes_roll"),
        inner_struggle: file.flag("inner_struggle"),
        group: group_words(file),
        stats,
        sheet_rules,
        pools,
        clocks,
        card: card(file, card_values),
        conditions,
        harmed: keep_list(harmed),
        dying,
        rest,
        creatures: keep_list(creatures),
        initiative,
        house: keep_list(house),
        checks: keep_list(checks),
    }
}

/// Compiles the thresholds of pools, which may use all declarations.
fn add_thresholds(
    pools: &[PoolSpec],
    tables: &[TomlTable<'_>],
    declared: &Declarations<'_>,
) -> Vec<PoolSpec> {
    let mut pools = pools.to_vec();
    for (pool, table) in pools.iter_mut().zip(tables) {
        pool.at = keep_list(thresholds(table, declared));
    }
    pools
}

fn check_format(file: &TomlTable<'_>) {
    let Some(format) = file.require("format") else {
        return;
    };
    if let Some(number) = format.number()
        && number != 1
    {
        format.fault(format!(
            "unknown format {number}; this version of the program reads format 1"
        ));
    }
}

fn check_tables<'t>(file: &TomlTable<'t>) -> Vec<TomlTable<'t>> {
    let tables = file.tables("check");
    file.check_count("checks", tables.len(), MAX_CHECKS);
    if tables.is_empty() {
        file.report_missing("the file needs at least one check");
    }
    tables
}

fn check_outlines(tables: &[TomlTable<'_>]) -> Vec<CheckOutline> {
    let mut outlines = Vec::new();
    for table in tables {
        let mut fields = Vec::new();
        for field in table.tables_again("field") {
            let own_id = field.text("id");
            fields.extend(own_id.or_else(|| field.text("use")));
        }

        if let Some(id) = table.text("id") {
            outlines.push(CheckOutline { id, fields });
        }
    }
    outlines
}

fn shared_step_tables<'t>(file: &TomlTable<'t>) -> Vec<TomlTable<'t>> {
    let tables = file.tables("steps");
    for table in &tables {
        let count = table.list("step").len();
        table.check_count("steps", count, MAX_LISTED);
        table.id();
    }
    tables
}

/// Reports faults in the expressions and names of conditions, and compiles the checks that they ask for. A condition may
/// use the fields of every check.
fn check_conditions(
    tables: &[TomlTable<'_>],
    declared: &Declarations<'_>,
    checks: &[&'static CheckSpec],
) -> Vec<HarmedCheck> {
    let fields_of_all_checks = checks
        .iter()
        .flat_map(|check| check.fields)
        .cloned()
        .collect();
    let scope = CheckScope::new(declared, fields_of_all_checks);
    let names = declared.condition_names();
    let check_ids = declared.check_ids();

    let mut harmed = Vec::new();
    for (table, condition) in tables.iter().zip(declared.conditions) {
        scope.expression_at(table, "when");
        for key in ["adds", "keeps", "against"] {
            for effect in table.list(key) {
                if effect.is_table()
                    && let Some(effect) = effect.table("the effect")
                {
                    effect.ignore_other_keys();
                    scope.expression_at(&effect, "when");
                    for check in effect.list("checks") {
                        check.name_among("unknown check", &check_ids);
                    }
                }
            }
        }
        for effect in condition.effects {
            declared.require_field(effect.field, |message| table.fault(message));
        }
        declared.condition_list(table, "begins");
        declared.condition_list(table, "ends");
        table.optional_name("at_highest", "unknown condition", &names);
        harmed.extend(harmed_check(table, declared, condition.name));
    }
    harmed
}
