//! The form of first aid, which differs by system.

use super::{HealthForm, MOST, Task};
use crate::dialog::follow_ups::effect_levels;
use crate::dialog::{Form, Row};
use tableside_game::{Character, CharacterId, Command, Roll};
use tableside_rules::{FirstAid, Id};
use tableside_table::SeatView;

/// The most effect levels of a roll.
const MOST_LEVELS: i32 = 9;

/// A list of the sheet that First Aid can shorten.
struct Treatment {
    clock: Id,
    label: &'static str,
    list: &'static str,
}

const WOUNDS: Treatment = Treatment {
    clock: Id::new("blood"),
    label: "Wounds",
    list: "wounds",
};

const TRAUMAS: Treatment = Treatment {
    clock: Id::new("stress"),
    label: "Traumas",
    list: "traumas",
};

/// The choices of the form, in order.
const TREATMENTS: [&Treatment; 2] = [&WOUNDS, &TRAUMAS];

pub(super) fn first_aid_form(first: &Character, view: &SeatView<'_>) -> Result<HealthForm, String> {
    match view.system().spec().first_aid {
        FirstAid::TreatsWounds => Ok(treat_wounds_form(view)),
        FirstAid::RemovesHarm => Ok(remove_harm_form(first, view)),
        FirstAid::None | FirstAid::EndsDying => Err(format!(
            "{} has no first aid for {}",
            view.system().spec().name,
            first.name
        )),
    }
}

fn treat_wounds_form(view: &SeatView<'_>) -> HealthForm {
    let roll = last_roll("skill", view, |roll| roll.total);
    let row = number_row("total", "Check total", roll, MOST).help(
        "The total of a medicine check comes off every wound that was not treated yet; one's \
         own with disadvantage.",
    );
    HealthForm {
        title: "treat wounds",
        rows: vec![row],
        task: Task::TreatWounds,
    }
}

pub(super) fn treat_wounds(form: &Form, who: CharacterId) -> Result<Command, String> {
    let total = form.number("total")?;
    Ok(Command::TreatWounds { who, total })
}

fn remove_harm_form(first: &Character, view: &SeatView<'_>) -> HealthForm {
    let most_wounds = view.treatable(first, WOUNDS.list);
    let most_traumas = view.treatable(first, TRAUMAS.list);
    let labels = [
        format!("{} (at most {most_wounds})", WOUNDS.label),
        format!("{} (at most {most_traumas})", TRAUMAS.label),
    ];
    let selected = usize::from(most_wounds < most_traumas);

    let roll = last_roll("strategy", view, |roll| effect_levels(roll, view));
    let rows = vec![
        number_row("levels", "Effect levels", roll, MOST_LEVELS)
            .help("The effect levels of the roll. Each removes one."),
        Row::choice("of", "Removes", labels, selected).help(
            "At most what the scene brought. The roll: difficulty 20 for Wounds, 16 for \
             Traumas, Safe.",
        ),
    ];
    HealthForm {
        title: "First Aid",
        rows,
        task: Task::RemoveHarm,
    }
}

pub(super) fn remove_harm(form: &Form, who: CharacterId) -> Result<Command, String> {
    let treatment = form.picked("of", &TREATMENTS);
    Ok(Command::FirstAid {
        who,
        of: treatment.clock,
        levels: form.number("levels")?,
    })
}

/// A number from the last roll of a check.
struct LastRoll {
    number: i32,
    /// Names the roll, for the form.
    source: String,
}

fn number_row(id: &'static str, label: &'static str, roll: Option<LastRoll>, most: i32) -> Row {
    let number = roll.as_ref().map(|roll| roll.number);
    let source = roll.map_or_else(String::new, |roll| roll.source);
    Row::number(id, label, number, (1, most))
        .needed()
        .beside(source)
}

/// Reads a number from the last roll of a check that was not undone.
fn last_roll(
    check: &str,
    view: &SeatView<'_>,
    read_number: impl Fn(&Roll) -> Option<i32>,
) -> Option<LastRoll> {
    for entry in view.log() {
        let Some(roll) = entry.event.what.resolved() else {
            continue;
        };
        if roll.check != check || view.is_struck(entry.number) {
            continue;
        }

        let number = read_number(roll)?;
        let tag = view.tag(entry.number);
        let source = if tag.is_empty() {
            "from the last roll".to_owned()
        } else {
            format!("from {tag}")
        };
        return Some(LastRoll { number, source });
    }
    None
}
