//! The list of games, in which games are opened, created, renamed, duplicated and archived.

mod archive;
mod forms;
mod library;
mod preview;

use std::collections::HashSet;
use std::sync::Arc;

use self::forms::{NameTask, code_form, name_form, new_game_form};
use self::preview::preview_blocks;
use crate::app::setup::Zone;
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, Row, RowId, filter_line,
};
use crate::widget::columns;
use crate::{Action, Context, Role};
use tableside_table::{SeatView, clock_line};
use tableside_text::fold;

pub use self::library::{AboutGame, GameEntry, Library, NewGame};

/// The game that was open before the list.
enum PreviousGame {
    None,
    Open(String),
    /// The game was moved into the archive, or removed.
    Gone,
}

pub(crate) struct GamesDialog {
    library: Arc<dyn Library>,
    zone: Zone,
    previous: PreviousGame,
    games: Vec<GameEntry>,
    /// True if the list shows the archive.
    in_archive: bool,
    /// The list that the form shows. `None` if the games were read again, so that the form must be laid out again.
    laid_out: Option<LaidOutList>,
    preview: ShownPreview,
    /// The result of the last key, until the next one.
    message: String,
}

/// Identifies a list in the form. While it stays the same, keys do not lay the list out again.
#[derive(Clone, PartialEq, Eq)]
struct LaidOutList {
    filter: String,
    in_archive: bool,
}

/// The preview of the game under the cursor.
#[derive(Default)]
struct ShownPreview {
    name: String,
    blocks: Vec<Block>,
}

fn id_of(index: usize) -> RowId {
    RowId::Nth("game", u32::try_from(index).unwrap_or(u32::MAX))
}

fn focused_name(form: &Form) -> Option<String> {
    let row = form.rows.get(form.focus)?;
    Some(row.label.to_string())
}

/// Joins cells into a line. Each cell except the last is as wide as the widest cell of its column.
fn in_columns(cells: &[String; 3], rows: &[[String; 3]]) -> String {
    let mut line = String::new();
    for (column, cell) in cells.iter().enumerate() {
        line.push_str(cell);
        if column + 1 < cells.len() {
            let widest = rows.iter().map(|row| columns(&row[column])).max();
            let padding = widest.unwrap_or(0).saturating_sub(columns(cell)) + 2;
            line.push_str(&" ".repeat(padding.into()));
        }
    }
    line
}

impl GamesDialog {
    /// Opens the list, with the cursor on the game that was open before.
    pub(crate) fn open(library: Arc<dyn Library>, zone: Zone, previous: Option<&str>) -> Dialog {
        let mut spec = Self {
            library,
            zone,
            previous: match previous {
                Some(name) => PreviousGame::Open(name.to_owned()),
                None => PreviousGame::None,
            },
            games: Vec::new(),
            in_archive: false,
            laid_out: None,
            preview: ShownPreview::default(),
            message: String::new(),
        };
        let mut form = Form::default().with_context(Context::Games, &[]);
        spec.read(&mut form);

        let previous_index = previous.and_then(|name| spec.index_of(name));
        if let Some(index) = previous_index {
            form.focus_row(id_of(index));
            spec.update_preview(&form);
        }
        Dialog::without_view(form, spec)
    }

    fn index_of(&self, name: &str) -> Option<usize> {
        self.games.iter().position(|game| game.name == name)
    }

    /// Reads the games again. The cursor stays on its game, or moves to a new game.
    ///
    /// Returns the name of the new game, if a game is new.
    fn read(&mut self, form: &mut Form) -> Option<String> {
        let name_before = focused_name(form);
        let games = self.library.games(self.in_archive);
        let games_before = std::mem::replace(&mut self.games, games);
        self.list(form);

        let names_before: HashSet<&str> = games_before.iter().map(|game| &*game.name).collect();
        let new_index = self
            .games
            .iter()
            .position(|game| !names_before.contains(&*game.name));
        let index_before = name_before.and_then(|name| self.index_of(&name));
        let focus = match new_index {
            Some(index) if !games_before.is_empty() => Some(index),
            _ => index_before,
        };
        if let Some(index) = focus {
            form.focus_row(id_of(index));
        }

        self.preview = ShownPreview::default();
        self.update_preview(form);
        new_index.map(|index| self.games[index].name.clone())
    }

    /// Lays out the list, if the filter has changed.
    fn list_if_changed(&mut self, form: &mut Form) {
        let is_current = self.laid_out.as_ref().is_some_and(|list| {
            list.filter == form.caption.filter && list.in_archive == self.in_archive
        });
        if !is_current {
            self.list(form);
        }
    }

    fn list(&mut self, form: &mut Form) {
        self.laid_out = Some(LaidOutList {
            filter: form.caption.filter.clone(),
            in_archive: self.in_archive,
        });

        let search = fold(&form.caption.filter);
        form.lay_out(self.game_rows(&search));

        form.title = if self.in_archive {
            "The archive".to_owned()
        } else {
            self.library.title()
        };
        form.keys.hinted_actions = self.hints();
        form.empty_text = if search.is_empty() {
            self.message_if_empty()
        } else {
            "No game matches."
        };
    }

    /// Returns a row for each game whose name or facts contain the search text.
    fn game_rows(&self, search: &str) -> Vec<Row> {
        let mut matching = Vec::new();
        for (index, game) in self.games.iter().enumerate() {
            let text = format!("{} {}", game.name, game.about);
            if fold(&text).contains(search) {
                matching.push((index, game));
            }
        }

        // All facts are in the same columns. Other descriptions have no columns.
        let mut facts = Vec::new();
        for (_, game) in &matching {
            if let AboutGame::Facts { .. } = game.about {
                facts.push(game.about.cells());
            }
        }

        let mut rows = Vec::new();
        for (index, game) in matching {
            let about = match &game.about {
                AboutGame::Facts { .. } => in_columns(&game.about.cells(), &facts),
                AboutGame::Text(text) => text.clone(),
            };
            let played = self.zone.format(game.played, "%-d %b %Y");
            let row = Row::item(id_of(index), game.name.clone(), about).beside(played);
            rows.push(row);
        }
        rows
    }

    /// Returns the actions for the line of keys.
    fn hints(&self) -> &'static [Action] {
        use Action::{Archive, Archived, Code, Duplicate, Filter, New, Open, Quit, Rename};

        let has_new = self.library.offers(New);
        let has_code = self.library.offers(Code);
        if self.in_archive {
            return if self.games.is_empty() {
                &[Archived, Quit]
            } else {
                &[Archive, Filter, Archived, Quit]
            };
        }
        if self.games.is_empty() {
            return match (has_code, has_new) {
                (true, true) => &[New, Code, Quit],
                (true, false) => &[Code, Quit],
                (false, true) => &[New, Archived, Quit],
                (false, false) => &[Quit],
            };
        }
        match (has_code, has_new) {
            (true, true) => &[Open, New, Code, Filter, Quit],
            (true, false) => &[Open, Code, Filter, Quit],
            (false, true) => &[
                Open, New, Filter, Duplicate, Rename, Archive, Archived, Quit,
            ],
            (false, false) => &[Open, Filter, Quit],
        }
    }

    /// Reads the preview of the game under the cursor.
    fn update_preview(&mut self, form: &Form) {
        let name = focused_name(form).unwrap_or_default();
        if name == self.preview.name {
            return;
        }

        let blocks = preview_blocks(self.library.preview(&name, self.in_archive));
        self.preview = ShownPreview { name, blocks };
    }

    /// Returns to the game that was open before.
    fn leave(&self, form: &mut Form) -> DialogAction {
        match &self.previous {
            PreviousGame::None => DialogAction::Games,
            PreviousGame::Open(name) => DialogAction::OpenGame(name.clone()),
            PreviousGame::Gone => {
                let problem =
                    "The game that was open is in the archive now. ⟨open⟩ opens another one.";
                form.problem = Some(problem.to_owned());
                DialogAction::Stay
            }
        }
    }

    /// Clears the filter, else leaves the archive, else leaves the list.
    fn close(&mut self, form: &mut Form) -> DialogAction {
        if !form.caption.filter.is_empty() {
            form.caption.filter.clear();
        } else if self.in_archive {
            self.switch_archive(form);
        } else if self.library.offers(Action::Archived) {
            return self.leave(form);
        }
        DialogAction::Stay
    }

    fn ask_name(&self, task: NameTask) -> DialogAction {
        let library = Arc::clone(&self.library);
        DialogAction::open(name_form(task, library))
    }
}

impl DialogSpec for GamesDialog {
    fn refresh(&mut self, form: &mut Form, _view: &SeatView<'_>) {
        self.list_if_changed(form);
        self.update_preview(form);
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        _view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let action = *event.try_as_action_ref()?;
        if action != Action::Close && !self.library.offers(action) {
            form.problem = match action {
                Action::Code => {
                    let problem = "Invitation codes are entered in the lobby of a host, after logging in with an SSH key.";
                    Some(problem.to_owned())
                }
                _ => None,
            };
            return None;
        }

        form.problem = None;
        self.message.clear();
        let library = Arc::clone(&self.library);
        let done = match action {
            Action::Code => DialogAction::open(code_form(library)),
            Action::Filter => {
                let line = filter_line(&form.caption.filter, "part of the name or system");
                DialogAction::open(line)
            }
            Action::New => DialogAction::open(new_game_form(library)),
            Action::Duplicate if !self.in_archive => {
                let name = focused_name(form)?;
                self.ask_name(NameTask::Duplicate(name))
            }
            Action::Rename if !self.in_archive => {
                let name = focused_name(form)?;
                self.ask_name(NameTask::Rename(name))
            }
            Action::Archive | Action::Delete => {
                let name = focused_name(form)?;
                self.archive_or_restore(name, form)
            }
            Action::Close => self.close(form),
            Action::Archived => {
                self.switch_archive(form);
                DialogAction::Stay
            }
            Action::Quit => DialogAction::Quit,
            _ => return None,
        };
        Some(done)
    }

    /// Opens the game under the cursor.
    fn submit(&mut self, form: &mut Form, _view: &SeatView<'_>) -> Result<DialogAction, String> {
        match focused_name(form) {
            Some(_) if self.in_archive => {
                Err("⟨archive⟩ restores the game from the archive first".to_owned())
            }
            Some(name) => Ok(DialogAction::OpenGame(name)),
            None => Ok(DialogAction::Stay),
        }
    }

    fn on_change(&mut self, form: &mut Form, _view: &SeatView<'_>) -> Option<Dialog> {
        let new_name = self.read(form);
        if let PreviousGame::Open(previous) = &self.previous
            && !self.in_archive
            && self.index_of(previous).is_none()
        {
            // A new game in place of the previous game is the previous game under another name.
            self.previous = match new_name {
                Some(name) => PreviousGame::Open(name),
                None => PreviousGame::Gone,
            };
        }
        None
    }

    fn blocks(&self, _form: &Form, view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        let mut blocks = Vec::new();
        if !self.message.is_empty() {
            blocks.push(Block::words(Role::Notice, &self.message));
        }
        // In a lobby, the view is that of the host and its clocks.
        if self.library.offers(Action::Code) {
            for clock in view.clocks() {
                let line = format!("The host: {}", clock_line(&clock));
                blocks.push(Block::Parts(vec![(Role::Text, line)]));
            }
        }
        blocks.extend(self.preview.blocks.iter().cloned());
        blocks
    }
}

#[cfg(test)]
mod tests;
