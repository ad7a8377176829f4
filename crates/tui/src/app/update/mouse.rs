//! The mouse: what it touches in the last frame, and what that means.

use ratatui::layout::{Position, Rect};

use crate::Action;
use crate::app::list::ListId;
use crate::app::state::{Panel, ScreenState, Tab};
use crate::dialog::{DialogAction, DialogEvent, Touched};
use tableside_game::{CharacterId, ClockId, Command};
use tableside_table::SeatView;

/// The lines that one turn of the wheel moves.
const NOTCH: isize = 3;

/// Something on the screen that the mouse can touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumTryAs)]
pub(crate) enum Spot {
    /// A tab.
    Tab(Tab),
    /// A panel of the table.
    Panel(Panel),
    /// Something in a list.
    Listed(ListId),
    /// The line of a fold of the log, by the number of the fold's newest entry.
    Fold(u64),
    /// The sign before a fold: touching it opens or closes the fold.
    FoldSign(u64),
    /// A value of a character.
    Value(CharacterId, usize),
    /// A clock's face: touching it advances the clock.
    Face(ClockId),
    /// Something in a dialog.
    Dialog(Touched),
}

/// Where everything that can be touched is, the topmost last.
pub(crate) type HitMap = Vec<(Rect, Spot)>;

impl ScreenState {
    /// Handles the wheel.
    pub(crate) fn turn_wheel(&mut self, by: isize, view: &SeatView<'_>) -> DialogAction {
        if self.is_paused {
            return DialogAction::Stay;
        }
        self.find(view);
        if self.is_browsing() && self.step_active_list(by * NOTCH) {
            return DialogAction::Stay;
        }
        self.act(if by < 0 { Action::Up } else { Action::Down }, view)
    }

    /// Handles a press of the mouse on what it touches.
    pub(crate) fn handle_press(
        &mut self,
        at: Position,
        hits: &HitMap,
        view: &SeatView<'_>,
    ) -> DialogAction {
        self.notice = None;
        if self.is_paused {
            return self.end_pause();
        }
        let mut touched = hits.iter().rev();
        let touched = touched.find(|(area, _)| area.contains(at));
        let touched = touched.map(|(_, spot)| *spot);
        if !self.is_browsing() {
            let touched = touched.and_then(Spot::try_as_dialog);
            return self.send(&DialogEvent::Click { at, touched }, view);
        }
        let listed = match touched {
            Some(Spot::Listed(id)) => Some(id),
            Some(Spot::Value(id, _)) => Some(ListId::Character(id)),
            Some(Spot::Face(id)) => Some(ListId::Clock(id)),
            _ => None,
        };
        if let (Tab::Log, Some(ListId::Roll(number))) = (self.tab, listed) {
            self.log.select(number);
        } else if let Some(id) = listed {
            self.panel = Panel::of(id);
            self.list_mut(self.panel).select(id);
        }
        match touched {
            Some(Spot::Tab(tab)) => self.go_to_tab(tab),
            Some(Spot::Panel(panel)) => self.panel = panel,
            Some(Spot::Fold(newest)) => self.log.select_fold(newest),
            Some(Spot::FoldSign(newest)) => {
                self.log.select_fold(newest);
                self.log.toggle_fold();
            }
            Some(Spot::Value(_, value)) => self.party_column = value,
            Some(Spot::Face(clock)) => {
                return Command::Tick { clock, by: 1 }.into();
            }
            _ => {}
        }
        DialogAction::Stay
    }
}
