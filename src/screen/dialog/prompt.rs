//! One line of text: the name of a scene, a note, a reason, the name of the game.

use std::path::Path;

use super::DialogAction;
use super::entry::Entry;
use super::filled::{Filled, its_form};
use super::form::{Form, Item};
use crate::session::{Command, LONGEST_NAME, LONGEST_NOTE};
use crate::store::{Name, StoreError};
use crate::table::{Act, LogForm, SeatView};

/// What a line of text is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prompted {
    /// The name of the next scene.
    Scene,
    /// A note, about an entry of the log or about nothing in particular.
    Note {
        /// The entry.
        about: Option<u64>,
        /// Its number, as far as it is told.
        tag: String,
    },
    /// Why an entry is struck.
    Strike {
        /// The entry.
        entry: u64,
        /// Its number, as far as it is told.
        tag: String,
    },
    /// The file that the log is written into.
    Export {
        /// The file that is proposed.
        now: String,
        /// Whether the log is filtered.
        is_filtered: bool,
    },
    /// The name of the game; `now` is what it is called.
    Game {
        /// The name so far.
        now: String,
    },
}

/// One line of text.
#[derive(Clone, Debug)]
pub struct PromptDialog {
    what: Prompted,
    form: Form,
}

/// The longest path that is typed.
const LONGEST_PATH: usize = 1_000;

/// A reason is kept up to so many letters.
const LONGEST_REASON: usize = 500;

impl PromptDialog {
    /// Asks for it.
    pub fn new(what: Prompted) -> Self {
        let (title, label, now, limit, help, hint) = match &what {
            Prompted::Scene => (
                "Next scene".to_owned(),
                "Name",
                "",
                LONGEST_NAME,
                "What the rules clear between scenes is cleared; undo takes it back whole.",
                "none",
            ),
            Prompted::Note { about, tag } => (
                match (about, tag.as_str()) {
                    (None, _) => "Note".to_owned(),
                    (Some(_), "") => "Note on this entry".to_owned(),
                    (Some(_), tag) => format!("Note on {tag}"),
                },
                "Note",
                "",
                LONGEST_NOTE,
                "It goes to the log.",
                "what is to be remembered",
            ),
            Prompted::Strike { tag, .. } => (
                match tag.as_str() {
                    "" => "Strike this entry".to_owned(),
                    tag => format!("Strike {tag}"),
                },
                "Reason",
                "",
                LONGEST_REASON,
                "What followed from it is returned; the entry stays on record, struck.",
                "none",
            ),
            Prompted::Export { now, is_filtered } => (
                "Write the log to a file".to_owned(),
                "File",
                now.as_str(),
                LONGEST_PATH,
                if *is_filtered {
                    "Only what the filter lets through. The name says how: .md, .csv or .json."
                } else {
                    "The whole log. The name says how: .md, .csv or .json."
                },
                "friday.md",
            ),
            Prompted::Game { now } => (
                "Name the game".to_owned(),
                "Name",
                now.as_str(),
                crate::store::LONGEST_NAME,
                "It is kept in a folder of this name.",
                "The cliff",
            ),
        };
        let item = Item::new("line", label, Entry::text(now, limit), help).hint(hint);
        Self {
            form: Form::new(vec![item]).titled(title),
            what,
        }
    }

    fn problem(&self) -> Option<String> {
        let line = self.form.text("line");
        match self.what {
            Prompted::Scene | Prompted::Strike { .. } => None,
            Prompted::Export { .. } => {
                let known = LogForm::of_file(Path::new(&line)).is_some();
                (!known).then(|| "the name should end with .md, .csv or .json".to_owned())
            }
            Prompted::Note { .. } => line.is_empty().then(|| "a note needs words".to_owned()),
            Prompted::Game { .. } => match Name::new(&line, &[]) {
                Ok(_) => None,
                Err(StoreError::Name { rule, .. }) => {
                    Some(format!("that is no name for a game: {rule}"))
                }
                Err(error) => Some(error.to_string()),
            },
        }
    }

    fn check(&mut self) {
        let problem = self.problem();
        self.form.check(|_, _| problem.clone());
    }
}

impl Filled for PromptDialog {
    its_form!();

    fn entered(&mut self, _seen: &SeatView<'_>) {
        self.check();
    }

    fn submit(&mut self, _seen: &SeatView<'_>) -> DialogAction {
        self.check();
        if self.problem().is_some() {
            return DialogAction::Stay;
        }
        let line = self.form.text("line");
        DialogAction::SubmitAndClose(match self.what {
            Prompted::Scene => Command::NextScene { name: line }.into(),
            Prompted::Note { about, .. } => Command::Note { text: line, about }.into(),
            Prompted::Strike { entry, .. } => Act::Strike {
                entry,
                reason: line,
            },
            Prompted::Export { .. } => {
                return DialogAction::Export {
                    path: line,
                    replace: false,
                };
            }
            Prompted::Game { .. } => return DialogAction::Rename(line),
        })
    }
}
