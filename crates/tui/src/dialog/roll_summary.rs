//! What happened, as a dialog draws it: the dice, what they came to, and what followed.

use crate::Role;
use crate::dialog::reading::{Block, StyledText};
use crate::view::tone;
use crate::widget::die::{DieBox, Extreme};
use tableside_dice;
use tableside_game::Event;
use tableside_rules::ShownDie;
use tableside_rules::die_roles;
use tableside_table::{Headline, Part, SeatView};
use tableside_text::capitalise;

/// The dice as they lie on the table: those rolled again say what they were before, dropped ones are dim.
pub(crate) fn die_boxes(dice: &[ShownDie]) -> Vec<DieBox> {
    let again = |index: usize| dice.iter().any(|die| die.replaces == Some(index));
    let shown = dice.iter().enumerate().filter(|(index, _)| !again(*index));
    let digits = [tableside_dice::DieRole::TENS, tableside_dice::DieRole::ONES];
    let is_digit = |die: &ShownDie| digits.contains(&die.role);
    let is_told = |die: &ShownDie| !is_digit(die) && die.role != die_roles::CHAIN;
    let mut said = dice.first().map(|first| first.role);
    // Where all are for the same, that goes without saying.
    let is_mixed = dice
        .iter()
        .any(|die| Some(die.role) != said && is_told(die));
    said = said.filter(|_| !is_mixed);
    shown
        .map(|(index, die)| {
            let face = die.value.unwrap_or(die.face);
            // A digit of a d100 is neither a best nor a worst.
            let is_digit = is_digit(die);
            let is_new = is_mixed && is_told(die) && said.replace(die.role) != Some(die.role);
            let part = if is_new { die.role.label() } else { None };
            let extreme = match face {
                _ if is_digit || !die.kept => None,
                _ if face == die.die.highest() => Some(Extreme::Highest),
                _ if face == die.die.lowest() => Some(Extreme::Lowest),
                _ => None,
            };
            let before = die.replaces.and_then(|index| dice.get(index));
            let was = before.map(|before| before.face);
            let is_changed = die.value.is_some_and(|value| value != die.face);
            let was = was.or_else(|| is_changed.then_some(die.face));
            let is_chain = |die: &ShownDie| die.role == die_roles::CHAIN;
            let goes_on = match dice.get(index + 1) {
                Some(next) if is_chain(die) => is_chain(next),
                _ => !is_chain(die) && dice.iter().any(is_chain),
            };
            DieBox {
                extreme,
                part: part.unwrap_or_default().to_owned(),
                was: was.map(|was| die.die.face_label(was)),
                is_dropped: !die.kept,
                is_exploded: goes_on && extreme == Some(Extreme::Highest),
                ..DieBox::new(die.die.name(), die.die.face_label(face))
            }
        })
        .collect()
}

/// The outcome with its total and its target, each as far as there is one.
pub(super) fn headline_parts(told: &Headline) -> Vec<StyledText> {
    let tone = told.outcome.tone;
    let words = format!("{} {}", tone::sign(tone), told.outcome.label);
    let mut parts = vec![(tone::role(tone), words)];
    let numbers = told.numbers();
    parts.extend((!numbers.is_empty()).then(|| (Role::Text, format!("   {numbers}"))));
    parts
}

/// What followed, as it was booked.
pub(super) fn effect_blocks(event: &Event, view: &SeatView<'_>) -> Vec<Block> {
    let follows = event.describe_effects(view, false).into_iter();
    follows
        .map(|words| part_block(Part::Followed(words)))
        .collect()
}

/// Converts a part of an explanation into a block.
pub(super) fn part_block(part: Part) -> Block {
    match part {
        Part::Aside(words) => Block::words(Role::Muted, words),
        Part::Warning(words) => Block::words(Role::Warning, words),
        Part::Hidden(words) => Block::words(Role::Hidden, words),
        Part::Reading {
            lead,
            headline: told,
            is_struck,
        } => {
            let role = if is_struck { Role::Struck } else { Role::Text };
            let parts = headline_parts(&told).into_iter();
            let words: String = parts.map(|(_, words)| words).collect();
            Block::Parts(vec![(Role::Muted, lead), (role, words)])
        }
        Part::Dice(dice) => Block::Dice(die_boxes(&dice)),
        Part::Headline(told) => Block::Parts(headline_parts(&told)),
        Part::Step(number, words) => Block::led(Role::Text, format!("{number:>2}  "), words),
        Part::Narration(words) => Block::words(Role::Info, words),
        Part::Heading(words) => Block::words(Role::Heading, words),
        Part::Followed(words) => Block::led(Role::Text, "• ", capitalise(&words)),
        Part::Text(words) => Block::words(Role::Text, words),
        Part::Gap => Block::Gap,
    }
}
