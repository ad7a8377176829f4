//! A check's fields, filled in from a sheet: each value with where it comes from.

use std::collections::BTreeMap;

use super::sheet_lookup::{Found, of, ranked};
use super::{Character, CharacterId, CommandError, Game, Origin, Result, refused};
use tableside_rules::{CheckSpec, Field, Fields, HouseRules, Value, ValueSource, Whose};

/// A check's fields as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filled {
    /// The fields; required ones may be open still.
    pub fields: Fields,
    /// Where values came from, by field: `ability` from `Agility`.
    pub sources: BTreeMap<String, Origin>,
}

impl Filled {
    /// The field of that name; else the error says which there are.
    pub fn field(&self, name: &str) -> Result<&'static Field> {
        let field = self.fields.spec().field(name);
        field.ok_or_else(|| self.fields.unknown(name).into())
    }

    /// Where a field's value came from, if from a sheet.
    pub fn source(&self, field: &str) -> Option<&Origin> {
        self.sources.get(field)
    }

    /// What a field's value is called on the own sheet, if it came from there.
    pub fn name_of(&self, field: &str) -> Option<&str> {
        self.source(field)?.name()
    }

    /// Names what the roll may lock after what is tested, where nobody named it.
    pub(super) fn name_what_locks(&mut self, house: &HouseRules) -> Result<()> {
        let spec = self.fields.spec();
        let mut tested = spec.fields.iter().filter(|field| field.is_tested());
        let tested = tested.find_map(|field| self.name_of(field.id));
        let tested = tested.map(str::to_owned);
        for lock in spec.may_lock(&self.fields, house) {
            let open = lock.field.filter(|_| lock.about.trim().is_empty());
            if let Some((field, tested)) = open.zip(tested.as_deref()) {
                self.fields.set(field.id, tested.into())?;
            }
        }
        Ok(())
    }

    /// Takes a field's value away, and where it came from.
    pub(super) fn clear(&mut self, field: &Field) {
        self.fields.clear(field.id);
        self.sources.remove(field.id);
    }

    /// Gives a field a value and where it comes from; an optional field that excludes it is cleared.
    pub(super) fn put(
        &mut self,
        field: &Field,
        (value, source): (Value, impl Into<Origin>),
    ) -> Result<()> {
        self.fields.set(field.id, value)?;
        // Of two that may be left out, the one given last counts.
        let other = field.excludes.and_then(|id| self.fields.spec().field(id));
        if let Some(other) = other.filter(|other| other.optional) {
            self.clear(other);
        }
        let source = source.into();
        self.sources.insert(field.id.to_owned(), source);
        self.sources.retain(|_, source| !source.is_empty());
        Ok(())
    }
}

impl Game {
    /// The fields of a check as that character's sheet fills them.
    pub fn fill(&self, check: &'static CheckSpec, who: Option<CharacterId>) -> Filled {
        let mut filled = Filled {
            fields: Fields::presets(check),
            sources: BTreeMap::new(),
        };
        filled.fields.decide(&self.house);
        let Some(character) = who.and_then(|id| self.character(id)) else {
            return filled;
        };
        let fields = check.fields.iter();
        for field in fields.filter(|field| field.whose == Whose::Own) {
            if let Some(found) = self.offered(character, field) {
                // A value that the field does not take stays out; the field says what it needs.
                filled.put(field, found).ok();
                self.fill_followers(&mut filled, Some(character), field, None);
            }
        }
        self.weigh_conditions(character, &mut filled);
        filled
    }

    /// Gives a field what a person wrote: a value, or the name of what it means on the sheet
    /// (`--ability agility`, `--profession sailor`). A named aspect brings its rank, as far as the bank
    /// reaches; a number after it, `Captain 1` or given later, is how many points are spent on it. Who was
    /// named as the opponent in one field is so in all.
    pub fn fill_in(
        &self,
        filled: &mut Filled,
        who: Option<CharacterId>,
        field: &'static Field,
        given: &str,
    ) -> Result<()> {
        let character = who.and_then(|id| self.character(id));
        let given = given.trim();
        if let Some((value, source)) = self.picked(character, (filled, field), given) {
            let holder = holder_of(who, field, &source);
            self.may_be_named(filled, who, field, holder)?;
            // Of an empty bank the whole rank is asked, and refused when it is rolled.
            let value = match (value, self.bank(holder, field)) {
                (Value::Number(rank), Some(bank)) if bank > 0 => Value::Number(rank.min(bank)),
                (value, _) => value,
            };
            let before = filled.source(field.id).map(|source| source.what.clone());
            let opposed = opponent_of(filled.fields.spec(), &filled.sources);
            filled.put(field, (value, source))?;
            self.fill_followers(filled, character, field, before.as_deref());
            let other = holder.filter(|id| field.whose == Whose::Opponent && Some(*id) != opposed);
            if let Some(opponent) = other.and_then(|id| self.character(id)) {
                self.name_opponent(filled, opponent, field);
            }
            if let Some(character) = character.filter(|_| field.whose == Whose::Own) {
                self.weigh_conditions(character, filled);
            }
            return Ok(());
        }
        let in_part = given.rsplit_once(' ').and_then(|(name, points)| {
            let (_, source) = self.picked(character, (filled, field), name.trim())?;
            Some((points.parse().ok()?, source))
        });
        let in_part = in_part.filter(|_| field.spends.is_some());
        let (value, source) = if let Some((points, source)) = in_part {
            (Value::Number(points), source)
        } else {
            let value = field.parse(given);
            let value = value.map_err(|why| self.no_value(character, field, given, why))?;
            (value, filled.source(field.id).cloned().unwrap_or_default())
        };
        let holder = holder_of(who, field, &source).and_then(|id| self.character(id));
        let rank = holder.and_then(|one| rank_of(one, field, &source.what));
        match (rank, &value) {
            (Some(rank), Value::Number(points)) if *points > 0 => {
                check_rank(&source.what, rank, *points)?;
                filled.put(field, (value, source))?;
            }
            // A value that is written overrules what was read.
            _ => filled.put(field, (value, Origin::default()))?,
        }
        if let Some(character) =
            character.filter(|_| filled.fields.spec().decides_conditions(field))
        {
            self.weigh_conditions(character, filled);
        }
        Ok(())
    }

    /// Whose sheet the other side's values come from.
    pub fn opponent(
        &self,
        check: &CheckSpec,
        sources: &BTreeMap<String, Origin>,
    ) -> Option<&Character> {
        self.character(opponent_of(check, sources)?)
    }

    /// The error that a field takes no such value; it says which names it takes.
    fn no_value(
        &self,
        character: Option<&Character>,
        field: &Field,
        given: &str,
        error: impl Into<CommandError>,
    ) -> CommandError {
        let names = self.picks(character, field).join(", ");
        if names.is_empty() {
            return error.into();
        }
        CommandError::Unknown {
            kind: field.id,
            given: given.chars().take(40).collect(),
            known: format!("; it must be {} or one of {names}", field.describe()),
        }
    }

    /// Fills in what goes along with a name that was picked: what the system works out from it, and the same stat on
    /// the other side. `before` is the name that stood there until now.
    fn fill_followers(
        &self,
        filled: &mut Filled,
        character: Option<&Character>,
        field: &Field,
        before: Option<&str>,
    ) {
        let source = filled.source(field.id).cloned().unwrap_or_default();
        if before == Some(source.what.as_str()) {
            return;
        }
        let Some(owner) = source.owner().map_or(character, |id| self.character(id)) else {
            return;
        };
        let name = source.what.as_str();
        let follows = |filled: &Filled, other: &Field| {
            let start = other.start.clone().map(|start| (start, Origin::default()));
            if let ValueSource::Ranked { list, .. } = field.source
                && start.is_some()
                && owner.sheet.ranks(list).iter().any(|(one, _)| one == name)
            {
                return start;
            }
            let Some((value, name)) = other.derive(&owner.sheet, &self.house, Some(name)) else {
                // What followed from the name before goes; what a person wrote stays.
                return start.filter(|_| filled.source(other.id).is_some());
            };
            Some(match field.whose {
                Whose::Own => (value, name.into()),
                Whose::Opponent | Whose::Helper | Whose::OpponentHelper => of(owner, (value, name)),
            })
        };
        let like = |filled: &Filled, other: &Field| {
            let theirs = filled.source(other.id)?;
            let opponent = theirs.owner().filter(|_| before == Some(&theirs.what))?;
            let opponent = self.character(opponent)?;
            Some(of(opponent, self.picked_on(opponent, other, &source.what)?))
        };
        for other in filled.fields.spec().fields {
            let found = if other.source == ValueSource::Follows(field.id) {
                if filled.is_given(other) {
                    continue;
                }
                follows(filled, other)
            } else if other.like == Some(field.id) {
                like(filled, other)
            } else {
                None
            };
            match found {
                // The start is no person's word, so a condition or a helper may still change it.
                Some((_, source)) if source.is_empty() => filled.clear(other),
                Some(found) => {
                    filled.put(other, found).ok();
                }
                None => {}
            }
        }
    }

    /// An opponent who was named for one field stands for all that are the opponent's.
    fn name_opponent(&self, filled: &mut Filled, opponent: &Character, named: &Field) {
        let fields = filled.fields.spec().fields.iter();
        for field in fields.filter(|field| field.whose == Whose::Opponent && field.id != named.id) {
            if let Some(found) = self.answer_of(opponent, filled, field) {
                filled.put(field, found).ok();
            }
        }
    }

    /// A field's value where only the other character is named, and nothing on their sheet.
    fn answer_of(
        &self,
        other: &Character,
        filled: &Filled,
        field: &Field,
    ) -> Option<(Value, Origin)> {
        let found = match field.like {
            Some(own) => self.picked_on(other, field, filled.name_of(own)?)?,
            None => self.offered(other, field)?,
        };
        Some(of(other, found))
    }

    /// How many tokens there are to spend on a field that is picked by name: a character's Destiny Points.
    fn bank(&self, who: Option<CharacterId>, field: &Field) -> Option<i32> {
        let ValueSource::Ranked { .. } = field.source else {
            return None;
        };
        Some(self.tokens_left(field.spends?, who?)?.0)
    }

    /// What a name means for a field, if it is one that a sheet knows: the character's own, or for a
    /// field of somebody else's `Tamsin: Brawn`, `Tamsin` where the sheet has but one answer, or `Brawn`
    /// where nobody else has it.
    fn picked(
        &self,
        character: Option<&Character>,
        (filled, field): (&Filled, &Field),
        given: &str,
    ) -> Option<(Value, Origin)> {
        if field.whose == Whose::Own {
            let (value, name) = self.known_as(character?, (filled, field), given)?;
            return Some((value, name.into()));
        }
        match self.whose_name_begins(given) {
            Some((other, "")) => self.answer_of(other, filled, field),
            Some((other, name)) => Some(of(other, self.known_as(other, (filled, field), name)?)),
            None if field.parse(given).is_ok() => None,
            None => {
                let others = self.others(character, field);
                let found = |other| Some(of(other, self.known_as(other, (filled, field), given)?));
                let mut found = others.filter_map(found);
                found.next().filter(|_| found.next().is_none())
            }
        }
    }

    /// What the name means on that one's sheet, or in a list that a field following this one knows.
    fn known_as(
        &self,
        one: &Character,
        (filled, field): (&Filled, &Field),
        given: &str,
    ) -> Option<Found> {
        let mut fields = filled.fields.spec().fields.iter();
        let follows = fields.find(|other| other.source == ValueSource::Follows(field.id));
        let elsewhere = || {
            let mut stats = follows?.follows.iter();
            stats.find_map(|(stat, _)| ranked(one.sheet.ranks(stat), given))
        };
        self.picked_on(one, field, given).or_else(elsewhere)
    }

    /// Those of the given fields that name somebody else, with whom. Fields are as a person writes them.
    pub(super) fn named_in(
        &self,
        check: &'static CheckSpec,
        who: Option<CharacterId>,
        fields: &[(String, String)],
    ) -> Vec<(String, Origin)> {
        let mut filled = self.fill(check, who);
        let named = fields.iter().filter_map(|(name, given)| {
            let field = check.field(name)?;
            // What cannot be filled in names nobody.
            self.fill_in(&mut filled, who, field, given).ok()?;
            let source = filled.source(field.id)?;
            source.owner()?;
            Some((name.clone(), source.clone()))
        });
        named.collect()
    }
}

/// Whose sheet a field is read from, and whose tokens it takes: the own one's, or that of the one who is named
/// in its source.
fn holder_of(who: Option<CharacterId>, field: &Field, source: &Origin) -> Option<CharacterId> {
    match field.whose {
        Whose::Own => who,
        Whose::Opponent | Whose::Helper | Whose::OpponentHelper => source.owner(),
    }
}

/// Whose sheet the other side's values come from.
pub fn opponent_of(check: &CheckSpec, sources: &BTreeMap<String, Origin>) -> Option<CharacterId> {
    let theirs = |id: &str| {
        let field = check.field(id);
        field.is_some_and(|field| field.whose == Whose::Opponent)
    };
    let (_, source) = sources.iter().find(|(id, _)| theirs(id))?;
    source.owner()
}

/// The rank of the named aspect that a field is spent on.
pub(super) fn rank_of(character: &Character, field: &Field, source: &str) -> Option<i32> {
    let (ValueSource::Ranked { list, .. }, Some(_)) = (field.source, field.spends) else {
        return None;
    };
    let mut ranks = character.sheet.ranks(list).iter();
    let found = ranks.find(|(name, _)| name == source);
    found.map(|(_, rank)| *rank)
}

/// Refuses more points than the aspect has ranks (Heart Rush, Positive Invocation).
pub(super) fn check_rank(aspect: &str, rank: i32, given: i32) -> Result<()> {
    let too_many = || {
        let why = "would be spent on it; spend at most";
        refused(format!(
            "{aspect} has rank {rank}, and {given} {why} {rank}"
        ))
    };
    (given <= rank).then_some(()).ok_or_else(too_many)
}
