//! The rows of a call for a roll.

use crate::rules::{CheckSpec, Field, Kind, Source, Whose};
use crate::screen::dialog::entry::Entry;
use crate::screen::dialog::form::Item;
use crate::screen::dialog::given;
use crate::screen::dialog::roll;
use crate::screen::roll_requests;
use crate::session::{Call, Character, CharacterId};
use crate::table::SeatView;

/// Whether to call, or to take a call back.
pub(super) const DO: &str = "call-or-cancel";
/// Whom it is for.
pub(super) const WHO: &str = "call-who";
/// What there is to say about it.
pub(super) const WHO_HELP: &str = "Who is to roll. The worst and the best are found by their exact \
                                   odds at this very check.";
/// One of several.
pub(super) const PERSON: &str = "call-person";
/// Which check.
pub(super) const CHECK: &str = "call-check";
/// Who may see it.
pub(super) const SHOWN: &str = "call-shown";

/// Whose number it is.
pub(super) const NAMED: &str = "call-named";
/// Nobody's sheet gives it.
pub(super) const NOBODY: &str = "nobody's";
/// A field that everybody fills in from the own sheet.
const OWN: &str = "as each has it";

/// To call, or to take back what nobody has answered yet.
pub(super) fn what_to_do(open: &[&Call], at: usize, seen: &SeatView<'_>) -> Item {
    let each = open.iter().map(|call| {
        let who = seen.owner_name(Some(call.who));
        format!("take back: {who}, {}", roll_requests::told(call, seen))
    });
    let mut words = vec!["call for a roll".to_owned()];
    words.extend(each);
    if open.len() > 1 {
        words.push(format!("take back all {}", open.len()));
    }
    let at = at.min(words.len() - 1);
    let names: Vec<&str> = open
        .iter()
        .map(|call| seen.owner_name(Some(call.who)))
        .collect();
    let help = format!("Still to roll: {}.", names.join(", "));
    Item::new(DO, "Do", Entry::word(words, at), help)
}

/// Whom it is for: these, then everybody by name.
pub(super) fn who(
    names: [String; 4],
    people: &[CharacterId],
    at: usize,
    seen: &SeatView<'_>,
) -> Item {
    let people = people
        .iter()
        .map(|id| seen.owner_name(Some(*id)).to_owned());
    let words: Vec<String> = names.into_iter().chain(people).collect();
    Item::new(WHO, "Who", Entry::word(words, at), WHO_HELP)
}

/// One of several.
pub(super) fn person(one: &Character, is_picked: bool) -> Item {
    let mut item = Item::new(
        PERSON,
        format!("  {}", one.name),
        Entry::Flag(is_picked),
        "Whether this one is to roll.",
    );
    item.beside.clone_from(&one.player);
    item
}

/// Which check.
pub(super) fn check(check: &CheckSpec, seen: &SeatView<'_>) -> Item {
    let checks = seen.system().spec().checks;
    let at = checks.iter().position(|known| *known == check);
    let labels = checks.iter().map(|check| check.label);
    Item::new(
        CHECK,
        "Check",
        Entry::word(labels, at.unwrap_or(0)),
        check.help,
    )
}

/// Who may see it.
pub(super) fn shown(at: usize) -> Item {
    let words = ["those who are to roll", "all players"];
    let help = "Whether the others see that it is called for, and against what.";
    Item::new(SHOWN, "Shown to", Entry::word(words, at), help)
}

/// A field that whoever calls may give; what each one spends is each one's own affair.
pub(super) fn field(
    field: &'static Field,
    check: &'static CheckSpec,
    known: Option<&Item>,
    asked: &[CharacterId],
    seen: &SeatView<'_>,
) -> Option<Item> {
    if field.spends.is_some() || field.whose == Whose::Helper {
        return None;
    }
    let names = match field.whose {
        // A number of somebody else's has a row of its own to be read from a sheet.
        Whose::Opponent if matches!(field.kind, Kind::Number { .. }) => Vec::new(),
        Whose::Own | Whose::Opponent | Whose::Helper => given::names(field, asked, seen),
    };
    let from_a_sheet = !matches!(field.source, Source::Table);
    let is_own = field.whose == Whose::Own;
    let start = roll::starts(check, None, seen);
    let start = start.into_iter().find(|(id, _)| *id == field.id);
    let start = start.filter(|_| !(from_a_sheet && is_own));
    let start = start.map(|(_, value)| value.to_string());
    // A number of another check may have other bounds.
    let fits = |item: &&Item| match (field.kind, &item.entry) {
        (Kind::Number { min, max }, Entry::Number(_) | Entry::Named { .. }) => {
            item.bounds == (min, max)
        }
        _ => true,
    };
    let known = known.filter(fits);
    let known = known.map(|item| (item, given::given(field, item, OWN)));
    let entry = match known {
        Some((item, now)) => {
            let entry = given::entry(field, names, now.as_deref(), OWN);
            given::renamed(&item.entry, entry)
        }
        None => given::entry(field, names, start.as_deref(), OWN),
    };
    let item = Item::new(field.id, field.label, entry, field.help).hint(OWN);
    Some(match field.kind {
        Kind::Number { min, max } => item.within(min, max),
        Kind::Die | Kind::Flag | Kind::Word(_) | Kind::Text => item,
    })
}

/// A number of somebody else's that may be given by name instead: a creature's challenge number.
pub(super) fn named(
    field: &'static Field,
    known: Option<&Item>,
    seen: &SeatView<'_>,
) -> Option<Item> {
    if field.whose != Whose::Opponent || !matches!(field.kind, Kind::Number { .. }) {
        return None;
    }
    let names = seen.picks(None, field);
    if names.is_empty() {
        return None;
    }
    let words: Vec<String> = [NOBODY.to_owned()].into_iter().chain(names).collect();
    let now = known.map(|item| item.entry.words().into_owned());
    let at = now.and_then(|now| words.iter().position(|word| *word == now));
    let entry = Entry::word(words, at.unwrap_or(0));
    let help = "Whose number it is, read from that sheet; it counts before the number above.";
    Some(Item::new(NAMED, "  or from a sheet", entry, help))
}

/// What was given for a field, as a person writes it; nothing where it is left to each one's sheet.
pub(super) fn given(field: &'static Field, item: &Item) -> Option<String> {
    given::given(field, item, OWN)
}
