//! The list of conditions that a dialog offers.

use tableside_game::{Character, Condition, Part};
use tableside_rules::{ConditionSpec, Standing};
use tableside_table::SeatView;
use tableside_text::{fold_keeping_spaces, is_same_name};

/// The number of the newest log entries that are searched for conditions used before.
const MAX_SEARCHED_ENTRIES: usize = 500;

/// A condition in the list.
pub(super) struct ConditionItem {
    pub(super) condition: Condition,
    pub(super) is_on: bool,
    /// True if the condition was changed in the dialog. An untouched condition stays unchanged on each character.
    pub(super) is_touched: bool,
    /// True if only some of the characters have the condition, or if its level or duration differs.
    pub(super) is_mixed: bool,
    /// The description in the rules. `None` for a condition that the rules do not have.
    pub(super) spec: Option<&'static ConditionSpec>,
    /// The state in which the rules see a character, if the item is not a condition. It can only be turned off.
    pub(super) standing: Option<Standing>,
}

impl ConditionItem {
    /// Returns true if a word of the name begins with the search text.
    pub(super) fn matches(&self, search: &str) -> bool {
        let name = fold_keeping_spaces(&self.condition.name);
        let search = fold_keeping_spaces(search.trim_start());
        if name.starts_with(&search) {
            return true;
        }

        name.match_indices(' ').any(|(blank, _)| {
            let from_word = name.get(blank + 1..);
            from_word.is_some_and(|words| words.starts_with(&search))
        })
    }

    fn is_equal_in(&self, character: &Character, view: &SeatView<'_>) -> bool {
        match self.standing {
            Some(standing) => view.standing_of(character) == Some(standing),
            None => character.conditions.contains(&self.condition),
        }
    }
}

pub(super) struct ConditionList {
    pub(super) items: Vec<ConditionItem>,
}

impl ConditionList {
    /// Lists the conditions and the states of the characters first, then those of the rules, of other characters, and
    /// of the log.
    pub(super) fn new(characters: &[&Character], view: &SeatView<'_>) -> Self {
        let mut list = Self { items: Vec::new() };
        for character in characters {
            for condition in &character.conditions {
                let item = list.item(&condition.name, view);
                item.is_on = true;
                item.condition = condition.clone();
            }
        }
        for character in characters {
            if let Some(standing) = view.standing_of(character)
                && standing.can_end
            {
                let item = list.item(standing.word, view);
                item.is_on = true;
                item.standing = Some(standing);
            }
        }
        for item in &mut list.items {
            let is_equal = characters
                .iter()
                .all(|character| item.is_equal_in(character, view));
            item.is_mixed = !is_equal;
        }

        for spec in view.system().spec().conditions {
            list.item(spec.name, view);
        }
        for character in view.roster() {
            for condition in &character.conditions {
                list.item(&condition.name, view);
            }
        }
        list.add_conditions_of_log(view);
        list
    }

    fn add_conditions_of_log(&mut self, view: &SeatView<'_>) {
        for entry in view.log().take(MAX_SEARCHED_ENTRIES) {
            for change in &entry.event.changes {
                if change.part != Part::Conditions {
                    continue;
                }
                for condition in change.sides::<Vec<Condition>>().flatten() {
                    self.item(&condition.name, view);
                }
            }
        }
    }

    /// Returns the condition of this name. Adds it if it is missing in the list.
    pub(super) fn item(&mut self, name: &str, view: &SeatView<'_>) -> &mut ConditionItem {
        let known = self
            .items
            .iter()
            .position(|item| is_same_name(&item.condition.name, name));
        let index = known.unwrap_or(self.items.len());

        if known.is_none() {
            let specs = view.system().spec().conditions;
            let spec = specs.iter().find(|spec| is_same_name(spec.name, name));
            self.items.push(ConditionItem {
                condition: Condition::new(name, None, None),
                is_on: false,
                is_touched: false,
                is_mixed: false,
                spec,
                standing: None,
            });
        }
        &mut self.items[index]
    }

    pub(super) fn has_match(&self, search: &str) -> bool {
        self.items.iter().any(|item| item.matches(search))
    }
}
