//! The line in which a filter is typed, over the list that it filters.

use ratatui::layout::Position;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use super::{Canvas, Dialog, DialogAction, DialogEvent};
use crate::screen::action::{Action, Context};
use crate::screen::theme::Role;
use crate::screen::widget::field::{Field, FieldView};
use crate::screen::widget::{after, row};
use crate::table::SeatView;

/// The longest filter.
const LONGEST: usize = 120;

#[derive(Debug)]
pub struct FilterLine {
    field: Field,
    /// The filter when the line opened.
    before: String,
    placeholder: &'static str,
}

impl FilterLine {
    pub fn open(before: &str, placeholder: &'static str) -> Self {
        Self {
            field: Field::new(before, LONGEST),
            before: before.to_owned(),
            placeholder,
        }
    }
}

impl Dialog for FilterLine {
    fn contexts(&self) -> &'static [Context] {
        Context::Field.chain()
    }

    fn hints(&self) -> &'static [Action] {
        &[Action::Submit]
    }

    fn takes_letters(&self) -> bool {
        true
    }

    fn handle(&mut self, event: &DialogEvent, _seen: &SeatView<'_>) -> DialogAction {
        let mut is_done = false;
        match event {
            DialogEvent::Action(Action::Close) => {
                self.field.set(&self.before);
                is_done = true;
            }
            DialogEvent::Action(Action::Submit) | DialogEvent::Click { .. } => is_done = true,
            DialogEvent::Action(action) => {
                self.field.apply(*action);
            }
            DialogEvent::Key(key) => {
                key.letter().map(|letter| self.field.insert(letter));
            }
            DialogEvent::Paste(text) => {
                self.field.paste(text);
            }
        }
        let text = self.field.value().to_owned();
        DialogAction::Filter { text, is_done }
    }

    fn view(&self, _seen: &SeatView<'_>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let (look, area) = (canvas.look, canvas.area);
        let line = row(area, area.height.saturating_sub(1));
        let blank = " ".repeat(line.width.into());
        look.put(&Line::styled(blank, look.base()), line, canvas.buffer);
        let line = after(line, 1);
        look.put(
            &Line::styled("/", look.style(Role::Key)),
            line,
            canvas.buffer,
        );
        let line = after(line, 2);
        let view = FieldView {
            focused: true,
            placeholder: self.placeholder,
            ..FieldView::new(&self.field, look)
        };
        (&view).render(line, canvas.buffer);
        view.cursor(line)
    }
}
