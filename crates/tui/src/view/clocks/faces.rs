//! The Clocks tab with faces and bars, if all clocks fit.

use ratatui::layout::Rect;

use super::text::{clock_name, owner_name};
use super::{OWNED_CLOCKS, face};
use crate::Role;
use crate::app::state::Panel;
use crate::app::update::mouse::Spot;
use crate::view::Painter;
use crate::view::item_view::{self, ItemCell, ItemView as _};
use crate::widget::{GUTTER, after, join, left, line_columns, row};
use tableside_table::ClockView;

/// Draws the tab: clocks that players made as cards, and clocks from the rules as bars. `places` has the place of each
/// line.
pub(in crate::view) fn draw_faces(painter: &mut Painter<'_>, body: Rect, places: &[Rect]) {
    let context = painter.context;
    let list = context.state.list(Panel::Clocks);
    let mut last_owner = None;

    for (id, area) in list.lines().iter().zip(places) {
        let Some(id) = *id else {
            draw_heading(painter, *area);
            continue;
        };
        let Some(clock_view) = ClockView::find(context, id) else {
            continue;
        };

        let owner = clock_view.clock.owner;
        let is_from_rules = clock_view.clock.rule.is_some();
        if is_from_rules && last_owner != owner {
            last_owner = owner;
            let owner_x = body.x + 1;
            let owner_line = Rect::new(owner_x, area.y, area.x.saturating_sub(owner_x), 1);
            draw_owner(painter, &clock_view, owner_line);
        }

        let contents = after(*area, GUTTER);
        let name_area = || {
            if is_from_rules {
                *area
            } else {
                clock_view.name_area(context, contents)
            }
        };
        let cell = ItemCell {
            area: *area,
            gutter: left(row(*area, 0), GUTTER),
            name_area: &name_area,
        };
        let key = clock_view.card_key(context);
        item_view::draw_cell(painter, cell, id, key, |painter| {
            if is_from_rules {
                draw_bar(&clock_view, painter, contents);
            } else {
                clock_view.draw_card(painter, contents);
            }
        });
    }
}

/// Draws the heading above the clocks that the rules give to characters.
fn draw_heading<'a>(painter: &mut Painter<'a>, area: Rect) {
    painter.redraw_if_changed(area, (), |painter: &mut Painter<'a>| {
        let heading = painter.context.line(OWNED_CLOCKS, Role::Heading);
        painter.draw_line(after(area, GUTTER), &heading);
    });
}

/// Draws the name of an owner before the owner's first clock.
fn draw_owner(painter: &mut Painter<'_>, view: &ClockView<'_>, line: Rect) {
    let context = painter.context;
    let full_name = owner_name(view, context).unwrap_or("");
    let name_width = line.width.saturating_sub(GUTTER + 1);
    let area = left(after(line, GUTTER), name_width);
    painter.redraw_if_changed(area, full_name, |painter| {
        let name = context.look.fit_name(full_name, area.width);
        painter.draw_line(area, &context.line(name, Role::Text));
    });
}

/// Draws a clock from the rules in a line: its name, a bar, and its count.
fn draw_bar<'a>(view: &ClockView<'a>, painter: &mut Painter<'a>, area: Rect) {
    let context = painter.context;
    let picture = face(view, context);
    let bar = picture.bar(12);
    let bar_width = line_columns(&bar);

    let name_width = area.width.saturating_sub(bar_width + 8);
    let name = clock_name(view, context);
    painter.draw_line(left(area, name_width), &name);

    let picture_area = after(area, name_width + 1);
    let bar_area = left(picture_area, bar_width);
    painter.hits.push((bar_area, Spot::Face(view.clock.id)));
    let count = context.line(picture.count(), Role::Text);
    let bar_and_count = join([bar, count], " ");
    painter.draw_line(picture_area, &bar_and_count);
}
