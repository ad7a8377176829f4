//! Everything at a glance: the scene, the party, what runs, what is held, the last rolls.

mod clocks;
mod party;
mod rolls;
mod tokens;

pub(in crate::screen) use rolls::Across;

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use super::roll::brief_line;
use super::{Edge, Paint, thing};
use crate::screen::action::Action;
use crate::screen::layout::{self, Deck};
use crate::screen::roll_requests;
use crate::screen::rows;
use crate::screen::state::Panel;
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::widget;

/// Left of what a cell shows: the marker and a blank.
const GUTTER: u16 = 2;

/// Draws the tab, or what is damaged of it.
pub(super) fn draw(paint: &mut Paint<'_>, body: Rect) {
    let damage = paint.damage;
    let (line, _) = layout::scene_line(body);
    if damage.is_none_or(|damage| damage.has_edge(Edge::Scene)) {
        scene(paint, line);
    }
    let counts = paint.state.counts;
    for (deck, count) in layout::decks(body, counts, paint.state.panel)
        .iter()
        .zip(counts)
    {
        if damage.is_some_and(|damage| !damage.is_in(deck)) {
            continue;
        }
        if damage.is_none_or(|damage| damage.has_panel(deck)) {
            frame(paint, deck, count);
        }
        if deck.rows() > 0 {
            match deck.panel {
                Panel::Party => party::draw(paint, deck),
                Panel::Clocks => clocks::draw(paint, deck),
                Panel::Tokens => tokens::draw(paint, deck),
                Panel::Rolls => rolls::draw(paint, deck),
            }
        }
    }
}

/// The scene, since when, and what waits.
fn scene(paint: &mut Paint<'_>, area: Rect) {
    let area = Rect {
        x: area.x + 1,
        width: area.width - 2,
        ..area
    };
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
        let keys = paint
            .setup
            .keymap
            .keys_for(Action::Resume, paint.state.tab_contexts());
        let key = keys
            .first()
            .map_or(String::new(), |key| key.label(paint.look.ascii));
        let words = match waiting.as_slice() {
            [who] if who.is_empty() => "  a check waits: ".to_owned(),
            [who] => format!("  {who}'s check waits: "),
            many => format!("  {} checks wait: ", many.len()),
        };
        line.push_span(paint.span(words, Role::Warning));
        line.push_span(paint.span(key, Role::Key));
    }
    called(paint, &mut line);
    paint.line(area, &line);
}

/// Who is still to roll, with the key that goes on with it.
fn called(paint: &Paint<'_>, line: &mut Line<'_>) {
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
        let contexts = paint.state.tab_contexts();
        let keys = paint.setup.keymap.keys_for(Action::Resume, contexts);
        if let Some(key) = keys.first() {
            line.push_span(paint.span(": ", Role::Notice));
            line.push_span(paint.span(key.label(paint.look.ascii), Role::Key));
        }
    }
}

/// A panel's frame; folded, its title and a glimpse of what is in it.
fn frame(paint: &mut Paint<'_>, deck: &Deck, count: usize) {
    let focused = deck.panel == paint.state.panel;
    paint.spots.put(deck.frame, Spot::Panel(deck.panel));
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

fn folded(paint: &mut Paint<'_>, deck: &Deck, count: usize, focused: bool) {
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
                for id in rows::table_clocks(paint.seen) {
                    let Some(seen) = id.and_then(|id| paint.seen.clock(id)) else {
                        continue;
                    };
                    line.push_span(thing::face(&seen, paint).glyph());
                    line.push_span(" ");
                }
            }
            Panel::Rolls => {
                let last = rows::rolls(paint.seen).first().copied().flatten();
                let last = last.and_then(|number| paint.seen.entry(number));
                if let Some(entry) = last {
                    let spans = brief_line(&entry, paint).spans.into_iter();
                    line.extend(spans.map(|span| owned(&span)));
                }
            }
            Panel::Party | Panel::Clocks | Panel::Tokens => {
                line.push_span(paint.span(count.to_string(), Role::Muted));
            }
        }
    }
    paint.line(
        Rect {
            height: 1,
            ..deck.frame
        },
        &line,
    );
}

/// Clocks as faces, each with all that there is to say of it.
pub(super) fn faces(paint: &mut Paint<'_>, deck: &Deck, lines: &[Option<crate::session::ClockId>]) {
    clocks::in_cells(paint, deck, lines, 0, true);
}

fn owned(span: &ratatui::text::Span<'_>) -> ratatui::text::Span<'static> {
    ratatui::text::Span::styled(span.content.clone().into_owned(), span.style)
}

/// Whether a cell of the table is to be painted.
fn is_damaged(paint: &Paint<'_>, deck: &Deck, area: Rect) -> bool {
    paint
        .damage
        .is_none_or(|damage| damage.has_cell(deck, area))
}

/// Puts the marker before a cell; answers with what is left for the thing.
fn cell(paint: &mut Paint<'_>, area: Rect, selected: bool, marked: bool) -> Rect {
    let glyphs = paint.look.glyphs();
    let first = Rect {
        width: 1.min(area.width),
        height: 1.min(area.height),
        ..area
    };
    if selected {
        let sign = Line::from(paint.span(glyphs.marker, Role::Marker));
        paint.line(first, &sign);
    }
    if marked {
        let sign = Line::from(paint.span(glyphs.marked, Role::Marked));
        paint.line(
            Rect {
                x: first.x + 1,
                ..first
            },
            &sign,
        );
    }
    let gutter = GUTTER.min(area.width);
    Rect {
        x: area.x + gutter,
        width: area.width - gutter,
        ..area
    }
}

/// The cells in sight with the things in them.
pub(super) fn cells<Id: Copy + Eq>(
    deck: &Deck,
    lines: &[Option<Id>],
    top: usize,
) -> Vec<(Rect, Id)> {
    let in_row = usize::from(deck.in_row);
    let things = lines
        .iter()
        .flatten()
        .skip(top * in_row)
        .take(deck.rows() * in_row);
    things
        .enumerate()
        .map(|(place, id)| (deck.cell(place), *id))
        .collect()
}
