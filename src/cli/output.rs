//! The one place that writes: made safe, without colour where none belongs, and quiet when the reader
//! has gone.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::error::CliError;
use tableside_rules::Tone;
use tableside_text::{escape_json, sanitise, width};

/// The longest line that is written, in characters.
const LONGEST: usize = 100_000;

/// Columns of a paragraph; more is hard to read.
const COLUMNS: usize = 80;

/// A name, and the paragraphs about it.
pub(super) type Item = (String, Vec<String>);

/// How a piece of a line looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    /// As everything else.
    Plain,
    /// What the line is about.
    Strong,
    /// What does not count.
    Faint,
    /// An outcome; it is said in words, too.
    Outcome(Tone),
}

impl Ink {
    /// The sixteen colours that every terminal has, and that its owner chose.
    const fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Strong => "\x1b[1m",
            Self::Faint => "\x1b[2m",
            Self::Outcome(Tone::Triumph) => "\x1b[1;32m",
            Self::Outcome(Tone::Good) => "\x1b[32m",
            Self::Outcome(Tone::Mixed) => "\x1b[33m",
            Self::Outcome(Tone::Bad) => "\x1b[31m",
            Self::Outcome(Tone::Disaster) => "\x1b[1;31m",
        }
    }
}

/// Standard output, checked.
pub(super) struct Output<'a> {
    to: &'a mut dyn Write,
    colour: bool,
}

impl<'a> Output<'a> {
    /// Writes there, with colour or without.
    pub(super) fn new(to: &'a mut dyn Write, colour: bool) -> Self {
        Self { to, colour }
    }

    /// Writes a line.
    pub(super) fn line(&mut self, text: &str) -> Result<(), CliError> {
        self.inked(&[(Ink::Plain, text)])
    }

    /// Writes each in a line.
    pub(super) fn lines(
        &mut self,
        lines: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<(), CliError> {
        let mut lines = lines.into_iter();
        lines.try_for_each(|line| self.line(line.as_ref()))
    }

    /// Writes a line of pieces.
    pub(super) fn inked(&mut self, pieces: &[(Ink, &str)]) -> Result<(), CliError> {
        let mut line = String::new();
        for (ink, text) in pieces {
            let code = if self.colour { ink.code() } else { "" };
            line.push_str(code);
            line.push_str(&sanitise(text, LONGEST));
            if !code.is_empty() {
                line.push_str("\x1b[m");
            }
        }
        line.push('\n');
        self.verbatim(&line)
    }

    /// Writes a line for each name with what is said about it, one column beside the other.
    pub(super) fn columns(&mut self, rows: &[(String, String)]) -> Result<(), CliError> {
        let column = rows.iter().map(|(name, _)| width(name)).max();
        rows.iter().try_for_each(|(name, about)| {
            let gap = " ".repeat(column.unwrap_or(0) + 2 - width(name));
            self.inked(&[(Ink::Strong, name), (Ink::Plain, &format!("{gap}{about}"))])
        })
    }

    /// Writes a heading with its items, if there are any: names, each with the paragraphs about it.
    pub(super) fn section(&mut self, title: &str, items: Vec<Item>) -> Result<(), CliError> {
        if items.is_empty() {
            return Ok(());
        }
        self.line("")?;
        self.inked(&[(Ink::Strong, title)])?;
        for (name, about) in items {
            self.inked(&[(Ink::Strong, &format!("  {name}"))])?;
            let mut about = about.iter();
            about.try_for_each(|text| self.paragraph("      ", text))?;
        }
        Ok(())
    }

    /// Writes a text in lines that are not too long, each behind the same indent.
    pub(super) fn paragraph(&mut self, indent: &str, text: &str) -> Result<(), CliError> {
        let mut line = indent.to_owned();
        for word in text.split_whitespace() {
            if width(&line) + 1 + width(word) > COLUMNS && line.len() > indent.len() {
                self.line(&line)?;
                indent.clone_into(&mut line);
            }
            line.extend((line.len() > indent.len()).then_some(' '));
            line.push_str(word);
        }
        self.line(&line)
    }

    /// Asks something, on a line that stays open for the answer.
    pub(super) fn ask(&mut self, question: &str) -> Result<(), CliError> {
        self.verbatim(&sanitise(question, LONGEST))?;
        self.finish()
    }

    /// Writes a text of our own as it is, for other programs to read.
    pub(super) fn verbatim(&mut self, text: &str) -> Result<(), CliError> {
        written(self.to.write_all(text.as_bytes()))
    }

    /// Writes one JSON document.
    pub(super) fn json(&mut self, document: &impl Serialize) -> Result<(), CliError> {
        let text = serde_json::to_string_pretty(document);
        let text = text.map_err(|error| CliError::failed(format!("cannot write JSON: {error}")))?;
        self.verbatim(&escape_json(&text))?;
        self.verbatim("\n")
    }

    /// Hands everything to the system.
    pub(super) fn finish(&mut self) -> Result<(), CliError> {
        written(self.to.flush())
    }
}

/// One object of several, in their order; null adds nothing.
pub(super) fn object(parts: impl IntoIterator<Item = Json>) -> Json {
    let parts = parts.into_iter().filter_map(|part| match part {
        Json::Object(part) => Some(part),
        _ => None,
    });
    Json::Object(parts.flatten().collect::<Map<String, Json>>())
}

/// A closed pipe ends quietly; anything else is an error.
fn written(result: io::Result<()>) -> Result<(), CliError> {
    result.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => CliError::Closed,
        _ => CliError::failed(format!("cannot write the output: {error}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written_by(colour: bool, write: impl FnOnce(&mut Output<'_>)) -> String {
        let mut bytes = Vec::new();
        write(&mut Output::new(&mut bytes, colour));
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_name_cannot_steer_the_terminal() {
        let line = written_by(false, |out| out.line("Mira\u{1b}[2J").unwrap());
        assert_eq!(line, "Mira\u{FFFD}[2J\n");
        let json = written_by(false, |out| out.json(&"Mira\u{9b}2J\u{e0041}").unwrap());
        assert_eq!(json, "\"Mira\\u009b2J\\udb40\\udc41\"\n");
        let read: String = serde_json::from_str(&json).unwrap();
        assert_eq!(read, "Mira\u{9b}2J\u{e0041}");
    }

    #[test]
    fn colour_is_added_only_where_it_belongs() {
        let pieces = [(Ink::Outcome(Tone::Good), "success"), (Ink::Plain, "  14")];
        let with = written_by(true, |out| out.inked(&pieces).unwrap());
        assert_eq!(with, "\u{1b}[32msuccess\u{1b}[m  14\n");
        let without = written_by(false, |out| out.inked(&pieces).unwrap());
        assert_eq!(without, "success  14\n");
    }
}
