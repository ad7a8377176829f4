//! How a system and its checks are described: the dialog, the command line and the help are made from it.

use serde::Serialize;
use strum::{EnumString, VariantNames};

use super::system_file::{Bearing, EffectRule, Known, Program, SheetRules};
use super::{
    ConditionSpec, DyingRules, Effect, Field, HouseRule, Id, OutcomeId, OutcomeSpec, System,
};

/// A rule system, as its file in `systems` describes it.
pub struct SystemSpec {
    /// Its name on the command line and in files.
    pub id: &'static str,
    /// Its name on the screen.
    pub name: &'static str,
    /// What it calls the one who runs the game.
    pub gm: &'static str,
    /// What it is like, in a sentence; empty where its file says nothing.
    pub about: &'static str,
    /// Whom its rules come from, as their licence asks for it; empty where nobody does.
    pub credit: &'static str,
    /// When a check is needed at all, in a few sentences.
    pub when: &'static [&'static str],
    /// What the rules say of first aid.
    pub first_aid: FirstAid,
    /// Whether somebody is taken out by a word of the table.
    pub taken_out: bool,
    /// Whether somebody may be the own opponent: an inner struggle.
    pub inner_struggle: bool,
    /// What the one who rolls for a group is called.
    pub group: GroupWords,
    /// What a character's sheet holds, in order.
    pub stats: &'static [Field],
    /// What is worked out of such a sheet.
    pub(super) sheet_rules: SheetRules,
    /// The pools of tokens that its characters have.
    pub pools: &'static [PoolSpec],
    /// The clocks that its characters have.
    pub clocks: &'static [ClockSpec],
    /// The conditions that its rules know.
    pub conditions: &'static [ConditionSpec],
    /// What happens at 0 hit points, where its file says so.
    pub dying: Option<DyingRules>,
    /// The readings that a table may decide otherwise.
    pub house: &'static [HouseRule],
    /// Its checks; the first is the one that the roll dialog opens on.
    pub checks: &'static [&'static CheckSpec],
}

/// What first aid does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum FirstAid {
    /// The rules say nothing of it.
    #[default]
    None,
    /// The total of a check comes off every wound.
    TreatsWounds,
    /// Effect levels remove Wounds or Traumas that the scene brought.
    RemovesHarm,
    /// It ends the condition of dying.
    EndsDying,
}

/// What the rules call the one who rolls for a group.
#[derive(Clone, Copy, Debug)]
pub struct GroupWords {
    /// Where the worst rolls.
    pub worst: &'static str,
    /// Where the best rolls.
    pub best: &'static str,
    /// Why the best was found, where it is not by the chance of success.
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

/// A theme of the narration with its chance, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NarrationTheme {
    /// What brings it: a pool of dice by its name, or `shared` where several have the highest die.
    pub name: &'static str,
    /// Its chance.
    pub share: f64,
}

/// Tokens that every character of a system has.
#[derive(Clone, Copy, Debug)]
pub struct PoolSpec {
    /// Its name in rules and files.
    pub id: Id,
    /// The pool's name on the screen.
    pub name: &'static str,
    /// Its name where room is short, if it is another.
    pub short: Option<&'static str>,
    /// What one of its tokens is called, if not as the pool.
    pub(super) one: Option<&'static str>,
    /// What several are called.
    pub(super) many: Option<&'static str>,
    /// What those are called that it holds below 0.
    pub(super) below: Option<BelowWords>,
    /// Whose the pool is.
    pub purse: PoolOwner,
    /// The least that it may hold; none where it is not bounded.
    pub floor: Option<i32>,
    /// The most that it may hold.
    pub cap: Option<i32>,
    /// What it holds at first.
    pub start: i32,
    /// What it goes back to at the end of a session.
    pub at_session_end: AtEnd,
    /// What it goes back to at the end of a scene.
    pub at_scene_end: AtEnd,
    /// What happens when it comes to a number.
    pub at: &'static [Threshold],
    /// The most that may be gained in one scene from a roll's or an aspect's effects.
    pub gain_per_scene: Option<i32>,
}

/// What happens when a pool comes to a number.
#[derive(Debug)]
pub struct Threshold {
    /// The number.
    pub value: i32,
    /// What is told; empty for nothing.
    pub say: &'static str,
    pub(super) effects: Vec<EffectRule>,
}

impl Threshold {
    /// What follows.
    pub fn effects(&self) -> Vec<Effect> {
        // It is worked out from numbers alone, which never fail.
        EffectRule::all(&self.effects, |_| Known::default()).unwrap_or_default()
    }
}

/// What tokens are called that a pool holds below 0.
#[derive(Clone, Copy, Debug)]
pub struct BelowWords {
    /// One of them.
    pub one: &'static str,
    /// Several.
    pub many: &'static str,
    /// The pool, which holds either kind: one less of these is one more of the others.
    pub pool: &'static str,
}

impl PoolSpec {
    /// An amount of its tokens in words: `2 Destiny Points`.
    pub fn words(&self, amount: i32) -> String {
        let [one, many] = [self.one, self.many].map(|own| own.unwrap_or(self.name));
        let below = self.below.filter(|_| amount < 0);
        let (one, many) = below.map_or((one, many), |below| (below.one, below.many));
        let amount = amount.unsigned_abs();
        format!("{amount} {}", if amount == 1 { one } else { many })
    }

    /// A gain (above 0) or a spending (below 0) in words: `spends 2 Destiny Points`.
    pub(super) fn booked(&self, amount: i32) -> String {
        match self.below {
            Some(BelowWords { pool, .. }) => format!("{pool} {amount:+}").replace('-', "−"),
            None if amount < 0 => format!("spends {}", self.words(amount)),
            None => format!("gains {}", self.words(amount)),
        }
    }
}

/// Whose a pool of tokens is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum PoolOwner {
    /// Each character has one.
    Character,
    /// Each player has one, whichever of the own characters acts; a character without a player has one by
    /// itself.
    Player,
    /// The table has one.
    Table,
}

/// What happens to a pool at an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, EnumString, VariantNames)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum AtEnd {
    /// It stays as it is.
    Stay,
    /// It goes back to its start.
    Reset,
    /// It is raised to its start if it is below.
    AtLeastStart,
}

/// A clock that every character of a system has.
#[derive(Clone, Copy, Debug)]
pub struct ClockSpec {
    /// Its name in rules and files: `stress`.
    pub id: Id,
    /// Its name on the screen.
    pub name: &'static str,
    /// How many segments.
    pub segments: u8,
    /// The stat that counts what comes after it is full: Gnosis, Wounds and Traumas.
    pub overflow: &'static str,
    /// Whether it is emptied at the end of a scene.
    pub ends_with_scene: bool,
}

/// A check of a rule system, described.
#[derive(Debug)]
pub struct CheckSpec {
    /// The system.
    pub system: System,
    /// Its name on the command line and in files.
    pub id: &'static str,
    /// Its name on the screen.
    pub label: &'static str,
    /// What one does to an opponent with it, said behind a name: `attacks`; empty where it is no deed.
    pub deed: &'static str,
    /// When and how, in a sentence or two.
    pub help: &'static str,
    /// Whether its outcomes tell success from failure at all.
    pub has_success: bool,
    /// Whether chains of dice go on without end, so that its total has no most.
    pub explodes: bool,
    /// Whether a lower total is the better one (HEARTS).
    pub rolls_under: bool,
    /// The field after which success may not be what the level of the dice says (HEARTS, successes added).
    pub success_after: Option<&'static str>,
    /// How others can help with it; `None` if nobody can.
    pub helping: Option<Helping>,
    /// What it needs to know, in order.
    pub fields: &'static [Field],
    /// What it puts to people on the way.
    pub choices: &'static [ChoiceSpec],
    /// Its outcomes, in the order in which odds list them.
    pub outcomes: &'static [OutcomeSpec],
    /// What people call the further values of an outcome ([`crate::Outcome::keys`]), by key. A value without
    /// words is not shown to people.
    pub shown: &'static [(&'static str, &'static str)],
    /// Its steps, where the file has them; else it is code.
    pub(super) program: Option<&'static Program>,
    /// For each condition of the system whether it bears on this check.
    pub(super) bearing: Vec<Bearing>,
}

/// What helping with a check brings, and what it costs the helper.
#[derive(Clone, Copy, Debug)]
pub struct Helping {
    /// What it brings.
    pub brings: HelpEffect,
    /// Whether it takes the helper's action.
    pub acts: bool,
    /// What the helpers share.
    pub shares: SharedConsequences,
    /// One sentence of help.
    pub help: &'static str,
}

/// What helpers bring to a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpEffect {
    /// This flag, however many help.
    Flag(&'static str),
    /// The skill of one of them, who must have it.
    Skill,
    /// What each of them adds, in this field.
    Sum(&'static str),
    /// What people tell.
    Told,
    /// How many they are, in this field.
    Count(&'static str),
}

/// What helpers share of what comes of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum SharedConsequences {
    /// Nothing.
    #[default]
    Nothing,
    /// All that goes wrong.
    WhatGoesWrong,
    /// The consequences, split evenly.
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
    /// The description of one of its outcomes.
    pub fn outcome(&self, id: OutcomeId) -> &'static OutcomeSpec {
        &self.outcomes[usize::from(id.0).min(self.outcomes.len() - 1)]
    }

    /// The outcome after the modifiers of the successes: the level that the dice show, or plain success or failure if
    /// the modifiers turned one into the other.
    pub(super) fn after_modifiers(&self, level: OutcomeId, success: bool) -> OutcomeId {
        let is_turned = self.outcome(level).success != success;
        if self.success_after.is_none() || !is_turned {
            return level;
        }

        let plain = if success { "success" } else { "failure" };
        self.outcome_named(plain).unwrap_or(level)
    }

    /// An outcome of the log as people read it. Games of older versions recorded the level that the dice show, even if
    /// modifiers decided otherwise.
    pub fn told(&self, outcome: OutcomeId, success: Option<bool>) -> &'static OutcomeSpec {
        match success {
            Some(success) => self.outcome(self.after_modifiers(outcome, success)),
            None => self.outcome(outcome),
        }
    }

    /// True if the roll does something to an opponent: it deals damage, gives conditions, or takes tokens.
    pub fn affects_opponent(&self) -> bool {
        let is_declared = !self.deed.is_empty();
        is_declared || self.program.is_some_and(Program::affects_opponent)
    }

    /// Its outcome of that name.
    pub fn outcome_named(&self, id: &str) -> Option<OutcomeId> {
        let index = self.outcomes.iter().position(|outcome| outcome.id == id)?;
        u8::try_from(index).ok().map(OutcomeId)
    }

    /// What people call a further value of its outcome; `None` for an internal value.
    pub fn words_of(&self, key: &str) -> Option<&'static str> {
        let mut shown = self.shown.iter();
        shown
            .find(|(known, _)| *known == key)
            .map(|(_, words)| *words)
    }

    /// Its field of that name.
    pub fn field(&self, id: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.id == id)
    }
}

/// A question that a check may put to somebody, described.
#[derive(Debug)]
pub struct ChoiceSpec {
    /// Its name.
    pub id: &'static str,
    /// Its answers, where they are always the same; else what they look like is in `help`.
    pub answers: &'static [&'static str],
    /// Else how a command line writes them.
    pub written: &'static str,
    /// What is asked, and what is taken when nobody answers.
    pub help: &'static str,
}

impl SystemSpec {
    /// Its pool of that name.
    pub fn pool(&self, id: Id) -> Option<&'static PoolSpec> {
        self.pools.iter().find(|pool| pool.id == id)
    }

    /// An amount of that pool's tokens in words.
    pub fn tokens(&self, id: Id, amount: i32) -> String {
        let pool = self.pool(id);
        pool.map_or_else(|| format!("{amount} {id}"), |pool| pool.words(amount))
    }

    /// What so many consequences are that this clock counts: `2 consequences of Stress`.
    pub(super) fn consequences(&self, amount: i32, of: Id) -> String {
        let several = if amount == 1 { "" } else { "s" };
        let of = self.clock(of).map(|clock| format!(" of {}", clock.name));
        let of = of.as_deref().unwrap_or(", told only");
        format!("{amount} consequence{several}{of}")
    }

    /// Its clock of that name.
    pub fn clock(&self, id: Id) -> Option<&'static ClockSpec> {
        self.clocks.iter().find(|clock| clock.id == id)
    }
}
