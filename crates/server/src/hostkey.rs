//! The host key, by which players know the table: made once, readable only by its owner.

use rand::rngs::StdRng;
use russh::keys::{Algorithm, PrivateKey, ssh_key::LineEnding};

use super::access::wrong;
use tableside_store::{GameLocation, Sidecar, StoreError};
use tableside_table::RequestError;

const NAME: &str = "host_key";

/// Reads the key beside the game that is kept there, or makes one.
pub(crate) fn open(place: &GameLocation) -> Result<PrivateKey, RequestError> {
    let file = Sidecar::new(place, NAME);
    let wrong = |problem: String| wrong(&file, &problem);
    let Some(text) = file.read()? else {
        let mut luck: StdRng = rand::make_rng();
        let key = PrivateKey::random(&mut luck, Algorithm::Ed25519)
            .map_err(|error| wrong(error.to_string()))?;
        let text = key
            .to_openssh(LineEnding::LF)
            .map_err(|error| wrong(error.to_string()))?;
        return match file.create(&text) {
            // Another process was first.
            Err(StoreError::Exists(_)) => open(place),
            made => Ok(made.map(|()| key)?),
        };
    };
    if file.is_open_to_others() {
        let path = file.path().display();
        return Err(wrong(format!(
            "other users can read it; run `chmod 600 {path}` to prevent that"
        )));
    }
    let key = PrivateKey::from_openssh(&text).map_err(|error| {
        wrong(format!(
            "it is not an OpenSSH private key ({error}); remove it, and a new one is made"
        ))
    })?;
    if key.algorithm() != Algorithm::Ed25519 || key.is_encrypted() {
        return Err(wrong(
            "it must be an Ed25519 key without a passphrase; remove it, and a new one is made"
                .to_owned(),
        ));
    }
    Ok(key)
}
