//! The list of themes. The theme under the cursor is shown at once.

use ratatui::layout::Position;

use crate::dialog::{Block, Canvas, Dialog, DialogAction, DialogSpec, Form, Row, RowId};
use crate::widget::right;
use crate::{Action, Theme};
use tableside_table::SeatView;

/// The width of the names, in columns.
const WIDTH: u16 = 40;

struct ThemeChoice {
    name: String,
    /// The theme, or the errors of its file.
    theme: Result<Theme, String>,
    /// True for a theme from a file of the user.
    is_own: bool,
}

struct ThemesDialog {
    choices: Vec<ThemeChoice>,
    /// The theme that the screen uses while the dialog is open.
    tried: Theme,
}

/// Lists the user's themes and then the included themes. The cursor is on the current theme.
///
/// `own` are the user's themes by name, or the errors of their files.
pub fn themes_form(in_use: &Theme, own: Vec<(String, Result<Theme, String>)>) -> Dialog {
    let choices = theme_choices(own);
    let focus = choices
        .iter()
        .position(|choice| choice.name == in_use.name());

    let mut rows = Vec::new();
    for (number, choice) in (0_u32..).zip(&choices) {
        rows.push(theme_row(number, choice));
    }
    let mut form = Form::new("Colours", rows)
        .with_width(WIDTH)
        .with_submit_label("use");
    form.keys.hinted_actions = &[Action::Submit, Action::NextField];
    form.focus_index(focus.unwrap_or(0));
    let tried = in_use.clone();
    Dialog::without_view(form, ThemesDialog { choices, tried })
}

/// Lists all themes. A theme of the user replaces an included theme of the same name.
fn theme_choices(own: Vec<(String, Result<Theme, String>)>) -> Vec<ThemeChoice> {
    let mut choices = Vec::new();
    for (name, theme) in own {
        choices.push(ThemeChoice {
            name,
            theme,
            is_own: true,
        });
    }

    for theme in Theme::names().filter_map(Theme::named) {
        let is_replaced = choices.iter().any(|choice| choice.name == theme.name());
        if !is_replaced {
            choices.push(ThemeChoice {
                name: theme.name().to_owned(),
                theme: Ok(theme),
                is_own: false,
            });
        }
    }
    choices
}

fn theme_row(number: u32, choice: &ThemeChoice) -> Row {
    let about = if choice.is_own { "yours" } else { "" };
    let row = Row::item(
        RowId::Nth("theme", number),
        choice.name.clone(),
        about.to_owned(),
    );
    match &choice.theme {
        Ok(theme) => row.help(theme.description().to_owned()),
        Err(error) => row.wrong(Some(error.clone())),
    }
}

impl DialogSpec for ThemesDialog {
    fn tried_theme(&self) -> Option<&Theme> {
        Some(&self.tried)
    }

    fn refresh(&mut self, form: &mut Form, _view: &SeatView<'_>) {
        for (row, choice) in form.rows.iter_mut().zip(&self.choices) {
            row.problem = choice.theme.as_ref().err().cloned();
        }

        let focused = self.choices.get(form.focus);
        if let Some(Ok(theme)) = focused.map(|choice| &choice.theme) {
            self.tried.clone_from(theme);
        }
    }

    /// Selects the theme under the cursor, or returns the errors of its file.
    fn submit(&mut self, form: &mut Form, _view: &SeatView<'_>) -> Result<DialogAction, String> {
        let Some(choice) = self.choices.get(form.focus) else {
            return Ok(DialogAction::Stay);
        };
        let theme = choice.theme.clone()?;
        Ok(DialogAction::UseTheme(theme))
    }

    /// Draws the list at the right edge, so that most of the screen shows the new colours.
    fn draw(&self, form: &Form, _: Vec<Block>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let width = (WIDTH + 6).min(canvas.area.width);
        canvas.area = right(canvas.area, width);
        form.draw(Vec::new(), canvas)
    }
}
