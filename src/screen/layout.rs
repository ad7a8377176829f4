//! Where everything stands, for every size of terminal: one computation for the cursor, the mouse and
//! the view.

use ratatui::layout::Rect;

use super::state::{Panel, Tab};
use super::widget::{after, below, left, right, row, top};

/// The smallest terminal that shows the table.
pub(super) const LEAST: (u16, u16) = (40, 12);

/// From this height on, the chrome has lines of its own.
const ROOMY: u16 = 16;
/// The columns of a card on a wide screen.
const CARD: u16 = 30;
/// The rows of a card with all of its sheet.
const LARGEST: u16 = 9;
/// The columns of a pool on a wide screen.
const POOL: u16 = 30;
/// The columns of a clock's face with its name on a wide screen.
const FACES: u16 = 24;
/// From this width on, panels stand side by side.
pub(super) const WIDE: u16 = 116;

/// The parts of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    /// The game, the scene.
    pub(super) title: Rect,
    /// The tabs.
    pub(super) tabs: Rect,
    /// The open tab.
    pub(super) body: Rect,
    /// Words in passing; the same line as the keys where there is little room.
    pub(super) notice: Rect,
    /// The keys that matter here.
    pub(super) keys: Rect,
}

/// The parts of a screen of that size; nothing where it is too small.
pub(super) fn parts((width, height): (u16, u16)) -> Option<Parts> {
    if width < LEAST.0 || height < LEAST.1 {
        return None;
    }
    let line = |y| Rect::new(0, y, width, 1);
    let roomy = height >= ROOMY;
    let top = if roomy { 3 } else { 2 };
    let foot = if roomy { 2 } else { 1 };
    Some(Parts {
        title: line(0),
        tabs: line(1),
        body: Rect::new(0, top, width, height - top - foot),
        notice: line(height - foot),
        keys: line(height - 1),
    })
}

/// Where a dialog is drawn: all of the screen but for the line of keys.
pub(super) fn dialog((width, height): (u16, u16)) -> Rect {
    let foot = u16::from(height >= LEAST.1);
    Rect::new(0, 0, width, height - foot)
}

/// A list, and what is shown of the thing under its cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Panes {
    /// The list.
    pub(super) list: Rect,
    /// The thing under the cursor.
    pub(super) detail: Option<Rect>,
}

/// From so many columns and rows on, sheets and entries stand beside their lists unless somebody hides them.
const OPEN: (u16, u16) = (98, 24);

/// How a tab's body is shared, where the list has so many lines. Where there is little room the detail is there when it
/// is asked for.
pub(super) fn panes(tab: Tab, body: Rect, is_turned: bool, lines: usize) -> Panes {
    let is_wide = body.width >= WIDE;
    let is_open =
        matches!(tab, Tab::Party | Tab::Log) && body.width >= OPEN.0 && body.height >= OPEN.1;
    let lines = u16::try_from(lines).unwrap_or(u16::MAX);
    let (beside, beneath) = match tab {
        _ if is_turned == is_open => (0, 0),
        // The table keeps its columns, and the sheet gets all rows that are left.
        Tab::Party if is_open => (
            0,
            body.height - lines.saturating_add(2).min(body.height / 2),
        ),
        // Beside it the list keeps room for conditions.
        Tab::Party | Tab::Clocks | Tab::Tokens if is_wide => ((body.width * 7 / 24).min(52), 0),
        Tab::Log if is_wide => ((body.width * 3 / 8).min(60), 0),
        Tab::Clocks if body.width >= 72 && body.height >= 12 => (26, 0),
        Tab::Party | Tab::Tokens if body.height >= 15 => (0, 9),
        Tab::Log if body.height >= 15 => (0, 7),
        Tab::Table | Tab::Party | Tab::Clocks | Tab::Tokens | Tab::Log => (0, 0),
    };
    let (list, detail) = match (beside, beneath) {
        (0, 0) => (body, None),
        (0, height) => {
            let list = top(body, body.height - height);
            (list, Some(below(body, list.height)))
        }
        (width, _) => (left(body, body.width - width - 1), Some(right(body, width))),
    };
    Panes { list, detail }
}

/// The columns and rows of a clock's face with the words beside it.
const FACE: (u16, u16) = (36, 5);

/// Where so many clocks stand as faces, if all of them find room.
pub(super) fn faces(body: Rect, count: usize, details: bool) -> Option<Deck> {
    let in_row = body.width / FACE.0;
    let rows = usize::from(body.height / FACE.1);
    let room = rows * usize::from(in_row);
    let fits = !details && in_row > 1 && (1..=room).contains(&count);
    fits.then(|| Deck {
        panel: Panel::Clocks,
        frame: body,
        inner: after(body, 1),
        lead: Rect::default(),
        in_row,
        cell: ((body.width - 1) / in_row, FACE.1),
    })
}

/// How many lines of a list of these columns are in sight: all but its head.
pub(super) fn room(list: Rect) -> usize {
    list.height.saturating_sub(1).into()
}

/// A panel of the table: a frame with cells in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Deck {
    /// Which.
    pub(super) panel: Panel,
    /// With its frame, or its title alone.
    pub(super) frame: Rect,
    /// Where its cells are.
    pub(super) inner: Rect,
    /// Where the thing under the cursor is shown larger; empty where there is no room.
    pub(super) lead: Rect,
    /// Cells side by side.
    pub(super) in_row: u16,
    /// The columns and rows of a cell.
    pub(super) cell: (u16, u16),
}

impl Deck {
    /// Rows of cells in sight.
    pub(super) fn rows(&self) -> usize {
        (self.inner.height / self.cell.1.max(1)).into()
    }

    /// Where the cell of that place in sight is.
    pub(super) fn cell(&self, place: usize) -> Rect {
        let place = u16::try_from(place).unwrap_or(u16::MAX);
        let (column, row) = (place % self.in_row, place / self.in_row);
        let across = after(self.inner, column.saturating_mul(self.cell.0));
        let down = below(across, row.saturating_mul(self.cell.1));
        top(left(down, self.cell.0), self.cell.1)
    }
}

/// The line of the table that tells the scene, and what is left beneath it.
pub(super) fn scene_line(body: Rect) -> (Rect, Rect) {
    (row(body, 0), below(body, 1))
}

/// The panels of the table that show so many things each.
pub(super) fn decks(body: Rect, counts: [usize; 4], focus: Panel) -> [Deck; 4] {
    let counts = counts.map(|count| u16::try_from(count).unwrap_or(u16::MAX).max(1));
    let (_, body) = scene_line(body);
    if body.width < 70 || body.height < 15 {
        folded(body, focus)
    } else if body.width < WIDE {
        stacked(body, counts)
    } else {
        side_by_side(body, counts)
    }
}

/// A panel with a frame, whose cells are at least so wide and so high.
fn framed(panel: Panel, frame: Rect, (width, height): (u16, u16), lead: u16) -> Deck {
    let inside = after(below(frame, 1), 2);
    let inside = top(inside, frame.height.saturating_sub(2));
    let inside = left(inside, frame.width.saturating_sub(4));
    let lead = if inside.height > lead + 3 { lead } else { 0 };
    let in_row = (inside.width / width.max(1)).max(1);
    Deck {
        panel,
        frame,
        inner: below(inside, lead),
        lead: top(inside, lead),
        in_row,
        cell: (inside.width / in_row, height),
    }
}

/// A small screen: a line for each panel, and all room for the one in use.
fn folded(body: Rect, focus: Panel) -> [Deck; 4] {
    let mut rest = body;
    Panel::ALL.map(|panel| {
        let is_here = panel == focus;
        let lines = if is_here {
            body.height.saturating_sub(3)
        } else {
            1
        };
        let frame = top(rest, lines);
        rest = below(rest, lines);
        Deck {
            panel,
            frame,
            inner: below(frame, 1),
            lead: Rect::default(),
            in_row: 1,
            cell: (body.width, 1),
        }
    })
}

/// A common screen: the party, the clocks beside the tokens, the rolls.
fn stacked(body: Rect, [party, clocks, tokens, _]: [u16; 4]) -> [Deck; 4] {
    // Three frames, and three lines of rolls.
    let free = body.height.saturating_sub(2 + 2 + 5);
    let cards = party.div_ceil(2).saturating_mul(2);
    // Where not all has room, the party has the larger part of it.
    let lists = clocks
        .max(tokens)
        .min(free.saturating_sub(cards).max(free / 3).max(2));
    let cards = cards.min(free.saturating_sub(lists) / 2 * 2).max(2);
    let (party, rest) = (top(body, cards + 2), below(body, cards + 2));
    let (middle, rolls) = (top(rest, lists + 2), below(rest, lists + 2));
    let clocks = left(middle, body.width / 2);
    let tokens = after(middle, body.width / 2);
    [
        framed(Panel::Party, party, (34, 2), 0),
        framed(Panel::Clocks, clocks, (clocks.width, 1), 0),
        framed(Panel::Tokens, tokens, (tokens.width, 1), 0),
        framed(Panel::Rolls, rolls, (body.width, 1), 4),
    ]
}

/// A wide screen: the party above the tokens, beside them the clocks, and beneath all the rolls.
fn side_by_side(body: Rect, [party, clocks, tokens, _]: [u16; 4]) -> [Deck; 4] {
    let half = body.width * 11 / 20;
    let other_half = body.width - half;
    let is_tall = body.height >= 26;
    let (card, face) = if is_tall { (4, 5) } else { (2, 1) };
    let in_rows = |count: u16, room: u16, columns: u16, rows: u16| {
        let across = ((room - 4) / columns).max(1);
        count.div_ceil(across).saturating_mul(rows)
    };
    let faces_wide = if is_tall { FACES } else { other_half };
    let pools = in_rows(tokens, half, POOL, 1);
    let faces = in_rows(clocks, other_half, faces_wide, face);
    // The rolls keep their dice and a few lines, and get what nobody else needs.
    let least_rolls = if is_tall { 2 + 4 + 4 } else { 2 + 3 };
    let most = body.height - least_rolls;
    // Where not everybody finds room, the blank line between cards goes first, then the values.
    let cards_of = |card: u16| in_rows(party, half, CARD, card);
    let fits = |card: &u16| cards_of(*card) + 4 + pools.min((most - 4) / 3) <= most;
    // With room to spare cards show more of the sheet, while the rolls keep theirs.
    let is_spare = |card: &u16| cards_of(*card) + 4 + pools <= body.height * 3 / 5;
    let large = (card + 1..=LARGEST)
        .rev()
        .filter(|card| is_tall && is_spare(card));
    let smaller = [card, card.min(3), 2].into_iter().filter(fits);
    let card = large.chain(smaller).next().unwrap_or(2);
    let wanted = cards_of(card)
        .saturating_add(pools)
        .saturating_add(4)
        .max(faces.saturating_add(2));
    let high = wanted.min(most);
    let pools = pools.min((high - 4) / 3).max(1);
    let cards = high - 4 - pools;
    let (upper, rolls) = (top(body, high), below(body, high));
    let (lefthand, clocks) = (left(upper, half), after(upper, half));
    let (party, tokens) = (top(lefthand, cards + 2), below(lefthand, cards + 2));
    [
        framed(Panel::Party, party, (CARD, card), 0),
        framed(Panel::Clocks, clocks, (faces_wide, face), 0),
        framed(Panel::Tokens, tokens, (POOL, 1), 0),
        framed(Panel::Rolls, rolls, (body.width, 1), 4),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_panel_is_on_the_screen_and_covers_no_other(
            width in 40_u16..260,
            height in 12_u16..90,
            counts in any::<[u8; 4]>(),
            focus in 0_usize..4,
        ) {
            let body = parts((width, height)).unwrap().body;
            let decks = decks(body, counts.map(usize::from), Panel::ALL[focus]);
            for (index, deck) in decks.iter().enumerate() {
                prop_assert_eq!(deck.frame.intersection(body), deck.frame);
                prop_assert!(deck.inner.intersection(deck.frame) == deck.inner || deck.inner.is_empty());
                prop_assert!(deck.in_row > 0 && deck.cell.1 > 0);
                for other in decks.iter().skip(index + 1) {
                    prop_assert!(!deck.frame.intersects(other.frame));
                }
            }
            prop_assert!(decks[focus].rows() > 0);
        }

        #[test]
        fn a_list_and_its_detail_share_the_body(width in 40_u16..260, height in 12_u16..90) {
            let body = parts((width, height)).unwrap().body;
            for tab in Tab::ALL {
                prop_assert_eq!(panes(tab, body, false, 7).list.intersection(body), panes(tab, body, false, 7).list);
                for is_turned in [false, true] {
                let Panes { list, detail } = panes(tab, body, is_turned, 7);
                prop_assert_eq!(list.intersection(body), list);
                prop_assert!(list.height >= 4 && list.width >= 38);
                if let Some(detail) = detail {
                    prop_assert_eq!(detail.intersection(body), detail);
                    prop_assert!(!detail.intersects(list));
                }
                }
            }
        }
    }

    #[test]
    fn a_screen_too_small_has_no_parts() {
        assert_eq!(parts((39, 50)), None);
        assert_eq!(parts((50, 11)), None);
    }
}
