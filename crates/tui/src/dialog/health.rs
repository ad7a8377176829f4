//! The forms for damage and healing, rest, first aid, and second tries.

mod consequences;
mod first_aid;

use crate::app::action::Action;
use crate::dialog::{Dialog, DialogAction, Form, Row, ask};
use tableside_game::{
    Allegiance, Blow, Character, CharacterId, Command, CommandError, Reset, Rest,
};
use tableside_rules::{PoolOwner, System};
use tableside_table::SeatView;

/// The maximum damage, and the maximum total of a check.
const MAX_NUMBER: i32 = 999;

const RESTS: [Rest; 3] = [Rest::Short, Rest::Long, Rest::LongFailed];

const BLOWS: [Blow; 3] = [Blow::Ordinary, Blow::Critical, Blow::KnockOut];

/// The label of a lock without a subject.
const ANYTHING: &str = "it";

/// A form and its purpose, without its characters.
struct HealthForm {
    /// The second half of the title.
    title: &'static str,
    rows: Vec<Row>,
    task: Task,
}

/// The purpose of a form.
#[derive(Clone, Copy)]
enum Task {
    Damage,
    Consequences(System),
    Rest,
    Unlock,
    TreatWounds,
    RemoveHarm,
}

impl Task {
    /// Returns the command for one of the characters.
    fn command(self, form: &Form, who: CharacterId) -> Result<Command, String> {
        match self {
            Self::Damage => damage_command(form, who),
            Self::Consequences(system) => consequences::command(form, system, who),
            Self::Rest => Ok(rest_command(form, who)),
            Self::Unlock => Ok(unlock_command(form, who)),
            Self::TreatWounds => first_aid::treat_wounds(form, who),
            Self::RemoveHarm => first_aid::remove_harm(form, who),
        }
    }
}

/// Opens the form of an action for these characters.
///
/// The error gives the reason why the system, or the first character, has no such form.
pub fn health_form(
    action: Action,
    characters: Vec<CharacterId>,
    view: &SeatView<'_>,
) -> Result<Dialog, String> {
    let first = characters
        .iter()
        .find_map(|id| view.character(*id))
        .ok_or("there are no characters yet")?;
    let count = characters.len();
    let HealthForm { title, rows, task } = match action {
        Action::Damage => damage_form(first, count, view)?,
        Action::Rest => rest_form(first, count, view)?,
        Action::Unlock => unlock_form(first, view)?,
        _ => first_aid::first_aid_form(first, view)?,
    };

    let title = if count == 1 {
        format!("{}: {title}", first.name)
    } else {
        format!("{count} marked: {title}")
    };
    let dialog = ask(title, rows, view, move |form, view| {
        let patients = patients(form, &characters, view);
        submit(task, form, &patients)
    });
    let submit_label = match action {
        Action::Rest => "rest",
        _ => "apply",
    };
    Ok(dialog.with_preview_lines().with_submit_label(submit_label))
}

/// Returns the characters that the form applies to: the given characters, or all members of the party in the scene.
fn patients(form: &Form, characters: &[CharacterId], view: &SeatView<'_>) -> Vec<CharacterId> {
    let is_for_party = form.choice("party") == 1;
    if !is_for_party {
        return characters.to_vec();
    }

    view.roster()
        .filter(|character| character.side == Allegiance::Party && character.is_here())
        .map(|character| character.id)
        .collect()
}

fn submit(task: Task, form: &Form, patients: &[CharacterId]) -> Result<DialogAction, String> {
    let mut commands = Vec::new();
    for &patient in patients {
        commands.push(task.command(form, patient)?);
    }
    Ok(Command::together(commands).into())
}

fn damage_form(first: &Character, count: usize, view: &SeatView<'_>) -> Result<HealthForm, String> {
    if first.sheet.value("hit-points").is_none() {
        return consequences::form(view.system()).ok_or_else(|| explain_no_hit_points(view));
    }

    let mut amount = Row::number("amount", "Damage", None, (1, MAX_NUMBER))
        .needed()
        .hint("7 or +7")
        .help("7 is damage, +7 heals 7 hit points up to the maximum.");
    if count == 1 {
        amount.beside = describe_hit_points(first);
    }

    let mut rows = vec![amount];
    if first.sheet.value("heart-now").is_some() {
        let row = Row::flag("shrug-off", "Shrug off half", false);
        rows.push(row.help("Halve the damage for one step of the heart die, not below d4."));
    }
    if view.system().spec().dying.is_some() {
        let row = Row::one_of("blow", "Hit", &BLOWS, Blow::Ordinary, describe_blow);
        rows.push(row.help(
            "At 0 hit points a critical hit is two failed saves. Knocking out in melee leaves 1 hit point.",
        ));
    }
    Ok(HealthForm {
        title: "damage or healing",
        rows,
        task: Task::Damage,
    })
}

/// Describes which numbers the system has in place of hit points.
fn explain_no_hit_points(view: &SeatView<'_>) -> String {
    let spec = view.system().spec();
    let pool = spec
        .pools
        .iter()
        .find(|pool| pool.purse != PoolOwner::Table && !pool.at.is_empty());
    let instead = match pool {
        Some(pool) => format!("⟨party.step-up⟩ and ⟨party.step-down⟩ change {}", pool.name),
        None => "tick a clock, or set a condition".to_owned(),
    };
    format!("{} has no hit points; {instead}", spec.name)
}

/// Describes the current hit points, `HP 14/21`, short enough for a low screen.
fn describe_hit_points(character: &Character) -> String {
    let sheet = &character.sheet;
    let Some(hit_points) = sheet.number("hit-points") else {
        return String::new();
    };
    let Ok(field) = sheet.stat("hit-points") else {
        return String::new();
    };
    match sheet.most_hit_points() {
        Some(most) => format!("{} {hit_points}/{most}", field.short),
        None => format!("{} {hit_points}", field.short),
    }
}

fn describe_blow(blow: Blow) -> &'static str {
    match blow {
        Blow::Ordinary => "a normal hit",
        Blow::Critical => "a critical hit",
        Blow::KnockOut => "a knockout, in melee",
    }
}

fn damage_command(form: &Form, who: CharacterId) -> Result<Command, String> {
    let amount = form.number("amount")?;
    let shrug_off = form.is_on("shrug-off");
    let is_healing = form.text("amount").starts_with('+');
    if is_healing && shrug_off {
        return Err("healing is not shrugged off".to_owned());
    }
    if is_healing {
        return Ok(Command::Heal { who, amount });
    }

    Ok(Command::Damage {
        who,
        amount,
        shrug_off,
        blow: form.picked("blow", &BLOWS),
    })
}

fn rest_form(first: &Character, count: usize, view: &SeatView<'_>) -> Result<HealthForm, String> {
    let long_rest = Command::Rest {
        who: first.id,
        rest: Rest::Long,
    };
    // A rest without an effect on this character may still remove a lock.
    if let Err(refusal @ CommandError::AtEnd(_)) = view.preview(&long_rest)
        && view.locks().next().is_none()
    {
        return Err(refusal.to_string());
    }

    let mut rows = Vec::new();
    if first.sheet.value("heart-now").is_some() {
        let row = Row::one_of("rest", "Rest", &RESTS, Rest::Short, describe_rest);
        rows.push(row.help(
            "A short rest restores the heart die. A long rest also heals all hit points and lowers each wound by 1. \
             A failed long rest heals half of the missing hit points and leaves a condition.",
        ));
    } else if has_short_rests(view) {
        rows.push(Row::one_of(
            "rest",
            "Rest",
            &RESTS[..2],
            Rest::Long,
            |rest| match rest {
                Rest::Short => "short",
                Rest::Long | Rest::LongFailed => "long",
            },
        ));
    }
    let patients = if count == 1 {
        first.name.clone()
    } else {
        format!("the {count} marked")
    };
    let row = Row::choice("party", "Who", [patients, "the party".to_owned()], 0);
    rows.push(row.help("Absent characters do not rest."));
    Ok(HealthForm {
        title: "rest",
        rows,
        task: Task::Rest,
    })
}

/// Returns true if a short rest has other effects than a long rest.
fn has_short_rests(view: &SeatView<'_>) -> bool {
    let has_short_pools = view.pools().any(|pool| pool.reset == Reset::ShortRest);
    view.system().spec().has_rest_rules() || has_short_pools
}

fn describe_rest(rest: Rest) -> &'static str {
    match rest {
        Rest::Short => "short, ten minutes",
        Rest::Long => "long, a night",
        Rest::LongFailed => "long, and it fails",
    }
}

fn rest_command(form: &Form, who: CharacterId) -> Command {
    // Only some systems distinguish short and long rests.
    let rest = if form.row("rest").is_some() {
        form.picked("rest", &RESTS)
    } else {
        Rest::Long
    };
    Command::Rest { who, rest }
}

/// Returns the form that allows a second try of a check that the rules lock after a failure.
fn unlock_form(first: &Character, view: &SeatView<'_>) -> Result<HealthForm, String> {
    let mut locks = Vec::new();
    for (character, about) in view.locks() {
        if character.id == first.id {
            locks.push(if about.is_empty() { ANYTHING } else { about });
        }
    }
    if locks.is_empty() {
        return Err(format!("{} can already try everything again", first.name));
    }

    let reasons = ["inspiration", "a clue", "rest"];
    let rows = vec![
        Row::choice("about", "Try again", locks, 0)
            .by_typing()
            .help("The failed roll that may be tried again."),
        Row::choice("why", "After", reasons, 0).help("The reason: inspiration, a clue, or rest."),
    ];
    Ok(HealthForm {
        title: "try again",
        rows,
        task: Task::Unlock,
    })
}

fn unlock_command(form: &Form, who: CharacterId) -> Command {
    let mut about = form.text("about");
    if about == ANYTHING {
        about.clear();
    }
    let why = form.text("why");
    Command::Unlock { who, about, why }
}
