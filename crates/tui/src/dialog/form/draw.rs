//! How a form looks: a list that scrolls, a line of help, and what is read beneath; without a list, what is
//! read over a row of buttons.

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

/// So many rows are shown before anything else is, and so many before all that is wanted beneath.
const LEAST_ROWS: u16 = 4;
const SOME_ROWS: u16 = 8;
/// So many rows beneath are shown before more of the help is.
const LEAST_BENEATH: u16 = 3;
/// What is wrong may take so many lines.
const MOST_HELP: u16 = 5;
/// From so many columns on a label may take half of them.
const ROOMY: u16 = 60;
/// In fewer columns what is beside a value follows it at once.
const NARROW: u16 = 24;
const GAP: u16 = 2;
/// Before the label: the marker and a blank.
const GUTTER: u16 = 2;
/// A text keeps at least so many columns from what stands beside it.
const LEAST_TEXT: u16 = 20;

#[derive(Clone, Copy)]
struct Columns {
    label: u16,
    value: u16,
    /// What is beside the values begins after the widest of those that are stepped through.
    widest: u16,
}

fn count(rows: usize) -> u16 {
    u16::try_from(rows).unwrap_or(u16::MAX)
}

impl Form {
    /// Draws it with these blocks beneath; returns where the cursor belongs.
    pub fn draw(&self, mut blocks: Vec<Block>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let area = canvas.area;
        let width = self.width.unwrap_or_else(|| dialog_width(area, self.leads));
        let width = width.min(area.width.saturating_sub(4));
        if self.rows.is_empty() && self.empty_text.is_empty() {
            self.draw_read(&blocks, width, canvas);
            return None;
        }
        let all = blocks_height(&blocks, width, canvas.look);
        let beneath = match self.lines_below {
            (0, 0) => (all.min(LEAST_BENEATH), all),
            beneath => beneath,
        };
        blocks.extend((beneath.1 > 0 && blocks.is_empty()).then(|| self.foretold()));
        let (look, (role, said)) = (canvas.look, self.said());
        let inner = self.frame((width, self.wanted_height(width, beneath.1, area)), canvas);
        let said = wrap(&said, inner.width);
        let [list, help, tail] = self.parts(inner, (role, count(said.len())), beneath);
        // The focus stands in the middle of what is in sight: it needs no memory of where it was.
        let shown = usize::from(list.height);
        let focus = self.lines().position(|line| line == Ok(self.focus));
        let furthest = self.lines().count().saturating_sub(shown);
        let first = focus.unwrap_or(0).saturating_sub(shown / 2).min(furthest);
        let columns = self.columns(list.width);
        let mut cursor = None;
        for (line, place) in list.rows().zip(self.lines().skip(first)) {
            match place {
                Ok(place) => {
                    let placed = self.draw_row(place, columns, line, canvas);
                    cursor = cursor.or(placed);
                }
                Err(group) => canvas.put(line, group, Role::Heading),
            }
        }
        if list.height > 0 {
            draw_scroll_signs((first > 0, first < furthest), list, canvas);
        }
        for (words, down) in said.iter().zip(0..help.height) {
            let line = row(help, down);
            let goes_on = down + 1 == help.height && said.len() > usize::from(help.height);
            if goes_on {
                canvas.put(line, &look.fit_more(words, line.width), role);
            } else {
                canvas.put(line, words, role);
            }
        }
        self.scroll.draw(&blocks, tail, canvas);
        cursor
    }

    /// The lines of the list: the places of rows, and the headings over them.
    fn lines(&self) -> impl Iterator<Item = Result<usize, &'static str>> {
        let mut group = "";
        self.rows.iter().enumerate().flat_map(move |(place, row)| {
            let heading = if row.group == group {
                None
            } else {
                group = row.group;
                Some(Err(group))
            };
            heading.into_iter().chain([Ok(place)])
        })
    }

    /// Draws what is only read over the buttons. Between them stands what is wrong, else what has no room
    /// beside the marked one.
    fn draw_read(&self, blocks: &[Block], width: u16, canvas: &mut Canvas<'_>) {
        let look = canvas.look;
        let aside = self.buttons.aside(width).map(str::to_owned);
        let told = |problem| (Role::Danger, wrap(&format!("! {problem}"), width));
        let untold = || (Role::Muted, aside.into_iter().collect());
        let (role, said) = self.problem.as_ref().map_or_else(untold, told);
        let beneath = count(said.len()) + self.buttons.height(width, look);
        let high = blocks_height(blocks, width, look) + beneath + u16::from(beneath > 0);
        let inner = self.frame(
            (width, high.min(canvas.area.height.saturating_sub(2))),
            canvas,
        );
        let rows = inner.height.saturating_sub(beneath);
        self.scroll.draw(blocks, top(inner, rows), canvas);
        let foot = below(inner, rows);
        for (words, down) in said.iter().zip(0..) {
            canvas.put(row(foot, down), &look.fit(words, width), role);
        }
        self.buttons.draw(below(foot, count(said.len())), canvas);
    }

    /// Draws the frame around so many columns and rows; returns what is inside.
    fn frame(&self, size: (u16, u16), canvas: &mut Canvas<'_>) -> Rect {
        let how = match self.enter_does {
            Some(words) if self.is_reading => format!(", Enter {words}"),
            _ => String::new(),
        };
        let lead = if self.suggests { "Suggest: " } else { "" };
        let title = format!("{lead}{}{how}", self.title);
        // Faces are asked for after the fields.
        let words = ["by hand", "by hand, faces after Enter"][usize::from(self.rows.len() > 1)];
        let by_hand = self.by_hand.then_some(words);
        let notes = [self.note.as_str(), by_hand.unwrap_or_default()];
        let notes = notes.into_iter().filter(|note| !note.is_empty());
        let panel = PanelFrame {
            note: &notes.collect::<Vec<_>>().join(", "),
            focused: true,
            ..PanelFrame::new(&title, canvas.look)
        };
        let frame = DialogFrame { panel, size };
        (&frame).render(canvas.area, canvas.buffer);
        frame.inner(canvas.area)
    }

    /// What it would lead to, or why that cannot be.
    fn foretold(&self) -> Block {
        match &self.against {
            None => Block::words(Role::Info, &self.foretold),
            // Once is enough.
            against if *against == self.problem => Block::Gap,
            Some(problem) if self.problem.is_some() => Block::words(Role::Muted, problem),
            Some(problem) => Block::words(Role::Danger, format!("! {problem}")),
        }
    }

    /// What is said beneath the rows: what is wrong, else the help.
    fn said(&self) -> (Role, String) {
        let focused = self.rows.get(self.focus);
        let wrong = focused.and_then(|row| row.problem.as_ref());
        // Where there is room beneath, what is foreseen stands there.
        let foreseen = self.against.as_ref().filter(|_| self.lines_below.1 == 0);
        if let Some(problem) = wrong.or(self.problem.as_ref()).or(foreseen) {
            return (Role::Danger, format!("! {problem}"));
        }
        let help = focused.map_or(self.empty_text, |row| &row.help);
        (Role::Muted, help.to_owned())
    }

    /// Rows for all of it. There is room for the longest help: the dialog stays as it stands while the
    /// focus moves.
    fn wanted_height(&self, width: u16, beneath: u16, area: Rect) -> u16 {
        let helps = self.rows.iter().map(|row| &*row.help);
        let longest = helps.max_by_key(|help| columns(help)).unwrap_or_default();
        let said = [longest, &self.said().1].map(|words| count(wrap(words, width).len()));
        let said = said[0].max(said[1]).clamp(1, MOST_HELP);
        let beneath = beneath + u16::from(beneath > 0);
        let height = count(self.lines().count()) + 1 + said + beneath;
        height.min(area.height.saturating_sub(2))
    }

    /// Where the rows are, what is said, and what is drawn beneath. Where there is too little room for all
    /// of it, each has a little before any has more.
    fn parts(&self, inner: Rect, (role, said): (Role, u16), beneath: (u16, u16)) -> [Rect; 3] {
        const LIST: usize = 0;
        const LIST_GAP: usize = 1;
        const HELP: usize = 2;
        const HELP_GAP: usize = 3;
        const TAIL: usize = 4;
        let rows = count(self.lines().count());
        let said = said.clamp(1, MOST_HELP);
        let mut heights = [0; 5];
        let mut left = inner.height;
        for (part, wanted) in [
            // What is wrong is told first of all; help stands back behind what the dialog draws itself.
            (HELP, if role == Role::Danger { said.min(2) } else { 0 }),
            (LIST, rows.min(LEAST_ROWS)),
            (TAIL, beneath.0),
            (HELP, 1),
            (LIST, rows.min(SOME_ROWS)),
            (TAIL, beneath.1),
            (HELP, said),
            (LIST, rows),
            (LIST_GAP, 1),
            (HELP_GAP, beneath.1.min(1)),
            // What is drawn beneath stays where it is, however much is said above it.
            (HELP, u16::MAX),
        ] {
            let more = u16::min(left, wanted.saturating_sub(heights[part]));
            heights[part] += more;
            left -= more;
        }
        let mut order = [LIST, LIST_GAP, HELP, HELP_GAP, TAIL];
        if self.leads {
            order.rotate_right(1);
            order[1..].rotate_right(1);
        }
        let areas: [Rect; 5] =
            Layout::vertical(order.map(|part| Constraint::Length(heights[part]))).areas(inner);
        let placed = order.into_iter().zip(areas);
        let mut found = [Rect::default(); 5];
        placed.for_each(|(part, area)| found[part] = area);
        [found[LIST], found[HELP], found[TAIL]]
    }

    fn columns(&self, width: u16) -> Columns {
        let widest = |of: fn(&Row) -> u16| self.rows.iter().map(of).max().unwrap_or(0);
        let most = if width < ROOMY {
            width * 2 / 5
        } else {
            width / 2
        };
        let label = widest(|row| columns(&row.label)).min(most);
        let value = width.saturating_sub(GUTTER + label + GAP);
        let left = value.saturating_sub(widest(|row| columns(&row.beside)) + GAP);
        let most = (value * 3 / 5).max(left).max(6);
        Columns {
            label,
            value,
            widest: (widest(Row::value_columns) + 2).clamp(6, most).min(value),
        }
    }

    fn draw_row(
        &self,
        place: usize,
        wide: Columns,
        line: Rect,
        canvas: &mut Canvas<'_>,
    ) -> Option<Position> {
        let one = self.rows.get(place)?;
        let (look, is_focused) = (canvas.look, place == self.focus);
        canvas.touch(line, Touched::Row(place));
        if is_focused && one.is_item {
            draw_marks(RowMarks::SELECTED, look, line, canvas.buffer);
        } else if is_focused {
            canvas.put(line, MARKER, Role::Marker);
        } else if one.problem.is_some() {
            canvas.put(line, "!", Role::Danger);
        }
        let role = match (is_focused, one.is_quiet) {
            (true, _) => Role::Heading,
            (false, true) => Role::Muted,
            (false, false) => Role::Text,
        };
        canvas.put(after(line, GUTTER), &look.fit(&one.label, wide.label), role);
        let value = after(line, line.width - wide.value);
        let (taken, cursor) = one.draw_value(place, is_focused, wide.widest, value, canvas);
        let beside = after(value, taken + GAP);
        let wrong = one.problem.as_ref().map(|wrong| (wrong, Role::Danger));
        let (words, role) = wrong.unwrap_or((&one.beside, Role::Muted));
        // What is wrong with the row in focus is told beneath.
        let is_told = one.problem.is_some() && is_focused;
        if beside.width > 4 && !is_told {
            canvas.put(beside, &look.fit(words, beside.width), role);
        }
        cursor
    }
}

impl Row {
    /// Its value in words, or the hint while it is empty.
    fn value_words(&self) -> String {
        match self.entry.text() {
            words if words.is_empty() => self.hint.clone().into_owned(),
            // One minus on all screens, which is as wide as a plus.
            words if words.parse::<f64>().is_ok() => words.replace('-', "−"),
            words => words.into_owned(),
        }
    }

    fn value_columns(&self) -> u16 {
        match (&self.entry, self.entry.being_typed()) {
            (TypedValue::Text(_), _) => 0,
            (_, Some(field)) => columns(field.value()) + 1,
            (_, None) => columns(&self.value_words()),
        }
    }

    /// Draws its value; returns the columns that it takes, and where the cursor belongs.
    pub(crate) fn draw_value(
        &self,
        place: usize,
        is_focused: bool,
        widest: u16,
        spot: Rect,
        canvas: &mut Canvas<'_>,
    ) -> (u16, Option<Position>) {
        let inner = after(spot, 1);
        let (field, area) = if let TypedValue::Text(field) = &self.entry {
            let area = self.text_area(inner);
            canvas.touch(spot, Touched::Text(place, area));
            (Some(field), area)
        } else {
            let width = widest.saturating_sub(1).min(inner.width);
            canvas.touch(spot, Touched::Value(place, 1));
            canvas.touch(left(spot, 1), Touched::Value(place, -1));
            (self.entry.being_typed(), Rect { width, ..inner })
        };
        let Some(field) = field else {
            return (self.draw_words(is_focused, widest, spot, canvas), None);
        };
        let view = FieldView {
            focused: is_focused,
            placeholder: &self.hint,
            ..FieldView::new(field, canvas.look)
        };
        (&view).render(area, canvas.buffer);
        (area.right() - spot.x, view.cursor(area))
    }

    /// Where a text is typed; what stands beside it gives way where it is narrow.
    fn text_area(&self, area: Rect) -> Rect {
        let taken = match columns(&self.beside) {
            0 => 0,
            columns => columns + GAP,
        };
        match area.width.saturating_sub(taken) {
            ..LEAST_TEXT => area,
            width => Rect { width, ..area },
        }
    }

    /// Draws a value that is stepped through, between arrows while it has the focus; returns its columns.
    fn draw_words(
        &self,
        is_focused: bool,
        widest: u16,
        spot: Rect,
        canvas: &mut Canvas<'_>,
    ) -> u16 {
        let look = canvas.look;
        let words = self.value_words();
        let width = if self.beside.is_empty() && self.problem.is_none() {
            spot.width
        } else if spot.width < NARROW {
            (columns(&words) + 2).clamp(6, spot.width.max(6))
        } else {
            widest
        };
        // Where there is nothing yet, there is room for it to see.
        let words = if words.is_empty() { "   " } else { &words };
        let words = look.fit(words, width.saturating_sub(2));
        let [left, right] = match (is_focused, self.is_item) {
            (true, false) => ["‹", "›"],
            (true, true) => [" ", " "],
            (false, _) => [" ", ""],
        };
        let role = match (is_focused, self.is_quiet) {
            _ if self.entry.text().is_empty() => Role::Placeholder,
            (true, _) => Role::Selected,
            (false, true) => Role::Muted,
            (false, false) => Role::Text,
        };
        let line = Line::from(vec![
            Span::styled(left, look.style(Role::Marker)),
            Span::styled(words, look.style(role)),
            Span::styled(right, look.style(Role::Marker)),
        ]);
        canvas.buffer.set_line(spot.x, spot.y, &line, width);
        width
    }
}
