//! The rows that cards need, for the layout of the table.
#![expect(dead_code, reason = "the layout of the table is about to use it")]

use crate::app::list::ListId;
use crate::view::card::face::FaceLayout;
use crate::widget::GUTTER;
use tableside_rules::SystemSpec;

/// The most rows of a card.
const MOST_ROWS: u16 = 9;
/// The least columns of a card beside others, with the gutter.
const LEAST_WIDTH: u16 = 34;

/// The rows of a card at a width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CardHeights {
    /// The least rows that show the values of `first`, without bars.
    pub(crate) minimum: u16,
    /// The rows that show the values of `first` with bars.
    pub(crate) useful: u16,
    /// The rows that show all values.
    pub(crate) full: u16,
}

/// An arrangement of cards in a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CardGrid {
    /// The number of cards in a row.
    pub(crate) in_row: u16,
    pub(crate) card_height: u16,
    /// The rows of all cards and of the headings between them.
    pub(crate) rows: u16,
}

/// The arrangements of the cards of a party, from the lowest to the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PartyRows {
    /// No value of `first` is cut.
    pub(crate) minimum: CardGrid,
    /// The values of `first` have bars.
    pub(crate) useful: CardGrid,
    /// Every value is shown.
    pub(crate) full: CardGrid,
}

/// Returns the arrangements of these cards in a panel whose contents have this width. A line without an id is a heading.
///
/// Of two arrangements with equally many rows, it is the one with more cards in a row.
pub(crate) fn party_rows(spec: &SystemSpec, lines: &[Option<ListId>], width: u16) -> PartyRows {
    let arrange = |height_of: fn(CardHeights) -> u16| {
        let most_in_row = (width / LEAST_WIDTH).max(1);
        let mut best: Option<CardGrid> = None;
        for in_row in (1..=most_in_row).rev() {
            let heights = card_heights(spec, card_width(width, in_row));
            let card_height = height_of(heights);
            let grid = CardGrid {
                in_row,
                card_height,
                rows: grid_rows(lines, in_row, card_height),
            };
            if best.is_none_or(|best| grid.rows < best.rows) {
                best = Some(grid);
            }
        }
        best.unwrap_or(CardGrid {
            in_row: 1,
            card_height: 1,
            rows: 1,
        })
    };

    PartyRows {
        minimum: arrange(|heights| heights.minimum),
        useful: arrange(|heights| heights.useful),
        full: arrange(|heights| heights.full),
    }
}

/// Returns the width of a card without the gutter before it and the blank after it.
fn card_width(panel_width: u16, in_row: u16) -> u16 {
    (panel_width / in_row).saturating_sub(GUTTER + 1)
}

fn grid_rows(lines: &[Option<ListId>], in_row: u16, card_height: u16) -> u16 {
    let mut rows = 0;
    for group in lines.split(Option::is_none) {
        let cards = u16::try_from(group.len()).unwrap_or(u16::MAX);
        rows += cards.div_ceil(in_row).saturating_mul(card_height);
    }
    let headings = lines.iter().filter(|line| line.is_none()).count();
    rows.saturating_add(u16::try_from(headings).unwrap_or(u16::MAX))
}

/// Returns the rows of a card of this width.
pub(crate) fn card_heights(spec: &SystemSpec, width: u16) -> CardHeights {
    let layout = FaceLayout::new(spec, width, false);
    let first = layout.first_values();
    let rows_with_bars = layout.rows_of(&first, true);
    let rows_without_bars = layout.rows_of(&first, false);
    let text_rows = u16::from(layout.has_texts());

    let minimum = if layout.values_in_row(&first) == first.len() && text_rows == 0 {
        1
    } else {
        1 + rows_without_bars + text_rows
    };
    let useful = (1 + rows_with_bars + text_rows).max(2);
    let full = layout.full_height(rows_with_bars);
    CardHeights {
        minimum: minimum.min(useful),
        useful: useful.min(MOST_ROWS),
        full: full.max(useful).min(MOST_ROWS),
    }
}
