//! What can be told from a check's name alone: in which order its fields stand, and which of them come from a stat
//! or a pool that is their own.

use std::sync::LazyLock;

use super::given::{Came, Given};
use crate::rules::{Field, Source, System, SystemSpec, Value};

/// What is told of the checks of one name, whatever the system.
pub(super) struct Known {
    check: &'static str,
    /// The fields in the order in which a roll keeps them, with the stat or the pool that one is always read
    /// from, by its label; nothing where that leaves a doubt.
    fields: Vec<(&'static str, Option<&'static str>)>,
}

static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let mut names: Vec<&'static str> = Vec::new();
    for check in System::ALL.iter().flat_map(|system| system.spec().checks) {
        if !names.contains(&check.id) {
            names.push(check.id);
        }
    }
    names.into_iter().map(Known::new).collect()
});

impl Known {
    /// What is told of a check of that name, if one has it.
    pub(super) fn of(check: &str) -> Option<&'static Self> {
        KNOWN.iter().find(|known| known.check == check)
    }

    fn new(check: &'static str) -> Self {
        let specs = System::ALL.iter().map(|system| system.spec());
        let checks = specs.flat_map(|spec| {
            let named = spec.checks.iter().filter(move |one| one.id == check);
            named.map(move |one| (spec, *one))
        });
        let mut fields: Vec<(&'static str, Option<&'static str>)> = Vec::new();
        for (_, spec) in checks.clone() {
            for field in spec.fields {
                if fields.iter().all(|(name, _)| *name != field.id) {
                    fields.push((field.id, None));
                }
            }
        }
        for (name, own) in &mut fields {
            let named = checks.clone();
            let named = named.filter_map(|(system, one)| label(system, one.field(name)?));
            let mut labels: Vec<&'static str> = named.collect();
            labels.dedup();
            *own = labels.pop().filter(|_| labels.is_empty());
        }
        Self { check, fields }
    }

    /// The stat or the pool that a field is always read from.
    pub(super) fn own(&self, field: &str) -> Option<&'static str> {
        let found = self.fields.iter().find(|(name, _)| *name == field);
        found.and_then(|(_, own)| *own)
    }

    fn own_fields(&self) -> impl Iterator<Item = &'static str> {
        let own = self.fields.iter().filter(|(_, own)| own.is_some());
        own.map(|(name, _)| *name)
    }

    fn place(&self, field: &str) -> Option<usize> {
        self.fields.iter().position(|(name, _)| *name == field)
    }

    /// Takes the values of the first fields that can come from a stat of their own and do: they are written
    /// without names, where there are two of them at least and all fields stand in their order.
    pub(super) fn take_own(&self, fields: &mut Vec<(String, Given)>) -> Vec<Value> {
        let places = fields.iter().map(|(name, _)| self.place(name));
        let places: Option<Vec<usize>> = places.collect();
        if places.is_none_or(|places| !places.is_sorted_by(|one, next| one < next)) {
            return Vec::new();
        }
        let is_own = |(name, given): &(String, Given), own: &str| {
            name == own && matches!(given.source, Came::OwnStat)
        };
        let mut taken: Vec<&str> = self.own_fields().collect();
        let count = taken
            .iter()
            .take_while(|own| fields.iter().any(|field| is_own(field, own)))
            .count();
        if count < 2 {
            return Vec::new();
        }
        taken.truncate(count);
        let own = fields.extract_if(.., |(name, _)| taken.contains(&name.as_str()));
        own.map(|(_, given)| given.value).collect()
    }

    /// Brings back what [`Self::take_own`] took; refuses more values than there are such fields, and says how
    /// many there are.
    pub(super) fn put_own(
        &self,
        fields: &mut Vec<(String, Given)>,
        own: Vec<Value>,
    ) -> Result<(), usize> {
        let names: Vec<&'static str> = self.own_fields().collect();
        if own.len() > names.len() {
            return Err(names.len());
        }
        fields.extend(names.into_iter().zip(own).map(|(name, value)| {
            let source = Came::OwnStat;
            (name.to_owned(), Given { value, source })
        }));
        fields.sort_by_key(|(name, _)| self.place(name));
        Ok(())
    }
}

/// The stat or the pool that a field is read from, by its label.
fn label(system: &'static SystemSpec, field: &Field) -> Option<&'static str> {
    match field.source {
        Source::Stat(id) => {
            let mut stats = system.stats.iter();
            stats.find(|stat| stat.id == id).map(|stat| stat.label)
        }
        Source::Tokens { kind, .. } => {
            let mut pools = system.pools.iter();
            pools.find(|pool| pool.kind == kind).map(|pool| pool.name)
        }
        Source::Table
        | Source::OneOf(_)
        | Source::Ranked { .. }
        | Source::Derived
        | Source::Follows(_)
        | Source::Condition(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was written without names is read by its place for as long as games are kept: a field that comes
    /// new stands after those that are here.
    #[test]
    fn fields_that_are_written_without_names_keep_their_places() {
        let kept: Vec<(&str, Vec<&str>)> = KNOWN
            .iter()
            .map(|known| (known.check, known.own_fields().collect()))
            .filter(|(_, own): &(_, Vec<_>)| own.len() > 1)
            .collect();
        let attack = [
            "heart",
            "weapon",
            "defense-heart",
            "armor",
            "shield",
            "defense-weapon",
        ];
        let strategy = ["power", "precision", "possibility"];
        assert_eq!(
            kept,
            [
                ("attack", attack.to_vec()),
                ("acs", vec!["bonus", "penalty"]),
                ("strategy", strategy.to_vec()),
            ]
        );
    }
}
