//! The list of all themes. The one under the cursor is tried on while one looks for another.

use ratatui::layout::Position;

use super::form::{Form, Id, Row, Went};
use super::{Canvas, Dialog, DialogAction, DialogEvent};
use crate::screen::action::{Action, Context};
use crate::screen::theme::Theme;
use crate::screen::widget::right;
use crate::table::SeatView;

/// The columns that names want.
const WIDTH: u16 = 40;

/// Themes by name, and what is wrong with those that cannot be used.
type Choices = Vec<(String, Result<Theme, String>)>;

#[derive(Debug)]
pub struct ThemesDialog {
    form: Form,
    choices: Choices,
    /// The last theme under the cursor that can be used.
    tried: Theme,
}

impl ThemesDialog {
    /// The person's own themes, then those that everybody has, with the cursor on the one in use.
    pub fn open(now: &Theme, own: Choices) -> Self {
        let mut choices = own;
        let count = choices.len();
        for theme in Theme::names().filter_map(Theme::named) {
            // A theme of one's own goes before one that came along.
            if choices.iter().all(|(name, _)| name != theme.name()) {
                choices.push((theme.name().to_owned(), Ok(theme)));
            }
        }
        let rows = choices.iter().zip(0..).map(|((name, theme), nth)| {
            let is_own = usize::try_from(nth).is_ok_and(|nth| nth < count);
            let about = if is_own { "yours" } else { "built in" };
            let row = Row::item(Id::Nth("theme", nth), name.clone(), about.to_owned());
            match theme {
                Ok(theme) => row.help(theme.description().to_owned()),
                Err(why) => row.wrong(Some(why.clone())),
            }
        });
        let mut form = Form::new("Colours", rows.collect());
        form.width = WIDTH;
        let at = choices.iter().position(|(name, _)| name == now.name());
        form.focus_on(at.unwrap_or(0));
        Self {
            form,
            choices,
            tried: now.clone(),
        }
    }

    /// The theme under the cursor, if it can be used.
    fn chosen(&self) -> Option<&Theme> {
        let (_, theme) = self.choices.get(self.form.place())?;
        theme.as_ref().ok()
    }
}

impl Dialog for ThemesDialog {
    fn contexts(&self) -> &'static [Context] {
        self.form.contexts()
    }

    fn hints(&self) -> &'static [Action] {
        &[Action::Submit, Action::NextField]
    }

    fn handle(&mut self, event: &DialogEvent, _seen: &SeatView<'_>) -> DialogAction {
        let is_chosen = self.form.is_pressed_again(event);
        let went = self.form.handle(event);
        if let Some(theme) = self.chosen() {
            self.tried = theme.clone();
            if is_chosen || matches!(went, Went::Submitted) {
                return DialogAction::UseTheme(self.tried.clone());
            }
        }
        match went {
            Went::Left => DialogAction::Close,
            _ => DialogAction::Stay,
        }
    }

    fn theme(&self) -> Option<&Theme> {
        Some(&self.tried)
    }

    /// Draws it at the right, where it leaves most of what it changes in sight.
    fn view(&self, _seen: &SeatView<'_>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let width = (WIDTH + 6).min(canvas.area.width);
        let mut beside = Canvas {
            look: canvas.look,
            area: right(canvas.area, width),
            buffer: canvas.buffer,
            hits: canvas.hits,
        };
        self.form.draw(&self.form.title, "", &mut beside)
    }
}
