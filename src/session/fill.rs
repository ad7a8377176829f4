//! A check's fields, filled in from a sheet: each value with where it comes from.

use super::error::refused;
use super::{Character, CharacterId, CommandError, Origin, Session};
use crate::rules::{CheckSpec, Field, Fields, Kind, Preset, Sheet, Source, Value, Whose};

/// A check's fields as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filled {
    /// The fields; required ones may be open still.
    pub fields: Fields,
    /// Where values came from, by field: `ability` from `Agility`.
    pub sources: Vec<(String, Origin)>,
}

impl Filled {
    /// The field of that name; else the error says which there are.
    pub(crate) fn field(&self, name: &str) -> Result<&'static Field, CommandError> {
        if let Some(field) = self.fields.spec().field(name) {
            return Ok(field);
        }
        self.fields.clone().set(name, Value::from(""))?;
        Err(CommandError::Gone("field"))
    }

    /// Where a field's value came from, if from a sheet.
    pub fn source(&self, field: &str) -> Option<&Origin> {
        let found = self.sources.iter().find(|(known, _)| known == field);
        found.map(|(_, source)| source)
    }

    /// What a field's value is called on the own sheet, if it came from there.
    pub fn name_of(&self, field: &str) -> Option<&str> {
        self.source(field)?.name()
    }

    pub(super) fn put(
        &mut self,
        field: &Field,
        (value, source): (Value, impl Into<Origin>),
    ) -> Result<(), CommandError> {
        self.fields.set(field.id, value)?;
        // Of two that may be left out, the one given last counts.
        let other = field.excludes.and_then(|id| self.fields.spec().field(id));
        if let Some(other) = other.filter(|other| other.preset == Preset::Optional) {
            self.fields.clear(other.id);
            self.sources.retain(|(known, _)| known != other.id);
        }
        self.sources.retain(|(known, _)| known != field.id);
        let source = source.into();
        if !source.is_empty() {
            self.sources.push((field.id.to_owned(), source));
        }
        Ok(())
    }
}

impl Session {
    /// The fields of a check as that character's sheet fills them.
    pub fn fill(&self, check: &'static CheckSpec, who: Option<CharacterId>) -> Filled {
        let mut filled = Filled {
            fields: Fields::presets(check),
            sources: Vec::new(),
        };
        filled.fields.decide(&self.house);
        let Some(character) = who.and_then(|id| self.character(id)) else {
            return filled;
        };
        for field in check.fields {
            if field.whose != Whose::Own {
                continue;
            }
            if let Some(found) = self.offered(character, field) {
                // A value that the field does not take stays out; the field says what it needs.
                filled.put(field, found).ok();
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
    ) -> Result<(), CommandError> {
        let character = who.and_then(|id| self.character(id));
        let before = filled.source(field.id).map(|source| source.what.clone());
        if let Some((value, source)) = self.picked(character, (filled, field), given.trim()) {
            let holder = holder(who, field, Some(&source));
            let value = match (value, self.bank(holder, field)) {
                (Value::Number(rank), Some(bank)) if bank > 0 => Value::Number(rank.min(bank)),
                (value, _) => value,
            };
            let opposed = self.opposed_by(filled);
            filled.put(field, (value, source))?;
            self.go_along(filled, character, (field, given.trim()), before.as_deref());
            let other = holder.filter(|id| field.whose == Whose::Opponent && Some(*id) != opposed);
            if let Some(opponent) = other.and_then(|id| self.character(id)) {
                self.face(filled, opponent, field);
            }
            if let Some(character) = character.filter(|_| field.whose == Whose::Own) {
                self.weigh_conditions(character, filled);
            }
            return Ok(());
        }
        if let Some((value, source)) = self.in_part(character, (filled, field), given)? {
            return filled.put(field, (value, source));
        }
        let value = field.parse(given).map_err(|error| {
            let names = self.picks(character, field);
            match names.as_slice() {
                [] => CommandError::from(error),
                names => CommandError::Unknown {
                    kind: field.id,
                    given: given.chars().take(40).collect(),
                    known: format!(
                        "; it must be {} or one of {}",
                        field.describe(),
                        names.join(", ")
                    ),
                },
            }
        })?;
        let source = filled.source(field.id).cloned().unwrap_or_default();
        let holder = holder(who, field, Some(&source));
        let holder = holder.and_then(|id| self.character(id));
        match (
            holder.and_then(|one| rank_of(one, field, &source.what)),
            &value,
        ) {
            (Some(rank), Value::Number(points)) if *points > 0 => {
                check_rank(&source.what, rank, *points)?;
                filled.put(field, (value, source))
            }
            _ => filled.put(field, (value, Origin::default())),
        }
    }

    /// A named aspect with fewer points than its rank: `Captain 1`.
    fn in_part(
        &self,
        character: Option<&Character>,
        (filled, field): (&Filled, &'static Field),
        given: &str,
    ) -> Result<Option<(Value, Origin)>, CommandError> {
        let parts = given
            .trim()
            .rsplit_once(' ')
            .filter(|_| field.spends.is_some());
        let parts = parts.and_then(|(name, points)| Some((name, points.parse::<i32>().ok()?)));
        let Some((name, points)) = parts else {
            return Ok(None);
        };
        let picked = self.picked(character, (filled, field), name.trim());
        let Some((Value::Number(rank), source)) = picked else {
            return Ok(None);
        };
        check_rank(&source.what, rank, points)?;
        Ok(Some((Value::Number(points), source)))
    }

    /// Whose sheet the other side's values come from.
    pub fn opponent(&self, check: &CheckSpec, sources: &[(String, Origin)]) -> Option<&Character> {
        self.character(opponent_of(check, sources)?)
    }

    fn opposed_by(&self, filled: &Filled) -> Option<CharacterId> {
        let opponent = self.opponent(filled.fields.spec(), &filled.sources);
        opponent.map(|one| one.id)
    }

    /// What goes along with a name that was picked: what the system works out from it, and the same stat
    /// on the other side.
    fn go_along(
        &self,
        filled: &mut Filled,
        character: Option<&Character>,
        (field, given): (&Field, &str),
        before: Option<&str>,
    ) {
        let source = filled.source(field.id).cloned().unwrap_or_default();
        if before == Some(source.what.as_str()) {
            return;
        }
        let (owner, name) = match source.owner() {
            Some(owner) => (self.character(owner), source.what.as_str()),
            None => (character, given),
        };
        let Some(owner) = owner else {
            return;
        };
        for other in filled.fields.spec().fields {
            let found = if other.source == Source::Follows(field.id) {
                let usual = match field.source {
                    Source::Ranked { list, .. } => ranked(owner.sheet.ranks(list), name),
                    _ => None,
                };
                let usual = usual.and_then(|_| Some((other.preset_value()?, Origin::default())));
                usual.or_else(|| {
                    let found = self.derived(&owner.sheet, other, Some(name))?;
                    let is_own = field.whose == Whose::Own;
                    let (value, name) = found;
                    Some(if is_own {
                        (value, name.into())
                    } else {
                        of(owner, (value, name))
                    })
                })
            } else if other.like == Some(field.id) {
                let theirs = filled.source(other.id);
                let theirs = theirs.filter(|theirs| before == Some(theirs.what.as_str()));
                let opponent = theirs.and_then(Origin::owner);
                let opponent = opponent.and_then(|id| self.character(id));
                opponent.and_then(|one| Some(of(one, self.picked_on(one, other, &source.what)?)))
            } else {
                None
            };
            if let Some(found) = found {
                filled.put(other, found).ok();
            }
        }
    }

    /// An opponent who was named for one field stands for all that are the opponent's.
    fn face(&self, filled: &mut Filled, opponent: &Character, named: &Field) {
        for field in filled.fields.spec().fields {
            if field.whose != Whose::Opponent || field.id == named.id {
                continue;
            }
            if let Some(found) = self.answer_of(opponent, filled, field) {
                filled.put(field, found).ok();
            }
        }
    }

    /// What a field of somebody's sheet is where only that one is named.
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

    /// The tokens from which a field is spent that is picked by name: a character's Destiny Points.
    fn bank(&self, who: Option<CharacterId>, field: &Field) -> Option<i32> {
        let Source::Ranked { .. } = field.source else {
            return None;
        };
        Some(self.pool_of(field.spends?, Some(who?))?.tokens)
    }

    /// The most that a field may be: what it takes, for what is spent no more than there is, and on a
    /// named aspect no more than its rank.
    pub fn most(&self, filled: &Filled, who: Option<CharacterId>, field: &Field) -> Option<i32> {
        let Kind::Number { max, .. } = field.kind else {
            return None;
        };
        let source = filled.source(field.id);
        let who = holder(who, field, source);
        let rank = who.and_then(|id| self.character(id)).zip(source);
        let rank = rank.and_then(|(one, source)| rank_of(one, field, &source.what));
        let pool = field.spends.zip(who);
        let pool = pool.and_then(|(kind, id)| self.pool_of(kind, Some(id)));
        let tokens = pool.map(|pool| pool.tokens.max(0));
        let limits = [rank, tokens];
        Some(limits.into_iter().flatten().fold(max, i32::min))
    }

    /// The names that a person may give for a field, in the sheet's order. For a field of somebody
    /// else's sheet each begins with that one's name: `Tamsin: Brawn`.
    pub fn picks(&self, character: Option<&Character>, field: &Field) -> Vec<String> {
        if field.whose == Whose::Own {
            return character
                .map(|one| self.names_on(one, field))
                .unwrap_or_default();
        }
        self.others(character, field)
            .flat_map(|other| {
                let mut names = self.names_on(other, field);
                if names.is_empty() && self.offered(other, field).is_some() {
                    return vec![other.name.clone()];
                }
                for name in &mut names {
                    *name = format!("{}: {name}", other.name);
                }
                names
            })
            .collect()
    }

    /// Those on whose sheets a field of somebody else's is looked up.
    fn others<'a>(
        &'a self,
        character: Option<&'a Character>,
        field: &Field,
    ) -> impl Iterator<Item = &'a Character> {
        // An internal struggle is a check against oneself (HEARTS, Opposed Checks): others come first.
        let is_own = move |other: &Character| character.is_some_and(|one| one.id == other.id);
        let struggles = field.whose == Whose::Opponent && self.system.spec().inner_struggle;
        let others = self.roster.iter().filter(move |other| !is_own(other));
        let own = self
            .roster
            .iter()
            .filter(move |other| struggles && is_own(other));
        let others = others.chain(own);
        others.filter(|other| other.is_here())
    }

    fn names_on(&self, character: &Character, field: &Field) -> Vec<String> {
        let sheet = &character.sheet;
        match field.source {
            Source::Table
            | Source::Stat(_)
            | Source::Tokens { .. }
            | Source::Condition(_)
            | Source::Follows(_) => Vec::new(),
            Source::OneOf(stats) => stats
                .iter()
                .filter_map(|stat| sheet.stat(stat).ok())
                .map(|stat| stat.label.to_owned())
                .collect(),
            Source::Ranked { list, .. } => sheet
                .ranks(list)
                .iter()
                .map(|(name, _)| name.clone())
                .collect(),
            Source::Derived => sheet
                .iter()
                .flat_map(|(stat, value)| match value {
                    Value::Ranks(ranks) => ranks.iter().map(|(name, _)| name.clone()).collect(),
                    Value::Flag(_) | Value::Number(_) | Value::Die(_) | Value::Text(_) => {
                        vec![stat.label.to_owned()]
                    }
                })
                .filter(|name| self.derived(sheet, field, Some(name)).is_some())
                .collect(),
        }
    }

    /// What a field is before anybody says anything.
    pub(super) fn offered(&self, character: &Character, field: &Field) -> Option<(Value, String)> {
        let sheet = &character.sheet;
        match field.source {
            Source::Table | Source::Follows(_) => None,
            Source::Condition(begins) => {
                let suffered = character.conditions.iter();
                let mut suffered =
                    suffered.filter(|one| one.name.to_lowercase().starts_with(begins));
                let condition = suffered.next()?;
                let Kind::Number { min, max } = field.kind else {
                    return None;
                };
                let level = condition.value.unwrap_or(1).clamp(min, max);
                Some((Value::Number(level), condition.name.clone()))
            }
            Source::Stat(stat) => {
                let label = sheet.stat(stat).ok()?.label;
                Some((sheet.value(stat)?.clone(), label.to_owned()))
            }
            Source::OneOf(stats) => {
                let stat = sheet.stat(stats.first()?).ok()?;
                Some((sheet.value(stat.id)?.clone(), stat.label.to_owned()))
            }
            Source::Ranked { list, offer } => {
                let ranks = sheet.ranks(list).iter();
                let (name, rank) = ranks.max_by_key(|(_, rank)| *rank).filter(|_| offer)?;
                Some((Value::Number(*rank), name.clone()))
            }
            Source::Tokens { kind, owed } => {
                let pool = self.pool_of(kind, Some(character.id))?;
                let tokens = if owed { -pool.tokens } else { pool.tokens };
                let Kind::Number { min, max } = field.kind else {
                    return None;
                };
                Some((Value::Number(tokens.clamp(min, max)), pool.name.clone()))
            }
            Source::Derived => self.derived(sheet, field, None),
        }
    }

    /// What the rules work out of a sheet for a field.
    fn derived(&self, sheet: &Sheet, field: &Field, name: Option<&str>) -> Option<(Value, String)> {
        (self.system.spec().derive)(sheet, &self.house, field.id, name)
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
        let (other, found) = match self.whose_name_begins(given) {
            Some((other, "")) => return self.answer_of(other, filled, field),
            Some((other, name)) => (other, self.known_as(other, (filled, field), name)?),
            None if field.parse(given).is_ok() => return None,
            None => {
                let others = self.others(character, field);
                let found = |other| Some((other, self.known_as(other, (filled, field), given)?));
                let mut found = others.filter_map(found);
                found.next().filter(|_| found.next().is_none())?
            }
        };
        Some(of(other, found))
    }

    /// On whose sheets those of these fields are that name somebody, given as a person writes them.
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

    /// Whom words begin with, and what stands after the colon: `Tamsin: Brawn`, also where a name has a colon
    /// of its own.
    pub fn whose_name_begins<'a>(&self, words: &'a str) -> Option<(&Character, &'a str)> {
        let colons = words.rmatch_indices(':').map(|(at, _)| words.split_at(at));
        let mut places = std::iter::once((words, "")).chain(colons);
        places.find_map(|(name, rest)| {
            let rest = rest.strip_prefix(':').unwrap_or(rest);
            Some((self.character_named(name.trim())?, rest.trim()))
        })
    }

    /// What that one's sheet knows by this name; where another field says what it is, from elsewhere, too.
    fn known_as(
        &self,
        one: &Character,
        (filled, field): (&Filled, &Field),
        given: &str,
    ) -> Option<(Value, String)> {
        let mut fields = filled.fields.spec().fields.iter();
        let told = fields.any(|other| other.source == Source::Follows(field.id));
        let elsewhere = || {
            self.derived(&one.sheet, field, Some(given))
                .filter(|_| told)
        };
        self.picked_on(one, field, given).or_else(elsewhere)
    }

    /// Whether that one's sheet knows a field by this name.
    pub(super) fn names(&self, character: &Character, field: &Field, given: &str) -> bool {
        self.picked_on(character, field, given.trim()).is_some()
    }

    fn picked_on(
        &self,
        character: &Character,
        field: &Field,
        given: &str,
    ) -> Option<(Value, String)> {
        let sheet = &character.sheet;
        match field.source {
            Source::Stat(_) if field.kind == Kind::Die => {
                let stats = self.system.spec().stats.iter();
                let stats = stats.map(|stat| (stat.id, stat.label));
                let stat = sheet.stat(named(stats, given)?).ok()?;
                Some((sheet.value(stat.id)?.clone(), stat.label.to_owned()))
            }
            Source::Table
            | Source::Tokens { .. }
            | Source::Stat(_)
            | Source::Condition(_)
            | Source::Follows(_) => None,
            Source::OneOf(stats) => {
                let known = stats.iter().filter_map(|stat| sheet.stat(stat).ok());
                let id = named(known.map(|stat| (stat.id, stat.label)), given)?;
                let stat = sheet.stat(id).ok()?;
                Some((sheet.value(id)?.clone(), stat.label.to_owned()))
            }
            Source::Ranked { list, .. } => ranked(sheet.ranks(list), given),
            Source::Derived => {
                let known = self.names_on(character, field);
                let names = known.iter().map(|name| (name.as_str(), name.as_str()));
                match named(names, given) {
                    Some(name) => self.derived(sheet, field, Some(name)),
                    // Several names in one: what they mean together is the system's own affair.
                    None if field.parse(given).is_err() => self.derived(sheet, field, Some(given)),
                    None => None,
                }
            }
        }
    }
}

/// Whose sheet a field is read from, and whose tokens it takes: the own one's, or that of the one who is named
/// in its source.
fn holder(who: Option<CharacterId>, field: &Field, source: Option<&Origin>) -> Option<CharacterId> {
    if field.whose == Whose::Own {
        return who;
    }
    source?.owner()
}

/// Whose sheet the other side's values come from.
pub(crate) fn opponent_of(check: &CheckSpec, sources: &[(String, Origin)]) -> Option<CharacterId> {
    let theirs = |id: &str| {
        let field = check.field(id);
        field.is_some_and(|field| field.whose == Whose::Opponent)
    };
    let (_, source) = sources.iter().find(|(id, _)| theirs(id))?;
    source.owner()
}

/// A value with where it comes from, told as somebody else's.
fn of(other: &Character, (value, name): (Value, String)) -> (Value, Origin) {
    (value, Origin::of(other, name))
}

/// The rank of the named aspect that a field is spent on.
pub(super) fn rank_of(character: &Character, field: &Field, source: &str) -> Option<i32> {
    let (Source::Ranked { list, .. }, Some(_)) = (field.source, field.spends) else {
        return None;
    };
    let mut ranks = character.sheet.ranks(list).iter();
    let found = ranks.find(|(name, _)| name == source);
    found.map(|(_, rank)| *rank)
}

/// Refuses more points than the aspect has ranks (Heart Rush, Positive Invocation).
pub(super) fn check_rank(aspect: &str, rank: i32, given: i32) -> Result<(), CommandError> {
    if given <= rank {
        return Ok(());
    }
    Err(refused(format!(
        "{aspect} has rank {rank}, and {given} would be spent on it; spend at most {rank}"
    )))
}

pub(super) fn ranked(ranks: &[(String, i32)], given: &str) -> Option<(Value, String)> {
    let name = named(
        ranks.iter().map(|(name, _)| (name.as_str(), name.as_str())),
        given,
    )?;
    let (name, rank) = ranks.iter().find(|(known, _)| known == name)?;
    Some((Value::Number(*rank), name.clone()))
}

/// The one whose name was meant: the same, letter case aside, else the only one that begins so.
fn named<'a>(
    known: impl Iterator<Item = (&'a str, &'a str)> + Clone,
    given: &str,
) -> Option<&'a str> {
    let given = given.to_lowercase();
    if given.is_empty() {
        return None;
    }
    let same =
        |(id, label): &(&str, &str)| id.to_lowercase() == given || label.to_lowercase() == given;
    let begins = |(id, label): &(&str, &str)| {
        id.to_lowercase().starts_with(&given) || label.to_lowercase().starts_with(&given)
    };
    let exact = known.clone().find(same);
    exact
        .or_else(|| {
            let mut close = known.filter(begins);
            close.next().filter(|_| close.next().is_none())
        })
        .map(|(id, _)| id)
}
