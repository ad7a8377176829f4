//! The four panels of the table, laid out by their contents.

use ratatui::layout::{Rect, Size};

use crate::app::state::Panel;
use crate::view::card::card_heights;
use crate::view::layout::WIDE;
use crate::view::layout::arrangements::{fight_arrangements, stacked, wide_arrangements};
use crate::view::layout::block::{Block, FRAME_ROWS};
use crate::view::layout::contents::TableContents;
use crate::view::layout::demand::{Demand, LEAST_LARGE_ROWS};
use crate::view::layout::panel_layout::PanelLayout;
use crate::view::layout::per_panel::PerPanel;
use crate::view::layout::sharing::shared_rows;
use crate::widget::{GUTTER, below, row, top};

/// The least size of a body in which all panels are open.
const OPEN_PANELS: Size = Size::new(70, 15);
/// The least columns of the panels in a fight in which the clocks may take the whole width.
const WIDE_FIGHT: u16 = 86;
/// The maximum number of blank rows of a panel while another panel cuts its contents.
const MAX_BLANK_ROWS: u16 = 2;
/// The cost of a cut row of each panel, in the order of [`Panel::ALL`].
const CUT_WEIGHTS: PerPanel<u32> = PerPanel::new([16, 8, 4, 2]);

/// An arrangement with the rows of its panels.
struct Arranged {
    panels: PerPanel<PanelLayout>,
    /// The number of rows that are cut or wasted, weighted by panel.
    cost: u32,
}

/// Returns the line of the scene, and the area below it.
pub(crate) fn scene_line(body: Rect) -> (Rect, Rect) {
    (row(body, 0), below(body, 1))
}

/// Lays out the four panels below the scene line: the maximised panel alone, the arrangement that cuts least, or on a
/// small body one open panel and three titles.
pub(super) fn panel_layouts(body: Rect, contents: &TableContents<'_>) -> PerPanel<PanelLayout> {
    let (_, body) = scene_line(body);
    let is_open = body.width >= OPEN_PANELS.width && body.height >= OPEN_PANELS.height;

    if contents.is_maximized {
        maximized_panel(body, contents)
    } else if is_open {
        let arrangements = if contents.is_fight && body.width >= WIDE_FIGHT {
            fight_arrangements(body, contents)
        } else if contents.is_fight || body.width < WIDE {
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
fn folded_panels(body: Rect, contents: &TableContents<'_>) -> PerPanel<PanelLayout> {
    let open_height = body.height.saturating_sub(3);
    let mut free = body;

    PerPanel::from_fn(|panel| {
        let is_open = panel == contents.focus;
        let height = if is_open { open_height } else { 1 };
        let frame = top(free, height);
        free = below(free, height);

        let mut layout = PanelLayout::folded(panel, frame);
        if is_open && panel == Panel::Party && contents.has_large_cell() {
            layout.large_rows = large_rows_without_frame(layout.inner, contents);
        }
        layout
    })
}

/// Returns the height of the player's own character's cell in the open panel of a small screen, or 0 if it is like the
/// others.
fn large_rows_without_frame(inner: Rect, contents: &TableContents<'_>) -> u16 {
    let card_width = inner.width.saturating_sub(GUTTER + 1);
    let card = card_heights(contents.spec, card_width);
    // At least one row is left for the others.
    let most_rows = inner.height.saturating_sub(1);
    if most_rows < LEAST_LARGE_ROWS {
        return 0;
    }
    card.compact.clamp(LEAST_LARGE_ROWS, most_rows)
}

/// Computes the panels if the focused one takes the whole table.
fn maximized_panel(body: Rect, contents: &TableContents<'_>) -> PerPanel<PanelLayout> {
    let rows = body.height.saturating_sub(FRAME_ROWS);
    PerPanel::from_fn(|panel| {
        if panel != contents.focus {
            let absent = Rect::new(body.x, body.y, 0, 0);
            return PanelLayout::folded(panel, absent);
        }
        let demand = contents.demand(panel, body.width, body.width);
        match demand.step_within(rows) {
            Some(step) => PanelLayout::framed(panel, body, step),
            None => PanelLayout::folded(panel, top(body, 1)),
        }
    })
}

/// Returns the panels of the arrangement that cuts least. The first of equals wins.
fn best_of(
    arrangements: &[Block],
    body: Rect,
    contents: &TableContents<'_>,
) -> PerPanel<PanelLayout> {
    let arranged = arrangements
        .iter()
        .map(|block| arrange(block, body, contents))
        .min_by_key(|arranged| arranged.cost);
    match arranged {
        Some(arranged) => arranged.panels,
        None => folded_panels(body, contents),
    }
}

/// Shares out the rows of the body to the panels of an arrangement.
fn arrange(block: &Block, body: Rect, contents: &TableContents<'_>) -> Arranged {
    let widths = block.widths(body.width);
    let demands = PerPanel::from_fn(|panel| contents.demand(panel, widths[panel], body.width));
    let rows = shared_rows(block, body, &demands, contents.is_fight);

    let is_cut = |panel| demands[panel].cut_rows(rows[panel]) > 0;
    let used_rows = block.height(rows);
    let area = if contents.is_empty(Panel::Rolls) {
        top(body, used_rows)
    } else if Panel::ALL.into_iter().any(is_cut) {
        // The spare rows are of no use to the panel that is cut, and the last rolls should not look as if they took
        // them.
        top(body, used_rows + MAX_BLANK_ROWS)
    } else {
        body
    };
    let frames = block.places(area, rows);

    let inner_rows = |panel| frames[panel].height.saturating_sub(FRAME_ROWS);
    let panels = PerPanel::from_fn(
        |panel| match demands[panel].step_within(inner_rows(panel)) {
            Some(step) => PanelLayout::framed(panel, frames[panel], step),
            None => PanelLayout::folded(panel, frames[panel]),
        },
    );
    let usage = PerPanel::from_fn(|panel| RowUsage::new(&demands[panel], inner_rows(panel)));
    Arranged {
        panels,
        cost: cost_of(&usage, contents.is_fight),
    }
}

/// How a panel uses its rows.
struct RowUsage {
    /// The number of rows below the contents.
    blank_rows: u16,
    /// The number of missing rows.
    cut_rows: u16,
}

impl RowUsage {
    fn new(demand: &Demand, rows: u16) -> Self {
        let used_rows = match demand.step_within(rows) {
            Some(step) => step.rows,
            // An empty panel is one line, which has no blank rows.
            None => rows,
        };
        Self {
            blank_rows: rows.saturating_sub(used_rows),
            cut_rows: demand.cut_rows(rows),
        }
    }
}

/// Computes the cost of cut rows, and of blank rows in one panel while another one cuts its contents.
///
/// In a fight, blank rows of the clocks and tokens always count, because the last rolls would have a use for them.
fn cost_of(usage: &PerPanel<RowUsage>, is_fight: bool) -> u32 {
    let mut cost = 0;
    for panel in Panel::ALL {
        let RowUsage {
            blank_rows,
            cut_rows,
        } = usage[panel];
        cost += CUT_WEIGHTS[panel] * u32::from(cut_rows);

        let mut others = Panel::ALL.into_iter().filter(|other| *other != panel);
        let another_cuts = others.any(|other| usage[other].cut_rows > 0);
        let is_useful_to_rolls = is_fight && panel != Panel::Rolls;
        if another_cuts || is_useful_to_rolls {
            let wasted_rows = blank_rows.saturating_sub(MAX_BLANK_ROWS);
            cost += u32::from(wasted_rows);
        }
    }
    cost
}
