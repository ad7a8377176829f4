//! Forms of one row: the name of a scene, a reason, the name of the game, how many more.

use crate::dialog::{Dialog, DialogAction, Row, RowId, ask};
use tableside_commands::Target;
use tableside_game::{Character, Command, LONGEST_NAME};
use tableside_store::{Name, StoreError};
use tableside_table::{Act, SeatView};

/// The longest reason, in characters.
const LONGEST_REASON: usize = 500;

/// So many copies at once are enough.
const MOST_COPIES: i32 = 50;

/// Ends the scene and begins the next one.
pub fn scene_form(view: &SeatView<'_>) -> Dialog {
    let row = Row::text("line", "Name", "", LONGEST_NAME).hint("none");
    let help = "Clears what the rules clear between scenes. Undo restores all of it.";
    ask("Next scene", vec![row.help(help)], view, |form, _| {
        let name = form.text("line");
        Ok(Command::NextScene { name }.into())
    })
}

/// Strikes that entry, for a reason.
pub fn strike_form(entry: u64, tag: &str, view: &SeatView<'_>) -> Dialog {
    let which = if tag.is_empty() { "this entry" } else { tag };
    let row = Row::text("line", "Reason", "", LONGEST_REASON).hint("none");
    let help = "What followed from it is returned; the entry stays on record, struck.";
    let title = format!("Strike {which}");
    ask(title, vec![row.help(help)], view, move |form, _| {
        let reason = form.text("line");
        Ok(Act::Strike { entry, reason }.into())
    })
}

/// Names the game, which is called that now.
pub fn game_name_form(now: &str, view: &SeatView<'_>) -> Dialog {
    let row = Row::text("line", "Name", now, tableside_store::LONGEST_GAME_NAME).hint("The cliff");
    let row = row.needed().help("It is kept in a folder of this name.");
    ask("Name the game", vec![row], view, |form, _| {
        let name = form.text("line");
        match Name::new(&name, &[]) {
            Ok(_) => Ok(DialogAction::Rename(name)),
            Err(StoreError::Name { rule, .. }) => {
                Err(format!("that is no name for a game: {rule}"))
            }
            Err(error) => Err(error.to_string()),
        }
    })
}

/// Asks for everybody's number in the order of turns.
pub fn turn_order_form(view: &SeatView<'_>) -> Dialog {
    let here = view.roster().filter(|one| one.is_here());
    let row = |one: &Character| {
        let row = Row::initiative(
            RowId::Nth("turn", one.id.0),
            one.name.clone(),
            one.initiative,
        );
        row.help("The highest is on turn first. Leave it empty for somebody who takes no turn.")
    };
    let rows = here.map(row).collect();
    ask("Turn order", rows, view, |form, view| {
        let here = view.roster().filter(|one| one.is_here());
        let each = here.map(|one| {
            let initiative = form.initiative(RowId::Nth("turn", one.id.0))?;
            Ok::<_, String>(Command::edit(Character {
                initiative,
                ..one.clone()
            }))
        });
        let mut all: Vec<Command> = each.collect::<Result<_, _>>()?;
        // Turns are taken in rounds, from the first on.
        if view.round == 0 && !all.is_empty() && form.rows.iter().any(|row| !row.value().is_empty())
        {
            all.push(Command::NextRound);
        }
        Ok(Command::together(all).into())
    })
}

/// Asks how many more of these things: a goblin four times.
pub fn duplicate_form(things: &[Target], view: &SeatView<'_>) -> Dialog {
    let each = things.iter().filter_map(|thing| thing.subject());
    let each: Vec<Command> = each.map(Command::Duplicate).collect();
    let row = Row::number("count", "How many more", Some(3), (1, MOST_COPIES)).needed();
    let row = row.help("So many more, each with the next free number behind its name.");
    ask("More like it", vec![row], view, move |form, _| {
        let all = (0..form.number("count")?).flat_map(|_| each.iter().cloned());
        Ok(Command::together(all.collect()).into())
    })
}
