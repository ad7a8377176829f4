//! The line in which the player types a filter. It is drawn over the list that it filters.

use ratatui::layout::Position;
use ratatui::text::Line;

use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, FormResult, Row, RowFocus,
};
use crate::widget::{after, row};
use crate::{Action, Role};
use tableside_table::SeatView;

/// The maximum length of a filter, in characters.
const MAX_FILTER_CHARS: usize = 120;

struct FilterLine {
    /// The filter when the line opened. Closing the line restores it.
    initial_filter: String,
}

/// Returns the line with a filter in it. The placeholder describes what the player may type.
pub fn filter_line(initial_filter: &str, placeholder: &'static str) -> Dialog {
    let row = Row::text("filter", "", initial_filter, MAX_FILTER_CHARS).hint(placeholder);
    let mut form = Form::new("", vec![row]).with_submit_label("filter");
    form.keys.hinted_actions = &[Action::Submit];

    let spec = FilterLine {
        initial_filter: initial_filter.to_owned(),
    };
    Dialog::without_view(form, spec)
}

impl DialogSpec for FilterLine {
    fn shows_dialog_beneath(&self) -> bool {
        true
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        _view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let result = match event {
            DialogEvent::Click { .. } => FormResult::Submitted,
            event => form.handle(event),
        };

        let action = match result {
            FormResult::Cancelled => DialogAction::Filter {
                text: self.initial_filter.clone(),
                is_done: true,
            },
            result => DialogAction::Filter {
                text: form.text("filter"),
                is_done: result == FormResult::Submitted,
            },
        };
        Some(action)
    }

    fn draw(&self, form: &Form, _: Vec<Block>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let look = canvas.look;
        let bottom_line = row(canvas.area, canvas.area.height.saturating_sub(1));
        let blank = " ".repeat(bottom_line.width.into());
        look.put(
            &Line::styled(blank, look.base()),
            bottom_line,
            canvas.buffer,
        );

        let line = after(bottom_line, 1);
        canvas.put(line, "/", Role::Key);
        let filter_row = form.rows.first()?;
        filter_row
            .draw_value(0, RowFocus::Edited, 0, after(line, 1), canvas)
            .cursor
    }
}
