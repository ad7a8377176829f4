//! A character from the fields of a file.

use tableside_game::{Allegiance, Character, InitiativeError, LONGEST_NAME};
use tableside_rules::{Field, Kind, Sheet, System, Value};
use tableside_text::{fold, is_same_name, join, nearest, sanitise_name};

/// The fields of a character that are not on its sheet.
const PARTS: [&str; 6] = ["name", "player", "side", "notes", "hidden", "absent"];

/// Returns the character with these fields, or a sentence about a field that is wrong.
pub(super) fn build_character(
    fields: Vec<(String, Value)>,
    system: System,
) -> Result<Character, String> {
    let mut character = Character::new("", Sheet::new(system));
    let mut given_stats: Vec<&'static str> = Vec::new();

    for (written_name, value) in fields {
        let name = fold(&written_name).replace([' ', '_'], "-");
        let text = value.to_string();
        match name.as_str() {
            "name" => character.name = sanitise_name(&text, LONGEST_NAME),
            "player" => character.player = text,
            "notes" => character.notes = text,
            "side" => character.side = parse_side(&name, &text)?,
            "hidden" => character.hidden = parse_flag(&name, &text)?,
            "absent" => character.absent = parse_flag(&name, &text)?,
            "initiative" if stat_named(system, &name).is_none() => {
                let initiative = text
                    .parse()
                    .map_err(|error: InitiativeError| format!("{name}: {error}"))?;
                character.initiative = Some(initiative);
            }
            _ => {
                let stat = stat_named(system, &name)
                    .ok_or_else(|| describe_unknown_field(system, &written_name))?;
                if given_stats.contains(&stat.id) {
                    return Err(format!("{name}: it is given twice"));
                }
                given_stats.push(stat.id);
                set_stat(&mut character.sheet, stat, value)?;
            }
        }
    }

    if character.name.is_empty() {
        return Err("name: a character needs one".to_owned());
    }
    character.sheet.follow_maximums(&given_stats);
    character
        .sheet
        .check_bounds()
        .map_err(|error| format!("{}: {error}", character.name))?;
    Ok(character)
}

fn parse_side(name: &str, text: &str) -> Result<Allegiance, String> {
    // Older exports have the former word for neutral.
    if is_same_name(text, "apathetic") {
        return Ok(Allegiance::Neutral);
    }

    let side = Allegiance::ALL
        .into_iter()
        .find(|side| is_same_name(side.into_str(), text));
    side.ok_or_else(|| {
        let side_names = Allegiance::ALL.map(<&str>::from).join(", ");
        format!("{name}: it must be one of {side_names}, and {text:?} was given")
    })
}

fn parse_flag(name: &str, text: &str) -> Result<bool, String> {
    match fold(text).as_str() {
        "yes" | "true" | "1" | "x" => Ok(true),
        "no" | "false" | "0" | "" => Ok(false),
        _ => Err(format!(
            "{name}: it must be yes or no, and {text:?} was given"
        )),
    }
}

fn set_stat(sheet: &mut Sheet, stat: &'static Field, value: Value) -> Result<(), String> {
    let is_list_of_ranks =
        matches!(stat.kind, Kind::Ranks { .. }) && matches!(value, Value::Ranks(_));
    let parsed_value = if is_list_of_ranks {
        // A name in a table may contain the separators of a text.
        Ok(value)
    } else {
        stat.parse(&value.to_string())
    };
    parsed_value
        .and_then(|value| sheet.set(stat.id, value))
        .map_err(|error| error.to_string())
}

/// Returns the stat with this id or label, or else the one with this short name.
fn stat_named(system: System, name: &str) -> Option<&'static Field> {
    let is_called =
        |known_name: &str| !known_name.is_empty() && fold(known_name).replace(' ', "-") == name;
    let stats = system.spec().stats;
    let by_full_name = stats
        .iter()
        .find(|stat| is_called(stat.id) || is_called(stat.label));
    by_full_name.or_else(|| stats.iter().find(|stat| is_called(stat.short)))
}

fn describe_unknown_field(system: System, written_name: &str) -> String {
    let mut known_fields = PARTS.to_vec();
    known_fields.extend(system.spec().stats.iter().map(|stat| stat.id));

    let nearest_field = nearest(&written_name.to_lowercase(), known_fields.iter().copied());
    let hint = match nearest_field {
        Some(field) => format!("did you mean {field}?"),
        None => format!("a character of {system} has {}", join(known_fields, ", ")),
    };
    let short_name: String = written_name.chars().take(40).collect();
    format!("there is no field {short_name:?}; {hint}")
}
