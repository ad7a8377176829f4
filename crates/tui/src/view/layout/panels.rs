//! The four panels of the table, laid out by their contents.

use ratatui::layout::{Rect, Size};

use crate::app::list::ListId;
use crate::app::state::Panel;
use crate::view::card::{CardLists, card_heights};
use crate::view::layout::WIDE;
use crate::view::layout::arrangement::{Block, FRAME_COLUMNS, FRAME_ROWS};
use crate::view::layout::clock_demand::clocks_demand;
use crate::view::layout::demand::{
    CardContents, Demand, LEAD_ROWS, LEAST_LARGE, Step, combatants_demand, large_cells,
    party_demand, rolls_demand, tokens_demand,
};
use crate::view::layout::stacking::{best_of, stacked, wide_arrangements};
use crate::widget::clock::SMALLEST;
use crate::widget::die::DIE_ROWS;
use crate::widget::{GUTTER, after, below, in_rows, left, row, top};
use tableside_rules::SystemSpec;

/// The least size of a body in which all panels are open.
const OPEN_PANELS: Size = Size::new(70, 15);
/// The left part of a wide screen, in twentieths of its width. The usual one comes first.
pub(super) const LEFT_PARTS: [u16; 3] = [11, 13, 9];

/// The lines of a list. A line without an id is a heading.
pub(super) type Lines<'a> = &'a [Option<ListId>];

/// The contents of the table, as far as its layout depends on them.
#[derive(Clone, Copy)]
pub(crate) struct TableContents<'a> {
    /// The lines of each panel, in the order of [`Panel::ALL`].
    pub(crate) lines: [Lines<'a>; 4],
    /// The rule system, which says what a card shows.
    pub(crate) spec: &'a SystemSpec,
    pub(crate) newest_dice: &'a NewestDice,
    pub(crate) card_lists: &'a CardLists,
    /// The sheet of the player's own character, which is the first line of the party. `None` for a seat without one.
    pub(crate) own_sheet: Option<&'a OwnSheet>,
    pub(crate) focus: Panel,
    /// True if the panel with the focus takes the whole table.
    pub(crate) is_maximized: bool,
    /// True if the party is a list of combatants, which stands above the other panels.
    pub(crate) is_fight: bool,
}

/// The dice of the newest roll, which the panel of the rolls shows large.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct NewestDice {
    /// The columns of each die as a box. `None` if there is no roll to show.
    pub(crate) box_widths: Option<Vec<u16>>,
}

/// The sheet of a player's own character.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct OwnSheet {
    /// The rows of the whole sheet for each width of its panel, with the frame.
    pub(crate) heights: Vec<SheetHeight>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SheetHeight {
    pub(crate) frame_width: u16,
    pub(crate) rows: u16,
}

/// Returns the widths that the panel of the party can have, with its frame.
pub(crate) fn party_widths(body_width: u16) -> Vec<u16> {
    let mut widths = vec![body_width];
    if body_width >= WIDE {
        widths.extend(LEFT_PARTS.map(|part| body_width * part / 20));
    }
    widths
}

/// Returns the columns of a sheet in a panel of this width.
pub(crate) fn sheet_width(frame_width: u16) -> u16 {
    // A cell has a gutter before it and a blank after it.
    frame_width.saturating_sub(FRAME_COLUMNS + GUTTER + 1)
}

/// The columns of the text beside the dice of the newest roll.
pub(crate) const BESIDE_DICE: u16 = 40;
/// More rows of boxes would leave no room for the list, so the dice are text.
const MAX_DICE_ROWS: u16 = 9;

impl NewestDice {
    /// Returns the rows for the roll and a blank row, or 0 if there is no roll.
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

/// The place of a panel and of the cells in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PanelLayout {
    pub(crate) panel: Panel,
    /// The whole panel. A folded panel consists only of its title.
    pub(crate) frame: Rect,
    /// The area of the cells.
    pub(crate) inner: Rect,
    /// The area above the cells for a larger picture of the newest roll. It may be empty.
    pub(crate) lead: Rect,
    /// The rows of the first cell if it is as wide as the panel, for a player's own character. 0 if it is like the others.
    pub(crate) large: u16,
    /// The number of cells in a row.
    pub(crate) in_row: u16,
    pub(crate) cell: Size,
    /// The rows of a cell below the first heading.
    pub(crate) later_height: u16,
}

impl PanelLayout {
    /// Returns a panel with a frame, whose contents are shown as in this step.
    pub(super) fn framed(panel: Panel, frame: Rect, step: Step) -> Self {
        let contents = after(below(frame, 1), 2);
        let contents = top(contents, frame.height.saturating_sub(FRAME_ROWS));
        let contents = left(contents, frame.width.saturating_sub(FRAME_COLUMNS));
        let in_row = (contents.width / step.cell.width.max(1)).max(1);

        Self {
            panel,
            frame,
            inner: below(contents, step.lead),
            lead: top(contents, step.lead),
            large: step.large,
            in_row,
            cell: Size::new(contents.width / in_row, step.cell.height.max(1)),
            later_height: step.later_height.max(1),
        }
    }

    /// Returns a panel that consists only of its title, with `contents` below it.
    pub(super) fn folded(panel: Panel, frame: Rect) -> Self {
        let contents = below(frame, 1);
        let width = frame.width.saturating_sub(1);
        Self {
            panel,
            frame,
            inner: left(contents, width),
            lead: top(contents, 0),
            large: 0,
            in_row: 1,
            cell: Size::new(width.max(1), 1),
            later_height: 1,
        }
    }

    /// Returns true if the panel is not on the screen, because another one is maximised.
    pub(crate) fn is_absent(&self) -> bool {
        self.frame.is_empty()
    }

    /// Returns the number of rows of cells in sight.
    pub(crate) fn rows(&self) -> usize {
        let rows = (self.inner.height + self.spare_rows()) / self.cell.height.max(1);
        rows.into()
    }

    /// Returns the rows that the last row of cells can do without. A clock's cell ends with a blank row.
    fn spare_rows(&self) -> u16 {
        let has_faces = self.panel == Panel::Clocks && self.cell.height > SMALLEST;
        u16::from(has_faces)
    }

    /// Returns true if the cell of this line is as wide as the panel.
    pub(crate) fn is_large(&self, line: usize) -> bool {
        line == 0 && self.large > 0
    }

    /// Returns the place of each line, relative to the first one. A heading takes a whole row.
    pub(crate) fn places(&self, lines: Lines<'_>) -> Vec<Rect> {
        let mut places = Vec::with_capacity(lines.len());
        let mut column = 0;
        let mut y = 0_u16;
        let mut cell_height = self.cell.height;
        let mut has_cells = false;

        for (line, id) in lines.iter().enumerate() {
            if self.is_large(line) {
                places.push(Rect::new(0, 0, self.inner.width, self.large));
                y = self.large;
                continue;
            }

            let is_heading = id.is_none();
            if column == self.in_row || (is_heading && column > 0) {
                column = 0;
                y = y.saturating_add(cell_height);
            }

            if is_heading {
                if has_cells {
                    cell_height = self.later_height;
                }
                places.push(Rect::new(0, y, self.inner.width, 1));
                y = y.saturating_add(1);
            } else {
                let x = column * self.cell.width;
                places.push(Rect::new(x, y, self.cell.width, cell_height));
                column += 1;
                has_cells = true;
            }
        }

        places
    }

    /// Returns the area of a place on the screen if it is completely in sight. `scrolled` is the number of rows above the
    /// visible ones.
    pub(crate) fn in_sight(&self, place: Rect, scrolled: usize) -> Option<Rect> {
        let scrolled = u16::try_from(scrolled).ok()?;
        let y = place.y.checked_sub(scrolled)?;
        let area = Rect {
            x: self.inner.x + place.x,
            y: self.inner.y.saturating_add(y),
            ..place
        };

        let visible = self.inner.intersection(area);
        if visible.height + self.spare_rows() >= area.height {
            Some(visible)
        } else {
            None
        }
    }
}

/// Returns the line of the scene, and the area below it.
pub(crate) fn scene_line(body: Rect) -> (Rect, Rect) {
    (row(body, 0), below(body, 1))
}

/// Computes the layout of the four panels, in the order of [`Panel::ALL`].
pub(super) fn panel_layouts(body: Rect, contents: &TableContents<'_>) -> [PanelLayout; 4] {
    let (_, body) = scene_line(body);
    let is_open = body.width >= OPEN_PANELS.width && body.height >= OPEN_PANELS.height;

    if contents.is_maximized {
        maximized_panel(body, contents)
    } else if is_open {
        let arrangements = if body.width < WIDE || contents.is_fight {
            vec![stacked(body, contents)]
        } else {
            wide_arrangements(body, contents)
        };
        best_of(&arrangements, body, contents)
    } else {
        folded_panels(body, contents)
    }
}

/// Computes the panels of a small screen: the focused one is open, the other ones show only their titles.
pub(super) fn folded_panels(body: Rect, contents: &TableContents<'_>) -> [PanelLayout; 4] {
    let open_height = body.height.saturating_sub(3);
    let mut free = body;

    Panel::ALL.map(|panel| {
        let is_open = panel == contents.focus;
        let height = if is_open { open_height } else { 1 };
        let frame = top(free, height);
        free = below(free, height);

        let mut layout = PanelLayout::folded(panel, frame);
        if is_open && panel == Panel::Party && contents.has_large_cell() {
            let card = card_heights(contents.spec, layout.inner.width.saturating_sub(GUTTER + 1));
            // At least one row is left for the others.
            let most = layout.inner.height.saturating_sub(1);
            if most >= LEAST_LARGE {
                layout.large = card.compact.clamp(LEAST_LARGE, most);
            }
        }
        layout
    })
}

/// Computes the panels if the focused one takes the whole table.
fn maximized_panel(body: Rect, contents: &TableContents<'_>) -> [PanelLayout; 4] {
    let rows = body.height.saturating_sub(FRAME_ROWS);
    Panel::ALL.map(|panel| {
        if panel != contents.focus {
            return PanelLayout::folded(panel, Rect::new(body.x, body.y, 0, 0));
        }
        let demand = contents.demand(panel, body.width, body.width);
        match demand.step_within(rows) {
            Some(step) => PanelLayout::framed(panel, body, step),
            None => PanelLayout::folded(panel, top(body, 1)),
        }
    })
}

impl TableContents<'_> {
    fn lines_of(&self, panel: Panel) -> Lines<'_> {
        self.lines[panel as usize]
    }

    /// Returns true if the first cell of the party is larger than the others. In a fight the party is a list.
    fn has_large_cell(&self) -> bool {
        self.own_sheet.is_some() && !self.is_fight
    }

    pub(super) fn is_empty(&self, panel: Panel) -> bool {
        self.lines_of(panel).is_empty()
    }

    /// Returns the rows that a panel asks for if its frame has this width in a body of that width.
    pub(super) fn demand(&self, panel: Panel, frame_width: u16, body_width: u16) -> Demand {
        let lines = self.lines_of(panel);
        if lines.is_empty() {
            return Demand::default();
        }

        let width = frame_width.saturating_sub(FRAME_COLUMNS).max(1);
        match panel {
            Panel::Party if self.is_fight => combatants_demand(lines, width),
            Panel::Party => {
                let large_cells = match self.own_sheet {
                    Some(sheet) => large_cells(self.spec, frame_width, sheet),
                    None => Vec::new(),
                };
                let cards = CardContents {
                    spec: self.spec,
                    lists: self.card_lists,
                };
                party_demand(lines, width, cards, &large_cells)
            }
            Panel::Clocks => clocks_demand(lines, width, body_width >= WIDE),
            Panel::Tokens => tokens_demand(lines, width),
            Panel::Rolls => rolls_demand(lines, width, self.newest_dice.lead_rows(width)),
        }
    }

    /// Returns the block of a panel: a frame, or a line if it is empty.
    pub(super) fn block(&self, panel: Panel) -> Block {
        if self.is_empty(panel) {
            Block::Hint(panel)
        } else {
            Block::Panel(panel)
        }
    }

    /// Returns the panels of these that are not empty.
    pub(super) fn filled(&self, panels: &[Panel]) -> Vec<Block> {
        panels
            .iter()
            .filter(|panel| !self.is_empty(**panel))
            .map(|panel| Block::Panel(*panel))
            .collect()
    }

    /// Returns the empty panels below the party, side by side in one line.
    pub(super) fn hints(&self, width: u16) -> Option<Block> {
        let empty_panels: Vec<Panel> = [Panel::Clocks, Panel::Tokens, Panel::Rolls]
            .into_iter()
            .filter(|panel| self.is_empty(*panel))
            .collect();
        // The hint of the tokens is the longest one.
        let ends: &[u16] = match empty_panels.len() {
            3 => &[width * 8 / 24, width * 17 / 24],
            _ => &[width / 2],
        };

        let mut empty_panels = empty_panels.into_iter();
        let mut hints = Block::Hint(empty_panels.next()?);
        for (panel, end) in empty_panels.zip(ends) {
            hints = Block::beside(hints, Block::Hint(panel), *end);
        }
        Some(hints)
    }
}
