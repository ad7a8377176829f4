//! How lucky everybody was in the last rolls, beneath an entry of the log.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::log::entry_line;
use super::painter::{Painter, Source};
use crate::screen::theme::Role;
use crate::screen::widget::bar::bar;
use crate::screen::widget::join;
use crate::screen::widget::panel::Panel;
use crate::session::EntityKind;
use crate::table::Entry;
use crate::text::fit;

/// Somebody's luck: over so many rolls this sum, each between 0 and 1000.
struct Luck {
    who: String,
    rolls: i32,
    sum: i32,
}

/// Whether anybody rolled of late.
pub(super) fn is_known(from: Source<'_>) -> bool {
    from.recent_rolls().iter().any(|entry| {
        let roll = entry.event.what.resolved();
        roll.is_some_and(|roll| roll.luck.is_some())
    })
}

/// Draws it. The character of the entry comes first, and its rolls are listed.
pub(super) fn draw(paint: &mut Painter<'_>, area: Rect, entry: &Entry) {
    let from = paint.from;
    let here = entry.event.what.roller().map(|(who, _)| who);
    let revision = from.seen.revision_of(EntityKind::Session);
    paint.tile_from(area, (revision, here), |paint| {
        let panel = Panel {
            note: "50 is neither good nor bad",
            ..Panel::new("Luck", from.look)
        };
        let inner = paint.frame(area, &panel);
        paint.lines(inner, &lines(here, (inner.width, inner.height), from));
    });
}

fn lines(here: Option<&str>, (width, rows): (u16, u16), from: Source<'_>) -> Vec<Line<'static>> {
    let recent = from.recent_rolls();
    let rolls = || {
        let rolls = recent.iter();
        rolls.filter_map(|entry| Some((entry, entry.event.what.resolved()?)))
    };
    let mut all: Vec<Luck> = Vec::new();
    for (_, roll) in rolls() {
        let Some(luck) = roll.luck.map(i32::from) else {
            continue;
        };
        if let Some(known) = all.iter_mut().find(|one| one.who == roll.who) {
            known.rolls += 1;
            known.sum += luck;
        } else {
            all.push(Luck {
                who: roll.who.clone(),
                rolls: 1,
                sum: luck,
            });
        }
    }
    all.sort_by_key(|one| here != Some(&one.who));
    let name = usize::from(width.saturating_sub(26).clamp(8, 24));
    let lines = all.into_iter().map(|Luck { who, rolls, sum }| {
        let luck = sum / rolls;
        let is_here = here == Some(&who);
        let role = if is_here { Role::Title } else { Role::Text };
        let count = if rolls == 1 {
            "1 roll".to_owned()
        } else {
            format!("{rolls} rolls")
        };
        let parts = [
            from.say(format!("{:name$}", fit(&who, name)), role),
            bar((luck, 1000), 8, Role::Info, from.look),
            from.say(format!("{:>3}", (luck + 5) / 10), role),
            from.say(count, Role::Muted),
        ];
        join(parts, "  ")
    });
    let mut lines: Vec<Line<'static>> = lines.collect();
    let own = rolls().filter(|(_, roll)| here == Some(&roll.who));
    let own = own.take(rows.into()).map(|(entry, _)| {
        let time = from.say(from.setup.zone.time(entry.at), Role::Muted);
        join([time, entry_line(entry, from)], "  ")
    });
    let mut own = own.peekable();
    if own.peek().is_some() {
        let heading = from.say("Last rolls", Role::Heading);
        lines.extend([Line::default(), heading]);
        lines.extend(own);
    }
    lines
}
