//! Reads the end of a journal when a game is opened, repairs an incomplete end, and reports damage.
//!
//! Only the newest files are read: those with the events after the snapshot, and with as many older events as the
//! options request.

mod cut;
mod tail;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::error::{Damage, IoContext as _, Result, StoreError};
use crate::folder::journal_files::JournalFiles;
use crate::folder::{create_missing_folder, disk};
use crate::game_store::{OnMismatch, Options};
use crate::journal::line::{ChainEnd, Record};
use crate::journal::reader::Reader;
use crate::journal::{journal_file, journal_folder, list_files};
use crate::mismatch::Mismatch;
use crate::snapshot::Snapshot;

use cut::Cut;
use tail::Tail;

/// The end of a journal.
#[derive(Debug, Default)]
pub(super) struct Recovered {
    /// The requested events, oldest first.
    pub(super) records: Vec<Record>,
    /// The last event.
    pub(super) end: ChainEnd,
    /// The checksum of the event before the last one.
    pub(super) previous_crc: u32,
    pub(super) last_file: LastFile,
    /// Messages for the user.
    pub(super) notices: Vec<String>,
    /// The first damage of the journal.
    pub(super) damage: Option<Damage>,
    /// Set if the journal does not belong to the snapshot, but the game may be opened nevertheless.
    pub(super) mismatch: Option<Mismatch>,
    /// True if the journal is accepted although it ends before the snapshot. The snapshot must be saved again with the
    /// checksums of this journal.
    pub(super) is_snapshot_stale: bool,
}

/// The last file of a journal.
#[derive(Debug, Default)]
pub(super) struct LastFile {
    /// The sequence number; 0 if the journal has no files.
    pub(super) sequence: u64,
    /// The number of events.
    pub(super) events: u64,
    pub(super) contents: Vec<u8>,
}

/// The result of comparing the journal with the snapshot.
enum History {
    NotCompared,
    Belongs,
    Mismatched(Mismatch),
}

/// Reads the end of the journal in a game's folder, and repairs it unless the game is opened for reading only.
pub(super) fn recover(game: &Path, snapshot: &Snapshot, options: &Options) -> Result<Recovered> {
    let journal = journal_folder(game);
    prepare_folder(&journal, options.view)?;

    let files = JournalFiles::new(game);
    let reader = Reader::from_source(Arc::new(files));
    let mut notices = Vec::new();
    let mut history = History::NotCompared;

    // Each repair is followed by another read of the journal.
    loop {
        let mut tail = Tail::read(&reader, snapshot.last, options.tail)?;
        let cut = tail.find_cut(&journal);
        if let Some(cut) = &cut
            && !may_cut(cut, options)
        {
            return Err(StoreError::Damaged(cut.damage.clone()));
        }

        // Compare before the journal is cut, because the lines that will be cut off can prove that the journal belongs
        // to the snapshot.
        if matches!(history, History::NotCompared) {
            let mismatch = tail.find_mismatch(&reader, snapshot, cut.as_ref())?;
            let sets_journal_aside = match &mismatch {
                Some(mismatch) => resolves_by_setting_aside(mismatch, &tail, snapshot, options),
                None => false,
            };
            if sets_journal_aside {
                notices.push(set_journal_aside(&journal)?);
                history = History::Belongs;
                continue;
            }
            history = judge(mismatch, snapshot, options)?;
        }

        let Some(cut) = cut else {
            return tail.finish(notices, snapshot, history.into_mismatch());
        };
        if options.view {
            tail.hide_from(cut, &mut notices);
            return tail.finish(notices, snapshot, history.into_mismatch());
        }
        notices.push(cut.repair(&journal, &mut tail)?);
    }
}

impl History {
    fn into_mismatch(self) -> Option<Mismatch> {
        match self {
            Self::Mismatched(mismatch) => Some(mismatch),
            Self::NotCompared | Self::Belongs => None,
        }
    }
}

/// Returns true if the journal may be cut, or shown only up to the damage.
fn may_cut(cut: &Cut, options: &Options) -> bool {
    cut.is_torn
        || options.view
        || options.cut_damage
        || options.on_mismatch == OnMismatch::SetJournalAside
}

/// Returns true if the whole journal is to be set aside because of a mismatch. A journal that only lacks the newest event
/// of the snapshot stays.
fn resolves_by_setting_aside(
    mismatch: &Mismatch,
    tail: &Tail,
    snapshot: &Snapshot,
    options: &Options,
) -> bool {
    !options.view
        && options.on_mismatch == OnMismatch::SetJournalAside
        && !tail.lacks_only_newest_event(mismatch, snapshot)
}

/// Decides whether a game with this mismatch may be opened.
fn judge(mismatch: Option<Mismatch>, snapshot: &Snapshot, options: &Options) -> Result<History> {
    let Some(mismatch) = mismatch else {
        return Ok(History::Belongs);
    };

    if options.view {
        Ok(History::Mismatched(mismatch))
    } else if options.on_mismatch == OnMismatch::SetJournalAside {
        Ok(History::Belongs)
    } else if snapshot.is_sealed {
        Err(StoreError::Mismatched(Box::new(mismatch)))
    } else {
        // The caller first asks the user about the edited snapshot.
        Ok(History::Mismatched(mismatch))
    }
}

/// Creates the folder of the journal if it is missing. A symbolic link is refused.
fn prepare_folder(journal: &Path, is_view: bool) -> Result<()> {
    if fs::symlink_metadata(journal).is_ok_and(|metadata| metadata.is_symlink()) {
        return Err(StoreError::Symlink(journal.to_path_buf()));
    }

    if !is_view {
        create_missing_folder(journal).io_context("make", journal)?;
    }
    Ok(())
}

/// Renames all files of a journal. The newest file is first, so that a crash in between leaves no gap.
fn set_journal_aside(journal: &Path) -> Result<String> {
    for sequence in list_files(journal)?.into_iter().rev() {
        let path = journal_file(journal, sequence);
        let torn_path = disk::free_name(&path, "torn");
        fs::rename(&path, torn_path).io_context("set aside", &path)?;
    }

    Ok(format!(
        "The journal did not belong to the saved state. Its files were renamed to *.torn in {}, and the log begins with the next event.",
        journal.display()
    ))
}
