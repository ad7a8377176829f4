//! A row of buttons. One button is selected. Each button may have a letter that presses it.

use std::borrow::Cow;

use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use crate::dialog::{Canvas, DialogEvent, Touched, around};
use crate::widget::{Appearance, columns, in_rows, line_columns};
use crate::{Action, Role};

/// The columns of the brackets around a label, and of the space before the note.
const BRACKET_COLUMNS: u16 = 5;

/// The columns of a button that shows only its letter, and of the gap after it.
const KEY_COLUMNS: u16 = 6;

/// The minimum width of the selected button while the other buttons show only their letters, in columns.
const MIN_SELECTED_COLUMNS: u16 = 12;

#[derive(Clone, Debug)]
pub(super) struct Button {
    pub(super) label: String,
    pub(super) letter: Option<char>,
    /// A text next to the button.
    pub(super) note: String,
}

/// The size of the buttons of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ButtonSize {
    Full,
    /// Only the selected button, and buttons without a letter, show their labels. On most screens this is one line.
    Keys,
}

impl Button {
    pub(super) fn new(label: impl Into<String>, letter: impl Into<Option<char>>) -> Self {
        Self {
            label: label.into(),
            letter: letter.into(),
            note: String::new(),
        }
    }

    /// Returns the button as a line of at most `width` columns, with its letter underlined. The label is cut off so
    /// that the brackets fit.
    fn to_line(
        &self,
        is_selected: bool,
        has_note: bool,
        width: u16,
        look: Appearance<'_>,
    ) -> Line<'static> {
        let (role, left, right) = if is_selected {
            (Role::ButtonFocus, "[›", "‹]")
        } else {
            (Role::Button, "[ ", " ]")
        };
        let style = look.style(role);

        let label = self.label_with_letter(width, look);
        // If the letter was cut off, no letter is underlined.
        let letter_start = label
            .find(|letter| self.has_letter(letter))
            .unwrap_or(label.len());
        let (before_letter, from_letter) = label.split_at(letter_start);
        let letter_length = from_letter.chars().next().map_or(0, char::len_utf8);
        let (letter, after_letter) = from_letter.split_at(letter_length);

        let underlined = style.add_modifier(Modifier::UNDERLINED);
        let mut line = Line::from(vec![
            Span::styled(format!("{left}{before_letter}"), style),
            Span::styled(letter.to_owned(), underlined),
            Span::styled(format!("{after_letter}{right}"), style),
        ]);
        if has_note && !self.note.is_empty() {
            let note = format!(" {}", self.note);
            line.push_span(Span::styled(note, look.style(Role::Muted)));
        }
        line
    }

    /// Returns the button as a line. In the size for letters, only the selected button keeps its label.
    fn sized(&self, size: ButtonSize, is_selected: bool) -> Cow<'_, Self> {
        match self.letter {
            Some(letter) if size == ButtonSize::Keys && !is_selected => Cow::Owned(Self {
                label: letter.to_string(),
                letter: Some(letter),
                note: String::new(),
            }),
            _ => Cow::Borrowed(self),
        }
    }

    /// Returns the label, cut off to fit between the brackets. A letter that is not part of the label follows it.
    fn label_with_letter(&self, width: u16, look: Appearance<'_>) -> String {
        let label_has_letter = self.label.contains(|letter| self.has_letter(letter));
        let extra_letter = if label_has_letter { None } else { self.letter };
        let columns_around = if extra_letter.is_some() { 6 } else { 4 };
        let label = look.fit(&self.label, width.saturating_sub(columns_around).max(1));

        match extra_letter {
            Some(letter) => format!("{label} {letter}"),
            None => label.to_string(),
        }
    }

    /// Returns true if this letter, in upper or lower case, presses the button.
    fn has_letter(&self, letter: char) -> bool {
        match self.letter {
            Some(own_letter) => letter.to_lowercase().eq(own_letter.to_lowercase()),
            None => false,
        }
    }
}

/// A row of buttons. Enter presses the button in focus.
#[derive(Debug, Default)]
pub(super) struct ButtonRow {
    pub(super) buttons: Vec<Button>,
    pub(super) focus: usize,
}

impl ButtonRow {
    /// Returns a row of buttons with the focus on the last button.
    pub(super) fn new(buttons: Vec<Button>) -> Self {
        let focus = buttons.len().saturating_sub(1);
        Self { buttons, focus }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.buttons.is_empty()
    }

    /// Handles an event, and returns the index of the button that it pressed.
    pub(super) fn handle(&mut self, event: &DialogEvent) -> Option<usize> {
        let pressed = match event {
            DialogEvent::Action(Action::Press) => self.focus,
            DialogEvent::Action(Action::NextButton | Action::Right) => {
                self.move_focus(1);
                return None;
            }
            DialogEvent::Action(Action::PreviousButton | Action::Left) => {
                self.move_focus(-1);
                return None;
            }
            DialogEvent::Key(key) => self.button_of_letter(key.letter()?)?,
            DialogEvent::Click {
                touched: Some(Touched::Button(button)),
                ..
            } => *button,
            DialogEvent::Action(_)
            | DialogEvent::Click { .. }
            | DialogEvent::Paste(_)
            | DialogEvent::Written(_) => return None,
        };

        self.focus = pressed;
        (pressed < self.buttons.len()).then_some(pressed)
    }

    fn move_focus(&mut self, steps: i32) {
        self.focus = around(self.focus, steps, self.buttons.len());
    }

    /// Returns the button that a letter presses. The space bar presses the button in focus.
    fn button_of_letter(&self, letter: char) -> Option<usize> {
        let letter = letter.to_lowercase().next()?;
        if letter == ' ' {
            return Some(self.focus);
        }
        self.buttons
            .iter()
            .position(|button| button.letter == Some(letter))
    }

    /// Gives each button the first letter of its label that no earlier button uses.
    pub(super) fn lettered(mut self) -> Self {
        let mut used_letters = Vec::new();
        for button in &mut self.buttons {
            button.letter = button
                .label
                .chars()
                .flat_map(char::to_lowercase)
                .find(|letter| letter.is_alphanumeric() && !used_letters.contains(letter));
            used_letters.extend(button.letter);
        }
        self
    }

    /// Returns true if every note fits next to its button.
    fn has_room_for_notes(&self, width: u16) -> bool {
        self.buttons.iter().all(|button| {
            let text_columns = columns(&button.label) + columns(&button.note);
            text_columns + BRACKET_COLUMNS <= width
        })
    }

    /// Returns the note of the selected button, if notes do not fit next to the buttons.
    pub(super) fn note_below(&self, width: u16) -> Option<&str> {
        if self.has_room_for_notes(width) {
            return None;
        }
        Some(&self.buttons.get(self.focus)?.note)
    }

    /// Returns the lines of the buttons, with the selected button marked. With [`ButtonSize::Keys`], its label is cut
    /// off to fit next to the letters of the others.
    fn lines(&self, width: u16, size: ButtonSize, look: Appearance<'_>) -> Vec<Line<'static>> {
        let has_notes = size == ButtonSize::Full && self.has_room_for_notes(width);
        let button_count = u16::try_from(self.buttons.len()).unwrap_or(u16::MAX);
        let other_columns = button_count.saturating_sub(1).saturating_mul(KEY_COLUMNS);
        let selected_width = match size {
            ButtonSize::Full => width,
            ButtonSize::Keys => {
                let min_width = MIN_SELECTED_COLUMNS.min(width);
                width.saturating_sub(other_columns).max(min_width)
            }
        };

        let mut lines = Vec::new();
        for (index, button) in self.buttons.iter().enumerate() {
            let is_selected = index == self.focus;
            let button_width = if is_selected { selected_width } else { width };
            let sized = button.sized(size, is_selected);
            lines.push(sized.to_line(is_selected, has_notes, button_width, look));
        }
        lines
    }

    /// Returns the area of each button. The buttons fill line after line. A button without room has an empty area.
    fn areas(&self, area: Rect, size: ButtonSize, look: Appearance<'_>) -> Vec<Rect> {
        let lines = self.lines(area.width, size, look);
        let widths = lines.iter().map(|line| line_columns(line).min(area.width));
        let gap = if size == ButtonSize::Keys { 1 } else { 2 };
        in_rows(area, widths, gap, 1)
    }

    /// Returns the number of lines of all buttons.
    pub(super) fn height(&self, width: u16, size: ButtonSize, look: Appearance<'_>) -> u16 {
        let areas = self.areas(Rect::new(0, 0, width, u16::MAX), size, look);
        areas.last().map_or(0, |area| area.bottom())
    }

    pub(super) fn draw(&self, area: Rect, size: ButtonSize, canvas: &mut Canvas<'_>) {
        let look = canvas.look;
        let visible_area = area.intersection(canvas.buffer.area);
        let button_areas = self.areas(visible_area, size, look);
        let lines = self.lines(visible_area.width, size, look);

        for (index, (line, area)) in lines.iter().zip(button_areas).enumerate() {
            if !area.is_empty() {
                let fitted = look.fit_line(line, area.width);
                canvas.buffer.set_line(area.x, area.y, &fitted, area.width);
            }
            canvas.touch(area, Touched::Button(index));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_button_gets_another_letter() {
        let labels = ["Fail", "Free", "Re-roll the 1", "F"];
        let buttons = labels.map(|label| Button::new(label, None));
        let button_row = ButtonRow::new(buttons.into()).lettered();
        let letters: Vec<_> = button_row
            .buttons
            .iter()
            .map(|button| button.letter)
            .collect();
        assert_eq!(letters, [Some('f'), Some('r'), Some('e'), None]);
    }
}
