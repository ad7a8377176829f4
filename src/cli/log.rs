//! `tableside log`: what happened, as lines, JSON, CSV or Markdown; oldest first.

use chrono::{DateTime, Local, Utc};

use super::App;
use super::error::CliError;
use super::output::{Ink, Output};
use crate::session::{dice_in_words, sentence};
use crate::table::{LogForm, Part, Seat, SeatView, log_lines, write_log};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session
    session: String,
    /// As one JSON document
    #[arg(long)]
    json: bool,
    /// As comma-separated values
    #[arg(long, conflicts_with_all = ["json", "markdown"])]
    csv: bool,
    /// As Markdown
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// One entry step by step
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["json", "csv", "markdown"])]
    explain: Option<u64>,
}

/// Prints the log.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let (table, _) = app.open(&args.session, true)?;
    table.reach_back(1)?;
    let name = table.name();
    let forms = [
        (args.json, LogForm::Json),
        (args.csv, LogForm::Csv),
        (args.markdown, LogForm::Markdown),
    ];
    let form = forms.into_iter().find(|(is_asked, _)| *is_asked);
    let form = form.map(|(_, form)| form);
    let out = &mut app.out;
    if let Some(number) = args.explain {
        return table.read(&Seat::gm(), |seen| explain(out, seen, number));
    }
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

/// An entry step by step.
fn explain(out: &mut Output<'_>, seen: &SeatView<'_>, number: u64) -> Result<(), CliError> {
    let Some((title, parts)) = seen.explain(number) else {
        return Err(
            CliError::failed(format!("there is no entry #{number} in this log"))
                .hint("`tableside log` lists all entries with their numbers"),
        );
    };
    out.inked(&[(Ink::Strong, &format!("#{number}  {title}"))])?;
    for part in parts {
        let (ink, words) = match part {
            Part::Aside(words) | Part::Hidden(words) => (Ink::Faint, words),
            Part::Warning(words) | Part::Narration(words) | Part::Text(words) => {
                (Ink::Plain, words)
            }
            Part::Reading { lead, headline, .. } => {
                (Ink::Faint, format!("{lead}{}", headline.words()))
            }
            Part::Dice(dice) => (Ink::Plain, dice_in_words(&dice)),
            Part::Headline(headline) => (Ink::Outcome(headline.outcome.tone), headline.words()),
            Part::Step(number, words) => (Ink::Plain, format!("{number:>2}  {words}")),
            Part::Heading(words) => (Ink::Strong, words.to_owned()),
            Part::Followed(words) => (Ink::Plain, format!("    {}", sentence(&words))),
            Part::Gap => (Ink::Plain, String::new()),
        };
        out.inked(&[(ink, &words)])?;
    }
    Ok(())
}

fn as_lines(out: &mut Output<'_>, seen: &SeatView<'_>) -> Result<(), CliError> {
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
        if !line.follows.is_empty() {
            out.line(&format!("{:15}{}", "", line.follows))?;
        }
    }
    Ok(())
}
