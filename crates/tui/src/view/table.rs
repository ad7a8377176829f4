//! Everything at a glance: the scene, the party, what runs, what is held, the last rolls.

use std::collections::HashSet;
use std::iter;

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::app::roll_requests;
use crate::app::state::Panel;
use crate::app::update::mouse::Spot;
use crate::dialog::note_readers::current_scene;
use crate::view::layout::{self, PanelLayout};
use crate::view::pinned::pinned_notes;
use crate::view::{Painter, ViewContext, cells, clocks, empty, entry, inside, log};
use crate::widget::{self, BELOW, MoreRows, join, right};
use crate::{Action, Role};
use tableside_game::{Character, EntityKind, TokenPool};
use tableside_table::ClockView;

/// Draws the tab.
pub(super) fn draw(painter: &mut Painter<'_>, body: Rect, decks: &[PanelLayout]) {
    let state = painter.state;
    let (line, _) = layout::scene_line(body);
    let from = (painter.view.revision_of(EntityKind::Character), state.panel);
    painter.redraw_if_changed(line, from, |painter| scene(painter, line));
    for (deck, lines) in decks.iter().zip(state.lines()) {
        panel(painter, deck, lines.iter().flatten().count());
    }
}

/// A panel that shows so many things: its frame, and what has room in it.
fn panel(painter: &mut Painter<'_>, deck: &PanelLayout, count: usize) {
    let (state, panel) = (painter.state, deck.panel);
    let list = state.list(panel);
    // Cells are painted each for itself; the last rolls, and what is folded, only whole.
    let is_whole = panel == Panel::Rolls || deck.rows() == 0;
    let whole = is_whole.then(|| (painter.view.revision_of(panel.kind()), list));
    let from = (panel == state.panel, list.lines(), list.top(), whole);
    painter.redraw_if_changed(deck.frame, from, |painter| {
        frame(painter, deck, count);
        if deck.rows() > 0 && count == 0 {
            empty(painter, deck.lead.union(deck.inner), panel);
        } else if deck.rows() > 0 && panel == Panel::Rolls {
            log::panel(painter, deck);
        }
    });
    match panel {
        _ if is_whole || count == 0 => {}
        Panel::Party => cells::<&Character>(painter, deck),
        Panel::Clocks => cells::<ClockView<'_>>(painter, deck),
        Panel::Tokens => cells::<&TokenPool>(painter, deck),
        Panel::Rolls => {}
    }
}

/// The scene, since when, and what waits.
fn scene(painter: &mut Painter<'_>, area: Rect) {
    let (context, view) = (painter.context, painter.view);
    let name = context.line(tableside_table::scene(view), Role::Title);
    let began = view.scene().began;
    let began = began.map(|began| format!("began {}", context.setup.zone.time(began)));
    let here = view.roster().filter(|one| one.is_here());
    let here: Vec<bool> = here.map(|one| one.acted).collect();
    let acted = here.iter().filter(|acted| **acted).count();
    let round = (view.round > 0 && !here.is_empty())
        .then(|| format!("round {}, {acted} of {} acted", view.round, here.len()));
    let turns = view.turns();
    let turn = turns.first().map(|one| format!("{}'s turn", one.name));
    let asides = [began, round, turn].into_iter().flatten();
    let asides = asides.map(|words| context.line(words, Role::Muted));
    let waiting = roll_requests::describe_pending(view);
    let may_answer = roll_requests::to_resume(view).next().is_some();
    let waiting = waiting.map(|words| {
        if may_answer {
            resumed(words, Role::Warning, context)
        } else {
            context.line(words, Role::Warning)
        }
    });
    let waits = [waiting, called(context)].into_iter().flatten();
    let notes = current_scene(view).map_or_else(Vec::new, |scene| pinned_notes(scene, context));
    let parts = iter::once(name).chain(asides).chain(waits).chain(notes);
    let line = join(parts, "  ");
    painter.draw_line(inside(area), &line);
}

/// Who is still to roll, with the key that goes on with it.
fn called(context: ViewContext<'_>) -> Option<Line<'static>> {
    let mut told = HashSet::new();
    let calls = context.view.calls();
    let names = calls.map(|call| context.view.owner_name(Some(call.who)));
    let names: Vec<&str> = names.filter(|name| told.insert(*name)).collect();
    let words = match names.as_slice() {
        [] => return None,
        [one] => format!("{one} to roll"),
        [one, two] => format!("{one}, {two} to roll"),
        [one, rest @ ..] => format!("{one} and {} more to roll", rest.len()),
    };
    let is_own = roll_requests::to_answer(context.view).next().is_some();
    Some(if is_own {
        resumed(words, Role::Notice, context)
    } else {
        context.line(words, Role::Notice)
    })
}

fn resumed(words: String, role: Role, context: ViewContext<'_>) -> Line<'static> {
    let key = context.line(context.key(Action::Resume), Role::Key);
    join([context.line(words + ":", role), key], " ")
}

/// A panel's frame; folded, its title and a glimpse of what is in it.
fn frame(painter: &mut Painter<'_>, deck: &PanelLayout, count: usize) {
    let state = painter.state;
    let focused = deck.panel == state.panel;
    painter.hits.push((deck.frame, Spot::Panel(deck.panel)));
    if deck.frame.y == deck.inner.y || deck.inner.x == deck.frame.x {
        folded(painter, deck, count, focused);
    } else {
        let number = (count > 0 && deck.panel != Panel::Rolls).then(|| count.to_string());
        let panel = widget::PanelFrame {
            note: &number.unwrap_or_default(),
            focused,
            ..widget::PanelFrame::new(deck.panel.title(), painter.look)
        };
        painter.draw_frame(deck.frame, &panel);
    }
    let list = state.list(deck.panel);
    // The roll that stands above the others is not among them.
    let above = usize::from(deck.lead.height > 0 && !focused);
    let shown = list.lines().get(above..).unwrap_or_default();
    let last = deck.places(shown).last().copied();
    let is_more = last.is_some_and(|last| deck.in_sight(last, list.top()).is_none());
    let (side, inner) = (right(deck.frame, 1), deck.inner);
    let edge = Rect::new(side.x, inner.y, side.width, inner.height);
    let role = [Role::Border, Role::BorderFocus][usize::from(focused)];
    let look = painter.look;
    let more = MoreRows {
        above: list.top() > 0,
        below: is_more,
    };
    look.put_more(more, edge, role, painter.buffer);
}

fn folded(painter: &mut Painter<'_>, deck: &PanelLayout, count: usize, focused: bool) {
    let context = painter.context;
    let signs = [("▸", Role::Border), (BELOW, Role::BorderFocus)];
    let (sign, role) = signs[usize::from(focused)];
    let mut line = Line::from(vec![
        context.span(format!("{sign} "), role),
        context.span(deck.panel.title(), Role::Heading),
    ]);
    let glimpse = match deck.panel {
        _ if focused => Line::default(),
        Panel::Clocks if count > 0 => {
            let clocks = context.state.list(Panel::Clocks).lines().iter().flatten();
            let clocks = clocks.filter_map(|id| context.view.clock(id.try_as_clock()?));
            let faces = clocks.map(|view| clocks::face(&view, context).glyph().into());
            join(faces, " ")
        }
        Panel::Rolls => {
            let mut rolls = context.state.list(Panel::Rolls).lines().iter().flatten();
            let last = rolls.next().and_then(|id| id.try_as_roll());
            let last = last.and_then(|number| context.view.entry(number));
            last.map_or_else(Line::default, |entry| {
                entry::entry_line(&entry, true, context)
            })
        }
        Panel::Party | Panel::Clocks | Panel::Tokens => {
            context.line(count.to_string(), Role::Muted)
        }
    };
    line = join([line, glimpse], "  ");
    let line = context.look.fit_within(&line, deck.frame.width);
    painter.draw_line(deck.frame, &line);
}
