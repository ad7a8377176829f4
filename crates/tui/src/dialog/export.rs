//! The dialog that exports the log or a recap to a file.

use std::path::Path;

use crate::dialog::form::Form;
use crate::dialog::{Dialog, DialogAction, Row, ask_over};
use tableside_table::{LogForm, SeatView};

/// The maximum length of a path, in characters.
const MAX_PATH_CHARS: usize = 1_000;

/// The contents of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportKind {
    /// The log of all sessions.
    Everything,
    /// The log of the current session, or of the last session if no other has begun.
    Session,
    /// The log as players read it.
    PlayersLog,
    Recap(RecapRequest),
}

/// The session of a recap, and its readers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecapRequest {
    /// The number of the session. `None` for the current session, or for the last session if no other has begun.
    pub session: Option<usize>,
    /// True if the recap contains only what all players have seen.
    pub is_for_players: bool,
}

impl ExportKind {
    const ALL: [Self; 5] = [
        Self::Everything,
        Self::Session,
        Self::PlayersLog,
        Self::Recap(RecapRequest {
            session: None,
            is_for_players: false,
        }),
        Self::Recap(RecapRequest {
            session: None,
            is_for_players: true,
        }),
    ];

    fn label(self) -> &'static str {
        match self {
            Self::Everything => "all",
            Self::Session => "this session",
            Self::PlayersLog => "what players saw",
            Self::Recap(request) if request.is_for_players => "recap for players",
            Self::Recap(_) => "recap",
        }
    }

    fn describe(self, is_filtered: bool) -> &'static str {
        match self {
            Self::Everything if is_filtered => "The entries of the log that match the filter.",
            Self::Everything => "The whole log.",
            Self::Session if is_filtered => "The entries of this session that match the filter.",
            Self::Session => "The log of this session.",
            Self::PlayersLog if is_filtered => {
                "The entries that match the filter, as players see them."
            }
            Self::PlayersLog => "The log as players see it, without hidden entries.",
            Self::Recap(request) if request.is_for_players => {
                "A recap of this session by scene, without anything that players do not know."
            }
            Self::Recap(_) => {
                "A recap of this session by scene, with everything that players do not know."
            }
        }
    }

    /// Returns the part of the file name that names the contents.
    pub(crate) fn file_name(self) -> &'static str {
        match self {
            Self::Everything => "log",
            Self::Session => "session-log",
            Self::PlayersLog => "players-log",
            Self::Recap(request) if request.is_for_players => "players-recap",
            Self::Recap(_) => "recap",
        }
    }

    /// Returns true for a recap, which is exported in a single format.
    pub(crate) fn is_recap(self) -> bool {
        matches!(self, Self::Recap(_))
    }
}

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportRequest {
    pub kind: ExportKind,
    /// The typed path. Empty for a new file in the folder for exports.
    pub path: String,
    /// True if the file replaces an existing file.
    pub replace: bool,
}

/// Asks for the contents and the path of an export.
pub fn export_form(is_filtered: bool, view: &SeatView<'_>) -> Dialog {
    let kind_row = Row::one_of(
        "kind",
        "What",
        &ExportKind::ALL,
        ExportKind::Everything,
        ExportKind::label,
    );
    let path_row = Row::text("line", "File", "", MAX_PATH_CHARS)
        .hint("a new file in the folder exports")
        .help("Blank: a new file in the data folder. End the name with .md, .csv or .json.");

    ask_over(
        Form::new("Write to a file", vec![kind_row, path_row]).with_submit_label("write"),
        view,
        move |form, _| describe_kind(form, is_filtered),
        |form, _| export(form),
    )
}

/// Describes the selected contents in the help of their row.
fn describe_kind(form: &mut Form, is_filtered: bool) {
    let kind: ExportKind = form.picked("kind", &ExportKind::ALL);
    if let Some(row) = form.shown_row_mut("kind") {
        row.help = kind.describe(is_filtered).into();
    }
}

fn export(form: &Form) -> Result<DialogAction, String> {
    let kind = form.picked("kind", &ExportKind::ALL);
    let path = form.text("line");
    check_name(kind, &path)?;
    Ok(DialogAction::Export(ExportRequest {
        kind,
        path,
        replace: false,
    }))
}

/// Returns an error if the extension of the file name is no known format.
fn check_name(kind: ExportKind, path: &str) -> Result<(), String> {
    let has_one_format = kind.is_recap();
    let has_known_format = LogForm::of_file(Path::new(path)).is_some();
    if path.is_empty() || has_one_format || has_known_format {
        Ok(())
    } else {
        Err("the name should end with .md, .csv or .json".to_owned())
    }
}
