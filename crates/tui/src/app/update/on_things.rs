//! What keys do to things: to the one in hand, or to everything marked.

use std::cmp::Reverse;

use crate::Action;
use crate::app::list::ListId;
use crate::app::notice::Notice;
use crate::app::offered::may_repeat;
use crate::app::rows::{self, CardValue};
use crate::app::state::{Panel, ScreenState, Tab, after};
use crate::dialog::{
    AmendDialog, DialogAction, ExplainDialog, ForecastDialog, MarkedEntities, PreparedScenesDialog,
    RollDialog, amount_form, award_form, character_form, clock_check_form, clock_form,
    conditions_form, duplicate_form, export_form, health_form, link_form, note_form, pool_form,
    statistics_form, strike_form, transfer_form, turn_order_form,
};
use tableside_commands::{ParseError, Target, choose_command, with_conditions};
use tableside_game::{Allegiance, Character, CharacterId, Clock, Command, Condition, DYING};
use tableside_rules::FirstAid;
use tableside_table::{Act, SeatView};
use tableside_text::is_same_name;

/// The condition of one who is out of the scene (Gnosis, Consequences).
const TAKEN_OUT: &str = "taken out";

impl ScreenState {
    /// Does to what is in hand what the action says.
    pub(super) fn change(&mut self, action: Action, view: &SeatView<'_>) -> DialogAction {
        let panel = self.active_panel();
        let selected = self.list(panel).id();
        self.find(view);
        let is_gone = selected.is_some() && self.list(panel).id() != selected;
        let acts_on_it = !matches!(
            action,
            Action::New | Action::BringScene | Action::TurnOrder | Action::EndTurn
        );
        if is_gone && acts_on_it && panel != Panel::Rolls {
            return self
                .refuse("that was deleted in this moment; the cursor is on another one now");
        }
        match (action, panel) {
            (_, Panel::Rolls) => return self.change_log(action, view),
            (Action::New, Panel::Party) => return self.open(character_form(None, view)),
            (Action::New, Panel::Clocks) => return self.open(clock_form(None, view)),
            (Action::New, Panel::Tokens) => return self.open(pool_form(None, view)),
            (Action::BringScene, _) if view.seat().sees_all() => {
                let [people, clocks, ..] = &self.lists;
                let (people, clocks) = (people.marked().iter(), clocks.marked().iter());
                let marked = MarkedEntities {
                    characters: people.filter_map(|id| id.try_as_character()).collect(),
                    clocks: clocks.filter_map(|id| id.try_as_clock()).collect(),
                };
                return self.open(PreparedScenesDialog::open(marked, view));
            }
            (Action::TurnOrder, Panel::Party) if !view.roster().any(Character::is_here) => {
                return self.refuse("nobody is here to take turns");
            }
            (Action::TurnOrder, Panel::Party) => return self.open(turn_order_form(view)),
            (Action::EndTurn, Panel::Party) => return self.end_turn(view),
            (Action::Mark, _) => {
                self.list_mut(panel).mark();
                return DialogAction::Stay;
            }
            _ => {}
        }
        let one = self.list(panel).id().and_then(ListId::thing);
        let chosen = self.list(panel).chosen().into_iter();
        let chosen: Vec<Target> = chosen.filter_map(ListId::thing).collect();
        let (Some(one), Some(first)) = (one, chosen.first()) else {
            return self.refuse("there is nothing here yet");
        };
        let done = self.change_each(action, &chosen, view);
        if let Some(done) = done.or_else(|| self.open_on(action, &one, &chosen, view)) {
            return done;
        }
        match choose_command(action.commands(), Some(first), view) {
            Some(command) => self.act_or_refuse(command.act_on(chosen, view)),
            None => DialogAction::Stay,
        }
    }

    /// Does what a command came to, or says why it cannot be done.
    pub(super) fn act_or_refuse(&mut self, made: Result<Act, ParseError>) -> DialogAction {
        match made {
            Ok(act) => act.into(),
            Err(why) => self.refuse(why.to_string()),
        }
    }

    /// What keys do to each of these besides the commands that can be said.
    fn change_each(
        &mut self,
        action: Action,
        things: &[Target],
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let system = view.system();
        let people = || things.iter().filter_map(|thing| thing.character(view));
        let by = match action {
            Action::StepUp | Action::MoreSegments => 1,
            _ => -1,
        };
        let commands: Vec<Command> = match action {
            Action::StepUp | Action::StepDown
                if rows::values(system).is_empty()
                    && (self.tab == Tab::Party
                        || people().all(|one| CardValue::all(one.id, view).is_empty())) =>
            {
                let system = system.spec().name;
                return Some(self.refuse(format!(
                    "{system} has no value to step; what somebody can do is on the sheet"
                )));
            }
            Action::StepUp | Action::StepDown => {
                let value = rows::values(system).get(self.party_column).copied();
                let step = |one: &Character| match self.tab {
                    Tab::Party => value?.step(one.id, by, view),
                    Tab::Table | Tab::Clocks | Tab::Tokens | Tab::Log => {
                        let (_, value) = CardValue::at(self.card_value, one.id, view)?;
                        Some(value.step(one.id, by))
                    }
                };
                people().filter_map(step).collect()
            }
            Action::PreviousValue | Action::NextValue => {
                let by = if action == Action::NextValue { 1 } else { -1 };
                return Some(self.walk_values(by, people().next()?.id, view));
            }
            Action::Side => {
                let side = people().next().map_or(Allegiance::Party, |one| one.side);
                let side = after(side, 1, &Allegiance::ALL);
                let turned = people().cloned();
                let turned = turned.map(|one| Character { side, ..one });
                turned.map(Command::edit).collect()
            }
            Action::MoreSegments | Action::FewerSegments => {
                let clocks = things.iter().filter_map(|thing| thing.clock(view));
                let resized = clocks.map(|clock| {
                    let segments = clock.segments.saturating_add(by);
                    Clock {
                        segments,
                        filled: clock.filled.min(segments.count()),
                        ..clock.clone()
                    }
                });
                resized.map(Command::edit).collect()
            }
            _ => return None,
        };
        Some(if commands.is_empty() {
            self.refuse("there is nothing here to do that to")
        } else {
            Command::together(commands).into()
        })
    }

    /// Goes to the value so many further, on the card of that character; the tab of the party has its own.
    fn walk_values(&mut self, by: isize, who: CharacterId, view: &SeatView<'_>) -> DialogAction {
        if self.tab == Tab::Party {
            let places: Vec<usize> = (0..rows::values(view.system()).len()).collect();
            self.party_column = after(self.party_column, by, &places);
            return DialogAction::Stay;
        }
        let Some((at, _)) = CardValue::at(self.card_value, who, view) else {
            return self.refuse("there is no value on this card");
        };
        let places: Vec<usize> = (0..CardValue::all(who, view).len()).collect();
        self.card_value = Some(after(at, by, &places));
        let value = CardValue::at(self.card_value, who, view);
        let words = value.and_then(|(_, value)| value.words(who, view));
        let name = view.owner_name(Some(who));
        let [up, down] = [Action::StepUp, Action::StepDown].map(|action| self.key(action));
        self.notice =
            words.map(|words| Notice::plain(format!("{name}: {words}; {up} and {down} change it")));
        DialogAction::Stay
    }

    /// Opens the dialog of an action on one thing, or on all that are chosen, where it has one.
    pub(super) fn open_on(
        &mut self,
        action: Action,
        one: &Target,
        chosen: &[Target],
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let who = chosen.iter().filter_map(|thing| thing.character(view));
        let who: Vec<CharacterId> = who.map(|one| one.id).collect();
        let pools = chosen.iter().filter_map(|thing| thing.try_as_pool());
        let dialog = match (action, *one) {
            (Action::DuplicateMany, _) => duplicate_form(chosen, view),
            (
                Action::Damage
                | Action::Rest
                | Action::FirstAid
                | Action::Unlock
                | Action::TakenOut,
                _,
            ) => return Some(self.harm(action, who, view)),
            (Action::Roll, Target::Character(id)) => RollDialog::open(Some(id), view),
            (Action::Open, Target::Character(id)) => {
                let gm = view.system().spec().gm;
                let one = view.character(id)?;
                let words = [one.health].into_iter().flatten().map(str::to_owned);
                let words = words.chain(one.conditions.iter().map(ToString::to_string));
                let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
                let words = words.join(", ");
                let colon = if words.is_empty() { "" } else { ": " };
                let why = format!("{}{colon}{words}; the sheet is the {gm}'s", one.name);
                let dialog = one.health.is_none().then(|| character_form(Some(id), view));
                return Some(self.open_or(dialog, &why));
            }
            (Action::Open, Target::Clock(id)) => clock_form(Some(id), view),
            (Action::Open, Target::Pool(id)) => pool_form(Some(id), view),
            (Action::Conditions, _) => conditions_form(who, view),
            (Action::Amount, _) => amount_form(pools.collect(), view),
            (Action::MoveTokens, Target::Pool(id)) => transfer_form(id, view),
            (Action::Award, Target::Pool(id)) => award_form(id, view),
            (Action::Award, Target::Character(who)) => {
                let pool = view.pools_of(Some(who)).next();
                let dialog = pool.map(|pool| award_form(pool.id, view));
                return Some(self.open_or(dialog, "there is no pool of tokens here"));
            }
            (Action::Link, Target::Clock(id)) => {
                let why = "there is no other clock to link to";
                return Some(self.open_or(link_form(id, view), why));
            }
            (Action::Forecast, Target::Clock(id)) => {
                // Where no check fills the clock yet, the form in which one is given.
                let clock = one.clock(view)?;
                let is_done = clock.is_full() || clock.rule.is_some();
                let dialog = match view.forecast(id) {
                    Some(Err(why)) if view.seat().sees_all() && !is_done => {
                        Some(clock_check_form(id, &why.to_string(), view))
                    }
                    _ => ForecastDialog::open(id, view),
                };
                return Some(self.open_or(dialog, "how full it is, players do not know"));
            }
            _ => return None,
        };
        Some(self.open(dialog))
    }

    /// Opens what asks about harm, or ends or begins the condition that it is.
    fn harm(&mut self, action: Action, who: Vec<CharacterId>, view: &SeatView<'_>) -> DialogAction {
        let name = match action {
            Action::FirstAid if view.system().spec().first_aid == FirstAid::EndsDying => DYING,
            Action::TakenOut => TAKEN_OUT,
            _ => return self.open_or_tell(health_form(action, who, view)),
        };
        let people = || who.iter().filter_map(|id| view.character(*id));
        let has = |one: &Character| one.suffers(name);
        let ends = people().any(has);
        if !ends && name == DYING {
            return self.refuse("nobody here is dying; aid is for those who are");
        }
        let each = people().filter(|one| has(one) == ends).map(|one| {
            with_conditions(one, |conditions| {
                conditions.retain(|known| !is_same_name(&known.name, name));
                conditions.extend((!ends).then(|| Condition::new(name, None, None)));
            })
        });
        Command::together(each.collect()).into()
    }

    /// Ends the current turn. After the last one a new round begins.
    fn end_turn(&mut self, view: &SeatView<'_>) -> DialogAction {
        match view.turns().as_slice() {
            [now, next, ..] => {
                let next = ListId::Character(next.id);
                self.list_mut(Panel::Party).select(next);
                let now = (*now).clone();
                Command::edit(Character { acted: true, ..now }).into()
            }
            [] if view.roster().all(|one| one.initiative.is_none()) => {
                let key = self.key(Action::TurnOrder);
                self.refuse(format!("nobody has a number yet; {key} gives them"))
            }
            _ => {
                let here = view.roster().filter(|one| one.is_here());
                if let Some(first) = here.min_by_key(|one| Reverse(one.initiative)) {
                    let first = ListId::Character(first.id);
                    self.list_mut(Panel::Party).select(first);
                }
                Command::NextRound.into()
            }
        }
    }

    fn change_log(&mut self, action: Action, view: &SeatView<'_>) -> DialogAction {
        if self.tab == Tab::Log
            && let Some(done) = self.change_fold(action)
        {
            return done;
        }
        let number = self.entry();
        let tag = number.map_or_else(String::new, |entry| view.tag(entry));
        let entry = number.and_then(|number| view.entry(number));
        match (action, entry.map(|entry| entry.number)) {
            (Action::New | Action::NoteAbout, _) => self.open(note_form(number, None, view)),
            (Action::Statistics, _) => self.open(statistics_form(view)),
            (Action::Export, _) => {
                let is_filtered = !self.log.filter().is_empty();
                self.open(export_form(is_filtered, view))
            }
            (Action::Mark, _) => self.refuse("entries of the log are not marked"),
            (_, None) => self.refuse("no entry is here"),
            (Action::Strike | Action::Delete, Some(entry)) => {
                let form = (!view.is_struck(entry)).then(|| strike_form(entry, &tag, view));
                self.open_or(form, "it is struck or undone already")
            }
            (Action::Explain | Action::Open, Some(entry)) => {
                self.open(ExplainDialog::open(entry, None, view))
            }
            (Action::Repeat | Action::Duplicate, Some(entry)) => {
                let dialog = may_repeat(entry, view).then(|| RollDialog::again(entry, false, view));
                let why = "only a roll can be rolled again, by players only their own";
                self.open_or(dialog.flatten(), why)
            }
            (Action::Amend, Some(entry)) => self.open_or_tell(AmendDialog::open(entry, view)),
            (_, Some(_)) => DialogAction::Stay,
        }
    }

    /// Does an action on the fold of the log under the cursor. `None` if the line is no fold, or if the action is about the
    /// log as a whole or about the fold's own entry.
    fn change_fold(&mut self, action: Action) -> Option<DialogAction> {
        self.log.selected_line()?.fold()?;
        match action {
            Action::Explain | Action::Open => {
                self.log.toggle_fold();
                Some(DialogAction::Stay)
            }
            Action::Strike | Action::Delete | Action::Amend => {
                let key = self.key(Action::Explain);
                let words = format!("this row has several entries; {key} shows them");
                Some(self.refuse(words))
            }
            _ => None,
        }
    }
}
