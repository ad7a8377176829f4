//! The form of a character: who it is, whose, and the sheet as its system describes it.

use super::form::{Entry, Form, FormDialog, FormSpec, Id, Row};
use super::{DialogAction, DialogEvent};
use crate::rules::{Field, Kind, RuleError, Sheet, Value};
use crate::screen::action::Action;
use crate::session::{Allegiance, Character, CharacterId, Command, LONGEST_NAME, LONGEST_NOTE};
use crate::table::SeatView;

/// The form of a character. Its own rows are named; a stat's is a field's.
#[derive(Debug)]
pub struct CharacterForm {
    /// Which, if it is known already.
    id: Option<CharacterId>,
    /// Whether it is only read so far: what is typed by mistake goes nowhere.
    is_reading: bool,
}

/// The rows before the sheet, and the place of the side among them.
const OWN: usize = 4;
const SIDE: usize = 2;

/// A sheet's longest line of text.
const LONGEST_LINE: usize = 2_000;

impl CharacterForm {
    /// Opens it for a new character, or for that one.
    pub fn open(id: Option<CharacterId>, seen: &SeatView<'_>) -> FormDialog<Self> {
        let known = id.and_then(|id| seen.character(id));
        let blank = Character::new("", Sheet::new(seen.system()));
        let character = known.unwrap_or(&blank);
        let notes = known.and_then(|known| seen.notes(known));
        let gm = seen.system().spec().gm;
        let mut rows = vec![
            Row::text("name", "Name", &character.name, LONGEST_NAME)
                .hint("a name")
                .help("What everybody calls the character."),
            Row::text("player", "Player", &character.player, LONGEST_NAME)
                .hint("nobody")
                .help(format!("Who plays it; empty for the {gm}'s own.")),
            Row::one_of(
                "side",
                "Side",
                &Allegiance::ALL,
                character.side,
                Allegiance::id,
            )
            .help("Party, ally, adversary, or apathetic to both."),
            Row::flag("hidden", "Hidden", character.hidden)
                .help("Whether players may not know of it yet."),
        ];
        let sheet = character.sheet.iter();
        rows.extend(sheet.map(|(stat, value)| stat_row(stat, value)));
        rows.push(
            Row::text("notes", "Notes", notes.unwrap_or_default(), LONGEST_NOTE)
                .hint("none")
                .help(format!("For the {gm} alone.")),
        );
        // No line of text has the cursor before somebody goes there.
        let plain = |row: &Row| !matches!(row.entry, Entry::Text(_));
        let stat = rows.iter().skip(OWN).position(plain);
        let begin = known.map_or(0, |_| stat.map_or(SIDE, |at| at + OWN));
        let form = Form::new(title(known, known.is_some()), rows).wide();
        let spec = Self {
            id: known.map(|known| known.id),
            is_reading: known.is_some(),
        };
        FormDialog::new(form, spec, seen).at_place(begin)
    }
}

fn title(known: Option<&Character>, is_reading: bool) -> String {
    match known {
        None => "New character".to_owned(),
        Some(known) if is_reading => format!("{}, Enter edits", known.name),
        Some(known) => known.name.clone(),
    }
}

fn stat_row(stat: &'static Field, value: &Value) -> Row {
    let (id, label) = (Id::Field(stat.id), stat.label);
    let row = match (stat.kind, value) {
        (Kind::Die, Value::Die(die)) => Row::new(id, label, Entry::Die(*die)),
        (Kind::Number { min, max }, Value::Number(number)) => {
            Row::number(id, label, Some(*number), (min, max))
        }
        (Kind::Word(words), value) => {
            let word = value.to_string();
            let at = words.iter().position(|known| *known == word);
            Row::choice(id, label, words.iter().copied(), at.unwrap_or(0))
        }
        (_, value) => Row::text(id, label, &value.to_string(), LONGEST_LINE),
    };
    row.hint("none").help(help_of(stat))
}

fn help_of(stat: &Field) -> String {
    if stat.help.is_empty() {
        format!("Takes {}.", stat.describe())
    } else {
        stat.help.to_owned()
    }
}

fn parse(stat: &'static Field, row: &Row) -> Result<Value, String> {
    stat.parse(&row.entry.words()).map_err(|error| match error {
        RuleError::Wrong { takes, .. } => format!("must be {takes}"),
        error => error.to_string(),
    })
}

/// The stat of a row.
fn stat_of(row: &Row, sheet: &Sheet) -> Option<&'static Field> {
    match row.id {
        Id::Field(id) => sheet.stat(id).ok(),
        _ => None,
    }
}

/// A die that is bounded by another one of the sheet.
fn too_large(form: &Form, stat: &'static Field, row: &Row) -> Option<String> {
    let bound = form.row(Id::Field(stat.at_most?))?;
    match (&row.entry, &bound.entry) {
        (Entry::Die(die), Entry::Die(most)) if die > most && row.is_changed() => Some(format!(
            "must be no larger than the {} ({most})",
            bound.label
        )),
        _ => None,
    }
}

fn wrong_name(name: &str, id: Option<CharacterId>, seen: &SeatView<'_>) -> Option<String> {
    if name.is_empty() {
        return Some("a character needs a name".to_owned());
    }
    let other = seen.character_named(name);
    let other = other.filter(|other| Some(other.id) != id);
    other.map(|other| format!("there is a character named {} already", other.name))
}

impl FormSpec for CharacterForm {
    fn is_an_edit(&self) -> bool {
        self.id.is_some()
    }

    fn hints(&self, form: &Form) -> &'static [Action] {
        if self.is_reading {
            &[Action::NextField, Action::Close]
        } else {
            form.hints()
        }
    }

    fn takes(&mut self, form: &mut Form, event: &DialogEvent) -> bool {
        let typed = matches!(event, DialogEvent::Key(_) | DialogEvent::Paste(_));
        let begins = matches!(event, DialogEvent::Action(Action::Submit));
        let was_reading = self.is_reading;
        self.is_reading &= typed;
        if was_reading && !self.is_reading {
            form.title = form.title.trim_end_matches(", Enter edits").to_owned();
        }
        was_reading && (typed || begins)
    }

    fn refresh(&mut self, form: &mut Form, seen: &SeatView<'_>) {
        let mut sheet = Sheet::new(seen.system());
        form.check(|form, row| match (row.id, stat_of(row, &sheet)) {
            (Id::Row("name"), _) => wrong_name(&row.words(), self.id, seen),
            (_, None) => None,
            (_, Some(stat)) => parse(stat, row)
                .err()
                .or_else(|| too_large(form, stat, row)),
        });
        for row in &form.rows {
            if let Some(stat) = stat_of(row, &sheet)
                && let Ok(value) = parse(stat, row)
            {
                // It was just read as a value of this stat.
                sheet.record(stat.id, value).ok();
            }
        }
        // What each comes to in a check stands beside it as it is entered.
        let means = seen.system().spec().means;
        for row in &mut form.rows {
            let Some(stat) = stat_of(row, &sheet) else {
                continue;
            };
            let told = means(&sheet, stat.id).filter(|_| row.problem.is_none());
            // A list needs its line for itself: what it comes to stands beneath.
            match (&row.entry, told) {
                (Entry::Text(_), Some(told)) => {
                    row.help = format!("{} As it stands: {told}.", help_of(stat)).into();
                }
                (Entry::Text(_), None) => row.help = help_of(stat).into(),
                (_, told) => row.beside = told.unwrap_or_default(),
            }
        }
    }

    /// The character as it stands now, with what was changed here.
    fn submit(&mut self, form: &Form, seen: &SeatView<'_>) -> Result<DialogAction, String> {
        let mut character = match self.id {
            None => Character::new("", Sheet::new(seen.system())),
            Some(id) => {
                let now = seen.character(id);
                now.ok_or("that character is not there any more")?.clone()
            }
        };
        for row in form.rows.iter().filter(|row| row.is_changed()) {
            match row.id {
                Id::Row("name") => character.name = row.words(),
                Id::Row("player") => character.player = row.words(),
                Id::Row("side") => character.side = form.picked("side", &Allegiance::ALL),
                Id::Row("hidden") => character.hidden = form.is_on("hidden"),
                Id::Row("notes") => character.notes = row.words(),
                _ => {
                    if let Some(stat) = stat_of(row, &character.sheet) {
                        let value = parse(stat, row)?;
                        let set = character.sheet.set(stat.id, value);
                        set.map_err(|error| error.to_string())?;
                    }
                }
            }
        }
        let character = Box::new(character);
        Ok(match self.id {
            Some(_) => Command::EditCharacter(character).into(),
            None => Command::AddCharacter(character).into(),
        })
    }
}
