//! The rule systems, and the one way in which every check of theirs is walked.
//!
//! A check is written once, as a small pure state machine ([`Check`]). Rolling, hand-entered dice,
//! exact odds and replay all walk that machine, so they cannot disagree. What a check needs to know is
//! described as data ([`Field`]), and the dialog, the command line and the help are made from it.

mod answer;
mod catalog;
mod check;
mod code;
mod condition;
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
mod machine;
mod marginal_odds;
mod odds;
mod outcome;
mod permanent;
mod pool_spec;
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
pub use catalog::SampleGame;
pub use check::{Ask, Check, DynCheck, Step};
pub use code::{Code, Derived, MayLock, PreparedCheck};
pub use condition::{ConditionEffect, ConditionSpec, MOST_LEVELS};
pub use driver::{AnswerSource, Progress, Trail, count_faces, resolve};
pub use dying::{DyingRules, HIT_POINTS};
pub use effect::{ConditionChange, Counted, Effect, NumberChange, Party};
pub use error::{FileFault, Refused, RuleError};
pub use explanation::Explanation;
pub use field::{Asked, Field, ValueSource, Whose};
pub use fields::Fields;
pub use forecast::{Forecast, MOST_ROLLS, Race, Runner, Tug, forecast, race, side_by_side, tug};
pub use house_rules::{HouseRule, HouseRules};
pub use id::Id;
use machine::machine;
pub use marginal_odds::{MarginalOdds, marginal_odds};
pub use odds::{Buttons, Evaluation, Odds, Policy, TotalOdds, buttons, luck};
pub use outcome::{Key, Outcome, OutcomeSpec, ShownDie, Tone};
pub use pool_spec::{AtEnd, BelowWords, PoolOwner, PoolSpec, Threshold};
pub use rule_changes::rule_changes;
pub use sheet::Sheet;
pub use spec::{
    CheckSpec, ChoiceSpec, ClockSpec, FirstAid, GroupWords, HelpEffect, Helping, NarrationTheme,
    SharedConsequences, SystemSpec,
};
pub use standing::Standing;
pub use system::System;
pub use token_claim::TokenClaim;
pub use used_tokens::UsedTokens;
pub use value::is_default;
pub use value::{Kind, Value};
