//! `tableside log`: what happened, as lines, JSON, CSV or Markdown; oldest first.

use std::sync::Arc;

use chrono::{DateTime, Local, SecondsFormat, Utc};
use clap::ArgMatches;

use super::Desk;
use super::Trouble;
use super::output::{Ink, Output};
use super::roll::dice_in_words;
use crate::rules::Outcome;
use crate::session::Roll;
use crate::table::{Entry, Seat, Seen, log_json};

/// Prints the log.
pub(super) fn run(desk: &mut Desk<'_>, matches: &ArgMatches) -> Result<(), Trouble> {
    let given = matches.get_one::<String>("name").map_or("", String::as_str);
    let (table, _) = desk.open(given, true)?;
    table.reach_back(1)?;
    let name = table.name();
    let out = &mut desk.out;
    table.read(&Seat::gm(), |seen| {
        if matches.get_flag("json") {
            let entries = seen.log().rev();
            out.json_lines(entries.map(|entry| {
                let number = entry.number;
                let scene = &seen.scene_of(number).name;
                log_json(&entry, scene, seen.is_struck(number), seen.system())
            }))
        } else if matches.get_flag("csv") {
            as_csv(out, seen)
        } else if matches.get_flag("markdown") {
            as_markdown(out, &name, seen)
        } else {
            as_lines(out, seen)
        }
    })
}

/// An entry, and what a person wants to know of it.
struct Line<'a> {
    entry: Arc<Entry>,
    scene: &'a str,
    is_struck: bool,
    text: String,
    roll: Option<(Roll, Outcome)>,
}

fn lines<'a>(seen: &Seen<'a>) -> impl Iterator<Item = Line<'a>> {
    let system = seen.system();
    let seen = *seen;
    let entries: Vec<Arc<Entry>> = seen.log().rev().collect();
    entries.into_iter().map(move |entry| {
        let roll = entry.roll().and_then(|roll| {
            let mut outcome = roll.derive(system).ok()?;
            outcome.effects.clone_from(&roll.effects);
            Some((roll.clone(), outcome))
        });
        Line {
            scene: &seen.scene_of(entry.number).name,
            is_struck: seen.is_struck(entry.number),
            text: entry.event.text(system),
            roll,
            entry,
        }
    })
}

impl Line<'_> {
    /// The dice, if any fell.
    fn dice(&self) -> Option<String> {
        let (_, outcome) = self.roll.as_ref()?;
        (!outcome.dice.is_empty()).then(|| dice_in_words(&outcome.dice))
    }

    /// What followed, in one line.
    fn effects(&self) -> String {
        let effects = self.roll.iter().flat_map(|(_, outcome)| &outcome.effects);
        let effects: Vec<String> = effects.map(ToString::to_string).collect();
        effects.join("; ")
    }
}

/// The day and time, where the user is.
fn local(at: DateTime<Utc>) -> DateTime<Local> {
    at.with_timezone(&Local)
}

fn as_lines(out: &mut Output<'_>, seen: &Seen<'_>) -> Result<(), Trouble> {
    let mut day = None;
    for line in lines(seen) {
        let entry = &line.entry;
        let at = local(entry.at);
        if day.replace(at.date_naive()) != Some(at.date_naive()) {
            out.inked(&[(Ink::Strong, &at.format("%Y-%m-%d").to_string())])?;
        }
        let number = format!(
            "{:>5}  {}  ",
            format!("#{}", entry.number),
            at.format("%H:%M")
        );
        let (ink, end) = if line.is_struck {
            (Ink::Faint, "  (struck)")
        } else if entry.event.what.ends_a_scene() {
            (Ink::Strong, "")
        } else {
            (Ink::Plain, "")
        };
        out.inked(&[(Ink::Faint, &number), (ink, &line.text), (Ink::Faint, end)])?;
        if let Some(dice) = line.dice() {
            out.inked(&[(Ink::Faint, &format!("{:15}{dice}", ""))])?;
        }
        let effects = line.effects();
        if !effects.is_empty() {
            out.line(&format!("{:15}{effects}", ""))?;
        }
    }
    Ok(())
}

fn as_markdown(out: &mut Output<'_>, name: &str, seen: &Seen<'_>) -> Result<(), Trouble> {
    out.line(&format!("# {}", escape(name)))?;
    let mut scene = None;
    for line in lines(seen) {
        if scene != Some(line.scene) {
            scene = Some(line.scene);
            let title = if line.scene.is_empty() {
                "Before the first scene"
            } else {
                line.scene
            };
            let day = local(line.entry.at).format("%Y-%m-%d");
            out.line("")?;
            out.line(&format!("## {} ({day})", escape(title)))?;
            out.line("")?;
        }
        let mut text = escape(&line.text);
        let dice = line.dice().map(|dice| format!(" ({})", escape(&dice)));
        text.push_str(&dice.unwrap_or_default());
        let effects = line.effects();
        if !effects.is_empty() {
            text.push_str("; ");
            text.push_str(&escape(&effects));
        }
        if line.is_struck {
            text = format!("~~{text}~~");
        }
        let time = local(line.entry.at).format("%H:%M");
        out.line(&format!("- **{time}** {text}"))?;
    }
    Ok(())
}

/// The text with what Markdown would read as its own spelled out.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(
            letter,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '~' | '#' | '|'
        ) {
            safe.push('\\');
        }
        safe.push(letter);
    }
    safe
}

fn as_csv(out: &mut Output<'_>, seen: &Seen<'_>) -> Result<(), Trouble> {
    out.line(
        "number,at,scene,by,kind,who,check,outcome,success,total,target,dice,effects,text,struck,hidden-from",
    )?;
    let system = seen.system();
    for line in lines(seen) {
        let entry = &line.entry;
        let number = |value: Option<i32>| value.map_or_else(String::new, |value| value.to_string());
        let roll = line.roll.as_ref();
        let outcome = roll.map(|(_, outcome)| outcome);
        let resolved = roll.filter(|(roll, _)| !roll.outcome.is_empty());
        let hidden = roll.map_or_else(String::new, |(roll, _)| roll.hidden_from.join(" "));
        let success = resolved.and_then(|(_, outcome)| outcome.success);
        let check = roll.and_then(|(roll, _)| roll.spec(system).ok());
        let cells = [
            entry.number.to_string(),
            entry.at.to_rfc3339_opts(SecondsFormat::Secs, true),
            cell(line.scene),
            cell(&entry.by),
            entry.event.what.kind().to_owned(),
            cell(roll.map_or("", |(roll, _)| &roll.who)),
            check.map_or("", |check| check.id).to_owned(),
            resolved.map_or("", |(roll, _)| &roll.outcome).to_owned(),
            success.map_or_else(String::new, |success| success.to_string()),
            number(outcome.and_then(|outcome| outcome.total)),
            number(outcome.and_then(|outcome| outcome.target)),
            cell(&line.dice().unwrap_or_default()),
            cell(&line.effects()),
            cell(&line.text),
            line.is_struck.to_string(),
            cell(&hidden),
        ];
        out.line(&cells.join(","))?;
    }
    Ok(())
}

/// A text as a cell: quoted where it must be, and never a formula of the program that opens it.
fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t']);
    let text = if formula {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_quoted_and_never_a_formula() {
        assert_eq!(cell("The climb"), "The climb");
        assert_eq!(cell("d8 5, \"d10\" 7"), "\"d8 5, \"\"d10\"\" 7\"");
        assert_eq!(cell("=HYPERLINK(1)"), "'=HYPERLINK(1)");
    }

    #[test]
    fn markdown_of_strangers_stays_text() {
        assert_eq!(escape("*bold* <b>"), "\\*bold\\* \\<b\\>");
    }
}
