//! Compiles declarations: stats, clocks, conditions, pools and the words of the rules.

use std::ops::RangeInclusive;

use tableside_dice::CustomDie;

use super::scope::CheckScope;
use crate::system_file::program::effect_rule::EffectRule;
use crate::system_file::program::expression::ExpressionValue;
use crate::system_file::read::{TomlTable, TomlValue, unknown_name};
use crate::{
    AtEnd, BelowWords, CheckSpec, ClockSpec, ConditionEffect, ConditionSpec, DyingRules, Field,
    GroupWords, HIT_POINTS, HouseRule, Id, PoolOwner, PoolSpec, Threshold,
};

/// How many segments a clock can have.
const CLOCK_SEGMENTS: RangeInclusive<i32> = 2..=24;

/// The declarations of a system file, which its checks refer to.
#[derive(Clone, Copy, Default)]
pub(super) struct Declarations<'a> {
    pub(super) stats: &'static [Field],
    pub(super) pools: &'a [PoolSpec],
    /// The fields that checks share.
    pub(super) shared_fields: &'a [Field],
    /// The steps that checks share.
    pub(super) shared_steps: &'a [TomlTable<'a>],
    pub(super) clocks: &'a [ClockSpec],
    pub(super) conditions: &'a [ConditionSpec],
    pub(super) house: &'a [HouseRule],
    pub(super) dice: &'a [&'static CustomDie],
    pub(super) checks: &'a [CheckOutline],
}

/// The id of a check and the ids of its fields, known before any check is compiled.
pub(super) struct CheckOutline {
    pub(super) id: &'static str,
    pub(super) fields: Vec<&'static str>,
}

impl Declarations<'_> {
    pub(super) fn stat_ids(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.stats.iter().map(|stat| stat.id)
    }

    pub(super) fn pool_ids(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.pools.iter().map(|pool| pool.id.as_str())
    }

    pub(super) fn clock_ids(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.clocks.iter().map(|clock| clock.id.as_str())
    }

    pub(super) fn check_ids(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.checks.iter().map(|check| check.id)
    }

    pub(super) fn condition_names(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.conditions.iter().map(|condition| condition.name)
    }

    /// Reports a fault if no check has that field.
    pub(super) fn require_field(&self, field: &str, report: impl FnOnce(String)) {
        let field_ids = self.checks.iter().flat_map(|check| &check.fields).copied();
        if field_ids.clone().all(|id| id != field) {
            report(unknown_name("unknown field", field, field_ids));
        }
    }
}

/// Compiles a stat.
pub(super) fn stat(table: &TomlTable<'_>) -> Option<Field> {
    let stat = Field::compile(table, &Declarations::default())?;
    // `Declarations::sheet_rules` compiles it, because it may name later stats.
    table.get("derived");

    if stat.id == "system" {
        table.fault("the id system is reserved; choose another id for this stat");
    }
    if table.get("start").is_none() && stat.start.is_none() {
        let takes = stat.describe();
        table.fault(format!(
            "{} needs a start value, which must be {takes}",
            table.title
        ));
    }
    Some(stat)
}

/// Compiles a clock that each character has.
pub(super) fn clock(table: &TomlTable<'_>, stats: &[Field]) -> Option<ClockSpec> {
    let id = table.require("id")?.id()?;
    // A remark for readers of the file.
    table.get("help");

    let segments_value = table.require("segments")?;
    let segments = segments_value.number();
    if let Some(count) = segments
        && !CLOCK_SEGMENTS.contains(&count)
    {
        segments_value.fault("segments must be from 2 to 24");
    }

    let overflow = table.get("overflow").and_then(|value| {
        let stat_ids = stats.iter().map(|stat| stat.id);
        value.name_among("unknown stat", stat_ids)
    });

    Some(ClockSpec {
        id: Id::new(id),
        name: table.label(id),
        segments: u8::try_from(segments.unwrap_or(4)).unwrap_or(4),
        overflow: overflow.unwrap_or_default(),
        ends_with_scene: table.variant("after_scene") == Some(AtEnd::Reset),
    })
}

/// Compiles a condition.
pub(super) fn condition(table: &TomlTable<'_>) -> ConditionSpec {
    let change = table.table("adds").or_else(|| table.table("keeps"));
    let name = table.require("name").and_then(TomlValue::text);

    ConditionSpec {
        name: name.unwrap_or_default(),
        help: table.text_or_empty("help"),
        when: table.text_or_empty("when"),
        weighs: change.and_then(|change| {
            Some(ConditionEffect {
                field: change.require("field")?.text()?,
                ability: change.text("ability"),
                most: change.number("most"),
            })
        }),
    }
}

/// Compiles a pool without its thresholds, which need all declarations.
pub(super) fn pool(table: &TomlTable<'_>) -> Option<PoolSpec> {
    let id = table.require("id")?.id()?;
    // A remark for readers of the file.
    table.get("help");

    let below = table.table("below").map(|below| BelowWords {
        one: below.text_or_empty("one"),
        many: below.text_or_empty("many"),
        pool: below.text_or_empty("pool"),
    });
    let start = table.number("start").unwrap_or(0);
    // A pool with words for amounts below 0 has no lower bound.
    let default_floor = match below {
        Some(_) => None,
        None => Some(start.min(0)),
    };

    let pool = PoolSpec {
        id: Id::new(id),
        name: table.label(id),
        short: table.text("short"),
        one: table.text("one"),
        many: table.text("many"),
        below,
        purse: table.variant("of").unwrap_or(PoolOwner::Character),
        floor: table.number("min").or(default_floor),
        cap: table.number("max"),
        start,
        at_session_end: table.variant("after_session").unwrap_or(AtEnd::Stay),
        at_scene_end: table.variant("after_scene").unwrap_or(AtEnd::Stay),
        gain_per_scene: table.number("gain_per_scene"),
        at: &[],
    };

    let floor = pool.floor.unwrap_or(i32::MIN);
    let cap = pool.cap.unwrap_or(i32::MAX);
    if floor > cap || !(floor..=cap).contains(&pool.start) {
        table.fault(format!(
            "start of {} must be between its min and max",
            table.title
        ));
    }
    Some(pool)
}

/// Compiles `at`, the thresholds of a pool. Their effects may use constants only.
pub(super) fn thresholds(table: &TomlTable<'_>, declared: &Declarations<'_>) -> Vec<Threshold> {
    let declared = Declarations {
        house: &[],
        ..*declared
    };
    let scope = CheckScope::new(&declared, Vec::new());

    let mut thresholds = Vec::new();
    for value in table.list("at") {
        if let Some(threshold_table) = value.table("the threshold") {
            thresholds.extend(threshold(&threshold_table, &scope));
        }
    }

    scope.forbid_lookups(table, 0, "constants");
    thresholds
}

fn threshold(table: &TomlTable<'_>, scope: &CheckScope<'_>) -> Option<Threshold> {
    let value = table.require("value").and_then(TomlValue::number);
    let threshold = Threshold {
        value: value.unwrap_or(0),
        say: table.text_or_empty("say"),
        effects: scope.effects(table),
    };

    let constant = |_| ExpressionValue::default();
    if let Err(error) = EffectRule::all(&threshold.effects, constant) {
        table.fault(error);
        return None;
    }
    if !threshold.effects.iter().all(EffectRule::is_of_a_pool) {
        table.fault("a threshold of a pool can only change numbers or conditions of the owner of the pool, or tell a message");
    }
    Some(threshold)
}

/// Compiles `[group]`.
pub(super) fn group_words(file: &TomlTable<'_>) -> GroupWords {
    let default = GroupWords::default();
    let Some(table) = file.table("group") else {
        return default;
    };

    GroupWords {
        worst: table.text("worst").unwrap_or(default.worst),
        best: table.text("best").unwrap_or(default.best),
        highest: table.text("highest"),
    }
}

/// Compiles `[dying]`.
pub(super) fn dying_rules(
    table: &TomlTable<'_>,
    declared: &Declarations<'_>,
    checks: &[&'static CheckSpec],
) -> Option<DyingRules> {
    if declared.stat_ids().all(|id| id != HIT_POINTS) {
        table.fault(format!("[dying] needs a stat with the id {HIT_POINTS}"));
    }

    // Compile these keys before returning for a faulty one, so that all of them report their faults.
    let falls = required_condition(table, "falls", declared);
    let stable = required_condition(table, "stable", declared);
    let dead = required_condition(table, "dead", declared);
    let successes = required_pool(table, "successes", declared);
    let failures = required_pool(table, "failures", declared);
    let save = table
        .require("save")?
        .name_among("unknown check", checks.iter().map(|check| check.id));
    let most = table
        .require("most")?
        .name_among("unknown stat", declared.stat_ids());

    let critical = optional_outcome(table, "critical", checks);
    let knocks_out = optional_field(table, "knocks_out", checks);

    Some(DyingRules {
        falls: falls?,
        stable: stable?,
        dead: dead?,
        failures: failures?,
        successes: successes?,
        save: save?,
        most: most?,
        others_die: table.flag("others_die"),
        critical: critical.unwrap_or_default(),
        knocks_out: knocks_out.unwrap_or_default(),
    })
}

fn required_condition(
    table: &TomlTable<'_>,
    key: &'static str,
    declared: &Declarations<'_>,
) -> Option<&'static str> {
    let names = declared.condition_names();
    table.require(key)?.name_among("unknown condition", names)
}

fn required_pool(
    table: &TomlTable<'_>,
    key: &'static str,
    declared: &Declarations<'_>,
) -> Option<Id> {
    let ids = declared.pool_ids();
    let id = table.require(key)?.name_among("unknown pool", ids)?;
    Some(Id::new(id))
}

fn optional_outcome(
    table: &TomlTable<'_>,
    key: &'static str,
    checks: &[&'static CheckSpec],
) -> Option<&'static str> {
    let ids = checks
        .iter()
        .flat_map(|check| check.outcomes)
        .map(|outcome| outcome.id);
    table.get(key)?.name_among("unknown outcome", ids)
}

fn optional_field(
    table: &TomlTable<'_>,
    key: &'static str,
    checks: &[&'static CheckSpec],
) -> Option<&'static str> {
    let ids = checks
        .iter()
        .flat_map(|check| check.fields)
        .map(|field| field.id);
    table.get(key)?.name_among("unknown field", ids)
}
