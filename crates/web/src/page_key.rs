//! `page_key`: the secret part of the page's path. It is stored with the game, so that bookmarks stay valid.

use super::feed::{LETTERS, random_letters};
use tableside_store::{GameLocation, Sidecar, StoreError};
use tableside_table::RequestError;

const NAME: &str = "page_key";

/// The file with the key of the game at that place.
pub(super) fn file(place: &GameLocation) -> Sidecar {
    Sidecar::new(place, NAME)
}

/// Reads the key of a game, or makes one.
pub(super) fn open(place: &GameLocation) -> Result<String, RequestError> {
    let file = file(place);
    if let Some(key) = read(&file)? {
        return Ok(key);
    }

    let key = random_letters();
    match file.create(&text_of(&key)) {
        // Another process was first.
        Err(StoreError::Exists(_)) => read(&file)?.ok_or_else(|| wrong(&file, "it is gone again")),
        made => Ok(made.map(|()| key)?),
    }
}

/// Reads the key; `None` if there is no file. Refuses a file that other users may read or write.
pub(super) fn read(file: &Sidecar) -> Result<Option<String>, RequestError> {
    let Some(text) = file.read()? else {
        return Ok(None);
    };
    if let Some(open) = file.open_to_others() {
        return Err(wrong(file, &open.describe("where the page is")));
    }
    if file.is_open_to_others() {
        let path = file.path().display();
        let problem = format!("other users can read it; run `chmod 600 {path}` to prevent that");
        return Err(wrong(file, &problem));
    }

    let key = text.trim_end();
    let is_key = key.len() == LETTERS && key.bytes().all(|letter| letter.is_ascii_lowercase());
    if !is_key {
        let problem = "it is not a page key; remove the file, and a new one is made";
        return Err(wrong(file, problem));
    }
    Ok(Some(key.to_owned()))
}

/// The content of the file for that key.
pub(super) fn text_of(key: &str) -> String {
    format!("{key}\n")
}

fn wrong(file: &Sidecar, problem: &str) -> RequestError {
    RequestError::failed(format!("{}: {problem}", file.path().display()))
}
