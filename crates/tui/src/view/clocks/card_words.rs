//! The text on the card of a clock.

use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;

use super::face;
use super::text::{automation, clock_name, outlook, owner_name};
use crate::Role;
use crate::view::{ViewContext, layout};
use crate::widget::{below, join, top, wrap_line};
use tableside_game::Visibility;
use tableside_table::ClockView;

/// The text on the card of a clock, and its places.
pub(super) struct CardWords<'a> {
    pub(super) name: Vec<Line<'a>>,
    pub(super) name_area: Rect,
    pub(super) facts: Vec<Vec<Line<'a>>>,
    pub(super) fact_area: Rect,
}

impl<'a> CardWords<'a> {
    pub(super) fn new(view: &ClockView<'a>, card: Rect, context: ViewContext<'a>) -> Self {
        let (face_area, words_area) = layout::face_and_words(card);

        let bold_name: Line<'_> = clock_name(view, context)
            .into_iter()
            .map(|span| span.patch_style(Modifier::BOLD))
            .collect();
        let name = wrap_line(&bold_name, words_area.width);
        // A long name leaves the last row to the count.
        let max_name_rows = words_area.height.max(2) - 1;
        let name_rows = u16::try_from(name.len()).unwrap_or(1).min(max_name_rows);

        let fact_rows = words_area.height.saturating_sub(name_rows);
        let count = face(view, context).count();
        let facts: Vec<Vec<Line<'_>>> = card_facts(view, count, fact_rows, context)
            .iter()
            .map(|line| wrap_line(line, words_area.width))
            .collect();

        // Text beside a face is centred.
        let line_count: usize = facts.iter().map(Vec::len).sum();
        let used_rows = u16::try_from(line_count)
            .unwrap_or(fact_rows)
            .min(fact_rows);
        let is_beside = words_area.x > face_area.x;
        let indent = if is_beside {
            (fact_rows - used_rows) / 2
        } else {
            0
        };

        let text_area = below(words_area, indent);
        Self {
            name,
            name_area: top(text_area, name_rows),
            facts,
            fact_area: below(text_area, name_rows),
        }
    }
}

/// Returns the lines below the name on a card: the count with the kind or the owner, the owner, the automation and the
/// forecast.
fn card_facts<'a>(
    view: &ClockView<'a>,
    count: String,
    rows: u16,
    context: ViewContext<'a>,
) -> Vec<Line<'a>> {
    let clock = view.clock;
    let mut first_line = vec![context.line(count, Role::Text)];
    if clock.visibility != Visibility::Visible {
        first_line.push(context.line(clock.visibility.into_str(), Role::Hidden));
    }

    let mut facts = Vec::new();
    let kind = context.line(clock.kind.into_str(), Role::Muted);
    match owner_name(view, context) {
        // If a long name leaves no row for the owner, the owner replaces the kind.
        Some(owner) if rows < 2 => first_line.push(context.line(owner, Role::Muted)),
        Some(owner) => {
            first_line.push(kind);
            facts.push(context.line(owner, Role::Muted));
        }
        None => first_line.push(kind),
    }
    facts.insert(0, join(first_line, "  "));

    if let Some(automation) = automation(view, context) {
        facts.push(context.line(automation, Role::Muted));
    }
    if let Some(outlook) = outlook(view, context) {
        facts.push(context.line(outlook, Role::Info));
    }
    facts
}
