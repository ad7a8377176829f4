use super::*;

#[test]
fn a_heading_takes_a_row_and_the_lower_cells_start_below_it() {
    let frame = Rect::new(0, 0, 80, 12);
    let step = Step {
        rows: 10,
        cell: Size::new(34, 2),
        later_height: 1,
        lead_rows: 0,
        large_rows: 0,
    };
    let panel = PanelLayout::framed(Panel::Party, frame, step);
    let item = Some(ListId::Roll(1));

    let places = panel.places(&[item, item, item, None, item]);

    let (width, cell) = (panel.inner.width, panel.cell);
    let expected = [
        Rect::new(0, 0, cell.width, 2),
        Rect::new(cell.width, 0, cell.width, 2),
        Rect::new(0, 2, cell.width, 2),
        Rect::new(0, 4, width, 1),
        Rect::new(0, 5, cell.width, 1),
    ];
    assert_eq!(places, expected);

    let heading = panel.in_sight(places[3], 4).unwrap();
    assert_eq!(heading.as_position(), panel.inner.as_position());
    assert_eq!(panel.in_sight(places[0], 1), None);
}

#[test]
fn the_others_are_in_sight_below_a_very_long_sheet() {
    let counts = [6, 0, 0, 0];
    let [party, ..] = player_panels((120, 120), counts, System::FIVE_E, 60);

    assert!(party.large_rows >= 60);
    let lines = [Some(ListId::Roll(1)); 6];
    let last_place = *party.places(&lines).last().unwrap();
    assert!(party.in_sight(last_place, 0).is_some());
}

#[test]
fn a_screen_that_is_too_small_has_no_layout() {
    assert_eq!(screen_layout((39, 50)), None);
    assert_eq!(screen_layout((50, 11)), None);
}

#[test]
fn an_empty_panel_leaves_its_room_to_the_party() {
    let with_clocks = panels((120, 40), [8, 4, 2, 5], System::FIVE_E, Panel::Party);
    let alone = panels((120, 40), [8, 0, 0, 0], System::FIVE_E, Panel::Party);

    assert_eq!(alone[0].frame.width, 120);
    assert!(with_clocks[0].frame.width < 120);
    let hints = [Panel::Clocks, Panel::Tokens].map(|panel| alone[panel as usize].frame);
    assert_eq!(hints[0].y, alone[0].frame.bottom());
    assert_eq!(hints[0].y, hints[1].y, "both hints share a line");
}

#[test]
fn a_maximised_panel_takes_the_whole_table() {
    let body = screen_layout((120, 40)).unwrap().body;
    let line = [Some(ListId::Roll(1))];
    let contents = TableContents {
        lines: [&line; 4],
        spec: System::HEART_RUSH.spec(),
        newest_dice: &NewestDice::default(),
        card_lists: &CardLists::default(),
        longest_clock_name: 0,
        own_sheet: None,
        focus: Panel::Clocks,
        is_maximized: true,
        is_fight: false,
    };

    let panels = table_layout(body, &contents).panels;

    let (_, below_scene) = scene_line(body);
    assert_eq!(panels[Panel::Clocks as usize].frame, below_scene);
    let absent = panels.iter().filter(|panel| panel.is_absent()).count();
    assert_eq!(absent, 3);
}

#[test]
fn in_a_fight_every_combatant_has_a_row_and_the_sheet_stands_beside_the_panels() {
    let line = [Some(ListId::Roll(1)); 8];
    let contents = TableContents {
        lines: [&line, &line[..2], &line[..1], &line[..3]],
        spec: System::FIVE_E.spec(),
        newest_dice: &NewestDice::default(),
        card_lists: &CardLists::default(),
        longest_clock_name: 0,
        own_sheet: None,
        focus: Panel::Party,
        is_maximized: false,
        is_fight: true,
    };

    for size in [(80, 24), (120, 40), (200, 60)] {
        let body = screen_layout(size).unwrap().body;
        let layout = table_layout(body, &contents);
        let [list, others @ ..] = layout.panels;
        assert_eq!((list.cells_in_row, list.cell.height), (1, 1), "{size:?}");
        assert!(list.rows() >= line.len(), "{size:?}");
        assert!(others.iter().all(|panel| panel.rows() > 0), "{size:?}");

        assert_eq!(layout.sheet.is_some(), size.0 >= WIDE, "{size:?}");
        if let Some(sheet) = layout.sheet {
            assert_eq!(sheet.right(), body.right());
            let is_beside = |panel: &PanelLayout| panel.frame.right() <= sheet.x;
            assert!(layout.panels.iter().all(is_beside), "{size:?}");
        }
    }
}

#[test]
fn the_party_shows_its_first_values_before_a_second_roll_takes_rows() {
    let party = [Some(ListId::Roll(1)); 5];
    let opponents = [Some(ListId::Roll(2)); 4];
    let lines: Vec<_> = party.into_iter().chain([None]).chain(opponents).collect();
    let body = screen_layout((80, 24)).unwrap().body;
    for system in System::shipped() {
        let contents = TableContents {
            lines: [&lines, &opponents, &[], &party[..3]],
            spec: system.spec(),
            newest_dice: &NewestDice::default(),
            card_lists: &CardLists::default(),
            longest_clock_name: 0,
            own_sheet: None,
            focus: Panel::Party,
            is_maximized: false,
            is_fight: false,
        };
        let [cards, clocks, _, rolls] = table_layout(body, &contents).panels;

        let id = system.id();
        let card_width = cards.cell.width.saturating_sub(GUTTER + 1);
        let least = card_heights(system.spec(), card_width).minimum;
        let is_whole = cards.cell.height >= least;
        // The rows of a third value would push opponents out of sight.
        assert!(is_whole || (least > 2 && cards.cell.height == 2), "{id}");
        assert!(is_whole || rolls.rows() == 1, "{id}");
        for (panel, lines) in [(cards, &lines[..]), (clocks, &opponents)] {
            let last_place = *panel.places(lines).last().unwrap();
            assert!(panel.in_sight(last_place, 0).is_some(), "{id}");
        }
    }
}
