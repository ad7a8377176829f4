//! The table as JSON, for the page that browsers show.

use chrono::SecondsFormat;
use serde_json::{Map, Value as Json, json};

use crate::Role;
use crate::app::rows;
use crate::view::card::{shown_value, suffered};
use crate::view::entry::{RollView, dice_as_they_lie, struck};
use crate::view::{clocks, tokens};
use crate::widget::DieBox;
use crate::widget::die::DieSeparator;
use tableside_game::{Character, Initiative, PoolKind, TokenPool};
use tableside_rules::{CardEntry, Field};
use tableside_table::{ClockView, Entry, SeatView, about_clock, clock_json, pool_json, scene};

/// The number of rolls on the page.
const MAX_ROLLS: usize = 8;

/// Returns the table as this seat sees it, with `name` as the name of the game.
///
/// Colours are names of [`Role`]s. The JSON has no number from which a reader could count hidden things.
pub fn table_json(name: &str, view: &SeatView<'_>) -> Map<String, Json> {
    // Before the first scene the page shows the name of the game instead.
    let has_scene = view.scene().began.is_some() || !view.scene().name.is_empty();
    let scene_name = if has_scene {
        scene(view)
    } else {
        String::new()
    };

    let mut table = Map::new();
    let mut insert = |key: &str, value: Json| {
        table.insert(key.to_owned(), value);
    };
    insert("game", json!(name));
    insert("system", json!(view.system().spec().name));
    insert("scene", json!(scene_name));
    insert("round", json!(view.round));
    insert("party", json!(party_json(view)));
    insert("clocks", json!(table_clocks_json(view)));
    insert("pools", json!(table_pools_json(view)));
    insert("rolls", json!(rolls_json(view)));
    table
}

fn party_json(view: &SeatView<'_>) -> Vec<Json> {
    let mut party: Vec<&Character> = view.roster().collect();
    if rows::is_in_turns(view) {
        party.sort_by_key(|character| character.place_in_turn());
    }
    party
        .into_iter()
        .map(|character| character_json(character, view))
        .collect()
}

/// Returns the clocks of the table. The clocks that the rules give to a character are part of that character.
fn table_clocks_json(view: &SeatView<'_>) -> Vec<Json> {
    view.clocks()
        .filter(|clock| clock.clock.rule.is_none())
        .map(|clock| clock_with_role_json(&clock, view))
        .collect()
}

fn table_pools_json(view: &SeatView<'_>) -> Vec<Json> {
    view.pools()
        .filter(|pool| pool.owner.is_none() || pool.kind == PoolKind::Own)
        .map(|pool| pool_with_text_json(pool, view))
        .collect()
}

fn rolls_json(view: &SeatView<'_>) -> Vec<Json> {
    view.rolled()
        .take(MAX_ROLLS)
        .filter_map(|number| view.entry(number))
        .map(|entry| roll_json(&entry, view))
        .collect()
}

/// Returns a text with the role that gives its colour.
fn text_json(text: impl Into<String>, role: Role) -> Json {
    json!({"words": text.into(), "role": role.into_str()})
}

fn character_json(character: &Character, view: &SeatView<'_>) -> Json {
    let mut stats = Vec::new();
    for entry in rows::values(view.system()) {
        if let CardEntry::Stat(stat) = entry {
            stats.extend(stat_json(character, stat, view));
        }
    }

    let mut marks = Vec::new();
    for (text, role) in suffered(character, view) {
        marks.push(text_json(text, role));
    }

    let mut clocks = Vec::new();
    for clock in view.clocks_of(character.id) {
        if clock.clock.rule.is_some() {
            clocks.push(clock_with_role_json(&clock, view));
        }
    }

    let mut pools = Vec::new();
    for pool in view.pools_of(Some(character.id)) {
        pools.push(pool_with_text_json(pool, view));
    }

    let id_on_turn = view.turns().first().map(|next| next.id);

    json!({
        "name": character.name,
        "player": character.player,
        "side": character.side.into_str(),
        "absent": character.absent,
        "acted": character.acted,
        "initiative": character.initiative.map(Initiative::shown),
        "on-turn": id_on_turn == Some(character.id),
        "stats": stats,
        "marks": marks,
        "clocks": clocks,
        "pools": pools,
        "can": rows::ranks(character),
    })
}

/// Returns a stat, or `None` if the character has no value for it. A number with a maximum has the parts of a bar.
fn stat_json(character: &Character, stat: &'static Field, view: &SeatView<'_>) -> Option<Json> {
    let entry = CardEntry::Stat(stat);
    let shown = shown_value(character, entry, view)?;
    if shown.is_hidden(entry, view) {
        return None;
    }

    let mut stat_json = text_json(shown.text, shown.role);
    stat_json["name"] = json!(stat.short);
    if let Some(current) = character.sheet.number(stat.id)
        && let Some(maximum) = character.sheet.most(stat)
    {
        stat_json["part"] = json!(current.clamp(0, maximum));
        stat_json["whole"] = json!(maximum);
    }
    Some(stat_json)
}

fn clock_with_role_json(clock: &ClockView<'_>, view: &SeatView<'_>) -> Json {
    let standing = clocks::standing(clock, view).map(|(word, role)| text_json(word, role));
    let mut json = clock_json(clock, view);
    json["role"] = json!(clocks::filled_role(clock.clock.kind).into_str());
    json["about"] = json!(about_clock(clock, view));
    json["standing"] = json!(standing);
    json
}

fn pool_with_text_json(pool: &TokenPool, view: &SeatView<'_>) -> Json {
    let mut json = pool_json(pool, view);
    json["words"] = json!(tokens::number(view.tokens_in(pool)));
    json["cap"] = json!(pool.cap);
    json["of-table"] = json!(pool.owner.is_none());
    json
}

/// Returns a roll with its dice, its outcome and its effects. An entry without an outcome has only its text.
fn roll_json(entry: &Entry, view: &SeatView<'_>) -> Json {
    let text = entry.event.text(view.system());
    let dice: Vec<Json> = dice_as_they_lie(entry, view).iter().map(die_json).collect();
    let effects = match entry.roll() {
        Some(_) => entry.event.in_short(view),
        None => Vec::new(),
    };

    let roll = RollView::of(entry, view);
    let title = match &roll {
        Some(roll) => roll.tested.title(&roll.roll.who),
        None => text.clone(),
    };
    let mut outcome = None;
    let mut numbers = String::new();
    let mut about = String::new();
    if let Some(roll) = &roll {
        let (headline, role) = roll.headline();
        outcome = Some(text_json(headline, role));
        numbers = roll.numbers();
        about = roll.about();
    }

    json!({
        "at": entry.at.to_rfc3339_opts(SecondsFormat::Millis, true),
        "title": title,
        "outcome": outcome,
        "numbers": numbers,
        "about": about,
        "dice": dice,
        "follows": effects,
        "text": text,
        "struck": struck(entry.number, view),
    })
}

fn die_json(die: &DieBox) -> Json {
    json!({
        "die": die.kind,
        "face": die.inscription(),
        "above": die.above(),
        "role": die.role().into_str(),
        "separator": die.separator.map(DieSeparator::text),
    })
}
