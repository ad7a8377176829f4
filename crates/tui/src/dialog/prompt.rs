//! Forms of one row: the name of a scene, a note, a reason, the name of the game, how many more.

use super::{Dialog, DialogAction, DialogEvent, DialogSpec, Done, Form, Id, Row, ask};
use crate::action::{Action, Context};
use tableside_commands::Target;
use tableside_game::{Character, Command, LONGEST_HANDOUT, LONGEST_NAME, NoteCommand};
use tableside_store::{Name, StoreError};
use tableside_table::{Act, SeatView};

/// The longest reason, in characters.
const LONGEST_REASON: usize = 500;

/// So many copies at once are enough.
const MOST_COPIES: i32 = 50;

/// Ends the scene and begins the next one.
pub fn scene_form(seen: &SeatView<'_>) -> Dialog {
    let row = Row::text("line", "Name", "", LONGEST_NAME).hint("none");
    let help = "What the rules clear between scenes is cleared; undo takes it back whole.";
    ask("Next scene", vec![row.help(help)], seen, |form, _| {
        let name = form.text("line");
        Ok(Command::NextScene { name }.into())
    })
}

/// Takes a note about that entry of the log, or about nothing in particular.
pub fn note_form(about: Option<u64>, seen: &SeatView<'_>) -> Dialog {
    let title = match about.map(|entry| seen.tag(entry)).as_deref() {
        None => "Note".to_owned(),
        Some("") => "Note on this entry".to_owned(),
        Some(tag) => format!("Note on {tag}"),
    };
    let named = &[Action::Submit, Action::NewLine, Action::Editor];
    let form = Form::new(title, vec![note_line(0)]).wide();
    let mut form = form.in_place(Context::Note, named);
    form.is_foreseen = true;
    Dialog::new(form, Note(about), seen)
}

fn note_line(at: u32) -> Row {
    let label = if at == 0 { "Note" } else { "" };
    let row =
        Row::text(Id::Nth("line", at), label, "", LONGEST_HANDOUT).help("It goes to the log.");
    if at > 0 {
        return row;
    }
    row.needed().hint("what is to be remembered")
}

/// A note: about that entry of the log, or about nothing in particular.
struct Note(Option<u64>);

impl DialogSpec for Note {
    fn refresh(&mut self, form: &mut Form, _seen: &SeatView<'_>) {
        form.rows.append(&mut form.spare);
    }

    fn act(&mut self, event: &DialogEvent, form: &mut Form, _seen: &SeatView<'_>) -> Done {
        match event {
            DialogEvent::Action(Action::NewLine) => add_line(form),
            DialogEvent::Action(Action::Editor) => return Some(DialogAction::Write(written(form))),
            DialogEvent::Written(text) => {
                form.rows.clear();
                for line in text.trim_end().split('\n') {
                    add_line(form);
                    form.handle(&DialogEvent::Paste(line.to_owned()));
                }
            }
            _ => return None,
        }
        Some(DialogAction::Stay)
    }

    fn submit(&mut self, form: &mut Form, seen: &SeatView<'_>) -> Result<DialogAction, String> {
        let note = NoteCommand {
            text: written(form),
            readers: seen.seat().default_readers(),
            about: self.0,
            ..NoteCommand::default()
        };
        Ok(Command::Note(note).into())
    }
}

fn add_line(form: &mut Form) {
    let last = u32::try_from(form.rows.len()).unwrap_or(u32::MAX);
    form.rows.push(note_line(last));
    form.focus_on(form.rows.len());
}

fn written(form: &Form) -> String {
    let lines: Vec<String> = form.rows.iter().map(Row::words).collect();
    lines.join("\n")
}

/// Strikes that entry, for a reason.
pub fn strike_form(entry: u64, tag: &str, seen: &SeatView<'_>) -> Dialog {
    let which = if tag.is_empty() { "this entry" } else { tag };
    let row = Row::text("line", "Reason", "", LONGEST_REASON).hint("none");
    let help = "What followed from it is returned; the entry stays on record, struck.";
    let title = format!("Strike {which}");
    ask(title, vec![row.help(help)], seen, move |form, _| {
        let reason = form.text("line");
        Ok(Act::Strike { entry, reason }.into())
    })
}

/// Names the game, which is called that now.
pub fn game_name_form(now: &str, seen: &SeatView<'_>) -> Dialog {
    let row = Row::text("line", "Name", now, tableside_store::LONGEST_GAME_NAME).hint("The cliff");
    let row = row.needed().help("It is kept in a folder of this name.");
    ask("Name the game", vec![row], seen, |form, _| {
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
pub fn turn_order_form(seen: &SeatView<'_>) -> Dialog {
    let here = seen.roster().filter(|one| one.is_here());
    let row = |one: &Character| {
        let row = Row::initiative(Id::Nth("turn", one.id.0), one.name.clone(), one.initiative);
        row.help("The highest is on turn first. Leave it empty for somebody who takes no turn.")
    };
    let rows = here.map(row).collect();
    ask("Turn order", rows, seen, |form, seen| {
        let here = seen.roster().filter(|one| one.is_here());
        let each = here.map(|one| {
            let initiative = form.initiative(Id::Nth("turn", one.id.0))?;
            Ok::<_, String>(Command::edit(Character {
                initiative,
                ..one.clone()
            }))
        });
        let mut all: Vec<Command> = each.collect::<Result<_, _>>()?;
        // Turns are taken in rounds, from the first on.
        if seen.round == 0 && !all.is_empty() && form.rows.iter().any(|row| !row.words().is_empty())
        {
            all.push(Command::NextRound);
        }
        Ok(Command::together(all).into())
    })
}

/// Asks how many more of these things: a goblin four times.
pub fn duplicate_form(things: &[Target], seen: &SeatView<'_>) -> Dialog {
    let each = things.iter().filter_map(|thing| thing.subject());
    let each: Vec<Command> = each.map(Command::Duplicate).collect();
    let row = Row::number("count", "How many more", Some(3), (1, MOST_COPIES)).needed();
    let row = row.help("So many more, each with the next free number behind its name.");
    ask("More like it", vec![row], seen, move |form, _| {
        let all = (0..form.number("count")?).flat_map(|_| each.iter().cloned());
        Ok(Command::together(all.collect()).into())
    })
}
