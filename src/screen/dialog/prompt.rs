//! One line of text: the name of a scene, a note, a reason, the name of the game.

use std::path::Path;

use super::DialogAction;
use super::form::{Form, FormDialog, FormSpec, Row};
use crate::session::{Command, LONGEST_NAME, LONGEST_NOTE};
use crate::store::{Name, StoreError};
use crate::table::{Act, LogForm, SeatView};

/// What a line of text is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prompted {
    Scene,
    /// A note, about an entry of the log or about nothing in particular.
    Note {
        about: Option<u64>,
        /// Its number, as far as it is told.
        tag: String,
    },
    /// Why an entry is struck.
    Strike {
        entry: u64,
        /// Its number, as far as it is told.
        tag: String,
    },
    /// The file that the log is written into.
    Export {
        now: String,
        is_filtered: bool,
    },
    /// The name of the game; `now` is what it is called.
    Game {
        now: String,
    },
}

#[derive(Debug)]
pub struct PromptDialog {
    what: Prompted,
}

const LONGEST_PATH: usize = 1_000;

const LONGEST_REASON: usize = 500;

impl PromptDialog {
    pub fn open(what: Prompted, seen: &SeatView<'_>) -> FormDialog<Self> {
        let text = |label, now: &str, limit| Row::text("line", label, now, limit);
        let (title, row) = match &what {
            Prompted::Scene => (
                "Next scene".to_owned(),
                text("Name", "", LONGEST_NAME).hint("none").help(
                    "What the rules clear between scenes is cleared; undo takes it back whole.",
                ),
            ),
            Prompted::Note { about, tag } => (
                match (about, tag.as_str()) {
                    (None, _) => "Note".to_owned(),
                    (Some(_), "") => "Note on this entry".to_owned(),
                    (Some(_), tag) => format!("Note on {tag}"),
                },
                text("Note", "", LONGEST_NOTE)
                    .hint("what is to be remembered")
                    .help("It goes to the log."),
            ),
            Prompted::Strike { tag, .. } => (
                match tag.as_str() {
                    "" => "Strike this entry".to_owned(),
                    tag => format!("Strike {tag}"),
                },
                text("Reason", "", LONGEST_REASON)
                    .hint("none")
                    .help("What followed from it is returned; the entry stays on record, struck."),
            ),
            Prompted::Export { now, is_filtered } => (
                "Write the log to a file".to_owned(),
                text("File", now, LONGEST_PATH)
                    .hint("friday.md")
                    .help(if *is_filtered {
                        "Only what the filter lets through. The name says how: .md, .csv or .json."
                    } else {
                        "The whole log. The name says how: .md, .csv or .json."
                    }),
            ),
            Prompted::Game { now } => (
                "Name the game".to_owned(),
                text("Name", now, crate::store::LONGEST_NAME)
                    .hint("The cliff")
                    .help("It is kept in a folder of this name."),
            ),
        };
        FormDialog::new(Form::new(title, vec![row]), Self { what }, seen)
    }

    fn problem(&self, line: &str) -> Option<String> {
        match self.what {
            Prompted::Scene | Prompted::Strike { .. } => None,
            Prompted::Export { .. } => {
                let known = LogForm::of_file(Path::new(line)).is_some();
                (!known).then(|| "the name should end with .md, .csv or .json".to_owned())
            }
            Prompted::Note { .. } => line.is_empty().then(|| "a note needs words".to_owned()),
            Prompted::Game { .. } => match Name::new(line, &[]) {
                Ok(_) => None,
                Err(StoreError::Name { rule, .. }) => {
                    Some(format!("that is no name for a game: {rule}"))
                }
                Err(error) => Some(error.to_string()),
            },
        }
    }
}

impl FormSpec for PromptDialog {
    fn refresh(&mut self, form: &mut Form, _seen: &SeatView<'_>) {
        form.check(|_, row| self.problem(&row.words()));
    }

    fn submit(&mut self, form: &Form, _seen: &SeatView<'_>) -> Result<DialogAction, String> {
        let line = form.text("line");
        Ok(match self.what {
            Prompted::Scene => Command::NextScene { name: line }.into(),
            Prompted::Note { about, .. } => Command::Note { text: line, about }.into(),
            Prompted::Strike { entry, .. } => {
                let reason = line;
                Act::Strike { entry, reason }.into()
            }
            Prompted::Export { .. } => DialogAction::Export {
                path: line,
                replace: false,
            },
            Prompted::Game { .. } => DialogAction::Rename(line),
        })
    }
}
