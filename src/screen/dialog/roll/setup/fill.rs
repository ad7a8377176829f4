//! Filling the fields in: from the sheet, then what they begin with, then what a person decided.

use super::Setup;
use crate::rules::{CheckSpec, Kind, Refused, RuleError, Value};
use crate::screen::dialog::form::Id;
use crate::screen::dialog::roll::value::{self, Given};
use crate::table::SeatView;

impl Setup {
    /// Fills the fields: from the sheet, then what they begin with, then what was given.
    pub(super) fn fill(&mut self, seen: &SeatView<'_>) {
        if self.who.is_some_and(|id| seen.character(id).is_none()) {
            self.who = None;
            let known = std::mem::take(&mut self.starts);
            self.starts = value::starts(self.check, None, seen);
            for (id, value) in known {
                self.starts.retain(|(start, _)| *start != id);
                self.starts.push((id, value));
            }
        }
        if self.group.is_some() {
            self.find_group(seen);
            self.fill_texts();
            self.problem = self.wrong(seen);
            return;
        }
        // The values before anybody says anything: the sheet's, or those of the roll that is read again.
        self.filled = match &self.again {
            Some(again) => again.read.clone(),
            None => seen.fill(self.check, self.who),
        };
        for (id, value) in &self.starts {
            if self.filled.fields.value(id).is_none() && !self.excluded(id) {
                self.filled.fields.set(id, value.clone()).ok();
            }
        }
        for (field, name) in &self.usual {
            // What is no longer on the sheet is not picked again.
            let again = seen.fill_in(&mut self.filled, self.who, field, name);
            again.ok();
        }
        for (id, given) in &self.given {
            let Some(field) = self.check.field(id) else {
                continue;
            };
            let put = match given {
                Given::Pick(name) => seen.fill_in(&mut self.filled, self.who, field, name),
                Given::Value(value) => {
                    self.filled.sources.retain(|(known, _)| known != id);
                    let set = self.filled.fields.set(id, value.clone());
                    // Of two that exclude each other the one given last counts.
                    if let Some(other) = field.excludes.filter(|_| self.again.is_some()) {
                        self.filled.fields.clear(other);
                    }
                    set.map_err(crate::session::CommandError::from)
                }
                Given::Nothing => {
                    self.filled.fields.clear(id);
                    Ok(())
                }
            };
            // What another check or another sheet does not take stays out of it.
            put.ok();
        }
        self.fill_texts();
        self.let_help(seen);
        self.problem = self.wrong(seen);
    }

    /// What another could try may be forbidden to this one: a scale then begins at the highest step that
    /// the rules allow (Friday Night Dungeon: one above the competence).
    pub(super) fn fit_starts(&mut self, seen: &SeatView<'_>) {
        if self.again.is_some() || self.group.is_some() || self.filled.fields.complete().is_err() {
            return;
        }
        for place in 0..self.starts.len() {
            let (id, value) = self.starts[place].clone();
            let (Some(Kind::Word(words)), Value::Text(word)) =
                (self.check.field(id).map(|field| field.kind), value)
            else {
                continue;
            };
            let at = words.iter().position(|known| *known == word);
            let mut lower = words.iter().take(at.map_or(0, |at| at + 1)).rev();
            let allowed = lower.find(|word| {
                let mut fields = self.filled.fields.clone();
                let set = fields.set(id, Value::from(**word));
                set.is_ok() && (self.check.prepare)(&fields, seen.house()).is_ok()
            });
            if let Some(allowed) = allowed.filter(|allowed| **allowed != word)
                && !self.is_given(id)
            {
                self.starts[place].1 = Value::from(*allowed);
                self.fill(seen);
            }
        }
    }

    /// Texts are typed in the form; one that is not there yet is as it was given.
    fn fill_texts(&mut self) {
        let texts = self.check.fields.iter();
        for field in texts.filter(|field| matches!(field.kind, Kind::Text)) {
            if let Some(row) = self.form.row(Id::Field(field.id)) {
                self.filled
                    .fields
                    .set(field.id, Value::Text(row.words()))
                    .ok();
            }
        }
    }

    /// Whether a field is left out because the one that excludes it was given.
    pub(super) fn excluded(&self, id: &str) -> bool {
        let other = self.check.field(id).and_then(|field| field.excludes);
        other.is_some_and(|other| {
            let given = self.given.iter().find(|(known, _)| *known == other);
            matches!(given, Some((_, Given::Value(_) | Given::Pick(_))))
                && !self.given.iter().any(|(known, _)| *known == id)
        })
    }

    /// What the rules say against the check as it stands.
    pub(super) fn wrong(&self, seen: &SeatView<'_>) -> Option<String> {
        if let Some(Err(problem)) = self.group.as_ref().map(|group| &group.found) {
            return Some(problem.clone());
        }
        let fields = &self.filled.fields;
        if let Err(error) = fields.complete() {
            return Some(told(self.check, &error));
        }
        match (self.check.prepare)(fields, seen.house()) {
            Ok(_) => None,
            Err(Refused(why)) => Some(why),
        }
    }
}

/// A refused field as a sentence that names it as the screen does.
fn told(check: &CheckSpec, error: &RuleError) -> String {
    let label = |id: &str| {
        let field = check.field(id);
        field.map_or_else(|| id.to_owned(), |field| field.label.to_owned())
    };
    match error {
        RuleError::Wrong { name, takes, .. } => format!("{} must be {takes}", label(name)),
        RuleError::Missing(fields) => {
            let each = fields.iter();
            let each = each.map(|(field, takes)| format!("{} must be {takes}", label(field)));
            each.collect::<Vec<_>>().join("; ")
        }
        RuleError::Both(field, other) => {
            let (field, other) = (label(field), label(other));
            format!("only one of {field} and {other} may be given")
        }
        RuleError::Neither(field, _, other, _) => {
            format!("one of {} and {} must be given", label(field), label(other))
        }
        error @ RuleError::Said(_) => error.to_string(),
    }
}
