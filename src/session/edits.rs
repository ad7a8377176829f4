//! What an edit changed, in words: a few words for every part that is otherwise.

use super::decide::describe_condition;
use super::{Character, Clock, Prepared, Session, TokenPool, write_thresholds};
use crate::rules::Sheet;

/// Collects the words for the parts that differ.
fn told<const N: usize>(parts: [(bool, String); N]) -> Vec<String> {
    let differing = parts.into_iter().filter(|(differs, _)| *differs);
    differing.map(|(_, words)| words).collect()
}

fn either(flag: bool, (yes, no): (&str, &str)) -> String {
    if flag { yes } else { no }.to_owned()
}

pub(super) fn of_character(from: &Character, to: &Character) -> Vec<String> {
    let mut how = told([
        (from.name != to.name, format!("now named {}", to.name)),
        (from.player != to.player, format!("played by {}", to.player)),
        (from.side != to.side, format!("side {}", to.side.id())),
        (
            from.hidden != to.hidden,
            either(to.hidden, ("is hidden", "is shown")),
        ),
        (
            from.absent != to.absent,
            either(to.absent, ("is absent", "is here")),
        ),
        (
            from.acted != to.acted,
            either(to.acted, ("has acted", "has yet to act")),
        ),
        (from.notes != to.notes, "notes".to_owned()),
    ]);
    let (had, has) = (&from.conditions, &to.conditions);
    let gained = has.iter().filter(|one| !had.contains(one));
    let lost = had.iter().filter(|one| !has.contains(one));
    how.extend(gained.map(|one| format!("now {}", describe_condition(one))));
    how.extend(lost.map(|one| format!("no longer {}", describe_condition(one))));
    how.extend(of_sheet(&from.sheet, &to.sheet));
    how
}

pub(super) fn of_sheet(from: &Sheet, to: &Sheet) -> Vec<String> {
    let both = from.iter().zip(to.iter());
    let differing = both.filter(|((_, from), (_, to))| from != to);
    let words = differing.map(|((stat, from), (_, to))| {
        match (from.to_string().as_str(), to.to_string().as_str()) {
            ("", to) => format!("{} now {to}", stat.label),
            (from, "") => format!("{} {from} to none", stat.label),
            (from, to) => format!("{} {from} to {to}", stat.label),
        }
    });
    words.collect()
}

pub(super) fn of_clock(from: &Clock, to: &Clock, session: &Session) -> Vec<String> {
    let link = || {
        let link = to.link?;
        let other = session.clock(link.to)?;
        Some(format!("{} {} when full", link.then.id(), other.name))
    };
    let check = || {
        let check = session.system.check(&to.check.as_ref()?.check).ok()?;
        Some(format!("filled by {}", check.label))
    };
    let (before, after) = (from.segments.count(), to.segments.count());
    told([
        (from.name != to.name, format!("now named {}", to.name)),
        (before != after, format!("{before} to {after} segments")),
        (
            from.filled != to.filled,
            format!("{} to {} filled", from.filled, to.filled),
        ),
        (from.kind != to.kind, to.kind.id().to_owned()),
        (
            from.visibility != to.visibility,
            to.visibility.id().to_owned(),
        ),
        (
            from.owner != to.owner,
            format!("belongs to {}", session.owner_name(to.owner)),
        ),
        (
            from.of_scene != to.of_scene,
            either(to.of_scene, ("ends with the scene", "outlasts the scene")),
        ),
        (
            from.race != to.race,
            match to.race.as_str() {
                "" => "in no named race".to_owned(),
                race => format!("in the race {race}"),
            },
        ),
        (
            from.ends != to.ends,
            format!("between {}", to.end_names().join(" and ")),
        ),
        (
            from.link != to.link,
            link().unwrap_or_else(|| "not linked any more".to_owned()),
        ),
        (
            from.check != to.check,
            check().unwrap_or_else(|| "filled by no check any more".to_owned()),
        ),
    ])
}

pub(super) fn of_pool(from: &TokenPool, to: &TokenPool, session: &Session) -> Vec<String> {
    let most = |pool: &TokenPool| pool.gains.map(|gains| gains.most);
    let cap = to.cap.map_or("no".to_owned(), |cap| cap.to_string());
    let mut how = told([
        (from.name != to.name, format!("now named {}", to.name)),
        (
            from.tokens != to.tokens,
            format!("{} to {} tokens", from.tokens, to.tokens),
        ),
        (
            (from.floor, from.cap) != (to.floor, to.cap),
            format!("at least {}, at most {cap}", to.floor),
        ),
        (
            most(from) != most(to),
            match most(to) {
                Some(most) => format!("a scene gives at most {most}"),
                None => "a scene gives any number".to_owned(),
            },
        ),
        (
            from.thresholds != to.thresholds,
            match write_thresholds(&to.thresholds) {
                told if told.is_empty() => "tells nothing any more".to_owned(),
                told => format!("tells at {told}"),
            },
        ),
        (
            from.owner != to.owner,
            format!("belongs to {}", session.owner_name(to.owner)),
        ),
    ]);
    if how.is_empty() {
        how.push("other terms".to_owned());
    }
    how
}

pub(super) fn of_prepared(from: &Prepared, to: &Prepared) -> Vec<String> {
    told([
        (from.name != to.name, format!("now named {}", to.name)),
        (from.notes != to.notes, "notes".to_owned()),
    ])
}
