//! What happened, newest first.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::roll::{Told, brief_line, entry_line};
use super::{Paint, below, within};
use crate::screen::action::Action;
use crate::screen::layout;
use crate::screen::rows;
use crate::screen::state::Tab;
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::widget::die::Dice;
use crate::screen::widget::grid::{Column, Grid, Row, Width};
use crate::screen::widget::panel::Panel;
use crate::table::Entry;

/// From so many columns on the dice and what followed stand beside the words.
const WIDE: u16 = 90;

/// Draws the tab.
pub(super) fn draw(paint: &mut Paint<'_>, body: Rect) {
    let panes = layout::panes(Tab::Log, body, paint.state.details);
    if paint.state.log.len() == 0 {
        let area = below(panes.list, 1);
        if paint.state.log.is_searching() {
            let line = Line::from(paint.span("Looking through the log …".to_owned(), Role::Muted));
            paint.text(area, &line);
        } else if paint.state.log.filter().is_empty() {
            paint.empty(
                area,
                "Nothing has happened yet.",
                Action::Roll,
                "rolls a check.",
            );
        } else {
            paint.empty(
                area,
                "Nothing in the log is like that.",
                Action::Close,
                "shows all.",
            );
        }
        return;
    }
    list(paint, within(panes.list));
    let selected = paint.state.log.selected();
    let selected = selected.and_then(|number| paint.seen.entry(number));
    if let (Some(area), Some(entry)) = (panes.detail, selected) {
        detail(paint, area, &entry);
    }
}

fn list(paint: &mut Paint<'_>, area: Rect) {
    let digits = u16::try_from(paint.seen.last_event().to_string().len()).unwrap_or(20);
    let least = match area.width {
        width if width < WIDE => 40,
        width => (width / 2 - 4).min(LEAST.0),
    };
    let what = Column::new("What happened", Width::Grow(least)).runs_on();
    let mut grid_columns = vec![Column::new("Time", Width::Fixed(5)).priority(1)];
    // Players are told no numbers: a gap between two would tell of what is hidden.
    if paint.seen.seat().sees_all() {
        let number = Column::new("#", Width::Fixed(digits.max(2))).right();
        grid_columns.insert(0, number);
    }
    // On a narrow screen Enter and the details tell the rest.
    if area.width < WIDE {
        grid_columns.push(what);
    } else {
        let columns = &paint.state.log_columns;
        let [dice, follows] = columns.get(paint.seen, 0, || wanted(paint));
        grid_columns.extend([
            Column::new("By", Width::Fixed(8)).priority(3),
            what,
            Column::new("Dice", Width::UpTo(dice.min(LEAST.1), dice)).priority(4),
            Column::new("What followed", Width::Fixed(follows)).priority(5),
        ]);
    }

    let (top, room) = (paint.state.log.top(), layout::room(area));
    let numbers = (top..top + room).map_while(|line| paint.state.log.row(line));
    let entries: Vec<_> = numbers
        .filter_map(|number| paint.seen.entry(number))
        .collect();
    let rows: Vec<Row<'_>> = entries
        .iter()
        .map(|entry| row(paint, entry, area.width))
        .collect();
    let grid = Grid {
        columns: &grid_columns,
        rows: &rows,
        selected: paint.state.log.at().checked_sub(top),
        cursor: None,
        look: paint.look,
    };
    (&grid).render(area, paint.buffer);
    paint.more(area, top, paint.state.log.len());
    for (index, down) in (0..rows.len()).zip(1..) {
        let line = crate::screen::widget::row(area, down);
        paint.spots.put(line, Spot::Entry(top + index));
    }
}

/// The columns that what happened and the dice keep on a wide screen, however much stands beside them.
const LEAST: (u16, u16) = (56, 22);

/// How wide the dice and what followed want to be: as those of the last rolls. Nothing jumps while one
/// scrolls through older ones.
fn wanted(paint: &Paint<'_>) -> [u16; 2] {
    let [mut dice, mut follows] = [16, 16];
    for number in rows::rolls(paint.seen).into_iter().flatten() {
        if let Some(entry) = paint.seen.entry(number) {
            let (lying, followed) = dice_and_effects(paint, &entry);
            dice = dice.max(lying.width());
            follows = follows.max(followed.width());
        }
    }
    [dice, follows.min(44)].map(|width| u16::try_from(width).unwrap_or(u16::MAX))
}

fn row(paint: &Paint<'_>, entry: &Entry, width: u16) -> Row<'static> {
    let muted = |words: String| Line::from(paint.span(words, Role::Muted));
    let mut cells = vec![muted(paint.setup.zone.time(entry.at))];
    if paint.seen.seat().sees_all() {
        cells.insert(0, muted(entry.number.to_string()));
    }
    let what = if width < 60 {
        brief_line(entry, paint)
    } else {
        entry_line(entry, paint)
    };
    if width < WIDE {
        cells.push(what);
    } else {
        let (dice, follows) = dice_and_effects(paint, entry);
        cells.extend([muted(entry.by.clone()), what, dice, follows]);
    }
    Row {
        cells,
        marked: false,
    }
}

/// The dice of a roll, and what followed from it.
fn dice_and_effects(paint: &Paint<'_>, entry: &Entry) -> (Line<'static>, Line<'static>) {
    let (mut dice, mut follows) = (Line::default(), Line::default());
    if let Some(told) = Told::of(entry, paint.seen) {
        let lying = told.dice();
        let lying = Dice {
            dice: &lying,
            look: paint.look,
        };
        dice = lying.line();
        for effect in told.effects(paint) {
            if !follows.spans.is_empty() {
                follows.push_span("  ");
            }
            follows.extend(effect.spans);
        }
    }
    (dice, follows)
}

/// The entry under the cursor: its dice as they lie, what followed, and how it came about.
fn detail(paint: &mut Paint<'_>, area: Rect, entry: &Entry) {
    let title = paint.seen.tag(entry.number);
    let scene = &paint.seen.scene_of(entry.number).name;
    let when = paint.setup.zone.day_and_time(entry.at);
    let foot = if scene.is_empty() {
        format!("by {}", entry.by)
    } else {
        format!("by {} {} {scene}", entry.by, paint.look.glyphs().dot)
    };
    let panel = Panel {
        note: &when,
        foot: &foot,
        ..Panel::new(&title, paint.look)
    };
    (&panel).render(area, paint.buffer);
    let inner = panel.inner(area);
    let Some(told) = Told::of(entry, paint.seen) else {
        let line = entry_line(entry, paint);
        paint.text(inner, &line);
        return;
    };
    let dice = told.dice();
    let dice = Dice {
        dice: &dice,
        look: paint.look,
    };
    let (pictures, words) = if area.width >= 72 {
        // On a flat pane the words stand beside the dice.
        let width = inner.width * 2 / 5;
        let left = Rect { width, ..inner };
        let right = Rect {
            x: inner.x + width + 2,
            width: inner.width - width - 2,
            ..inner
        };
        (left, right)
    } else {
        let height = dice.height(inner.width).min(inner.height);
        (Rect { height, ..inner }, below(inner, height + 1))
    };
    (&dice).render(pictures, paint.buffer);
    let mut rest = paint.text(words, &entry_line(entry, paint));
    // Both readings stay in sight, the one that does not hold struck out.
    let before = paint.seen.replaces(entry.number);
    let others = [before, paint.seen.replaced_by(entry.number)].into_iter();
    for other in others
        .flatten()
        .filter_map(|number| paint.seen.entry(number))
    {
        let tag = paint.seen.tag(other.number) + " ";
        let mut line = Line::from(paint.span(tag, Role::Muted));
        line.spans
            .extend(entry_line(&other, paint).spans.into_iter().map(owned));
        rest = paint.text(rest, &line);
    }
    let mut lines = told.effects(paint);
    if told.roll.is_closed() {
        let whom = told
            .roll
            .hidden_from
            .join(", ")
            .replace('*', "every player");
        lines.push(Line::from(
            paint.span(format!("closed from {whom}"), Role::Hidden),
        ));
    }
    let rest = paint.lines(rest, &lines);
    let steps = told.outcome.steps.iter();
    let steps: Vec<Line<'static>> = steps
        .map(|step| Line::from(paint.span(step.clone(), Role::Muted)))
        .collect();
    paint.lines(below(rest, u16::from(area.width < 72)), &steps);
}

fn owned(span: Span<'_>) -> Span<'static> {
    Span::styled(span.content.into_owned(), span.style)
}
