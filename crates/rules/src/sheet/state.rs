//! The state of a character: health, hit points, and the meaning of numbers in checks.

use super::{Sheet, sum_ranks};
use crate::words::join;
use crate::{Field, HIT_POINTS, HouseRules, Kind, RuleError, Standing, Value, ValueSource};

impl Sheet {
    /// Returns the state of the character, such as `down`. `None` if the character is in none of the states that the rules
    /// name.
    pub fn standing(&self, house: &HouseRules) -> Option<Standing> {
        let rule = self.rules().standing(self.lookup(house))?;
        Some(rule.standing)
    }

    /// Ends the state of the character, and returns the ids of the stats that changed. A state whose rules do not say how
    /// it ends stays.
    ///
    /// # Errors
    /// If a new number does not fit its stat.
    pub fn end_standing(&mut self, house: &HouseRules) -> Result<Vec<&'static str>, RuleError> {
        let Some(rule) = self.rules().standing(self.lookup(house)) else {
            return Ok(Vec::new());
        };

        let mut changes = Vec::new();
        for (index, number) in &rule.ends {
            let Ok(number) = number.amount(self.lookup(house)) else {
                continue;
            };
            let stat = &self.stats()[*index];
            let value = match self.value(stat.id) {
                Some(Value::Ranks(ranks)) => Value::Ranks(reduce_ranks(ranks, number)),
                _ => Value::Number(number),
            };
            if self.value(stat.id) != Some(&value) {
                changes.push((stat.id, value));
            }
        }

        let mut changed_stats = Vec::new();
        for (id, value) in changes {
            self.set(id, value)?;
            changed_stats.push(id);
        }
        Ok(changed_stats)
    }

    /// Describes the character's health without numbers. Empty if the rules count no damage.
    pub fn health(&self, house: &HouseRules) -> &'static str {
        let Some(harm) = self.rules().harm(self.lookup(house)) else {
            return "";
        };

        if self.standing(house).is_some() {
            "down"
        } else if harm.damage <= 0 {
            "unhurt"
        } else if harm.damage < harm.max_damage - harm.damage {
            "hurt"
        } else {
            "badly hurt"
        }
    }

    /// Clears the texts that describe the character's present state, so that a player can see the sheet without them. Do
    /// not store the sheet afterwards.
    pub fn forget_state(&mut self) {
        for (stat, value) in self.stats().iter().zip(self.values_mut()) {
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
        let harm = self.rules().harm(self.lookup(&default_rules))?;
        let wound_ranks = sum_ranks(self.ranks("wounds"));
        Some(harm.max_damage - wound_ranks)
    }

    /// Returns the largest number that a stat can have on this sheet. `None` if only the bounds of its kind apply.
    pub fn most(&self, stat: &Field) -> Option<i32> {
        let most_hit_points = if stat.id == HIT_POINTS {
            self.most_hit_points()
        } else {
            None
        };
        most_hit_points
            .or_else(|| self.number(stat.most?))
            .filter(|most| *most > 0)
    }

    /// Returns the value that a stat has after some steps up or down.
    ///
    /// It stops at the stat's maximum on this sheet and at the bounds of its kind. A larger number, which a player typed,
    /// is not lowered by a step up. `None` for texts and lists.
    pub fn stepped(&self, stat: &Field, steps: i32) -> Option<Value> {
        let value = self.value(stat.id)?;
        let stepped = stat.kind.stepped(value, steps)?;

        match (value, &stepped, self.most(stat)) {
            (Value::Number(before), Value::Number(after), Some(most)) if after > before => {
                let limit = most.max(*before);
                Some(Value::Number(limit.min(*after)))
            }
            _ => Some(stepped),
        }
    }

    /// Returns true if a stat is the maximum of another one, which is shown together with it.
    pub fn is_maximum(&self, id: &str) -> bool {
        self.stats().iter().any(|stat| stat.most == Some(id))
    }

    /// Returns the word that checks use for the stat's number, such as `trained`. `None` if no field of a check
    /// converts the number to a word.
    pub(crate) fn means(&self, id: &'static str) -> Option<String> {
        let checks = self.system.spec().checks.iter();
        let mut fields = checks.flat_map(|check| check.fields);
        let field = fields.find(|field| takes_words_from(field, id))?;

        let stat = self.stat(id).ok()?;
        let value = self.value(id)?;
        let Value::Ranks(ranks) = value else {
            let word = field.value_from(stat, value)?;
            return Some(word.to_string());
        };

        let mut entries = Vec::new();
        for (name, rank) in ranks {
            let rank = Value::Number(*rank);
            if let Some(word) = field.value_from(stat, &rank) {
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

/// Lowers the highest ranks until their sum is at most `most`. Entries without ranks are left out.
fn reduce_ranks(ranks: &[(String, i32)], most: i32) -> Vec<(String, i32)> {
    let mut reduced = ranks.to_vec();
    let mut surplus = sum_ranks(ranks) - most.max(0);
    while surplus > 0 {
        let Some((_, rank)) = reduced.iter_mut().max_by_key(|(_, rank)| *rank) else {
            break;
        };
        let lowered = (*rank).min(surplus);
        *rank -= lowered;
        surplus -= lowered;
    }

    reduced.retain(|(_, rank)| *rank > 0);
    reduced
}

/// True if the field converts numbers of this stat to words.
fn takes_words_from(field: &Field, stat: &str) -> bool {
    match (field.kind, field.source) {
        (Kind::Word(_), ValueSource::OneOf { stats, .. }) => stats.contains(&stat),
        _ => false,
    }
}
