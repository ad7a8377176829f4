//! The parts of the table that are painted anew only when something about them changed: most keys change one
//! panel and a line.

use std::hash::{BuildHasher as _, Hash};

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use rustc_hash::FxBuildHasher;

use super::Painter;

/// What each part of the last frame was painted from.
#[derive(Debug, Default)]
pub(in crate::screen) struct Tiles {
    ground: u64,
    known: Vec<(Rect, u64)>,
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

    /// Whether everything is to be painted.
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}

impl Painter<'_> {
    /// Draws a part of the screen unless it was drawn from the same before.
    pub(super) fn tile(&mut self, area: Rect, from: impl Hash, draw: impl FnOnce(&mut Self)) {
        let tile = (area, FxBuildHasher.hash_one((self.seen.revision(), from)));
        let place = self.tiles.known.iter().position(|known| known.0 == area);
        if place.is_some_and(|place| self.tiles.known[place] == tile) {
            return;
        }
        if place.is_some() {
            self.spots.forget(area);
            self.painted.push(area);
            clear(area, &self.look.base(), self.buffer);
        }
        match place {
            Some(place) => self.tiles.known[place] = tile,
            None => self.tiles.known.push(tile),
        }
        draw(self);
    }
}

/// Makes an area blank.
pub(super) fn clear(area: Rect, base: &ratatui::style::Style, buffer: &mut Buffer) {
    let mut blank = Cell::EMPTY;
    blank.set_style(*base);
    for row in area.intersection(buffer.area).rows() {
        let from = buffer.index_of(row.x, row.y);
        buffer.content[from..][..row.width.into()].fill(blank.clone());
    }
}
