//! Moving cursors, scrolling, and updating the lists to the state of the table.

use ratatui::layout::Rect;

use crate::Action;
use crate::app::background::LogQuestion;
use crate::app::list::ListId;
use crate::app::rows;
use crate::app::state::{Panel, ScreenState, Tab};
use crate::view::layout;
use tableside_game::{Character, CharacterId};
use tableside_table::SeatView;

impl ScreenState {
    /// Updates the lines of all lists. Each cursor follows its entry.
    pub(crate) fn update_lists(&mut self, view: &SeatView<'_>) {
        let was_fight = self.table.is_fight;
        self.table.is_fight = view.has_turn_order();
        if self.table.is_fight && !was_fight {
            self.select_acting(view);
        }
        for panel in [Panel::Party, Panel::Clocks, Panel::Tokens] {
            let filter = if self.tab == Tab::Table {
                None
            } else {
                Some(self.list(panel).filter.as_str())
            };
            let lines = rows::lines(panel, filter, view);
            self.list_mut(panel).set_lines(lines);
        }

        match self.tab {
            Tab::Log => self.log.update(view),
            Tab::Table => {
                let rolls = rows::lines(Panel::Rolls, None, view);
                self.list_mut(Panel::Rolls).set_lines_newest_first(rolls);
            }
            Tab::Party | Tab::Clocks | Tab::Tokens => {}
        }
        self.update_panel_layouts(view);
        self.listed_revision = Some(view.revision());
    }

    /// Updates and scrolls the lists before a frame is drawn. Returns the visible log entries that are not in memory.
    pub(crate) fn prepare_frame(&mut self, view: &SeatView<'_>) -> Vec<u64> {
        self.update_lists(view);
        let Some(parts) = layout::screen_layout(self.size) else {
            return Vec::new();
        };

        let visible_rows = layout::visible_rows(self.tab_layout(parts.body).list);
        match self.tab {
            Tab::Table => self.scroll_table(),
            Tab::Party | Tab::Clocks | Tab::Tokens => {
                let list = self.list_mut(self.active_panel());
                list.scroll(visible_rows, |line| line..line + 1);
            }
            Tab::Log => {
                self.log.scroll(visible_rows);
                return self.log.missing_entries(view, visible_rows);
            }
        }
        Vec::new()
    }

    /// Scrolls the panels of the table.
    fn scroll_table(&mut self) {
        let panels = self.table.layout.map(|layout| layout.panels);
        for layout in panels.into_iter().flatten() {
            let places = layout.places(self.list(layout.panel).lines());
            let rows = |line: usize| {
                let place = places[line];
                place.y.into()..place.bottom().into()
            };
            let visible_rows = layout.inner.height.into();
            self.list_mut(layout.panel).scroll(visible_rows, rows);
        }
    }

    /// Returns the request for older log entries, if the log needs any.
    pub(crate) fn ask_log(&mut self, view: &SeatView<'_>) -> Option<LogQuestion> {
        self.log.update(view);
        let body = layout::screen_layout(self.size)?.body;
        let has_toggled_details = self.are_details_toggled(Tab::Log);
        let panes = layout::tab_layout(Tab::Log, body, has_toggled_details, 0);
        self.log.ask(layout::visible_rows(panes.list))
    }

    /// Moves the cursor. Returns false if the action is not about the cursor.
    pub(super) fn move_cursor(&mut self, action: Action, view: &SeatView<'_>) -> bool {
        let columns = match action {
            Action::Left => -1,
            Action::Right => 1,
            _ if action.distance(1).is_none() => return false,
            _ => 0,
        };

        if self.listed_revision != Some(view.revision()) {
            self.update_lists(view);
        }
        if self.tab == Tab::Log && self.open_or_close_fold(action) {
            return true;
        }
        let Some(parts) = layout::screen_layout(self.size) else {
            return true;
        };
        if columns == 0 {
            self.move_vertically(action, parts.body, view);
        } else {
            self.move_sideways(columns, view);
        }
        true
    }

    /// Closes a fold of the log with Left and opens it with Right. Returns false if no fold opened or closed.
    fn open_or_close_fold(&mut self, action: Action) -> bool {
        match action {
            Action::Left => self.log.close_fold(),
            Action::Right => self.log.open_fold(),
            _ => false,
        }
    }

    /// Selects a column of the party, or an entry of a grid. At the edge of a panel the cursor goes to the next panel.
    fn move_sideways(&mut self, by: isize, view: &SeatView<'_>) {
        match self.tab {
            Tab::Party => {
                let columns = rows::values(view.system()).len();
                let last = columns.saturating_sub(1);
                self.party_column = self.party_column.saturating_add_signed(by).min(last);
            }
            Tab::Table => {
                let layout = self.active_layout();
                let is_single_column = layout.is_none_or(|layout| layout.cells_in_row == 1);
                if is_single_column || !self.step_active_list(by) {
                    self.step_panel(by);
                }
            }
            Tab::Clocks | Tab::Tokens | Tab::Log => {
                self.step_active_list(by);
            }
        }
    }

    /// Moves the cursor up or down by an entry, by a page, or to an end of the list. On the table the cursor leaves a
    /// panel at its first and its last row.
    fn move_vertically(&mut self, action: Action, body: Rect, view: &SeatView<'_>) {
        let layout = match self.tab {
            Tab::Table => self.active_layout(),
            _ => None,
        };
        let visible_rows = match &layout {
            Some(layout) => layout.rows(),
            None => layout::visible_rows(self.tab_layout(body).list),
        };
        let page = visible_rows.saturating_sub(1);
        let by = action.distance(page).unwrap_or(0);

        let is_to_end = matches!(action, Action::First | Action::Last);
        let grid = match layout {
            _ if is_to_end => None,
            Some(layout) => Some(layout.places(self.list(self.panel).lines())),
            None => self.clock_places(view),
        };
        let Some(grid) = grid else {
            self.step_active_list(by);
            return;
        };

        let list = self.list_mut(self.active_panel());
        let before = list.id();
        list.step_down(&grid, by);
        let has_moved = list.id() != before;
        let leaves_panel = self.tab == Tab::Table && !has_moved;
        if leaves_panel && self.step_panel(by.signum()) {
            let nearest_end = if by > 0 { isize::MIN } else { isize::MAX };
            self.step_active_list(nearest_end);
        }
    }

    /// Activates the next panel or the previous one. Returns false if there is none.
    fn step_panel(&mut self, by: isize) -> bool {
        let place = (self.panel as usize).checked_add_signed(by);
        let panel = place.and_then(|place| Panel::ALL.get(place));
        match panel {
            Some(panel) => {
                self.panel = *panel;
                true
            }
            None => false,
        }
    }

    /// The area of each clock on the clocks tab. `None` on other tabs, and while the clocks are lines of text.
    pub(crate) fn clock_places(&self, view: &SeatView<'_>) -> Option<Vec<Rect>> {
        let body = layout::screen_layout(self.size)?.body;
        if self.tab != Tab::Clocks || self.are_details_toggled(Tab::Clocks) {
            return None;
        }

        let lines = self.list(Panel::Clocks).lines();
        let (own_count, owned) = rows::clock_groups(lines, view);
        if own_count == 0 && owned.counts.is_empty() {
            return None;
        }
        layout::clock_places(body, own_count, &owned)
    }

    /// Puts the cursor of the party on the character that the seat acts with: on a player's own character, and for other
    /// seats on the character whose turn it is.
    pub(crate) fn select_acting(&mut self, view: &SeatView<'_>) {
        let acting = match own_character(self.character_in_party(), view) {
            Some(own) => Some(own),
            None => on_turn(view),
        };
        if let Some(id) = acting {
            self.list_mut(Panel::Party).select(ListId::Character(id));
        }
    }

    /// Moves the cursor of the active list by `by` entries. Returns true if it moved.
    pub(super) fn step_active_list(&mut self, by: isize) -> bool {
        if self.tab == Tab::Log {
            return self.log.step(by);
        }
        self.list_mut(self.active_panel()).step(by)
    }
}

/// The character whose turn it is.
pub(crate) fn on_turn(view: &SeatView<'_>) -> Option<CharacterId> {
    view.turns().first().map(|character| character.id)
}

/// The character that a player acts with: of several the one whose turn it is, or else the one under the cursor, or else
/// the first one in the scene. `None` for a seat without characters.
fn own_character(under_cursor: Option<CharacterId>, view: &SeatView<'_>) -> Option<CharacterId> {
    let own_characters = &view.seat().characters;
    let is_own = |id: &CharacterId| own_characters.contains(id);
    let on_turn = on_turn(view).filter(is_own);
    if let Some(id) = on_turn.or_else(|| under_cursor.filter(is_own)) {
        return Some(id);
    }

    let own: Vec<&Character> = view
        .roster()
        .filter(|character| is_own(&character.id))
        .collect();
    let in_scene = own.iter().find(|character| character.is_here());
    let first = in_scene.or_else(|| own.first())?;
    Some(first.id)
}
