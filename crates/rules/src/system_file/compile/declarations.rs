//! Compiles declarations: stats, clocks, conditions, pools and the words of the rules.

use std::ops::RangeInclusive;

use tableside_dice::CustomDie;

use super::scope::CheckScope;
use crate::permanent::keep_list;
use crate::system_file::program::effect_rule::EffectRule;
use crate::system_file::program::expression::ExpressionValue;
use crate::system_file::read::{TomlTable, TomlValue, unknown_name};
use crate::{
    AtEnd, BelowWords, CheckSpec, ClockSpec, ConditionSpec, DyingRules, Field, GroupWords,
    HIT_POINTS, HouseRule, Id, InitiativeRules, Kind, PoolOwner, PoolSpec, Recharge, Recovery,
    RestRules, StatQuestion, Threshold, Value, ValueSource, Whose,
};

/// The allowed numbers of segments of a clock.
const CLOCK_SEGMENTS: RangeInclusive<i32> = 2..=24;

/// The number of segments that replaces a faulty `segments`, so that it causes no further faults.
const DEFAULT_SEGMENTS: i32 = 4;

/// The declarations of a system file, which its checks refer to.
#[derive(Clone, Copy, Default)]
pub(super) struct Declarations<'a> {
    pub(super) stats: &'static [Field],
    pub(super) pools: &'a [PoolSpec],
    /// The fields that checks can include by name.
    pub(super) shared_fields: &'a [Field],
    /// The steps that checks can include by name.
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
    pub(super) fn stat_ids(&self) -> Vec<&'static str> {
        self.stats.iter().map(|stat| stat.id).collect()
    }

    pub(super) fn stat(&self, id: &str) -> Option<&'static Field> {
        self.stats.iter().find(|stat| stat.id == id)
    }

    pub(super) fn pool_ids(&self) -> Vec<&'static str> {
        self.pools.iter().map(|pool| pool.id.as_str()).collect()
    }

    pub(super) fn clock_ids(&self) -> Vec<&'static str> {
        self.clocks.iter().map(|clock| clock.id.as_str()).collect()
    }

    pub(super) fn check_ids(&self) -> Vec<&'static str> {
        self.checks.iter().map(|check| check.id).collect()
    }

    pub(super) fn condition_names(&self) -> Vec<&'static str> {
        self.conditions
            .iter()
            .map(|condition| condition.name)
            .collect()
    }

    /// Compiles a list of conditions. Reports a name that no condition has.
    pub(super) fn condition_list(
        &self,
        table: &TomlTable<'_>,
        key: &'static str,
    ) -> &'static [&'static str] {
        let known_names = self.condition_names();
        let mut names = Vec::new();
        for value in table.list(key) {
            names.extend(value.name_among("unknown condition", &known_names));
        }
        keep_list(names)
    }

    /// Passes a message to `report` if no check has that field.
    pub(super) fn require_field(&self, field: &str, report: impl FnOnce(String)) {
        let mut field_ids = Vec::new();
        for check in self.checks {
            field_ids.extend_from_slice(&check.fields);
        }
        if !field_ids.contains(&field) {
            report(unknown_name("unknown field", field, &field_ids));
        }
    }
}

/// Compiles a stat.
pub(super) fn stat(table: &TomlTable<'_>) -> Option<Field> {
    let stat = Field::compile(table, &Declarations::default())?;
    // `Declarations::sheet_rules` compiles it, because it may name later stats.
    table.get("derived");

    let stat = Field {
        asks: question(table, &stat),
        ..stat
    };

    if stat.id == "system" {
        table.fault("the id system is reserved; choose another id for this stat");
    }
    let has_start = table.get("start").is_some() || stat.start.is_some();
    if !has_start {
        let takes = stat.describe();
        table.fault(format!(
            "{} needs a start value, which must be {takes}",
            table.title
        ));
    }
    Some(stat)
}

/// Compiles `asks`. `Declarations::sheet_rules` validates the stat that it names, which may be a later one.
fn question(table: &TomlTable<'_>, stat: &Field) -> Option<StatQuestion> {
    let asks = table.table("asks")?;
    let each = asks.require("each").and_then(TomlValue::text);
    let question = asks.require("question").and_then(TomlValue::text);
    let answers = asks.texts("answers");
    if stat.kind != Kind::Text {
        table.fault("only a stat of the kind text can have asks");
    }
    Some(StatQuestion {
        each: each?,
        question: question?,
        answers,
    })
}

/// Compiles a clock that each character has.
pub(super) fn clock(table: &TomlTable<'_>, stats: &[Field]) -> Option<ClockSpec> {
    let id = table.require("id")?.id()?;
    // `help` is only for people who read the file.
    table.get("help");

    let segments_value = table.require("segments")?;
    let segments = segments_value.number().unwrap_or(DEFAULT_SEGMENTS);
    if !CLOCK_SEGMENTS.contains(&segments) {
        segments_value.fault("segments must be from 2 to 24");
    }

    let stat_ids: Vec<&str> = stats.iter().map(|stat| stat.id).collect();
    let overflow = table.optional_name("overflow", "unknown stat", &stat_ids);

    Some(ClockSpec {
        id: Id::new(id),
        name: table.label(id),
        short: table.text("short"),
        segments: u8::try_from(segments).unwrap_or_default(),
        overflow: overflow.unwrap_or_default(),
        ends_with_scene: table.variant("after_scene") == Some(AtEnd::Reset),
    })
}

/// Compiles a pool without its thresholds, which need all declarations.
pub(super) fn pool(table: &TomlTable<'_>, stats: &'static [Field]) -> Option<PoolSpec> {
    let id = table.require("id")?.id()?;
    // `help` is only for people who read the file.
    table.get("help");

    let below = table.table("below").map(|below| BelowWords {
        one: below.text_or_empty("one"),
        many: below.text_or_empty("many"),
        pool: below.text_or_empty("pool"),
    });
    let start_value = table.get("start");
    let start_stat = match start_value.map(TomlValue::field_value) {
        Some(Value::Text(_)) => start_value.and_then(|value| number_stat(value, stats)),
        _ => None,
    };
    let start = match start_stat {
        Some(stat) => stat.at_first().number().unwrap_or(0),
        None => table.number("start").unwrap_or(0),
    };
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
        start_stat: start_stat.map(|stat| stat.id),
        at_session_end: table.variant("after_session").unwrap_or(AtEnd::Stay),
        at_scene_end: table.variant("after_scene").unwrap_or(AtEnd::Stay),
        gain_per_scene: table.number("gain_per_scene"),
        resets_each_turn: table.variant("after_turn") == Some(AtEnd::Reset),
        recharge: Recharge::compile(table),
        resets_after_rest: table.variant("after_rest"),
        absorbs_damage: table.flag("absorbs_damage"),
        gain: table.variant("gain").unwrap_or_default(),
        is_award: table.flag("award"),
        players: table.variant("players").unwrap_or_default(),
        is_optional: table.flag("optional"),
        at: &[],
    };

    let floor = pool.floor.unwrap_or(i32::MIN);
    let cap = pool.cap.unwrap_or(i32::MAX);
    let is_start_within = (floor..=cap).contains(&start);
    if !is_start_within {
        table.fault(format!(
            "start of {} must be between its min and max",
            table.title
        ));
    }
    Some(pool)
}

/// Returns the stat that `start` of a pool names. It must be a number.
fn number_stat(value: TomlValue<'_>, stats: &'static [Field]) -> Option<&'static Field> {
    let is_number = |stat: &&Field| matches!(stat.kind, Kind::Number { .. });
    let numbers: Vec<&'static Field> = stats.iter().filter(is_number).collect();
    let ids: Vec<&str> = numbers.iter().map(|stat| stat.id).collect();

    let id = value.name_among("unknown stat with a number", &ids)?;
    numbers.into_iter().find(|stat| stat.id == id)
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

    // The effects use only constants, so no name is ever looked up.
    let no_names = |_| ExpressionValue::default();
    if let Err(error) = EffectRule::all(&threshold.effects, no_names) {
        table.fault(error);
        return None;
    }
    if !threshold
        .effects
        .iter()
        .all(EffectRule::is_allowed_for_pool)
    {
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
    let stats = declared.stat_ids();
    let pools = declared.pool_ids();
    let conditions = declared.condition_names();
    if !stats.contains(&HIT_POINTS) {
        table.fault(format!("[dying] needs a stat with the id {HIT_POINTS}"));
    }

    // Compile every key before returning for a faulty one, so that all faults are reported.
    let falls = table.required_name("falls", "unknown condition", &conditions);
    let stable = table.required_name("stable", "unknown condition", &conditions);
    let dead = table.required_name("dead", "unknown condition", &conditions);
    let successes = table.required_name("successes", "unknown pool", &pools);
    let failures = table.required_name("failures", "unknown pool", &pools);
    let save = table.required_name("save", "unknown check", &declared.check_ids());
    let recovery = table.optional_name("recovery", "unknown check", &declared.check_ids());
    let most = table.required_name("most", "unknown stat", &stats);
    let critical = table.optional_name("critical", "unknown outcome", &outcome_ids(checks));
    let knocks_out = table.optional_name("knocks_out", "unknown field", &field_ids(checks));
    let counts = table.text_or_empty("counts");
    let counts_in = table.optional_name("counts_in", "unknown stat", &stats);
    if counts.is_empty() != counts_in.is_none() {
        table.fault("counts and counts_in need each other");
    }

    Some(DyingRules {
        falls: falls?,
        stable: stable?,
        dead: dead?,
        failures: Id::new(failures?),
        successes: Id::new(successes?),
        save: save?,
        recovery: recovery.unwrap_or_default(),
        most: most?,
        others_die: table.flag("others_die"),
        critical: critical.unwrap_or_default(),
        knocks_out: knocks_out.unwrap_or_default(),
        counts,
        counts_in: counts_in.unwrap_or_default(),
    })
}

/// Compiles `[rest.short]` and `[rest.long]`.
pub(super) fn rest_rules(file: &TomlTable<'_>, declared: &Declarations<'_>) -> RestRules {
    let Some(table) = file.table("rest") else {
        return RestRules::default();
    };
    let recovery = |key| match table.table(key) {
        Some(table) => recovery(&table, declared),
        None => Recovery::default(),
    };
    RestRules {
        short: recovery("short"),
        long: recovery("long"),
    }
}

fn recovery(table: &TomlTable<'_>, declared: &Declarations<'_>) -> Recovery {
    let heals = table.flag("heals");
    if heals && !declared.stat_ids().contains(&HIT_POINTS) {
        table.fault(format!("heals needs a stat with the id {HIT_POINTS}"));
    }
    Recovery {
        heals,
        eases: declared.condition_list(table, "eases"),
        ends: declared.condition_list(table, "ends"),
    }
}

/// Compiles `[initiative]`. Its check must give a total without any question, because it is rolled for many characters at
/// once.
pub(super) fn initiative_rules(
    table: &TomlTable<'_>,
    declared: &Declarations<'_>,
    checks: &[&'static CheckSpec],
) -> Option<InitiativeRules> {
    // Compile both keys before returning for a faulty one, so that all faults are reported.
    let check = table.required_name("check", "unknown check", &declared.check_ids());
    let tie = table.optional_name("tie", "unknown stat", &declared.stat_ids());

    let id = check?;
    let spec = checks.iter().find(|known| known.id == id)?;
    if let Some(fault) = initiative_fault(spec) {
        table.fault(format!("[initiative] cannot use the check {id}: {fault}"));
    }
    Some(InitiativeRules { check: id, tie })
}

/// Returns the reason why a check cannot be rolled for many characters at once.
fn initiative_fault(check: &CheckSpec) -> Option<String> {
    let has_total = check.program.is_some_and(|program| program.total.is_some());
    if !has_total {
        return Some("it has no total, which is the place in the order of turns".to_owned());
    }
    if let Some(choice) = check.choices.first() {
        return Some(format!("it asks the question {}", choice.id));
    }

    let open_field = check.fields.iter().find(|field| {
        let is_on_own_sheet = field.whose == Whose::Own && field.source != ValueSource::Table;
        field.is_required() && !is_on_own_sheet
    })?;
    Some(format!(
        "its field {} has neither a start nor a value from the sheet",
        open_field.id
    ))
}

/// Returns the ids of the outcomes of all checks.
fn outcome_ids(checks: &[&'static CheckSpec]) -> Vec<&'static str> {
    let mut ids = Vec::new();
    for check in checks {
        ids.extend(check.outcomes.iter().map(|outcome| outcome.id));
    }
    ids
}

/// Returns the ids of the fields of all checks.
fn field_ids(checks: &[&'static CheckSpec]) -> Vec<&'static str> {
    let mut ids = Vec::new();
    for check in checks {
        ids.extend(check.fields.iter().map(|field| field.id));
    }
    ids
}
