//! The Table tab: the scene, the party, the clocks, the tokens and the last rolls.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::app::offered::is_offered;
use crate::app::roll_requests::{self, waiting_for_gm};
use crate::app::state::Panel;
use crate::app::update::mouse::Spot;
use crate::dialog::note_readers::current_scene;
use crate::view::item_view::empty_hint;
use crate::view::layout::{self, PanelLayout, TableLayout};
use crate::view::pinned::pinned_notes;
use crate::view::{
    Painter, ViewContext, clocks, draw_cells, draw_empty_hint, entry, fight, inside, log,
};
use crate::widget::{BELOW, MoreRows, PanelFrame, join, right};
use crate::{Action, Role};
use tableside_game::{Character, EntityKind, TokenPool};
use tableside_table::{ClockView, SeatView};

/// The sign of a folded panel.
const CLOSED: &str = "▸";

pub(super) fn draw(painter: &mut Painter<'_>, body: Rect, layout: &TableLayout) {
    let state = painter.state;
    let (line, _) = layout::scene_line(body);
    // Damage may wait after a roll that changed no character.
    let waiting = painter
        .context
        .cached(1, painter.view.revision(), || waiting_for_gm(painter.view));
    let waiting = roll_requests::describe_waiting(&waiting);
    let characters_revision = painter.view.revision_of(EntityKind::Character);
    let key = (characters_revision, state.panel, &waiting);
    painter.redraw_if_changed(line, key, |painter| {
        draw_scene(painter, line, waiting.as_deref());
    });

    for (panel, lines) in layout.panels.iter().zip(state.lines()) {
        let count = lines.iter().flatten().count();
        draw_panel(painter, panel, count, waiting.as_deref());
    }
    if let Some(sheet) = layout.sheet {
        fight::draw_sheet(painter, sheet);
    }
}

/// Draws a panel with `count` items. `waiting` describes the questions and the damage that wait for the GM.
fn draw_panel(
    painter: &mut Painter<'_>,
    layout: &PanelLayout,
    count: usize,
    waiting: Option<&str>,
) {
    let state = painter.state;
    let panel = layout.panel;
    if layout.is_absent() {
        return;
    }
    let list = state.list(panel);
    let is_folded = layout.rows() == 0;

    // Cells are redrawn one by one. Folded panels and the last rolls are redrawn as a whole.
    let has_cells = panel != Panel::Rolls && !is_folded;
    let contents_key = if has_cells {
        None
    } else {
        Some((painter.view.revision_of(panel.kind()), list, waiting))
    };
    let key = (
        layout,
        panel_title(panel, painter.context),
        panel == state.panel,
        list.lines(),
        list.top(),
        contents_key,
    );
    painter.redraw_if_changed(layout.frame, key, |painter| {
        draw_frame(painter, layout, count);
        if is_folded {
            return;
        }
        if count == 0 {
            draw_empty_hint(painter, layout.lead.union(layout.inner), panel);
        } else if panel == Panel::Rolls {
            log::draw_panel(painter, layout);
        }
    });

    if !has_cells || count == 0 {
        return;
    }
    match panel {
        Panel::Party => draw_cells::<&Character>(painter, layout),
        Panel::Clocks => draw_cells::<ClockView<'_>>(painter, layout),
        Panel::Tokens => draw_cells::<&TokenPool>(painter, layout),
        Panel::Rolls => {}
    }
}

/// Draws the scene, the round, the turn, open requests, and the notes that are pinned to the scene.
///
/// `waiting` describes the questions and the damage that wait for the GM.
fn draw_scene(painter: &mut Painter<'_>, area: Rect, waiting: Option<&str>) {
    let context = painter.context;
    let view = context.view;
    let mut parts = Vec::new();
    // In a fight the turn comes first, because a narrow screen shows only the beginning of the line.
    let turn = fight::turn_words(view, &context.key(Action::Roll));
    let is_fight = turn.is_some();
    if let Some(turn) = turn {
        parts.push(context.line(turn, Role::Title));
    }
    let scene_role = if is_fight { Role::Muted } else { Role::Title };
    parts.push(context.line(tableside_table::scene(view), scene_role));

    if let Some(began) = view.scene().began {
        let time = context.setup.zone.time(began);
        parts.push(context.line(format!("began {time}"), Role::Muted));
    }
    if !is_fight && let Some(round) = round_text(view) {
        parts.push(context.line(round, Role::Muted));
    }

    if let Some(pending_roll) = roll_requests::describe_pending(view) {
        let can_answer = roll_requests::to_resume(view).next().is_some();
        parts.push(request_line(
            pending_roll,
            can_answer,
            Role::Warning,
            context,
        ));
    }
    if let Some(called) = called_names(context) {
        let can_answer = roll_requests::to_answer(view).next().is_some();
        parts.push(request_line(called, can_answer, Role::Notice, context));
    }
    if let Some(waiting) = waiting {
        let text = waiting.to_owned();
        parts.push(request_line(text, true, Role::Warning, context));
    }

    if let Some(scene) = current_scene(view) {
        parts.extend(pinned_notes(scene, context));
    }
    painter.draw_line(inside(area), &join(parts, "  "));
}

fn round_text(view: &SeatView<'_>) -> Option<String> {
    let mut present = 0;
    let mut acted = 0;
    for character in view.roster().filter(|character| character.is_combatant()) {
        present += 1;
        acted += i32::from(character.acted);
    }

    if view.round > 0 && present > 0 {
        Some(format!("round {}, {acted} of {present} acted", view.round))
    } else {
        None
    }
}

/// Returns the names of the characters that are called to roll.
fn called_names(context: ViewContext<'_>) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for call in context.view.calls() {
        let name = context.view.owner_name(Some(call.who));
        if !names.contains(&name) {
            names.push(name);
        }
    }

    match names.as_slice() {
        [] => None,
        [name] => Some(format!("{name} to roll")),
        [first, second] => Some(format!("{first}, {second} to roll")),
        [first, others @ ..] => Some(format!("{first} and {} more to roll", others.len())),
    }
}

/// Returns a request for a roll or an answer. If this seat can answer it, the key follows.
fn request_line(
    text: String,
    can_answer: bool,
    role: Role,
    context: ViewContext<'_>,
) -> Line<'static> {
    if !can_answer {
        return context.line(text, role);
    }
    let key = context.line(context.key(Action::Resume), Role::Key);
    let has_sign = text.ends_with('?') || text.contains(':');
    let colon = if has_sign { "" } else { ":" };
    join([context.line(text + colon, role), key], " ")
}

/// Draws the frame of a panel, or the line of a folded one.
fn draw_frame(painter: &mut Painter<'_>, layout: &PanelLayout, count: usize) {
    let focused = layout.panel == painter.state.panel;
    painter.hits.push((layout.frame, Spot::Panel(layout.panel)));

    let is_at_top = layout.frame.y == layout.inner.y;
    let is_at_left = layout.frame.x == layout.inner.x;
    let is_frameless = is_at_top || is_at_left;
    if is_frameless {
        draw_folded(painter, layout, count, focused);
    } else {
        let note = if count > 0 && layout.panel != Panel::Rolls {
            count.to_string()
        } else {
            String::new()
        };
        let foot = if painter.state.table.is_maximized {
            format!("{} shows all panels", painter.key(Action::Maximize))
        } else {
            hidden_below(layout, painter.context).unwrap_or_default()
        };
        let frame = PanelFrame {
            note: &note,
            foot: &foot,
            focused,
            ..PanelFrame::new(panel_title(layout.panel, painter.context), painter.look)
        };
        painter.draw_frame(layout.frame, &frame);
    }

    draw_scroll_signs(painter, layout, focused);
}

/// Returns the number of characters below the visible ones: `5 more`. `None` if all are in sight. In other panels, a
/// sign at the border shows that the list continues.
fn hidden_below(layout: &PanelLayout, context: ViewContext<'_>) -> Option<String> {
    if layout.panel != Panel::Party {
        return None;
    }

    let list = context.state.list(layout.panel);
    let lines = list.lines();
    let mut hidden = 0;
    for (id, place) in lines.iter().zip(layout.places(lines)).rev() {
        if layout.in_sight(place, list.top()).is_some() {
            break;
        }
        hidden += usize::from(id.is_some());
    }
    if hidden > 0 {
        Some(format!("{hidden} more"))
    } else {
        None
    }
}

/// Returns the title of a panel. In a fight, the panel of the party lists the combatants.
fn panel_title(panel: Panel, context: ViewContext<'_>) -> &'static str {
    if panel == Panel::Party && context.view.has_turn_order() {
        "Fight"
    } else {
        panel.title()
    }
}

/// Draws signs on the right side of the frame if rows above or below are out of sight.
fn draw_scroll_signs(painter: &mut Painter<'_>, layout: &PanelLayout, focused: bool) {
    let list = painter.state.list(layout.panel);
    // The roll in the lead is not in the list below it.
    let rolls_in_lead = usize::from(layout.lead.height > 0 && !focused);
    let lines = list.lines().get(rolls_in_lead..).unwrap_or_default();
    let last_place = layout.places(lines).last().copied();
    let more = MoreRows {
        above: list.top() > 0,
        below: last_place.is_some_and(|place| layout.in_sight(place, list.top()).is_none()),
    };

    let border = right(layout.frame, 1);
    let edge = Rect::new(border.x, layout.inner.y, border.width, layout.inner.height);
    let role = if focused {
        Role::BorderFocus
    } else {
        Role::Border
    };
    let look = painter.look;
    look.put_more(more, edge, role, painter.buffer);
}

/// Draws the title of a folded panel, and a summary of its contents if the panel has no focus.
fn draw_folded(painter: &mut Painter<'_>, layout: &PanelLayout, count: usize, focused: bool) {
    let context = painter.context;
    let (sign, role) = if focused {
        (BELOW, Role::BorderFocus)
    } else {
        (CLOSED, Role::Border)
    };
    let title = Line::from(vec![
        context.span(format!("{sign} "), role),
        context.span(panel_title(layout.panel, context), Role::Heading),
    ]);
    let has_room = layout.rows() > 0;
    let summary = if count == 0 && !has_room {
        start_hint(context, layout.panel, focused)
    } else if focused {
        let hidden = hidden_below(layout, context).unwrap_or_default();
        context.line(hidden, Role::Muted)
    } else {
        panel_summary(context, layout.panel, count)
    };

    let line = join([title, summary], "  ");
    let line = context.look.fit_roll_or_name(&line, layout.frame.width);
    painter.draw_line(layout.frame, &line);
}

/// Returns the key that adds the first item to an empty panel, and its effect.
///
/// A panel without the focus also shows the key of its tab, because the same key does something else in other panels.
fn start_hint(context: ViewContext<'_>, panel: Panel, focused: bool) -> Line<'static> {
    let hint = empty_hint(panel);
    let contexts = panel.contexts();
    let mut keys = context.key_in(contexts, hint.action);
    if keys.is_empty() || !is_offered(hint.action, context.view) {
        return context.line(hint.reason, Role::Muted);
    }

    let is_for_panel = panel != Panel::Rolls;
    if is_for_panel && !focused {
        let tab_key = context.key(panel.tab().action());
        keys = format!("{tab_key} {keys}");
    }
    let effect = hint.effect.trim_end_matches('.');
    let reason = if focused { hint.reason } else { "" };
    let reason = context.line(reason, Role::Muted);
    let keys = Line::from(vec![
        context.span(keys, Role::Key),
        context.span(format!(" {effect}"), Role::Muted),
    ]);
    join([reason, keys], " ")
}

/// Returns the faces of the clocks, the last roll, or the number of items.
fn panel_summary(context: ViewContext<'_>, panel: Panel, count: usize) -> Line<'_> {
    let mut ids = context.state.list(panel).lines().iter().flatten();
    match panel {
        Panel::Clocks if count > 0 => {
            let faces = ids
                .filter_map(|id| context.view.clock(id.try_as_clock()?))
                .map(|clock| clocks::face(&clock, context).glyph().into());
            join(faces, " ")
        }
        Panel::Rolls => {
            let last_roll = ids.next().and_then(|id| id.try_as_roll());
            match last_roll.and_then(|number| context.view.entry(number)) {
                Some(entry) => entry::line_with_waiting(&entry, context),
                None => Line::default(),
            }
        }
        Panel::Party | Panel::Clocks | Panel::Tokens => {
            context.line(count.to_string(), Role::Muted)
        }
    }
}
