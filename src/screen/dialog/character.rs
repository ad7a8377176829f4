//! The form of a character: who it is, whose, and the sheet as its system describes it.

use std::borrow::Cow;

use super::entry::Entry;
use super::filled::{Filled, its_form};
use super::form::{Form, Item};
use super::{DialogAction, DialogEvent};
use crate::rules::{Sheet, SheetError, Stat, StatKind, Value};
use crate::screen::action::Action;
use crate::session::{Allegiance, Character, CharacterId, Command, LONGEST_NAME, LONGEST_NOTE};
use crate::table::SeatView;

/// The form of a character.
#[derive(Clone, Debug)]
pub struct CharacterForm {
    /// Which, where it is known already.
    id: Option<CharacterId>,
    form: Form,
    /// Whether it is only read so far: what is typed by mistake goes nowhere.
    reading: bool,
}

/// The values of a character that are none of the sheet, and the place of the side among them.
const OWN: usize = 4;
const SIDE: usize = 2;

/// A sheet's longest line of text.
const LONGEST_LINE: usize = 2_000;

impl CharacterForm {
    /// Opens it for a new character, or for that one.
    pub fn open(id: Option<CharacterId>, seen: &SeatView<'_>) -> Self {
        let known = id.and_then(|id| seen.character(id));
        let blank = Character::new("", Sheet::new(seen.system()));
        let character = known.unwrap_or(&blank);
        let notes = known
            .and_then(|known| seen.notes(known))
            .unwrap_or_default();
        let side = Allegiance::ALL
            .iter()
            .position(|side| *side == character.side);
        let gm = seen.system().spec().gm;
        let mut items = vec![
            Item::new(
                "name",
                "Name",
                Entry::text(&character.name, LONGEST_NAME),
                "What everybody calls the character.",
            )
            .hint("a name"),
            Item::new(
                "player",
                "Player",
                Entry::text(&character.player, LONGEST_NAME),
                format!("Who plays it; empty for the {gm}'s own."),
            )
            .hint("nobody"),
            Item::new(
                "side",
                "Side",
                Entry::word(Allegiance::ALL.map(Allegiance::id), side.unwrap_or(0)),
                "Party, ally, adversary, or apathetic to both.",
            ),
            Item::new(
                "hidden",
                "Hidden",
                Entry::Flag(character.hidden),
                "Whether players may not know of it yet.",
            ),
        ];
        items.extend(
            character
                .sheet
                .iter()
                .map(|(stat, value)| item_of(stat, value)),
        );
        items.push(
            Item::new(
                "notes",
                "Notes",
                Entry::text(notes, LONGEST_NOTE),
                format!("For the {gm} alone."),
            )
            .hint("none"),
        );
        let title = known.map_or("New character", |known| known.name.as_str());
        let mut opened = Self {
            id: known.map(|known| known.id),
            form: Form::new(items).titled(title).wide(),
            reading: known.is_some(),
        };
        if known.is_some() {
            // No line of text has the cursor before somebody goes there.
            let plain = |item: &Item| !item.entry.is_text();
            let mut stats = opened.form.items.iter().skip(OWN);
            let stat = stats.position(plain).map_or(SIDE, |at| at + OWN);
            opened.form.focus_on(stat);
        }
        opened.check(seen);
        opened
    }

    fn check(&mut self, seen: &SeatView<'_>) {
        let (id, sheet) = (self.id, Sheet::new(seen.system()));
        self.form.check(|form, item| match item.id {
            "name" => wrong_name(form, id, seen),
            "player" | "side" | "hidden" | "notes" => None,
            stat => {
                let known = sheet.stat(stat).ok()?;
                parse(known, item)
                    .err()
                    .or_else(|| too_large(form, known, item))
            }
        });
        self.tell_what_it_means(seen);
        // A name that is still missing is no mistake before anybody typed.
        if self.id.is_none()
            && !self.form.is_changed("name")
            && let Some(name) = self.form.items.first_mut()
        {
            name.problem = None;
        }
    }

    /// Says beside each stat what it comes to in a check, as it is being entered.
    fn tell_what_it_means(&mut self, seen: &SeatView<'_>) {
        let mut sheet = Sheet::new(seen.system());
        for item in &self.form.items {
            if let Ok(stat) = sheet.stat(item.id)
                && let Ok(value) = parse(stat, item)
            {
                // It was just read as a value of this stat.
                sheet.record(stat.id, value).ok();
            }
        }
        let means = seen.system().spec().means;
        for item in &mut self.form.items {
            let Ok(stat) = sheet.stat(item.id) else {
                continue;
            };
            let told = means(&sheet, stat.id).filter(|_| item.problem.is_none());
            // A list needs its line for itself: what it comes to stands beneath.
            if item.entry.is_text() {
                item.help = match told {
                    Some(told) => format!("{} As it stands: {told}.", help_of(stat)),
                    None => help_of(stat),
                };
            } else {
                item.beside = told.unwrap_or_default();
            }
        }
    }

    /// The character as it stands now, with what was changed here.
    fn build(&self, seen: &SeatView<'_>) -> Result<Command, String> {
        let now = self.id.and_then(|id| seen.character(id));
        let blank = Character::new("", Sheet::new(seen.system()));
        let mut character = now.unwrap_or(&blank).clone();
        if self.id.is_some() && now.is_none() {
            return Err("that character is not there any more".to_owned());
        }
        let form = &self.form;
        if form.is_changed("name") {
            character.name = form.text("name");
        }
        if form.is_changed("player") {
            character.player = form.text("player");
        }
        if form.is_changed("side") {
            let side = Allegiance::ALL.get(form.choice("side"));
            character.side = side.copied().unwrap_or_default();
        }
        if form.is_changed("hidden") {
            character.hidden = form.flag("hidden");
        }
        if form.is_changed("notes") {
            character.notes = form.text("notes");
        }
        for item in form.items.iter().filter(|item| item.is_changed()) {
            if let Ok(stat) = character.sheet.stat(item.id) {
                let value = parse(stat, item)?;
                let set = character.sheet.set(stat.id, value);
                set.map_err(|error| error.to_string())?;
            }
        }
        let character = Box::new(character);
        Ok(match self.id {
            Some(_) => Command::EditCharacter(character),
            None => Command::AddCharacter(character),
        })
    }
}

fn item_of(stat: &'static Stat, value: &Value) -> Item {
    let (entry, bounds) = match (stat.kind, value) {
        (StatKind::Die { .. }, Value::Die(die)) => (Entry::Die(*die), None),
        (StatKind::Number { min, max, .. }, Value::Number(number)) => {
            (Entry::number(Some(*number)), Some((min, max)))
        }
        (StatKind::Word(words), value) => {
            let word = value.to_string();
            let at = words.iter().position(|known| *known == word);
            (Entry::word(words.iter().copied(), at.unwrap_or(0)), None)
        }
        (_, value) => (Entry::text(&value.to_string(), LONGEST_LINE), None),
    };
    let help = help_of(stat);
    let (min, max) = bounds.unwrap_or((i32::MIN, i32::MAX));
    Item::new(stat.id, stat.label, entry, help)
        .within(min, max)
        .hint("none")
}

fn help_of(stat: &Stat) -> String {
    if stat.help.is_empty() {
        format!("Takes {}.", stat.describe())
    } else {
        stat.help.to_owned()
    }
}

fn parse(stat: &'static Stat, item: &Item) -> Result<Value, String> {
    stat.parse(&item.entry.words())
        .map_err(|error| match error {
            SheetError::Wrong { takes, .. } => format!("must be {takes}"),
            error @ (SheetError::Missing { .. } | SheetError::Unknown { .. }) => error.to_string(),
        })
}

/// A die that is bounded by another one of the sheet.
fn too_large(form: &Form, stat: &'static Stat, item: &Item) -> Option<String> {
    let StatKind::Die {
        at_most: Some(bound),
        ..
    } = stat.kind
    else {
        return None;
    };
    let bound = form.item(bound)?;
    match (&item.entry, &bound.entry) {
        (Entry::Die(die), Entry::Die(most)) if die > most && item.is_changed() => Some(format!(
            "must be no larger than the {} ({most})",
            bound.label
        )),
        _ => None,
    }
}

fn wrong_name(form: &Form, id: Option<CharacterId>, seen: &SeatView<'_>) -> Option<String> {
    let name = form.text("name");
    if name.is_empty() {
        return Some("a character needs a name".to_owned());
    }
    let other = seen
        .character_named(&name)
        .filter(|other| Some(other.id) != id);
    other.map(|other| format!("there is a character named {} already", other.name))
}

impl Filled for CharacterForm {
    its_form!();

    fn title(&self, _seen: &SeatView<'_>) -> Cow<'_, str> {
        if self.reading {
            format!("{}, Enter edits", self.form.title).into()
        } else {
            Cow::Borrowed(&self.form.title)
        }
    }

    fn hints(&self) -> &'static [Action] {
        if self.reading {
            &[Action::NextField, Action::Close]
        } else {
            self.form.hints()
        }
    }

    fn is_an_edit(&self) -> bool {
        self.id.is_some()
    }

    fn takes(&mut self, event: &DialogEvent) -> bool {
        let typed = matches!(event, DialogEvent::Key(_) | DialogEvent::Paste(_));
        let begins = matches!(event, DialogEvent::Action(Action::Submit));
        let was_reading = self.reading;
        self.reading &= typed;
        was_reading && (typed || begins)
    }

    fn entered(&mut self, seen: &SeatView<'_>) {
        self.check(seen);
    }

    fn followed(&mut self, seen: &SeatView<'_>) {
        self.check(seen);
    }

    fn submit(&mut self, seen: &SeatView<'_>) -> DialogAction {
        let missing = wrong_name(&self.form, self.id, seen);
        self.check(seen);
        if let Some(name) = self.form.items.first_mut() {
            name.problem = missing;
        }
        let built = self.build(seen);
        self.form.finish(built)
    }
}
