//! Everything at a glance: the scene, the party, what runs, what is held, the last rolls.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use super::roll::{Told, entry_line};
use super::{Paint, below, thing};
use crate::screen::action::Action;
use crate::screen::layout::{self, Deck};
use crate::screen::rows::{self, Value};
use crate::screen::state::{Panel, ScreenState};
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::widget::die::Dice;
use crate::screen::widget::{self, clock};
use crate::session::{Character, TokenPool};
use crate::table::{ClockSeen, Entry};

/// Left of what a cell shows: the marker and a blank.
const GUTTER: u16 = 2;

/// Draws the tab.
pub(super) fn draw(paint: &mut Paint<'_>, body: Rect) {
    let (line, _) = layout::scene_line(body);
    scene(paint, line);
    let counts = ScreenState::counts(paint.seen);
    for (deck, count) in layout::decks(body, counts, paint.state.panel)
        .iter()
        .zip(counts)
    {
        frame(paint, deck, count);
        if deck.rows() > 0 {
            match deck.panel {
                Panel::Party => party(paint, deck),
                Panel::Clocks => clocks(paint, deck),
                Panel::Tokens => tokens(paint, deck),
                Panel::Rolls => rolls(paint, deck),
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
    let name = if scene.name.is_empty() {
        "The first scene"
    } else {
        scene.name.as_str()
    };
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
    let waiting: Vec<&str> = paint
        .seen
        .unfinished()
        .map(|one| one.roll.who.as_str())
        .collect();
    if !waiting.is_empty() {
        let keys = paint
            .setup
            .keymap
            .keys_for(Action::Resume, paint.state.tab_contexts());
        let key = keys
            .first()
            .map_or(String::new(), |key| key.label(paint.look.ascii));
        let words = match waiting.as_slice() {
            [""] => "  a check waits: ".to_owned(),
            [who] => format!("  {who}'s check waits: "),
            many => format!("  {} checks wait: ", many.len()),
        };
        line.push_span(paint.span(words, Role::Warning));
        line.push_span(paint.span(key, Role::Key));
    }
    paint.line(area, &line);
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
    let (marker, role) = if focused {
        (paint.look.glyphs().below, Role::BorderFocus)
    } else {
        (paint.look.glyphs().marker, Role::Border)
    };
    let mut line = Line::from(vec![
        paint.span(format!("{marker} "), role),
        paint.span(deck.panel.title(), Role::Heading),
    ]);
    if !focused {
        line.push_span(paint.span("  ", Role::Muted));
        match deck.panel {
            Panel::Clocks if count > 0 => {
                for seen in paint.seen.clocks() {
                    line.push_span(thing::face(&seen, paint).glyph());
                    line.push_span(" ");
                }
            }
            Panel::Rolls => {
                let last = rows::rolls(paint.seen).first().copied().flatten();
                let last = last.and_then(|number| paint.seen.entry(number));
                if let Some(entry) = last {
                    let spans = entry_line(&entry, paint).spans.into_iter();
                    line.extend(spans.map(|span| paint_owned(&span)));
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

fn paint_owned(span: &ratatui::text::Span<'_>) -> ratatui::text::Span<'static> {
    ratatui::text::Span::styled(span.content.clone().into_owned(), span.style)
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
fn cells<Id: Copy + Eq>(deck: &Deck, lines: &[Option<Id>], top: usize) -> Vec<(Rect, Id)> {
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

fn party(paint: &mut Paint<'_>, deck: &Deck) {
    let lines = paint.state.party_lines(paint.seen);
    if lines.is_empty() {
        return paint.empty(deck.inner, "Nobody is here yet:", Action::New);
    }
    let focused = paint.state.panel == Panel::Party;
    for (area, id) in cells(deck, &lines, paint.state.party.top()) {
        let Some(character) = paint.seen.character(id) else {
            continue;
        };
        let selected = focused && paint.state.party.id() == Some(id);
        let marked = paint.state.party.marked().contains(&id);
        let inner = cell(paint, area, selected, marked);
        card(paint, inner, character);
        paint.spots.put(area, Spot::Character(id, None));
    }
}

/// A character: the name, what changes most, what is held and suffered. A high card has the values, too.
fn card(paint: &mut Paint<'_>, area: Rect, character: &Character) {
    let gap = 1.min(area.width);
    let area = Rect {
        width: area.width - gap,
        ..area
    };
    let mut aside = Line::default();
    for stat in rows::vitals(paint.seen.system()) {
        let value = thing::value(character, Value::Stat(stat), paint);
        let is_none = matches!(character.sheet.number(stat.id), Some(0)) && stat.id != "hit-points";
        if area.height < 3 && !is_none {
            aside.push_span(paint.span(format!("{} ", stat.short), Role::Muted));
            aside.push_span(value);
            aside.push_span("  ");
        }
    }
    if area.height >= 3 && !character.player.is_empty() {
        aside.push_span(paint.span(format!("{}  ", character.player), Role::Muted));
    }
    let done = if character.acted {
        thing::acted(character, paint)
    } else {
        paint.span(" ", Role::Muted)
    };
    aside.push_span(done);
    let first = Rect { height: 1, ..area };
    let taken = u16::try_from(aside.width())
        .unwrap_or(u16::MAX)
        .min(area.width / 2);
    paint.line_right(first, &aside);
    let name = thing::name(character, paint);
    let left = Rect {
        width: area.width - taken,
        ..first
    };
    paint.line(left, &name);
    let mut rest = below(area, 1);
    if area.height >= 3 {
        let mut values = Line::default();
        let stats = rows::values(paint.seen.system()).into_iter();
        for value in stats.filter(|value| matches!(value, Value::Stat(_))) {
            values.push_span(paint.span(format!("{} ", value.heading()), Role::Muted));
            values.push_span(thing::value(character, value, paint));
            values.push_span(" ");
        }
        if values.spans.is_empty() {
            values.push_span(paint.span(rows::ranks(character), Role::Muted));
        }
        paint.line(rest, &values);
        rest = below(rest, 1);
    }
    let holdings = thing::holdings(character, paint);
    paint.line(rest, &holdings);
}

fn clocks(paint: &mut Paint<'_>, deck: &Deck) {
    let lines = paint.state.clock_lines(paint.seen);
    if lines.is_empty() {
        return paint.empty(deck.inner, "No clock is running:", Action::New);
    }
    let focused = paint.state.panel == Panel::Clocks;
    for (area, id) in cells(deck, &lines, paint.state.clocks.top()) {
        let Some(seen) = paint.seen.clock(id) else {
            continue;
        };
        paint.spots.put(area, Spot::Clock(id));
        let selected = focused && paint.state.clocks.id() == Some(id);
        let marked = paint.state.clocks.marked().contains(&id);
        let inner = cell(paint, area, selected, marked);
        if deck.cell.1 > 1 {
            large_clock(paint, inner, &seen);
        } else {
            small_clock(paint, inner, &seen);
        }
    }
}

/// A face with its name beside it.
fn large_clock(paint: &mut Paint<'_>, area: Rect, seen: &ClockSeen<'_>) {
    let (width, height) = clock::MEDIUM;
    let face = Rect {
        width: width.min(area.width),
        height: height.min(area.height),
        ..area
    };
    (&thing::face(seen, paint)).render(face, paint.buffer);
    paint.spots.put(face, Spot::Face(seen.clock.id));
    let words = Rect {
        x: area.x + face.width + 1,
        width: area.width.saturating_sub(face.width + 2),
        height,
        ..area
    };
    let name = thing::clock_name(seen, paint);
    let name = Line::from(name.spans.iter().map(paint_owned).collect::<Vec<_>>());
    let name_rows = Rect {
        height: 2.min(words.height),
        ..words
    };
    let rest = paint.text(name_rows, &name);
    let rest = Rect {
        height: words.bottom().saturating_sub(rest.y),
        ..rest
    };
    let count = thing::face(seen, paint).count();
    let count = Line::from(paint.span(count, Role::Text));
    paint.line(rest, &count);
    if let Some(owner) = seen.clock.owner {
        let owner = paint.seen.owner_name(Some(owner)).to_owned();
        let owner = Line::from(paint.span(owner, Role::Muted));
        paint.line(below(rest, 1), &owner);
    }
}

/// A sign, a name, a bar, a count.
fn small_clock(paint: &mut Paint<'_>, area: Rect, seen: &ClockSeen<'_>) {
    let face = thing::face(seen, paint);
    let bar_width = if area.width >= 34 { 10 } else { 0 };
    let bar = if bar_width > 0 {
        thing::bar(seen, bar_width, paint)
    } else {
        Line::default()
    };
    let bar_room = if bar_width > 0 { bar_width + 3 } else { 0 };
    let count = Line::from(paint.span(format!("{:>6}", face.count()), Role::Text));
    let glyph = Rect {
        width: 1.min(area.width),
        ..area
    };
    paint.line(glyph, &Line::from(face.glyph()));
    paint.spots.put(glyph, Spot::Face(seen.clock.id));
    let aside = (bar_room + 6).min(area.width);
    let name_area = Rect {
        x: area.x + 2.min(area.width),
        width: area.width.saturating_sub(aside + 3),
        ..area
    };
    let name = thing::clock_name(seen, paint);
    paint.line(name_area, &name);
    let right = Rect {
        x: area.right() - aside,
        width: aside,
        ..area
    };
    paint.line(
        Rect {
            width: bar_width.min(right.width),
            ..right
        },
        &bar,
    );
    paint.line_right(right, &count);
    if bar_width > 0 {
        paint.spots.put(
            Rect {
                width: bar_width,
                ..right
            },
            Spot::Face(seen.clock.id),
        );
    }
}

fn tokens(paint: &mut Paint<'_>, deck: &Deck) {
    let lines = paint.state.token_lines(paint.seen);
    if lines.is_empty() {
        return paint.empty(deck.inner, "There are no tokens yet:", Action::New);
    }
    let focused = paint.state.panel == Panel::Tokens;
    for (area, id) in cells(deck, &lines, paint.state.tokens.top()) {
        let Some(pool) = paint.seen.pools().find(|pool| pool.id == id) else {
            continue;
        };
        let selected = focused && paint.state.tokens.id() == Some(id);
        let marked = paint.state.tokens.marked().contains(&id);
        let inner = cell(paint, area, selected, marked);
        token_line(paint, inner, pool);
        paint.spots.put(area, Spot::Pool(id));
    }
}

/// Whose, which, the tokens, and their number.
fn token_line(paint: &mut Paint<'_>, area: Rect, pool: &TokenPool) {
    let pips_width = if area.width >= 40 { 10 } else { 5 };
    let aside = (pips_width + 8).min(area.width);
    let right = Rect {
        x: area.right() - aside,
        width: aside,
        ..area
    };
    let mut name = Line::default();
    if let Some(owner) = pool.owner {
        name.push_span(paint.span(paint.seen.owner_name(Some(owner)), Role::Text));
        name.push_span(paint.span(format!("  {}", pool.name), Role::Muted));
    } else {
        name.push_span(paint.span(pool.name.as_str(), Role::Text));
    }
    paint.line(
        Rect {
            width: area.width - aside,
            ..area
        },
        &name,
    );
    let pips = thing::pips(pool, pips_width, paint);
    let amount = thing::amount(pool, paint);
    paint.line(
        Rect {
            width: pips_width.min(aside),
            ..right
        },
        &pips,
    );
    paint.line_right(right, &amount);
}

fn rolls(paint: &mut Paint<'_>, deck: &Deck) {
    let lines = rows::rolls(paint.seen);
    if lines.is_empty() {
        return paint.empty(deck.inner, "Nobody has rolled yet:", Action::Roll);
    }
    let focused = paint.state.panel == Panel::Rolls;
    if deck.lead.height > 0 {
        let newest = lines.first().copied().flatten();
        let shown = if focused {
            paint.state.rolls.id()
        } else {
            newest
        };
        if let Some(entry) = shown.and_then(|number| paint.seen.entry(number)) {
            lead(paint, deck.lead, &entry);
        }
    }
    for (area, number) in cells(deck, &lines, paint.state.rolls.top()) {
        let Some(entry) = paint.seen.entry(number) else {
            continue;
        };
        let selected = focused && paint.state.rolls.id() == Some(number);
        let inner = cell(paint, area, selected, false);
        let time = format!("{}  ", paint.setup.zone.time(entry.at));
        let mut line = Line::from(paint.span(time, Role::Muted));
        line.spans.extend(entry_line(&entry, paint).spans);
        paint.line(inner, &line);
        paint.spots.put(area, Spot::Roll(number));
    }
}

/// A roll with its dice as they lie.
fn lead(paint: &mut Paint<'_>, area: Rect, entry: &Entry) {
    let Some(told) = Told::of(entry, paint.seen) else {
        return;
    };
    let area = cell(paint, area, false, false);
    let dice = told.dice();
    let dice = Dice {
        dice: &dice,
        look: paint.look,
    };
    let widest = dice
        .dice
        .iter()
        .map(|_| 6_u16)
        .sum::<u16>()
        .min(area.width / 2)
        .max(12);
    let left = Rect {
        width: widest,
        height: area.height.min(3),
        ..area
    };
    (&dice).render(left, paint.buffer);
    let words = Rect {
        x: left.right() + 2,
        width: area.width.saturating_sub(widest + 2),
        ..area
    };
    let mut who = Line::from(paint.span(told.roll.who.clone(), Role::Title));
    if !told.roll.who.is_empty() {
        who.push_span("  ");
    }
    who.push_span(paint.span(told.spec.label, Role::Muted));
    paint.line(Rect { height: 1, ..words }, &who);
    let mut what = Line::from(told.outcome_span(paint.look));
    let numbers = told.numbers();
    if !numbers.is_empty() {
        what.push_span(paint.span(format!("  {numbers}"), Role::Text));
    }
    paint.line(below(words, 1), &what);
    let mut effects = Line::default();
    for line in told.effects(paint) {
        effects.extend(line.spans);
        effects.push_span("  ");
    }
    paint.line(below(words, 2), &effects);
}
