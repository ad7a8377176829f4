//! Questions that a sheet asks: a text stat that lists one name for each point of another stat, as the traumas of Forged
//! in the Dark.

use crate::{Change, Character, Command, EntityRef, Event, Game, Part};
use tableside_rules::{Field, StatQuestion, System, Value};
use tableside_text::{is_same_name, join};

/// A question about a character whose list has too few names.
#[derive(Clone, Copy, Debug)]
pub struct SheetQuestion<'a> {
    pub character: &'a Character,
    /// The stat that lists the names.
    pub stat: &'static Field,
    rule: StatQuestion,
    /// The number of missing names.
    pub missing: usize,
}

impl SheetQuestion<'_> {
    /// The question, with the name of the character.
    pub fn text(&self) -> String {
        self.rule.question.replace("{name}", &self.character.name)
    }

    /// The suggested names that the list does not contain.
    pub fn answers(&self) -> Vec<&'static str> {
        let names = listed_names(self.character, self.stat);
        let is_listed = |answer: &str| names.iter().any(|name| is_same_name(name, answer));
        let answers = self.rule.answers.iter().copied();
        answers.filter(|answer| !is_listed(answer)).collect()
    }

    /// The command that adds a name to the list.
    pub fn add(&self, name: &str) -> Command {
        let mut names = listed_names(self.character, self.stat);
        names.push(name.to_owned());
        Command::SetStat {
            who: self.character.id,
            stat: self.stat.id.to_owned(),
            value: Value::Text(join(names, ", ")),
        }
    }
}

impl Game {
    /// Returns the open questions of all characters.
    pub fn sheet_questions(&self) -> impl Iterator<Item = SheetQuestion<'_>> {
        self.roster.iter().flat_map(|character| {
            let stats = self.system.spec().stats.iter();
            stats.filter_map(move |stat| open_question(character, stat))
        })
    }
}

fn open_question<'a>(character: &'a Character, stat: &'static Field) -> Option<SheetQuestion<'a>> {
    let rule = stat.asks?;
    let count = character.sheet.number(rule.each)?;
    let count = usize::try_from(count).unwrap_or(0);
    let missing = count.saturating_sub(listed_names(character, stat).len());
    if missing == 0 {
        return None;
    }
    Some(SheetQuestion {
        character,
        stat,
        rule,
        missing,
    })
}

/// Returns the names in a list with commas.
fn listed_names(character: &Character, stat: &Field) -> Vec<String> {
    let Some(Value::Text(list)) = character.sheet.value(stat.id) else {
        return Vec::new();
    };
    list.split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

impl Event {
    /// True if the event raised a stat whose points have names, as a trauma. The log emphasises such an event.
    pub fn raises_named_stat(&self, system: System) -> bool {
        let counters: Vec<&str> = system
            .spec()
            .stats
            .iter()
            .filter_map(|stat| Some(stat.asks?.each))
            .collect();
        let is_raised = |change: &Change| {
            let is_counter = match &change.part {
                Part::Stat(id) => counters.contains(&&**id),
                _ => false,
            };
            let before = change.before::<Value>().and_then(|value| value.number());
            let after = change.after::<Value>().and_then(|value| value.number());
            let is_character = matches!(change.entity, EntityRef::Character(_));
            is_character && is_counter && after > before
        };
        self.changes.iter().any(is_raised)
    }
}
