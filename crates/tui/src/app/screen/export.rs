//! Writing the log or a recap to a file, and showing the recap.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::Screen;
use crate::dialog::{ExportKind, ExportRequest, RecapRequest, ShownRecap, recap_dialog};
use tableside_store::{StoreError, write_file};
use tableside_table::{EntryFormat, LogForm, LogWriter, Logged, RecapRange, RecapScope, Seat};
use tableside_text::pluralise;

/// The extension of a file whose name the program chooses.
const EXTENSION: &str = "md";

/// Describes a written file. The name of the file comes first, because a narrow screen cuts the end of a message.
fn describe_export(contents: &str, path: &Path) -> String {
    match (path.file_name(), path.parent()) {
        (Some(name), Some(folder)) => {
            let name = name.display();
            let folder = folder.display();
            format!("{name}: {contents}, written to {folder}")
        }
        _ => format!("{contents} written to {}", path.display()),
    }
}

impl Screen {
    /// Writes a file. Returns a message with its contents and its path.
    pub(crate) fn export(&mut self, request: &ExportRequest) -> Result<String, StoreError> {
        let mut contents = String::new();
        let path = if request.path.is_empty() {
            let Some(storage) = self.setup.storage.clone() else {
                return Err(unwritable("this screen has no data folder"));
            };
            let game = &self.state.label.name;
            let name = format!("{game}-{}", request.kind.file_name());
            storage.write_export(&name, EXTENSION, |file| {
                contents = self.write_export(request.kind, LogForm::Markdown, file)?;
                Ok(())
            })?
        } else {
            let path = expand_home(&request.path);
            let form = LogForm::of_file(&path);
            if form.is_none() && !request.kind.is_recap() {
                return Err(unwritable("the name should end with .md, .csv or .json"));
            }
            let form = form.unwrap_or(LogForm::Markdown);
            write_file(&path, request.replace, |file| {
                contents = self.write_export(request.kind, form, file)?;
                Ok(())
            })?;
            path
        };
        let path = std::path::absolute(&path).unwrap_or(path);
        Ok(describe_export(&contents, &path))
    }

    /// Opens a recap.
    pub(crate) fn show_recap(&mut self, request: RecapRequest) {
        let seat = self.recap_seat(request);
        let newest = self.table.read(seat, RecapScope::newest_session).session;
        match self.recap(request) {
            Ok(text) => {
                let shown = ShownRecap {
                    request,
                    text,
                    newest_session: newest.unwrap_or(1),
                    may_save: self.setup.storage.is_some(),
                };
                let dialog = self.read_view(|view| recap_dialog(shown, &view));
                self.state.open(dialog);
            }
            Err(error) => self.refuse(&error.to_string()),
        }
    }

    /// Writes the contents of an export. Returns a short description of them.
    fn write_export(
        &self,
        kind: ExportKind,
        form: LogForm,
        file: &mut dyn Write,
    ) -> Result<String, StoreError> {
        let seat = match kind {
            ExportKind::PlayersLog => &Seat::onlooker(),
            ExportKind::Everything | ExportKind::Session | ExportKind::Recap(_) => self.log_seat(),
        };
        let numbers = match kind {
            ExportKind::Session => {
                let session = self.table.read(seat, RecapScope::newest_session);
                Some(session.range)
            }
            ExportKind::Recap(request) => {
                let text = self.recap(request)?;
                write_text(file, &text)?;
                let readers = if request.is_for_players {
                    " for players"
                } else {
                    ""
                };
                return Ok(format!("the recap{readers}"));
            }
            ExportKind::Everything | ExportKind::PlayersLog => None,
        };
        let entries = self.write_log(seat, numbers, form, file)?;
        Ok(pluralise(entries, "entry"))
    }

    /// Writes the entries with these numbers that the seat may read and the filter matches. Returns the number of
    /// written entries.
    fn write_log(
        &self,
        seat: &Seat,
        numbers: Option<RecapRange>,
        form: LogForm,
        file: &mut dyn Write,
    ) -> Result<usize, StoreError> {
        let zone = self.setup.zone;
        let time = |at, format: &str| zone.format(at, format);
        let game = self.table.read(seat, |view| view.game().clone());
        let format = EntryFormat::new(form, game, &time);
        let mut writer = LogWriter::new(form, &self.state.label.name);

        let is_included = |number: u64| numbers.is_none_or(|numbers| numbers.contains(number));
        let render = |logged: Logged| {
            if is_included(logged.entry.number) {
                Some(format.render(logged))
            } else {
                None
            }
        };
        let mut count = 0;
        let filter = self.state.log.parsed();
        self.table.whole_log(seat, filter, render, |rendered| {
            let Some(rendered) = rendered else {
                return Ok(());
            };
            count += 1;
            write_text(file, &writer.add(&rendered))
        })?;
        write_text(file, &writer.end())?;
        Ok(count)
    }

    /// The seat whose view of the game a recap describes.
    fn recap_seat(&self, request: RecapRequest) -> &Seat {
        if request.is_for_players && self.log_seat().sees_all() {
            &self.onlooker
        } else {
            self.log_seat()
        }
    }

    /// Returns the recap of a session as Markdown, with only the entries that its readers may see.
    fn recap(&self, request: RecapRequest) -> Result<String, StoreError> {
        let seat = self.recap_seat(request);
        let requested = self.table.read(seat, |view| {
            let session = request.session?;
            RecapScope::session(view.game(), session)
        });
        let scope = match requested {
            Some(scope) => scope,
            None => self.table.read(seat, RecapScope::newest_session),
        };
        let zone = self.setup.zone;
        let time = |at, format: &str| zone.format(at, format);
        let recap = self.table.recap(seat, &scope)?;
        Ok(recap.markdown(&time))
    }
}

fn unwritable(why: &str) -> StoreError {
    StoreError::Unwritable {
        what: "the file",
        why: why.to_owned(),
    }
}

fn write_text(file: &mut dyn Write, text: &str) -> Result<(), StoreError> {
    let written = file.write_all(text.as_bytes());
    written.map_err(|error| unwritable(&error.to_string()))
}

/// Replaces `~/` at the beginning of a typed path by the home folder, as a shell does.
fn expand_home(typed: &str) -> PathBuf {
    match (typed.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(Path::new(rest)),
        _ => PathBuf::from(typed),
    }
}
