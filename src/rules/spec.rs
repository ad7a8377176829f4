//! How a system and its checks are described: the dialog, the command line and the help are made from it.

use serde::{Deserialize, Serialize};

use super::{
    ConditionSpec, DynCheck, Field, Fields, House, HouseRule, OutcomeId, OutcomeSpec, Refused,
    Sheet, Standing, System, TokenKind, Value,
};

/// Works out a field from a sheet under the house rules; the text is the name that a person gave, if
/// any. Answers with the value and where it comes from, in words.
pub type Derive = fn(&Sheet, &House, &'static str, Option<&str>) -> Option<(Value, String)>;

/// Makes a check's machine from its fields and the house rules.
pub type Prepare = fn(&Fields, &House) -> Result<Box<dyn DynCheck>, Refused>;

/// A rule system, described.
pub struct SystemSpec {
    /// Which.
    pub system: System,
    /// Its name on the command line and in files.
    pub id: &'static str,
    /// Its name on the screen.
    pub name: &'static str,
    /// What it calls the one who runs the game.
    pub gm: &'static str,
    /// When a check is needed at all, in a few sentences.
    pub when: &'static [&'static str],
    /// Its checks; the first is the one that the roll dialog opens on.
    pub checks: &'static [&'static CheckSpec],
    /// What a character's sheet holds, in order.
    pub stats: &'static [Field],
    /// The pools of tokens that its characters have.
    pub pools: &'static [PoolSpec],
    /// The clocks that its characters have.
    pub clocks: &'static [ClockSpec],
    /// The readings that a table may decide otherwise.
    pub house: &'static [HouseRule],
    /// The conditions that its rules know.
    pub conditions: &'static [ConditionSpec],
    /// Reads off a sheet how somebody stands under the house rules.
    pub standing: fn(&Sheet, &House) -> Option<Standing>,
    /// Works out a field whose source is [`super::Source::Derived`].
    pub derive: Derive,
    /// What a stat of a sheet comes to in a check, in a few words; nothing where the number says it.
    pub means: fn(&Sheet, &'static str) -> Option<String>,
    /// What the rules say of first aid.
    pub first_aid: FirstAid,
    /// Whether somebody is taken out by a word of the table.
    pub taken_out: bool,
    /// Whether somebody may be the own opponent: an inner struggle.
    pub inner_struggle: bool,
    /// What the one who rolls for a group is called.
    pub group: GroupWords,
    /// The chances of each theme that the roll of these fields may bring.
    pub themes: fn(&Fields, &House) -> Vec<Theme>,
    /// The sample game: how it stands at first, and the commands that it is played with.
    pub sample: (&'static str, &'static str),
}

impl SystemSpec {
    /// A system of which the rules say no more than they must; what makes it one is still to be said.
    pub(super) const PLAIN: Self = Self {
        system: System::HeartRush,
        id: "",
        name: "",
        gm: "GM",
        when: &[],
        checks: &[],
        stats: &[],
        pools: &[],
        clocks: &[],
        house: &[],
        conditions: &[],
        standing: |_, _| None,
        derive: |_, _, _, _| None,
        means: |_, _| None,
        first_aid: FirstAid::None,
        taken_out: false,
        inner_struggle: false,
        group: GroupWords::PLAIN,
        themes: |_, _| Vec::new(),
        sample: ("", ""),
    };
}

/// What first aid does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstAid {
    /// The rules say nothing of it.
    None,
    /// The total of a check comes off every wound.
    TreatsWounds,
    /// Effect levels remove Wounds or Traumas that the scene brought.
    RemovesHarm,
    /// Whoever is dying no longer is.
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

impl GroupWords {
    pub(super) const PLAIN: Self = Self {
        worst: "the worst of all",
        best: "the best of all",
        highest: None,
    };
}

/// A theme of the narration with its chance, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theme {
    /// What brings it: a pool of dice by its name, or `shared` where several have the highest die.
    pub name: &'static str,
    /// Its chance.
    pub share: f64,
}

/// Tokens that every character of a system has.
#[derive(Clone, Copy, Debug)]
pub struct PoolSpec {
    /// Which tokens.
    pub kind: TokenKind,
    /// The pool's name on the screen.
    pub name: &'static str,
    /// Whose the pool is.
    pub purse: Purse,
    /// The least that it may hold.
    pub floor: i32,
    /// The most that it may hold.
    pub cap: Option<i32>,
    /// What it holds at first.
    pub start: i32,
    /// What it goes back to at the end of a session.
    pub at_session_end: AtEnd,
    /// The most that may be gained in one scene from a roll's or an aspect's effects.
    pub gain_per_scene: Option<i32>,
}

/// Whose a pool of tokens is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purse {
    /// Each character has one.
    Character,
    /// Each player has one, whichever of the own characters acts; a character without a player has one by
    /// itself.
    Player,
    /// The table has one.
    Table,
}

/// What happens to a pool at an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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
    pub id: &'static str,
    /// Its name on the screen.
    pub name: &'static str,
    /// How many segments.
    pub segments: u8,
    /// The stat that counts what comes after it is full: Gnosis, Wounds and Traumas.
    pub overflow: &'static str,
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
    /// When and how, in a sentence or two.
    pub help: &'static str,
    /// What it needs to know, in order.
    pub fields: &'static [Field],
    /// What it puts to people on the way.
    pub choices: &'static [ChoiceSpec],
    /// Its outcomes, in the order in which odds list them.
    pub outcomes: &'static [OutcomeSpec],
    /// Whether its outcomes tell success from failure at all.
    pub has_success: bool,
    /// Whether dice may explode, so that its total has no most.
    pub explodes: bool,
    /// Whether a lower total is the better one (HEARTS).
    pub rolls_under: bool,
    /// What others can do for whoever makes it; nothing where nobody can help.
    pub helping: Option<Helping>,
    /// The field after which success may not be what the level of the dice says (HEARTS, successes added).
    pub success_after: Option<&'static str>,
    /// Makes the machine from fields and house rules; refuses what the rules forbid.
    pub prepare: Prepare,
}

/// What helping with a check brings, and what it costs whoever helps.
#[derive(Clone, Copy, Debug)]
pub struct Helping {
    /// What it brings.
    pub brings: Brings,
    /// Whether it takes the helper's action.
    pub acts: bool,
    /// What the helpers share.
    pub shares: Shares,
    /// One sentence of help.
    pub help: &'static str,
}

/// What helpers bring to a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brings {
    /// This flag, however many help.
    Flag(&'static str),
    /// The skill of one of them, who must have it.
    Skill,
    /// What each of them adds, in this field.
    Sum(&'static str),
    /// What people tell.
    Told,
}

/// What helpers share of what comes of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shares {
    /// Nothing.
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
    /// A check that tells success from failure, with nothing out of the ordinary; what makes it a check is
    /// still to be said.
    pub(super) const PLAIN: Self = Self {
        system: System::HeartRush,
        id: "",
        label: "",
        help: "",
        fields: &[],
        choices: &[],
        outcomes: &[],
        has_success: true,
        explodes: false,
        rolls_under: false,
        helping: None,
        success_after: None,
        prepare: |_, _| Err(Refused(String::new())),
    };

    /// The description of one of its outcomes.
    pub fn outcome(&self, id: OutcomeId) -> &'static OutcomeSpec {
        let last = self.outcomes.len() - 1;
        &self.outcomes[usize::from(id.0).min(last)]
    }

    /// An outcome as people read it: the level that the dice show, or plain success or failure where
    /// modifiers decided otherwise.
    pub fn told(&self, outcome: OutcomeId, success: Option<bool>) -> &'static OutcomeSpec {
        let level = self.outcome(outcome);
        let Some(success) = success.filter(|_| self.success_after.is_some()) else {
            return level;
        };
        let plain = |one: &&OutcomeSpec| one.id == if success { "success" } else { "failure" };
        let plain = self.outcomes.iter().find(plain);
        plain.filter(|_| level.success != success).unwrap_or(level)
    }

    /// Its outcome of that name.
    pub fn outcome_named(&self, id: &str) -> Option<OutcomeId> {
        let index = self.outcomes.iter().position(|outcome| outcome.id == id)?;
        u8::try_from(index).ok().map(OutcomeId)
    }

    /// Its field of that name.
    pub fn field(&self, id: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.id == id)
    }
}

/// A question that a check may put to somebody, described.
#[derive(Clone, Copy, Debug)]
pub struct ChoiceSpec {
    /// Its name.
    pub id: &'static str,
    /// Its answers, where they are always the same; else what they look like is in `help`.
    pub answers: &'static [&'static str],
    /// What is asked, and what is taken when nobody answers.
    pub help: &'static str,
}
