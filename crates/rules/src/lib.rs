//! Rule systems of tabletop roleplaying games: their checks, exact odds, sheets and clock forecasts.
//!
//! A check is one small state machine ([`Check`]). Rolling, typed faces, replay and exact odds all step through it, so they
//! cannot disagree. Its inputs are described as data ([`Field`]), from which dialogs, flags and help are made.
//!
//! The crate is pure: it uses no game, screen, network or file system, and dice come from the caller. A system is a TOML
//! text (`systems/*.toml`); three systems add code.
//!
//! Start with `check.rs`, then `heart_rush/save.rs` as the smallest check, `driver.rs` for rolling and `odds/evaluate.rs` for
//! odds. `system_file.rs` explains how the checks in files are compiled and run.
//!
//! | files | contents |
//! |---|---|
//! | `system`, `catalog`, `permanent`, `spec`, `pool_spec` | the systems, and the description of each |
//! | `field`, `fields`, `value`, `sheet` | the inputs of checks, and the stats of characters |
//! | `check`, `answer`, `machine`, `driver` | the state machine, its questions and answers, and how it is resolved |
//! | `outcome`, `effect`, `explanation`, `words`, `die_roles` | the result of a check, and its words |
//! | `token_claim`, `used_tokens` | the tokens that a roll may use, and those that it used |
//! | `odds`, `marginal_odds`, `forecast` | exact odds of checks, and forecasts of clocks |
//! | `house_rules`, `rule_changes`, `condition`, `dying`, `standing` | house rules, conditions, and downed characters |
//! | `system_file` | reads, compiles and runs the text of a system |
//! | `code`, `heart_rush`, `hfrpg`, `gnosis` | the rules that are Rust code |

mod answer;
mod catalog;
mod check;
mod code;
mod condition;
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
