//! The log, newest entry first: the last rolls on the table, and all entries on the Log tab.

use std::hash::BuildHasher as _;

use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;
use rustc_hash::FxBuildHasher;

use crate::Role;
use crate::app::list::ListId;
use crate::app::state;
use crate::app::update::log_lines::ShownLine;
use crate::dialog::{Canvas, ExplainDialog};
use crate::view::entry::{RollView, closed, dice_as_they_lie, entry_line};
use crate::view::full_entries::{InFull, LEAST, WIDE, leading};
use crate::view::layout::{self, PanelLayout};
use crate::view::log_item::{LogItem, text_column, touch};
use crate::view::tone;
use crate::view::{Painter, ViewContext, draw_empty_hint, luck};
use crate::widget::{
    Column, DiceRow, GAP, GUTTER, Grid, GridColumns, MoreRows, PanelFrame, RowMarks, after, below,
    draw_marks, join, left, percent, row, top,
};
use tableside_table::Entry;

/// The rows that the panel with the luck needs below the details of an entry.
const LUCK: u16 = 8;
/// The least columns of the text beside the dice of a roll.
const BESIDE: u16 = 40;

/// Draws the last rolls on the table. The selected one or the latest one is shown large.
pub(super) fn draw_panel(painter: &mut Painter<'_>, deck: &PanelLayout) {
    let rolls = painter.state.list(state::Panel::Rolls);
    let is_here = painter.state.panel == state::Panel::Rolls;
    // A roll that was undone is never shown large.
    let view = painter.view;
    let holds = |id: &ListId| id.try_as_roll().is_some_and(|one| !view.is_struck(one));
    let newest = rolls.lines().iter().flatten().copied().find(holds);
    let shown = rolls.id().filter(|id| is_here && holds(id)).or(newest);
    let shown = shown.filter(|_| deck.lead.height > 0);
    if let Some(entry) = shown.and_then(|id| view.entry(id.try_as_roll()?)) {
        lead(painter, after(deck.lead, GUTTER), &entry);
    }
    let in_sight = rolls.lines().iter().flatten().skip(rolls.top());
    // The large roll is not repeated in the list, unless the cursor needs its line.
    let in_sight = in_sight.filter(|id| is_here || shown != Some(**id));
    let in_sight = in_sight.take(deck.rows()).filter_map(|id| id.try_as_roll());
    let selected = rolls.id().and_then(ListId::try_as_roll).filter(|_| is_here);
    let list = LogList {
        lines: in_sight.map(ShownLine::Entry).collect(),
        selected: selected.map(ShownLine::Entry),
        is_panel: true,
    };
    list.draw(painter, deck.inner);
}

/// Draws the tab.
pub(super) fn draw_tab(painter: &mut Painter<'_>, body: Rect) {
    let context = painter.context;
    let log = &context.state.log;
    let panes = context.state.tab_layout(body);
    let area = left(panes.list, panes.list.width.saturating_sub(1));
    let room = layout::visible_rows(area);
    let in_sight = log.in_sight(room);
    let (has_newer, has_older) = log.has_more(room);
    let more = MoreRows {
        above: has_newer,
        below: has_older,
    };
    let is_all = more == MoreRows::default();
    let drawn_from = (context.view.revision(), area, &in_sight);
    let in_full =
        is_all.then(|| context.cached(1, drawn_from, || InFull::of(context, area, &in_sight)));
    let in_full = in_full.as_deref().and_then(Option::as_ref);
    let places: Option<Vec<Rect>> = in_full.map(InFull::places);
    let why_empty = (log.len() == 0).then(|| (log.filter(), log.is_searching()));
    painter.redraw_if_changed(panes.list, (places, why_empty), |painter| {
        if why_empty.is_some() {
            draw_empty_hint(painter, below(panes.list, 1), state::Panel::Rolls);
        }
    });
    if why_empty.is_none() {
        match in_full {
            Some(all) => all.draw(painter, area),
            None => {
                let list = LogList {
                    lines: in_sight,
                    selected: log.selected_line(),
                    is_panel: false,
                };
                list.draw(painter, area);
            }
        }
        painter.draw_more_signs(area, more);
    }
    let selected = log.selected().and_then(|number| context.view.entry(number));
    match (panes.detail, selected) {
        (Some(area), Some(entry)) => detail(painter, area, &entry),
        (Some(area), None) => painter.redraw_if_changed(area, (), |_| {}),
        (None, _) => {}
    }
}

/// Lines of the log in columns.
struct LogList {
    lines: Vec<ShownLine>,
    /// The line that keys act on.
    selected: Option<ShownLine>,
    /// True for the panel on the table, false for the tab.
    is_panel: bool,
}

impl LogList {
    fn draw(self, painter: &mut Painter<'_>, area: Rect) {
        let context = painter.context;
        let drawn_from = (context.view.revision(), area, &self.lines);
        let drawn_from = FxBuildHasher.hash_one(drawn_from);
        let grid = context.cached(1, drawn_from, || self.lay_out(context, area.width));
        let head = row(area, 0);
        if !self.is_panel {
            painter.redraw_if_changed(head, drawn_from, |painter| {
                grid.draw_head(None, context.look, head, painter.buffer);
            });
        }

        let text_column = text_column(context, area.width >= WIDE.0);
        let mut lines = self.lines.into_iter();
        let places = area.rows().skip(usize::from(!self.is_panel));
        for (place, nth) in places.zip(0..) {
            let line = lines.next();
            let is_here = line.is_some() && self.selected == line;
            painter.redraw_if_changed(place, (drawn_from, line, is_here), |painter| {
                if let Some(line) = line {
                    let words = grid.place(text_column, place).unwrap_or(place);
                    touch(painter, line, place, words);
                    draw_marks(
                        RowMarks {
                            is_selected: is_here,
                            is_marked: false,
                        },
                        context.look,
                        place,
                        painter.buffer,
                    );
                    grid.draw_row(nth, None, context.look, place, painter.buffer);
                }
            });
        }
    }

    fn lay_out(&self, context: ViewContext<'_>, width: u16) -> Grid {
        let columns = if self.is_panel && width >= WIDE.1 {
            roll_columns(context)
        } else {
            columns(context, width, self.is_panel)
        };
        let items = self.lines.iter().map(|line| LogItem::new(*line, context));
        columns.lay_out(items, width, if self.is_panel { GAP - 1 } else { GAP })
    }
}

/// Returns the columns of the log. Their widths do not depend on the visible entries, so they stay while the log scrolls.
fn columns(context: ViewContext<'_>, width: u16, is_panel: bool) -> GridColumns<'_, LogItem> {
    let is_wide = !is_panel && width >= WIDE.0;
    let mut all = leading(context, is_panel, is_wide);
    let least = [40, (width / 2).saturating_sub(4).min(LEAST)][usize::from(is_wide)];
    let what = Column::new("Event", (least, least)).grows().ends();
    let followed = move |entry: &LogItem| {
        let roll = RollView::of(entry, context.view);
        let is_told = !entry.is_fold() && (!is_panel || !context.view.is_struck(entry.number));
        let effects = roll.filter(|_| is_told).map(|roll| roll.effects(context));
        join(effects.unwrap_or_default(), "  ")
    };
    all.add(what, move |entry| {
        let beside = is_panel.then(|| followed(entry));
        let line = entry.line(context);
        join([line].into_iter().chain(beside), "  ")
    });
    // On a narrow screen, Enter and the details show the dice and the effects.
    if is_wide {
        let dice = Column::fixed("Dice", (width / 7).min(36));
        all.add(dice.priority(4), move |entry| {
            let roll = RollView::of(entry, context.view).filter(|_| !entry.is_fold());
            let dice = roll.map(|roll| roll.dice());
            let (dice, look) = (&dice.unwrap_or_default(), context.look);
            DiceRow { dice, look }.line()
        });
        let room = width.saturating_sub(102).clamp(17, 44);
        all.add(Column::fixed("Effects", room).priority(5), followed);
    }
    all
}

/// Returns the columns of the last rolls on a wide screen.
fn roll_columns(context: ViewContext<'_>) -> GridColumns<'_, LogItem> {
    let mut all = GridColumns::default();
    let time = Column::fixed("", 6).priority(2);
    all.add(time, move |entry: &LogItem| {
        context.line(context.setup.zone.time(entry.at), Role::Muted)
    });
    // Rolls of free dice have only a text, which spills into the other columns.
    let who = Column::new("", (4, 24)).at_first(16).spills().ends();
    all.add(who, move |entry| match RollView::of(entry, context.view) {
        Some(roll) => {
            let who = context.line(roll.roll.who.clone(), roll.role(Role::Text));
            join(closed(entry, context).into_iter().chain([who]), " ")
        }
        None => entry_line(entry, true, context),
    });
    let mut add = |column: Column, tell: fn(&RollView<'_>, ViewContext<'_>) -> Line<'static>| {
        all.add(column, move |entry: &LogItem| {
            let roll = RollView::of(entry, context.view);
            roll.map_or_else(Line::default, |roll| tell(&roll, context))
        });
    };
    add(Column::new("", (8, 48)).at_first(20), |roll, context| {
        let tested = context.line(roll.tested.words.clone(), roll.role(Role::Text));
        join([tested, context.line(roll.about(), Role::Muted)], " ")
    });
    add(Column::new("", (6, 29)), |roll, context| {
        roll.outcome_span(context.look).into()
    });
    add(Column::new("", (0, 16)).priority(3), |roll, context| {
        context.line(roll.numbers(), roll.role(Role::Text))
    });
    let dice = Column::new("", (0, 40)).at_first(14).priority(5);
    add(dice, |roll, context| {
        let (dice, look) = (&roll.dice(), context.look);
        DiceRow { dice, look }.line()
    });
    let followed = Column::new("", (0, 120)).at_first(24).priority(4);
    all.add(followed, move |entry| {
        let roll = RollView::of(entry, context.view);
        roll.map_or_else(Line::default, |roll| roll.followed(entry, context))
    });
    all
}

/// Draws a large roll: the tested value, the dice, the outcome, the chance and the effects.
fn lead(painter: &mut Painter<'_>, area: Rect, entry: &Entry) {
    let context = painter.context;
    let look = context.look;
    let room = area.width.saturating_sub(BESIDE);
    let dice = dice_as_they_lie(entry, context.view);
    let all = DiceRow { dice: &dice, look };
    let is_boxed = all.height(room) == 3;
    let widest = if is_boxed { all.width() } else { room.min(60) };
    (&all).render(top(left(area, widest), 3), painter.buffer);
    let words = after(area, widest + 2);
    let Some(roll) = RollView::of(entry, context.view) else {
        let thrown = context.line(entry.event.text(context.view.system()), Role::Title);
        return painter.draw_line(words, &thrown);
    };
    let tested = context.line(roll.tested.title(&roll.roll.who), Role::Title);
    let told = roll.told();
    let sign = tone::sign(told.tone);
    let style = look.style(tone::role(told.tone));
    let label = format!("{sign} {}", told.label.to_uppercase());
    let outcome = Line::from(Span::styled(label, style.add_modifier(Modifier::BOLD)));
    let chance = entry.chance(context.view.system());
    let chance =
        chance.map(|chance| context.line(format!("{} to succeed", percent(chance)), Role::Muted));
    let bold = look.style(Role::Text).add_modifier(Modifier::BOLD);
    let numbers = Line::from(Span::styled(roll.numbers(), bold));
    let followed = roll.followed(entry, context);
    let lines = [
        join([tested, context.line(roll.about(), Role::Muted)], " "),
        join([outcome, numbers], "  "),
        join([chance.unwrap_or_default(), followed], "  "),
    ];
    painter.draw_paragraphs(words, &lines);
}

/// Draws the explanation of the selected entry.
fn detail(painter: &mut Painter<'_>, area: Rect, entry: &Entry) {
    let context = painter.context;
    let number = entry.number;
    let width = PanelFrame::new("", context.look).inner(area).width;
    let drawn_from = (context.view.revision(), number, width);
    let told = context.cached(1, drawn_from, || {
        ExplainDialog::beside(number, context.view, width, context.look)
    });
    let (told, rows) = &*told;
    // A short explanation leaves room for the luck of all characters.
    let rows = rows.saturating_add(2).min(area.height);
    let has_room = area.height - rows >= LUCK && !context.recent_rolls().is_empty();
    let rows = if has_room { rows } else { area.height };
    if has_room {
        painter.redraw_if_changed(area, rows, |_| {});
    }
    let frame = top(area, rows);
    painter.redraw_if_changed(frame, drawn_from, |painter| {
        let scene = &context.view.scene_of(number).name;
        let foot = if scene.is_empty() {
            format!("by {}", entry.by)
        } else {
            format!("by {} · {scene}", entry.by)
        };
        let tag = context.view.tag(number);
        let panel = PanelFrame {
            note: &context.setup.zone.day_and_time(entry.at),
            foot: &foot,
            ..PanelFrame::new(&tag, context.look)
        };
        let inner = painter.draw_frame(frame, &panel);
        let mut canvas = Canvas {
            look: context.look,
            area: inner,
            buffer: painter.buffer,
            hits: &mut |_, _| {},
        };
        ExplainDialog::draw_beside(told, &mut canvas);
    });
    if has_room {
        luck::draw(painter, below(area, rows), entry);
    }
}
