//! Everything at a glance: the scene, the party, what runs, what is held, the last rolls.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use super::painter::{Painter, inside};
use super::roll::brief_line;
use super::{clocks, log, party, tokens};
use crate::screen::action::Action;
use crate::screen::layout::{self, Deck};
use crate::screen::roll_requests;
use crate::screen::state::Panel;
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::widget;

/// Draws the tab.
pub(super) fn draw(paint: &mut Painter<'_>, body: Rect, decks: &[Deck]) {
    let state = paint.state;
    let (line, _) = layout::scene_line(body);
    paint.tile(line, state.panel, |paint| scene(paint, line));
    for (deck, count) in decks.iter().zip(state.counts) {
        let is_here = deck.panel == state.panel;
        match deck.panel {
            Panel::Party => paint.tile(deck.frame, (is_here, &state.party), |paint| {
                frame(paint, deck, count);
                party::panel(paint, deck);
            }),
            Panel::Clocks => paint.tile(deck.frame, (is_here, &state.clocks), |paint| {
                frame(paint, deck, count);
                clocks::panel(paint, deck);
            }),
            Panel::Tokens => paint.tile(deck.frame, (is_here, &state.tokens), |paint| {
                frame(paint, deck, count);
                tokens::panel(paint, deck);
            }),
            Panel::Rolls => paint.tile(deck.frame, (is_here, &state.rolls), |paint| {
                frame(paint, deck, count);
                log::panel(paint, deck);
            }),
        }
    }
}

/// The scene, since when, and what waits.
fn scene(paint: &mut Painter<'_>, area: Rect) {
    let area = inside(area);
    let scene = paint.seen.scene();
    let name = crate::table::scene(paint.seen);
    let mut line = Line::from(paint.span(name, Role::Title));
    if let Some(began) = scene.began {
        let since = format!("  began {}", paint.setup.zone.time(began));
        line.push_span(paint.span(since, Role::Muted));
    }
    let (here, acted) = paint
        .seen
        .roster()
        .filter(|one| one.is_here())
        .fold((0_usize, 0_usize), |(here, acted), one| {
            (here + 1, acted + usize::from(one.acted))
        });
    if paint.seen.round() > 0 && here > 0 {
        let words = format!("  round {}, {acted} of {here} acted", paint.seen.round());
        line.push_span(paint.span(words, Role::Muted));
    }
    let waiting = paint.seen.unfinished();
    let waiting: Vec<String> = waiting.map(|one| one.roll.who.clone()).collect();
    if !waiting.is_empty() {
        let words = match waiting.as_slice() {
            [who] if who.is_empty() => "  a check waits: ".to_owned(),
            [who] => format!("  {who}'s check waits: "),
            many => format!("  {} checks wait: ", many.len()),
        };
        line.push_span(paint.span(words, Role::Warning));
        line.push_span(paint.span(paint.key(Action::Resume), Role::Key));
    }
    called(paint, &mut line);
    paint.line(area, &line);
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
    let focused = deck.panel == paint.state.panel;
    paint.hits.put(deck.frame, Spot::Panel(deck.panel));
    if deck.frame.y == deck.inner.y || deck.inner.x == deck.frame.x {
        return folded(paint, deck, count, focused);
    }
    let in_sight = deck.rows() * usize::from(deck.in_row);
    let top = match deck.panel {
        Panel::Party => paint.state.party.top(),
        Panel::Clocks => paint.state.clocks.top(),
        Panel::Tokens => paint.state.tokens.top(),
        Panel::Rolls => paint.state.rolls.top(),
    } * usize::from(deck.in_row);
    let number = if count > 0 && deck.panel != Panel::Rolls {
        count.to_string()
    } else {
        String::new()
    };
    let panel = widget::panel::Panel {
        note: &number,
        focused,
        more: (top > 0, top + in_sight < count),
        ..widget::panel::Panel::new(deck.panel.title(), paint.look)
    };
    (&panel).render(deck.frame, paint.buffer);
}

fn folded(paint: &mut Painter<'_>, deck: &Deck, count: usize, focused: bool) {
    let (sign, role) = if focused {
        (paint.look.pick("▾", "-"), Role::BorderFocus)
    } else {
        (paint.look.pick("▸", "+"), Role::Border)
    };
    let mut line = Line::from(vec![
        paint.span(format!("{sign} "), role),
        paint.span(deck.panel.title(), Role::Heading),
    ]);
    if !focused {
        line.push_span(paint.span("  ", Role::Muted));
        match deck.panel {
            Panel::Clocks if count > 0 => {
                for id in paint.state.clocks.lines() {
                    let Some(seen) = id.and_then(|id| paint.seen.clock(id)) else {
                        continue;
                    };
                    line.push_span(clocks::face(&seen, paint).glyph());
                    line.push_span(" ");
                }
            }
            Panel::Rolls => {
                let last = paint.state.rolls.lines().first().copied().flatten();
                let last = last.and_then(|number| paint.seen.entry(number));
                if let Some(entry) = last {
                    line.extend(brief_line(&entry, paint).spans);
                }
            }
            Panel::Party | Panel::Clocks | Panel::Tokens => {
                line.push_span(paint.span(count.to_string(), Role::Muted));
            }
        }
    }
    paint.line(deck.frame, &line);
}
