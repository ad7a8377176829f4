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

/// Shows the text of a recap. Only a screen at the host may save it.
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
        self.text.lines().map(read_line).collect()
    }
}

/// A line of Markdown without its signs.
fn read_line(line: &str) -> Block {
    let heading = line.trim_start_matches('#');
    if heading.len() < line.len() {
        return Block::words(Role::Heading, plain(heading));
    }
    if let Some(item) = line.trim_start().strip_prefix("- ") {
        return Block::led(Role::Text, "• ", plain(item));
    }
    match line {
        "" => Block::Gap,
        line => Block::words(Role::Text, plain(line)),
    }
}

/// The text without the signs for emphasis and without backslashes before other signs.
fn plain(markdown: &str) -> String {
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
    fn signs_of_markdown_are_not_shown_and_escaped_signs_are() {
        assert_eq!(plain("**Mira** rolls 2\\*3"), "Mira rolls 2*3");
        assert!(matches!(read_line(""), Block::Gap));
        assert!(matches!(
            read_line("## The docks"),
            Block::Words { role: Role::Heading, words, .. } if words == "The docks"
        ));
        assert!(matches!(
            read_line("- a note"),
            Block::Words { lead, words, .. } if lead == "• " && words == "a note"
        ));
    }
}
