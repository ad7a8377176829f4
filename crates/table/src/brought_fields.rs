//! Fields of a check that a clock or a call fills in before anyone types a value.

use super::SeatView;
use tableside_game::{AttachedCheck, CharacterId, ClockId};
use tableside_rules::{CheckSpec, Kind, ValueSource};

impl<'a> SeatView<'a> {
    /// The fields of a check that are filled in without being typed: first those that take the fill of the clock, then
    /// those of the check that the clock stores, then those of the call that the roll answers. Later fields override
    /// earlier ones.
    pub fn brought(
        &self,
        check: &CheckSpec,
        who: Option<CharacterId>,
        clock: Option<ClockId>,
    ) -> impl Iterator<Item = (String, String)> {
        let mut fields = self.fields_from_clock(check, clock);

        if let Some(attached) = self.attached_check(check, clock) {
            fields.extend_from_slice(&attached.fields);
        }
        if let Some(who) = who
            && let Some(call) = self.call_for(who, check.id)
        {
            fields.extend_from_slice(&call.fields);
        }

        fields.into_iter()
    }

    /// The fields of a check that take the number of filled segments as their value, clamped to their range.
    pub fn fields_from_clock(
        &self,
        check: &CheckSpec,
        clock: Option<ClockId>,
    ) -> Vec<(String, String)> {
        let filled = clock.and_then(|id| self.clock(id)?.filled);
        let Some(filled) = filled else {
            return Vec::new();
        };

        let mut fields = Vec::new();
        for field in check.fields {
            if let ValueSource::Clock = field.source
                && let Kind::Number { min, max } = field.kind
            {
                let value = i32::from(filled).clamp(min, max);
                fields.push((field.id.to_owned(), value.to_string()));
            }
        }
        fields
    }

    /// The clock's settings for this check, if the check fills the clock.
    pub fn attached_check(
        &self,
        check: &CheckSpec,
        clock: Option<ClockId>,
    ) -> Option<&'a AttachedCheck> {
        let view = self.clock(clock?)?;
        let attached = view.clock.check.as_deref()?;
        if attached.check == check.id {
            Some(attached)
        } else {
            None
        }
    }
}
