//! `tableside invite`: a code that lets one person in once. It works while the table is open, too.

use clap::ArgMatches;

use super::{Desk, Trouble, open};
use crate::server;
use crate::store::StoreError;
use crate::table::Role;

/// Makes an invitation.
pub(super) fn run(desk: &mut Desk<'_>, matches: &ArgMatches) -> Result<(), Trouble> {
    let word = |name: &str| matches.get_one::<String>(name).map_or("", String::as_str);
    let session = open::name(word("name"))?;
    let folder = session.in_folder(desk.config.data()?);
    if !folder.join("session.toml").exists() {
        return Err(desk.missing(&session));
    }
    let role = match word("role") {
        "" => None,
        "gm" => Some(Role::Gm),
        "player" => Some(Role::Player),
        "watcher" => Some(Role::Watcher),
        other => {
            return Err(Trouble::usage(format!(
                "--role {other:?} is no role; it may be gm, player or watcher"
            )));
        }
    };
    let made =
        server::invite(&folder, word("seat"), role, (desk.clock)()).map_err(
            |error| match error {
                server::ServerError::Access(server::AccessError::Refused(words)) => {
                    Trouble::usage(words)
                }
                server::ServerError::Store(error @ StoreError::Held { .. }) => error.into(),
                error => error.into(),
            },
        )?;
    let until = made
        .until
        .with_timezone(&chrono::Local)
        .format("%Y-%m-%d %H:%M");
    let out = &mut desk.out;
    out.line(&format!(
        "{} is invited as {} until {until}.",
        made.name,
        made.role.word()
    ))?;
    out.line(&format!("Code:         {}   (it works once)", made.code))?;
    out.line(&format!(
        "They type:    ssh -p PORT {}@HOST   (port and host of --listen)",
        made.name
    ))?;
    out.line(&format!("They compare: {}", made.fingerprint))
}
