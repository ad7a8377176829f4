//! Drawing a form: the rows, a line of help, and the blocks above or beneath them.
//!
//! A form without rows draws its blocks, and its buttons beneath them.

use ratatui::layout::{Position, Rect};
use ratatui::widgets::Widget;

use crate::app::keymap::KeyNames;
use crate::dialog::button_row::ButtonSize;
use crate::dialog::form::areas::MAX_MESSAGE_LINES;
use crate::dialog::form::draw_row::RowFocus;
use crate::dialog::form::row_columns::{GUTTER, RowColumns};
use crate::dialog::form::{Form, Row};
use crate::dialog::{Block, Canvas, Touched, blocks_height, dialog_width, draw_scroll_signs};
use crate::theme::Role;
use crate::widget::{
    DialogFrame, MARKER, MoreRows, PanelFrame, RowMarks, after, below, columns, draw_marks, row,
    top, wrap,
};

/// The number of lines that the blocks receive before the help receives more than one line.
const MIN_BLOCK_LINES: u16 = 3;

/// With fewer lines than this, buttons shrink before the text is cut.
const LOW: u16 = 13;

/// A line of the list.
#[derive(Clone, Copy)]
pub(super) enum ListLine {
    Heading(&'static str),
    /// The index of a row.
    Row(usize),
}

/// The text beneath the rows: an error, or else the help of the row in focus.
struct Message {
    role: Role,
    text: String,
}

pub(super) fn to_lines(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

impl Form {
    /// Draws the form with these blocks, and returns the position of the terminal's cursor.
    pub fn draw(&self, mut blocks: Vec<Block>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let area = canvas.area;
        let wanted_width = match self.layout.width {
            Some(width) => width,
            None => dialog_width(area, self.layout.has_blocks_on_top),
        };
        let width = wanted_width.min(area.width.saturating_sub(4));

        if self.rows.is_empty() && self.empty_text.is_empty() {
            self.draw_without_rows(&blocks, width, canvas);
            return None;
        }

        let (reserved_lines, max_lines) = self.layout.lines_below;
        if max_lines > 0 && blocks.is_empty() {
            blocks.extend(self.preview_block());
        }
        let mut block_lines = blocks_height(&blocks, width, canvas.look);
        let mut min_block_lines = block_lines.min(MIN_BLOCK_LINES);
        if max_lines > 0 {
            block_lines = block_lines.min(max_lines);
            min_block_lines = block_lines.min(reserved_lines);
        }

        let form_height = self.wanted_height(width, block_lines.max(reserved_lines), canvas);
        let inner = self.draw_frame(width, form_height, canvas);

        let message = self.message(canvas.keys);
        let message_lines = wrap(&message.text, inner.width);
        let areas = self.areas(
            inner,
            message.role == Role::Danger,
            to_lines(message_lines.len()),
            (min_block_lines, block_lines),
        );

        let cursor = self.draw_list(areas.list, canvas);
        draw_message(&message_lines, message.role, areas.message, canvas);
        self.scroll.draw(&blocks, areas.blocks, canvas);
        cursor
    }

    /// Draws the lines of the list around the row in focus. Returns the position of the cursor.
    fn draw_list(&self, list: Rect, canvas: &mut Canvas<'_>) -> Option<Position> {
        let lines = self.list_lines();
        let shown_count = usize::from(list.height);
        let focused_line = lines
            .iter()
            .position(|line| matches!(line, ListLine::Row(row) if *row == self.focus));

        // The focus is kept in the middle, so that no scroll position needs to be stored.
        let last_start = lines.len().saturating_sub(shown_count);
        let start = focused_line
            .unwrap_or(0)
            .saturating_sub(shown_count / 2)
            .min(last_start);

        let widths = self.row_columns(list.width);
        let mut cursor = None;
        for (area, line) in list.rows().zip(&lines[start..]) {
            match line {
                ListLine::Heading(heading) => canvas.put(area, heading, Role::Heading),
                ListLine::Row(row) => {
                    let row_cursor = self.draw_row(*row, widths, area, canvas);
                    cursor = cursor.or(row_cursor);
                }
            }
        }

        if list.height > 0 {
            let more = MoreRows {
                above: start > 0,
                below: start < last_start,
            };
            draw_scroll_signs(more, list, canvas);
        }
        cursor
    }

    /// Returns the lines of the list: the rows, and a heading above each group.
    pub(super) fn list_lines(&self) -> Vec<ListLine> {
        let mut lines = Vec::new();
        let mut group = "";

        for (index, row) in self.rows.iter().enumerate() {
            if row.group != group {
                group = row.group;
                lines.push(ListLine::Heading(group));
            }
            lines.push(ListLine::Row(index));
        }
        lines
    }

    /// Draws the blocks above the buttons. Between them is the error, or else the note of the selected button if it
    /// does not fit next to the button.
    fn draw_without_rows(&self, blocks: &[Block], width: u16, canvas: &mut Canvas<'_>) {
        let look = canvas.look;
        let (role, message_lines) = match &self.problem {
            Some(problem) => (
                Role::Danger,
                wrap(&format!("! {}", canvas.keys.fill_in(&**problem)), width),
            ),
            None => {
                let note = self.buttons.note_below(width);
                (Role::Muted, note.into_iter().map(str::to_owned).collect())
            }
        };

        let mut message_height = to_lines(message_lines.len());
        let mut button_size = ButtonSize::Full;
        let text_height = blocks_height(blocks, width, look);
        let max_height = canvas.area.height.saturating_sub(2);
        let full_height = message_height + self.buttons.height(width, button_size, look);
        let is_crowded = max_height < LOW || full_height > max_height / 4;
        if is_crowded && text_height + full_height > max_height {
            // The text is more important than the labels of the buttons, and than the note of the selected button.
            button_size = ButtonSize::Keys;
            if self.problem.is_none() {
                let button_height = self.buttons.height(width, button_size, look);
                let room = max_height
                    .saturating_sub(text_height + button_height)
                    .max(1);
                message_height = message_height.min(room);
            }
        }

        let footer_height = message_height + self.buttons.height(width, button_size, look);
        let footer_gap = u16::from(footer_height > 0);
        let form_height = text_height + footer_height + footer_gap;
        let inner = self.draw_frame(width, form_height.min(max_height), canvas);

        let blocks_height = inner.height.saturating_sub(footer_height);
        self.scroll.draw(blocks, top(inner, blocks_height), canvas);

        let footer = below(inner, blocks_height);
        for (line, index) in message_lines.iter().zip(0..message_height) {
            canvas.put(row(footer, index), &look.fit(line, width), role);
        }
        let button_area = below(footer, message_height);
        self.buttons.draw(button_area, button_size, canvas);
    }

    /// Draws the frame with the title, and returns the area inside.
    fn draw_frame(&self, width: u16, height: u16, canvas: &mut Canvas<'_>) -> Rect {
        let prefix = match self.enter.suggests_to {
            Some(gm) => format!("Suggest to the {gm}: "),
            None => String::new(),
        };
        let suffix = match self.enter.effect_while_reading {
            Some(effect) if self.is_reading => {
                let key = canvas.keys.fill_in("⟨submit⟩");
                format!(", {key} {effect}")
            }
            _ => String::new(),
        };
        let title = format!("{prefix}{}{suffix}", self.title);

        let note = canvas.keys.fill_in(self.caption.text());
        let panel = PanelFrame {
            note: &note,
            focused: true,
            ..PanelFrame::new(&title, canvas.look)
        };
        let frame = DialogFrame {
            panel,
            size: (width, height),
            keeps_top: self.layout.has_blocks_on_top,
        };
        (&frame).render(canvas.area, canvas.buffer);
        frame.inner(canvas.area)
    }

    /// Returns the preview, or the reason why the form cannot be submitted. `None` if there is no text.
    fn preview_block(&self) -> Option<Block> {
        match &self.preview.refusal {
            None if self.preview.text.is_empty() => None,
            None => Some(Block::words(Role::Info, &self.preview.text)),
            // The message shows the same text.
            refusal if *refusal == self.problem => None,
            Some(refusal) if self.problem.is_some() => Some(Block::muted(refusal)),
            Some(refusal) => Some(Block::words(Role::Danger, format!("! {refusal}"))),
        }
    }

    /// Returns the most important error, or else the help of the row in focus.
    fn message(&self, keys: KeyNames<'_>) -> Message {
        let focused_row = self.rows.get(self.focus);
        let row_problem = focused_row.and_then(|row| row.problem.as_ref());

        let (_, preview_lines) = self.layout.lines_below;
        let refusal = if preview_lines == 0 {
            self.preview.refusal.as_ref()
        } else {
            // The preview shows the refusal.
            None
        };

        if let Some(problem) = row_problem.or(self.problem.as_ref()).or(refusal) {
            return Message {
                role: Role::Danger,
                text: format!("! {}", keys.fill_in(&**problem)),
            };
        }

        let help = match focused_row {
            Some(row) => &row.help,
            None => self.empty_text,
        };
        Message {
            role: Role::Muted,
            text: keys.fill_in(help).into_owned(),
        }
    }

    /// Returns the height of the form. It includes the longest help, so that the height stays the same while the focus
    /// moves.
    fn wanted_height(&self, width: u16, block_lines: u16, canvas: &Canvas<'_>) -> u16 {
        let longest_help = self
            .rows
            .iter()
            .map(|row| canvas.keys.fill_in(&*row.help))
            .max_by_key(|help| columns(help))
            .unwrap_or_default();
        let help_lines = wrap(&longest_help, width).len();
        let own_lines = wrap(&self.message(canvas.keys).text, width).len();
        let min_lines = u16::from(self.has_message());
        let message_lines = to_lines(help_lines.max(own_lines)).clamp(min_lines, MAX_MESSAGE_LINES);

        let list_lines = to_lines(self.list_lines().len());
        let blocks_gap = u16::from(block_lines > 0);
        let height = list_lines + min_lines + message_lines + block_lines + blocks_gap;
        height.min(canvas.area.height.saturating_sub(2))
    }

    /// Returns true if the message has lines. A list without help and without an error has no message.
    pub(super) fn has_message(&self) -> bool {
        let has_error = self.problem.is_some() || self.preview.refusal.is_some();
        let has_text = |row: &Row| !row.is_item() || !row.help.is_empty() || row.problem.is_some();
        has_error || self.rows.is_empty() || self.rows.iter().any(has_text)
    }

    /// Draws a row, and returns the position of the cursor if it is in this row.
    fn draw_row(
        &self,
        index: usize,
        widths: RowColumns,
        line: Rect,
        canvas: &mut Canvas<'_>,
    ) -> Option<Position> {
        let row = self.rows.get(index)?;
        let look = canvas.look;
        let is_focused = index == self.focus;

        canvas.touch(line, Touched::Row(index));
        if is_focused && row.is_item() {
            draw_marks(RowMarks::SELECTED, look, line, canvas.buffer);
        } else if is_focused {
            canvas.put(line, MARKER, Role::Marker);
        } else if row.problem.is_some() {
            canvas.put(line, "!", Role::Danger);
        }

        let label_role = if is_focused {
            Role::Heading
        } else if row.is_quiet {
            Role::Muted
        } else {
            Role::Text
        };
        let label_width = widths.label_of(row, line.width);
        let label = look.fit(&row.label, label_width);
        canvas.put(after(line, GUTTER), &label, label_role);

        let value_area = after(line, GUTTER + label_width + widths.gap);
        let focus = match (is_focused, self.is_reading) {
            (false, _) => RowFocus::None,
            (true, true) => RowFocus::Read,
            (true, false) => RowFocus::Edited,
        };
        let value = row.draw_value(index, focus, widths.stepped_value, value_area, canvas);

        let beside_area = after(value_area, value.columns + widths.gap);
        row.draw_beside(is_focused, beside_area, canvas);
        value.cursor
    }
}

/// Draws the message, and marks it as cut off if the area has too few lines.
fn draw_message(lines: &[String], role: Role, area: Rect, canvas: &mut Canvas<'_>) {
    let is_cut_off = lines.len() > usize::from(area.height);

    for (text, index) in lines.iter().zip(0..area.height) {
        let line = row(area, index);
        let is_last = index + 1 == area.height;
        if is_cut_off && is_last {
            let shortened = canvas.look.fit_more(text, line.width);
            canvas.put(line, &shortened, role);
        } else {
            canvas.put(line, text, role);
        }
    }
}
