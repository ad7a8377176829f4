//! The list of all actions, found by a few letters of what they do.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::screen::action::{Action, Context};
use crate::screen::keymap::Keymap;
use crate::screen::widget::field::Field;

/// The longest search.
const LONGEST: usize = 60;

/// The list of all actions.
#[derive(Clone, Debug)]
pub(in crate::screen) struct Palette {
    /// What is looked for.
    pub(in crate::screen) field: Field,
    /// What was found, the best first.
    pub(in crate::screen) found: Vec<Action>,
    /// The one that Enter would do.
    pub(in crate::screen) at: usize,
    all: Vec<Action>,
}

/// The places whose actions are listed, besides those of the open tab.
const PLACES: [Context; 8] = [
    Context::Everywhere,
    Context::List,
    Context::Table,
    Context::Party,
    Context::Clocks,
    Context::Tokens,
    Context::Log,
    Context::Always,
];

impl Palette {
    /// The list with everything in it, what belongs to the open tab first.
    pub(in crate::screen) fn open(here: &[Context], keymap: &Keymap) -> Self {
        let own = here.iter().filter(|place| {
            !matches!(place, Context::Always | Context::Everywhere | Context::List)
        });
        let mut all: Vec<Action> = Vec::new();
        for place in own.chain(&PLACES) {
            for binding in keymap.bindings(*place) {
                if is_listed(binding.action) && !all.contains(&binding.action) {
                    all.push(binding.action);
                }
            }
        }
        Self {
            field: Field::new("", LONGEST),
            found: all.clone(),
            at: 0,
            all,
        }
    }

    /// Finds again after the search changed.
    pub(in crate::screen) fn find(&mut self) {
        let mut matcher = Matcher::new(Config::DEFAULT);
        let sought = self.field.value().trim();
        let pattern = Pattern::parse(sought, CaseMatching::Ignore, Normalization::Smart);
        let mut letters = Vec::new();
        let mut score =
            |words: &str| pattern.score(Utf32Str::new(words, &mut letters), &mut matcher);
        let mut scored: Vec<(u32, Action)> = self
            .all
            .iter()
            .filter_map(|action| {
                let by_label = score(action.label()).map(|score| score + 1);
                let by_words = score(action.describe());
                Some((by_label.max(by_words)?, *action))
            })
            .collect();
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        self.found = scored.into_iter().map(|(_, action)| action).collect();
        self.at = 0;
    }

    /// Moves the cursor.
    pub(in crate::screen) fn step(&mut self, by: isize) {
        let last = self.found.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
    }

    /// What Enter would do.
    pub(in crate::screen) fn chosen(&self) -> Option<Action> {
        self.found.get(self.at).copied()
    }
}

/// Whether an action is worth looking for: arrows are not.
fn is_listed(action: Action) -> bool {
    let walks = matches!(
        action,
        Action::Close
            | Action::Palette
            | Action::Up
            | Action::Down
            | Action::Left
            | Action::Right
            | Action::PageUp
            | Action::PageDown
            | Action::First
            | Action::Last
    );
    !walks && super::is_built(action)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(sought: &str) -> Vec<&'static str> {
        let mut palette = Palette::open(Context::Clocks.chain(), &Keymap::default());
        palette.field.set(sought);
        palette.find();
        palette.found.iter().map(|action| action.name()).collect()
    }

    #[test]
    fn a_few_letters_find_an_action() {
        assert_eq!(found("advance").first(), Some(&"advance"));
        assert_eq!(found("undo").first(), Some(&"undo"));
        assert_eq!(found("nx rnd").first(), Some(&"next-round"));
        assert_eq!(found("qqqq"), Vec::<&str>::new());
    }

    #[test]
    fn what_belongs_here_comes_first() {
        assert_eq!(found("").first(), Some(&"advance"));
    }
}
