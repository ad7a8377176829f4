//! The result of a resolved check: outcome, dice, total, effects, and the words that explain it.

use serde::Serialize;
use strum::{EnumString, VariantNames};

use super::explanation::Closed;
use super::{Effect, Id, OutcomeId, Party, System, UsedTokens};
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
    /// True if the check succeeded. JSON and odds add up these outcomes as `success`. In Gnosis and HEARTS the score decides
    /// instead ([`super::Score::is_success`]).
    pub success: bool,
    /// How good it is.
    pub tone: Tone,
    /// The meaning in the words of the rules. Empty if the label explains it.
    pub help: &'static str,
    /// The side that wins a contest with this outcome. Its character is then named instead of the label.
    pub winner: Option<Party>,
}

/// One die of a resolved check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownDie {
    /// The die.
    pub die: Die,
    /// The face as rolled.
    pub face: Face,
    /// True if it counts.
    pub kept: bool,
    /// Its role in the check.
    pub role: DieRole,
    /// The face that counts, if tokens changed it.
    pub value: Option<Face>,
    /// The index of the rolled die that this die replaces.
    pub replaces: Option<usize>,
}

impl ShownDie {
    /// Creates a die that no token changed.
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

/// A further named value of an outcome, as JSON shows it.
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
    /// Describes the effects, one line for each.
    ///
    /// In HFRPG one pool holds bonus tokens and, below 0, penalty tokens, and one roll can spend bonus tokens and bring
    /// penalty tokens. If a roll changes such a pool more than once, each line names the kind of token.
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
                let change = (*pool, *amount);
                let position = uses.iter().position(|used| *used == change);
                if let Some(position) = position {
                    // A use of bonus tokens lowers the number of the pool, and a use of penalty tokens raises it.
                    uses.swap_remove(position);
                    let used = spec.words(-amount);
                    line = format!("{line}: {used} used");
                } else {
                    let gained = spec.words(*amount);
                    line = format!("{line}: {gained} gained");
                }
            }
            lines.push(line);
        }

        lines
    }

    /// Returns how many effects change the tokens of a pool.
    fn count_changes(&self, changed: Id) -> usize {
        self.effects
            .iter()
            .filter(|effect| matches!(effect, Effect::Token { pool, .. } if *pool == changed))
            .count()
    }
}

/// The result of a resolved check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The outcome.
    pub outcome: OutcomeId,
    /// True if it succeeded. `None` if the check has no success.
    pub success: Option<bool>,
    /// The total. `None` if the check has no total or no dice were rolled.
    pub total: Option<i32>,
    /// The number that the total is compared with, if there is a single one.
    pub target: Option<i32>,
    /// The rules' name for this target, such as `Hard`.
    pub target_name: Option<&'static str>,
    /// The numbers of the result in words, such as `6 against 7 and 8`. `None` if the total and the target say all.
    pub numbers: Option<String>,
    /// The damage before a save that the roll can do to further characters, as that of a fireball. `None` if it hits a
    /// single character.
    pub area_damage: Option<i32>,
    /// Every die rolled, in order.
    pub dice: Vec<ShownDie>,
    /// Further named values, in the order in which JSON shows them.
    pub keys: Vec<(&'static str, Key)>,
    /// The effects.
    pub effects: Vec<Effect>,
    /// The tokens that were used up. Recorded only for pools in which the effects do not tell used tokens from gained
    /// ones.
    pub(super) used: Vec<UsedTokens>,
    /// The sentences that explain the result, step by step, in the words of the rules.
    pub steps: Vec<String>,
    /// The unavailable options of questions that were skipped because at most one option was available.
    pub(super) closed: Closed,
}
