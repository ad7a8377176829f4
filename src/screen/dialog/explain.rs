//! An entry of the log, step by step.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::scroll::{Block, Page, Scroll};
use super::telling::tell;
use super::{Heard, Manner, Reply};
use crate::screen::action::{Action, Context};
use crate::screen::theme::Role;
use crate::screen::widget::{Look, columns};
use crate::table::Seen;

/// An entry of the log, step by step.
#[derive(Clone, Debug)]
pub struct ExplainDialog {
    entry: u64,
    scroll: Scroll,
}

/// Columns that an explanation wants.
const WIDTH: u16 = 72;

impl ExplainDialog {
    /// Explains that entry.
    pub fn new(entry: u64) -> Self {
        Self {
            entry,
            scroll: Scroll::default(),
        }
    }

    fn blocks(&self, seen: &Seen<'_>, ascii: bool) -> (String, Vec<Block>) {
        let Some(entry) = seen.entry(self.entry) else {
            let gone = "That entry is not to be read from here.";
            return (String::new(), vec![Block::words(Role::Muted, gone)]);
        };
        let scene = &seen.scene_of(self.entry).name;
        let scene = if scene.is_empty() {
            String::new()
        } else {
            format!("{scene}, ")
        };
        let at = entry.at.format("%-d %b %Y %H:%M UTC");
        let mut blocks = vec![
            Block::words(Role::Muted, format!("{scene}{at}, by {}", entry.by)),
            Block::Gap,
        ];
        if seen.is_struck(self.entry) {
            let words = "Struck or taken back: what followed from it was returned.";
            blocks.push(Block::words(Role::Warning, words));
            blocks.push(Block::Gap);
        }
        let hidden = entry.roll().map_or(&[][..], |roll| &roll.hidden_from);
        if !hidden.is_empty() {
            let whom = match hidden {
                [all] if all == "*" => "all players".to_owned(),
                names => names.join(", "),
            };
            blocks.push(Block::words(Role::Hidden, format!("Hidden from {whom}.")));
            blocks.push(Block::Gap);
        }
        blocks.extend(tell(&entry.event, seen, ascii));
        (entry.event.text(seen.system()), blocks)
    }
}

impl Manner for ExplainDialog {
    fn contexts(&self) -> &'static [Context] {
        Context::Help.chain()
    }

    fn hints(&self) -> &'static [Action] {
        &[Action::Up, Action::Down, Action::PageDown, Action::Close]
    }

    fn hear(&mut self, heard: &Heard, _seen: &Seen<'_>) -> Reply {
        self.scroll.hear(heard)
    }

    fn view(
        &self,
        seen: &Seen<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let (title, blocks) = self.blocks(seen, look.ascii);
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
