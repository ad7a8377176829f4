//! The palette: a search for all actions of the screen, and for commands on a single entity.
//!
//! All other commands must be typed in full.

mod items;
mod run;
mod search;

use ratatui::layout::{Position, Rect};
use ratatui::widgets::Widget as _;
use rustc_hash::FxHashMap;

use crate::app::keymap::Keymap;
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, Touched, character_form,
    clock_form, draw_scroll_signs, pool_form,
};
use crate::terminal::input::Key;
use crate::widget::{
    DialogFrame, Field, FieldView, MoreRows, PanelFrame, RowMarks, below, columns, draw_marks,
    right, row, scroll_to, wrap,
};
use crate::{Action, Context, Role};
use tableside_commands::{CommandId, Target};
use tableside_game::CharacterId;
use tableside_table::{Act, SeatView};

/// The maximum length of a search, in characters.
const MAX_SEARCH_CHARS: usize = 300;

/// The number of items that Page Up and Page Down move the cursor.
const PAGE: usize = 8;

/// The width and the height of the content.
const SIZE: (u16, u16) = (58, 18);

/// An item of the palette, and what it runs.
#[derive(Clone, Debug, PartialEq)]
struct Item {
    text: String,
    does: ItemAction,
}

#[derive(Clone, Debug, PartialEq)]
enum ItemAction {
    /// Performs an action of the screen.
    Action(Action),
    /// Runs a command, on a target if it needs one.
    Command(CommandId, Option<Target>),
    /// Opens the dialog of a roll.
    Roll(RollItem),
    /// Rolls on the random table of this name.
    RollOnTable(String),
    /// Opens the dialog of an action on a target.
    Open(Action, Target),
    /// Opens the form of a new entity.
    Create(NewEntity),
    /// Runs the text of the item as a command.
    Typed,
}

/// A kind of entity that a form creates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NewEntity {
    Character,
    Clock,
    Pool,
}

impl NewEntity {
    const ALL: [Self; 3] = [Self::Character, Self::Clock, Self::Pool];

    /// The name in the palette.
    const fn name(self) -> &'static str {
        match self {
            Self::Character => "character",
            Self::Clock => "clock",
            Self::Pool => "token pool",
        }
    }

    fn form(self, view: &SeatView<'_>) -> Dialog {
        match self {
            Self::Character => character_form(None, view),
            Self::Clock => clock_form(None, view),
            Self::Pool => pool_form(None, view),
        }
    }
}

/// A check that a character can roll, with an entry of the sheet for one of its fields.
#[derive(Clone, Debug, PartialEq)]
struct RollItem {
    roller: Option<CharacterId>,
    check: &'static str,
    entry: Option<FieldEntry>,
}

/// An entry of a sheet, for a field of a check.
#[derive(Clone, Debug, PartialEq)]
struct FieldEntry {
    field: &'static str,
    name: String,
}

/// The chosen item.
pub struct Chosen {
    /// The text of the item, which becomes a recent item.
    pub words: String,
    pub does: ChosenAction,
}

pub enum ChosenAction {
    Action(Action),
    /// Opens the dialog of an action on a target.
    Open(Action, Target),
    Act(Act),
    Dialog(Box<Dialog>),
}

impl Item {
    fn typed(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            does: ItemAction::Typed,
        }
    }

    /// Returns the action whose key has the same effect on the entity under the cursor.
    fn key_action(&self) -> Option<Action> {
        match self.does {
            ItemAction::Action(action) | ItemAction::Open(action, _) => Some(action),
            ItemAction::Command(id, _) => Action::of_command(id),
            ItemAction::Roll(_)
            | ItemAction::RollOnTable(_)
            | ItemAction::Create(_)
            | ItemAction::Typed => None,
        }
    }
}

#[derive(Debug)]
pub struct Palette {
    field: Field,
    /// The items that match, the best first.
    found: Vec<Item>,
    /// The index of the item that Enter runs.
    focus: usize,
    /// The reason why the typed text is no command.
    problem: Option<String>,
    all: Vec<Item>,
    /// The texts of the items that were chosen before, the newest first.
    recent: Vec<String>,
    /// The key of each action. Keys of the open tab come before keys of other places.
    keys: FxHashMap<Action, Key>,
}

impl Palette {
    /// Opens the palette. `here` are the contexts of the open tab, the nearest first.
    pub fn open(
        here: &[Context],
        keymap: &Keymap,
        recent: &[String],
        view: &SeatView<'_>,
    ) -> Dialog {
        let palette = Self::new(here, keymap, recent, view);
        let mut form = Form::default().with_context(Context::Picker, &[Action::Up]);
        form.keys.takes_all_letters = true;
        Dialog::without_view(form, palette)
    }

    fn new(here: &[Context], keymap: &Keymap, recent: &[String], view: &SeatView<'_>) -> Self {
        let mut palette = Self {
            field: Field::new("", MAX_SEARCH_CHARS),
            found: Vec::new(),
            focus: 0,
            problem: None,
            all: items::items(here, keymap, view),
            recent: recent.to_vec(),
            keys: first_keys(here, keymap),
        };
        palette.find(view);
        palette
    }

    /// Runs the focused item, or the typed text if no item matches it.
    fn choose(&mut self, view: &SeatView<'_>) -> DialogAction {
        let item = match self.found.get(self.focus) {
            Some(item) => item.clone(),
            None => Item::typed(self.field.value().trim()),
        };
        match item.does.run(&item.text, view) {
            Ok(does) => {
                let words = item.text;
                DialogAction::Choose(Chosen { words, does })
            }
            Err(problem) => {
                self.problem = Some(problem);
                DialogAction::Stay
            }
        }
    }

    fn move_focus(&mut self, distance: isize) {
        let last = self.found.len().saturating_sub(1);
        self.focus = self.focus.saturating_add_signed(distance).min(last);
    }

    /// Draws the items, and the error over the first of them.
    fn draw_list(&self, list: Rect, canvas: &mut Canvas<'_>) {
        let problem_lines = match &self.problem {
            Some(problem) => wrap(problem, list.width),
            None => Vec::new(),
        };
        let first = scroll_to(0, list.height.max(1).into(), self.focus, self.focus);
        let items = self.found.iter().enumerate().skip(first);
        for (line, (index, item)) in (0..list.height).zip(items).skip(problem_lines.len()) {
            let area = row(list, line);
            canvas.touch(area, Touched::Row(index));
            self.draw_item(item, index == self.focus, area, canvas);
        }

        let has_more_below = first + usize::from(list.height) < self.found.len();
        let more = MoreRows {
            above: first > 0,
            below: has_more_below,
        };
        draw_scroll_signs(more, list, canvas);
        for (line, text) in (0..list.height).zip(problem_lines) {
            canvas.put(row(list, line), &text, Role::Warning);
        }
    }

    fn draw_item(&self, item: &Item, is_focused: bool, line: Rect, canvas: &mut Canvas<'_>) {
        let look = canvas.look;
        if is_focused {
            draw_marks(RowMarks::SELECTED, look, line, canvas.buffer);
        }

        let key = item.key_action().and_then(|action| self.keys.get(&action));
        let key_label = match key {
            Some(key) => key.label(look.ascii),
            None => String::new(),
        };
        let key_width = columns(&key_label).min(line.width);
        canvas.put(right(line, key_width), &key_label, Role::Key);

        let text_area = Rect {
            x: line.x + 2,
            width: line.width.saturating_sub(key_width + 4),
            ..line
        };
        let text = look.fit_name(&item.text, text_area.width);
        let role = if is_focused { Role::Title } else { Role::Text };
        canvas.put(text_area, &text, role);
    }
}

/// Returns the first key of each action. Keys of the contexts `here` take precedence over keys of other contexts.
fn first_keys(here: &[Context], keymap: &Keymap) -> FxHashMap<Action, Key> {
    let mut keys = FxHashMap::default();
    for context in here.iter().chain(Context::ALL) {
        for binding in keymap.bindings(*context) {
            if let Some(key) = binding.keys.first() {
                keys.entry(binding.action).or_insert(*key);
            }
        }
    }
    keys
}

impl DialogSpec for Palette {
    fn handle_event(
        &mut self,
        event: &DialogEvent,
        _form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        match event {
            DialogEvent::Action(Action::Close) => return Some(DialogAction::Close),
            DialogEvent::Action(Action::Open | Action::Submit) => return Some(self.choose(view)),
            DialogEvent::Action(action) => {
                if let Some(distance) = action.distance(PAGE) {
                    self.move_focus(distance);
                    return Some(DialogAction::Stay);
                }
                self.field.apply(*action);
            }
            DialogEvent::Key(key) => {
                if let Some(letter) = key.letter() {
                    self.field.insert(letter);
                }
            }
            DialogEvent::Paste(text) | DialogEvent::Written(text) => {
                self.field.paste(text);
            }
            DialogEvent::Click {
                touched: Some(Touched::Row(index)),
                ..
            } => {
                self.focus = *index;
                return Some(self.choose(view));
            }
            DialogEvent::Click { .. } => return Some(DialogAction::Close),
        }
        self.find(view);
        Some(DialogAction::Stay)
    }

    fn draw(&self, _form: &Form, _: Vec<Block>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let look = canvas.look;
        let foot = canvas.keys.fill_in("⟨open⟩: run   ⟨close⟩: close");
        let panel = PanelFrame {
            foot: &foot,
            focused: true,
            ..PanelFrame::new("Commands", look)
        };
        let frame = DialogFrame {
            panel,
            size: SIZE,
            keeps_top: false,
        };
        (&frame).render(canvas.area, canvas.buffer);

        let inner = frame.inner(canvas.area);
        let search_area = row(inner, 0);
        let search = FieldView {
            focused: true,
            placeholder: "command and target, for example: tick The alarm",
            ..FieldView::new(&self.field, look)
        };
        (&search).render(search_area, canvas.buffer);
        self.draw_list(below(inner, 2), canvas);
        search.cursor(search_area)
    }
}

#[cfg(test)]
mod tests;
