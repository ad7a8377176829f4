//! Takes the values of slots from typed words.
//!
//! Each `take_…` function puts the value at the start of `words` into the slots, and returns the number of words taken: 0
//! if the words do not begin with such a value.

use super::form::SlotKind;
use super::free_dice::request_free_dice;
use super::known_names::parse_number;
use super::readers::{look_up_note, look_up_pin, look_up_readers};
use super::target_lookup::look_up_targets;
use super::{ParseError, Slots};
use tableside_dice::notation::Notation;
use tableside_table::SeatView;

/// Looks up a name and puts its value into the slots. Returns the uncertainty of the name.
pub(super) fn fill_with_name(
    kind: SlotKind,
    name: &str,
    slots: &mut Slots,
    view: &SeatView<'_>,
) -> Result<u32, ParseError> {
    match kind {
        SlotKind::Readers => {
            let readers = look_up_readers(name, view)?;
            slots.readers = Some(readers.value);
            Ok(readers.uncertainty)
        }
        SlotKind::Pin => {
            let pin = look_up_pin(name, view)?;
            slots.pin = Some(pin.value);
            Ok(pin.uncertainty)
        }
        SlotKind::Note => {
            let note = look_up_note(name, view)?;
            slots.note = Some(note.value);
            Ok(note.uncertainty)
        }
        kind => {
            let named = look_up_targets(kind, name, slots.owner(), view)?;
            slots.targets.extend(named.targets);
            Ok(named.uncertainty)
        }
    }
}

pub(super) fn take_number(slot: &str, words: &[&str], slots: &mut Slots) -> usize {
    let number = words.first().and_then(|word| parse_number(word));
    if slot == "ROUNDS" {
        slots.rounds = number;
    } else {
        slots.amount = number;
    }
    usize::from(number.is_some())
}

pub(super) fn take_number_or_dice(words: &[&str], slots: &mut Slots) -> usize {
    let Some(word) = words.first() else {
        return 0;
    };
    match word.parse::<Notation>() {
        Ok(notation) if notation.repetitions() == 1 => {
            slots.counts.push((*word).to_owned());
            1
        }
        Ok(_) | Err(_) => 0,
    }
}

pub(super) fn take_entry_tag(words: &[&str], slots: &mut Slots) -> usize {
    let number = words.first().and_then(|word| word.strip_prefix('#'));
    slots.entry_tag = number.and_then(|number| number.parse().ok());
    usize::from(slots.entry_tag.is_some())
}

/// Takes an expression of free dice, with its options.
pub(super) fn take_dice(words: &[&str], slots: &mut Slots, view: &SeatView<'_>) -> usize {
    let text = words.join(" ");
    // Mistakes in the faces are reported later, when the act is built.
    let has_no_dice = matches!(request_free_dice(&text, view), Ok(None));
    if has_no_dice {
        return 0;
    }

    slots.text = text;
    words.len()
}

pub(super) fn take_entry(words: &[&str], slots: &mut Slots, view: &SeatView<'_>) -> usize {
    slots.entry = words.first().and_then(|word| find_entry(word, view));
    usize::from(slots.entry.is_some())
}

/// Finds the number of an entry: `12`, `#12`, or `last` for the newest entry.
fn find_entry(word: &str, view: &SeatView<'_>) -> Option<u64> {
    if word.eq_ignore_ascii_case("last") {
        let newest = view.log().next()?;
        return Some(newest.number);
    }

    let number = word.strip_prefix('#').unwrap_or(word).parse().ok()?;
    // A player must not learn which numbers belong to hidden entries.
    let may_refer = view.seat().sees_all() || view.entry(number).is_some();
    if may_refer { Some(number) } else { None }
}
