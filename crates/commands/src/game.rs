//! Scenes, house rules, notes, and what was done.

use super::{Args, CommandSpec, command};
use tableside_game::{Command, CommandError, EntityRef, PrepareCommand};
use tableside_table::{Act, SeatId};

/// So many changes are taken back at once.
const MOST_UNDONE: i32 = 100;

pub(super) const COMMANDS: &[CommandSpec] = &[
    command("prepare THINGS… as NAME [~and away]", |it| {
        let command = Command::PrepareScene(PrepareCommand {
            name: it.name.clone(),
            notes: String::new(),
            characters: it.characters().collect(),
            clocks: it.clocks().map(|clock| clock.id).collect(),
            put_away: it.has("away"),
        });
        Ok(command.into())
    }),
    command("bring ~scene SCENE", |it| it.scene(Command::BringScene)),
    command("reveal scene SCENE", |it| it.scene(Command::RevealScene)),
    command("drop scene SCENE", |it| {
        it.scene(|id| Command::Remove(EntityRef::Prepared(id)))
    }),
    command("undo", |_| Ok(Act::Undo)).key("undo"),
    command("undo AMOUNT", |it| {
        Ok(Act::UndoSeveral(
            it.amount().clamp(1, MOST_UNDONE).unsigned_abs(),
        ))
    }),
    command("redo", |_| Ok(Act::Redo)).key("redo"),
    command("next|new scene [NAME]", |it| Ok(next_scene(it))),
    command("scene ~is NAME", |it| Ok(next_scene(it))),
    command("end ~the session", |_| Ok(Command::EndSession.into())).key("end-session"),
    command("take ~the new rules [from NAME]", |it| {
        let seat = it.seen.seat();
        let refused = match (
            seat.sees_all(),
            seat.id == SeatId::HOST || it.name.is_empty(),
        ) {
            (true, true) => None,
            (true, false) => Some("a file of rules is named at the machine that has it".to_owned()),
            (false, _) => Some(format!(
                "only the {} takes new rules",
                it.seen.system().spec().gm
            )),
        };
        if let Some(what) = refused {
            return Err(CommandError::NotAllowed(what).into());
        }
        let system = it.seen.rules_to_take(&it.name)?;
        let from = it.name.clone();
        Ok(Command::TakeRules { system, from }.into())
    }),
    command("note [about ENTRY] TEXT", |it| {
        let (text, about) = (it.text.clone(), it.entry);
        Ok(Command::Note { text, about }.into())
    }),
    command("strike ENTRY [WHY]", |it| {
        let (entry, reason) = (it.entry()?, it.text.clone());
        Ok(Act::Strike { entry, reason })
    }),
    command("house ~rule NAME VALUE", |it| {
        let (rule, value) = (it.name.to_lowercase(), it.text.clone());
        Ok(Command::SetHouse { rule, value }.into())
    }),
];

fn next_scene(it: &Args<'_>) -> Act {
    let name = it.name.clone();
    Command::NextScene { name }.into()
}
