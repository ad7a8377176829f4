//! The conditions of characters: a list of the conditions in the rules and of conditions used before, with their levels
//! and rounds.

mod list;
mod strength;

use self::list::{ConditionItem, ConditionList};
use self::strength::{describe_strength, step};
use crate::app::action::{Action, Context};
use crate::dialog::{Dialog, DialogAction, DialogEvent, DialogSpec, Form, FormResult, Row, RowId};
use crate::terminal::input::{Key, KeyCode};
use tableside_commands::with_conditions;
use tableside_game::{Character, CharacterId, Command, Condition, LONGEST_NAME};
use tableside_rules::ConditionSpec;
use tableside_table::SeatView;
use tableside_text::is_same_name;

/// The maximum number of levels, and of rounds.
const MAX_STRENGTH: u32 = 999;

/// The id of the row for a name that is not in the list.
const NEW: RowId = RowId::Row("new");

/// The help for the keys of a condition without levels.
const PLAIN_HELP: &str = "⟨toggle⟩ turns it on and off. / and a digit set the rounds, ⟨more-rounds⟩ and ⟨fewer-rounds⟩ change \
                          them. ⟨ends-at⟩ lets it end with a turn.";

/// The help for the keys of a condition with levels.
const LEVEL_HELP: &str = "⟨toggle⟩ turns it on and off. A digit sets the level, ⟨step-up⟩ and ⟨step-down⟩ change it. / and a \
                          digit set the rounds, ⟨more-rounds⟩ and ⟨fewer-rounds⟩ change them. Below one round it fades: a \
                          level less each round. ⟨ends-at⟩ lets it end with a turn.";

/// The help of a state that follows from the sheet.
const STANDING_HELP: &str =
    "It follows from the sheet. ⟨toggle⟩ ends it, and ⟨submit⟩ changes the values behind it.";

const NEW_HELP: &str = "Type the name of any condition; ⟨submit⟩ adds it.";

const HINTS: &[Action] = {
    use Action::{EndsAt, MoreRounds, StepUp, Submit, Toggle};
    &[Toggle, StepUp, MoreRounds, EndsAt, Submit]
};

/// A number being typed.
#[derive(Clone, Copy)]
struct TypedNumber {
    unit: Unit,
    number: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Levels,
    Rounds,
}

struct ConditionsDialog {
    characters: Vec<CharacterId>,
    list: ConditionList,
    /// The typed beginning of a name, which filters the list.
    search: String,
    /// True if the next letter begins a new search.
    is_search_done: bool,
    number: Option<TypedNumber>,
}

/// Opens the conditions of these characters.
pub fn conditions_form(characters: Vec<CharacterId>, view: &SeatView<'_>) -> Dialog {
    let shown: Vec<&Character> = characters
        .iter()
        .filter_map(|id| view.character(*id))
        .collect();
    let title = match shown.as_slice() {
        [character] => format!("{}: conditions", character.name),
        _ => format!("{} marked: conditions", shown.len()),
    };

    let mut form = Form::empty(title).with_context(Context::Conditions, HINTS);
    form.has_preview = true;
    form.empty_text = "Type the name of a condition.";
    let spec = ConditionsDialog {
        list: ConditionList::new(&shown, view),
        characters,
        search: String::new(),
        is_search_done: false,
        number: None,
    };
    Dialog::new(form, spec, view)
        .with_preview_lines()
        .with_submit_label("apply")
}

impl ConditionsDialog {
    /// Returns the condition under the cursor. A typed name that is not in the list is added to it.
    fn focused(&mut self, form: &Form, view: &SeatView<'_>) -> Option<&mut ConditionItem> {
        if let RowId::Nth(_, index) = form.focused()? {
            return self.list.items.get_mut(usize::try_from(index).ok()?);
        }
        let name = self.search.trim();
        if name.is_empty() {
            None
        } else {
            Some(self.list.item(name, view))
        }
    }

    /// Changes the condition under the cursor.
    fn change(
        &mut self,
        form: &Form,
        view: &SeatView<'_>,
        change: impl FnOnce(&mut ConditionItem),
    ) {
        self.is_search_done = true;
        if let Some(item) = self.focused(form, view) {
            item.is_touched = true;
            change(item);
        }
    }

    /// Returns the last row: the typed name, or an invitation to type a name. `None` if the list has a condition of
    /// this name.
    fn new_row(&self) -> Option<Row> {
        let name = self.search.trim();
        let is_listed = self
            .list
            .items
            .iter()
            .any(|item| is_same_name(&item.condition.name, name));
        if is_listed {
            return None;
        }

        let row = if name.is_empty() {
            Row::managed(NEW, "another …", "type its name")
        } else {
            Row::managed(NEW, name.to_owned(), "a new one")
        };
        Some(row.help(NEW_HELP))
    }

    fn toggle(&mut self, form: &Form, view: &SeatView<'_>) {
        self.change(form, view, |item| {
            item.is_on = !item.is_on || item.is_mixed;
        });
    }

    fn set_on(&mut self, is_on: bool, form: &Form, view: &SeatView<'_>) {
        self.change(form, view, |item| item.is_on = is_on);
    }

    fn type_digit(&mut self, digit: u32, form: &Form, view: &SeatView<'_>) {
        let mut typed = self.number.unwrap_or(TypedNumber {
            unit: Unit::Levels,
            number: 0,
        });
        typed.number = typed.number.saturating_mul(10).saturating_add(digit);
        typed.number = typed.number.min(MAX_STRENGTH);
        self.number = Some(typed);

        self.change(form, view, |item| {
            let number = Some(typed.number).filter(|number| *number > 0);
            match typed.unit {
                Unit::Levels => item.condition.value = number.map(u32::cast_signed),
                Unit::Rounds => item.condition.rounds = number,
            }
            item.is_on = true;
        });
    }

    fn type_key(&mut self, key: Key, form: &Form, view: &SeatView<'_>) {
        let Some(letter) = key.letter() else {
            if key.code == KeyCode::Backspace {
                self.is_search_done = false;
                self.search.pop();
            }
            self.number = None;
            return;
        };

        let digit = letter.to_digit(10);
        if let Some(digit) = digit
            && (self.number.is_some() || form.focused().is_some())
        {
            self.type_digit(digit, form, view);
            return;
        }

        if letter == '/' {
            self.number = Some(TypedNumber {
                unit: Unit::Rounds,
                number: 0,
            });
            return;
        }

        self.number = None;
        self.type_letter(letter);
    }

    fn type_letter(&mut self, letter: char) {
        if self.is_search_done {
            self.search.clear();
            self.is_search_done = false;
        }
        if self.search.chars().count() < LONGEST_NAME {
            self.search.push(letter);
        }
    }

    /// Ends a number, types a space into a name that matches nothing in the list, or toggles the condition under the
    /// cursor.
    fn press_space(&mut self, form: &Form, view: &SeatView<'_>) {
        // After a number, the first space only ends the number.
        if self.number.take().is_some() {
            return;
        }

        let is_typing = !self.is_search_done && !self.search.is_empty();
        if is_typing && !self.list.has_match(&self.search) {
            self.search.push(' ');
        } else {
            self.toggle(form, view);
        }
    }

    /// Returns the commands that set the touched conditions on a character, and end its state if that was turned off.
    /// Its other conditions stay unchanged.
    fn set_touched(&self, character: &Character, view: &SeatView<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        let standing = view.standing_of(character);
        let mut conditions = Vec::new();
        for item in self.list.items.iter().filter(|item| item.is_touched) {
            if item.standing.is_none() {
                conditions.push(item);
            } else if item.standing == standing && !item.is_on {
                commands.push(Command::EndStanding {
                    who: character.id,
                    word: item.condition.name.clone(),
                });
            }
        }

        if !conditions.is_empty() || commands.is_empty() {
            commands.push(with_conditions(character, |present| {
                for item in conditions {
                    set_condition(present, item);
                }
            }));
        }
        commands
    }
}

fn condition_row(index: u32, item: &ConditionItem) -> Row {
    let row_id = RowId::Nth("condition", index);
    let name = item.condition.name.clone();
    if let Some(standing) = item.standing {
        let state = if item.is_on { "yes" } else { "no" };
        let help = format!("{STANDING_HELP} {}: {}.", standing.word, standing.means);
        return Row::managed(row_id, name, state).help(help);
    }

    let is_mixed = item.is_mixed && !item.is_touched;
    let state = if !item.is_on {
        "no".to_owned()
    } else if is_mixed {
        "some".to_owned()
    } else {
        describe_strength(&item.condition)
    };

    let has_levels = item.spec.is_some_and(ConditionSpec::has_levels);
    let keys = if has_levels || item.condition.value.is_some() {
        LEVEL_HELP
    } else {
        PLAIN_HELP
    };
    let rule = item.spec.map_or("", |spec| spec.help);
    let help = format!("{rule} {keys}");
    Row::managed(row_id, name, state).help(help.trim_start().to_owned())
}

fn set_condition(conditions: &mut Vec<Condition>, item: &ConditionItem) {
    let name = &item.condition.name;
    let index = conditions
        .iter()
        .position(|condition| is_same_name(&condition.name, name));
    match index {
        Some(index) if item.is_on => conditions[index].clone_from(&item.condition),
        Some(index) => {
            conditions.remove(index);
        }
        None if item.is_on => conditions.push(item.condition.clone()),
        None => {}
    }
}

impl DialogSpec for ConditionsDialog {
    fn refresh(&mut self, form: &mut Form, _view: &SeatView<'_>) {
        let mut rows = Vec::new();
        for (index, item) in (0_u32..).zip(&self.list.items) {
            if item.matches(&self.search) {
                rows.push(condition_row(index, item));
            }
        }

        rows.extend(self.new_row());
        form.caption.filter.clone_from(&self.search);
        form.lay_out(rows);
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        match event {
            DialogEvent::Action(Action::Submit) => {
                // Enter after a search turns on the first condition that it found.
                if !self.is_search_done && !self.search.trim().is_empty() {
                    self.set_on(true, form, view);
                }
                return None;
            }
            DialogEvent::Action(Action::Toggle) => self.press_space(form, view),
            DialogEvent::Action(
                action @ (Action::StepUp
                | Action::StepDown
                | Action::MoreRounds
                | Action::FewerRounds
                | Action::EndsAt),
            ) => {
                self.number = None;
                self.change(form, view, |item| step(*action, item));
            }
            DialogEvent::Key(key) => {
                let focus_before = form.focused();
                self.type_key(*key, form, view);
                self.refresh(form, view);

                let has_moved = form.focused() != focus_before && self.number.is_none();
                if !self.is_search_done || has_moved {
                    form.focus_index(0);
                }
            }
            DialogEvent::Paste(text) | DialogEvent::Written(text) => {
                text.trim().clone_into(&mut self.search);
                self.is_search_done = false;
            }
            DialogEvent::Action(_) | DialogEvent::Click { .. } => {
                self.number = None;
                return None;
            }
        }
        Some(DialogAction::Stay)
    }

    fn on_input(&mut self, result: FormResult, form: &mut Form, view: &SeatView<'_>) {
        if let FormResult::Stepped(by) = result {
            self.set_on(by > 0, form, view);
        }
    }

    fn submit(&mut self, _form: &mut Form, view: &SeatView<'_>) -> Result<DialogAction, String> {
        let commands = self
            .characters
            .iter()
            .filter_map(|id| view.character(*id))
            .flat_map(|character| self.set_touched(character, view))
            .collect();
        Ok(Command::together(commands).into())
    }
}
