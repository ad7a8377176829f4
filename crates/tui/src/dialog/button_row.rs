//! A row of buttons with its own memory: which one is marked, and which letter presses it.

use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use crate::dialog::{Canvas, DialogEvent, Touched, around};
use crate::widget::{Appearance, columns, in_rows, line_columns};
use crate::{Action, Role};

/// The brackets of a button, and the blank before what stands beside it.
const AROUND: u16 = 5;

#[derive(Clone, Debug)]
pub(super) struct Button {
    pub(super) label: String,
    pub(super) letter: Option<char>,
    pub(super) note: String,
}

impl Button {
    pub(super) fn new(label: impl Into<String>, letter: impl Into<Option<char>>) -> Self {
        Self {
            label: label.into(),
            letter: letter.into(),
            note: String::new(),
        }
    }

    /// How it looks in at most so many columns, its letter underlined; what it says is cut before its
    /// brackets are.
    fn face(
        &self,
        is_marked: bool,
        has_note: bool,
        width: u16,
        look: Appearance<'_>,
    ) -> Line<'static> {
        let (role, [left, right]) = if is_marked {
            (Role::ButtonFocus, ["[›", "‹]"])
        } else {
            (Role::Button, ["[ ", " ]"])
        };
        let style = look.style(role);
        let is_its = |one: char| {
            self.letter
                .is_some_and(|own| one.to_lowercase().eq(own.to_lowercase()))
        };
        let apart = self.letter.filter(|_| !self.label.contains(is_its));
        let around = if apart.is_some() { 6 } else { 4 };
        let label = look.fit(&self.label, width.saturating_sub(around).max(1));
        let apart = apart.map_or_else(String::new, |letter| format!(" {letter}"));
        let label = format!("{label}{apart}");
        // The letter may be in what was cut off.
        let (before, rest) = label.split_at(label.find(is_its).unwrap_or(label.len()));
        let (letter, after) = rest.split_at(rest.chars().next().map_or(0, char::len_utf8));
        let lined = style.add_modifier(Modifier::UNDERLINED);
        let mut line = Line::from(vec![
            Span::styled(format!("{left}{before}"), style),
            Span::styled(letter.to_owned(), lined),
            Span::styled(format!("{after}{right}"), style),
        ]);
        if has_note && !self.note.is_empty() {
            let note = format!(" {}", self.note);
            line.push_span(Span::styled(note, look.style(Role::Muted)));
        }
        line
    }
}

/// Buttons, one of which is marked: Enter presses it.
#[derive(Debug, Default)]
pub(super) struct ButtonRow {
    pub(super) buttons: Vec<Button>,
    pub(super) focus: usize,
}

impl ButtonRow {
    /// These buttons, the last one marked.
    pub(super) fn new(buttons: Vec<Button>) -> Self {
        let focus = buttons.len().saturating_sub(1);
        Self { buttons, focus }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.buttons.is_empty()
    }

    /// Handles an event: the place of the button that was pressed, if one was.
    pub(super) fn handle(&mut self, event: &DialogEvent) -> Option<usize> {
        let count = self.buttons.len();
        let pressed = match event {
            DialogEvent::Action(Action::Press) => self.focus,
            DialogEvent::Action(action) => {
                let by = match action {
                    Action::NextButton | Action::Right => 1,
                    Action::PreviousButton | Action::Left => -1,
                    _ => return None,
                };
                self.focus = around(self.focus, by, count);
                return None;
            }
            DialogEvent::Key(key) => match key.letter()?.to_lowercase().next()? {
                ' ' => self.focus,
                letter => {
                    let mut buttons = self.buttons.iter();
                    buttons.position(|one| one.letter == Some(letter))?
                }
            },
            DialogEvent::Click {
                touched: Some(Touched::Button(button)),
                ..
            } => *button,
            DialogEvent::Click { .. } | DialogEvent::Paste(_) | DialogEvent::Written(_) => {
                return None;
            }
        };
        self.focus = pressed;
        (pressed < count).then_some(pressed)
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
        let own = |one: &Button| columns(&one.label) + columns(&one.note) + AROUND;
        self.buttons.iter().all(|one| own(one) <= width)
    }

    /// What stands beside the marked button, if there is no room for it there.
    pub(super) fn aside(&self, width: u16) -> Option<&str> {
        (!self.has_room(width)).then_some(&self.buttons.get(self.focus)?.note)
    }

    /// Where each button is, side by side and then below; those without room are empty.
    fn areas(&self, area: Rect, look: Appearance<'_>) -> Vec<Rect> {
        let has_room = self.has_room(area.width);
        let faces = self.buttons.iter();
        let faces = faces.map(|one| one.face(false, has_room, u16::MAX, look));
        let widths = faces.map(|face| line_columns(&face).min(area.width));
        in_rows(area, widths, 2, 1)
    }

    /// The rows that they take.
    pub(super) fn height(&self, width: u16, look: Appearance<'_>) -> u16 {
        let areas = self.areas(Rect::new(0, 0, width, u16::MAX), look);
        areas.last().map_or(0, |area| area.bottom())
    }

    pub(super) fn draw(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let (look, has_room) = (canvas.look, self.has_room(area.width));
        let area = area.intersection(canvas.buffer.area);
        let spots = self.areas(area, look).into_iter().enumerate();
        for (button, (place, spot)) in self.buttons.iter().zip(spots) {
            let face = button.face(place == self.focus, has_room, spot.width, look);
            let face = look.fit_line(&face, spot.width);
            if !spot.is_empty() {
                canvas.buffer.set_line(spot.x, spot.y, &face, spot.width);
            }
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
        let buttons = labels.map(|label| Button::new(label, None));
        let press = ButtonRow::new(buttons.into()).lettered();
        let letters: Vec<_> = press.buttons.iter().map(|one| one.letter).collect();
        assert_eq!(letters, [Some('f'), Some('r'), Some('e'), None]);
    }
}
