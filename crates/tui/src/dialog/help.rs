//! The help, a list of keys: the keys that a GM needs all evening, the keys of the place under the dialog, then all
//! other keys.

mod sections;

use self::sections::{ActiveKeys, KeyEntry, Section};
use crate::app::keymap::Keymap;
use crate::dialog::{
    Block, Canvas, Chosen, ChosenAction, Dialog, DialogAction, DialogEvent, DialogSpec, Form,
    Scroll, StyledText, blocks_height,
};
use crate::terminal::input::KeyCode;
use crate::widget::{Appearance, MARKER, columns};
use crate::{Action, Context, Role};
use tableside_table::SeatView;
use tableside_text::fold;

/// The width of the dialog, in columns.
const WIDTH: u16 = 126;

/// The minimum width for two entries side by side, in columns.
const MIN_PAIR_COLUMNS: u16 = 96;

/// The hint after the title while the search is empty.
const SEARCH_HINT: &str = "type to search; ⟨press⟩ runs the selected action";

/// The maximum length of a search, in characters.
const MAX_SEARCH_CHARS: usize = 30;

struct HelpDialog {
    sections: Vec<Section>,
    /// What the rules advise about the dialog beneath the help.
    advice: &'static [&'static str],
    search: String,
    /// The index of the entry that Enter runs, among all entries that match the search. `None` until an arrow key
    /// selects one: Enter then runs the first match of a search, and without a search closes the help.
    selected: Option<usize>,
}

/// Lists all keys. `contexts` are the contexts under this dialog, the nearest first.
pub fn help_dialog(contexts: &[Context], on_top: Option<&Dialog>, keymap: &Keymap) -> Dialog {
    let keys = ActiveKeys { contexts, keymap };
    let help = HelpDialog {
        sections: keys.sections(),
        advice: on_top.map_or(&[][..], |dialog| dialog.spec.advice()),
        search: String::new(),
        selected: None,
    };

    let mut form = Form::empty("Keys").with_width(WIDTH);
    form.keys.takes_all_letters = true;
    SEARCH_HINT.clone_into(&mut form.caption.note);
    Dialog::without_view(form, help)
}

fn text_width(text: &str) -> usize {
    columns(text).into()
}

/// The layout of entries in columns.
struct EntryColumns<'a> {
    count: usize,
    /// The width of each column.
    width: usize,
    look: Appearance<'a>,
}

impl EntryColumns<'_> {
    /// Lays out entries from top to bottom, in one column after the other.
    ///
    /// `selected` is the index of the selected entry. Returns the blocks, and the row of that entry.
    fn blocks(
        &self,
        entries: &[&KeyEntry],
        selected: Option<usize>,
    ) -> (Vec<Block>, Option<usize>) {
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
                let label = format!("{:label_width$} ", labels[index]);
                let is_selected = selected == Some(index);
                parts.extend(self.cell(label, entries[index].action, is_selected));
            }
            blocks.push(Block::Parts(parts));
        }
        let selected_row = selected.map(|index| index % row_count.max(1));
        (blocks, selected_row)
    }

    /// Returns the keys, the marker of the cursor, and the description.
    fn cell(&self, label: String, action: Action, is_selected: bool) -> [StyledText; 3] {
        let text_width = self.width.saturating_sub(text_width(&label) + 2);
        let fitting_width = u16::try_from(text_width).unwrap_or(u16::MAX);
        let text = self.look.fit(action.describe(), fitting_width);
        let (marker, text_role) = if is_selected {
            (MARKER, Role::Selected)
        } else {
            (" ", Role::Text)
        };
        [
            (Role::Key, label),
            (Role::Marker, marker.to_owned()),
            (text_role, format!("{text:text_width$} ")),
        ]
    }
}

impl HelpDialog {
    fn advice_blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        if !self.advice.is_empty() && self.search.is_empty() {
            blocks.push(Block::heading("Is a check needed at all?"));
            for sentence in self.advice {
                blocks.push(Block::text(*sentence));
            }
        }
        blocks
    }

    /// Returns the entries of a section that match the search.
    fn found_entries<'a>(&self, section: &'a Section, view: &SeatView<'_>) -> Vec<&'a KeyEntry> {
        let search = fold(&self.search);
        section
            .entries
            .iter()
            .filter(|entry| entry.matches(&search, view))
            .collect()
    }

    /// Returns all actions that match the search, in the order of the list.
    fn found_actions(&self, view: &SeatView<'_>) -> Vec<Action> {
        self.sections
            .iter()
            .flat_map(|section| self.found_entries(section, view))
            .map(|entry| entry.action)
            .collect()
    }

    /// Moves the selection by some entries.
    fn select_next(&mut self, by: isize, view: &SeatView<'_>) {
        let count = self.found_actions(view).len();
        let last = count.saturating_sub(1);
        self.selected = match self.selected_entry() {
            Some(selected) => Some(selected.saturating_add_signed(by).min(last)),
            None => Some(0),
        };
    }

    /// Returns the index of the selected entry. A search selects the first match.
    fn selected_entry(&self) -> Option<usize> {
        match self.selected {
            None if !self.search.is_empty() => Some(0),
            selected => selected,
        }
    }

    /// Closes the help and performs the action of the selected entry.
    fn run_selected(&self, view: &SeatView<'_>) -> Option<DialogAction> {
        let actions = self.found_actions(view);
        let action = *actions.get(self.selected_entry()?)?;
        Some(DialogAction::Choose(Chosen {
            words: action.describe().to_owned(),
            does: ChosenAction::Action(action),
        }))
    }
}

impl DialogSpec for HelpDialog {
    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        match event {
            DialogEvent::Action(Action::Press) => return self.run_selected(view),
            DialogEvent::Action(Action::Up) => self.select_next(-1, view),
            DialogEvent::Action(Action::Down) => self.select_next(1, view),
            DialogEvent::Action(_) => {
                // Paging keys scroll without a selection.
                self.selected = None;
                return None;
            }
            DialogEvent::Key(key) => match key.letter() {
                Some('?') => return Some(DialogAction::Close),
                Some(letter) if self.search.chars().count() < MAX_SEARCH_CHARS => {
                    self.search.push(letter);
                    self.selected = None;
                }
                None if key.code == KeyCode::Backspace => {
                    self.search.pop();
                    self.selected = None;
                }
                _ => return None,
            },
            _ => return None,
        }

        form.caption.filter.clone_from(&self.search);
        if self.selected.is_none() {
            form.scroll = Scroll::default();
        }
        Some(DialogAction::Stay)
    }

    fn is_help(&self) -> bool {
        true
    }

    fn blocks(&self, form: &Form, view: &SeatView<'_>, canvas: &Canvas<'_>) -> Vec<Block> {
        let look = canvas.look;
        let width = WIDTH.min(canvas.area.width.saturating_sub(4));
        let column_count = if width >= MIN_PAIR_COLUMNS { 2 } else { 1 };
        let entry_columns = EntryColumns {
            count: column_count,
            width: usize::from(width) / column_count,
            look,
        };

        let mut blocks = self.advice_blocks();
        let mut selected_row = None;
        let mut entries_before = 0;
        for section in &self.sections {
            let entries = self.found_entries(section, view);
            if entries.is_empty() {
                continue;
            }

            if !blocks.is_empty() {
                blocks.push(Block::Gap);
            }
            blocks.push(Block::heading(section.heading));
            let selected = self
                .selected_entry()
                .and_then(|selected| selected.checked_sub(entries_before))
                .filter(|selected| *selected < entries.len());
            let (section_blocks, row) = entry_columns.blocks(&entries, selected);
            if let Some(row) = row {
                let rows_above = blocks_height(&blocks, width, look);
                selected_row = Some(rows_above + u16::try_from(row).unwrap_or(0));
            }
            blocks.extend(section_blocks);
            entries_before += entries.len();
        }
        form.scroll.keep_in_sight(selected_row);

        if blocks.is_empty() {
            let message = "no key matches; ⟨everywhere.palette⟩ searches commands without a key";
            blocks.push(Block::muted(canvas.keys.fill_in(message)));
        }
        blocks
    }
}
