//! Calls for rolls, and messages about the rolls of other seats.

use crate::Role;
use crate::app::roll_requests;
use crate::app::state::{ScreenState, Tab};
use crate::dialog::{CallDialog, Dialog, DialogAction, RollDialog};
use tableside_game::{Call, CallId, Change, Character, EntityRef, EventKind};
use tableside_table::{Entry, Headline, SeatRole, SeatView, read_again};

impl ScreenState {
    /// Opens the dialog that calls for a roll by the marked characters.
    pub(super) fn call_for_roll(&mut self, view: &SeatView<'_>) -> DialogAction {
        if view.role() != SeatRole::Gm {
            let gm = view.system().spec().gm;
            return self.refuse(format!("only the {gm} can call for a roll"));
        }
        if !view.roster().any(Character::is_here) {
            return self.refuse("there are no characters to call on");
        }

        let mut marked_characters = Vec::new();
        for id in self.list(self.active_panel()).marked() {
            marked_characters.extend(id.try_as_character());
        }
        self.open(CallDialog::open(&marked_characters, view))
    }

    /// Returns the dialog of the next call for a roll: of a call on the character under the party's cursor, or else of
    /// the oldest call.
    pub(super) fn next_call(&self, view: &SeatView<'_>) -> Option<Dialog> {
        let character = self.character_in_party();
        let mut calls = roll_requests::to_answer(view);
        let call_on_character = calls.find(|call| Some(call.who) == character);
        let call = match call_on_character {
            Some(call) => call,
            None => roll_requests::to_answer(view).next()?,
        };
        RollDialog::called(call.id, view)
    }

    /// Handles new and answered calls for rolls.
    ///
    /// Dialogs of answered calls close. A player's screen shows a message for a new call, and opens its dialog unless
    /// another dialog is open.
    pub(crate) fn notice_calls(&mut self, view: &SeatView<'_>) {
        self.close_answered_calls(view);
        if view.seat().role != SeatRole::Player {
            return;
        }

        let calls = roll_requests::to_answer(view);
        let calls: Vec<CallId> = calls.map(|call| call.id).collect();
        let new_call = calls
            .iter()
            .copied()
            .find(|id| !self.noticed.calls.contains(id));
        self.noticed.calls = calls;

        if let Some(id) = new_call
            && let Some(call) = view.call(id)
        {
            self.announce_call(call, view);
            self.noticed.call_to_show = Some(id);
            self.show_call(view);
        }
    }

    fn close_answered_calls(&mut self, view: &SeatView<'_>) {
        let count = self.layers.len();
        self.layers.retain(|dialog| !dialog.is_answered(view));
        if self.layers.len() < count {
            self.inform("that call was answered or withdrawn");
        }
    }

    fn announce_call(&mut self, call: &Call, view: &SeatView<'_>) {
        let gm = view.system().spec().gm;
        let name = view.owner_name(Some(call.who));
        let description = roll_requests::describe_call(call, view);
        let message = format!("the {gm} calls on {name}: {description}");
        self.bell_reason = Some(message.clone());
        self.inform(message);
    }

    /// Opens the roll dialog of a new call, if no other dialog is open.
    pub(crate) fn show_call(&mut self, view: &SeatView<'_>) {
        if !self.is_browsing() {
            return;
        }
        let Some(call) = self.noticed.call_to_show.take() else {
            return;
        };
        if let Some(dialog) = RollDialog::called(call, view) {
            self.notice = None;
            self.open(dialog);
        }
    }

    /// Tells the GM about new rolls of other seats.
    ///
    /// There are no messages while the rolls are visible on the table or in the log, except for tokens spent on an
    /// aspect, because the GM has to approve them.
    pub(crate) fn notice_rolls(&mut self, view: &SeatView<'_>) {
        let Some(checked_to) = self.noticed.rolls_checked_to.replace(view.last_event()) else {
            return;
        };
        if view.seat().role != SeatRole::Gm {
            return;
        }

        for entry in view.log_since(checked_to + 1) {
            if !view.seat().did(&entry) {
                self.notice_roll(&entry, view);
            }
        }
    }

    fn notice_roll(&mut self, entry: &Entry, view: &SeatView<'_>) {
        if let Some(message) = roll_requests::spent_on_an_aspect(entry, view) {
            self.warn(message);
            return;
        }

        let shows_rolls = matches!(self.tab, Tab::Table | Tab::Log);
        let is_visible = self.is_browsing() && shows_rolls;
        if self.has_warning() || (is_visible && !answers_call(entry)) {
            return;
        }
        if let Some(message) = describe_roll(entry, view) {
            self.inform(message);
        }
    }

    fn has_warning(&self) -> bool {
        match &self.notice {
            Some(notice) => notice.role == Role::Warning,
            None => false,
        }
    }
}

/// True if the entry is the roll of a character who was called on.
fn answers_call(entry: &Entry) -> bool {
    let is_resolved = entry.event.what.resolved().is_some();
    is_resolved && entry.event.changes.iter().any(removes_call)
}

fn removes_call(change: &Change) -> bool {
    let is_call = matches!(change.entity, EntityRef::Call(_));
    is_call && change.part.is_whole() && change.to.is_null()
}

/// Describes the result of a roll. `None` for an entry without one.
fn describe_roll(entry: &Entry, view: &SeatView<'_>) -> Option<String> {
    let kind = &entry.event.what;
    if matches!(kind, EventKind::Thrown(_)) {
        return Some(entry.event.text(view.system()));
    }

    let roll = kind.resolved()?;
    let (spec, outcome) = read_again(roll, view.system())?;
    let title = roll.tested(view.system())?.title(&roll.who);
    let headline = Headline::of(roll, spec, &outcome).words();
    Some(format!("{title}: {headline}"))
}
