//! Lines that only moved: found in two pictures, to be moved by the terminal itself.

use std::hash::{Hash as _, Hasher as _};

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::Modifier;
use rustc_hash::FxHasher;

/// Fewer lines than this are drawn as soon as moved.
const LEAST: usize = 3;
/// So far lines are sought.
const FURTHEST: usize = 24;

/// Lines that move up or down within a stretch of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shift {
    /// The first line of the stretch.
    pub(super) top: u16,
    /// The line after its last.
    pub(super) bottom: u16,
    /// How far they move; up where negative.
    pub(super) by: i16,
}

impl Shift {
    /// Moves the lines of a picture as a terminal does.
    pub(super) fn apply(self, picture: &mut Buffer) {
        let width = usize::from(picture.area.width);
        let (top, bottom) = (
            usize::from(self.top) * width,
            usize::from(self.bottom) * width,
        );
        let by = usize::from(self.by.unsigned_abs()) * width;
        let Some(stretch) = picture.content.get_mut(top..bottom) else {
            return;
        };
        let by = by.min(stretch.len());
        // What comes in is drawn whole: no cell of a frame is like this one.
        let mut unknown = Cell::EMPTY;
        unknown.modifier = Modifier::all();
        if self.by > 0 {
            stretch.rotate_right(by);
            stretch
                .iter_mut()
                .take(by)
                .for_each(|cell| *cell = unknown.clone());
        } else {
            stretch.rotate_left(by);
            let kept = stretch.len() - by;
            stretch
                .iter_mut()
                .skip(kept)
                .for_each(|cell| *cell = unknown.clone());
        }
    }
}

/// The stretch of lines that moved, if enough did to be worth it.
pub(super) fn find(before: &Buffer, after: &Buffer) -> Option<Shift> {
    if before.area != after.area || before.area.is_empty() {
        return None;
    }
    let width = usize::from(before.area.width);
    let (old, new) = (before.content.chunks(width), after.content.chunks(width));
    if old.zip(new).filter(|(old, new)| old != new).count() <= LEAST {
        return None;
    }
    let (before, after) = (lines(before), lines(after));
    let ways = (1..=FURTHEST).flat_map(|by| [(by, true), (by, false)]);
    let found = ways.filter_map(|(by, down)| {
        let (run, gain) = longest(&before, &after, by, down)?;
        Some((gain.saturating_sub(by), run, by, down))
    });
    let (gain, (from, to), by, down) = found.max_by_key(|(gain, ..)| *gain)?;
    if gain < LEAST {
        return None;
    }
    let narrow = |line: usize| u16::try_from(line).ok();
    let (top, bottom) = if down {
        (from - by, to)
    } else {
        (from, to + by)
    };
    let by = i16::try_from(by).ok()?;
    Some(Shift {
        top: narrow(top)?,
        bottom: narrow(bottom)?,
        by: if down { by } else { -by },
    })
}

/// A run of lines that are what others so far away were, and how many of them changed.
type Run = ((usize, usize), usize);

fn longest(before: &[u64], after: &[u64], by: usize, down: bool) -> Option<Run> {
    let source = |line: usize| {
        if down {
            line.checked_sub(by)
        } else {
            Some(line + by)
        }
    };
    let mut best: Option<Run> = None;
    let mut run: Option<Run> = None;
    for line in 0..after.len() {
        let was = source(line).and_then(|source| before.get(source));
        if was.is_some() && was == after.get(line) {
            let gain = usize::from(before.get(line) != after.get(line));
            let ((from, _), so_far) = run.unwrap_or(((line, line), 0));
            run = Some(((from, line + 1), so_far + gain));
            if best.is_none_or(|(_, most)| so_far + gain > most) {
                best = run;
            }
        } else {
            run = None;
        }
    }
    best
}

/// A number for each line: lines of one number look the same.
fn lines(picture: &Buffer) -> Vec<u64> {
    let width = usize::from(picture.area.width);
    let lines = picture.content.chunks(width);
    lines
        .map(|line| {
            let mut hasher = FxHasher::default();
            line.hash(&mut hasher);
            hasher.finish()
        })
        .collect()
}
