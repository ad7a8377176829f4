//! Setting up a check: its character, its opponent and its helpers.

use std::collections::BTreeSet;

use crate::Action;
use crate::app::roll_requests;
use crate::dialog::check_form::characters_in_scene;
use crate::dialog::roll::opponent::{
    default_opponent, is_given_at_table, opponents, opponents_fields,
};
use crate::dialog::roll::row_ids::{AGAINST, CHECK, HELPER, HELPERS, NOTICED, SEEN_BY, WHO};
use crate::dialog::roll::visibility_rows::{HIDDEN_FROM_SOME, hidden_from};
use crate::dialog::roll::{RollDialog, chosen_by, faces_source};
use crate::dialog::{DialogEvent, Form, RowId, around};
use tableside_game::{Allegiance, Character, CharacterId, GroupKind, RollCommand, opponent_of};
use tableside_rules::{CheckSpec, Field, Kind, Whose};
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
    pub(super) fn lay_out(&self, form: &mut Form, view: &SeatView<'_>) {
        form.lay_out(self.rows(form, view));
        form.preview.refusal.clone_from(&self.fields.refusal);
    }

    /// Steps the value of a row that this dialog manages.
    pub(super) fn step(&mut self, row: RowId, steps: i32, form: &mut Form, view: &SeatView<'_>) {
        match row {
            WHO => self.step_roller(steps, form, view),
            CHECK => self.step_check(steps, form, view),
            AGAINST => {
                let opponents = self.opponents(view);
                let index = around(opponents.selected, steps, opponents.options.len());
                self.set_opponent(opponents.options[index]);
            }
            HELPERS => focus_first_helper(form),
            RowId::Nth(HELPER, id) => self.toggle_helper(CharacterId(id)),
            RowId::Field(id) => self.drop_helpers_of(id),
            _ => {}
        }
    }

    /// Removes the helpers if the player turned off the value that they provide.
    fn drop_helpers_of(&mut self, field_id: &str) {
        let Some(field) = self.fields.check.field(field_id) else {
            return;
        };
        let is_flag_of_helpers = field.kind == Kind::Flag && is_raised_by_help(field);
        if is_flag_of_helpers {
            self.chosen_helpers.clear();
        }
    }

    fn toggle_helper(&mut self, character: CharacterId) {
        let toggled = if self.group.is_some() {
            &mut self.left_out
        } else {
            &mut self.chosen_helpers
        };
        if !toggled.remove(&character) {
            toggled.insert(character);
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
        let current_roller = self.roller();
        let current = rollers.iter().position(|roller| *roller == current_roller);
        let index = around(current.unwrap_or(0), steps, rollers.len());

        let had_group = self.group.is_some();
        match rollers[index] {
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
            self.left_out.clear();
            self.chosen_helpers.clear();
        }

        self.opponent = default_opponent(self.fields.check, self.fields.who, view);
        self.forget_values_of_sheet();
        self.take_check_of_call(view);
        self.start_again(form, view);
    }

    fn roller(&self) -> Roller {
        match (self.group, self.fields.who) {
            (Some(kind), _) => Roller::Group(kind),
            (None, Some(character)) => Roller::Character(character),
            (None, None) => Roller::Nobody,
        }
    }

    /// Returns the names of the possible rollers, and the index of the current one.
    pub(super) fn roller_names(&self, view: &SeatView<'_>) -> (Vec<String>, usize) {
        let rollers = rollers(self.fields.check, view);
        let current_roller = self.roller();
        let current = rollers.iter().position(|roller| *roller == current_roller);
        let names = rollers.into_iter().map(|roller| match roller {
            Roller::Group(kind) => roll_requests::group_name(view.system(), kind).to_owned(),
            Roller::Character(character) => view.owner_name(Some(character)).to_owned(),
            Roller::Nobody => "nobody".to_owned(),
        });
        (names.collect(), current.unwrap_or(0))
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
        let who = self.fields.who;
        let call = roll_requests::to_answer(view).find(|call| Some(call.who) == who);
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

    /// Returns the help of the row of the roller. In place of an opponent that does not roll, it says why, and what the notes
    /// of the opponent say.
    pub(super) fn who_help(&self, view: &SeatView<'_>) -> String {
        let Some(opponent) = self.in_place_of.and_then(|id| view.character(id)) else {
            return "The character whose sheet supplies the values. For a group, the best or the worst rolls."
                .to_owned();
        };

        let reason = view.system().spec().only_heroes_roll;
        match view.notes(opponent) {
            Some(notes) if !notes.is_empty() => format!("{reason} {}: {notes}", opponent.name),
            _ => reason.to_owned(),
        }
    }

    /// Selects the opponent, whose sheet provides the other side's values. Names that the player gave for these fields
    /// are forgotten.
    pub(super) fn set_opponent(&mut self, opponent: Option<CharacterId>) {
        let check = self.fields.check;
        let is_opponents_name = |id: &str, text: &str| {
            let mut fields = opponents_fields(check);
            fields.any(|field| field.id == id && field.parse(text).is_err())
        };
        self.fields
            .given
            .retain(|(id, text)| !is_opponents_name(id, text));
        self.opponent = opponent;
    }

    /// Steps to the next kind of check that the state of the character allows.
    pub(super) fn step_check(&mut self, steps: i32, form: &mut Form, view: &SeatView<'_>) {
        let checks = view.system().spec().checks;
        let current = checks.iter().position(|check| *check == self.fields.check);
        let mut index = current.unwrap_or(0);
        for _ in checks {
            index = around(index, steps, checks.len());
            let is_allowed =
                |check: &CheckSpec| view.validate_state_for(check.id, self.fields.who).is_ok();
            if checks.get(index).is_some_and(|check| is_allowed(check)) {
                break;
            }
        }
        let Some(check) = checks.get(index) else {
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
    pub(super) fn step_visibility(&mut self, form: &mut Form, view: &SeatView<'_>) {
        let focused_before = form.focused();
        self.with_all_rows(form, view, |form| {
            form.focus_row(SEEN_BY);
            form.handle(&DialogEvent::Action(Action::Raise));
        });

        if form.choice(SEEN_BY) == HIDDEN_FROM_SOME {
            form.focus_row(SEEN_BY);
            form.focus_index(form.focus + 1);
        } else if let Some(focused_before) = focused_before {
            form.focus_row(focused_before);
        }
    }

    /// Changes the form while all rows are shown.
    fn with_all_rows(
        &mut self,
        form: &mut Form,
        view: &SeatView<'_>,
        change: impl FnOnce(&mut Form),
    ) {
        let was_unfolded = self.is_unfolded;
        self.is_unfolded = true;
        self.lay_out(form, view);
        change(form);

        self.is_unfolded = was_unfolded;
        self.lay_out(form, view);
    }

    /// Returns true if the key for toggling may change the row in focus. Rows with many values are stepped instead.
    pub(super) fn can_toggle(&self, form: &Form) -> bool {
        match form.focused() {
            Some(RowId::Field(id)) => {
                let field = self.fields.check.field(id);
                field.is_some_and(|field| field.kind == Kind::Flag)
            }
            Some(WHO | CHECK | AGAINST) => false,
            _ => true,
        }
    }

    /// Returns the characters that help with the check.
    pub(super) fn helpers(&self) -> Vec<CharacterId> {
        match (self.group, &self.pick) {
            (Some(_), Some(pick)) => pick.helpers.clone(),
            (None, _) if self.fields.check.helping.is_some() => {
                self.chosen_helpers.iter().copied().collect()
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
            noticed: form.choice(NOTICED) == 1 && !hidden_from.is_empty(),
            hidden_from,
            clock: self.clock(form, view),
            helpers: helpers.into_iter().collect(),
            group: self.group == Some(GroupKind::Worst),
        }
    }
}

/// True if the rules let this character roll. In some systems only heroes do, and the opponents are dice or difficulties
/// of their rolls.
pub(super) fn rolls_itself(character: &Character, view: &SeatView<'_>) -> bool {
    let is_hero = Allegiance::Party.is_with(character.side);
    is_hero || view.system().spec().only_heroes_roll.is_empty()
}

fn focus_first_helper(form: &mut Form) {
    let first_helper = form
        .rows
        .iter()
        .map(|row| row.id)
        .find(|id| matches!(id, RowId::Nth(HELPER, _)));
    if let Some(first_helper) = first_helper {
        form.focus_row(first_helper);
    }
}

/// Returns true if helpers provide the value of a field.
pub(super) fn is_raised_by_help(field: &Field) -> bool {
    matches!(field.id, "helped" | "aided" | "group") || field.whose == Whose::Helper
}

/// Returns the characters for whom this seat may roll.
///
/// The GM may roll for every character in the scene, for nobody, and for the party as a group. A player may roll for
/// the player's own characters, or for nobody if the player has none.
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
        .filter(|other| !view.is_dead(other))
        .map(|other| other.id)
        .collect()
}
