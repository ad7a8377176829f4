//! The prepared scenes: brought, revealed, and kept.

mod keep;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::page::{Cell, Page, Row, bare};
use super::{Dialog, DialogAction, DialogEvent};
use crate::screen::action::{Action, Context};
use crate::screen::widget::Look;
use crate::session::{CharacterId, ClockId, Command, Prepared, PreparedId, Visibility};
use crate::table::{Entry as Told, SeatView};
use keep::KeepForm;

/// What is marked on the table, to be kept as a scene.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marked {
    /// The characters.
    pub characters: Vec<CharacterId>,
    /// The clocks.
    pub clocks: Vec<ClockId>,
}

impl Marked {
    fn is_empty(&self) -> bool {
        self.characters.is_empty() && self.clocks.is_empty()
    }
}

/// The prepared scenes, one of which keys act on.
#[derive(Clone, Debug)]
pub struct ScenesDialog {
    marked: Marked,
    at: usize,
    problem: Option<String>,
}

impl ScenesDialog {
    /// Opens the list; what is marked on the table may be kept as another scene.
    pub const fn open(marked: Marked) -> Self {
        Self {
            marked,
            at: 0,
            problem: None,
        }
    }

    fn scene<'a>(&self, seen: &SeatView<'a>) -> Option<&'a Prepared> {
        seen.prepared().nth(self.at)
    }

    fn go(&mut self, by: isize, seen: &SeatView<'_>) -> DialogAction {
        let last = seen.prepared().count().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
        self.problem = None;
        DialogAction::Stay
    }

    fn keep(&mut self, seen: &SeatView<'_>) -> DialogAction {
        if self.marked.is_empty() {
            self.problem =
                Some("mark its characters and clocks with m first, then n keeps them".into());
            return DialogAction::Stay;
        }
        let form = KeepForm::new(self.marked.clone(), seen);
        DialogAction::Replace(form.into())
    }

    fn on(
        &mut self,
        seen: &SeatView<'_>,
        close: bool,
        act: impl Fn(PreparedId) -> Command,
    ) -> DialogAction {
        match self.scene(seen) {
            Some(scene) if close => DialogAction::SubmitAndClose(act(scene.id).into()),
            Some(scene) => DialogAction::Submit(act(scene.id).into()),
            None => DialogAction::Stay,
        }
    }

    fn help(&self, seen: &SeatView<'_>) -> String {
        match self.scene(seen) {
            None if self.marked.is_empty() => {
                "No scene is prepared yet. Mark its characters and clocks with m; n here keeps them."
                    .to_owned()
            }
            None => "No scene is prepared yet. n keeps what is marked as one.".to_owned(),
            Some(scene) => {
                let names = scene.cast.iter().map(|one| one.name.as_str());
                let clocks = scene.clocks.iter().map(|one| one.name.as_str());
                let names: Vec<&str> = names.chain(clocks).collect();
                let notes = match scene.notes.as_str() {
                    "" => String::new(),
                    notes => format!(" {notes}"),
                };
                format!("{}.{notes}", names.join(", "))
            }
        }
    }
}

/// What a scene holds, and what of it is on the table.
fn told(scene: &Prepared, seen: &SeatView<'_>) -> (String, String) {
    let count = |number: usize, one: &str, many: &str| match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        number => Some(format!("{number} {many}")),
    };
    let parts = [
        count(scene.cast.len(), "character", "characters"),
        count(scene.clocks.len(), "clock", "clocks"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let came = |id: u32| scene.brought.contains(&id);
    let people: Vec<bool> = seen
        .roster()
        .filter(|one| came(one.id.0))
        .map(|one| one.hidden)
        .collect();
    let clocks = seen.clocks().filter(|one| came(one.clock.id.0));
    let clocks = clocks.map(|one| one.clock.visibility == Visibility::Hidden);
    let there: Vec<bool> = people.into_iter().chain(clocks).collect();
    let hidden = there.iter().filter(|hidden| **hidden).count();
    let state = match (there.len(), hidden) {
        (0, _) => String::new(),
        (_, 0) => "on the table".to_owned(),
        (_, hidden) => format!("on the table, {hidden} hidden"),
    };
    (parts.join(", "), state)
}

impl Dialog for ScenesDialog {
    fn contexts(&self) -> &'static [Context] {
        Context::Scenes.chain()
    }

    fn hints(&self) -> &'static [Action] {
        &[
            Action::BringScene,
            Action::Visibility,
            Action::New,
            Action::Open,
            Action::Delete,
            Action::Close,
        ]
    }

    fn handle(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> DialogAction {
        match event {
            DialogEvent::Action(Action::Close) => DialogAction::Close,
            DialogEvent::Action(Action::Up) => self.go(-1, seen),
            DialogEvent::Action(Action::Down) => self.go(1, seen),
            DialogEvent::Action(Action::First) => self.go(isize::MIN, seen),
            DialogEvent::Action(Action::Last) => self.go(isize::MAX, seen),
            DialogEvent::Action(Action::BringScene) => self.on(seen, true, Command::BringScene),
            DialogEvent::Action(Action::Visibility) => self.on(seen, false, Command::RevealScene),
            DialogEvent::Action(Action::Delete) => self.on(seen, false, Command::RemovePrepared),
            DialogEvent::Action(Action::New) => self.keep(seen),
            DialogEvent::Action(Action::Open) => match self.scene(seen) {
                Some(scene) => {
                    let form = KeepForm::edit(scene);
                    DialogAction::Replace(form.into())
                }
                None => self.keep(seen),
            },
            DialogEvent::Click { at, area } => {
                let rows: Vec<Row<'_>> = seen
                    .prepared()
                    .map(|scene| Row::new(scene.name.as_str(), Cell::Value("")))
                    .collect();
                let found = bare(|look| self.page(&rows, "", look).row_at(*area, *at));
                self.at = found.unwrap_or(self.at);
                DialogAction::Stay
            }
            DialogEvent::Action(_) | DialogEvent::Key(_) | DialogEvent::Paste(_) => {
                DialogAction::Stay
            }
        }
    }

    fn on_result(&mut self, told: Result<&Told, &str>, seen: &SeatView<'_>) {
        self.problem = told.err().map(str::to_owned);
        self.on_change(seen);
    }

    fn on_change(&mut self, seen: &SeatView<'_>) {
        self.at = self.at.min(seen.prepared().count().saturating_sub(1));
    }

    fn view(
        &self,
        seen: &SeatView<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let words: Vec<(&str, (String, String))> = seen
            .prepared()
            .map(|scene| (scene.name.as_str(), told(scene, seen)))
            .collect();
        let rows: Vec<Row<'_>> = words
            .iter()
            .map(|(name, (holds, state))| Row {
                beside: state.as_str().into(),
                ..Row::new(*name, Cell::Value(holds))
            })
            .collect();
        let help = self.help(seen);
        self.page(&rows, &help, *look).draw(area, buffer).1
    }
}

impl ScenesDialog {
    fn page<'a>(&'a self, rows: &'a [Row<'a>], help: &'a str, look: Look<'a>) -> Page<'a> {
        Page {
            focus: self.at,
            help,
            problem: self.problem.as_deref(),
            ..Page::new("Prepared scenes", rows, look)
        }
    }
}
