//! Previews: the result of a command before it is done.

use chrono::DateTime;

use super::{Act, SeatView};
use tableside_dice::Dice;
use tableside_game::{Change, Command, CommandContext, CommandError};

impl SeatView<'_> {
    /// True if this seat may do the act itself, without a suggestion.
    pub fn may(&self, act: &Act) -> bool {
        !self.is_view() && self.check_right(act).is_ok()
    }

    /// Refuses an act that this seat may not do.
    fn check_right(&self, act: &Act) -> Result<(), CommandError> {
        self.seat().check_right(self.game(), self.allowed(), act)
    }

    /// Describes what a command would do now, or why it is refused. The game stays unchanged, and no dice are rolled, so
    /// the description leaves out results that depend on dice, and checks cannot be previewed.
    pub fn preview(&self, command: &Command) -> Result<String, CommandError> {
        let act = Act::from(command.clone());
        self.check_right(&act)?;
        self.preview_unchecked(command)
    }

    /// Like [`Self::preview`], but also for a command that the seat may not do.
    pub(super) fn preview_unchecked(&self, command: &Command) -> Result<String, CommandError> {
        let low = self.preview_with(command, ExtremeDice { highest: false })?;
        let high = self.preview_with(command, ExtremeDice { highest: true })?;

        if low == high {
            return Ok(low);
        }

        let high_parts: Vec<&str> = high.split("; ").collect();
        let mut certain_parts: Vec<&str> = low
            .split("; ")
            .filter(|part| high_parts.contains(part))
            .collect();
        Ok(if certain_parts.is_empty() {
            "the result depends on the dice".to_owned()
        } else {
            certain_parts.push("other results depend on the dice");
            certain_parts.join("; ")
        })
    }

    fn preview_with(
        &self,
        command: &Command,
        mut dice: ExtremeDice,
    ) -> Result<String, CommandError> {
        let context = CommandContext {
            at: DateTime::UNIX_EPOCH,
            number: 0,
            author: self.seat().author(),
        };
        let event = self.game().decide(command, &context, &mut dice)?;

        // If the command changes a sheet that the seat may not read, only the name of the character is shown.
        let changed_stats = event.changes.iter().filter_map(Change::stat);
        for (who, _) in changed_stats {
            if let Some(character) = self.character(who)
                && character.health.is_some()
            {
                return Ok(format!("a change to {}", character.name));
            }
        }
        Ok(event.text(self.system()))
    }
}

/// Dice that always show their highest face, or always their lowest.
pub(super) struct ExtremeDice {
    pub(super) highest: bool,
}

impl Dice for ExtremeDice {
    fn up_to(&mut self, sides: u32) -> u32 {
        if self.highest { sides } else { 1 }
    }
}
