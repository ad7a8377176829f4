//! What a difference says, in words: after an edit, after a roll, and when a file was edited by hand.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value as Json;

use super::change::stat_of;
use super::{
    Change, Clock, ClockId, Condition, Game, Link, Subject, Then, filled_of, part, write_thresholds,
};
use tableside_rules::Value;
use tableside_text::join;

impl Change {
    /// What it says of its thing, for a voice or in our own signs; none for parts that nobody is told of. `game` is
    /// as it is afterwards.
    pub fn words(&self, game: &Game, aloud: bool) -> Option<String> {
        let [from, to] = [&self.from, &self.to].map(|side| plain(side, aloud));
        let into = if aloud { "to" } else { "→" };
        let is_on = self.to == true;
        let either = |yes: &'static str, no: &'static str| if is_on { yes } else { no }.to_owned();
        let stepped = || format!("{from} {into} {to}");
        let clock = || match self.of {
            Subject::Clock(id) => game.clock(id),
            _ => None,
        };
        Some(match self.part.as_str() {
            "" => match (self.from.is_null(), self.name()) {
                (true, name) => format!("{name} is new"),
                (false, name) => format!("{name} is gone"),
            },
            part::NAME => format!("now named {to}"),
            "/player" => format!("played by {to}"),
            "/side" => format!("side {to}"),
            "/hidden" => either("is hidden", "is shown"),
            "/absent" => either("is absent", "is here"),
            "/initiative" if to.is_empty() => "out of the turn order".to_owned(),
            "/initiative" => format!("initiative {to}"),
            part::ACTED => either("has acted", "has yet to act"),
            part::NOTES => "notes".to_owned(),
            part::CONDITIONS => self.conditions(),
            "/segments" => format!("{} segments", stepped()),
            part::FILLED => {
                let now = u8::deserialize(&self.to).ok()?;
                let now = filled_of(now, clock()?.segments.count());
                format!("{from} {into} {now}")
            }
            part::TURNS => "starts again".to_owned(),
            "/kind" | part::VISIBILITY => to.into_owned(),
            part::OWNER => {
                let owner = Option::deserialize(&self.to).ok()?;
                format!("belongs to {}", game.owner_name(owner))
            }
            "/of_scene" => either("ends with the scene", "outlasts the scene"),
            part::RACE => match game.race_name(clock()?) {
                Some(race) => format!("in the race {race}"),
                None => "in a race of its own".to_owned(),
            },
            "/ends" => format!("between {}", clock()?.end_names().join(" and ")),
            part if part == "/when_full" || part.starts_with("/every") => {
                match join(clock()?.acts(), ", ") {
                    none if none.is_empty() => "does nothing by itself".to_owned(),
                    acts => acts,
                }
            }
            part::LINK => match Link::deserialize(&self.to) {
                Ok(link) => {
                    let name = &game.clock(link.to)?.name;
                    match link.then {
                        Then::Beside => format!("rolled for together with {name}"),
                        then => format!("{} {name} when full", then.into_str()),
                    }
                }
                Err(_) => "not linked any more".to_owned(),
            },
            part::CHECK => match clock().and_then(|clock| clock.check.as_ref()) {
                Some(check) => {
                    let check = game.system.check(&check.check).ok()?;
                    format!("filled by {}", check.label)
                }
                None => "filled by no check any more".to_owned(),
            },
            part::TOKENS | part::ROUND => stepped(),
            "/floor" => format!("at least {to}"),
            "/cap" if self.to.is_null() => "no cap any more".to_owned(),
            "/cap" => format!("at most {to}"),
            "/gains/most" => format!("a scene gives at most {to}"),
            "/gains" => match self.to.get("most") {
                Some(most) => format!("a scene gives at most {most}"),
                None => "a scene gives any number".to_owned(),
            },
            part::THRESHOLDS => match Vec::deserialize(&self.to).unwrap_or_default().as_slice() {
                [] => "tells nothing any more".to_owned(),
                tells => format!("tells at {}", write_thresholds(tells)),
            },
            "/start" | "/reset" => "other terms".to_owned(),
            _ if self.of == Subject::House => stepped(),
            part => {
                let stats = game.system.spec().stats.iter();
                let stat = stats.clone().find(|stat| Some(stat.id) == stat_of(part))?;
                let sheet_of = |id| game.character(id).map(|one| &one.sheet);
                let is_derived = match self.of {
                    Subject::Character(id) => {
                        sheet_of(id).is_some_and(|sheet| sheet.derived(stat.id).is_some())
                    }
                    _ => false,
                };
                match (&*from, &*to) {
                    (_, "") if is_derived => format!("{} as derived", stat.label),
                    ("", to) => format!("{} now {to}", stat.label),
                    (from, "") => format!("{} {from} {into} none", stat.label),
                    _ => format!("{} {}", stat.label, stepped()),
                }
            }
        })
    }

    /// The name of what came or went.
    fn name(&self) -> &str {
        let sides = [&self.from, &self.to];
        let mut names = sides.iter().filter_map(|side| side.get("name")?.as_str());
        names.next().unwrap_or_default()
    }

    fn conditions(&self) -> String {
        let list = |side: &Json| Vec::<Condition>::deserialize(side).unwrap_or_default();
        let (had, has) = (list(&self.from), list(&self.to));
        let new = has.iter().filter(|one| !had.contains(one));
        let new = new.map(|one| format!("now {one}"));
        let gone = had.iter().filter(|one| !has.contains(one));
        let gone = gone.map(|one| format!("no longer {one}"));
        join(new.chain(gone), ", ")
    }

    /// The end of a race or of a tug-of-war that this change of a clock brought.
    pub(super) fn clock_ended(&self, game: &Game) -> Option<String> {
        let (Subject::Clock(id), part::FILLED) = (self.of, self.part.as_str()) else {
            return None;
        };
        let (from, to) = (
            u8::deserialize(&self.from).ok()?,
            u8::deserialize(&self.to).ok()?,
        );
        game.describe_clock_end(game.clock(id)?, from, to)
    }

    /// What people count, in a line of its own; none for what is told otherwise.
    pub(super) fn counted(&self, game: &Game, aloud: bool) -> Option<String> {
        let name = match (self.of, self.part.as_str()) {
            (Subject::Pool(id), part::TOKENS) => {
                let pool = game.pool(id)?;
                format!("{}: {}", game.owner_name(pool.owner), pool.name)
            }
            (Subject::Clock(id), part::FILLED) => game.clock_label(id)?,
            (Subject::Clock(id), part::VISIBILITY) => format!("{} is", game.clock_label(id)?),
            (Subject::Character(who), part) if stat_of(part).is_some() => {
                format!("{}:", game.character(who)?.name)
            }
            (Subject::Round, _) => "round".to_owned(),
            (Subject::House, rule) => format!("{}:", house_label(game, rule)),
            _ => return None,
        };
        Some(format!("{name} {}", self.words(game, aloud)?))
    }
}

impl Game {
    /// A clock's name, a character's with the character's before it.
    fn clock_label(&self, id: ClockId) -> Option<String> {
        let Clock { owner, name, .. } = self.clock(id)?;
        Some(match owner {
            Some(_) => format!("{}: {name}", self.owner_name(*owner)),
            None => name.clone(),
        })
    }
}

/// What an edit by hand changed, a line each; `after` is the game as it was edited.
pub fn describe_differences(after: &Game, changes: &[Change]) -> Vec<String> {
    let line = |change: &Change| {
        let (of, part) = (change.of, change.part.trim_start_matches('/'));
        let name = match of {
            Subject::House => house_label(after, part),
            // It is known by the name that it had.
            _ if part == "name" => plain(&change.from, true).into_owned(),
            of => after.named(of).map(|(_, name)| name).unwrap_or_default(),
        };
        let name = if change.part.is_empty() { "" } else { &name };
        let words = change.words(after, true).unwrap_or_else(|| part.to_owned());
        let all = ["the", of.word(), name, &words];
        join(all.iter().filter(|word| !word.is_empty()), " ")
    };
    changes.iter().map(line).collect()
}

/// What people call the house rule that a part is.
fn house_label(game: &Game, part: &str) -> String {
    let id = part.trim_start_matches('/');
    let mut rules = game.system.spec().house.iter();
    let rule = rules.find(|rule| rule.id == id);
    rule.map_or(id, |rule| rule.label).to_owned()
}

/// One side of a difference as one says it; empty where there is nothing.
fn plain(side: &Json, aloud: bool) -> Cow<'static, str> {
    match Value::deserialize(side) {
        Ok(Value::Number(number @ ..0)) if !aloud => format!("−{}", number.unsigned_abs()).into(),
        Ok(Value::Number(number @ ..0)) => format!("minus {}", number.unsigned_abs()).into(),
        Ok(value) => value.to_string().into(),
        Err(_) => "".into(),
    }
}
