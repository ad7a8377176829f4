//! Events of a form: keys, pasted text and the mouse.

use crate::Action;
use crate::dialog::form::{Form, Row, around};
use crate::dialog::{DialogEvent, Scroll, Touched};
use crate::terminal::input::Key;
use ratatui::layout::Position;
use tableside_text::{fit, is_same_name};

/// The number of characters of a refused paste that the error quotes.
const MAX_QUOTE_CHARS: usize = 20;

/// The number of rows that Page Up and Page Down move the focus.
const PAGE: usize = 8;

/// The result of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormResult {
    /// No value changed; the focus may have moved.
    Unchanged,
    Changed,
    /// The player stepped a value that the dialog manages.
    Stepped(i32),
    Submitted,
    /// The player pressed the button with this index.
    Pressed(usize),
    Cancelled,
}

/// Returns true if an event moves the focus, scrolls or closes the form.
fn moves_or_closes(event: &DialogEvent) -> bool {
    use Action::{Close, Copy, Down, First, Last, NextField, PageDown, PageUp, PreviousField, Up};
    match event {
        DialogEvent::Action(action) => matches!(
            action,
            Close | Copy | Down | First | Last | NextField | PageDown | PageUp | PreviousField | Up
        ),
        DialogEvent::Click { touched, .. } => matches!(touched, Some(Touched::Row(_)) | None),
        _ => false,
    }
}

/// Returns the result of an action that cancels or submits every form.
fn closing_result(action: Action) -> Option<FormResult> {
    match action {
        // `Press` arrives here only if there are no buttons.
        Action::Close | Action::Press => Some(FormResult::Cancelled),
        Action::Submit | Action::RollNow | Action::Open => Some(FormResult::Submitted),
        _ => None,
    }
}

impl Form {
    /// Ends the read-only state if the event edits. Returns true if the event must be dropped.
    pub(in crate::dialog) fn intercept_while_reading(&mut self, event: &DialogEvent) -> bool {
        if !self.is_reading {
            return false;
        }
        if self.enter.effect_while_reading.is_none() {
            return !moves_or_closes(event);
        }

        // A letter may lead to another row without editing. If it changes the value, `after_edit` ends the state.
        let is_letter = matches!(event, DialogEvent::Key(_));
        self.is_reading = is_letter || moves_or_closes(event);
        matches!(event, DialogEvent::Action(Action::Submit))
    }

    pub(in crate::dialog) fn handle(&mut self, event: &DialogEvent) -> FormResult {
        if let DialogEvent::Action(action) = event
            && self.scroll_blocks(*action)
        {
            return FormResult::Unchanged;
        }

        if self.rows.is_empty()
            && let Some(button) = self.buttons.handle(event)
        {
            return FormResult::Pressed(button);
        }

        if let DialogEvent::Action(action) = event
            && let Some(result) = closing_result(*action)
        {
            return result;
        }

        let result = match event {
            DialogEvent::Action(action) => self.perform(*action),
            DialogEvent::Click { at, touched } => self.click(*touched, *at),
            DialogEvent::Key(key) => self.type_key(*key),
            DialogEvent::Paste(text) => self.paste(text),
            DialogEvent::Written(_) => FormResult::Unchanged,
        };

        if result != FormResult::Unchanged {
            self.problem = None;
        }
        result
    }

    fn perform(&mut self, action: Action) -> FormResult {
        match action {
            Action::PreviousField | Action::Up => self.move_focus(-1),
            Action::NextField | Action::Down => self.move_focus(1),
            Action::Lower | Action::Left => self.step(-1),
            Action::Toggle if self.types_spaces() => FormResult::Unchanged,
            Action::Raise | Action::Right | Action::Toggle => self.step(1),
            _ => match action.distance(PAGE) {
                Some(distance) => self.focus_index(self.focus.saturating_add_signed(distance)),
                None => self.edit(action),
            },
        }
    }

    /// Returns true if a space is part of the word that is being typed to select a value.
    fn types_spaces(&self) -> bool {
        let focused_row = self.rows.get(self.focus);
        focused_row.is_some_and(|row| row.entry.is_selecting_word())
    }

    /// Scrolls the blocks, unless the action moves the focus. Returns true if the blocks scrolled.
    fn scroll_blocks(&mut self, action: Action) -> bool {
        let is_page = matches!(action, Action::PageUp | Action::PageDown);
        let moves_no_focus = is_page || self.rows.len() < 2;
        if !self.scroll.has_more() || !moves_no_focus {
            return false;
        }
        self.scroll.apply(action)
    }

    /// Applies an editing action to the row in focus.
    fn edit(&mut self, action: Action) -> FormResult {
        let Some(row) = self.rows.get_mut(self.focus) else {
            return FormResult::Unchanged;
        };
        let is_changed = row.entry.apply(action);
        self.after_edit(is_changed)
    }

    /// Types a letter into the row in focus, or moves the focus to a row that begins with the letter.
    fn type_key(&mut self, key: Key) -> FormResult {
        let letter = key.letter();
        let leaves_number = letter.is_some_and(|letter| self.leads_from_number(letter));

        let Some(row) = self.rows.get_mut(self.focus) else {
            return FormResult::Unchanged;
        };

        // `sk` leads to the row of skills. The `k` is not text for that row while it is empty.
        let continues_jump = row.entry.text().is_empty()
            && letter.is_some_and(|letter| self.jump.continues(letter, &row.label));

        let is_changed = !continues_jump && !leaves_number && row.entry.type_key(key);
        if !is_changed && let Some(letter) = letter {
            self.jump_to(letter);
        }
        self.after_edit(is_changed)
    }

    fn paste(&mut self, text: &str) -> FormResult {
        let Some(row) = self.rows.get_mut(self.focus) else {
            return FormResult::Unchanged;
        };
        let is_changed = row.entry.paste(text);
        let takes_number = row.entry.digits().is_some();

        if !is_changed && takes_number {
            let quote = fit(text.trim(), MAX_QUOTE_CHARS).into_owned();
            self.problem = Some(format!("{quote:?} is not a number that fits here"));
        }
        self.after_edit(is_changed)
    }

    fn after_edit(&mut self, is_changed: bool) -> FormResult {
        if !is_changed {
            return FormResult::Unchanged;
        }
        self.jump.forget();
        self.is_reading = false;
        FormResult::Changed
    }

    /// Returns true if a letter after the digits of a number leads to another row instead of extending the number.
    ///
    /// An initiative is always extended, because `1e2` would move the focus to another character.
    fn leads_from_number(&self, letter: char) -> bool {
        let Some(focused_row) = self.rows.get(self.focus) else {
            return false;
        };
        let Some(digits) = focused_row.entry.digits() else {
            return false;
        };
        if digits.is_initiative() || !letter.is_alphabetic() {
            return false;
        }

        self.rows.iter().any(|row| {
            let first_letter = row.label.trim().chars().next();
            first_letter.is_some_and(|first| is_same_name(&first.to_string(), &letter.to_string()))
        })
    }

    fn step(&mut self, steps: i32) -> FormResult {
        self.jump.forget();
        let Some(row) = self.rows.get_mut(self.focus) else {
            return FormResult::Unchanged;
        };

        row.entry.step(steps, row.bounds);
        self.scroll = Scroll::default();
        if row.entry.is_managed() {
            FormResult::Stepped(steps)
        } else {
            FormResult::Changed
        }
    }

    fn move_focus(&mut self, steps: i32) -> FormResult {
        self.focus_index(around(self.focus, steps, self.rows.len()))
    }

    /// Moves the focus to a row whose label begins with all typed letters, or else to the next row whose label begins
    /// with the last letter.
    fn jump_to(&mut self, letter: char) {
        let labels: Vec<&str> = self.rows.iter().map(|row| &*row.label).collect();
        let target = self.jump.target(letter, self.focus, &labels);

        if let Some(target) = target {
            let jump = std::mem::take(&mut self.jump);
            self.focus_index(target);
            self.jump = jump;
        }
    }

    /// Moves the focus to the row under the mouse. A click on the row in focus steps or opens it.
    fn click(&mut self, touched: Option<Touched>, position: Position) -> FormResult {
        let focused_row = self.rows.get(self.focus);
        let is_item = focused_row.is_some_and(Row::is_item);

        match touched {
            Some(Touched::Row(row) | Touched::Value(row, _)) if row == self.focus && is_item => {
                FormResult::Submitted
            }
            Some(Touched::Value(row, steps)) if row == self.focus => self.step(steps),
            Some(Touched::Row(row) | Touched::Value(row, _)) => self.focus_index(row),
            Some(Touched::Text(index, area)) => {
                self.focus_index(index);
                let row = self.rows.get_mut(index);
                if let Some(field) = row.and_then(|row| row.entry.try_as_text_mut()) {
                    field.click(area, position.x);
                }
                FormResult::Unchanged
            }
            Some(Touched::Button(_)) | None => FormResult::Unchanged,
        }
    }
}
