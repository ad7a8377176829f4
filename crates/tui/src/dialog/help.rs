//! The list of keys: those that a GM needs all evening, those of the place under the dialog, then all others.

use crate::app::keymap::Keymap;
use crate::app::offered::is_offered;
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, Scroll, StyledText,
};
use crate::terminal::input::{Key, KeyCode};
use crate::widget::{Appearance, columns};
use crate::{Action, Context, Role};
use tableside_table::SeatView;
use tableside_text::fold;

/// The columns of the dialog.
const WIDTH: u16 = 126;

/// The least width for two entries side by side.
const TWO_COLUMNS: u16 = 96;

/// The hint after the title while the search is empty.
const SEARCH_HINT: &str = "type to search";

/// The longest search, in characters.
const LONGEST: usize = 30;

/// The actions that a GM needs all evening, the most useful first.
const ALL_EVENING: [Action; 19] = {
    use Action::{
        Advance, CallRoll, Conditions, Damage, Filter, New, NextPanel, NextRound, NextScene, Note,
        Palette, Purse, Roll, TabClocks, TabLog, TabParty, TabTable, TabTokens, Undo,
    };
    [
        Roll, Undo, NextScene, CallRoll, NextRound, Palette, Conditions, Damage, Advance, Purse,
        Note, New, Filter, NextPanel, TabTable, TabParty, TabClocks, TabTokens, TabLog,
    ]
};

/// An action with its keys.
struct KeyEntry {
    keys: Vec<Key>,
    action: Action,
}

/// The entries under one heading.
struct Section {
    heading: &'static str,
    entries: Vec<KeyEntry>,
}

struct HelpDialog {
    sections: Vec<Section>,
    /// Advice of the rules for the dialog on top.
    advice: &'static [&'static str],
    search: String,
}

/// Lists all keys. `contexts` are the contexts under this dialog, the nearest first.
pub fn help_dialog(contexts: &[Context], on_top: Option<&Dialog>, keymap: &Keymap) -> Dialog {
    let keys = ActiveKeys { contexts, keymap };
    let help = HelpDialog {
        sections: keys.sections(),
        advice: on_top.map_or(&[][..], |dialog| dialog.spec.advice()),
        search: String::new(),
    };

    let mut form = Form::new("Keys", Vec::new()).with_width(WIDTH);
    form.takes_all_letters = true;
    SEARCH_HINT.clone_into(&mut form.note);
    Dialog::without_view(form, help)
}

/// The keys that count in some contexts.
struct ActiveKeys<'a> {
    /// The nearest context comes first.
    contexts: &'a [Context],
    keymap: &'a Keymap,
}

impl ActiveKeys<'_> {
    fn sections(&self) -> Vec<Section> {
        let mut sections = vec![Section {
            heading: "All evening",
            entries: self.all_evening(),
        }];
        for context in self.contexts {
            sections.push(self.near_section(*context));
        }
        for context in Context::ALL {
            if !self.contexts.contains(context) {
                sections.push(self.far_section(*context));
            }
        }
        sections
    }

    fn all_evening(&self) -> Vec<KeyEntry> {
        // While a dialog or the list of games is open, the keys of the game have no effect.
        let is_game_active = self.contexts.contains(&Context::Everywhere)
            && self.contexts.first() != Some(&Context::Games);
        if !is_game_active {
            return Vec::new();
        }

        let mut entries = Vec::new();
        for action in ALL_EVENING {
            let keys = self.keymap.keys_for(action, self.contexts);
            if !keys.is_empty() {
                entries.push(KeyEntry { keys, action });
            }
        }
        entries
    }

    /// The keys of one of the contexts, except those that are listed before.
    fn near_section(&self, context: Context) -> Section {
        let listed_actions: Vec<Action> = self
            .all_evening()
            .into_iter()
            .map(|entry| entry.action)
            .collect();

        let mut entries = Vec::new();
        for binding in self.keymap.bindings(context) {
            let mut keys = binding.keys.clone();
            keys.retain(|key| self.counts_in(context, *key));
            let action = binding.action;
            if !keys.is_empty() && !listed_actions.contains(&action) {
                entries.push(KeyEntry { keys, action });
            }
        }
        Section {
            heading: context.label(),
            entries,
        }
    }

    /// The keys of a context that is not active.
    fn far_section(&self, context: Context) -> Section {
        let mut entries = Vec::new();
        for binding in self.keymap.bindings(context) {
            if !binding.keys.is_empty() {
                entries.push(KeyEntry {
                    keys: binding.keys.clone(),
                    action: binding.action,
                });
            }
        }
        Section {
            heading: context.label(),
            entries,
        }
    }

    /// True if a key has its meaning of this context: no nearer context uses it, and it is not typed as text.
    fn counts_in(&self, context: Context, key: Key) -> bool {
        let is_typed = self.contexts.contains(&Context::Field) && key.letter().is_some();
        let nearest_use = self
            .contexts
            .iter()
            .find(|context| self.keymap.action(&[**context], key).is_some());
        !is_typed && nearest_use == Some(&context)
    }
}

impl KeyEntry {
    /// True if the seat may use the action and the search finds it by its name, its description or its key.
    fn matches(&self, search: &str, look: Appearance<'_>, view: &SeatView<'_>) -> bool {
        if !is_offered(self.action, view) {
            return false;
        }

        let has_text = [self.action.describe(), self.action.label()]
            .iter()
            .any(|text| text.to_lowercase().contains(search));
        let has_key = self
            .keys
            .iter()
            .any(|key| key.label(look.ascii).to_lowercase() == search);
        has_text || has_key
    }

    /// The labels of the keys that fit into a quarter of the width, but at least of the first one.
    fn key_labels(&self, width: usize, look: Appearance<'_>) -> String {
        let mut labels: Vec<String> = self.keys.iter().map(|key| key.label(look.ascii)).collect();
        labels.dedup();
        while labels.len() > 1 && text_width(&labels.join(" ")) > width / 4 {
            labels.pop();
        }
        labels.join(" ")
    }
}

fn text_width(text: &str) -> usize {
    columns(text).into()
}

/// The columns for entries side by side.
struct EntryColumns<'a> {
    count: usize,
    /// The width of each column.
    width: usize,
    look: Appearance<'a>,
}

impl EntryColumns<'_> {
    /// Lays out entries: down the first column, then down the next one.
    fn blocks(&self, entries: &[&KeyEntry]) -> Vec<Block> {
        let labels: Vec<String> = entries
            .iter()
            .map(|entry| entry.key_labels(self.width, self.look))
            .collect();
        let label_width = labels.iter().map(|label| text_width(label)).max();
        let label_width = label_width.unwrap_or(0);

        let row_count = entries.len().div_ceil(self.count);
        let mut blocks = Vec::new();
        for row in 0..row_count {
            let mut parts = Vec::new();
            for index in (row..entries.len()).step_by(row_count) {
                let label = format!("{:label_width$}  ", labels[index]);
                parts.extend(self.cell(label, entries[index].action));
            }
            blocks.push(Block::Parts(parts));
        }
        blocks
    }

    fn cell(&self, label: String, action: Action) -> [StyledText; 2] {
        let text_width = self.width.saturating_sub(text_width(&label) + 1);
        let fitting_width = u16::try_from(text_width).unwrap_or(u16::MAX);
        let text = self.look.fit(action.describe(), fitting_width);
        [
            (Role::Key, label),
            (Role::Text, format!("{text:text_width$} ")),
        ]
    }
}

impl HelpDialog {
    fn advice_blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        if !self.advice.is_empty() && self.search.is_empty() {
            blocks.push(Block::words(Role::Heading, "Is a check needed at all?"));
            for sentence in self.advice {
                blocks.push(Block::words(Role::Text, *sentence));
            }
        }
        blocks
    }
}

impl DialogSpec for HelpDialog {
    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        _view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let key = event.try_as_key_ref()?;
        match key.letter() {
            Some('?') => return Some(DialogAction::Close),
            Some(letter) if self.search.chars().count() < LONGEST => self.search.push(letter),
            None if key.code == KeyCode::Backspace => {
                self.search.pop();
            }
            _ => return None,
        }

        if self.search.is_empty() {
            SEARCH_HINT.clone_into(&mut form.note);
        } else {
            form.note.clone_from(&self.search);
        }
        form.scroll = Scroll::default();
        Some(DialogAction::Stay)
    }

    fn blocks(&self, _form: &Form, view: &SeatView<'_>, canvas: &Canvas<'_>) -> Vec<Block> {
        let look = canvas.look;
        let search = fold(&self.search);
        let width = WIDTH.min(canvas.area.width.saturating_sub(4));
        let column_count = if width >= TWO_COLUMNS { 2 } else { 1 };
        let entry_columns = EntryColumns {
            count: column_count,
            width: usize::from(width) / column_count,
            look,
        };

        let mut blocks = self.advice_blocks();
        for section in &self.sections {
            let entries: Vec<&KeyEntry> = section
                .entries
                .iter()
                .filter(|entry| entry.matches(&search, look, view))
                .collect();
            if entries.is_empty() {
                continue;
            }

            if !blocks.is_empty() {
                blocks.push(Block::Gap);
            }
            blocks.push(Block::words(Role::Heading, section.heading));
            blocks.extend(entry_columns.blocks(&entries));
        }

        if blocks.is_empty() {
            let message = "no key matches; : searches commands without a key";
            blocks.push(Block::words(Role::Muted, message));
        }
        blocks
    }
}
