//! Everything at a glance: the scene, the party, what runs, what is held, the last rolls.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::listed::{cells, empty};
use super::painter::{Painter, inside};
use super::roll::entry_line;
use super::{clocks, log};
use crate::screen::action::Action;
use crate::screen::layout::{self, Deck};
use crate::screen::roll_requests;
use crate::screen::state::Panel;
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::widget;
use crate::session::{Character, TokenPool};
use crate::table::ClockView;

/// Draws the tab.
pub(super) fn draw(paint: &mut Painter<'_>, body: Rect, decks: &[Deck]) {
    let state = paint.state;
    let (line, _) = layout::scene_line(body);
    paint.tile(line, state.panel, |paint| scene(paint, line));
    for (deck, count) in decks.iter().zip(state.counts) {
        let is_here = deck.panel == state.panel;
        let (frame, draw) = (deck.frame, |paint: &mut Painter<'_>| {
            panel(paint, deck, count)
        });
        match deck.panel {
            Panel::Party => paint.tile(frame, (is_here, &state.party), draw),
            Panel::Clocks => paint.tile(frame, (is_here, &state.clocks), draw),
            Panel::Tokens => paint.tile(frame, (is_here, &state.tokens), draw),
            Panel::Rolls => paint.tile(frame, (is_here, &state.rolls), draw),
        }
    }
}

/// A panel that shows so many things: its frame, and what has room in it.
fn panel(paint: &mut Painter<'_>, deck: &Deck, count: usize) {
    frame(paint, deck, count);
    if deck.rows() == 0 {
        return;
    }
    match deck.panel {
        panel if count == 0 => empty(paint, deck.lead.union(deck.inner), panel),
        Panel::Party => cells::<&Character>(paint, deck),
        Panel::Clocks => cells::<ClockView<'_>>(paint, deck),
        Panel::Tokens => cells::<&TokenPool>(paint, deck),
        Panel::Rolls => log::panel(paint, deck),
    }
}

/// The scene, since when, and what waits.
fn scene(paint: &mut Painter<'_>, area: Rect) {
    let (seen, scene) = (paint.seen, paint.seen.scene());
    let name = crate::table::scene(seen);
    let mut line = paint.say(name, Role::Title);
    if let Some(began) = scene.began {
        let since = format!("  began {}", paint.setup.zone.time(began));
        line.push_span(paint.span(since, Role::Muted));
    }
    let here: Vec<bool> = seen
        .roster()
        .filter(|one| one.is_here())
        .map(|one| one.acted)
        .collect();
    if seen.round() > 0 && !here.is_empty() {
        let acted = here.iter().filter(|acted| **acted).count();
        let words = format!("  round {}, {acted} of {} acted", seen.round(), here.len());
        line.push_span(paint.span(words, Role::Muted));
    }
    let waiting: Vec<&str> = seen.unfinished().map(|one| one.roll.who.as_str()).collect();
    if !waiting.is_empty() {
        let words = match waiting.as_slice() {
            [""] => "  a check waits: ".to_owned(),
            [who] => format!("  {who}'s check waits: "),
            many => format!("  {} checks wait: ", many.len()),
        };
        line.push_span(paint.span(words, Role::Warning));
        line.push_span(paint.span(paint.key(Action::Resume), Role::Key));
    }
    called(paint, &mut line);
    paint.line(inside(area), &line);
}

/// Who is still to roll, with the key that goes on with it.
fn called(paint: &Painter<'_>, line: &mut Line<'_>) {
    let mut names: Vec<&str> = Vec::new();
    for call in paint.seen.calls() {
        let name = paint.seen.owner_name(Some(call.who));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let words = match names.as_slice() {
        [] => return,
        [one] => format!("  {one} to roll"),
        [one, two] => format!("  {one}, {two} to roll"),
        [one, rest @ ..] => format!("  {one} and {} more to roll", rest.len()),
    };
    line.push_span(paint.span(words, Role::Notice));
    if roll_requests::to_answer(paint.seen).next().is_some() {
        line.push_span(paint.span(": ", Role::Notice));
        line.push_span(paint.span(paint.key(Action::Resume), Role::Key));
    }
}

/// A panel's frame; folded, its title and a glimpse of what is in it.
fn frame(paint: &mut Painter<'_>, deck: &Deck, count: usize) {
    let state = paint.state;
    let focused = deck.panel == state.panel;
    paint.spots.put(deck.frame, Spot::Panel(deck.panel));
    if deck.frame.y == deck.inner.y || deck.inner.x == deck.frame.x {
        return folded(paint, deck, count, focused);
    }
    let in_row = usize::from(deck.in_row);
    let top = in_row
        * match deck.panel {
            Panel::Party => state.party.top(),
            Panel::Clocks => state.clocks.top(),
            Panel::Tokens => state.tokens.top(),
            Panel::Rolls => state.rolls.top(),
        };
    let number = (count > 0 && deck.panel != Panel::Rolls).then(|| count.to_string());
    let panel = widget::panel::Panel {
        note: &number.unwrap_or_default(),
        focused,
        more: (top > 0, top + deck.rows() * in_row < count),
        ..widget::panel::Panel::new(deck.panel.title(), paint.look)
    };
    paint.frame(deck.frame, &panel);
}

fn folded(paint: &mut Painter<'_>, deck: &Deck, count: usize, focused: bool) {
    let from = paint.from;
    let (sign, role) = if focused {
        (from.look.pick("▾", "-"), Role::BorderFocus)
    } else {
        (from.look.pick("▸", "+"), Role::Border)
    };
    let mut line = Line::from(vec![
        from.span(format!("{sign} "), role),
        from.span(deck.panel.title(), Role::Heading),
    ]);
    let glimpse = match deck.panel {
        _ if focused => Line::default(),
        Panel::Clocks if count > 0 => {
            let clocks = from.state.clocks.lines().iter().flatten();
            let clocks = clocks.filter_map(|id| from.seen.clock(*id));
            widget::join(
                clocks.map(|seen| clocks::face(&seen, from).glyph().into()),
                " ",
            )
        }
        Panel::Rolls => {
            let last = from.state.rolls.lines().first().copied().flatten();
            let last = last.and_then(|number| from.seen.entry(number));
            last.map_or_else(Line::default, |entry| entry_line(&entry, true, from))
        }
        Panel::Party | Panel::Clocks | Panel::Tokens => from.say(count.to_string(), Role::Muted),
    };
    line = widget::join([line, glimpse], "  ");
    paint.line(deck.frame, &line);
}
