//! `tableside log`: what happened, as lines, JSON, CSV or Markdown; oldest first.

use chrono::{DateTime, Local, Utc};
use clap::ArgMatches;

use super::Desk;
use super::Trouble;
use super::output::{Ink, Output};
use crate::table::{LogForm, Seat, Seen, log_lines, write_log};

/// Prints the log.
pub(super) fn run(desk: &mut Desk<'_>, matches: &ArgMatches) -> Result<(), Trouble> {
    let given = matches.get_one::<String>("name").map_or("", String::as_str);
    let (table, _) = desk.open(given, true)?;
    table.reach_back(1)?;
    let name = table.name();
    let form = if matches.get_flag("json") {
        Some(LogForm::Json)
    } else if matches.get_flag("csv") {
        Some(LogForm::Csv)
    } else if matches.get_flag("markdown") {
        Some(LogForm::Markdown)
    } else {
        None
    };
    let out = &mut desk.out;
    table.read(&Seat::gm(), |seen| match form {
        Some(form) => write_log(
            form,
            &name,
            seen,
            &|at, format| local(at).format(format).to_string(),
            // It is safe as it is, and JSON stays what it was.
            &mut |line| out.verbatim(&format!("{line}\n")),
        ),
        None => as_lines(out, seen),
    })
}

/// The day and time, where the user is.
fn local(at: DateTime<Utc>) -> DateTime<Local> {
    at.with_timezone(&Local)
}

fn as_lines(out: &mut Output<'_>, seen: &Seen<'_>) -> Result<(), Trouble> {
    let mut day = None;
    for line in log_lines(seen) {
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
