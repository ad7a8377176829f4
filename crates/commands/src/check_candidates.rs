//! Finds the check and the fields that typed words name, as in `roll Mira agility`.

use super::ParseError;
use super::error::shorten;
use super::name_lookup::{KnownName, Resemblance, find_name};
use tableside_game::CharacterId;
use tableside_rules::{CheckSpec, Field, Kind, Whose};
use tableside_table::SeatView;
use tableside_text::{is_same_name, join};

/// The checks that the typed words can still mean, and the character on whose sheet names are looked up.
pub(super) struct CheckCandidates<'a> {
    /// The checks that are still possible. Never empty.
    checks: Vec<&'static CheckSpec>,
    /// True if the words named a check or one of its fields, so that no other check is possible.
    is_settled: bool,
    sheet_of: Option<CharacterId>,
    view: &'a SeatView<'a>,
}

/// The field that a typed name fills, its value, and how closely the typed name resembles a known one.
pub(super) struct FieldMatch {
    pub(super) check: &'static CheckSpec,
    pub(super) field: &'static Field,
    pub(super) value: String,
    resemblance: Resemblance,
}

impl<'a> CheckCandidates<'a> {
    /// Starts with all checks of the system, or with `fixed` alone.
    ///
    /// Without a roller, names are looked up on the sheet of the first character in the roster.
    pub(super) fn new(
        roller: Option<CharacterId>,
        fixed: Option<&'static CheckSpec>,
        view: &'a SeatView<'a>,
    ) -> Self {
        let mut roster = view.roster();
        let sheet_of = roller.or_else(|| Some(roster.next()?.id));

        match fixed {
            Some(check) => Self {
                checks: vec![check],
                is_settled: true,
                sheet_of,
                view,
            },
            None => Self {
                checks: view.system().spec().checks.to_vec(),
                is_settled: false,
                sheet_of,
                view,
            },
        }
    }

    pub(super) fn first(&self) -> &'static CheckSpec {
        self.checks.first().expect("every system has a check")
    }

    /// Keeps only this check.
    pub(super) fn settle(&mut self, check: &'static CheckSpec) {
        self.checks = vec![check];
        self.is_settled = true;
    }

    /// Returns the first possible check that has this field.
    pub(super) fn with_field(&self, name: &str) -> Option<&'static CheckSpec> {
        let mut checks = self.checks.iter().copied();
        checks.find(|check| check.field(name).is_some())
    }

    pub(super) fn is_flag(&self, word: &str) -> bool {
        for check in &self.checks {
            if let Some(field) = check.field(word)
                && field.kind == Kind::Flag
            {
                return true;
            }
        }
        false
    }

    /// True if `value` is already a valid value of the field. A text is never complete, because more words can follow.
    pub(super) fn is_complete(&self, field_name: &str, value: &str) -> bool {
        for check in &self.checks {
            if let Some(field) = check.field(field_name)
                && field.kind != Kind::Text
                && field.parse(value).is_ok()
            {
                return true;
            }
        }
        false
    }

    /// Finds a check by its name or by the beginning of its name. Weaker resemblances are ignored, because the word may
    /// be the name of an entry on the sheet.
    pub(super) fn find_check(&self, name: &str) -> Option<&'static CheckSpec> {
        if self.is_settled {
            return None;
        }

        let mut check_names = Vec::new();
        for (index, check) in self.checks.iter().enumerate() {
            check_names.push(KnownName::new(check.id, index));
            check_names.push(KnownName::new(check.label, index));
        }

        let name_match = find_name("check", name, &check_names).ok()?;
        if name_match.resemblance > Resemblance::Beginning {
            return None;
        }
        self.checks.get(name_match.value).copied()
    }

    /// Finds the field that a name fills, among all possible checks.
    pub(super) fn find_field_value(&self, name: &str) -> Result<Option<FieldMatch>, ParseError> {
        let mut best: Option<FieldMatch> = None;
        let mut ambiguous = None;

        for check in &self.checks {
            let field_match = match self.find_value_of(check, name) {
                Ok(field_match) => field_match,
                Err(error @ ParseError::AmbiguousName { .. }) => {
                    ambiguous = Some(error);
                    continue;
                }
                Err(_) => continue,
            };

            // An opponent's name must match at the beginnings of its words. Letters within the name are too uncertain.
            let resemblance = field_match.resemblance;
            let is_opponent = field_match.field.whose == Whose::Opponent;
            let is_too_unsure = is_opponent && resemblance >= Resemblance::Contained;
            let is_better = match &best {
                Some(best) => resemblance < best.resemblance,
                None => true,
            };
            if is_better && !is_too_unsure {
                best = Some(field_match);
            }
        }

        match (best, ambiguous) {
            (Some(best), _) => Ok(Some(best)),
            (None, Some(ambiguous)) => Err(ambiguous),
            (None, None) => Ok(None),
        }
    }

    fn find_value_of(
        &self,
        check: &'static CheckSpec,
        name: &str,
    ) -> Result<FieldMatch, ParseError> {
        let values = self.field_values(check);
        let mut value_names = Vec::new();
        for (index, value) in values.iter().enumerate() {
            value_names.push(KnownName::new(&value.name, index));
        }

        let name_match = find_name("field", name, &value_names)?;
        let value = &values[name_match.value];
        Ok(FieldMatch {
            check,
            field: value.value,
            value: value.name.clone(),
            resemblance: name_match.resemblance,
        })
    }

    /// Lists the names that fill a field of a check: entries of the sheet, flags, and words that a field accepts. If
    /// two fields accept the same name, the name belongs to the first of them.
    fn field_values(&self, check: &'static CheckSpec) -> Vec<KnownName<&'static Field>> {
        let mut values: Vec<KnownName<&'static Field>> = Vec::new();
        for field in check.fields {
            let mut names = fixed_values(field);
            names.extend(self.view.picks(self.sheet_of, field));

            for name in names {
                let mut known_values = values.iter();
                let is_known = known_values.any(|known| is_same_name(&known.name, &name));
                if !is_known {
                    values.push(KnownName::new(name, field));
                }
            }
        }
        values
    }

    /// Finds the first number field of the check without a value. `entered` contains the fields that already have a
    /// typed value.
    pub(super) fn find_missing_number(
        &self,
        entered: &[(String, String)],
    ) -> Option<&'static Field> {
        let check = self.first();
        let filled = self.view.fill(check, self.sheet_of).fields;

        check.fields.iter().find(|field| {
            let is_number = matches!(field.kind, Kind::Number { .. });
            let is_entered = entered.iter().any(|(name, _)| name == field.id);
            let has_value = field.start.is_some() || filled.value(field.id).is_some();
            is_number && !is_entered && !has_value
        })
    }

    /// Creates the error for a name that is neither a check nor a field.
    pub(super) fn unknown_name(&self, typed: &str) -> ParseError {
        const KIND: &str = "check, skill or field";

        let mut known_names = Vec::new();
        if !self.is_settled {
            for check in &self.checks {
                known_names.push(KnownName::new(check.id, ()));
            }
        }
        for check in &self.checks {
            for value in self.field_values(check) {
                known_names.push(KnownName::new(value.name, ()));
            }
        }

        let suggestion = match find_name(KIND, typed, &known_names) {
            Err(ParseError::UnknownName { suggestion, .. }) if !suggestion.is_empty() => suggestion,
            _ => {
                let checks = self.view.system().spec().checks;
                let check_ids = join(checks.iter().map(|check| check.id), ", ");
                format!("; the checks are {check_ids}")
            }
        };
        ParseError::UnknownName {
            kind: KIND,
            typed: shorten(typed),
            suggestion,
        }
    }
}

/// Lists the names that a field accepts for every character.
fn fixed_values(field: &Field) -> Vec<String> {
    match &field.kind {
        Kind::Flag => vec![field.id.to_owned()],
        Kind::Word(words) => words.iter().copied().map(str::to_owned).collect(),
        Kind::Die | Kind::Number { .. } | Kind::Text | Kind::Ranks { .. } => Vec::new(),
    }
}
