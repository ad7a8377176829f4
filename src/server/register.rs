//! Who came, who was refused, who left: one line each, in `joins.log` beside the game.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;

use chrono::SecondsFormat;

use crate::store::Beside;
use crate::table::Table;
use crate::text::sanitise;

const NAME: &str = "joins.log";

/// Is told each line, too.
pub type Echo = Box<dyn Fn(&str) + Send + Sync>;

/// The register of who came and left.
pub(in crate::server) struct Register {
    table: Arc<Table>,
    echo: Option<Echo>,
}

impl Register {
    /// Of that table's folder.
    pub(in crate::server) fn new(table: Arc<Table>, echo: Option<Echo>) -> Self {
        Self { table, echo }
    }

    /// Notes what happened. A disk that fails costs the line, and no connection.
    pub(in crate::server) fn note(
        &self,
        what: &str,
        seat: &str,
        address: SocketAddr,
        key: Option<&str>,
        remark: &str,
    ) {
        let at = self.table.now().to_rfc3339_opts(SecondsFormat::Secs, true);
        let seat = sanitise(seat, 80);
        let mut line = format!("{at} {what} seat={seat:?} address={address}");
        if let Some(key) = key {
            write!(line, " key={key}").unwrap_or_default();
        }
        if !remark.is_empty() {
            write!(line, " ({})", sanitise(remark, 200)).unwrap_or_default();
        }
        if let Some(folder) = self.table.folder() {
            Beside::new(&folder, NAME).append(&line).unwrap_or_default();
        }
        if let Some(echo) = &self.echo {
            echo(&line);
        }
    }
}
