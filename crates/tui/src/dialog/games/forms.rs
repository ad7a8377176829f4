//! The forms of the list of games: a new game, a name, an invitation code.

use std::sync::Arc;

use super::{Library, NewGame};
use crate::dialog::{Dialog, DialogAction, DialogSpec, Form, Row};
use tableside_rules::System;
use tableside_store::LONGEST_GAME_NAME;
use tableside_table::SeatView;

/// The maximum length of the list of new characters, in characters of text.
const MAX_CHARACTERS_CHARS: usize = 300;

/// The maximum length of an invitation code, in characters.
const MAX_CODE_CHARS: usize = 40;

fn name_row(name: &str) -> Row {
    Row::text("name", "Name", name, LONGEST_GAME_NAME)
        .needed()
        .hint("any name you like")
}

struct NewGameForm {
    library: Arc<dyn Library>,
    systems: Vec<(String, Result<System, String>)>,
}

pub(super) fn new_game_form(library: Arc<dyn Library>) -> Dialog {
    let systems = library.systems();
    let mut labels = Vec::new();
    for (name, system) in &systems {
        labels.push(match system {
            Ok(system) => system.spec().name.to_owned(),
            Err(_) => format!("{name} (broken)"),
        });
    }

    let rows = vec![
        name_row("").help("Saved in a folder with this name."),
        Row::choice("system", "System", labels, 0).by_typing(),
        Row::text("characters", "Characters", "", MAX_CHARACTERS_CHARS)
            .hint("Ana, Bo, Cael, Dara")
            .help("Names of the party, with commas between them. You can add more later."),
        Row::flag("sample", "Sample game", false)
            .help("A party, clocks and a few rolls to look at, besides the characters above."),
    ];
    let form = Form::new("New game", rows).with_submit_label("create");
    Dialog::without_view(form, NewGameForm { library, systems })
}

/// Returns the names in a list with commas.
fn names_in(list: &str) -> Vec<String> {
    list.split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

impl NewGameForm {
    fn picked_system(&self, form: &Form) -> Option<&Result<System, String>> {
        let (_, system) = self.systems.get(form.choice("system"))?;
        Some(system)
    }
}

impl DialogSpec for NewGameForm {
    fn refresh(&mut self, form: &mut Form, _view: &SeatView<'_>) {
        let mut help = String::new();
        if let Some(Ok(system)) = self.picked_system(form) {
            let spec = system.spec();
            help = format!("Type its name. {} {}", spec.about, spec.credit);
        }
        if let Some(row) = form.shown_row_mut("system") {
            row.help = help.into();
        }
    }

    fn submit(&mut self, form: &mut Form, _view: &SeatView<'_>) -> Result<DialogAction, String> {
        let system = self
            .picked_system(form)
            .ok_or("Choose a system.")?
            .clone()?;
        let name = form.text("name");
        self.library.create(&NewGame {
            name: name.clone(),
            system,
            sample: form.is_on("sample"),
            characters: names_in(&form.text("characters")),
        })?;
        Ok(DialogAction::OpenGame(name))
    }
}

/// The purpose of a name form, with the current name of the game.
pub(super) enum NameTask {
    Duplicate(String),
    Rename(String),
}

struct NameForm {
    library: Arc<dyn Library>,
    task: NameTask,
}

pub(super) fn name_form(task: NameTask, library: Arc<dyn Library>) -> Dialog {
    let (title, proposed_name, submit_label) = match &task {
        NameTask::Duplicate(name) => (format!("Another {name}"), format!("{name} 2"), "copy"),
        NameTask::Rename(name) => (format!("Rename {name}"), name.clone(), "rename"),
    };
    let rows = vec![name_row(&proposed_name)];
    let form = Form::new(title, rows).with_submit_label(submit_label);
    Dialog::without_view(form, NameForm { library, task })
}

impl DialogSpec for NameForm {
    fn submit(&mut self, form: &mut Form, _view: &SeatView<'_>) -> Result<DialogAction, String> {
        let new_name = form.text("name");
        match &self.task {
            NameTask::Duplicate(name) => self.library.duplicate(name, &new_name)?,
            NameTask::Rename(name) => self.library.rename(name, &new_name)?,
        }
        Ok(DialogAction::Close)
    }
}

struct CodeForm {
    library: Arc<dyn Library>,
}

pub(super) fn code_form(library: Arc<dyn Library>) -> Dialog {
    let row = Row::text("code", "Code", "", MAX_CODE_CHARS)
        .hint("as in 7H2K-Q4YJ-C6VB")
        .help("The invitation code from the GM. It works once.");
    let form = Form::new("Take a seat", vec![row]).with_submit_label("enter");
    Dialog::without_view(form, CodeForm { library })
}

impl DialogSpec for CodeForm {
    fn submit(&mut self, form: &mut Form, _view: &SeatView<'_>) -> Result<DialogAction, String> {
        self.library.redeem(&form.text("code"))?;
        Ok(DialogAction::Close)
    }
}
