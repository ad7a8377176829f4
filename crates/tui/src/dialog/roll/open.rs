//! Opening the roll dialog: for a character, a call, a clock, an unfinished roll, or like an earlier roll.

use std::collections::BTreeSet;

use crate::Context;
use crate::app::offered::is_own;
use crate::app::roll_requests;
use crate::dialog::check_form::CheckFields;
use crate::dialog::follow_ups::OfferedCheck;
use crate::dialog::roll::chances::Chances;
use crate::dialog::roll::choice::ChoiceDialog;
use crate::dialog::roll::faces::{CheckToRoll, FacesDialog};
use crate::dialog::roll::opponent::default_opponent;
use crate::dialog::roll::setup::{is_raised_by_help, party, rolls_itself};
use crate::dialog::roll::typed::TypedLetters;
use crate::dialog::roll::usual_check::check_in_fight;
use crate::dialog::roll::{HINTS, RollDialog, roll_title};
use crate::dialog::{Dialog, Form, RowId};
use tableside_game::{
    CallId, Character, CharacterId, ClockId, Command, Roll, UnfinishedId, opponent_of,
};
use tableside_rules::{CheckSpec, Field, ValueSource, Whose};
use tableside_table::{Act, SeatView};

impl RollDialog {
    fn new(character: Option<CharacterId>, check: &'static CheckSpec, view: &SeatView<'_>) -> Self {
        Self {
            fields: CheckFields::new(check, character, view.fill(check, character)),
            initial_values: Vec::new(),
            group: None,
            pick: None,
            opponent: default_opponent(check, character, view),
            in_place_of: None,
            left_out: BTreeSet::new(),
            chosen_helpers: BTreeSet::new(),
            initial_clock: None,
            initially_hidden_from: Vec::new(),
            initially_noticed: false,
            is_unfolded: false,
            typed_letters: TypedLetters::default(),
            faces: String::new(),
            chances: Chances::default(),
            call: None,
            by_hand: false,
        }
    }

    fn into_dialog(mut self, by_hand: bool, view: &SeatView<'_>) -> Dialog {
        let mut form = Form::default().with_context(Context::Roll, HINTS);
        form.layout.has_blocks_on_top = true;
        self.by_hand = by_hand;
        self.start_again(&mut form, view);
        Dialog::new(form, self, view)
    }

    /// Opens the unfinished roll of a character, or else the roll that the character is called for, or else a new roll.
    ///
    /// # Panics
    /// If the system has no check. Every system has one.
    pub fn open(character: Option<CharacterId>, view: &SeatView<'_>) -> Dialog {
        if let Some(character) = character
            && let Some(dialog) = Self::pending(character, view)
        {
            return dialog;
        }

        let hero = character.and_then(|id| hero_in_place_of(id, view));
        let roller = hero.or(character);
        let usual_check = roller.and_then(|id| usual_check(id, view));
        let first_check = view.system().spec().checks.first().copied();
        let check = usual_check
            .or(first_check)
            .expect("every system has a check");
        let mut setup = Self::new(roller, check, view);
        if hero.is_some() {
            setup.in_place_of = character;
        }
        let mut dialog = setup.into_dialog(false, view);
        if hero.is_some() {
            // The help of this row says why a hero rolls.
            dialog.form.focus_row(RowId::Row("who"));
        }
        dialog
    }

    /// Opens the unfinished roll of a character, or else the roll that the character is called for.
    fn pending(character: CharacterId, view: &SeatView<'_>) -> Option<Dialog> {
        let unfinished = view
            .unfinished()
            .find(|unfinished| unfinished.roll.id == Some(character));
        if let Some(unfinished) = unfinished
            && let Some(dialog) = Self::resume(unfinished.id, view)
        {
            return Some(dialog);
        }

        let call = roll_requests::to_answer(view).find(|call| call.who == character)?;
        Self::called(call.id, view)
    }

    /// Opens the roll that a call asks for.
    pub fn called(call: CallId, view: &SeatView<'_>) -> Option<Dialog> {
        let call = view.call(call)?;
        let check = view.system().check(&call.check).ok()?;
        let setup = Self::new(Some(call.who), check, view);
        Some(setup.into_dialog(false, view))
    }

    /// Opens the next roll that a call asks for, or else a new roll of a character.
    pub(in crate::dialog) fn next(
        character: Option<CharacterId>,
        by_hand: bool,
        view: &SeatView<'_>,
    ) -> Dialog {
        let next_call = roll_requests::to_answer(view).next();
        let call_dialog = next_call.and_then(|call| Self::called(call.id, view));
        let mut dialog = match call_dialog {
            Some(dialog) => dialog,
            None => Self::open(character, view),
        };
        if by_hand {
            dialog.spec.set_by_hand(true, &mut dialog.form);
        }
        dialog
    }

    /// Opens an unfinished roll, which waits for a choice or for dice.
    pub fn resume(id: UnfinishedId, view: &SeatView<'_>) -> Option<Dialog> {
        let unfinished = view.unfinished().find(|known| known.id == id)?;
        if let Some(dialog) = ChoiceDialog::open(unfinished, view) {
            return Some(dialog);
        }

        let roll = &unfinished.roll;
        let act = Act::from(Command::TypeFaces {
            check: id,
            faces: Vec::new(),
        });
        let check = CheckToRoll {
            fields: &roll.all_fields(view.system()).ok()?,
            house: &roll.house,
            trail: roll.trail.clone(),
            unfinished: Some(unfinished),
        };
        FacesDialog::ask(roll_title(roll, view), &act, check)
    }

    /// Opens the same roll as an entry of the log.
    pub fn again(entry: u64, by_hand: bool, view: &SeatView<'_>) -> Option<Dialog> {
        let entry = view.entry(entry)?;
        let setup = Self::like(entry.roll()?, view)?;
        Some(setup.into_dialog(by_hand, view))
    }

    /// Opens a roll that is already set up. `Some` faces select real dice.
    pub fn prepared(roll: &Roll, faces: Option<String>, view: &SeatView<'_>) -> Option<Dialog> {
        let mut setup = Self::like(roll, view)?;
        let by_hand = faces.is_some();
        setup.faces = faces.unwrap_or_default();
        Some(setup.into_dialog(by_hand, view))
    }

    /// Opens the check that fills a clock. The clock's own character makes the check, or else the given character.
    pub fn for_clock(
        clock_id: ClockId,
        character: Option<CharacterId>,
        view: &SeatView<'_>,
    ) -> Option<Dialog> {
        let clock = view.clock(clock_id)?.clock;
        let clock_check = clock.check.as_ref()?;
        let check = view.system().check(&clock_check.check).ok()?;

        let usual_character = clock_check
            .who
            .or(clock.owner)
            .filter(|id| is_own(Some(*id), false, view));
        let mut setup = Self::new(usual_character.or(character), check, view);
        setup.initial_clock = Some(clock_id);
        Some(setup.into_dialog(false, view))
    }

    /// Opens a check that another roll offers. It is hidden from the same players as that roll.
    pub(in crate::dialog) fn offered(
        offer: &OfferedCheck,
        roll: &Roll,
        by_hand: bool,
        view: &SeatView<'_>,
    ) -> Dialog {
        let mut setup = Self::new(offer.who, offer.check, view);

        // The check is between the same two characters as the roll.
        let opponent = match roll.spec(view.system()) {
            Ok(check) if offer.who == roll.id => opponent_of(check, &roll.sources),
            _ => roll.id,
        };
        if opponent.is_some_and(|id| view.character(id).is_some()) {
            setup.opponent = opponent;
        }

        setup.fields.given.clone_from(&offer.texts);
        setup.initially_hidden_from.clone_from(&roll.hidden_from);
        setup.initially_noticed = roll.noticed;
        setup.into_dialog(by_hand, view)
    }

    /// Sets up the same check as a roll.
    fn like(roll: &Roll, view: &SeatView<'_>) -> Option<Self> {
        let check = roll.spec(view.system()).ok()?;
        let exists = |id: &CharacterId| view.character(*id).is_some();
        let roller = roll.id.filter(exists);
        let opponent = opponent_of(check, &roll.sources).filter(exists);

        let mut setup = Self::new(roller, check, view);
        setup.opponent = opponent;
        for (id, value) in &roll.fields {
            if let Some(field) = check.field(id)
                && let Some(text) = setup.text_like(field, &value.to_string(), roll, view)
            {
                setup.fields.given.push((id.clone(), text));
            }
        }

        setup.initial_clock = roll.clock;
        setup.initially_hidden_from.clone_from(&roll.hidden_from);
        setup.initially_noticed = roll.noticed;
        setup.chosen_helpers = roll.helpers.iter().map(|helper| helper.id).collect();
        Some(setup)
    }

    /// Returns the text that gives a field the same value as in an earlier roll.
    ///
    /// Returns `None` if the field takes its current value from the sheet, the clock or the helpers.
    fn text_like(
        &self,
        field: &'static Field,
        value: &str,
        roll: &Roll,
        view: &SeatView<'_>,
    ) -> Option<String> {
        if !roll.helpers.is_empty() && is_raised_by_help(field) {
            return None;
        }

        let Some(source) = roll.sources.get(field.id) else {
            let is_from_clock = field.source == ValueSource::Clock && roll.clock.is_some();
            return if is_from_clock {
                None
            } else {
                Some(value.to_owned())
            };
        };
        let name = source.to_string();
        if view.picks(self.fields.who, field).contains(&name) {
            return Some(name);
        }

        let is_on_sheet = self.fields.filled.source(field.id).is_some();
        let is_on_opponents_sheet = field.whose == Whose::Opponent && self.opponent.is_some();
        if is_on_sheet || is_on_opponents_sheet {
            None
        } else {
            Some(value.to_owned())
        }
    }
}

/// Returns the check that a character usually makes now. A character that is down makes the check that the rules ask
/// for.
fn usual_check(character: CharacterId, view: &SeatView<'_>) -> Option<&'static CheckSpec> {
    if let Some(standing) = view.standing_of(view.character(character)?)
        && let Ok(check) = view.system().check(standing.check)
    {
        return Some(check);
    }
    check_in_fight(character, view)
}

/// Returns the hero that rolls in place of an opponent, in a system in which only heroes roll: the first one that is not
/// down and has not acted, or else the first one. `None` if the character rolls itself.
fn hero_in_place_of(character: CharacterId, view: &SeatView<'_>) -> Option<CharacterId> {
    let character = view.character(character)?;
    if rolls_itself(character, view) {
        return None;
    }

    let heroes: Vec<&Character> = party(view).filter_map(|id| view.character(id)).collect();
    let is_ready = |hero: &&&Character| !hero.acted && !view.is_down(hero);
    let hero = heroes.iter().find(is_ready).or_else(|| heroes.first())?;
    Some(hero.id)
}
