//! The values of a character as short texts, with their bars.

use std::cmp::Reverse;

use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use crate::Role;
use crate::app::rows;
use crate::view::card::value_width::{has_own_place, token_signs};
use crate::view::{ViewContext, clocks, tokens};
use crate::widget::{BarLevel, bar, columns, line_columns};
use tableside_game::{Character, TokenPool};
use tableside_rules::{CardEntry, Field, HIT_POINTS, Kind, PoolSpec, Value, Zeros};
use tableside_table::{ClockView, SeatView};

/// A value as text, with the role of its colour.
#[derive(Clone, Debug)]
pub(crate) struct ShownValue {
    pub(crate) text: String,
    pub(crate) role: Role,
    /// True for a 0 in a value that starts at 0.
    is_idle: bool,
}

impl ShownValue {
    fn new(text: impl Into<String>, role: Role) -> Self {
        Self {
            text: text.into(),
            role,
            is_idle: false,
        }
    }

    /// Returns true if the card of the system leaves the value out: a 0 in `then`, if zeros are hidden.
    pub(crate) fn is_hidden(&self, entry: CardEntry, view: &SeatView<'_>) -> bool {
        let card = &view.system().spec().card;
        let is_first = card.first.iter().any(|first| first.id() == entry.id());
        self.is_idle && !is_first && card.zeros == Zeros::Hide
    }
}

/// The room for a value on a card or in a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueSlot {
    pub(crate) entry: CardEntry,
    /// The cells of its bar; 0 if it has none.
    pub(crate) bar_cells: u16,
    /// The columns of the abbreviation, the bar and the value.
    pub(crate) width: u16,
}

/// Returns the short text of a value. `None` if the seat may not read it, or if the character lacks it.
pub(crate) fn shown_value(
    character: &Character,
    entry: CardEntry,
    view: &SeatView<'_>,
) -> Option<ShownValue> {
    // If the seat sees only a word for the health, it sees no values.
    if character.health.is_some() {
        return None;
    }

    match entry {
        CardEntry::Stat(stat) => {
            let mut shown = shown_stat(character, stat)?;
            let absorbing = absorbing_tokens(character, view);
            if stat.id == HIT_POINTS && absorbing > 0 {
                shown.text.push_str(&format!(" +{absorbing}"));
            }
            Some(shown)
        }
        CardEntry::Pool(spec) => {
            let pool = rows::rule_pool(view, character.id, spec)?;
            Some(shown_pool(pool, view.tokens_in(pool), spec))
        }
        CardEntry::Clock(spec) => {
            let clock = rows::rule_clock(view, character.id, spec)?;
            Some(shown_clock(&clock))
        }
        CardEntry::Conditions => None,
    }
}

/// Returns the tokens that damage takes before hit points, such as temporary hit points.
fn absorbing_tokens(character: &Character, view: &SeatView<'_>) -> i32 {
    let pools = view.system().spec().pools.iter();
    pools
        .filter(|pool| pool.absorbs_damage)
        .filter_map(|spec| rows::rule_pool(view, character.id, spec))
        .map(|pool| view.tokens_in(pool))
        .sum()
}

fn shown_stat(character: &Character, stat: &'static Field) -> Option<ShownValue> {
    let value = character.sheet.value(stat.id)?;
    let text = in_words(value);
    let number = value.number().unwrap_or(0);

    if let Some(most) = character.sheet.most(stat) {
        let role = if number * 2 > most {
            Role::Text
        } else {
            health_role(number, most)
        };
        return Some(ShownValue::new(format!("{text}/{most}"), role));
    }

    let starts_at_zero = stat.start == Some(Value::Number(0));
    let is_reduced = is_reduced_die(character, stat);
    let is_harm = stat.state && starts_at_zero && number > 0;
    let role = if is_reduced || is_harm {
        Role::Warning
    } else {
        Role::Text
    };
    let is_idle = match value {
        Value::Number(0) => starts_at_zero,
        Value::Flag(false) => true,
        _ => false,
    };
    Some(ShownValue {
        is_idle,
        ..ShownValue::new(text, role)
    })
}

/// Returns true for a die below its maximum.
fn is_reduced_die(character: &Character, stat: &Field) -> bool {
    let Some(die) = character.sheet.die(stat.id) else {
        return false;
    };
    let maximum = stat.at_most.and_then(|id| character.sheet.die(id));
    maximum.is_some_and(|maximum| die < maximum)
}

fn shown_pool(pool: &TokenPool, tokens: i32, spec: &PoolSpec) -> ShownValue {
    let role = match tokens {
        0 => Role::Muted,
        ..0 => Role::TokenDebt,
        1.. => Role::Token,
    };
    let number = tokens::number(tokens);
    let text = match pool.cap {
        Some(cap) if token_signs(spec) > 0 => format!("{number}/{cap}"),
        _ => number,
    };
    ShownValue {
        is_idle: tokens == 0 && spec.start == 0,
        ..ShownValue::new(text, role)
    }
}

fn shown_clock(view: &ClockView<'_>) -> ShownValue {
    let segments = view.clock.segments.count();
    let role = match view.filled {
        _ if view.clock.is_full() => Role::Danger,
        Some(0) => Role::Muted,
        _ => Role::CountdownFill,
    };
    let filled = match view.filled {
        Some(filled) => filled.to_string(),
        None => "?".to_owned(),
    };
    ShownValue {
        is_idle: view.filled == Some(0),
        ..ShownValue::new(format!("{filled}/{segments}"), role)
    }
}

/// Returns the role of a number with a maximum.
fn health_role(number: i32, most: i32) -> Role {
    let quarters = number.saturating_mul(4);
    if quarters <= most {
        Role::Danger
    } else if quarters <= most * 2 {
        Role::Warning
    } else {
        Role::Success
    }
}

pub(crate) fn in_words(value: &Value) -> String {
    match value.number() {
        Some(number) => tokens::number(number),
        None => value.to_string(),
    }
}

/// Returns a value of a card in its place: the abbreviation, the bar, and the value. The line is empty if the card hides
/// the value.
pub(super) fn value_line(
    character: &Character,
    slot: ValueSlot,
    context: ViewContext<'_>,
) -> Line<'static> {
    let entry = slot.entry;
    let Some(shown) = shown_value(character, entry, context.view) else {
        return Line::default();
    };
    if shown.is_hidden(entry, context.view) {
        return Line::default();
    }

    let mut line = context.line(format!("{} ", entry.short()), Role::Muted);
    // A value that is longer than usual takes the room of its bar.
    let least_width = line_columns(&line) + columns(&shown.text) + 1;
    let free_cells = slot.width.saturating_sub(least_width);
    let bar_cells = slot.bar_cells.min(free_cells);
    if bar_cells > 0 {
        let slot = ValueSlot { bar_cells, ..slot };
        let bar = value_bar(character, slot, context);
        line.spans.extend(bar);
        line.push_span(" ");
    }

    // Numbers end in the same column.
    let is_plain_number = slot.bar_cells == 0 && !shown.text.contains('/') && is_number(entry);
    if is_plain_number {
        let used = line_columns(&line) + columns(&shown.text);
        let padding = usize::from(slot.width.saturating_sub(used));
        line.push_span(" ".repeat(padding));
    }
    line.push_span(context.span(shown.text, shown.role));

    let zeros = context.view.system().spec().card.zeros;
    let is_idle_zero = shown.is_idle && zeros != Zeros::Show;
    if character.absent || is_idle_zero {
        for span in &mut line.spans {
            span.style = context.look.style(Role::Muted).add_modifier(Modifier::DIM);
        }
    }
    line
}

fn is_number(entry: CardEntry) -> bool {
    match entry {
        CardEntry::Stat(stat) => matches!(stat.kind, Kind::Number { .. }),
        CardEntry::Pool(_) => true,
        CardEntry::Clock(_) | CardEntry::Conditions => false,
    }
}

fn value_bar(
    character: &Character,
    slot: ValueSlot,
    context: ViewContext<'_>,
) -> Vec<Span<'static>> {
    let cells = slot.bar_cells;
    match slot.entry {
        CardEntry::Stat(stat) => {
            let number = character.sheet.number(stat.id).unwrap_or(0);
            let most = character.sheet.most(stat).unwrap_or(0);
            let role = health_role(number, most);
            let level = BarLevel {
                current: number,
                maximum: most,
            };
            bar(level, cells, role, context.look).spans
        }
        CardEntry::Pool(spec) => match rows::rule_pool(context.view, character.id, spec) {
            Some(pool) => tokens::pips(pool, cells, context).spans,
            None => Vec::new(),
        },
        CardEntry::Clock(spec) => match rows::rule_clock(context.view, character.id, spec) {
            Some(clock) => clocks::face(&clock, context).bar(cells).spans,
            None => Vec::new(),
        },
        CardEntry::Conditions => Vec::new(),
    }
}

/// A value in a list that is ordered by height.
struct RankedValue {
    entry: CardEntry,
    line: Line<'static>,
    /// The number, or the sides of the die. `None` for pools and clocks, which come last.
    height: Option<i32>,
}

/// Returns the values of `then` that have no places: texts, lists, and all of them if they are ordered by height.
pub(super) fn list_parts(
    character: &Character,
    context: ViewContext<'_>,
) -> Vec<(Option<CardEntry>, Line<'static>)> {
    let card = &context.view.system().spec().card;
    let is_by_height = card.order == tableside_rules::CardOrder::Highest;
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
            vec![context.line(text.trim().to_owned(), role)]
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
