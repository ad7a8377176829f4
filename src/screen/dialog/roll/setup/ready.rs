//! A check that is rolled for a clock: it comes ready.

use super::Setup;
use crate::rules::Kind;
use crate::screen::dialog::roll::value::Given;
use crate::session::{CharacterId, Clock};
use crate::table::SeatView;

impl Setup {
    /// The check that fills that clock, by the one who always rolls it or else by that character.
    pub(in crate::screen::dialog::roll) fn for_clock(
        clock: &Clock,
        who: Option<CharacterId>,
        seen: &SeatView<'_>,
    ) -> Option<Self> {
        let attached = clock.check.as_ref()?;
        let check = seen.system().check(&attached.check).ok()?;
        let mut setup = Self::new(attached.who.or(who), check, seen);
        for (id, given) in &attached.fields {
            let Some(field) = check.field(id) else {
                continue;
            };
            if matches!(field.kind, Kind::Text) {
                if let Some((_, line)) = setup.lines.iter_mut().find(|(known, _)| known == id) {
                    line.set(given);
                }
                continue;
            }
            let value = field.parse(given).ok();
            let given = value.map_or_else(|| Given::Pick(given.clone()), Given::Value);
            setup.given.push((field.id, given));
        }
        setup.clock = Some(clock.id);
        setup.fill(seen);
        setup.focus = setup.first_open(seen);
        Some(setup)
    }
}
