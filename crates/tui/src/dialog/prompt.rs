//! Forms with a single question: the name of a scene, a reason, the name of the game, turns, copies.

use crate::dialog::{Dialog, DialogAction, Form, Row, RowId, ask};
use tableside_commands::Target;
use tableside_game::{Character, Command, LONGEST_NAME};
use tableside_store::{LONGEST_GAME_NAME, Name, StoreError};
use tableside_table::{Act, SeatView};

/// The most characters of a reason.
const LONGEST_REASON: usize = 500;

/// The most copies that are made at once.
const MOST_COPIES: i32 = 50;

/// Ends the scene and starts the next one.
pub fn scene_form(view: &SeatView<'_>) -> Dialog {
    let row = Row::text("line", "Name", "", LONGEST_NAME)
        .hint("none")
        .help("Clears per-scene effects. Undo restores them.");
    ask("Next scene", vec![row], view, |form, _| {
        let name = form.text("line");
        Ok(Command::NextScene { name }.into())
    })
}

/// Undoes an entry of the log, for a reason.
pub fn strike_form(entry: u64, tag: &str, view: &SeatView<'_>) -> Dialog {
    let row = Row::text("line", "Reason", "", LONGEST_REASON)
        .hint("none")
        .help("Returns everything that it changed. The entry stays in the log, marked as undone.");
    let name = if tag.is_empty() { "this entry" } else { tag };
    ask(
        format!("Undo {name} and its effects"),
        vec![row],
        view,
        move |form, _| {
            let reason = form.text("line");
            Ok(Act::Strike { entry, reason }.into())
        },
    )
}

/// Asks for a new name of the game.
pub fn game_name_form(current_name: &str, view: &SeatView<'_>) -> Dialog {
    let row = Row::text("line", "Name", current_name, LONGEST_GAME_NAME)
        .hint("The cliff")
        .needed()
        .help("Saved in a folder with this name.");
    ask("Name the game", vec![row], view, |form, _| {
        let name = form.text("line");
        match Name::new(&name, &[]) {
            Ok(_) => Ok(DialogAction::Rename(name)),
            Err(StoreError::Name { rule, .. }) => {
                Err(format!("a game cannot have this name: {rule}"))
            }
            Err(error) => Err(error.to_string()),
        }
    })
}

/// Asks for the initiative of every character in the scene.
pub fn turn_order_form(view: &SeatView<'_>) -> Dialog {
    let rows = characters_in_scene(view)
        .map(|character| {
            Row::initiative(
                turn_id(character),
                character.name.clone(),
                character.initiative,
            )
            .help("The highest acts first. Leave it blank to skip a character.")
        })
        .collect();
    ask("Turn order", rows, view, set_turn_order)
}

fn characters_in_scene<'a>(view: &'a SeatView<'_>) -> impl Iterator<Item = &'a Character> {
    view.roster().filter(|character| character.is_combatant())
}

fn turn_id(character: &Character) -> RowId {
    RowId::Nth("turn", character.id.0)
}

/// Sets the initiatives. The first order of turns also starts the first round.
fn set_turn_order(form: &Form, view: &SeatView<'_>) -> Result<DialogAction, String> {
    let mut commands = Vec::new();
    for character in characters_in_scene(view) {
        let edited = Character {
            initiative: form.initiative(turn_id(character))?,
            ..character.clone()
        };
        commands.push(Command::edit(edited));
    }

    let has_initiative = form.rows.iter().any(|row| !row.value().is_empty());
    if view.round == 0 && has_initiative && !commands.is_empty() {
        commands.push(Command::NextRound);
    }
    Ok(Command::together(commands).into())
}

/// Asks for the number of copies of these characters, clocks and pools.
pub fn duplicate_form(targets: &[Target], view: &SeatView<'_>) -> Dialog {
    let duplicates: Vec<Command> = targets
        .iter()
        .filter_map(|target| target.subject())
        .map(Command::Duplicate)
        .collect();
    let row = Row::number("count", "Copies", Some(3), (1, MOST_COPIES))
        .needed()
        .help("Makes numbered copies.");

    ask("Make copies", vec![row], view, move |form, _| {
        let mut commands = Vec::new();
        for _ in 0..form.number("count")? {
            commands.extend_from_slice(&duplicates);
        }
        Ok(Command::together(commands).into())
    })
}
