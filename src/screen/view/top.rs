//! The title and the tabs.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::painter::{Painter, inside};
use crate::screen::action::Action;
use crate::screen::layout::Parts;
use crate::screen::state::Tab;
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::widget::{after, columns, join, left, line_columns};

/// Draws both.
pub(super) fn draw(paint: &mut Painter<'_>, parts: Parts) {
    let state = paint.state;
    paint.tile(parts.title, &state.label, |paint| title(paint, parts.title));
    paint.tile(parts.tabs, state.panel, |paint| tabs(paint, parts.tabs));
}

/// What the game is called, and where it stands; at the right what is special about it now.
fn title(paint: &mut Painter<'_>, area: Rect) {
    let area = inside(area);
    let label = &paint.state.label;
    let dot = format!(" {} ", paint.look.glyphs().dot);
    let mut aside = Line::default();
    if paint.state.covered {
        aside.push_span(paint.span("covered", Role::Warning));
    }
    let remark = |aside: &mut Line<'_>, paint: &Painter<'_>| {
        if !aside.spans.is_empty() {
            aside.push_span(paint.span(dot.clone(), Role::Muted));
        }
    };
    if let Some(others) = company(paint, area.width) {
        remark(&mut aside, paint);
        aside.push_span(paint.span(others, Role::Muted));
    }
    if label.is_view {
        remark(&mut aside, paint);
        aside.push_span(paint.span("view only", Role::Warning));
    } else if label.is_unnamed {
        remark(&mut aside, paint);
        aside.push_span(paint.span(paint.key(Action::NameGame), Role::Key));
        aside.push_span(paint.span(" names it", Role::Muted));
    }
    let taken = line_columns(&aside).min(area.width);
    paint.line_right(area, &aside);

    let mut line = Line::from(paint.span(label.name.as_str(), Role::Title));
    let scene = paint.seen.scene();
    // The table itself tells of its scene.
    let is_told = paint.state.tab == Tab::Table;
    if scene.began.is_some() && !is_told {
        line.push_span(paint.span(dot.clone(), Role::Muted));
        line.push_span(paint.span(crate::table::scene(paint.seen), Role::Text));
    }
    if paint.seen.round() > 0 && !is_told {
        line.push_span(paint.span(dot.clone(), Role::Muted));
        line.push_span(paint.span(format!("round {}", paint.seen.round()), Role::Text));
    }
    let gap = if taken > 0 { 2 } else { 0 };
    let room = left(area, area.width.saturating_sub(taken + gap));
    let system = format!("{dot}{}", paint.seen.system().spec().name);
    if line_columns(&line) + columns(&system) <= room.width {
        line.push_span(paint.span(system, Role::Muted));
    }
    paint.line(room, &line);
}

/// Who else is at the table: names where there is room, else how many.
fn company(paint: &Painter<'_>, width: u16) -> Option<String> {
    // While the screen is covered, somebody else seems to look on.
    let own = paint.setup.seat.name.as_str();
    let others = paint.seen.present().filter(|one| one.name != own);
    let others: Vec<&str> = others.map(|one| one.name.as_str()).collect();
    if others.is_empty() {
        return None;
    }
    let names = format!("with {}", others.join(", "));
    if columns(&names) <= width / 3 {
        return Some(names);
    }
    Some(match others.len() {
        1 => "with 1 other".to_owned(),
        count => format!("with {count} others"),
    })
}

/// The tabs with their keys; the open one stands out.
fn tabs(paint: &mut Painter<'_>, area: Rect) {
    // Five names and their keys just fit the smallest screen.
    let gap = if area.width >= 60 { 3 } else { 1 };
    let mut rest = after(area, u16::from(area.width >= 60));
    for tab in Tab::ALL {
        let action = tab.action();
        let key = Line::from(paint.span(paint.key(action), Role::Key));
        let is_open = tab == paint.state.tab;
        let role = if is_open { Role::TabActive } else { Role::Tab };
        let line = join([key, paint.span(action.label(), role).into()], " ");
        let place = left(rest, line_columns(&line));
        paint.line(place, &line);
        paint.hits.put(place, Spot::Tab(tab));
        rest = after(rest, line_columns(&line) + gap);
    }
}
