//! Filling in the fields of a check from sheets and from typed input.

use std::collections::BTreeMap;

use super::filled::SourcedValue;
use super::sheet_lookup::{SheetValue, find_rank};
use super::{Character, CharacterId, CommandError, Filled, Game, Origin, Result, refused};
use tableside_rules::{CheckSpec, Field, Fields, RuleError, Value, ValueSource, Whose};

impl Game {
    /// The fields of a check, filled in from the character's sheet.
    pub fn fill(&self, check: &'static CheckSpec, who: Option<CharacterId>) -> Filled {
        let mut filled = Filled {
            fields: Fields::presets(check),
            sources: BTreeMap::new(),
        };
        filled.fields.decide(&self.house);
        let Some(character) = self.optional_character(who) else {
            return filled;
        };

        for field in check.fields {
            if field.whose != Whose::Own {
                continue;
            }
            if let Some(value) = self.sheet_default(character, field) {
                // A field that does not accept the value stays empty. The message of the empty field then asks for a
                // value.
                filled.put(field, value.into()).ok();
                self.fill_followers(&mut filled, Some(character), field, None);
            }
        }
        self.apply_condition_modifiers(Some(character), &mut filled);
        filled
    }

    /// Fills in a field from typed input: a value, or a name on a sheet such as `agility`.
    ///
    /// The name of an aspect stands for its rank, or for the tokens that remain if they are fewer. A number after the
    /// name, as in `Captain 1`, is the number of points to spend. An opponent that is named in one field is the opponent
    /// in all fields.
    pub fn fill_in(
        &self,
        filled: &mut Filled,
        who: Option<CharacterId>,
        field: &'static Field,
        input: &str,
    ) -> Result<()> {
        let roller = self.optional_character(who);
        let trimmed = input.trim();
        match self.pick(filled, roller, field, trimmed) {
            Some(picked) => self.fill_in_picked(filled, who, field, picked),
            None => self.fill_in_value(filled, who, field, trimmed),
        }
    }

    /// Fills in a field with a value that was picked by its name on a sheet.
    fn fill_in_picked(
        &self,
        filled: &mut Filled,
        who: Option<CharacterId>,
        field: &'static Field,
        mut picked: SourcedValue,
    ) -> Result<()> {
        let holder = holder_of(who, field, &picked.source);
        self.validate_named_character(filled, who, field, holder)?;

        // With an empty pool the whole rank stays, and the roll is refused with an explanation.
        if let Value::Number(rank) = picked.value
            && let Some(tokens) = self.tokens_to_spend(holder, field)
            && tokens > 0
        {
            picked.value = Value::Number(rank.min(tokens));
        }

        let source_before = filled.source(field.id);
        let name_before = source_before.map(|source| source.what.clone());
        let opponent_before = opponent_of(filled.fields.spec(), &filled.sources);
        filled.put(field, picked)?;

        let roller = self.optional_character(who);
        self.fill_followers(filled, roller, field, name_before.as_deref());

        if field.whose == Whose::Opponent
            && holder != opponent_before
            && let Some(opponent) = self.optional_character(holder)
        {
            self.fill_in_opponent(filled, opponent, field);
        }
        if matches!(field.whose, Whose::Own | Whose::Opponent) {
            self.apply_condition_modifiers(roller, filled);
        }
        Ok(())
    }

    /// Fills in a field with a typed value, or with the points to spend on a named aspect.
    fn fill_in_value(
        &self,
        filled: &mut Filled,
        who: Option<CharacterId>,
        field: &'static Field,
        input: &str,
    ) -> Result<()> {
        let roller = self.optional_character(who);
        let points = self.pick_points(filled, roller, field, input);
        let SourcedValue { value, source } = if let Some(points) = points {
            points
        } else {
            let value = field
                .parse(input)
                .map_err(|error| self.list_choices(roller, field, input, error))?;
            let source = filled.source(field.id).cloned();
            SourcedValue::new(value, source.unwrap_or_default())
        };

        let holder = self.optional_character(holder_of(who, field, &source));
        let rank = holder.and_then(|holder| rank_of(holder, field, &source.what));
        if let Some(rank) = rank
            && let Value::Number(points) = value
            && points > 0
        {
            check_rank(&source.what, rank, points)?;
            filled.put(field, SourcedValue { value, source })?;
        } else {
            // A typed value replaces the value of the sheet, together with its source.
            let source = kept_opponent(filled, field);
            filled.put(field, SourcedValue::new(value, source))?;
        }

        if filled.fields.spec().decides_conditions(field) {
            self.apply_condition_modifiers(roller, filled);
        }
        Ok(())
    }

    /// The character whose sheet the opponent's values come from.
    pub fn opponent(
        &self,
        check: &CheckSpec,
        sources: &BTreeMap<String, Origin>,
    ) -> Option<&Character> {
        self.character(opponent_of(check, sources)?)
    }

    /// Returns the error for input that a field does not accept, with the names that it accepts.
    fn list_choices(
        &self,
        roller: Option<&Character>,
        field: &Field,
        input: &str,
        error: RuleError,
    ) -> CommandError {
        let names = self.picks(roller, field).join(", ");
        if names.is_empty() {
            return error.into();
        }
        CommandError::Unknown {
            kind: field.id,
            given: input.chars().take(40).collect(),
            known: format!("; it must be {} or one of {names}", field.describe()),
        }
    }

    /// Fills in all other fields of the opponent, after one field named the opponent.
    fn fill_in_opponent(&self, filled: &mut Filled, opponent: &Character, named_in: &Field) {
        for field in filled.fields.spec().fields {
            if field.whose != Whose::Opponent || field.id == named_in.id {
                continue;
            }
            if let Some(value) = self.answer_of(opponent, filled, field) {
                // A value that the field does not accept is left out.
                filled.put(field, value).ok();
            }
        }
    }

    /// Returns the value for a field if the input names only the other character, without an entry of the sheet.
    fn answer_of(&self, other: &Character, filled: &Filled, field: &Field) -> Option<SourcedValue> {
        let value = match field.like {
            Some(own_field) => {
                let name = filled.name_of(own_field)?;
                self.find_on_sheet(other, field, name)?
            }
            None => self.sheet_default(other, field)?,
        };
        Some(value.on_sheet_of(other))
    }

    /// The number of tokens that a character can spend on a field that is picked by name.
    fn tokens_to_spend(&self, who: Option<CharacterId>, field: &Field) -> Option<i32> {
        if !matches!(field.source, ValueSource::Ranked { .. }) {
            return None;
        }
        let available = self.available_tokens(field.spends?, who?)?;
        Some(available.tokens)
    }

    /// The value that a name stands for. `None` if the input is not a name on a sheet.
    ///
    /// A field of another character accepts `Tamsin: Brawn`, `Tamsin` if the sheet has a single answer, and `Brawn` if a
    /// single character has it.
    fn pick(
        &self,
        filled: &Filled,
        roller: Option<&Character>,
        field: &Field,
        input: &str,
    ) -> Option<SourcedValue> {
        if field.whose == Whose::Own {
            let value = self.find_name(filled, roller?, field, input)?;
            return Some(value.into());
        }

        if let Some((other, name)) = self.split_character_name(input) {
            if name.is_empty() {
                return self.answer_of(other, filled, field);
            }
            let value = self.find_name(filled, other, field, name)?;
            return Some(value.on_sheet_of(other));
        }
        if field.parse(input).is_ok() {
            return None;
        }

        let mut matches = self.other_characters(roller, field).filter_map(|other| {
            let value = self.find_name(filled, other, field, input)?;
            Some(value.on_sheet_of(other))
        });
        let only_match = matches.next()?;
        if matches.next().is_some() {
            return None;
        }
        Some(only_match)
    }

    /// Reads points to spend on a named aspect: `Captain 1`.
    fn pick_points(
        &self,
        filled: &Filled,
        roller: Option<&Character>,
        field: &Field,
        input: &str,
    ) -> Option<SourcedValue> {
        field.spends?;
        let (name, points) = input.rsplit_once(' ')?;
        let picked = self.pick(filled, roller, field, name.trim())?;
        Some(SourcedValue {
            value: Value::Number(points.parse().ok()?),
            source: picked.source,
        })
    }

    /// Finds the value with this name on a character's sheet. If the stat of `field` has no such name, searches the lists
    /// on the sheet from which the system derives the field that depends on `field`.
    fn find_name(
        &self,
        filled: &Filled,
        character: &Character,
        field: &Field,
        input: &str,
    ) -> Option<SheetValue> {
        if let Some(value) = self.find_on_sheet(character, field, input) {
            return Some(value);
        }

        let check_fields = filled.fields.spec().fields;
        let follower = check_fields
            .iter()
            .find(|other| other.source == ValueSource::Follows(field.id))?;
        follower
            .follows
            .iter()
            .find_map(|(stat, _)| find_rank(character.sheet.ranks(stat), input))
    }

    /// The fields whose typed values name another character, with that character.
    pub(super) fn named_characters(
        &self,
        check: &'static CheckSpec,
        who: Option<CharacterId>,
        fields: &[(String, String)],
    ) -> Vec<(String, Origin)> {
        let mut filled = self.fill(check, who);
        let mut named = Vec::new();

        for (id, input) in fields {
            let Some(field) = check.field(id) else {
                continue;
            };
            // Input that the field refuses names no character.
            if self.fill_in(&mut filled, who, field, input).is_err() {
                continue;
            }
            if let Some(source) = filled.source(field.id)
                && source.owner().is_some()
            {
                named.push((id.clone(), source.clone()));
            }
        }

        named
    }
}

/// The character whose sheet a field is read from, and whose tokens it spends.
fn holder_of(who: Option<CharacterId>, field: &Field, source: &Origin) -> Option<CharacterId> {
    match field.whose {
        Whose::Own => who,
        Whose::Opponent | Whose::Helper | Whose::OpponentHelper => source.owner(),
    }
}

/// Returns the source of a typed value: the opponent without a stat, if only this field names the opponent. The number to
/// reach may then be corrected without losing the target of the roll.
fn kept_opponent(filled: &Filled, field: &Field) -> Origin {
    let check_fields = filled.fields.spec().fields;
    let of_opponent = check_fields
        .iter()
        .filter(|other| other.whose == Whose::Opponent);
    let is_only_one = field.whose == Whose::Opponent && of_opponent.count() == 1;
    match filled.source(field.id) {
        Some(source) if is_only_one => Origin {
            of: source.of.clone(),
            what: String::new(),
        },
        _ => Origin::default(),
    }
}

/// The character whose sheet the opponent's values come from.
pub fn opponent_of(check: &CheckSpec, sources: &BTreeMap<String, Origin>) -> Option<CharacterId> {
    for (id, source) in sources {
        let field = check.field(id);
        if field.is_some_and(|field| field.whose == Whose::Opponent) {
            return source.owner();
        }
    }
    None
}

/// The rank of the named aspect that tokens are spent on with this field.
pub(super) fn rank_of(character: &Character, field: &Field, aspect: &str) -> Option<i32> {
    let ValueSource::Ranked { list, .. } = field.source else {
        return None;
    };
    field.spends?;

    let ranks = character.sheet.ranks(list);
    for (name, rank) in ranks {
        if name == aspect {
            return Some(*rank);
        }
    }
    None
}

/// Refuses more points than the aspect has ranks (Heart Rush, Positive Invocation).
pub(super) fn check_rank(aspect: &str, rank: i32, points: i32) -> Result<()> {
    if points <= rank {
        return Ok(());
    }
    Err(refused(format!(
        "{aspect} has rank {rank}, so at most {rank} can be spent on it, not {points}"
    )))
}
