//! Help: what helpers bring to a check, and what it costs them.

use super::error::refused;
use super::fill::ranked;
use super::{Character, CharacterId, CommandError, Filled, Named, Origin, Session};
use crate::rules::{Brings, CheckSpec, Field, Source, Value, Whose};

impl Session {
    /// Lets these help with a check: raises the flag of a helped roll, or adds a helper's skill. What
    /// was given for these fields by hand stays.
    pub fn help(
        &self,
        filled: &mut Filled,
        who: Option<CharacterId>,
        helpers: &[CharacterId],
    ) -> Result<(), CommandError> {
        let helpers = self.helping(who, filled.fields.spec(), helpers)?;
        if helpers.is_empty() {
            return Ok(());
        }
        let spec = filled.fields.spec();
        let (flag, group) = match spec.helping.map(|helping| helping.brings) {
            Some(Brings::Flag(flag)) => (spec.field(flag), None),
            Some(Brings::Sum(group)) => (None, spec.field(group)),
            Some(Brings::Skill | Brings::Told) | None => (None, None),
        };
        if let Some(flag) = flag.filter(|flag| !filled.fields.flag(flag.id)) {
            filled.put(flag, (Value::Flag(true), Origin::all_of(&helpers)))?;
        }
        if let Some(group) = group
            && filled.fields.value(group.id) == group.preset_value().as_ref()
        {
            let adds = helpers.iter().map(|helper| self.adds(filled, helper));
            let sum = super::group::bounded(group, adds.sum());
            filled.put(group, (Value::Number(sum), Origin::all_of(&helpers)))?;
        }
        let assists = spec
            .fields
            .iter()
            .filter(|field| field.whose == Whose::Helper);
        for field in assists {
            if filled.fields.value(field.id) != field.preset_value().as_ref() {
                continue;
            }
            let best = tried(filled, field).and_then(|skill| {
                let skilled = helpers.iter().filter_map(|helper| {
                    let ranks = helper.sheet.ranks(list(field.source)?);
                    let (name, rank) = ranks.iter().find(|(name, _)| name == skill)?;
                    Some((*rank, Origin::of(helper, name)))
                });
                skilled.reduce(|best, next| if next.0 > best.0 { next } else { best })
            });
            if let Some((rank, source)) = best {
                filled.put(field, (Value::Number(rank), source))?;
            }
        }
        Ok(())
    }

    /// Why that one's help brings nothing as the check stands, in words; none where it brings something,
    /// or where whoever helps is enough. A helper helps with what is tried, by the own sheet (HEARTS,
    /// Assisting on Checks; HFRPG, Group Rolls).
    pub fn helps_in_vain(&self, filled: &Filled, helper: &Character) -> Option<String> {
        let spec = filled.fields.spec();
        if spec.field("group").is_some() {
            let name = filled.name_of("competency")?;
            let has = ranked(helper.sheet.ranks("competencies"), name).is_some();
            return (!has).then(|| format!("has no {name}"));
        }
        let mut fields = spec.fields.iter();
        let assist = fields.find(|field| field.whose == Whose::Helper)?;
        let lends = filled.source(assist.id);
        if lends.and_then(Origin::owner) == Some(helper.id) {
            return None;
        }
        if filled.fields.value(assist.id) != assist.preset_value().as_ref() && lends.is_none() {
            return Some(format!("{} is given by hand", assist.label));
        }
        let Some(skill) = tried(filled, assist) else {
            return Some(format!("no skill is named: pick one at {}", assist.label));
        };
        let has = ranked(helper.sheet.ranks(list(assist.source)?), skill).is_some();
        Some(if has {
            "another helper is better".to_owned()
        } else {
            format!("has no {skill}: pick another at {}", assist.label)
        })
    }

    /// Refuses helpers where nobody can help (Heart Rush, Stratagem Rolls, Helping), and those without the
    /// relevant skill where help is a skill (HEARTS, Assisting on Checks).
    pub(super) fn may_help(
        &self,
        filled: &Filled,
        who: Option<CharacterId>,
        helpers: &[CharacterId],
    ) -> Result<(), CommandError> {
        let helpers = self.helping(who, filled.fields.spec(), helpers)?;
        let skill = filled.fields.spec().helping.map(|helping| helping.brings);
        if skill != Some(Brings::Skill) {
            return Ok(());
        }
        let mut fields = filled.fields.spec().fields.iter();
        let Some(assist) = fields.find(|field| field.whose == Whose::Helper) else {
            return Ok(());
        };
        // A number given by hand is somebody's word for a skill that no sheet has.
        let lends = filled.source(assist.id);
        if lends.is_none() && filled.fields.value(assist.id) != assist.preset_value().as_ref() {
            return Ok(());
        }
        let tried = tried(filled, assist);
        for helper in helpers {
            let lent = lends.and_then(Origin::owner) == Some(helper.id);
            let skills = list(assist.source).map_or(&[][..], |list| helper.sheet.ranks(list));
            if lent || tried.is_some_and(|skill| ranked(skills, skill).is_some()) {
                continue;
            }
            let names: Vec<&str> = skills.iter().map(|(name, _)| name.as_str()).collect();
            let has = match (tried, names.is_empty()) {
                (_, true) => "has no skill to help with".to_owned(),
                (Some(skill), false) => format!("has no {skill} to help with"),
                (None, false) => "helps with a skill that is not named".to_owned(),
            };
            let name = &helper.name;
            let instead = match names.as_slice() {
                [] => "somebody else must help".to_owned(),
                names => format!(
                    "name one of {} in {}: {name}: …",
                    names.join(", "),
                    assist.id
                ),
            };
            return Err(refused(format!("{name} {has}; {instead}")));
        }
        Ok(())
    }

    /// What a helper adds in a group: Competency and Specialisation in what the one who rolls is tried in
    /// (HFRPG, Group Rolls); who does not have it adds nothing.
    fn adds(&self, filled: &Filled, helper: &Character) -> i32 {
        let spec = filled.fields.spec();
        let mut own = self.fill(spec, Some(helper.id));
        for id in ["competency", "specialisation"] {
            let Some(field) = spec.field(id) else {
                continue;
            };
            match filled.name_of(id) {
                // What is not on the sheet adds nothing.
                Some(name) => {
                    let named = self.fill_in(&mut own, Some(helper.id), field, name);
                    named.unwrap_or_else(|_| own.fields.clear(id));
                }
                None => own.fields.clear(id),
            }
        }
        super::group::added(&own)
    }

    /// The helpers, each once; refuses those who cannot help.
    pub(super) fn helping(
        &self,
        who: Option<CharacterId>,
        spec: &CheckSpec,
        helpers: &[CharacterId],
    ) -> Result<Vec<&Character>, CommandError> {
        if spec.helping.is_none() && !helpers.is_empty() {
            let why = format!(
                "{}: nobody can help with it; leave the helpers out",
                spec.label
            );
            return Err(refused(why));
        }
        let mut found: Vec<&Character> = Vec::with_capacity(helpers.len());
        for &id in helpers {
            let helper = self.known_character(id)?;
            let refuse = |why: &str| Err(refused(format!("{} {why}", helper.name)));
            if Some(id) == who {
                return refuse("makes the check; somebody else must help");
            }
            if !helper.is_here() {
                return refuse("is absent and cannot help");
            }
            if !found.iter().any(|known| known.id == id) {
                found.push(helper);
            }
        }
        Ok(found)
    }

    /// Marks helpers as having acted, where helping takes that.
    pub(super) fn have_acted(&mut self, spec: &CheckSpec, helpers: &[Named]) {
        let acts = spec.helping.is_some_and(|helping| helping.acts);
        for helper in helpers.iter().filter(|_| acts) {
            if let Some(one) = self.character_mut(helper.id) {
                one.acted = true;
            }
        }
    }
}

/// The skill that is tried, by its name on the sheet: a helper helps with the same one; another is picked
/// by name (HEARTS, Assist).
fn tried<'a>(filled: &'a Filled, assist: &Field) -> Option<&'a str> {
    let mut fields = filled.fields.spec().fields.iter();
    fields.find_map(|own| {
        let same = own.whose == Whose::Own && list(own.source) == list(assist.source);
        let named = list(own.source).filter(|_| same);
        named.and_then(|_| filled.name_of(own.id))
    })
}

fn list(source: Source) -> Option<&'static str> {
    match source {
        Source::Ranked { list, .. } => Some(list),
        Source::Table
        | Source::Stat(_)
        | Source::OneOf(_)
        | Source::Derived
        | Source::Follows(_)
        | Source::Condition(_)
        | Source::Tokens { .. } => None,
    }
}
