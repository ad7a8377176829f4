//! The mouse: presses on parts of the last frame, and the wheel.

use ratatui::layout::{Position, Rect};

use crate::Action;
use crate::app::list::ListId;
use crate::app::state::{Panel, ScreenState, Tab};
use crate::dialog::{DialogAction, DialogEvent, Touched};
use tableside_game::{CharacterId, ClockId, Command};
use tableside_table::SeatView;

/// The number of lines that a notch of the wheel moves the cursor.
const NOTCH: isize = 3;

/// A part of the screen that reacts to the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumTryAs)]
pub(crate) enum Spot {
    Tab(Tab),
    /// A panel of the table.
    Panel(Panel),
    /// An entry of a list.
    Listed(ListId),
    /// The line of a fold of the log, by the number of the fold's newest entry.
    Fold(u64),
    /// The sign before a fold. A press opens or closes the fold.
    FoldSign(u64),
    /// A value of a character, by the column of the party tab.
    Value(CharacterId, usize),
    /// The face of a clock. A press advances the clock.
    Face(ClockId),
    /// A hint in the line of keys. A press performs its action.
    Hint(Action),
    /// A hint in the line of keys while a dialog is open.
    DialogHint(Action),
    /// A part of a dialog.
    Dialog(Touched),
}

impl Spot {
    /// True for the parts of a dialog and of its line of keys, which lie above the tab.
    pub(crate) fn is_above_tab(self) -> bool {
        matches!(self, Self::Dialog(_) | Self::DialogHint(_))
    }

    /// The entry of a list that a press selects.
    fn list_id(self) -> Option<ListId> {
        match self {
            Self::Listed(id) => Some(id),
            Self::Value(character, _) => Some(ListId::Character(character)),
            Self::Face(clock) => Some(ListId::Clock(clock)),
            Self::Tab(_)
            | Self::Panel(_)
            | Self::Fold(_)
            | Self::FoldSign(_)
            | Self::Hint(_)
            | Self::DialogHint(_)
            | Self::Dialog(_) => None,
        }
    }
}

/// The areas of all spots. A later area covers the earlier ones.
pub(crate) type HitMap = Vec<(Rect, Spot)>;

impl ScreenState {
    /// Handles the wheel of the mouse.
    pub(crate) fn turn_wheel(&mut self, by: isize, view: &SeatView<'_>) -> DialogAction {
        if self.is_paused {
            return DialogAction::Stay;
        }

        self.update_lists(view);
        if self.is_browsing() && self.step_active_list(by * NOTCH) {
            return DialogAction::Stay;
        }
        let action = if by < 0 { Action::Up } else { Action::Down };
        self.act(action, view)
    }

    /// Handles a press of the mouse button.
    pub(crate) fn handle_press(
        &mut self,
        position: Position,
        hits: &HitMap,
        view: &SeatView<'_>,
    ) -> DialogAction {
        self.notice = None;
        if self.is_paused {
            return self.end_pause();
        }

        let spot = spot_at(position, hits);
        match spot {
            // A dialog covers the hints of the tab.
            Some(Spot::Hint(action)) if self.is_browsing() => return self.act(action, view),
            Some(Spot::DialogHint(action)) => return self.act(action, view),
            _ => {}
        }
        if !self.is_browsing() {
            let event = DialogEvent::Click {
                at: position,
                touched: spot.and_then(Spot::try_as_dialog),
            };
            return self.send_to_dialog(&event, view);
        }

        let Some(spot) = spot else {
            return DialogAction::Stay;
        };
        if let Some(id) = spot.list_id() {
            self.select_pressed(id);
        }
        self.press_spot(spot)
    }

    /// Moves the cursor to the pressed entry of a list.
    fn select_pressed(&mut self, id: ListId) {
        match id {
            ListId::Roll(number) if self.tab == Tab::Log => self.log.select(number),
            id => {
                self.panel = Panel::of(id);
                self.list_mut(self.panel).select(id);
            }
        }
    }

    fn press_spot(&mut self, spot: Spot) -> DialogAction {
        match spot {
            Spot::Tab(tab) => self.go_to_tab(tab),
            Spot::Panel(panel) => self.panel = panel,
            Spot::Fold(newest) => self.log.select_fold(newest),
            Spot::FoldSign(newest) => {
                self.log.select_fold(newest);
                self.log.toggle_fold();
            }
            Spot::Value(_, column) => self.party_column = column,
            Spot::Face(clock) => return Command::Tick { clock, by: 1 }.into(),
            Spot::Listed(_) | Spot::Hint(_) | Spot::DialogHint(_) | Spot::Dialog(_) => {}
        }
        DialogAction::Stay
    }
}

/// Returns the topmost spot at a position of the screen.
fn spot_at(position: Position, hits: &HitMap) -> Option<Spot> {
    hits.iter()
        .rev()
        .find(|(area, _)| area.contains(position))
        .map(|(_, spot)| *spot)
}
