use super::*;
use crate::app::list::ListId;
use crate::app::state::Panel;
use crate::view::layout::panels::PanelLayout;
use crate::widget::clock::SMALLEST;
use crate::widget::grid::GUTTER;
use proptest::prelude::*;

proptest! {
    #[test]
    fn panels_stay_on_the_screen_and_do_not_overlap(
        width in 40_u16..260,
        height in 12_u16..90,
        counts in any::<[u8; 4]>(),
        focus in 0_usize..4,
    ) {
        let body = screen_layout((width, height)).unwrap().body;
        let lines = counts.map(|count| vec![Some(ListId::Roll(1)); count.into()]);
        let panels = panel_layouts(body, lines.each_ref().map(Vec::as_slice), Panel::ALL[focus]);

        for (index, panel) in panels.iter().enumerate() {
            prop_assert_eq!(panel.frame.intersection(body), panel.frame);
            prop_assert!(panel.inner.intersection(panel.frame) == panel.inner || panel.inner.is_empty());
            prop_assert!(panel.in_row > 0 && panel.cell.height > 0);
            for other in panels.iter().skip(index + 1) {
                prop_assert!(!panel.frame.intersects(other.frame));
            }
        }
        prop_assert!(panels[focus].rows() > 0);
    }

    #[test]
    fn the_places_of_clocks_do_not_overlap(
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
                prop_assert!(words.width + 2 >= faces::NARROW_WORDS && words.height >= SMALLEST);
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

#[test]
fn a_heading_takes_a_row_and_the_next_cell_starts_below_it() {
    let frame = Rect::new(0, 0, 80, 12);
    let panel = PanelLayout::framed(Panel::Party, frame, Size::new(34, 2));
    let item = Some(ListId::Roll(1));

    let places = panel.places(&[item, item, item, None, item]);

    let (width, cell) = (panel.inner.width, panel.cell);
    let expected = [
        Rect::new(0, 0, cell.width, 2),
        Rect::new(cell.width, 0, cell.width, 2),
        Rect::new(0, 2, cell.width, 2),
        Rect::new(0, 4, width, 1),
        Rect::new(0, 5, cell.width, 2),
    ];
    assert_eq!(places, expected);

    let heading = panel.in_sight(places[3], 4).unwrap();
    assert_eq!(heading.as_position(), panel.inner.as_position());
    assert_eq!(panel.in_sight(places[0], 1), None);
}

#[test]
fn a_screen_that_is_too_small_has_no_layout() {
    assert_eq!(screen_layout((39, 50)), None);
    assert_eq!(screen_layout((50, 11)), None);
}
