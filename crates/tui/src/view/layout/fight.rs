//! The table with its four panels, and in a fight with the sheet of the acting character beside them.

use ratatui::layout::Rect;

use crate::view::layout::WIDE;
use crate::view::layout::contents::TableContents;
use crate::view::layout::panel_layout::PanelLayout;
use crate::view::layout::panels::{panel_layouts, scene_line};
use crate::widget::{after, left};

/// The least number of rows of the sheet, with its frame.
const LEAST_SHEET: u16 = 10;
/// The width of the list of combatants beside the sheet, in twentieths of the screen.
const LIST_PART: u16 = 13;
/// The width at which a list shows the conditions of most combatants whole. The sheet gets only what the list leaves.
const ROOMY_LIST: u16 = 90;
/// The least columns of the sheet, with its frame.
const LEAST_SHEET_WIDTH: u16 = 30;
/// The most columns of the sheet, with its frame. Its values would not use more.
const MOST_SHEET_WIDTH: u16 = 60;

/// The places of everything on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TableLayout {
    /// The four panels, in the order of [`Panel::ALL`](crate::app::state::Panel::ALL). In a fight the panel of the
    /// party lists the combatants, one in a row.
    pub(crate) panels: [PanelLayout; 4],
    /// The sheet of the character whose turn it is. `None` outside of fights, and if there is no room for it.
    pub(crate) sheet: Option<Rect>,
}

/// Computes the layout of the table.
pub(crate) fn table_layout(body: Rect, contents: &TableContents<'_>) -> TableLayout {
    let (_, below_scene) = scene_line(body);
    let has_room = body.width >= WIDE && below_scene.height >= LEAST_SHEET;
    if !contents.is_fight || contents.is_maximized || !has_room {
        return TableLayout {
            panels: panel_layouts(body, contents).into_values(),
            sheet: None,
        };
    }

    let most_list = body.width.saturating_sub(LEAST_SHEET_WIDTH);
    let beside_widest_sheet = body.width.saturating_sub(MOST_SHEET_WIDTH);
    let list_width = (body.width * LIST_PART / 20)
        .max(ROOMY_LIST.min(most_list))
        .max(beside_widest_sheet);
    TableLayout {
        panels: panel_layouts(left(body, list_width), contents).into_values(),
        sheet: Some(after(below_scene, list_width)),
    }
}
