//! Templates of creatures: opponents and others whose values a system's file, or a file of the group, lists.

use std::fmt::Write as _;

use strum::{EnumString, IntoStaticStr, VariantNames};

use super::system_file::{TomlTable, TomlValue, with_tables};
use super::{Field, Id, PoolSpec, Recharge, RestKind, RuleError, Sheet, System, Value};

/// The most creatures that one file may list.
const MOST_CREATURES: usize = 400;

/// A template from which characters are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Creature {
    /// The name, such as `Goblin Warrior`.
    pub name: String,
    /// The side that a new character of this template is on.
    pub side: CreatureSide,
    /// The values of stats that differ from those of a new sheet, by the ids of the stats.
    pub stats: Vec<(&'static str, Value)>,
    /// The pools that differ from those of the rules, and pools of its own.
    pub pools: Vec<CreaturePool>,
    /// The GM's notes, such as its other attacks.
    pub notes: String,
}

/// The side of a creature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum CreatureSide {
    /// The players' side, as a character of a player.
    Party,
    /// The players' side.
    Ally,
    /// Against the players.
    #[default]
    Adversary,
    /// On no side.
    Neutral,
    /// A sheet that the players share, such as a ship.
    Crew,
}

/// A pool of a creature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreaturePool {
    /// The name of a pool of its own, or the id of a pool of the rules.
    pub name: String,
    /// The pool of the rules; `None` for a pool of its own.
    pub rule: Option<Id>,
    /// The tokens at the start, and after a reset.
    pub start: i32,
    /// True if the pool refills when a turn of the creature begins.
    pub resets_each_turn: bool,
    /// The roll at the start of a turn that refills the pool.
    pub recharge: Option<Recharge>,
    /// The rest that refills the pool.
    pub resets_after_rest: Option<RestKind>,
}

impl Creature {
    /// Reads the creatures of a file for one system. Empty if the file is for another system.
    ///
    /// # Errors
    /// If the file has faults; the error lists all of them with their lines.
    pub fn read_file(text: &str, system: System) -> Result<Vec<Self>, RuleError> {
        super::system_file::check_size(text)?;
        with_tables(text, |file| {
            let id = file.require("system").and_then(TomlValue::text);
            if id.is_some_and(|id| id != system.id()) {
                file.ignore_other_keys();
                return Vec::new();
            }
            let spec = system.spec();
            Self::compile_all(file, spec.stats, spec.pools)
        })
    }

    /// Compiles every `[[creature]]` of a file.
    pub(super) fn compile_all(
        file: &TomlTable<'_>,
        stats: &'static [Field],
        pools: &[PoolSpec],
    ) -> Vec<Self> {
        let creatures = file.read_each("creature", |table| Self::compile(table, stats, pools));
        file.check_count("creatures", creatures.len(), MOST_CREATURES);
        creatures
    }

    fn compile(table: &TomlTable<'_>, stats: &'static [Field], pools: &[PoolSpec]) -> Option<Self> {
        let name_value = table.require("name")?;
        let name = name_value.text()?;
        if name.trim().is_empty() {
            name_value.fault("the name of a creature must not be empty");
        }

        let stats_of_creature = compile_stats(table, stats);
        let pools_of_creature = compile_pools(table, pools);
        Some(Self {
            name: name.trim().to_owned(),
            side: table.variant("side").unwrap_or_default(),
            stats: stats_of_creature,
            pools: pools_of_creature,
            notes: table.text_or_empty("notes").to_owned(),
        })
    }

    /// Creates the sheet of a new character of this template. A value that the rules no longer accept is left out.
    pub fn sheet(&self, system: System) -> Sheet {
        let mut sheet = Sheet::new(system);
        let mut given = Vec::new();
        for (id, value) in &self.stats {
            // The rules may have changed since the creature was written.
            if sheet.record(id, value.clone()).is_ok() {
                given.push(*id);
            }
        }
        sheet.follow_maximums(&given);
        sheet.raise_maximums(&given);
        sheet
    }

    /// Returns the text of a file with these creatures for a system.
    pub fn write_file(system: System, creatures: &[Self]) -> String {
        let mut text = format!("system = {:?}\n", system.id());
        for creature in creatures {
            creature.write(&mut text);
        }
        text
    }

    /// Adds the creature as a `[[creature]]` to the text of a file.
    fn write(&self, text: &mut String) {
        let quoted = |value: &str| toml::Value::String(value.to_owned()).to_string();

        // Writing to a `String` never fails.
        _ = write!(text, "\n[[creature]]\nname = {}\n", quoted(&self.name));
        if self.side != CreatureSide::default() {
            _ = writeln!(text, "side = {}", quoted(self.side.into_str()));
        }
        if !self.stats.is_empty() {
            let mut entries = Vec::new();
            for (id, value) in &self.stats {
                entries.push(format!("{id} = {}", value_in_toml(value)));
            }
            _ = writeln!(text, "stats = {{ {} }}", entries.join(", "));
        }
        if !self.pools.is_empty() {
            let mut entries = Vec::new();
            for pool in &self.pools {
                entries.push(format!("{} = {}", quoted(&pool.name), pool.in_toml()));
            }
            _ = writeln!(text, "pools = {{ {} }}", entries.join(", "));
        }
        if !self.notes.is_empty() {
            _ = writeln!(text, "notes = {}", quoted(&self.notes));
        }
    }
}

impl CreaturePool {
    /// Creates a pool of the creature's own, which does not refill by itself.
    pub fn own(name: &str, start: i32) -> Self {
        Self {
            name: name.to_owned(),
            rule: None,
            start,
            resets_each_turn: false,
            recharge: None,
            resets_after_rest: None,
        }
    }

    fn in_toml(&self) -> String {
        let mut entries = Vec::new();
        if self.resets_each_turn {
            entries.push("after_turn = \"reset\"".to_owned());
        }
        if let Some(recharge) = self.recharge {
            entries.push(format!("recharge = {}", recharge.from));
        }
        match self.resets_after_rest {
            Some(RestKind::Short) => entries.push("after_rest = \"short\"".to_owned()),
            Some(RestKind::Long) => entries.push("after_rest = \"long\"".to_owned()),
            None => {}
        }

        if entries.is_empty() {
            return self.start.to_string();
        }
        entries.insert(0, format!("start = {}", self.start));
        format!("{{ {} }}", entries.join(", "))
    }
}

/// Returns a value of a sheet as TOML that can stand in an inline table.
fn value_in_toml(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Flag(flag) => flag.to_string(),
        Value::Die(die) => toml::Value::String(die.to_string()).to_string(),
        Value::Text(text) => toml::Value::String(text.clone()).to_string(),
        Value::Ranks(ranks) => {
            let mut entries = Vec::new();
            for (name, rank) in ranks {
                let name = toml::Value::String(name.clone());
                entries.push(format!("{name} = {rank}"));
            }
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

/// Compiles `stats`: the ids of stats with their values.
fn compile_stats(table: &TomlTable<'_>, stats: &'static [Field]) -> Vec<(&'static str, Value)> {
    let ids: Vec<&str> = stats.iter().map(|stat| stat.id).collect();
    let mut values = Vec::new();

    for (id, value) in table.entries_of("stats") {
        let Some(stat) = stats.iter().find(|stat| stat.id == id) else {
            value.fault(super::system_file::unknown_name("unknown stat", id, &ids));
            continue;
        };
        match stat.kind.coerce(stat.id, value.field_value()) {
            Ok(value) => values.push((stat.id, value)),
            Err(error) => value.fault(error.to_string()),
        }
    }
    values
}

/// Compiles `pools`: the ids of pools of the rules, or names of pools of its own, with their tokens.
fn compile_pools(table: &TomlTable<'_>, rules: &[PoolSpec]) -> Vec<CreaturePool> {
    let mut pools = Vec::new();
    for (name, value) in table.entries_of("pools") {
        let rule = rules.iter().find(|rule| rule.id.as_str() == name);
        let Some(pool) = compile_pool(name, value, rule.map(|rule| rule.id)) else {
            continue;
        };

        if let Some(rule) = rule {
            let floor = rule.floor.unwrap_or(i32::MIN);
            let cap = rule.cap.unwrap_or(i32::MAX);
            if !(floor..=cap).contains(&pool.start) {
                value.fault(format!(
                    "{} must be between the min and max of the pool {name}",
                    pool.start
                ));
            }
        }
        pools.push(pool);
    }
    pools
}

/// Compiles one pool, such as `1` or `{ start = 1, recharge = 5 }`.
fn compile_pool(name: &str, value: TomlValue<'_>, rule: Option<Id>) -> Option<CreaturePool> {
    let mut pool = CreaturePool {
        rule,
        ..CreaturePool::own(name, 0)
    };
    if !value.is_table() {
        pool.start = value.number()?;
        return Some(pool);
    }

    let table = value.table(&format!("the pool {name}"))?;
    pool.start = table.require("start")?.number()?;
    pool.resets_each_turn = table.variant("after_turn") == Some(super::AtEnd::Reset);
    pool.recharge = Recharge::compile(&table);
    pool.resets_after_rest = table.variant("after_rest");
    Some(pool)
}
