//! Parses the address of a database and loads the root certificates.

use std::time::SystemTime;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use tableside_store::StoreError;
use tableside_store::backend::Result;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::connection::CONNECTION_TIMEOUT;
use crate::connection::statement::describe_error;

/// A parsed database address with its TLS settings.
pub(super) struct DatabaseAddress {
    pub(super) config: Config,
    pub(super) tls: MakeRustlsConnect,
}

impl DatabaseAddress {
    /// Parses a `postgres://` address.
    pub(super) fn parse(url: &str) -> Result<Self> {
        let certificate_file = certificate_file(url);
        let mut config = parse_config(url, certificate_file)?;

        // Every encrypted connection checks the server's certificate. If the address does not set `sslmode`, the
        // connection is encrypted only if the address names a certificate file.
        if config.get_ssl_mode() == SslMode::Prefer {
            let mode = if certificate_file.is_some() {
                SslMode::Require
            } else {
                SslMode::Disable
            };
            config.ssl_mode(mode);
        }

        // The server answers only after it has synced the event to its disk, even if its own configuration turns this
        // off.
        let options = config.get_options().unwrap_or_default().to_owned();
        config
            .options(options + " -c synchronous_commit=on")
            .tcp_user_timeout(CONNECTION_TIMEOUT * 2)
            .application_name("tableside");

        let roots = root_certificates(certificate_file).map_err(|reason| StoreError::Database {
            what: format!("--database: {reason}"),
            hint: Some("set sslrootcert to a PEM file with the server's certificate"),
        })?;
        let tls_config = ClientConfig::builder()
            .with_root_certificates(roots)
            .with_no_client_auth();

        let address = Self {
            config,
            tls: MakeRustlsConnect::new(tls_config),
        };
        if address.is_clock_too_early() {
            return Err(StoreError::Database {
                what: "--database: this machine's clock is before 1970, so certificates cannot be checked".to_owned(),
                hint: Some("set the clock of this machine"),
            });
        }
        Ok(address)
    }

    /// Returns true if this machine's clock is before 1970 and the connection is encrypted. With such a clock, rustls
    /// panics when it checks a certificate.
    pub(super) fn is_clock_too_early(&self) -> bool {
        let is_encrypted = self.config.get_ssl_mode() != SslMode::Disable;
        is_encrypted && SystemTime::now() < SystemTime::UNIX_EPOCH
    }

    /// Returns the address for messages, without the user and the password.
    pub(super) fn display_url(&self) -> String {
        let host = match self.config.get_hosts().first() {
            Some(Host::Tcp(host)) => host.as_str(),
            Some(Host::Unix(_)) | None => "",
        };
        let name = self
            .config
            .get_dbname()
            .or_else(|| self.config.get_user())
            .unwrap_or_default();
        format!("postgres://{host}/{name}")
    }
}

/// Returns the value of `sslrootcert` in an address.
fn certificate_file(url: &str) -> Option<&str> {
    url.split(['?', '&', ' '])
        .find_map(|option| option.strip_prefix("sslrootcert="))
}

/// Parses an address. The driver does not support `sslrootcert` and `sslmode=verify-full`, so both are replaced first.
fn parse_config(url: &str, certificate_file: Option<&str>) -> Result<Config> {
    let mut supported_url = url.replace("sslmode=verify-full", "sslmode=require");
    if let Some(file) = certificate_file {
        let option = format!("sslrootcert={file}");
        supported_url = supported_url.replace(&option, "application_name=tableside");
    }

    supported_url
        .parse()
        .map_err(|error: tokio_postgres::Error| {
            let reason = describe_error(&error);
            StoreError::Database {
                what: format!(
                    "--database: {reason}; write the address as postgres://USER@HOST/NAME"
                ),
                hint: None,
            }
        })
}

/// Reads the root certificates in a file. Without a file, returns the public root certificates of the crate
/// `webpki-roots`.
fn root_certificates(file: Option<&str>) -> Result<RootCertStore, String> {
    let Some(file) = file else {
        return Ok(webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect());
    };

    let certificates: Vec<CertificateDer<'_>> = CertificateDer::pem_file_iter(file)
        .and_then(Iterator::collect)
        .map_err(|error| format!("{file} cannot be read: {error}"))?;

    let mut roots = RootCertStore::empty();
    let (added, _ignored) = roots.add_parsable_certificates(certificates);
    if added == 0 {
        return Err(format!("{file} contains no certificate"));
    }
    Ok(roots)
}
