//! The form in which a scene is prepared, or gets another name and other notes.

use super::super::filled::{Filled, its_form};
use super::Marked;
use crate::screen::dialog::DialogAction;
use crate::screen::dialog::entry::Entry;
use crate::screen::dialog::form::{Form, Item};
use crate::session::{Command, LONGEST_NAME, LONGEST_NOTE, Prepared, PreparedId};
use crate::table::SeatView;

/// The form in which a scene is prepared.
#[derive(Clone, Debug)]
pub(super) struct KeepForm {
    what: What,
    form: Form,
}

#[derive(Clone, Debug)]
enum What {
    New(Marked),
    Known(PreparedId),
}

impl KeepForm {
    /// Prepares a scene of what is marked.
    pub(super) fn new(marked: Marked, seen: &SeatView<'_>) -> Self {
        let people = marked
            .characters
            .iter()
            .filter_map(|id| seen.character(*id));
        let clocks = marked.clocks.iter().filter_map(|id| seen.clock(*id));
        let names = people.map(|one| one.name.as_str());
        let names: Vec<&str> = names
            .chain(clocks.map(|one| one.clock.name.as_str()))
            .collect();
        let mut items = items("", "");
        items.push(Item::new(
            "away",
            "Off the table now",
            Entry::Flag(false),
            format!(
                "Whether they leave the table until they are brought: {}.",
                names.join(", ")
            ),
        ));
        Self {
            what: What::New(marked),
            form: Form::new(items).titled("Prepare a scene"),
        }
    }

    /// Changes a scene's name and notes.
    pub(super) fn edit(scene: &Prepared) -> Self {
        Self {
            what: What::Known(scene.id),
            form: Form::new(items(&scene.name, &scene.notes)).titled(&scene.name),
        }
    }

    fn check(&mut self) {
        self.form.check(|form, item| {
            let empty = item.id == "name" && form.text("name").is_empty();
            empty.then(|| "a prepared scene needs a name".to_owned())
        });
    }

    fn build(&self) -> Command {
        let (name, notes) = (self.form.text("name"), self.form.text("notes"));
        match &self.what {
            What::New(marked) => Command::PrepareScene {
                name,
                notes,
                characters: marked.characters.clone(),
                clocks: marked.clocks.clone(),
                put_away: self.form.flag("away"),
            },
            What::Known(scene) => Command::EditPrepared {
                scene: *scene,
                name,
                notes,
            },
        }
    }
}

fn items(name: &str, notes: &str) -> Vec<Item> {
    vec![
        Item::new(
            "name",
            "Name",
            Entry::text(name, LONGEST_NAME),
            "What the scene is called among those that are prepared.",
        )
        .hint("The ambush"),
        Item::new(
            "notes",
            "Notes",
            Entry::text(notes, LONGEST_NOTE),
            "For the GM alone.",
        )
        .hint("none"),
    ]
}

impl Filled for KeepForm {
    its_form!();

    fn is_an_edit(&self) -> bool {
        matches!(self.what, What::Known(_))
    }

    fn entered(&mut self, _seen: &SeatView<'_>) {
        self.check();
    }

    fn submit(&mut self, _seen: &SeatView<'_>) -> DialogAction {
        self.check();
        let built = Ok(self.build());
        self.form.finish(built)
    }
}
