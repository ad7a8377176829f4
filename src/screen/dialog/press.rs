//! A row of buttons with its own memory: what each does, which one is marked, and which letter presses it.

use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::form::around;
use super::{Canvas, DialogEvent, Touched};
use crate::screen::action::Action;
use crate::screen::widget::buttons::{Button as Face, Buttons};
use crate::screen::widget::{Look, columns};

/// The brackets of a button, and the blank before what stands beside it.
const AROUND: u16 = 5;

/// A button.
#[derive(Clone, Debug)]
pub(super) struct Button<T> {
    pub(super) does: T,
    pub(super) label: String,
    /// The letter that presses it.
    pub(super) letter: Option<char>,
    /// What stands beside it.
    pub(super) note: String,
}

impl<T> Button<T> {
    pub(super) fn new(does: T, label: impl Into<String>, letter: impl Into<Option<char>>) -> Self {
        Self {
            does,
            label: label.into(),
            letter: letter.into(),
            note: String::new(),
        }
    }
}

/// Buttons, one of which is marked: Enter presses it.
#[derive(Clone, Debug)]
pub(super) struct Press<T> {
    pub(super) buttons: Vec<Button<T>>,
    pub(super) focus: usize,
}

impl<T> Press<T> {
    /// These buttons, the last one marked.
    pub(super) fn new(buttons: Vec<Button<T>>) -> Self {
        let focus = buttons.len().saturating_sub(1);
        Self { buttons, focus }
    }

    /// What the marked button does.
    pub(super) fn marked(&self) -> Option<&T> {
        self.buttons.get(self.focus).map(|button| &button.does)
    }

    /// Marks the button that does such a thing; returns whether there is one.
    pub(super) fn mark(&mut self, is_it: impl Fn(&T) -> bool) -> bool {
        let found = self.buttons.iter().position(|one| is_it(&one.does));
        self.focus = found.unwrap_or(self.focus);
        found.is_some()
    }

    /// Handles an event: what the button does that was pressed, if one was.
    pub(super) fn handle(&mut self, event: &DialogEvent) -> Option<&T> {
        let pressed = match event {
            DialogEvent::Action(action) => {
                let by = match action {
                    Action::Press | Action::RollNow | Action::Submit => return self.marked(),
                    Action::NextButton | Action::Right => 1,
                    Action::PreviousButton | Action::Left => -1,
                    _ => return None,
                };
                self.focus = around(self.focus, by, self.buttons.len());
                return None;
            }
            DialogEvent::Key(key) => match key.letter()?.to_lowercase().next()? {
                ' ' => self.focus,
                letter => {
                    let mut buttons = self.buttons.iter();
                    buttons.position(|one| one.letter == Some(letter))?
                }
            },
            DialogEvent::Click { touched, .. } => match touched {
                Some(Touched::Button(button)) => *button,
                _ => return None,
            },
            DialogEvent::Paste(_) => return None,
        };
        self.focus = pressed;
        self.marked()
    }

    /// Gives each button a letter: the first one of its label that no button before took.
    pub(super) fn lettered(mut self) -> Self {
        let mut taken = Vec::new();
        for button in &mut self.buttons {
            let mut own = button.label.chars().flat_map(char::to_lowercase);
            button.letter = own.find(|letter| letter.is_alphanumeric() && !taken.contains(letter));
            taken.extend(button.letter);
        }
        self
    }

    /// Whether what stands beside each button has room there.
    fn has_room(&self, width: u16) -> bool {
        let own = |one: &Button<T>| columns(&one.label) + columns(&one.note) + AROUND;
        self.buttons.iter().all(|one| own(one) <= width)
    }

    /// What stands beside the marked button, if there is no room for it there.
    pub(super) fn aside(&self, width: u16) -> Option<&str> {
        let marked = self.buttons.get(self.focus)?;
        (!self.has_room(width)).then_some(&marked.note)
    }

    /// Hands them over in so many columns.
    fn show<R>(&self, width: u16, look: Look<'_>, then: impl FnOnce(&Buttons<'_>) -> R) -> R {
        let has_room = self.has_room(width);
        let faces: Vec<Face<'_>> = self
            .buttons
            .iter()
            .map(|one| Face {
                label: &one.label,
                letter: one.letter,
                note: if has_room { &one.note } else { "" },
            })
            .collect();
        then(&Buttons {
            buttons: &faces,
            focus: Some(self.focus),
            look,
        })
    }

    /// The rows that they take.
    pub(super) fn height(&self, width: u16, look: Look<'_>) -> u16 {
        self.show(width, look, |buttons| buttons.height(width))
    }

    pub(super) fn draw(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let areas = self.show(area.width, canvas.look, |buttons| {
            buttons.render(area, canvas.buffer);
            buttons.areas(area)
        });
        for (place, spot) in areas.into_iter().enumerate() {
            canvas.touch(spot, Touched::Button(place));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_button_has_a_letter_of_its_own() {
        let labels = ["Fail", "Free", "Re-roll the 1", "F"];
        let buttons = labels.map(|label| Button::new((), label, None));
        let press = Press::new(buttons.into()).lettered();
        let letters: Vec<_> = press.buttons.iter().map(|one| one.letter).collect();
        assert_eq!(letters, [Some('f'), Some('r'), Some('e'), None]);
    }
}
