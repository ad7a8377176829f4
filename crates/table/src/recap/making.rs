//! Characters that are still being made. Filling in a new sheet is preparation, and no part of the story.

use std::collections::BTreeSet;

use super::cast::added_character;
use crate::Entry;
use tableside_game::{Change, CharacterId, EntityRef, EventKind, Part};
use tableside_rules::HIT_POINTS;

/// The characters that were added in these entries, and have not played yet.
#[derive(Debug, Default)]
pub(super) struct Making(BTreeSet<CharacterId>);

impl Making {
    /// Reads an entry: new characters are being made until they roll, or until a fight or another scene begins.
    pub(super) fn read(&mut self, entry: &Entry) {
        let what = &entry.event.what;
        let is_play = what.ends_a_scene()
            || matches!(what, EventKind::Initiative { .. } | EventKind::Turn { .. });
        if is_play {
            self.0.clear();
        }
        if let Some((_, Some(who))) = what.roller() {
            self.0.remove(&who);
        }

        for change in &entry.event.changes {
            self.0.extend(added_character(change));
        }
    }

    /// True if a change fills in the sheet of a new character. Lost hit points are damage.
    pub(super) fn fills_in(&self, change: &Change, entry: &Entry) -> bool {
        let EntityRef::Character(who) = change.entity else {
            return false;
        };
        let is_edit = matches!(entry.event.what, EventKind::Edited { .. });
        let is_stat = matches!(change.part, Part::Stat(_));
        is_edit && is_stat && self.0.contains(&who) && !is_damage(entry)
    }
}

/// True if a character lost hit points. Damage may also add a wound.
fn is_damage(entry: &Entry) -> bool {
    entry.event.changes.iter().any(|change| {
        let is_hit_points = matches!(&change.part, Part::Stat(stat) if stat == HIT_POINTS);
        is_hit_points && change.to.as_i64() < change.from.as_i64()
    })
}
