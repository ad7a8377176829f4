//! Actions on targets: on the entry under the cursor, or on all marked entries.

use crate::Action;
use crate::app::list::ListId;
use crate::app::state::{Panel, ScreenState, cycle_from};
use crate::dialog::{
    DialogAction, MarkedEntities, PreparedScenesDialog, character_form, clock_form, pool_form,
};
use tableside_commands::{Target, choose_command};
use tableside_game::{Allegiance, Character, Clock, Command};
use tableside_table::SeatView;

impl ScreenState {
    /// Performs an action of the active list.
    pub(super) fn act_on_targets(&mut self, action: Action, view: &SeatView<'_>) -> DialogAction {
        let panel = self.active_panel();
        let selected = self.list(panel).id();
        self.update_lists(view);

        let is_gone = selected.is_some() && self.list(panel).id() != selected;
        let needs_target = !matches!(action, Action::New | Action::BringScene);
        if is_gone && needs_target && panel != Panel::Rolls {
            return self.refuse("the item was just deleted");
        }

        if panel == Panel::Rolls {
            return self.act_on_log(action, view);
        }
        if let Some(result) = self.act_on_list(action, view) {
            return result;
        }

        let selected = self.list(panel).id().and_then(ListId::target);
        let targets = self.chosen_targets();
        let (Some(selected), Some(first)) = (selected, targets.first()) else {
            let what = match panel {
                Panel::Party => "characters",
                Panel::Clocks => "clocks",
                Panel::Tokens => "pools",
                Panel::Rolls => "rolls",
            };
            return self.refuse(format!("there are no {what} here; ⟨new⟩ creates one"));
        };

        if action == Action::Delete
            && let Some(question) = self.ask_to_delete(&targets, view)
        {
            return question;
        }
        if let Some(result) = self.change_targets(action, &targets, view) {
            return result;
        }
        if let Some(result) = self.open_for_target(action, &selected, &targets, view) {
            return result;
        }
        match choose_command(action.commands(), Some(first), view) {
            Some(command) => self.submit_or_show(command.act_on(targets, view)),
            None => DialogAction::Stay,
        }
    }

    /// The targets of keys on the active list.
    pub(super) fn chosen_targets(&self) -> Vec<Target> {
        let chosen = self.list(self.active_panel()).chosen();
        chosen.into_iter().filter_map(ListId::target).collect()
    }

    /// Performs an action of a list that needs no target. Returns `None` for other actions.
    fn act_on_list(&mut self, action: Action, view: &SeatView<'_>) -> Option<DialogAction> {
        let panel = self.active_panel();
        let result = match (action, panel) {
            (Action::New, Panel::Party) => self.open(character_form(None, view)),
            (Action::New, Panel::Clocks) => self.open(clock_form(None, view)),
            (Action::New, Panel::Tokens) => self.open(pool_form(None, view)),
            (Action::BringScene, _) if view.seat().sees_all() => {
                let marked = self.marked_for_scene();
                self.open(PreparedScenesDialog::open(marked, view))
            }
            (Action::Mark, _) => {
                self.list_mut(panel).mark();
                DialogAction::Stay
            }
            _ => return None,
        };
        Some(result)
    }

    /// The marked characters and clocks, which a new prepared scene contains.
    fn marked_for_scene(&self) -> MarkedEntities {
        let characters = self.list(Panel::Party).marked().iter();
        let clocks = self.list(Panel::Clocks).marked().iter();
        MarkedEntities {
            characters: characters.filter_map(|id| id.try_as_character()).collect(),
            clocks: clocks.filter_map(|id| id.try_as_clock()).collect(),
        }
    }

    /// Performs an action on targets that no command exists for. Returns `None` for other actions.
    fn change_targets(
        &mut self,
        action: Action,
        targets: &[Target],
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let characters = characters_of(targets, view);
        match action {
            Action::StepUp => Some(self.step_values(1, &characters, view)),
            Action::StepDown => Some(self.step_values(-1, &characters, view)),
            Action::PreviousValue => Some(self.select_value(-1, characters.first()?, view)),
            Action::NextValue => Some(self.select_value(1, characters.first()?, view)),
            Action::Side => Some(self.submit_all(change_side(&characters))),
            Action::MoreSegments => Some(self.submit_all(resize_clocks(targets, 1, view))),
            Action::FewerSegments => Some(self.submit_all(resize_clocks(targets, -1, view))),
            _ => None,
        }
    }

    /// Submits these commands as one act, or shows that there is no target for them.
    pub(super) fn submit_all(&mut self, commands: Vec<Command>) -> DialogAction {
        if commands.is_empty() {
            self.refuse("this does not apply to the selection")
        } else {
            Command::together(commands).into()
        }
    }
}

/// The characters among these targets that the seat can see.
pub(super) fn characters_of<'a>(targets: &[Target], view: &SeatView<'a>) -> Vec<&'a Character> {
    targets
        .iter()
        .filter_map(|target| target.character(view))
        .collect()
}

/// Moves all characters to the side that follows the side of the first character.
fn change_side(characters: &[&Character]) -> Vec<Command> {
    let Some(first) = characters.first() else {
        return Vec::new();
    };

    let side = cycle_from(first.side, 1, &Allegiance::ALL);
    let mut commands = Vec::new();
    for character in characters {
        let mut character = (*character).clone();
        character.side = side;
        commands.push(Command::edit(character));
    }
    commands
}

/// Adds segments to all clocks. A clock that becomes too small for its filled segments is full.
fn resize_clocks(targets: &[Target], by: i32, view: &SeatView<'_>) -> Vec<Command> {
    let mut commands = Vec::new();
    for clock in targets.iter().filter_map(|target| target.clock(view)) {
        let segments = clock.segments.saturating_add(by);
        let filled = clock.filled.min(segments.count());
        commands.push(Command::edit(Clock {
            segments,
            filled,
            ..clock.clone()
        }));
    }
    commands
}
