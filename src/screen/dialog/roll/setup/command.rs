//! From what was set up to the command.

use std::collections::BTreeSet;

use super::{Closed, RowId, Setup};
use crate::rules::Whose;
use crate::screen::dialog::roll::{by, value};
use crate::session::{CharacterId, Faces, GroupKind, RollCommand, Who};
use crate::table::SeatView;

impl Setup {
    /// The check, ready to be made; or the row that stands against it.
    pub(in crate::screen::dialog::roll) fn command(
        &mut self,
        faces: Faces,
        seen: &SeatView<'_>,
    ) -> Option<RollCommand> {
        let fields = self.check.fields.iter();
        let mut wrong = fields.filter(|field| {
            let typed = self.typed(field.id);
            let unread = typed.is_some_and(|typed| value::read(field, typed.text()).is_err());
            unread || self.field_problem(field.id, seen).is_some()
        });
        if let Some(field) = wrong.next() {
            let id = field.id;
            self.focus = RowId::Field(id);
            return None;
        }
        self.problem = self.wrong(seen);
        if self.problem.is_some() {
            return None;
        }
        let hidden_from = self.hidden_from();
        if hidden_from.is_empty() && self.closed != Closed::Open {
            self.focus = RowId::Closed;
            let words = "nobody is named from whom it is hidden: pick a player, or close it to all";
            self.refused = Some(words.to_owned());
            return None;
        }
        let helpers = self.helping().into_iter().chain(self.lent(seen));
        let helpers = helpers.collect::<BTreeSet<_>>();
        Some(RollCommand {
            who: self.who.map_or(Who::Nobody, Who::Character),
            fields: self.filled.fields.clone(),
            sources: self.filled.sources.clone(),
            faces,
            choose: Vec::new(),
            by: by(seen),
            wait: true,
            noticed: self.noticed && !hidden_from.is_empty(),
            hidden_from,
            clock: self.clock.filter(|id| seen.clock(*id).is_some()),
            helpers: helpers.into_iter().collect(),
            group: self
                .group
                .as_ref()
                .is_some_and(|group| group.kind == GroupKind::Worst),
        })
    }

    /// Those who lend a value of their own sheets.
    fn lent(&self, seen: &SeatView<'_>) -> Vec<CharacterId> {
        let fields = self.check.fields.iter();
        let helping = fields.filter(|field| field.whose == Whose::Helper);
        helping
            .filter_map(|field| {
                let owner = self.filled.source(field.id)?.owner()?;
                Some(seen.character(owner)?.id)
            })
            .collect()
    }
}
