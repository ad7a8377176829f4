//! A disk that fails on request, and records all operations.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};

use super::states::{Names, Step};
use crate::folder::disk::{AppendFile, AppendStamp, Disk, RealDisk};

/// A test disk. Its clones share one state.
#[derive(Clone, Debug, Default)]
pub(super) struct TestDisk(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    control: Mutex<DiskControl>,
    released: Condvar,
}

#[derive(Debug, Default)]
pub(super) struct DiskControl {
    /// The number of bytes that still fit on the disk. `None` means no limit.
    pub(super) room: Option<usize>,
    pub(super) syncs_fail: u32,
    pub(super) creates_fail: bool,
    /// The number of steps that succeed before one fails.
    pub(super) fail_at: Option<u32>,
    pub(super) syncs_hang: bool,
    pub(super) syncs_panic: bool,
    /// The recorded operations.
    pub(super) steps: Vec<Step>,
    names: Names,
    /// The length of each file, by its number.
    lengths: Vec<usize>,
}

impl DiskControl {
    fn step(&mut self) -> io::Result<()> {
        match &mut self.fail_at {
            Some(0) => Err(io::Error::other("this step fails")),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Returns the number of a file. A file that existed before the test gets a number now.
    fn number_of(&mut self, path: &Path) -> usize {
        if let Some(number) = self.names.get(path) {
            return *number;
        }
        let bytes = fs::read(path).unwrap();
        let number = self.new_file(path, bytes.len());
        let path = path.to_owned();
        self.steps.push(Step::Found { path, bytes });
        number
    }

    fn new_file(&mut self, path: &Path, length: usize) -> usize {
        self.lengths.push(length);
        self.names.insert(path.to_owned(), self.lengths.len() - 1);
        self.lengths.len() - 1
    }
}

impl TestDisk {
    pub(super) fn set<T>(&self, change: impl FnOnce(&mut DiskControl) -> T) -> T {
        let result = change(&mut self.0.control.lock().unwrap());
        self.0.released.notify_all();
        result
    }

    /// Records a file that existed before the test.
    pub(super) fn record_existing(&self, path: &Path) {
        self.set(|control| control.number_of(path));
    }

    fn step<T>(&self, step: impl FnOnce(&mut DiskControl) -> io::Result<T>) -> io::Result<T> {
        self.set(|control| control.step().and_then(|()| step(control)))
    }

    fn sync_file(&self, file: usize, sync: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        let mut control = self.0.control.lock().unwrap();
        control.step()?;
        if control.syncs_panic {
            drop(control);
            panic!("a panic while saving");
        }
        // A sync covers only the bytes that were written before it began.
        let length = control.lengths[file];
        if control.syncs_fail > 0 {
            control.syncs_fail -= 1;
            control.steps.push(Step::SyncFailed { file });
            return Err(io::Error::from_raw_os_error(libc::EIO));
        }
        drop(
            self.0
                .released
                .wait_while(control, |control| control.syncs_hang),
        );
        sync()?;
        self.set(|control| control.steps.push(Step::Sync { file, length }));
        Ok(())
    }

    fn wrap(&self, file: Arc<dyn AppendFile>, number: usize) -> Arc<dyn AppendFile> {
        let disk = self.clone();
        Arc::new(TestFile { file, number, disk })
    }
}

impl Disk for TestDisk {
    fn create(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>> {
        self.step(|control| {
            if control.creates_fail {
                return Err(io::ErrorKind::StorageFull.into());
            }
            let file = RealDisk.create(path)?;
            let number = control.new_file(path, 0);
            control
                .steps
                .push(Step::Names(vec![(path.to_owned(), Some(number))]));
            Ok(self.wrap(file, number))
        })
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>> {
        let file = RealDisk.open(path)?;
        let number = self.set(|control| control.number_of(path));
        Ok(self.wrap(file, number))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(|control| {
            let file = control.number_of(from);
            RealDisk.rename(from, to)?;
            control.names.remove(from);
            control.names.insert(to.to_owned(), file);
            let change = vec![(from.to_owned(), None), (to.to_owned(), Some(file))];
            control.steps.push(Step::Names(change));
            Ok(())
        })
    }

    fn copy(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(|control| {
            let file = control.number_of(from);
            RealDisk.copy(from, to)?;
            control.names.insert(to.to_owned(), file);
            control
                .steps
                .push(Step::Names(vec![(to.to_owned(), Some(file))]));
            Ok(())
        })
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        if path.is_file() {
            let number = self.set(|control| control.number_of(path));
            return self.sync_file(number, || RealDisk.sync(path));
        }
        self.step(|control| {
            RealDisk.sync(path)?;
            control.steps.push(Step::SyncFolder(path.to_owned()));
            Ok(())
        })
    }
}

#[derive(Debug)]
struct TestFile {
    file: Arc<dyn AppendFile>,
    number: usize,
    disk: TestDisk,
}

impl AppendFile for TestFile {
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.disk.step(|control| {
            let room = control.room.unwrap_or(usize::MAX);
            if room == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            let taken = self.file.write(&bytes[..bytes.len().min(room)])?;
            control.room = control.room.map(|room| room - taken);
            control.lengths[self.number] += taken;
            let (file, bytes) = (self.number, bytes[..taken].to_vec());
            control.steps.push(Step::Write { file, bytes });
            Ok(taken)
        })
    }

    fn sync(&self) -> io::Result<()> {
        self.disk.sync_file(self.number, || self.file.sync())
    }

    fn read_back(&self, from: u64, length: usize) -> io::Result<Vec<u8>> {
        self.file.read_back(from, length)
    }

    fn stamp(&self) -> io::Result<AppendStamp> {
        self.file.stamp()
    }

    fn is_at(&self, path: &Path) -> bool {
        self.file.is_at(path)
    }
}
