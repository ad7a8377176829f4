//! The result of a resolved check: outcome, dice, total, effects, and the words that explain it.

use serde::Serialize;
use strum::{EnumString, VariantNames};

use super::explanation::Closed;
use super::{Effect, Id, OutcomeId, System, UsedTokens};
use tableside_dice::{Die, DieRole, Face};

/// How good an outcome is for the roller. Themes have a colour and a sign for each tone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Tone {
    /// The best outcome.
    #[strum(serialize = "great")]
    Triumph,
    /// Success.
    Good,
    /// Success at a price, or half a success.
    Mixed,
    /// Failure.
    Bad,
    /// The worst outcome.
    Disaster,
}

/// One outcome that a check can have.
#[derive(Debug)]
pub struct OutcomeSpec {
    /// Its name on the command line and in JSON.
    pub id: &'static str,
    /// Its name on the screen.
    pub label: &'static str,
    /// Whether the check succeeded; what `success` in JSON and odds adds up, unless
    /// the table decides what it achieves (`Score::levels` of Gnosis and HEARTS).
    pub success: bool,
    /// How good it is.
    pub tone: Tone,
    /// What it means, in the words of the rules; empty where the name says it.
    pub help: &'static str,
}

/// One die of a resolved check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownDie {
    /// The die.
    pub die: Die,
    /// The face as rolled.
    pub face: Face,
    /// Whether it counts.
    pub kept: bool,
    /// What it is in the check.
    pub role: DieRole,
    /// The face that counts, where tokens changed it.
    pub value: Option<Face>,
    /// The index of the die that this one was rolled again for.
    pub replaces: Option<usize>,
}

impl ShownDie {
    /// A die as it fell.
    pub(super) const fn new(die: Die, role: DieRole, face: Face, kept: bool) -> Self {
        Self {
            die,
            face,
            kept,
            role,
            value: None,
            replaces: None,
        }
    }
}

/// A further key of an outcome, as JSON shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Key {
    /// A number.
    Number(i32),
    /// Yes or no.
    Flag(bool),
    /// Words.
    Words(Vec<&'static str>),
}

impl Outcome {
    /// The effects in words.
    ///
    /// A pool may hold bonus tokens and, below 0, penalty tokens (HFRPG), and one roll can spend the former and bring the
    /// latter. If a pool changes more than once, each line names the kind of token.
    pub fn describe_effects(&self, system: System) -> Vec<String> {
        let mut uses: Vec<(Id, i32)> = self
            .used
            .iter()
            .map(|used| (used.pool, -used.tokens))
            .collect();

        let mut lines = Vec::with_capacity(self.effects.len());
        for effect in &self.effects {
            let mut line = effect.text(system);
            if let Effect::Token { pool, amount, .. } = effect
                && let Some(spec) = system.spec().pool(*pool)
                && spec.below.is_some()
                && self.count_changes(*pool) > 1
            {
                let position = uses.iter().position(|used| *used == (*pool, *amount));
                if let Some(position) = position {
                    // Used tokens are bonus tokens if their number sinks, and penalty tokens if it rises.
                    uses.swap_remove(position);
                    line = format!("{line}: {} used", spec.words(-amount));
                } else {
                    line = format!("{line}: {} gained", spec.words(*amount));
                }
            }
            lines.push(line);
        }

        lines
    }

    /// How many effects change the tokens of a pool.
    fn count_changes(&self, of: Id) -> usize {
        self.effects
            .iter()
            .filter(|effect| matches!(effect, Effect::Token { pool, .. } if *pool == of))
            .count()
    }
}

/// What a resolved check says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Which of the check's outcomes.
    pub outcome: OutcomeId,
    /// Whether it succeeded; `None` if the check has no success.
    pub success: Option<bool>,
    /// The total, where the check has one and something was rolled.
    pub total: Option<i32>,
    /// What the total is compared with, where there is one number.
    pub target: Option<i32>,
    /// What the rules call a target of that number: `Hard`.
    pub target_name: Option<&'static str>,
    /// Every die rolled, in order.
    pub dice: Vec<ShownDie>,
    /// Further keys, in the order in which JSON shows them.
    pub keys: Vec<(&'static str, Key)>,
    /// What follows.
    pub effects: Vec<Effect>,
    /// Tokens used up, where the effects alone do not tell them from tokens gained.
    pub(super) used: Vec<UsedTokens>,
    /// How it came about, step by step, in the words of the rules.
    pub steps: Vec<String>,
    /// The options of questions that were not put for want of another.
    pub(super) closed: Closed,
}
