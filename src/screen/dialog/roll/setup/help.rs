//! Who helps, by name: what help brings is filled in, and says whose it is.

use super::{RowId, Setup};
use crate::rules::{CheckSpec, Field, Kind, Whose};
use crate::session::CharacterId;
use crate::table::SeatView;

/// The fields that help fills in.
const FIELDS: [&str; 3] = ["helped", "aided", "group"];

/// Whether naming helpers fills in that field.
pub(super) fn is_raised_by_help(field: &Field) -> bool {
    FIELDS.contains(&field.id) || field.whose == Whose::Helper
}

/// The field beneath which helpers are named.
pub(super) fn opens(check: &CheckSpec) -> Option<&'static str> {
    let mut fields = check.fields.iter();
    fields
        .find(|field| is_raised_by_help(field))
        .map(|field| field.id)
}

/// Whether the rules let others help with that check.
fn takes_help(check: &CheckSpec) -> bool {
    check.helping.is_some()
}

impl Setup {
    /// The row of the helpers, opened while one is in it.
    pub(super) fn helper_rows(&self, seen: &SeatView<'_>) -> Vec<RowId> {
        let others = self.others(seen);
        if others.is_empty() || !(takes_help(self.check) || self.group.is_some()) {
            return Vec::new();
        }
        let mut rows = vec![RowId::Helpers];
        if matches!(self.focus, RowId::Helpers | RowId::Helper(_)) {
            rows.extend(others.into_iter().map(RowId::Helper));
        }
        rows
    }

    /// Who could help, or take part.
    fn others(&self, seen: &SeatView<'_>) -> Vec<CharacterId> {
        if self.group.is_some() {
            return super::group::members(seen);
        }
        let here = seen.roster().filter(|one| one.is_here());
        let here = here.map(|one| one.id);
        here.filter(|id| Some(*id) != self.who).collect()
    }

    /// Lets the helpers help, as far as the check takes help.
    pub(super) fn let_help(&mut self, seen: &SeatView<'_>) {
        let others = self.others(seen);
        self.helpers.retain(|id| others.contains(id));
        if takes_help(self.check) {
            let helpers: Vec<CharacterId> = self.helpers.iter().copied().collect();
            // They were all found just now.
            seen.help(&mut self.filled, self.who, &helpers).ok();
        }
    }

    /// Turning off what the helpers brought sends them away; whether it did.
    pub(super) fn helpers_are_sent_away(&mut self, field: &Field) -> bool {
        let raised = self.group.is_none()
            && !self.helpers.is_empty()
            && matches!(field.kind, Kind::Flag)
            && is_raised_by_help(field);
        if raised {
            self.helpers.clear();
        }
        raised
    }

    /// Who helps with the check as it stands.
    pub(in crate::screen::dialog::roll) fn helping(&self) -> Vec<CharacterId> {
        match &self.group {
            Some(group) => group.helpers().to_vec(),
            None if takes_help(self.check) => self.helpers.iter().copied().collect(),
            None => Vec::new(),
        }
    }

    /// Lets that one help, or not any more; in a group lets it take part, or stay out.
    pub(super) fn turn_helper(&mut self, id: CharacterId, seen: &SeatView<'_>) {
        if let Some(group) = &mut self.group {
            group.turn(id);
        } else {
            if !self.helpers.remove(&id) {
                self.helpers.insert(id);
            }
            // What help brings is not what was said by hand before.
            let check = self.check;
            self.given.retain(|(known, _)| {
                check
                    .field(known)
                    .is_none_or(|field| !is_raised_by_help(field))
            });
        }
        self.fill(seen);
    }
}
