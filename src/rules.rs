//! The rule systems, and the one way in which every check of theirs is walked.
//!
//! A check is written once, as a small pure state machine ([`Check`]). Rolling, hand-entered dice,
//! exact odds and replay all walk that machine, so they cannot disagree. What a check needs to know is
//! described as data ([`Field`]), and the dialog, the command line and the help are made from it.

mod check;
mod condition;
mod driver;
mod effect;
mod explanation;
mod field;
mod fields;
mod forecast;
mod house;
mod marginal_odds;
mod odds;
mod outcome;
mod sheet;
mod status;
mod system;
mod value;

pub mod friday_night_dungeon;
pub mod gnosis;
pub mod heart_rush;
pub mod hearts;
pub mod hfrpg;

pub use check::{
    Answer, Answered, Ask, Check, ChoiceId, Choices, ChosenBy, DynCheck, OutcomeId, Picked, Side,
    Tally, WalkError,
};
pub use condition::{ConditionSpec, MOST_LEVELS, Weighs};
pub use driver::{AnswerSource, Progress, Trail, count_faces, resolve};
pub use effect::{Consequence, Effect, TokenKind};
pub use explanation::Explanation;
pub use field::{Field, FieldError, Kind, Preset, Source, Whose};
pub use fields::Fields;
pub use forecast::{Forecast, MOST_ROLLS, Race, Runner, Tug, forecast, race, race_of, tug};
pub use house::{House, HouseError, HouseRule, Options};
pub use marginal_odds::{Worth, worth};
pub use odds::{Buttons, Odds, Policy, TotalOdds, Weighed, buttons, luck};
pub use outcome::{Key, Outcome, OutcomeSpec, ShownDie, Tone};
pub use sheet::{Sheet, SheetError, Stat};
pub use status::Standing;
pub use system::{
    AtEnd, Brings, CheckSpec, ChoiceSpec, ClockSpec, Derive, FirstAid, GroupWords, Helping,
    PoolSpec, Prepare, Purse, Shares, System, SystemSpec, Theme, UnknownName,
};
pub use value::Value;

/// A rule said no; not an error of the program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);
