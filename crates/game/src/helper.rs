//! Helping with a check: the bonus that helpers give, and the action that it costs them.

use super::filled::SourcedValue;
use super::group::bounded;
use super::sheet_lookup::find_rank;
use super::{
    Character, CharacterId, CommandError, Filled, Game, Named, Origin, Result, opponent_of, refused,
};
use tableside_rules::{CheckSpec, Field, HelpEffect, Value, ValueSource, Whose};
use tableside_text::join;

impl Game {
    /// Fills in the help for a check: a flag, the sum of the helpers' skills, or the best skill of a helper. Typed values
    /// stay.
    pub fn help(
        &self,
        filled: &mut Filled,
        who: Option<CharacterId>,
        helpers: &[CharacterId],
    ) -> Result<()> {
        let spec = filled.fields.spec();
        let helpers = self.valid_helpers(who, spec, helpers)?;
        if helpers.is_empty() {
            return Ok(());
        }

        self.fill_in_help(filled, &helpers)?;
        fill_in_best_skill(filled, &helpers)
    }

    /// Fills in the field by which the rules count help.
    fn fill_in_help(&self, filled: &mut Filled, helpers: &[&Character]) -> Result<()> {
        let spec = filled.fields.spec();
        let Some(helping) = spec.helping else {
            return Ok(());
        };

        let (field, value) = match helping.brings {
            HelpEffect::Flag(flag) => {
                let Some(field) = spec.field(flag) else {
                    return Ok(());
                };
                if filled.fields.flag(flag) || filled.is_given(field) {
                    return Ok(());
                }
                (field, Value::Flag(true))
            }
            HelpEffect::Sum(id) | HelpEffect::Count(id) => {
                let Some(field) = spec.field(id) else {
                    return Ok(());
                };
                if !is_open(filled, field) {
                    return Ok(());
                }
                let sum = if matches!(helping.brings, HelpEffect::Count(_)) {
                    helpers.iter().map(|_| 1).sum()
                } else {
                    let bonuses = helpers
                        .iter()
                        .map(|helper| self.group_bonus(filled, helper));
                    bonuses.sum()
                };
                (field, Value::Number(bounded(field, sum)))
            }
            HelpEffect::Skill | HelpEffect::Told => return Ok(()),
        };
        filled.put(field, SourcedValue::new(value, Origin::all_of(helpers)))
    }

    /// Explains why a character's help would have no effect on the check. `None` if it would have an effect, or if the
    /// help of any character has the same effect.
    ///
    /// A helper uses the tested skill on the helper's own sheet (HEARTS, Assisting on Checks; HFRPG, Group Rolls).
    pub fn explain_useless_help(&self, filled: &Filled, helper: &Character) -> Option<String> {
        let spec = filled.fields.spec();
        if spec.field("group").is_some() {
            let competency = filled.name_of("competency")?;
            let competencies = helper.sheet.ranks("competencies");
            return match find_rank(competencies, competency) {
                Some(_) => None,
                None => Some(format!("has no {competency}")),
            };
        }

        let field = skill_field(spec)?;
        if is_lent(filled, field, helper) {
            return None;
        }
        if filled.is_given(field) {
            return Some(format!("{} has a typed value", field.label));
        }
        let explanation = match missing_skill(filled, field, helper) {
            Some(missing) => format!("{missing}; choose another skill for {}", field.label),
            None => "another helper is better".to_owned(),
        };
        Some(explanation)
    }

    /// Refuses helpers if the check allows none (Heart Rush, Stratagem Rolls, Helping), and helpers without the tested
    /// skill if help is a skill (HEARTS, Assisting on Checks).
    pub(super) fn validate_helpers(
        &self,
        filled: &Filled,
        who: Option<CharacterId>,
        helpers: &[CharacterId],
    ) -> Result<()> {
        let spec = filled.fields.spec();
        let helpers = self.valid_helpers(who, spec, helpers)?;

        let helps_by_skill = spec
            .helping
            .is_some_and(|helping| helping.brings == HelpEffect::Skill);
        let Some(field) = skill_field(spec) else {
            return Ok(());
        };
        // A typed number stands for a skill that is on no sheet.
        if !helps_by_skill || filled.is_given(field) {
            return Ok(());
        }

        for helper in helpers {
            let Some(missing) = missing_skill(filled, field, helper) else {
                continue;
            };
            if !is_lent(filled, field, helper) {
                return Err(refuse_unskilled_helper(field, helper, &missing));
            }
        }
        Ok(())
    }

    /// The bonus that a helper gives to a group roll: Competency and Specialisation in the skill that is tested (HFRPG,
    /// Group Rolls). The bonus is 0 for a helper without that skill.
    fn group_bonus(&self, filled: &Filled, helper: &Character) -> i32 {
        let spec = filled.fields.spec();
        let mut own = self.fill(spec, Some(helper.id));
        for id in ["competency", "specialisation"] {
            let Some(field) = spec.field(id) else {
                continue;
            };
            let is_on_sheet = match filled.name_of(id) {
                Some(name) => {
                    let result = self.fill_in(&mut own, Some(helper.id), field, name);
                    result.is_ok()
                }
                None => false,
            };
            if !is_on_sheet {
                own.fields.clear(id);
            }
        }
        super::group::group_bonus(&own)
    }

    /// Refuses a character that a field cannot name: the roller or an absent character as a helper, or the roller as the
    /// opponent in a system without inner struggles.
    pub(super) fn validate_named_character(
        &self,
        filled: &Filled,
        who: Option<CharacterId>,
        field: &Field,
        named: Option<CharacterId>,
    ) -> Result<()> {
        let Some(character) = self.optional_character(named) else {
            return Ok(());
        };

        let name = &character.name;
        let is_roller = who == named;
        let is_opponent = opponent_of(filled.fields.spec(), &filled.sources) == named;
        let choose_another = format!("choose another character for {}", field.label);
        match field.whose {
            Whose::Helper if is_roller => Err(refuse_helping_oneself(name)),
            Whose::OpponentHelper if is_roller => Err(refused(format!(
                "{name} makes this roll and cannot help against it; {choose_another}"
            ))),
            Whose::OpponentHelper if is_opponent => {
                Err(refused(format!("{name} is the opponent; {choose_another}")))
            }
            Whose::Helper | Whose::OpponentHelper if !character.is_here() => {
                Err(refuse_absent_helper(name))
            }
            Whose::Opponent if is_roller && !self.system.spec().inner_struggle => {
                Err(refused(format!("{name} makes this roll; {choose_another}")))
            }
            _ => Ok(()),
        }
    }

    /// Refuses fields that name an invalid character; see [`Self::validate_named_character`].
    ///
    /// The opponent may be named after the opponent's helper, so this validates all fields together.
    pub(super) fn validate_named_characters(
        &self,
        filled: &Filled,
        who: Option<CharacterId>,
    ) -> Result<()> {
        for field in filled.fields.spec().fields {
            if field.whose == Whose::Own {
                continue;
            }
            let named = filled.source(field.id).and_then(Origin::owner);
            self.validate_named_character(filled, who, field, named)?;
        }
        Ok(())
    }

    /// Returns the helpers, each once. Refuses characters that cannot help.
    pub(super) fn valid_helpers(
        &self,
        who: Option<CharacterId>,
        spec: &CheckSpec,
        ids: &[CharacterId],
    ) -> Result<Vec<&Character>> {
        if spec.helping.is_none() && !ids.is_empty() {
            return Err(refused(format!(
                "{} does not allow helpers; leave them out",
                spec.label
            )));
        }

        let mut helpers: Vec<&Character> = Vec::with_capacity(ids.len());
        for id in ids {
            let helper = self.known_character(*id)?;
            if Some(*id) == who {
                return Err(refuse_helping_oneself(&helper.name));
            }
            if !helper.is_here() {
                return Err(refuse_absent_helper(&helper.name));
            }
            if self.is_dead(helper) {
                let name = &helper.name;
                return Err(refused(format!("{name} is dead and cannot help")));
            }
            if !helpers.iter().any(|known| known.id == *id) {
                helpers.push(helper);
            }
        }
        Ok(helpers)
    }

    /// Marks the helpers as having acted, if helping takes their action. Returns those that had acted before.
    ///
    /// Helping takes an action in combat only, so helpers are not marked while no round is running.
    pub(super) fn mark_helpers_as_acted(
        &mut self,
        spec: &CheckSpec,
        helpers: &[Named],
    ) -> Vec<CharacterId> {
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

/// Fills in the best rank that a helper has in the tested skill.
fn fill_in_best_skill(filled: &mut Filled, helpers: &[&Character]) -> Result<()> {
    let Some(field) = skill_field(filled.fields.spec()) else {
        return Ok(());
    };
    if !is_open(filled, field) {
        return Ok(());
    }

    let skill = tested_skill(filled, field).unwrap_or_default();
    let mut best_rank = None;
    let mut best_source = Origin::default();
    for helper in helpers {
        let Some(skill) = find_rank(skills(helper, field), skill) else {
            continue;
        };
        let rank = skill.value.number();
        if rank.is_some() && rank > best_rank {
            best_rank = rank;
            best_source = Origin::of(helper, &skill.name);
        }
    }

    match best_rank {
        Some(rank) => {
            let value = Value::Number(rank);
            filled.put(field, SourcedValue::new(value, best_source))
        }
        None => Ok(()),
    }
}

fn refuse_helping_oneself(name: &str) -> CommandError {
    refused(format!("{name} makes this roll and cannot help with it"))
}

fn refuse_absent_helper(name: &str) -> CommandError {
    refused(format!("{name} is absent and cannot help"))
}

fn refuse_unskilled_helper(field: &Field, helper: &Character, missing: &str) -> CommandError {
    let name = &helper.name;
    let skill_names = skills(helper, field).iter().map(|(skill, _)| skill);
    let skills = join(skill_names, ", ");
    if skills.is_empty() {
        return refused(format!(
            "{name} has no skill to help with; choose another helper"
        ));
    }
    refused(format!(
        "{name} {missing} to help with; choose {skills} for {}",
        field.label
    ))
}

/// The field for a helper's skill.
fn skill_field(spec: &'static CheckSpec) -> Option<&'static Field> {
    spec.fields
        .iter()
        .find(|field| field.whose == Whose::Helper)
}

/// True if helpers may fill the field, because it has its preset and no player typed that value.
fn is_open(filled: &Filled, field: &Field) -> bool {
    filled.fields.is_preset(field) && !filled.is_given(field)
}

/// True if the field already contains a skill of this helper.
fn is_lent(filled: &Filled, field: &Field, helper: &Character) -> bool {
    match filled.source(field.id) {
        Some(source) => source.owner() == Some(helper.id),
        None => false,
    }
}

/// Describes the skill that a helper lacks. `None` if the helper has the tested skill.
fn missing_skill(filled: &Filled, field: &Field, helper: &Character) -> Option<String> {
    let Some(skill) = tested_skill(filled, field) else {
        return Some("has not named a skill".to_owned());
    };
    match find_rank(skills(helper, field), skill) {
        Some(_) => None,
        None => Some(format!("has no {skill}")),
    }
}

/// The name of the tested skill on the roller's sheet. A helper helps with the same skill (HEARTS, Assist).
fn tested_skill<'a>(filled: &'a Filled, field: &Field) -> Option<&'a str> {
    let skill_list = list_of(field.source)?;
    filled
        .fields
        .spec()
        .fields
        .iter()
        .filter(|own| own.whose == Whose::Own)
        .filter(|own| list_of(own.source) == Some(skill_list))
        .find_map(|own| filled.name_of(own.id))
}

/// The skills that a helper can help with.
fn skills<'a>(helper: &'a Character, field: &Field) -> &'a [(String, i32)] {
    match list_of(field.source) {
        Some(list) => helper.sheet.ranks(list),
        None => &[],
    }
}

const fn list_of(source: ValueSource) -> Option<&'static str> {
    match source {
        ValueSource::Ranked { list, .. } => Some(list),
        _ => None,
    }
}
