//! The list of prepared scenes, in which scenes are created, put on the table, revealed, renamed and deleted.

use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, Row, RowId, ask,
};
use crate::{Action, Context, Role};
use tableside_commands::{describe_creatures, example_creatures, read_creatures};
use tableside_game::{
    Allegiance, Character, CharacterId, ClockId, Command, EntityRef, LONGEST_NOTE, PrepareCommand,
    Prepared, Visibility,
};
use tableside_table::SeatView;
use tableside_text::{join, pluralise};

/// The maximum length of a list of creatures, in characters.
const MAX_LIST_CHARS: usize = 400;

/// The entities that are marked on the table, from which a scene can be prepared.
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

pub struct PreparedScenesDialog {
    marked: MarkedEntities,
}

impl PreparedScenesDialog {
    pub fn open(marked: MarkedEntities, view: &SeatView<'_>) -> Dialog {
        let form = Form::empty("Prepared scenes");
        let mut form = form.with_context(Context::Scenes, &[]);
        form.empty_text = if marked.is_empty() {
            "No scenes are prepared. ⟨new⟩ prepares one from templates of creatures, and from characters and clocks \
             marked with ⟨list.mark⟩."
        } else {
            "No scenes are prepared. ⟨new⟩ prepares one from the marked characters and clocks."
        };
        Dialog::new(form, Self { marked }, view)
    }

    fn prepare(&self, view: &SeatView<'_>) -> DialogAction {
        DialogAction::open(prepare_form(self.marked.clone(), view))
    }
}

fn id_of(scene: &Prepared) -> RowId {
    RowId::Nth("scene", scene.id.0)
}

/// Returns the scene under the cursor.
fn focused<'a>(form: &Form, view: &SeatView<'a>) -> Option<&'a Prepared> {
    let focused = form.focused()?;
    view.prepared().find(|scene| id_of(scene) == focused)
}

fn scene_row(scene: &Prepared, view: &SeatView<'_>) -> Row {
    let mut contents = Vec::new();
    if !scene.cast.is_empty() {
        contents.push(pluralise(scene.cast.len(), "character"));
    }
    if !scene.clocks.is_empty() {
        contents.push(pluralise(scene.clocks.len(), "clock"));
    }
    let row = Row::item(id_of(scene), scene.name.clone(), contents.join(", "));
    row.beside(describe_presence(scene, view))
}

/// Describes whether the scene is on the table, and the number of its hidden entities.
fn describe_presence(scene: &Prepared, view: &SeatView<'_>) -> String {
    let mut present_count = 0;
    let mut hidden_count = 0;
    for character in view.roster() {
        if scene.brought.contains(&character.id.0) {
            present_count += 1;
            hidden_count += usize::from(character.hidden);
        }
    }
    for view in view.clocks() {
        if scene.brought.contains(&view.clock.id.0) {
            present_count += 1;
            let is_hidden = view.clock.visibility == Visibility::Hidden;
            hidden_count += usize::from(is_hidden);
        }
    }

    if present_count == 0 {
        String::new()
    } else if hidden_count == 0 {
        "on the table".to_owned()
    } else {
        format!("on the table, {hidden_count} hidden")
    }
}

/// Lists the characters of a scene. Copies are counted, because they get numbers only on the table: `Mira (party),
/// Goblin ×4`.
fn describe_cast(cast: &[Character]) -> String {
    let mut groups: Vec<Vec<&Character>> = Vec::new();
    for character in cast {
        let is_copy = |group: &&mut Vec<&Character>| {
            let first = group[0];
            let has_same_name = unnumbered(&first.name) == unnumbered(&character.name);
            has_same_name && first.side == character.side
        };
        match groups.iter_mut().find(is_copy) {
            Some(group) => group.push(character),
            None => groups.push(vec![character]),
        }
    }

    let mut descriptions = Vec::new();
    for group in groups {
        let first = group[0];
        let mut description = match group.len() {
            1 => first.name.clone(),
            count => format!("{} ×{count}", unnumbered(&first.name)),
        };
        if first.side != Allegiance::Adversary {
            description += &format!(" ({})", first.side.into_str());
        }
        descriptions.push(description);
    }
    join(descriptions, ", ")
}

/// Returns a name without its number: `Goblin Warrior` for `Goblin Warrior 2`.
fn unnumbered(name: &str) -> &str {
    let Some((start, last_word)) = name.rsplit_once(' ') else {
        return name;
    };
    let is_number = last_word.chars().all(|letter| letter.is_ascii_digit());
    if is_number { start } else { name }
}

/// Describes the entities that a scene puts on the table, and its notes.
fn scene_blocks(scene: &Prepared) -> Vec<Block> {
    let clocks = scene.clocks.iter().map(|clock| {
        let segments = clock.segments.count();
        format!("{} {}/{segments}", clock.name, clock.filled)
    });

    let mut blocks = Vec::new();
    for (lead, text) in [
        ("Characters  ", describe_cast(&scene.cast)),
        ("Clocks      ", join(clocks, ", ")),
        ("Notes       ", scene.notes.clone()),
    ] {
        if !text.is_empty() {
            blocks.push(Block::led(Role::Text, lead, text));
        }
    }
    blocks
}

impl DialogSpec for PreparedScenesDialog {
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        use Action::{BringScene, Delete, New, Open, Visibility};

        let rows = view.prepared().map(|scene| scene_row(scene, view));
        form.lay_out(rows.collect());
        form.keys.hinted_actions = if form.rows.is_empty() {
            &[New]
        } else {
            &[BringScene, Visibility, New, Open, Delete]
        };
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        form.problem = None;
        let action = event.try_as_action_ref()?;
        let done = match (action, focused(form, view)) {
            (Action::New, _) | (Action::Open, None) => self.prepare(view),
            (Action::BringScene, Some(scene)) => Command::BringScene(scene.id).into(),
            (Action::Visibility, Some(scene)) => {
                DialogAction::Submit(Command::RevealScene(scene.id).into())
            }
            (Action::Delete, Some(scene)) => {
                let remove = Command::Remove(EntityRef::Prepared(scene.id));
                DialogAction::Submit(remove.into())
            }
            (Action::Open, Some(scene)) => DialogAction::open(edit_form(scene, view)),
            _ => return None,
        };
        Some(done)
    }

    fn blocks(&self, form: &Form, view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        match focused(form, view) {
            Some(scene) => scene_blocks(scene),
            None => Vec::new(),
        }
    }
}

/// Prepares a scene from the marked entities.
fn prepare_form(marked: MarkedEntities, view: &SeatView<'_>) -> Dialog {
    let characters: Vec<&Character> = marked
        .characters
        .iter()
        .filter_map(|id| view.character(*id))
        .collect();
    let has_party_member = characters
        .iter()
        .any(|character| character.side == Allegiance::Party);

    let mut names: Vec<&str> = Vec::new();
    for character in &characters {
        names.push(&character.name);
    }
    for id in &marked.clocks {
        if let Some(view) = view.clock(*id) {
            names.push(&view.clock.name);
        }
    }
    let creatures = creatures_row(view);

    let [name, notes] = text_rows("", "", view);
    let mut rows = vec![name, creatures, notes];
    if !names.is_empty() {
        // The party usually stays at the table.
        let put_away = Row::flag("away", "Remove from the table", !has_party_member).help(format!(
            "Removed until the scene is brought in: {}.",
            names.join(", ")
        ));
        rows.push(put_away);
    }
    ask("Prepare a scene", rows, view, move |form, view| {
        let creatures = read_creatures(&form.text("creatures"), view);
        let command = PrepareCommand {
            name: form.text("name"),
            notes: form.text("notes"),
            characters: marked.characters.clone(),
            clocks: marked.clocks.clone(),
            creatures: creatures.map_err(|error| error.to_string())?,
            put_away: form.is_on("away"),
        };
        Ok(Command::PrepareScene(command).into())
    })
}

/// Returns the row for the creatures of a scene. The hint has examples of the system's own creatures.
fn creatures_row(view: &SeatView<'_>) -> Row {
    let row = Row::text("creatures", "Creatures", "", MAX_LIST_CHARS);
    let bestiary = view.creatures();
    let names = describe_creatures(&bestiary);
    if names.is_empty() {
        return row
            .hint("none")
            .help("This system has no templates of creatures.");
    }
    row.hint(example_creatures(&bestiary)).help(format!(
        "Added when the scene is brought in, each by the name of its template: {names}."
    ))
}

/// Opens the form that changes the name and the notes of a scene.
fn edit_form(scene: &Prepared, view: &SeatView<'_>) -> Dialog {
    let scene = scene.clone();
    let title = scene.name.clone();
    let rows = text_rows(&scene.name, &scene.notes, view).into();
    ask(title, rows, view, move |form, view| {
        // Another screen may have changed the scene since, so edit its current state.
        let present = view.prepared().find(|present| present.id == scene.id);
        let mut edited = present.unwrap_or(&scene).clone();
        edited.name = form.text("name");
        edited.notes = form.text("notes");
        Ok(Command::edit(edited).into())
    })
}

fn text_rows(name: &str, notes: &str, view: &SeatView<'_>) -> [Row; 2] {
    let gm = view.system().spec().gm;
    [
        Row::name(name, "The ambush").help("The name of the prepared scene."),
        Row::text("notes", "Notes", notes, LONGEST_NOTE)
            .hint("none")
            .help(format!("Only the {gm} reads it.")),
    ]
}
