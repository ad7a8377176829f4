//! Writing the log to a file, from this person's screen.

use std::path::{Path, PathBuf};

use super::Screen;
use crate::store::{StoreError, write_file};
use crate::table::{LogForm, LogWriter};

impl Screen {
    /// Writes the log as it is filtered, and returns where, in words.
    pub(super) fn export(&mut self, typed: &str, replace: bool) -> Result<String, StoreError> {
        let unwritable = |why: &str| StoreError::Unwritable {
            what: "the log",
            why: why.to_owned(),
        };
        let path = at_home(typed);
        let form = LogForm::of_file(&path)
            .ok_or_else(|| unwritable("the name should end with .md, .csv or .json"))?;
        let name = self.state.label.name.clone();
        let zone = self.setup.zone;
        let filter = self.state.log.parsed().clone();
        let told_by = self.look(|_, seen| seen.session().clone());
        let seat = self.log_seat();
        let time = |at, format: &str| zone.format(at, format);
        let mut entries = 0_usize;
        write_file(&path, replace, |file| {
            let mut write = |text: String| {
                let written = file.write_all(text.as_bytes());
                written.map_err(|error| unwritable(&error.to_string()))
            };
            let mut writer = LogWriter::new(form, &name, told_by, &time);
            // All of it, not what was looked at so far, and without keeping the table from anybody.
            self.table.whole_log(seat, &filter, &mut |logged| {
                entries += 1;
                write(writer.entry(logged))
            })?;
            write(writer.end())
        })?;
        let path = std::path::absolute(&path).unwrap_or(path);
        let entries = match entries {
            1 => "1 entry".to_owned(),
            entries => format!("{entries} entries"),
        };
        Ok(format!("{entries} written to {}", path.display()))
    }
}

/// The path that was typed; `~/` is the home folder, as in a shell.
fn at_home(typed: &str) -> PathBuf {
    let home = std::env::var_os("HOME").filter(|home| !home.is_empty());
    match (typed.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(typed),
    }
}
