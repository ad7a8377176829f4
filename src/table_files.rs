//! The user's random tables, read again only if a file in their folder has changed.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use crate::config::Config;
use tableside_game::RandomTables;

/// The state of a file that tells whether it has changed.
#[derive(PartialEq, Eq)]
struct FileStamp {
    path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
}

struct CachedTables {
    system: String,
    stamps: Vec<FileStamp>,
    tables: Arc<RandomTables>,
}

/// Reads random tables and keeps them until a file is added, changed or removed.
pub(crate) struct TableFiles {
    config: Config,
    cache: Mutex<Option<CachedTables>>,
}

impl TableFiles {
    pub(crate) fn new(config: Config) -> Self {
        Self {
            config,
            cache: Mutex::new(None),
        }
    }

    /// Returns the included tables for a system and the user's own.
    pub(crate) fn read(&self, system: &str) -> Arc<RandomTables> {
        // A panic elsewhere leaves at worst an old cache, whose stamps are compared below.
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let stamps = self.stamps();
        if let Some(cached) = &*cache
            && cached.system == system
            && cached.stamps == stamps
        {
            return Arc::clone(&cached.tables);
        }

        let tables = Arc::new(self.config.random_tables(Some(system)));
        *cache = Some(CachedTables {
            system: system.to_owned(),
            stamps,
            tables: Arc::clone(&tables),
        });
        tables
    }

    fn stamps(&self) -> Vec<FileStamp> {
        let mut stamps = Vec::new();
        for path in self.config.table_files() {
            let metadata = fs::metadata(&path).ok();
            stamps.push(FileStamp {
                length: metadata.as_ref().map_or(0, fs::Metadata::len),
                modified: metadata.and_then(|metadata| metadata.modified().ok()),
                path,
            });
        }
        stamps
    }
}
