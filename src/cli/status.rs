//! `tableside status`: how the whole table stands, in lines that read well aloud, or as one document.

use clap::ArgMatches;
use serde_json::{Map, Value as Json, json};

use super::output::{Ink, Output};
use super::{CliError, Desk};
use crate::session::{CharacterId, Condition};
use crate::table::{Seat, SeatView, status};

/// Says how the table stands.
pub(super) fn run(desk: &mut Desk<'_>, matches: &ArgMatches) -> Result<(), CliError> {
    let given = matches.get_one::<String>("name").map_or("", String::as_str);
    let (table, _) = desk.open(given, true)?;
    let name = table.name();
    let out = &mut desk.out;
    table.read(&Seat::gm(), |seen| {
        if matches.get_flag("json") {
            out.json(&to_json(&name, seen))
        } else {
            tell(out, &name, seen)
        }
    })
}

/// The whole table in plain lines.
fn tell(out: &mut Output<'_>, name: &str, seen: &SeatView<'_>) -> Result<(), CliError> {
    for line in status(name, seen) {
        out.inked(&[(Ink::Strong, &line.strong), (Ink::Plain, &line.plain)])?;
    }
    Ok(())
}

/// The whole table as one document.
fn to_json(name: &str, seen: &SeatView<'_>) -> Json {
    let party = seen.roster().map(|character| {
        let conditions: Vec<Json> = character.conditions.iter().map(condition_json).collect();
        json!({
            "name": character.name,
            "side": character.side.id(),
            "absent": character.absent,
            "conditions": conditions,
            "sheet": character.sheet,
        })
    });
    let owner = |id: Option<CharacterId>| seen.owner_name(id);
    let clocks = seen.clocks().map(|clock| {
        let clock = clock.clock;
        let mut shown = Map::new();
        shown.insert("name".into(), json!(clock.name));
        if clock.owner.is_some() {
            shown.insert("owner".into(), json!(owner(clock.owner)));
        }
        shown.insert("filled".into(), json!(clock.filled));
        shown.insert("segments".into(), json!(clock.segments.count()));
        shown.insert("kind".into(), json!(clock.kind.id()));
        shown.insert("visibility".into(), json!(clock.visibility.id()));
        Json::Object(shown)
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

fn condition_json(condition: &Condition) -> Json {
    let mut shown = Map::new();
    shown.insert("name".into(), json!(condition.name));
    if let Some(value) = condition.value {
        shown.insert("value".into(), json!(value));
    }
    if let Some(rounds) = condition.rounds {
        shown.insert("rounds".into(), json!(rounds));
    }
    Json::Object(shown)
}
