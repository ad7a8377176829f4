//! Where everything stands, for every size of terminal: one computation for the cursor, the mouse and
//! the view.

use ratatui::layout::Rect;

use crate::app::list::ListId;
use crate::app::state::{Panel, Tab};
use crate::widget::clock::{LARGEST, SMALLEST};
use crate::widget::grid::GUTTER;
use crate::widget::{after, below, left, right, row, top};

/// The smallest terminal that shows the table.
pub(crate) const MIN_SIZE: (u16, u16) = (40, 12);

/// From this height on, the chrome has lines of its own.
const ROOMY: u16 = 16;
/// The columns of a card on a wide screen.
const CARD: u16 = 30;
/// The rows of a card with all of its sheet.
const WHOLE: u16 = 9;
/// The columns of a pool on a wide screen.
const POOL: u16 = 30;
/// A wide screen makes room for faces of so many rows.
const FACE: u16 = 5;
/// The least columns of the words beside a clock's face, and where a large one has many rows of them.
const BESIDE: (u16, u16) = (15, 12);
/// The least columns and the rows of the words beneath one.
const BENEATH: (u16, u16) = (21, 3);
/// The columns of an owner's name before the clocks that the rules gave.
pub(crate) const OWNER: u16 = 18;
/// The columns of such a clock, at the least and at the most.
const GIVEN: (u16, u16) = (20, 40);
/// From this width on, panels stand side by side.
pub(crate) const WIDE: u16 = 116;

/// The parts of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScreenLayout {
    /// The game, the scene.
    pub(crate) title: Rect,
    /// The tabs.
    pub(crate) tabs: Rect,
    /// The open tab.
    pub(crate) body: Rect,
    /// Words in passing; the same line as the keys where there is little room.
    pub(crate) notice: Rect,
    /// The keys that matter here.
    pub(crate) keys: Rect,
}

/// The parts of a screen of that size; `None` if it is too small.
pub(crate) fn screen_layout((width, height): (u16, u16)) -> Option<ScreenLayout> {
    if width < MIN_SIZE.0 || height < MIN_SIZE.1 {
        return None;
    }
    let line = |y| Rect::new(0, y, width, 1);
    let roomy = height >= ROOMY;
    let top = if roomy { 3 } else { 2 };
    let foot = if roomy { 2 } else { 1 };
    Some(ScreenLayout {
        title: line(0),
        tabs: line(1),
        body: Rect::new(0, top, width, height - top - foot),
        notice: line(height - foot),
        keys: line(height - 1),
    })
}

/// Where a dialog is drawn: all of the screen but for the line of keys.
pub(crate) fn dialog((width, height): (u16, u16)) -> Rect {
    let foot = u16::from(height >= MIN_SIZE.1);
    Rect::new(0, 0, width, height - foot)
}

/// A list, and what is shown of the thing under its cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TabLayout {
    /// The list.
    pub(crate) list: Rect,
    /// The thing under the cursor.
    pub(crate) detail: Option<Rect>,
}

/// From so many columns and rows on, sheets and entries stand beside their lists unless somebody hides them.
const OPEN: (u16, u16) = (98, 24);

/// How a tab's body is shared, where the list has so many lines. Where there is little room the detail is there when it
/// is asked for.
pub(crate) fn tab_layout(tab: Tab, body: Rect, is_turned: bool, lines: usize) -> TabLayout {
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
        // Entries keep room for what they say.
        Tab::Log if is_wide => ((body.width - 80).min(60), 0),
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
    TabLayout { list, detail }
}

/// How many cells stand in a row, and how large each is: the largest clocks' faces of which so many find room with
/// words beside or beneath them, and as few side by side as can be.
fn faces(room: (u16, u16), count: u16) -> Option<(u16, (u16, u16))> {
    let sizes = (SMALLEST..=LARGEST).rev().step_by(2);
    let mut shapes = sizes.flat_map(face_shapes);
    shapes.find_map(|shape| in_shape(shape, room, count))
}

/// The same for cells of that shape.
fn in_shape(
    (width, height): (u16, u16),
    room: (u16, u16),
    count: u16,
) -> Option<(u16, (u16, u16))> {
    let high = |in_row: u16| count.div_ceil(in_row).saturating_mul(height);
    let in_row = (1..=room.0 / width).find(|in_row| high(*in_row) <= room.1)?;
    Some((in_row, (room.0 / in_row, height)))
}

/// The least columns and the rows of a cell with a face of so many rows: with the words beside it, and beneath. A blank
/// row ends both.
fn face_shapes(rows: u16) -> [(u16, u16); 3] {
    let beneath = (rows * 2).max(BENEATH.0);
    let least = if rows > SMALLEST { BESIDE.1 } else { BESIDE.0 };
    let beside = |words: u16| (GUTTER + rows * 2 + 1 + words, rows + 1);
    let beneath = (GUTTER + beneath + 1, rows + BENEATH.1 + 1);
    [beside(BESIDE.0), beneath, beside(least)]
}

/// Where the face of a cell without its gutter is, and where its words are.
pub(crate) fn face_and_words(cell: Rect) -> (Rect, Rect) {
    let odd = |rows: u16| rows.clamp(1, LARGEST).saturating_sub(1) | 1;
    let across = |words: u16| odd(cell.height.min(cell.width.saturating_sub(words + 1) / 2));
    let beneath = odd(cell.height.saturating_sub(BENEATH.1).min(cell.width / 2));
    let rows = across(BESIDE.0).max(across(BESIDE.1)).max(beneath);
    let is_beneath = beneath == rows && across(BESIDE.0) < rows;
    let face = top(left(cell, rows * 2), rows);
    let words = if is_beneath {
        top(below(cell, rows), BENEATH.1)
    } else {
        after(top(cell, rows), face.width + 1)
    };
    (face, left(words, words.width.saturating_sub(1)))
}

/// Where each line of the clocks' list stands, if all find room as pictures: faces for the table's own, and beneath
/// their heading those that the rules gave to characters, a row for each owner.
pub(crate) fn clock_places(body: Rect, own: usize, given: &[usize]) -> Option<Vec<Rect>> {
    let body = after(body, 1);
    let rows = u16::try_from(given.len()).ok()?;
    let beneath = if rows > 0 { rows + 2 } else { 0 };
    let room = top(body, body.height.checked_sub(beneath)?);
    let count = u16::try_from(own).ok()?;
    // The last row of faces needs no blank row beneath.
    let (in_row, cell) = faces((room.width, room.height + 1), count)?;
    let faces = (0..count).map(|place| {
        let across = after(room, place % in_row * cell.0);
        top(left(below(across, place / in_row * cell.1), cell.0), cell.1)
    });
    let mut all: Vec<Rect> = faces.collect();
    let heading = below(body, count.div_ceil(in_row) * cell.1);
    all.extend((rows > 0).then(|| row(heading, 0)));
    let most = given.iter().max();
    let each = most.and_then(|most| u16::try_from(*most).ok());
    let wide = body.width.saturating_sub(OWNER) / each.unwrap_or(1).max(1);
    for (down, given) in (1..).zip(given) {
        let line = after(row(heading, down), OWNER);
        let places = (0..*given).filter_map(|nth| u16::try_from(nth).ok());
        all.extend(places.map(|nth| left(after(line, nth * wide), wide.min(GIVEN.1))));
    }
    (rows == 0 || wide >= GIVEN.0).then_some(all)
}

/// How many lines of a list of these columns are in sight: all but its head.
pub(crate) fn visible_rows(list: Rect) -> usize {
    list.height.saturating_sub(1).into()
}

/// The lines of a list: things, and headings without an id.
type Lines<'a> = &'a [Option<ListId>];

/// A panel of the table: a frame with cells in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PanelLayout {
    /// Which.
    pub(crate) panel: Panel,
    /// With its frame, or its title alone.
    pub(crate) frame: Rect,
    /// Where its cells are.
    pub(crate) inner: Rect,
    /// Where the thing under the cursor is shown larger; empty where there is no room.
    pub(crate) lead: Rect,
    /// Cells side by side.
    pub(crate) in_row: u16,
    /// The columns and rows of a cell.
    pub(crate) cell: (u16, u16),
}

impl PanelLayout {
    /// Rows of cells in sight.
    pub(crate) fn rows(&self) -> usize {
        ((self.inner.height + self.blank()) / self.cell.1.max(1)).into()
    }

    /// The row beneath each cell that the last ones can do without.
    fn blank(&self) -> u16 {
        (self.panel == Panel::Clocks && self.cell.1 > SMALLEST).into()
    }

    /// Where each line stands, counted from the first: a thing in its cell, a heading across all.
    pub(crate) fn places(&self, lines: Lines<'_>) -> Vec<Rect> {
        let (mut column, mut y) = (0, 0_u16);
        let place = |id: &Option<ListId>| {
            if column == self.in_row || (id.is_none() && column > 0) {
                (column, y) = (0, y.saturating_add(self.cell.1));
            }
            let (width, height) = id.map_or((self.inner.width, 1), |_| self.cell);
            let place = Rect::new(column * self.cell.0, y, width, height);
            column += u16::from(id.is_some());
            y = y.saturating_add(u16::from(id.is_none()));
            place
        };
        lines.iter().map(place).collect()
    }

    /// How many of its rows the things in sight fill before anything is scrolled.
    fn whole_rows(&self, lines: Lines<'_>) -> u16 {
        let places = self.places(lines).into_iter().zip(lines);
        let ends = places.filter_map(|(place, id)| id.map(|_| place.bottom()));
        let shown = ends.filter(|end| *end <= self.inner.height);
        shown.max().unwrap_or(0)
    }

    /// Where such a place is with so many rows scrolled away, if all of it is in sight.
    pub(crate) fn in_sight(&self, place: Rect, scrolled: usize) -> Option<Rect> {
        let y = place.y.checked_sub(u16::try_from(scrolled).ok()?)?;
        let (x, y) = (self.inner.x + place.x, self.inner.y.saturating_add(y));
        let shown = Rect { x, y, ..place };
        let inner = self.inner.intersection(shown);
        (inner.height + self.blank() >= shown.height).then_some(inner)
    }
}

/// The line of the table that tells the scene, and what is left beneath it.
pub(crate) fn scene_line(body: Rect) -> (Rect, Rect) {
    (row(body, 0), below(body, 1))
}

/// How many rows so many cells in a row of these lines take, and their headings.
fn in_rows(lines: Lines<'_>, in_row: u16, rows: u16) -> u16 {
    let groups = lines.split(Option::is_none);
    let across = usize::from(in_row);
    let down = groups.clone().map(|group| group.len().div_ceil(across));
    let headings = groups.count() - 1;
    let high = down.sum::<usize>().max(1) * usize::from(rows) + headings;
    u16::try_from(high).unwrap_or(u16::MAX)
}

/// The panels of the table that show these lines each.
pub(crate) fn panel_layouts(body: Rect, lines: [Lines<'_>; 4], focus: Panel) -> [PanelLayout; 4] {
    let (_, body) = scene_line(body);
    if body.width < 70 || body.height < 15 {
        folded(body, focus)
    } else if body.width < WIDE {
        stacked(body, lines)
    } else {
        side_by_side(body, lines)
    }
}

/// A panel with a frame, whose cells are at least so wide and so high.
fn framed(panel: Panel, frame: Rect, (width, height): (u16, u16), lead: u16) -> PanelLayout {
    let inside = after(below(frame, 1), 2);
    let inside = top(inside, frame.height.saturating_sub(2));
    let inside = left(inside, frame.width.saturating_sub(4));
    let lead = if inside.height >= lead + 3 { lead } else { 0 };
    let in_row = (inside.width / width.max(1)).max(1);
    PanelLayout {
        panel,
        frame,
        inner: below(inside, lead),
        lead: top(inside, lead),
        in_row,
        cell: (inside.width / in_row, height),
    }
}

/// A small screen: a line for each panel, and all room for the one in use.
fn folded(body: Rect, focus: Panel) -> [PanelLayout; 4] {
    let (mut rest, open) = (body, body.height.saturating_sub(3));
    Panel::ALL.map(|panel| {
        let lines = if panel == focus { open } else { 1 };
        let frame = top(rest, lines);
        rest = below(rest, lines);
        PanelLayout {
            panel,
            frame,
            inner: left(below(frame, 1), body.width - 1),
            lead: top(below(frame, 1), 0),
            in_row: 1,
            cell: (body.width - 1, 1),
        }
    })
}

/// The rows of a card where there is little room: two, or one where not all have two.
fn small_card(lines: Lines<'_>, deck: impl Fn(u16) -> PanelLayout) -> u16 {
    let deck = deck(2);
    let last = deck.places(lines).last().copied();
    let has_room = last.is_none_or(|place| place.bottom() <= deck.inner.height);
    if has_room { 2 } else { 1 }
}

/// A common screen: the party, the clocks beside the tokens, the rolls.
fn stacked(body: Rect, [party, clocks, tokens, rolls]: [Lines<'_>; 4]) -> [PanelLayout; 4] {
    // Three frames, and three lines of rolls once there are any.
    let least_rolls = if rolls.is_empty() { 3 } else { 5 };
    let free = body.height.saturating_sub(2 + 2 + least_rolls);
    let (clocks, tokens) = (in_rows(clocks, 1, 1), in_rows(tokens, 1, 1));
    // Where not all has room, the party has the larger part of it.
    let room = |card: u16| {
        let cards = in_rows(party, 2, card);
        let lists = free.saturating_sub(cards).max(free / 4).max(2);
        let lists = lists.min(clocks.max(tokens));
        (cards.min(free.saturating_sub(lists)).max(2), lists)
    };
    let deck = |card| framed(Panel::Party, top(body, room(card).0 + 2), (34, card), 0);
    let card = small_card(party, deck);
    let (cards, lists) = (deck(card).whole_rows(party).max(2), room(card).1);
    let (party, rest) = (top(body, cards + 2), below(body, cards + 2));
    let (middle, rolls) = (top(rest, lists + 2), below(rest, lists + 2));
    let half = body.width / 2;
    let pool = (lists / tokens).clamp(1, 3);
    [
        framed(Panel::Party, party, (34, card), 0),
        framed(Panel::Clocks, left(middle, half), (half, 1), 0),
        framed(Panel::Tokens, after(middle, half), (half, pool), 0),
        framed(Panel::Rolls, rolls, (body.width, 1), 4),
    ]
}

/// A wide screen: the party above the tokens, beside them the clocks, and beneath all the rolls.
fn side_by_side(body: Rect, [party, clocks, tokens, rolls]: [Lines<'_>; 4]) -> [PanelLayout; 4] {
    let half = body.width * 11 / 20;
    let other_half = body.width - half;
    let is_tall = body.height >= 26;
    let card = if is_tall { 4 } else { 2 };
    let rows_of = |lines, room: u16, (columns, rows): (u16, u16)| {
        in_rows(lines, ((room - 4) / columns).max(1), rows)
    };
    // The rolls keep their dice and a few lines, and get what nobody else needs.
    let (least_rolls, share) = match is_tall {
        _ if rolls.is_empty() => (2 + 1, 4),
        true => (2 + 4 + 3, 3),
        false => (2 + 3, 3),
    };
    let most = body.height - least_rolls;
    let most_pools = (most - 4) / 3;
    let pools_of = |pool: u16| rows_of(tokens, half, (POOL, pool));
    let pool = if pools_of(3) <= most_pools { 3 } else { 1 };
    let pools = pools_of(pool).min(most_pools);
    let faces_of = |face| rows_of(clocks, other_half, face);
    // The smallest faces stand close where there are many.
    let [(close, _), ..] = face_shapes(SMALLEST);
    let faces_in = |high: u16| {
        let (room, count) = ((other_half - 4, high - 1), in_rows(clocks, 1, 1));
        faces(room, count).or_else(|| in_shape((close, SMALLEST), (room.0, high - 2), count))
    };
    let least_faces = face_shapes(FACE).map(faces_of).into_iter().min();
    let least_faces = least_faces.filter(|_| faces_in(most).is_some());
    let cards_of = |card: u16| rows_of(party, half, (CARD, card));
    // Where not everybody finds room, the blank line between cards goes first, then the values. With room to spare cards
    // show more of the sheet, while the rolls keep theirs.
    let has_room = |one: &u16| {
        let spare = if is_tall { body.height * share / 5 } else { 0 };
        cards_of(*one) + 4 + pools <= if *one > card { spare } else { most }
    };
    let frame = top(left(body, half), most - 2 - pools);
    let card = (2..=WHOLE).rev().find(has_room);
    let card = card
        .unwrap_or_else(|| small_card(party, |card| framed(Panel::Party, frame, (CARD, card), 0)));
    let faces = least_faces.unwrap_or_else(|| in_rows(clocks, 1, 1));
    let wanted = cards_of(card).saturating_add(pools).saturating_add(4);
    let high = wanted.max(faces.saturating_add(2)).min(most);
    let face = faces_in(high).map_or((other_half - 4, 1), |(_, face)| face);
    let pools = pools.max(1);
    let cards = high - 4 - pools;
    // Cards take what the clocks leave, and those of one row stand as few side by side as can be.
    let larger = (card..=WHOLE).rev().find(|card| cards_of(*card) <= cards);
    let card = larger.unwrap_or(card);
    let fewest = (1..half / CARD).find(|in_row| card == 1 && in_rows(party, *in_row, 1) <= cards);
    let wide = fewest.map_or(CARD, |in_row| (half - 4) / in_row);
    let (upper, rolls) = (top(body, high), below(body, high));
    let (lefthand, clocks_area) = (left(upper, half), after(upper, half));
    let (party, tokens) = (top(lefthand, cards + 2), below(lefthand, cards + 2));
    [
        framed(Panel::Party, party, (wide, card), 0),
        framed(Panel::Clocks, clocks_area, face, 0),
        framed(Panel::Tokens, tokens, (POOL, pool), 0),
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
            let body = screen_layout((width, height)).unwrap().body;
            let lines = counts.map(|count| vec![Some(ListId::Roll(1)); count.into()]);
            let decks = panel_layouts(body, lines.each_ref().map(Vec::as_slice), Panel::ALL[focus]);
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
        fn clocks_that_all_have_room_stand_apart(
            width in 40_u16..260,
            height in 12_u16..90,
            own in 0_usize..30,
            given in prop::collection::vec(1_usize..4, 0..8),
        ) {
            let body = screen_layout((width, height)).unwrap().body;
            let Some(places) = clock_places(body, own, &given) else {
                return Ok(());
            };
            let headings = usize::from(!given.is_empty());
            prop_assert_eq!(places.len(), own + headings + given.iter().sum::<usize>());
            for (index, place) in places.iter().enumerate() {
                prop_assert!(!place.is_empty() && place.intersection(body) == *place);
                prop_assert!(places.iter().skip(index + 1).all(|other| !other.intersects(*place)));
                let (face, words) = face_and_words(after(*place, GUTTER));
                if index < own {
                    prop_assert!(face.height >= SMALLEST && face.height % 2 == 1);
                    prop_assert!(words.width + 2 >= BESIDE.1 && words.height >= SMALLEST);
                    prop_assert!(face.union(words).intersection(*place) == face.union(words));
                }
            }
        }

        #[test]
        fn a_list_and_its_detail_share_the_body(width in 40_u16..260, height in 12_u16..90) {
            let body = screen_layout((width, height)).unwrap().body;
            for tab in Tab::ALL {
                prop_assert_eq!(tab_layout(tab, body, false, 7).list.intersection(body), tab_layout(tab, body, false, 7).list);
                for is_turned in [false, true] {
                let TabLayout { list, detail } = tab_layout(tab, body, is_turned, 7);
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
    fn a_heading_has_a_row_and_cells_begin_anew_beneath_it() {
        let deck = framed(Panel::Party, Rect::new(0, 0, 80, 12), (34, 2), 0);
        let one = Some(ListId::Roll(1));
        let places = deck.places(&[one, one, one, None, one]);
        let told = places
            .iter()
            .map(|place| (place.x > 0, place.y, place.height));
        let wanted = [
            (false, 0, 2),
            (true, 0, 2),
            (false, 2, 2),
            (false, 4, 1),
            (false, 5, 2),
        ];
        assert_eq!(told.collect::<Vec<_>>(), wanted);
        let first = deck.in_sight(places[3], 4).unwrap();
        assert_eq!((first.x, first.y), (deck.inner.x, deck.inner.y));
        assert_eq!(deck.in_sight(places[0], 1), None);
    }

    #[test]
    fn a_screen_too_small_has_no_parts() {
        assert_eq!(screen_layout((39, 50)), None);
        assert_eq!(screen_layout((50, 11)), None);
    }
}
