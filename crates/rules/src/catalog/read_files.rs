//! The system files that this process has read.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::Definition;
use crate::code::Code;
use crate::permanent::{intern, keep};
use crate::{RuleError, System, system_file};

/// The most bytes of different system files that one process may read, faulty files included.
///
/// Compiled descriptions stay in memory until the program ends. Each takes several times the size of its file.
const MAX_BYTES_READ: usize = 32 * 1024 * 1024;

/// The files that this process has read, by their text.
pub(super) struct ReadFiles {
    files: BTreeMap<&'static str, ReadFile>,
    bytes: usize,
    max_bytes: usize,
}

/// The results of reading and of validating one text.
pub(super) struct ReadFile {
    pub(super) system: Result<System, RuleError>,
    /// `None` until the file is validated for the first time.
    pub(super) validated: Option<Result<(), RuleError>>,
}

impl ReadFiles {
    const fn new(max_bytes: usize) -> Self {
        Self {
            files: BTreeMap::new(),
            bytes: 0,
            max_bytes,
        }
    }

    /// Locks the files of this process.
    pub(super) fn lock() -> MutexGuard<'static, Self> {
        static READ_FILES: Mutex<ReadFiles> = Mutex::new(ReadFiles::new(MAX_BYTES_READ));
        READ_FILES.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the systems of all files without faults.
    pub(super) fn systems(&self) -> impl Iterator<Item = System> + '_ {
        self.files
            .values()
            .filter_map(|file| file.system.as_ref().ok())
            .copied()
    }

    /// Returns the results of reading a text. A text that was read before is not compiled again.
    pub(super) fn read(&mut self, text: &str) -> Result<&mut ReadFile, RuleError> {
        if !self.files.contains_key(text) {
            system_file::check_size(text)?;
            if self.bytes + text.len() > self.max_bytes {
                return Err(RuleError::Said(
                    "too many different rule files were read since the program started; restart it"
                        .to_owned(),
                ));
            }

            self.bytes += text.len();
            let text = intern(text);
            self.files.insert(text, ReadFile::compile(text));
        }

        Ok(self.files.get_mut(text).expect("the file was just read"))
    }
}

impl ReadFile {
    fn compile(text: &'static str) -> Self {
        let system = System::new(keep(Definition {
            shipped: None,
            text,
            sha256: OnceLock::new(),
            spec: OnceLock::new(),
            code: Code::PLAIN,
            sample: None,
        }));

        let compiled = system_file::compile(system, text).map(|spec| {
            system.definition().spec.get_or_init(|| spec);
            system
        });

        Self {
            system: compiled,
            validated: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_files_stops_at_the_bound_and_read_texts_stay_known() {
        let text = |number: u32| format!("format = 1\n# file {number}\n");
        let mut read_files = ReadFiles::new(10 * text(0).len());

        for number in 0..10 {
            assert!(read_files.read(&text(number)).is_ok(), "file {number}");
        }
        assert!(read_files.read(&text(0)).is_ok());

        let refused = read_files.read(&text(11)).map(|_| ()).unwrap_err();
        assert!(refused.to_string().contains("restart"), "{refused}");
        assert_eq!(read_files.files.len(), 10);
        assert_eq!(read_files.bytes, read_files.max_bytes);
    }

    #[test]
    fn a_file_beyond_the_largest_size_takes_no_room() {
        let mut read_files = ReadFiles::new(MAX_BYTES_READ);
        let text = "#".repeat(256 * 1024 + 1);

        assert!(read_files.read(&text).is_err());
        assert_eq!(read_files.bytes, 0);
    }
}
