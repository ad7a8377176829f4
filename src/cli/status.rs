//! `tableside status`: the whole table in lines that read well aloud, or as one document.

use serde_json::{Value as Json, json};

use super::host_game::GameOrHost;
use super::{App, CliError, Ink};
use tableside_game::{ArrivingClock, ArrivingLink, ArrivingPool, TokenPool};
use tableside_store::Name;
use tableside_table::{ClockView, Seat, SeatView, about_clock, clock_json, pool_json, status};
use tableside_tui::table_json;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: GameOrHost,
    /// As one JSON document
    #[arg(long)]
    json: bool,
}

/// Prints the table.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let table = app.look_at(&args.which.name(app)?)?;
    let saved_name = table.name();
    let name = if saved_name == Name::host_game().as_str() {
        "host"
    } else {
        &saved_name
    };
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

/// The whole table as one document. `tableside import` reads characters, clocks and pools back from it.
fn to_json(name: &str, seen: &SeatView<'_>) -> Json {
    let turns = seen.turns();
    let on_turn = turns.first().map(|one| one.id);
    let party = seen.roster().map(|character| {
        json!({
            "name": character.name,
            "player": character.player,
            "hidden": character.hidden,
            "notes": character.notes,
            "side": character.side.into_str(),
            "absent": character.absent,
            "acted": character.acted,
            "initiative": character.initiative,
            "on-turn": on_turn == Some(character.id),
            "conditions": character.conditions,
            "sheet": character.sheet,
        })
    });
    let clocks = seen.clocks().map(|clock| write_clock(&clock, seen));
    let pools = seen.pools().map(|pool| write_pool(pool, seen));
    let check = |id: &str| {
        seen.system()
            .check(id)
            .map_or_else(|_| id.to_owned(), |check| check.id.into())
    };
    let unfinished = seen
        .unfinished()
        .map(|waiting| json!({"who": waiting.roll.who, "check": waiting.roll.check}));
    let calls = seen.calls().map(|call| {
        let helpers = call.helpers.iter().map(|id| seen.owner_name(Some(*id)));
        json!({
            "who": seen.owner_name(Some(call.who)),
            "check": check(&call.check),
            "fields": call.fields,
            "helpers": helpers.collect::<Vec<_>>(),
        })
    });
    let locks = seen
        .locks()
        .map(|(who, about)| json!({"who": who.name, "about": about}));
    let shown = table_json(name, seen);
    json!({
        "game": name,
        "system": seen.system().spec().id,
        "scene": seen.scene().name,
        "session": seen.session_number(),
        "lines-and-veils": seen.lines_and_veils,
        "round": seen.round,
        "turn": turns.first().map(|one| &one.name),
        "party": party.collect::<Vec<_>>(),
        "clocks": clocks.collect::<Vec<_>>(),
        "pools": pools.collect::<Vec<_>>(),
        "log": seen.log_length(),
        "unfinished": unfinished.collect::<Vec<_>>(),
        "calls": calls.collect::<Vec<_>>(),
        "locks": locks.collect::<Vec<_>>(),
        "rolls": shown.get("rolls"),
    })
}

/// The parts of a thing that are numbers of this game; the document has names instead.
const NUMBERS: [&str; 5] = ["id", "owner", "link", "follows", "check"];

/// Every part of a clock, by the names of whom and what it refers to.
fn write_clock(one: &ClockView<'_>, seen: &SeatView<'_>) -> Json {
    let clock = one.clock;
    let mut written = clock_json(one, seen);
    add_parts(&mut written, json!(clock));
    if let Some(link) = clock.link
        && let Some(other) = seen.clock(link.to)
    {
        let owner = other.clock.owner;
        let owner = owner.map(|_| seen.owner_name(owner).to_owned());
        written["link"] = json!(ArrivingLink {
            to: other.clock.name.clone(),
            owner,
            effect: link.effect,
        });
    }
    if let Some(check) = &clock.check {
        let mut check = check.clone();
        written["roller"] = json!(check.who.map(|_| seen.owner_name(check.who)));
        check.who = None;
        check.named.clear();
        written["check"] = json!(check);
    }
    written["about"] = json!(about_clock(one, seen));
    written
}

/// Every part of a pool.
fn write_pool(pool: &TokenPool, seen: &SeatView<'_>) -> Json {
    let mut written = pool_json(pool, seen);
    add_parts(&mut written, json!(pool));
    written["of-table"] = json!(pool.owner.is_none());
    written
}

fn add_parts(written: &mut Json, whole: Json) {
    let Json::Object(parts) = whole else {
        return;
    };
    for (name, part) in parts {
        if !NUMBERS.contains(&name.as_str()) && written.get(&name).is_none() {
            written[name] = part;
        }
    }
}

/// Reads a clock as [`write_clock`] writes it.
pub(super) fn read_clock(mut written: Json) -> Result<ArrivingClock, String> {
    let name = written["name"].as_str().unwrap_or_default().to_owned();
    let wrong = |error: serde_json::Error| format!("the clock {name}: {error}");
    let mut part = |name: &str| written.get_mut(name).map(Json::take).unwrap_or_default();

    let owner = serde_json::from_value(part("owner")).map_err(wrong)?;
    let link = serde_json::from_value(part("link")).map_err(wrong)?;
    let roller = serde_json::from_value(part("roller")).map_err(wrong)?;
    written["id"] = 0.into();
    let clock = serde_json::from_value(written).map_err(wrong)?;
    Ok(ArrivingClock {
        clock,
        owner,
        link,
        roller,
    })
}

/// Reads a pool as [`write_pool`] writes it.
pub(super) fn read_pool(mut written: Json) -> Result<ArrivingPool, String> {
    let name = written["name"].as_str().unwrap_or_default().to_owned();
    let wrong = |error: serde_json::Error| format!("the pool {name}: {error}");
    let owner = written.get_mut("owner").map(Json::take).unwrap_or_default();
    let is_of_table = written.get("of-table") == Some(&Json::Bool(true));
    let owner: Option<String> = serde_json::from_value(owner).map_err(wrong)?;

    written["id"] = 0.into();
    let pool = serde_json::from_value(written).map_err(wrong)?;
    Ok(ArrivingPool {
        pool,
        owner: owner.filter(|_| !is_of_table),
    })
}
