//! The form of consequences, in systems whose characters have clocks for harm instead of hit points.

use super::{HealthForm, Task};
use crate::dialog::{Form, Row};
use tableside_game::{CharacterId, Command};
use tableside_rules::{ClockSpec, Effect, System};

/// The most consequences at once.
const MOST: i32 = 9;

/// Returns the form. `None` if the system has no such clocks.
pub(super) fn form(system: System) -> Option<HealthForm> {
    let clocks = harm_clocks(system);
    if clocks.is_empty() {
        return None;
    }

    let labels = clocks.iter().map(|clock| clock.name);
    let clock_row = Row::choice("clock", "Fills", labels, 0).by_typing();
    let amount_row = Row::number("amount", "Consequences", Some(1), (1, MOST));
    Some(HealthForm {
        title: "consequences",
        rows: vec![
            clock_row.help("Beyond the last segment, each consequence goes on the sheet."),
            amount_row.help("The segments to fill."),
        ],
        task: Task::Consequences(system),
    })
}

pub(super) fn command(form: &Form, system: System, who: CharacterId) -> Result<Command, String> {
    let clocks = harm_clocks(system);
    let Some(clock) = clocks.get(form.choice("clock")) else {
        return Err("choose a clock".to_owned());
    };
    let amount = form.number("amount")?;
    let effect = Effect::Consequence {
        amount,
        of: clock.id,
    };
    Ok(Command::Receive {
        who,
        effects: vec![effect],
    })
}

/// The clocks whose overflow counts as harm on the sheet, such as Stress and Blood.
fn harm_clocks(system: System) -> Vec<&'static ClockSpec> {
    let clocks = system.spec().clocks.iter();
    clocks.filter(|clock| !clock.overflow.is_empty()).collect()
}
