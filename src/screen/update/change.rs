//! What changes the table: on the thing in hand, or on everything marked.

use std::sync::Arc;

use super::Effect;
use crate::screen::action::Action;
use crate::screen::dialog::{
    AmendDialog, Dialog, ExplainDialog, ForecastDialog, Marked, RollDialog, ScenesDialog,
    StatisticsDialog, amount_form, award_form, character_form, clock_check_form, clock_form,
    conditions_form, duplicate_form, export_form, link_form, note_form, pool_form, strike_form,
    transfer_form,
};
use crate::screen::rows;
use crate::screen::state::{Notice, Panel, ScreenState, Tab};
use crate::session::{Allegiance, Character, Clock, Command, EntityKind, EventKind};
use crate::table::command_language::{ParseError, Thing, command_of_key};
use crate::table::{Act, Entry, SeatView};

/// The dialogs that open on one thing: the action whose key opens it, and how the palette calls it.
pub(super) const fn dialogs_on(thing: &Thing) -> &'static [(Action, &'static str)] {
    use Action::{Amount, Award, Conditions, Forecast, Link, MoveTokens, Open, Roll};
    match thing {
        Thing::Character(_) => &[
            (Roll, "roll"),
            (Open, "edit"),
            (Conditions, "conditions of"),
            (Award, "award"),
        ],
        Thing::Clock(_) => &[(Open, "edit"), (Link, "link"), (Forecast, "forecast")],
        Thing::Pool(_) => &[
            (Amount, "set"),
            (MoveTokens, "move"),
            (Award, "award"),
            (Open, "edit"),
        ],
        Thing::Scene(_) | Thing::Stat(_) | Thing::Table => &[],
    }
}

fn boxed(dialog: impl Into<Box<dyn Dialog>>) -> Box<dyn Dialog> {
    dialog.into()
}

impl ScreenState {
    /// Does to what is in hand what the action says.
    pub(super) fn change(&mut self, action: Action, seen: &SeatView<'_>) -> Effect {
        self.find(seen);
        let marked = || Marked {
            characters: self.party.marked().to_vec(),
            clocks: self.clocks.marked().to_vec(),
        };
        match action {
            Action::New => return self.make(seen),
            Action::BringScene if seen.seat().sees_all() => {
                return self.open(ScenesDialog::open(marked(), seen));
            }
            Action::Mark if self.in_hand() == Panel::Rolls => {
                return self.refuse("entries of the log are not marked");
            }
            Action::Mark => {
                self.cursor(self.in_hand()).mark();
                return Effect::Nothing;
            }
            _ => {}
        }
        let (one, chosen) = match self.in_hand() {
            Panel::Party => things(self.party.id(), self.party.chosen(), Thing::Character),
            Panel::Clocks => things(self.clocks.id(), self.clocks.chosen(), Thing::Clock),
            Panel::Tokens => things(self.tokens.id(), self.tokens.chosen(), Thing::Pool),
            Panel::Rolls => return self.change_log(action, seen),
        };
        let (Some(one), Some(first)) = (one, chosen.first()) else {
            return self.refuse("there is nothing here yet");
        };
        if let Some(effect) = self.change_several(action, &chosen, seen) {
            return effect;
        }
        if let Some(effect) = self.open_on(action, &one, seen) {
            return effect;
        }
        match command_of_key(action.name(), Some(first), seen) {
            Some(spec) => self.submit(spec.act_on(chosen, seen)),
            None => Effect::Nothing,
        }
    }

    /// Does what a command came to, or says why it cannot be done.
    pub(super) fn submit(&mut self, made: Result<Act, ParseError>) -> Effect {
        match made {
            Ok(act) => Effect::Submit(act),
            Err(why) => self.refuse(why.to_string()),
        }
    }

    /// What keys do to all that is marked besides the commands that can be said.
    fn change_several(
        &mut self,
        action: Action,
        chosen: &[Thing],
        seen: &SeatView<'_>,
    ) -> Option<Effect> {
        let who = self.party.chosen();
        let people = who.iter().filter_map(|id| seen.character(*id));
        let (dialog, commands) = match action {
            Action::DuplicateMany => (Some(boxed(duplicate_form(chosen, seen))), Vec::new()),
            Action::Conditions => (Some(boxed(conditions_form(who, seen))), Vec::new()),
            Action::Amount => (
                Some(boxed(amount_form(self.tokens.chosen(), "", seen))),
                Vec::new(),
            ),
            Action::Damage
            | Action::Rest
            | Action::FirstAid
            | Action::Unlock
            | Action::TakenOut => {
                return Some(self.harm(action, who, seen));
            }
            Action::StepUp | Action::StepDown if rows::values(seen.system()).is_empty() => {
                let system = seen.system().spec().name;
                return Some(self.refuse(format!(
                    "{system} has no value to step; what somebody can do is on the sheet"
                )));
            }
            Action::StepUp => (None, self.steps(1, seen)),
            Action::StepDown => (None, self.steps(-1, seen)),
            Action::Side => {
                let next = people
                    .clone()
                    .next()
                    .map_or(Allegiance::Party, |one| next_side(one.side));
                let turned = people.map(|one| Character {
                    side: next,
                    ..one.clone()
                });
                let turned = turned.map(|one| Command::edit(one));
                (None, turned.collect())
            }
            Action::MoreSegments => (None, self.resize(1, seen)),
            Action::FewerSegments => (None, self.resize(-1, seen)),
            _ => return None,
        };
        Some(match dialog {
            Some(dialog) => self.open(dialog),
            None if commands.is_empty() => self.refuse("there is nothing here to do that to"),
            None => Effect::Submit(Command::together(commands).into()),
        })
    }

    /// Opens the dialog of an action on one thing, where it has one.
    pub(super) fn open_on(
        &mut self,
        action: Action,
        thing: &Thing,
        seen: &SeatView<'_>,
    ) -> Option<Effect> {
        let dialog = match (action, *thing) {
            (Action::Roll, Thing::Character(id)) => boxed(RollDialog::open(Some(id), seen)),
            (Action::Open, Thing::Character(id)) => boxed(character_form(Some(id), seen)),
            (Action::Open, Thing::Clock(id)) => boxed(clock_form(Some(id), seen)),
            (Action::Open, Thing::Pool(id)) => boxed(pool_form(Some(id), seen)),
            (Action::Conditions, Thing::Character(id)) => boxed(conditions_form(vec![id], seen)),
            (Action::Amount, Thing::Pool(id)) => boxed(amount_form(vec![id], "", seen)),
            (Action::MoveTokens, Thing::Pool(id)) => boxed(transfer_form(id, seen)),
            (Action::Award, Thing::Pool(id)) => boxed(award_form(id, seen)),
            (Action::Award, Thing::Character(who)) => {
                let pool = seen.pools_of(Some(who)).next();
                let dialog = pool.map(|pool| award_form(pool.id, seen));
                return Some(self.open_or(dialog, "there is no pool of tokens here"));
            }
            (Action::Link, Thing::Clock(id)) => {
                let why = "there is no other clock to link to";
                return Some(self.open_or(link_form(id, seen), why));
            }
            (Action::Forecast, Thing::Clock(id)) => {
                // Where no check fills the clock yet, the form in which one is given.
                let dialog = match seen.forecast(id) {
                    Some(Err(why)) if seen.seat().sees_all() => {
                        Some(boxed(clock_check_form(id, &why.to_string(), seen)))
                    }
                    _ => ForecastDialog::open(id, seen).map(boxed),
                };
                return Some(self.open_or(dialog, "how full it is, players do not know"));
            }
            _ => return None,
        };
        Some(self.open(dialog))
    }

    /// Steps of the value under the cursor; on the table, of what changes most.
    fn steps(&self, by: i32, seen: &SeatView<'_>) -> Vec<Command> {
        let system = seen.system();
        let value = match self.tab {
            Tab::Party => rows::values(system).get(self.stat).copied(),
            Tab::Table | Tab::Clocks | Tab::Tokens | Tab::Log => rows::vital(system),
        };
        let step = |who| value?.step(who, by, seen);
        self.party.chosen().into_iter().filter_map(step).collect()
    }

    fn resize(&self, by: i32, seen: &SeatView<'_>) -> Vec<Command> {
        let chosen = self.clocks.chosen().into_iter();
        let known = chosen.filter_map(|id| seen.clock(id));
        let edited = known.map(|one| {
            let segments = one.clock.segments.stepped(by);
            Command::edit(Clock {
                segments,
                filled: one.clock.filled.min(segments.count()),
                ..one.clock.clone()
            })
        });
        edited.collect()
    }

    fn make(&mut self, seen: &SeatView<'_>) -> Effect {
        match self.in_hand() {
            Panel::Party => self.open(character_form(None, seen)),
            Panel::Clocks => self.open(clock_form(None, seen)),
            Panel::Tokens => self.open(pool_form(None, seen)),
            Panel::Rolls => self.open(note_form(None, "", seen)),
        }
    }

    fn change_log(&mut self, action: Action, seen: &SeatView<'_>) -> Effect {
        let about = self.entry();
        let entry = about.and_then(|number| seen.entry(number));
        match (action, entry) {
            (Action::Note, _) => {
                let tag = about.map_or_else(String::new, |entry| seen.tag(entry));
                self.open(note_form(about, &tag, seen))
            }
            (Action::Statistics, _) => self.open(StatisticsDialog::open()),
            (Action::Export, _) => {
                let now = format!("{}-log.md", self.label.name);
                let is_filtered = !self.log.filter().is_empty();
                self.open(export_form(&now, is_filtered, seen))
            }
            (Action::Explain | Action::Open, Some(entry)) => {
                self.open(ExplainDialog::new(entry.number, seen))
            }
            (Action::Strike | Action::Delete, Some(entry)) => {
                let (entry, tag) = (entry.number, seen.tag(entry.number));
                self.open(strike_form(entry, &tag, seen))
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

/// The thing under the cursor, and those that keys act on.
fn things<Id>(
    one: Option<Id>,
    chosen: Vec<Id>,
    thing: fn(Id) -> Thing,
) -> (Option<Thing>, Vec<Thing>) {
    (one.map(thing), chosen.into_iter().map(thing).collect())
}

fn next_side(side: Allegiance) -> Allegiance {
    let sides = Allegiance::ALL;
    let place = sides.iter().position(|one| *one == side).unwrap_or(0);
    let next = sides.iter().cycle().nth(place + 1);
    next.copied().unwrap_or(side)
}

/// The notice of an act that shows too little of itself where one is; `None` for a step that one sees.
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
        | EventKind::Undone { .. }
        | EventKind::Redone { .. } => Some(Notice::plain(text())),
        EventKind::Ticked { .. }
        | EventKind::Tokens { .. }
        | EventKind::Edited { .. }
        | EventKind::Rolled(_)
        | EventKind::Thrown(_)
        | EventKind::Incomplete(_) => None,
    }
}
