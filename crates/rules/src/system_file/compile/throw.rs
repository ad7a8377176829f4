//! Compiles the dice of a step: the groups that are rolled, and the readings that the rules use.

use tableside_dice::{Die, DieRole, ReadingKind};

use super::scope::{CheckScope, MAX_LISTED, name_in_expressions};
use crate::system_file::program::expression::{Expression, ResolvedName};
use crate::system_file::program::{
    DieRule, ExplodeRule, GroupRule, ReadingRule, ThrowRule, ValueBounds,
};
use crate::system_file::read::{TomlTable, TomlValue};
use crate::{Kind, Side};

/// The most explosions of one die.
const MAX_EXPLOSIONS: u8 = 20;

/// The keys of a reading that decide how its dice are read.
const READING_KINDS: [&str; 5] = ["sum", "highest", "lowest", "count", "alike"];

/// The dice that a message about an unknown die suggests.
const USUAL_DICE: [&str; 8] = ["d4", "d6", "d8", "d10", "d12", "d20", "d100", "digit"];

impl CheckScope<'_> {
    /// Compiles a step with the table `roll`.
    pub(super) fn throw(&self, table: &TomlTable<'_>, roll: &TomlTable<'_>) -> ThrowRule {
        let mut dice_groups: Vec<GroupRule> = Vec::new();
        for (name, value) in roll.entries() {
            let title = format!("the dice {name}");
            if let Some(dice) = value.table(&title) {
                dice_groups.push(self.dice_group(name, &dice));
            }
        }
        if dice_groups.is_empty() {
            roll.fault(format!("{} rolls no dice", table.title));
        }
        roll.check_count("groups of dice", dice_groups.len(), MAX_LISTED);

        let mut sides: Vec<Side> = Vec::new();
        for group in &dice_groups {
            if !sides.contains(&group.by) {
                sides.push(group.by);
            }
        }

        ThrowRule {
            sides,
            readings: self.readings(table, &dice_groups),
            dice_groups,
        }
    }

    /// Compiles `read`. All readings are compiled before the first is defined, since none may use another.
    fn readings(
        &self,
        table: &TomlTable<'_>,
        dice_groups: &[GroupRule],
    ) -> Vec<(usize, ReadingRule)> {
        let mut compiled = Vec::new();
        for (name, value) in table.entries_of("read") {
            let title = format!("the reading {name}");
            let Some(reading_table) = value.table(&title) else {
                continue;
            };
            let Some(rule) = self.reading(&reading_table, dice_groups) else {
                continue;
            };
            let is_shown = reading_table.get("shown").and_then(TomlValue::flag);
            compiled.push((name, value, is_shown.unwrap_or(true), rule));
        }

        let mut readings = Vec::new();
        for (name, value, is_shown, rule) in compiled {
            let place = self.define(value, name, is_shown);
            readings.push((place, rule));
        }
        readings
    }

    fn dice_group(&self, name: &'static str, table: &TomlTable<'_>) -> GroupRule {
        let count = self.expression_at(table, "count");
        let die = table.require("die").and_then(|value| self.die(value));
        let has_symbols = match die {
            Some(DieRule::Plain(die)) => has_symbols(die),
            _ => false,
        };

        let by = table.variant("by").unwrap_or(Side::Actor);
        let is_opposed = by == Side::Opponent || table.flag("opposed");
        let role = DieRole::named(name, table.text("label"));

        GroupRule {
            name: if is_opposed { role.opposed() } else { role },
            count: count.unwrap_or_else(|| Expression::number(1)),
            die: die.unwrap_or(DieRule::Plain(Die::D6)),
            explodes: self.explosion(table, has_symbols),
            by,
            rerolls: Vec::new(),
        }
    }

    /// Compiles `explode`. Symbols cannot be added up on one die, so such dice always explode into new dice.
    fn explosion(&self, table: &TomlTable<'_>, has_symbols: bool) -> Option<ExplodeRule> {
        let value = table.get("explode")?;
        if !value.is_table() {
            let explodes = value.flag()?;
            let default_rule = ExplodeRule {
                lowest: None,
                most: MAX_EXPLOSIONS,
                adds_dice: has_symbols,
            };
            return if explodes { Some(default_rule) } else { None };
        }

        let explode = value.table("explode")?;
        let lowest = self.expression_at(&explode, "from");
        let limit = i32::from(MAX_EXPLOSIONS);
        let most = explode.number("most").unwrap_or(limit);
        if !(0..=limit).contains(&most) {
            explode.fault(format!("most must be from 0 to {MAX_EXPLOSIONS}"));
        }
        let adds_dice = explode
            .get("as")
            .and_then(|value| value.meaning(&[("add", false), ("dice", true)]));

        Some(ExplodeRule {
            lowest,
            most: u8::try_from(most).unwrap_or(MAX_EXPLOSIONS),
            adds_dice: adds_dice.unwrap_or(false) || has_symbols,
        })
    }

    /// Compiles a die: one of the file's own, `d2` to `d100`, `digit`, or a field that holds a die.
    fn die(&self, value: TomlValue<'_>) -> Option<DieRule> {
        let name = value.text()?;

        let mut custom_dice = self.declared.dice.iter();
        if let Some(custom) = custom_dice.find(|custom| custom.name == name) {
            return Some(DieRule::Plain(Die::Custom(custom)));
        }

        match name {
            "digit" => return Some(DieRule::Plain(Die::Digit)),
            "d100" => return Some(DieRule::Hundred),
            _ => {}
        }
        if let Some(sides) = name.strip_prefix('d')
            && let Ok(sides @ 2..=100) = sides.parse()
            && name == format!("d{sides}")
        {
            return Some(DieRule::Plain(Die::with_sides(sides)));
        }

        let written = name_in_expressions(name);
        let resolved = self
            .resolve(&written)
            .or_else(|| self.look_up(&format!("stat_{written}")));
        if let Some(ResolvedName::Field(place)) = resolved
            && self.fields.borrow()[place].kind == Kind::Die
        {
            return Some(DieRule::Field(place));
        }

        self.report_unknown_die(value, name);
        None
    }

    fn report_unknown_die(&self, value: TomlValue<'_>, name: &'static str) {
        let mut names = USUAL_DICE.to_vec();
        names.extend(self.declared.dice.iter().map(|custom| custom.name));
        for field in self.fields.borrow().iter() {
            if field.kind == Kind::Die {
                names.push(field.id);
            }
        }
        // A missing shared field or step may define the name. It is then not reported.
        if self.is_partial.get() {
            names.push(name);
        }

        value.name_among("unknown die", &names);
    }

    fn reading(&self, table: &TomlTable<'_>, dice_groups: &[GroupRule]) -> Option<ReadingRule> {
        let keep = table.get("keep");
        let symbol = table.optional_name("symbol", "unknown symbol", &self.symbols());

        let mut kinds_in_table = Vec::new();
        for kind in READING_KINDS {
            kinds_in_table.extend(table.get(kind).map(|groups| (kind, groups)));
        }
        let [(kind, groups)] = kinds_in_table[..] else {
            let kinds = READING_KINDS.join(", ");
            table.report_missing(format!("{} needs exactly one of {kinds}", table.title));
            return None;
        };
        let group_bits = group_bits(groups, dice_groups)?;

        let mut kept_count = None;
        let kind = match (kind, keep, symbol) {
            ("sum", Some(keep), None) => {
                let (highest, count) = self.keep(keep)?;
                kept_count = Some(count);
                // The count is evaluated at each roll and then replaces this 0.
                ReadingKind::SumOfKept { count: 0, highest }
            }
            ("sum", None, Some(symbol)) => ReadingKind::Symbol(symbol),
            ("sum", None, None) => ReadingKind::Sum,
            ("highest", None, None) => ReadingKind::SumOfKept {
                count: 1,
                highest: true,
            },
            ("lowest", None, None) => ReadingKind::SumOfKept {
                count: 1,
                highest: false,
            },
            ("count", None, None) => ReadingKind::Count,
            ("alike", None, None) => ReadingKind::LargestSet,
            _ => {
                table.fault("keep and symbol are for sum, and exclude each other");
                return None;
            }
        };

        Some(ReadingRule {
            reads: kind,
            keep: kept_count,
            of: group_bits,
            bounds: self.bounds(table),
        })
    }

    /// Returns the symbols of all dice of the file.
    fn symbols(&self) -> Vec<&'static str> {
        let mut symbols = Vec::new();
        for custom in self.declared.dice {
            symbols.extend(custom.symbols.iter().map(|(symbol, _)| *symbol));
        }
        symbols
    }

    /// Compiles `keep = "highest 3"`: true for the highest dice and false for the lowest, and the number of dice.
    fn keep(&self, value: TomlValue<'_>) -> Option<(bool, Expression)> {
        let (which, count) = value.text()?.split_once(' ').unwrap_or_default();
        let highest = match which {
            "highest" => true,
            "lowest" => false,
            _ => {
                value.fault("keep must be highest or lowest and a number, as in \"highest 3\"");
                return None;
            }
        };

        match self.parse(count) {
            Ok(count) => Some((highest, count)),
            Err(fault) => {
                value.fault_inside(which.len() + 1 + fault.characters, fault.message);
                None
            }
        }
    }

    /// Compiles `from`, `to` and `equal`.
    pub(super) fn bounds(&self, table: &TomlTable<'_>) -> ValueBounds {
        let is_equal = table.get("equal").is_some();
        let has_range = table.get("from").is_some() || table.get("to").is_some();
        if is_equal && has_range {
            table.fault("equal cannot be combined with from or to");
        }

        let [lowest_key, highest_key] = if is_equal {
            ["equal", "equal"]
        } else {
            ["from", "to"]
        };
        ValueBounds {
            from: self.expression_at(table, lowest_key),
            to: self.expression_at(table, highest_key),
        }
    }
}

/// Returns the groups of dice that a reading names: bit n is set for the group with index n.
fn group_bits(groups: TomlValue<'_>, dice_groups: &[GroupRule]) -> Option<u32> {
    let names: Vec<&str> = dice_groups.iter().map(|group| group.name.name()).collect();

    let mut bits = 0;
    for value in groups.as_list() {
        let name = value.name_among("unknown dice", &names)?;
        for (place, known) in (0..).zip(&names) {
            if *known == name {
                // `throw` reports a fault if there are more groups than bits.
                bits |= 1_u32.checked_shl(place).unwrap_or(0);
            }
        }
    }
    Some(bits)
}

fn has_symbols(die: Die) -> bool {
    match die {
        Die::Custom(custom) => !custom.symbols.is_empty(),
        _ => false,
    }
}
