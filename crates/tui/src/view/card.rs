//! The card of a character, on the table.
//!
//! [`places`] computes the places of the values from the system and the size of the card. [`value`] and [`state`]
//! return their texts.

mod flow;
mod heights;
mod lists;
mod name_row;
mod pen;
mod places;
mod planner;
mod row_value;
mod single_row;
mod state;
mod stops;
mod value;
mod value_width;

use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use crate::Role;
use crate::app::list::ListId;
use crate::app::rows::{self, CardValue};
use crate::app::state::{Panel, Tab};
use crate::view::card::flow::flow;
use crate::view::card::lists::list_parts;
use crate::view::card::name_row::{NameRow, StateColumns};
use crate::view::card::places::{CardPlaces, ValuePlace};
use crate::view::card::planner::CardPlanner;
use crate::view::card::value::{ValueSlot, value_line};
use crate::view::pinned::pinned_notes;
use crate::view::{Painter, ViewContext, tokens};
use crate::widget::{ACTED, below, columns, join, left, line_columns, top};
use tableside_game::{Allegiance, Character, CharacterId, EntityKind, Pin, PoolKind};
use tableside_rules::CardEntry;

pub(super) use heights::{CardHeights, LIST_ROWS, card_heights, head_rows};
pub(super) use lists::{CardLists, has_list, row_list};
pub(super) use row_value::{RowValue, row_values};
pub(super) use state::{row_state, short_state, state_parts, suffered};
pub(super) use value::{in_words, shown_value};
pub(super) use value_width::column_width;

/// The least columns for texts and lists.
const LEAST_LIST: u16 = 12;
/// The least columns of a name beside the whole sign of a hidden character. With fewer columns the sign is short.
const LEAST_NAME_BESIDE_SIGN: u16 = 10;

/// The sign of a hidden character in ASCII where [`Appearance::hidden_sign`](crate::widget::Appearance::hidden_sign)
/// would leave no room for the name.
const SHORT_HIDDEN_SIGN: &str = "(h)";

/// Draws a card: the name, the state, and the values in their places. Pinned notes cover the last rows, but no value
/// that the system puts first.
pub(super) fn draw_card(character: &Character, painter: &mut Painter<'_>, area: Rect) {
    let card = without_last_column(area);
    let lists = &painter.state.table.measured.card_lists;
    let list_rows = lists.rows(card.width);
    let planner = planner(painter.context, card.width).with_list_rows(list_rows);
    let places = planner.places(card.height);
    draw_places(character, &places, painter, card);
}

/// Draws the name, the state and the values of `first` at the top of the area. Returns the area below them.
pub(super) fn draw_head(character: &Character, painter: &mut Painter<'_>, area: Rect) -> Rect {
    let card = without_last_column(area);
    let planner = planner(painter.context, card.width);

    let head = top(card, planner.head_rows());
    draw_places(character, &planner.head(), painter, head);
    below(card, head.height)
}

fn planner(context: ViewContext<'_>, width: u16) -> CardPlanner<'_> {
    let spec = context.view.system().spec();
    let has_turns = rows::is_in_turns(context.view);
    CardPlanner::new(spec, width, has_turns)
}

/// Returns the area of a card. The last column separates it from the card beside it.
fn without_last_column(area: Rect) -> Rect {
    left(area, area.width.saturating_sub(1))
}

fn draw_places(character: &Character, places: &CardPlaces, painter: &mut Painter<'_>, card: Rect) {
    let initiative = Line::from(acted(character, painter.context));
    painter.draw_line_right(on_card(places.turn, card), &initiative);

    let free = draw_name(character, places, painter, card);
    if character.health.is_none() {
        for place in &places.values {
            draw_value(character, place, painter, card);
        }
        let has_one_row = card.height < 2;
        let has_state_row = !has_one_row && !places.has_state_beside_name();
        let has_own_area = places.list.width >= LEAST_LIST;
        let list = if !has_own_area && (has_one_row || has_state_row) {
            free
        } else {
            on_card(places.list, card)
        };
        draw_list(character, list, painter);
    }

    draw_notes(character, places, painter, card);
}

/// Returns an area of the card on the screen.
fn on_card(place: Rect, card: Rect) -> Rect {
    let area = Rect {
        x: card.x + place.x,
        y: card.y + place.y,
        ..place
    };
    area.intersection(card)
}

/// Draws the name and the state. If the state has its own row or is empty, the name of the player follows.
///
/// Returns the area that an empty state leaves to a list.
fn draw_name(
    character: &Character,
    places: &CardPlaces,
    painter: &mut Painter<'_>,
    card: Rect,
) -> Rect {
    let context = painter.context;
    let state = state_parts(character, context);
    let is_grave = state::begins_gravely(character, context.view);
    let full_name = name(character, u16::MAX, context);
    let state_columns = StateColumns::new(&state, is_grave);
    let name_row = NameRow::new(places, line_columns(&full_name), state_columns);

    let state_size = name_row.state.as_size();
    let state_lines = state::fit_state(&state, is_grave, state_size);
    let state_area = on_card(name_row.state, card);
    for (line, row) in state_lines.iter().zip(state_area.rows()) {
        painter.draw_line(row, line);
    }

    let free = on_card(name_row.free, card);
    let name_area = on_card(name_row.name, card);
    let name_width = name_row.name.width;
    let mut shown_name = name(character, name_width, context);
    let is_single_row = card.height < 2;
    if is_single_row {
        painter.draw_line(name_area, &shown_name);
        return free;
    }

    // The bold name separates a card from the card above it.
    for span in &mut shown_name.spans {
        span.style = span.style.add_modifier(Modifier::BOLD);
    }
    painter.draw_line(name_area, &shown_name);

    let has_state_in_row = places.has_state_beside_name() && !state.is_empty();
    if has_state_in_row {
        return free;
    }
    let free_columns = name_width.saturating_sub(line_columns(&full_name) + 2);
    let label = aside_of(character, context);
    if line_columns(&label) <= free_columns {
        painter.draw_line_right(name_area, &label);
    }
    free
}

/// Returns true for a character of the player at this screen.
pub(super) fn is_own(character: &Character, context: ViewContext<'_>) -> bool {
    let seat = context.view.seat();
    !seat.sees_all() && seat.characters.contains(&character.id)
}

/// Returns the text beside a name: the player, or `you` for the player's own character. In the order of turns, which
/// has no headings for the sides, characters outside of the party have their side there.
fn aside_of<'a>(character: &'a Character, context: ViewContext<'a>) -> Line<'a> {
    if is_own(character, context) {
        return context.line("you", Role::Marker);
    }
    let shows_side = character.side != Allegiance::Party && rows::is_in_turns(context.view);
    let label = if shows_side {
        character.side.into_str()
    } else {
        character.player.as_str()
    };
    context.line(label, Role::Muted)
}

fn draw_value(character: &Character, place: &ValuePlace, painter: &mut Painter<'_>, card: Rect) {
    let line = placed_value(character, place.slot, painter.context);
    painter.draw_line(on_card(place.area, card), &line);
}

/// Returns a value for its slot: the abbreviation, the bar, and the value, underlined if keys change it.
pub(super) fn placed_value(
    character: &Character,
    slot: ValueSlot,
    context: ViewContext<'_>,
) -> Line<'static> {
    let line = value_line(character, slot, context);
    mark_stepped(line, character, Some(slot.entry), context)
}

/// Draws the texts and lists of `then`, and the pools that players gave the character.
fn draw_list(character: &Character, area: Rect, painter: &mut Painter<'_>) {
    if area.width < LEAST_LIST {
        return;
    }
    let context = painter.context;

    let mut parts = Vec::new();
    for (entry, line) in list_parts(character, context) {
        parts.push(mark_stepped(line, character, entry, context));
    }
    for pool in context.view.pools_of(Some(character.id)) {
        if pool.kind == PoolKind::Own {
            let name = context.line(pool.name.clone(), Role::Muted);
            let amount = tokens::amount(pool, context);
            parts.push(join([name, amount], " "));
        }
    }

    let lines = flow(&parts, area.width, area.height);
    for (line, row) in lines.iter().zip(area.rows()) {
        painter.draw_line(row, line);
    }
}

fn draw_notes(character: &Character, places: &CardPlaces, painter: &mut Painter<'_>, card: Rect) {
    let notes = pinned_notes(Pin::Character(character.id), painter.context);
    let free_rows = card.height.saturating_sub(places.rows_of_first);
    let note_count = u16::try_from(notes.len()).unwrap_or(u16::MAX);
    let rows = note_count.min(free_rows);

    let first_y = card.bottom() - rows;
    for (note, y) in notes.iter().zip(first_y..card.bottom()) {
        let row = Rect::new(card.x, y, card.width, 1);
        let blank = " ".repeat(row.width.into());
        painter.draw_line(row, &Line::raw(blank));
        painter.draw_line(row, note);
    }
}

/// Returns true if the cursor is on this card and a value of it is selected, which keys change.
///
/// Without a selection, keys change the first value. It is not marked, because every move of the cursor would then
/// redraw two cards.
pub(super) fn is_stepped(character: &Character, context: ViewContext<'_>) -> bool {
    let state = context.state;
    let selected = state.list(Panel::Party).id();
    let has_focus = state.tab == Tab::Table && state.panel == Panel::Party;
    let is_selected = selected == Some(ListId::Character(character.id));
    state.card_value.is_some() && has_focus && is_selected
}

/// Underlines a value if keys change it.
pub(super) fn mark_stepped(
    mut line: Line<'static>,
    character: &Character,
    entry: Option<CardEntry>,
    context: ViewContext<'_>,
) -> Line<'static> {
    let Some(entry) = entry else {
        return line;
    };
    if !is_stepped(character, context) {
        return line;
    }

    let selection = context.state.card_value;
    // A tick of a clock does not change the order of the values.
    let revision = context.view.revision_of(EntityKind::Character);
    let key = (revision, character.id, selection);
    let stepped = context.cached(1, key, || {
        CardValue::at(selection, character.id, context.view)
    });
    let Some((_, value)) = &*stepped else {
        return line;
    };
    if !value.shows(entry, context.view) {
        return line;
    }

    let last_text = line.spans.iter_mut().rfind(|span| !span.content.is_empty());
    if let Some(span) = last_text {
        let emphasis = Modifier::UNDERLINED | Modifier::BOLD;
        span.style = span.style.add_modifier(emphasis);
    }
    line
}

/// Returns the name of a character. Its role shows the side, and a sign shows that the character is hidden.
pub(super) fn name(character: &Character, room: u16, context: ViewContext<'_>) -> Line<'static> {
    let role = match character.side {
        _ if character.absent || context.view.is_down(character) => Role::Muted,
        _ if character.hidden => Role::Hidden,
        _ if is_own(character, context) => Role::Heading,
        Allegiance::Party | Allegiance::Neutral | Allegiance::Crew => Role::Text,
        Allegiance::Ally => Role::Ally,
        Allegiance::Adversary => Role::Adversary,
    };

    if character.hidden {
        return hidden_name(character, role, room, context);
    }

    let text = context.look.fit_name(&character.name, room);
    let mut name = context.span(text, role);
    if is_own(character, context) {
        name.style = name.style.add_modifier(Modifier::BOLD);
    }
    name.into()
}

/// Returns the name of a hidden character, with the sign before it.
fn hidden_name(
    character: &Character,
    role: Role,
    room: u16,
    context: ViewContext<'_>,
) -> Line<'static> {
    let long_sign = context.look.hidden_sign();
    let least_name = LEAST_NAME_BESIDE_SIGN.min(columns(&character.name));
    let has_room_for_sign = room >= columns(long_sign) + 1 + least_name;
    let sign = if has_room_for_sign {
        long_sign
    } else {
        SHORT_HIDDEN_SIGN
    };

    let name_room = room.saturating_sub(columns(sign) + 1);
    let name = context.look.fit_name(&character.name, name_room);
    let parts = [context.line(sign, Role::Hidden), context.line(name, role)];
    join(parts, " ")
}

/// Returns the initiative, with a sign if the character is on turn or has acted.
fn acted(character: &Character, context: ViewContext<'_>) -> Span<'static> {
    acted_before(character, on_turn(context), context)
}

/// Returns the character whose turn it is.
pub(super) fn on_turn(context: ViewContext<'_>) -> Option<CharacterId> {
    context.view.turns().first().map(|character| character.id)
}

/// Returns the same as [`acted`], if it is the turn of the character `on_turn`. So a list computes the turn only once.
pub(super) fn acted_before(
    character: &Character,
    on_turn: Option<CharacterId>,
    context: ViewContext<'_>,
) -> Span<'static> {
    let is_on_turn = on_turn == Some(character.id);
    let initiative = match character.initiative {
        Some(initiative) => initiative.to_string(),
        None => String::new(),
    };
    let sign = if character.acted {
        ACTED
    } else if is_on_turn {
        context.look.acting_sign()
    } else {
        ""
    };
    let role = if is_on_turn {
        Role::Warning
    } else {
        Role::Success
    };
    context.span(initiative + sign, role)
}
