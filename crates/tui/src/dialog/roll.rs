//! The roll dialog: a check is set up, rolled, answered, and read.

mod amend;
mod chances;
mod choice;
mod faces;
mod opponent;
mod rows;
mod setup;
mod typed;

use std::collections::BTreeSet;

pub use amend::AmendDialog;
pub use chances::{GainAnswer, GainQuestion};
pub(super) use faces::FacesDialog;

use self::chances::Chances;
use self::choice::Waiting;
use self::opponent::default_opponent;
use self::setup::is_raised_by_help;
use self::typed::Typed;
use crate::app::offered::is_own;
use crate::app::roll_requests;
use crate::dialog::check_form::{CheckFields, Texts};
use crate::dialog::explain::ExplainDialog;
use crate::dialog::follow_ups::OfferedCheck;
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, FormResult, RowId,
};
use crate::{Action, Context};
use tableside_game::{
    CallId, CharacterId, ClockId, Command, EventKind, GroupKind, GroupPick, Roll, Tested,
    Unfinished, UnfinishedId, opponent_of,
};
use tableside_rules::{CheckSpec, ChosenBy, Field, ValueSource, Whose};
use tableside_table::{Act, Entry, SeatRole, SeatView};

const HINTS: &[Action] = {
    use Action::{ByHand, Closed, Lower, NextCheck, PreviousCheck, Raise, RollNow, Submit};
    &[
        RollNow,
        Submit,
        Lower,
        Raise,
        PreviousCheck,
        NextCheck,
        ByHand,
        Closed,
    ]
};

/// A check being set up. What stands in the rows for the clock and for who sees it is kept by the form.
pub struct RollDialog {
    /// Who makes it, for a group the one who was found; which check, and its values.
    fields: CheckFields,
    /// What fields begin with; it does not change under anybody's fingers.
    begins: Texts,
    /// Whether one rolls for all, and who was found.
    group: Option<GroupKind>,
    pick: Option<GroupPick>,
    /// Whom it is against, where the other side's values come from a sheet.
    opponent: Option<CharacterId>,
    /// Who helps; in a group who stays out.
    turned: BTreeSet<CharacterId>,
    /// The clock, who may not see it, and whether they see that something is rolled: as it opens.
    clock: Option<ClockId>,
    hidden: Vec<String>,
    noticed: bool,
    /// Whether what is changed seldom is shown, too.
    is_unfolded: bool,
    typed: Typed,
    /// The faces of dice that fell already, as they are typed.
    faces: String,
    chances: Chances,
}

impl RollDialog {
    fn new(who: Option<CharacterId>, check: &'static CheckSpec, view: &SeatView<'_>) -> Self {
        Self {
            fields: CheckFields::new(check, who, view.fill(check, who)),
            begins: Vec::new(),
            group: None,
            pick: None,
            opponent: default_opponent(check, who, view),
            turned: BTreeSet::new(),
            clock: None,
            hidden: Vec::new(),
            noticed: false,
            is_unfolded: false,
            typed: Typed::default(),
            faces: String::new(),
            chances: Chances::default(),
        }
    }

    fn opened(mut self, by_hand: bool, view: &SeatView<'_>) -> Dialog {
        let mut form = Form::default().with_context(Context::Roll, HINTS);
        (form.by_hand, form.leads) = (by_hand, true);
        self.take_up(&mut form, view);
        Dialog::new(form, self, view)
    }

    /// Opens it on that character, or on the check that waits for that one or is called for.
    ///
    /// # Panics
    /// When the system has no check; every system has.
    pub fn open(who: Option<CharacterId>, view: &SeatView<'_>) -> Dialog {
        let mut own = view.unfinished().filter(|one| one.roll.id.is_some());
        let waiting = own.find(|one| one.roll.id == who);
        if let Some(waiting) = waiting.and_then(|waiting| Self::resume(waiting.id, view)) {
            return waiting;
        }
        let called = roll_requests::to_answer(view).find(|call| who == Some(call.who));
        let called = called.and_then(|call| Self::for_call(call.id, view));
        let standing = who.and_then(|id| view.standing_of(view.character(id)?));
        let asked = standing.and_then(|standing| view.system().check(standing.check).ok());
        let mut checks = view.system().spec().checks.iter();
        let first = asked.or_else(|| checks.next().copied());
        let first = first.expect("every system has a check");
        let opened = called.unwrap_or_else(|| Self::new(who, first, view));
        opened.opened(false, view)
    }

    /// Opens the check that somebody is called on to make.
    pub fn called(call: CallId, view: &SeatView<'_>) -> Option<Dialog> {
        Some(Self::for_call(call, view)?.opened(false, view))
    }

    fn for_call(call: CallId, view: &SeatView<'_>) -> Option<Self> {
        let call = view.call(call)?;
        let check = view.system().check(&call.check).ok()?;
        Some(Self::new(Some(call.who), check, view))
    }

    /// Opens the check that is called for next, else a new one by that character.
    pub(super) fn next(who: Option<CharacterId>, by_hand: bool, view: &SeatView<'_>) -> Dialog {
        let called = roll_requests::to_answer(view).next();
        let called = called.and_then(|call| Self::called(call.id, view));
        let mut next = called.unwrap_or_else(|| Self::open(who, view));
        next.form.by_hand |= by_hand;
        next
    }

    /// Opens what a check that this seat sees waits for: a choice or dice.
    pub fn resume(check: UnfinishedId, view: &SeatView<'_>) -> Option<Dialog> {
        let waiting = view.unfinished().find(|waiting| waiting.id == check)?;
        Waiting::open(waiting, view).or_else(|| {
            let (roll, faces) = (&waiting.roll, Vec::new());
            let act = Command::TypeFaces { check, faces }.into();
            let fields = roll.all_fields(view.system()).ok()?;
            let (title, trail) = (roll_title(roll, view), roll.trail.clone());
            FacesDialog::ask(title, &act, trail, (&fields, &roll.house), Some(waiting))
        })
    }

    /// Opens the same check as that entry of the log was.
    pub fn again(entry: u64, by_hand: bool, view: &SeatView<'_>) -> Option<Dialog> {
        let roll = view.entry(entry)?;
        Some(Self::like(roll.roll()?, view)?.opened(by_hand, view))
    }

    /// Opens a check that is made ready: by hand with its faces, or without any yet; else its dice are rolled.
    pub fn prepared(roll: &Roll, faces: Option<String>, view: &SeatView<'_>) -> Option<Dialog> {
        let (mut setup, by_hand) = (Self::like(roll, view)?, faces.is_some());
        setup.faces = faces.unwrap_or_default();
        Some(setup.opened(by_hand, view))
    }

    /// Opens the check that fills that clock, if one does, by the one who always rolls it or else by that
    /// character.
    pub fn for_clock(
        clock: ClockId,
        who: Option<CharacterId>,
        view: &SeatView<'_>,
    ) -> Option<Dialog> {
        let rolled_for = view.clock(clock)?.clock;
        let attached = rolled_for.check.as_ref()?;
        let check = view.system().check(&attached.check).ok()?;
        let usual = attached.who.or(rolled_for.owner);
        let usual = usual.filter(|who| is_own(Some(*who), false, view));
        let setup = Self::new(usual.or(who), check, view);
        let clock = Some(clock);
        Some(Self { clock, ..setup }.opened(false, view))
    }

    /// Opens a check that a roll offers; it is as closed as that one.
    pub(super) fn offered(
        offer: &OfferedCheck,
        roll: &Roll,
        by_hand: bool,
        view: &SeatView<'_>,
    ) -> Dialog {
        let mut setup = Self::new(offer.who, offer.check, view);
        // What it leads to is between the same two.
        let other = match roll.spec(view.system()) {
            Ok(check) if offer.who == roll.id => opponent_of(check, &roll.sources),
            _ => roll.id,
        };
        let other = other.filter(|id| view.character(*id).is_some());
        setup.opponent = other.or(setup.opponent);
        setup.fields.given.clone_from(&offer.with);
        setup.hidden.clone_from(&roll.hidden_from);
        setup.noticed = roll.noticed;
        setup.opened(by_hand, view)
    }

    /// The same check as that one was.
    fn like(roll: &Roll, view: &SeatView<'_>) -> Option<Self> {
        let check = roll.spec(view.system()).ok()?;
        let who = roll.id.filter(|id| view.character(*id).is_some());
        let mut setup = Self::new(who, check, view);
        let opponent = opponent_of(check, &roll.sources);
        setup.opponent = opponent.filter(|id| view.character(*id).is_some());
        for (id, value) in &roll.fields {
            let field = check.field(id);
            let by_help = |field: &&Field| !roll.helpers.is_empty() && is_raised_by_help(field);
            let Some(field) = field.filter(|field| !by_help(field)) else {
                continue;
            };
            let name = roll.sources.get(id).map(ToString::to_string);
            let text = match name {
                // What came from the sheet or the clock comes from it as it is today.
                Some(name) if view.picks(who, field).contains(&name) => name,
                Some(_) if setup.fields.filled.source(id).is_some() => continue,
                None if field.source == ValueSource::Clock && roll.clock.is_some() => continue,
                Some(_) if field.whose == Whose::Opponent && setup.opponent.is_some() => continue,
                _ => value.to_string(),
            };
            setup.fields.given.push((id.clone(), text));
        }
        setup.clock = roll.clock;
        setup.hidden.clone_from(&roll.hidden_from);
        setup.noticed = roll.noticed;
        setup.turned = roll.helpers.iter().map(|helper| helper.id).collect();
        Some(setup)
    }

    /// How it is rolled, if that is not as usual.
    fn note(&self, form: &Form) -> String {
        let words = [
            form.call.is_some().then_some("called for"),
            self.group.is_some().then_some("for all"),
            (form.choice("closed") > 0).then_some("closed"),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl DialogSpec for RollDialog {
    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        if let DialogEvent::Key(key) = event
            && let Some(letter) = key.letter().filter(|letter| letter.is_alphabetic())
            && !form.takes_letters()
        {
            self.type_letter(letter, form, view);
            form.problem = None;
            return Some(DialogAction::Stay);
        }
        // What is typed next begins a word.
        self.typed = Typed::default();
        let action = event.try_as_action_ref()?;
        match action {
            Action::PreviousCheck => self.step_check(-1, form, view),
            Action::NextCheck => self.step_check(1, form, view),
            Action::Closed if view.role() == SeatRole::Gm => self.step_closed(form, view),
            Action::Toggle if !self.may_toggle(form) => {}
            _ => return None,
        }
        form.problem = None;
        Some(DialogAction::Stay)
    }

    fn take_input(&mut self, went: FormResult, form: &mut Form, view: &SeatView<'_>) {
        self.fields.take_input(went, form, view);
        if let (FormResult::Stepped(by), Some(id)) = (went, form.focused()) {
            self.step(id, by, form, view);
        }
    }

    /// Fills the fields anew, and shows what they come to.
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        self.is_unfolded |= form.focused() == Some(RowId::Row("more"));
        self.fill(form, view);
        self.lay_out(form, view);
        let tested = Tested::of(self.fields.check, &self.fields.filled.sources);
        let who = self.fields.who.and_then(|id| view.character(id));
        form.title = tested.title(who.map_or("", |who| &who.name));
        form.note = self.note(form);
        form.advice = self.fields.check.system.spec().when;
        let fields = self.fields.filled.fields.clone();
        self.chances.weigh(fields, &view.house);
    }

    /// Rolls; with real dice, their faces are asked for first.
    fn submit(&mut self, form: &mut Form, view: &SeatView<'_>) -> Result<DialogAction, String> {
        if let Some(against) = &self.fields.against {
            return Err(against.clone());
        }
        let command = self.command(form, view);
        let fields = command.filled.fields.clone();
        let act: Act = Command::Roll(Box::new(command)).into();
        let ask = || {
            let title = form.title.clone();
            let mut asked =
                FacesDialog::ask(title, &act, Vec::new(), (&fields, &view.house), None)?;
            asked.handle(&DialogEvent::Paste(self.faces.clone()), view);
            Some(asked)
        };
        let asked = form.by_hand.then(ask).flatten();
        Ok(submit(act, asked))
    }

    fn after_submit(
        &mut self,
        entry: &Entry,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<Dialog> {
        follow(entry, form.by_hand, view)
    }

    fn take_question(&mut self) -> Option<GainQuestion> {
        self.chances.take_question()
    }

    fn take_answer(&mut self, answer: GainAnswer) {
        self.chances.take_answer(answer);
    }

    fn blocks(&self, _form: &Form, _view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        self.chances.blocks(self.fields.check)
    }
}

/// Submits an act, or asks for its dice first.
pub(super) fn submit(act: Act, asked: Option<Dialog>) -> DialogAction {
    asked.map_or(DialogAction::Submit(act), |asked| {
        DialogAction::AskFirst(asked.into())
    })
}

/// Where a check stands after that entry.
fn follow(entry: &Entry, by_hand: bool, view: &SeatView<'_>) -> Option<Dialog> {
    match &entry.event.what {
        EventKind::Rolled(_) | EventKind::Amended { .. } | EventKind::Rerolled { .. } => {
            Some(ExplainDialog::open(entry.number, Some(by_hand), view))
        }
        EventKind::Incomplete(_) => RollDialog::resume(entry.waits()?, view),
        _ => None,
    }
}

/// Where a check stands that waited as it did until somebody did something; else it is set up again.
fn after_change(check: &Unfinished, by_hand: bool, view: &SeatView<'_>) -> Option<Dialog> {
    let entry = view.log().find(|entry| entry.waits() == Some(check.id));
    let next = entry.and_then(|entry| follow(&entry, by_hand, view));
    next.or_else(|| RollDialog::prepared(&check.roll, by_hand.then(String::new), view))
}

/// Who answers from this seat.
fn by(view: &SeatView<'_>) -> ChosenBy {
    match view.role() {
        SeatRole::Gm => ChosenBy::Gm,
        SeatRole::Player | SeatRole::Watcher => ChosenBy::Player,
    }
}

/// Who rolls and what is tested: `Mira · Locks`.
pub(super) fn roll_title(roll: &Roll, view: &SeatView<'_>) -> String {
    let tested = roll.tested(view.system());
    let who = roll.id.and_then(|id| view.character(id));
    tested.map_or_else(String::new, |tested| {
        tested.title(who.map_or("", |who| &who.name))
    })
}
