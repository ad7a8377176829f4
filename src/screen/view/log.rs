//! What happened, newest first: the last rolls on the table, and every entry on a tab.

use std::sync::Arc;

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use super::listed::empty;
use super::painter::{Painter, Source};
use super::roll::{RollView, entry_line};
use crate::screen::layout::{self, Deck};
use crate::screen::state::{self, Tab};
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::widget::die::Dice;
use crate::screen::widget::grid::{Column, Columns, GAP, GUTTER, draw_marks};
use crate::screen::widget::panel::Panel;
use crate::screen::widget::{after, below, join, left, row, top};
use crate::table::Entry;

/// From so many columns on the dice and what followed stand beside the words on the tab, and on the table.
const WIDE: (u16, u16) = (90, 100);
/// From so many columns on an entry says what one takes for granted, and what followed beside it.
const ROOMY: u16 = 60;
/// What happened keeps so many columns on a wide screen, however much stands beside it.
const LEAST: u16 = 56;
/// The columns of the dice where they lie as boxes, and those that the words beside them keep.
const BOXES: (u16, u16) = (6, 40);

/// Draws the last rolls on the table, one of them with its dice as they lie.
pub(super) fn panel(paint: &mut Painter<'_>, deck: &Deck) {
    let rolls = paint.state.list(state::Panel::Rolls);
    let is_here = paint.state.panel == state::Panel::Rolls;
    let newest = rolls.lines().first().copied().flatten();
    let shown = if is_here { rolls.id() } else { newest };
    let shown = shown.and_then(|id| paint.seen.entry(id.roll()?));
    if let Some(entry) = shown.filter(|_| deck.lead.height > 0) {
        lead(paint, after(deck.lead, GUTTER), &entry);
    }
    let in_sight = rolls.lines().iter().flatten().skip(rolls.top());
    let in_sight = in_sight.take(deck.rows()).filter_map(|id| {
        let is_selected = is_here && rolls.id() == Some(*id);
        Some((id.roll()?, Spot::Listed(*id), is_selected))
    });
    list(paint, deck.inner, true, &in_sight.collect::<Vec<_>>());
}

/// Draws the tab.
pub(super) fn tab(paint: &mut Painter<'_>, body: Rect) {
    let log = &paint.state.log;
    let panes = layout::panes(Tab::Log, body, paint.state.details);
    if log.len() == 0 {
        return empty(paint, below(panes.list, 1), state::Panel::Rolls);
    }
    let area = left(panes.list, panes.list.width.saturating_sub(1));
    let lines = log.top()..log.top() + layout::room(area);
    let in_sight = lines.map_while(|line| {
        let spot = Spot::Entry(line);
        Some((log.row(line)?, spot, line == log.at()))
    });
    list(paint, area, false, &in_sight.collect::<Vec<_>>());
    paint.more(area, log.top(), log.len());
    let selected = log.selected().and_then(|number| paint.seen.entry(number));
    if let (Some(area), Some(entry)) = (panes.detail, selected) {
        detail(paint, area, &entry);
    }
}

/// Draws the entries of these numbers, one of which keys act on.
fn list(paint: &mut Painter<'_>, area: Rect, is_panel: bool, in_sight: &[(u64, Spot, bool)]) {
    let from = paint.from;
    let columns = columns(from, area.width, is_panel);
    let entries = in_sight.iter().map(|(number, ..)| from.seen.entry(*number));
    let grid = columns.lay_out(entries, area.width, GAP);
    if !is_panel {
        grid.draw_head(None, from.look, row(area, 0), paint.buffer);
    }
    let places = area.rows().skip(usize::from(!is_panel));
    for ((nth, (_, spot, is_selected)), line) in in_sight.iter().enumerate().zip(places) {
        paint.hits.put(line, *spot);
        draw_marks((*is_selected, false), from.look, line, paint.buffer);
        grid.draw_row(nth, None, from.look, line, paint.buffer);
    }
}

/// What is told of each entry in so many columns, the same whichever entries are in sight: nothing jumps
/// while one scrolls.
fn columns(from: Source<'_>, width: u16, is_panel: bool) -> Columns<'_, Arc<Entry>> {
    let title = |title| if is_panel { "" } else { title };
    let muted = move |words: String| from.say(words, Role::Muted);
    let is_wide = width >= if is_panel { WIDE.1 } else { WIDE.0 };
    let is_brief = is_panel || width < ROOMY;
    let mut all = Columns::default();
    // Players are told no numbers: a gap between two would tell of what is hidden.
    if !is_panel && from.seen.seat().sees_all() {
        let digits = u16::try_from(from.seen.last_event().to_string().len()).unwrap_or(20);
        all.add(
            Column::fixed("#", digits.max(2)).right(),
            move |entry: &Arc<Entry>| muted(entry.number.to_string()),
        );
    }
    let time = Column::fixed(title("Time"), 5).priority(1);
    all.add(time, move |entry| muted(from.setup.zone.time(entry.at)));
    if !is_panel && is_wide {
        let by = Column::fixed("By", 8).priority(3);
        all.add(by, move |entry| muted(entry.by.clone()));
    }
    let least = if is_wide {
        (width / 2 - 4).min(LEAST)
    } else {
        40
    };
    let what = Column::new(title("What happened"), (least, least)).grows();
    all.add(what, move |entry| entry_line(entry, is_brief, from));
    // On a narrow screen Enter and the details tell the rest.
    if is_wide {
        // A panel tells no notes, and has more room for dice.
        let share = if is_panel { 5 } else { 7 };
        let dice = Column::fixed(title("Dice"), (width / share).min(36));
        all.add(dice.priority(4), move |entry| {
            let dice = RollView::of(entry, from.seen).map(|roll| roll.dice());
            let (dice, look) = (&dice.unwrap_or_default(), from.look);
            Dice { dice, look }.line()
        });
    }
    if is_wide || is_panel && width >= ROOMY {
        let room = width.saturating_sub(102).clamp(17, 44);
        let followed = Column::fixed(title("What followed"), room);
        all.add(followed.priority(5), move |entry| {
            let roll = RollView::of(entry, from.seen);
            let is_told = !is_brief || !from.seen.is_struck(entry.number);
            let effects = roll.filter(|_| is_told).map(|roll| roll.effects(from));
            join(effects.unwrap_or_default(), "  ")
        });
    }
    all
}

/// A roll with its dice as they lie.
fn lead(paint: &mut Painter<'_>, area: Rect, entry: &Entry) {
    let from = paint.from;
    let Some(roll) = RollView::of(entry, from.seen) else {
        return;
    };
    let (dice, look) = (&roll.dice(), from.look);
    let widest = u16::try_from(dice.len()).map_or(u16::MAX, |dice| dice.saturating_mul(BOXES.0));
    let widest = widest.min(area.width.saturating_sub(BOXES.1)).max(12);
    (&Dice { dice, look }).render(top(left(area, widest), 3), paint.buffer);
    let words = after(area, widest + 2);
    let who = match roll.roll.who.as_str() {
        "" => roll.spec.label,
        who => who,
    };
    let is_struck = from.seen.is_struck(entry.number);
    let role = if is_struck { Role::Struck } else { Role::Text };
    let outcome = roll.outcome_span(look, is_struck).into();
    // What seldom differs from roll to roll comes first.
    let check = from.say(roll.spec.label, Role::Muted);
    let followed = if is_struck {
        vec![from.say("taken back", Role::Warning)]
    } else {
        roll.effects(from)
    };
    let lines = [
        from.say(who, Role::Title),
        join([outcome, from.say(roll.numbers(), role)], "  "),
        join([check].into_iter().chain(followed), "  "),
    ];
    for (line, place) in lines.iter().zip(words.rows()) {
        paint.line(place, line);
    }
}

/// The entry under the cursor: its dice as they lie, what followed, and how it came about.
fn detail(paint: &mut Painter<'_>, area: Rect, entry: &Entry) {
    let from = paint.from;
    let seen = from.seen;
    let scene = &seen.scene_of(entry.number).name;
    let foot = if scene.is_empty() {
        format!("by {}", entry.by)
    } else {
        format!("by {} {} {scene}", entry.by, from.look.glyphs().dot)
    };
    let tag = seen.tag(entry.number);
    let panel = Panel {
        note: &from.setup.zone.day_and_time(entry.at),
        foot: &foot,
        ..Panel::new(&tag, from.look)
    };
    let inner = paint.frame(area, &panel);
    let mut lines = vec![entry_line(entry, false, from)];
    let Some(roll) = RollView::of(entry, seen) else {
        paint.lines(inner, &lines);
        return;
    };
    let (dice, look) = (&roll.dice(), from.look);
    let dice = Dice { dice, look };
    let is_flat = area.width >= 72;
    let (pictures, words) = if is_flat {
        // On a flat pane the words stand beside the dice.
        let width = inner.width * 2 / 5;
        (left(inner, width), after(inner, width + 2))
    } else {
        let height = dice.height(inner.width).min(inner.height);
        (top(inner, height), below(inner, height + 1))
    };
    (&dice).render(pictures, paint.buffer);
    // Both readings stay in sight, the one that does not hold struck out.
    let others = [seen.replaces(entry.number), seen.replaced_by(entry.number)];
    let others = others.into_iter().flatten();
    lines.extend(others.filter_map(|number| seen.entry(number)).map(|other| {
        let tag = from.say(seen.tag(other.number), Role::Muted);
        join([tag, entry_line(&other, false, from)], " ")
    }));
    lines.extend(roll.effects(from));
    if roll.roll.is_closed() {
        let whom = roll.roll.hidden_from.join(", ");
        let words = format!("closed from {}", whom.replace('*', "every player"));
        lines.push(from.say(words, Role::Hidden));
    }
    if !is_flat {
        lines.push(Line::default());
    }
    let steps = roll.outcome.steps.iter();
    lines.extend(steps.map(|step| from.say(step.clone(), Role::Muted)));
    paint.lines(words, &lines);
}
