//! A check being set up: who makes it, which, with what values, for which clock, before whose eyes.

use std::collections::BTreeSet;

use crate::Action;
use crate::app::roll_requests;
use crate::dialog::check_form::{CheckFields, Texts, begins};
use crate::dialog::roll::opponent::{
    default_opponent, facing, is_of_the_table, opponents, opponents_fields,
};
use crate::dialog::roll::rows::{TO_SOME, hidden_from};
use crate::dialog::roll::{RollDialog, by};
use crate::dialog::{DialogEvent, Form, RowId, around};
use tableside_game::{Allegiance, Character, CharacterId, GroupKind, RollCommand, opponent_of};
use tableside_rules::{CheckSpec, Field, Kind, Refused, Whose};
use tableside_table::{SeatRole, SeatView};

/// Why something cannot be, in words; none where it can.
type Refusal = Option<String>;

/// Who makes a check.
#[derive(Clone, Copy, PartialEq)]
enum Maker {
    /// The best or the worst of the party, for all of them.
    ForAll(GroupKind),
    /// That character, or nobody in particular.
    One(Option<CharacterId>),
}

impl RollDialog {
    /// The fields that the clock's own check and the call bring.
    fn brought<'a>(
        &self,
        form: &Form,
        view: &'a SeatView<'_>,
    ) -> impl Iterator<Item = (String, String)> + 'a {
        let clock = self.clock(form, view);
        let called = form.call.and_then(|call| view.call(call));
        let called = called.map(|call| call.who);
        view.brought(self.fields.check, called, clock)
    }

    /// Takes up the check anew: another one, or another character's.
    pub(super) fn take_up(&mut self, form: &mut Form, view: &SeatView<'_>) {
        let fields = &mut self.fields;
        form.untype(|_| true);
        self.begins = begins(fields.check, fields.who, view);
        if self.group.is_some() {
            // A value of one sheet says nothing of the others; a name is looked up on every sheet.
            let check = fields.check;
            self.begins.retain(|(id, text)| {
                let field = check.field(id);
                field.is_some_and(|field| is_of_the_table(field) || field.parse(text).is_err())
            });
        }
        let who = fields.who.filter(|_| self.group.is_none());
        let call = who.and_then(|who| view.call_for(who, fields.check.id));
        form.call = call.map(|call| call.id);
        self.turned
            .extend(call.iter().flat_map(|call| &call.helpers));
        self.fill(form, view);
        self.fit_begins(form, view);
        let focused = form.focused();
        self.lay_out(form, view);
        if form.focused() != focused {
            self.focus_first(form, view);
        }
    }

    /// Goes to where a person begins: the first field that no sheet and no call knows, else the first that
    /// is picked by name.
    fn focus_first(&self, form: &mut Form, view: &SeatView<'_>) {
        let CheckFields { check, who, .. } = self.fields;
        let offered = view.fill(check, who);
        let is_brought = |field: &Field| self.brought(form, view).any(|(id, _)| id == field.id);
        let fields = || check.fields.iter().filter(|field| !is_brought(field));
        let mut open = fields().filter(|field| offered.fields.value(field.id).is_none());
        let is_picked =
            |field: &&Field| field.whose == Whose::Own && !view.picks(who, field).is_empty();
        let first = open.next().or_else(|| fields().find(is_picked));
        let first = first.map_or(RowId::Row("check"), |field| RowId::Field(field.id));
        form.focus_row("against");
        form.focus_row(first);
    }

    /// Fills the fields: from the sheet, with what they begin with, as the clock and the call have them, then
    /// as a person gave them; and says what the rules have against it.
    pub(super) fn fill(&mut self, form: &Form, view: &SeatView<'_>) {
        let fields = &mut self.fields;
        if fields.who.is_some_and(|id| view.character(id).is_none()) {
            fields.who = None;
            self.begins = begins(fields.check, None, view);
        }
        let opponent = self.opponent.and_then(|id| view.character(id));
        let opponent = opponent.and_then(|one| facing(one, fields.check, fields.who, view));
        let before = self.begins.iter().cloned().chain(opponent);
        let before: Texts = before.chain(self.brought(form, view)).collect();
        let mut refused = None;
        match self.group {
            Some(kind) => refused = self.fill_for_all(kind, &before, view),
            None => self.fill_for_one(&before, view),
        }
        self.fields.against = refused.or_else(|| against(&self.fields, view));
    }

    /// Finds who rolls for all, and fills the fields as for that one. Where nobody can be found, it says why, and they
    /// are filled from the sheet of the one who was found last.
    fn fill_for_all(&mut self, kind: GroupKind, before: &Texts, view: &SeatView<'_>) -> Refusal {
        let fields = &mut self.fields;
        let without: Vec<CharacterId> = self.turned.iter().copied().collect();
        let said = before.iter().chain(&fields.given);
        let said = said.filter(|(id, _)| fields.check.field(id).is_some());
        let said: Texts = said.cloned().collect();
        let found = view.group(fields.check, kind, &said, &without);
        match &found {
            Ok(pick) => (fields.who, fields.filled) = (Some(pick.who), pick.filled.clone()),
            Err(_) => fields.filled = view.fill(fields.check, fields.who),
        }
        let refused = found.as_ref().err().map(ToString::to_string);
        self.pick = found.ok();
        refused
    }

    /// Fills the fields for the one who makes the check, with what those bring who help and still can.
    fn fill_for_one(&mut self, before: &Texts, view: &SeatView<'_>) {
        let fields = &mut self.fields;
        fields.fill(view.fill(fields.check, fields.who), before, view);
        let others = others(fields.who, view);
        self.turned.retain(|id| others.contains(id));
        let helpers = self.helping();
        let fields = &mut self.fields;
        // Refused are only helpers who are not here, or who make the check: none of these.
        view.help(&mut fields.filled, fields.who, &helpers).ok();
    }

    /// What another could try may be forbidden to this one: a scale then begins in the middle, or at the highest step
    /// below it that the rules allow (Friday Night Dungeon: one above the competence).
    fn fit_begins(&mut self, form: &Form, view: &SeatView<'_>) {
        for place in 0..self.begins.len() {
            let (id, text) = self.begins[place].clone();
            let Some(Kind::Word(words)) = self.fields.check.field(&id).map(|field| field.kind)
            else {
                continue;
            };
            let low = words.iter().take(words.len().div_ceil(2));
            let lower = low.take_while(|word| **word != text);
            let lower: Vec<&str> = lower.copied().collect();
            for word in lower.into_iter().rev() {
                if self.fields.against.is_none() {
                    return;
                }
                word.clone_into(&mut self.begins[place].1);
                self.fill(form, view);
            }
            if self.fields.against.is_some() {
                self.begins[place].1 = text;
                self.fill(form, view);
            }
        }
    }

    pub(super) fn lay_out(&self, form: &mut Form, view: &SeatView<'_>) {
        form.lay_out(self.rows(form, view));
        form.against.clone_from(&self.fields.against);
    }

    pub(super) fn step(&mut self, id: RowId, by: i32, form: &mut Form, view: &SeatView<'_>) {
        match id {
            RowId::Row("who") => self.step_who(by, form, view),
            RowId::Row("check") => self.step_check(by, form, view),
            RowId::Row("against") => {
                let (known, at) = self.opponents(view);
                self.face(known[around(at, by, known.len())]);
            }
            RowId::Row("helpers") => {
                let mut rows = form.rows.iter().map(|row| row.id);
                if let Some(first) = rows.find(|id| matches!(id, RowId::Nth("helper", _))) {
                    form.focus_row(first);
                }
            }
            RowId::Nth("helper", id) => {
                if !self.turned.remove(&CharacterId(id)) {
                    self.turned.insert(CharacterId(id));
                }
                // Other helpers bring other values, so what was given by hand in their place is forgotten.
                let check = self.fields.check;
                self.fields.given.retain(|(id, _)| {
                    let field = check.field(id);
                    field.is_none_or(|field| !is_raised_by_help(field))
                });
            }
            RowId::Field(id) => {
                let field = self.fields.check.field(id);
                let raised = |field: &Field| field.kind == Kind::Flag && is_raised_by_help(field);
                // Turning off what the helpers brought sends them away.
                if self.group.is_none() && field.is_some_and(raised) {
                    self.turned.clear();
                }
            }
            _ => {}
        }
    }

    fn step_who(&mut self, by: i32, form: &mut Form, view: &SeatView<'_>) {
        let check = self.fields.check;
        let known = makers(check, view);
        let one = Maker::One(self.fields.who);
        let now = self.group.map_or(one, Maker::ForAll);
        let at = known.iter().position(|one| *one == now).unwrap_or(0);
        let (group, who) = match known[around(at, by, known.len())] {
            Maker::ForAll(kind) => (Some(kind), None),
            Maker::One(who) => (None, who),
        };
        if group.is_some() != self.group.is_some() {
            self.turned.clear();
        }
        self.group = group;
        // The fields for all begin with what this one picked last.
        self.fields.who = who.or_else(|| self.fields.who.filter(|_| group.is_some()));
        self.opponent = default_opponent(check, self.fields.who, view);
        // What was said of one character's sheet is not true of another's; for all, a name is looked up on every sheet.
        self.fields.given.retain(|(id, text)| {
            let for_all = |field: &Field| group.is_some() && field.parse(text).is_err();
            let field = check.field(id);
            field.is_none_or(|field| is_of_the_table(field) || for_all(field))
        });
        // A character who is called on to roll brings the check of the call.
        let call = roll_requests::to_answer(view).find(|call| Some(call.who) == who);
        let call = call.filter(|_| group.is_none() && self.fields.given.is_empty());
        if let Some(check) = call.and_then(|call| view.system().check(&call.check).ok()) {
            self.fields.check = check;
        }
        self.take_up(form, view);
    }

    /// Whom it may be against, the other side first, and which of them it is against now.
    pub(super) fn opponents(&self, view: &SeatView<'_>) -> (Vec<Option<CharacterId>>, usize) {
        let fields = &self.fields;
        let known = opponents(fields.check, fields.who, view).into_iter();
        let known = known.map(|one| Some(one.id));
        let known: Vec<_> = std::iter::once(None).chain(known).collect();
        let now = opponent_of(fields.check, &fields.filled.sources);
        let at = known.iter().position(|one| *one == now).unwrap_or(0);
        (known, at)
    }

    /// Takes the other side's values from that sheet, in the place of all that were named before.
    pub(super) fn face(&mut self, opponent: Option<CharacterId>) {
        let check = self.fields.check;
        self.fields.given.retain(|(id, text)| {
            let mut theirs = opponents_fields(check);
            theirs.all(|field| field.id != id || field.parse(text).is_ok())
        });
        self.opponent = opponent;
    }

    /// Takes the next check, or the one before.
    pub(super) fn step_check(&mut self, by: i32, form: &mut Form, view: &SeatView<'_>) {
        let checks = view.system().spec().checks;
        let at = checks.iter().position(|check| *check == self.fields.check);
        if let Some(check) = checks.get(around(at.unwrap_or(0), by, checks.len())) {
            self.fields.check = check;
            let who = self.fields.who;
            self.opponent = self.opponent.or_else(|| default_opponent(check, who, view));
            self.group = self.group.filter(|_| check.has_success);
            self.take_up(form, view);
        }
    }

    /// Steps who sees it, by its key: the focus goes to where players are picked.
    pub(super) fn step_closed(&mut self, form: &mut Form, view: &SeatView<'_>) {
        let before = form.focused();
        let was_unfolded = std::mem::replace(&mut self.is_unfolded, true);
        self.lay_out(form, view);
        form.focus_row("closed");
        form.handle(&DialogEvent::Action(Action::Raise));
        self.is_unfolded = was_unfolded;
        self.lay_out(form, view);
        if form.choice("closed") == TO_SOME {
            form.focus_row("closed");
            form.focus_index(form.focus + 1);
        } else if let Some(before) = before {
            form.focus_row(before);
        }
    }

    /// Whether the key that turns a yes into a no may do so with what has the focus: rows of many values are stepped.
    pub(super) fn may_toggle(&self, form: &Form) -> bool {
        match form.focused() {
            Some(RowId::Field(id)) => {
                let field = self.fields.check.field(id);
                field.is_some_and(|field| field.kind == Kind::Flag)
            }
            Some(RowId::Row("who" | "check" | "against")) => false,
            _ => true,
        }
    }

    /// Who helps with the check as it stands.
    pub(super) fn helping(&self) -> Vec<CharacterId> {
        match (self.group, &self.pick) {
            (Some(_), Some(pick)) => pick.helpers.clone(),
            (None, _) if self.fields.check.helping.is_some() => {
                self.turned.iter().copied().collect()
            }
            _ => Vec::new(),
        }
    }

    /// What the character has of the tokens that a field spends, in words, if the field would spend more.
    pub(super) fn too_much(&self, field: &Field, view: &SeatView<'_>) -> Option<String> {
        let needs = self.fields.filled.fields.maybe_number(field.id)?;
        let (kind, who) = (field.spends?, view.character(self.fields.who?)?);
        let has = view.pool_of(kind, Some(who.id))?.tokens.max(0);
        let spec = view.system().spec();
        (needs > has).then(|| format!("{} has {}", who.name, spec.tokens(kind, has)))
    }

    /// The check, ready to be made.
    pub(super) fn command(&self, form: &Form, view: &SeatView<'_>) -> RollCommand {
        let hidden_from = hidden_from(form, view);
        let CheckFields { check, filled, .. } = &self.fields;
        // A character whose sheet a value comes from helps, too.
        let lent = check.fields.iter();
        let lent = lent.filter(|field| field.whose == Whose::Helper);
        let lent = lent.filter_map(|field| filled.source(field.id)?.owner());
        let helpers: BTreeSet<CharacterId> = self.helping().into_iter().chain(lent).collect();
        RollCommand {
            who: self.fields.who,
            filled: filled.clone(),
            faces: form.faces(),
            choose: Vec::new(),
            by: by(view),
            wait: true,
            noticed: form.choice("noticed") == 1 && !hidden_from.is_empty(),
            hidden_from,
            clock: self.clock(form, view),
            helpers: helpers.into_iter().collect(),
            group: self.group == Some(GroupKind::Worst),
        }
    }
}

/// What the rules have against the check as it is filled in.
fn against(CheckFields { check, filled, .. }: &CheckFields, view: &SeatView<'_>) -> Refusal {
    if let Err(error) = filled.fields.complete() {
        return Some(error.to_string());
    }
    let prepared = check.prepare(&filled.fields, &view.house);
    prepared.err().map(|Refused(why)| why)
}

/// Whether naming helpers fills in that field.
pub(super) fn is_raised_by_help(field: &Field) -> bool {
    matches!(field.id, "helped" | "aided" | "group") || field.whose == Whose::Helper
}

/// Who may make a check from this seat. From the GM's: everybody who is here, nobody in particular, and one for all.
/// From a player's: the player's own characters, or nobody in particular where there are none.
fn makers(check: &CheckSpec, view: &SeatView<'_>) -> Vec<Maker> {
    let seat = view.seat();
    let is_player = seat.role == SeatRole::Player;
    let own = here(view).filter(|one| one.health.is_none());
    let own = own.filter(|one| !is_player || seat.characters.contains(&one.id));
    let mut known: Vec<Maker> = own.map(|one| Maker::One(Some(one.id))).collect();
    known.extend((!is_player || known.is_empty()).then_some(Maker::One(None)));
    if !is_player && check.has_success && party(view).count() > 1 {
        known.extend([GroupKind::Worst, GroupKind::Best].map(Maker::ForAll));
    }
    known
}

fn here<'a>(view: &'a SeatView<'_>) -> impl Iterator<Item = &'a Character> {
    view.roster().filter(|one| one.is_here())
}

/// The members of the party who are here.
pub(super) fn party(view: &SeatView<'_>) -> impl Iterator<Item = CharacterId> {
    let party = here(view).filter(|one| one.side == Allegiance::Party);
    party.map(|one| one.id)
}

/// Who could help that one: those of the same side.
pub(super) fn others(who: Option<CharacterId>, view: &SeatView<'_>) -> Vec<CharacterId> {
    let side = who.and_then(|id| view.character(id));
    let side = side.map_or(Allegiance::Party, |one| one.side);
    let others = here(view).filter(|one| Some(one.id) != who && side.is_with(one.side));
    others.map(|one| one.id).collect()
}
