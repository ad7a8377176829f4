//! The title and the tabs.

use ratatui::layout::Rect;

use super::painter::{Painter, Source, inside};
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
    let (from, area) = (paint.from, inside(area));
    let (seen, label) = (from.seen, &from.state.label);
    let covered = from
        .state
        .covered
        .then(|| from.say("covered", Role::Warning));
    let others = company(from, area.width).map(|others| from.say(others, Role::Muted));
    let kept = if label.is_view {
        Some(from.say("view only", Role::Warning))
    } else {
        let key = from.say(from.key(Action::NameGame), Role::Key);
        let names = [key, from.say("names it", Role::Muted)];
        label.is_unnamed.then(|| join(names, " "))
    };
    let aside = join([covered, others, kept].into_iter().flatten(), " · ");
    let taken = paint.line_right(area, &aside);
    let room = left(
        area,
        area.width
            .saturating_sub(taken + if taken > 0 { 2 } else { 0 }),
    );

    // The table itself tells of its scene.
    let is_told = from.state.tab == Tab::Table;
    let scene = (seen.scene().began.is_some() && !is_told).then(|| crate::table::scene(seen));
    let round = (seen.round > 0 && !is_told).then(|| format!("round {}", seen.round));
    let parts = [scene, round].into_iter().flatten();
    let parts = parts.map(|words| from.say(words, Role::Text));
    let name = from.say(label.name.as_str(), Role::Title);
    let line = join(std::iter::once(name).chain(parts), " · ");
    let system = from.say(seen.system().spec().name, Role::Muted);
    let whole = join([line.clone(), system], " · ");
    let has_room = line_columns(&whole) <= room.width;
    paint.line(room, if has_room { &whole } else { &line });
}

/// Who else is at the table: names where there is room, else how many.
fn company(from: Source<'_>, width: u16) -> Option<String> {
    // While the screen is covered, somebody else seems to look on.
    let own = from.setup.seat.name.as_str();
    let others = from.seen.present().filter(|one| one.name != own);
    let others: Vec<&str> = others.map(|one| one.name.as_str()).collect();
    let names = format!("with {}", others.join(", "));
    match others.len() {
        0 => None,
        _ if columns(&names) <= width / 3 => Some(names),
        1 => Some("with 1 other".to_owned()),
        count => Some(format!("with {count} others")),
    }
}

/// The tabs with their keys; the open one stands out.
fn tabs(paint: &mut Painter<'_>, area: Rect) {
    // Five names and their keys just fit the smallest screen.
    let gap = if area.width >= 60 { 3 } else { 1 };
    let mut rest = after(area, u16::from(area.width >= 60));
    for tab in Tab::ALL {
        let action = tab.action();
        let is_open = tab == paint.state.tab;
        let role = if is_open { Role::TabActive } else { Role::Tab };
        let key = paint.say(paint.key(action), Role::Key);
        let line = join([key, paint.say(action.label(), role)], " ");
        let place = left(rest, line_columns(&line));
        paint.line(place, &line);
        paint.hits.push((place, Spot::Tab(tab)));
        rest = after(rest, line_columns(&line) + gap);
    }
}
