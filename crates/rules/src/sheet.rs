//! A character's sheet: the system's own stats, described as data and checked against it.

use std::collections::{BTreeMap, BTreeSet};

use serde::ser::{Serialize, Serializer};

use super::system_file::{Known, Name, SheetRules};
use super::words::join;
use super::{Field, HouseRules, Kind, RuleError, Standing, System, Value, ValueSource};
use tableside_dice::Die;

/// The stats of one character, each as its system describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    system: System,
    /// The values, those of derived stats as they are now.
    values: Vec<Value>,
    /// The places of derived stats that have a number of their own instead.
    overridden: BTreeSet<usize>,
    /// What other rules of the game knew and these do not, for when those are taken back.
    kept: BTreeMap<String, Value>,
}

impl Sheet {
    /// The sheet of a new character.
    pub fn new(system: System) -> Self {
        let values = system.spec().stats.iter().map(Field::at_first).collect();
        let mut sheet = Self {
            system,
            values,
            overridden: BTreeSet::new(),
            kept: BTreeMap::new(),
        };
        sheet.derive_stats();
        sheet
    }

    /// Works out every derived stat again. A number of its own that equals the derived one is no longer needed.
    fn derive_stats(&mut self) {
        let rules = self.rules();

        for place in rules.derived() {
            let Some(derived) = self.derived_at(place) else {
                continue;
            };
            if self.overridden.contains(&place) && self.values[place] != derived {
                continue;
            }
            self.overridden.remove(&place);
            self.values[place] = derived;
        }
    }

    /// The value that the stat at this place follows to, within its bounds.
    fn derived_at(&self, place: usize) -> Option<Value> {
        let house = HouseRules::default();
        let derived = self.rules().derive(place, self.known(&house))?;
        match self.system.spec().stats.get(place)?.kind {
            Kind::Number { min, max } => Some(Value::Number(derived.clamp(min, max))),
            _ => None,
        }
    }

    /// The value that a stat follows to from others; `None` if it is not a derived stat.
    pub fn derived(&self, id: &str) -> Option<Value> {
        self.derived_at(self.position(id)?)
    }

    /// True if a stat follows from others and has no number of its own.
    pub fn is_derived(&self, id: &str) -> bool {
        match self.position(id) {
            Some(place) => self.derived(id).is_some() && !self.overridden.contains(&place),
            None => false,
        }
    }

    /// Puts a value at a place. The first value of a derived stat stands for the derived one, as in games of an older
    /// program, in which nobody had typed a number.
    fn put(&mut self, place: usize, value: Value) -> Value {
        let is_derived = self.derived_at(place).is_some();
        let is_first = self.system.spec().stats[place].at_first() == value;
        if is_derived && !is_first {
            self.overridden.insert(place);
        } else {
            self.overridden.remove(&place);
        }

        let before = std::mem::replace(&mut self.values[place], value);
        self.derive_stats();
        before
    }

    /// The sheet with these values; every stat must be there, and what the system does not know is
    /// left alone.
    pub fn from_values(
        system: System,
        mut value_of: impl FnMut(&str) -> Option<Value>,
    ) -> Result<Self, RuleError> {
        let mut sheet = Self::new(system);
        let mut given = Vec::new();
        for (place, stat) in system.spec().stats.iter().enumerate() {
            let is_derived = sheet.derived_at(place).is_some();
            let missing = || (format!("the stat {}", stat.id), stat.describe());
            let value = match value_of(stat.id) {
                Some(value) => value,
                // A derived stat is written down only if it has a number of its own.
                None if is_derived => continue,
                None => return Err(RuleError::Missing(vec![missing()])),
            };
            let value = stat.kind.coerce(stat.id, value)?;
            if is_derived {
                given.push((place, value));
            } else {
                sheet.values[place] = value;
            }
        }
        sheet.derive_stats();
        for (place, value) in given {
            sheet.put(place, value);
        }
        sheet.check_bounds()?;
        Ok(sheet)
    }

    /// The same sheet under other rules. No value is lost: what these do not know, or take differently, is kept aside
    /// until rules come that take it.
    pub fn under(&self, system: System) -> Self {
        let fit = |stat: &Field, value: &Value| match (stat.kind, value) {
            (Kind::Number { min, max }, Value::Number(number)) => {
                Some(Value::Number(*number.clamp(&min, &max)))
            }
            (kind, value) => kind.coerce(stat.id, value.clone()).ok(),
        };
        let mut sheet = Self {
            kept: self.kept.clone(),
            ..Self::new(system)
        };
        for (stat, value) in self.iter().filter(|(stat, _)| !self.is_derived(stat.id)) {
            // A value that other rules cut short is whole again, unless somebody changed it since.
            let whole = self.kept.get(stat.id);
            let whole = whole.filter(|whole| fit(stat, whole).as_ref() == Some(value));
            let whole = whole.unwrap_or(value);
            sheet.kept.insert(stat.id.to_owned(), whole.clone());
        }
        for (place, stat) in system.spec().stats.iter().enumerate() {
            let fitting = sheet.kept.get(stat.id).and_then(|value| fit(stat, value));
            if let Some(value) = fitting {
                if sheet.kept.get(stat.id) == Some(&value) {
                    sheet.kept.remove(stat.id);
                }
                sheet.put(place, value);
            }
        }
        while let Some((index, bound)) = sheet.above_bound() {
            let stat = &system.spec().stats[index];
            let before = std::mem::replace(&mut sheet.values[index], Value::Die(bound));
            sheet.kept.entry(stat.id.to_owned()).or_insert(before);
        }
        sheet
    }

    /// What is kept aside for rules that know it, by the names of the stats.
    pub fn kept(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.kept.iter().map(|(id, value)| (id.as_str(), value))
    }

    /// Keeps a value aside.
    pub fn keep(&mut self, id: &str, value: Value) {
        self.kept.insert(id.to_owned(), value);
    }

    /// Checks that no die is larger than the one that bounds it.
    pub fn check_bounds(&self) -> Result<(), RuleError> {
        let Some((index, _)) = self.above_bound() else {
            return Ok(());
        };
        let (stat, die) = (&self.system.spec().stats[index], &self.values[index]);
        Err(RuleError::wrong(stat.id, stat.describe(), &die.to_string()))
    }

    /// The first die that is larger than the one that bounds it, and the bound.
    fn above_bound(&self) -> Option<(usize, Die)> {
        self.iter().enumerate().find_map(|(index, (stat, value))| {
            let bound = self.die(stat.at_most?)?;
            (value.die()? > bound).then_some((index, bound))
        })
    }

    /// The system.
    pub fn system(&self) -> System {
        self.system
    }

    /// Every stat with its value, in the system's order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Field, &Value)> + '_ {
        self.system.spec().stats.iter().zip(&self.values)
    }

    /// The description of a stat.
    pub fn stat(&self, id: &str) -> Result<&'static Field, RuleError> {
        let spec = self.system.spec();
        let found = spec.stats.iter().find(|stat| stat.id == id);
        found.ok_or_else(|| {
            let no = format!("a sheet of {} has no stat", spec.id);
            let known = spec.stats.iter().map(|stat| stat.id);
            RuleError::unknown(&no, id, "it has", known)
        })
    }

    /// The value of a stat.
    pub fn value(&self, id: &str) -> Option<&Value> {
        self.values.get(self.position(id)?)
    }

    /// Gives a stat a value. A die that bounds another pulls it along: a smaller heart die leaves no
    /// larger one in use.
    pub fn set(&mut self, id: &str, value: Value) -> Result<(), RuleError> {
        let stat = self.stat(id)?;
        let value = stat.kind.coerce(stat.label, value)?;
        let Some(index) = self.position(id) else {
            return Ok(());
        };
        let before = self.put(index, value);
        if stat.at_most.is_some() {
            let checked = self.check_bounds();
            if checked.is_err() {
                self.values[index] = before;
            }
            return checked;
        }
        while let Some((index, bound)) = self.above_bound() {
            self.values[index] = Value::Die(bound);
        }
        Ok(())
    }

    /// Puts a value down as a fact, without pulling anything along: every difference of an event says
    /// itself what it does.
    pub fn record(&mut self, id: &str, value: Value) -> Result<(), RuleError> {
        let value = self.stat(id)?.kind.coerce(id, value)?;
        if let Some(index) = self.position(id) {
            self.put(index, value);
        }
        Ok(())
    }

    fn position(&self, id: &str) -> Option<usize> {
        let stats = self.system.spec().stats;
        stats.iter().position(|stat| stat.id == id)
    }

    /// What its system works out of such sheets.
    fn rules(&self) -> &'static SheetRules {
        &self.system.spec().sheet_rules
    }

    /// What the names of an expression over sheets stand for.
    pub(super) fn known<'a>(&'a self, house: &'a HouseRules) -> impl Fn(Name) -> Known + Copy + 'a {
        move |name| {
            let value = match name {
                Name::Field(at) => self.values.get(at).map(Known::from),
                Name::HouseRule(at) => house.known(self.system, at),
                Name::Sum(at) => {
                    let ranks = self.values.get(at).and_then(Value::ranks);
                    ranks.map(|ranks| Known::Number(sum(ranks).into()))
                }
                Name::Place(_) | Name::Step(_) => None,
            };
            value.unwrap_or_default()
        }
    }

    /// The words that a stat's numbers come to in a check; none where no field takes words from it.
    pub(super) fn means(&self, stat: &'static str) -> Option<String> {
        let takes = |field: &&Field| match (field.kind, field.source) {
            (Kind::Word(_), ValueSource::OneOf { stats, .. }) => stats.contains(&stat),
            _ => false,
        };
        let mut checks = self.system.spec().checks.iter();
        let field = checks.find_map(|check| check.fields.iter().find(takes))?;
        let (stat, value) = self.iter().find(|(known, _)| known.id == stat)?;
        let Value::Ranks(ranks) = value else {
            return Some(field.value_from(stat, value)?.to_string());
        };
        let told = ranks.iter().filter_map(|(name, rank)| {
            let word = field.value_from(stat, &Value::Number(*rank))?;
            Some(format!("{name} {word}"))
        });
        Some(join(told, ", ")).filter(|told| !told.is_empty())
    }

    /// How somebody with this sheet stands at a table of these house rules; nothing while all is well.
    pub fn standing(&self, house: &HouseRules) -> Option<Standing> {
        self.rules().standing(self.known(house))
    }

    /// How well somebody is, in a word that tells no number; empty where the rules count no harm.
    pub fn health(&self, house: &HouseRules) -> &'static str {
        match self.rules().harm(self.known(house)) {
            None => "",
            Some(_) if self.standing(house).is_some() => "down",
            Some((..=0, _)) => "unhurt",
            Some((harm, most)) if harm < most - harm => "hurt",
            Some(_) => "badly hurt",
        }
    }

    /// Takes out what only tells how somebody stands. Such a sheet is only read.
    pub fn forget_state(&mut self) {
        for (stat, value) in self.system.spec().stats.iter().zip(&mut self.values) {
            if stat.state {
                *value = Value::from("");
            }
        }
    }

    /// The most hit points: what takes one out, lowered by the ranks of all wounds (Heart Rush, Wounds); nothing
    /// where the rules know no hit points.
    pub fn most_hit_points(&self) -> Option<i32> {
        self.number("hit-points")?;
        let wounds = sum(self.ranks("wounds"));
        let (_, most) = self.rules().harm(self.known(&HouseRules::default()))?;
        Some(most - wounds)
    }

    /// The most that a number may be while all is well, where the sheet says so.
    pub fn most(&self, stat: &Field) -> Option<i32> {
        let is_bounded = stat.id == "hit-points";
        let most = is_bounded.then(|| self.most_hit_points()).flatten();
        most.filter(|most| *most > 0)
    }

    /// A die of the sheet.
    pub fn die(&self, id: &str) -> Option<Die> {
        self.value(id)?.die()
    }

    /// A number of the sheet.
    pub fn number(&self, id: &str) -> Option<i32> {
        self.value(id)?.number()
    }

    /// A list of the sheet; empty if it has none.
    pub fn ranks(&self, id: &str) -> &[(String, i32)] {
        self.value(id).and_then(Value::ranks).unwrap_or_default()
    }
}

fn sum(ranks: &[(String, i32)]) -> i32 {
    ranks.iter().map(|(_, rank)| rank).sum()
}

impl Serialize for Sheet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(stat, value)| (stat.id, value)))
    }
}
