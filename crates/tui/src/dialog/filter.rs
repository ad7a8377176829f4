//! The line in which a filter is typed, over the list that it filters.

use ratatui::layout::Position;
use ratatui::text::Line;

use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, FormResult, Row,
};
use crate::widget::{after, row};
use crate::{Action, Role};
use tableside_table::SeatView;

/// The longest filter.
const LONGEST: usize = 120;

/// The line in which a filter is typed, with the filter as it was when the line opened.
struct FilterLine(String);

/// The line with that filter in it; the placeholder says what may be typed.
pub fn filter_line(before: &str, placeholder: &'static str) -> Dialog {
    let row = Row::text("filter", "", before, LONGEST).hint(placeholder);
    let mut form = Form::new("", vec![row]);
    form.hinted_actions = &[Action::Submit];
    Dialog::without_view(form, FilterLine(before.to_owned()))
}

impl DialogSpec for FilterLine {
    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        _view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let went = match event {
            DialogEvent::Click { .. } => FormResult::Submitted,
            event => form.handle(event),
        };
        let text = match went {
            FormResult::Cancelled => self.0.clone(),
            _ => form.text("filter"),
        };
        let is_done = matches!(went, FormResult::Cancelled | FormResult::Submitted);
        Some(DialogAction::Filter { text, is_done })
    }

    fn draw(&self, form: &Form, _: Vec<Block>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let (look, area) = (canvas.look, canvas.area);
        let line = row(area, area.height.saturating_sub(1));
        let blank = " ".repeat(line.width.into());
        look.put(&Line::styled(blank, look.base()), line, canvas.buffer);
        let line = after(line, 1);
        canvas.put(line, "/", Role::Key);
        let text = form.rows.first()?;
        text.draw_value(0, true, 0, after(line, 1), canvas).1
    }
}
