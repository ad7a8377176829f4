//! The sheets of the items of a list, which show [`ItemView::facts`] in frames.
//!
//! As many sheets stand side by side as fit. Their order is that of the list, so they do not move with the cursor.

use std::hash::BuildHasher as _;

use ratatui::layout::{Margin, Rect};
use ratatui::text::Line;
use rustc_hash::FxBuildHasher;

use crate::Role;
use crate::app::list::{List, ListId};
use crate::app::update::mouse::Spot;
use crate::view::{ItemView, Painter, ViewContext};
use crate::widget::{
    MARKER, MoreRows, PanelFrame, after, below, columns, left, line_columns, right, row, top,
};

/// The least columns of the name of a fact, with the blanks after it.
const NAMES: u16 = 18;
/// Sheets that are at least this wide have two columns.
const TWICE: u16 = 90;
/// Several sheets share an area that has at least this size.
const SHARED: (u16, u16) = (TWICE, 20);
/// The least columns of a sheet beside others.
const LEAST: u16 = 48;

/// The place of a sheet on one of the pages.
struct Sheet {
    id: ListId,
    page: usize,
    area: Rect,
    told: u64,
}

/// Draws the page with the sheet of the selected item.
pub(super) fn draw<'a, T: ItemView<'a>>(painter: &mut Painter<'a>, area: Rect, list: &List) {
    let context = painter.context;
    let ids = neighbours(list);
    let drawn_from = (
        context.view.revision(),
        &context.state.filled_before,
        &ids,
        area,
    );
    let sheets = context.cached(1, drawn_from, || sheets::<T>(context, &ids, area));
    let here = sheets.iter().find(|sheet| list.id() == Some(sheet.id));
    let page = sheets
        .iter()
        .filter(|sheet| here.is_some_and(|here| here.page == sheet.page));
    let page: Vec<&Sheet> = page.collect();
    let places: Vec<Rect> = page.iter().map(|sheet| sheet.area).collect();
    let has_others = page.len() > 1;
    if has_others {
        painter.redraw_if_changed(area, places, |_| {});
    }
    for sheet in page {
        painter.redraw_if_changed(sheet.area, (sheet.id, sheet.told), |painter| {
            painter.hits.push((sheet.area, Spot::Listed(sheet.id)));
            if let Some(thing) = T::find(context, sheet.id) {
                draw_sheet(painter, sheet.area, &thing);
            }
        });
        // A sign changes one cell. A brighter frame would change cells on each row.
        let place = left(after(row(sheet.area, 0), 1), 1);
        let is_here = has_others && list.id() == Some(sheet.id);
        painter.redraw_if_changed(place, is_here, |painter| {
            let sign = if is_here { MARKER } else { " " };
            painter.draw_line(place, &context.line(sign, Role::Marker));
        });
    }
}

/// Returns the items that share pages with the selected item, so that the rest of a long list need not be composed.
fn neighbours(list: &List) -> Vec<ListId> {
    // Rows of two, three, four or six sheets leave no gap.
    const WINDOW: usize = 12;

    let ids: Vec<ListId> = list.lines().iter().flatten().copied().collect();
    let cursor = ids.iter().position(|id| list.id() == Some(*id));
    let window = cursor.unwrap_or(0) / WINDOW;
    ids.chunks(WINDOW).nth(window).unwrap_or_default().to_vec()
}

/// The sheets of these things, on pages of so much room: as few side by side as leave the fewest pages.
fn sheets<'a, T: ItemView<'a>>(context: ViewContext<'a>, ids: &[ListId], area: Rect) -> Vec<Sheet> {
    let found = ids
        .iter()
        .copied()
        .filter_map(|id| Some((id, T::find(context, id)?)));
    let all: Vec<_> = found
        .map(|(id, thing)| {
            let facts = facts_of(&thing, context);
            let beside = thing.aside(context, area.height.into());
            (
                id,
                facts,
                (thing.title(context), thing.card_key(context), beside),
            )
        })
        .collect();
    let is_shared = area.width >= SHARED.0 && area.height >= SHARED.1;
    let most = if is_shared { area.width / LEAST } else { 1 };
    let pages = |in_row: u16| {
        let mut pages: Vec<Vec<(&[_], u16)>> = Vec::new();
        let mut rest = 0;
        for row in all.chunks(in_row.into()) {
            let wide = (area.width / in_row).saturating_sub(4).max(1);
            let wide = if wide >= TWICE { wide / 2 - 1 } else { wide };
            let high = row.iter().map(|(_, facts, _)| rows_of(facts, wide)).max();
            let high = u16::try_from(high.unwrap_or(0) + 2).unwrap_or(u16::MAX);
            let high = if is_shared { high } else { u16::MAX }.min(area.height);
            match pages.last_mut() {
                Some(page) if high <= rest => page.push((row, high)),
                _ => {
                    pages.push(vec![(row, high)]);
                    rest = area.height;
                }
            }
            rest -= high;
        }
        pages
    };
    let pages = (1..=most).map(pages).min_by_key(Vec::len);
    let mut sheets = Vec::new();
    for (page, rows) in pages.into_iter().flatten().enumerate() {
        let spare = area.height - rows.iter().map(|(_, high)| high).sum::<u16>();
        let spare = spare / u16::try_from(rows.len()).unwrap_or(1);
        let mut rest = area;
        for (row, high) in rows {
            let mut places = top(rest, high + spare);
            rest = below(rest, places.height);
            for ((id, facts, more), left_over) in row.iter().zip((1..=row.len()).rev()) {
                let wide = places.width / u16::try_from(left_over).unwrap_or(1);
                sheets.push(Sheet {
                    id: *id,
                    page,
                    area: left(places, wide),
                    told: FxBuildHasher.hash_one((facts, more)),
                });
                places = after(places, wide);
            }
        }
    }
    sheets
}

/// Returns the facts about an item. At most one blank line separates two of them.
fn facts_of<'a, T: ItemView<'a>>(thing: &T, context: ViewContext<'a>) -> Vec<(&'a str, Line<'a>)> {
    let mut facts = thing.facts(context);
    let is_gap = |(name, fact): &(&str, Line<'_>)| name.is_empty() && fact.spans.is_empty();
    facts.dedup_by(|next, one| is_gap(next) && is_gap(one));
    facts.pop_if(|last| is_gap(last));
    facts
}

/// The columns of the names of facts.
fn names_of(facts: &[(&str, Line<'_>)], wide: u16) -> u16 {
    let names = facts.iter().map(|(name, _)| columns(name) + 2);
    names.max().unwrap_or(0).max(NAMES).min(wide / 2)
}

/// Estimates the rows that facts take at this width.
fn rows_of(facts: &[(&str, Line<'_>)], wide: u16) -> usize {
    let names = names_of(facts, wide);
    let rows = facts.iter().map(|(name, fact)| {
        let lines = line_columns(fact).div_ceil(wide).max(1);
        let is_beneath = !name.is_empty() && !is_beside(name, fact, (names, wide));
        usize::from(lines) + usize::from(is_beneath)
    });
    rows.sum()
}

/// Returns true if a fact fits in the row of its name.
fn is_beside(name: &str, fact: &Line<'_>, (names, wide): (u16, u16)) -> bool {
    columns(name) < names && line_columns(fact) + names <= wide
}

/// Draws the facts in a frame, and the aside in the free rows or columns.
fn draw_sheet<'a, T: ItemView<'a>>(painter: &mut Painter<'a>, frame: Rect, thing: &T) {
    let context = painter.context;
    let (title, note) = thing.title(context);
    let panel = PanelFrame {
        note,
        ..PanelFrame::new(title, context.look)
    };
    let inner = painter.draw_frame(frame, &panel);
    let all = thing.draw_picture(painter, inner);
    let is_wide = all.width >= TWICE;
    let half = all.width / (1 + u16::from(is_wide));
    let beside = is_wide.then(|| thing.aside(context, all.height.into()));
    // Facts that do not fit continue in the second column, below the aside.
    let more = painter.draw_paragraphs(after(all, half + 1), &beside.unwrap_or_default());
    let mut more = below(more, u16::from(more.height < all.height));
    let mut rest = left(all, half - u16::from(is_wide));
    let facts = facts_of(thing, context);
    let names = names_of(&facts, rest.width);
    let mut is_cut = false;
    for (name, fact) in facts {
        if rest.is_empty() {
            rest = std::mem::take(&mut more);
        }
        is_cut = rest.is_empty();
        let beside = after(row(rest, 0), names);
        let name_line = context.line(name, Role::Muted);
        rest = if name.is_empty() {
            painter.draw_paragraph(rest, &fact)
        } else if !is_beside(name, &fact, (names, rest.width)) {
            painter.draw_paragraphs(rest, &[name_line, fact])
        } else {
            painter.draw_line(left(rest, names.saturating_sub(1)), &name_line);
            painter.draw_line(beside, &fact);
            below(rest, 1)
        };
    }
    let spare = below(rest, 1);
    if !is_wide && spare.height > 1 {
        painter.draw_paragraphs(spare, &thing.aside(context, spare.height.into()));
    }
    let edge = right(frame, 1).inner(Margin::new(0, 1));
    let look = context.look;
    let more = MoreRows {
        above: false,
        below: is_cut,
    };
    look.put_more(more, edge, Role::Border, painter.buffer);
}
