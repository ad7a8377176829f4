//! The result of a roll as blocks: the dice, the outcome, and the effects.

use crate::Role;
use crate::dialog::reading::{Block, StyledText};
use crate::view::tone;
use crate::widget::die::{DieBox, DieSeparator, Extreme};
use tableside_dice::{DieRole, Face};
use tableside_game::Event;
use tableside_rules::{ShownDie, die_roles};
use tableside_table::{Headline, Part, SeatView};
use tableside_text::capitalise;

/// Returns the dice of a roll as boxes. A rerolled die also shows its first face, and a dropped die is dim.
pub(crate) fn die_boxes(dice: &[ShownDie]) -> Vec<DieBox> {
    let has_several_roles = has_several_roles(dice);
    let mut last_role = None;
    let mut is_behind_vs = false;
    let mut boxes = Vec::new();

    for (index, die) in dice.iter().enumerate() {
        let is_replaced = dice.iter().any(|other| other.replaces == Some(index));
        if is_replaced {
            continue;
        }

        let mut separator = None;
        if die.role.is_opposed() && !is_behind_vs && !boxes.is_empty() {
            separator = Some(DieSeparator::Versus);
            last_role = None;
        }
        is_behind_vs = die.role.is_opposed();

        // The first die of each role names it.
        let mut part = "";
        if has_several_roles && names_role(die) && last_role != Some(die.role) {
            last_role = Some(die.role);
            part = die.role.label_beside_vs().unwrap_or_default();
        }

        let face = die.value.unwrap_or(die.face);
        let extreme = extreme(die, face);
        let face_before = face_before(die, dice);
        boxes.push(DieBox {
            extreme,
            part: part.to_owned(),
            was: face_before.map(|face| die.die.face_label(face)),
            is_dropped: !die.kept,
            is_exploded: is_followed_by_chain(index, dice)
                && !is_digit(die)
                && die.kept
                && face == die.die.highest(),
            separator,
            ..DieBox::new(die.die.name(), die.die.face_label(face))
        });
    }
    boxes
}

/// Returns true if a die is a digit of a d100.
fn is_digit(die: &ShownDie) -> bool {
    die.role == DieRole::TENS || die.role == DieRole::ONES
}

fn is_chain(die: &ShownDie) -> bool {
    die.role == die_roles::CHAIN
}

/// Returns true if the role of a die is shown.
fn names_role(die: &ShownDie) -> bool {
    !is_chain(die)
}

/// Returns true if the dice have different roles, so that the roles must be named.
fn has_several_roles(dice: &[ShownDie]) -> bool {
    let Some(first) = dice.first() else {
        return false;
    };
    dice.iter()
        .any(|die| die.role != first.role && names_role(die))
}

/// Returns the mark of a die that shows its highest or its lowest face, which is good or bad for the roller. Dropped
/// dice, digits, and dice that the result is compared with have no mark.
fn extreme(die: &ShownDie, face: Face) -> Option<Extreme> {
    if is_digit(die) || !die.kept || die.role.is_opposed() {
        None
    } else if face == die.die.highest() {
        Some(Extreme::Highest)
    } else if face == die.die.lowest() {
        Some(Extreme::Lowest)
    } else {
        None
    }
}

/// Returns the face that a die showed before it was rolled again or its value was changed.
fn face_before(die: &ShownDie, dice: &[ShownDie]) -> Option<Face> {
    if let Some(replaced) = die.replaces.and_then(|index| dice.get(index)) {
        return Some(replaced.face);
    }
    match die.value {
        Some(value) if value != die.face => Some(die.face),
        _ => None,
    }
}

/// Returns true if a further die was rolled because of it.
fn is_followed_by_chain(index: usize, dice: &[ShownDie]) -> bool {
    let die = &dice[index];
    match dice.get(index + 1) {
        Some(next) if is_chain(die) => is_chain(next),
        _ => !is_chain(die) && dice.iter().any(is_chain),
    }
}

/// Returns the outcome, and the numbers that led to it.
pub(super) fn headline_parts(headline: &Headline) -> Vec<StyledText> {
    let tone = headline.tone;
    let outcome = format!(
        "{} {}",
        tone::sign(tone, headline.has_success),
        headline.label
    );
    let mut parts = vec![(tone::role(tone), outcome)];

    if !headline.numbers.is_empty() {
        let numbers = headline.numbers.replace('-', "−");
        parts.push((Role::Text, format!("   {numbers}")));
    }
    parts
}

/// Returns a block for each effect of an event.
pub(super) fn effect_blocks(event: &Event, view: &SeatView<'_>) -> Vec<Block> {
    let effects = event.describe_effects(view, false);
    effects
        .into_iter()
        .map(|effect| part_block(Part::Followed(effect)))
        .collect()
}

/// Returns the block that draws a part of an explanation.
pub(super) fn part_block(part: Part) -> Block {
    match part {
        Part::Aside(text) => Block::muted(text),
        Part::Warning(text) => Block::words(Role::Warning, text),
        Part::Hidden(text) => Block::words(Role::Hidden, text),
        Part::Reading {
            lead,
            headline,
            is_struck,
        } => {
            let role = if is_struck { Role::Struck } else { Role::Text };
            let parts = headline_parts(&headline);
            let text: String = parts.into_iter().map(|(_, text)| text).collect();
            Block::Parts(vec![(Role::Muted, lead), (role, text)])
        }
        Part::Dice(dice) => Block::Dice(die_boxes(&dice)),
        Part::Headline(headline) => Block::Parts(headline_parts(&headline)),
        Part::Step(number, text) => Block::led(Role::Text, format!("{number:>2}  "), text),
        Part::Narration(text) => Block::words(Role::Info, text),
        Part::Heading(text) => Block::heading(text),
        Part::Followed(text) => Block::led(Role::Text, "• ", capitalise(&text)),
        Part::Text(text) => Block::text(text),
        Part::Gap => Block::Gap,
    }
}
