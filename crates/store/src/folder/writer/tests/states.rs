//! From what was asked of the disk to all that may be on it when the power goes.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::path::PathBuf;

/// What files are called.
pub(super) type Names = BTreeMap<PathBuf, usize>;

/// A write is torn after every fifth of its bytes.
const TEAR: usize = 5;

/// Something that happened to the disk, or that was said of it.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// A file that was there before, safely.
    Found {
        path: PathBuf,
        bytes: Vec<u8>,
    },
    /// Files got names or lost them, all at once.
    Names(Vec<(PathBuf, Option<usize>)>),
    Write {
        file: usize,
        bytes: Vec<u8>,
    },
    /// So many of a file's bytes are on the disk.
    Sync {
        file: usize,
        length: usize,
    },
    SyncFailed {
        file: usize,
    },
    SyncFolder(PathBuf),
    /// Somebody was told that every event up to this one is on the disk.
    Promised(u64),
}

/// What is on the disk after a power cut.
#[derive(Debug)]
pub(super) struct Left {
    pub(super) files: BTreeMap<PathBuf, Vec<u8>>,
    /// The last event that must be there.
    pub(super) promised: u64,
}

impl Left {
    /// Tells states apart.
    pub(super) fn mark(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.files.hash(&mut hasher);
        self.promised.hash(&mut hasher);
        hasher.finish()
    }
}

#[derive(Clone, Debug, Default)]
struct File {
    bytes: Vec<u8>,
    /// So many bytes are on the disk.
    synced: usize,
    /// Where writes ended since.
    ends: Vec<usize>,
    /// A sync failed: nothing more of it is believed to be on the disk.
    is_untrusted: bool,
}

impl File {
    /// All that may be left of it.
    fn left(&self) -> Vec<Vec<u8>> {
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
        // The file is as long as it was, and some of its bytes never arrived.
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
struct Disk {
    files: Vec<File>,
    /// Names that are on the disk.
    names: Names,
    /// Changes of names that may be.
    pending: Vec<Vec<(PathBuf, Option<usize>)>>,
    promised: u64,
}

impl Disk {
    fn take(&mut self, step: &Step) {
        match step {
            Step::Found { path, bytes } => {
                self.names.insert(path.clone(), self.files.len());
                self.files.push(File {
                    bytes: bytes.clone(),
                    synced: bytes.len(),
                    ..File::default()
                });
            }
            Step::Names(changes) => {
                let numbers = changes.iter().filter_map(|(_, file)| *file);
                let most = numbers.max().map_or(0, |number| number + 1);
                if self.files.len() < most {
                    self.files.resize_with(most, File::default);
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

    /// Everything that may be left if the power goes now.
    fn left(&self, tell: &mut dyn FnMut(Left)) {
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
            // Each file in all its states, while the others have lost nothing, or all that they can.
            for &number in &numbers {
                for bytes in self.files[number].left() {
                    for others in [&most as &dyn Fn(usize) -> Vec<u8>, &least] {
                        let held = |one: &usize| {
                            if *one == number {
                                bytes.clone()
                            } else {
                                others(*one)
                            }
                        };
                        let files = names.iter().map(|(path, one)| (path.clone(), held(one)));
                        tell(Left {
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
    // A file cannot be renamed that has no name yet.
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

/// Tells every state that a power cut can leave, whenever it comes; some of them more than once.
pub(super) fn states(steps: &[Step], tell: &mut dyn FnMut(Left)) {
    let mut disk = Disk::default();
    for step in steps {
        disk.take(step);
        if !matches!(step, Step::Found { .. }) {
            disk.left(tell);
        }
    }
}
