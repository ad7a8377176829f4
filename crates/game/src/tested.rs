//! Describing what a check tests, by the names of its values: an ability, a skill, an opponent.

use std::collections::BTreeMap;

use super::{Origin, Roll};
use tableside_rules::{CheckSpec, Field, Fields, System, Whose};
use tableside_text::join;

/// A description of what a check tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested {
    /// The tested skill and the opponent: `Locks`, `Spear against Wren: Deflect`, `attacks Wren, Might`.
    pub words: String,
    /// True if the words are a verb phrase that follows the name of the roller.
    is_verb_phrase: bool,
}

/// The words for the opponent in the title of a check.
struct TestedOpponent {
    /// The opponent's name, with the picked value if the opponent picks one.
    title: String,
    /// True if the opponent picks a value to resist with.
    picks_value: bool,
}

impl Tested {
    /// Describes a check whose values come from these sources. Without named values it is described by its own name.
    pub fn of(fields: &Fields, sources: &BTreeMap<String, Origin>) -> Self {
        let spec = fields.spec();
        let names = own_names(spec, sources);
        let opponent = tested_opponent(fields, sources);

        if let Some(opponent) = &opponent
            && !spec.deed.is_empty()
        {
            let mut description = format!("{} {}", spec.deed, opponent.title);
            if !names.is_empty() {
                description = format!("{description}, {names}");
            }
            return Self {
                words: description,
                is_verb_phrase: true,
            };
        }

        // The names alone would be ambiguous if the usual check of the system tests the same values.
        let picks_value = opponent
            .as_ref()
            .is_some_and(|opponent| opponent.picks_value);
        let is_clear = picks_value || !resembles_usual_check(spec);
        let mut description = match (names.is_empty(), is_clear) {
            (true, _) => spec.label.to_owned(),
            (false, true) => names,
            (false, false) => format!("{}: {names}", spec.label),
        };
        if let Some(opponent) = opponent {
            description = format!("{description} against {}", opponent.title);
        }
        Self {
            words: description,
            is_verb_phrase: false,
        }
    }

    /// True if the words are a verb phrase that follows the name of the roller: `attacks Wren, Might`.
    pub const fn is_verb_phrase(&self) -> bool {
        self.is_verb_phrase
    }

    /// The description as a title with the name of the roller: `Piet · Locks`, `Mira attacks Wren, Might`.
    pub fn title(&self, who: &str) -> String {
        if who.is_empty() {
            return self.words.clone();
        }
        let separator = if self.is_verb_phrase { " " } else { " · " };
        format!("{who}{separator}{}", self.words)
    }
}

impl Roll {
    /// Describes what the roll tests, for a sentence. `None` if the system has no such check.
    pub fn tested_value(&self, system: System) -> Option<Tested> {
        let fields = self.fields_or_presets(system)?;
        Some(Tested::of(&fields, &self.sources))
    }

    /// Describes what the roll tests, with the values that results mention. `None` if the system has no such check.
    pub fn tested(&self, system: System) -> Option<Tested> {
        let fields = self.fields_or_presets(system)?;
        let mut tested = Tested::of(&fields, &self.sources);
        for said in said_fields(&fields) {
            tested.words = format!("{}, {said}", tested.words);
        }
        Some(tested)
    }

    /// Returns the fields, or their presets if the values of an old roll do not fit a check that was changed since.
    fn fields_or_presets(&self, system: System) -> Option<Fields> {
        let spec = self.spec(system).ok()?;
        let fields = self.all_fields(system);
        Some(fields.unwrap_or_else(|_| Fields::presets(spec)))
    }
}

/// Returns the values that results mention: `desperate`, `standard effect`.
fn said_fields(fields: &Fields) -> Vec<String> {
    let mut said_fields = Vec::new();
    for field in fields.spec().fields {
        if let Some(said) = field.said
            && let Some(value) = fields.value(field.id)
        {
            said_fields.push(said.replace("{}", &value.to_string()));
        }
    }
    said_fields
}

/// The names of the tested values on the roller's own sheet.
///
/// A check with a verb, such as `attacks`, leaves out a value that the rules derive, because no player picked it.
fn own_names(spec: &CheckSpec, sources: &BTreeMap<String, Origin>) -> String {
    let has_verb = !spec.deed.is_empty();
    let system = spec.system.spec();
    let names = spec
        .fields
        .iter()
        .filter(|field| field.is_tested())
        .filter_map(|field| sources.get(field.id))
        .filter_map(Origin::name)
        .filter(|name| !name.is_empty())
        .filter(|name| !has_verb || !system.is_derived(name));
    join(names, ", ")
}

fn tested_opponent(fields: &Fields, sources: &BTreeMap<String, Origin>) -> Option<TestedOpponent> {
    let (field, source) = fields
        .spec()
        .fields
        .iter()
        .filter(|field| field.whose == Whose::Opponent)
        .filter_map(|field| Some((field, sources.get(field.id)?)))
        .find(|(_, source)| source.owner().is_some())?;

    let picks_value = field.is_picked() && fields.has_effect(field);
    let title = if picks_value {
        source.to_string()
    } else {
        source.owners()
    };
    Some(TestedOpponent { title, picks_value })
}

/// True if a check tests the same field as the usual check of the system, which is the first one.
fn resembles_usual_check(spec: &CheckSpec) -> bool {
    let Some(usual) = spec.system.spec().checks.first() else {
        return false;
    };
    if usual.id == spec.id {
        return false;
    }

    let is_tested = |field: &&Field| field.is_tested();
    let Some(usual_field) = usual.fields.iter().find(is_tested) else {
        return false;
    };
    spec.fields
        .iter()
        .filter(is_tested)
        .any(|field| field.id == usual_field.id)
}
