//! The prepared scenes: brought, revealed, and kept.

use ratatui::layout::Position;

use super::form::{Form, FormDialog, FormSpec, Id, Row, Went};
use super::{Canvas, Dialog, DialogAction, DialogEvent};
use crate::screen::action::{Action, Context};
use crate::session::{
    CharacterId, ClockId, Command, CommandError, LONGEST_NAME, LONGEST_NOTE, PrepareCommand,
    Prepared, PreparedId, Subject, Visibility,
};
use crate::table::{Entry, SeatView};

/// What is marked on the table, to be kept as a scene.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marked {
    pub characters: Vec<CharacterId>,
    pub clocks: Vec<ClockId>,
}

impl Marked {
    fn is_empty(&self) -> bool {
        self.characters.is_empty() && self.clocks.is_empty()
    }
}

/// The prepared scenes, one of which keys act on.
#[derive(Debug)]
pub struct ScenesDialog {
    marked: Marked,
    form: Form,
}

impl ScenesDialog {
    /// Opens the list; what is marked on the table may be kept as another scene.
    pub fn open(marked: Marked, seen: &SeatView<'_>) -> Self {
        let form = Form::new("Prepared scenes", Vec::new());
        let mut opened = Self { marked, form };
        opened.on_change(seen);
        opened
    }

    fn scene<'a>(&self, seen: &SeatView<'a>) -> Option<&'a Prepared> {
        let focused = self.form.focused();
        seen.prepared().find(|scene| Some(id_of(scene)) == focused)
    }

    fn keep(&mut self, seen: &SeatView<'_>) -> DialogAction {
        if self.marked.is_empty() {
            let words = "mark its characters and clocks with m first, then n keeps them";
            self.form.problem = Some(words.into());
            return DialogAction::Stay;
        }
        DialogAction::Replace(KeepForm::prepare(self.marked.clone(), seen).into())
    }

    /// The line that stands for the list while it is empty.
    fn none(&self) -> &'static str {
        if self.marked.is_empty() {
            "No scene is prepared yet. Mark its characters and clocks with m; n here keeps them."
        } else {
            "No scene is prepared yet. n keeps what is marked as one."
        }
    }
}

fn id_of(scene: &Prepared) -> Id {
    Id::Nth("scene", scene.id.0)
}

/// A scene in a row: what it holds, and what of it is on the table.
fn row(scene: &Prepared, seen: &SeatView<'_>) -> Row {
    let count = |number: usize, one: &str| match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        number => Some(format!("{number} {one}s")),
    };
    let holds = [
        count(scene.cast.len(), "character"),
        count(scene.clocks.len(), "clock"),
    ];
    let holds: Vec<String> = holds.into_iter().flatten().collect();
    let came = |id: u32| scene.brought.contains(&id);
    let people = seen.roster().filter(|one| came(one.id.0));
    let clocks = seen.clocks().filter(|one| came(one.clock.id.0));
    let clocks = clocks.map(|one| one.clock.visibility == Visibility::Hidden);
    let there: Vec<bool> = people.map(|one| one.hidden).chain(clocks).collect();
    let hidden = there.iter().filter(|hidden| **hidden).count();
    let state = match (there.len(), hidden) {
        (0, _) => String::new(),
        (_, 0) => "on the table".to_owned(),
        (_, hidden) => format!("on the table, {hidden} hidden"),
    };
    let names = scene.cast.iter().map(|one| one.name.as_str());
    let names = names.chain(scene.clocks.iter().map(|one| one.name.as_str()));
    let names = names.collect::<Vec<&str>>().join(", ");
    let help = format!("{names}. {}", scene.notes);
    Row::item(id_of(scene), scene.name.clone(), holds.join(", "))
        .beside(state)
        .help(help.trim_end().to_owned())
}

impl Dialog for ScenesDialog {
    fn contexts(&self) -> &'static [Context] {
        Context::Scenes.chain()
    }

    fn hints(&self) -> &'static [Action] {
        &[
            Action::BringScene,
            Action::Visibility,
            Action::New,
            Action::Open,
            Action::Delete,
            Action::Close,
        ]
    }

    fn handle(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> DialogAction {
        let scene = self.scene(seen);
        let (action, id) = match (event, scene.map(|scene| scene.id)) {
            (DialogEvent::Action(action), id) => (*action, id),
            (event, _) => {
                self.form.handle(event);
                return DialogAction::Stay;
            }
        };
        match (action, id) {
            (Action::BringScene, Some(id)) => Command::BringScene(id).into(),
            (Action::Visibility, Some(id)) => DialogAction::Submit(Command::RevealScene(id).into()),
            (Action::Delete, Some(id)) => {
                DialogAction::Submit(Command::Remove(Subject::Prepared(id)).into())
            }
            (Action::Open, Some(_)) => scene.map_or(DialogAction::Stay, |scene| {
                DialogAction::Replace(KeepForm::edit(scene, seen).into())
            }),
            (Action::New | Action::Open, _) => self.keep(seen),
            (action, _) => {
                self.form.problem = None;
                match self.form.handle(&DialogEvent::Action(action)) {
                    Went::Left => DialogAction::Close,
                    _ => DialogAction::Stay,
                }
            }
        }
    }

    fn on_result(&mut self, result: Result<&Entry, &str>, seen: &SeatView<'_>) {
        self.form.problem = result.err().map(str::to_owned);
        self.on_change(seen);
    }

    fn on_change(&mut self, seen: &SeatView<'_>) {
        let scenes = seen.prepared();
        self.form
            .lay_out(scenes.map(|scene| row(scene, seen)).collect());
        self.form.none = self.none();
    }

    fn view(&self, _seen: &SeatView<'_>, canvas: &mut Canvas<'_>) -> Option<Position> {
        self.form.draw(&self.form.title, "", canvas).1
    }
}

/// The form in which a scene is prepared, or gets another name and other notes.
#[derive(Debug)]
struct KeepForm(Kept);

#[derive(Debug)]
enum Kept {
    New(Marked),
    Known(PreparedId),
}

impl KeepForm {
    /// Prepares a scene of what is marked.
    fn prepare(marked: Marked, seen: &SeatView<'_>) -> FormDialog<Self> {
        let people = marked.characters.iter();
        let people = people.filter_map(|id| Some(seen.character(*id)?.name.as_str()));
        let clocks = marked.clocks.iter();
        let clocks = clocks.filter_map(|id| Some(seen.clock(*id)?.clock.name.as_str()));
        let names: Vec<&str> = people.chain(clocks).collect();
        let mut rows = Self::rows("", "");
        rows.push(Row::flag("away", "Off the table now", false).help(format!(
            "Whether they leave the table until they are brought: {}.",
            names.join(", ")
        )));
        let form = Form::new("Prepare a scene", rows);
        FormDialog::new(form, Self(Kept::New(marked)), seen)
    }

    /// Changes a scene's name and notes.
    fn edit(scene: &Prepared, seen: &SeatView<'_>) -> FormDialog<Self> {
        let form = Form::new(&scene.name, Self::rows(&scene.name, &scene.notes));
        FormDialog::new(form, Self(Kept::Known(scene.id)), seen)
    }

    fn rows(name: &str, notes: &str) -> Vec<Row> {
        vec![
            Row::text("name", "Name", name, LONGEST_NAME)
                .hint("The ambush")
                .help("What the scene is called among those that are prepared."),
            Row::text("notes", "Notes", notes, LONGEST_NOTE)
                .hint("none")
                .help("For the GM alone."),
        ]
    }
}

impl FormSpec for KeepForm {
    fn is_an_edit(&self) -> bool {
        matches!(self.0, Kept::Known(_))
    }

    fn refresh(&mut self, form: &mut Form, _seen: &SeatView<'_>) {
        form.check(|_, row| {
            let is_empty = row.id == "name".into() && row.words().is_empty();
            is_empty.then(|| "a prepared scene needs a name".to_owned())
        });
    }

    fn submit(&mut self, form: &Form, seen: &SeatView<'_>) -> Result<DialogAction, String> {
        let (name, notes) = (form.text("name"), form.text("notes"));
        let command = match &self.0 {
            Kept::New(marked) => Command::PrepareScene(PrepareCommand {
                name,
                notes,
                characters: marked.characters.clone(),
                clocks: marked.clocks.clone(),
                put_away: form.is_on("away"),
            }),
            Kept::Known(id) => {
                let scene = seen.prepared().find(|scene| scene.id == *id);
                let gone = CommandError::Gone("prepared scene").to_string();
                let scene = scene.cloned().ok_or(gone)?;
                Command::edit(Prepared {
                    name,
                    notes,
                    ..scene
                })
            }
        };
        Ok(command.into())
    }
}
