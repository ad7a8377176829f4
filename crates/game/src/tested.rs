//! What a check is about, by the names that its values were picked by: an ability, a skill, an opponent.

use std::collections::BTreeMap;

use super::{Origin, Roll};
use tableside_rules::{CheckSpec, System, Whose};
use tableside_text::join;

/// What a check is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested {
    /// What was tested, and against whom: `Locks`, `Spear against Wren: Deflect`, `attacks Wren, Might`.
    pub words: String,
    /// Whether the words go on from the name of the one who rolls.
    is_deed: bool,
}

impl Tested {
    /// What a check with values from these places is about; its own name where none of them was picked by name.
    pub fn of(spec: &'static CheckSpec, sources: &BTreeMap<String, Origin>) -> Self {
        let own = spec.fields.iter().filter(|field| field.is_tested());
        let names = own.clone().filter_map(|field| sources.get(field.id));
        let names = names
            .filter_map(Origin::name)
            .filter(|name| !name.is_empty());
        let names = join(names, ", ");
        let fields = spec.fields.iter();
        let theirs = fields.filter(|field| field.whose == Whose::Opponent);
        let mut theirs = theirs.filter_map(|field| Some((field, sources.get(field.id)?)));
        let against = theirs.find(|(_, origin)| origin.owner().is_some());
        // What is picked to resist with is told; where it follows from the rules, whose it is says all.
        let is_resisted = against.is_some_and(|(field, _)| field.is_picked());
        let against = against.map(|(_, origin)| {
            if is_resisted {
                origin.to_string()
            } else {
                origin.owners()
            }
        });
        let is_deed = !spec.deed.is_empty() && against.is_some();
        // Another check that tests the same things as the usual one says which it is.
        let usual = spec.system.spec().checks.first();
        let usual = usual.filter(|usual| usual.id != spec.id);
        let usual = usual.and_then(|usual| usual.fields.iter().find(|field| field.is_tested()));
        let is_alike = usual.is_some_and(|usual| own.clone().any(|field| field.id == usual.id));
        let apart = |before: &str| {
            let before = if names.is_empty() { "" } else { before };
            format!("{before}{names}")
        };
        let words = match &against {
            Some(whom) if is_deed => format!("{} {whom}{}", spec.deed, apart(", ")),
            _ => {
                let is_told = (is_resisted || !is_alike) && !names.is_empty();
                let what = if is_told {
                    names.clone()
                } else {
                    format!("{}{}", spec.label, apart(": "))
                };
                let whom = against.map(|whom| format!(" against {whom}"));
                what + whom.unwrap_or_default().as_str()
            }
        };
        Self { words, is_deed }
    }

    /// As a title that says who rolls, if anybody does: `Piet · Locks`, `Mira attacks Wren, Might`.
    pub fn title(&self, who: &str) -> String {
        match (who, self.is_deed) {
            ("", _) => self.words.clone(),
            (who, true) => format!("{who} {}", self.words),
            (who, false) => format!("{who} · {}", self.words),
        }
    }
}

impl Roll {
    /// What it is about; none where the system does not know its check.
    pub fn tested(&self, system: System) -> Option<Tested> {
        Some(Tested::of(self.spec(system).ok()?, &self.sources))
    }
}
