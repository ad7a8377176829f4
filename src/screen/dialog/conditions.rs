//! The conditions of a character: a line each, as one would jot them down.

use std::borrow::Cow;

use super::DialogAction;
use super::entry::Entry;
use super::filled::{Filled, its_form};
use super::form::{Form, Item};
use crate::rules::ConditionSpec;
use crate::session::{CharacterId, Command, Condition, LONGEST_NAME};
use crate::table::SeatView;

/// The conditions of a character.
#[derive(Clone, Debug)]
pub struct ConditionsForm {
    who: Vec<CharacterId>,
    /// What all of them had when it opened; what a single one has else stays that one's.
    shared: Vec<Condition>,
    known: &'static [ConditionSpec],
    form: Form,
}

const HELP: &str = "A name, its value, and its rounds behind a slash, as in dazed 2 /3; \
                    dazed 2 fading loses one each round. An empty line takes it away.";

/// What a condition ends with that loses a level with every round.
const FADING: &str = " fading";

impl ConditionsForm {
    /// Opens it for these characters, with what all of them have.
    pub fn open(who: impl Into<Vec<CharacterId>>, seen: &SeatView<'_>) -> Self {
        let who = who.into();
        let mut people = who.iter().filter_map(|id| seen.character(*id));
        let first = people.next();
        let mut shared = first.map_or_else(Vec::new, |one| one.conditions.clone());
        for one in people {
            shared.retain(|condition| one.conditions.contains(condition));
        }
        let items = shared.iter().map(|one| line(&write(one))).collect();
        let mut opened = Self {
            who,
            shared,
            known: seen.system().spec().conditions,
            form: Form::new(items),
        };
        opened.make_room();
        opened.form.focus_on(opened.form.items.len());
        opened.check();
        opened
    }

    /// There is always an empty line at the end for one more.
    fn make_room(&mut self) {
        let items = &mut self.form.items;
        if items
            .last()
            .is_none_or(|item| !item.entry.words().trim().is_empty())
        {
            items.push(line(""));
        }
    }

    fn check(&mut self) {
        let lines: Vec<_> = self.conditions();
        for (item, read) in self.form.items.iter_mut().zip(lines) {
            item.beside = match &read {
                Ok(Some(condition)) => describe(condition),
                Ok(None) | Err(_) => String::new(),
            };
            // What the rules say of it, where they know it; else how to write one.
            let known = self.known.iter().find(
                |known| matches!(&read, Ok(Some(one)) if one.name.to_lowercase() == known.name),
            );
            item.help = known.map_or_else(
                || match self.known {
                    [] => HELP.to_owned(),
                    all => {
                        let names: Vec<&str> = all.iter().map(|one| one.name).collect();
                        format!("{HELP} The rules know {}.", names.join(", "))
                    }
                },
                |known| known.help.to_owned(),
            );
            item.problem = read.err();
        }
    }

    fn conditions(&self) -> Vec<Result<Option<Condition>, String>> {
        let items = self.form.items.iter();
        items.map(|item| read(&item.entry.words())).collect()
    }

    /// What one of them has then: the own conditions that the others do not share, and these.
    fn conditions_of(
        &self,
        who: CharacterId,
        lines: &[Condition],
        seen: &SeatView<'_>,
    ) -> Vec<Condition> {
        let now = seen.character(who).map_or(&[][..], |one| &one.conditions);
        let own = now.iter().filter(|one| !self.shared.contains(one));
        let mut after: Vec<Condition> = if self.who.len() > 1 {
            own.filter(|one| !lines.iter().any(|line| line.name == one.name))
                .cloned()
                .collect()
        } else {
            Vec::new()
        };
        after.extend(lines.iter().cloned());
        after
    }
}

fn line(text: &str) -> Item {
    let entry = Entry::text(text, LONGEST_NAME);
    Item::new("line", "Condition", entry, HELP).hint("one more")
}

fn write(condition: &Condition) -> String {
    let Condition {
        name,
        value,
        rounds,
        fades,
    } = condition;
    let value = value.map(|value| format!(" {value}")).unwrap_or_default();
    let fades = if *fades { FADING } else { "" };
    let rounds = rounds.map(|rounds| format!(" /{rounds}"));
    format!("{name}{value}{fades}{}", rounds.unwrap_or_default())
}

/// A line as it was jotted down; nothing where it is empty.
fn read(line: &str) -> Result<Option<Condition>, String> {
    let line = line.trim();
    if line.is_empty() {
        return Ok(None);
    }
    let (before, rounds) = match line.rsplit_once('/') {
        Some((before, rounds)) => {
            let rounds: Option<u32> = rounds.trim().parse().ok();
            let rounds = rounds.filter(|rounds| (1..=999).contains(rounds));
            let wrong = "the rounds behind the slash must be a number from 1 to 999";
            (before.trim(), Some(rounds.ok_or(wrong)?))
        }
        None => (line, None),
    };
    let (before, fades) = match before.strip_suffix(FADING) {
        Some(before) => (before.trim_end(), true),
        None => (before, false),
    };
    let (name, value) = match before.rsplit_once(' ') {
        Some((name, last)) => match last.replace('−', "-").parse() {
            Ok(value) => (name.trim(), Some(value)),
            Err(_) => (before, None),
        },
        None => (before, None),
    };
    if name.is_empty() {
        return Err("a condition needs a name before the slash".to_owned());
    }
    Ok(Some(Condition {
        name: name.to_owned(),
        value,
        rounds,
        fades,
    }))
}

/// What was understood beside the name.
fn describe(condition: &Condition) -> String {
    let value = condition.value.map(|value| format!("value {value}"));
    let rounds = condition.rounds.map(|rounds| match rounds {
        1 => "1 round".to_owned(),
        rounds => format!("{rounds} rounds"),
    });
    let fades = condition.fades.then(|| "fading".to_owned());
    let all: Vec<String> = [value, fades, rounds].into_iter().flatten().collect();
    all.join(", ")
}

impl Filled for ConditionsForm {
    its_form!();

    fn title(&self, seen: &SeatView<'_>) -> Cow<'_, str> {
        Cow::Owned(match self.who.as_slice() {
            [one] => seen.character(*one).map_or_else(
                || "Conditions".to_owned(),
                |one| format!("{}: conditions", one.name),
            ),
            all => format!("{} marked: conditions that all have", all.len()),
        })
    }

    fn is_an_edit(&self) -> bool {
        true
    }

    fn entered(&mut self, _seen: &SeatView<'_>) {
        self.make_room();
        self.check();
    }

    fn submit(&mut self, seen: &SeatView<'_>) -> DialogAction {
        self.check();
        let lines: Result<Vec<_>, String> = self.conditions().into_iter().collect();
        let built = lines.map(|lines| {
            let lines: Vec<Condition> = lines.into_iter().flatten().collect();
            let each = self.who.iter().map(|who| Command::SetConditions {
                who: *who,
                conditions: self.conditions_of(*who, &lines, seen),
            });
            Command::together(each.collect())
        });
        self.form.finish(built)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_as_they_are_written() {
        for line in [
            "dazed",
            "dazed 2",
            "dazed 2 /3",
            "dazed 2 fading",
            "weakened 3 fading /2",
            "on fire /1",
            "−",
            "level 9 ghost",
        ] {
            let condition = read(line).unwrap().unwrap();
            assert_eq!(write(&condition), line);
        }
        assert_eq!(read("  "), Ok(None));
    }

    #[test]
    fn rounds_must_be_a_number() {
        assert!(read("dazed /soon").is_err());
        assert!(read("dazed /0").is_err());
        assert!(read("/3").is_err());
    }
}
