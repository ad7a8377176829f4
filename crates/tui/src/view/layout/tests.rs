mod examples;

use super::*;
use crate::app::list::ListId;
use crate::app::state::Panel;
use crate::view::card::{CardLists, card_heights};
use crate::view::layout::demand::{Demand, Step};
use crate::view::layout::per_panel::PerPanel;
use crate::view::layout::sharing::{FLOORS, share_rows};
use crate::widget::clock::SMALLEST;
use crate::widget::grid::GUTTER;
use proptest::prelude::*;
use tableside_rules::System;

/// Computes the layout of panels with these numbers of entries, for characters of this system.
fn panels(size: (u16, u16), counts: [u8; 4], system: System, focus: Panel) -> [PanelLayout; 4] {
    let body = screen_layout(size).unwrap().body;
    let lines = counts.map(|count| vec![Some(ListId::Roll(1)); count.into()]);
    let newest_dice = NewestDice {
        box_widths: (counts[3] > 0).then(|| vec![5; 3]),
    };
    let contents = TableContents {
        lines: lines.each_ref().map(Vec::as_slice),
        spec: system.spec(),
        newest_dice: &newest_dice,
        card_lists: &CardLists::default(),
        longest_clock_name: 0,
        own_sheet: None,
        focus,
        is_maximized: false,
        is_fight: false,
    };
    table_layout(body, &contents).panels
}

/// Computes the layout for a player whose own sheet needs this number of rows at every width.
fn player_panels(
    size: (u16, u16),
    counts: [u8; 4],
    system: System,
    sheet_rows: u16,
) -> [PanelLayout; 4] {
    let body = screen_layout(size).unwrap().body;
    let lines = counts.map(|count| vec![Some(ListId::Roll(1)); count.into()]);
    let heights = party_widths(body.width).into_iter();
    let own_sheet = OwnSheet {
        heights: heights
            .map(|frame_width| SheetHeight {
                frame_width,
                rows: sheet_rows,
            })
            .collect(),
    };
    let contents = TableContents {
        lines: lines.each_ref().map(Vec::as_slice),
        spec: system.spec(),
        newest_dice: &NewestDice::default(),
        card_lists: &CardLists::default(),
        longest_clock_name: 0,
        own_sheet: Some(&own_sheet),
        focus: Panel::Party,
        is_maximized: false,
        is_fight: false,
    };
    table_layout(body, &contents).panels
}

fn systems() -> impl Strategy<Value = System> {
    prop::sample::select(System::shipped().collect::<Vec<_>>())
}

/// Demands with these steps. Each panel has its minimum at its first step and is full at its last one.
fn demands(steps: &[Vec<u16>; 4]) -> PerPanel<Demand> {
    PerPanel::new(steps.each_ref().map(|steps| {
        let step = |rows: &u16| Step::of_cells(*rows, Size::new(10, 1));
        let rows_at = |index: usize| steps.get(index).copied().unwrap_or(0);
        let last = steps.len().saturating_sub(1);
        Demand {
            steps: steps.iter().map(step).collect(),
            in_sight: rows_at(0),
            min: rows_at(0),
            useful: rows_at(last / 2),
            full: rows_at(last),
        }
    }))
}

/// Ascending heights.
fn heights() -> impl Strategy<Value = Vec<u16>> {
    prop::collection::btree_set(1_u16..30, 0..6).prop_map(|heights| heights.into_iter().collect())
}

proptest! {
    #[test]
    fn panels_stay_on_the_screen_and_do_not_overlap(
        width in 40_u16..260,
        height in 12_u16..90,
        counts in any::<[u8; 4]>(),
        system in systems(),
        focus in 0_usize..4,
    ) {
        let body = screen_layout((width, height)).unwrap().body;
        let panels = panels((width, height), counts, system, Panel::ALL[focus]);

        for (index, panel) in panels.iter().enumerate() {
            prop_assert_eq!(panel.frame.intersection(body), panel.frame);
            prop_assert!(!panel.frame.is_empty());
            prop_assert!(panel.inner.intersection(panel.frame) == panel.inner || panel.inner.is_empty());
            prop_assert!(panel.cells_in_row > 0 && panel.cell.height > 0);
            for other in panels.iter().skip(index + 1) {
                prop_assert!(!panel.frame.intersects(other.frame));
            }
        }
        prop_assert!(counts[focus] == 0 || panels[focus].rows() > 0);
    }

    #[test]
    fn the_own_character_is_large_and_in_sight(
        width in 40_u16..260,
        height in 12_u16..90,
        counts in [1_u8..20, 0_u8..20, 0_u8..20, 0_u8..20],
        system in systems(),
        sheet_rows in 3_u16..40,
    ) {
        let body = screen_layout((width, height)).unwrap().body;
        let panels = player_panels((width, height), counts, system, sheet_rows);
        for (index, panel) in panels.iter().enumerate() {
            prop_assert_eq!(panel.frame.intersection(body), panel.frame);
            for other in panels.iter().skip(index + 1) {
                prop_assert!(!panel.frame.intersects(other.frame));
            }
        }

        let party = panels[Panel::Party as usize];
        let lines = vec![Some(ListId::Roll(1)); counts[0].into()];
        let places = party.places(&lines);
        let own = party.in_sight(places[0], 0);
        prop_assert!(own.is_some());
        prop_assert_eq!(own.unwrap().width, party.inner.width);
        prop_assert!(party.large_rows >= 2);
        for (index, place) in places.iter().enumerate().skip(1) {
            prop_assert!(place.y >= party.large_rows);
            prop_assert!(!places[..index].iter().any(|other| other.intersects(*place)));
        }
        let has_ample_room = height >= sheet_rows + 60 && width >= 120;
        prop_assert!(!has_ample_room || party.large_rows >= sheet_rows);
    }

    #[test]
    fn an_empty_panel_is_one_line(
        width in 70_u16..260,
        height in 21_u16..90,
        counts in any::<[u8; 4]>(),
        empty in 0_usize..4,
    ) {
        let mut counts = counts;
        counts[empty] = 0;
        let panels = panels((width, height), counts, System::FIVE_E, Panel::Party);
        prop_assert_eq!(panels[empty].frame.height, 1);
    }

    #[test]
    fn rows_go_first_to_what_is_cut_and_in_the_order_of_the_panels(
        steps in [heights(), heights(), heights(), heights()],
        available in 8_u16..90,
    ) {
        let demands = demands(&steps);
        let fits = |rows: PerPanel<u16>| rows.into_values().iter().sum::<u16>() <= available;
        let rows = share_rows(&demands, FLOORS, fits);
        let floors: Vec<u16> = steps.iter().zip(FLOORS.into_values()).map(|(steps, floor)| {
            let first = steps.iter().rfind(|rows| **rows <= floor).or_else(|| steps.first());
            first.copied().unwrap_or(0)
        }).collect();
        let least: u16 = floors.iter().sum();
        prop_assert!(fits(rows) || least > available);
        if least > available {
            return Ok(());
        }

        let demands = demands.into_values();
        let rows = rows.into_values();
        let total: u16 = rows.iter().sum();
        for (panel, demand) in demands.iter().enumerate() {
            let next_step = demand.steps.iter().find(|step| step.rows > rows[panel]);
            let Some(next_step) = next_step else { continue };
            let missing = next_step.rows - rows[panel];
            prop_assert!(total + missing > available, "{panel} could have {}", next_step.rows);
            if next_step.rows > demand.useful {
                continue;
            }

            // The panel cuts something. What the others have beyond their turn would not be enough to help it.
            let mut beyond_turn = 0;
            for (other, other_demand) in demands.iter().enumerate() {
                let level = if other < panel { other_demand.useful } else { other_demand.min };
                let due = level.max(floors[other]);
                if other != panel {
                    beyond_turn += rows[other].saturating_sub(due);
                }
            }
            prop_assert!(total - beyond_turn + missing > available, "{rows:?} of {demands:?}");
        }
    }

    #[test]
    fn no_panel_is_blank_while_another_panel_cuts(
        height in 21_u16..90,
        counts in [1_u8..12, 0_u8..9, 0_u8..9, 0_u8..30],
        system in systems(),
    ) {
        // On this screen the panels stand below each other, and no row is shared.
        let panels = panels((100, height), [counts[0], 0, counts[2], counts[3]], system, Panel::Party);
        let party = &panels[0];
        let has_hidden_cards = usize::from(counts[0]) > party.rows() * usize::from(party.cells_in_row);
        let card = card_heights(system.spec(), party.cell.width.saturating_sub(GUTTER + 1));
        let is_cut = has_hidden_cards || party.cell.height < card.useful;
        for panel in &panels[1..] {
            let filled_rows = match panel.panel {
                Panel::Tokens => u16::from(counts[2]).div_ceil(panel.cells_in_row) * panel.cell.height,
                // The newest roll is above the list, not in it.
                Panel::Rolls if panel.lead.height > 0 => {
                    panel.lead.height + u16::from(counts[3]) - 1
                }
                Panel::Rolls => counts[3].into(),
                Panel::Party | Panel::Clocks => continue,
            };
            let blank_rows = panel.inner.height.saturating_sub(filled_rows);
            prop_assert!(!is_cut || blank_rows <= 2, "{panels:?}");
        }
    }

    #[test]
    fn the_places_of_clocks_do_not_overlap(
        width in 40_u16..260,
        height in 12_u16..90,
        own in 0_usize..30,
        given in prop::collection::vec(1_usize..4, 0..8),
        longest_owner in 0_u16..60,
    ) {
        let body = screen_layout((width, height)).unwrap().body;
        let owned = OwnedClocks {
            counts: given.clone(),
            longest_owner,
        };
        let Some(places) = clock_places(body, own, &owned) else {
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
                prop_assert!(words.width + 2 >= faces::NARROW_WORDS && words.height >= faces::WORD_ROWS_BELOW);
                prop_assert!(face.union(words).intersection(*place) == face.union(words));
            }
        }
    }

    #[test]
    fn a_list_and_its_detail_share_the_body(width in 40_u16..260, height in 12_u16..90) {
        let body = screen_layout((width, height)).unwrap().body;
        for tab in Tab::ALL {
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
