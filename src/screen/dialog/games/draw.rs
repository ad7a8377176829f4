//! How the list of games looks.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::{Games, Mode};
use crate::screen::action::{Action, Context};
use crate::screen::dialog::{Canvas, Touched};
use crate::screen::layout;
use crate::screen::theme::Role;
use crate::screen::widget::field::FieldView;
use crate::screen::widget::grid::{Column, GAP, Grid, Row, Width};
use crate::screen::widget::hints::Hints;
use crate::screen::widget::{columns, row};

/// From so many columns on the game is looked into beside the list, from so many rows below it.
const BESIDE: u16 = 100;
const BELOW: u16 = 18;

/// What keys do here, and whether they do it to a game.
const HERE: [(Action, &str, bool); 8] = [
    (Action::Open, "open", true),
    (Action::New, "new", false),
    (Action::Filter, "find", true),
    (Action::Duplicate, "duplicate", true),
    (Action::Rename, "rename", true),
    (Action::Archive, "put away", true),
    (Action::Archived, "archive", false),
    (Action::Quit, "quit", false),
];
const IN_ARCHIVE: [(Action, &str, bool); 4] = [
    (Action::Archive, "take out", true),
    (Action::Filter, "find", true),
    (Action::Archived, "back", false),
    (Action::Quit, "quit", false),
];

/// Where the list goes, and what one sees of the game.
pub(super) fn areas(screen: Rect) -> (Rect, Rect) {
    let whole = Rect::new(0, 2, screen.width, screen.height.saturating_sub(4)).intersection(screen);
    let (mut list, mut preview) = (whole, Rect::default());
    if whole.width >= BESIDE {
        list.width = whole.width * 3 / 5;
        preview = Rect {
            x: list.width + 2,
            width: whole.width - list.width - 3,
            ..whole
        };
    } else if whole.height >= BELOW {
        list.height = whole.height / 2;
        preview = Rect {
            x: 1,
            y: whole.y + list.height + 1,
            width: whole.width.saturating_sub(2),
            height: whole.height - list.height - 1,
        };
    }
    (list, preview)
}

impl Games<'_> {
    /// Draws it; returns where the cursor belongs.
    pub(super) fn draw(
        &self,
        buffer: &mut Buffer,
        hits: &mut Vec<(Rect, Touched)>,
    ) -> Option<Position> {
        let (look, screen) = (self.setup.look(), buffer.area);
        buffer.set_style(screen, look.base());
        let question = if self.in_archive {
            "the archive"
        } else {
            "which game?"
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
        self.draw_games(list, buffer, hits);
        for (line, words) in (0..preview.height).zip(&self.preview.1) {
            let role = if words.starts_with(' ') {
                Role::Muted
            } else {
                Role::Text
            };
            self.say(words, role, row(preview, line), buffer);
        }
        let foot = row(screen, screen.height.saturating_sub(1));
        let foot = Rect {
            x: foot.x + 1.min(foot.width),
            width: foot.width.saturating_sub(2),
            ..foot
        };
        if let Some(notice) = &self.notice {
            let y = foot.y.saturating_sub(1);
            self.say(notice, Role::Notice, Rect { y, ..foot }, buffer);
        }
        if matches!(self.mode, Mode::Search) {
            return self.ask(foot, buffer);
        }
        self.draw_hints(foot, buffer);
        let mut canvas = Canvas {
            look,
            area: layout::dialog((screen.width, screen.height)),
            buffer,
            hits: &mut |area, touched| hits.push((area, touched)),
        };
        match &self.mode {
            Mode::Browse | Mode::Search => None,
            Mode::Name(_, form) => form.draw(&form.title, "", &mut canvas),
            Mode::Archive(_, question) => {
                question.draw(&mut canvas);
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

    /// The line that a search is typed in.
    fn ask(&self, foot: Rect, buffer: &mut Buffer) -> Option<Position> {
        let label = "find:";
        let width = columns(label).min(foot.width / 2);
        self.say(label, Role::Title, Rect { width, ..foot }, buffer);
        let area = Rect {
            x: foot.x + width + 1,
            width: foot.width.saturating_sub(width + 1),
            ..foot
        };
        let view = FieldView {
            focused: true,
            placeholder: "letters of its name",
            ..FieldView::new(&self.search, self.setup.look())
        };
        (&view).render(area, buffer);
        view.cursor(area)
    }

    fn draw_games(&self, area: Rect, buffer: &mut Buffer, hits: &mut Vec<(Rect, Touched)>) {
        if area.is_empty() {
            return;
        }
        let look = self.setup.look();
        let found = || self.found.iter().filter_map(|index| self.known.get(*index));
        let widest = found().map(|game| columns(&game.name)).max();
        let grid_columns = [
            Column::new("Game", Width::Fixed(widest.unwrap_or(4).clamp(4, 40))),
            Column::new("About", Width::Grow(10, 10)).priority(1),
            Column::new("Last played", Width::Fixed(16)).priority(2),
        ];
        let (room, top) = (usize::from(area.height.saturating_sub(1)), self.list.top());
        let rows = found().skip(top).take(room).map(|game| {
            let played = game.played.map(|at| self.setup.zone.day_and_time(at));
            let muted = look.style(Role::Muted);
            let cells = vec![
                Line::styled(game.name.as_str(), look.style(Role::Text)),
                Line::styled(game.about.as_str(), muted),
                Line::styled(played.unwrap_or_default(), muted),
            ];
            let marked = false;
            Row { cells, marked }
        });
        let rows: Vec<Row<'_>> = rows.collect();
        if rows.is_empty() {
            let new = self.setup.keymap.keys_for(Action::New, self.contexts());
            let words = match (self.known.is_empty(), self.in_archive, new.first()) {
                (false, ..) => "  No game is called like that.".to_owned(),
                (true, true, _) => "  The archive is empty.".to_owned(),
                (true, false, None) => "  No game is kept here yet.".to_owned(),
                (true, false, Some(key)) => {
                    let key = key.label(look.ascii);
                    format!("  No game is kept here yet: {key} makes one.")
                }
            };
            return self.say(&words, Role::Muted, row(area, 0), buffer);
        }
        for (line, place) in (1..area.height).zip(top..top + rows.len()) {
            hits.push((row(area, line), Touched::Row(place)));
        }
        let grid = Grid {
            columns: &grid_columns,
            rows: &rows,
            gap: GAP,
            top: 0,
            selected: self.list.at().checked_sub(top),
            cursor: None,
            look,
        };
        (&grid).render(area, buffer);
    }

    fn draw_hints(&self, foot: Rect, buffer: &mut Buffer) {
        let look = self.setup.look();
        let here: &[(Action, &str, bool)] = if self.in_archive { &IN_ARCHIVE } else { &HERE };
        let has_games = !self.known.is_empty();
        let here = here
            .iter()
            .filter(|(.., is_of_a_game)| has_games || !is_of_a_game);
        let of = |actions: &[Action]| actions.iter().map(|one| (*one, one.label())).collect();
        let actions: Vec<(Action, &str)> = match &self.mode {
            Mode::Name(_, form) => of(form.hints()),
            Mode::Archive(..) => of(&[Action::Yes, Action::No]),
            Mode::Browse | Mode::Search => {
                here.map(|(action, words, _)| (*action, *words)).collect()
            }
        };
        let contexts: &[Context] = self.contexts();
        let keys = actions.into_iter().filter_map(|(action, words)| {
            let keys = self.setup.keymap.keys_for(action, contexts);
            Some((keys.first()?.label(look.ascii), words))
        });
        let keys: Vec<(String, &str)> = keys.collect();
        let hints = Hints { keys: &keys, look };
        (&hints).render(foot, buffer);
    }
}
