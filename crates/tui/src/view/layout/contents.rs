//! The contents of the table, as far as its layout depends on them.

use ratatui::layout::Rect;

use crate::app::list::ListId;
use crate::app::state::Panel;
use crate::view::card::CardLists;
use crate::view::layout::block::FRAME_COLUMNS;
use crate::view::layout::demand::{
    CardContents, ClockContents, Demand, LEAD_ROWS, LargeCell, clocks_demand, combatants_demand,
    large_cells, party_demand, rolls_demand, tokens_demand,
};
use crate::view::layout::{WIDE, left_widths};
use crate::widget::die::DIE_ROWS;
use crate::widget::{GUTTER, in_rows};
use tableside_rules::SystemSpec;

/// The columns of the text beside the dice of the newest roll.
pub(crate) const BESIDE_DICE: u16 = 40;
/// More rows of boxes would leave no room for the list, so the dice are text.
const MAX_DICE_ROWS: u16 = 9;

/// The lines of a list. A line without an id is a heading.
pub(super) type Lines<'a> = &'a [Option<ListId>];

/// The contents of the table.
#[derive(Clone, Copy)]
pub(crate) struct TableContents<'a> {
    /// The lines of each panel, in the order of [`Panel::ALL`].
    pub(crate) lines: [Lines<'a>; 4],
    /// The rule system, which says what a card shows.
    pub(crate) spec: &'a SystemSpec,
    pub(crate) newest_dice: &'a NewestDice,
    pub(crate) card_lists: &'a CardLists,
    /// The columns of the longest name of a clock.
    pub(crate) longest_clock_name: u16,
    /// The sheet of the player's own character, which is the first line of the party. `None` for a seat without one.
    pub(crate) own_sheet: Option<&'a OwnSheet>,
    pub(crate) focus: Panel,
    /// True if the panel with the focus takes the whole table.
    pub(crate) is_maximized: bool,
    /// True if the party is a list of combatants, which stands above the other panels.
    pub(crate) is_fight: bool,
}

impl TableContents<'_> {
    fn lines_of(&self, panel: Panel) -> Lines<'_> {
        self.lines[panel as usize]
    }

    pub(super) fn is_empty(&self, panel: Panel) -> bool {
        self.lines_of(panel).is_empty()
    }

    /// Returns true if the first cell of the party is larger than the others. In a fight the party is a list.
    pub(super) fn has_large_cell(&self) -> bool {
        self.own_sheet.is_some() && !self.is_fight
    }

    /// Returns the demand of a panel whose frame has the width `frame_width`.
    pub(super) fn demand(&self, panel: Panel, frame_width: u16, body_width: u16) -> Demand {
        let lines = self.lines_of(panel);
        if lines.is_empty() {
            return Demand::default();
        }

        let width = frame_width.saturating_sub(FRAME_COLUMNS).max(1);
        match panel {
            Panel::Party if self.is_fight => combatants_demand(lines, width),
            Panel::Party => {
                let large_cells = self.large_cells(frame_width);
                let cards = CardContents {
                    spec: self.spec,
                    lists: self.card_lists,
                };
                party_demand(lines, width, cards, &large_cells)
            }
            Panel::Clocks => {
                let clocks = ClockContents {
                    longest_name: self.longest_clock_name,
                    has_column: body_width >= WIDE,
                };
                clocks_demand(lines, width, clocks)
            }
            Panel::Tokens => tokens_demand(lines, width),
            Panel::Rolls => {
                let lead_rows = self.newest_dice.lead_rows(width);
                rolls_demand(lines, width, lead_rows)
            }
        }
    }

    fn large_cells(&self, frame_width: u16) -> Vec<LargeCell> {
        match self.own_sheet {
            Some(sheet) => large_cells(self.spec, frame_width, sheet),
            None => Vec::new(),
        }
    }
}

/// The dice of the newest roll, which the panel of the rolls shows large.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct NewestDice {
    /// The columns of each die as a box. `None` if there is no roll to show.
    pub(crate) box_widths: Option<Vec<u16>>,
}

impl NewestDice {
    /// Returns the number of rows for the roll and a blank row, or 0 if there is no roll.
    fn lead_rows(&self, width: u16) -> u16 {
        let Some(box_widths) = &self.box_widths else {
            return 0;
        };

        let room = width.saturating_sub(GUTTER + BESIDE_DICE);
        let area = Rect::new(0, 0, room, u16::MAX);
        let boxes = in_rows(area, box_widths.iter().copied(), 1, DIE_ROWS);
        let dice_rows = boxes.last().map_or(0, |place| place.bottom());
        if dice_rows > MAX_DICE_ROWS {
            LEAD_ROWS
        } else {
            LEAD_ROWS.max(dice_rows + 1)
        }
    }
}

/// The sheet of a player's own character.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct OwnSheet {
    /// The height of the whole sheet for each width of its panel.
    pub(crate) heights: Vec<SheetHeight>,
}

impl OwnSheet {
    /// Returns the number of rows of the whole sheet in a panel of this width.
    pub(super) fn rows_at(&self, frame_width: u16) -> Option<u16> {
        let mut heights = self.heights.iter();
        let height = heights.find(|height| height.frame_width == frame_width)?;
        Some(height.rows)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SheetHeight {
    /// The width of the panel, with its frame.
    pub(crate) frame_width: u16,
    pub(crate) rows: u16,
}

/// Returns the widths that the panel of the party can have, with its frame.
pub(crate) fn party_widths(body_width: u16) -> Vec<u16> {
    let mut widths = vec![body_width];
    if body_width >= WIDE {
        widths.extend(left_widths(body_width));
    }
    widths
}

/// Returns the columns of a sheet in a panel of this width.
pub(crate) fn sheet_width(frame_width: u16) -> u16 {
    // A cell has a gutter before it and a space after it.
    frame_width.saturating_sub(FRAME_COLUMNS + GUTTER + 1)
}
