//! The actions of dialogs and keys that need more than the screen's state: the table, files, the terminal.

mod background_jobs;
mod creatures;
mod gatekeeper;
mod notes;
mod random_tables;
mod suggestions;

use crate::app::notice::Notice;
use crate::app::state::ScreenState;
use crate::dialog::{DialogAction, DialogEvent, ExportRequest, ask_default_yes, themes_form};
use crate::terminal::input::{ExitReason, Flow};
use crate::terminal::local;
use crate::theme::Theme;
use crate::{Action, Screen};
use tableside_game::EventKind;
use tableside_store::StoreError;
use tableside_table::{Act, Entry, Problem, Seat};

impl Screen {
    /// Performs the action of a dialog or of a key.
    pub(crate) fn perform(&mut self, action: DialogAction) {
        match action {
            // The state has handled these already.
            DialogAction::Stay
            | DialogAction::Close
            | DialogAction::Open(_)
            | DialogAction::Replace(_)
            | DialogAction::Interpose(_)
            | DialogAction::Filter { .. }
            | DialogAction::Choose(_) => {}

            DialogAction::Submit(act) => self.submit(act, AfterSubmit::Stay),
            DialogAction::SubmitAndReturn(act) => self.submit(act, AfterSubmit::Return),
            DialogAction::SubmitAndClose(act) => self.submit(act, AfterSubmit::Close),
            DialogAction::Suggest(act) => self.suggest(&act),
            DialogAction::Answer(is_accepted) => self.answer_suggestion(is_accepted),
            DialogAction::Pause => self.pause(),
            DialogAction::ReadHandout(note) => self.read_handout(note),
            DialogAction::ChangeSeat(act) => self.act_as_gatekeeper(act),
            DialogAction::RenewPage => self.renew_page(),
            DialogAction::SaveTable { name, text } => self.save_table(name, &text),
            DialogAction::SaveCreature(creature) => self.save_creature(&creature),
            DialogAction::DeleteTable(name) => self.delete_table(name),
            DialogAction::Rename(name) => self.rename(&name),
            DialogAction::Export(request) => self.export_or_ask(request),

            DialogAction::ShowNotes => self.show_notes(),
            DialogAction::ShowThemes => self.show_themes(),
            DialogAction::ShowPalette => self.show_palette(),
            DialogAction::ShowTables => self.show_tables(&[]),
            DialogAction::ShowRecap(request) => self.show_recap(request),
            DialogAction::ChangeRecap(request) => {
                self.state.layers.pop();
                self.show_recap(request);
            }

            DialogAction::Copy(text) => self.copy(&text),
            DialogAction::UseTheme(theme) => self.use_theme(theme),
            DialogAction::Redraw => self.draw_anew(),
            DialogAction::Suspend => self.suspend(),
            DialogAction::Write(text) => self.open_editor(text),
            DialogAction::Quit => self.flow.turn(Flow::Leave(ExitReason::Quit)),
            DialogAction::Games => self.flow.turn(Flow::Leave(ExitReason::Games)),
            DialogAction::OpenGame(name) => {
                self.picked = Some(name);
                self.flow.turn(Flow::Leave(ExitReason::Quit));
            }
        }
    }

    /// Closes all dialogs and shows the message, or shows the error.
    fn finish(&mut self, result: Result<String, String>) {
        if result.is_ok() {
            self.state.layers.clear();
        }
        self.refresh();
        match result {
            Ok(message) => self.state.inform(message),
            Err(reason) => self.refuse(&reason),
        }
    }

    /// Shows why an action failed, in the topmost dialog or else on the bottom line.
    pub(crate) fn refuse(&mut self, reason: &str) {
        self.with_view(|state, view| match state.layers.last_mut() {
            Some(dialog) => dialog.on_result(Err(reason), view),
            None => state.warn(reason),
        });
    }

    /// Submits an act to the table. On success, closes the dialogs that `afterwards` names and shows the result. On
    /// failure, shows the reason, or offers to suggest the act to the GM.
    fn submit(&mut self, act: Act, afterwards: AfterSubmit) {
        let result = self.table.submit(&self.setup.seat, &act);
        if let Ok(entry) = &result {
            self.with_view(|state, view| match afterwards {
                AfterSubmit::Close => state.layers.clear(),
                AfterSubmit::Return => state.close_dialog(view),
                AfterSubmit::Stay => {
                    if let Some(dialog) = state.layers.last_mut() {
                        dialog.on_result(Ok(entry), view);
                    }
                }
            });
        }

        self.refresh();
        match result {
            Ok(entry) => {
                // A dialog that stays open shows the result itself, but not the effects of tokens.
                let is_tokens = entry.event.what.kind() == "tokens";
                if afterwards != AfterSubmit::Stay || is_tokens {
                    self.state.notice = self.read_view(|view| Notice::of_act(&entry, &view));
                    self.offer_recap(&entry);
                    self.state.select_new(&entry);
                    self.with_view(|state, view| state.follow_turn(&entry, view));
                }
                self.show_table_result(&entry);
            }
            Err(problem) if self.may_suggest(&problem) => self.ask_to_suggest(act),
            Err(problem) => self.refuse(&describe_problem(&problem)),
        }
    }

    /// Adds the key of the recap to the message about the end of a session.
    fn offer_recap(&mut self, entry: &Entry) {
        let recap_key = self.state.key(Action::Recap);
        let has_ended = matches!(entry.event.what, EventKind::SessionEnded { .. });
        if let Some(notice) = &mut self.state.notice
            && has_ended
            && !recap_key.is_empty()
        {
            notice.text = format!("{}. {recap_key} reads its recap", notice.text);
        }
    }

    /// The system's name for the GM.
    fn gm(&self) -> &'static str {
        self.read_view(|view| view.system().spec().gm)
    }

    fn rename(&mut self, name: &str) {
        let result = self.try_rename(name);
        self.finish(result);
    }

    /// Renames the game. Returns the message to show.
    fn try_rename(&mut self, name: &str) -> Result<String, String> {
        let Some(storage) = &self.setup.storage else {
            let gm = self.gm();
            return Err(format!("only the {gm} can name the game, at the host"));
        };

        let old_name = self.table.name();
        let new_name = storage
            .new_name(name, Some(&old_name), self.setup.reserved)
            .map_err(|error| error.to_string())?;
        self.table
            .rename(storage, &new_name)
            .map_err(|problem| describe_problem(&problem))?;
        Ok(format!("the game is now called {}", self.table.name()))
    }

    /// Exports to a file. If a file with the typed path exists, a dialog asks whether to replace it.
    fn export_or_ask(&mut self, request: ExportRequest) {
        // Over SSH the file would be written to the host's disk, under the host's account.
        if self.setup.storage.is_none() {
            let reason = "files can only be written at the host";
            self.finish(Err(reason.to_owned()));
            return;
        }

        match self.export(&request) {
            Err(StoreError::Exists(file)) if !request.path.is_empty() => {
                let question = format!("{} already exists. Replace it?", file.display());
                let replacing = ExportRequest {
                    replace: true,
                    ..request
                };
                let dialog = ask_default_yes(question, DialogAction::Export(replacing));
                self.state.open(dialog);
            }
            result => self.finish(result.map_err(|error| error.to_string())),
        }
    }

    /// Copies text to the clipboard, and shows its first line.
    fn copy(&mut self, text: &str) {
        match self.attention.copy(text) {
            Ok(()) => {
                let first_line = text.lines().next().unwrap_or_default();
                let message = format!("copied: {first_line}");
                self.state.inform(message);
            }
            Err(reason) => self.refuse(&reason),
        }
    }

    fn suspend(&mut self) {
        if local::has_shell() {
            self.flow.turn(Flow::Suspend);
        } else {
            let reason = "there is no shell to return to";
            self.finish(Err(reason.to_owned()));
        }
    }

    /// Requests to open a text in the user's editor.
    fn open_editor(&mut self, text: String) {
        // Over SSH it would be the host's editor.
        if self.setup.storage.is_none() {
            let reason = "an editor opens only at the host";
            self.finish(Err(reason.to_owned()));
            return;
        }
        self.text_to_edit = text;
        self.flow.turn(Flow::Write);
    }

    /// Passes the text from the editor to the topmost dialog, or shows why the editor failed.
    pub fn take_written(&mut self, written: Result<String, String>) {
        match written {
            Ok(text) => {
                let event = DialogEvent::Written(text);
                let action = self.with_view(|state, view| state.send_to_dialog(&event, view));
                self.perform(action);
            }
            Err(reason) => self.refuse(&reason),
        }
    }

    fn show_palette(&mut self) {
        self.table.read_random_tables();
        self.table.reload_creatures();
        self.with_view(ScreenState::open_palette);
    }

    fn show_themes(&mut self) {
        let own_themes = match &self.setup.memory {
            Some(memory) => memory.themes(),
            None => Vec::new(),
        };
        let dialog = themes_form(&self.setup.theme, own_themes);
        self.state.open(dialog);
    }

    fn use_theme(&mut self, theme: Theme) {
        let result = self.try_use_theme(theme);
        self.finish(result);
    }

    /// Uses a theme and saves the choice. Returns the message to show.
    fn try_use_theme(&mut self, theme: Theme) -> Result<String, String> {
        let name = theme.name().to_owned();
        self.setup.theme = theme;
        self.frame_cache.forget();
        self.state.layers.clear();

        if let Some(memory) = &self.setup.memory {
            memory
                .keep_theme(&name)
                .map_err(|error| format!("theme: {name}, not saved: {error}"))?;
        }
        Ok(format!("theme: {name}"))
    }

    /// The seat that reads the log: the onlooker while the screen is covered.
    pub(crate) fn log_seat(&self) -> &Seat {
        if self.state.is_covered {
            &self.onlooker
        } else {
            &self.setup.seat
        }
    }
}

/// The dialogs that close after the table accepted an act.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AfterSubmit {
    /// None. The topmost dialog gets the result.
    Stay,
    /// The topmost dialog.
    Return,
    /// All dialogs.
    Close,
}

/// Describes a problem, and how to solve it.
fn describe_problem(problem: &Problem) -> String {
    let Problem::Store(error) = problem else {
        return problem.to_string();
    };
    match error.hint() {
        Some(hint) => format!("{error}; {hint}"),
        None => error.to_string(),
    }
}
