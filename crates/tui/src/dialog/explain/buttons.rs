//! The buttons below an explanation: the follow-ups of the entry, and then the other steps.

use crate::app::roll_requests;
use crate::dialog::button_row::ButtonRow;
use crate::dialog::explain::ExplainDialog;
use crate::dialog::follow_ups::{
    FollowUp, OfferedButton, clock_follow_ups, decline_follow_ups, demanded_command, follow_ups,
    questions_of,
};
use tableside_game::{Command, Faces, Roll};
use tableside_rules::Effect;
use tableside_table::{Act, Entry, SeatView};

/// The maximum number of follow-ups that have a button, including those without a key.
const MAX_BUTTONS: usize = 24;

impl ExplainDialog {
    /// Offers the steps that are possible now. The focus stays on the same button if it is still there.
    pub(super) fn update_buttons(&mut self, buttons: &mut ButtonRow, view: &SeatView<'_>) {
        let focused_choice = self.choices.get(buttons.focus).cloned();
        let entry = view.entry(self.number);
        let roll = entry.as_ref().and_then(|entry| entry.roll());

        let mut offers = Vec::new();
        if let Some(entry) = &entry {
            offers = self.follow_up_buttons(entry, view);
        }
        if !offers.is_empty() {
            offers.extend(self.decline_button(view));
        }
        offers.extend(self.other_buttons(roll, view));
        if !offers.is_empty() {
            offers.push(OfferedButton::new(FollowUp::Close, "Close", 'c'));
        }

        self.choices.clear();
        let mut row = Vec::new();
        for offer in offers {
            self.choices.push(offer.next);
            row.push(offer.button);
        }
        *buttons = ButtonRow::new(row);

        let same_choice = self
            .choices
            .iter()
            .position(|next| Some(next) == focused_choice.as_ref());
        if let Some(index) = same_choice.or_else(|| self.demanded_button(roll, view)) {
            buttons.focus = index;
        }
    }

    /// Returns the follow-ups of the entry, with a digit each, and then ticks of clocks, with a letter each.
    fn follow_up_buttons(&mut self, entry: &Entry, view: &SeatView<'_>) -> Vec<OfferedButton> {
        let mut with_digits = questions_of(entry, view);
        with_digits.extend(follow_ups(entry, view));

        let mut offers = self.digits.buttons_of(with_digits);
        let ticks = clock_follow_ups(entry, view);
        offers.extend(self.clock_letters.buttons_of(ticks));
        offers.truncate(MAX_BUTTONS);
        offers
    }

    /// Returns the button that declines the follow-ups. Right after the roll, closing the dialog postpones them, so
    /// there is no such button.
    fn decline_button(&self, view: &SeatView<'_>) -> Option<OfferedButton> {
        if self.is_result() || !view.seat().sees_all() {
            return None;
        }
        let offer = decline_follow_ups(self.number);
        let decline = FollowUp::Do(offer.command.into());
        Some(OfferedButton::new(
            decline,
            format!("0 {}", offer.label),
            '0',
        ))
    }

    /// Returns the buttons that do not depend on the effects of the roll.
    fn other_buttons(&self, roll: Option<&Roll>, view: &SeatView<'_>) -> Vec<OfferedButton> {
        let mut offers = Vec::new();
        if let Some(roll) = roll
            && self.is_result()
        {
            offers.push(OfferedButton::new(FollowUp::Note, note_label(roll), 'n'));
        }
        if view.may_reroll(self.number) {
            let reroll = FollowUp::Do(Act::Reroll {
                entry: self.number,
                faces: Faces::Rolled,
            });
            offers.push(OfferedButton::new(reroll, "Favor: roll again", 'f'));
        }
        if self.is_result() {
            offers.extend(next_roll_buttons(view));
        }
        offers
    }

    /// Returns the index of the button that applies what the rules demand after a roll that was just made, such as its
    /// damage. `None` if a target is to be chosen first.
    fn demanded_button(&self, roll: Option<&Roll>, view: &SeatView<'_>) -> Option<usize> {
        // The damage of an area is never dealt to a further character by default.
        let demanded = demanded_command(roll?, view)?;
        if !self.is_result() {
            return None;
        }
        self.choices
            .iter()
            .position(|next| followed_command(next) == Some(&demanded))
    }
}

/// Returns the buttons for the next call and for the same roll again.
fn next_roll_buttons(view: &SeatView<'_>) -> Vec<OfferedButton> {
    let mut offers = Vec::new();
    if let Some(call) = roll_requests::to_answer(view).next() {
        let label = format!("Roll for {}", view.owner_name(Some(call.who)));
        offers.push(OfferedButton::new(FollowUp::Roll, label, 'r'));
    }
    // The log uses the same letter to roll again.
    offers.push(OfferedButton::new(FollowUp::Again, "Again", 'y'));
    offers
}

/// Returns the command that a button applies as an effect of the roll.
fn followed_command(next: &FollowUp) -> Option<&Command> {
    let FollowUp::Do(Act::Do(command)) = next else {
        return None;
    };
    match &**command {
        Command::Follow { then, .. } => Some(then),
        _ => None,
    }
}

/// Returns the label of the button for a note. The rules want complications and costs to be noted.
fn note_label(roll: &Roll) -> &'static str {
    if roll.effects.contains(&Effect::Complication) {
        "Note the complication"
    } else if roll.effects.contains(&Effect::AtACost) {
        "Note the cost"
    } else {
        "Note"
    }
}
