//! The seed inputs of a target, which are files in `corpus/TARGET`.

use std::fs;
use std::io;
use std::path::Path;

/// Reads all files of a folder, sorted by name. A folder without files is a corpus of one empty input.
pub fn read(folder: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();

    let mut inputs = Vec::new();
    for path in paths {
        inputs.push(fs::read(path)?);
    }

    if inputs.is_empty() {
        inputs.push(Vec::new());
    }
    Ok(inputs)
}
