//! A text field with one line.

mod view;

use ratatui::layout::Rect;
use tui_input::{Input, InputRequest};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::Action;
use tableside_text::sanitise_typed;

pub use view::FieldView;

/// The maximum number of changes that can be undone.
const MAX_UNDONE: usize = 100;

/// A text with a cursor. The text is sanitised, so it is always safe to show and to store.
#[derive(Clone, Debug)]
pub struct Field {
    input: Input,
    limit: usize,
    /// The states before each change. The newest is the last.
    undo_states: Vec<Input>,
    /// The states after each undone change. The one to redo next is the last.
    redo_states: Vec<Input>,
    /// The number of characters that the last change added, negative for deleted characters. Several characters that
    /// are typed or deleted in a row are one change.
    last_added: isize,
}

impl Field {
    /// Returns a field with the cursor at the end of the text. It takes at most `limit` characters.
    pub fn new(value: &str, limit: usize) -> Self {
        let text = sanitise_typed(value, limit).into_owned();
        Self {
            input: Input::new(text),
            limit,
            undo_states: Vec::new(),
            redo_states: Vec::new(),
            last_added: 0,
        }
    }

    pub fn value(&self) -> &str {
        self.input.value()
    }

    /// Replaces the text and puts the cursor at its end.
    pub fn set(&mut self, value: &str) {
        let text = sanitise_typed(value, self.limit).into_owned();
        self.edit(|input| *input = Input::new(text));
    }

    /// Returns true if the cursor is before the first character.
    pub fn is_at_start(&self) -> bool {
        self.input.cursor() == 0
    }

    /// Removes the text after the cursor and returns it.
    pub fn split_off_at_cursor(&mut self) -> String {
        let cursor = self.input.cursor();
        let text_after_cursor = self.value().chars().skip(cursor).collect();
        self.apply(Action::DeleteRest);
        text_after_cursor
    }

    /// Appends as much of a text as fits, and puts the cursor before it.
    pub fn append(&mut self, text: &str) {
        let length = self.value().chars().count();
        let joined = format!("{}{text}", self.value());
        self.set(&joined);
        self.input = self.input.clone().with_cursor(length);
    }

    /// Inserts a typed character. Returns false if the field is full.
    pub fn insert(&mut self, letter: char) -> bool {
        self.paste(letter.encode_utf8(&mut [0; 4]))
    }

    /// Inserts as much of a text as fits. Returns true if the text changed.
    pub fn paste(&mut self, pasted: &str) -> bool {
        let limit = self.limit;
        self.edit(|input| {
            let value = input.value();
            let (before_cursor, after_cursor) = value.split_at(cursor_offset(input));
            let room = limit.saturating_sub(value.chars().count());
            let fitting_text = pasted.chars().take(room);

            // The text before the cursor is sanitised too, because an accent may join its last letter.
            let raw_start: String = before_cursor.chars().chain(fitting_text).collect();
            let start = sanitise_typed(&raw_start, limit);
            let raw_text = format!("{start}{after_cursor}");
            let text = sanitise_typed(&raw_text, limit).into_owned();

            let cursor = start.chars().count();
            *input = Input::new(text).with_cursor(cursor);
        })
    }

    /// Makes a change that can be undone. Returns true if the text changed.
    fn edit(&mut self, change: impl FnOnce(&mut Input)) -> bool {
        let input_before = self.input.clone();
        change(&mut self.input);
        if self.input.value() == input_before.value() {
            self.last_added = 0;
            return false;
        }

        let added = length(&self.input) - length(&input_before);
        let continues_change = added.abs() == 1 && added == self.last_added;
        // A blank starts a new change, so that undo removes word by word.
        let is_blank_typed = added == 1 && self.is_after_blank();
        if is_blank_typed || !continues_change {
            self.undo_states.push(input_before);
        }
        if self.undo_states.len() > MAX_UNDONE {
            self.undo_states.remove(0);
        }

        self.redo_states.clear();
        self.last_added = added;
        true
    }

    /// Returns true if the character before the cursor is a blank.
    fn is_after_blank(&self) -> bool {
        let Some(index) = self.input.cursor().checked_sub(1) else {
            return false;
        };
        let letter = self.value().chars().nth(index);
        letter.is_some_and(char::is_whitespace)
    }

    /// Moves the cursor, deletes text, or undoes or redoes a change. Returns false for any other action.
    pub fn apply(&mut self, action: Action) -> bool {
        let request = match action {
            Action::Undo => {
                self.undo();
                return true;
            }
            Action::Redo => {
                self.redo();
                return true;
            }
            Action::CursorLeft => InputRequest::GoToPrevChar,
            Action::CursorRight => InputRequest::GoToNextChar,
            Action::WordLeft => InputRequest::GoToPrevWord,
            Action::WordRight => InputRequest::GoToNextWord,
            Action::LineStart => InputRequest::GoToStart,
            Action::LineEnd => InputRequest::GoToEnd,
            Action::DeleteBack => InputRequest::DeletePrevChar,
            Action::DeleteForward => InputRequest::DeleteNextChar,
            Action::DeleteWord => InputRequest::DeletePrevWord,
            Action::DeleteRest => InputRequest::DeleteTillEnd,
            Action::DeleteLine => InputRequest::DeleteLine,
            _ => return false,
        };
        self.edit(|input| {
            input.handle(request);
        });
        true
    }

    fn undo(&mut self) {
        if let Some(input_before) = self.undo_states.pop() {
            let input_after = std::mem::replace(&mut self.input, input_before);
            self.redo_states.push(input_after);
        }
        self.last_added = 0;
    }

    fn redo(&mut self) {
        if let Some(input_after) = self.redo_states.pop() {
            let input_before = std::mem::replace(&mut self.input, input_after);
            self.undo_states.push(input_before);
        }
        self.last_added = 0;
    }

    /// Puts the cursor at the column where the mouse pressed a field that is drawn at `area`.
    pub fn click(&mut self, area: Rect, column: u16) {
        let visible_column = usize::from(column.saturating_sub(area.x));
        let mut columns_left = self.scroll(area.width) + visible_column;
        let mut cursor = 0;
        for letter in self.input.value().graphemes(true) {
            let letter_width = tableside_text::width(letter);
            if letter_width > columns_left {
                break;
            }
            columns_left -= letter_width;
            cursor += letter.chars().count();
        }
        self.input.handle(InputRequest::SetCursor(cursor));
        self.last_added = 0;
    }

    /// Returns the number of columns that are hidden at the left. One column at the right stays free for the cursor.
    fn scroll(&self, width: u16) -> usize {
        let text_width = width.saturating_sub(1);
        self.input.visual_scroll(text_width.into())
    }
}

/// Returns the number of characters.
fn length(input: &Input) -> isize {
    input.value().chars().count().cast_signed()
}

/// Returns the position of the cursor in bytes.
fn cursor_offset(input: &Input) -> usize {
    let text = input.value();
    match text.char_indices().nth(input.cursor()) {
        Some((offset, _)) => offset,
        None => text.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widget::tests::with_looks;
    use ratatui::layout::Position;

    #[test]
    fn letters_are_typed_and_taken_back() {
        let mut field = Field::new("Mira", 10);
        assert!(field.insert('!'));
        assert!(field.apply(Action::LineStart) && field.insert('é'));
        assert!(field.apply(Action::CursorRight) && field.apply(Action::DeleteBack));
        assert_eq!(field.value(), "éira!");
        assert!(!field.apply(Action::Roll));
    }

    #[test]
    fn a_field_keeps_its_limit() {
        let mut field = Field::new("", 3);
        assert!(field.paste("a\nb\u{202E}\u{1b}c"));
        assert_eq!(field.value(), "a b");
        assert!(!field.insert('x'));
    }

    #[test]
    fn what_was_typed_is_taken_back_word_by_word() {
        let mut field = Field::new("The", 40);
        for letter in " old mill".chars() {
            field.insert(letter);
        }
        field.apply(Action::Undo);
        assert_eq!(field.value(), "The old");
        field.apply(Action::Undo);
        assert_eq!(field.value(), "The");
        assert!(field.apply(Action::Undo), "there is no more to take back");
        field.apply(Action::Redo);
        field.apply(Action::Redo);
        assert_eq!(field.value(), "The old mill");
        field.apply(Action::DeleteLine);
        field.insert('!');
        field.apply(Action::Redo);
        assert_eq!(field.value(), "!", "what is typed anew ends what was ahead");
        field.apply(Action::Undo);
        field.apply(Action::Undo);
        assert_eq!(field.value(), "The old mill");
    }

    #[test]
    fn moving_the_cursor_parts_what_is_taken_back() {
        let mut field = Field::new("", 40);
        field.paste("a");
        field.apply(Action::CursorLeft);
        field.insert('b');
        field.apply(Action::Undo);
        assert_eq!(field.value(), "a");
    }

    #[test]
    fn an_accent_joins_its_letter() {
        let mut field = Field::new("e", 10);
        assert!(field.insert('\u{301}'));
        assert_eq!(field.value(), "é");
        assert!(!field.insert('\u{200B}'));
        assert!(field.insert('\u{202E}') && field.value().ends_with('\u{FFFD}'));
    }

    #[test]
    fn a_joiner_is_typed_and_pasted_as_part_of_the_word() {
        for word in [
            "می\u{200C}خواهم",
            "👩\u{200D}🚀",
            "ශ්\u{200D}රී",
            "葛\u{E0100}",
        ] {
            let mut typed = Field::new("", 40);
            for letter in word.chars() {
                assert!(typed.insert(letter), "{word}");
            }
            assert_eq!(typed.value(), word);
            let mut pasted = Field::new("", 40);
            pasted.paste(word);
            assert_eq!(pasted.value(), word);
        }
    }

    #[test]
    fn the_cursor_stays_in_sight() {
        with_looks(|look, _| {
            let area = Rect::new(2, 1, 8, 1);
            let mut field = Field::new("a long 美 name", 40);
            for _ in 0..20 {
                let view = FieldView {
                    focused: true,
                    ..FieldView::new(&field, look)
                };
                let cursor = view.cursor(area).unwrap();
                assert!(area.contains(cursor), "{cursor:?}");
                field.apply(Action::CursorLeft);
            }
        });
    }

    #[test]
    fn a_click_puts_the_cursor_there() {
        with_looks(|look, _| {
            let area = Rect::new(2, 0, 12, 1);
            let mut field = Field::new("美咲 abc", 40);
            field.click(area, 6);
            let view = FieldView {
                focused: true,
                ..FieldView::new(&field, look)
            };
            assert_eq!(view.cursor(area), Some(Position { x: 6, y: 0 }));
            field.insert('!');
            assert_eq!(field.value(), "美咲! abc");
        });
    }
}
