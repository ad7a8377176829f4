//! Dialogs: whatever opens over the table to ask for something, each with its own state.
//!
//! A dialog hears what a person does ([`Dialog::hear`]) and answers with a [`Reply`]; it never changes
//! the table itself. What came of what it asked for reaches it by [`Dialog::told`], and it stays open
//! with everything that was entered while the table says no.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::action::{Action, Context};
use super::widget::Look;
use crate::session::{CallId, CharacterId, ClockId, PoolId, Roll, UnfinishedId};
use crate::table::{Entry, Invited, SeatView};

mod amount;
mod award;
mod button_row;
mod call;
mod character;
mod clock;
mod conditions;
mod confirm;
mod duplicate;
mod entry;
mod explain;
mod filled;
mod forecast;
mod form;
mod given;
mod harm;
mod house;
mod invite;
mod link;
mod manner;
mod owner;
mod page;
mod pool;
mod prompt;
mod roll;
pub(super) mod roll_summary;
mod scenes;
mod scroll;
mod seats;
mod statistics;
mod transfer;
pub(super) mod typeahead;
pub(super) mod wrap;

#[cfg(test)]
mod tests;

pub use amount::AmountDialog;
pub use award::AwardForm;
pub use call::CallDialog;
pub use character::CharacterForm;
pub use clock::ClockForm;
pub use conditions::ConditionsForm;
pub use confirm::{Agreed, ConfirmDialog};
pub use duplicate::{Copied, CopiesDialog};
pub use explain::ExplainDialog;
pub use forecast::ForecastDialog;
pub use harm::{Harm, HarmForm};
pub use house::HouseForm;
pub use invite::InviteDialog;
pub use link::LinkForm;
use manner::Manner;
pub use manner::{DoorAct, Heard, Reply};
pub use pool::PoolForm;
pub use prompt::{PromptDialog, Prompted};
pub use roll::{AmendDialog, RollDialog, Worths, Worthwhile};
pub use scenes::{KeepForm, Marked, ScenesDialog};
pub use seats::SeatsDialog;
pub use statistics::StatisticsDialog;
pub use transfer::TransferForm;

/// What is on top of the table.
#[derive(Clone, Debug)]
pub enum Dialog {
    /// A check: set up, rolled, chosen, read.
    Roll(Box<RollDialog>),
    /// A roll that is read again.
    Amend(Box<AmendDialog>),
    /// Who is to roll what.
    Call(Box<CallDialog>),
    /// A character, new or known.
    Character(Box<CharacterForm>),
    /// A clock, new or known.
    Clock(Box<ClockForm>),
    /// A pool of tokens, new or known.
    Pool(Box<PoolForm>),
    /// The conditions of a character.
    Conditions(Box<ConditionsForm>),
    /// Damage, rest, first aid.
    Harm(Box<HarmForm>),
    /// How many more of something.
    Copies(Box<CopiesDialog>),
    /// What the table decided otherwise.
    House(Box<HouseForm>),
    /// Tokens from one pool to another.
    Transfer(Box<TransferForm>),
    /// Tokens without a roll.
    Award(Box<AwardForm>),
    /// Tokens by a number: `7`, `+5`, `-3`.
    Amount(Box<AmountDialog>),
    /// One line of text.
    Prompt(Box<PromptDialog>),
    /// A question.
    Confirm(Box<ConfirmDialog>),
    /// An entry of the log, step by step.
    Explain(Box<ExplainDialog>),
    /// When a clock will be full.
    Forecast(Box<ForecastDialog>),
    /// What a full clock does to another.
    Link(Box<LinkForm>),
    /// The prepared scenes.
    Scenes(Box<ScenesDialog>),
    /// A scene that is being prepared.
    Keep(Box<KeepForm>),
    /// The dice and the luck of everyone.
    Statistics(Box<StatisticsDialog>),
    /// Who is at the table, and who may come.
    Seats(Box<SeatsDialog>),
    /// Inviting somebody.
    Invite(Box<InviteDialog>),
}

impl Dialog {
    fn manner(&self) -> &dyn Manner {
        match self {
            Self::Roll(one) => &**one,
            Self::Amend(one) => &**one,
            Self::Call(one) => &**one,
            Self::Character(one) => &**one,
            Self::Clock(one) => &**one,
            Self::Pool(one) => &**one,
            Self::Conditions(one) => &**one,
            Self::Harm(one) => &**one,
            Self::Copies(one) => &**one,
            Self::House(one) => &**one,
            Self::Transfer(one) => &**one,
            Self::Award(one) => &**one,
            Self::Amount(one) => &**one,
            Self::Prompt(one) => &**one,
            Self::Confirm(one) => &**one,
            Self::Explain(one) => &**one,
            Self::Forecast(one) => &**one,
            Self::Link(one) => &**one,
            Self::Scenes(one) => &**one,
            Self::Keep(one) => &**one,
            Self::Statistics(one) => &**one,
            Self::Seats(one) => &**one,
            Self::Invite(one) => &**one,
        }
    }

    fn manner_mut(&mut self) -> &mut dyn Manner {
        match self {
            Self::Roll(one) => &mut **one,
            Self::Amend(one) => &mut **one,
            Self::Call(one) => &mut **one,
            Self::Character(one) => &mut **one,
            Self::Clock(one) => &mut **one,
            Self::Pool(one) => &mut **one,
            Self::Conditions(one) => &mut **one,
            Self::Harm(one) => &mut **one,
            Self::Copies(one) => &mut **one,
            Self::House(one) => &mut **one,
            Self::Transfer(one) => &mut **one,
            Self::Award(one) => &mut **one,
            Self::Amount(one) => &mut **one,
            Self::Prompt(one) => &mut **one,
            Self::Confirm(one) => &mut **one,
            Self::Explain(one) => &mut **one,
            Self::Forecast(one) => &mut **one,
            Self::Link(one) => &mut **one,
            Self::Scenes(one) => &mut **one,
            Self::Keep(one) => &mut **one,
            Self::Statistics(one) => &mut **one,
            Self::Seats(one) => &mut **one,
            Self::Invite(one) => &mut **one,
        }
    }

    /// The places whose keys count in it now, the nearest first.
    pub fn contexts(&self) -> &'static [Context] {
        self.manner().contexts()
    }

    /// What matters in it now, the most useful first: for the line at the bottom, which names the keys
    /// that lead there. What no key leads to, it leaves out.
    pub fn hints(&self) -> &'static [Action] {
        self.manner().hints()
    }

    /// Whether letters are text here, whatever they are bound to: the host gives every key that writes
    /// a letter as [`Heard::Key`].
    pub fn takes_letters(&self) -> bool {
        self.manner().takes_letters()
    }

    /// Hears what a person did. `Close` goes back a step, from the first one out.
    pub fn hear(&mut self, heard: &Heard, seen: &SeatView<'_>) -> Reply {
        self.manner_mut().hear(heard, seen)
    }

    /// Learns what came of what it submitted: the entry, or why not.
    pub fn told(&mut self, told: Result<&Entry, &str>, seen: &SeatView<'_>) {
        self.manner_mut().told(told, seen);
    }

    /// Learns that the table changed, whoever did it.
    pub fn changed(&mut self, seen: &SeatView<'_>) {
        self.manner_mut().changed(seen);
    }

    /// Learns of the invitation that it asked for.
    pub fn invited(&mut self, invited: Invited) {
        if let Self::Invite(invite) = self {
            invite.invited(invited);
        }
    }

    /// Learns why what it asked of the door was refused.
    pub fn refused(&mut self, why: &str) {
        match self {
            Self::Invite(invite) => invite.refused(why),
            Self::Confirm(confirm) => confirm.refused(why),
            _ => {}
        }
    }

    /// Whether it shows figures of the whole log, so that older events are to be counted too.
    pub fn counts_everything(&self) -> bool {
        matches!(self, Self::Statistics(_))
    }

    /// What the rules say before one does what it is for: whether a check is needed at all.
    pub fn advice(&self) -> &'static [&'static str] {
        match self {
            Self::Roll(roll) => roll.advice(),
            Self::Call(call) => call.advice(),
            _ => &[],
        }
    }

    /// What it would like to have worked out beside the screen, once for each question; the answer goes
    /// to [`Dialog::learn`]. No key waits for it.
    pub fn wonder(&mut self) -> Option<Worthwhile> {
        match self {
            Self::Roll(roll) => roll.wonder(),
            _ => None,
        }
    }

    /// Takes an answer worked out beside the screen; one that comes too late is dropped.
    pub fn learn(&mut self, wondered: Worths) {
        if let Self::Roll(roll) = self {
            roll.learn(wondered);
        }
    }

    /// Draws it over `area`; answers with where the terminal's cursor belongs.
    pub fn view(
        &self,
        seen: &SeatView<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        self.manner().view(seen, look, area, buffer)
    }
}

/// Opens each of them.
impl Dialog {
    /// A check by that character, or by nobody in particular.
    pub fn roll(who: Option<CharacterId>, seen: &SeatView<'_>) -> Self {
        Self::Roll(Box::new(RollDialog::open(who, seen)))
    }

    /// A check that waits for somebody.
    pub fn resume(check: UnfinishedId, seen: &SeatView<'_>) -> Option<Self> {
        RollDialog::resume(check, seen).map(|roll| Self::Roll(Box::new(roll)))
    }

    /// The check that somebody is called on to make.
    pub fn called(call: CallId, seen: &SeatView<'_>) -> Option<Self> {
        RollDialog::called(call, seen).map(|roll| Self::Roll(Box::new(roll)))
    }

    /// A call for a roll by these, or where nobody is named by everybody of the party.
    pub fn call(who: &[CharacterId], seen: &SeatView<'_>) -> Self {
        Self::Call(Box::new(CallDialog::open(who, seen)))
    }

    /// The same check as that entry of the log was, ready to be rolled again.
    pub fn repeat(entry: u64, seen: &SeatView<'_>) -> Option<Self> {
        RollDialog::repeat(entry, seen).map(|roll| Self::Roll(Box::new(roll)))
    }

    /// A check that somebody described, ready to be looked over and rolled.
    pub fn prepared(roll: &Roll, seen: &SeatView<'_>) -> Option<Self> {
        RollDialog::prepared(roll, seen).map(|roll| Self::Roll(Box::new(roll)))
    }

    /// That roll, to be read again with other fields; or why it cannot be.
    pub fn amend(entry: u64, seen: &SeatView<'_>) -> Result<Self, String> {
        let opened = AmendDialog::open(entry, seen)?;
        Ok(Self::Amend(Box::new(opened)))
    }

    /// A new character.
    pub fn new_character(seen: &SeatView<'_>) -> Self {
        Self::Character(Box::new(CharacterForm::open(None, seen)))
    }

    /// A known character, to be edited.
    pub fn edit_character(id: CharacterId, seen: &SeatView<'_>) -> Self {
        Self::Character(Box::new(CharacterForm::open(Some(id), seen)))
    }

    /// A new clock.
    pub fn new_clock(seen: &SeatView<'_>) -> Self {
        Self::Clock(Box::new(ClockForm::open(None, seen)))
    }

    /// A known clock, to be edited.
    pub fn edit_clock(id: ClockId, seen: &SeatView<'_>) -> Self {
        Self::Clock(Box::new(ClockForm::open(Some(id), seen)))
    }

    /// A known clock, to be given the check that fills it; with why that is needed.
    pub fn attach_check(id: ClockId, why: &str, seen: &SeatView<'_>) -> Self {
        Self::Clock(Box::new(ClockForm::attach(id, why, seen)))
    }

    /// When a clock will be full.
    pub fn forecast(id: ClockId, seen: &SeatView<'_>) -> Option<Self> {
        ForecastDialog::open(id, seen).map(|one| Self::Forecast(Box::new(one)))
    }

    /// What a full clock does to another.
    pub fn link(id: ClockId, seen: &SeatView<'_>) -> Option<Self> {
        LinkForm::open(id, seen).map(|one| Self::Link(Box::new(one)))
    }

    /// The check that fills a clock, by the one who always rolls it or else by that character.
    pub fn roll_for(clock: ClockId, who: Option<CharacterId>, seen: &SeatView<'_>) -> Option<Self> {
        RollDialog::for_clock(clock, who, seen).map(|roll| Self::Roll(Box::new(roll)))
    }

    /// The prepared scenes, and what is marked to become another.
    pub fn scenes(marked: Marked) -> Self {
        Self::Scenes(Box::new(ScenesDialog::open(marked)))
    }

    /// A new pool of tokens.
    pub fn new_pool(seen: &SeatView<'_>) -> Self {
        Self::Pool(Box::new(PoolForm::open(None, seen)))
    }

    /// A known pool of tokens, to be edited.
    pub fn edit_pool(id: PoolId, seen: &SeatView<'_>) -> Self {
        Self::Pool(Box::new(PoolForm::open(Some(id), seen)))
    }

    /// The conditions of a character, or of several.
    pub fn conditions(who: impl Into<Vec<CharacterId>>, seen: &SeatView<'_>) -> Self {
        Self::Conditions(Box::new(ConditionsForm::open(who.into(), seen)))
    }

    /// Harm that these take, or what they get back; else why there is nothing of it.
    pub fn harm(what: Harm, who: Vec<CharacterId>, seen: &SeatView<'_>) -> Result<Self, String> {
        let form = HarmForm::open(what, who, seen)?;
        Ok(Self::Harm(Box::new(form)))
    }

    /// How many more like these.
    pub fn copies(of: Copied) -> Self {
        Self::Copies(Box::new(CopiesDialog::new(of)))
    }

    /// The house rules.
    pub fn house(seen: &SeatView<'_>) -> Self {
        Self::House(Box::new(HouseForm::open(seen)))
    }

    /// Tokens from that pool to another.
    pub fn transfer(from: PoolId, seen: &SeatView<'_>) -> Self {
        Self::Transfer(Box::new(TransferForm::open(from, seen)))
    }

    /// A number of tokens for that pool, or for several; `begun` is what was typed already.
    pub fn amount(pools: impl Into<Vec<PoolId>>, begun: &str) -> Self {
        Self::Amount(Box::new(AmountDialog::new(pools.into(), begun)))
    }

    /// Tokens without a roll for that pool: an award, or an aspect that complicates life.
    pub fn award(pool: PoolId, seen: &SeatView<'_>) -> Self {
        Self::Award(Box::new(AwardForm::open(pool, seen)))
    }

    /// One line of text.
    pub fn prompt(what: Prompted) -> Self {
        Self::Prompt(Box::new(PromptDialog::new(what)))
    }

    /// A question.
    pub fn confirm(question: impl Into<String>, then: Agreed) -> Self {
        Self::Confirm(Box::new(ConfirmDialog::new(question, then)))
    }

    /// An entry of the log, step by step.
    pub fn explain(entry: u64, seen: &SeatView<'_>) -> Self {
        Self::Explain(Box::new(ExplainDialog::new(entry, seen)))
    }

    /// Shows who is at the table, and who may come.
    pub fn seats(seen: &SeatView<'_>) -> Self {
        Self::Seats(Box::new(SeatsDialog::new(seen)))
    }

    /// Invites somebody.
    pub fn invite(seen: &SeatView<'_>) -> Self {
        Self::Invite(Box::new(InviteDialog::new(seen)))
    }

    /// Shows the dice and the luck of everyone.
    pub fn statistics() -> Self {
        Self::Statistics(Box::default())
    }
}
