//! Describes clocks for the status and for other programs.

use serde_json::{Value as Json, json};

use crate::{ClockView, SeatView};
use tableside_game::{ClockKind, LinkEffect, Visibility, filled_of};

/// A clock as a line that other programs can read: `The alarm: 3/6`. If only the clock's existence is visible, the line is just its name.
pub fn clock_line(view: &ClockView<'_>) -> String {
    let name = &view.clock.name;
    let segments = view.clock.segments.count();
    match view.filled {
        Some(filled) => format!("{name}: {filled}/{segments}"),
        None => name.clone(),
    }
}

/// Describes a clock: its kind, its segments, the clocks that it waits for and leads to, and its visibility.
pub fn about_clock(view: &ClockView<'_>, seen: &SeatView<'_>) -> Vec<String> {
    let clock = view.clock;
    let segments = match view.filled {
        Some(filled) => filled_of(filled, clock.segments.count()),
        None => describe_fill(view),
    };
    let kind = clock.kind.into_str().to_owned();
    let mut parts = vec![kind, segments];

    if clock.kind == ClockKind::TugOfWar {
        let ends = clock.end_names().join(" and ");
        parts.push(format!("between {ends}"));
    }
    if let Some(winner) = seen.winner(clock)
        && winner.id != clock.id
    {
        parts.push(format!("lost to {}", winner.name));
    }
    if let Some(before) = seen.waits_for(clock) {
        parts.push(format!("waits until {} is full", before.name));
    }
    if let Some(link) = clock.link
        && let Some(other) = seen.clock(link.to)
    {
        let name = &other.clock.name;
        parts.push(match link.effect {
            LinkEffect::Beside => format!("rolls for this clock also advance {name}"),
            then => format!("when full, it {} {name}", then.into_str()),
        });
    }
    if clock.host_clock.is_some() {
        parts.push("host clock".to_owned());
    }
    parts.extend(clock.describe_automation());
    match clock.visibility {
        Visibility::Visible => {}
        Visibility::Known => parts.push("players see only its name".to_owned()),
        Visibility::Hidden => parts.push("hidden from players".to_owned()),
    }
    parts
}

/// The filled segments of a clock: `3 of 6`, or `? of 6`.
pub(super) fn describe_fill(view: &ClockView<'_>) -> String {
    let segments = view.clock.segments.count();
    match view.filled {
        Some(filled) => format!("{filled} of {segments}"),
        None => format!("? of {segments}"),
    }
}

/// A clock as JSON. `filled` is null if only the clock's existence is visible.
pub fn clock_json(view: &ClockView<'_>, seen: &SeatView<'_>) -> Json {
    let clock = view.clock;
    let mut json = json!({"name": clock.name});
    if clock.owner.is_some() {
        let owner = seen.owner_name(clock.owner);
        json["owner"] = json!(owner);
    }
    if clock.host_clock.is_some() {
        json["host"] = json!(true);
    }
    json["filled"] = json!(view.filled);
    json["segments"] = json!(clock.segments.count());
    json["kind"] = json!(clock.kind.into_str());
    json["visibility"] = json!(clock.visibility.into_str());
    json
}
