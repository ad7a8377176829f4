//! The palette: every action and everything that can be done to anybody, found by a few letters.

mod offer;

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

pub(in crate::screen) use offer::{Does, Offer, Opens};

use crate::screen::action::Context;
use crate::screen::keymap::Keymap;
use crate::screen::widget::field::Field;
use crate::table::command_language;
use crate::table::command_language::ParseError;
use crate::table::{Act, SeatView};

/// The longest search.
const LONGEST: usize = 300;

/// So many of what was done last are remembered.
const MOST_RECENT: usize = 12;

/// The most that is shown of what was found.
const MOST_FOUND: usize = 200;

/// The palette.
#[derive(Clone, Debug)]
pub(in crate::screen) struct Palette {
    /// What is looked for.
    pub(in crate::screen) field: Field,
    /// What was found, the best first.
    pub(in crate::screen) found: Vec<Offer>,
    /// The one that Enter would do.
    pub(in crate::screen) at: usize,
    /// Why nothing came of the words, until they change.
    pub(in crate::screen) problem: Option<String>,
    all: Vec<Offer>,
    /// The words of what was done last, the newest first.
    recent: Vec<String>,
}

impl Palette {
    /// The palette with everything in it: what was done last, then what belongs to the open tab.
    pub(in crate::screen) fn open(
        here: &[Context],
        keymap: &Keymap,
        recent: &[String],
        seen: &SeatView<'_>,
    ) -> Self {
        let mut palette = Self {
            field: Field::new("", LONGEST),
            found: Vec::new(),
            at: 0,
            problem: None,
            all: offer::all(here, keymap, seen),
            recent: recent.to_vec(),
        };
        palette.find(seen);
        palette
    }

    /// Finds again after the search changed.
    pub(in crate::screen) fn find(&mut self, seen: &SeatView<'_>) {
        let sought = self.field.value().trim().to_owned();
        self.at = 0;
        self.problem = None;
        let age = |offer: &Offer| self.recent.iter().position(|words| *words == offer.words);
        if sought.is_empty() {
            let mut found: Vec<&Offer> = self.all.iter().collect();
            found.sort_by_key(|offer| age(offer).unwrap_or(usize::MAX));
            self.found = found.into_iter().take(MOST_FOUND).cloned().collect();
            return;
        }
        let mut matcher = Matcher::new(Config::DEFAULT);
        let pattern = Pattern::parse(&sought, CaseMatching::Ignore, Normalization::Smart);
        let mut letters = Vec::new();
        let mut score =
            |words: &str| pattern.score(Utf32Str::new(words, &mut letters), &mut matcher);
        let mut scored: Vec<(u32, &Offer)> = self
            .all
            .iter()
            .filter_map(|offer| {
                let by_label = offer.label().and_then(&mut score).map(|score| score + 1);
                let best = by_label.max(score(&offer.words))?;
                // What was just done is wanted again more often than its like.
                let again = age(offer).map_or(0, |age| {
                    16_u32.saturating_sub(u32::try_from(age).unwrap_or(16))
                });
                Some((best + again, offer))
            })
            .collect();
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        // Letters strewn over a long line are no find beside a good one.
        let best = scored.first().map_or(0, |(score, _)| *score);
        scored.retain(|(score, _)| *score * 3 >= best * 2);
        let found = scored.into_iter().take(MOST_FOUND);
        let mut found: Vec<Offer> = found.map(|(_, offer)| offer.clone()).collect();
        if let Some((said, act)) = said(&sought, seen) {
            let same = |offer: &Offer| match (&offer.does, &act) {
                (Does::Act(known), Some(act)) => **known == *act,
                _ => offer.words.eq_ignore_ascii_case(&sought),
            };
            let begins = |offer: &Offer| {
                let (words, sought) = (offer.words.to_lowercase(), sought.to_lowercase());
                act.is_none() && words.starts_with(&sought)
            };
            let known = found.iter().position(same);
            // What is only begun is better taken from what was found.
            if known.is_some() || !found.iter().any(begins) {
                let said = known.map_or(said, |at| found.remove(at));
                found.insert(0, said);
            }
        }
        self.found = found;
    }

    /// Moves the cursor.
    pub(in crate::screen) fn step(&mut self, by: isize) {
        let last = self.found.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
    }

    /// What Enter would do; nothing where the words mean nothing, and then it says why.
    pub(in crate::screen) fn choose(&mut self, seen: &SeatView<'_>) -> Option<Offer> {
        let chosen = self.found.get(self.at).cloned();
        let words = match &chosen {
            Some(offer) if offer.does != Does::Say => return chosen,
            Some(offer) => &offer.words,
            None => self.field.value().trim(),
        };
        self.problem = match ask(words, seen) {
            Asked::Nothing(why) => Some(why),
            Asked::Act(_) | Asked::Roll(_) => return chosen,
        };
        None
    }
}

/// What was typed, where it says an act by itself.
fn said(words: &str, seen: &SeatView<'_>) -> Option<(Offer, Option<Act>)> {
    // One letter too many is no act yet, and one too few may be another's name: both are told in time.
    let act = match command_language::read(words, seen) {
        Ok(act) => Some(act),
        Err(ParseError::Open { .. }) => None,
        Err(_) => return None,
    };
    let offer = Offer {
        words: words.to_owned(),
        does: Does::Say,
        key: None,
    };
    Some((offer, act))
}

/// Remembers what was done, the newest first.
pub(in crate::screen) fn remember(recent: &mut Vec<String>, words: &str) {
    recent.retain(|known| known != words);
    recent.insert(0, words.to_owned());
    recent.truncate(MOST_RECENT);
}

/// What words ask for: an act, or a dialog with what is known filled in.
pub(in crate::screen) enum Asked {
    /// An act.
    Act(Box<Act>),
    /// A check, to be looked over and rolled.
    Roll(Box<crate::session::Roll>),
    /// Nothing, and why.
    Nothing(String),
}

/// Reads words as a person at a screen means them: a check is looked over before it is rolled.
pub(in crate::screen) fn ask(words: &str, seen: &SeatView<'_>) -> Asked {
    match command_language::read(words, seen) {
        Ok(Act::Do(command)) => match *command {
            crate::session::Command::Roll(roll) => {
                Asked::Roll(Box::new(offer::prepared(&roll, seen)))
            }
            command => Asked::Act(Box::new(command.into())),
        },
        Ok(act) => Asked::Act(Box::new(act)),
        Err(ParseError::Open { begun, .. }) => {
            Asked::Roll(Box::new(offer::prepare(begun.who, &begun.filled, seen)))
        }
        Err(unclear) => Asked::Nothing(unclear.to_string()),
    }
}

#[cfg(test)]
mod tests;
