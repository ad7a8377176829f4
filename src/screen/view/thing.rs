//! Characters, clocks and pools as cells: what several views show alike.

use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::painter::Painter;
use crate::rules::{self, Stat};
use crate::screen::roll_requests;
use crate::screen::rows::{self, Value};
use crate::screen::theme::Role;
use crate::screen::widget::clock::Clock;
use crate::screen::widget::tokens::Tokens;
use crate::session::{Allegiance, Character, ClockKind, Condition, PoolKind, TokenPool};
use crate::table::ClockView;

/// The name of a character, with what is special about it.
pub(super) fn name<'a>(character: &'a Character, paint: &Painter<'_>) -> Line<'a> {
    let role = match character.side {
        _ if character.absent => Role::Muted,
        _ if character.hidden => Role::Hidden,
        Allegiance::Party | Allegiance::Apathetic => Role::Text,
        Allegiance::Ally => Role::Ally,
        Allegiance::Adversary => Role::Adversary,
    };
    let mut line = Line::default();
    if character.hidden {
        let sign = paint.look.glyphs().hidden;
        line.push_span(paint.span(format!("{sign} "), Role::Hidden));
    }
    line.push_span(paint.span(character.name.as_str(), role));
    line
}

/// A value of a character, as short as it goes.
pub(super) fn value(character: &Character, value: Value, paint: &Painter<'_>) -> Span<'static> {
    let dim = |role| if character.absent { Role::Muted } else { role };
    match value {
        Value::Stat(stat) => {
            let shown = character.sheet.value(stat.id);
            let is_less = stat_is_down(character, stat);
            let role = if is_less { Role::Warning } else { Role::Text };
            paint.span(
                shown.map_or(String::new(), |value| short(value, paint)),
                dim(role),
            )
        }
        Value::Clock(spec) => {
            let clock = rows::rule_clock(paint.seen, character.id, spec);
            let shown = clock.map(|clock| format!("{}/{}", clock.filled, clock.segments.count()));
            let role = match clock {
                Some(clock) if clock.is_full() => Role::Danger,
                Some(clock) if clock.filled > 0 => Role::CountdownFill,
                _ => Role::Muted,
            };
            paint.span(shown.unwrap_or_default(), dim(role))
        }
        Value::Pool(spec) => {
            let pool = rows::rule_pool(paint.seen, character.id, spec);
            let shown = pool.map(|pool| number(pool.tokens, paint));
            let role = match pool {
                Some(pool) if pool.tokens < 0 => Role::TokenDebt,
                Some(pool) if pool.tokens > 0 => Role::Token,
                _ => Role::Muted,
            };
            paint.span(shown.unwrap_or_default(), dim(role))
        }
    }
}

/// A number whose minus is as wide as a plus.
fn number(number: i32, paint: &Painter<'_>) -> String {
    if number < 0 {
        format!("{}{}", paint.look.pick("−", "-"), number.unsigned_abs())
    } else {
        number.to_string()
    }
}

fn short(value: &rules::Value, paint: &Painter<'_>) -> String {
    match value {
        rules::Value::Number(value) => number(*value, paint),
        value => value.to_string(),
    }
}

/// Whether a die has shrunk below the one that it may have, or a harm is there.
fn stat_is_down(character: &Character, stat: &Stat) -> bool {
    let sheet = &character.sheet;
    match (stat.kind, sheet.value(stat.id)) {
        (
            rules::StatKind::Die {
                at_most: Some(bound),
                ..
            },
            Some(rules::Value::Die(die)),
        ) => sheet.die(bound).is_some_and(|bound| *die < bound),
        (rules::StatKind::Number { .. }, Some(rules::Value::Number(harm))) => {
            matches!(stat.id, "wounds" | "traumas") && *harm > 0
        }
        _ => false,
    }
}

/// Conditions in one line: `prone, slowed 2 (3 rounds)`, or where there is little room `slowed 2 (3r)`.
pub(super) fn conditions(
    character: &Character,
    is_short: bool,
    paint: &Painter<'_>,
) -> Line<'static> {
    let mut words: Vec<Span<'static>> = Vec::new();
    if let Some(standing) = character.sheet.standing(paint.seen.house()) {
        let role = if character.absent {
            Role::Muted
        } else {
            Role::Danger
        };
        words.push(paint.span(standing.word, role));
    }
    if character.absent {
        words.push(paint.span("away", Role::Muted));
    }
    let mut called = paint.seen.calls().filter(|call| call.who == character.id);
    if let Some(call) = called.next() {
        let words_of_it = if is_short {
            "to roll".to_owned()
        } else {
            format!("to roll: {}", roll_requests::told(call, paint.seen))
        };
        words.push(paint.span(words_of_it, Role::Notice));
    }
    let role = if character.absent {
        Role::Muted
    } else {
        Role::Warning
    };
    for condition in &character.conditions {
        words.push(paint.span(condition_text(condition, is_short), role));
    }
    let mut line = Line::default();
    for word in words {
        if !line.spans.is_empty() {
            line.push_span(paint.span(", ", Role::Muted));
        }
        line.push_span(word);
    }
    line
}

fn condition_text(condition: &Condition, is_short: bool) -> String {
    let value = condition
        .value
        .map_or(String::new(), |value| format!(" {value}"));
    let rounds = match condition.rounds {
        None => String::new(),
        Some(rounds) if is_short => format!(" ({rounds}r)"),
        Some(1) => " (1 round)".to_owned(),
        Some(rounds) => format!(" ({rounds} rounds)"),
    };
    let fades = if condition.fades { " fading" } else { "" };
    format!("{}{value}{fades}{rounds}", condition.name)
}

/// That it has acted this round.
pub(super) fn acted(character: &Character, paint: &Painter<'_>) -> Span<'static> {
    if character.acted {
        paint.span(paint.look.glyphs().done, Role::Success)
    } else {
        Span::raw("")
    }
}

/// A clock's picture.
pub(super) fn face<'a>(seen: &ClockView<'_>, paint: &Painter<'a>) -> Clock<'a> {
    let filled = u16::from(seen.filled.unwrap_or(0));
    let face = Clock::new(filled, seen.clock.segments.count().into(), paint.look);
    let face = match seen.clock.kind {
        ClockKind::Countdown => face.countdown(),
        ClockKind::TugOfWar => face.pulled(),
        ClockKind::Effort | ClockKind::Race => face,
    };
    if seen.filled.is_some() {
        face
    } else {
        face.veiled()
    }
}

/// A clock's bar of at most so many columns.
pub(super) fn bar(seen: &ClockView<'_>, width: u16, paint: &Painter<'_>) -> Line<'static> {
    face(seen, paint).bar(width)
}

/// A clock's name; a full one stands out, a hidden one too.
pub(super) fn clock_name<'a>(seen: &ClockView<'a>, paint: &Painter<'_>) -> Line<'a> {
    use crate::session::Visibility;
    let sign = paint.look.glyphs().hidden;
    let mut line = Line::default();
    let role = match seen.clock.visibility {
        Visibility::Visible => Role::Text,
        Visibility::Known | Visibility::Hidden => Role::Hidden,
    };
    if role == Role::Hidden {
        line.push_span(paint.span(format!("{sign} "), Role::Hidden));
    }
    line.push_span(paint.span(seen.clock.name.as_str(), role));
    if seen.filled.is_none() {
        return line;
    }
    let (state, role) = match seen.clock.kind {
        ClockKind::TugOfWar if seen.clock.is_full() => (seen.clock.end_names()[1], Role::Warning),
        ClockKind::TugOfWar if seen.clock.filled == 0 => (seen.clock.end_names()[0], Role::Warning),
        _ if seen.clock.is_full() => match paint.seen.race(seen.clock).len() {
            0 => ("full", Role::Warning),
            _ => ("first", Role::Warning),
        },
        _ if paint.seen.winner(seen.clock).is_some() => ("lost", Role::Muted),
        _ if paint.seen.waits_for(seen.clock).is_some() => ("waits", Role::Muted),
        _ => return line,
    };
    line.push_span(paint.span(format!(" {state}"), role));
    line
}

/// What a clock leads to when it is full, in words.
pub(super) fn leads_to(seen: &ClockView<'_>, paint: &Painter<'_>) -> Option<String> {
    let link = seen.clock.link?;
    let other = paint.seen.clock(link.to)?.clock;
    let arrow = paint.look.glyphs().arrow.trim();
    Some(format!("{arrow} {} {}", link.then.id(), other.name))
}

/// A pool's tokens in at most so many columns, with the room for more where it can be seen; nothing
/// where they are too many to be counted at a glance.
pub(super) fn pips(pool: &TokenPool, width: u16, paint: &Painter<'_>) -> Line<'static> {
    let cap = pool.cap.filter(|cap| *cap <= i32::from(width));
    if pool.tokens.unsigned_abs() > u32::from(width) {
        return Line::default();
    }
    let tokens = Tokens {
        count: pool.tokens.into(),
        cap: cap.map(i64::from),
        look: paint.look,
    };
    tokens.line(width)
}

/// A pool's tokens without the room for more, to be seen at a glance; a number where they are many.
fn held(pool: &TokenPool, paint: &Painter<'_>) -> Line<'static> {
    let tokens = Tokens {
        count: pool.tokens.into(),
        cap: None,
        look: paint.look,
    };
    tokens.line(10)
}

/// A pool's name, as short as it goes.
pub(super) fn short_name<'a>(pool: &'a TokenPool, paint: &Painter<'_>) -> &'a str {
    match pool.kind {
        PoolKind::Rule(kind) => {
            let specs = paint.seen.system().spec().pools;
            let spec = specs.iter().find(|spec| spec.kind == kind);
            spec.map_or(pool.name.as_str(), |spec| Value::Pool(spec).heading())
        }
        PoolKind::Own => pool.name.as_str(),
    }
}

/// A pool's tokens as a number, with the cap where there is one.
pub(super) fn amount(pool: &TokenPool, paint: &Painter<'_>) -> Line<'static> {
    let role = if pool.tokens < 0 {
        Role::TokenDebt
    } else {
        Role::Token
    };
    let mut line = Line::from(paint.span(number(pool.tokens, paint), role));
    if let Some(cap) = pool.cap {
        line.push_span(paint.span(format!("/{cap}"), Role::Muted));
    }
    line
}

/// What a character holds and suffers, in one line. Of many things the empty ones are no news.
pub(super) fn holdings(character: &Character, paint: &Painter<'_>) -> Line<'static> {
    let mut parts: Vec<(bool, Line<'static>)> = Vec::new();
    let named = |name: &str| Line::from(paint.span(format!("{name} "), Role::Muted));
    // A clock that the rules gave; others stand among the clocks.
    let own =
        |seen: &ClockView<'_>| seen.clock.owner == Some(character.id) && seen.clock.rule.is_some();
    for seen in paint.seen.clocks().filter(own) {
        let mut line = named(&seen.clock.name);
        line.push_span(face(&seen, paint).glyph());
        line.push_span(paint.span(format!(" {}", face(&seen, paint).count()), Role::Text));
        parts.push((seen.filled != Some(0), line));
    }
    for pool in paint.seen.pools_of(Some(character.id)) {
        let mut line = named(short_name(pool, paint));
        line.spans.extend(held(pool, paint).spans);
        parts.push((pool.tokens != 0, line));
    }
    let conditions = conditions(character, true, paint);
    let is_crowded = parts.len() > 2;
    let mut line = Line::default();
    let told = parts
        .into_iter()
        .filter(|(is_news, _)| *is_news || !is_crowded);
    let last = Some(conditions).filter(|conditions| !conditions.spans.is_empty());
    for part in told.map(|(_, part)| part).chain(last) {
        if !line.spans.is_empty() {
            line.push_span("  ");
        }
        line.spans.extend(part.spans);
    }
    if character.absent {
        for span in &mut line.spans {
            span.style = paint.look.style(Role::Muted).add_modifier(Modifier::DIM);
        }
    }
    line
}
