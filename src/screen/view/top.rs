//! The title and the tabs.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::Paint;
use crate::screen::action::Action;
use crate::screen::layout::Parts;
use crate::screen::state::Tab;
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::widget::columns;

/// Draws both.
pub(super) fn draw(paint: &mut Paint<'_>, parts: Parts) {
    title(paint, parts.title);
    tabs(paint, parts.tabs);
}

/// What the game is called, and where it stands; at the right what is special about it now.
fn title(paint: &mut Paint<'_>, area: Rect) {
    let area = Rect {
        x: area.x + 1,
        width: area.width - 2,
        ..area
    };
    let label = &paint.state.label;
    let dot = format!(" {} ", paint.look.glyphs().dot);
    let mut aside = Line::default();
    if paint.state.covered {
        aside.push_span(paint.span("covered", Role::Warning));
    }
    let remark = |aside: &mut Line<'_>, paint: &Paint<'_>| {
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
        let keys = paint
            .setup
            .keymap
            .keys_for(Action::NameGame, paint.state.tab_contexts());
        if let Some(key) = keys.first() {
            aside.push_span(paint.span(key.label(paint.look.ascii), Role::Key));
            aside.push_span(paint.span(" names it", Role::Muted));
        }
    }
    let taken = u16::try_from(aside.width())
        .unwrap_or(u16::MAX)
        .min(area.width);
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
    let left = Rect {
        width: area.width.saturating_sub(taken + gap),
        ..area
    };
    let system = format!("{dot}{}", paint.seen.system().spec().name);
    if line.width() + usize::from(columns(&system)) <= usize::from(left.width) {
        line.push_span(paint.span(system, Role::Muted));
    }
    paint.line(left, &line);
}

/// Who else is at the table: names where there is room, else how many.
fn company(paint: &Paint<'_>, width: u16) -> Option<String> {
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
fn tabs(paint: &mut Paint<'_>, area: Rect) {
    // Five names and their keys just fit the smallest screen.
    let gap = if area.width >= 60 { 3 } else { 1 };
    let mut x = area.x + u16::from(area.width >= 60);
    for tab in Tab::ALL {
        let action = tab.action();
        let keys = paint
            .setup
            .keymap
            .keys_for(action, paint.state.tab_contexts());
        let key = keys
            .first()
            .map_or(String::new(), |key| key.label(paint.look.ascii) + " ");
        let role = if tab == paint.state.tab {
            Role::TabActive
        } else {
            Role::Tab
        };
        let width = columns(&key) + columns(action.label());
        let place = Rect {
            x,
            width: width.min(area.right().saturating_sub(x)),
            ..area
        };
        let line = Line::from(vec![
            paint.span(key, Role::Key),
            paint.span(action.label(), role),
        ]);
        paint.line(place, &line);
        paint.spots.put(place, Spot::Tab(tab));
        x = x.saturating_add(width + gap);
    }
}
