//! The token pools: a line each on the table, and with everything that they obey on a tab.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::listed::Listed;
use super::painter::{Painter, Source};
use crate::screen::layout::Deck;
use crate::screen::list::ListId;
use crate::screen::rows::Value;
use crate::screen::theme::Role;
use crate::screen::widget::grid::{Column, Columns};
use crate::screen::widget::{columns, join, line_columns};
use crate::session::{MOST_TOKENS, PoolKind, Reset, TokenPool};

/// The columns of a pool's tokens.
const PIPS: u16 = 10;

impl<'a> Listed<'a> for &'a TokenPool {
    fn find(from: Source<'a>, id: ListId) -> Option<Self> {
        let id = id.pool()?;
        from.seen.pools().find(|pool| pool.id == id)
    }

    fn heading(&self, from: Source<'a>) -> &'a str {
        from.seen.owner_name(self.owner)
    }

    fn columns(from: Source<'a>, _: u16) -> Columns<'a, Self> {
        let muted = move |words: Option<String>| from.say(words.unwrap_or_default(), Role::Muted);
        let mut all = Columns::default();
        all.add(Column::new("Pool", (14, 30)).grows(), move |pool: &Self| {
            from.say(pool.name.as_str(), Role::Text)
        });
        let tokens = Column::fixed("Tokens", PIPS).priority(1);
        all.add(tokens, move |pool| pips(pool, PIPS, from));
        all.add(Column::fixed("", 6).right(), move |pool| amount(pool, from));
        all.add(Column::fixed("Least", 5).right().priority(5), move |pool| {
            muted((pool.floor > -MOST_TOKENS).then(|| pool.floor.to_string()))
        });
        all.add(Column::fixed("Most", 5).right().priority(4), move |pool| {
            muted(pool.cap.map(|cap| cap.to_string()))
        });
        all.add(Column::fixed("This scene", 10).priority(3), move |pool| {
            let gains = pool.gains;
            muted(gains.map(|gains| format!("{} of {}", gains.this_scene, gains.most)))
        });
        all.add(Column::fixed("Goes back", 19).priority(6), move |pool| {
            muted(goes_back(pool))
        });
        all.add(Column::new("Next", (4, 44)).priority(7), move |pool| {
            muted(next(pool))
        });
        all
    }

    fn in_a_line(from: Source<'a>, deck: &Deck) -> Option<Columns<'a, Self>> {
        let width = deck.cell.0;
        let room = if width >= 34 { PIPS } else { PIPS / 2 };
        let amounts = from
            .seen
            .pools()
            .map(|pool| line_columns(&amount(pool, from)));
        let widest = amounts.max().unwrap_or(0).clamp(4, 7);
        // The marker, and a blank before each of the other columns.
        let name_room = width.saturating_sub(room + widest + 4);
        let mut all = Columns::default();
        all.add(Column::new("", (6, 6)).grows(), move |pool: &Self| {
            compact_name(pool, name_room, width >= 50, from)
        });
        all.add(Column::fixed("", room), move |pool| pips(pool, room, from));
        all.add(Column::fixed("", widest).right(), move |pool| {
            amount(pool, from)
        });
        Some(all)
    }

    fn card(&self, _: &mut Painter<'a>, _: Rect) {}

    fn title(&self, from: Source<'a>) -> (&'a str, &'a str) {
        (&self.name, from.seen.owner_name(self.owner))
    }

    /// Everything that it obeys.
    fn facts(&self, from: Source<'a>) -> Vec<(&'a str, Line<'a>)> {
        let thresholds = self.thresholds.iter().map(|(at, note)| {
            let is_reached = self.reaches(*at, self.tokens);
            let role = if is_reached {
                Role::Warning
            } else {
                Role::Text
            };
            ("", from.say(format!("at {at}: {note}"), role))
        });
        let tokens = join([pips(self, PIPS, from), amount(self, from)], "  ");
        // Its name stands above them, and what comes next among the thresholds.
        let told = Self::columns(from, 0).titled(self).into_iter();
        let told = told.filter(|(title, _)| !matches!(*title, "Pool" | "Tokens" | "Next"));
        let told = [("Tokens", tokens)].into_iter().chain(told);
        told.chain(thresholds).collect()
    }
}

/// Whose and which.
fn compact_name<'a>(pool: &'a TokenPool, room: u16, is_wide: bool, from: Source<'a>) -> Line<'a> {
    let Some(owner) = pool.owner else {
        return from.say(pool.name.as_str(), Role::Text);
    };
    let which = if is_wide {
        pool.name.as_str()
    } else {
        short_name(pool, from)
    };
    // Two owners are seldom called alike; their pools always are.
    let left = room.saturating_sub(columns(which) + 2).max(room / 3);
    let owner = from.look.fit(from.seen.owner_name(Some(owner)), left);
    let owner = from.say(owner, Role::Text);
    join([owner, from.say(which, Role::Muted)], "  ")
}

/// The threshold that comes next; behind the last one, that it was reached.
fn next(pool: &TokenPool) -> Option<String> {
    let reached = |at: i32| pool.reaches(at, pool.tokens);
    let thresholds = pool.thresholds.iter();
    let near = thresholds.min_by_key(|(at, _)| (reached(*at), at.abs_diff(pool.tokens)));
    near.map(|(at, note)| {
        let word = if reached(*at) { "reached" } else { "at" };
        format!("{word} {at}: {note}")
    })
}

fn goes_back(pool: &TokenPool) -> Option<String> {
    match pool.reset {
        Reset::Never => None,
        Reset::Scene => Some(format!("to {} each scene", pool.start)),
        Reset::Session => Some(format!("to {} each session", pool.start)),
        Reset::AtLeastStart => Some(format!("up to {} at the end", pool.start)),
    }
}

/// A number whose minus is as wide as a plus.
pub(super) fn number(number: i32) -> String {
    number.to_string().replace('-', "−")
}

/// A pool's tokens in at most so many columns, with the room for more where it can be seen: `●●●○○`, or `▼▼`
/// where they are owed. Nothing where they are too many to be counted at a glance.
pub(super) fn pips(pool: &TokenPool, width: u16, from: Source<'_>) -> Line<'static> {
    signs(pool, pool.cap, width.into(), from).unwrap_or_default()
}

/// A pool's tokens without the room for more, to be seen at a glance; a number where they are many.
pub(super) fn held(pool: &TokenPool, from: Source<'_>) -> Line<'static> {
    signs(pool, None, PIPS.into(), from).unwrap_or_else(|| amount(pool, from))
}

/// A sign for each token; none where they have no room.
fn signs(
    pool: &TokenPool,
    cap: Option<i32>,
    room: usize,
    from: Source<'_>,
) -> Option<Line<'static>> {
    let room = room.min(PIPS.into());
    let there = usize::try_from(pool.tokens.unsigned_abs()).unwrap_or(usize::MAX);
    let cap = cap.and_then(|cap| usize::try_from(cap).ok());
    let missing = cap
        .filter(|cap| *cap <= room)
        .unwrap_or(0)
        .saturating_sub(there);
    (there <= room).then(|| match (pool.tokens, missing) {
        (..0, _) => from.say("▼".repeat(there), Role::TokenDebt),
        (0, 0) => from.say("–", Role::TokenEmpty),
        _ => Line::from(vec![
            from.span("●".repeat(there), Role::Token),
            from.span("○".repeat(missing), Role::TokenEmpty),
        ]),
    })
}

/// A pool's name, as short as it goes.
pub(super) fn short_name<'a>(pool: &'a TokenPool, from: Source<'_>) -> &'a str {
    let specs = from.seen.system().spec().pools.iter();
    let spec = match pool.kind {
        PoolKind::Rule(kind) => specs.into_iter().find(|spec| spec.kind == kind),
        PoolKind::Own => None,
    };
    spec.map_or(pool.name.as_str(), |spec| Value::Pool(spec).heading())
}

/// A pool's tokens as a number, with the cap where there is one.
pub(super) fn amount(pool: &TokenPool, from: Source<'_>) -> Line<'static> {
    let is_debt = pool.tokens < 0;
    let role = if is_debt {
        Role::TokenDebt
    } else {
        Role::Token
    };
    let cap = pool.cap.map(|cap| format!("/{cap}"));
    Line::from(vec![
        from.span(number(pool.tokens), role),
        from.span(cap.unwrap_or_default(), Role::Muted),
    ])
}
