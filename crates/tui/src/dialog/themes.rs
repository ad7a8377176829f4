//! The list of all themes. The one under the cursor is tried on while one looks for another.

use ratatui::layout::Position;

use crate::dialog::{Block, Canvas, Dialog, DialogAction, DialogSpec, Form, Row, RowId};
use crate::widget::right;
use crate::{Action, Theme};
use tableside_table::SeatView;

/// The columns that names want.
const WIDTH: u16 = 40;

/// Themes by name, and what is wrong with those that cannot be used.
type Choices = Vec<(String, Result<Theme, String>)>;

/// The themes, and the theme that the screen uses while the dialog is open.
struct ThemesDialog {
    choices: Choices,
    tried: Theme,
}

/// The person's own themes, then those that everybody has, with the cursor on the one in use.
pub fn themes_form(now: &Theme, own: Choices) -> Dialog {
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
        let about = if is_own { "yours" } else { "" };
        let row = Row::item(RowId::Nth("theme", nth), name.clone(), about.to_owned());
        match theme {
            Ok(theme) => row.help(theme.description().to_owned()),
            Err(why) => row.wrong(Some(why.clone())),
        }
    });
    let mut form = Form::new("Colours", rows.collect()).with_width(WIDTH);
    let at = choices.iter().position(|(name, _)| name == now.name());
    form.hinted_actions = &[Action::Submit, Action::NextField];
    form.focus_index(at.unwrap_or(0));
    let tried = now.clone();
    Dialog::without_view(form, ThemesDialog { choices, tried })
}

impl DialogSpec for ThemesDialog {
    fn tried_theme(&self) -> Option<&Theme> {
        Some(&self.tried)
    }

    fn refresh(&mut self, form: &mut Form, _view: &SeatView<'_>) {
        for (row, (_, theme)) in form.rows.iter_mut().zip(&self.choices) {
            row.problem = theme.as_ref().err().cloned();
        }
        if let Some((_, Ok(theme))) = self.choices.get(form.focus) {
            self.tried.clone_from(theme);
        }
    }

    /// Uses the theme under the cursor; one that cannot be used says why.
    fn submit(&mut self, form: &mut Form, _view: &SeatView<'_>) -> Result<DialogAction, String> {
        match self.choices.get(form.focus) {
            Some((_, Ok(theme))) => Ok(DialogAction::UseTheme(theme.clone())),
            Some((_, Err(why))) => Err(why.clone()),
            None => Ok(DialogAction::Stay),
        }
    }

    /// Draws it at the right, where it leaves most of what it changes in sight.
    fn draw(&self, form: &Form, _: Vec<Block>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let width = (WIDTH + 6).min(canvas.area.width);
        canvas.area = right(canvas.area, width);
        form.draw(Vec::new(), canvas)
    }
}
