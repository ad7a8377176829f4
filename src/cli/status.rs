//! `tableside status`: the whole table in lines that read well aloud, or as one document.

use serde_json::{Value as Json, json};

use super::house::Which;
use super::{App, CliError, Ink};
use crate::table::{Seat, SeatView, clock_json, pool_json, status};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,
    /// As one JSON document
    #[arg(long)]
    json: bool,
}

/// Prints the table.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let table = app.look_at(&args.which.name(app)?)?;
    let name = table.name();
    // The folder of the house begins with a dot.
    let name = name.trim_start_matches('.');
    let out = &mut app.out;
    table.read(&Seat::gm(), |seen| {
        if args.json {
            out.json(&to_json(name, seen))
        } else {
            status(name, seen).iter().try_for_each(|line| {
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
            "player": character.player,
            "hidden": character.hidden,
            "notes": character.notes,
            "side": character.side.into_str(),
            "absent": character.absent,
            "conditions": character.conditions,
            "sheet": character.sheet,
        })
    });
    let clocks = seen.clocks().map(|clock| clock_json(&clock, seen));
    let pools = seen.pools().map(|pool| pool_json(pool, seen));
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
