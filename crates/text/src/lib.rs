//! Sanitises, measures, compares and quotes text from players, files and the clipboard.
//!
//! A name or a note that a player wrote must not move the cursor of a terminal, reverse a line or hide characters. This
//! crate makes such text safe without changing how any language is spelled, measures it in terminal columns, and
//! compares names the way a reader does. It also shortens text, suggests names for mistyped words, assembles lists and
//! plurals, and describes errors in TOML files.
//!
//! All functions are pure and infallible, and none knows what a text is about.
//!
//! Start with [`sanitise`], which every text from outside passes through: [`sanitise_name`] for names,
//! [`sanitise_typed`] for text that is still being typed. Then read [`width`] and [`is_same_name`].

mod compare;
mod escape;
mod fit;
mod nearest;
mod phrase;
mod sanitise;
mod script;
mod toml_error;
mod width;

pub use compare::{fold, fold_keeping_spaces, is_same_name, normalise_number};
pub use escape::{escape, escape_json, quote_for_shell};
pub use fit::{fit, fit_with_marker};
pub use nearest::{did_you_mean, nearest, suggest_or_list};
pub use phrase::{capitalise, join, join_with_and, pluralise, uncapitalise};
pub use sanitise::{
    REPLACEMENT, is_hostile, is_invisible, is_spelling_mark, sanitise, sanitise_name,
    sanitise_typed,
};
pub use toml_error::{describe_toml_error, line_number};
pub use width::{portable_form, width};
