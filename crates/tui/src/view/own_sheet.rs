//! The sheet of a player's own character, which is the first cell of the party on the table.
//!
//! Its head is a card with the values that the system puts first. Below it follow all other values in groups, if there
//! is room for all of them. Otherwise the cell is a card.

use ratatui::layout::Rect;

use crate::app::rows;
use crate::app::state::Panel;
use crate::view::ViewContext;
use crate::view::card;
use crate::view::layout::{OwnSheet, SheetHeight, party_widths, screen_layout, sheet_width};
use crate::view::painter::Painter;
use crate::view::party;
use crate::view::sheets::{Arrangement, FactGroup};
use tableside_game::Character;
use tableside_table::SeatView;

/// The numbers of stats without a group that may stay together. The one with the lowest sheet is used.
const MOST_UNGROUPED: [usize; 3] = [7, 5, 4];

/// Returns the character whose cell on the table is a sheet: the first one of the party, if the player plays it.
pub(super) fn own_character<'a>(view: &'a SeatView<'a>) -> Option<&'a Character> {
    let seat = view.seat();
    if seat.sees_all() || seat.characters.is_empty() {
        return None;
    }

    let first_line = rows::lines(Panel::Party, None, view).into_iter().next()?;
    let first = view.game().character(first_line?.try_as_character()?)?;
    if seat.characters.contains(&first.id) {
        Some(first)
    } else {
        None
    }
}

/// Measures the sheet for each width that the panel of the party can have.
pub(super) fn measure<'a>(character: &'a Character, context: ViewContext<'a>) -> OwnSheet {
    let Some(parts) = screen_layout(context.state.size) else {
        return OwnSheet::default();
    };

    let spec = context.view.system().spec();
    let heights = party_widths(parts.body.width)
        .into_iter()
        .map(|frame_width| {
            let width = sheet_width(frame_width);
            let groups = groups(character, width, context);
            let rows_of_groups = Arrangement::new(&groups, width).height();
            SheetHeight {
                frame_width,
                rows: card::head_rows(spec, width).saturating_add(rows_of_groups),
            }
        });
    OwnSheet {
        heights: heights.collect(),
    }
}

/// Returns the facts below the head, with the stats without a group divided so that the sheet is low.
fn groups<'a>(
    character: &'a Character,
    width: u16,
    context: ViewContext<'a>,
) -> Vec<FactGroup<'a>> {
    let head = context.view.system().spec().card.first;
    let mut best = party::sheet_groups(character, head, MOST_UNGROUPED[0], context);
    let mut best_height = Arrangement::new(&best, width).height();
    for most_ungrouped in &MOST_UNGROUPED[1..] {
        let groups = party::sheet_groups(character, head, *most_ungrouped, context);
        let height = Arrangement::new(&groups, width).height();
        if height < best_height {
            best = groups;
            best_height = height;
        }
    }
    best
}

/// Draws the sheet, or a card if the area is too low for a sheet.
pub(super) fn draw<'a>(character: &'a Character, painter: &mut Painter<'a>, area: Rect) {
    let context = painter.context;
    let width = area.width.saturating_sub(1);
    let groups = groups(character, width, context);
    let arrangement = Arrangement::new(&groups, width);
    let head_rows = card::head_rows(context.view.system().spec(), width);

    if head_rows.saturating_add(arrangement.height()) > area.height {
        card::draw_card(character, painter, area);
        return;
    }
    let mut below_head = card::draw_head(character, painter, area);
    below_head.width = width;
    arrangement.draw(painter, below_head);
}
