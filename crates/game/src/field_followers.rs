//! Fields that depend on a picked name: values that the system derives from it, and the same stat of the opponent.

use super::filled::SourcedValue;
use super::sheet_lookup::SheetValue;
use super::{Character, Filled, Game};
use tableside_rules::{Field, ValueSource, Whose};

/// A name that was picked for a field, for the fields that depend on it.
struct PickedName<'a> {
    field: &'a Field,
    name: &'a str,
    /// The character on whose sheet the name is.
    owner: &'a Character,
    /// The name that the field had before, if it had one.
    name_before: Option<&'a str>,
}

/// The change of a field that depends on a picked name.
enum Follower {
    Unchanged,
    Cleared,
    Filled(SourcedValue),
}

impl Game {
    /// Fills in the fields that depend on a picked name: values that the system derives from it, and the same stat of the
    /// opponent. `name_before` is the name that the field had before.
    pub(super) fn fill_followers(
        &self,
        filled: &mut Filled,
        roller: Option<&Character>,
        field: &Field,
        name_before: Option<&str>,
    ) {
        let source = filled.source(field.id).cloned().unwrap_or_default();
        if name_before == Some(source.what.as_str()) {
            return;
        }
        let owner = match source.owner() {
            Some(id) => self.character(id),
            None => roller,
        };
        let Some(owner) = owner else {
            return;
        };
        let picked = PickedName {
            field,
            name: &source.what,
            owner,
            name_before,
        };

        for other in filled.fields.spec().fields {
            let follower = if other.source == ValueSource::Follows(field.id) {
                self.derived_follower(filled, other, &picked)
            } else if other.like == Some(field.id) {
                self.opponents_follower(filled, other, &picked)
            } else {
                Follower::Unchanged
            };
            match follower {
                Follower::Unchanged => {}
                Follower::Cleared => filled.clear(other),
                Follower::Filled(value) => {
                    // A value that the field does not accept is left out.
                    filled.put(other, value).ok();
                }
            }
        }
    }

    /// The value that the system derives from a picked name. A typed value stays.
    fn derived_follower(
        &self,
        filled: &Filled,
        other: &Field,
        picked: &PickedName<'_>,
    ) -> Follower {
        if filled.is_given(other) {
            return Follower::Unchanged;
        }

        // A field with its preset counts as empty, so a condition or a helper can still change it.
        if let ValueSource::Ranked { list, .. } = picked.field.source
            && other.start.is_some()
        {
            let ranks = picked.owner.sheet.ranks(list);
            if ranks.iter().any(|(name, _)| name == picked.name) {
                return Follower::Cleared;
            }
        }

        let sheet = &picked.owner.sheet;
        let derived = other.derive(sheet, &self.house, Some(picked.name));
        let Some((value, name)) = derived else {
            // A value that the system derived from the previous name is removed.
            let has_derived_value = filled.source(other.id).is_some();
            return if has_derived_value && other.start.is_some() {
                Follower::Cleared
            } else {
                Follower::Unchanged
            };
        };

        let value = SheetValue { value, name };
        match picked.field.whose {
            Whose::Own if value.name.is_empty() => Follower::Cleared,
            Whose::Own => Follower::Filled(value.into()),
            Whose::Opponent | Whose::Helper | Whose::OpponentHelper => {
                Follower::Filled(value.on_sheet_of(picked.owner))
            }
        }
    }

    /// Returns the opponent's value with the picked name, if the values of the roller and the opponent had the same
    /// name before.
    fn opponents_follower(
        &self,
        filled: &Filled,
        other: &Field,
        picked: &PickedName<'_>,
    ) -> Follower {
        let Some(source) = filled.source(other.id) else {
            return Follower::Unchanged;
        };
        if picked.name_before != Some(source.what.as_str()) {
            return Follower::Unchanged;
        }

        let opponent = self.optional_character(source.owner());
        let value = opponent.and_then(|opponent| {
            let value = self.find_on_sheet(opponent, other, picked.name)?;
            Some(value.on_sheet_of(opponent))
        });
        match value {
            Some(value) => Follower::Filled(value),
            None => Follower::Unchanged,
        }
    }
}
