//! A check that somebody is called on to make: it comes ready.

use super::{RowId, Setup};
use crate::rules::Kind;
use crate::screen::dialog::roll::value::{self, Given};
use crate::screen::roll_requests;
use crate::session::{Call, CharacterId};
use crate::table::SeatView;

impl Setup {
    /// The check as it is called for.
    pub(in crate::screen::dialog::roll) fn called(
        call: &Call,
        seen: &SeatView<'_>,
    ) -> Option<Self> {
        let check = seen.system().check(&call.check).ok()?;
        let mut setup = Self::new(Some(call.who), check, seen);
        setup.answer(call, seen);
        setup.focus = setup.first_open(seen);
        Some(setup)
    }

    /// Takes up what that call gives.
    fn answer(&mut self, call: &Call, seen: &SeatView<'_>) {
        self.call = Some(call.id);
        self.group = None;
        self.given.clear();
        self.typed.clear();
        for (id, given) in &call.fields {
            let Some(field) = self.check.field(id) else {
                continue;
            };
            if matches!(field.kind, Kind::Text) {
                if let Some((_, line)) = self.lines.iter_mut().find(|(known, _)| known == id) {
                    line.set(given);
                }
                continue;
            }
            let read = match field.kind {
                Kind::Die => field.parse(given).ok(),
                _ => value::read(field, given).ok(),
            };
            let given = read.map_or_else(|| Given::Pick(given.clone()), Given::Value);
            self.given.push((field.id, given));
        }
        let known = |id: &CharacterId| seen.character(*id).is_some();
        self.helpers = call.helpers.iter().copied().filter(known).collect();
        self.fill(seen);
    }

    /// Takes up the call that the character in hand has, where nobody decided anything else yet: whoever
    /// rolls for all who are called goes from one to the next.
    pub(super) fn take_up_call(&mut self, seen: &SeatView<'_>) {
        let was_called = self.call.take().is_some();
        let call = roll_requests::to_answer(seen).find(|call| Some(call.who) == self.who);
        let Some(call) = call.filter(|_| was_called || self.given.is_empty()) else {
            return;
        };
        if let Ok(check) = seen.system().check(&call.check) {
            let focus = self.focus.clone();
            self.check = check;
            self.turn(seen);
            self.answer(call, seen);
            self.focus = focus;
            if !self.rows(seen).contains(&self.focus) {
                self.focus = RowId::Who;
            }
        }
    }
}
