//! `tableside status`: how the whole table stands, in lines that read well aloud, or as one document.

use clap::ArgMatches;
use serde_json::{Map, Value as Json, json};

use super::output::{Ink, Output};
use super::{Desk, Trouble};
use crate::rules::{Ask, System};
use crate::session::{Allegiance, Character, CharacterId, ClockKind, Condition, Roll, Visibility};
use crate::table::{ClockSeen, Seat, Seen};

/// Says how the table stands.
pub(super) fn run(desk: &mut Desk<'_>, matches: &ArgMatches) -> Result<(), Trouble> {
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
fn tell(out: &mut Output<'_>, name: &str, seen: &Seen<'_>) -> Result<(), Trouble> {
    let system = seen.system().spec().name;
    out.inked(&[
        (Ink::Strong, name),
        (Ink::Plain, &format!(", a game of {system}.")),
    ])?;
    let scene = match seen.scene().name.as_str() {
        "" => "No scene has begun.".to_owned(),
        scene => format!("The scene: {scene}."),
    };
    let round = match seen.round() {
        0 => String::new(),
        round => format!(" Round {round}."),
    };
    out.line(&format!("{scene}{round}"))?;
    for side in Allegiance::ALL {
        let of_side = || seen.roster().filter(|one| one.side == side);
        if of_side().next().is_none() {
            continue;
        }
        out.line("")?;
        out.inked(&[(Ink::Strong, side_name(side))])?;
        for character in of_side() {
            tell_character(out, seen, character)?;
        }
    }
    let of_table = seen.clocks().filter(|clock| clock.clock.owner.is_none());
    let clocks: Vec<String> = of_table.map(|clock| describe_clock(&clock)).collect();
    section(out, "Clocks", &clocks)?;
    let pools = seen.pools_of(None);
    let pools: Vec<String> = pools
        .map(|pool| format!("{}: {}.", pool.name, pool.tokens))
        .collect();
    section(out, "Tokens of the table", &pools)?;
    let waiting: Vec<String> = seen
        .unfinished()
        .map(|waiting| {
            let check = waiting.roll.spec(seen.system());
            let check = check.map_or(waiting.roll.check.as_str(), |spec| spec.label);
            let answers = answers(&waiting.roll, seen.system());
            match waiting.roll.who.as_str() {
                "" => format!("{check} waits for {answers}."),
                who => format!("{who}: {check} waits for {answers}."),
            }
        })
        .collect();
    section(out, "Unfinished", &waiting)?;
    let called: Vec<String> = seen
        .calls()
        .map(|call| {
            let who = seen.owner_name(Some(call.who));
            let check = seen.system().check(&call.check);
            let check = check.map_or(call.check.as_str(), |spec| spec.label);
            let fields: Vec<String> = call
                .fields
                .iter()
                .map(|(field, value)| format!(", {field} {value}"))
                .collect();
            format!("{who}: {check}{}.", fields.concat())
        })
        .collect();
    section(out, "Called on to roll", &called)?;
    out.line("")?;
    out.line(&match seen.log_length() {
        1 => "The log has 1 entry.".to_owned(),
        entries => format!("The log has {entries} entries."),
    })
}

/// What a check waits for: one of these answers, or the faces of dice.
fn answers(roll: &Roll, system: System) -> String {
    let asked = roll
        .machine(system)
        .and_then(|machine| Ok(machine.after(&roll.trail)?));
    match asked {
        Ok(Ask::Choose { what, .. }) => {
            let names = what.options.iter().map(|option| option.name.as_str());
            format!("an answer, {}", names.collect::<Vec<_>>().join(" or "))
        }
        Ok(Ask::Roll { .. }) => "the faces of its dice".to_owned(),
        Ok(Ask::Done(..)) | Err(_) => "an answer".to_owned(),
    }
}

fn section(out: &mut Output<'_>, title: &str, lines: &[String]) -> Result<(), Trouble> {
    if lines.is_empty() {
        return Ok(());
    }
    out.line("")?;
    out.inked(&[(Ink::Strong, title)])?;
    lines
        .iter()
        .try_for_each(|line| out.line(&format!("  {line}")))
}

const fn side_name(side: Allegiance) -> &'static str {
    match side {
        Allegiance::Party => "The party",
        Allegiance::Ally => "Allies",
        Allegiance::Adversary => "Adversaries",
        Allegiance::Apathetic => "Others",
    }
}

fn tell_character(
    out: &mut Output<'_>,
    seen: &Seen<'_>,
    character: &Character,
) -> Result<(), Trouble> {
    let mut first = character.name.clone();
    if !character.player.is_empty() {
        first.push_str(&format_args!(", played by {}", character.player).to_string());
    }
    for (applies, word) in [
        (character.absent, ", absent"),
        (character.hidden, ", hidden from players"),
        (character.acted, ", has acted"),
    ] {
        first.push_str(if applies { word } else { "" });
    }
    out.line(&format!("  {first}."))?;
    let stats = character.sheet.iter().filter_map(|(stat, value)| {
        let value = value.to_string();
        (!value.is_empty()).then(|| format!("{} {value}", stat.label))
    });
    out.line(&format!("    {}.", stats.collect::<Vec<_>>().join(", ")))?;
    let conditions: Vec<String> = character
        .conditions
        .iter()
        .map(describe_condition)
        .collect();
    if !conditions.is_empty() {
        out.line(&format!("    Conditions: {}.", conditions.join(", ")))?;
    }
    let own = |owner: Option<CharacterId>| owner == Some(character.id);
    let clocks = seen.clocks().filter(|clock| own(clock.clock.owner));
    let clocks = clocks.map(|clock| {
        let (filled, of) = (clock.clock.filled, clock.clock.segments.count());
        format!("{} {filled} of {of}", clock.clock.name)
    });
    let pools = seen.pools_of(Some(character.id));
    let pools = pools.map(|pool| format!("{} {}", pool.name, pool.tokens));
    let held: Vec<String> = clocks.chain(pools).collect();
    if !held.is_empty() {
        out.line(&format!("    {}.", held.join(", ")))?;
    }
    let locks = seen.locks().filter(|(who, _)| who.id == character.id);
    let locks: Vec<&str> = locks.map(|(_, about)| about).collect();
    if !locks.is_empty() {
        out.line(&format!("    May not try again yet: {}.", locks.join(", ")))?;
    }
    Ok(())
}

fn describe_condition(condition: &Condition) -> String {
    let mut words = condition.name.clone();
    if let Some(value) = condition.value {
        words.push_str(&format_args!(" {value}").to_string());
    }
    match condition.rounds {
        Some(1) => words.push_str(" for 1 more round"),
        Some(rounds) => words.push_str(&format_args!(" for {rounds} more rounds").to_string()),
        None => {}
    }
    words
}

fn describe_clock(seen: &ClockSeen<'_>) -> String {
    let clock = seen.clock;
    let kind = match clock.kind {
        ClockKind::Effort => "effort clock",
        ClockKind::Countdown => "countdown",
        ClockKind::Race => "race",
        ClockKind::TugOfWar => "tug-of-war",
    };
    let visibility = match clock.visibility {
        Visibility::Visible => "",
        Visibility::Known => ", players only know that it exists",
        Visibility::Hidden => ", hidden from players",
    };
    let full = if clock.is_full() { ", full" } else { "" };
    let (filled, of) = (clock.filled, clock.segments.count());
    format!(
        "{}: {kind}, {filled} of {of}{full}{visibility}.",
        clock.name
    )
}

/// The whole table as one document.
fn to_json(name: &str, seen: &Seen<'_>) -> Json {
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
