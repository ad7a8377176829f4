//! What an act would lead to.

use chrono::DateTime;

use super::SeatView;
use crate::dice::Dice;
use crate::session::{Command, CommandContext, CommandError};
use crate::table::Act;

impl SeatView<'_> {
    /// What a command would lead to now, in one line, or why not. Nothing is done; checks are not for
    /// this, for their dice are not cast: what the dice would say is left open.
    pub fn foresee(&self, command: &Command) -> Result<String, CommandError> {
        let act = Act::from(command.clone());
        self.seat.may(self.session, self.allowed(), &act)?;
        self.would(command)
    }

    /// The same, whoever may do it.
    pub(in crate::table) fn would(&self, command: &Command) -> Result<String, CommandError> {
        let moment = CommandContext {
            at: DateTime::UNIX_EPOCH,
            number: 0,
        };
        let told = |highest| {
            let event = self
                .session
                .decide(command, &moment, &mut Uncast { highest })?;
            Ok::<_, CommandError>(event.text(self.session.system))
        };
        let (low, high) = (told(false)?, told(true)?);
        let parts = low.split("; ").zip(high.split("; "));
        let parts: Vec<&str> = parts
            .map(|(low, high)| if low == high { low } else { "the rest by lot" })
            .collect();
        Ok(parts.join("; "))
    }
}

/// Dice that nobody casts: all show their lowest face, or all their highest.
pub(in crate::table) struct Uncast {
    pub(in crate::table) highest: bool,
}

impl Dice for Uncast {
    fn up_to(&mut self, sides: u32) -> u32 {
        if self.highest { sides } else { 1 }
    }
}
