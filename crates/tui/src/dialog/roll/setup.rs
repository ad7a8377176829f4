//! Setting up a check: its character, its values, its opponent and its helpers.

use std::collections::BTreeSet;

use crate::Action;
use crate::app::roll_requests;
use crate::dialog::check_form::{CheckFields, FieldTexts, initial_texts};
use crate::dialog::roll::opponent::{
    default_opponent, is_given_at_table, opponent_entry, opponents, opponents_fields,
};
use crate::dialog::roll::rows::{HIDDEN_FROM_SOME, hidden_from};
use crate::dialog::roll::{RollDialog, chosen_by, faces_source};
use crate::dialog::{DialogEvent, Form, RowId, around};
use tableside_game::{Allegiance, Character, CharacterId, GroupKind, RollCommand, opponent_of};
use tableside_rules::{CheckSpec, Field, Kind, Refused, Whose};
use tableside_table::{SeatRole, SeatView};

/// The character that makes a check.
#[derive(Clone, Copy, PartialEq)]
enum Roller {
    /// The best or the worst of the party rolls for all.
    Group(GroupKind),
    Character(CharacterId),
    /// A roll without a character.
    Nobody,
}

/// The possible opponents of a check.
pub(super) struct Opponents {
    /// `None` stands for no opponent.
    pub(super) options: Vec<Option<CharacterId>>,
    pub(super) selected: usize,
}

impl RollDialog {
    /// Returns the values that the clock's own check and the call provide.
    fn values_of_clock_and_call<'a>(
        &self,
        form: &Form,
        view: &'a SeatView<'_>,
    ) -> impl Iterator<Item = (String, String)> + 'a {
        let clock = self.clock(form, view);
        let call = self.call.and_then(|call| view.call(call));
        let called_character = call.map(|call| call.who);
        view.brought(self.fields.check, called_character, clock)
    }

    /// Starts again with another check or another character.
    pub(super) fn start_again(&mut self, form: &mut Form, view: &SeatView<'_>) {
        form.discard_typed_digits(|_| true);
        self.initial_values = initial_texts(self.fields.check, self.fields.who, view);

        if self.group.is_some() {
            // A value of one sheet does not apply to the others, but a name is looked up on each sheet.
            let check = self.fields.check;
            self.initial_values
                .retain(|(id, text)| match check.field(id) {
                    Some(field) => is_given_at_table(field) || field.parse(text).is_err(),
                    None => false,
                });
        }

        let call = match self.fields.who {
            Some(character) if self.group.is_none() => {
                view.call_for(character, self.fields.check.id)
            }
            _ => None,
        };
        self.call = call.map(|call| call.id);
        if let Some(call) = call {
            self.toggled.extend(&call.helpers);
        }

        self.fill(form, view);
        self.lower_refused_values(form, view);

        let focused_before = form.focused();
        self.lay_out(form, view);
        if form.focused() != focused_before {
            self.focus_first(form, view);
        }
    }

    /// Moves the focus to the first field without a value, or else to the first field with names to pick from.
    fn focus_first(&self, form: &mut Form, view: &SeatView<'_>) {
        let check = self.fields.check;
        let character = self.fields.who;
        let from_sheet = view.fill(check, character);

        let open_fields: Vec<&Field> = check
            .fields
            .iter()
            .filter(|field| {
                let mut provided = self.values_of_clock_and_call(form, view);
                provided.all(|(id, _)| id != field.id)
            })
            .collect();
        let empty_field = open_fields
            .iter()
            .find(|field| from_sheet.fields.value(field.id).is_none());
        let named_field = open_fields
            .iter()
            .find(|field| field.whose == Whose::Own && !view.picks(character, field).is_empty());

        let first_row = match empty_field.or(named_field) {
            Some(field) => RowId::Field(field.id),
            None => RowId::Row("check"),
        };
        form.focus_row("against");
        form.focus_row(first_row);
    }

    /// Fills in the values, each source over the one before: the sheet, the initial values, the opponent, the clock and
    /// the call, and the values that the player gave. Then checks them against the rules.
    pub(super) fn fill(&mut self, form: &Form, view: &SeatView<'_>) {
        let character_is_gone = match self.fields.who {
            Some(id) => view.character(id).is_none(),
            None => false,
        };
        if character_is_gone {
            self.fields.who = None;
            self.initial_values = initial_texts(self.fields.check, None, view);
        }

        let mut preset_texts = self.initial_values.clone();
        if let Some(opponent) = self.opponent.and_then(|id| view.character(id)) {
            let entry = opponent_entry(opponent, self.fields.check, self.fields.who, view);
            preset_texts.extend(entry);
        }
        preset_texts.extend(self.values_of_clock_and_call(form, view));

        let group_refusal = match self.group {
            Some(kind) => self.fill_for_group(kind, &preset_texts, view),
            None => {
                self.fill_for_character(&preset_texts, view);
                None
            }
        };
        self.fields.refusal = match group_refusal {
            Some(refusal) => Some(refusal),
            None => refusal_of(&self.fields, view),
        };
    }

    /// Selects the character that rolls for the party, and fills in its values.
    ///
    /// If there is no such character, the values are those of the last one, and the reason is returned.
    fn fill_for_group(
        &mut self,
        kind: GroupKind,
        preset_texts: &FieldTexts,
        view: &SeatView<'_>,
    ) -> Option<String> {
        let fields = &mut self.fields;
        let excluded: Vec<CharacterId> = self.toggled.iter().copied().collect();
        let texts: FieldTexts = preset_texts
            .iter()
            .chain(&fields.given)
            .filter(|(id, _)| fields.check.field(id).is_some())
            .cloned()
            .collect();

        match view.group(fields.check, kind, &texts, &excluded) {
            Ok(pick) => {
                fields.who = Some(pick.who);
                fields.filled = pick.filled.clone();
                self.pick = Some(pick);
                None
            }
            Err(refusal) => {
                fields.filled = view.fill(fields.check, fields.who);
                self.pick = None;
                Some(refusal.to_string())
            }
        }
    }

    /// Fills in the values of one character, and those that the helpers provide.
    fn fill_for_character(&mut self, preset_texts: &FieldTexts, view: &SeatView<'_>) {
        let from_sheet = view.fill(self.fields.check, self.fields.who);
        self.fields.fill(from_sheet, preset_texts, view);

        let possible = possible_helpers(self.fields.who, view);
        self.toggled.retain(|id| possible.contains(id));

        // The table refuses helpers who are absent or make the check. Neither is a possible helper.
        let helpers = self.helpers();
        view.help(&mut self.fields.filled, self.fields.who, &helpers)
            .ok();
    }

    /// Lowers initial values on a scale that the rules refuse.
    ///
    /// The rules may allow fewer steps of a scale to one character than to another (Friday Night Dungeon: one step above
    /// the competence). A refused value becomes the highest allowed step in the lower half of the scale.
    fn lower_refused_values(&mut self, form: &Form, view: &SeatView<'_>) {
        for place in 0..self.initial_values.len() {
            let (id, old_text) = self.initial_values[place].clone();
            let field = self.fields.check.field(&id);
            let Some(Kind::Word(words)) = field.map(|field| field.kind) else {
                continue;
            };

            let lower_half = &words[..words.len().div_ceil(2)];
            let lower_words: Vec<&str> = lower_half
                .iter()
                .copied()
                .take_while(|word| **word != old_text)
                .collect();
            for word in lower_words.into_iter().rev() {
                if self.fields.refusal.is_none() {
                    return;
                }
                word.clone_into(&mut self.initial_values[place].1);
                self.fill(form, view);
            }

            if self.fields.refusal.is_some() {
                self.initial_values[place].1 = old_text;
                self.fill(form, view);
            }
        }
    }

    pub(super) fn lay_out(&self, form: &mut Form, view: &SeatView<'_>) {
        form.lay_out(self.rows(form, view));
        form.preview.refusal.clone_from(&self.fields.refusal);
    }

    /// Steps the value of a row that this dialog manages.
    pub(super) fn step(&mut self, row: RowId, steps: i32, form: &mut Form, view: &SeatView<'_>) {
        match row {
            RowId::Row("who") => self.step_roller(steps, form, view),
            RowId::Row("check") => self.step_check(steps, form, view),
            RowId::Row("against") => {
                let opponents = self.opponents(view);
                let next = around(opponents.selected, steps, opponents.options.len());
                self.set_opponent(opponents.options[next]);
            }
            RowId::Row("helpers") => {
                let first_helper = form
                    .rows
                    .iter()
                    .map(|row| row.id)
                    .find(|id| matches!(id, RowId::Nth("helper", _)));
                if let Some(first_helper) = first_helper {
                    form.focus_row(first_helper);
                }
            }
            RowId::Nth("helper", id) => self.toggle_helper(CharacterId(id)),
            RowId::Field(id) => {
                let field = self.fields.check.field(id);
                let is_flag_of_helpers =
                    field.is_some_and(|field| field.kind == Kind::Flag && is_raised_by_help(field));
                if is_flag_of_helpers && self.group.is_none() {
                    // The player turned off the value that the helpers provide.
                    self.toggled.clear();
                }
            }
            _ => {}
        }
    }

    fn toggle_helper(&mut self, character: CharacterId) {
        if !self.toggled.remove(&character) {
            self.toggled.insert(character);
        }

        // Other helpers provide other values, which replace those that the player gave.
        let check = self.fields.check;
        self.fields.given.retain(|(id, _)| match check.field(id) {
            Some(field) => !is_raised_by_help(field),
            None => true,
        });
    }

    /// Steps to the next character that may make the check, or to a group roll.
    fn step_roller(&mut self, steps: i32, form: &mut Form, view: &SeatView<'_>) {
        let rollers = rollers(self.fields.check, view);
        let current_roller = match (self.group, self.fields.who) {
            (Some(kind), _) => Roller::Group(kind),
            (None, Some(character)) => Roller::Character(character),
            (None, None) => Roller::Nobody,
        };
        let current = rollers.iter().position(|roller| *roller == current_roller);
        let next = around(current.unwrap_or(0), steps, rollers.len());

        let had_group = self.group.is_some();
        match rollers[next] {
            Roller::Group(kind) => {
                // The group roll starts with the values that this character used last.
                self.group = Some(kind);
            }
            Roller::Character(character) => {
                self.group = None;
                self.fields.who = Some(character);
            }
            Roller::Nobody => {
                self.group = None;
                self.fields.who = None;
            }
        }
        if self.group.is_some() != had_group {
            self.toggled.clear();
        }

        self.opponent = default_opponent(self.fields.check, self.fields.who, view);
        self.forget_values_of_sheet();
        self.take_check_of_call(view);
        self.start_again(form, view);
    }

    /// Forgets the given values that come from one character's sheet. In a group roll, names stay, because they are
    /// looked up on each sheet.
    fn forget_values_of_sheet(&mut self) {
        let check = self.fields.check;
        let is_group = self.group.is_some();
        self.fields
            .given
            .retain(|(id, text)| match check.field(id) {
                Some(field) => {
                    let is_name_for_group = is_group && field.parse(text).is_err();
                    is_given_at_table(field) || is_name_for_group
                }
                None => true,
            });
    }

    /// Selects the check that the character is called for, unless values were given for another check.
    fn take_check_of_call(&mut self, view: &SeatView<'_>) {
        if self.group.is_some() || !self.fields.given.is_empty() {
            return;
        }
        let call = roll_requests::to_answer(view).find(|call| Some(call.who) == self.fields.who);
        if let Some(call) = call
            && let Ok(check) = view.system().check(&call.check)
        {
            self.fields.check = check;
        }
    }

    /// Returns the possible opponents, those of the other side first.
    pub(super) fn opponents(&self, view: &SeatView<'_>) -> Opponents {
        let mut options = vec![None];
        for character in opponents(self.fields.check, self.fields.who, view) {
            options.push(Some(character.id));
        }

        let current = opponent_of(self.fields.check, &self.fields.filled.sources);
        let selected = options.iter().position(|option| *option == current);
        Opponents {
            selected: selected.unwrap_or(0),
            options,
        }
    }

    /// Takes the other side's values from another sheet. Names that the player gave for these fields are forgotten.
    pub(super) fn set_opponent(&mut self, opponent: Option<CharacterId>) {
        let check = self.fields.check;
        self.fields.given.retain(|(id, text)| {
            opponents_fields(check).all(|field| field.id != id || field.parse(text).is_ok())
        });
        self.opponent = opponent;
    }

    /// Steps to the next kind of check.
    pub(super) fn step_check(&mut self, steps: i32, form: &mut Form, view: &SeatView<'_>) {
        let checks = view.system().spec().checks;
        let current = checks.iter().position(|check| *check == self.fields.check);
        let next = around(current.unwrap_or(0), steps, checks.len());
        let Some(check) = checks.get(next) else {
            return;
        };

        self.fields.check = check;
        if self.opponent.is_none() {
            self.opponent = default_opponent(check, self.fields.who, view);
        }
        if !check.has_success {
            self.group = None;
        }
        self.start_again(form, view);
    }

    /// Steps the visibility of the roll. If it is hidden from some players, the focus moves to their rows.
    pub(super) fn step_closed(&mut self, form: &mut Form, view: &SeatView<'_>) {
        let focused_before = form.focused();
        let was_unfolded = self.is_unfolded;

        // The row of the visibility may be folded.
        self.is_unfolded = true;
        self.lay_out(form, view);
        form.focus_row("closed");
        form.handle(&DialogEvent::Action(Action::Raise));
        self.is_unfolded = was_unfolded;
        self.lay_out(form, view);

        if form.choice("closed") == HIDDEN_FROM_SOME {
            form.focus_row("closed");
            form.focus_index(form.focus + 1);
        } else if let Some(focused_before) = focused_before {
            form.focus_row(focused_before);
        }
    }

    /// True if the key for toggling may change the row in focus. Rows with many values are stepped instead.
    pub(super) fn can_toggle(&self, form: &Form) -> bool {
        match form.focused() {
            Some(RowId::Field(id)) => {
                let field = self.fields.check.field(id);
                field.is_some_and(|field| field.kind == Kind::Flag)
            }
            Some(RowId::Row("who" | "check" | "against")) => false,
            _ => true,
        }
    }

    /// Returns the characters that help with the check.
    pub(super) fn helpers(&self) -> Vec<CharacterId> {
        match (self.group, &self.pick) {
            (Some(_), Some(pick)) => pick.helpers.clone(),
            (None, _) if self.fields.check.helping.is_some() => {
                self.toggled.iter().copied().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns an error if a field would spend more tokens than the character has.
    pub(super) fn overspending(&self, field: &Field, view: &SeatView<'_>) -> Option<String> {
        let needed = self.fields.filled.fields.maybe_number(field.id)?;
        let pool_kind = field.spends?;
        let character = view.character(self.fields.who?)?;
        let pool = view.pool_of(pool_kind, Some(character.id))?;

        let available = pool.tokens.max(0);
        if needed <= available {
            return None;
        }
        let tokens = view.system().spec().tokens(pool_kind, available);
        Some(format!("{} has {tokens}", character.name))
    }

    /// Returns the command that makes the check.
    pub(super) fn command(&self, form: &Form, view: &SeatView<'_>) -> RollCommand {
        let filled = &self.fields.filled;

        // A character whose sheet provides a value helps too.
        let mut helpers: BTreeSet<CharacterId> = self.helpers().into_iter().collect();
        for field in self.fields.check.fields {
            if field.whose == Whose::Helper
                && let Some(source) = filled.source(field.id)
            {
                helpers.extend(source.owner());
            }
        }

        let hidden_from = hidden_from(form, view);
        RollCommand {
            who: self.fields.who,
            filled: filled.clone(),
            faces: faces_source(self.by_hand),
            choose: Vec::new(),
            by: chosen_by(view),
            wait: true,
            noticed: form.choice("noticed") == 1 && !hidden_from.is_empty(),
            hidden_from,
            clock: self.clock(form, view),
            helpers: helpers.into_iter().collect(),
            group: self.group == Some(GroupKind::Worst),
        }
    }
}

/// Returns the reason why the rules refuse the values of a check.
fn refusal_of(fields: &CheckFields, view: &SeatView<'_>) -> Option<String> {
    let filled = &fields.filled.fields;
    if let Err(error) = filled.complete() {
        return Some(error.to_string());
    }
    match fields.check.prepare(filled, &view.house) {
        Ok(_) => None,
        Err(Refused(reason)) => Some(reason),
    }
}

/// True if helpers provide the value of a field.
pub(super) fn is_raised_by_help(field: &Field) -> bool {
    matches!(field.id, "helped" | "aided" | "group") || field.whose == Whose::Helper
}

/// Returns the characters for whom this seat may roll.
///
/// The GM may roll for every character in the scene, for nobody, and for the party as a group. A player may roll for the
/// player's own characters, or for nobody if the player has none.
fn rollers(check: &CheckSpec, view: &SeatView<'_>) -> Vec<Roller> {
    let seat = view.seat();
    let is_player = seat.role == SeatRole::Player;
    let mut rollers = Vec::new();

    for character in characters_in_scene(view) {
        let is_rolled_here = !is_player || seat.characters.contains(&character.id);
        if character.health.is_none() && is_rolled_here {
            rollers.push(Roller::Character(character.id));
        }
    }
    if !is_player || rollers.is_empty() {
        rollers.push(Roller::Nobody);
    }
    if !is_player && check.has_success && party(view).count() > 1 {
        rollers.push(Roller::Group(GroupKind::Worst));
        rollers.push(Roller::Group(GroupKind::Best));
    }
    rollers
}

fn characters_in_scene<'a>(view: &'a SeatView<'_>) -> impl Iterator<Item = &'a Character> {
    view.roster().filter(|character| character.is_here())
}

/// Returns the members of the party in the scene.
pub(super) fn party(view: &SeatView<'_>) -> impl Iterator<Item = CharacterId> {
    characters_in_scene(view)
        .filter(|character| character.side == Allegiance::Party)
        .map(|character| character.id)
}

/// Returns the characters that could help a character: those on the same side.
pub(super) fn possible_helpers(
    character: Option<CharacterId>,
    view: &SeatView<'_>,
) -> Vec<CharacterId> {
    let side = match character.and_then(|id| view.character(id)) {
        Some(character) => character.side,
        None => Allegiance::Party,
    };
    characters_in_scene(view)
        .filter(|other| Some(other.id) != character && side.is_with(other.side))
        .map(|other| other.id)
        .collect()
}
