//! The conditions of a character: a line each, as one would jot them down.

use super::DialogAction;
use super::form::{Form, FormDialog, FormSpec, Id, Row};
use crate::session::{CharacterId, Command, Condition, LONGEST_NAME};
use crate::table::SeatView;

#[derive(Debug)]
pub struct ConditionsForm {
    who: Vec<CharacterId>,
    /// What all of them had when it opened; what a single one has else stays that one's.
    shared: Vec<Condition>,
}

const HELP: &str = "A name, its value, and its rounds behind a slash, as in dazed 2 /3; \
                    dazed 2 fading loses one each round. An empty line takes it away.";

/// What a condition ends with that loses a level with every round.
const FADING: &str = " fading";

impl ConditionsForm {
    /// Opens it for these characters, with what all of them have.
    pub fn open(who: impl Into<Vec<CharacterId>>, seen: &SeatView<'_>) -> FormDialog<Self> {
        let who = who.into();
        let mut people = who.iter().filter_map(|id| seen.character(*id));
        let first = people.next();
        let mut shared = first.map_or_else(Vec::new, |one| one.conditions.clone());
        for one in people {
            shared.retain(|condition| one.conditions.contains(condition));
        }
        let title = match (who.as_slice(), first) {
            ([_], Some(one)) => format!("{}: conditions", one.name),
            ([_], None) => "Conditions".to_owned(),
            (all, _) => format!("{} marked: conditions that all have", all.len()),
        };
        let rows = shared
            .iter()
            .zip(0..)
            .map(|(one, at)| line(at, &write(one)));
        let form = Form::new(title, rows.collect());
        let last = shared.len();
        FormDialog::new(form, Self { who, shared }, seen).at_place(last)
    }

    /// What one of them has then: the own conditions that the others do not share, and these.
    fn conditions_of(
        &self,
        who: CharacterId,
        lines: &[Condition],
        seen: &SeatView<'_>,
    ) -> Vec<Condition> {
        let now = seen.character(who).map_or(&[][..], |one| &one.conditions);
        let own = now.iter().filter(|one| {
            self.who.len() > 1
                && !self.shared.contains(one)
                && !lines.iter().any(|line| line.name == one.name)
        });
        own.chain(lines).cloned().collect()
    }
}

fn line(at: u32, text: &str) -> Row {
    Row::text(Id::Nth("line", at), "Condition", text, LONGEST_NAME).hint("one more")
}

impl FormSpec for ConditionsForm {
    fn is_an_edit(&self) -> bool {
        true
    }

    fn refresh(&mut self, form: &mut Form, seen: &SeatView<'_>) {
        // There is always an empty line at the end for one more.
        if form.rows.last().is_none_or(|row| !row.words().is_empty()) {
            let last = u32::try_from(form.rows.len()).unwrap_or(u32::MAX);
            form.rows.push(line(last, ""));
        }
        let known = seen.system().spec().conditions;
        for row in &mut form.rows {
            let read = read(&row.words());
            let one = read.as_ref().ok().and_then(Option::as_ref);
            row.beside = one.map_or_else(String::new, describe);
            // What the rules say of it, if they know it; else how to write one.
            let spec = one.and_then(|one| {
                let mut known = known.iter();
                known.find(|known| one.name.to_lowercase() == known.name)
            });
            row.help = match (spec, known) {
                (Some(spec), _) => spec.help.into(),
                (None, []) => HELP.into(),
                (None, all) => {
                    let names: Vec<&str> = all.iter().map(|one| one.name).collect();
                    format!("{HELP} The rules know {}.", names.join(", ")).into()
                }
            };
            row.problem = read.err();
        }
    }

    fn submit(&mut self, form: &Form, seen: &SeatView<'_>) -> Result<DialogAction, String> {
        let lines = form.rows.iter().map(|row| read(&row.words()));
        let lines: Vec<Option<Condition>> = lines.collect::<Result<_, String>>()?;
        let lines: Vec<Condition> = lines.into_iter().flatten().collect();
        let each = self.who.iter().map(|who| Command::SetConditions {
            who: *who,
            conditions: self.conditions_of(*who, &lines, seen),
        });
        Ok(Command::together(each.collect()).into())
    }
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
