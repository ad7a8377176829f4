//! What a screen shows, as JSON for those who draw it themselves: the page in browsers.

use chrono::SecondsFormat;
use serde_json::{Map, Value as Json, json};

use crate::Role;
use crate::app::rows::{self, PartyColumn};
use crate::view::card::{is_told, suffered, worded};
use crate::view::entry::{RollView, dice_as_they_lie, struck};
use crate::view::{clocks, tokens};
use tableside_game::{Character, PoolKind, TokenPool};
use tableside_table::{ClockView, Entry, SeatView, about_clock, clock_json, pool_json, scene};

/// So many rolls are shown.
const ROLLS: usize = 8;

/// What the table shows to a seat, part by part; `name` is what the game is called. Colours are told by their
/// [`Role`]s. There is no number in it by which somebody could count what is hidden.
pub fn table_json(name: &str, view: &SeatView<'_>) -> Map<String, Json> {
    let mut party: Vec<&Character> = view.roster().collect();
    party.sort_by_key(|one| (!rows::is_in_turns(view), one.place_in_turn()));
    let party: Vec<Json> = party.iter().map(|one| character(one, view)).collect();
    // What the rules gave to a character stands on the card.
    let of_table = view.clocks().filter(|one| one.clock.rule.is_none());
    let of_table: Vec<Json> = of_table.map(|one| clock(&one, view)).collect();
    let pools = view.pools();
    let pools = pools.filter(|pool| pool.owner.is_none() || pool.kind == PoolKind::Own);
    let pools: Vec<Json> = pools.map(|one| pool(one, view)).collect();
    let numbers = view.rolled().take(ROLLS);
    let entries = numbers.filter_map(|number| view.entry(number));
    let rolls: Vec<Json> = entries.map(|entry| roll(&entry, view)).collect();
    let parts = [
        ("game", json!(name)),
        ("system", json!(view.system().spec().name)),
        ("scene", json!(scene(view))),
        ("round", json!(view.round)),
        ("party", json!(party)),
        ("clocks", json!(of_table)),
        ("pools", json!(pools)),
        ("rolls", json!(rolls)),
    ];
    let parts = parts.into_iter();
    parts.map(|(part, told)| (part.to_owned(), told)).collect()
}

/// Words with the role that says how they look.
fn words(words: impl Into<String>, role: Role) -> Json {
    json!({"words": words.into(), "role": role.into_str()})
}

fn character(one: &Character, view: &SeatView<'_>) -> Json {
    let stats = rows::stats(view.system()).filter(|stat| is_told(one, stat));
    let stats = stats.filter_map(|stat| {
        let (shown, role) = worded(one, PartyColumn::Stat(stat), view);
        let mut told = words(shown, role);
        told["name"] = json!(stat.short);
        // A number that has a maximum is a bar.
        if let (Some(now), Some(most)) = (one.sheet.number(stat.id), one.sheet.most(stat)) {
            told["part"] = json!(now.clamp(0, most));
            told["whole"] = json!(most);
        }
        (told["words"] != "").then_some(told)
    });
    let marks = suffered(one, view).into_iter();
    let marks = marks.map(|(told, role)| words(told, role));
    let own = view.clocks_of(one.id);
    let own = own.filter(|clock| clock.clock.rule.is_some());
    let pools = view.pools_of(Some(one.id));
    json!({
        "name": one.name,
        "player": one.player,
        "side": one.side.into_str(),
        "absent": one.absent,
        "acted": one.acted,
        "initiative": one.initiative,
        "on-turn": view.turns().first().map(|one| one.id) == Some(one.id),
        "stats": stats.collect::<Vec<_>>(),
        "marks": marks.collect::<Vec<_>>(),
        "clocks": own.map(|one| clock(&one, view)).collect::<Vec<_>>(),
        "pools": pools.map(|one| pool(one, view)).collect::<Vec<_>>(),
        "can": rows::ranks(one),
    })
}

fn clock(one: &ClockView<'_>, view: &SeatView<'_>) -> Json {
    let mut told = clock_json(one, view);
    told["role"] = json!(clocks::filled_role(one.clock.kind).into_str());
    told["about"] = json!(about_clock(one, view));
    told["standing"] = json!(clocks::standing(one, view).map(|(word, role)| words(word, role)));
    told
}

fn pool(one: &TokenPool, view: &SeatView<'_>) -> Json {
    let mut told = pool_json(one, view);
    told["words"] = json!(tokens::number(one.tokens));
    told["cap"] = json!(one.cap);
    told["of-table"] = json!(one.owner.is_none());
    told
}

/// A roll with its dice as they lie, what it came to, and what followed.
fn roll(entry: &Entry, view: &SeatView<'_>) -> Json {
    let system = view.system();
    let roll = RollView::of(entry, view);
    let dice = dice_as_they_lie(entry, view);
    let dice = dice.iter().map(|die| {
        json!({
            "die": die.kind,
            "face": die.inscription(),
            "above": die.above(),
            "role": die.role().into_str(),
            "starts-repetition": die.starts_later_repetition,
        })
    });
    let text = entry.event.text(system);
    json!({
        "at": entry.at.to_rfc3339_opts(SecondsFormat::Millis, true),
        "title": roll.as_ref().map_or_else(|| text.clone(), |roll| roll.tested.title(&roll.roll.who)),
        "outcome": roll.as_ref().map(|roll| {
            let (headline, role) = roll.headline();
            words(headline, role)
        }),
        "numbers": roll.as_ref().map_or_else(String::new, RollView::numbers),
        "about": roll.as_ref().map_or_else(String::new, RollView::about),
        "dice": dice.collect::<Vec<_>>(),
        "follows": entry.roll().map_or_else(Vec::new, |_| entry.event.in_short(view)),
        "text": text,
        "struck": struck(entry.number, view),
    })
}
