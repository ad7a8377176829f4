//! A question that is answered by yes or no.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::Widget;

use super::page::bare;
use super::wrap::wrap;
use super::{Dialog, DialogAction, DialogEvent, DoorAct};
use crate::screen::action::{Action, Context};
use crate::screen::theme::Role;
use crate::screen::widget::buttons::{Button, Buttons};
use crate::screen::widget::dialog::DialogFrame;
use crate::screen::widget::{Look, columns, row};
use crate::table::{Act, Entry, Invited, SeatView};

/// What happens when the answer is yes.
#[derive(Clone, Debug, PartialEq)]
pub enum Agreed {
    /// That is submitted.
    Do(Act),
    /// The log is written over the file that is there.
    Replace(String),
    /// That is put before the GM.
    Suggest(Act),
    /// Somebody is let out.
    Door(DoorAct),
    /// This screen leaves the table.
    Quit,
}

/// A question.
#[derive(Clone, Debug)]
pub struct ConfirmDialog {
    question: String,
    then: Agreed,
    /// Which button Enter would press: 0 is yes.
    focus: usize,
    problem: Option<String>,
}

const BUTTONS: [Button<'static>; 2] = [
    Button {
        letter: Some('y'),
        ..Button::new("Yes")
    },
    Button {
        letter: Some('n'),
        ..Button::new("No")
    },
];

/// Columns that a question wants.
const WIDTH: u16 = 48;

impl ConfirmDialog {
    /// Asks it.
    pub fn new(question: impl Into<String>, then: Agreed) -> Self {
        Self {
            question: question.into(),
            then,
            focus: 0,
            problem: None,
        }
    }

    /// The same, but Enter leaves everything as it is.
    #[must_use]
    pub fn wary(self) -> Self {
        Self { focus: 1, ..self }
    }

    fn answer(&self, yes: bool) -> DialogAction {
        match &self.then {
            _ if !yes => DialogAction::Close,
            Agreed::Do(act) => DialogAction::SubmitAndClose(act.clone()),
            Agreed::Replace(path) => DialogAction::Export {
                path: path.clone(),
                replace: true,
            },
            Agreed::Suggest(act) => DialogAction::Suggest(act.clone()),
            Agreed::Door(act) => DialogAction::Door(act.clone()),
            Agreed::Quit => DialogAction::Quit,
        }
    }

    fn words(&self, width: u16) -> Vec<String> {
        let mut lines = wrap(&self.question, width);
        if let Some(problem) = &self.problem {
            lines.extend(wrap(&format!("! {problem}"), width));
        }
        lines
    }

    fn frame<'a>(&self, area: Rect, look: Look<'a>) -> (DialogFrame<'a>, Rect, Rect) {
        let widest = WIDTH.min(area.width.saturating_sub(4));
        let lines = self.words(widest);
        let wide = lines.iter().map(|line| columns(line)).max().unwrap_or(0);
        let rows = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let frame = DialogFrame::new("", wide.max(20), rows + 2, look);
        let inner = frame.inner(area);
        let buttons = Rect {
            y: inner.bottom().saturating_sub(1),
            height: inner.height.min(1),
            ..inner
        };
        let words = Rect {
            height: inner.height.saturating_sub(1),
            ..inner
        };
        (frame, words, buttons)
    }
}

fn buttons(focus: usize, look: Look<'_>) -> Buttons<'_> {
    Buttons {
        buttons: &BUTTONS,
        focus: Some(focus),
        look,
    }
}

impl Dialog for ConfirmDialog {
    fn contexts(&self) -> &'static [Context] {
        Context::Confirm.chain()
    }

    fn hints(&self) -> &'static [Action] {
        &[Action::Yes, Action::No, Action::Close]
    }

    fn handle(&mut self, event: &DialogEvent, _seen: &SeatView<'_>) -> DialogAction {
        match event {
            DialogEvent::Action(Action::Yes) => self.answer(true),
            DialogEvent::Action(Action::Press) => self.answer(self.focus == 0),
            DialogEvent::Action(Action::No | Action::Close) => DialogAction::Close,
            DialogEvent::Action(Action::NextButton | Action::PreviousButton) => {
                self.focus = 1 - self.focus;
                DialogAction::Stay
            }
            DialogEvent::Click { at, area } => {
                let areas = bare(|look| buttons(0, look).areas(self.frame(*area, look).2));
                match areas.iter().position(|spot| spot.contains(*at)) {
                    Some(pressed) => self.answer(pressed == 0),
                    None => DialogAction::Stay,
                }
            }
            DialogEvent::Action(_) | DialogEvent::Key(_) | DialogEvent::Paste(_) => {
                DialogAction::Stay
            }
        }
    }

    fn on_result(&mut self, told: Result<&Entry, &str>, _seen: &SeatView<'_>) {
        self.problem = told.err().map(str::to_owned);
    }

    fn on_door(&mut self, result: Result<Invited, &str>) {
        self.problem = result.err().map(str::to_owned);
    }

    fn view(
        &self,
        _seen: &SeatView<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let (frame, words, below) = self.frame(area, *look);
        (&frame).render(area, buffer);
        for (line, down) in self.words(words.width).iter().zip(0..words.height) {
            let spot = row(words, down);
            let role = if line.starts_with('!') {
                Role::Danger
            } else {
                Role::Text
            };
            buffer.set_string(spot.x, spot.y, line, look.style(role));
        }
        (&buttons(self.focus, *look)).render(below, buffer);
        None
    }
}
