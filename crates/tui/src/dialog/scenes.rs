//! The prepared scenes: brought, revealed, and kept.

use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, Row, RowId, ask,
};
use crate::{Action, Context, Role};
use tableside_game::{
    Allegiance, CharacterId, ClockId, Command, EntityRef, LONGEST_NOTE, PrepareCommand, Prepared,
    Visibility,
};
use tableside_table::SeatView;
use tableside_text::pluralise;

/// What is marked on the table, to be kept as a scene.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkedEntities {
    pub characters: Vec<CharacterId>,
    pub clocks: Vec<ClockId>,
}

impl MarkedEntities {
    fn is_empty(&self) -> bool {
        self.characters.is_empty() && self.clocks.is_empty()
    }
}

/// The prepared scenes, one of which keys act on; what is marked on the table may be kept as another.
pub struct PreparedScenesDialog(MarkedEntities);

impl PreparedScenesDialog {
    pub fn open(marked: MarkedEntities, view: &SeatView<'_>) -> Dialog {
        let form = Form::new("Prepared scenes", Vec::new());
        let mut form = form.with_context(Context::Scenes, &[]);
        form.empty_text = if marked.is_empty() {
            "No scene is prepared yet. Mark its characters and clocks with m; n here keeps them."
        } else {
            "No scene is prepared yet. n keeps what is marked as one."
        };
        Dialog::new(form, Self(marked), view)
    }

    fn keep(&self, form: &mut Form, view: &SeatView<'_>) -> DialogAction {
        if self.0.is_empty() {
            let words = "mark its characters and clocks with m first, then n keeps them";
            form.problem = Some(words.into());
            return DialogAction::Stay;
        }
        DialogAction::Open(prepare_form(self.0.clone(), view).into())
    }
}

fn id_of(scene: &Prepared) -> RowId {
    RowId::Nth("scene", scene.id.0)
}

/// A scene in a row: what it holds, and what of it is on the table.
fn row(scene: &Prepared, view: &SeatView<'_>) -> Row {
    let count = |number: usize, one: &str| (number > 0).then(|| pluralise(number, one));
    let holds = [
        count(scene.cast.len(), "character"),
        count(scene.clocks.len(), "clock"),
    ];
    let holds: Vec<String> = holds.into_iter().flatten().collect();
    let came = |id: u32| scene.brought.contains(&id);
    let people = view.roster().filter(|one| came(one.id.0));
    let clocks = view.clocks().filter(|one| came(one.clock.id.0));
    let clocks = clocks.map(|one| one.clock.visibility == Visibility::Hidden);
    let there: Vec<bool> = people.map(|one| one.hidden).chain(clocks).collect();
    let hidden = there.iter().filter(|hidden| **hidden).count();
    let state = match (there.len(), hidden) {
        (0, _) => String::new(),
        (_, 0) => "on the table".to_owned(),
        (_, hidden) => format!("on the table, {hidden} hidden"),
    };
    Row::item(id_of(scene), scene.name.clone(), holds.join(", ")).beside(state)
}

/// What a scene would bring: who, which clocks and how full, and the notes on it.
fn brings(scene: &Prepared) -> Vec<Block> {
    let people = scene.cast.iter();
    let people = people.map(|one| format!("{} ({})", one.name, one.side.into_str()));
    let clocks = scene.clocks.iter();
    let clocks = clocks.map(|one| format!("{} {}/{}", one.name, one.filled, one.segments.count()));
    let parts = [
        ("Characters  ", people.collect::<Vec<_>>().join(", ")),
        ("Clocks      ", clocks.collect::<Vec<_>>().join(", ")),
        ("Notes       ", scene.notes.clone()),
    ];
    let told = parts.into_iter().filter(|(_, words)| !words.is_empty());
    told.map(|(lead, words)| Block::led(Role::Text, lead, words))
        .collect()
}

/// The scene that keys act on.
fn in_focus<'a>(form: &Form, view: &SeatView<'a>) -> Option<&'a Prepared> {
    let focused = form.focused();
    view.prepared().find(|scene| Some(id_of(scene)) == focused)
}

impl DialogSpec for PreparedScenesDialog {
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        use Action::{BringScene, Delete, New, Open, Visibility};
        form.lay_out(view.prepared().map(|scene| row(scene, view)).collect());
        let all: &[Action] = &[BringScene, Visibility, New, Open, Delete];
        form.hinted_actions = if form.rows.is_empty() { &[New] } else { all };
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        form.problem = None;
        let action = event.try_as_action_ref()?;
        Some(match (action, in_focus(form, view)) {
            (Action::New, _) | (Action::Open, None) => self.keep(form, view),
            (Action::BringScene, Some(scene)) => Command::BringScene(scene.id).into(),
            (Action::Visibility, Some(scene)) => {
                DialogAction::Submit(Command::RevealScene(scene.id).into())
            }
            (Action::Delete, Some(scene)) => {
                DialogAction::Submit(Command::Remove(EntityRef::Prepared(scene.id)).into())
            }
            (Action::Open, Some(scene)) => DialogAction::Open(rename_form(scene, view).into()),
            _ => return None,
        })
    }

    fn blocks(&self, form: &Form, view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        in_focus(form, view).map_or_else(Vec::new, brings)
    }
}

/// Keeps what is marked as a scene.
fn prepare_form(marked: MarkedEntities, view: &SeatView<'_>) -> Dialog {
    let people = marked.characters.iter();
    let people: Vec<_> = people.filter_map(|id| view.character(*id)).collect();
    let clocks = marked.clocks.iter();
    let clocks = clocks.filter_map(|id| Some(view.clock(*id)?.clock.name.as_str()));
    let names = people.iter().map(|one| one.name.as_str());
    let names: Vec<&str> = names.chain(clocks).collect();
    // The party stays at the table, most of all.
    let goes = people.iter().all(|one| one.side != Allegiance::Party);
    let away = Row::flag("away", "Off the table now", goes).help(format!(
        "Whether they leave the table until they are brought: {}.",
        names.join(", ")
    ));
    let rows = rows("", "").into_iter().chain([away]).collect();
    ask("Prepare a scene", rows, view, move |form, _| {
        Ok(Command::PrepareScene(PrepareCommand {
            name: form.text("name"),
            notes: form.text("notes"),
            characters: marked.characters.clone(),
            clocks: marked.clocks.clone(),
            put_away: form.is_on("away"),
        })
        .into())
    })
}

/// Gives a scene another name, and other notes.
fn rename_form(known: &Prepared, view: &SeatView<'_>) -> Dialog {
    let (known, title) = (known.clone(), known.name.clone());
    let rows = rows(&known.name, &known.notes);
    ask(title, rows.into(), view, move |form, view| {
        // The scene as it stands now, whatever of it was brought meanwhile.
        let now = view.prepared().find(|scene| scene.id == known.id);
        Ok(Command::edit(Prepared {
            name: form.text("name"),
            notes: form.text("notes"),
            ..now.unwrap_or(&known).clone()
        })
        .into())
    })
}

fn rows(name: &str, notes: &str) -> [Row; 2] {
    [
        Row::name(name, "The ambush")
            .help("What the scene is called among those that are prepared."),
        Row::text("notes", "Notes", notes, LONGEST_NOTE)
            .hint("none")
            .help("For the GM alone."),
    ]
}
