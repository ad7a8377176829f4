//! Descriptions of changes: after an edit, after a roll, and after the game's file was edited by hand.

use serde::Deserialize;
use serde_json::Value as Json;

use super::{
    Allegiance, Change, Clock, ClockId, Condition, EntityRef, Game, Initiative, Link, LinkEffect,
    Part, Visibility, filled_of, is_noun, write_thresholds,
};
use tableside_rules::Value;
use tableside_text::{is_same_name, join, uncapitalise};

/// The values of a change as text. A missing value is empty.
struct Values {
    from: String,
    to: String,
    arrow: &'static str,
}

impl Values {
    fn of(change: &Change, aloud: bool) -> Self {
        Self {
            from: describe_value(&change.from, aloud),
            to: describe_value(&change.to, aloud),
            arrow: if aloud { "to" } else { "→" },
        }
    }

    /// `2 → 4`, or `2 to 4` aloud.
    fn step(&self) -> String {
        let Self { from, to, arrow } = self;
        format!("{from} {arrow} {to}")
    }
}

impl Change {
    /// Describes the change without the name of its entity: `Stress 2 → 4`. `None` if the log does not mention the part.
    ///
    /// `game` is the game after the change. With `aloud` the words suit a screen reader.
    pub fn describe(&self, game: &Game, aloud: bool) -> Option<String> {
        let values = Values::of(self, aloud);
        match &self.part {
            Part::Whole => {
                let name = self.name();
                let event = if self.from.is_null() { "new" } else { "gone" };
                return Some(format!("{name} is {event}"));
            }
            Part::Name => return Some(format!("now named {}", values.to)),
            Part::Notes => return Some("new notes".to_owned()),
            _ => {}
        }

        match self.entity {
            EntityRef::Character(_) => self.describe_character_part(game, &values),
            EntityRef::Clock(id) => self.describe_clock_part(game, id, &values),
            EntityRef::Pool(_) => self.describe_pool_part(game, &values),
            EntityRef::Round | EntityRef::House => Some(values.step()),
            _ => None,
        }
    }

    fn describe_character_part(&self, game: &Game, values: &Values) -> Option<String> {
        let to = &values.to;
        let description = match &self.part {
            Part::Player => format!("played by {to}"),
            Part::Side => match self.after::<Allegiance>() {
                Some(side) => format!("side {}", side.into_str()),
                None => format!("side {to}"),
            },
            Part::Hidden => self.either("hidden from players", "shown to players"),
            Part::Absent => self.either("absent", "present"),
            Part::Initiative if to.is_empty() => "out of the turn order".to_owned(),
            Part::Initiative => match self.after::<Initiative>() {
                Some(initiative) => format!("initiative {initiative}"),
                None => format!("initiative {to}"),
            },
            Part::Acted => self.either("has acted", "has yet to act"),
            Part::Conditions => self.describe_conditions(),
            Part::Stat(id) => return self.describe_stat(game, id, values),
            _ => return None,
        };
        Some(description)
    }

    fn describe_stat(&self, game: &Game, id: &str, values: &Values) -> Option<String> {
        let mut stats = game.system.spec().stats.iter();
        let label = stats.find(|stat| stat.id == id)?.label;
        let character = match self.entity {
            EntityRef::Character(who) => game.character(who),
            _ => None,
        };
        let is_derived = character.is_some_and(|character| character.sheet.derived(id).is_some());

        let Values { from, to, arrow } = values;
        let description = if to.is_empty() && is_derived {
            "computed by the rules again".to_owned()
        } else if from.is_empty() {
            format!("now {to}")
        } else if to.is_empty() {
            format!("{from} {arrow} none")
        } else {
            values.step()
        };
        Some(format!("{label} {description}"))
    }

    fn describe_conditions(&self) -> String {
        let old: Vec<Condition> = self.before().unwrap_or_default();
        let new: Vec<Condition> = self.after().unwrap_or_default();

        let mut descriptions = Vec::new();
        for condition in &new {
            if !old.contains(condition) {
                let verb = has_or_is(condition);
                descriptions.push(format!("now {verb}{condition}"));
            }
        }
        for condition in &old {
            // A condition with another level or duration is still there.
            let has_ended = !new
                .iter()
                .any(|other| is_same_name(&other.name, &condition.name));
            if has_ended {
                let verb = has_or_is(condition);
                descriptions.push(format!("no longer {verb}{condition}"));
            }
        }
        descriptions.join(", ")
    }

    fn describe_clock_part(&self, game: &Game, id: ClockId, values: &Values) -> Option<String> {
        let clock = game.clock(id);
        let to = &values.to;
        let description = match &self.part {
            Part::Kind => to.clone(),
            Part::Visibility => describe_visibility(self.after()?),
            Part::Owner => self.describe_owner(game)?,
            Part::Segments => {
                let step = values.step();
                format!("{step} segments")
            }
            Part::Filled => {
                let Values { from, arrow, .. } = values;
                let filled = filled_of(self.after()?, clock?.segments.count());
                format!("{from} {arrow} {filled}")
            }
            Part::Turns => "starts again".to_owned(),
            Part::OfScene => self.either("ends with the scene", "outlasts the scene"),
            Part::Race => match game.race_name(clock?) {
                Some(race) => format!("in the race {race}"),
                None => "in a separate race".to_owned(),
            },
            Part::Ends => {
                let ends = clock?.end_names().join(" and ");
                format!("between {ends}")
            }
            Part::WhenFull | Part::Every => {
                let acts = clock?.describe_automation().join(", ");
                if acts.is_empty() {
                    "no longer ticks or restarts".to_owned()
                } else {
                    acts
                }
            }
            Part::Link => self.describe_link(game)?,
            Part::Check => match clock.and_then(|clock| clock.check.as_ref()) {
                Some(attached) => {
                    let check = game.system.check(&attached.check).ok()?;
                    format!("filled by {}", check.label)
                }
                None => "no longer filled by a check".to_owned(),
            },
            _ => return None,
        };
        Some(description)
    }

    fn describe_link(&self, game: &Game) -> Option<String> {
        let Some(link) = self.after::<Link>() else {
            return Some("no longer linked".to_owned());
        };

        let target = &game.clock(link.to)?.name;
        let description = match link.effect {
            LinkEffect::Beside => format!("rolled for together with {target}"),
            effect => {
                let verb = effect.into_str();
                format!("{verb} {target} when full")
            }
        };
        Some(description)
    }

    fn describe_pool_part(&self, game: &Game, values: &Values) -> Option<String> {
        let to = &values.to;
        let description = match &self.part {
            Part::Kind => to.clone(),
            Part::Owner => self.describe_owner(game)?,
            Part::Tokens => values.step(),
            Part::Floor => format!("at least {to}"),
            Part::Cap if self.to.is_null() => "no longer capped".to_owned(),
            Part::Cap => format!("at most {to}"),
            Part::GainLimit => format!("at most {to} per scene"),
            Part::Gains => match self.to.get("most") {
                Some(limit) => format!("at most {limit} per scene"),
                None => "no limit per scene".to_owned(),
            },
            Part::Thresholds => {
                let thresholds: Vec<_> = self.after().unwrap_or_default();
                if thresholds.is_empty() {
                    "no thresholds".to_owned()
                } else {
                    let list = write_thresholds(&thresholds);
                    format!("threshold {list}")
                }
            }
            Part::Start | Part::Reset => "new start or reset".to_owned(),
            _ => return None,
        };
        Some(description)
    }

    fn describe_owner(&self, game: &Game) -> Option<String> {
        let owner = Option::deserialize(&self.to).ok()?;
        let name = game.owner_name(owner);
        Some(format!("belongs to {name}"))
    }

    /// Returns the first text if the part is true after the change, and the second if it is false.
    fn either(&self, if_true: &str, if_false: &str) -> String {
        let description = if self.to == true { if_true } else { if_false };
        description.to_owned()
    }

    /// The name of the entity that the change added or removed.
    fn name(&self) -> &str {
        let values = [&self.from, &self.to];
        let name = values
            .iter()
            .find_map(|entity| entity.get("name")?.as_str());
        name.unwrap_or_default()
    }

    /// Describes the end of a race or of a tug-of-war that this change of a clock brought.
    pub(super) fn describe_clock_end(&self, game: &Game) -> Option<String> {
        let EntityRef::Clock(id) = self.entity else {
            return None;
        };
        if self.part != Part::Filled {
            return None;
        }

        let clock = game.clock(id)?;
        let from = self.before()?;
        let to = self.after()?;
        game.describe_clock_end(clock, from, to)
    }

    /// Describes the change of a counter in a separate line: `Mira: Stress 2 → 4`. `None` if the log mentions the change
    /// elsewhere.
    ///
    /// `damage` is the damage that took these hit points: `Goblin: 8 damage, hit points 10 → 2`.
    pub(super) fn describe_counter(
        &self,
        game: &Game,
        damage: Option<i32>,
        aloud: bool,
    ) -> Option<String> {
        let name = match (self.entity, &self.part) {
            (EntityRef::Pool(id), Part::Tokens) => {
                let pool = game.pool(id)?;
                let owner = game.owner_name(pool.owner);
                format!("{owner}: {}", pool.name)
            }
            (EntityRef::Clock(id), Part::Filled) => clock_label(game, id)?,
            (EntityRef::Clock(id), Part::Visibility) => {
                let clock = clock_label(game, id)?;
                format!("{clock} is")
            }
            (EntityRef::Character(who), Part::Stat(_)) => {
                let character = game.character(who)?;
                format!("{}:", character.name)
            }
            (EntityRef::Round, _) => "round".to_owned(),
            (EntityRef::House, rule) => {
                let label = house_rule_label(game, rule);
                format!("{label}:")
            }
            _ => return None,
        };
        let description = self.describe(game, aloud)?;
        Some(match damage {
            Some(damage) => format!("{name} {damage} damage, {}", uncapitalise(&description)),
            None => format!("{name} {description}"),
        })
    }
}

/// The verb before a condition that is a noun: `now has exhaustion`, but `now dazed`.
fn has_or_is(condition: &Condition) -> &'static str {
    if is_noun(&condition.name) { "has " } else { "" }
}

fn describe_visibility(visibility: Visibility) -> String {
    let description = match visibility {
        Visibility::Visible => "shown to players",
        Visibility::Known => "known to players, without its progress",
        Visibility::Hidden => "hidden from players",
    };
    description.to_owned()
}

/// Returns a clock's name, after its owner's name if it has an owner: `Mira: Stress`.
fn clock_label(game: &Game, id: ClockId) -> Option<String> {
    let Clock { owner, name, .. } = game.clock(id)?;
    if owner.is_none() {
        return Some(name.clone());
    }
    let owner_name = game.owner_name(*owner);
    Some(format!("{owner_name}: {name}"))
}

/// Describes each change that was made by editing the game's file, one change in a line. `after` is the edited game.
pub fn describe_differences(after: &Game, changes: &[Change]) -> Vec<String> {
    changes
        .iter()
        .map(|change| describe_difference(after, change))
        .collect()
}

fn describe_difference(after: &Game, change: &Change) -> String {
    let pointer = change.part.pointer();
    let name = match (change.entity, &change.part) {
        // The description of an added or removed entity already contains its name.
        (_, Part::Whole) => String::new(),
        (EntityRef::House, rule) => house_rule_label(after, rule),
        // A renamed entity is listed under its old name.
        (_, Part::Name) => describe_value(&change.from, true),
        (entity, _) => match after.named(entity) {
            Ok((_, name)) => name,
            Err(_) => String::new(),
        },
    };
    let description = match change.describe(after, true) {
        Some(description) => description,
        None => pointer.trim_start_matches('/').to_owned(),
    };

    let word = change.entity.word();
    if name.is_empty() {
        let parts = ["the", word, &description];
        let present_parts = parts.iter().filter(|part| !part.is_empty());
        return join(present_parts, " ");
    }
    format!("the {word} {name}: {description}").replace("  ", " ")
}

/// The label of the house rule that a change is about.
fn house_rule_label(game: &Game, rule: &Part) -> String {
    let pointer = rule.pointer();
    let id = pointer.trim_start_matches('/');
    let mut rules = game.system.spec().house.iter();
    match rules.find(|rule| rule.id == id) {
        Some(rule) => rule.label.to_owned(),
        None => id.to_owned(),
    }
}

/// A value of a change as text, empty for null.
fn describe_value(value: &Json, aloud: bool) -> String {
    match Value::deserialize(value) {
        Ok(Value::Number(number @ ..0)) => {
            let sign = if aloud { "minus " } else { "−" };
            let amount = number.unsigned_abs();
            format!("{sign}{amount}")
        }
        Ok(value) => value.to_string(),
        Err(_) => String::new(),
    }
}
