//! The template of a new character: found by the typed name, and picked in a row of its own.

use super::sheet_rows::stat_row;
use super::{notes_row, side_row};
use crate::dialog::{Form, Row, RowId};
use std::sync::Arc;
use tableside_commands::describe_creatures;
use tableside_game::{Bestiary, Character, TypedCreatures};
use tableside_rules::{Creature, CreaturePool, Sheet, System};
use tableside_table::SeatView;
use tableside_text::pluralise;

const TEMPLATE: RowId = RowId::Row("template");

/// The option for a character without a template.
const NONE: &str = "none";

/// The maximum number of templates that the row offers.
const MAX_OFFERED: usize = 12;

/// The maximum number of values that are shown next to the name of a template.
const MAX_SHOWN_VALUES: usize = 4;

/// The templates of the system and of the user, and the template whose values the form shows.
pub(super) struct TemplateRow {
    creatures: Arc<Bestiary>,
    /// The templates that match the typed name, the best match first. All templates if no name is typed, or if a number
    /// is typed and no template matches.
    offered: Vec<OfferedTemplate>,
    offers_all: bool,
    /// True if the typed name means a template, so that the best match is selected.
    is_meant: bool,
    /// The template whose values the form shows.
    applied: Option<Creature>,
    /// The typed name for which the form asked whether a template is meant.
    asked_for: String,
}

/// A template that matches the typed name.
#[derive(Clone, PartialEq)]
struct OfferedTemplate {
    creature: Creature,
    /// The name of the new characters, without their numbers.
    name: String,
}

/// The characters that the form adds.
pub(super) struct TypedCharacters {
    /// The name of the character, or the name that several copies share.
    pub(super) name: String,
    pub(super) count: u32,
    pub(super) pools: Vec<CreaturePool>,
}

impl TemplateRow {
    pub(super) fn new(view: &SeatView<'_>) -> Self {
        Self {
            creatures: view.creatures(),
            offered: Vec::new(),
            offers_all: false,
            is_meant: false,
            applied: None,
            asked_for: String::new(),
        }
    }

    /// Asks once whether a template is meant, if the typed name is only the beginning of its name and none is picked. The
    /// focus goes to the row that answers.
    pub(super) fn question(&mut self, form: &mut Form) -> Option<String> {
        let name = form.text("name");
        let is_answered = form.row(TEMPLATE).is_none_or(Row::is_changed);
        let is_clear = self.offers_all || self.is_meant || self.picked(form).is_some();
        let offer = self.offered.first()?;
        if is_answered || is_clear || self.asked_for == name {
            return None;
        }

        self.asked_for.clone_from(&name);
        form.focus_row(TEMPLATE);
        let template = &offer.creature.name;
        Some(format!(
            "the template {template} fits {name}: pick it here, or go on without one"
        ))
    }

    /// Offers the templates that match the typed name. Returns the sheet of the selected template if the selection
    /// changed.
    pub(super) fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) -> Option<Sheet> {
        if !view.seat().sees_all() {
            return None;
        }

        let typed = TypedCreatures::read(&form.text("name"));
        let mut offered = self.fitting(&typed);
        // A name without a number that matches no template is the name of a person, who needs no template.
        self.offers_all = offered.is_empty() && (typed.is_counted || !is_name(&typed.name));
        if self.offers_all {
            offered = self.all(&typed);
        }

        // With a number, a part of a template's name is enough. Without a number, the name of a new person may begin in
        // the same way, so the template's name must be typed in full.
        let is_named = self.creatures.named(&typed.name).is_some();
        let is_meant = !self.offers_all && (typed.is_counted || is_named);
        if offered != self.offered || is_meant != self.is_meant {
            self.offered = offered;
            self.is_meant = is_meant;
            self.lay_out_row(form, view.system());
        }

        let picked = self.picked(form).map(|offer| offer.creature.clone());
        let note = match (&picked, typed.is_counted) {
            (Some(creature), true) => format!("{} × {}", typed.count, creature.name),
            (Some(creature), false) => creature.name.clone(),
            (None, true) => format!("{} × {}", typed.count, typed.own_name()),
            (None, false) => String::new(),
        };
        self.describe_name(form, picked.as_ref());
        form.caption.note = note;
        if picked == self.applied {
            return None;
        }
        self.applied = picked;
        Some(self.apply(form, view.system()))
    }

    fn fitting(&self, typed: &TypedCreatures) -> Vec<OfferedTemplate> {
        let mut offers = Vec::new();
        for found in self.creatures.find(&typed.name) {
            offers.push(OfferedTemplate {
                creature: found.creature.clone(),
                name: found.name,
            });
        }
        offers.truncate(MAX_OFFERED);
        offers
    }

    /// Offers all templates. A typed name stays.
    fn all(&self, typed: &TypedCreatures) -> Vec<OfferedTemplate> {
        let mut offers = Vec::new();
        for creature in &self.creatures.creatures {
            let name = if is_name(&typed.name) {
                typed.own_name()
            } else {
                creature.name.clone()
            };
            offers.push(OfferedTemplate {
                creature: creature.clone(),
                name,
            });
        }
        offers
    }

    /// Writes the help and the hint of the row of the name: how to list the templates, and the name of the selected
    /// template while no name is typed.
    fn describe_name(&self, form: &mut Form, picked: Option<&Creature>) {
        let has_name = is_name(&form.text("name"));
        let templates = describe_creatures(&self.creatures);
        let Some(row) = form.shown_row_mut("name") else {
            return;
        };

        row.help = if templates.is_empty() {
            "The character's name.".into()
        } else if self.offers_all {
            format!("The character's name. Templates, which ⟨next-field⟩ picks: {templates}.")
                .into()
        } else if self.offered.is_empty() {
            format!("The character's name. No template fits; there are {templates}.").into()
        } else {
            "The character's name, or the first letters of a template's.".into()
        };
        row.is_needed = picked.is_none() || has_name;
        row.hint = match picked {
            Some(creature) => creature.name.clone().into(),
            None => "a name".into(),
        };
    }

    /// Inserts the row below the name, or removes it if no template is offered.
    fn lay_out_row(&self, form: &mut Form, system: System) {
        let mut rows: Vec<Row> = form.rows.clone();
        rows.retain(|row| row.id != TEMPLATE);
        if !self.offered.is_empty() {
            rows.insert(1, self.row(system));
        }
        form.lay_out(rows);
        if let Some(row) = form.shown_row_mut(TEMPLATE) {
            *row = self.row(system);
        }
    }

    fn row(&self, system: System) -> Row {
        let selected = usize::from(self.is_meant);
        let names = self.offered.iter().map(|offer| offer.creature.name.clone());
        let words = std::iter::once(NONE.to_owned()).chain(names);
        let beside = match self.offered.first() {
            Some(_) if self.offers_all => pluralise(self.offered.len(), "template"),
            Some(offer) if self.is_meant => describe_values(&offer.creature, system),
            Some(offer) => format!("asks: {}?", offer.creature.name),
            None => String::new(),
        };
        Row::choice(TEMPLATE, "Template", words, selected)
            .beside(beside)
            .by_typing()
            .help(
                "The creature whose values the sheet begins with. Letters, ⟨lower⟩ and ⟨raise⟩ pick another creature.",
            )
    }

    fn picked(&self, form: &Form) -> Option<&OfferedTemplate> {
        form.rows.iter().find(|row| row.id == TEMPLATE)?;
        self.offered.get(form.choice(TEMPLATE).checked_sub(1)?)
    }

    /// Fills in the values of the selected template, or the values of a new sheet. Typed values stay.
    fn apply(&self, form: &mut Form, system: System) -> Sheet {
        let character = self.character("", system);
        for (field, value) in character.sheet.iter() {
            if let Some(row) = form.shown_row_mut(RowId::Field(field.id))
                && !row.is_changed()
            {
                *row = stat_row(field, value, &character.sheet, true);
            }
        }
        if let Some(row) = form.shown_row_mut("side")
            && !row.is_changed()
        {
            *row = side_row(character.side);
        }
        if let Some(row) = form.shown_row_mut("notes")
            && !row.is_changed()
        {
            *row = notes_row(&character.notes, system);
        }
        if let Some(row) = form.shown_row_mut(TEMPLATE) {
            row.beside = match &self.applied {
                Some(creature) => describe_values(creature, system),
                None if self.offers_all => pluralise(self.offered.len(), "template"),
                None => String::new(),
            };
        }
        character.sheet
    }

    /// Returns the new character with its initial values.
    pub(super) fn character(&self, name: &str, system: System) -> Character {
        match &self.applied {
            Some(creature) => Character::from_creature(creature, name, system),
            None => Character::new(name, Sheet::new(system)),
        }
    }

    /// Returns the characters that the typed name describes. `None` for a single character without a template.
    pub(super) fn typed_characters(
        &self,
        form: &Form,
        view: &SeatView<'_>,
    ) -> Option<TypedCharacters> {
        if !view.seat().sees_all() {
            return None;
        }
        let typed = TypedCreatures::read(&form.text("name"));
        match self.picked(form) {
            Some(offer) => Some(TypedCharacters {
                name: offer.name.clone(),
                count: typed.count,
                pools: offer.creature.pools.clone(),
            }),
            None if typed.is_counted => Some(TypedCharacters {
                name: typed.own_name(),
                count: typed.count,
                pools: Vec::new(),
            }),
            None => None,
        }
    }
}

/// Returns true if the text is a name. A question mark lists the templates instead.
fn is_name(text: &str) -> bool {
    !matches!(text, "" | "?")
}

/// Lists the first values of a template: `Hit points 10, Armor class 15`.
fn describe_values(creature: &Creature, system: System) -> String {
    let mut values = Vec::new();
    for (id, value) in creature.stats.iter().take(MAX_SHOWN_VALUES) {
        let stats = system.spec().stats;
        if let Some(stat) = stats.iter().find(|stat| stat.id == *id) {
            values.push(format!("{} {value}", stat.label));
        }
    }
    values.join(", ")
}
