//! A disk that fails as it is told to, and writes down what it is asked for.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};

use super::states::{Names, Step};
use crate::disk::{AppendFile, AppendStamp, Disk, RealDisk};

/// The disk; its clones are the same one.
#[derive(Clone, Debug, Default)]
pub(super) struct TestDisk(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    now: Mutex<Now>,
    released: Condvar,
}

#[derive(Debug, Default)]
pub(super) struct Now {
    /// How many bytes there is room for; `None`: any number.
    pub(super) room: Option<usize>,
    pub(super) syncs_fail: u32,
    pub(super) writes_fail: bool,
    pub(super) creates_fail: bool,
    /// The step of this number fails, counted down from here.
    pub(super) fail_at: Option<u32>,
    pub(super) syncs_hang: bool,
    /// What happened so far.
    pub(super) steps: Vec<Step>,
    names: Names,
    /// How long each file is, by its number.
    lengths: Vec<usize>,
}

impl Now {
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

    /// The number of a file, of one that was there before, too.
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
    pub(super) fn set<T>(&self, change: impl FnOnce(&mut Now) -> T) -> T {
        let result = change(&mut self.0.now.lock().unwrap());
        self.0.released.notify_all();
        result
    }

    /// Writes down what is there.
    pub(super) fn find(&self, path: &Path) {
        self.set(|now| now.number_of(path));
    }

    fn step<T>(&self, step: impl FnOnce(&mut Now) -> io::Result<T>) -> io::Result<T> {
        self.set(|now| now.step().and_then(|()| step(now)))
    }

    fn sync_file(&self, file: usize, sync: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        let mut now = self.0.now.lock().unwrap();
        now.step()?;
        // Only what was written before it began is sure to be there.
        let length = now.lengths[file];
        if now.syncs_fail > 0 {
            now.syncs_fail -= 1;
            now.steps.push(Step::SyncFailed { file });
            return Err(io::Error::from_raw_os_error(libc::EIO));
        }
        drop(self.0.released.wait_while(now, |now| now.syncs_hang));
        sync()?;
        self.set(|now| now.steps.push(Step::Sync { file, length }));
        Ok(())
    }

    fn wrap(&self, file: Arc<dyn AppendFile>, number: usize) -> Arc<dyn AppendFile> {
        let disk = self.clone();
        Arc::new(TestFile { file, number, disk })
    }
}

impl Disk for TestDisk {
    fn create(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>> {
        self.step(|now| {
            if now.creates_fail {
                return Err(io::ErrorKind::StorageFull.into());
            }
            let file = RealDisk.create(path)?;
            let number = now.new_file(path, 0);
            now.steps
                .push(Step::Names(vec![(path.to_owned(), Some(number))]));
            Ok(self.wrap(file, number))
        })
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn AppendFile>> {
        let file = RealDisk.open(path)?;
        let number = self.set(|now| now.number_of(path));
        Ok(self.wrap(file, number))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(|now| {
            let file = now.number_of(from);
            RealDisk.rename(from, to)?;
            now.names.remove(from);
            now.names.insert(to.to_owned(), file);
            let change = vec![(from.to_owned(), None), (to.to_owned(), Some(file))];
            now.steps.push(Step::Names(change));
            Ok(())
        })
    }

    fn keep(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(|now| {
            let file = now.number_of(from);
            RealDisk.keep(from, to)?;
            now.names.insert(to.to_owned(), file);
            now.steps
                .push(Step::Names(vec![(to.to_owned(), Some(file))]));
            Ok(())
        })
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        if path.is_file() {
            let number = self.set(|now| now.number_of(path));
            return self.sync_file(number, || RealDisk.sync(path));
        }
        self.step(|now| {
            RealDisk.sync(path)?;
            now.steps.push(Step::SyncFolder(path.to_owned()));
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
        self.disk.step(|now| {
            if now.writes_fail {
                return Err(io::Error::from_raw_os_error(libc::EIO));
            }
            let room = now.room.unwrap_or(usize::MAX);
            if room == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            let taken = self.file.write(&bytes[..bytes.len().min(room)])?;
            now.room = now.room.map(|room| room - taken);
            now.lengths[self.number] += taken;
            let (file, bytes) = (self.number, bytes[..taken].to_vec());
            now.steps.push(Step::Write { file, bytes });
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
