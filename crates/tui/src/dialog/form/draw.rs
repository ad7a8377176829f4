//! Drawing a form: the rows, a line of help, and the blocks beneath them.
//!
//! A form without rows draws its blocks, and its buttons beneath them.

use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::dialog::form::{Form, Row, TypedValue};
use crate::dialog::{Block, Canvas, Touched, blocks_height, dialog_width, draw_scroll_signs};
use crate::theme::Role;
use crate::widget::{
    DialogFrame, FieldView, MARKER, PanelFrame, RowMarks, after, below, columns, draw_marks, left,
    row, top, wrap,
};

/// The rows that are drawn before any other part receives lines.
const LEAST_ROWS: u16 = 4;

/// The rows that are drawn before the blocks receive all their lines.
const SOME_ROWS: u16 = 8;

/// The lines of blocks that are drawn before the help receives more than one line.
const LEAST_BLOCK_LINES: u16 = 3;

/// The most lines of the message, which is an error or the help.
const MOST_MESSAGE_LINES: u16 = 5;

/// From this width on, labels may use half of the columns.
const ROOMY: u16 = 60;

/// Below this width, the text next to a value follows the value directly.
const NARROW: u16 = 24;

/// The columns between a value and the text next to it.
const GAP: u16 = 2;

/// The columns before the label, for the marker of the focus.
const GUTTER: u16 = 2;

/// The columns of a text field that the text next to it must leave free.
const LEAST_TEXT: u16 = 20;

/// The widths of the columns of the list.
#[derive(Clone, Copy)]
struct Columns {
    label: u16,
    /// The value and the text next to it.
    value: u16,
    /// The widest value that is stepped. The texts next to the values begin after it.
    stepped_value: u16,
}

/// A line of the list.
#[derive(Clone, Copy)]
enum ListLine {
    Heading(&'static str),
    /// The index of a row.
    Row(usize),
}

/// The text beneath the rows: an error, or else the help of the row in focus.
struct Message {
    role: Role,
    text: String,
}

/// The areas inside the frame.
struct Areas {
    list: Rect,
    message: Rect,
    blocks: Rect,
}

/// The parts that share the height of a form.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FormPart {
    List,
    ListGap,
    Message,
    MessageGap,
    Blocks,
}

/// The heights of the parts, while they are distributed.
struct Heights {
    heights: Vec<(FormPart, u16)>,
    lines_left: u16,
}

impl Heights {
    fn new(lines: u16) -> Self {
        Self {
            heights: Vec::new(),
            lines_left: lines,
        }
    }

    fn of(&self, part: FormPart) -> u16 {
        self.heights
            .iter()
            .filter(|(known, _)| *known == part)
            .map(|(_, lines)| lines)
            .sum()
    }

    /// Raises the height of a part to `lines`, if enough lines are left.
    fn raise(&mut self, part: FormPart, lines: u16) {
        let missing = lines.saturating_sub(self.of(part));
        let added = missing.min(self.lines_left);
        self.heights.push((part, added));
        self.lines_left -= added;
    }
}

fn to_lines(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

impl Form {
    /// Draws the form with these blocks, and returns the position of the terminal's cursor.
    pub fn draw(&self, mut blocks: Vec<Block>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let area = canvas.area;
        let wanted_width = match self.width {
            Some(width) => width,
            None => dialog_width(area, self.has_blocks_on_top),
        };
        let width = wanted_width.min(area.width.saturating_sub(4));

        if self.rows.is_empty() && self.empty_text.is_empty() {
            self.draw_without_rows(&blocks, width, canvas);
            return None;
        }

        let (least_block_lines, block_lines) = match self.lines_below {
            (0, 0) => {
                let lines = blocks_height(&blocks, width, canvas.look);
                (lines.min(LEAST_BLOCK_LINES), lines)
            }
            lines => lines,
        };
        if block_lines > 0 && blocks.is_empty() {
            blocks.push(self.preview_block());
        }

        let form_height = self.wanted_height(width, block_lines, area);
        let inner = self.draw_frame(width, form_height, canvas);

        let message = self.message();
        let message_lines = wrap(&message.text, inner.width);
        let areas = self.areas(
            inner,
            message.role == Role::Danger,
            to_lines(message_lines.len()),
            (least_block_lines, block_lines),
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

        let widths = self.columns(list.width);
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
            draw_scroll_signs((start > 0, start < last_start), list, canvas);
        }
        cursor
    }

    /// Returns the lines of the list: the rows, and a heading above each group.
    fn list_lines(&self) -> Vec<ListLine> {
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
            Some(problem) => (Role::Danger, wrap(&format!("! {problem}"), width)),
            None => {
                let note = self.buttons.note_below(width);
                (Role::Muted, note.into_iter().map(str::to_owned).collect())
            }
        };

        let message_height = to_lines(message_lines.len());
        let footer_height = message_height + self.buttons.height(width, look);
        let footer_gap = u16::from(footer_height > 0);
        let form_height = blocks_height(blocks, width, look) + footer_height + footer_gap;
        let most_height = canvas.area.height.saturating_sub(2);
        let inner = self.draw_frame(width, form_height.min(most_height), canvas);

        let blocks_height = inner.height.saturating_sub(footer_height);
        self.scroll.draw(blocks, top(inner, blocks_height), canvas);

        let footer = below(inner, blocks_height);
        for (line, index) in message_lines.iter().zip(0..) {
            canvas.put(row(footer, index), &look.fit(line, width), role);
        }
        self.buttons.draw(below(footer, message_height), canvas);
    }

    /// Draws the frame with the title, and returns the area inside.
    fn draw_frame(&self, width: u16, height: u16, canvas: &mut Canvas<'_>) -> Rect {
        let prefix = if self.suggests { "Suggest: " } else { "" };
        let suffix = match self.enter_does {
            Some(effect) if self.is_reading => format!(", Enter {effect}"),
            _ => String::new(),
        };
        let title = format!("{prefix}{}{suffix}", self.title);

        let panel = PanelFrame {
            note: &self.note,
            focused: true,
            ..PanelFrame::new(&title, canvas.look)
        };
        let frame = DialogFrame {
            panel,
            size: (width, height),
        };
        (&frame).render(canvas.area, canvas.buffer);
        frame.inner(canvas.area)
    }

    /// Returns the preview, or the reason why the form cannot be submitted.
    fn preview_block(&self) -> Block {
        match &self.preview.refusal {
            None => Block::words(Role::Info, &self.preview.text),
            // The message shows the same text.
            refusal if *refusal == self.problem => Block::Gap,
            Some(refusal) if self.problem.is_some() => Block::words(Role::Muted, refusal),
            Some(refusal) => Block::words(Role::Danger, format!("! {refusal}")),
        }
    }

    /// Returns the most important error, or else the help of the row in focus.
    fn message(&self) -> Message {
        let focused_row = self.rows.get(self.focus);
        let row_problem = focused_row.and_then(|row| row.problem.as_ref());

        let (_, preview_lines) = self.lines_below;
        let refusal = if preview_lines == 0 {
            self.preview.refusal.as_ref()
        } else {
            // The preview shows the refusal.
            None
        };

        if let Some(problem) = row_problem.or(self.problem.as_ref()).or(refusal) {
            return Message {
                role: Role::Danger,
                text: format!("! {problem}"),
            };
        }

        let help = match focused_row {
            Some(row) => &row.help,
            None => self.empty_text,
        };
        Message {
            role: Role::Muted,
            text: help.to_owned(),
        }
    }

    /// Returns the height of the whole form. It includes the longest help, so that the height stays the same while the
    /// focus moves.
    fn wanted_height(&self, width: u16, block_lines: u16, area: Rect) -> u16 {
        let longest_help = self
            .rows
            .iter()
            .map(|row| &*row.help)
            .max_by_key(|help| columns(help))
            .unwrap_or_default();
        let help_lines = wrap(longest_help, width).len();
        let own_lines = wrap(&self.message().text, width).len();
        let message_lines = to_lines(help_lines.max(own_lines)).clamp(1, MOST_MESSAGE_LINES);

        let list_lines = to_lines(self.list_lines().len());
        let blocks_gap = u16::from(block_lines > 0);
        let height = list_lines + 1 + message_lines + block_lines + blocks_gap;
        height.min(area.height.saturating_sub(2))
    }

    /// Divides the area inside the frame. If the room is short, each part receives some lines before any part receives
    /// more.
    fn areas(
        &self,
        inner: Rect,
        is_error: bool,
        message_lines: u16,
        (least_block_lines, block_lines): (u16, u16),
    ) -> Areas {
        let row_lines = to_lines(self.list_lines().len());
        let message_lines = message_lines.clamp(1, MOST_MESSAGE_LINES);

        let mut heights = Heights::new(inner.height);
        if is_error {
            heights.raise(FormPart::Message, message_lines.min(2));
        }
        heights.raise(FormPart::List, row_lines.min(LEAST_ROWS));
        heights.raise(FormPart::Blocks, least_block_lines);
        heights.raise(FormPart::Message, 1);
        heights.raise(FormPart::List, row_lines.min(SOME_ROWS));
        heights.raise(FormPart::Blocks, block_lines);
        heights.raise(FormPart::Message, message_lines);
        heights.raise(FormPart::List, row_lines);
        heights.raise(FormPart::ListGap, 1);
        heights.raise(FormPart::MessageGap, block_lines.min(1));
        // The message takes the remaining lines, so that the blocks stay at the bottom whatever its length.
        heights.raise(FormPart::Message, u16::MAX);

        let order = if self.has_blocks_on_top {
            [
                FormPart::Blocks,
                FormPart::MessageGap,
                FormPart::List,
                FormPart::ListGap,
                FormPart::Message,
            ]
        } else {
            [
                FormPart::List,
                FormPart::ListGap,
                FormPart::Message,
                FormPart::MessageGap,
                FormPart::Blocks,
            ]
        };
        let constraints = order.map(|part| Constraint::Length(heights.of(part)));
        let parts: [Rect; 5] = Layout::vertical(constraints).areas(inner);
        let area_of = |part: FormPart| match order.iter().position(|known| *known == part) {
            Some(index) => parts[index],
            None => Rect::default(),
        };

        Areas {
            list: area_of(FormPart::List),
            message: area_of(FormPart::Message),
            blocks: area_of(FormPart::Blocks),
        }
    }

    fn columns(&self, width: u16) -> Columns {
        let widest = |columns_of: fn(&Row) -> u16| {
            let widths = self.rows.iter().map(columns_of);
            widths.max().unwrap_or(0)
        };

        let most_label = if width < ROOMY {
            width * 2 / 5
        } else {
            width / 2
        };
        let label = widest(|row| columns(&row.label)).min(most_label);
        let value = width.saturating_sub(GUTTER + label + GAP);

        let widest_beside = widest(|row| columns(&row.beside));
        let beside_rest = value.saturating_sub(widest_beside + GAP);
        let most_stepped = (value * 3 / 5).max(beside_rest).max(6);
        let stepped_value = widest(Row::value_columns) + 2;
        Columns {
            label,
            value,
            stepped_value: stepped_value.clamp(6, most_stepped).min(value),
        }
    }

    /// Draws a row, and returns the position of the cursor if it is in this row.
    fn draw_row(
        &self,
        index: usize,
        widths: Columns,
        line: Rect,
        canvas: &mut Canvas<'_>,
    ) -> Option<Position> {
        let row = self.rows.get(index)?;
        let look = canvas.look;
        let is_focused = index == self.focus;

        canvas.touch(line, Touched::Row(index));
        if is_focused && row.is_item {
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
        let label = look.fit(&row.label, widths.label);
        canvas.put(after(line, GUTTER), &label, label_role);

        let value_area = after(line, line.width - widths.value);
        let value = row.draw_value(index, is_focused, widths.stepped_value, value_area, canvas);

        let beside_area = after(value_area, value.columns + GAP);
        row.draw_beside(is_focused, beside_area, canvas);
        value.cursor
    }
}

/// Draws the message, and marks it as cut off if the area is too low.
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

/// The result of drawing a value.
pub(crate) struct DrawnValue {
    pub(crate) columns: u16,
    pub(crate) cursor: Option<Position>,
}

impl Row {
    /// Returns the text of the value, or the hint if the value is empty.
    fn shown_value(&self) -> String {
        let value = self.entry.text();
        if value.is_empty() {
            return self.hint.clone().into_owned();
        }

        let is_number = value.parse::<f64>().is_ok();
        if is_number {
            // The minus sign is as wide as a plus, and the same on all screens.
            value.replace('-', "−")
        } else {
            value.into_owned()
        }
    }

    /// Returns the columns of a value that is stepped. A text has none, because it uses the rest of the line.
    fn value_columns(&self) -> u16 {
        if self.entry.is_text() {
            return 0;
        }
        match self.entry.digits_field() {
            Some(field) => columns(field.value()) + 1,
            None => columns(&self.shown_value()),
        }
    }

    pub(crate) fn draw_value(
        &self,
        index: usize,
        is_focused: bool,
        stepped_columns: u16,
        area: Rect,
        canvas: &mut Canvas<'_>,
    ) -> DrawnValue {
        let inner = after(area, 1);

        let (field, field_area) = if let TypedValue::Text(field) = &self.entry {
            let text_area = self.text_area(inner);
            canvas.touch(area, Touched::Text(index, text_area));
            (Some(field), text_area)
        } else {
            let width = stepped_columns.saturating_sub(1).min(inner.width);
            canvas.touch(area, Touched::Value(index, 1));
            canvas.touch(left(area, 1), Touched::Value(index, -1));
            (self.entry.digits_field(), Rect { width, ..inner })
        };

        let Some(field) = field else {
            return DrawnValue {
                columns: self.draw_stepped_value(is_focused, stepped_columns, area, canvas),
                cursor: None,
            };
        };
        let field_view = FieldView {
            focused: is_focused,
            placeholder: &self.hint,
            ..FieldView::new(field, canvas.look)
        };
        (&field_view).render(field_area, canvas.buffer);
        DrawnValue {
            columns: field_area.right() - area.x,
            cursor: field_view.cursor(field_area),
        }
    }

    /// Returns the area of a text field. It leaves room for the text next to it, unless the line is narrow.
    fn text_area(&self, area: Rect) -> Rect {
        let beside_columns = match columns(&self.beside) {
            0 => 0,
            columns => columns + GAP,
        };
        let width = area.width.saturating_sub(beside_columns);
        if width < LEAST_TEXT {
            area
        } else {
            Rect { width, ..area }
        }
    }

    /// Draws a value that is stepped, with arrows around it while it has the focus. Returns its columns.
    fn draw_stepped_value(
        &self,
        is_focused: bool,
        stepped_columns: u16,
        area: Rect,
        canvas: &mut Canvas<'_>,
    ) -> u16 {
        let look = canvas.look;
        let value = self.shown_value();

        let has_text_beside = !self.beside.is_empty() || self.problem.is_some();
        let width = if !has_text_beside {
            area.width
        } else if area.width < NARROW {
            (columns(&value) + 2).clamp(6, area.width.max(6))
        } else {
            stepped_columns
        };

        // An empty value is drawn as a visible gap.
        let visible_value = if value.is_empty() { "   " } else { &value };
        let text = look.fit(visible_value, width.saturating_sub(2));

        let (left_mark, right_mark) = match (is_focused, self.is_item) {
            (true, false) => ("‹", "›"),
            (true, true) => (" ", " "),
            (false, _) => (" ", ""),
        };
        let role = if self.entry.text().is_empty() {
            Role::Placeholder
        } else if is_focused {
            Role::Selected
        } else if self.is_quiet {
            Role::Muted
        } else {
            Role::Text
        };

        let line = Line::from(vec![
            Span::styled(left_mark, look.style(Role::Marker)),
            Span::styled(text, look.style(role)),
            Span::styled(right_mark, look.style(Role::Marker)),
        ]);
        canvas.buffer.set_line(area.x, area.y, &line, width);
        width
    }

    /// Draws the error of the row, or else the text next to its value.
    fn draw_beside(&self, is_focused: bool, area: Rect, canvas: &mut Canvas<'_>) {
        let has_problem = self.problem.is_some();
        // The message shows the error of the row in focus.
        if area.width <= 4 || has_problem && is_focused {
            return;
        }

        let (text, role) = match &self.problem {
            Some(problem) => (problem, Role::Danger),
            None => (&self.beside, Role::Muted),
        };
        let fitted = canvas.look.fit(text, area.width);
        canvas.put(area, &fitted, role);
    }
}
