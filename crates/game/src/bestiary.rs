//! The templates of creatures that a game can use, and the search among them.

use super::{Allegiance, Character, CharacterId, Game, PoolKind, Reset};
use tableside_rules::{
    Creature, CreaturePool, CreatureSide, HIT_POINTS, RestKind, Sheet, System, Value,
};
use tableside_text::{fold, is_same_name};

/// The most copies of a creature that one command adds.
pub const MOST_COPIES: u32 = 50;

/// The endings that make a word plural, with the endings of the singular.
const PLURALS: [(&str, &str); 6] = [
    ("ies", "y"),
    ("ves", "f"),
    ("ves", "fe"),
    ("men", "man"),
    ("es", ""),
    ("s", ""),
];

/// All templates for one system: those of its file, and those of the group.
#[derive(Debug, Default)]
pub struct Bestiary {
    /// The group's own creatures first, then those of the system's file.
    pub creatures: Vec<Creature>,
    /// The files that could not be read, with the reason.
    pub unreadable: Vec<String>,
}

/// A number of creatures as a person types them: `4 goblins`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedCreatures {
    pub count: u32,
    /// True if a number was typed.
    pub is_counted: bool,
    /// The typed name without the number.
    pub name: String,
}

/// A template that fits a typed name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatureMatch<'a> {
    pub creature: &'a Creature,
    /// The name of the new characters before they are numbered: `Goblin` for `4 goblins`.
    pub name: String,
}

/// How well a typed name fits a template; the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The whole name.
    Whole,
    /// The first words of the name.
    FirstWords,
    /// The beginning of the name.
    Beginning,
    /// The beginning of a later word.
    LaterWord,
}

impl TypedCreatures {
    /// Reads a number and a name. Without a number it is one creature.
    pub fn read(text: &str) -> Self {
        let text = text.trim();
        if let Some((number, name)) = text.split_once(char::is_whitespace)
            && let Ok(count) = number.trim_end_matches(['x', '×']).parse::<u32>()
            && (1..=MOST_COPIES).contains(&count)
        {
            return Self {
                count,
                is_counted: true,
                name: name.trim().to_owned(),
            };
        }
        Self {
            count: 1,
            is_counted: false,
            name: text.to_owned(),
        }
    }

    /// The name of one creature if no template fits: `Guard` for `4 guards`.
    pub fn own_name(&self) -> String {
        let is_plural = self.count > 1 && self.name.ends_with('s') && !self.name.ends_with("ss");
        let singular = match self.name.strip_suffix('s') {
            Some(singular) if is_plural => singular,
            _ => &self.name,
        };
        capitalise(singular)
    }
}

impl Bestiary {
    /// Combines the creatures of a system with those of the group. A creature of the group replaces one of the same name.
    pub fn new(system: System, own: Vec<Creature>, unreadable: Vec<String>) -> Self {
        let mut creatures = own;
        for creature in system.spec().creatures {
            let mut others = creatures.iter();
            if !others.any(|other| is_same_name(&other.name, &creature.name)) {
                creatures.push(creature.clone());
            }
        }
        Self {
            creatures,
            unreadable,
        }
    }

    /// Returns the templates that fit a typed name, singular or plural, the best first.
    pub fn find(&self, typed: &str) -> Vec<CreatureMatch<'_>> {
        let mut matches: Vec<(Fit, CreatureMatch<'_>)> = Vec::new();
        for creature in &self.creatures {
            let fits = singular_forms(typed)
                .into_iter()
                .filter_map(|form| fit_of(&form, creature));
            if let Some(best) = fits.min_by_key(|(fit, _)| *fit) {
                matches.push(best);
            }
        }
        // Among equal ones the order of the file decides.
        matches.sort_by_key(|(fit, _)| *fit);
        matches
            .into_iter()
            .map(|(_, creature_match)| creature_match)
            .collect()
    }

    /// Returns the template that a complete typed name means. The beginning of a word is not enough.
    pub fn named(&self, typed: &str) -> Option<CreatureMatch<'_>> {
        let mut best: Option<(Fit, CreatureMatch<'_>)> = None;
        for creature in &self.creatures {
            for form in singular_forms(typed) {
                let Some((fit, creature_match)) = fit_of(&form, creature) else {
                    continue;
                };
                let is_better = best.as_ref().is_none_or(|(other, _)| fit < *other);
                if fit <= Fit::FirstWords && is_better {
                    best = Some((fit, creature_match));
                }
            }
        }
        best.map(|(_, creature_match)| creature_match)
    }
}

/// Returns the plural of a creature's name: `Wolf` becomes `Wolves`.
pub fn plural_of_creature(name: &str) -> String {
    let endings = [
        ("man", "men"),
        ("lf", "lves"),
        ("ff", "ffs"),
        ("fe", "ves"),
        ("ay", "ays"),
        ("ey", "eys"),
        ("oy", "oys"),
        ("y", "ies"),
        ("s", "ses"),
        ("x", "xes"),
        ("ch", "ches"),
        ("sh", "shes"),
    ];
    for (singular, plural) in endings {
        if let Some(stem) = name.strip_suffix(singular) {
            return format!("{stem}{plural}");
        }
    }
    format!("{name}s")
}

/// Returns how a singular name fits a creature, and the name that new characters get.
fn fit_of<'a>(typed: &str, creature: &'a Creature) -> Option<(Fit, CreatureMatch<'a>)> {
    if typed.is_empty() {
        return None;
    }
    let name = fold(&creature.name);
    let fit = if name == typed {
        Fit::Whole
    } else if let Some(rest) = name.strip_prefix(typed) {
        if rest.starts_with(' ') {
            Fit::FirstWords
        } else {
            Fit::Beginning
        }
    } else if name.split(' ').skip(1).any(|word| word.starts_with(typed)) {
        Fit::LaterWord
    } else {
        return None;
    };

    let given_name = match fit {
        // Copies are called as the person called them: `4 goblins` are Goblin 1 to 4, whatever kind of goblin.
        Fit::FirstWords => {
            let words = typed.split(' ').count();
            let first_words: Vec<&str> = creature.name.split(' ').take(words).collect();
            first_words.join(" ")
        }
        _ => creature.name.clone(),
    };
    Some((
        fit,
        CreatureMatch {
            creature,
            name: given_name,
        },
    ))
}

/// Returns the typed name in small letters, and the names whose plural it may be.
fn singular_forms(typed: &str) -> Vec<String> {
    let typed = fold(typed);
    let mut forms = vec![typed.clone()];
    for (plural, singular) in PLURALS {
        if let Some(stem) = typed.strip_suffix(plural)
            && stem.chars().count() > 1
        {
            forms.push(format!("{stem}{singular}"));
        }
    }
    forms
}

fn capitalise(name: &str) -> String {
    let mut letters = name.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

impl From<CreatureSide> for Allegiance {
    fn from(side: CreatureSide) -> Self {
        match side {
            CreatureSide::Party => Self::Party,
            CreatureSide::Ally => Self::Ally,
            CreatureSide::Adversary => Self::Adversary,
            CreatureSide::Neutral => Self::Neutral,
            CreatureSide::Crew => Self::Crew,
        }
    }
}

impl From<Allegiance> for CreatureSide {
    fn from(side: Allegiance) -> Self {
        match side {
            Allegiance::Party => Self::Party,
            Allegiance::Ally => Self::Ally,
            Allegiance::Adversary => Self::Adversary,
            Allegiance::Neutral => Self::Neutral,
            Allegiance::Crew => Self::Crew,
        }
    }
}

impl Game {
    /// Makes a template of a character, with its pools.
    pub fn creature_of(&self, id: CharacterId) -> Option<Creature> {
        let creature = self.character(id)?.to_creature();
        Some(Creature {
            pools: self.creature_pools_of(id),
            ..creature
        })
    }

    fn creature_pools_of(&self, id: CharacterId) -> Vec<CreaturePool> {
        let mut pools = Vec::new();
        for pool in self.own_pools_of(id) {
            let rule = match pool.kind {
                PoolKind::Rule(rule) => Some(rule),
                PoolKind::Own => None,
            };
            let rule_start = self.pool_spec(&pool).map(|spec| spec.start);
            if rule_start == Some(pool.start) {
                // Only its tokens differ, which the template does not keep.
                continue;
            }
            pools.push(CreaturePool {
                name: pool.id_word().to_owned(),
                rule,
                start: pool.start,
                resets_each_turn: pool.reset == Reset::Turn,
                recharge: match pool.reset {
                    Reset::Recharge(recharge) => Some(recharge),
                    _ => None,
                },
                resets_after_rest: match pool.reset {
                    Reset::ShortRest => Some(RestKind::Short),
                    Reset::LongRest => Some(RestKind::Long),
                    _ => None,
                },
            });
        }
        pools
    }
}

impl Character {
    /// Makes a template of the character without its pools: its values with all hit points, and its notes, without the
    /// number behind its name.
    pub fn to_creature(&self) -> Creature {
        let mut sheet = self.sheet.clone();
        if let (Some(maximum), Some(_)) = (sheet.most_hit_points(), sheet.number(HIT_POINTS)) {
            // A maximum beyond the bounds of the stat leaves the hit points as they are.
            sheet.set(HIT_POINTS, Value::Number(maximum)).ok();
        }

        let new_sheet = Sheet::new(sheet.system());
        let mut stats = Vec::new();
        for (stat, value) in sheet.iter() {
            let is_derived = sheet.is_derived(stat.id);
            if !is_derived && new_sheet.value(stat.id) != Some(value) {
                stats.push((stat.id, value.clone()));
            }
        }
        let name = match self.name.rsplit_once(' ') {
            Some((name, number)) if number.parse::<u32>().is_ok() => name,
            _ => &self.name,
        };
        Creature {
            name: name.to_owned(),
            side: self.side.into(),
            stats,
            pools: Vec::new(),
            notes: self.notes.clone(),
        }
    }

    /// Creates a character of this template under a name. Its pools are added with it to the game.
    pub fn from_creature(creature: &Creature, name: &str, system: System) -> Self {
        Self {
            side: creature.side.into(),
            notes: creature.notes.clone(),
            ..Self::new(name, creature.sheet(system))
        }
    }
}
