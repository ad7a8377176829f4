//! Creatures as other programs write them: Open5e, version 1 and 2, and Improved Initiative.

use serde_json::{Map, Value as Json};

use tableside_dice::Die;
use tableside_rules::{Creature, CreaturePool, CreatureSide, Recharge, RestKind, Value};
use tableside_text::sanitise;

/// The longest notes of a template, in characters. A text of a file may have 2,000.
const LONGEST_NOTES: usize = 1_900;

/// The names of the six abilities as Open5e writes them, and as Improved Initiative does.
const ABILITIES: [(&str, &str); 6] = [
    ("strength", "Str"),
    ("dexterity", "Dex"),
    ("constitution", "Con"),
    ("intelligence", "Int"),
    ("wisdom", "Wis"),
    ("charisma", "Cha"),
];

/// A creature as another program writes it.
#[derive(Default)]
pub(super) struct Foreign {
    name: String,
    hit_points: Option<i64>,
    armor_class: Option<i64>,
    abilities: Vec<(&'static str, i64)>,
    challenge: Option<f64>,
    speed: String,
    actions: Vec<ForeignAction>,
}

struct ForeignAction {
    name: String,
    text: String,
    /// The dice of its damage, such as 2 and 6 for 2d6.
    damage: Option<(i32, i32)>,
    pool: Option<CreaturePool>,
}

impl Foreign {
    /// Reads an object if it is a creature.
    pub(super) fn read(object: &Map<String, Json>) -> Option<Self> {
        if let Some(Json::Object(fields)) = object.get("fields") {
            return Self::read(fields);
        }
        if object.get("Name").is_some() && object.get("HP").is_some() {
            return Some(Self::of_improved_initiative(object));
        }
        if object.get("name").is_some() && object.get("hit_points").is_some() {
            return Some(Self::of_open5e(object));
        }
        None
    }

    fn of_improved_initiative(object: &Map<String, Json>) -> Self {
        let value_of = |key: &str| object.get(key).and_then(|part| part.get("Value"));
        let abilities = object.get("Abilities");
        let mut creature = Self {
            name: text_at(object, "Name"),
            hit_points: value_of("HP").and_then(integer),
            armor_class: value_of("AC").and_then(integer),
            challenge: object.get("Challenge").and_then(challenge),
            speed: match object.get("Speed") {
                Some(Json::Array(speeds)) => {
                    let speeds: Vec<&str> = speeds.iter().filter_map(Json::as_str).collect();
                    speeds.join(", ")
                }
                _ => String::new(),
            },
            ..Self::default()
        };
        creature.read_abilities(|_, short| abilities?.get(short));

        let lists = [
            "Traits",
            "Actions",
            "BonusActions",
            "Reactions",
            "LegendaryActions",
        ];
        creature.read_actions(object, &lists, ForeignAction::of_improved_initiative);
        creature
    }

    fn of_open5e(object: &Map<String, Json>) -> Self {
        let scores = object.get("ability_scores");
        let challenge_keys = [
            "challenge_rating_decimal",
            "cr",
            "challenge_rating",
            "challenge_rating_text",
        ];
        let mut creature = Self {
            name: text_at(object, "name"),
            hit_points: object.get("hit_points").and_then(integer),
            armor_class: object.get("armor_class").and_then(integer),
            challenge: challenge_keys
                .into_iter()
                .find_map(|key| object.get(key).and_then(challenge)),
            speed: describe_speed(object),
            ..Self::default()
        };
        // Version 1 has the scores beside the name, version 2 in an object, and its data files under longer names.
        creature.read_abilities(|ability, _| {
            object
                .get(ability)
                .or_else(|| scores?.get(ability))
                .or_else(|| object.get(&format!("ability_score_{ability}")))
        });

        let lists = [
            "special_abilities",
            "traits",
            "actions",
            "bonus_actions",
            "reactions",
            "legendary_actions",
        ];
        creature.read_actions(object, &lists, ForeignAction::of_open5e);
        creature
    }

    /// Reads the scores of the six abilities. `score_of` gets the long and the short name of an ability.
    fn read_abilities<'a>(&mut self, score_of: impl Fn(&str, &str) -> Option<&'a Json>) {
        for (ability, short) in ABILITIES {
            if let Some(score) = score_of(ability, short).and_then(integer) {
                self.abilities.push((ability, score));
            }
        }
    }

    /// Reads the actions in these lists of a creature.
    fn read_actions(
        &mut self,
        object: &Map<String, Json>,
        lists: &[&str],
        read_action: fn(&Json) -> ForeignAction,
    ) {
        for list in lists {
            for action in list_at(object, list) {
                self.actions.push(read_action(action));
            }
        }
    }

    pub(super) fn to_creature(&self) -> Creature {
        let mut stats: Vec<(&'static str, Value)> = Vec::new();
        let mut push = |id: &'static str, number: Option<i64>| {
            if let Some(number) = number.and_then(|number| i32::try_from(number).ok()) {
                stats.push((id, Value::Number(number)));
            }
        };
        push("hit-points", self.hit_points);
        push("armor-class", self.armor_class);
        for (ability, score) in &self.abilities {
            push(ability, Some(*score));
        }
        let proficiency = proficiency_of(self.challenge.unwrap_or(0.0));
        if proficiency > 2 {
            push("proficiency", Some(proficiency));
        }
        let damage = self.actions.iter().find_map(|action| action.damage);
        if let Some((dice, sides)) = damage
            && let Ok(die) = format!("d{sides}").parse::<Die>()
            && Die::LADDER.contains(&die)
        {
            stats.push(("weapon", Value::Die(die)));
            if dice > 1 {
                stats.push(("weapon-dice", Value::Number(dice)));
            }
        }

        let pools = self.actions.iter().filter_map(|action| action.pool.clone());
        Creature {
            name: self.name.clone(),
            side: CreatureSide::Adversary,
            stats,
            pools: pools.collect(),
            notes: self.notes(),
        }
    }

    fn notes(&self) -> String {
        let mut lines = Vec::new();
        if let Some(challenge) = self.challenge {
            lines.push(format!("CR {}", challenge_in_words(challenge)));
        }
        if !self.speed.is_empty() {
            lines.push(format!("Speed {}", self.speed));
        }
        for action in &self.actions {
            lines.push(format!(
                "{}: {}",
                action.name,
                action.text.replace('\n', " ")
            ));
        }
        sanitise(&lines.join("\n"), LONGEST_NOTES).into_owned()
    }
}

impl ForeignAction {
    fn new(name: String, text: String) -> Self {
        Self {
            damage: damage_in(&text),
            pool: usage_in(&name),
            name,
            text,
        }
    }

    fn of_improved_initiative(action: &Json) -> Self {
        let usage = text_in(action, "Usage");
        let mut name = text_in(action, "Name");
        if !usage.is_empty() {
            name = format!("{name} ({usage})");
        }
        Self::new(name, text_in(action, "Content"))
    }

    fn of_open5e(action: &Json) -> Self {
        let mut read = Self::new(text_in(action, "name"), text_in(action, "desc"));
        if let Some(damage) = open5e_damage(action) {
            read.damage = Some(damage);
        }
        if let Some(pool) = open5e_usage(action, &read.name) {
            read.pool = Some(pool);
        }
        read
    }
}

/// Finds the first dice in brackets, as in `Hit: 5 (1d6 + 2) slashing damage`.
fn damage_in(text: &str) -> Option<(i32, i32)> {
    let (_, after_hit) = text.split_once("Hit:").unwrap_or(("", ""));
    let (_, bracket) = after_hit.split_once('(')?;
    dice_in(bracket)
}

/// Reads dice such as `2d6` at the beginning of a text.
fn dice_in(text: &str) -> Option<(i32, i32)> {
    let (count, rest) = text.trim_start().split_once(['d', 'D'])?;
    let sides: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((count.trim().parse().ok()?, sides.parse().ok()?))
}

/// The damage dice of an action of Open5e, in the form of version 1 or 2.
fn open5e_damage(action: &Json) -> Option<(i32, i32)> {
    if let Some(dice) = action.get("damage_dice").and_then(Json::as_str) {
        return dice_in(dice);
    }
    let attack = action.get("attacks")?.get(0)?;
    let count = attack.get("damage_die_count")?.as_i64()?;
    let die = attack.get("damage_die_type")?.as_str()?;
    let sides = die.trim_start_matches(['d', 'D']).parse().ok()?;
    Some((i32::try_from(count).ok()?, sides))
}

/// The limited uses of an action in version 2 of Open5e.
fn open5e_usage(action: &Json, name: &str) -> Option<CreaturePool> {
    let limits = action.get("usage_limits")?;
    let param = limits.get("param")?.as_i64()?;
    let number = i32::try_from(param).ok()?;
    match limits.get("type")?.as_str()? {
        "RECHARGE_ON_ROLL" => Some(recharging(name, number)),
        "PER_DAY" => Some(per_day(name, number)),
        _ => None,
    }
}

/// The limited uses that a name contains: `Fire Breath (Recharge 5–6)`, `Misty Step (3/Day)`.
fn usage_in(name: &str) -> Option<CreaturePool> {
    let (own_name, bracket) = name.split_once('(')?;
    let bracket = bracket.to_lowercase();
    let digits: String = bracket
        .chars()
        .skip_while(|letter| !letter.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect();
    let number = digits.parse().ok()?;
    if bracket.starts_with("recharge") {
        Some(recharging(own_name.trim(), number))
    } else if bracket.contains("/day") {
        Some(per_day(own_name.trim(), number))
    } else {
        None
    }
}

fn recharging(name: &str, from: i32) -> CreaturePool {
    CreaturePool {
        recharge: Recharge::on(from),
        ..CreaturePool::own(name, 1)
    }
}

fn per_day(name: &str, uses: i32) -> CreaturePool {
    CreaturePool {
        resets_after_rest: Some(RestKind::Long),
        ..CreaturePool::own(name, uses)
    }
}

fn describe_speed(object: &Map<String, Json>) -> String {
    let mut speeds = Vec::new();
    if let Some(Json::Object(kinds)) = object.get("speed") {
        for (kind, feet) in kinds {
            let feet = match feet {
                Json::Number(_) => feet.as_f64(),
                _ => None,
            };
            match feet {
                Some(feet) if kind == "walk" => speeds.insert(0, format!("{feet} ft.")),
                Some(feet) if feet > 0.0 => speeds.push(format!("{kind} {feet} ft.")),
                _ => {}
            }
        }
    } else if let Some(feet) = object.get("walk").and_then(integer) {
        speeds.push(format!("{feet} ft."));
    }
    speeds.join(", ")
}

fn text_at(object: &Map<String, Json>, key: &str) -> String {
    let text = object.get(key).and_then(Json::as_str);
    text.unwrap_or_default().trim().to_owned()
}

fn text_in(value: &Json, key: &str) -> String {
    let text = value.get(key).and_then(Json::as_str);
    text.unwrap_or_default().trim().to_owned()
}

fn list_at<'a>(object: &'a Map<String, Json>, key: &str) -> &'a [Json] {
    match object.get(key) {
        Some(Json::Array(entries)) => entries,
        _ => &[],
    }
}

/// A whole number, which some files write as a text or with decimals.
fn integer(value: &Json) -> Option<i64> {
    match value {
        Json::Number(number) => number.as_i64().or_else(|| {
            let float = number.as_f64()?;
            format!("{float:.0}").parse().ok()
        }),
        Json::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// A challenge rating as a number or a text such as `1/4`.
fn challenge(value: &Json) -> Option<f64> {
    match value {
        Json::Number(number) => number.as_f64(),
        Json::String(text) => match text.trim().split_once('/') {
            Some((over, under)) => {
                let over: f64 = over.parse().ok()?;
                let under: f64 = under.parse().ok()?;
                Some(over / under)
            }
            None => text.trim().parse().ok(),
        },
        _ => None,
    }
}

fn challenge_in_words(challenge: f64) -> String {
    for (number, words) in [(0.125, "1/8"), (0.25, "1/4"), (0.5, "1/2")] {
        if (challenge - number).abs() < 0.01 {
            return words.to_owned();
        }
    }
    format!("{challenge:.0}")
}

/// The proficiency bonus of a challenge rating: 2 up to 4, and one more for each further four.
fn proficiency_of(challenge: f64) -> i64 {
    let mut bonus = 2;
    for from in [5.0, 9.0, 13.0, 17.0, 21.0, 25.0, 29.0] {
        if challenge >= from {
            bonus += 1;
        }
    }
    bonus
}
