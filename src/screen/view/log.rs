//! What happened, newest first: the last rolls on the table, and every entry on a tab.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use super::painter::Painter;
use super::roll::{RollView, brief_line, entry_line};
use crate::screen::action::Action;
use crate::screen::layout::{self, Deck};
use crate::screen::state::{self, Tab};
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::widget::die::Dice;
use crate::screen::widget::grid::{Column, GAP, GUTTER, Grid, Row, Width};
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
    if deck.rows() == 0 {
        return;
    }
    let state = paint.state;
    let lines = state.rolls.lines();
    if lines.is_empty() {
        let (area, why) = (deck.lead.union(deck.inner), "Nobody has rolled yet.");
        return paint.empty(area, why, Action::Roll, "rolls.");
    }
    let is_here = state.panel == state::Panel::Rolls;
    let newest = lines.first().copied().flatten();
    let shown = if is_here { state.rolls.id() } else { newest };
    if deck.lead.height > 0
        && let Some(entry) = shown.and_then(|number| paint.seen.entry(number))
    {
        lead(paint, after(deck.lead, GUTTER), &entry);
    }
    let in_sight = lines.iter().copied().skip(state.rolls.top());
    let in_sight: Vec<Option<u64>> = in_sight.take(deck.rows()).collect();
    let selected = in_sight
        .iter()
        .position(|number| *number == state.rolls.id());
    let selected = selected.filter(|_| is_here);
    let spot = |number, column: Option<usize>| column.is_none().then_some(Spot::Roll(number));
    list(
        paint,
        (deck.inner, true),
        (&in_sight, &in_sight),
        selected,
        spot,
    );
}

/// Draws the tab.
pub(super) fn tab(paint: &mut Painter<'_>, body: Rect) {
    let log = &paint.state.log;
    let panes = layout::panes(Tab::Log, body, paint.state.details);
    if log.len() == 0 && log.is_searching() {
        let line = Line::from(paint.span("Looking through the log …", Role::Muted));
        paint.text(below(panes.list, 1), &line);
        return;
    }
    if log.len() == 0 {
        let area = below(panes.list, 1);
        let (why, action, does) = if log.filter().is_empty() {
            ("Nothing has happened yet.", Action::Roll, "rolls a check.")
        } else {
            (
                "Nothing in the log is like that.",
                Action::Close,
                "shows all.",
            )
        };
        return paint.empty(area, why, action, does);
    }
    let area = left(panes.list, panes.list.width.saturating_sub(1));
    let lines = log.top()..log.top() + layout::room(area);
    let numbers: Vec<Option<u64>> = lines
        .clone()
        .map_while(|line| log.row(line).map(Some))
        .collect();
    let lines: Vec<Option<usize>> = lines.take(numbers.len()).map(Some).collect();
    let selected = log.at().checked_sub(log.top());
    let spot = |line, column: Option<usize>| column.is_none().then_some(Spot::Entry(line));
    list(paint, (area, false), (&numbers, &lines), selected, spot);
    paint.more(area, log.top(), log.len());
    let selected = log.selected();
    let selected = selected.and_then(|number| paint.seen.entry(number));
    if let (Some(area), Some(entry)) = (panes.detail, selected) {
        detail(paint, area, &entry);
    }
}

/// What is told of an entry, each in a column.
#[derive(Clone, Copy)]
enum Part {
    Number,
    Time,
    By,
    What,
    Dice,
    Followed,
}

/// What is told of each entry in so many columns, the same whichever entries are in sight: nothing jumps
/// while one scrolls.
fn parts(paint: &Painter<'_>, width: u16, is_panel: bool) -> Vec<(Part, Column<'static>)> {
    let title = |title| if is_panel { "" } else { title };
    let fixed = |title, width| Column::new(title, Width::Fixed(width));
    let is_wide = width >= if is_panel { WIDE.1 } else { WIDE.0 };
    let least = if is_wide {
        (width / 2 - 4).min(LEAST)
    } else {
        40
    };
    let mut parts = Vec::new();
    // Players are told no numbers: a gap between two would tell of what is hidden.
    if !is_panel && paint.seen.seat().sees_all() {
        let digits = u16::try_from(paint.seen.last_event().to_string().len()).unwrap_or(20);
        parts.push((Part::Number, fixed("#", digits.max(2)).right()));
    }
    parts.push((Part::Time, fixed(title("Time"), 5).priority(1)));
    if !is_panel && is_wide {
        parts.push((Part::By, fixed("By", 8).priority(3)));
    }
    let what = Column::new(title("What happened"), Width::Grow(least, least));
    parts.push((Part::What, what.runs_on()));
    // On a narrow screen Enter and the details tell the rest.
    if is_wide {
        // A panel tells no notes, and has more room for dice.
        let share = if is_panel { 5 } else { 7 };
        let dice = fixed(title("Dice"), (width / share).min(36));
        parts.push((Part::Dice, dice.priority(4)));
    }
    if is_wide || is_panel && width >= ROOMY {
        let followed = fixed(
            title("What followed"),
            width.saturating_sub(102).clamp(17, 44),
        );
        parts.push((Part::Followed, followed.priority(5)));
    }
    parts
}

/// Draws the entries of these numbers; the mouse finds these things in their lines.
fn list<Id: Copy>(
    paint: &mut Painter<'_>,
    (area, is_panel): (Rect, bool),
    (numbers, things): (&[Option<u64>], &[Option<Id>]),
    selected: Option<usize>,
    spot: impl Fn(Id, Option<usize>) -> Option<Spot>,
) {
    let parts = parts(paint, area.width, is_panel);
    let is_brief = is_panel || area.width < ROOMY;
    let row = |number: &Option<u64>| {
        let entry = number.and_then(|number| paint.seen.entry(number))?;
        let parts = parts.iter();
        let cells = parts.map(|(part, _)| cell(paint, &entry, *part, is_brief));
        Some(Row {
            cells: cells.collect(),
            marked: false,
        })
    };
    let rows = numbers.iter().map(|number| row(number).unwrap_or_default());
    let rows: Vec<Row<'static>> = rows.collect();
    let columns: Vec<Column<'static>> = parts.iter().map(|(_, column)| *column).collect();
    let grid = Grid {
        columns: &columns,
        rows: &rows,
        top: 0,
        selected,
        cursor: None,
        gap: GAP,
        look: paint.look,
    };
    paint.grid(area, &grid, things, spot);
}

fn cell(paint: &Painter<'_>, entry: &Entry, part: Part, is_brief: bool) -> Line<'static> {
    let muted = |words: String| paint.span(words, Role::Muted).into();
    let roll = RollView::of(entry, paint.seen);
    let is_struck = paint.seen.is_struck(entry.number);
    match part {
        Part::Number => muted(entry.number.to_string()),
        Part::Time => muted(paint.setup.zone.time(entry.at)),
        Part::By => muted(entry.by.clone()),
        Part::What if is_brief => brief_line(entry, paint),
        Part::What => entry_line(entry, paint),
        Part::Dice => roll.map_or_else(Line::default, |roll| {
            let dice = roll.dice();
            let look = paint.look;
            Dice { dice: &dice, look }.line()
        }),
        Part::Followed if is_struck && is_brief => Line::default(),
        Part::Followed => {
            let effects = roll.map_or_else(Vec::new, |roll| roll.effects(paint));
            join(effects, "  ")
        }
    }
}

/// A roll with its dice as they lie.
fn lead(paint: &mut Painter<'_>, area: Rect, entry: &Entry) {
    let Some(roll) = RollView::of(entry, paint.seen) else {
        return;
    };
    let look = paint.look;
    let dice = roll.dice();
    let widest = u16::try_from(dice.len())
        .unwrap_or(u16::MAX)
        .saturating_mul(BOXES.0);
    let widest = widest.min(area.width.saturating_sub(BOXES.1)).max(12);
    (&Dice { dice: &dice, look }).render(top(left(area, widest), 3), paint.buffer);
    let words = after(area, widest + 2);
    let who = match roll.roll.who.as_str() {
        "" => roll.spec.label,
        who => who,
    };
    paint.line(row(words, 0), &paint.span(who, Role::Title).into());
    let is_struck = paint.seen.is_struck(entry.number);
    let role = if is_struck { Role::Struck } else { Role::Text };
    let numbers = Line::from(paint.span(roll.numbers(), role));
    let outcome = roll.outcome_span(look, is_struck).into();
    paint.line(row(words, 1), &join([outcome, numbers], "  "));
    // What seldom differs from roll to roll comes first.
    let check = Line::from(paint.span(roll.spec.label, Role::Muted));
    let effects = if is_struck {
        vec![paint.span("taken back", Role::Warning).into()]
    } else {
        roll.effects(paint)
    };
    paint.line(
        row(words, 2),
        &join([check].into_iter().chain(effects), "  "),
    );
}

/// The entry under the cursor: its dice as they lie, what followed, and how it came about.
fn detail(paint: &mut Painter<'_>, area: Rect, entry: &Entry) {
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
    let Some(roll) = RollView::of(entry, paint.seen) else {
        paint.text(inner, &entry_line(entry, paint));
        return;
    };
    let dice = roll.dice();
    let dice = Dice {
        dice: &dice,
        look: paint.look,
    };
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
    let mut lines = vec![entry_line(entry, paint)];
    // Both readings stay in sight, the one that does not hold struck out.
    let others = [
        paint.seen.replaces(entry.number),
        paint.seen.replaced_by(entry.number),
    ];
    for other in others
        .into_iter()
        .flatten()
        .filter_map(|number| paint.seen.entry(number))
    {
        let tag = Line::from(paint.span(paint.seen.tag(other.number), Role::Muted));
        lines.push(join([tag, entry_line(&other, paint)], " "));
    }
    lines.extend(roll.effects(paint));
    if roll.roll.is_closed() {
        let whom = roll
            .roll
            .hidden_from
            .join(", ")
            .replace('*', "every player");
        let words = format!("closed from {whom}");
        lines.push(paint.span(words, Role::Hidden).into());
    }
    let rest = paint.lines(words, &lines);
    let steps = roll.outcome.steps.iter();
    let steps = steps.map(|step| paint.span(step.clone(), Role::Muted).into());
    let steps: Vec<Line<'_>> = steps.collect();
    paint.lines(below(rest, u16::from(!is_flat)), &steps);
}
