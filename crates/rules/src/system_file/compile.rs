//! Reads a system's file: what it has beside the steps of its checks.

pub(crate) mod effect;
pub(crate) mod field;
pub(crate) mod scope;
pub(crate) mod sheet;
pub(crate) mod step;
pub(crate) mod throw;

use crate::permanent::{keep, keep_list};
use crate::system_file::compile::scope::{Around, CheckReader, MOST_LISTED, TAKEN, in_expressions};
use crate::system_file::read::{Given, Table};
use crate::system_file::{EffectRule, Known};
use crate::{
    AtEnd, CheckSpec, ChoiceSpec, ClockSpec, ConditionEffect, ConditionSpec, DyingRules, Field,
    GroupWords, HIT_POINTS, HelpEffect, Helping, HouseRule, Id, OutcomeSpec, PoolOwner, PoolSpec,
    SharedConsequences, System, SystemSpec, Threshold,
};
use tableside_dice::{CustomDie, Face};

/// The most of each that a file has.
const MOST_STATS: usize = 64;
const MOST_CHECKS: usize = 32;
const MOST_FIELDS: usize = 32;

/// Options of the commands that roll: no field is called like them.
const OPTIONS: [&str; 13] = [
    "help", "faces", "choose", "clock", "rule", "session", "as", "seed", "json", "ascii", "data",
    "theme", "database",
];

/// Reads the file. Where it has faults, what comes of it is not to be used.
pub(crate) fn read(file: &Table<'_>, system: System) -> SystemSpec {
    if let Some(format) = file.must("format")
        && let Some(number) = format.number().filter(|number| *number != 1)
    {
        format.fault(format!(
            "format is 1, the only one there is so far, and this is {number}"
        ));
    }
    let id = file.id();
    if id.len() < 2 {
        file.fault("the id of a system has 2 to 40 letters");
    }
    let name = file.must("name").and_then(Given::text).unwrap_or_default();
    let dice = dice(file);
    let stats = file.each("stat", stat);
    file.check_count("stats", stats.len(), MOST_STATS);
    let stats = keep_list(stats);
    let clocks = file.each("clock", |table| clock(table, stats));
    let condition_tables = file.tables("condition");
    let conditions: Vec<ConditionSpec> = condition_tables.iter().map(condition).collect();
    let mut house = file.each("house", |table| Some(HouseRule::read(table)));
    house.extend(crate::house_rules::of_every_table());
    let pool_tables = file.tables("pool");
    let pools: Vec<PoolSpec> = pool_tables.iter().filter_map(pool).collect();
    let tables = file.tables("check");
    file.check_count("checks", tables.len(), MOST_CHECKS);
    if tables.is_empty() {
        file.lacks("the file needs a check");
    }
    let check_ids = tables.iter().filter_map(|table| {
        let fields = table.tables_again("field").into_iter();
        let fields = fields.filter_map(|field| field.text("id").or_else(|| field.text("use")));
        Some((table.text("id")?, fields.collect()))
    });
    let check_ids: Vec<(&'static str, Vec<&'static str>)> = check_ids.collect();
    let steps = file.tables("steps");
    for shared in &steps {
        shared.check_count("steps", shared.list("step").len(), MOST_LISTED);
        shared.id();
    }
    let mut around = Around {
        stats,
        pools: &pools,
        shared: &[],
        steps: &steps,
        clocks: &clocks,
        conditions: &conditions,
        house: &house,
        dice: &dice,
        checks: &check_ids,
    };
    let shared = file.each("field", |table| Field::read(table, &around));
    around.shared = &shared;
    let checks = tables.iter().map(|table| check(table, &around, system));
    let checks = checks.map(keep);
    let checks: Vec<&'static CheckSpec> = checks.collect();
    // The `when` of a condition looks at the fields of some check.
    let all_fields = checks.iter().flat_map(|check| check.fields.iter().cloned());
    let reader = CheckReader::new(&around, all_fields.collect());
    for (table, condition) in condition_tables.iter().zip(&conditions) {
        reader.worked(table, "when");
        let adds = condition.weighs.iter();
        adds.for_each(|adds| around.check_asked(adds.field, |why| table.fault(why)));
    }
    let sheet_rules = around.sheet_rules(file);
    let dying = file
        .table("dying")
        .and_then(|table| dying(&table, &around, &checks));
    let pools = pools.iter().zip(&pool_tables);
    let pools = pools.map(|(pool, table)| PoolSpec {
        at: keep_list(thresholds(table, &around)),
        ..*pool
    });
    let pools: &'static [PoolSpec] = keep_list(pools.collect());
    SystemSpec {
        id,
        name,
        gm: file.text("gm").unwrap_or("GM"),
        about: file.words("about"),
        credit: file.words("credit"),
        when: file.texts("help"),
        first_aid: file.variant("first_aid").unwrap_or_default(),
        taken_out: file.flag("taken_out"),
        inner_struggle: file.flag("inner_struggle"),
        group: group(file.table("group")),
        stats,
        sheet_rules,
        pools,
        clocks: keep_list(clocks),
        conditions: keep_list(conditions),
        dying,
        house: keep_list(house),
        checks: keep_list(checks),
    }
}

/// `[dying]`: what happens at 0 hit points.
fn dying(
    table: &Table<'_>,
    around: &Around<'_>,
    checks: &[&'static CheckSpec],
) -> Option<DyingRules> {
    let has_hit_points = around.stat_ids().any(|id| id == HIT_POINTS);
    if !has_hit_points {
        table.fault(format!("[dying] needs a stat {HIT_POINTS}"));
    }
    let condition = |key| {
        let given = table.must(key)?;
        given.known("there is no condition", around.condition_names())
    };
    let pool = |key| {
        let given = table.must(key)?;
        let id = given.known("there is no pool", around.pool_ids())?;
        Some(Id::new(id))
    };
    let [falls, stable, dead] = ["falls", "stable", "dead"].map(condition);
    let [successes, failures] = ["successes", "failures"].map(pool);
    let check_ids = checks.iter().map(|check| check.id);
    let save = table.must("save")?.known("there is no check", check_ids);
    let most = table
        .must("most")?
        .known("there is no stat", around.stat_ids());

    let outcomes = checks.iter().flat_map(|check| check.outcomes);
    let outcomes = outcomes.map(|outcome| outcome.id);
    let critical = table.get("critical");
    let critical = critical.and_then(|given| given.known("there is no outcome", outcomes));
    let fields = checks.iter().flat_map(|check| check.fields);
    let fields = fields.map(|field| field.id);
    let knocks_out = table.get("knocks_out");
    let knocks_out = knocks_out.and_then(|given| given.known("no check has a field", fields));

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

/// `[dice.NAME]`.
fn dice(file: &Table<'_>) -> Vec<&'static CustomDie> {
    let Some(dice) = file.table("dice") else {
        return Vec::new();
    };
    let dice = dice.all().filter_map(|(name, given)| {
        let table = given.table(&format!("the die {name}"))?;
        let sides = table.must("faces")?.list();
        if !(2..=100).contains(&sides.len()) {
            table.fault(format!("{} has 2 to 100 faces", table.what));
        }
        let mut symbols: Vec<(&'static str, Vec<i32>)> = Vec::new();
        let is_symbols = sides.iter().any(|side| side.is_table());
        let faces = (0..).zip(&sides).map(|(at, side)| {
            if !is_symbols {
                return Face::try_from(side.number().unwrap_or(0)).unwrap_or_else(|_out| {
                    side.fault("a face is a number from -32768 to 32767");
                    0
                });
            }
            let shown = side.table("a face");
            for (symbol, count) in shown.iter().flat_map(Table::all) {
                let place = symbols.iter().position(|(known, _)| *known == symbol);
                let place = place.unwrap_or_else(|| {
                    symbols.push((symbol, vec![0; sides.len()]));
                    symbols.len() - 1
                });
                symbols[place].1[usize::try_from(at).unwrap_or(0)] = count.number().unwrap_or(0);
            }
            at + 1
        });
        let faces: Vec<Face> = faces.collect();
        let marks = table.texts("marks");
        if !marks.is_empty() && marks.len() != faces.len() {
            table.fault(format!("{} needs a mark for each of its faces", table.what));
        }
        let symbols = symbols.into_iter();
        let symbols = symbols.map(|(symbol, counts)| (symbol, keep_list(counts)));
        let symbols: Vec<(&str, &[i32])> = symbols.collect();
        let (faces, symbols) = (keep_list(faces), keep_list(symbols));
        Some(keep(CustomDie {
            name,
            faces,
            marks,
            symbols,
        }))
    });
    dice.collect()
}

fn stat(table: &Table<'_>) -> Option<Field> {
    let stat = Field::read(table, &Around::default())?;
    // An expression may name stats that come later, so `sheet_rules` reads it.
    table.get("derived");
    if stat.id == "system" {
        table.fault("a stat can't be called system: a sheet names its rules by that word");
    }
    if table.get("start").is_none() && stat.start.is_none() {
        table.fault(format!("{} needs a start: {}", table.what, stat.describe()));
    }
    Some(stat)
}

fn clock(table: &Table<'_>, stats: &[Field]) -> Option<ClockSpec> {
    let id = table.must("id")?.id()?;
    let _help = table.get("help");
    let segments = table.must("segments")?;
    let count = segments.number();
    if count.is_some_and(|count| !(2..=24).contains(&count)) {
        segments.fault("a clock has 2 to 24 segments");
    }
    let overflow = table.get("overflow");
    let known = stats.iter().map(|stat| stat.id);
    let overflow = overflow.and_then(|given| given.known("there is no stat", known));
    Some(ClockSpec {
        id: Id::new(id),
        name: table.label(id),
        segments: u8::try_from(count.unwrap_or(4)).unwrap_or(4),
        overflow: overflow.unwrap_or_default(),
        ends_with_scene: table.variant("after_scene") == Some(AtEnd::Reset),
    })
}

fn condition(table: &Table<'_>) -> ConditionSpec {
    let adds = table.table("adds").or_else(|| table.table("keeps"));
    ConditionSpec {
        name: table.must("name").and_then(Given::text).unwrap_or_default(),
        help: table.words("help"),
        when: table.words("when"),
        weighs: adds.and_then(|adds| {
            Some(ConditionEffect {
                field: adds.must("field")?.text()?,
                ability: adds.text("ability"),
                most: adds.number("most"),
            })
        }),
    }
}

fn pool(table: &Table<'_>) -> Option<PoolSpec> {
    let id = table.must("id")?.id()?;
    let _help = table.get("help");
    let below = table.table("below");
    let start = table.number("start").unwrap_or(0);
    // A pool that says what it is below 0 has no least.
    let least = below.is_none().then(|| start.min(0));
    let pool = PoolSpec {
        id: Id::new(id),
        name: table.label(id),
        short: table.text("short"),
        one: table.text("one"),
        many: table.text("many"),
        below: below.map(|below| crate::BelowWords {
            one: below.words("one"),
            many: below.words("many"),
            pool: below.words("pool"),
        }),
        purse: table.variant("of").unwrap_or(PoolOwner::Character),
        floor: table.number("min").or(least),
        cap: table.number("max"),
        start,
        at_session_end: table.variant("after_session").unwrap_or(AtEnd::Stay),
        at_scene_end: table.variant("after_scene").unwrap_or(AtEnd::Stay),
        gain_per_scene: table.number("gain_per_scene"),
        at: &[],
    };
    let (floor, cap) = (pool.floor.unwrap_or(i32::MIN), pool.cap.unwrap_or(i32::MAX));
    if floor > cap || !(floor..=cap).contains(&pool.start) {
        table.fault(format!("{} starts within its min and max", table.what));
    }
    Some(pool)
}

/// What happens where a pool comes to a number. Its expressions know numbers alone.
fn thresholds(table: &Table<'_>, around: &Around<'_>) -> Vec<Threshold> {
    let mut around = *around;
    around.house = &[];
    let reader = CheckReader::new(&around, Vec::new());
    let at = table.list("at").into_iter().filter_map(|given| {
        let at = given.table("the threshold")?;
        let value = at.must("value").and_then(Given::number);
        let threshold = Threshold {
            value: value.unwrap_or(0),
            say: at.words("say"),
            effects: reader.effects(&at),
        };
        let tried = EffectRule::all(&threshold.effects, |_| Known::default());
        tried.map_err(|why| at.fault(why)).ok()?;
        if !threshold.effects.iter().all(EffectRule::is_of_a_pool) {
            at.fault("a pool changes numbers and conditions of its owner, or tells; no more");
        }
        Some(threshold)
    });
    let at: Vec<Threshold> = at.collect();
    reader.check_looked_up(table, 0, "numbers");
    at
}

fn group(table: Option<Table<'_>>) -> GroupWords {
    let plain = GroupWords::default();
    let Some(table) = table else { return plain };
    GroupWords {
        worst: table.text("worst").unwrap_or(plain.worst),
        best: table.text("best").unwrap_or(plain.best),
        highest: table.text("highest"),
    }
}

fn check(table: &Table<'_>, around: &Around<'_>, system: System) -> CheckSpec {
    let tables = table.tables("field");
    table.check_count("fields", tables.len(), MOST_FIELDS);
    let fields = tables.iter().filter_map(|field| Field::read(field, around));
    let fields: Vec<Field> = fields.collect();
    for (at, field) in fields.iter().enumerate() {
        let plain = in_expressions(field.id);
        if OPTIONS.contains(&field.id) || TAKEN.iter().any(|taken| plain.starts_with(taken)) {
            tables[at].fault(format!(
                "{} can't be called that: a roll has words of that name",
                field.id
            ));
        }
    }
    let helpers = fields.iter().position(|field| field.counts_helpers);
    let reads_all = fields.len() == tables.len();
    let reader = CheckReader::new(around, fields);
    reader.is_partial.set(!reads_all);
    let has_steps = table.get("step").is_some();
    let (program, outcomes, mut choices) = reader.program(table, &tables);
    choices.extend(table.each("choice", |choice| {
        Some(ChoiceSpec {
            id: choice.words("id"),
            answers: choice.texts("answers"),
            written: choice.words("written"),
            help: choice.words("help"),
        })
    }));
    let conditions = around.conditions.iter();
    let bearing = conditions.map(|condition| reader.bearing(condition.when));
    let bearing = bearing.collect();
    let fields = reader.fields.take();
    let helping = helpers.and_then(|at| {
        let field = fields.get(at)?;
        Some(Helping {
            brings: HelpEffect::Count(field.id),
            acts: false,
            shares: SharedConsequences::Nothing,
            help: field.help,
        })
    });
    let has_success = table.get("has_success").and_then(Given::flag);
    let told = table.table("helping");
    let told = told.and_then(|told| self::helping(&told));
    for example in table.tables("example") {
        check_example(&example, reads_all.then_some(&fields), &outcomes);
    }
    let id = table.id();
    let shown = words_of_values(table);
    CheckSpec {
        system,
        id,
        label: table.label(id),
        shown: keep_list(shown),
        deed: table.words("deed"),
        help: table.words("help"),
        has_success: has_success.unwrap_or(true),
        explodes: table.flag("explodes"),
        rolls_under: table.flag("rolls_under"),
        success_after: table.text("success_after"),
        helping: told.or(helping),
        fields: keep_list(fields),
        choices: keep_list(choices),
        outcomes: keep_list(outcomes),
        program: has_steps.then(|| keep(program)),
        bearing,
    }
}

/// What people call the values in `shown`. A list of names without words shows nothing to people.
fn words_of_values(table: &Table<'_>) -> Vec<(&'static str, &'static str)> {
    let is_table = table.get("shown").is_some_and(Given::is_table);
    if !is_table {
        return Vec::new();
    }

    let mut shown = Vec::new();
    for (name, given) in table.entries("shown") {
        if let Some(words) = given.text() {
            shown.push((name, words));
        }
    }
    shown
}

/// Checks what an example names; it is tried once the whole file is read.
fn check_example(example: &Table<'_>, fields: Option<&Vec<Field>>, outcomes: &[OutcomeSpec]) {
    if let Some(outcome) = example.must("outcome") {
        outcome.known("there is no outcome", outcomes.iter().map(|known| known.id));
    }
    for (name, given) in example.entries("fields") {
        let known = fields.into_iter().flatten().map(|field| field.id);
        if fields.is_some() && known.clone().all(|known| known != name) {
            given.fault(crate::system_file::read::unknown(
                "there is no field",
                name,
                known,
            ));
        }
    }
    for key in ["faces", "choose", "house", "total", "target", "ticks"] {
        example.get(key);
    }
}

fn helping(table: &Table<'_>) -> Option<Helping> {
    let brings = table.must("brings")?;
    let brings = if brings.is_table() {
        let brings = brings.table("what helpers bring")?;
        match (brings.text("flag"), brings.text("sum")) {
            (Some(flag), None) => HelpEffect::Flag(flag),
            (None, Some(sum)) => HelpEffect::Sum(sum),
            _ => {
                brings.fault("helpers bring a flag or a sum");
                return None;
            }
        }
    } else {
        brings.one_of(&[("skill", HelpEffect::Skill), ("told", HelpEffect::Told)])?
    };
    Some(Helping {
        brings,
        acts: table.flag("acts"),
        shares: table.variant("shares").unwrap_or_default(),
        help: table.words("help"),
    })
}
