//! The form of first aid, which differs by system.

use super::{HealthForm, MAX_NUMBER, Task};
use crate::dialog::follow_ups::effect_levels;
use crate::dialog::{Form, Row};
use tableside_game::{Change, Character, CharacterId, Command, Event, EventKind, Origin, Roll};
use tableside_rules::{FirstAid, Id};
use tableside_table::SeatView;
use tableside_text::is_same_name;

/// The maximum number of effect levels of a roll.
const MAX_EFFECT_LEVELS: i32 = 9;

/// A list of the sheet that First Aid can shorten.
struct Treatment {
    clock: Id,
    label: &'static str,
    list: &'static str,
    /// The difficulty of the roll.
    difficulty: i32,
}

const WOUNDS: Treatment = Treatment {
    clock: Id::new("blood"),
    label: "Wounds",
    list: "wounds",
    difficulty: 20,
};

const TRAUMAS: Treatment = Treatment {
    clock: Id::new("stress"),
    label: "Traumas",
    list: "traumas",
    difficulty: 16,
};

/// The options of the form, in order.
const TREATMENTS: [&Treatment; 2] = [&WOUNDS, &TRAUMAS];

pub(super) fn first_aid_form(first: &Character, view: &SeatView<'_>) -> Result<HealthForm, String> {
    match view.system().spec().first_aid {
        FirstAid::TreatsWounds => treat_wounds_form(first, view),
        FirstAid::RemovesHarm => remove_harm_form(first, view),
        FirstAid::None | FirstAid::EndsDying => Err(format!(
            "{} has no first aid for {}",
            view.system().spec().name,
            first.name
        )),
    }
}

fn treat_wounds_form(first: &Character, view: &SeatView<'_>) -> Result<HealthForm, String> {
    if !first.has_untreated_wound() {
        return Err(format!("{} has no untreated wound", first.name));
    }

    let search = RollSearch {
        check: "skill",
        patient: first.id,
        harm: &[WOUNDS.list],
        scenes: 1,
    };
    let roll = search.newest(view, |roll| {
        let is_own = roll.id == Some(first.id);
        if roll.id.is_none() || (is_own && !has_disadvantage(roll, view)) {
            return None;
        }
        if is_medicine(roll) { roll.total } else { None }
    });
    let row = number_row("total", "Check total", roll, MAX_NUMBER).help(
        "The total of a medicine check is subtracted from each wound that was not treated yet. \
         Treating one's own wounds is rolled with disadvantage.",
    );
    Ok(HealthForm {
        title: "treat wounds",
        rows: vec![row],
        task: Task::TreatWounds,
    })
}

/// Returns true if a skill check can be a medicine check: it tests Cunning, or uses a profession.
fn is_medicine(roll: &Roll) -> bool {
    let ability = roll.sources.get("ability").and_then(Origin::name);
    let is_cunning = ability.is_some_and(|ability| is_same_name(ability, "cunning"));
    is_cunning || roll.sources.contains_key("profession")
}

pub(super) fn treat_wounds(form: &Form, who: CharacterId) -> Result<Command, String> {
    let total = form.number("total")?;
    Ok(Command::TreatWounds { who, total })
}

fn remove_harm_form(first: &Character, view: &SeatView<'_>) -> Result<HealthForm, String> {
    let most_wounds = view.treatable(first, WOUNDS.list);
    let most_traumas = view.treatable(first, TRAUMAS.list);
    if most_wounds <= 0 && most_traumas <= 0 {
        return Err(format!(
            "{} got no Wound and no Trauma in this scene or the scene before",
            first.name
        ));
    }

    let labels = [
        format!("{} (at most {most_wounds})", WOUNDS.label),
        format!("{} (at most {most_traumas})", TRAUMAS.label),
    ];
    let search = RollSearch {
        check: "strategy",
        patient: first.id,
        harm: &[WOUNDS.list, TRAUMAS.list],
        scenes: 2,
    };
    let roll = search.newest(view, |roll| {
        treatment_of(roll, view)?;
        effect_levels(roll, view)
    });
    // The difficulty of the roll determines which harm it treats.
    let rolled_for = roll
        .as_ref()
        .and_then(|found| view.entry(found.entry))
        .and_then(|entry| treatment_of(entry.event.what.resolved()?, view));
    let selected = rolled_for.unwrap_or_else(|| usize::from(most_wounds < most_traumas));

    let rows = vec![
        number_row("levels", "Effect levels", roll, MAX_EFFECT_LEVELS)
            .help("The effect levels of the roll. Each level removes one."),
        Row::choice("of", "Removes", labels, selected).help(
            "At most the harm of this scene. The roll is Safe, with difficulty 20 for Wounds and 16 \
             for Traumas.",
        ),
    ];
    Ok(HealthForm {
        title: "First Aid",
        rows,
        task: Task::RemoveHarm,
    })
}

pub(super) fn remove_harm(form: &Form, who: CharacterId) -> Result<Command, String> {
    let treatment = form.picked("of", &TREATMENTS);
    Ok(Command::FirstAid {
        who,
        of: treatment.clock,
        levels: form.number("levels")?,
    })
}

/// Returns the index of the treatment that a roll is for: each has its own difficulty in First Aid.
fn treatment_of(roll: &Roll, view: &SeatView<'_>) -> Option<usize> {
    let fields = roll.all_fields(view.system()).ok()?;
    let difficulty = fields.maybe_number("difficulty")?;
    TREATMENTS
        .iter()
        .position(|treatment| treatment.difficulty == difficulty)
}

fn has_disadvantage(roll: &Roll, view: &SeatView<'_>) -> bool {
    let Ok(fields) = roll.all_fields(view.system()) else {
        return false;
    };
    let number = |id: &str| fields.maybe_number(id).unwrap_or(0);
    number("disadvantage") > number("advantage")
}

/// A number from a roll that can treat the patient.
struct FittingRoll {
    number: i32,
    /// The number of the roll's entry.
    entry: u64,
    /// The description of the roll, for the form.
    source: String,
}

fn number_row(id: &'static str, label: &'static str, roll: Option<FittingRoll>, max: i32) -> Row {
    let number = roll.as_ref().map(|roll| roll.number);
    let source = roll.map_or_else(String::new, |roll| roll.source);
    Row::number(id, label, number, (1, max))
        .needed()
        .beside(source)
}

/// A search for the roll that treats a patient.
struct RollSearch<'a> {
    check: &'a str,
    patient: CharacterId,
    /// The lists of the sheet that the roll can shorten. A roll before their last change does not count, because the
    /// harm is newer or the roll was already used.
    harm: &'a [&'a str],
    /// The number of scenes that are searched, including the current scene.
    scenes: usize,
}

impl RollSearch<'_> {
    /// Returns the newest roll that was not undone and from which `read_number` reads a number.
    fn newest(
        &self,
        view: &SeatView<'_>,
        read_number: impl Fn(&Roll) -> Option<i32>,
    ) -> Option<FittingRoll> {
        let mut scenes_left = self.scenes;
        for entry in view.log() {
            if view.is_struck(entry.number) {
                continue;
            }
            let roll = entry.event.what.resolved();
            if let Some(roll) = roll
                && roll.check == self.check
                && let Some(number) = read_number(roll)
            {
                return Some(FittingRoll {
                    number,
                    entry: entry.number,
                    source: describe_source(roll, &view.tag(entry.number), view),
                });
            }

            if matches!(entry.event.what, EventKind::Scene { .. }) {
                scenes_left -= 1;
            }
            if scenes_left == 0 || self.changes_harm(&entry.event) {
                return None;
            }
        }
        None
    }

    /// Returns true if the event changed one of the lists of the patient.
    fn changes_harm(&self, event: &Event) -> bool {
        event
            .changes
            .iter()
            .filter_map(Change::stat)
            .any(|(who, stat)| who == self.patient && self.harm.contains(&stat))
    }
}

/// Describes a roll: `Mira · Cunning, #28`.
fn describe_source(roll: &Roll, tag: &str, view: &SeatView<'_>) -> String {
    let title = match roll.tested(view.system()) {
        Some(tested) => tested.title(view.owner_name(roll.id)),
        None => view.owner_name(roll.id).to_owned(),
    };
    if tag.is_empty() {
        title
    } else {
        format!("{title}, {tag}")
    }
}
