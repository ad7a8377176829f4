//! The roll above the list of the last rolls, with its dice as boxes.

use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use crate::Role;
use crate::app::list::ListId;
use crate::app::state::Panel;
use crate::view::entry::{RollView, dice_as_they_lie};
use crate::view::layout::{BESIDE_DICE, PanelLayout};
use crate::view::{Painter, ViewContext, tone};
use crate::widget::{DiceRow, after, join, left, percent, top};
use tableside_table::Entry;

/// The most columns of the dice as text beside the text of a large roll.
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

    let rolls = context.state.list(Panel::Rolls);
    let is_valid = |number: &u64| !context.view.is_struck(*number);
    let selected = rolls.id().and_then(ListId::try_as_roll);
    if has_focus && let Some(selected) = selected.filter(is_valid) {
        return Some(selected);
    }
    rolls
        .lines()
        .iter()
        .flatten()
        .filter_map(|id| id.try_as_roll())
        .find(is_valid)
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
    let dice_area = left(area, dice_width);
    // The last row separates the roll from the list.
    let dice_area = top(dice_area, area.height.saturating_sub(1));
    (&row).render(dice_area, painter.buffer);

    let words_area = after(area, dice_area.width + 2);
    let lines = lead_lines(entry, context);
    painter.draw_paragraphs(words_area, &lines);
}

/// Returns the text beside the dice of a large roll.
fn lead_lines(entry: &Entry, context: ViewContext<'_>) -> Vec<Line<'static>> {
    let look = context.look;
    let system = context.view.system();
    let Some(roll) = RollView::of(entry, context.view) else {
        return vec![context.line(entry.event.text(system), Role::Title)];
    };

    let tested = context.line(roll.tested.title(&roll.roll.who), Role::Title);
    let remark = context.line(roll.about(), Role::Muted);

    let told = roll.told();
    let label = format!("{} {}", tone::sign(told.tone), told.label.to_uppercase());
    let label_style = look
        .style(tone::role(told.tone))
        .add_modifier(Modifier::BOLD);
    let outcome = Line::from(Span::styled(label, label_style));
    let numbers_style = look.style(Role::Text).add_modifier(Modifier::BOLD);
    let numbers = Line::from(Span::styled(roll.numbers(), numbers_style));

    let chance = chance_text(&roll, entry, context);
    let chance = context.line(chance.unwrap_or_default(), Role::Muted);
    let followed = roll.followed(entry, context);
    vec![
        join([tested, remark], " "),
        join([outcome, numbers], "  "),
        join([chance, followed], "  "),
    ]
}

/// Returns the chance of success that the roll had. Where success was out of the question, it is the chance of each
/// outcome.
fn chance_text(roll: &RollView<'_>, entry: &Entry, context: ViewContext<'_>) -> Option<String> {
    let system = context.view.system();
    if let Some(chance) = entry.chance(system)
        && chance > 0.0
    {
        return Some(format!("{} to succeed", percent(chance)));
    }

    let outcomes = roll.roll.outcome_chances(system)?;
    let possible: Vec<String> = outcomes
        .iter()
        .filter(|(_, chance)| *chance > 0.0)
        .map(|(outcome, chance)| format!("{} {}", outcome.label, percent(*chance)))
        .collect();
    Some(possible.join(", "))
}
