//! Help: what helpers bring to a check, and what it costs them.

use super::group::bounded;
use super::sheet_lookup::ranked;
use super::{Character, CharacterId, Filled, Game, Named, Origin, Result, opponent_of, refused};
use tableside_rules::{CheckSpec, Field, HelpEffect, Value, ValueSource, Whose};
use tableside_text::join;

impl Game {
    /// Lets these help with a check: raises the flag of a helped roll, or adds a helper's skill. What
    /// was given for these fields by hand stays.
    pub fn help(
        &self,
        filled: &mut Filled,
        who: Option<CharacterId>,
        helpers: &[CharacterId],
    ) -> Result<()> {
        let spec = filled.fields.spec();
        let helpers = self.helping(who, spec, helpers)?;
        if helpers.is_empty() {
            return Ok(());
        }
        let all = Origin::all_of(&helpers);
        match spec.helping.map(|helping| helping.brings) {
            Some(HelpEffect::Flag(flag)) if !filled.fields.flag(flag) => {
                if let Some(flag) = spec.field(flag).filter(|flag| !filled.is_given(flag)) {
                    filled.put(flag, (Value::Flag(true), all))?;
                }
            }
            Some(brings @ (HelpEffect::Sum(field) | HelpEffect::Count(field))) => {
                if let Some(field) = spec.field(field).filter(|field| is_open(filled, field)) {
                    let is_count = matches!(brings, HelpEffect::Count(_));
                    let adds = |one: &&Character| if is_count { 1 } else { self.adds(filled, one) };
                    let sum = bounded(field, helpers.iter().map(adds).sum());
                    filled.put(field, (Value::Number(sum), all))?;
                }
            }
            Some(HelpEffect::Flag(_) | HelpEffect::Skill | HelpEffect::Told) | None => {}
        }
        let Some(assist) = assist_of(spec).filter(|assist| is_open(filled, assist)) else {
            return Ok(());
        };
        let skill = tried(filled, assist).unwrap_or_default();
        let skilled = helpers.iter().filter_map(|helper| {
            let (rank, name) = ranked(skills(helper, assist), skill)?;
            Some((rank.number()?, Origin::of(helper, &name)))
        });
        let best = skilled.reduce(|best, next| if next.0 > best.0 { next } else { best });
        match best {
            Some((rank, source)) => filled.put(assist, (Value::Number(rank), source)),
            None => Ok(()),
        }
    }

    /// Why that one's help brings nothing as the check stands, in words; none where it brings something,
    /// or where any help is enough. A helper helps with what is tried, by the own sheet (HEARTS,
    /// Assisting on Checks; HFRPG, Group Rolls).
    pub fn helps_in_vain(&self, filled: &Filled, helper: &Character) -> Option<String> {
        let spec = filled.fields.spec();
        if spec.field("group").is_some() {
            let name = filled.name_of("competency")?;
            let has = ranked(helper.sheet.ranks("competencies"), name).is_some();
            return (!has).then(|| format!("has no {name}"));
        }
        let assist = assist_of(spec).filter(|assist| !is_lent(filled, assist, helper))?;
        let label = assist.label;
        Some(match lacks(filled, assist, helper) {
            _ if filled.is_given(assist) => format!("{label} is given by hand"),
            Some(lacks) => format!("{lacks}: pick another at {label}"),
            None => "another helper is better".to_owned(),
        })
    }

    /// Refuses helpers where nobody can help (Heart Rush, Stratagem Rolls, Helping), and those without the
    /// relevant skill where help is a skill (HEARTS, Assisting on Checks).
    pub(super) fn may_help(
        &self,
        filled: &Filled,
        who: Option<CharacterId>,
        helpers: &[CharacterId],
    ) -> Result<()> {
        let spec = filled.fields.spec();
        let helpers = self.helping(who, spec, helpers)?;
        let brings = spec.helping.map(|helping| helping.brings);
        let assist = assist_of(spec).filter(|_| brings == Some(HelpEffect::Skill));
        // A number given by hand is somebody's word for a skill that no sheet has.
        let Some(assist) = assist.filter(|assist| !filled.is_given(assist)) else {
            return Ok(());
        };
        for helper in helpers {
            let lacks = lacks(filled, assist, helper);
            let Some(lacks) = lacks.filter(|_| !is_lent(filled, assist, helper)) else {
                continue;
            };
            let (name, field) = (&helper.name, assist.id);
            let known = join(skills(helper, assist).iter().map(|(name, _)| name), ", ");
            return Err(refused(if known.is_empty() {
                format!("{name} has no skill to help with; somebody else must help")
            } else {
                format!("{name} {lacks} to help with; name one of {known} in {field}: {name}: …")
            }));
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

    /// Refuses a character who cannot stand in that field: the roller or an absent character as a helper, or the roller
    /// as the opponent where the rules know no inner struggle.
    pub(super) fn may_be_named(
        &self,
        filled: &Filled,
        who: Option<CharacterId>,
        field: &Field,
        named: Option<CharacterId>,
    ) -> Result<()> {
        let Some(character) = named.and_then(|id| self.character(id)) else {
            return Ok(());
        };

        let is_roller = who == named;
        let opponent = opponent_of(filled.fields.spec(), &filled.sources);
        let name = &character.name;
        match field.whose {
            Whose::Helper if is_roller => Err(refused(format!(
                "{name} makes the check; somebody else must help"
            ))),
            Whose::OpponentHelper if is_roller => Err(refused(format!(
                "{name} makes the check and cannot help against it; name another character in {}",
                field.id
            ))),
            Whose::OpponentHelper if opponent == named => Err(refused(format!(
                "{name} resists the check; name another character in {}",
                field.id
            ))),
            Whose::Helper | Whose::OpponentHelper if !character.is_here() => {
                Err(refused(format!("{name} is absent and cannot help")))
            }
            Whose::Opponent if is_roller && !self.system.spec().inner_struggle => {
                Err(refused(format!(
                    "{name} makes the check; name another character in {}",
                    field.id
                )))
            }
            _ => Ok(()),
        }
    }

    /// Refuses fields that name a character who cannot stand there; see [`Self::may_be_named`]. An opponent may be named
    /// after the opponent's helper, so this looks at all fields together.
    pub(super) fn may_all_be_named(&self, filled: &Filled, who: Option<CharacterId>) -> Result<()> {
        for field in filled.fields.spec().fields {
            if field.whose == Whose::Own {
                continue;
            }
            let named = filled.source(field.id).and_then(Origin::owner);
            self.may_be_named(filled, who, field, named)?;
        }
        Ok(())
    }

    /// The helpers, each once; refuses those who cannot help.
    pub(super) fn helping(
        &self,
        who: Option<CharacterId>,
        spec: &CheckSpec,
        helpers: &[CharacterId],
    ) -> Result<Vec<&Character>> {
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
            found.extend((!found.iter().any(|known| known.id == id)).then_some(helper));
        }
        Ok(found)
    }

    /// Marks the helpers as having acted, if helping takes their action. Returns those who had acted before.
    ///
    /// Helping takes an action in combat only, so nothing is marked while no round is running.
    pub(super) fn have_acted(&mut self, spec: &CheckSpec, helpers: &[Named]) -> Vec<CharacterId> {
        let takes_action = spec.helping.is_some_and(|helping| helping.acts);
        if self.round == 0 || !takes_action {
            return Vec::new();
        }

        let mut acted_before = Vec::new();
        for helper in helpers {
            let Some(character) = self.character_mut(helper.id) else {
                continue;
            };
            if character.acted {
                acted_before.push(character.id);
            }
            character.acted = true;
        }

        acted_before
    }
}

/// The field that a helper fills.
fn assist_of(spec: &'static CheckSpec) -> Option<&'static Field> {
    let mut fields = spec.fields.iter();
    fields.find(|field| field.whose == Whose::Helper)
}

/// True if the field has its preset and nobody gave that value, so that helpers may fill the field.
fn is_open(filled: &Filled, field: &Field) -> bool {
    filled.fields.is_preset(field) && !filled.is_given(field)
}

/// Whether it is that one's skill already.
fn is_lent(filled: &Filled, assist: &Field, helper: &Character) -> bool {
    filled.source(assist.id).and_then(Origin::owner) == Some(helper.id)
}

/// What somebody lacks to help with what is tried, in words.
fn lacks(filled: &Filled, assist: &Field, helper: &Character) -> Option<String> {
    match tried(filled, assist) {
        None => Some("names no skill".to_owned()),
        Some(skill) if ranked(skills(helper, assist), skill).is_some() => None,
        Some(skill) => Some(format!("has no {skill}")),
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

/// What a helper may help with.
fn skills<'a>(helper: &'a Character, assist: &Field) -> &'a [(String, i32)] {
    list(assist.source).map_or(&[], |list| helper.sheet.ranks(list))
}

const fn list(source: ValueSource) -> Option<&'static str> {
    match source {
        ValueSource::Ranked { list, .. } => Some(list),
        _ => None,
    }
}
