//! The values of a check that is being set up, from all sources.

use crate::dialog::check_form::{CheckFields, FieldTexts, highest_texts, initial_texts};
use crate::dialog::roll::RollDialog;
use crate::dialog::roll::opponent::{is_given_at_table, opponent_entry};
use crate::dialog::roll::row_ids::{AGAINST, CHECK};
use crate::dialog::roll::setup::possible_helpers;
use crate::dialog::{Form, RowId};
use tableside_game::{CharacterId, GroupKind};
use tableside_rules::{Field, Kind, Refused, ValueSource, Whose};
use tableside_table::SeatView;

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
            // A value from one sheet does not apply to other sheets, but a name is looked up on each sheet.
            let check = self.fields.check;
            self.initial_values
                .retain(|(id, text)| match check.field(id) {
                    Some(field) => is_given_at_table(field) || field.parse(text).is_err(),
                    None => false,
                });
        }
        if let Some(character) = self.fields.who {
            let check = self.fields.check;
            let mut highest_texts = highest_texts(check, character, &self.initial_values, view);
            if self.group.is_some() {
                // All sheets have the same abilities, but not the same skills.
                highest_texts.retain(|(id, _)| {
                    let source = check.field(id).map(|field| field.source);
                    matches!(source, Some(ValueSource::OneOf { .. }))
                });
            }
            self.initial_values.extend(highest_texts);
        }

        let call = match self.fields.who {
            Some(character) if self.group.is_none() => {
                view.call_for(character, self.fields.check.id)
            }
            _ => None,
        };
        self.call = call.map(|call| call.id);
        if let Some(call) = call {
            self.chosen_helpers.extend(&call.helpers);
        }

        self.fill(form, view);
        self.lower_refused_values(form, view);

        let focused_before = form.focused();
        self.lay_out(form, view);
        if form.focused() != focused_before {
            self.focus_first(form, view);
        }
    }

    /// Moves the focus to the first field without a value, or else to the first field with names to pick from. Instead
    /// of a field of the opponent, the row that chooses the opponent gets the focus, unless the opponent is known.
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
        // Several values of the opponent's sheet may fit a field that is picked by name.
        let is_known = |field: &Field| {
            let source = self.fields.filled.source(field.id);
            let is_from_opponent = source.is_some_and(|source| source.owner().is_some());
            from_sheet.fields.value(field.id).is_some() || is_from_opponent && !field.is_picked()
        };
        let empty_field = open_fields.iter().find(|field| !is_known(field));
        let named_field = open_fields
            .iter()
            .find(|field| field.whose == Whose::Own && !view.picks(character, field).is_empty());

        let chooses_opponent = form.row(AGAINST).is_some();
        let first_row = match empty_field.or(named_field) {
            Some(field)
                if field.whose == Whose::Opponent && !field.is_picked() && chooses_opponent =>
            {
                AGAINST
            }
            Some(field) => RowId::Field(field.id),
            None => CHECK,
        };
        form.focus_row(AGAINST);
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
    /// If there is no such character, the previous character stays, and the reason is returned.
    fn fill_for_group(
        &mut self,
        kind: GroupKind,
        preset_texts: &FieldTexts,
        view: &SeatView<'_>,
    ) -> Option<String> {
        let fields = &mut self.fields;
        let excluded: Vec<CharacterId> = self.left_out.iter().copied().collect();
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

    /// Fills in the values of one character, and the values from the helpers.
    fn fill_for_character(&mut self, preset_texts: &FieldTexts, view: &SeatView<'_>) {
        let from_sheet = view.fill(self.fields.check, self.fields.who);
        self.fields.fill(from_sheet, preset_texts, view);

        let possible = possible_helpers(self.fields.who, view);
        self.chosen_helpers.retain(|id| possible.contains(id));

        // The table refuses helpers who are absent or make the check. Neither is a possible helper.
        let helpers = self.helpers();
        view.help(&mut self.fields.filled, self.fields.who, &helpers)
            .ok();
    }

    /// Lowers initial values on a scale that the rules refuse.
    ///
    /// The rules may allow fewer steps of a scale to one character than to another (Friday Night Dungeon: one step
    /// above the competence). A refused value becomes the highest allowed step in the lower half of the scale.
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
