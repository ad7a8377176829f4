//! Free dice: `tableside roll dice '4d6kh3'` and `tableside odds dice '4d6kh3'`.

use clap::ArgMatches;
use serde_json::{Map, Value as Json, json};

use super::odds::{outcomes_json, tell};
use super::order::{read_faces, seeded};
use super::output::Ink;
use super::{Desk, Trouble};
use crate::dice::Fraction;
use crate::dice::notation::{Fate, Notation, RolledDie};

/// Dice shown in a line; of more, only the total is told.
const MOST_SHOWN: usize = 200;

fn read(matches: &ArgMatches) -> Result<(&str, Notation), Trouble> {
    let written = matches
        .get_one::<String>("notation")
        .map_or("", String::as_str);
    match written.parse() {
        Ok(notation) => Ok((written, notation)),
        Err(error) => Err(Trouble::usage(format!("{written:?}: {error}"))),
    }
}

/// Rolls them.
pub(super) fn roll(desk: &mut Desk<'_>, matches: &ArgMatches) -> Result<(), Trouble> {
    let (written, notation) = read(matches)?;
    let seed = matches.get_one::<String>("seed").map(String::as_str);
    let rolled = match matches.get_one::<String>("faces") {
        Some(faces) => notation
            .read(&read_faces(faces)?)
            .map_err(|error| Trouble::usage(error.to_string()))?,
        None => notation.roll(&mut *seeded(seed)?),
    };
    if matches.get_flag("json") {
        let dice: Vec<Json> = rolled.dice.iter().map(die_json).collect();
        return desk.out.json(&json!({
            "notation": written,
            "dice": dice,
            "total": rolled.total,
        }));
    }
    desk.out
        .inked(&[(Ink::Strong, &rolled.total.to_string())])?;
    let mut pieces: Vec<(Ink, String)> = Vec::new();
    for (index, die) in rolled.dice.iter().take(MOST_SHOWN).enumerate() {
        let between = match (index, die.chain) {
            (0, _) => "",
            (_, true) => " + ",
            (_, false) => ", ",
        };
        pieces.push((Ink::Plain, between.to_owned()));
        let words = format!("d{} {}", die.sides, die.face);
        pieces.push(match die.fate {
            Fate::Kept => (Ink::Plain, words),
            Fate::Dropped => (Ink::Faint, format!("({words})")),
            Fate::Rerolled => (Ink::Faint, format!("({words}, again)")),
        });
    }
    match rolled.dice.len() {
        0 => pieces.push((Ink::Plain, "no dice".to_owned())),
        count if count > MOST_SHOWN => {
            pieces.push((Ink::Plain, format!(" and {} more", count - MOST_SHOWN)));
        }
        _ => {}
    }
    let pieces: Vec<(Ink, &str)> = pieces
        .iter()
        .map(|(ink, text)| (*ink, text.as_str()))
        .collect();
    desk.out.inked(&pieces)
}

fn die_json(die: &RolledDie) -> Json {
    let mut shown = Map::new();
    shown.insert("die".into(), json!(format!("d{}", die.sides)));
    shown.insert("face".into(), json!(die.face));
    shown.insert("kept".into(), json!(die.fate == Fate::Kept));
    if die.fate == Fate::Rerolled {
        shown.insert("rerolled".into(), json!(true));
    }
    if die.chain {
        shown.insert("chain".into(), json!(true));
    }
    Json::Object(shown)
}

/// Weighs every total.
pub(super) fn odds(desk: &mut Desk<'_>, matches: &ArgMatches) -> Result<(), Trouble> {
    let (written, notation) = read(matches)?;
    let odds = notation.odds();
    let odds = odds.map_err(|error| Trouble::failed(error.to_string()))?;
    let chances: Vec<(i64, Fraction)> = odds.spread.chances().collect();
    let outcomes: Vec<(String, &Fraction)> = chances
        .iter()
        .map(|(total, chance)| (total.to_string(), chance))
        .collect();
    if matches.get_flag("json") {
        let mean = odds.mean.as_ref().map(Fraction::to_f64);
        return desk.out.json(&json!({
            "notation": written,
            "outcomes": outcomes_json(&outcomes),
            "total": {"mean": mean, "min": odds.min, "max": odds.max},
        }));
    }
    tell(desk, &outcomes)
}
