//! The recap of a session, which can be read, copied and saved.

use crate::Role;
use crate::dialog::button_row::{Button, ButtonRow};
use crate::dialog::export::{ExportKind, ExportRequest, RecapRequest};
use crate::dialog::{Block, Canvas, Dialog, DialogAction, DialogSpec, Form};
use tableside_table::SeatView;

/// A recap on the screen.
pub struct ShownRecap {
    pub request: RecapRequest,
    /// The text as Markdown.
    pub text: String,
    /// The number of the newest session that has a recap.
    pub newest_session: usize,
    /// True on the host's machine, which may save the recap.
    pub may_save: bool,
}

struct RecapDialog {
    shown: ShownRecap,
    /// The actions of the buttons, in order.
    choices: Vec<RecapChoice>,
}

#[derive(Clone, Copy)]
enum RecapChoice {
    Copy,
    Save,
    Change(RecapRequest),
    Close,
}

impl ShownRecap {
    fn session(&self) -> usize {
        self.request.session.unwrap_or(self.newest_session)
    }

    /// Returns the same recap for other readers.
    fn for_others(&self) -> RecapRequest {
        RecapRequest {
            is_for_players: !self.request.is_for_players,
            ..self.request
        }
    }

    /// Returns the same recap of another session, if that session exists.
    fn of_session(&self, session: usize) -> Option<RecapRequest> {
        if !(1..=self.newest_session).contains(&session) {
            return None;
        }
        Some(RecapRequest {
            session: Some(session),
            ..self.request
        })
    }
}

/// Shows the text of a recap, with buttons for the other sessions and readers.
pub fn recap_dialog(shown: ShownRecap, view: &SeatView<'_>) -> Dialog {
    let mut choices = vec![RecapChoice::Copy];
    let mut buttons = vec![Button::new("Copy", 'y')];
    let mut add = |label: &str, key: char, choice: RecapChoice| {
        choices.push(choice);
        buttons.push(Button::new(label, key));
    };
    if shown.may_save {
        add("Save", 's', RecapChoice::Save);
    }
    let gm = view.system().spec().gm;
    if view.seat().sees_all() {
        let change = RecapChoice::Change(shown.for_others());
        if shown.request.is_for_players {
            add(&format!("For the {gm}"), 'g', change);
        } else {
            add("For players", 'p', change);
        }
    }
    let session = shown.session();
    if let Some(earlier) = shown.of_session(session - 1) {
        let change = RecapChoice::Change(earlier);
        add(&format!("Earlier: session {}", session - 1), 'e', change);
    }
    if let Some(later) = shown.of_session(session + 1) {
        let change = RecapChoice::Change(later);
        add(&format!("Newer: session {}", session + 1), 'w', change);
    }
    add("Close", 'c', RecapChoice::Close);

    let mut form = Form::empty("Recap");
    form.buttons = ButtonRow::new(buttons);
    form.copyable_text = Some(shown.text.clone());
    if view.seat().sees_all() {
        form.caption.note = if shown.request.is_for_players {
            "for players".to_owned()
        } else {
            format!("for the {gm}")
        };
    }
    Dialog::new(form, RecapDialog { shown, choices }, view)
}

impl DialogSpec for RecapDialog {
    fn press(&mut self, button: usize, _form: &mut Form, _view: &SeatView<'_>) -> DialogAction {
        match self.choices.get(button) {
            Some(RecapChoice::Copy) => DialogAction::Copy(self.shown.text.clone()),
            Some(RecapChoice::Save) => DialogAction::Export(ExportRequest {
                kind: ExportKind::Recap(self.shown.request),
                path: String::new(),
                replace: false,
            }),
            Some(RecapChoice::Change(request)) => DialogAction::ChangeRecap(*request),
            Some(RecapChoice::Close) | None => DialogAction::Close,
        }
    }

    fn blocks(&self, _form: &Form, _view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        self.shown.text.lines().map(line_block).collect()
    }
}

/// Returns a line of Markdown as a block, without its markup.
fn line_block(line: &str) -> Block {
    let heading = line.trim_start_matches('#');
    if heading.len() < line.len() {
        return Block::heading(plain_text(heading));
    }
    if let Some(item) = line.trim_start().strip_prefix("- ") {
        return Block::led(Role::Text, "• ", plain_text(item));
    }
    if line.is_empty() {
        return Block::Gap;
    }
    Block::text(plain_text(line))
}

/// Removes the signs for emphasis, and the backslashes before other signs.
fn plain_text(markdown: &str) -> String {
    let mut text = String::new();
    let mut letters = markdown.trim().chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => text.extend(letters.next()),
            '*' => {}
            letter => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recap_is_shown_without_the_signs_of_markdown_but_with_escaped_signs() {
        assert_eq!(plain_text("**Mira** rolls 2\\*3"), "Mira rolls 2*3");
        assert!(matches!(line_block(""), Block::Gap));
        assert!(matches!(
            line_block("## The docks"),
            Block::Words { role: Role::Heading, words, .. } if words == "The docks"
        ));
        assert!(matches!(
            line_block("- a note"),
            Block::Words { lead, words, .. } if lead == "• " && words == "a note"
        ));
    }
}
