//! The conditions of a character: a line each, as one would jot them down.

use super::dialog_spec::{Dialog, ask_over};
use super::form::{Form, Id, Row};
use crate::session::{CharacterId, Command, Condition, LONGEST_NAME};
use crate::table::SeatView;

const HELP: &str = "A name, its value, and its rounds behind a slash, as in dazed 2 /3; \
                    dazed 2 fading loses one each round. An empty line takes it away.";

/// What a condition ends with that loses a level with every round.
const FADING: &str = " fading";

/// The conditions of these characters: those that all of them have. What a single one has else stays that
/// one's.
pub fn conditions_form(who: Vec<CharacterId>, seen: &SeatView<'_>) -> Dialog {
    let mut people = who.iter().filter_map(|id| seen.character(*id));
    let first = people.next();
    let mut shared = first.map_or_else(Vec::new, |one| one.conditions.clone());
    for one in people {
        shared.retain(|condition| one.conditions.contains(condition));
    }
    let title = match (who.as_slice(), first) {
        ([_], Some(one)) => format!("{}: conditions", one.name),
        (all, _) => format!("{} marked: conditions that all have", all.len()),
    };
    let rows = shared
        .iter()
        .zip(0..)
        .map(|(one, at)| line(at, &write(one)));
    let form = Form::new(title, rows.collect());
    let last = shared.len();
    let form = ask_over(form, seen, look_over, move |form, seen| {
        let lines = form.rows.iter().map(|row| read(&row.words()));
        let lines: Vec<Option<Condition>> = lines.collect::<Result<_, String>>()?;
        let lines: Vec<Condition> = lines.into_iter().flatten().collect();
        let people = who.iter().filter_map(|id| seen.character(*id));
        let each = people.map(|one| {
            let own = one.conditions.iter().filter(|own| {
                let is_listed = lines.iter().any(|line| line.name == own.name);
                who.len() > 1 && !shared.contains(own) && !is_listed
            });
            Command::SetConditions {
                who: one.id,
                conditions: own.chain(&lines).cloned().collect(),
            }
        });
        Ok(Command::together(each.collect()).into())
    });
    form.at_place(last)
}

fn line(at: u32, text: &str) -> Row {
    Row::text(Id::Nth("line", at), "Condition", text, LONGEST_NAME).hint("one more")
}

/// Says what is wrong with each line, and what the rules say of it; there is always an empty one at the end for one more.
fn look_over(form: &mut Form, seen: &SeatView<'_>) {
    if form.rows.last().is_none_or(|row| !row.words().is_empty()) {
        let last = u32::try_from(form.rows.len()).unwrap_or(u32::MAX);
        form.rows.push(line(last, ""));
    }
    let known = seen.system().spec().conditions;
    for row in &mut form.rows {
        let read = read(&row.words());
        let one = read.as_ref().ok().and_then(Option::as_ref);
        let understood = one.map(ToString::to_string);
        let understood = understood.filter(|understood| *understood != row.words());
        row.beside = understood.unwrap_or_default();
        // What the rules say of it, if they know it; else how to write one.
        let is_it = |name: &str| one.is_some_and(|one| one.name.to_lowercase() == name);
        row.help = match known.iter().find(|known| is_it(known.name)) {
            Some(spec) => spec.help.into(),
            None if known.is_empty() => HELP.into(),
            None => {
                let names: Vec<&str> = known.iter().map(|one| one.name).collect();
                format!("{HELP} The rules know {}.", names.join(", ")).into()
            }
        };
        row.problem = read.err();
    }
}

fn write(condition: &Condition) -> String {
    let value = condition.value.map(|value| format!(" {value}"));
    let fades = if condition.fades { FADING } else { "" };
    let rounds = condition.rounds.map(|rounds| format!(" /{rounds}"));
    let [value, rounds] = [value, rounds].map(Option::unwrap_or_default);
    format!("{}{value}{fades}{rounds}", condition.name)
}

/// A line as it was jotted down; nothing where it is empty.
fn read(line: &str) -> Result<Option<Condition>, String> {
    let (before, rounds) = match line.trim().rsplit_once('/') {
        Some((before, rounds)) => {
            let rounds = rounds.trim().parse().ok();
            let rounds = rounds.filter(|rounds| (1..=999).contains(rounds));
            let wrong = "the rounds behind the slash must be a number from 1 to 999";
            (before.trim(), Some(rounds.ok_or(wrong)?))
        }
        None if line.trim().is_empty() => return Ok(None),
        None => (line.trim(), None),
    };
    let kept = before.strip_suffix(FADING).map(str::trim_end);
    let (before, fades) = (kept.unwrap_or(before), kept.is_some());
    let level = before.rsplit_once(' ').and_then(|(name, last)| {
        let value = last.replace('−', "-").parse().ok()?;
        Some((name.trim(), value))
    });
    let (name, value) = level.map_or((before, None), |(name, value)| (name, Some(value)));
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
        for wrong in ["dazed /soon", "dazed /0", "/3"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
