//! The token pools: as lines or cards on the table, and with their limits on the Tokens tab.

mod bar;
mod pictures;

use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;

use crate::Role;
use crate::app::list::ListId;
use crate::view::item_view::ItemView;
use crate::view::layout::PanelLayout;
use crate::view::sheets::{Fact, FactGroup};
use crate::view::{Painter, ViewContext};
use crate::widget::{Column, GridColumns, below, columns, join, left, line_columns};
use bar::{PIPS, bar};
use tableside_game::{MOST_TOKENS, PoolKind, Reset, TokenPool};

pub(super) use bar::pips;
pub(super) use pictures::draw_tab;

impl<'a> ItemView<'a> for &'a TokenPool {
    fn find(context: ViewContext<'a>, id: ListId) -> Option<Self> {
        context.view.game().pool(id.try_as_pool()?)
    }

    fn columns(context: ViewContext<'a>, width: u16) -> GridColumns<'a, Self> {
        let two_fifths = width * 2 / 5;
        let room_beside_numbers = width.saturating_sub(40).min(40);
        let name_room = two_fifths.max(room_beside_numbers);
        let is_wide = width >= 60;
        let mut columns = GridColumns::default();

        let name_column = Column::new("Pool", (16, 40));
        columns.add(name_column, move |pool: &Self| {
            compact_name(pool, name_room, is_wide, context)
        });
        let pips_column = Column::fixed("Tokens", PIPS).priority(1);
        columns.add(pips_column, move |pool| pips(pool, PIPS, context));
        let amount_column = Column::fixed("", 6).right();
        columns.add(amount_column, move |pool| amount(pool, context));

        // A column that no pool of the game uses is left out.
        let is_used = |text: fn(&TokenPool) -> Option<String>| {
            let mut pools = context.view.pools();
            pools.any(|pool| text(pool).is_some())
        };
        if is_used(minimum_text) {
            let minimum_column = Column::fixed("Minimum", 7).right().priority(6);
            columns.add(minimum_column, move |pool| {
                muted_cell(minimum_text(pool), context)
            });
        }
        if is_used(gains_text) {
            let gains_column = Column::fixed("This scene", 10).priority(3);
            columns.add(gains_column, move |pool| {
                muted_cell(gains_text(pool), context)
            });
        }
        let mut pools = context.view.pools();
        if pools.any(|pool| reset_text(pool, context).is_some()) {
            let reset_column = Column::fixed("Goes back", 26).priority(7);
            columns.add(reset_column, move |pool| {
                muted_cell(reset_text(pool, context), context)
            });
        }
        if is_used(next_threshold) {
            let threshold_column = Column::new("Next", (4, 44)).priority(8);
            columns.add(threshold_column, move |pool| {
                muted_cell(next_threshold(pool), context)
            });
        }

        columns
    }

    fn panel_columns(
        context: ViewContext<'a>,
        panel: &PanelLayout,
    ) -> Option<GridColumns<'a, Self>> {
        if panel.cell.height > 1 {
            return None;
        }

        let width = panel.cell.width;
        let is_wide = width >= 50;
        let pips_width = if width >= 34 { PIPS } else { PIPS / 2 };
        let amount_width = widest_amount(context).clamp(4, 7);
        // The marker, and a space before each of the other columns.
        let name_room = width.saturating_sub(pips_width + amount_width + 4);

        let mut columns = GridColumns::default();
        let name_column = Column::new("", (6, 6)).grows();
        columns.add(name_column, move |pool: &Self| {
            compact_name(pool, name_room, is_wide, context)
        });
        let pips_column = Column::fixed("", pips_width);
        columns.add(pips_column, move |pool| pips(pool, pips_width, context));
        let amount_column = Column::fixed("", amount_width).right();
        columns.add(amount_column, move |pool| amount(pool, context));

        Some(columns)
    }

    /// Draws the name, the tokens, a bar, and the next threshold.
    fn draw_card(&self, painter: &mut Painter<'a>, area: Rect) {
        let context = painter.context;
        let area = left(area, area.width.saturating_sub(1));
        draw_head(self, painter, area);
        painter.draw_line(below(area, 1), &bar(self, area.width, context));
        let next = next_threshold(self).unwrap_or_default();
        painter.draw_line(below(area, 2), &context.line(next, Role::Muted));
    }

    fn title(&self, context: ViewContext<'a>) -> (&'a str, &'a str) {
        (&self.name, context.view.owner_name(self.owner))
    }

    /// Returns the tokens, the limits and the thresholds.
    fn fact_groups(&self, context: ViewContext<'a>) -> Vec<FactGroup<'a>> {
        let signs = pips(self, PIPS, context);
        let tokens = join([signs, amount(self, context)], "  ");
        let mut facts = vec![Fact::new("Tokens", tokens)];
        for (name, text) in limits(self, context) {
            facts.push(Fact::new(name, text));
        }
        for line in threshold_lines(self, context) {
            facts.push(Fact::unnamed(line));
        }
        vec![FactGroup::new("", facts)]
    }
}

/// Draws the owner and the name, with the amount at the right edge.
fn draw_head<'a>(pool: &'a TokenPool, painter: &mut Painter<'a>, area: Rect) {
    let context = painter.context;
    let amount_width = painter.draw_line_right(area, &amount(pool, context));
    let room = area.width.saturating_sub(amount_width + 1);
    let name = bold(compact_name(pool, room, true, context));
    painter.draw_line(left(area, room), &name);
}

/// Makes each span of a line bold. The style of the line itself would not survive [`join`].
fn bold(line: Line<'_>) -> Line<'_> {
    line.into_iter()
        .map(|span| span.patch_style(Modifier::BOLD))
        .collect()
}

fn muted_cell(text: Option<String>, context: ViewContext<'_>) -> Line<'static> {
    context.line(text.unwrap_or_default(), Role::Muted)
}

/// Returns the width of the widest amount among all pools.
fn widest_amount(context: ViewContext<'_>) -> u16 {
    let mut widest = 0;
    for pool in context.view.pools() {
        let width = line_columns(&amount(pool, context));
        widest = widest.max(width);
    }
    widest
}

/// The titles of columns that show no limits.
const SHOWN_ELSEWHERE: [&str; 3] = ["Pool", "Tokens", "Next"];

/// Returns the limits with their names.
fn limits<'a>(pool: &'a TokenPool, context: ViewContext<'a>) -> Vec<(&'a str, Line<'a>)> {
    let mut limits = <&TokenPool>::columns(context, 0).titled(&pool);
    limits.retain(|(title, _)| !SHOWN_ELSEWHERE.contains(title));
    limits
}

fn threshold_lines<'a>(
    pool: &'a TokenPool,
    context: ViewContext<'a>,
) -> impl Iterator<Item = Line<'a>> {
    pool.thresholds.iter().map(move |(at, note)| {
        let (word, role) = if pool.reaches(*at, pool.tokens) {
            ("reached", Role::Warning)
        } else {
            ("at", Role::Text)
        };
        context.line(format!("{word} {}: {note}", number(*at)), role)
    })
}

/// Returns the owner and the name of the pool.
fn compact_name<'a>(
    pool: &'a TokenPool,
    room: u16,
    is_wide: bool,
    context: ViewContext<'a>,
) -> Line<'a> {
    let Some(owner) = pool.owner else {
        return context.line(pool.name.as_str(), Role::Text);
    };

    let pool_name = if is_wide {
        &pool.name
    } else {
        short_name(pool, context)
    };
    // The owner is cut before the name of the pool only if little room is left.
    let owner_room = room.saturating_sub(columns(pool_name) + 2).max(room / 3);
    let full_owner_name = context.view.owner_name(Some(owner));
    let owner_name = context.look.fit_name(full_owner_name, owner_room);
    let parts = [
        context.line(owner_name, Role::Text),
        context.line(pool_name, Role::Muted),
    ];
    join(parts, "  ")
}

/// Returns the nearest threshold that is not reached yet.
fn next_threshold(pool: &TokenPool) -> Option<String> {
    let (at, note) = pool
        .thresholds
        .iter()
        .filter(|(at, _)| !pool.reaches(*at, pool.tokens))
        .min_by_key(|(at, _)| at.abs_diff(pool.tokens))?;
    Some(format!("at {}: {note}", number(*at)))
}

/// Returns the minimum, unless it is 0, as one expects.
fn minimum_text(pool: &TokenPool) -> Option<String> {
    match pool.floor {
        0 => None,
        floor if floor <= -MOST_TOKENS => Some("none".to_owned()),
        floor => Some(number(floor)),
    }
}

fn gains_text(pool: &TokenPool) -> Option<String> {
    let gains = pool.gains?;
    Some(format!("{} of {}", gains.this_scene, gains.most))
}

/// Returns the number that the pool goes back to, and when.
fn reset_text(pool: &TokenPool, context: ViewContext<'_>) -> Option<String> {
    match context.view.game().reset_of(pool) {
        Reset::Never => None,
        Reset::Scene => Some(format!("to {} each scene", pool.start)),
        Reset::Session => Some(format!("to {} each session", pool.start)),
        Reset::AtLeastStart => Some(format!("to at least {} each session", pool.start)),
        Reset::Turn => Some(format!("to {} each turn", pool.start)),
        Reset::Recharge(recharge) => Some(format!("recharge {}", recharge.from)),
        Reset::ShortRest => Some(format!("to {} after a rest", pool.start)),
        Reset::LongRest => Some(format!("to {} after a long rest", pool.start)),
    }
}

/// Formats a number with a minus sign that is as wide as a plus sign.
pub(super) fn number(number: i32) -> String {
    number.to_string().replace('-', "−")
}

/// Returns the shortest name of a pool.
pub(super) fn short_name<'a>(pool: &'a TokenPool, context: ViewContext<'_>) -> &'a str {
    let spec = match pool.kind {
        PoolKind::Rule(id) => context.view.system().spec().pool(id),
        PoolKind::Own => None,
    };
    match spec {
        Some(spec) => spec.short_name(),
        None => &pool.name,
    }
}

/// Returns the number of tokens, with the maximum if there is one.
pub(super) fn amount(pool: &TokenPool, context: ViewContext<'_>) -> Line<'static> {
    let tokens = context.view.tokens_in(pool);
    let role = if tokens < 0 {
        Role::TokenDebt
    } else {
        Role::Token
    };
    let maximum = match pool.cap {
        Some(cap) => format!("/{cap}"),
        None => String::new(),
    };
    Line::from(vec![
        context.span(number(tokens), role),
        context.span(maximum, Role::Muted),
    ])
}
