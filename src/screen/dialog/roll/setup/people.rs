//! Who makes a check being set up, and who could help.

use crate::rules::CheckSpec;
use crate::session::{Allegiance, Character, CharacterId, GroupKind};
use crate::table::{Role, SeatView};

/// Who makes a check: one who rolls for all, else that character or nobody.
pub(super) type Maker = (Option<GroupKind>, Option<CharacterId>);

/// Who may make a check from this seat: the GM's everybody, nobody, and one for all; a player's own.
pub(super) fn makers(check: &CheckSpec, seen: &SeatView<'_>) -> Vec<Maker> {
    let seat = seen.seat();
    let is_player = seat.role == Role::Player;
    let own = here(seen).filter(|one| !is_player || seat.characters.contains(&one.id));
    let mut known: Vec<Maker> = own.map(|one| (None, Some(one.id))).collect();
    if !is_player || known.is_empty() {
        known.push((None, None));
    }
    if !is_player && check.has_success && party(seen).count() > 1 {
        known.extend([GroupKind::Worst, GroupKind::Best].map(|kind| (Some(kind), None)));
    }
    known
}

fn here<'a>(seen: &'a SeatView<'_>) -> impl Iterator<Item = &'a Character> {
    seen.roster().filter(|one| one.is_here())
}

/// The party, as far as it is here.
pub(super) fn party(seen: &SeatView<'_>) -> impl Iterator<Item = CharacterId> {
    let party = here(seen).filter(|one| one.side == Allegiance::Party);
    party.map(|one| one.id)
}

/// Who could help that one.
pub(super) fn others(who: Option<CharacterId>, seen: &SeatView<'_>) -> Vec<CharacterId> {
    let others = here(seen).map(|one| one.id);
    others.filter(|id| Some(*id) != who).collect()
}
