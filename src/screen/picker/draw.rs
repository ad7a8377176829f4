//! How the list of games looks.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::{GAMES, Mode, Naming, beginnings};
use crate::screen::action::{Action, Context};
use crate::screen::list::List;
use crate::screen::picker::Game;
use crate::screen::setup::Setup;
use crate::screen::theme::Role;
use crate::screen::widget::field::{Field, FieldView};
use crate::screen::widget::grid::{Column, GAP, Grid, Row, Width};
use crate::screen::widget::hints::Hints;
use crate::screen::widget::{columns, row};

/// From so many columns on the game is looked into beside the list, from so many rows below it.
const BESIDE: u16 = 100;
const BELOW: u16 = 18;

/// What is drawn.
pub(super) struct View<'a> {
    pub(super) games: &'a [Game],
    pub(super) found: &'a [usize],
    pub(super) in_archive: bool,
    pub(super) search: &'a Field,
    pub(super) mode: &'a Mode,
    pub(super) notice: Option<&'a str>,
    pub(super) preview: &'a [String],
    pub(super) setup: &'a Setup,
    pub(super) list: &'a List<usize>,
}

/// Where the list goes, and what one sees of the game.
pub(super) fn areas(screen: Rect) -> (Rect, Rect) {
    let whole = Rect::new(0, 2, screen.width, screen.height.saturating_sub(4)).intersection(screen);
    if whole.width >= BESIDE {
        let left = whole.width * 3 / 5;
        let list = Rect {
            width: left,
            ..whole
        };
        let preview = Rect {
            x: left + 2,
            width: whole.width - left - 3,
            ..whole
        };
        return (list, preview);
    }
    if whole.height >= BELOW {
        let top = whole.height / 2;
        let list = Rect {
            height: top,
            ..whole
        };
        let preview = Rect {
            x: 1,
            y: whole.y + top + 1,
            width: whole.width.saturating_sub(2),
            height: whole.height - top - 1,
        };
        return (list, preview);
    }
    let none = Rect {
        width: 0,
        height: 0,
        ..whole
    };
    (whole, none)
}

impl View<'_> {
    /// Draws it; answers with where the cursor belongs.
    pub(super) fn draw(&self, buffer: &mut Buffer) -> Option<Position> {
        let look = self.setup.look();
        let screen = buffer.area;
        buffer.set_style(screen, look.base());
        let question = match self.mode {
            Mode::Begin(_) => "a new game of which system?",
            _ if self.in_archive => "the archive",
            _ => "which game?",
        };
        let mut title = vec![
            Span::styled(" Tableside", look.style(Role::Title)),
            Span::styled(format!("  {question}"), look.style(Role::Muted)),
        ];
        if !self.search.value().is_empty() && !matches!(self.mode, Mode::Search) {
            let words = format!("  only {:?}", self.search.value());
            title.push(Span::styled(words, look.style(Role::Notice)));
        }
        buffer.set_line(0, 0, &Line::from(title), screen.width);
        let (list, preview) = areas(screen);
        if let Mode::Begin(chosen) = self.mode {
            self.draw_beginnings(chosen, list, buffer);
        } else {
            self.draw_games(list, buffer);
            for (line, words) in (0..preview.height).zip(self.preview) {
                let role = if words.starts_with(' ') {
                    Role::Muted
                } else {
                    Role::Text
                };
                self.say(words, role, row(preview, line), buffer);
            }
        }
        let foot = row(screen, screen.height.saturating_sub(1));
        let foot = Rect {
            x: foot.x + 1.min(foot.width),
            width: foot.width.saturating_sub(2),
            ..foot
        };
        let above = Rect {
            y: foot.y.saturating_sub(1),
            ..foot
        };
        let said = match (self.mode, self.notice) {
            (Mode::Name(_, _, Some(problem)), _) => Some((problem.as_str(), Role::Warning)),
            (_, Some(notice)) => Some((notice, Role::Notice)),
            _ => None,
        };
        if let Some((words, role)) = said {
            self.say(words, role, above, buffer);
        }
        match self.mode {
            Mode::Search => {
                Some(self.ask("find:", self.search, "letters of its name", foot, buffer))
            }
            Mode::Name(naming, field, _) => {
                let (label, short) = match naming {
                    Naming::New(system, true) => {
                        (format!("name of the sample game of {system}:"), "its name:")
                    }
                    Naming::New(system, false) => {
                        (format!("name of the game of {system}:"), "its name:")
                    }
                    Naming::Rename(name) => (format!("{name} is now called:"), "now called:"),
                    Naming::Duplicate(name) => {
                        (format!("another {name}, called:"), "the copy's name:")
                    }
                };
                // What is typed keeps half of the line.
                let fits = columns(&label) <= foot.width / 2;
                let label = if fits { &label } else { short };
                Some(self.ask(label, field, "friday", foot, buffer))
            }
            Mode::Confirm(name) => {
                let keys = [Action::Yes, Action::No].map(|action| {
                    let keys = self.setup.keymap.keys_for(action, Context::Confirm.chain());
                    let key = keys
                        .first()
                        .map_or(String::new(), |key| key.label(look.ascii));
                    format!("{key} {}", action.name())
                });
                let keys = keys.join(", ");
                let whole =
                    format!("Put {name} into the archive? {keys}; it can be taken out again.");
                let end = format!(" away? {keys}");
                let around = columns("Put ") + columns(&end);
                let name = look.fit(name, foot.width.saturating_sub(around));
                let short = format!("Put {name}{end}");
                let fits = columns(&whole) <= foot.width;
                let words = if fits { &whole } else { &short };
                self.say(words, Role::Warning, foot, buffer);
                None
            }
            Mode::Browse | Mode::Begin(_) => {
                self.draw_hints(foot, buffer);
                None
            }
        }
    }

    /// A line in a role, cut where there is no more room.
    fn say(&self, words: &str, role: Role, line: Rect, buffer: &mut Buffer) {
        let look = self.setup.look();
        let words = look.fit(words, line.width);
        let words = Line::styled(words, look.style(role));
        buffer.set_line(line.x, line.y, &words, line.width);
    }

    fn ask(
        &self,
        label: &str,
        field: &Field,
        placeholder: &str,
        foot: Rect,
        buffer: &mut Buffer,
    ) -> Position {
        let look = self.setup.look();
        let width = columns(label).min(foot.width / 2);
        let words = Line::styled(label, look.style(Role::Title));
        buffer.set_line(foot.x, foot.y, &words, width);
        let area = Rect {
            x: foot.x + width + 1,
            width: foot.width.saturating_sub(width + 1),
            ..foot
        };
        let view = FieldView {
            focused: true,
            placeholder,
            ..FieldView::new(field, look)
        };
        (&view).render(area, buffer);
        view.cursor(area)
            .unwrap_or_else(|| Position::new(area.x, area.y))
    }

    fn draw_games(&self, area: Rect, buffer: &mut Buffer) {
        let look = self.setup.look();
        let found = || self.found.iter().filter_map(|index| self.games.get(*index));
        let widest = found().map(|game| columns(&game.name)).max();
        let grid_columns = [
            Column::new("Game", Width::Fixed(widest.unwrap_or(4).clamp(4, 40))),
            Column::new("About", Width::Grow(10, 10)).priority(1),
            Column::new("Last played", Width::Fixed(16)).priority(2),
        ];
        let room = usize::from(area.height.saturating_sub(1));
        let in_sight = found().skip(self.list.top()).take(room);
        let rows: Vec<Row<'_>> = in_sight
            .map(|game| {
                let played = game.played.map(|at| self.setup.zone.day_and_time(at));
                let muted = look.style(Role::Muted);
                Row {
                    cells: vec![
                        Line::styled(game.name.as_str(), look.style(Role::Text)),
                        Line::styled(game.about.as_str(), muted),
                        Line::styled(played.unwrap_or_default(), muted),
                    ],
                    marked: false,
                }
            })
            .collect();
        if area.is_empty() {
            return;
        }
        if rows.is_empty() {
            let new = self.setup.keymap.keys_for(Action::New, GAMES);
            let words = match (self.games.is_empty(), self.in_archive, new.first()) {
                (false, ..) => "  No game is called like that.".to_owned(),
                (true, true, _) => "  The archive is empty.".to_owned(),
                (true, false, None) => "  No game is kept here yet.".to_owned(),
                (true, false, Some(key)) => {
                    let key = key.label(look.ascii);
                    format!("  No game is kept here yet: {key} makes one.")
                }
            };
            self.say(&words, Role::Muted, row(area, 0), buffer);
            return;
        }
        let grid = Grid {
            columns: &grid_columns,
            rows: &rows,
            top: 0,
            gap: GAP,
            selected: self.list.at().checked_sub(self.list.top()),
            cursor: None,
            look,
        };
        (&grid).render(area, buffer);
    }

    fn draw_beginnings(&self, chosen: &List<usize>, area: Rect, buffer: &mut Buffer) {
        let look = self.setup.look();
        let grid_columns = [
            Column::new("System", Width::Fit(0, 30)),
            Column::new("Begins with", Width::Grow(10, 10)).priority(1),
        ];
        let room = usize::from(area.height.saturating_sub(1)).max(1);
        let top = chosen.at().saturating_sub(room - 1);
        let rows: Vec<Row<'_>> = beginnings()
            .into_iter()
            .skip(top)
            .take(room)
            .map(|(system, sample)| {
                let begins = if sample {
                    "the sample game"
                } else {
                    "an empty party"
                };
                Row {
                    cells: vec![
                        Line::styled(system.spec().name, look.style(Role::Text)),
                        Line::styled(begins, look.style(Role::Muted)),
                    ],
                    marked: false,
                }
            })
            .collect();
        let grid = Grid {
            columns: &grid_columns,
            rows: &rows,
            top: 0,
            gap: GAP,
            selected: chosen.at().checked_sub(top),
            cursor: None,
            look,
        };
        (&grid).render(area, buffer);
    }

    fn draw_hints(&self, foot: Rect, buffer: &mut Buffer) {
        let look = self.setup.look();
        let (contexts, actions): (&[Context], &[(Action, &str)]) = match self.mode {
            Mode::Begin(_) => (
                Context::List.chain(),
                &[(Action::Open, "take it"), (Action::Close, "back")],
            ),
            _ if self.in_archive => (
                GAMES,
                &[
                    (Action::Archive, "take out"),
                    (Action::Filter, "find"),
                    (Action::Archived, "back"),
                    (Action::Quit, "quit"),
                ],
            ),
            _ => (
                GAMES,
                &[
                    (Action::Open, "open"),
                    (Action::New, "new"),
                    (Action::Filter, "find"),
                    (Action::Duplicate, "duplicate"),
                    (Action::Rename, "rename"),
                    (Action::Archive, "put away"),
                    (Action::Archived, "archive"),
                    (Action::Quit, "quit"),
                ],
            ),
        };
        let needs_one = |action: &Action| {
            !matches!(
                action,
                Action::New | Action::Archived | Action::Quit | Action::Close
            )
        };
        let is_empty = self.games.is_empty() && !matches!(self.mode, Mode::Begin(_));
        let keys: Vec<(String, &str)> = actions
            .iter()
            .filter(|(action, _)| !is_empty || !needs_one(action))
            .filter_map(|(action, words)| {
                let keys = self.setup.keymap.keys_for(*action, contexts);
                Some((keys.first()?.label(look.ascii), *words))
            })
            .collect();
        let hints = Hints { keys: &keys, look };
        (&hints).render(foot, buffer);
    }
}
