//! Forms with a single question: the name of a scene, a reason, the name of the game, copies.

use crate::dialog::{Dialog, DialogAction, Row, ask};
use tableside_commands::Target;
use tableside_game::{Command, LONGEST_NAME};
use tableside_store::{LONGEST_GAME_NAME, Name, StoreError};
use tableside_table::{Act, SeatView};

/// The maximum length of a reason, in characters.
const MAX_REASON_CHARS: usize = 500;

/// The maximum number of copies at once.
const MAX_COPIES: i32 = 50;

/// Opens the form that ends the scene and starts the next scene.
pub fn scene_form(view: &SeatView<'_>) -> Dialog {
    let help = if view.has_turn_order() {
        format!(
            "Ends the fight in round {}, and per-scene effects. Undo restores them.",
            view.round
        )
    } else {
        "Ends per-scene effects. Undo restores them.".to_owned()
    };
    let row = Row::text("line", "Name", "", LONGEST_NAME)
        .hint("none")
        .help(help);
    let dialog = ask("Next scene", vec![row], view, |form, _| {
        let name = form.text("line");
        Ok(Command::NextScene { name }.into())
    });
    dialog.with_submit_label("begin")
}

/// Opens the form that asks for a reason and undoes an entry of the log.
pub fn strike_form(entry: u64, tag: &str, view: &SeatView<'_>) -> Dialog {
    let row = Row::text("line", "Reason", "", MAX_REASON_CHARS)
        .hint("none")
        .help("Reverts everything that the entry changed. The entry stays in the log, marked as undone.");
    let name = if tag.is_empty() { "this entry" } else { tag };
    let title = format!("Undo {name} and its effects");
    let dialog = ask(title, vec![row], view, move |form, _| {
        let reason = form.text("line");
        Ok(Act::Strike { entry, reason }.into())
    });
    dialog.with_submit_label("undo")
}

/// Opens the form for a new name of the game.
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

/// Opens the form for the number of copies of these characters, clocks and pools.
pub fn duplicate_form(targets: &[Target], view: &SeatView<'_>) -> Dialog {
    let duplicates: Vec<Command> = targets
        .iter()
        .filter_map(|target| target.subject())
        .map(Command::Duplicate)
        .collect();
    let row = Row::number("count", "Copies", Some(3), (1, MAX_COPIES))
        .needed()
        .help("Makes numbered copies.");

    let dialog = ask("Make copies", vec![row], view, move |form, _| {
        let mut commands = Vec::new();
        for _ in 0..form.number("count")? {
            commands.extend_from_slice(&duplicates);
        }
        Ok(Command::together(commands).into())
    });
    dialog.with_submit_label("copy")
}
