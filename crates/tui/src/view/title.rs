//! The title: the name of the game with its session, scene and round.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::Role;
use crate::app::state::Tab;
use crate::view::bottom;
use crate::view::layout::ScreenLayout;
use crate::view::painter::inside;
use crate::view::{
    Painter, ViewContext, has_standing_line, has_standing_row, naming_hint, seat_line,
};
use crate::widget::{columns, join, left, line_columns};
use tableside_game::EntityKind;
use tableside_text::pluralise;

/// Draws the title. On a low screen a status message takes its place.
pub(super) fn draw(painter: &mut Painter<'_>, parts: ScreenLayout) {
    let context = painter.context;
    let view = context.view;
    let message = if parts.has_message_in_title() {
        bottom::message(context)
    } else {
        None
    };
    let message_key = message.as_ref().map(|_| bottom::message_key(context));

    // The first event after a break starts a session, and not every event changes the revision of the game.
    let is_between_sessions = view.last_session().is_some();
    let key = (
        view.revision_of(EntityKind::Game),
        view.revision_of(EntityKind::Character),
        &context.state.label,
        is_between_sessions,
        message_key,
    );
    painter.redraw_if_changed(parts.title, key, |painter| match &message {
        Some(message) => painter.draw_line(inside(parts.title), message),
        None => draw_title(painter, parts.title),
    });
}

/// Draws the name of the game with its session, scene and round. The right end shows who is present and how the game is
/// opened.
fn draw_title(painter: &mut Painter<'_>, area: Rect) {
    let context = painter.context;
    let area = inside(area);
    let status_width = painter.draw_line_right(area, &title_status(context, area.width));
    let gap = if status_width > 0 { 2 } else { 0 };
    let free = left(area, area.width.saturating_sub(status_width + gap));

    let name = context.state.label.name.as_str();
    let mut parts = vec![context.line(name, Role::Title)];
    for text in title_details(context) {
        parts.push(context.line(text, Role::Text));
    }
    let title = join(parts, " · ");

    let system = context.line(context.view.system().spec().name, Role::Muted);
    let title_with_system = join([title.clone(), system], " · ");
    if line_columns(&title_with_system) <= free.width {
        painter.draw_line(free, &title_with_system);
    } else {
        painter.draw_line(free, &title);
    }
}

/// Returns the session, the scene and the round, as far as the open tab does not show them.
fn title_details(context: ViewContext<'_>) -> Vec<String> {
    let view = context.view;
    let mut details = Vec::new();
    if let Some(session) = session_text(context) {
        details.push(session);
    }

    // The table shows the scene and the round itself.
    if context.state.tab != Tab::Table {
        let is_told = view
            .last_session()
            .is_some_and(|session| session.scene == view.scene().name);
        if view.scene().began.is_some() && !is_told {
            details.push(tableside_table::scene(view));
        }
        if view.round > 0 {
            details.push(format!("round {}", view.round));
        }
    }
    details
}

/// Returns the right end of the title.
fn title_status(context: ViewContext<'_>, width: u16) -> Line<'_> {
    let state = context.state;
    let mut parts = Vec::new();
    if state.is_covered {
        parts.push(context.line("covered", Role::Warning));
    }
    if let Some(others) = present_players(context, width) {
        parts.push(context.line(others, Role::Muted));
    }
    if !has_standing_row(context) {
        parts.extend(seat_line::short_words(context));
    }
    if context.view.is_view() {
        parts.push(context.line("view only", Role::Warning));
    } else if !has_standing_line(context) {
        parts.extend(naming_hint(context));
    }
    join(parts, " · ")
}

/// Returns the number of the session. Between two sessions it also tells when and in which scene the last one ended.
fn session_text(context: ViewContext<'_>) -> Option<String> {
    let view = context.view;
    if view.sessions.is_empty() {
        return None;
    }

    let number = format!("Session {}", view.session_number());
    let Some(last) = view.last_session() else {
        return Some(number);
    };
    let day = context.setup.zone.format(last.ended, "%-d %B");
    let scene = if last.scene.is_empty() {
        String::new()
    } else {
        format!(": {}", last.scene)
    };
    Some(format!("{number} · last time, {day}{scene}"))
}

/// Returns the other players who are connected: their names, or their number if the names need too much room.
fn present_players(context: ViewContext<'_>, width: u16) -> Option<String> {
    // While the screen is covered, `view` belongs to an onlooker, but the setup still has this player's name.
    let own_name = context.setup.seat.name.as_str();
    let names: Vec<&str> = context
        .view
        .present()
        .map(|player| player.name.as_str())
        .filter(|name| *name != own_name)
        .collect();
    if names.is_empty() {
        return None;
    }

    let all_names = format!("with {}", names.join(", "));
    if columns(&all_names) <= width / 3 {
        Some(all_names)
    } else {
        Some(format!("with {}", pluralise(names.len(), "other")))
    }
}
