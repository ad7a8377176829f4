//! An entry of the log, step by step.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::button_row::Press;
use super::page::bare;
use super::roll::{FAVOR, Next, Reading, numbered, pressing};
use super::roll_summary::{done, drawn};
use super::scroll::{Block, Page, Scroll};
use super::{Dialog, DialogAction, DialogEvent};
use crate::screen::action::{Action, Context};
use crate::screen::theme::Role;
use crate::screen::widget::{Look, columns};
use crate::session::Faces;
use crate::table::{Act, Entry, SeatView};

/// An entry of the log, step by step.
#[derive(Clone, Debug)]
pub struct ExplainDialog {
    entry: u64,
    scroll: Scroll,
    /// What can be done about it.
    next: Vec<Next>,
    press: Press,
    /// What was done about it, in words.
    said: Vec<String>,
    problem: Option<String>,
}

/// Columns that an explanation wants.
const WIDTH: u16 = 72;

impl ExplainDialog {
    /// Explains that entry.
    pub fn new(entry: u64, seen: &SeatView<'_>) -> Self {
        let mut explained = Self {
            entry,
            scroll: Scroll::default(),
            next: Vec::new(),
            press: Press::default(),
            said: Vec::new(),
            problem: None,
        };
        explained.offer(seen);
        explained
    }

    /// Offers what can be done now; whoever reads presses nothing with Enter but the way out.
    fn offer(&mut self, seen: &SeatView<'_>) {
        let entry = seen.entry(self.entry);
        let mut offered = entry.map_or_else(Vec::new, |entry| numbered(&entry, seen));
        if seen.may_reroll(self.entry) {
            offered.push((Next::Favor, FAVOR.to_owned(), Some('f')));
        }
        if !offered.is_empty() {
            offered.push((Next::Close, "Close".to_owned(), Some('c')));
        }
        (self.next, self.press) = pressing(offered);
    }

    fn reading<'a>(&'a self, title: &'a str, note: &'a str, blocks: &'a [Block]) -> Reading<'a> {
        Reading {
            title,
            note,
            blocks,
            press: &self.press,
            problem: self.problem.as_deref(),
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

impl Dialog for ExplainDialog {
    fn contexts(&self) -> &'static [Context] {
        const READING: &[Context] = &[Context::Help, Context::Choice, Context::Always];
        READING
    }

    fn hints(&self) -> &'static [Action] {
        if !self.next.is_empty() {
            &[Action::Press, Action::NextButton, Action::Close]
        } else if self.scroll.has_more() {
            &[Action::Up, Action::Down, Action::PageDown, Action::Close]
        } else {
            &[Action::Close]
        }
    }

    fn handle(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> DialogAction {
        if self.next.is_empty() {
            return self.scroll.handle(event);
        }
        let pressed = match event {
            DialogEvent::Action(Action::Close) => return DialogAction::Close,
            DialogEvent::Action(action) => {
                let pressed = self.press.act(*action);
                self.scroll.apply(*action);
                pressed
            }
            DialogEvent::Key(key) => self.press.key(*key),
            DialogEvent::Click { at, area } => {
                let (title, blocks) = self.blocks(seen, false);
                let note = seen.tag(self.entry);
                let reading = self.reading(&title, &note, &blocks);
                let spot = bare(|look| reading.buttons(*area, look));
                self.press.at(*at, spot)
            }
            DialogEvent::Paste(_) => None,
        };
        match pressed.and_then(|button| self.next.get(button)) {
            Some(Next::Favor) => DialogAction::Submit(Act::Reroll {
                entry: self.entry,
                faces: Faces::Rolled,
            }),
            Some(Next::Do(command)) => DialogAction::Submit(Act::Do(command.clone())),
            Some(_) => DialogAction::Close,
            None => DialogAction::Stay,
        }
    }

    fn on_result(&mut self, told: Result<&Entry, &str>, seen: &SeatView<'_>) {
        match told {
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
        let marked = self.next.get(self.press.focus).cloned();
        self.offer(seen);
        let marked = self
            .next
            .iter()
            .position(|next| Some(next) == marked.as_ref());
        self.press.focus = marked.unwrap_or(self.press.focus);
    }

    fn view(
        &self,
        seen: &SeatView<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let (title, blocks) = self.blocks(seen, look.ascii);
        if !self.next.is_empty() {
            let note = seen.tag(self.entry);
            self.reading(&title, &note, &blocks)
                .draw(&self.scroll, *look, area, buffer);
            return None;
        }
        let page = Page {
            title: &title,
            note: &seen.tag(self.entry),
            blocks: &blocks,
            width: WIDTH.max(columns(&title) + 8),
        };
        self.scroll.show(&page, *look, area, buffer);
        None
    }
}
