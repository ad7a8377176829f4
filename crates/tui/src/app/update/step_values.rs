//! Stepping a value of a character up and down, and selecting the value that keys step.

use crate::Action;
use crate::app::notice::Notice;
use crate::app::rows::{self, CardValue};
use crate::app::state::{ScreenState, Tab, cycle_from};
use crate::dialog::DialogAction;
use tableside_game::{Character, CharacterId, Command};
use tableside_table::SeatView;

impl ScreenState {
    /// Changes the selected value of each character by `by`.
    pub(super) fn step_values(
        &mut self,
        by: i32,
        characters: &[&Character],
        view: &SeatView<'_>,
    ) -> DialogAction {
        if !self.has_values(characters, view) {
            let system = view.system().spec().name;
            return self.refuse(format!(
                "{system} has no values to step; ⟨open⟩ opens the sheet"
            ));
        }

        let commands = characters
            .iter()
            .filter_map(|character| self.step_value(by, character.id, view))
            .collect();
        self.submit_all(commands)
    }

    /// False if the system has no columns, and the cards of these characters have no values either.
    fn has_values(&self, characters: &[&Character], view: &SeatView<'_>) -> bool {
        if !rows::values(view.system()).is_empty() {
            return true;
        }
        if self.tab == Tab::Party {
            return false;
        }
        characters
            .iter()
            .any(|character| !CardValue::all(character.id, view).is_empty())
    }

    /// Returns the command that changes the selected value of a character. `None` if the character has no such value.
    fn step_value(&self, by: i32, character: CharacterId, view: &SeatView<'_>) -> Option<Command> {
        if self.tab == Tab::Party {
            let columns = rows::values(view.system());
            let column = columns.get(self.party_column)?;
            rows::step_value(*column, character, by, view)
        } else {
            let (_, value) = CardValue::at(self.card_value, character, view)?;
            Some(value.step(character, by))
        }
    }

    /// Selects the next or the previous value: a column of the party tab, or a value on the card of a character.
    pub(super) fn select_value(
        &mut self,
        by: isize,
        character: &Character,
        view: &SeatView<'_>,
    ) -> DialogAction {
        if self.tab == Tab::Party {
            let columns = rows::values(view.system()).len();
            self.party_column = cycle(self.party_column, by, columns);
            return DialogAction::Stay;
        }

        let id = character.id;
        let Some((place, _)) = CardValue::at(self.card_value, id, view) else {
            return self.refuse("this card has no value to change");
        };
        let count = CardValue::all(id, view).len();
        let next_place = cycle(place, by, count);
        self.card_value = Some(next_place);
        self.notice = self.describe_selected_value(id, view).map(Notice::plain);
        DialogAction::Stay
    }

    /// Describes the selected value of a card and the keys that change it.
    fn describe_selected_value(&self, id: CharacterId, view: &SeatView<'_>) -> Option<String> {
        let (_, value) = CardValue::at(self.card_value, id, view)?;
        let words = value.words(id, view)?;
        let name = view.owner_name(Some(id));
        let up = self.key(Action::StepUp);
        let down = self.key(Action::StepDown);
        Some(format!("{name}: {words}; {up} and {down} change it"))
    }
}

/// Returns the place that is `by` places after this one, among `count` places. The first place follows the last one.
fn cycle(place: usize, by: isize, count: usize) -> usize {
    let places: Vec<usize> = (0..count).collect();
    cycle_from(place, by, &places)
}
