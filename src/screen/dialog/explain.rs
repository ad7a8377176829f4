//! An entry of the log, step by step.

use ratatui::layout::Position;

use super::press::{Button, Press};
use super::reading::{Block, Reading, Scroll, wanted};
use super::roll::{FAVOR, Next, numbered};
use super::roll_summary::{done, drawn};
use super::{Canvas, Dialog, DialogAction, DialogEvent};
use crate::screen::action::{Action, Context};
use crate::screen::theme::Role;
use crate::screen::widget::columns;
use crate::session::Faces;
use crate::table::{Act, Entry, SeatView};

/// An entry of the log, step by step.
#[derive(Debug)]
pub struct ExplainDialog {
    entry: u64,
    scroll: Scroll,
    /// What can be done about it.
    press: Press<Next>,
    /// What was done about it, in words.
    said: Vec<String>,
    problem: Option<String>,
}

/// Columns that an explanation wants.
const WIDTH: u16 = 72;

impl ExplainDialog {
    /// Explains that entry.
    pub fn new(entry: u64, seen: &SeatView<'_>) -> Self {
        Self {
            entry,
            scroll: Scroll::default(),
            press: offers(entry, seen),
            said: Vec::new(),
            problem: None,
        }
    }

    fn blocks(&self, seen: &SeatView<'_>, ascii: bool) -> (String, Vec<Block>) {
        let Some((title, parts)) = seen.explain(self.entry) else {
            let gone = "That entry is not to be read from here.";
            return (String::new(), vec![Block::words(Role::Muted, gone)]);
        };
        let mut blocks: Vec<Block> = parts.into_iter().map(|part| drawn(part, ascii)).collect();
        blocks.extend(done(&self.said, ascii));
        (title, blocks)
    }
}

/// What can be done now; whoever reads presses nothing with Enter but the way out.
fn offers(entry: u64, seen: &SeatView<'_>) -> Press<Next> {
    let known = seen.entry(entry);
    let mut offered = known.map_or_else(Vec::new, |entry| numbered(&entry, seen));
    if seen.may_reroll(entry) {
        offered.push(Button::new(Next::Favor, FAVOR, 'f'));
    }
    if !offered.is_empty() {
        offered.push(Button::new(Next::Close, "Close", 'c'));
    }
    Press::new(offered)
}

impl Dialog for ExplainDialog {
    fn contexts(&self) -> &'static [Context] {
        &[Context::Help, Context::Choice, Context::Always]
    }

    fn hints(&self) -> &'static [Action] {
        if !self.press.buttons.is_empty() {
            &[Action::Press, Action::NextButton, Action::Close]
        } else if self.scroll.has_more() {
            &[Action::Up, Action::Down, Action::PageDown, Action::Close]
        } else {
            &[Action::Close]
        }
    }

    fn handle(&mut self, event: &DialogEvent, _seen: &SeatView<'_>) -> DialogAction {
        if self.press.buttons.is_empty() || *event == DialogEvent::Action(Action::Close) {
            return self.scroll.handle(event);
        }
        if let DialogEvent::Action(action) = event {
            self.scroll.apply(*action);
        }
        match self.press.handle(event) {
            Some(Next::Favor) => DialogAction::Submit(Act::Reroll {
                entry: self.entry,
                faces: Faces::Rolled,
            }),
            Some(Next::Do(command)) => DialogAction::Submit(Act::Do(command.clone())),
            Some(_) => DialogAction::Close,
            None => DialogAction::Stay,
        }
    }

    fn on_result(&mut self, result: Result<&Entry, &str>, seen: &SeatView<'_>) {
        match result {
            // What holds now is explained.
            Ok(entry) if seen.replaces(entry.number) == Some(self.entry) => {
                *self = Self::new(entry.number, seen);
            }
            Ok(entry) => {
                self.said.push(entry.event.text(seen.system()));
                self.problem = None;
            }
            Err(problem) => self.problem = Some(problem.to_owned()),
        }
    }

    fn on_change(&mut self, seen: &SeatView<'_>) {
        let before = std::mem::replace(&mut self.press, offers(self.entry, seen));
        if !self.press.mark(|next| before.marked() == Some(next)) {
            self.press.focus = before.focus;
        }
    }

    fn view(&self, seen: &SeatView<'_>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let (title, blocks) = self.blocks(seen, canvas.look.ascii);
        let reading = Reading {
            title: &title,
            note: &seen.tag(self.entry),
            blocks: &blocks,
            press: Some(&self.press),
            problem: self.problem.as_deref(),
            width: match self.press.buttons.is_empty() {
                true => WIDTH.max(columns(&title) + 8),
                false => wanted(canvas.area),
            },
        };
        reading.draw(&self.scroll, canvas);
        None
    }
}
