//! A check being set up: who makes it, which, with what values, for which clock, before whose eyes.

mod people;
mod rows;

use std::collections::BTreeSet;

use self::people::{makers, others};
use crate::rules::{CheckSpec, ChosenBy, Field, Kind, Refused, Source, Whose};
use crate::screen::action::Action;
use crate::screen::dialog::DialogEvent;
use crate::screen::dialog::check_form::{CheckFields, Texts, begins};
use crate::screen::dialog::form::{Form, Id, Went, around};
use crate::screen::roll_requests;
use crate::session::{
    Call, CallId, CharacterId, Clock, ClockId, Faces, GroupKind, GroupPick, Roll, RollCommand,
};
use crate::table::{Role, SeatView};

/// A check being set up. What stands in the rows for the clock and for who sees it is kept by the form.
#[derive(Debug)]
pub(super) struct Setup {
    /// Who makes it, for a group the one who was found; which check, and its values.
    pub(super) fields: CheckFields,
    pub(super) form: Form,
    /// Why it was refused, until something is done about it.
    refused: Option<String>,
    /// What fields begin with; it does not change under anybody's fingers.
    begins: Texts,
    /// Whether one rolls for all, and who was found.
    pub(super) group: Option<GroupKind>,
    pick: Option<GroupPick>,
    /// The call that it answers; one that comes in later changes nothing under anybody's fingers.
    call: Option<CallId>,
    /// Who helps; in a group who stays out.
    turned: BTreeSet<CharacterId>,
    /// The clock, who may not see it, and whether they see that something is rolled: as it opens.
    clock: Option<ClockId>,
    hidden: Vec<String>,
    noticed: bool,
}

impl Setup {
    fn new(who: Option<CharacterId>, check: &'static CheckSpec, seen: &SeatView<'_>) -> Self {
        Self {
            fields: CheckFields::new(check, who, seen.fill(check, who)),
            form: Form::new("", Vec::new()),
            refused: None,
            begins: Vec::new(),
            group: None,
            pick: None,
            call: None,
            turned: BTreeSet::new(),
            clock: None,
            hidden: Vec::new(),
            noticed: false,
        }
    }

    fn opened(mut self, seen: &SeatView<'_>) -> Self {
        self.turn(seen);
        // What stands beside a row is known when the rows beneath it are there.
        self.lay_out(seen);
        self.focus_first(seen);
        self
    }

    /// That check by that character.
    pub(super) fn open(
        who: Option<CharacterId>,
        check: &'static CheckSpec,
        seen: &SeatView<'_>,
    ) -> Self {
        Self::new(who, check, seen).opened(seen)
    }

    /// The check that fills that clock, by the one who always rolls it or else by that character.
    pub(super) fn for_clock(
        clock: &Clock,
        who: Option<CharacterId>,
        seen: &SeatView<'_>,
    ) -> Option<Self> {
        let attached = clock.check.as_ref()?;
        let check = seen.system().check(&attached.check).ok()?;
        let clock = Some(clock.id);
        let setup = Self::new(attached.who.or(who), check, seen);
        Some(Self { clock, ..setup }.opened(seen))
    }

    /// The same check as that one was.
    pub(super) fn repeat(roll: &Roll, seen: &SeatView<'_>) -> Option<Self> {
        let check = roll.spec(seen.system()).ok()?;
        let who = roll.id.filter(|id| seen.character(*id).is_some());
        let mut setup = Self::new(who, check, seen);
        for (id, value) in &roll.fields {
            let field = check.field(id);
            let by_help = |field: &&Field| !roll.helpers.is_empty() && is_raised_by_help(field);
            let Some(field) = field.filter(|field| !by_help(field)) else {
                continue;
            };
            let name = roll.sources.get(id).map(ToString::to_string);
            let text = match name {
                // What came from the sheet comes from it as it is today.
                Some(name) if seen.picks(who, field).contains(&name) => name,
                Some(_) if setup.fields.filled.source(id).is_some() => continue,
                _ => value.to_string(),
            };
            setup.fields.given.push((id.clone(), text));
        }
        setup.clock = roll.clock;
        setup.hidden.clone_from(&roll.hidden_from);
        setup.noticed = roll.noticed;
        setup.turned = roll.helpers.iter().map(|helper| helper.id).collect();
        Some(setup.opened(seen))
    }

    /// The call that it answers.
    pub(super) fn call<'a>(&self, seen: &'a SeatView<'_>) -> Option<&'a Call> {
        seen.call(self.call?)
    }

    /// The fields that the clock's own check and the call bring.
    fn brought<'a>(&self, seen: &'a SeatView<'_>) -> impl Iterator<Item = &'a (String, String)> {
        let clock = self.clock(seen);
        let called = self.call(seen).map(|call| call.who);
        seen.brought(self.fields.check, called, clock)
    }

    /// Takes up the check anew: another one, or another character's.
    fn turn(&mut self, seen: &SeatView<'_>) {
        let fields = &mut self.fields;
        self.form.untype(|_| true);
        self.begins = begins(fields.check, fields.who, seen);
        if self.group.is_some() {
            // What sheets have is each one's own; what is picked by name is meant for everybody.
            let check = fields.check;
            self.begins.retain(|(id, text)| {
                let field = check.field(id);
                field.is_some_and(|field| is_of_the_table(field) || field.parse(text).is_err())
            });
        }
        let who = fields.who.filter(|_| self.group.is_none());
        let call = who.and_then(|who| seen.call_for(who, fields.check.id));
        self.call = call.map(|call| call.id);
        self.turned
            .extend(call.iter().flat_map(|call| &call.helpers));
        self.fill(seen);
        self.fit_begins(seen);
        let focused = self.form.focused();
        self.lay_out(seen);
        if self.form.focused() != focused {
            self.focus_first(seen);
        }
    }

    /// Goes to where a person begins: the first field that no sheet and no call knows, else the first that
    /// is picked by name.
    fn focus_first(&mut self, seen: &SeatView<'_>) {
        let CheckFields { check, who, .. } = self.fields;
        let offered = seen.fill(check, who);
        let is_brought = |field: &Field| self.brought(seen).any(|(id, _)| id == field.id);
        let fields = || check.fields.iter().filter(|field| !is_brought(field));
        let mut open = fields().filter(|field| offered.fields.value(field.id).is_none());
        let is_picked =
            |field: &&Field| field.whose == Whose::Own && !seen.picks(who, field).is_empty();
        let first = open.next().or_else(|| fields().find(is_picked));
        let first = first.map_or(Id::Row("check"), |field| Id::Field(field.id));
        self.form.go_to(first);
    }

    /// Fills the fields anew, and shows what they come to.
    pub(super) fn refresh(&mut self, seen: &SeatView<'_>) {
        self.fill(seen);
        self.lay_out(seen);
    }

    /// Fills the fields: from the sheet, with what they begin with, as the clock and the call have them, then
    /// as a person gave them; and says what the rules have against it.
    fn fill(&mut self, seen: &SeatView<'_>) {
        let fields = &mut self.fields;
        if fields.who.is_some_and(|id| seen.character(id).is_none()) {
            fields.who = None;
            self.begins = begins(fields.check, None, seen);
        }
        let before = self.begins.iter().chain(self.brought(seen));
        let before: Texts = before.cloned().collect();
        let fields = &mut self.fields;
        let mut refused = None;
        if let Some(kind) = self.group {
            let without: Vec<CharacterId> = self.turned.iter().copied().collect();
            let said = before.into_iter().chain(fields.given.iter().cloned());
            let said = said.filter(|(id, _)| fields.check.field(id).is_some());
            let said: Texts = said.collect();
            let found = seen.group(fields.check, kind, &said, &without);
            self.pick = found.map_err(|refusal| refused = Some(refusal)).ok();
            fields.filled = match &self.pick {
                Some(pick) => {
                    fields.who = Some(pick.who);
                    pick.filled.clone()
                }
                None => seen.fill(fields.check, fields.who),
            };
        } else {
            fields.fill(seen.fill(fields.check, fields.who), &before, seen);
            let others = others(self.fields.who, seen);
            self.turned.retain(|id| others.contains(id));
            let helpers = self.helping();
            let fields = &mut self.fields;
            // They were all found just now.
            seen.help(&mut fields.filled, fields.who, &helpers).ok();
        }
        let against = |CheckFields { check, filled, .. }: &CheckFields| {
            if let Err(error) = filled.fields.complete() {
                return Some(error.to_string());
            }
            let prepared = check.prepare(&filled.fields, &seen.house);
            prepared.err().map(|Refused(why)| why)
        };
        let refused = refused.map(|refusal| refusal.to_string());
        self.fields.against = refused.or_else(|| against(&self.fields));
    }

    /// What another could try may be forbidden to this one: a scale then begins at the highest step that
    /// the rules allow (Friday Night Dungeon: one above the competence).
    fn fit_begins(&mut self, seen: &SeatView<'_>) {
        for place in 0..self.begins.len() {
            let (id, text) = self.begins[place].clone();
            let Some(Kind::Word(words)) = self.fields.check.field(&id).map(|field| field.kind)
            else {
                continue;
            };
            let lower = words.iter().take_while(|word| **word != text);
            let lower: Vec<&str> = lower.copied().collect();
            for word in lower.into_iter().rev() {
                if self.fields.against.is_none() {
                    return;
                }
                word.clone_into(&mut self.begins[place].1);
                self.fill(seen);
            }
            if self.fields.against.is_some() {
                self.begins[place].1 = text;
                self.fill(seen);
            }
        }
    }

    fn lay_out(&mut self, seen: &SeatView<'_>) {
        let rows = self.rows(seen);
        self.form.lay_out(rows);
        let against = || self.fields.against.clone();
        self.form.problem = self.refused.clone().or_else(against);
    }

    /// Says why it was refused.
    pub(super) fn refuse(&mut self, why: &str) {
        self.refused = Some(why.to_owned());
        self.form.problem = self.refused.clone();
    }

    /// Handles what a person did.
    pub(super) fn handle(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> Went {
        self.refused = None;
        let went = self.form.handle(event);
        self.fields.take(went, &mut self.form, seen);
        if let (Went::Stepped(by), Some(id)) = (went, self.form.focused()) {
            self.step(id, by, seen);
        }
        if went != Went::On {
            self.fill(seen);
        }
        self.lay_out(seen);
        went
    }

    fn step(&mut self, id: Id, by: i32, seen: &SeatView<'_>) {
        match id {
            Id::Row("who") => self.step_who(by, seen),
            Id::Row("check") => self.step_check(by, seen),
            Id::Row("helpers") => {
                let mut rows = self.form.rows.iter().map(|row| row.id);
                if let Some(first) = rows.find(|id| matches!(id, Id::Nth("helper", _))) {
                    self.form.go_to(first);
                }
            }
            Id::Nth("helper", id) => {
                if !self.turned.remove(&CharacterId(id)) {
                    self.turned.insert(CharacterId(id));
                }
                // What help brings is not what was given by hand before.
                let check = self.fields.check;
                self.fields.given.retain(|(id, _)| {
                    let field = check.field(id);
                    field.is_none_or(|field| !is_raised_by_help(field))
                });
            }
            Id::Field(id) => {
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

    fn step_who(&mut self, by: i32, seen: &SeatView<'_>) {
        let check = self.fields.check;
        let known = makers(check, seen);
        let now = (self.group, self.fields.who.filter(|_| self.group.is_none()));
        let at = known.iter().position(|one| *one == now).unwrap_or(0);
        let (group, who) = known[around(at, by, known.len())];
        if group.is_some() != self.group.is_some() {
            self.turned.clear();
        }
        self.group = group;
        // A group begins with what this one picked last.
        self.fields.who = who.or_else(|| self.fields.who.filter(|_| group.is_some()));
        // What was said of one character's sheet is not true of another's; a name is meant for all.
        self.fields.given.retain(|(id, text)| {
            let for_all = |field: &Field| group.is_some() && field.parse(text).is_err();
            let field = check.field(id);
            field.is_none_or(|field| is_of_the_table(field) || for_all(field))
        });
        // Whoever rolls for all who are called goes from one to the next.
        let call = roll_requests::to_answer(seen).find(|call| Some(call.who) == who);
        let call = call.filter(|_| group.is_none() && self.fields.given.is_empty());
        if let Some(check) = call.and_then(|call| seen.system().check(&call.check).ok()) {
            self.fields.check = check;
        }
        self.turn(seen);
    }

    /// Takes the next check, or the one before.
    pub(super) fn step_check(&mut self, by: i32, seen: &SeatView<'_>) {
        self.refused = None;
        let checks = seen.system().spec().checks;
        let at = checks.iter().position(|check| *check == self.fields.check);
        if let Some(check) = checks.get(around(at.unwrap_or(0), by, checks.len())) {
            self.fields.check = check;
            self.group = self.group.filter(|_| check.has_success);
            self.turn(seen);
        }
    }

    /// Steps who sees it, by its key: the focus goes to where players are picked.
    pub(super) fn step_closed(&mut self, seen: &SeatView<'_>) {
        let form = &mut self.form;
        let place = form.place();
        form.go_to("closed");
        form.handle(&DialogEvent::Action(Action::Raise));
        let closed = form.place();
        self.lay_out(seen);
        let is_picked = self.form.choice("closed") == rows::TO_SOME;
        self.form
            .focus_on(if is_picked { closed + 1 } else { place });
    }

    /// Whether what has the focus may be turned with the key for yes and no.
    pub(super) fn is_turned(&self) -> bool {
        match self.form.focused() {
            Some(Id::Field(id)) => {
                let field = self.fields.check.field(id);
                field.is_some_and(|field| field.kind == Kind::Flag)
            }
            Some(Id::Row("who" | "check")) => false,
            _ => true,
        }
    }

    /// Who helps with the check as it stands.
    fn helping(&self) -> Vec<CharacterId> {
        match (self.group, &self.pick) {
            (Some(_), Some(pick)) => pick.helpers.clone(),
            (None, _) if self.fields.check.helping.is_some() => {
                self.turned.iter().copied().collect()
            }
            _ => Vec::new(),
        }
    }

    /// What is wrong with a field: with what is typed there, or with what it would spend.
    fn too_much(&self, field: &Field, seen: &SeatView<'_>) -> Option<String> {
        let needs = self.fields.filled.fields.maybe_number(field.id)?;
        let (kind, who) = (field.spends?, seen.character(self.fields.who?)?);
        let has = seen.pool_of(kind, Some(who.id))?.tokens.max(0);
        (needs > has).then(|| format!("{} has {}", who.name, kind.words(has)))
    }

    /// The check, ready to be made; `None` if something stands against it, and the form says what.
    pub(super) fn command(&mut self, seen: &SeatView<'_>) -> Option<RollCommand> {
        let mut rows = self.form.rows.iter();
        if let Some(wrong) = rows.position(|row| row.problem.is_some()) {
            self.form.focus_on(wrong);
            return None;
        }
        let hidden_from = self.hidden_from(seen);
        if hidden_from.is_empty() && self.form.choice("closed") == rows::TO_SOME {
            self.form.go_to("closed");
            let words = "nobody is named from whom it is hidden: pick a player, or close it to all";
            self.refuse(words);
            return None;
        }
        if self.fields.against.is_some() {
            return None;
        }
        let CheckFields { check, filled, .. } = &self.fields;
        // Those who lend a value of their own sheets help.
        let lent = check
            .fields
            .iter()
            .filter(|field| field.whose == Whose::Helper);
        let lent = lent.filter_map(|field| filled.source(field.id)?.owner());
        let helpers: BTreeSet<CharacterId> = self.helping().into_iter().chain(lent).collect();
        Some(RollCommand {
            who: self.fields.who,
            filled: filled.clone(),
            faces: Faces::Rolled,
            choose: Vec::new(),
            by: by(seen),
            wait: true,
            noticed: self.form.choice("noticed") == 1 && !hidden_from.is_empty(),
            hidden_from,
            clock: self.clock(seen),
            helpers: helpers.into_iter().collect(),
            group: self.group == Some(GroupKind::Worst),
        })
    }
}

/// Who answers from this seat.
pub(super) fn by(seen: &SeatView<'_>) -> ChosenBy {
    match seen.seat().role {
        Role::Gm => ChosenBy::Gm,
        Role::Player | Role::Watcher => ChosenBy::Player,
    }
}

/// Whether naming helpers fills in that field.
fn is_raised_by_help(field: &Field) -> bool {
    matches!(field.id, "helped" | "aided" | "group") || field.whose == Whose::Helper
}

fn is_of_the_table(field: &Field) -> bool {
    matches!(field.source, Source::Table)
}
