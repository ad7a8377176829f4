//! The description of a rule system and its checks. The roll dialog, the command line and the help are made from it.

use strum::{EnumString, VariantNames};

use super::system_file::{Bearing, HarmedCheck, Program, SheetRules};
use super::{
    CardSpec, ConditionSpec, Creature, DyingRules, Field, HIT_POINTS, HouseRule, Id,
    InitiativeRules, Outcome, OutcomeId, OutcomeSpec, PoolSpec, RestRules, System,
};

/// A rule system, as its file describes it.
pub struct SystemSpec {
    /// The id on the command line and in files: 2 to 40 of a to z, 0 to 9 and `-`.
    pub id: &'static str,
    /// The name on the screen.
    pub name: &'static str,
    /// The system's word for the game master.
    pub gm: &'static str,
    /// One sentence about the system; may be empty.
    pub about: &'static str,
    /// The attribution that the licence of the rules asks for; may be empty.
    pub credit: &'static str,
    /// When to roll, in a few sentences.
    pub when: &'static [&'static str],
    /// The effect of first aid.
    pub first_aid: FirstAid,
    /// True if the table decides when a character is taken out.
    pub taken_out: bool,
    /// The reason why the opponents of the party do not roll, as a sentence; empty if they roll as others do.
    pub only_heroes_roll: &'static str,
    /// True if a character can be its own opponent, in an inner struggle.
    pub inner_struggle: bool,
    /// The system's words for the character that rolls for a group.
    pub group: GroupWords,
    /// The stats of a character's sheet, in order; at most 64.
    pub stats: &'static [Field],
    /// The rules for a whole sheet: derived stats, states and damage.
    pub(super) sheet_rules: SheetRules,
    /// The pools of tokens.
    pub pools: &'static [PoolSpec],
    /// The clocks that each character has.
    pub clocks: &'static [ClockSpec],
    /// The values on the card of a character.
    pub card: CardSpec,
    /// The conditions.
    pub conditions: &'static [ConditionSpec],
    /// The checks that conditions ask for when their character takes damage.
    pub harmed: &'static [HarmedCheck],
    /// The rules for characters at 0 hit points; `None` if the system has none.
    pub dying: Option<DyingRules>,
    /// What a rest restores.
    pub rest: RestRules,
    /// The creatures: templates of opponents and others.
    pub creatures: &'static [Creature],
    /// The roll for the order of turns; `None` if the system has none, and the GM sets the order.
    pub initiative: Option<InitiativeRules>,
    /// The house rules: decisions that each table makes for itself.
    pub house: &'static [HouseRule],
    /// The checks, 1 to 32. The roll dialog opens on the first.
    pub checks: &'static [&'static CheckSpec],
}

/// The effect of first aid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum FirstAid {
    /// The rules have no first aid.
    #[default]
    None,
    /// The total of a check is subtracted from every wound.
    TreatsWounds,
    /// Effect levels remove Wounds or Traumas of the current scene.
    RemovesHarm,
    /// The character is no longer dying.
    EndsDying,
}

/// The system's words for the character that rolls for a group.
#[derive(Clone, Copy, Debug)]
pub struct GroupWords {
    /// For the character with the lowest chance of success.
    pub worst: &'static str,
    /// For the character with the highest chance of success.
    pub best: &'static str,
    /// The reason to choose the best character, if it is not the chance of success.
    pub highest: Option<&'static str>,
}

impl Default for GroupWords {
    fn default() -> Self {
        Self {
            worst: "the worst of all",
            best: "the best of all",
            highest: None,
        }
    }
}

/// A narration theme with its chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NarrationTheme {
    /// The pool of dice that brings the theme, or `shared` if several pools show the highest die.
    pub name: &'static str,
    /// The chance, from 0 to 1.
    pub share: f64,
}

/// A clock that each character has.
#[derive(Clone, Copy, Debug)]
pub struct ClockSpec {
    /// The id in rules and files, such as `stress`.
    pub id: Id,
    /// The name on the screen.
    pub name: &'static str,
    /// The abbreviation on cards and in narrow columns, two to seven letters. By default it is the name.
    pub short: Option<&'static str>,
    /// The number of segments, 2 to 24.
    pub segments: u8,
    /// The stat that increases when the full clock is filled further; empty if no stat does (Gnosis: Wounds and Traumas).
    pub overflow: &'static str,
    /// True if the clock is emptied at the end of a scene.
    pub ends_with_scene: bool,
}

impl ClockSpec {
    /// Returns the abbreviation, or the name if there is none.
    pub fn short_name(&self) -> &'static str {
        self.short.unwrap_or(self.name)
    }
}

/// A check of a rule system.
#[derive(Debug)]
pub struct CheckSpec {
    /// The system that the check belongs to.
    pub system: System,
    /// The id on the command line and in files.
    pub id: &'static str,
    /// The name on the screen.
    pub label: &'static str,
    /// The verb that says what the check does to an opponent, such as `attacks`; empty if the check has no such verb.
    pub deed: &'static str,
    /// When and how to roll, in one or two sentences.
    pub help: &'static str,
    /// True if each outcome is a success or a failure.
    pub has_success: bool,
    /// True if dice explode without limit, so that the total has no maximum.
    pub explodes: bool,
    /// True if a lower total is better (HEARTS).
    pub rolls_under: bool,
    /// The field whose value may turn the outcome of the dice from success to failure or back (HEARTS, added
    /// successes).
    pub success_after: Option<&'static str>,
    /// How other characters can help with the check; `None` if they cannot.
    pub helping: Option<Helping>,
    /// The fields, in order; at most 32, and one for each value of a sheet or pool that the steps use.
    pub fields: &'static [Field],
    /// The questions that may come up during the check.
    pub choices: &'static [ChoiceSpec],
    /// The outcomes, in the order in which odds list them.
    pub outcomes: &'static [OutcomeSpec],
    /// The abbreviation of the number to reach, such as `AC`; empty if it has none.
    pub target_short: &'static str,
    /// The words for values of an outcome ([`crate::Outcome::keys`]), by key. Values without words are not
    /// displayed.
    pub shown: &'static [(&'static str, &'static str)],
    /// The compiled steps; `None` if the check is code of the program.
    pub(super) program: Option<&'static Program>,
    /// For each condition of the system and each of its effects, the rolls of this check in which the effect applies.
    pub(super) bearing: Vec<Vec<Bearing>>,
}

/// How other characters help with a check.
#[derive(Clone, Copy, Debug)]
pub struct Helping {
    /// The contribution of the helpers.
    pub brings: HelpEffect,
    /// True if helping takes the helper's action.
    pub acts: bool,
    /// Which consequences the helpers share.
    pub shares: SharedConsequences,
    /// One sentence of help.
    pub help: &'static str,
}

/// The contribution of helpers to a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpEffect {
    /// It switches on the flag with this id, whatever the number of helpers.
    Flag(&'static str),
    /// It adds the skill of one helper.
    Skill,
    /// It sets the field with this id to the sum of what the helpers add.
    Sum(&'static str),
    /// It changes no number. The players describe the help.
    Told,
    /// It sets the field with this id to the number of helpers.
    Count(&'static str),
}

/// Which consequences of a check the helpers share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum SharedConsequences {
    /// None.
    #[default]
    Nothing,
    /// Everything that goes wrong.
    WhatGoesWrong,
    /// The consequences, divided evenly.
    Consequences,
}

impl PartialEq for CheckSpec {
    fn eq(&self, other: &Self) -> bool {
        (self.system, self.id) == (other.system, other.id)
    }
}

impl Eq for CheckSpec {}

impl std::hash::Hash for CheckSpec {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.system, self.id).hash(state);
    }
}

impl CheckSpec {
    /// Returns an outcome; the last one if the id is out of range.
    pub fn outcome(&self, id: OutcomeId) -> &'static OutcomeSpec {
        &self.outcomes[usize::from(id.0).min(self.outcomes.len() - 1)]
    }

    /// Returns the outcome after modifiers of the successes: the level that the dice show, or plain success or failure if
    /// the modifiers turned one into the other.
    pub(super) fn after_modifiers(&self, level: OutcomeId, success: bool) -> OutcomeId {
        let is_turned = self.outcome(level).success != success;
        if self.success_after.is_none() || !is_turned {
            return level;
        }

        let plain = if success { "success" } else { "failure" };
        self.outcome_named(plain).unwrap_or(level)
    }

    /// Returns a logged outcome for display. Older versions of the program logged the outcome of the dice, even if
    /// modifiers turned success into failure or back.
    pub fn told(&self, outcome: OutcomeId, success: Option<bool>) -> &'static OutcomeSpec {
        match success {
            Some(success) => self.outcome(self.after_modifiers(outcome, success)),
            None => self.outcome(outcome),
        }
    }

    /// True if the roll does something to an opponent: it deals damage, gives conditions, or takes tokens.
    pub fn affects_opponent(&self) -> bool {
        let has_verb = !self.deed.is_empty();
        has_verb || self.program.is_some_and(Program::affects_opponent)
    }

    /// Returns the outcome of that name.
    pub fn outcome_named(&self, id: &str) -> Option<OutcomeId> {
        let index = self.outcomes.iter().position(|outcome| outcome.id == id)?;
        u8::try_from(index).ok().map(OutcomeId)
    }

    /// Returns the words for a named value of an outcome; `None` if the value is not displayed.
    pub fn words_of(&self, key: &str) -> Option<&'static str> {
        let mut shown = self.shown.iter();
        shown
            .find(|(known, _)| *known == key)
            .map(|(_, words)| *words)
    }

    /// Describes the numbers of a result: `17 vs AC 12`, `17` without a target, or the check's own words. Empty if it has
    /// no numbers, or if the name of the outcome contains the total.
    pub fn describe_numbers(&self, outcome: &Outcome) -> String {
        if let Some(numbers) = &outcome.numbers {
            return numbers.clone();
        }
        let Some(total) = outcome.total else {
            return String::new();
        };
        match (outcome.target, self.target_short) {
            (Some(target), "") => format!("{total} vs {target}"),
            (Some(target), short) => format!("{total} vs {short} {target}"),
            (None, _) => {
                let number = total.to_string();
                let label = self.told(outcome.outcome, outcome.success).label;
                let is_in_label = label.split_whitespace().any(|word| word == number);
                if is_in_label { String::new() } else { number }
            }
        }
    }

    /// Returns the field of that id.
    pub fn field(&self, id: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.id == id)
    }
}

/// A question that may come up during a check.
#[derive(Debug)]
pub struct ChoiceSpec {
    /// The id in files and on the command line.
    pub id: &'static str,
    /// The possible answers; empty if they depend on the roll.
    pub answers: &'static [&'static str],
    /// The form of an answer on the command line, such as `0,2,1`; empty if `answers` lists all answers.
    pub written: &'static str,
    /// The question, and the default answer.
    pub help: &'static str,
}

impl SystemSpec {
    /// Returns true if a stat has a maximum on every sheet, as hit points have.
    pub fn has_maximum(&self, stat: &Field) -> bool {
        let counts_damage = self.sheet_rules.harm.is_some();
        stat.most.is_some() || (stat.id == HIT_POINTS && counts_damage)
    }

    /// Returns true if the rules compute the stat with this label from others, as the better of two abilities.
    pub fn is_derived(&self, label: &str) -> bool {
        let mut derived = self.sheet_rules.derived();
        derived.any(|index| {
            let stat = self.stats.get(index);
            stat.is_some_and(|stat| stat.label == label)
        })
    }

    /// Returns the pool of that id.
    pub fn pool(&self, id: Id) -> Option<&'static PoolSpec> {
        self.pools.iter().find(|pool| pool.id == id)
    }

    /// True if the file says what a rest restores.
    pub fn has_rest_rules(&self) -> bool {
        let is_refilled = |pool: &PoolSpec| pool.resets_after_rest.is_some();
        let has_recovery = self.rest.short.has_effect() || self.rest.long.has_effect();
        has_recovery || self.pools.iter().any(is_refilled)
    }

    /// Returns an amount of a pool's tokens in words.
    pub fn tokens(&self, id: Id, amount: i32) -> String {
        match self.pool(id) {
            Some(pool) => pool.words(amount),
            None => format!("{amount} {id}"),
        }
    }

    /// Returns consequences in words, with the clock that counts them: `2 consequences of Stress`.
    pub(super) fn consequences(&self, amount: i32, of: Id) -> String {
        let plural = if amount == 1 { "" } else { "s" };
        match self.clock(of) {
            Some(clock) => format!("{amount} consequence{plural} of {}", clock.name),
            None => format!("{amount} consequence{plural}, in the narration only"),
        }
    }

    /// Returns the clock of that id.
    pub fn clock(&self, id: Id) -> Option<&'static ClockSpec> {
        self.clocks.iter().find(|clock| clock.id == id)
    }
}
