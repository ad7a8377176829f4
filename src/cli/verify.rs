//! `tableside verify`: every logged outcome derived again.

use super::App;
use super::error::CliError;
use super::output::{Ink, many};
use crate::store::Reader;
use crate::table::verify;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session
    session: String,
}

/// Derives every logged outcome again, and names each entry that does not hold.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let given = args.session.as_str();
    let (table, _) = app.open(given, true)?;
    let folder = app.name(given)?.in_folder(app.config.data()?);
    let system = table.session().system;
    let verified = verify(&Reader::new(&folder), system)?;
    for (number, what) in &verified.wrong {
        let number = format!("#{number}  ");
        app.out
            .inked(&[(Ink::Strong, &number), (Ink::Plain, what)])?;
    }
    let rolls = usize::try_from(verified.rolls).unwrap_or(usize::MAX);
    let events = usize::try_from(verified.events).unwrap_or(usize::MAX);
    let read = format!("{} in {}", many(rolls, "roll"), many(events, "event"));
    if verified.wrong.is_empty() {
        return app.out.line(&format!("{read}: everything holds"));
    }
    let wrong = match verified.wrong.len() {
        1 => "1 entry does not hold".to_owned(),
        count => format!("{count} entries do not hold"),
    };
    Err(CliError::failed(format!("{given}: {read}, and {wrong}")))
}
