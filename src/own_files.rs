//! The user's own files in one folder, read again only if one of them has changed.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use crate::config::Config;
use tableside_game::{Bestiary, RandomTables};
use tableside_rules::System;

/// The state of a file that tells whether it has changed.
#[derive(PartialEq, Eq)]
struct FileStamp {
    path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
}

/// What was read for a key, such as a system, from files in this state.
struct Cached<K, T> {
    key: K,
    stamps: Vec<FileStamp>,
    content: Arc<T>,
}

/// Keeps what was read from a folder until a file is added, changed or removed.
pub(crate) struct OwnFiles<K, T> {
    config: Config,
    cache: Mutex<Option<Cached<K, T>>>,
}

impl<K: PartialEq, T> OwnFiles<K, T> {
    pub(crate) fn new(config: Config) -> Self {
        Self {
            config,
            cache: Mutex::new(None),
        }
    }

    /// Returns the content for a key. Reads the files if one of them has changed.
    fn get(&self, key: K, files: Vec<PathBuf>, read: impl FnOnce(&Config, &K) -> T) -> Arc<T> {
        // A panic elsewhere leaves at worst an old cache, whose stamps are compared below.
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let stamps: Vec<FileStamp> = files.into_iter().map(stamp).collect();
        if let Some(cached) = &*cache
            && cached.key == key
            && cached.stamps == stamps
        {
            return Arc::clone(&cached.content);
        }

        let content = Arc::new(read(&self.config, &key));
        *cache = Some(Cached {
            key,
            stamps,
            content: Arc::clone(&content),
        });
        content
    }
}

impl OwnFiles<String, RandomTables> {
    /// Returns the included random tables for a system and the user's own.
    pub(crate) fn tables(&self, system: &str) -> Arc<RandomTables> {
        let files = self.config.table_files().collect();
        self.get(system.to_owned(), files, |config, system| {
            config.random_tables(Some(system))
        })
    }
}

impl OwnFiles<System, Bestiary> {
    /// Returns the templates of creatures of a system and the user's own.
    pub(crate) fn creatures(&self, system: System) -> Arc<Bestiary> {
        let files = self.config.creature_files().collect();
        self.get(system, files, |config, system| config.creatures(*system))
    }
}

fn stamp(path: PathBuf) -> FileStamp {
    let metadata = fs::metadata(&path).ok();
    FileStamp {
        length: metadata.as_ref().map_or(0, fs::Metadata::len),
        modified: metadata.and_then(|metadata| metadata.modified().ok()),
        path,
    }
}
