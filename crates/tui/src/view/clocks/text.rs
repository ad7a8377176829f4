//! The name, the owner, the state and the forecast of a clock in words.

use ratatui::text::Line;

use crate::Role;
use crate::app::rows;
use crate::app::state::{Panel, Tab};
use crate::view::ViewContext;
use crate::widget::{join, line_columns};
use tableside_game::{ClockKind, EntityKind, LinkEffect, Visibility};
use tableside_table::{ClockView, SeatView};

/// The maximum number of cached forecasts. A large screen shows about as many faces.
const MAX_OUTLOOKS: usize = 64;

/// Returns the name of the owner, or "the host" for a clock that all games of a host share.
pub(super) fn owner_name<'a>(view: &ClockView<'_>, context: ViewContext<'a>) -> Option<&'a str> {
    if view.clock.host_clock.is_some() {
        return Some("the host");
    }
    let owner = view.clock.owner?;
    Some(context.view.owner_name(Some(owner)))
}

/// Returns the columns of the longest name on the table, without the [standing](standing), which changes during play.
pub(in crate::view) fn longest_name(context: ViewContext<'_>) -> u16 {
    let lines = rows::lines(Panel::Clocks, None, context.view);
    let ids = lines.into_iter().flatten();
    let names = ids.filter_map(|id| {
        let clock = context.view.clock(id.try_as_clock()?)?;
        Some(line_columns(&bare_name(&clock, context)))
    });
    names.max().unwrap_or(0)
}

/// Returns the name of a clock, with a sign if it is hidden.
fn bare_name<'a>(view: &ClockView<'a>, context: ViewContext<'_>) -> Line<'a> {
    let clock = view.clock;
    let text = clock.name.as_str();
    if clock.visibility == Visibility::Visible {
        return context.line(text, Role::Text);
    }
    let sign = context.line(context.look.hidden_sign(), Role::Hidden);
    let name = context.line(text, Role::Hidden);
    join([sign, name], " ")
}

/// Returns the name of a clock, with a sign if it is hidden, and its [standing](standing).
pub(super) fn clock_name<'a>(view: &ClockView<'a>, context: ViewContext<'_>) -> Line<'a> {
    let mut line = bare_name(view, context);
    if let Some((word, role)) = standing(view, context.view) {
        line.push_span(context.span(format!(" ({word})"), role));
    }
    line
}

/// Returns a word for a clock that is full, has lost its race, or waits for another clock.
///
/// A seat that may not see the progress of the clock gets `None`.
pub(in crate::view) fn standing<'a>(
    clock_view: &ClockView<'a>,
    view: &SeatView<'_>,
) -> Option<(&'a str, Role)> {
    clock_view.filled?;
    let clock = clock_view.clock;

    if clock.kind == ClockKind::TugOfWar {
        let [first_end, last_end] = clock.end_names();
        if clock.is_full() {
            return Some((last_end, Role::Warning));
        }
        if clock.filled == 0 {
            return Some((first_end, Role::Warning));
        }
    }

    if clock.is_full() {
        let is_race = !view.race(clock).is_empty();
        let word = if is_race { "first" } else { "full" };
        Some((word, Role::Warning))
    } else if view.winner(clock).is_some() {
        Some(("lost", Role::Muted))
    } else if view.waits_for(clock).is_some() {
        Some(("waits", Role::Muted))
    } else {
        None
    }
}

/// Returns a forecast of when the clock is full, on the Clocks tab only.
///
/// The forecast is computed again when the clock ticks or when a pool changes, because tokens may change the chances of
/// the clock's roll.
pub(super) fn outlook(view: &ClockView<'_>, context: ViewContext<'_>) -> Option<String> {
    let clock = view.clock;
    let has_ticks = clock.every.values().any(|ticks| *ticks > 0);
    let can_fill = clock.check.is_some() || has_ticks;
    if context.state.tab != Tab::Clocks || !can_fill {
        return None;
    }

    let pool_revision = context.view.revision_of(EntityKind::Pool);
    let key = (
        (clock.id, clock.kind, view.filled, clock.segments),
        (&clock.check, &clock.every),
        pool_revision,
    );
    let forecast = context.cached(MAX_OUTLOOKS, key, || {
        context.view.forecast(clock.id)?.ok()?.in_short()
    });
    (*forecast).clone()
}

/// Describes the automatic ticks of the clock, and the clock that it affects when full.
pub(super) fn automation(view: &ClockView<'_>, context: ViewContext<'_>) -> Option<String> {
    let mut parts = view.clock.describe_automation();
    if let Some(link) = &view.clock.link
        && let Some(target) = context.view.clock(link.to)
    {
        let effect = link.effect.into_str();
        parts.push(format!("→ {effect} {}", target.clock.name));
    }

    for cause in context.view.clocks() {
        let Some(link) = cause.clock.link else {
            continue;
        };
        if link.to == view.clock.id && link.effect != LinkEffect::Beside {
            parts.push(format!("← {}", cause.clock.name));
        }
    }

    if parts.is_empty() {
        None
    } else {
        Some(parts.join(", "))
    }
}

/// Returns the name and the automation. If no column shows the owner, the owner's name is between them.
pub(super) fn full_name<'a>(
    view: &ClockView<'a>,
    has_owner_column: bool,
    context: ViewContext<'a>,
) -> Line<'a> {
    let mut parts = vec![clock_name(view, context)];
    if !has_owner_column && let Some(owner) = owner_name(view, context) {
        parts.push(context.line(owner, Role::Muted));
    }
    if let Some(automation) = automation(view, context) {
        parts.push(context.line(automation, Role::Muted));
    }
    join(parts, "  ")
}
