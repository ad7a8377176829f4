//! What changes the table: on the thing in hand, or on everything marked.

use std::sync::Arc;

use super::Effect;
use crate::screen::action::Action;
use crate::screen::dialog::{
    AmendDialog, AmountDialog, AwardForm, CharacterForm, ClockForm, ConditionsForm, Copied,
    CopiesDialog, Dialog, ExplainDialog, ForecastDialog, LinkForm, Marked, PoolForm, PromptDialog,
    Prompted, RollDialog, ScenesDialog, StatisticsDialog, TransferForm,
};
use crate::screen::rows;
use crate::screen::state::{Notice, Panel, ScreenState, Tab};
use crate::session::{
    Allegiance, Character, CharacterId, Clock, ClockId, Command, EntityKind, EventKind, PoolId,
};
use crate::table::{Entry, SeatView};

impl ScreenState {
    /// Does to what is in hand what the action says.
    pub(super) fn change(&mut self, action: Action, seen: &SeatView<'_>) -> Effect {
        self.find(seen);
        match action {
            Action::NextRound => Effect::Submit(Command::NextRound.into()),
            Action::EndSession => Effect::Submit(Command::EndSession.into()),
            Action::New => self.make(seen),
            Action::BringScene if seen.seat().sees_all() => self.open(ScenesDialog::open(
                Marked {
                    characters: self.party.marked().to_vec(),
                    clocks: self.clocks.marked().to_vec(),
                },
                seen,
            )),
            Action::Mark => {
                self.mark();
                Effect::Nothing
            }
            _ => match self.in_hand() {
                Panel::Party => self.change_party(action, seen),
                Panel::Clocks => self.change_clocks(action, seen),
                Panel::Tokens => self.change_tokens(action, seen),
                Panel::Rolls => self.change_log(action, seen),
            },
        }
    }

    fn make(&mut self, seen: &SeatView<'_>) -> Effect {
        match self.in_hand() {
            Panel::Party => self.open(CharacterForm::open(None, seen)),
            Panel::Clocks => self.open(ClockForm::open(None, seen)),
            Panel::Tokens => self.open(PoolForm::open(None, seen)),
            Panel::Rolls => self.open(PromptDialog::open(
                Prompted::Note {
                    about: None,
                    tag: String::new(),
                },
                seen,
            )),
        }
    }

    fn mark(&mut self) {
        match self.in_hand() {
            Panel::Party => self.party.mark(),
            Panel::Clocks => self.clocks.mark(),
            Panel::Tokens => self.tokens.mark(),
            Panel::Rolls => {
                self.notice = Some(Notice::warning("entries of the log are not marked"));
            }
        }
    }

    /// Submits commands as one act.
    fn submit(&mut self, commands: Vec<Command>) -> Effect {
        if commands.is_empty() {
            return self.refuse("there is nothing here to do that to");
        }
        Effect::Submit(Command::together(commands).into())
    }

    fn open_on<Id: Copy, D>(&mut self, id: Option<Id>, dialog: impl Fn(Id) -> D) -> Effect
    where
        D: Into<Box<dyn Dialog>>,
    {
        self.open_or(id.map(dialog), "there is nothing here yet")
    }

    fn change_party(&mut self, action: Action, seen: &SeatView<'_>) -> Effect {
        let chosen = self.party.chosen();
        let known: Vec<&Character> = chosen.iter().filter_map(|id| seen.character(*id)).collect();
        let each = |make: &dyn Fn(CharacterId) -> Command| {
            chosen.iter().copied().map(make).collect::<Vec<_>>()
        };
        let first = known.first();
        if let Some(effect) = self.harm(action, &chosen, seen) {
            return effect;
        }
        match action {
            Action::Open => {
                return self.open_on(self.party.id(), |id| CharacterForm::open(Some(id), seen));
            }
            Action::Conditions if chosen.is_empty() => return self.refuse("nobody is here yet"),
            Action::Conditions => return self.open(ConditionsForm::open(chosen, seen)),
            Action::DuplicateMany => {
                return self.copies(chosen.is_empty(), Copied::Characters(chosen), seen);
            }
            Action::Award => {
                let pool = self.party.id().and_then(|who| {
                    let mut own = seen.pools_of(Some(who));
                    own.next().map(|pool| pool.id)
                });
                return self.award(pool, seen);
            }
            Action::StepUp | Action::StepDown if rows::values(seen.system()).is_empty() => {
                let system = seen.system().spec().name;
                return self.refuse(format!(
                    "{system} has no value to step; what somebody can do is on the sheet"
                ));
            }
            _ => {}
        }
        let commands = match action {
            Action::Delete => each(&Command::RemoveCharacter),
            Action::Duplicate => each(&Command::DuplicateCharacter),
            Action::Acted => {
                let acted = first.is_some_and(|one| !one.acted);
                each(&|who| Command::SetActed { who, acted })
            }
            Action::Absent => {
                let absent = first.is_some_and(|one| !one.absent);
                each(&|who| Command::SetAbsent { who, absent })
            }
            Action::Visibility => {
                let hidden = first.is_some_and(|one| !one.hidden);
                each(&|who| Command::SetHidden { who, hidden })
            }
            Action::Side => {
                let side = first.map_or(Allegiance::Party, |one| next_side(one.side));
                let turned = known.iter().map(|one| Character {
                    side,
                    ..(*one).clone()
                });
                turned
                    .map(|one| Command::EditCharacter(Box::new(one)))
                    .collect()
            }
            Action::StepUp => self.steps(&chosen, 1, seen),
            Action::StepDown => self.steps(&chosen, -1, seen),
            _ => return Effect::Nothing,
        };
        self.submit(commands)
    }

    /// Steps of the value under the cursor; on the table, of what changes most.
    fn steps(&self, chosen: &[CharacterId], by: i32, seen: &SeatView<'_>) -> Vec<Command> {
        let system = seen.system();
        let value = match self.tab {
            Tab::Party => rows::values(system).get(self.stat).copied(),
            Tab::Table | Tab::Clocks | Tab::Tokens | Tab::Log => rows::vital(system),
        };
        let step = |who: &CharacterId| value?.step(*who, by, seen);
        chosen.iter().filter_map(step).collect()
    }

    fn change_clocks(&mut self, action: Action, seen: &SeatView<'_>) -> Effect {
        let chosen = self.clocks.chosen();
        let known: Vec<&Clock> = chosen
            .iter()
            .filter_map(|id| seen.clock(*id).map(|one| one.clock))
            .collect();
        let each = |make: &dyn Fn(ClockId) -> Command| {
            chosen.iter().copied().map(make).collect::<Vec<_>>()
        };
        let edit = |change: &dyn Fn(&mut Clock)| {
            let edited = known.iter().map(|clock| {
                let mut clock = (*clock).clone();
                change(&mut clock);
                Command::EditClock(Box::new(clock))
            });
            edited.collect::<Vec<_>>()
        };
        let commands = match action {
            Action::Open => {
                return self.open_on(self.clocks.id(), |id| ClockForm::open(Some(id), seen));
            }
            Action::DuplicateMany => {
                return self.copies(chosen.is_empty(), Copied::Clocks(chosen), seen);
            }
            Action::Link => {
                let dialog = self.clocks.id().and_then(|id| LinkForm::open(id, seen));
                return self.open_or(dialog, "there is no other clock to link to");
            }
            Action::Forecast => return self.forecast(seen),
            Action::Delete => each(&Command::RemoveClock),
            Action::Duplicate => each(&Command::DuplicateClock),
            Action::Advance => each(&|clock| Command::Tick { clock, by: 1 }),
            Action::Back => each(&|clock| Command::Tick { clock, by: -1 }),
            Action::MoreSegments => edit(&|clock| clock.segments = clock.segments.stepped(1)),
            Action::FewerSegments => edit(&|clock| {
                clock.segments = clock.segments.stepped(-1);
                clock.filled = clock.filled.min(clock.segments.count());
            }),
            Action::Visibility => {
                let next = known.first().map(|clock| clock.visibility.next());
                edit(&|clock| clock.visibility = next.unwrap_or(clock.visibility))
            }
            _ => return Effect::Nothing,
        };
        self.submit(commands)
    }

    /// Opens the forecast, or where no check fills the clock yet, the form in which one is given.
    fn forecast(&mut self, seen: &SeatView<'_>) -> Effect {
        let Some(id) = self.clocks.id() else {
            return self.refuse("there is no clock here yet");
        };
        let dialog = match seen.forecast(id) {
            Some(Err(why)) if seen.seat().sees_all() => {
                return self.open(ClockForm::attach(id, &why.to_string(), seen));
            }
            _ => ForecastDialog::open(id, seen),
        };
        self.open_or(dialog, "how full it is, players do not know")
    }

    fn change_tokens(&mut self, action: Action, seen: &SeatView<'_>) -> Effect {
        let chosen = self.tokens.chosen();
        let each =
            |make: &dyn Fn(PoolId) -> Command| chosen.iter().copied().map(make).collect::<Vec<_>>();
        let one = self.tokens.id();
        let commands = match action {
            Action::Open => return self.open_on(one, |id| PoolForm::open(Some(id), seen)),
            Action::Amount if chosen.is_empty() => return self.refuse("there is nothing here yet"),
            Action::Amount => return self.open(AmountDialog::open(chosen, "", seen)),
            Action::DuplicateMany => {
                return self.copies(chosen.is_empty(), Copied::Pools(chosen), seen);
            }
            Action::MoveTokens => return self.open_on(one, |id| TransferForm::open(id, seen)),
            Action::Award => return self.award(one, seen),
            Action::Delete => each(&Command::RemovePool),
            Action::Duplicate => each(&Command::DuplicatePool),
            Action::Gain => each(&|pool| Command::Tokens { pool, by: 1 }),
            Action::Spend => each(&|pool| Command::Tokens { pool, by: -1 }),
            Action::Visibility => {
                return self.refuse("whoever sees a pool's owner sees the pool");
            }
            _ => return Effect::Nothing,
        };
        self.submit(commands)
    }

    fn copies(&mut self, is_empty: bool, of: Copied, seen: &SeatView<'_>) -> Effect {
        if is_empty {
            return self.refuse("there is nothing here to make more of");
        }
        self.open(CopiesDialog::open(of, seen))
    }

    fn award(&mut self, pool: Option<PoolId>, seen: &SeatView<'_>) -> Effect {
        let dialog = pool.map(|pool| AwardForm::open(pool, seen));
        self.open_or(dialog, "there is no pool of tokens here")
    }

    fn change_log(&mut self, action: Action, seen: &SeatView<'_>) -> Effect {
        let about = self.entry();
        let entry = about.and_then(|number| seen.entry(number));
        match (action, entry) {
            (Action::Note, _) => {
                let tag = about.map_or_else(String::new, |entry| seen.tag(entry));
                self.open(PromptDialog::open(Prompted::Note { about, tag }, seen))
            }
            (Action::Statistics, _) => self.open(StatisticsDialog::default()),
            (Action::Export, _) => {
                let now = format!("{}-log.md", self.label.name);
                let is_filtered = !self.log.filter().is_empty();
                self.open(PromptDialog::open(
                    Prompted::Export { now, is_filtered },
                    seen,
                ))
            }
            (Action::Explain | Action::Open, Some(entry)) => {
                self.open(ExplainDialog::new(entry.number, seen))
            }
            (Action::Strike | Action::Delete, Some(entry)) => {
                let (entry, tag) = (entry.number, seen.tag(entry.number));
                self.open(PromptDialog::open(Prompted::Strike { entry, tag }, seen))
            }
            (Action::Repeat | Action::Duplicate, Some(entry)) => {
                let dialog = RollDialog::repeat(entry.number, seen);
                self.open_or(dialog, "only a roll can be rolled again")
            }
            (Action::Amend, Some(entry)) => match AmendDialog::open(entry.number, seen) {
                Ok(dialog) => self.open(dialog),
                Err(why) => self.refuse(why),
            },
            (_, None) => self.refuse("the log is empty"),
            (_, Some(_)) => Effect::Nothing,
        }
    }
}

fn next_side(side: Allegiance) -> Allegiance {
    let sides = Allegiance::ALL;
    let place = sides.iter().position(|one| *one == side).unwrap_or(0);
    let next = sides.iter().cycle().nth(place + 1);
    next.copied().unwrap_or(side)
}

/// What is told about an act that shows too little of itself where one is; nothing for a step that one
/// sees.
pub(in crate::screen) fn told(entry: &Entry, seen: &SeatView<'_>) -> Option<Notice> {
    // While the screen is covered, words may name what is.
    let shown = seen.entry(entry.number);
    let text = || {
        let told = |entry: Arc<Entry>| entry.event.text(seen.system());
        shown.map_or_else(|| "Done.".to_owned(), told)
    };
    match &entry.event.what {
        EventKind::Ticked { filled, of, .. } if filled == of => Some(Notice::plain(text())),
        EventKind::Tokens { note, .. } if !note.is_empty() => Some(Notice::plain(text())),
        EventKind::Edited {
            kind: EntityKind::Prepared,
            ..
        }
        | EventKind::Abandoned(_)
        | EventKind::Added { .. }
        | EventKind::Amended { .. }
        | EventKind::Rerolled { .. }
        | EventKind::Removed { .. }
        | EventKind::Round { .. }
        | EventKind::Scene { .. }
        | EventKind::Ended
        | EventKind::Noted { .. }
        | EventKind::Struck { .. }
        | EventKind::RequestError { .. }
        | EventKind::Redone { .. } => Some(Notice::plain(text())),
        EventKind::Ticked { .. }
        | EventKind::Tokens { .. }
        | EventKind::Edited { .. }
        | EventKind::Rolled(_)
        | EventKind::Thrown(_)
        | EventKind::Incomplete(_) => None,
    }
}
