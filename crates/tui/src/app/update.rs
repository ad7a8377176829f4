//! What an action means where one is: it settles on the screen, or becomes a [`DialogAction`].

mod calls;
mod cursor;
mod handouts;
pub(crate) mod log;
pub(crate) mod log_lines;
pub(crate) mod mouse;
pub(crate) mod on_things;

use std::sync::Arc;

use crate::app::list::ListId;
use crate::app::notice::Notice;
use crate::app::offered::is_offered;
use crate::app::roll_requests;
use crate::app::state::{Panel, ScreenState, Tab, after};
use crate::dialog::{
    Chosen, ChosenAction, Dialog, DialogAction, DialogEvent, Palette, RollDialog, ask_default_no,
    ask_default_yes, dice_form, filter_line, game_name_form, help_dialog, house_rules_form,
    invite_form, lines_and_veils_form, note_form, purse_form, scene_form, seats_form,
};
use crate::terminal::input::{Key, KeyCode};
use crate::{Action, Context, Role};
use tableside_commands::CommandId;
use tableside_game::{CharacterId, Command, Pin};
use tableside_store::StoreError;
use tableside_table::{SeatRole, SeatView, clock_line};

/// So many forms that were left keep what was typed.
const MOST_DRAFTS: usize = 50;

/// So many of what was done last in the palette are remembered.
const MOST_RECENT: usize = 12;

impl ScreenState {
    /// Handles a key that was pressed where letters may be text.
    pub(crate) fn handle_key(&mut self, key: Key, view: &SeatView<'_>) -> DialogAction {
        self.notice = None;
        if self.is_paused {
            return self.handle_key_in_pause(key);
        }
        let keymap = Arc::clone(&self.keymap);
        let line_feed = key == Key::ctrl('j') && keymap.action(self.contexts(), key).is_none();
        let enter = line_feed.then(|| Key::plain(KeyCode::Enter));
        let key = enter.unwrap_or(key);
        let (before, key) = keymap.unfold(self.contexts(), key);
        let action = match before.map(|escape| self.handle_one(escape, view)) {
            None | Some(DialogAction::Stay) => self.handle_one(key, view),
            Some(action) => action,
        };
        if let Some(opened) = self.layers.last_mut().filter(|top| top.has_restored_draft) {
            opened.has_restored_draft = false;
            opened.on_change(view);
        }
        action
    }

    fn handle_one(&mut self, key: Key, view: &SeatView<'_>) -> DialogAction {
        let action = self.keymap.action(self.contexts(), key);
        let top = self.layers.last();
        // Buttons are pressed by letters and digits, and by no other sign.
        let is_choice = self.contexts().first() == Some(&Context::Choice);
        let presses = |letter: &char| !is_choice || letter.is_alphanumeric();
        let letter = key.letter().filter(presses);
        let is_text =
            letter.is_some_and(|letter| top.is_some_and(|top| top.form.takes_letter(letter)));
        match action.filter(|_| !is_text) {
            Some(action) => self.act(action, view),
            None if self.is_browsing() => self.refuse("that key does nothing here"),
            None => self.send(&DialogEvent::Key(key), view),
        }
    }

    /// Handles a pasted text.
    pub(crate) fn handle_paste(&mut self, text: String, view: &SeatView<'_>) -> DialogAction {
        self.notice = None;
        if self.is_paused {
            return DialogAction::Stay;
        }
        self.send(&DialogEvent::Paste(text), view)
    }

    /// Does what is meant, where one is.
    pub(crate) fn act(&mut self, action: Action, view: &SeatView<'_>) -> DialogAction {
        match action {
            Action::QuitNow => DialogAction::Quit,
            Action::Suspend => DialogAction::Suspend,
            Action::Redraw => DialogAction::Redraw,
            Action::Pause if self.is_picking => self.refuse("no table is open yet"),
            Action::Pause => DialogAction::Pause,
            Action::Help if self.contexts().first() == Some(&Context::Help) => {
                self.send(&DialogEvent::Action(Action::Close), view)
            }
            Action::Help => {
                let help = help_dialog(self.contexts(), self.layers.last(), &self.keymap);
                self.open(help)
            }
            Action::Copy => match self.under_cursor(view) {
                Some(text) => DialogAction::Copy(text),
                None => self.refuse("there is nothing here to copy"),
            },
            Action::Discard if !self.is_browsing() => {
                self.layers.pop();
                DialogAction::Stay
            }
            action if self.is_browsing() => {
                let suggests = self.only_suggests(action, view);
                let done = self.act_here(action, view);
                if let Some(opened) = self.layers.last_mut() {
                    opened.form.suggests = suggests;
                }
                done
            }
            action => self.send(&DialogEvent::Action(action), view),
        }
    }

    /// What is under the cursor, as words for a chat: of a dialog what it shows to be copied, else a line.
    fn under_cursor(&self, view: &SeatView<'_>) -> Option<String> {
        if let Some(top) = self.layers.last() {
            return top.form.copyable_text.clone();
        }
        let here = match self.active_panel() {
            Panel::Rolls => self.entry().map(ListId::Roll),
            panel => self.list(panel).id(),
        };
        match here? {
            ListId::Roll(number) => Some(view.entry(number)?.event.text(view.system())),
            ListId::Clock(id) => Some(clock_line(&view.clock(id)?)),
            ListId::Pool(id) => {
                let pool = view.pool(id)?;
                let owner = view.owner_name(pool.owner);
                Some(format!("{owner}: {} {}", pool.name, pool.tokens))
            }
            ListId::Character(id) => Some(view.character(id)?.name.clone()),
        }
    }

    /// What a new note can be pinned to: the character or the clock under the cursor.
    fn pin_under_cursor(&self) -> Option<Pin> {
        match self.list(self.active_panel()).id()? {
            ListId::Character(id) => Some(Pin::Character(id)),
            ListId::Clock(id) => Some(Pin::Clock(id)),
            ListId::Pool(_) | ListId::Roll(_) => None,
        }
    }

    /// Hands something to the dialog on top.
    pub(crate) fn send(&mut self, event: &DialogEvent, view: &SeatView<'_>) -> DialogAction {
        let Some(dialog) = self.layers.last_mut() else {
            return DialogAction::Stay;
        };
        let waits = dialog.spec.unfinished_roll();
        self.by_hand
            .extend(waits.map(|check| (check, dialog.spec.rolls_by_hand())));
        match dialog.handle(event, view) {
            DialogAction::Close => {
                let draft = dialog.draft();
                self.close_dialog(view);
                if let Some(draft) = draft {
                    self.notice = Some(Notice::plain(format!("draft kept: {}", draft.title)));
                    self.drafts.push(draft);
                    let too_many = self.drafts.len().saturating_sub(MOST_DRAFTS);
                    self.drafts.drain(..too_many);
                }
            }
            DialogAction::Open(next) => return self.open(*next),
            DialogAction::Filter { text, is_done } => {
                let before = self.before_filter.as_ref();
                let is_as_before = before.is_some_and(|(_, before)| *before == text);
                let leads_back = is_done && (text.is_empty() || is_as_before);
                match self.layers.iter_mut().rev().nth(1) {
                    Some(beneath) => beneath.filter(text, view),
                    None => self.set_filter(text),
                }
                if is_done {
                    self.layers.pop();
                }
                if leads_back && self.is_browsing() {
                    self.come_back();
                }
            }
            DialogAction::Choose(chosen) => {
                self.layers.pop();
                return self.choose(chosen, view);
            }
            action => return action,
        }
        DialogAction::Stay
    }

    /// Opens the palette.
    pub(crate) fn open_palette(&mut self, view: &SeatView<'_>) {
        let palette = Palette::open(self.contexts(), &self.keymap, &self.recent, view);
        self.open(palette);
    }

    /// Does what was chosen in the palette.
    fn choose(&mut self, chosen: Chosen, view: &SeatView<'_>) -> DialogAction {
        self.recent.retain(|known| *known != chosen.words);
        self.recent.insert(0, chosen.words);
        self.recent.truncate(MOST_RECENT);
        match chosen.does {
            ChosenAction::Action(action) => self.act_from_afar(action, view),
            ChosenAction::Open(action, thing) => {
                let opened = self.open_on(action, &thing, &[thing], view);
                opened.unwrap_or(DialogAction::Stay)
            }
            ChosenAction::Act(act) => act.into(),
            ChosenAction::Dialog(dialog) => self.open(*dialog),
        }
    }

    /// Does what was found in the palette. What belongs to another tab is done there, by its key, once
    /// one sees what it would be done to.
    fn act_from_afar(&mut self, action: Action, view: &SeatView<'_>) -> DialogAction {
        let has = |place: &Context| {
            let mut known = self.keymap.bindings(*place).iter();
            known.any(|binding| binding.action == action)
        };
        if self.contexts().iter().any(has) {
            return self.act(action, view);
        }
        let home = Tab::ALL.into_iter().find(|tab| has(&tab.context()));
        if let Some(home) = home {
            self.tab = home;
            if matches!(action, Action::Statistics | Action::Export) {
                return self.act(action, view);
            }
            let (key, does) = (self.key(action), action.describe());
            let words = format!("here, {key} is the key to {does}");
            self.notice = Some(Notice::plain(words));
        }
        DialogAction::Stay
    }

    /// Goes where one was before a filter led to the log.
    fn come_back(&mut self) {
        if let Some((tab, _)) = self.before_filter.take().filter(|_| self.tab == Tab::Log) {
            self.tab = tab;
        }
    }

    /// Opens a dialog over what is open, with what was typed into it before it was left.
    pub(crate) fn open(&mut self, mut dialog: Dialog) -> DialogAction {
        let mut drafts = self.drafts.iter();
        if let Some(at) = drafts.position(|draft| dialog.is_source_of(draft)) {
            dialog.restore(self.drafts.remove(at));
        }
        let unfinished_roll = dialog.spec.unfinished_roll();
        if let Some(by_hand) = unfinished_roll.and_then(|roll| self.by_hand.get(&roll)) {
            dialog.spec.set_by_hand(*by_hand, &mut dialog.form);
        }
        self.layers.push(dialog);
        DialogAction::Stay
    }

    /// Opens a dialog where there is one to open, and says why not elsewhere.
    pub(crate) fn open_or(&mut self, dialog: Option<Dialog>, why: &str) -> DialogAction {
        self.open_or_tell(dialog.ok_or(why))
    }

    /// Opens a dialog that could be made, and says why one could not.
    pub(crate) fn open_or_tell(&mut self, made: Result<Dialog, impl ToString>) -> DialogAction {
        match made {
            Ok(dialog) => self.open(dialog),
            Err(why) => self.refuse(why.to_string()),
        }
    }

    /// Closes the dialog on top.
    pub(crate) fn close_dialog(&mut self, view: &SeatView<'_>) {
        self.layers.pop();
        let beneath = self.layers.last_mut().into_iter();
        beneath.for_each(|beneath| beneath.on_change(view));
    }

    /// Says why nothing happened.
    pub(crate) fn refuse(&mut self, why: impl Into<String>) -> DialogAction {
        self.notice = Some(Notice::warning(why));
        DialogAction::Stay
    }

    /// Goes to a tab. On the table the party has the focus, whichever panel had it before.
    pub(crate) fn go_to_tab(&mut self, tab: Tab) {
        if tab == Tab::Table {
            self.panel = Panel::Party;
        }
        self.tab = tab;
    }

    fn act_here(&mut self, action: Action, view: &SeatView<'_>) -> DialogAction {
        if let Some(tab) = Tab::ALL.into_iter().find(|tab| tab.action() == action) {
            self.go_to_tab(tab);
            self.before_filter = None;
            return DialogAction::Stay;
        }
        match action {
            Action::NextTab => self.tab = after(self.tab, 1, &Tab::ALL),
            Action::PreviousTab => self.tab = after(self.tab, -1, &Tab::ALL),
            Action::NextPanel => self.panel = after(self.panel, 1, &Panel::ALL),
            Action::PreviousPanel => self.panel = after(self.panel, -1, &Panel::ALL),
            // Without a dialog it closes an open fold of the log, then takes marks away, then the filter.
            Action::Close if self.tab == Tab::Log && self.log.close_fold() => {}
            Action::Close => {
                let unmarked = self.list_mut(self.active_panel()).unmark();
                if !unmarked && !self.filter().is_empty() {
                    self.set_filter(String::new());
                    self.come_back();
                }
            }
            Action::Quit => return self.quit(DialogAction::Quit, view),
            Action::Games if !is_offered(action, view) => {
                return self.refuse("another game is opened by the screen at the host alone");
            }
            Action::Games => return self.quit(DialogAction::Games, view),
            Action::Palette => return DialogAction::ShowPalette,
            Action::Filter => {
                if self.tab == Tab::Table {
                    self.before_filter = Some((self.tab, self.log.filter().to_owned()));
                    self.tab = Tab::Log;
                }
                let placeholder = match self.tab {
                    Tab::Log => "words, or who:mira check:skill outcome:fail die:d6 scene:well",
                    _ => "part of a name",
                };
                return self.open(filter_line(self.filter(), placeholder));
            }
            Action::Theme => return DialogAction::ShowThemes,
            Action::Recap => return DialogAction::ShowRecap,
            Action::RandomTables if !is_offered(action, view) => {
                let gm = view.system().spec().gm;
                return self.refuse(format!("only the {gm} rolls on random tables"));
            }
            Action::RandomTables => return DialogAction::ShowTables,
            Action::Cover => {
                self.is_covered = !self.is_covered;
                self.log.look_again();
                self.notice = Some(Notice::plain(if self.is_covered {
                    "covered: only what players may see"
                } else {
                    "uncovered"
                }));
            }
            Action::Details if self.tab == Tab::Table => {
                return self.refuse("details stand beside the lists of the other tabs");
            }
            Action::Details => self.toggled_details[self.tab as usize] ^= true,
            Action::Seats if !is_offered(action, view) => {
                let gm = view.system().spec().gm;
                return self.refuse(format!("only the {gm} sees and changes the seats"));
            }
            Action::Seats => return self.open(seats_form(view)),
            Action::Invite => return self.invite(view),
            Action::Accept => return DialogAction::Answer(true),
            Action::Decline => return DialogAction::Answer(false),
            action if self.is_in_vain(action, view) => {
                return self.refuse(if view.is_view() {
                    StoreError::ViewOnly.to_string()
                } else {
                    view.seat().refusal(view.system()).to_string()
                });
            }
            Action::EndSession => return Command::EndSession.into(),
            Action::Notes => return DialogAction::ShowNotes,
            Action::LinesAndVeils => return self.open(lines_and_veils_form(view)),
            Action::Undo => return self.run_command(CommandId::Undo, view),
            Action::Redo => return self.run_command(CommandId::Redo, view),
            Action::NextRound => return self.run_command(CommandId::NextRound, view),
            Action::Roll => {
                let who = self.roller(view);
                let here = self.list(self.active_panel()).id();
                let clock = here.and_then(ListId::try_as_clock);
                let for_clock = clock.and_then(|clock| RollDialog::for_clock(clock, who, view));
                return self.open(for_clock.unwrap_or_else(|| RollDialog::open(who, view)));
            }
            Action::Dice => return self.open(dice_form(view)),
            Action::Resume => return self.resume(view),
            Action::CallRoll => return self.call(view),
            Action::HouseRules => return self.open(house_rules_form(view)),
            Action::Note => return self.open(note_form(None, self.pin_under_cursor(), view)),
            Action::Purse => {
                let purse = purse_form(self.roller(view), view);
                return self.open_or(purse, "there is no pool of tokens here");
            }
            Action::NextScene => return self.open(scene_form(view)),
            Action::NameGame => {
                let is_named = !self.label.is_unnamed;
                let now = is_named.then(|| self.label.name.clone());
                let now = now.unwrap_or_default();
                return self.open(game_name_form(&now, view));
            }
            action if self.walk(action, view) => {}
            action => return self.change(action, view),
        }
        DialogAction::Stay
    }

    /// Runs a command that needs no target.
    fn run_command(&mut self, command: CommandId, view: &SeatView<'_>) -> DialogAction {
        self.act_or_refuse(command.act_on(Vec::new(), view))
    }

    /// Whether a form of this action ends with a suggestion to the GM.
    fn only_suggests(&self, action: Action, view: &SeatView<'_>) -> bool {
        if view.seat().sees_all() {
            return false;
        }
        if action == Action::Open {
            return matches!(self.active_panel(), Panel::Clocks | Panel::Tokens);
        }
        !is_offered(action, view)
    }

    /// Whether it would end in a refusal, for somebody who may not even suggest it; a sheet may be read. Nobody
    /// suggests what happens on the GM's own screen.
    fn is_in_vain(&self, action: Action, view: &SeatView<'_>) -> bool {
        let is_of_screen = matches!(action, Action::Export | Action::NameGame | Action::Closed);
        if is_of_screen && !is_offered(action, view) {
            return true;
        }
        let is_watcher = view.role() == SeatRole::Watcher;
        let may_ask = !(view.is_view() || is_watcher && !view.allowed().watchers_suggest);
        let in_hand = self.active_panel();
        let reads = action == Action::Open && matches!(in_hand, Panel::Party | Panel::Rolls);
        if !may_ask && action == Action::Open && !reads {
            return true;
        }
        !may_ask && !reads && !is_offered(action, view)
    }

    /// Leaves, after asking where something would be left behind.
    fn quit(&mut self, end: DialogAction, view: &SeatView<'_>) -> DialogAction {
        let mut reasons = Vec::new();
        let unsaved = self.unsaved.as_ref();
        if let Some(unsaved) = unsaved.filter(|unsaved| unsaved.role == Role::Danger) {
            let text = &unsaved.text;
            reasons.push(format!("{text}. Who leaves now may lose it."));
        }
        let is_unsaved = !reasons.is_empty();
        if self.label.serves {
            let own = view.seat().name.as_str();
            let others = view.present().filter(|one| one.name != own);
            let others: Vec<&str> = others.map(|one| one.name.as_str()).collect();
            reasons.push(if others.is_empty() {
                "The table is open to others, and closes with this screen.".to_owned()
            } else {
                let others = others.join(", ");
                format!("The table closes for {others} with this screen.")
            });
        }
        let may_answer = roll_requests::to_resume(view).next().is_some();
        let waiting = roll_requests::describe_pending(view).filter(|_| may_answer);
        reasons.extend(waiting.map(|waiting| format!("Unfinished: {waiting} for an answer.")));
        if reasons.is_empty() {
            return end;
        }
        let question = format!("{} Leave the table?", reasons.join(" "));
        let ask = if is_unsaved {
            ask_default_no
        } else {
            ask_default_yes
        };
        self.open(ask(question, end))
    }

    fn invite(&mut self, view: &SeatView<'_>) -> DialogAction {
        if !view.seat().sees_all() {
            return self.refuse("only the GM invites somebody to the table");
        }
        let is_open = view.listed().is_some();
        self.open_or(
            is_open.then(|| invite_form(view)),
            "nobody can join: start the game with --listen, or with `tableside serve`",
        )
    }

    fn resume(&mut self, view: &SeatView<'_>) -> DialogAction {
        let waiting = roll_requests::to_resume(view).next();
        let dialog = waiting.and_then(|waiting| RollDialog::resume(waiting.id, view));
        let dialog = dialog.or_else(|| self.next_call(view));
        self.open_or(dialog, "no check waits, and nobody is called on to roll")
    }

    /// Who a roll is for: the character in hand, or the one whose clock or pool is.
    fn roller(&self, view: &SeatView<'_>) -> Option<CharacterId> {
        let here = match self.active_panel() {
            Panel::Rolls => self.entry().map(ListId::Roll),
            panel => self.list(panel).id(),
        };
        let owner = here.and_then(|here| match here {
            ListId::Character(id) => Some(id),
            ListId::Clock(id) => view.clock(id)?.clock.owner,
            ListId::Pool(id) => view.game().pool(id)?.owner,
            ListId::Roll(number) => view.entry(number)?.roll()?.id,
        });
        // Players roll for their own, and a covered screen for those whose sheets everybody reads.
        let own = &view.seat().characters;
        let reads = |id| view.character(id).is_some_and(|one| one.health.is_none());
        let is_own = |id: &CharacterId| reads(*id) && (own.is_empty() || own.contains(id));
        let known = owner.filter(is_own);
        let mut here = view.roster().filter(|one| one.is_here()).map(|one| one.id);
        let here = here.find(is_own);
        let led = || self.list(Panel::Party).id()?.try_as_character();
        known.or_else(|| led().filter(is_own)).or(here)
    }
}
