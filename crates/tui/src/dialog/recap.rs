//! The recap of a session, to be read, copied and saved.

use crate::Role;
use crate::dialog::button_row::{Button, ButtonRow};
use crate::dialog::export::{ExportKind, ExportRequest};
use crate::dialog::{Block, Canvas, Dialog, DialogAction, DialogSpec, Form};
use tableside_table::SeatView;

struct RecapDialog {
    /// The text as Markdown.
    text: String,
    /// The actions of the buttons, in order.
    choices: Vec<RecapChoice>,
}

#[derive(Clone, Copy)]
enum RecapChoice {
    Copy,
    Save,
    Close,
}

/// Shows the text of a recap. Only the screen on the host's machine may save it.
pub fn recap_dialog(text: &str, may_save: bool, view: &SeatView<'_>) -> Dialog {
    let mut choices = vec![RecapChoice::Copy];
    let mut buttons = vec![Button::new("Copy", 'y')];
    if may_save {
        choices.push(RecapChoice::Save);
        buttons.push(Button::new("Save", 's'));
    }
    choices.push(RecapChoice::Close);
    buttons.push(Button::new("Close", 'c'));

    let mut form = Form::new("Recap", Vec::new());
    form.buttons = ButtonRow::new(buttons);
    form.copyable_text = Some(text.to_owned());
    let spec = RecapDialog {
        text: text.to_owned(),
        choices,
    };
    Dialog::new(form, spec, view)
}

impl DialogSpec for RecapDialog {
    fn press(&mut self, button: usize, _form: &mut Form, _view: &SeatView<'_>) -> DialogAction {
        match self.choices.get(button) {
            Some(RecapChoice::Copy) => DialogAction::Copy(self.text.clone()),
            Some(RecapChoice::Save) => DialogAction::Export(ExportRequest {
                kind: ExportKind::Recap,
                path: String::new(),
                replace: false,
            }),
            Some(RecapChoice::Close) | None => DialogAction::Close,
        }
    }

    fn blocks(&self, _form: &Form, _view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        self.text.lines().map(line_block).collect()
    }
}

/// Renders a line of Markdown without its signs.
fn line_block(line: &str) -> Block {
    let heading = line.trim_start_matches('#');
    if heading.len() < line.len() {
        return Block::words(Role::Heading, plain_text(heading));
    }
    if let Some(item) = line.trim_start().strip_prefix("- ") {
        return Block::led(Role::Text, "• ", plain_text(item));
    }
    if line.is_empty() {
        return Block::Gap;
    }
    Block::words(Role::Text, plain_text(line))
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
