//! Computes all states of the disk that a power cut can leave behind, from the recorded operations.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::path::PathBuf;

/// The names of files, with the numbers of the files.
pub(super) type Names = BTreeMap<PathBuf, usize>;

/// The states include writes that are torn after each multiple of this number of bytes.
const TEAR: usize = 5;

/// An operation on the disk, or a promise of the store.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// A file that existed before, completely on the disk.
    Found {
        path: PathBuf,
        bytes: Vec<u8>,
    },
    /// Files got or lost names, in one atomic operation.
    Names(Vec<(PathBuf, Option<usize>)>),
    Write {
        file: usize,
        bytes: Vec<u8>,
    },
    /// The first `length` bytes of a file are on the disk.
    Sync {
        file: usize,
        length: usize,
    },
    SyncFailed {
        file: usize,
    },
    SyncFolder(PathBuf),
    /// The store reported that every event up to this number is on the disk.
    Promised(u64),
}

/// The contents of the disk after a power cut.
#[derive(Debug)]
pub(super) struct DiskState {
    pub(super) files: BTreeMap<PathBuf, Vec<u8>>,
    /// The last event that must be on the disk.
    pub(super) promised: u64,
}

impl DiskState {
    /// Returns a hash, to skip equal states.
    pub(super) fn hash_value(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.files.hash(&mut hasher);
        self.promised.hash(&mut hasher);
        hasher.finish()
    }
}

#[derive(Clone, Debug, Default)]
struct ModelFile {
    bytes: Vec<u8>,
    /// The number of bytes that are on the disk.
    synced: usize,
    /// The ends of the writes since the last sync.
    ends: Vec<usize>,
    /// True after a failed sync: later syncs of this file do not count.
    is_untrusted: bool,
}

impl ModelFile {
    /// Returns all contents that a power cut may leave.
    fn possible_contents(&self) -> Vec<Vec<u8>> {
        let mut lengths = BTreeSet::from([self.synced, self.bytes.len()]);
        let mut from = self.synced;
        for &end in &self.ends {
            lengths.extend((from..end).step_by(TEAR));
            lengths.extend([end - 1, end]);
            from = end;
        }
        let mut left: Vec<Vec<u8>> = lengths
            .into_iter()
            .map(|length| self.bytes[..length].to_vec())
            .collect();
        // The file has its full length, but some bytes never reached the disk.
        let mut from = self.synced;
        for &end in &self.ends {
            if end - from >= 16 {
                let mut holed = self.bytes.clone();
                holed[from..end].fill(0);
                left.push(holed);
            }
            from = end;
        }
        left
    }
}

#[derive(Default)]
struct ModelDisk {
    files: Vec<ModelFile>,
    /// Names that are on the disk.
    names: Names,
    /// Changes of names that may be on the disk.
    pending: Vec<Vec<(PathBuf, Option<usize>)>>,
    promised: u64,
}

impl ModelDisk {
    fn perform(&mut self, step: &Step) {
        match step {
            Step::Found { path, bytes } => {
                self.names.insert(path.clone(), self.files.len());
                self.files.push(ModelFile {
                    bytes: bytes.clone(),
                    synced: bytes.len(),
                    ..ModelFile::default()
                });
            }
            Step::Names(changes) => {
                let numbers = changes.iter().filter_map(|(_, file)| *file);
                let most = numbers.max().map_or(0, |number| number + 1);
                if self.files.len() < most {
                    self.files.resize_with(most, ModelFile::default);
                }
                self.pending.push(changes.clone());
            }
            Step::Write { file, bytes } => {
                let file = &mut self.files[*file];
                file.bytes.extend_from_slice(bytes);
                file.ends.push(file.bytes.len());
            }
            Step::Sync { file, length } => {
                let file = &mut self.files[*file];
                if !file.is_untrusted {
                    file.synced = file.synced.max(*length);
                    file.ends.retain(|end| end > length);
                }
            }
            Step::SyncFailed { file } => self.files[*file].is_untrusted = true,
            Step::SyncFolder(folder) => {
                let is_here = |changes: &Vec<(PathBuf, Option<usize>)>| {
                    changes
                        .iter()
                        .all(|(path, _)| path.parent() == Some(folder))
                };
                let pending = std::mem::take(&mut self.pending);
                for changes in pending {
                    if is_here(&changes) {
                        apply(&mut self.names, &changes);
                    } else {
                        self.pending.push(changes);
                    }
                }
            }
            Step::Promised(number) => self.promised = self.promised.max(*number),
        }
    }

    /// Reports every state that a power cut may leave now.
    fn report_states(&self, report: &mut dyn FnMut(DiskState)) {
        let count = self.pending.len();
        assert!(count < 12, "{count} changes of names are not synced");
        for choice in 0_u32..1 << count {
            let mut names = self.names.clone();
            for (at, changes) in self.pending.iter().enumerate() {
                if choice & (1 << at) != 0 {
                    apply(&mut names, changes);
                }
            }
            let numbers: BTreeSet<usize> = names.values().copied().collect();
            let most = |number: usize| self.files[number].bytes.clone();
            let least = |number: usize| {
                let file = &self.files[number];
                file.bytes[..file.synced].to_vec()
            };
            // Combine each state of this file with the two extreme states of the other files: they have lost no bytes,
            // or as many as possible.
            for &number in &numbers {
                for bytes in self.files[number].possible_contents() {
                    for others in [&most as &dyn Fn(usize) -> Vec<u8>, &least] {
                        let held = |one: &usize| {
                            if *one == number {
                                bytes.clone()
                            } else {
                                others(*one)
                            }
                        };
                        let files = names.iter().map(|(path, one)| (path.clone(), held(one)));
                        report(DiskState {
                            files: files.collect(),
                            promised: self.promised,
                        });
                    }
                }
            }
        }
    }
}

fn apply(names: &mut Names, changes: &[(PathBuf, Option<usize>)]) {
    // A file without a name cannot be renamed.
    let lost = changes
        .iter()
        .any(|(path, file)| file.is_none() && !names.contains_key(path));
    if lost {
        return;
    }
    for (path, file) in changes {
        match file {
            Some(file) => names.insert(path.clone(), *file),
            None => names.remove(path),
        };
    }
}

/// Reports every state that a power cut can leave at any moment. Some states are reported more than once.
pub(super) fn report_states(steps: &[Step], report: &mut dyn FnMut(DiskState)) {
    let mut disk = ModelDisk::default();
    for step in steps {
        disk.perform(step);
        if !matches!(step, Step::Found { .. }) {
            disk.report_states(report);
        }
    }
}
