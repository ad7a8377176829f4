//! The luck of the characters in the last rolls, below the details of a log entry.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::theme::Role;
use crate::view::entry::entry_line;
use crate::view::{Painter, ViewContext};
use crate::widget::{BarLevel, PanelFrame, bar, join};
use tableside_game::{CharacterId, EntityKind};
use tableside_table::Entry;
use tableside_text::pluralise;

/// The luck of a character: the sum over its rolls, each from 0 to 1000.
struct Luck {
    who: String,
    rolls: i32,
    sum: i32,
}

/// Draws the luck of all characters. The character of the entry comes first, with its last rolls.
pub(super) fn draw(painter: &mut Painter<'_>, area: Rect, entry: &Entry) {
    let context = painter.context;
    let roller = entry.event.what.roller().map(|(name, _)| name);
    let revision = context.view.revision_of(EntityKind::Game);
    painter.redraw_if_changed(area, (revision, roller), |painter| {
        let panel = PanelFrame {
            note: "50 is neither good nor bad",
            ..PanelFrame::new("Luck", context.look)
        };
        let inner = painter.draw_frame(area, &panel);
        painter.draw_paragraphs(inner, &luck_lines(roller, inner, context));
    });
}

/// Returns a line for each character, and the last rolls of one of them.
fn luck_lines(roller: Option<&str>, area: Rect, context: ViewContext<'_>) -> Vec<Line<'static>> {
    let mut totals = sum_luck(context);
    totals.sort_by_key(|luck| roller != Some(&luck.who));

    let mut lines = Vec::new();
    for luck in &totals {
        let is_roller = roller == Some(&luck.who);
        lines.push(luck_line(luck, is_roller, area.width, context));
    }

    let is_theirs = |name: &str, _| roller == Some(name);
    let last_rolls = last_rolls(is_theirs, area.height.into(), context);
    if !last_rolls.is_empty() {
        lines.push(Line::default());
        lines.extend(last_rolls);
    }
    lines
}

/// Adds up the luck of each character, in the order of their last rolls.
fn sum_luck(context: ViewContext<'_>) -> Vec<Luck> {
    let mut totals: Vec<Luck> = Vec::new();
    for entry in context.recent_rolls().iter() {
        // Only the latest version of a corrected roll counts.
        if context.view.replaced_by(entry.number).is_some() {
            continue;
        }
        let Some(roll) = entry.event.what.resolved() else {
            continue;
        };
        let Some(roll_luck) = roll.luck else {
            continue;
        };

        let roll_luck = i32::from(roll_luck);
        match totals.iter_mut().find(|luck| luck.who == roll.who) {
            Some(luck) => {
                luck.rolls += 1;
                luck.sum += roll_luck;
            }
            None => totals.push(Luck {
                who: roll.who.clone(),
                rolls: 1,
                sum: roll_luck,
            }),
        }
    }
    totals
}

fn luck_line(luck: &Luck, is_roller: bool, width: u16, context: ViewContext<'_>) -> Line<'static> {
    let bar_cells = if width < 40 { 4 } else { 8 };
    let name_width = width.saturating_sub(18 + bar_cells).clamp(8, 24);
    let role = if is_roller { Role::Title } else { Role::Text };

    let name = context.look.fit_name(&luck.who, name_width);
    let name_columns = usize::from(name_width);
    let padded_name = format!("{name:name_columns$}");
    let average = luck.sum / luck.rolls;
    let level = BarLevel {
        current: average,
        maximum: 1000,
    };
    let percentage = (average + 5) / 10;
    let parts = [
        context.line(padded_name, role),
        bar(level, bar_cells, Role::Info, context.look),
        context.line(format!("{percentage:>3}"), role),
        context.line(pluralise(luck.rolls, "roll"), Role::Muted),
    ];
    join(parts, "  ")
}

/// Returns the last rolls of the characters for which `is_theirs` is true, below a heading. The list is empty if there
/// are no rolls.
pub(super) fn last_rolls(
    is_theirs: impl Fn(&str, Option<CharacterId>) -> bool,
    most: usize,
    context: ViewContext<'_>,
) -> Vec<Line<'static>> {
    let max_rolls = most.saturating_sub(1);
    let mut lines = vec![context.line("Last rolls", Role::Heading)];
    for entry in context.recent_rolls().iter() {
        if lines.len() > max_rolls {
            break;
        }
        let Some((name, id)) = entry.event.what.roller() else {
            continue;
        };
        if is_theirs(name, id) {
            let time = context.line(context.setup.zone.time(entry.at), Role::Muted);
            let roll = entry_line(entry, false, context);
            lines.push(join([time, roll], "  "));
        }
    }

    let has_rolls = lines.len() > 1;
    if has_rolls { lines } else { Vec::new() }
}
