//! The luck of the characters in the last rolls, below the details of a log entry.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::theme::Role;
use crate::view::entry::entry_line;
use crate::view::{Painter, ViewContext};
use crate::widget::{PanelFrame, bar, join};
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
    let here = entry.event.what.roller().map(|(who, _)| who);
    let revision = context.view.revision_of(EntityKind::Game);
    painter.redraw_if_changed(area, (revision, here), |painter| {
        let panel = PanelFrame {
            note: "50 is neither good nor bad",
            ..PanelFrame::new("Luck", context.look)
        };
        let inner = painter.draw_frame(area, &panel);
        painter.draw_paragraphs(inner, &lines(here, (inner.width, inner.height), context));
    });
}

fn lines(
    here: Option<&str>,
    (width, rows): (u16, u16),
    context: ViewContext<'_>,
) -> Vec<Line<'static>> {
    let mut all: Vec<Luck> = Vec::new();
    for entry in context.recent_rolls().iter() {
        // Only the latest version of a corrected roll counts.
        let is_read = context.view.replaced_by(entry.number).is_none();
        let roll = entry.event.what.resolved().filter(|_| is_read);
        let Some((roll, luck)) = roll.and_then(|roll| Some((roll, roll.luck?))) else {
            continue;
        };
        let place = all.iter().position(|one| one.who == roll.who);
        let place = place.unwrap_or_else(|| {
            let who = roll.who.clone();
            all.push(Luck {
                who,
                rolls: 0,
                sum: 0,
            });
            all.len() - 1
        });
        all[place].rolls += 1;
        all[place].sum += i32::from(luck);
    }
    all.sort_by_key(|one| here != Some(&one.who));
    let cells = if width < 40 { 4 } else { 8 };
    let name = width.saturating_sub(18 + cells).clamp(8, 24);
    let lines = all.into_iter().map(|Luck { who, rolls, sum }| {
        let luck = sum / rolls;
        let is_here = here == Some(&who);
        let role = if is_here { Role::Title } else { Role::Text };
        let parts = [
            context.line(
                format!("{:1$}", context.look.fit_name(&who, name), name.into()),
                role,
            ),
            bar((luck, 1000), cells, Role::Info, context.look),
            context.line(format!("{:>3}", (luck + 5) / 10), role),
            context.line(pluralise(rolls, "roll"), Role::Muted),
        ];
        join(parts, "  ")
    });
    let mut lines: Vec<Line<'static>> = lines.collect();
    let own = last_rolls(|who, _| here == Some(who), rows.into(), context);
    lines.extend((!own.is_empty()).then(Line::default));
    lines.extend(own);
    lines
}

/// Returns the last rolls of the characters for which `is_theirs` is true, below a heading. The list is empty if there
/// are no rolls.
pub(super) fn last_rolls(
    is_theirs: impl Fn(&str, Option<CharacterId>) -> bool,
    most: usize,
    context: ViewContext<'_>,
) -> Vec<Line<'static>> {
    let rolls = context.recent_rolls();
    let own = rolls.iter().filter(|entry| {
        let roller = entry.event.what.roller();
        roller.is_some_and(|(who, id)| is_theirs(who, id))
    });
    let own = own.take(most.saturating_sub(1)).map(|entry| {
        let time = context.line(context.setup.zone.time(entry.at), Role::Muted);
        join([time, entry_line(entry, false, context)], "  ")
    });
    let mut lines = vec![context.line("Last rolls", Role::Heading)];
    lines.extend(own);
    if lines.len() == 1 { Vec::new() } else { lines }
}
