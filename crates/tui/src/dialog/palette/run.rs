//! Running the chosen item of the palette.

use crate::dialog::RollDialog;
use crate::dialog::palette::{ChosenAction, ItemAction, RollItem};
use tableside_commands::{ParseError, RollRequest, parse_act, roll_on_table};
use tableside_game::{Command, CommandError, Faces, Named, Roll, RollCommand};
use tableside_table::{Act, SeatView};
use tableside_text::join;

impl ItemAction {
    /// Returns what the screen must do to run an item with this text. The palette shows the error.
    pub(super) fn run(&self, text: &str, view: &SeatView<'_>) -> Result<ChosenAction, String> {
        match self {
            Self::Action(action) => Ok(ChosenAction::Action(*action)),
            Self::Open(action, target) => Ok(ChosenAction::Open(*action, *target)),
            Self::Command(id, target) => {
                let targets = target.iter().copied().collect();
                act_or_dialog(id.act_on(targets, view), view)
            }
            Self::Roll(roll) => roll_dialog(roll.roll(view), view),
            Self::Create(entity) => Ok(ChosenAction::Dialog(entity.form(view).into())),
            Self::RollOnTable(name) => roll_on_table_named(name, view),
            Self::Typed => act_or_dialog(parse_act(text, view), view),
        }
    }
}

impl RollItem {
    /// Returns the roll, or an error with the known part of the roll.
    pub(super) fn roll(&self, view: &SeatView<'_>) -> Result<RollCommand, ParseError> {
        let mut request = RollRequest {
            check: self.check.to_owned(),
            ..RollRequest::default()
        };
        if let Some(entry) = &self.entry {
            let field = entry.field.to_owned();
            request.fields.push((field, entry.name.clone()));
        }
        request.roll_by(self.roller, view)
    }
}

/// Returns the act, or the dialog for a roll, because the palette never rolls without the dialog.
fn act_or_dialog(
    result: Result<Act, ParseError>,
    view: &SeatView<'_>,
) -> Result<ChosenAction, String> {
    match result {
        Ok(Act::Do(command)) => match *command {
            Command::Roll(roll) => roll_dialog(Ok(*roll), view),
            command => Ok(ChosenAction::Act(command.into())),
        },
        Ok(act) => Ok(ChosenAction::Act(act)),
        Err(error) => roll_dialog(Err(error), view),
    }
}

/// Opens the dialog of a roll. Fields may be missing.
fn roll_dialog(
    result: Result<RollCommand, ParseError>,
    view: &SeatView<'_>,
) -> Result<ChosenAction, String> {
    let roll = match result {
        Ok(roll) => roll,
        Err(ParseError::IncompleteRoll { roll, .. }) => *roll,
        Err(error) => return Err(error.to_string()),
    };

    let faces = match &roll.faces {
        Faces::Typed(faces) => Some(join(faces, " ")),
        Faces::Rolled => None,
    };
    let dialog = RollDialog::prepared(&prefilled_roll(&roll, view), faces, view);
    let dialog = dialog.ok_or("this system has no such roll")?;
    Ok(ChosenAction::Dialog(dialog.into()))
}

/// Returns the roll for the dialog, with the values of the command.
fn prefilled_roll(command: &RollCommand, view: &SeatView<'_>) -> Roll {
    let recorded = command.filled.clone().recorded();
    let helpers = command
        .helpers
        .iter()
        .filter_map(|id| view.character(*id))
        .map(Named::from)
        .collect();
    Roll {
        id: command.who,
        check: command.filled.fields.spec().id.to_owned(),
        fields: recorded.values,
        sources: recorded.sources,
        clock: command.clock,
        hidden_from: command.hidden_from.clone(),
        noticed: command.noticed,
        helpers,
        ..Roll::default()
    }
}

fn roll_on_table_named(name: &str, view: &SeatView<'_>) -> Result<ChosenAction, String> {
    let tables = view.random_tables();
    let table = tables.tables.iter().find(|table| table.name == name);
    match table {
        Some(table) => {
            let is_hidden = tables.is_hidden(table);
            Ok(ChosenAction::Act(roll_on_table(table, is_hidden, view)))
        }
        None => Err(CommandError::Gone("random table").to_string()),
    }
}
