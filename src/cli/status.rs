//! `tableside status`: the whole table in lines that read well aloud, or as one document.

use serde_json::{Value as Json, json};

use super::{App, CliError, Ink, object};
use crate::session::CharacterId;
use crate::table::{Seat, SeatView, status};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session
    session: String,
    /// As one JSON document
    #[arg(long)]
    json: bool,
}

/// Prints the table.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let (table, _) = app.open(&args.session, true)?;
    let name = table.name();
    let out = &mut app.out;
    table.read(&Seat::gm(), |seen| {
        if args.json {
            out.json(&to_json(&name, seen))
        } else {
            let lines = status(&name, seen);
            let mut lines = lines.iter();
            lines.try_for_each(|line| {
                out.inked(&[(Ink::Strong, &line.strong), (Ink::Plain, &line.plain)])
            })
        }
    })
}

/// The whole table as one document.
fn to_json(name: &str, seen: &SeatView<'_>) -> Json {
    let party = seen.roster().map(|character| {
        json!({
            "name": character.name,
            "side": character.side.into_str(),
            "absent": character.absent,
            "conditions": character.conditions,
            "sheet": character.sheet,
        })
    });
    let owner = |id: Option<CharacterId>| seen.owner_name(id);
    let clocks = seen.clocks().map(|clock| {
        let clock = clock.clock;
        let of = clock.owner.map(|_| json!({"owner": owner(clock.owner)}));
        object([
            json!({"name": clock.name}),
            of.unwrap_or_default(),
            json!({
                "filled": clock.filled,
                "segments": clock.segments.count(),
                "kind": clock.kind.into_str(),
                "visibility": clock.visibility.into_str(),
            }),
        ])
    });
    let pools = seen.pools().map(|pool| {
        json!({
            "owner": owner(pool.owner),
            "name": pool.name,
            "pool": pool.id_word(),
            "tokens": pool.tokens,
        })
    });
    let unfinished = seen
        .unfinished()
        .map(|waiting| json!({"who": waiting.roll.who, "check": waiting.roll.check}));
    json!({
        "session": name,
        "system": seen.system().spec().id,
        "scene": seen.scene().name,
        "party": party.collect::<Vec<_>>(),
        "clocks": clocks.collect::<Vec<_>>(),
        "pools": pools.collect::<Vec<_>>(),
        "log": seen.log_length(),
        "unfinished": unfinished.collect::<Vec<_>>(),
    })
}
