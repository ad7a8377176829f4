//! Actions on the screen and at the table that do not change the game: tabs, filter, themes, seats, leaving.

use crate::Action;
use crate::app::offered::is_offered;
use crate::app::state::{Panel, ScreenState, Tab, cycle_from};
use crate::dialog::{DialogAction, RecapRequest, invite_form, seats_form};
use tableside_table::SeatView;

impl ScreenState {
    /// Performs an action that every seat may try. Returns `None` for an action that changes the game.
    pub(super) fn act_on_screen(
        &mut self,
        action: Action,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let result = match action {
            Action::NextTab => self.set_tab(cycle_from(self.tab, 1, &Tab::ALL)),
            Action::PreviousTab => self.set_tab(cycle_from(self.tab, -1, &Tab::ALL)),
            Action::NextPanel => self.set_panel(cycle_from(self.panel, 1, &Panel::ALL)),
            Action::PreviousPanel => self.set_panel(cycle_from(self.panel, -1, &Panel::ALL)),
            Action::Maximize => self.toggle_maximized(),
            Action::Close => self.clear_selection(),
            Action::Details => self.toggle_details(),
            Action::Filter => self.open_filter(),
            Action::Cover => self.toggle_cover(),
            Action::Palette => DialogAction::ShowPalette,
            Action::Theme => DialogAction::ShowThemes,
            Action::Recap => DialogAction::ShowRecap(RecapRequest::default()),
            Action::Quit => self.quit(DialogAction::Quit, view),
            Action::Games => self.leave_for_games(view),
            Action::RandomTables => self.show_random_tables(view),
            Action::Seats => self.open_seats(view),
            Action::Invite => self.open_invitation(view),
            Action::Accept => DialogAction::Answer(true),
            Action::Decline => DialogAction::Answer(false),
            _ => return None,
        };
        Some(result)
    }

    fn set_tab(&mut self, tab: Tab) -> DialogAction {
        self.tab = tab;
        DialogAction::Stay
    }

    fn set_panel(&mut self, panel: Panel) -> DialogAction {
        self.panel = panel;
        DialogAction::Stay
    }

    /// Lets the panel with the focus take the whole table, or shows all panels again.
    fn toggle_maximized(&mut self) -> DialogAction {
        self.table.is_maximized = !self.table.is_maximized;
        DialogAction::Stay
    }

    /// Closes the open fold of the log, or else removes the marks, or else shows all panels or removes the
    /// filter.
    fn clear_selection(&mut self) -> DialogAction {
        if self.tab == Tab::Log && self.log.close_fold() {
            return DialogAction::Stay;
        }

        let had_marks = self.list_mut(self.active_panel()).unmark();
        if !had_marks && self.tab == Tab::Table && self.table.is_maximized {
            self.table.is_maximized = false;
            return DialogAction::Stay;
        }
        if !had_marks && !self.filter().is_empty() {
            self.set_filter(String::new());
            self.return_from_filter();
        }
        DialogAction::Stay
    }

    fn toggle_details(&mut self) -> DialogAction {
        if self.tab == Tab::Table {
            return self.refuse("the other tabs have details");
        }
        self.toggled_details[self.tab as usize] ^= true;
        DialogAction::Stay
    }

    fn toggle_cover(&mut self) -> DialogAction {
        self.is_covered = !self.is_covered;
        self.log.look_again();

        let message = if self.is_covered {
            let key = self.key(Action::Cover);
            format!("Covered. {key} shows all again.")
        } else {
            "uncovered".to_owned()
        };
        self.inform(message);
        DialogAction::Stay
    }

    fn leave_for_games(&mut self, view: &SeatView<'_>) -> DialogAction {
        if is_offered(Action::Games, view) {
            self.quit(DialogAction::Games, view)
        } else {
            self.refuse("other games can only be opened at the host")
        }
    }

    fn show_random_tables(&mut self, view: &SeatView<'_>) -> DialogAction {
        if is_offered(Action::RandomTables, view) {
            return DialogAction::ShowTables;
        }
        let gm = view.system().spec().gm;
        self.refuse(format!("only the {gm} can roll on random tables"))
    }

    fn open_seats(&mut self, view: &SeatView<'_>) -> DialogAction {
        if is_offered(Action::Seats, view) {
            return self.open(seats_form(view));
        }
        let gm = view.system().spec().gm;
        self.refuse(format!("only the {gm} can manage seats"))
    }

    fn open_invitation(&mut self, view: &SeatView<'_>) -> DialogAction {
        if !view.seat().sees_all() {
            let gm = view.system().spec().gm;
            return self.refuse(format!("only the {gm} can invite players"));
        }

        let is_hosted = view.listed().is_some();
        if is_hosted {
            self.open(invite_form(view))
        } else {
            self.refuse("the game is not open to players: start it with --listen, or with `tableside serve`")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::new_table;
    use tableside_rules::System;
    use tableside_table::Seat;

    #[test]
    fn a_refused_invitation_names_the_gm_as_the_system_does() {
        let table = new_table("invite", System::FRIDAY_NIGHT_DUNGEON);
        let mut state = ScreenState::default();
        table.read(&Seat::onlooker(), |view| state.open_invitation(view));
        let notice = state.notice.unwrap();
        assert_eq!(notice.text, "only the Dungeon Master can invite players");
    }
}
