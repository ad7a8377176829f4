//! What an action means where one is: it settles on the screen, or becomes an [`Effect`].

mod calls;
pub(super) mod change;
mod harm;
pub(super) mod log;
pub(super) mod mouse;
pub(super) mod palette;
mod settle;
pub(super) mod themes;
mod typing;
mod walk;

use super::action::{Action, Context};
use super::dialog::{
    ConfirmDialog, Dialog, DialogAction, DialogEvent, DoorAct, RollDialog, SeatsDialog,
    game_name_form, house_form, invite_form, scene_form,
};
use super::input::ExitReason;
use super::input::Key;
use super::keymap::Keymap;
use super::state::{Mode, Notice, Panel, ScreenState, Tab, Unsaved};
use super::theme::Theme;
use super::widget::field::Field;
use crate::session::CharacterId;
use crate::table::command_language::command_of_key;
use crate::table::{Act, SeatView};
use palette::Palette;

/// The longest filter.
const LONGEST_FILTER: usize = 120;

/// What `update` asks of the screen around it.
#[derive(Debug)]
pub(super) enum Effect {
    /// Nothing.
    Nothing,
    /// That this is submitted to the table.
    Submit(Act),
    /// That the dialog's act is submitted, and the dialog told; and closed, if it asks for that and
    /// the table agrees.
    Ask {
        /// The act.
        act: Act,
        /// Whether the dialog then closes.
        close: bool,
    },
    /// That the game gets this name; the dialog then closes.
    Rename(String),
    /// The list of themes.
    ShowThemes,
    /// Those colours, from now on and the next time.
    Wear(Theme),
    /// That the log as it is filtered is written there; the dialog then closes.
    Export {
        /// The file, as it was typed.
        path: String,
        /// Whether it replaces what is there.
        replace: bool,
    },
    /// That this is put before the GM.
    Suggest(Act),
    /// The suggestion that waits longest answered: yes or no.
    Answer(bool),
    /// That somebody is let in or out.
    Door(DoorAct),
    /// Everything drawn anew.
    Redraw,
    /// The shell, for a moment.
    Suspend,
    /// The end.
    Leave(ExitReason),
}

impl ScreenState {
    /// Hears a key that was pressed where letters may be text.
    pub(super) fn hear_key(&mut self, key: Key, keymap: &Keymap, seen: &SeatView<'_>) -> Effect {
        self.notice = None;
        if matches!(self.mode, Mode::Greeting) {
            self.mode = Mode::Browse;
        }
        let (before, key) = keymap.unfold(self.contexts(), key);
        let first = before.map(|escape| self.hear_one(escape, keymap, seen));
        match first {
            None | Some(Effect::Nothing) => self.hear_one(key, keymap, seen),
            Some(effect) => effect,
        }
    }

    fn hear_one(&mut self, key: Key, keymap: &Keymap, seen: &SeatView<'_>) -> Effect {
        let action = keymap.action(self.contexts(), key);
        let writes = key.letter().filter(|letter| {
            !letter.is_control()
                && !matches!(self.mode, Mode::Browse | Mode::Greeting | Mode::Help { .. })
        });
        match (&mut self.mode, writes, action) {
            (Mode::Dialog(dialog), Some(_), _) if dialog.takes_letters() => {
                self.hear_dialog(&DialogEvent::Key(key), seen)
            }
            (Mode::Filter(..) | Mode::Palette(_) | Mode::Themes(_), Some(letter), _) => {
                self.type_in(&letter.to_string(), seen);
                Effect::Nothing
            }
            (_, _, Some(action)) => self.act(action, keymap, seen),
            (Mode::Dialog(_), _, None) => self.hear_dialog(&DialogEvent::Key(key), seen),
            _ => Effect::Nothing,
        }
    }

    /// Hears a pasted text.
    pub(super) fn hear_paste(&mut self, text: String, seen: &SeatView<'_>) -> Effect {
        self.notice = None;
        match &mut self.mode {
            Mode::Dialog(_) => self.hear_dialog(&DialogEvent::Paste(text), seen),
            Mode::Filter(..) | Mode::Palette(_) | Mode::Themes(_) => {
                self.type_in(&text, seen);
                Effect::Nothing
            }
            Mode::Browse | Mode::Greeting | Mode::Help { .. } => Effect::Nothing,
        }
    }

    /// Does what is meant, where one is.
    pub(super) fn act(&mut self, action: Action, keymap: &Keymap, seen: &SeatView<'_>) -> Effect {
        match action {
            Action::QuitNow => return Effect::Leave(ExitReason::Quit),
            Action::Suspend => return Effect::Suspend,
            Action::Redraw => return Effect::Redraw,
            Action::Help => {
                return self.toggle_help();
            }
            _ => {}
        }
        match &mut self.mode {
            Mode::Browse | Mode::Greeting => self.act_here(action, keymap, seen),
            Mode::Filter(..) => self.act_in_filter(action),
            Mode::Help { .. } => self.act_in_help(action),
            Mode::Palette(_) => self.act_in_palette(action, keymap, seen),
            Mode::Themes(_) => self.act_in_themes(action),
            Mode::Dialog(_) => self.hear_dialog(&DialogEvent::Action(action), seen),
        }
    }

    /// Does what was found in the palette. What belongs to another tab is done there, by its key, once
    /// one sees what it would be done to.
    pub(super) fn act_from_afar(
        &mut self,
        action: Action,
        keymap: &Keymap,
        seen: &SeatView<'_>,
    ) -> Effect {
        let has = |place: &Context| {
            let mut known = keymap.bindings(*place).iter();
            known.any(|binding| binding.action == action)
        };
        if self.contexts().iter().any(has) {
            return self.act(action, keymap, seen);
        }
        let home = Tab::ALL.into_iter().find(|tab| has(&tab.context()));
        if let Some(home) = home {
            self.tab = home;
            let keys = keymap.keys_for(action, self.contexts());
            let key = keys.first().map_or(String::new(), |key| key.label(true));
            self.notice = Some(Notice::plain(format!(
                "here, {key} is the key to {}",
                action.describe()
            )));
        }
        Effect::Nothing
    }

    /// Hands something to the dialog on top.
    pub(super) fn hear_dialog(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> Effect {
        let Mode::Dialog(dialog) = &mut self.mode else {
            return Effect::Nothing;
        };
        match dialog.handle(event, seen) {
            DialogAction::Stay => Effect::Nothing,
            DialogAction::Close => {
                if let Some((check, by_hand)) = dialog.waits() {
                    self.by_hand.retain(|known| *known != check);
                    self.by_hand.extend(by_hand.then_some(check));
                }
                self.mode = Mode::Browse;
                Effect::Nothing
            }
            DialogAction::Submit(act) => Effect::Ask { act, close: false },
            DialogAction::SubmitAndClose(act) => Effect::Ask { act, close: true },
            DialogAction::Rename(name) => Effect::Rename(name),
            DialogAction::Export { path, replace } => Effect::Export { path, replace },
            DialogAction::Suggest(act) => Effect::Suggest(act),
            DialogAction::Door(act) => Effect::Door(act),
            DialogAction::Replace(next) => {
                self.mode = Mode::Dialog(next);
                Effect::Nothing
            }
            DialogAction::Quit => Effect::Leave(ExitReason::Quit),
        }
    }

    /// Opens a dialog.
    pub(super) fn open(&mut self, dialog: impl Into<Box<dyn Dialog>>) -> Effect {
        let mut dialog = dialog.into();
        if dialog
            .waits()
            .is_some_and(|(check, _)| self.by_hand.contains(&check))
        {
            dialog.go_on_by_hand();
        }
        self.mode = Mode::Dialog(dialog);
        Effect::Nothing
    }

    /// Opens a dialog where there is one to open, and says why not elsewhere.
    pub(super) fn open_or<D>(&mut self, dialog: Option<D>, why: &str) -> Effect
    where
        D: Into<Box<dyn Dialog>>,
    {
        if let Some(dialog) = dialog {
            self.open(dialog)
        } else {
            self.refuse(why)
        }
    }

    /// Says why nothing happened.
    pub(super) fn refuse(&mut self, why: impl Into<String>) -> Effect {
        self.notice = Some(Notice::warning(why));
        Effect::Nothing
    }

    fn act_here(&mut self, action: Action, keymap: &Keymap, seen: &SeatView<'_>) -> Effect {
        if let Some(tab) = Tab::ALL.into_iter().find(|tab| tab.action() == action) {
            self.tab = tab;
            return Effect::Nothing;
        }
        match action {
            Action::NextTab => self.tab = self.tab.after(1),
            Action::PreviousTab => self.tab = self.tab.after(Tab::ALL.len() - 1),
            Action::NextPanel => self.panel = self.panel.after(1),
            Action::PreviousPanel => self.panel = self.panel.after(Panel::ALL.len() - 1),
            Action::Close => self.close(),
            Action::Quit => return self.quit(seen),
            Action::Palette => {
                let palette = Palette::open(self.contexts(), keymap, &self.recent, seen);
                self.mode = Mode::Palette(palette);
            }
            Action::Filter => {
                if self.tab == Tab::Table {
                    self.tab = Tab::Log;
                }
                let before = self.filter().to_owned();
                self.mode = Mode::Filter(Field::new(&before, LONGEST_FILTER), before);
            }
            Action::Theme => return Effect::ShowThemes,
            Action::Cover => {
                self.covered = !self.covered;
                self.log.look_again();
                self.notice = Some(Notice::plain(if self.covered {
                    "covered: only what players may see"
                } else {
                    "uncovered"
                }));
            }
            Action::Details if self.tab == Tab::Table => {
                return self.refuse("details stand beside the lists of the other tabs");
            }
            Action::Details => self.details = !self.details,
            Action::Seats => return self.open(SeatsDialog::new(seen)),
            Action::Invite => return self.invite(seen),
            Action::Accept => return Effect::Answer(true),
            Action::Decline => return Effect::Answer(false),
            Action::Undo | Action::Redo | Action::NextRound | Action::EndSession => {
                if let Some(spec) = command_of_key(action.name(), None, seen) {
                    return self.submit(spec.act_on(Vec::new(), seen));
                }
            }
            Action::Roll => {
                let who = self.roller(seen);
                let clock = self.clocks.id().filter(|_| self.in_hand() == Panel::Clocks);
                let for_clock = clock.and_then(|clock| RollDialog::for_clock(clock, who, seen));
                return self.open(for_clock.unwrap_or_else(|| RollDialog::open(who, seen)));
            }
            Action::Resume => return self.resume(seen),
            Action::CallRoll => return self.call(seen),
            Action::HouseRules => return self.open(house_form(seen)),
            Action::NextScene => return self.open(scene_form(seen)),
            Action::NameGame => {
                let now = if self.label.is_unnamed {
                    String::new()
                } else {
                    self.label.name.clone()
                };
                return self.open(game_name_form(&now, seen));
            }
            action if self.walk(action, seen) => {}
            action => return self.change(action, seen),
        }
        Effect::Nothing
    }

    /// Esc with nothing on top: takes marks away, then the filter.
    fn close(&mut self) {
        let unmarked = self.cursor(self.in_hand()).unmark();
        if !unmarked && !self.filter().is_empty() {
            self.set_filter(String::new());
        }
    }

    fn quit(&mut self, seen: &SeatView<'_>) -> Effect {
        let mut reasons = Vec::new();
        if let Unsaved::Failing {
            since: Some(_),
            reason,
        } = &self.unsaved
        {
            reasons.push(format!(
                "The last changes are not on the disk: {reason}. Who leaves now may lose them."
            ));
        }
        let is_unsaved = !reasons.is_empty();
        if self.label.serves {
            let own = seen.seat().name.as_str();
            let others = seen.present().filter(|one| one.name != own);
            let others: Vec<&str> = others.map(|one| one.name.as_str()).collect();
            reasons.push(match others.len() {
                0 => "The table is open to others, and closes with this screen.".to_owned(),
                1..=3 => format!(
                    "The table closes for {} with this screen.",
                    others.join(", ")
                ),
                count => format!("The table closes for {count} others with this screen."),
            });
        }
        match seen.unfinished().count() {
            0 => {}
            1 => reasons.push("A check waits for an answer, and will wait.".to_owned()),
            waiting => reasons.push(format!(
                "{waiting} checks wait for an answer, and will wait."
            )),
        }
        if reasons.is_empty() {
            return Effect::Leave(ExitReason::Quit);
        }
        let question = format!("{} Leave the table?", reasons.join(" "));
        let asked = ConfirmDialog::new(question, DialogAction::Quit);
        let asked = if is_unsaved { asked.wary() } else { asked };
        self.open(asked)
    }

    fn invite(&mut self, seen: &SeatView<'_>) -> Effect {
        if !seen.seat().sees_all() {
            return self.refuse("only the GM invites somebody to the table");
        }
        let is_open = seen.listed().is_some();
        self.open_or(
            is_open.then(|| invite_form(seen)),
            "nobody can join: start the game with --listen, or with `tableside serve`",
        )
    }

    fn resume(&mut self, seen: &SeatView<'_>) -> Effect {
        let waiting = seen.unfinished().next();
        let dialog = waiting.and_then(|waiting| RollDialog::resume(waiting.id, seen));
        let dialog = dialog.or_else(|| self.next_call(seen));
        self.open_or(dialog, "no check waits, and nobody is called on to roll")
    }

    /// Who a roll is for: the character in hand, or the one whose clock or pool is.
    fn roller(&self, seen: &SeatView<'_>) -> Option<CharacterId> {
        let owner = match self.in_hand() {
            Panel::Clocks => {
                let clock = self.clocks.id().and_then(|id| seen.clock(id));
                clock.and_then(|one| one.clock.owner)
            }
            Panel::Tokens => {
                let pool = self.tokens.id();
                let pool = pool.and_then(|id| seen.pools().find(|pool| pool.id == id));
                pool.and_then(|pool| pool.owner)
            }
            Panel::Rolls => {
                let entry = self.entry().and_then(|number| seen.entry(number));
                entry.and_then(|entry| entry.roll()?.id)
            }
            Panel::Party => None,
        };
        let known = owner.filter(|id| seen.character(*id).is_some());
        let here = seen.roster().find(|one| one.is_here()).map(|one| one.id);
        known.or_else(|| self.party.id()).or(here)
    }
}
