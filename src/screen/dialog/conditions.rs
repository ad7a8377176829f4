//! The conditions of a character: a line each, as one would jot them down.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::entry::Entry;
use super::form::{Form, Item, Went};
use super::{Heard, Manner, Reply};
use crate::screen::action::{Action, Context};
use crate::screen::widget::Look;
use crate::session::{CharacterId, Command, Condition, LONGEST_NAME};
use crate::table::{Entry as Told, Seen};

/// The conditions of a character.
#[derive(Clone, Debug)]
pub struct ConditionsForm {
    who: CharacterId,
    form: Form,
}

const HELP: &str = "A name, its value, and its rounds behind a slash, as in dazed 2 /3. \
                    An empty line takes it away.";

impl ConditionsForm {
    /// Opens it for that character.
    pub fn open(who: CharacterId, seen: &Seen<'_>) -> Self {
        let known = seen.character(who).map_or(&[][..], |one| &one.conditions);
        let items = known.iter().map(|one| line(&write(one))).collect();
        let mut opened = Self {
            who,
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
            item.problem = read.err();
        }
    }

    fn conditions(&self) -> Vec<Result<Option<Condition>, String>> {
        let items = self.form.items.iter();
        items.map(|item| read(&item.entry.words())).collect()
    }

    fn submit(&mut self) -> Reply {
        self.check();
        let lines: Result<Vec<_>, String> = self.conditions().into_iter().collect();
        let built = lines.map(|lines| Command::SetConditions {
            who: self.who,
            conditions: lines.into_iter().flatten().collect(),
        });
        self.form.finish(built)
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
    } = condition;
    let value = value.map(|value| format!(" {value}")).unwrap_or_default();
    let rounds = rounds.map(|rounds| format!(" /{rounds}"));
    format!("{name}{value}{}", rounds.unwrap_or_default())
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
    let (name, value) = match before.rsplit_once(' ') {
        Some((name, last)) => match last.parse() {
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
    }))
}

/// What was understood beside the name.
fn describe(condition: &Condition) -> String {
    let value = condition.value.map(|value| format!("value {value}"));
    let rounds = condition.rounds.map(|rounds| match rounds {
        1 => "1 round".to_owned(),
        rounds => format!("{rounds} rounds"),
    });
    let both: Vec<String> = [value, rounds].into_iter().flatten().collect();
    both.join(", ")
}

impl Manner for ConditionsForm {
    fn contexts(&self) -> &'static [Context] {
        self.form.contexts()
    }

    fn hints(&self) -> &'static [Action] {
        self.form.hints()
    }

    fn takes_letters(&self) -> bool {
        true
    }

    fn hear(&mut self, heard: &Heard, _seen: &Seen<'_>) -> Reply {
        match self.form.hear(heard) {
            Went::On => Reply::Stay,
            Went::Left => Reply::Close,
            Went::Changed => {
                self.make_room();
                self.check();
                Reply::Stay
            }
            Went::Submitted if self.form.is_untouched() => Reply::Close,
            Went::Submitted => self.submit(),
        }
    }

    fn told(&mut self, told: Result<&Told, &str>, _seen: &Seen<'_>) {
        self.form.problem = told.err().map(str::to_owned);
    }

    fn view(
        &self,
        seen: &Seen<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let title = seen.character(self.who).map_or_else(
            || "Conditions".to_owned(),
            |one| format!("{}: conditions", one.name),
        );
        self.form.draw(&title, look, area, buffer)
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
