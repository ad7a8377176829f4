//! An entry of the log, step by step.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::page::bare;
use super::press::Press;
use super::roll::{FAVOR, Reading};
use super::scroll::{Block, Page, Scroll};
use super::telling::drawn;
use super::{Heard, Manner, Reply};
use crate::screen::action::{Action, Context};
use crate::screen::theme::Role;
use crate::screen::widget::{Look, columns};
use crate::session::Faces;
use crate::table::{Act, Entry, Seen};

/// An entry of the log, step by step.
#[derive(Clone, Debug)]
pub struct ExplainDialog {
    entry: u64,
    scroll: Scroll,
    /// What can be done about it.
    press: Press,
    problem: Option<String>,
}

/// Columns that an explanation wants.
const WIDTH: u16 = 72;

impl ExplainDialog {
    /// Explains that entry.
    pub fn new(entry: u64) -> Self {
        Self {
            entry,
            scroll: Scroll::default(),
            press: Press::new(vec![FAVOR.to_owned(), "Close".to_owned()]),
            problem: None,
        }
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

    fn blocks(&self, seen: &Seen<'_>, ascii: bool) -> (String, Vec<Block>) {
        let Some((title, parts)) = seen.explain(self.entry) else {
            let gone = "That entry is not to be read from here.";
            return (String::new(), vec![Block::words(Role::Muted, gone)]);
        };
        let blocks = parts.into_iter().map(|part| drawn(part, ascii));
        (title, blocks.collect())
    }
}

impl Manner for ExplainDialog {
    fn contexts(&self) -> &'static [Context] {
        const READING: &[Context] = &[Context::Help, Context::Choice, Context::Always];
        READING
    }

    fn hints(&self) -> &'static [Action] {
        if self.scroll.has_more() {
            &[Action::Up, Action::Down, Action::PageDown, Action::Close]
        } else {
            &[Action::Close]
        }
    }

    fn hear(&mut self, heard: &Heard, seen: &Seen<'_>) -> Reply {
        if !seen.may_reroll(self.entry) {
            return self.scroll.hear(heard);
        }
        let pressed = match heard {
            Heard::Action(Action::Close) => return Reply::Close,
            Heard::Action(action) => {
                let pressed = self.press.act(*action);
                self.scroll.apply(*action);
                pressed
            }
            Heard::Key(key) => self.press.key(*key),
            Heard::Click { at, area } => {
                let (title, blocks) = self.blocks(seen, false);
                let note = format!("#{}", self.entry);
                let reading = self.reading(&title, &note, &blocks);
                let spot = bare(|look| reading.buttons(*area, look));
                self.press.at(*at, spot)
            }
            Heard::Paste(_) => None,
        };
        match pressed {
            Some(0) => Reply::Submit(Act::Reroll {
                entry: self.entry,
                faces: Faces::Rolled,
            }),
            Some(_) => Reply::Close,
            None => Reply::Stay,
        }
    }

    fn told(&mut self, told: Result<&Entry, &str>, _seen: &Seen<'_>) {
        match told {
            // What holds now is explained.
            Ok(entry) => *self = Self::new(entry.number),
            Err(problem) => self.problem = Some(problem.to_owned()),
        }
    }

    fn view(
        &self,
        seen: &Seen<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let (title, blocks) = self.blocks(seen, look.ascii);
        if seen.may_reroll(self.entry) {
            let note = format!("#{}", self.entry);
            self.reading(&title, &note, &blocks)
                .draw(&self.scroll, *look, area, buffer);
            return None;
        }
        let page = Page {
            title: &title,
            note: &format!("#{}", self.entry),
            blocks: &blocks,
            width: WIDTH.max(columns(&title) + 8),
        };
        self.scroll.show(&page, *look, area, buffer);
        None
    }
}
