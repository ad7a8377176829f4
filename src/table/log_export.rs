//! The log as other programs and people read it: Markdown, CSV, JSON, with everything that belongs to an
//! entry. The command line and the screen write it here alike.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, SecondsFormat, Utc};

use super::{Entry, Logged, SeatView, log_json};
use crate::rules::Outcome;
use crate::session::{EventKind, Roll, Session, dice_in_words, thrown_in_words};
use crate::text::{escape_json, sanitise};

/// The longest line, in characters.
const LONGEST: usize = 100_000;

/// How a log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogForm {
    /// For people, under a heading for each scene.
    Markdown,
    /// Comma-separated values, a row an entry.
    Csv,
    /// One array, an entry a line, as `tableside log --json` prints it.
    Json,
}

impl LogForm {
    /// All, with the ends of their files' names.
    pub const ALL: [(Self, &'static str); 3] = [
        (Self::Markdown, "md"),
        (Self::Csv, "csv"),
        (Self::Json, "json"),
    ];

    /// The form that a file's name asks for.
    pub fn of_file(path: &Path) -> Option<Self> {
        let end = path.extension()?.to_str()?.to_lowercase();
        let known = Self::ALL.into_iter().find(|(_, known)| *known == end);
        known.map(|(form, _)| form)
    }
}

/// Writes a time where the reader is, in that format.
pub type Written<'a> = &'a dyn Fn(DateTime<Utc>, &str) -> String;

/// An entry, and what a person wants to know of it.
#[derive(Debug)]
pub struct LogLine {
    pub entry: Arc<Entry>,
    /// The scene in which it happened.
    pub scene: String,
    /// Whether it holds no longer.
    pub is_struck: bool,
    /// What it says.
    pub text: String,
    /// What a check came to beside its total, and what followed, in one line.
    pub follows: String,
    roll: Option<(Roll, Outcome)>,
}

/// The entries of the log, oldest first, as far as it is in memory.
pub fn log_lines(seen: &SeatView<'_>) -> impl Iterator<Item = LogLine> {
    let session = seen.session();
    let logged = seen.all_logged();
    logged.map(move |logged| LogLine::of(&logged, session))
}

impl LogLine {
    pub(super) fn of(logged: &Logged, session: &Session) -> Self {
        let system = session.system;
        let entry = &logged.entry;
        let roll = entry.roll().and_then(|roll| {
            let mut outcome = roll.derive(system).ok()?;
            outcome.effects.clone_from(&roll.effects);
            Some((roll.clone(), outcome))
        });
        Self {
            scene: logged.scene.clone(),
            is_struck: logged.is_struck,
            text: entry.event.text(system),
            follows: match &roll {
                Some(_) => entry.event.in_short(session).join("; "),
                // What else happens says it all.
                None => String::new(),
            },
            roll,
            entry: Arc::clone(entry),
        }
    }

    /// The dice, if any fell.
    pub fn dice(&self) -> Option<String> {
        if let EventKind::Thrown(thrown) = &self.entry.event.what {
            return Some(thrown_in_words(thrown));
        }
        let (_, outcome) = self.roll.as_ref()?;
        (!outcome.dice.is_empty()).then(|| dice_in_words(&outcome.dice))
    }

    /// The fields that were not as usual, with where they came from.
    fn fields(&self) -> String {
        let Some((roll, _)) = &self.roll else {
            return String::new();
        };
        let fields = roll.fields.iter().map(|(name, value)| {
            let source = roll.sources.iter().find(|(field, _)| field == name);
            match source {
                Some((_, source)) => format!("{name} {value} ({source})"),
                None => format!("{name} {value}"),
            }
        });
        fields.collect::<Vec<_>>().join(", ")
    }

    /// Who could not see it, in words.
    fn hidden(&self) -> String {
        match self.entry.event.what.hidden_from().0 {
            [] => String::new(),
            names if names.iter().any(|name| name == "*") => "hidden from all players".to_owned(),
            names => format!("hidden from {}", names.join(", ")),
        }
    }
}

/// Writes the log as far as it is in memory, line by line.
pub fn write_log<E>(
    form: LogForm,
    name: &str,
    seen: &SeatView<'_>,
    time: Written<'_>,
    line: &mut dyn FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let mut writer = LogWriter::begin(form, (name, seen.session().clone()), time, line)?;
    for logged in seen.all_logged() {
        writer.write(&logged, line)?;
    }
    writer.end(line)
}

/// Writes a log entry by entry; it needs nothing of the table but what it is given.
pub struct LogWriter<'a> {
    form: LogForm,
    /// As the one sees it who reads the log.
    session: Session,
    time: Written<'a>,
    /// The scene of the entry before.
    scene: Option<String>,
    /// What is written once it is known that more comes behind it.
    held: String,
}

impl std::fmt::Debug for LogWriter<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = formatter.debug_struct("LogWriter");
        shown.field("form", &self.form).finish_non_exhaustive()
    }
}

impl<'a> LogWriter<'a> {
    /// Writes what stands before the first entry: of a game of that name, in which things are called so.
    pub fn begin<E>(
        form: LogForm,
        (name, session): (&str, Session),
        time: Written<'a>,
        line: &mut dyn FnMut(&str) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut held = String::new();
        match form {
            LogForm::Markdown => line(&format!("# {}", escape(name)))?,
            LogForm::Csv => line(HEADS)?,
            LogForm::Json => held.push('['),
        }
        Ok(Self {
            form,
            session,
            time,
            scene: None,
            held,
        })
    }

    /// Writes an entry.
    pub fn write<E>(
        &mut self,
        logged: &Logged,
        line: &mut dyn FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.form {
            LogForm::Markdown => self.as_markdown(logged, line),
            LogForm::Csv => self.as_csv(logged, line),
            LogForm::Json => {
                line(&self.held)?;
                let Logged {
                    entry,
                    scene,
                    is_struck,
                } = logged;
                let entry = log_json(entry, scene, *is_struck, self.session.system);
                // Every line but the last ends with a comma, and which is the last shows later.
                self.held = escape_json(&entry.to_string()).into_owned();
                self.held.push(',');
                Ok(())
            }
        }
    }

    /// Writes what stands behind the last entry.
    pub fn end<E>(mut self, line: &mut dyn FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        if self.form != LogForm::Json {
            return Ok(());
        }
        if self.held == "[" {
            return line("[]");
        }
        self.held.pop();
        line(&self.held)?;
        line("]")
    }

    fn as_markdown<E>(
        &mut self,
        logged: &Logged,
        line: &mut dyn FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        let one = LogLine::of(logged, &self.session);
        if self.scene.as_ref() != Some(&one.scene) {
            let title = if one.scene.is_empty() {
                "Before the first scene"
            } else {
                &one.scene
            };
            let day = (self.time)(one.entry.at, "%Y-%m-%d");
            line("")?;
            line(&format!("## {} ({day})", escape(title)))?;
            line("")?;
            self.scene = Some(one.scene.clone());
        }
        let mut text = escape(&one.text);
        let dice = one.dice().map(|dice| format!(" ({})", escape(&dice)));
        text.push_str(&dice.unwrap_or_default());
        for more in [one.follows.clone(), one.hidden()] {
            if !more.is_empty() {
                text.push_str("; ");
                text.push_str(&escape(&more));
            }
        }
        if one.is_struck {
            text = format!("~~{text}~~");
        }
        let time = (self.time)(one.entry.at, "%H:%M");
        line(&format!("- **{time}** {text}"))?;
        let fields = one.fields();
        if !fields.is_empty() {
            line(&format!("  - {}", escape(&fields)))?;
        }
        Ok(())
    }

    fn as_csv<E>(
        &self,
        logged: &Logged,
        line: &mut dyn FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        let one = LogLine::of(logged, &self.session);
        let entry = &one.entry;
        let number = |value: Option<i32>| value.map_or_else(String::new, |value| value.to_string());
        let roll = one.roll.as_ref();
        let outcome = roll.map(|(_, outcome)| outcome);
        let resolved = roll.filter(|(roll, _)| !roll.outcome.is_empty());
        let what = &entry.event.what;
        let hidden = what.hidden_from().0.join(" ");
        let helpers = roll.map_or_else(String::new, |(roll, _)| {
            let helpers = roll.helpers.iter().map(|one| one.name.as_str());
            helpers.collect::<Vec<_>>().join(" ")
        });
        let success = resolved.and_then(|(_, outcome)| outcome.success);
        let check = roll.and_then(|(roll, _)| roll.spec(self.session.system).ok());
        let cells = [
            entry.number.to_string(),
            entry.at.to_rfc3339_opts(SecondsFormat::Secs, true),
            cell(&one.scene),
            cell(&entry.by),
            entry.event.what.kind().to_owned(),
            cell(what.roller().map_or("", |(who, _)| who)),
            check.map_or("", |check| check.id).to_owned(),
            resolved.map_or("", |(roll, _)| &roll.outcome).to_owned(),
            success.map_or_else(String::new, |success| success.to_string()),
            match what {
                EventKind::Thrown(thrown) => thrown.total.to_string(),
                _ => number(outcome.and_then(|outcome| outcome.total)),
            },
            number(outcome.and_then(|outcome| outcome.target)),
            cell(&one.dice().unwrap_or_default()),
            cell(&one.follows),
            cell(&one.text),
            one.is_struck.to_string(),
            cell(&hidden),
            cell(&one.fields()),
            cell(&helpers),
        ];
        line(&cells.join(","))
    }
}

/// The heads of the columns.
const HEADS: &str = "number,at,scene,by,kind,who,check,outcome,success,total,target,dice,effects,text,struck,hidden-from,fields,helpers";

/// The text with what Markdown would read as its own spelled out.
fn escape(text: &str) -> String {
    let text = sanitise(text, LONGEST);
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

/// A text as a cell: quoted where it must be, and never a formula of the program that opens it.
fn cell(text: &str) -> String {
    let text = sanitise(text, LONGEST);
    let formula = text.starts_with(['=', '+', '-', '@', '\t']);
    let text = if formula {
        Cow::Owned(format!("'{text}"))
    } else {
        text
    };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into_owned()
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

    #[test]
    fn a_file_is_written_as_its_name_says() {
        assert_eq!(
            LogForm::of_file(Path::new("a/b.MD")),
            Some(LogForm::Markdown)
        );
        assert_eq!(LogForm::of_file(Path::new("b.csv")), Some(LogForm::Csv));
        assert_eq!(LogForm::of_file(Path::new("b")), None);
        assert_eq!(LogForm::of_file(Path::new("b.txt")), None);
    }
}
