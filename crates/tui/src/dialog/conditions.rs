//! The conditions of characters: those that the rules know and those used before, on and off by a key.

use crate::app::action::{Action, Context};
use crate::dialog::{Dialog, DialogAction, DialogEvent, DialogSpec, Form, FormResult, Row, RowId};
use crate::terminal::input::{Key, KeyCode};
use tableside_commands::with_conditions;
use tableside_game::{CharacterId, Command, Condition, LONGEST_NAME, Part};
use tableside_table::SeatView;
use tableside_text::{fold_keeping_spaces, is_same_name, pluralise};

/// So many of the newest entries are searched for conditions that somebody had.
const MOST_SEARCHED: usize = 500;

/// The most levels, and the most rounds.
const MOST: u32 = 999;

/// The row of a name that is not in the list.
const NEW: RowId = RowId::Row("new");

const HELP: &str = "Space turns it on and off. A digit sets the level, + and - change it. / and a digit set the rounds, \
                    > and < change them. Below one round it fades: a level less each round.";

const HINTS: &[Action] = {
    use Action::{MoreRounds, StepUp, Submit, Toggle};
    &[Toggle, StepUp, MoreRounds, Submit]
};

/// A condition of the list.
struct Listed {
    condition: Condition,
    is_on: bool,
    /// Whether somebody changed it: what nobody touched stays as each one has it.
    is_touched: bool,
    /// Whether some of the characters have it otherwise, or not at all.
    is_mixed: bool,
    help: &'static str,
}

/// What a digit is a part of.
#[derive(Clone, Copy, PartialEq)]
enum Counts {
    Levels,
    Rounds,
}

struct Conditions {
    who: Vec<CharacterId>,
    list: Vec<Listed>,
    /// The beginning of a name.
    typed: String,
    /// Whether the next letter begins another name.
    is_done: bool,
    /// The number that is being typed.
    number: Option<(Counts, u32)>,
}

/// The conditions of these characters.
pub fn conditions_form(who: Vec<CharacterId>, view: &SeatView<'_>) -> Dialog {
    let people: Vec<_> = who.iter().filter_map(|id| view.character(*id)).collect();
    let title = match people.as_slice() {
        [one] => format!("{}: conditions", one.name),
        all => format!("{} marked: conditions", all.len()),
    };
    let mut conditions = Conditions {
        list: Vec::new(),
        typed: String::new(),
        is_done: false,
        number: None,
        who,
    };
    for (at, one) in people.iter().enumerate() {
        for own in &one.conditions {
            let listed = conditions.listed(&own.name, view);
            let was_on = std::mem::replace(&mut listed.is_on, true);
            listed.is_mixed |= at > 0 && !(was_on && listed.condition == *own);
            listed.condition = own.clone();
        }
        for listed in &mut conditions.list {
            let has = |own: &Condition| is_same_name(&own.name, &listed.condition.name);
            listed.is_mixed |= !one.conditions.iter().any(has);
        }
    }
    let of_rules = view.system().spec().conditions.iter();
    let mut known: Vec<String> = of_rules.map(|one| one.name.to_owned()).collect();
    let everybody = view.roster().flat_map(|one| &one.conditions);
    known.extend(everybody.map(|one| one.name.clone()));
    for entry in view.log().take(MOST_SEARCHED) {
        let changes = entry.event.changes.iter();
        for change in changes.filter(|change| change.part == Part::Conditions) {
            let had = change.sides::<Vec<Condition>>();
            known.extend(had.flatten().map(|one| one.name));
        }
    }
    for name in known {
        conditions.listed(&name, view);
    }
    let mut form = Form::new(title, Vec::new()).with_context(Context::Conditions, HINTS);
    form.has_preview = true;
    form.empty_text = "Type the name of a condition.";
    Dialog::new(form, conditions, view).with_preview_lines()
}

impl Conditions {
    /// The condition of that name, put into the list where it is new there.
    fn listed(&mut self, name: &str, view: &SeatView<'_>) -> &mut Listed {
        let known = |one: &Listed| is_same_name(&one.condition.name, name);
        let at = self.list.iter().position(known).unwrap_or_else(|| {
            let specs = view.system().spec().conditions;
            let spec = specs.iter().find(|spec| is_same_name(spec.name, name));
            self.list.push(Listed {
                condition: Condition::new(name, None, None),
                is_on: false,
                is_touched: false,
                is_mixed: false,
                help: spec.map_or("", |spec| spec.help),
            });
            self.list.len() - 1
        });
        &mut self.list[at]
    }

    /// Whether what was typed begins a word of it.
    fn lets_through(&self, listed: &Listed) -> bool {
        let name = fold_keeping_spaces(&listed.condition.name);
        let sought = fold_keeping_spaces(self.typed.trim_start());
        let mut ends = name.match_indices(' ').map(|(at, _)| at + 1);
        let begins = |at| name.get(at..).is_some_and(|rest| rest.starts_with(&sought));
        begins(0) || ends.any(begins)
    }

    /// The one in hand; a new one where the name that was typed is none of the list.
    fn in_hand(&mut self, form: &Form, view: &SeatView<'_>) -> Option<&mut Listed> {
        if let RowId::Nth(_, at) = form.focused()? {
            return self.list.get_mut(usize::try_from(at).ok()?);
        }
        let name = self.typed.trim().to_owned();
        self.is_done = true;
        Some(self.listed(&name, view))
    }

    /// Changes the one in hand, and turns it on unless the change turns it off.
    fn change(&mut self, form: &Form, view: &SeatView<'_>, change: impl FnOnce(&mut Listed)) {
        self.is_done = true;
        if let Some(listed) = self.in_hand(form, view) {
            listed.is_touched = true;
            change(listed);
        }
    }

    fn type_digit(&mut self, digit: u32, form: &Form, view: &SeatView<'_>) {
        let (counts, before) = self.number.unwrap_or((Counts::Levels, 0));
        let number = before.saturating_mul(10).saturating_add(digit).min(MOST);
        self.number = Some((counts, number));
        self.change(form, view, |one| {
            let some = Some(number).filter(|number| *number > 0);
            match counts {
                Counts::Levels => one.condition.value = some.and_then(|some| some.try_into().ok()),
                Counts::Rounds => one.condition.rounds = some,
            }
            one.is_on = true;
        });
    }

    fn step(&mut self, action: Action, form: &Form, view: &SeatView<'_>) {
        self.change(form, view, |one| {
            let was_on = std::mem::replace(&mut one.is_on, true);
            let Condition {
                value,
                rounds,
                fades,
                ..
            } = &mut one.condition;
            match action {
                // Without a number it counts as one level.
                Action::StepUp if was_on => *value = Some(value.unwrap_or(1).saturating_add(1)),
                Action::StepUp => *value = Some(1),
                Action::StepDown if value.is_some_and(|value| value > 1) => {
                    *value = value.map(|value| value - 1);
                }
                Action::StepDown if was_on && value.is_some() => *value = None,
                Action::StepDown => one.is_on = false,
                Action::MoreRounds if *fades => *fades = false,
                Action::MoreRounds => {
                    *rounds = Some(rounds.unwrap_or(0).saturating_add(1).min(MOST));
                }
                _ if rounds.is_some() => {
                    *rounds = rounds.map(|rounds| rounds - 1).filter(|left| *left > 0);
                }
                _ => *fades = true,
            }
        });
    }

    fn type_key(&mut self, key: Key, form: &Form, view: &SeatView<'_>) {
        let digit = key.letter().and_then(|letter| letter.to_digit(10));
        match (key.letter(), digit) {
            (_, Some(digit)) if self.number.is_some() || form.focused().is_some() => {
                return self.type_digit(digit, form, view);
            }
            (Some('/'), _) => {
                self.number = Some((Counts::Rounds, 0));
                return;
            }
            (Some(letter), _) => {
                if std::mem::take(&mut self.is_done) {
                    self.typed.clear();
                }
                self.typed
                    .extend((self.typed.chars().count() < LONGEST_NAME).then_some(letter));
            }
            (None, _) if key.code == KeyCode::Backspace => {
                self.is_done = false;
                self.typed.pop();
            }
            (None, _) => {}
        }
        self.number = None;
    }
}

/// How much somebody has of it, and for how long: `yes, level 2, 3 rounds`.
fn how_much(condition: &Condition) -> String {
    let level = condition.value.map(|level| format!("level {level}"));
    let fades = condition.fades.then(|| "fading".to_owned());
    let rounds = condition.rounds.map(|rounds| pluralise(rounds, "round"));
    let parts = [Some("yes".to_owned()), level, fades, rounds];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

impl DialogSpec for Conditions {
    fn refresh(&mut self, form: &mut Form, _view: &SeatView<'_>) {
        let mut rows = Vec::new();
        for (at, one) in (0..).zip(&self.list) {
            if self.lets_through(one) {
                let is_mixed = one.is_mixed && !one.is_touched;
                let words = match (one.is_on, is_mixed) {
                    (true, false) => how_much(&one.condition),
                    (true, true) => "some".to_owned(),
                    (false, _) => "no".to_owned(),
                };
                let row = Row::managed(
                    RowId::Nth("condition", at),
                    one.condition.name.clone(),
                    words,
                );
                rows.push(row.help(format!("{} {HELP}", one.help).trim_start().to_owned()));
            }
        }
        let name = self.typed.trim();
        if rows.is_empty() && !name.is_empty() {
            rows.push(Row::managed(NEW, name.to_owned(), "a new one").help(HELP));
        }
        form.note.clone_from(&self.typed);
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
                // A beginning that was typed means the first that it finds.
                if !self.is_done && !self.typed.trim().is_empty() {
                    self.change(form, view, |one| one.is_on = true);
                }
                return None;
            }
            DialogEvent::Action(Action::Toggle) => match self.number.take() {
                Some(_) => {}
                // Names have blanks, too.
                None if !self.is_done
                    && !self.typed.is_empty()
                    && !self.list.iter().any(|one| self.lets_through(one)) =>
                {
                    self.typed.push(' ');
                }
                None => self.change(form, view, |one| one.is_on = !one.is_on || one.is_mixed),
            },
            DialogEvent::Action(
                action @ (Action::StepUp
                | Action::StepDown
                | Action::MoreRounds
                | Action::FewerRounds),
            ) => {
                self.number = None;
                self.step(*action, form, view);
            }
            DialogEvent::Key(key) => {
                let place = form.focused();
                self.type_key(*key, form, view);
                self.refresh(form, view);
                if !self.is_done || form.focused() != place && self.number.is_none() {
                    form.focus_index(0);
                }
            }
            DialogEvent::Paste(text) | DialogEvent::Written(text) => {
                (self.typed, self.is_done) = (text.trim().to_owned(), false);
            }
            DialogEvent::Action(_) | DialogEvent::Click { .. } => {
                self.number = None;
                return None;
            }
        }
        Some(DialogAction::Stay)
    }

    fn take_input(&mut self, went: FormResult, form: &mut Form, view: &SeatView<'_>) {
        if let FormResult::Stepped(by) = went {
            self.change(form, view, |one| one.is_on = by > 0);
        }
    }

    fn submit(&mut self, _form: &mut Form, view: &SeatView<'_>) -> Result<DialogAction, String> {
        let people = self.who.iter().filter_map(|id| view.character(*id));
        let each = people.map(|one| {
            with_conditions(one, |conditions| {
                for listed in self.list.iter().filter(|listed| listed.is_touched) {
                    let is_it = |own: &Condition| is_same_name(&own.name, &listed.condition.name);
                    match (conditions.iter().position(is_it), listed.is_on) {
                        (Some(at), true) => conditions[at].clone_from(&listed.condition),
                        (Some(at), false) => drop(conditions.remove(at)),
                        (None, true) => conditions.push(listed.condition.clone()),
                        (None, false) => {}
                    }
                }
            })
        });
        Ok(Command::together(each.collect()).into())
    }
}
