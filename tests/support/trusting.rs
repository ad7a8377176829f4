//! A client of a test's own making.

use russh::client;
use russh::keys::PublicKeyOrCertificate;

/// Takes the table for what it says it is.
pub(crate) struct Trusting;

impl client::Handler for Trusting {
    type Error = russh::Error;

    async fn check_server_key(
        &mut self,
        _key: &PublicKeyOrCertificate,
    ) -> Result<bool, Self::Error> {
        Ok(true)
    }
}
