//! The roll above the list of the last rolls, with its dice as boxes.

use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use crate::Role;
use crate::app::list::ListId;
use crate::app::state::Panel;
use crate::view::entry::{RollView, closed, dice_as_they_lie};
use crate::view::layout::{BESIDE_DICE, PanelLayout};
use crate::view::{Painter, ViewContext, tone};
use crate::widget::{DiceRow, after, join, left, percent, top};
use tableside_table::Entry;

/// The maximum number of columns of dice as text, beside the words of a large roll.
const MAX_DICE_TEXT: u16 = 60;

/// Returns the roll that is shown large: the selected one, or the latest one. It is never a roll that was undone.
pub(super) fn large_roll(
    context: ViewContext<'_>,
    layout: &PanelLayout,
    has_focus: bool,
) -> Option<u64> {
    if layout.lead.height == 0 {
        return None;
    }

    let view = context.view;
    let rolls = context.state.list(Panel::Rolls);
    let selected = rolls.id().and_then(ListId::try_as_roll);
    if has_focus
        && let Some(selected) = selected
        && !view.is_struck(selected)
    {
        return Some(selected);
    }

    rolls
        .lines()
        .iter()
        .flatten()
        .filter_map(|id| id.try_as_roll())
        .find(|number| !view.is_struck(*number))
}

/// Draws a large roll: the dice, and beside them the tested value, the outcome, the chance and the effects.
pub(super) fn draw_lead(painter: &mut Painter<'_>, area: Rect, entry: &Entry) {
    let context = painter.context;
    let look = context.look;
    let dice = dice_as_they_lie(entry, context.view);
    let row = DiceRow { dice: &dice, look };

    let dice_room = area.width.saturating_sub(BESIDE_DICE);
    let dice_rows = row.height(dice_room);
    let has_boxes = dice_rows > 0 && dice_rows < area.height;
    let dice_width = if has_boxes {
        row.width().min(dice_room)
    } else {
        dice_room.min(MAX_DICE_TEXT)
    };
    // The last row separates the roll from the list.
    let dice_height = area.height.saturating_sub(1);
    let dice_area = top(left(area, dice_width), dice_height);
    (&row).render(dice_area, painter.buffer);

    let words_area = after(area, dice_area.width + 2);
    let lines = lead_lines(entry, context);
    painter.draw_paragraphs(words_area, &lines);
}

/// Returns the text beside the dice of a large roll.
fn lead_lines(entry: &Entry, context: ViewContext<'_>) -> Vec<Line<'static>> {
    let system = context.view.system();
    let hidden_sign = closed(entry, context).unwrap_or_default();
    let Some(roll) = RollView::of(entry, context.view) else {
        let text = context.line(entry.event.text(system), Role::Title);
        return vec![join([hidden_sign, text], " ")];
    };

    let tested_value = roll.tested.title(&roll.roll.who);
    let title = context.line(tested_value, Role::Title);
    let remark = context.line(roll.about(), Role::Muted);

    let outcome_spec = roll.told();
    let sign = tone::sign(outcome_spec.tone, roll.spec.has_success);
    let label = format!("{sign} {}", roll.outcome_words().to_uppercase());
    let outcome = bold_line(label, tone::role(outcome_spec.tone), context);
    let numbers = bold_line(roll.numbers(), Role::Text, context);

    let chance_text = chance_text(&roll, entry, context).unwrap_or_default();
    let chance = context.line(chance_text, Role::Muted);
    let effects = roll.followed(entry, context);
    vec![
        join([hidden_sign, title, remark], " "),
        join([outcome, numbers], "  "),
        join([chance, effects], "  "),
    ]
}

fn bold_line(text: String, role: Role, context: ViewContext<'_>) -> Line<'static> {
    let style = context.look.style(role).add_modifier(Modifier::BOLD);
    Line::from(Span::styled(text, style))
}

/// Describes the chance of success that the roll had. If no success was possible, describes the chance of each outcome.
fn chance_text(roll: &RollView<'_>, entry: &Entry, context: ViewContext<'_>) -> Option<String> {
    let system = context.view.system();
    if let Some(chance) = entry.chance(system)
        && chance > 0.0
    {
        return Some(format!("{} to succeed", percent(chance)));
    }

    let mut possible_outcomes = Vec::new();
    for (outcome, chance) in roll.roll.outcome_chances(system)? {
        if chance > 0.0 {
            let percentage = percent(chance);
            possible_outcomes.push(format!("{} {percentage}", outcome.label));
        }
    }
    Some(possible_outcomes.join(", "))
}
