//! The parts of the table that are painted anew only when something about them changed: most keys change one
//! panel and a line.

use std::hash::{BuildHasher as _, Hash};

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Style;
use rustc_hash::FxBuildHasher;

/// What each part of the last frame was painted from.
#[derive(Debug, Default)]
pub(in crate::screen) struct Tiles {
    ground: u64,
    known: Vec<(Rect, Option<u64>)>,
}

impl Tiles {
    /// Everything is to be painted.
    pub(in crate::screen) fn forget(&mut self) {
        self.known.clear();
    }

    /// What they all stand on; where it is another, everything is to be painted.
    pub(super) fn stand_on(&mut self, ground: impl Hash) {
        let ground = FxBuildHasher.hash_one(ground);
        if self.ground != ground {
            self.known.clear();
        }
        self.ground = ground;
    }

    /// What a part was painted from when it was painted last.
    pub(super) fn part(&mut self, area: Rect) -> &mut Option<u64> {
        let at = self.known.iter().position(|(known, _)| *known == area);
        let at = at.unwrap_or_else(|| {
            self.known.push((area, None));
            self.known.len() - 1
        });
        &mut self.known[at].1
    }

    /// Whether everything is to be painted.
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}

/// Makes an area blank.
pub(super) fn clear(area: Rect, base: Style, buffer: &mut Buffer) {
    let mut blank = Cell::EMPTY;
    blank.set_style(base);
    for row in area.intersection(buffer.area).rows() {
        let from = buffer.index_of(row.x, row.y);
        buffer.content[from..][..row.width.into()].fill(blank.clone());
    }
}
