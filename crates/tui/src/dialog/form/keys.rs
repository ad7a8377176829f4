//! The keys of a form: its context, the effect of Enter, and the actions for the line of keys.

use crate::dialog::form::{Form, RowKind};
use crate::{Action, Context};

/// The keys of a form.
#[derive(Debug, Default)]
pub(in crate::dialog) struct FormKeys {
    /// The context of the keys. `None` selects `Form`, or `Help` if the form has no rows.
    pub(in crate::dialog) context: Option<Context>,
    /// The actions listed at the bottom of the screen, the most useful first. Actions without a key are omitted.
    pub(in crate::dialog) hinted_actions: &'static [Action],
    /// True if every letter is text, even if a key binding uses it.
    pub(in crate::dialog) takes_all_letters: bool,
}

/// The effect of Enter in a form.
#[derive(Debug, Default)]
pub(in crate::dialog) struct EnterKey {
    /// The effect in the line of keys, such as `roll`. `None` if Enter saves the form.
    pub(in crate::dialog) label: Option<&'static str>,
    /// The effect while the form is read-only, for its title. `None` if this seat may not edit.
    pub(in crate::dialog) effect_while_reading: Option<&'static str>,
    /// The system's word for the GM, if Enter sends a suggestion to the GM.
    pub(super) suggests_to: Option<&'static str>,
}

impl Form {
    /// Sets the system's word for the GM, if submitting the form sends a suggestion to the GM.
    pub fn suggest_to(&mut self, gm: Option<&'static str>) {
        self.enter.suggests_to = gm;
    }

    /// Returns the context whose keys apply.
    pub(in crate::dialog) fn context(&self) -> Context {
        match self.keys.context {
            Some(context) => context,
            None if self.rows.is_empty() => Context::Help,
            None => Context::Form,
        }
    }

    /// Returns the effect of Enter in the line of keys. `None` if it saves the form.
    pub fn enter_label(&self) -> Option<&'static str> {
        match self.enter.effect_while_reading {
            Some("edits") if self.is_reading => Some("edit"),
            Some(_) if self.is_reading => Some("suggest"),
            _ if self.enter.suggests_to.is_some() => Some("suggest"),
            _ => self.enter.label,
        }
    }

    /// Returns the actions to list at the bottom of the screen.
    pub fn hints(&self) -> &'static [Action] {
        use Action::{
            Close, Copy, DeleteLine, Down, Lower, NextButton, NextField, PageDown, Press, Raise,
            Submit, Up,
        };

        if !self.keys.hinted_actions.is_empty() || self.keys.context.is_some() {
            return self.keys.hinted_actions;
        }

        let Some(focused_row) = self.rows.get(self.focus) else {
            if !self.buttons.is_empty() {
                return &[Press, NextButton];
            }
            if self.copyable_text.is_some() {
                return &[Copy];
            }
            if self.scroll.has_more() {
                return &[Up, Down, PageDown];
            }
            return &[Close];
        };

        if self.is_reading {
            return match self.enter.effect_while_reading {
                None => &[NextField],
                Some(_) => &[Submit, NextField, Lower, Raise],
            };
        }

        let has_several_rows = self.rows.len() > 1;
        if self.takes_letters() {
            let has_text = !focused_row.entry.text().is_empty();
            return match (has_several_rows, has_text) {
                (true, true) => &[Submit, NextField, DeleteLine],
                (true, false) => &[Submit, NextField],
                (false, true) => &[Submit, DeleteLine],
                (false, false) => &[Submit],
            };
        }

        if has_several_rows {
            &[Submit, NextField, Lower, Raise]
        } else if self.scroll.has_more() {
            &[Lower, Raise, PageDown]
        } else {
            &[Submit, Lower, Raise]
        }
    }

    /// Returns true if a dialog on top would receive keys that are meant as text for this form.
    pub fn is_being_written(&self) -> bool {
        self.takes_letters() || self.changed().next().is_some()
    }

    /// Returns true if letters are text for the row in focus.
    pub(in crate::dialog) fn takes_letters(&self) -> bool {
        if self.keys.takes_all_letters {
            return true;
        }
        let focused_row = self.rows.get(self.focus);
        focused_row.is_some_and(|row| row.entry.is_text())
    }

    /// Returns true if this letter is text for the row in focus. Among numbers, a question mark opens the help instead.
    pub fn takes_letter(&self, letter: char) -> bool {
        let focused_row = self.rows.get(self.focus);
        let holds_numbers = focused_row.is_some_and(|row| row.kind == RowKind::Numbers);
        self.takes_letters() && !(holds_numbers && letter == '?')
    }
}
