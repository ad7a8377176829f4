//! The form in which a scene is prepared, or gets another name and other notes.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::Marked;
use crate::screen::action::{Action, Context};
use crate::screen::dialog::entry::Entry;
use crate::screen::dialog::form::{Form, Item, Went};
use crate::screen::dialog::{Heard, Manner, Reply};
use crate::screen::widget::Look;
use crate::session::{Command, LONGEST_NAME, LONGEST_NOTE, Prepared, PreparedId};
use crate::table::{Entry as Told, Seen};

/// The form in which a scene is prepared.
#[derive(Clone, Debug)]
pub struct KeepForm {
    what: What,
    title: String,
    form: Form,
}

#[derive(Clone, Debug)]
enum What {
    New(Marked),
    Known(PreparedId),
}

impl KeepForm {
    /// Prepares a scene of what is marked.
    pub fn new(marked: Marked, seen: &Seen<'_>) -> Self {
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
            title: "Prepare a scene".to_owned(),
            form: Form::new(items),
        }
    }

    /// Changes a scene's name and notes.
    pub fn edit(scene: &Prepared) -> Self {
        Self {
            what: What::Known(scene.id),
            title: scene.name.clone(),
            form: Form::new(items(&scene.name, &scene.notes)),
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

impl Manner for KeepForm {
    fn contexts(&self) -> &'static [Context] {
        self.form.contexts()
    }

    fn hints(&self) -> &'static [Action] {
        self.form.hints()
    }

    fn takes_letters(&self) -> bool {
        self.form.takes_letters()
    }

    fn hear(&mut self, heard: &Heard, _seen: &Seen<'_>) -> Reply {
        match self.form.hear(heard) {
            Went::On => Reply::Stay,
            Went::Left => Reply::Close,
            Went::Changed => {
                self.check();
                Reply::Stay
            }
            Went::Submitted if self.form.is_untouched() && matches!(self.what, What::Known(_)) => {
                Reply::Close
            }
            Went::Submitted => {
                self.check();
                let built = Ok(self.build());
                self.form.finish(built)
            }
        }
    }

    fn told(&mut self, told: Result<&Told, &str>, _seen: &Seen<'_>) {
        self.form.problem = told.err().map(str::to_owned);
    }

    fn view(
        &self,
        _seen: &Seen<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        self.form.draw(&self.title, look, area, buffer)
    }
}
