//! Rule systems of tabletop roleplaying games: their checks, exact odds, sheets and clock forecasts.
//!
//! A check is a roll of the rules, such as an attack, and one small state machine ([`Check`]). Rolling, entering the faces of
//! real dice, replay and exact odds all step through it, so they cannot disagree. Its inputs are described as data
//! ([`Field`]), from which dialogs, command-line options and help are made.
//!
//! A system is the TOML text of a system file. Most checks are described in such files; some checks of Heart Rush, HFRPG and
//! Gnosis are Rust code in this crate. A clock is a progress counter with a number of segments. The crate forecasts how soon
//! rolls fill one, which of several is full first ([`Race`]), and which end a tug-of-war reaches ([`Tug`]).
//!
//! The crate does no input or output and knows nothing of running games, and the caller provides the dice. It keeps
//! descriptions of systems and their texts until the process ends, and computes large odds on several threads.
//!
//! Start with `check.rs`, then `heart_rush/save.rs` as the smallest check, `driver.rs` for rolling and `odds/evaluate.rs` for
//! odds. `system_file.rs` explains how the checks in system files are compiled and run.
//!
//! | files | contents |
//! |---|---|
//! | `system`, `catalog`, `spec`, `pool_spec`, `card`, `rest`, `rule_changes` | the systems, their descriptions, and the differences between two |
//! | `permanent`, `id` | texts and ids that are stored once, until the process ends |
//! | `field`, `fields`, `value`, `sheet` | the inputs of checks, and the stats of characters |
//! | `check`, `answer` | the state machine of a check; its questions and the answers to them |
//! | `driver`, `machine` | resolves a check with dice and answers; replays a list of answers |
//! | `outcome`, `effect` | the result of a check, and what it changes in a game |
//! | `explanation`, `words`, `die_roles` | the sentences that explain a result, and the names of dice |
//! | `token_claim`, `used_tokens` | the tokens that a roll may use, and those that it used |
//! | `odds`, `marginal_odds`, `forecast` | exact odds of checks, and forecasts of clocks |
//! | `house_rules` | decisions that each table makes for itself |
//! | `condition`, `dying`, `standing` | conditions, and downed characters |
//! | `initiative` | the roll for the order of turns |
//! | `system_file` | reads, compiles and runs the text of a system |
//! | `code` | connects a system with its rules in Rust |
//! | `heart_rush`, `hfrpg`, `gnosis` | those rules, one module for each system |
//! | `error` | errors about system files, values, names and answers |

mod answer;
mod card;
mod catalog;
mod check;
mod code;
mod condition;
mod creature;
pub mod die_roles;
mod driver;
mod dying;
mod effect;
mod error;
mod explanation;
mod field;
mod fields;
mod forecast;
mod gnosis;
mod heart_rush;
mod hfrpg;
mod house_rules;
mod id;
mod initiative;
mod machine;
mod marginal_odds;
mod odds;
mod outcome;
mod permanent;
mod pool_spec;
mod rest;
mod rule_changes;
mod sheet;
mod spec;
mod standing;
mod system;
mod system_file;
mod token_claim;
mod used_tokens;
mod value;
mod words;

pub use answer::{Answer, ChoiceId, Choices, ChosenBy, OutcomeId, Picked, Score, Side};
pub use card::{CardEntry, CardOrder, CardSpec, Zeros};
pub use catalog::SampleGame;
pub use check::{Ask, Check, DynCheck, Step};
pub use code::{Code, Derived, MayLock, PreparedCheck};
pub use condition::{ConditionBearer, ConditionEffect, ConditionSpec, MOST_LEVELS, Severity};
pub use creature::{Creature, CreaturePool, CreatureSide};
pub use driver::{AnswerSource, Progress, Trail, count_faces, resolve};
pub use dying::{DyingRules, HIT_POINTS};
pub use effect::{ConditionChange, Counted, Effect, NumberChange, Party};
pub use error::{FileFault, MissingValue, Refused, RuleError};
pub use explanation::Explanation;
pub use field::{Asked, Beginning, Field, StatQuestion, ValueSource, Whose};
pub use fields::Fields;
pub use forecast::{Forecast, MOST_ROLLS, Race, Runner, Tug, forecast, race, side_by_side, tug};
pub use house_rules::{HouseRule, HouseRules};
pub use id::Id;
pub use initiative::InitiativeRules;
pub use marginal_odds::{MarginalOdds, marginal_odds};
pub use odds::{Buttons, Evaluation, Odds, Policy, TotalOdds, buttons, luck};
pub use outcome::{Key, Outcome, OutcomeSpec, ShownDie, Tone};
pub use pool_spec::{
    AtEnd, BelowWords, GainRule, PlayerMoves, PoolOwner, PoolSpec, Recharge, RestKind, Threshold,
};
pub use rest::{Recovery, RestRules};
pub use rule_changes::rule_changes;
pub use sheet::Sheet;
pub use spec::{
    CheckSpec, ChoiceSpec, ClockSpec, FirstAid, GroupWords, HelpEffect, Helping, NarrationTheme,
    SharedConsequences, SystemSpec,
};
pub use standing::Standing;
pub use system::System;
pub use system_file::HarmedCheck;
pub use token_claim::TokenClaim;
pub use used_tokens::UsedTokens;
pub use value::{Kind, Value, is_default};

use machine::machine;
