//! A disk that fails as it is told to.

use std::io;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};

use crate::store::disk::{Disk, RealDisk, Tape};

/// The disk.
#[derive(Debug, Default)]
pub(super) struct FaultyDisk {
    pub(super) faults: Arc<Faults>,
}

#[derive(Debug, Default)]
pub(super) struct Faults {
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
}

impl Faults {
    pub(super) fn set(&self, change: impl FnOnce(&mut Now)) {
        change(&mut self.now.lock().unwrap());
        self.released.notify_all();
    }

    fn step(&self) -> io::Result<()> {
        let mut now = self.now.lock().unwrap();
        match &mut now.fail_at {
            Some(0) => Err(io::Error::other("this step fails")),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn tape(self: &Arc<Self>, tape: Arc<dyn Tape>) -> Arc<dyn Tape> {
        Arc::new(FaultyTape {
            tape,
            faults: Arc::clone(self),
        })
    }
}

impl Disk for FaultyDisk {
    fn create(&self, path: &Path) -> io::Result<Arc<dyn Tape>> {
        self.faults.step()?;
        if self.faults.now.lock().unwrap().creates_fail {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(self.faults.tape(RealDisk.create(path)?))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn Tape>> {
        Ok(self.faults.tape(RealDisk.open(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.faults.step()?;
        RealDisk.rename(from, to)
    }

    fn keep(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.faults.step()?;
        RealDisk.keep(from, to)
    }

    fn settle(&self, path: &Path) -> io::Result<()> {
        self.faults.step()?;
        RealDisk.settle(path)
    }
}

#[derive(Debug)]
struct FaultyTape {
    tape: Arc<dyn Tape>,
    faults: Arc<Faults>,
}

impl Tape for FaultyTape {
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.faults.step()?;
        let mut now = self.faults.now.lock().unwrap();
        if now.writes_fail {
            return Err(io::Error::from_raw_os_error(libc::EIO));
        }
        let Some(room) = &mut now.room else {
            return self.tape.write(bytes);
        };
        if *room == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let taken = self.tape.write(&bytes[..bytes.len().min(*room)])?;
        *room -= taken;
        Ok(taken)
    }

    fn sync(&self) -> io::Result<()> {
        self.faults.step()?;
        let mut now = self.faults.now.lock().unwrap();
        if now.syncs_fail > 0 {
            now.syncs_fail -= 1;
            return Err(io::Error::from_raw_os_error(libc::EIO));
        }
        let now = self
            .faults
            .released
            .wait_while(now, |now| now.syncs_hang)
            .unwrap();
        drop(now);
        self.tape.sync()
    }

    fn read_back(&self, length: u64) -> io::Result<Vec<u8>> {
        self.tape.read_back(length)
    }

    fn is_at(&self, path: &Path) -> bool {
        self.tape.is_at(path)
    }
}
