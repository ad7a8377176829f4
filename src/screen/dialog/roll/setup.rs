//! A check being set up: who makes it, which, with what values, for which clock, before whose eyes.

mod fill;
mod people;
mod rows;

use std::collections::BTreeSet;

use self::people::{Group, Maker};
use super::amend::Again;
use super::by;
use super::value::{self, Given};
use crate::rules::{CheckSpec, Field, Fields, Kind, Preset, Source, Value, Whose};
use crate::screen::dialog::DialogEvent;
use crate::screen::dialog::form::{Form, Id, Went, around};
use crate::screen::roll_requests;
use crate::session::{
    Call, CallId, CharacterId, Clock, ClockId, Faces, Filled, GroupKind, Roll, RollCommand, Who,
};
use crate::table::SeatView;

/// Who may not see a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Closed {
    /// Nobody: it is open.
    Open,
    /// No player sees it.
    All,
    /// These players do not, and those who are typed beneath.
    To(BTreeSet<String>),
}

/// A check being set up. What a person decided is kept here; the form shows what it comes to.
#[derive(Debug)]
pub(super) struct Setup {
    /// Who makes it; for a group the one who was found.
    pub(super) who: Option<CharacterId>,
    pub(super) check: &'static CheckSpec,
    /// The values as they would be rolled.
    pub(super) filled: Filled,
    /// What a person decided, kept while checks are looked through.
    pub(super) given: Vec<(&'static str, Given)>,
    /// What open fields began with; it does not change under anybody's fingers.
    starts: Vec<(&'static str, Value)>,
    /// What the character picked from the own sheet the last time.
    usual: Vec<(&'static Field, String)>,
    /// Who rolls for all, if one does.
    pub(super) group: Option<Group>,
    helpers: BTreeSet<CharacterId>,
    clock: Option<ClockId>,
    pub(super) closed: Closed,
    /// Whether those who do not see it see that something was rolled.
    noticed: bool,
    /// The roll that is read again.
    pub(super) again: Option<Again>,
    /// The call that it answers.
    pub(super) call: Option<CallId>,
    pub(super) form: Form,
    /// What the rules say against the check as it stands.
    problem: Option<String>,
    /// Why it was refused, until something is done about it.
    pub(super) refused: Option<String>,
}

impl Setup {
    /// That check by that character.
    pub(super) fn new(
        who: Option<CharacterId>,
        check: &'static CheckSpec,
        seen: &SeatView<'_>,
    ) -> Self {
        let mut setup = Self {
            who,
            check,
            filled: seen.fill(check, who),
            given: Vec::new(),
            starts: Vec::new(),
            usual: Vec::new(),
            group: None,
            helpers: BTreeSet::new(),
            clock: None,
            closed: Closed::Open,
            noticed: false,
            again: None,
            call: None,
            form: Form::new("", Vec::new()),
            problem: None,
            refused: None,
        };
        setup.turn(seen);
        setup.begin(seen);
        setup
    }

    /// The same check as that one was.
    pub(super) fn repeat(roll: &Roll, seen: &SeatView<'_>) -> Option<Self> {
        let check = roll.spec(seen.system()).ok()?;
        let who = roll.id.filter(|id| seen.character(*id).is_some());
        let mut setup = Self::new(who, check, seen);
        for (id, value) in &roll.fields {
            let Some(field) = check.field(id) else {
                continue;
            };
            if !roll.helpers.is_empty() && people::is_raised_by_help(field) {
                continue;
            }
            let source = roll.sources.iter().find(|(known, _)| known == id);
            let given = match source {
                // What came from the sheet comes from it as it is today.
                Some((_, source)) if seen.picks(who, field).contains(&source.to_string()) => {
                    Given::Pick(source.to_string())
                }
                Some(_) if setup.filled.source(id).is_some() => continue,
                _ => Given::Value(value.clone()),
            };
            setup.put(field, given);
        }
        setup.clock = roll.clock.filter(|id| seen.clock(*id).is_some());
        setup.closed = match roll.hidden_from.as_slice() {
            [] => Closed::Open,
            names if names.iter().any(|name| name == "*") => Closed::All,
            names => {
                let players = people::players(seen);
                let (known, others): (BTreeSet<String>, Vec<String>) = {
                    let all = names.iter().cloned();
                    let (known, others) = all.partition::<Vec<_>, _>(|name| players.contains(name));
                    (known.into_iter().collect(), others)
                };
                setup.form.rows.push(rows::others(&others.join(", ")));
                Closed::To(known)
            }
        };
        setup.noticed = roll.noticed;
        let helpers = roll.helpers.iter();
        let helpers = helpers.filter_map(|helper| seen.character(helper.id));
        setup.helpers = helpers.map(|helper| helper.id).collect();
        setup.refresh(seen);
        Some(setup)
    }

    /// The check that is called for.
    pub(super) fn called(call: &Call, seen: &SeatView<'_>) -> Option<Self> {
        let check = seen.system().check(&call.check).ok()?;
        let mut setup = Self::new(Some(call.who), check, seen);
        setup.answer(call, seen);
        setup.begin(seen);
        Some(setup)
    }

    /// The check that fills that clock, by the one who always rolls it or else by that character.
    pub(super) fn for_clock(
        clock: &Clock,
        who: Option<CharacterId>,
        seen: &SeatView<'_>,
    ) -> Option<Self> {
        let attached = clock.check.as_ref()?;
        let check = seen.system().check(&attached.check).ok()?;
        let mut setup = Self::new(attached.who.or(who), check, seen);
        setup.put_all(&attached.fields);
        setup.clock = Some(clock.id);
        setup.refresh(seen);
        setup.begin(seen);
        Some(setup)
    }

    /// Takes up what that call gives.
    fn answer(&mut self, call: &Call, seen: &SeatView<'_>) {
        self.call = Some(call.id);
        self.group = None;
        self.given.clear();
        self.put_all(&call.fields);
        let known = |id: &CharacterId| seen.character(*id).is_some();
        self.helpers = call.helpers.iter().copied().filter(known).collect();
        self.refresh(seen);
    }

    /// Takes up the call that the character in hand has, if nobody decided anything else yet: whoever
    /// rolls for all who are called goes from one to the next.
    fn take_up_call(&mut self, seen: &SeatView<'_>) {
        let was_called = self.call.take().is_some();
        let call = roll_requests::to_answer(seen).find(|call| Some(call.who) == self.who);
        let Some(call) = call.filter(|_| was_called || self.given.is_empty()) else {
            return;
        };
        if let Ok(check) = seen.system().check(&call.check) {
            self.check = check;
            self.turn(seen);
            self.answer(call, seen);
        }
    }

    /// Gives a field before anybody looks at it.
    fn put(&mut self, field: &'static Field, given: Given) {
        if matches!(field.kind, Kind::Text) {
            self.form.forget(Id::Field(field.id));
        }
        self.given.push((field.id, given));
    }

    /// Gives fields as a person wrote them: by value, or by a name from a sheet.
    fn put_all(&mut self, fields: &[(String, String)]) {
        for (id, given) in fields {
            if let Some(field) = self.check.field(id) {
                let value = field.parse(given).ok();
                let given = value.map_or_else(|| Given::Pick(given.clone()), Given::Value);
                self.put(field, given);
            }
        }
    }

    /// Goes to where a person begins: the first field that no sheet knows, else the first that is picked
    /// by name.
    fn begin(&mut self, seen: &SeatView<'_>) {
        let offered = seen.fill(self.check, self.who);
        let mut open = self.check.fields.iter().filter(|field| {
            offered.fields.value(field.id).is_none()
                && !matches!(field.preset, Preset::House(..))
                && !self.is_given(field.id)
        });
        let mut picked = self.check.fields.iter().filter(|field| {
            field.whose == Whose::Own
                && !seen.picks(self.who, field).is_empty()
                && !self.is_given(field.id)
        });
        let begin = open.next().or_else(|| picked.next());
        let begin = begin.map(|field| Id::Field(field.id));
        self.form.go_to(begin.unwrap_or(Id::Row("check")));
    }

    /// Forgets what fields begin with: the values of a roll are there already.
    pub(super) fn forget_starts(&mut self) {
        self.starts.clear();
        self.usual.clear();
    }

    /// Takes up the check anew: another one, or another character's.
    fn turn(&mut self, seen: &SeatView<'_>) {
        self.form.untype(|_| true);
        self.starts = value::starts(self.check, self.who, seen);
        self.usual = value::usual_picks(self.check, self.who, seen);
        self.fill(seen);
        self.fit_starts(seen);
        let focused = self.form.focused();
        self.lay_out(seen);
        if self.form.focused() != focused {
            self.begin(seen);
        }
    }

    /// Fills the fields anew, and shows what they come to.
    pub(super) fn refresh(&mut self, seen: &SeatView<'_>) {
        self.fill(seen);
        self.lay_out(seen);
    }

    pub(super) fn lay_out(&mut self, seen: &SeatView<'_>) {
        let rows = self.rows(seen);
        self.form.lay_out(rows);
        self.say();
    }

    /// Says what stands against the check: what the table said, else what the rules say.
    fn say(&mut self) {
        self.form.problem = self.refused.clone().or_else(|| self.problem.clone());
    }

    /// Takes in why it was refused.
    pub(super) fn refuse(&mut self, why: Option<String>) {
        self.refused = why;
        self.say();
    }

    /// Handles what a person did.
    pub(super) fn handle(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> Went {
        self.refused = None;
        let went = self.form.handle(event);
        match (went, self.form.focused()) {
            (Went::Stepped(by), Some(id)) => self.step(id, by, seen),
            (Went::Changed, Some(Id::Field(id))) => self.read_typed(id, seen),
            _ => {}
        }
        if went != Went::On {
            self.fill(seen);
        }
        self.lay_out(seen);
        went
    }

    /// Takes what was typed over a value, as far as it is understood.
    fn read_typed(&mut self, id: &'static str, seen: &SeatView<'_>) {
        let typed = self.form.typed(Id::Field(id)).map(str::to_owned);
        let Some((field, typed)) = self.check.field(id).zip(typed) else {
            return;
        };
        if let Ok(value) = value::read(field, &typed) {
            self.give(field, Given::Value(value), seen);
        } else if typed.is_empty() && field.preset_value().is_none() && field.excludes.is_some() {
            self.give(field, Given::Nothing, seen);
        }
    }

    fn give(&mut self, field: &'static Field, given: Given, seen: &SeatView<'_>) {
        let id = field.id;
        self.given.retain(|(known, _)| *known != id);
        let optional = field.excludes.and_then(|other| self.check.field(other));
        if let Some(other) = optional.filter(|other| other.preset_value().is_none()) {
            self.given.retain(|(known, _)| *known != other.id);
            self.form.untype(|id| id == Id::Field(other.id));
            self.filled.fields.clear(other.id);
        }
        // A value that the sheet gives anyway is the sheet's again, and says so.
        self.fill(seen);
        let own = self.filled.fields.value(id).cloned().map(Given::Value);
        if own.as_ref() != Some(&given) || self.filled.source(id).is_none() {
            self.given.push((id, given));
        }
    }

    /// Whether what has the focus is turned on or off.
    pub(super) fn is_yes_or_no(&self) -> bool {
        match self.form.focused() {
            Some(Id::Field(id)) => {
                let field = self.check.field(id);
                field.is_some_and(|field| matches!(field.kind, Kind::Flag))
            }
            Some(Id::Row(row)) => matches!(row, "helpers" | "noticed"),
            Some(Id::Nth(row, _)) => matches!(row, "helper" | "player"),
            Some(Id::Outcome(_) | Id::Seat(_)) | None => false,
        }
    }

    fn step(&mut self, id: Id, by: i32, seen: &SeatView<'_>) {
        match id {
            Id::Row("who") => self.step_who(by, seen),
            Id::Row("check") => self.step_check(by, seen),
            Id::Field(id) => self.step_field(id, by, seen),
            Id::Row("helpers") => {
                let is_helper = |id: &Id| matches!(id, Id::Nth("helper", _));
                let mut helpers = self.form.rows.iter().map(|row| row.id);
                if let Some(first) = helpers.find(is_helper) {
                    self.form.go_to(first);
                }
            }
            Id::Nth("helper", id) => self.turn_helper(CharacterId(id)),
            Id::Nth("answer", place) => {
                if let Some(again) = &mut self.again {
                    again.step(place, by);
                }
            }
            Id::Row("clock") => {
                let known = clocks(seen).map(Some);
                let known: Vec<Option<ClockId>> = [None].into_iter().chain(known).collect();
                let at = known.iter().position(|id| *id == self.clock).unwrap_or(0);
                let next = known.get(around(at, by, known.len()));
                self.clock = next.copied().flatten();
            }
            Id::Row("closed") => self.step_closed(by),
            Id::Row("noticed") => self.noticed = !self.noticed,
            Id::Nth("player", place) => {
                let mut players = people::players(seen).into_iter().zip(0..);
                let player = players.find(|(_, at)| *at == place);
                if let (Closed::To(names), Some((name, _))) = (&mut self.closed, player)
                    && !names.remove(&name)
                {
                    names.insert(name);
                }
            }
            _ => {}
        }
    }

    fn step_who(&mut self, by: i32, seen: &SeatView<'_>) {
        let known = people::makers(self.check, seen);
        let now = match &self.group {
            Some(group) => Maker::All(group.kind),
            None => self.who.map_or(Maker::Nobody, Maker::One),
        };
        let at = known.iter().position(|one| *one == now).unwrap_or(0);
        let next = known.get(around(at, by, known.len())).copied();
        if let Some(Maker::All(kind)) = next {
            self.gather(kind, seen);
            self.call = None;
            return self.turn(seen);
        }
        self.group = None;
        self.who = match next {
            Some(Maker::One(id)) => Some(id),
            Some(Maker::Nobody | Maker::All(_)) | None => None,
        };
        // What was said of one character's sheet is not true of another's.
        let check = self.check;
        self.given.retain(|(id, _)| {
            let field = check.field(id);
            field.is_none_or(|field| matches!(field.source, Source::Table))
        });
        if let Some(who) = self.who {
            self.helpers.remove(&who);
        }
        self.turn(seen);
        self.take_up_call(seen);
    }

    /// Takes the next check, or the one before.
    pub(super) fn step_check(&mut self, by: i32, seen: &SeatView<'_>) {
        let checks = seen.system().spec().checks;
        let at = checks.iter().position(|check| *check == self.check);
        if let Some(check) = checks.get(around(at.unwrap_or(0), by, checks.len())) {
            self.check = check;
            if !check.has_success {
                self.group = None;
            }
            self.turn(seen);
        }
    }

    fn step_field(&mut self, id: &'static str, by: i32, seen: &SeatView<'_>) {
        let Some(field) = self.check.field(id) else {
            return;
        };
        if self.helpers_are_sent_away(field) {
            return;
        }
        let step = |by| value::step(field, by, (&self.filled, self.is_given(id)), self.who, seen);
        // Nothing at all would be the helper's again: that step leads on to the next name.
        let nothing = field.preset_value().map(Given::Value);
        let is_lent = field.whose == Whose::Helper && !self.helpers.is_empty();
        let given = match step(by) {
            given if is_lent && given == nothing => step(2 * by),
            given => given,
        };
        if let Some(given) = given {
            self.give(field, given, seen);
        }
    }

    /// Steps through open, closed to all, and closed to some.
    fn step_closed(&mut self, by: i32) {
        let mut ways = [Closed::Open, Closed::All, Closed::To(BTreeSet::new())];
        let same = std::mem::discriminant(&self.closed);
        let at = ways
            .iter()
            .position(|way| std::mem::discriminant(way) == same);
        let next = around(at.unwrap_or(0), by, ways.len());
        ways.swap(0, next);
        [self.closed, ..] = ways;
    }

    /// The same by its key: the focus goes to where players are picked.
    pub(super) fn turn_closed(&mut self, seen: &SeatView<'_>) {
        self.step_closed(1);
        self.lay_out(seen);
        if matches!(self.closed, Closed::To(_)) {
            let is_closed = |id: Id| id == "closed".into();
            let place = self.form.rows.iter().position(|row| is_closed(row.id));
            self.form.focus_on(place.map_or(0, |place| place + 1));
        }
    }

    /// From whom it is hidden.
    fn hidden_from(&self) -> Vec<String> {
        match &self.closed {
            Closed::Open => Vec::new(),
            Closed::All => vec!["*".to_owned()],
            Closed::To(names) => {
                let typed = self.form.text("others");
                let typed = typed.split(',').map(str::trim);
                let typed = typed.filter(|name| !name.is_empty());
                let all = names.iter().map(String::as_str).chain(typed);
                let all: BTreeSet<&str> = all.collect();
                all.into_iter().map(str::to_owned).collect()
            }
        }
    }

    /// Whether a person decided that field.
    fn is_given(&self, id: &str) -> bool {
        self.given.iter().any(|(known, _)| *known == id)
    }

    pub(super) fn fields(&self) -> &Fields {
        &self.filled.fields
    }

    /// The check, ready to be made; `None` if something stands against it, and the form says what.
    pub(super) fn command(&mut self, faces: Faces, seen: &SeatView<'_>) -> Option<RollCommand> {
        let is_begun = |field: &Field| {
            let typed = self.form.typed(Id::Field(field.id));
            typed.is_some_and(|typed| value::read(field, typed).is_err())
        };
        let mut fields = self.check.fields.iter();
        let wrong =
            fields.find(|field| is_begun(field) || self.field_problem(field, seen).is_some());
        if let Some(field) = wrong {
            self.form.go_to(Id::Field(field.id));
            return None;
        }
        self.problem = self.wrong(seen);
        if self.problem.is_some() {
            self.say();
            return None;
        }
        let hidden_from = self.hidden_from();
        if hidden_from.is_empty() && self.closed != Closed::Open {
            self.form.go_to("closed");
            let words = "nobody is named from whom it is hidden: pick a player, or close it to all";
            self.refuse(Some(words.to_owned()));
            return None;
        }
        let helpers = self.helping().into_iter().chain(self.lent(seen));
        let helpers = helpers.collect::<BTreeSet<_>>();
        let group = self.group.as_ref().map(|group| group.kind);
        Some(RollCommand {
            who: self.who.map_or(Who::Nobody, Who::Character),
            fields: self.filled.fields.clone(),
            sources: self.filled.sources.clone(),
            faces,
            choose: Vec::new(),
            by: by(seen),
            wait: true,
            noticed: self.noticed && !hidden_from.is_empty(),
            hidden_from,
            clock: self.clock.filter(|id| seen.clock(*id).is_some()),
            helpers: helpers.into_iter().collect(),
            group: group == Some(GroupKind::Worst),
        })
    }
}

/// The clocks that a check may be for.
fn clocks<'a>(seen: &'a SeatView<'_>) -> impl Iterator<Item = ClockId> + 'a {
    let own = seen.clocks().filter(|seen| seen.clock.rule.is_none());
    own.map(|seen| seen.clock.id)
}
