//! The state of a character: health, hit points, and the meaning of numbers in checks.

use super::{Sheet, sum_ranks};
use crate::words::join;
use crate::{Field, HouseRules, Kind, Standing, Value, ValueSource};

impl Sheet {
    /// Returns the state that the rules have a word for, such as `down`. `None` while all is well.
    pub fn standing(&self, house: &HouseRules) -> Option<Standing> {
        self.rules().standing(self.lookup(house))
    }

    /// Describes the character's health without numbers. Empty if the rules count no damage.
    pub fn health(&self, house: &HouseRules) -> &'static str {
        let Some((damage, max_damage)) = self.rules().harm(self.lookup(house)) else {
            return "";
        };

        if self.standing(house).is_some() {
            "down"
        } else if damage <= 0 {
            "unhurt"
        } else if damage < max_damage - damage {
            "hurt"
        } else {
            "badly hurt"
        }
    }

    /// Clears the stats that only describe the character's present state. The sheet is then only good for reading.
    pub fn forget_state(&mut self) {
        for (stat, value) in self.stats().iter().zip(&mut self.values) {
            if stat.state {
                *value = Value::from("");
            }
        }
    }

    /// Returns the most hit points that the character can have. `None` if the rules have no hit points.
    ///
    /// Each rank of a wound lowers it by 1 (Heart Rush, Wounds).
    pub fn most_hit_points(&self) -> Option<i32> {
        self.number("hit-points")?;
        let default_rules = HouseRules::default();
        let (_, max_damage) = self.rules().harm(self.lookup(&default_rules))?;
        Some(max_damage - sum_ranks(self.ranks("wounds")))
    }

    /// Returns the most that a stat can be on this sheet. `None` if only the bounds of its kind apply.
    pub fn most(&self, stat: &Field) -> Option<i32> {
        if stat.id != "hit-points" {
            return None;
        }
        self.most_hit_points().filter(|most| *most > 0)
    }

    /// Returns the words that checks use for a stat's number or numbers. `None` if no field converts the stat to words.
    pub(crate) fn means(&self, id: &'static str) -> Option<String> {
        let field = self
            .system
            .spec()
            .checks
            .iter()
            .flat_map(|check| check.fields)
            .find(|field| takes_words_from(field, id))?;
        let (stat, value) = self.iter().find(|(stat, _)| stat.id == id)?;
        let Value::Ranks(ranks) = value else {
            return Some(field.value_from(stat, value)?.to_string());
        };

        let mut entries = Vec::new();
        for (name, rank) in ranks {
            if let Some(word) = field.value_from(stat, &Value::Number(*rank)) {
                entries.push(format!("{name} {word}"));
            }
        }
        if entries.is_empty() {
            None
        } else {
            Some(join(entries, ", "))
        }
    }
}

/// True if the field converts numbers of this stat to words.
fn takes_words_from(field: &Field, stat: &str) -> bool {
    match (field.kind, field.source) {
        (Kind::Word(_), ValueSource::OneOf { stats, .. }) => stats.contains(&stat),
        _ => false,
    }
}
