//! The steps of saving, each of which may wait for the disk; the state is never locked meanwhile.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, Weak};

use crate::store::disk::{self, Disk, Tape};
use crate::store::error::StoreError;
use crate::store::folder;
use crate::store::journal;
use crate::store::snapshot::Stamp;

use super::state::{Adopted, Need, Open, State};
use super::trouble::Trouble;
use super::work::{Failed, Step, urgent};
use super::{Host, Report, Shared};

/// Does one step of bringing events to the disk, and tells about trouble and about its end.
pub(super) fn carry_out(shared: &Shared, step: Step) -> Result<(), Failed> {
    #[cfg(debug_assertions)]
    panic_if_told();
    // The folder keeps its name while this is held.
    let keeper = shared.keeper();
    let result = match step {
        Step::Settle => settle(shared),
        Step::Push => push(shared),
        Step::Sync => sync(shared),
        Step::Rewrite => rewrite(shared),
        Step::Wait(_) | Step::Snapshot | Step::Answer | Step::Stop => Ok(()),
    };
    drop(keeper);
    let mut state = shared.state();
    let report = match result {
        Ok(()) if state.is_synced() => {
            state.trouble = None;
            Some(Report::Saved { n: state.last })
        }
        Ok(()) => None,
        Err(Failed) => state.trouble.as_mut().and_then(Trouble::tell),
    };
    drop(state);
    if let Some(report) = report {
        shared.tell(report);
    }
    result
}

/// Panics where a test says so, to see that play goes on: `TABLESIDE_PANIC=saving`.
#[cfg(debug_assertions)]
fn panic_if_told() {
    let told = std::env::var("TABLESIDE_PANIC").is_ok_and(|told| told == "saving");
    assert!(!told, "told to panic in saving");
}

fn settle(shared: &Shared) -> Result<(), Failed> {
    let state = shared.state();
    let (disk, folder, fresh) = (
        Arc::clone(&state.disk),
        state.folder.clone(),
        state.fresh.clone(),
    );
    drop(state);
    let result = fresh.iter().try_for_each(|path| {
        // The folder around a session is not the one around what a symbolic link leads to.
        match folder.parent() {
            Some(around) if path == Path::new("..") => disk.settle(around),
            _ => disk.settle(&folder.join(path)),
        }
    });
    let mut state = shared.state();
    match result {
        Ok(()) => {
            state.fresh.clear();
            state.fresh_since = None;
            Ok(())
        }
        Err(error) => Err(fail(&mut state, "sync the new session", &error)),
    }
}

fn push(shared: &Shared) -> Result<(), Failed> {
    let mut state = shared.state();
    state.push();
    if state.taken == state.queue.len() {
        return Ok(());
    }
    drop(state);
    // What the system did take can still be brought to the disk.
    sync(shared)?;
    Err(Failed)
}

fn sync(shared: &Shared) -> Result<(), Failed> {
    let mut state = shared.state();
    let taken = state
        .taken
        .checked_sub(1)
        .and_then(|last| state.queue.get(last));
    let (Some(through), Some(open)) = (taken.map(|waiting| waiting.n), state.open.clone()) else {
        return Ok(());
    };
    let (disk, journal) = (Arc::clone(&state.disk), journal::folder_in(&state.folder));
    let path = journal::file_in(&journal, state.sequence);
    if !open.tape.is_at(&path) {
        // Somebody took the file away or put another in its place: what we write, nobody would find.
        if let Some(open) = &mut state.open {
            open.is_burnt = true;
        }
        return Ok(());
    }
    let unsettled = state.unsettled;
    drop(state);
    let result = open.tape.sync();
    let settled = match &result {
        Ok(()) if unsettled => disk.settle(&journal),
        _ => Ok(()),
    };
    let mut state = shared.state();
    match (result, settled) {
        (Ok(()), Ok(())) => {
            state.unsettled = false;
            state.is_inherited = false;
            state.forget_through(through);
            shared.done.notify_all();
            Ok(())
        }
        (Ok(()), Err(error)) => Err(fail(&mut state, "sync the journal's folder", &error)),
        (Err(error), _) => {
            if let Some(open) = &mut state.open {
                open.is_burnt = true;
            }
            Err(fail(&mut state, "sync the journal", &error))
        }
    }
}

/// Writes the open file afresh: what of it was synced, copied, and everything since, from memory.
fn rewrite(shared: &Shared) -> Result<(), Failed> {
    let state = shared.state();
    let Some(open) = state.open.clone() else {
        return Ok(());
    };
    let (length, lines) = state.settled_part();
    let waiting = state.queue.len();
    let lines = lines + waiting as u64;
    let rest: Vec<u8> = state
        .queue
        .iter()
        .flat_map(|waiting| waiting.bytes.iter().copied())
        .collect();
    let disk = Arc::clone(&state.disk);
    let path = journal::file_in(&journal::folder_in(&state.folder), state.sequence);
    drop(state);
    let written = open.tape.read_back(length).and_then(|mut bytes| {
        bytes.extend_from_slice(&rest);
        let tape = replace(disk.as_ref(), &open, &path, &bytes)?;
        Ok(Adopted {
            tape,
            lines,
            bytes: bytes.len() as u64,
            waiting,
        })
    });
    let mut state = shared.state();
    match written {
        Ok(adopted) => {
            state.adopt(adopted);
            Ok(())
        }
        Err(error) => Err(fail(&mut state, "write the journal afresh", &error)),
    }
}

fn replace(disk: &dyn Disk, open: &Open, path: &Path, bytes: &[u8]) -> io::Result<Arc<dyn Tape>> {
    let fresh = path.with_extension("jsonl.new");
    match fs::remove_file(&fresh) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    // Somebody may have taken away the journal with its folder.
    if let Some(journal) = path.parent()
        && folder::make_missing(journal)?
        && let Some(session) = journal.parent()
    {
        disk.settle(session)?;
    }
    let tape = disk.create(&fresh)?;
    disk::write_all(tape.as_ref(), bytes)?;
    tape.sync()?;
    if !open.tape.is_at(path) && fs::symlink_metadata(path).is_ok() {
        // What somebody else put there is theirs, and is kept.
        disk.rename(path, &disk::free_name(path, "torn"))?;
    }
    disk.rename(&fresh, path)?;
    Ok(tape)
}

fn fail(state: &mut State, doing: &str, error: &io::Error) -> Failed {
    state.fail(doing, error);
    Failed
}

/// Writes a snapshot, the journal first.
pub(super) fn snapshot(shared: &Shared) -> Result<(), Failed> {
    let mut state = shared.state();
    state.due = None;
    // A game that is gone cannot be asked; its last flush has been.
    let Some(host) = shared.host.get().and_then(Weak::upgrade) else {
        state.need = Need::None;
        return Err(Failed);
    };
    state.need = Need::Writing;
    drop(state);
    let result = write_snapshot(shared, host.as_ref());
    let mut state = shared.state();
    let report = match result {
        Ok(stamp) => {
            // It may have changed again meanwhile.
            if state.need == Need::Writing {
                state.need = Need::None;
            }
            state.snapshot_trouble = None;
            Report::Snapshotted(stamp)
        }
        Err(StoreError::EditedOutside { path }) => {
            state.need = Need::Held;
            Report::EditedOutside { path }
        }
        Err(error) => {
            state.need = Need::Wanted;
            let mut trouble = Trouble::grown(state.snapshot_trouble.as_ref(), error.to_string());
            state.due = Some(trouble.again);
            let report = trouble.tell();
            state.snapshot_trouble = Some(trouble);
            drop(state);
            if let Some(report) = report {
                host.report(report);
            }
            return Err(Failed);
        }
    };
    drop(state);
    let is_written = matches!(report, Report::Snapshotted(_));
    host.report(report);
    if is_written { Ok(()) } else { Err(Failed) }
}

fn write_snapshot(shared: &Shared, host: &dyn Host) -> Result<Stamp, StoreError> {
    let unread = shared.keeper().unread();
    if let Some(opened) = unread
        && let Some(understood) = host.reread(&opened)
    {
        shared.keeper().learn(&opened, &understood);
    }
    let folder = shared.state().folder.clone();
    shared.keeper().check(&folder)?;
    let (text, last) = host.snapshot();
    let prepared = shared.keeper().prepare(&text, last)?;
    // The journal goes before: a snapshot must not know more than the journal on the disk.
    let through = shared.state().last;
    loop {
        let state = shared.state();
        let Some(step) = urgent(&state).filter(|_| !state.is_synced_through(through)) else {
            break;
        };
        let path = state.folder.clone();
        drop(state);
        if carry_out(shared, step).is_err() {
            let reason = "the journal before it is not saved".to_owned();
            return Err(StoreError::Unsaved { path, reason });
        }
    }
    let mut keeper = shared.keeper();
    let state = shared.state();
    let (disk, folder) = (Arc::clone(&state.disk), state.folder.clone());
    drop(state);
    keeper.write(disk.as_ref(), &folder, &prepared)?;
    Ok(prepared.stamp)
}
