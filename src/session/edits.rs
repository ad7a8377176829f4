//! What an edit changed, in words: a few words for every part that is otherwise.

use super::decide::describe_condition;
use super::{Character, Clock, Prepared, Session, TokenPool, write_thresholds};
use crate::rules::Sheet;

/// The words for the parts that differ.
#[derive(Default)]
struct Told(Vec<String>);

impl Told {
    /// Adds the words for a part if it differs.
    fn on(&mut self, differs: bool, words: impl Into<String>) {
        if differs {
            self.0.push(words.into());
        }
    }

    fn on_name(from: &str, to: &str) -> Self {
        let mut told = Self::default();
        told.on(from != to, format!("now named {to}"));
        told
    }
}

const fn either<'a>(flag: bool, (yes, no): (&'a str, &'a str)) -> &'a str {
    if flag { yes } else { no }
}

pub(super) fn of_character(from: &Character, to: &Character) -> Vec<String> {
    let mut told = Told::on_name(&from.name, &to.name);
    told.on(from.player != to.player, format!("played by {}", to.player));
    told.on(from.side != to.side, format!("side {}", to.side.id()));
    let hidden = either(to.hidden, ("is hidden", "is shown"));
    told.on(from.hidden != to.hidden, hidden);
    let absent = either(to.absent, ("is absent", "is here"));
    told.on(from.absent != to.absent, absent);
    let acted = either(to.acted, ("has acted", "has yet to act"));
    told.on(from.acted != to.acted, acted);
    told.on(from.notes != to.notes, "notes");
    let (had, has) = (&from.conditions, &to.conditions);
    for one in has {
        told.on(
            !had.contains(one),
            format!("now {}", describe_condition(one)),
        );
    }
    for one in had {
        told.on(
            !has.contains(one),
            format!("no longer {}", describe_condition(one)),
        );
    }
    told.0.extend(of_sheet(&from.sheet, &to.sheet));
    told.0
}

pub(super) fn of_sheet(from: &Sheet, to: &Sheet) -> Vec<String> {
    let mut told = Told::default();
    for ((stat, from), (_, to)) in from.iter().zip(to.iter()) {
        let words = match (from.to_string().as_str(), to.to_string().as_str()) {
            ("", to) => format!("{} now {to}", stat.label),
            (from, "") => format!("{} {from} to none", stat.label),
            (from, to) => format!("{} {from} to {to}", stat.label),
        };
        told.on(from != to, words);
    }
    told.0
}

pub(super) fn of_clock(from: &Clock, to: &Clock, session: &Session) -> Vec<String> {
    let mut told = Told::on_name(&from.name, &to.name);
    let (before, after) = (from.segments.count(), to.segments.count());
    told.on(before != after, format!("{before} to {after} segments"));
    let filled = format!("{} to {} filled", from.filled, to.filled);
    told.on(from.filled != to.filled, filled);
    told.on(from.kind != to.kind, to.kind.id());
    told.on(from.visibility != to.visibility, to.visibility.id());
    let owner = session.owner_name(to.owner);
    told.on(from.owner != to.owner, format!("belongs to {owner}"));
    let end = either(to.of_scene, ("ends with the scene", "outlasts the scene"));
    told.on(from.of_scene != to.of_scene, end);
    let race = match to.race.as_str() {
        "" => "in no named race".to_owned(),
        race => format!("in the race {race}"),
    };
    told.on(from.race != to.race, race);
    let ends = format!("between {}", to.end_names().join(" and "));
    told.on(from.ends != to.ends, ends);
    let link = to.link.and_then(|link| {
        let other = session.clock(link.to)?;
        Some(format!("{} {} when full", link.then.id(), other.name))
    });
    let link = link.unwrap_or_else(|| "not linked any more".to_owned());
    told.on(from.link != to.link, link);
    let check = to.check.as_ref();
    let check = check.and_then(|check| session.system.check(&check.check).ok());
    let check = match check {
        Some(check) => format!("filled by {}", check.label),
        None => "filled by no check any more".to_owned(),
    };
    told.on(from.check != to.check, check);
    told.0
}

pub(super) fn of_pool(from: &TokenPool, to: &TokenPool, session: &Session) -> Vec<String> {
    let mut told = Told::on_name(&from.name, &to.name);
    let tokens = format!("{} to {} tokens", from.tokens, to.tokens);
    told.on(from.tokens != to.tokens, tokens);
    let cap = to
        .cap
        .map_or_else(|| "no".to_owned(), |cap| cap.to_string());
    let bounds = format!("at least {}, at most {cap}", to.floor);
    told.on((from.floor, from.cap) != (to.floor, to.cap), bounds);
    let most = |pool: &TokenPool| pool.gains.map(|gains| gains.most);
    let gives = match most(to) {
        Some(most) => format!("a scene gives at most {most}"),
        None => "a scene gives any number".to_owned(),
    };
    told.on(most(from) != most(to), gives);
    let tells = match write_thresholds(&to.thresholds) {
        tells if tells.is_empty() => "tells nothing any more".to_owned(),
        tells => format!("tells at {tells}"),
    };
    told.on(from.thresholds != to.thresholds, tells);
    let owner = session.owner_name(to.owner);
    told.on(from.owner != to.owner, format!("belongs to {owner}"));
    let is_told = !told.0.is_empty();
    told.on(!is_told, "other terms");
    told.0
}

pub(super) fn of_prepared(from: &Prepared, to: &Prepared) -> Vec<String> {
    let mut told = Told::on_name(&from.name, &to.name);
    told.on(from.notes != to.notes, "notes");
    told.0
}
