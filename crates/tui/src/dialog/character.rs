//! The form that creates, shows or edits a character: its name, its player, its side and its sheet.

mod sheet_rows;
mod template_row;

use self::sheet_rows::{SheetRows, sheet_field, stat_row, typed_stats};
use self::template_row::TemplateRow;
use crate::Action;
use crate::app::offered::is_own;
use crate::dialog::{Dialog, DialogAction, DialogEvent, DialogSpec, Form, Row, RowId, TypedValue};
use tableside_game::{
    AddCreaturesCommand, Allegiance, Character, CharacterId, Command, LONGEST_NAME, LONGEST_NOTE,
};
use tableside_rules::{Sheet, System};
use tableside_table::SeatView;

/// The number of rows above the sheet.
const ROWS_BEFORE_SHEET: usize = 4;

/// The index of the row of the side.
const SIDE_ROW: usize = 2;

/// The row of the hit points. A new character starts with the maximum until a number is typed.
const HIT_POINTS: RowId = RowId::Field("hit-points");

struct CharacterForm {
    /// The character when the form opened.
    character: Character,
    is_new: bool,
    sheet_rows: SheetRows,
    /// The template of a new character.
    template: TemplateRow,
}

/// Opens the form of a character, or of a new character if `id` is `None`. An existing character is read-only until
/// Enter is pressed.
pub fn character_form(id: Option<CharacterId>, view: &SeatView<'_>) -> Dialog {
    let existing = id.and_then(|id| view.character(id));
    let is_new = existing.is_none();
    let (title, character, notes) = match existing {
        Some(character) => (
            character.name.clone(),
            character.clone(),
            view.notes(character),
        ),
        None => {
            let character = Character::new("", Sheet::new(view.system()));
            ("New character".to_owned(), character, None)
        }
    };

    let rows = character_rows(&character, notes, is_new, view);
    let focus = if is_new { 0 } else { first_focus(&rows) };
    let mut form = Form::new(title, rows).wide();
    form.has_preview = true;
    form.is_reading = !is_new;
    form.enter.effect_while_reading = describe_enter(id, view);

    let spec = CharacterForm {
        sheet_rows: SheetRows::new(&character.sheet, is_new),
        template: TemplateRow::new(view),
        character,
        is_new,
    };
    Dialog::new(form, spec, view).with_focus_index(focus)
}

fn character_rows(
    character: &Character,
    notes: Option<&str>,
    is_new: bool,
    view: &SeatView<'_>,
) -> Vec<Row> {
    let gm = view.system().spec().gm;
    let side = character.side;
    let mut rows = vec![
        Row::name(&character.name, "a name").help("The character's name."),
        Row::text("player", "Player", &character.player, LONGEST_NAME)
            .hint("nobody")
            .help(format!(
                "The name of the player. Blank for the {gm}'s own characters."
            )),
        side_row(side),
        Row::flag("hidden", "Hidden", character.hidden)
            .help("Players do not see a hidden character."),
    ];
    for (field, value) in character.sheet.iter() {
        if !character.sheet.is_maximum(field.id) {
            rows.push(stat_row(field, value, &character.sheet, is_new));
        }
    }

    rows.push(notes_row(notes.unwrap_or_default(), view.system()));
    rows
}

fn notes_row(notes: &str, system: System) -> Row {
    let gm = system.spec().gm;
    Row::text("notes", "Notes", notes, LONGEST_NOTE)
        .hint("none")
        .help(format!("Only the {gm} reads it."))
}

fn side_row(side: Allegiance) -> Row {
    Row::one_of("side", "Side", &Allegiance::ALL, side, <&str>::from)
        .help("A crew is a sheet that the party shares. It takes no turns.")
}

/// Returns the index of the row that has the focus while a character is read: the first row of the sheet that is not a
/// text.
fn first_focus(rows: &[Row]) -> usize {
    let is_text = |row: &Row| matches!(row.entry, TypedValue::Text(_));
    rows.iter()
        .enumerate()
        .skip(ROWS_BEFORE_SHEET)
        .find(|(_, row)| !is_text(row))
        .map_or(SIDE_ROW, |(index, _)| index)
}

/// Describes the effect of Enter while a character is read-only. `None` if the seat may not edit the character.
fn describe_enter(id: Option<CharacterId>, view: &SeatView<'_>) -> Option<&'static str> {
    if is_own(id, false, view) {
        return Some("edits");
    }

    let may_suggest = view.seat().may_suggest(view.allowed());
    if may_suggest && !view.is_view() {
        Some("suggests a change")
    } else {
        None
    }
}

impl CharacterForm {
    fn edited(&self, form: &Form, view: &SeatView<'_>) -> Result<Character, String> {
        // The form changes only the edited values, so changes by other seats stay.
        let present = view.character(self.character.id);
        let mut character = match present {
            Some(present) => present.clone(),
            None if self.is_new => self.template.character("", view.system()),
            None => self.character.clone(),
        };
        for row in form.changed() {
            match row.id {
                RowId::Row("name") => character.name = row.value(),
                RowId::Row("player") => character.player = row.value(),
                RowId::Row("side") => character.side = form.picked("side", &Allegiance::ALL),
                RowId::Row("hidden") => character.hidden = form.is_on("hidden"),
                RowId::Row("notes") => character.notes = row.value(),
                _ => set_stat(&mut character.sheet, row)?,
            }
        }

        // The form fills in the hit points of a new character, so they are set even if the player does not change them.
        if self.is_new
            && let Some(row) = form.row(HIT_POINTS)
        {
            set_stat(&mut character.sheet, row)?;
        }
        Ok(character)
    }
}

impl CharacterForm {
    /// Returns the command that adds the new character, or several copies of it.
    fn add(&self, mut character: Character, form: &Form, view: &SeatView<'_>) -> Command {
        let Some(typed) = self.template.typed_characters(form, view) else {
            return Command::add(character);
        };
        character.name = typed.name;
        Command::AddCreatures(Box::new(AddCreaturesCommand {
            character,
            pools: typed.pools,
            count: typed.count,
        }))
    }
}

fn set_stat(sheet: &mut Sheet, row: &Row) -> Result<(), String> {
    let Some(field) = sheet_field(row, sheet) else {
        return Ok(());
    };
    for typed in typed_stats(field, row, sheet)? {
        sheet
            .set(typed.stat.id, typed.value)
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Returns the commands of a seat that may change a sheet only stat by stat.
///
/// Returns `None` if a value outside the sheet changed, and for the GM, who may edit the whole character.
fn set_single_stats(form: &Form, character: &Character, view: &SeatView<'_>) -> Option<Command> {
    if view.seat().sees_all() {
        return None;
    }

    let mut commands = Vec::new();
    for row in form.changed() {
        let field = sheet_field(row, &character.sheet)?;
        for typed in typed_stats(field, row, &character.sheet).ok()? {
            let present = view.character(character.id)?.sheet.value(typed.stat.id);
            if present != Some(&typed.value) {
                commands.push(Command::SetStat {
                    who: character.id,
                    stat: typed.stat.id.to_owned(),
                    value: typed.value,
                });
            }
        }
    }
    if commands.is_empty() {
        return None;
    }
    Some(Command::together(commands))
}

impl DialogSpec for CharacterForm {
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        if self.is_new
            && let Some(sheet) = self.template.refresh(form, view)
        {
            self.sheet_rows = SheetRows::new(&sheet, true);
        }
        self.sheet_rows.refresh(form, view);
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        _view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let is_submit = matches!(event, DialogEvent::Action(Action::Submit));
        if !is_submit || !self.is_new {
            return None;
        }
        form.problem = Some(self.template.question(form)?);
        Some(DialogAction::Stay)
    }

    fn submit(&mut self, form: &mut Form, view: &SeatView<'_>) -> Result<DialogAction, String> {
        // An unchanged sheet must not become a suggestion to the GM.
        if !self.is_new && form.changed().next().is_none() {
            return Ok(DialogAction::Close);
        }

        let character = self.edited(form, view)?;
        if self.is_new {
            return Ok(self.add(character, form, view).into());
        }
        match set_single_stats(form, &character, view) {
            Some(command) => Ok(command.into()),
            None => Ok(Command::edit(character).into()),
        }
    }
}
