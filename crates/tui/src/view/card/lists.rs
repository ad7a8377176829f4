//! The texts and lists of a card, which have no fixed places.

use std::cmp::Reverse;

use ratatui::text::Line;

use crate::Role;
use crate::view::ViewContext;
use crate::view::card::flow::{STATE_GAP, flow};
use crate::view::card::value::{ValueSlot, value_line};
use crate::view::card::value_width::has_own_place;
use crate::widget::line_columns;
use tableside_game::Character;
use tableside_rules::{CardEntry, CardOrder, SystemSpec, Value};

/// The widths of the entries in the lists of all cards, from which the useful heights of cards follow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct CardLists {
    /// The columns of each entry, for each character.
    widths: Vec<Vec<u16>>,
}

impl CardLists {
    pub(in crate::view) fn measure(context: ViewContext<'_>) -> Self {
        let mut widths = Vec::new();
        for character in context.view.roster() {
            let parts = list_parts(character, context);
            widths.push(parts.iter().map(|(_, line)| line_columns(line)).collect());
        }
        Self { widths }
    }

    /// Returns the number of rows of the longest list on cards of this width.
    pub(crate) fn rows(&self, width: u16) -> u16 {
        let rows = self.widths.iter().map(|widths| flowed_rows(widths, width));
        rows.max().unwrap_or(0)
    }
}

/// Returns the number of rows that entries of these widths fill.
fn flowed_rows(widths: &[u16], width: u16) -> u16 {
    let mut rows = 0;
    let mut used = width;
    for entry in widths {
        let needed = used.saturating_add(STATE_GAP + entry);
        if rows > 0 && needed <= width {
            used = needed;
        } else {
            rows += 1;
            used = *entry;
        }
    }
    rows
}

/// A value in a list that is ordered by height.
struct RankedValue {
    entry: CardEntry,
    line: Line<'static>,
    /// The number, or the sides of the die. `None` for pools and clocks, which come last.
    height: Option<i32>,
}

/// Returns true if cards of the system can have values without places.
pub(crate) fn has_list(spec: &SystemSpec) -> bool {
    let card = &spec.card;
    card.order == CardOrder::Highest || card.then.iter().any(|entry| !has_own_place(*entry))
}

/// Returns the values that have no places in a line of this width. If not all of them fit, it ends with a sign.
pub(crate) fn row_list(
    character: &Character,
    width: u16,
    context: ViewContext<'_>,
) -> Line<'static> {
    let mut parts = Vec::new();
    for (_, part) in list_parts(character, context) {
        parts.push(part);
    }
    let lines = flow(&parts, width, 1);
    lines.into_iter().next().unwrap_or_default()
}

/// Returns the values of `then` that have no places: texts, lists, and all of them if they are ordered by height.
pub(super) fn list_parts(
    character: &Character,
    context: ViewContext<'_>,
) -> Vec<(Option<CardEntry>, Line<'static>)> {
    let card = &context.view.system().spec().card;
    let is_by_height = card.order == CardOrder::Highest;
    let mut ranked = Vec::new();
    let mut texts = Vec::new();

    for entry in card.then.iter().copied() {
        if !has_own_place(entry) {
            texts.extend(text_parts(character, entry, is_by_height, context));
        } else if is_by_height {
            let slot = ValueSlot {
                entry,
                bar_cells: 0,
                width: 0,
            };
            let line = value_line(character, slot, context);
            if !line.spans.is_empty() {
                ranked.push(RankedValue {
                    entry,
                    line,
                    height: value_height(character, entry),
                });
            }
        }
    }

    // The sort is stable, so equal values stay in the order of the system.
    ranked.sort_by_key(|value| Reverse(value.height));

    let mut parts = Vec::new();
    for value in ranked {
        parts.push((Some(value.entry), value.line));
    }
    for line in texts {
        parts.push((None, line));
    }
    parts
}

fn value_height(character: &Character, entry: CardEntry) -> Option<i32> {
    match entry {
        CardEntry::Stat(stat) => match character.sheet.value(stat.id)? {
            Value::Number(number) => Some(*number),
            Value::Die(die) => Some(i32::from(die.sides())),
            Value::Flag(_) | Value::Text(_) | Value::Ranks(_) => None,
        },
        CardEntry::Pool(_) | CardEntry::Clock(_) | CardEntry::Conditions => None,
    }
}

/// Returns the text of a stat, or the entries of its list.
pub(super) fn text_parts(
    character: &Character,
    entry: CardEntry,
    is_by_height: bool,
    context: ViewContext<'_>,
) -> Vec<Line<'static>> {
    let CardEntry::Stat(stat) = entry else {
        return Vec::new();
    };
    if character.health.is_some() {
        return Vec::new();
    }
    let role = if stat.state {
        Role::Warning
    } else {
        Role::Muted
    };

    match character.sheet.value(stat.id) {
        Some(Value::Text(text)) if !text.trim().is_empty() => {
            let label = if stat.short.is_empty() {
                String::new()
            } else {
                format!("{} ", stat.short)
            };
            vec![context.line(label + text.trim(), role)]
        }
        Some(Value::Ranks(ranks)) => {
            let mut ranks = ranks.clone();
            if is_by_height || stat.state {
                ranks.sort_by_key(|(_, rank)| Reverse(*rank));
            }
            ranks
                .into_iter()
                .map(|(name, rank)| context.line(format!("{name} {rank}"), role))
                .collect()
        }
        _ => Vec::new(),
    }
}
