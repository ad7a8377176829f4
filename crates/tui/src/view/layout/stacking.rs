//! The arrangement of the panels that cuts least.

use ratatui::layout::Rect;

use crate::app::state::Panel;
use crate::view::layout::arrangement::{Block, FRAME_ROWS};
use crate::view::layout::demand::Demand;
use crate::view::layout::panels::{LEFT_PARTS, PanelLayout, TableContents, folded_panels};
use crate::view::layout::sharing::{CROWDED_FLOORS, FLOORS, share_rows};
use crate::widget::top;

/// The most blank rows of a panel while another panel cuts its contents.
const MAX_BLANK_ROWS: u16 = 2;
/// The most rows in which all clocks stay in sight before the cards of the party get more.
const MAX_CLOCK_FLOOR: u16 = 3;
/// How much a cut row of each panel counts, in the order of [`Panel::ALL`].
const CUT_WEIGHTS: [u32; 4] = [16, 8, 4, 2];

/// Stacks the party, the clocks beside the tokens, and the rolls.
pub(super) fn stacked(body: Rect, contents: &TableContents<'_>) -> Block {
    let mut blocks = vec![contents.block(Panel::Party)];
    let half = body.width / 2;
    let has_both = !contents.is_empty(Panel::Clocks) && !contents.is_empty(Panel::Tokens);
    if has_both {
        let clocks = Block::Panel(Panel::Clocks);
        let tokens = Block::Panel(Panel::Tokens);
        blocks.push(Block::beside(clocks, tokens, half));
    } else {
        blocks.extend(contents.filled(&[Panel::Clocks, Panel::Tokens]));
    }
    blocks.extend(contents.filled(&[Panel::Rolls]));
    blocks.extend(contents.hints(body.width));
    Block::Stack(blocks)
}

/// Returns the arrangements for a wide screen. The usual one comes first.
pub(super) fn wide_arrangements(body: Rect, contents: &TableContents<'_>) -> Vec<Block> {
    let rolls = contents.filled(&[Panel::Rolls]);
    let hints = contents.hints(body.width);
    let with_rolls_below = |upper: Block| {
        let mut blocks = vec![upper];
        blocks.extend(rolls.clone());
        blocks.extend(hints.clone());
        Block::Stack(blocks)
    };

    if contents.is_empty(Panel::Party) || contents.is_empty(Panel::Clocks) {
        return vec![stacked(body, contents)];
    }

    let mut arrangements = Vec::new();
    for part in LEFT_PARTS {
        let left_width = body.width * part / 20;
        let clocks = Block::Panel(Panel::Clocks);
        let party_and_tokens = Block::Stack(contents.filled(&[Panel::Party, Panel::Tokens]));
        let usual = Block::beside(party_and_tokens, clocks, left_width);
        arrangements.push(with_rolls_below(usual));

        // If the party needs many rows, the clocks and tokens go to its right.
        let party = Block::Panel(Panel::Party);
        let clocks_and_tokens = Block::Stack(contents.filled(&[Panel::Clocks, Panel::Tokens]));
        let long_party = Block::beside(party, clocks_and_tokens, left_width);
        arrangements.push(with_rolls_below(long_party));
    }
    arrangements.push(stacked(body, contents));
    arrangements
}

/// An arrangement with the rows of its panels.
struct Arranged {
    panels: [PanelLayout; 4],
    /// How much is cut, and how much room is wasted meanwhile.
    cost: u32,
}

/// Returns the panels of the arrangement that cuts least. The first of equals wins.
pub(super) fn best_of(
    arrangements: &[Block],
    body: Rect,
    contents: &TableContents<'_>,
) -> [PanelLayout; 4] {
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
    let mut widths = [0; 4];
    block.widths(body.width, &mut widths);
    let demands =
        Panel::ALL.map(|panel| contents.demand(panel, widths[panel as usize], body.width));
    let rows = shared_rows(block, body, &demands, contents.is_fight);

    // The last rolls take the rows to spare. If they are of no use to a panel that is cut, the ground stays empty.
    let is_cut = Panel::ALL
        .into_iter()
        .any(|panel| demands[panel as usize].cut_rows(rows[panel as usize]) > 0);
    let used_rows = block.height(rows);
    let area = if contents.is_empty(Panel::Rolls) {
        top(body, used_rows)
    } else if is_cut {
        top(body, used_rows + MAX_BLANK_ROWS)
    } else {
        body
    };
    let mut frames = [Rect::default(); 4];
    block.place(area, rows, &mut frames);

    let mut blank_rows = [0; 4];
    let mut cut_rows = [0; 4];
    let panels = Panel::ALL.map(|panel| {
        let index = panel as usize;
        let frame = frames[index];
        let inner_rows = frame.height.saturating_sub(FRAME_ROWS);
        match demands[index].step_within(inner_rows) {
            Some(step) => {
                blank_rows[index] = inner_rows.saturating_sub(step.rows);
                cut_rows[index] = demands[index].cut_rows(inner_rows);
                PanelLayout::framed(panel, frame, step)
            }
            None => PanelLayout::folded(panel, frame),
        }
    });
    Arranged {
        panels,
        cost: cost(blank_rows, cut_rows),
    }
}

/// Shares out the rows of the body to panels with these demands.
fn shared_rows(block: &Block, body: Rect, demands: &[Demand; 4], is_fight: bool) -> [u16; 4] {
    let fits = |rows| block.height(rows) <= body.height;
    let party = Panel::Party as usize;
    let rows = share_rows(demands, FLOORS, fits);
    if !is_fight && rows[party] >= demands[party].min {
        return rows;
    }

    // The values that the cards put first come before a second roll, and before clocks in lines of their own.
    let mut floors = CROWDED_FLOORS;
    floors[Panel::Clocks as usize] = demands[Panel::Clocks as usize].all.min(MAX_CLOCK_FLOOR);
    let crowded_rows = share_rows(demands, floors, fits);
    if crowded_rows[party] >= demands[party].all {
        let is_better = is_fight || crowded_rows[party] > rows[party];
        return if is_better { crowded_rows } else { rows };
    }
    // All characters of a large party, and all combatants, should be seen at once.
    share_rows(demands, CROWDED_FLOORS, fits)
}

/// Computes the cost of cut rows, and of blank rows in one panel while another one cuts its contents.
fn cost(blank_rows: [u16; 4], cut_rows: [u16; 4]) -> u32 {
    let mut cost = 0;
    for panel in Panel::ALL {
        let index = panel as usize;
        cost += CUT_WEIGHTS[index] * u32::from(cut_rows[index]);

        let another_cuts = Panel::ALL
            .into_iter()
            .any(|other| other != panel && cut_rows[other as usize] > 0);
        if another_cuts {
            cost += u32::from(blank_rows[index].saturating_sub(MAX_BLANK_ROWS));
        }
    }
    cost
}
