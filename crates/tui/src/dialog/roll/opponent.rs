//! Whom a check is against.

use crate::dialog::check_form::last_roll;
use tableside_game::{Allegiance, Character, CharacterId, opponent_of};
use tableside_rules::{CheckSpec, Field, ValueSource, Whose};
use tableside_table::SeatView;

/// The fields whose values come from an opponent's sheet.
pub(super) fn opponents_fields(check: &'static CheckSpec) -> impl Iterator<Item = &'static Field> {
    let theirs = check.fields.iter();
    theirs.filter(|field| field.whose == Whose::Opponent && !is_of_the_table(field))
}

/// Whom a check may be against, those of the other side first; nobody where no sheet says anything of it.
pub(super) fn opponents<'a>(
    check: &'static CheckSpec,
    who: Option<CharacterId>,
    view: &'a SeatView<'_>,
) -> Vec<&'a Character> {
    let Some(field) = opponents_fields(check).next() else {
        return Vec::new();
    };
    let who = who.and_then(|id| view.character(id));
    view.other_characters(who, field).collect()
}

/// The field that names an opponent: by the name alone where the sheet has but one answer, else by the highest.
pub(super) fn facing(
    one: &Character,
    check: &'static CheckSpec,
    who: Option<CharacterId>,
    view: &SeatView<'_>,
) -> Option<(String, String)> {
    let field = opponents_fields(check).next()?;
    let filled = view.fill(check, who);
    let value = |text: &str| {
        let mut tried = filled.clone();
        view.fill_in(&mut tried, who, field, text).ok()?;
        Some(tried.fields.maybe_number(field.id))
    };
    let begins = format!("{}: ", one.name);
    let mut picks = view.picks(who, field);
    picks.retain(|pick| pick.starts_with(&begins));
    picks.sort_by_cached_key(|pick| value(pick).flatten());
    let alone = value(&one.name).map(|_| one.name.clone());
    Some((field.id.to_owned(), alone.or_else(|| picks.pop())?))
}

/// Whom a check is against before anybody says so: whom the last one was against, else the first of the other side
/// where it is against somebody at all.
pub(super) fn default_opponent(
    check: &'static CheckSpec,
    who: Option<CharacterId>,
    view: &SeatView<'_>,
) -> Option<CharacterId> {
    let known = opponents(check, who, view);
    let is_known = |id: &CharacterId| known.iter().any(|one| one.id == *id);
    let last = last_roll(check, who, view);
    let last = last.as_ref().and_then(|entry| entry.roll());
    let last = last.filter(|roll| roll.id == who);
    let last = last.and_then(|roll| opponent_of(check, &roll.sources));
    let own = who.and_then(|id| view.character(id));
    let own = own.map_or(Allegiance::Party, |one| one.side);
    // A saving throw is as often against nobody: there the one number is all that is asked of a sheet.
    let is_fought = opponents_fields(check).nth(1).is_some() || check.affects_opponent();
    let is_down = |one: &Character| one.sheet.standing(&view.house).is_some();
    let enemies = known.iter().filter(|one| !own.is_with(one.side));
    let living = enemies.clone().find(|one| !is_down(one));
    let first = living.or_else(|| enemies.clone().next());
    let first = first.filter(|_| is_fought).map(|one| one.id);

    let last = last.filter(is_known);
    let last_is_down = last.and_then(|id| view.character(id)).is_some_and(is_down);
    if last_is_down && living.is_some() && is_fought {
        return first;
    }
    last.or(first)
}

/// Whether a field is not read off a sheet.
pub(super) fn is_of_the_table(field: &Field) -> bool {
    matches!(field.source, ValueSource::Table)
}
