//! What a screen does that a key asked for: at the table, with the others there, and on this machine.

mod notes;

use std::sync::Arc;

use crate::Screen;
use crate::app::background::{Job, JobResult};
use crate::app::notice::Notice;
use crate::app::state::{ScreenState, Tab};
use crate::dialog::{
    DialogAction, DialogEvent, ExportRequest, SeatRequest, ask_default_yes, invitation_dialog,
    random_tables_form, themes_form,
};
use crate::terminal::input::{ExitReason, Flow};
use crate::terminal::local;
use crate::theme::Theme;
use tableside_game::CommandError;
use tableside_store::StoreError;
use tableside_table::{Act, Problem, Seat};
use tableside_text::join;

impl Screen {
    /// Does what was asked for. What is refused is said in the dialog that asked, else in passing.
    pub(crate) fn perform(&mut self, action: DialogAction) {
        let done = match action {
            // These the state has done.
            DialogAction::Stay
            | DialogAction::Close
            | DialogAction::Open(_)
            | DialogAction::Replace(_)
            | DialogAction::AskFirst(_)
            | DialogAction::Filter { .. }
            | DialogAction::Choose(_) => return,
            DialogAction::Submit(act) => return self.submit(act, AfterSubmit::Stay),
            DialogAction::SubmitAndReturn(act) => return self.submit(act, AfterSubmit::Return),
            DialogAction::SubmitAndClose(act) => return self.submit(act, AfterSubmit::Close),
            DialogAction::Pause => return self.pause(),
            DialogAction::ShowNotes => return self.show_notes(),
            DialogAction::ReadHandout(note) => return self.read_handout(note),
            DialogAction::ChangeSeat(act) => return self.ask_door(act),
            DialogAction::RenewPage => return self.renew_page(),
            DialogAction::ShowThemes => return self.show_themes(),
            DialogAction::ShowPalette => return self.show_palette(),
            DialogAction::ShowTables => return self.show_tables(),
            DialogAction::SaveTable { name, text } => return self.save_table(&name, &text),
            DialogAction::DeleteTable(name) => return self.delete_table(&name),
            DialogAction::Copy(text) => return self.copy(&text),
            DialogAction::Redraw => return self.draw_anew(),
            DialogAction::Suspend if !local::has_shell() => {
                Err("no shell is here that could bring the screen back".to_owned())
            }
            DialogAction::Suspend => return self.flow.turn(Flow::Suspend),
            DialogAction::Quit => return self.flow.turn(Flow::Leave(ExitReason::Quit)),
            DialogAction::Games => return self.flow.turn(Flow::Leave(ExitReason::Games)),
            DialogAction::OpenGame(name) => {
                self.picked = Some(name);
                return self.flow.turn(Flow::Leave(ExitReason::Quit));
            }
            // Over the wire it would be the host's editor.
            DialogAction::Write(_) if self.setup.storage.is_none() => {
                Err("an editor opens on the screen at the host alone".to_owned())
            }
            DialogAction::Write(text) => {
                self.text_to_edit = text;
                return self.flow.turn(Flow::Write);
            }
            DialogAction::ShowRecap => return self.show_recap(),
            // Over SSH it would be a file on the host's disk, under the host's name.
            DialogAction::Export(_) if self.setup.storage.is_none() => Err(
                "a file is written by the screen at the host alone; ask for it there".to_owned(),
            ),
            DialogAction::Export(request) => match self.export(&request) {
                Err(StoreError::Exists(file)) if !request.path.is_empty() => {
                    let question = format!("{} is there already. Replace it?", file.display());
                    let replace = true;
                    let again = DialogAction::Export(ExportRequest { replace, ..request });
                    self.state.open(ask_default_yes(question, again));
                    return;
                }
                done => done.map_err(|error| error.to_string()),
            },
            DialogAction::Rename(name) => self.rename(&name),
            DialogAction::Suggest(act) => self.suggest(&act),
            DialogAction::Answer(yes) => self.answer(yes),
            DialogAction::UseTheme(theme) => self.use_theme(theme),
        };
        if done.is_ok() {
            self.state.layers.clear();
        }
        self.refresh();
        match done {
            Ok(words) => self.state.notice = Some(Notice::plain(words)),
            Err(why) => self.refuse(&why),
        }
    }

    /// Copies a text to the person's clipboard, and says its first line.
    fn copy(&mut self, text: &str) {
        match self.attention.copy(text) {
            Ok(()) => {
                let first = text.lines().next().unwrap_or_default();
                self.state.notice = Some(Notice::plain(format!("copied: {first}")));
            }
            Err(why) => self.refuse(&why),
        }
    }

    /// Takes what was written in the editor, or why nothing was.
    pub fn take_written(&mut self, written: Result<String, String>) {
        match written {
            Ok(text) => {
                let event = DialogEvent::Written(text);
                let action = self.look(|state, view| state.send(&event, view));
                self.perform(action);
            }
            Err(why) => self.refuse(&why),
        }
    }

    /// Says why something was not done.
    pub(crate) fn refuse(&mut self, why: &str) {
        self.look(|state, view| match state.layers.last_mut() {
            Some(dialog) => dialog.on_result(Err(why), view),
            None => state.notice = Some(Notice::warning(why)),
        });
    }

    fn submit(&mut self, act: Act, afterwards: AfterSubmit) {
        let submitted = self.table.submit(&self.setup.seat, &act);
        if let Ok(entry) = &submitted {
            self.look(|state, view| match (afterwards, state.layers.last_mut()) {
                (AfterSubmit::Close, _) => state.layers.clear(),
                (AfterSubmit::Return, _) => state.close_dialog(view),
                (AfterSubmit::Stay, Some(dialog)) => dialog.on_result(Ok(entry), view),
                (AfterSubmit::Stay, None) => {}
            });
        }
        self.refresh();
        match submitted {
            // A dialog that stays tells what it does itself, but for what tokens lead to.
            Ok(entry) if afterwards != AfterSubmit::Stay || entry.event.what.kind() == "tokens" => {
                self.state.notice = self.look(|_, view| Notice::of_act(&entry, view));
                self.state.select_new(&entry);
            }
            Ok(_) => {}
            Err(problem) if self.may_suggest(&problem) => {
                let what = self.table.wording(&self.setup.seat, &act);
                let what = what.map_or_else(|_| String::new(), |words| format!(": {words}"));
                let gm = self.gm();
                let question = format!("Not yours to change. Suggest it to the {gm}{what}?");
                let dialog = ask_default_yes(question, DialogAction::Suggest(act));
                self.state.notice = None;
                self.state.open(dialog);
            }
            Err(problem) => self.refuse(&words(&problem)),
        }
    }

    /// What the system calls the GM.
    fn gm(&mut self) -> &'static str {
        self.look(|_, view| view.system().spec().gm)
    }

    fn rename(&mut self, name: &str) -> Result<String, String> {
        let Some(storage) = &self.setup.storage else {
            let gm = self.gm();
            return Err(format!("only the {gm}'s own screen names the game"));
        };
        let before = self.table.name();
        let name = storage.new_name(name, Some(&before), self.setup.reserved);
        let name = name.map_err(|problem| problem.to_string())?;
        let renamed = self.table.rename(storage, &name);
        renamed.map_err(|problem| words(&problem))?;
        Ok(format!("the game is called {} now", self.table.name()))
    }

    /// Whether something that was refused can be put before the GM instead.
    fn may_suggest(&mut self, problem: &Problem) -> bool {
        let is_not_theirs = matches!(problem, Problem::Refused(CommandError::NotAllowed(_)));
        let allowed = self.look(|_, view| view.allowed());
        is_not_theirs && self.setup.seat.may_suggest(allowed)
    }

    fn suggest(&mut self, act: &Act) -> Result<String, String> {
        let suggested = self.table.suggest(&self.setup.seat, act);
        suggested.map_err(|problem| words(&problem))?;
        Ok(format!("suggested; the {} decides", self.gm()))
    }

    /// Answers the suggestion that waits longest.
    fn answer(&mut self, yes: bool) -> Result<String, String> {
        let first = self.look(|_, view| view.suggestions().first().cloned());
        let suggestion = first.ok_or("nobody suggests anything")?;
        let seat = &self.setup.seat;
        let (by, what) = (&suggestion.by, &suggestion.words);
        let answered = if yes {
            let done = self.table.accept(seat, suggestion.id);
            done.map(|done| format!("done, for {by}: {done}"))
        } else {
            let declined = self.table.decline(seat, suggestion.id);
            declined.map(|_| format!("declined, to {by}: {what}"))
        };
        answered.map_err(|problem| words(&problem))
    }

    /// Tells what the GM answered to a suggestion of this seat.
    pub(crate) fn notice_answer(&mut self) {
        let since = self.answered;
        let answer = self.look(|_, view| {
            let answer = view.answer_since(since);
            answer.map(|(number, words)| (number, words.to_owned()))
        });
        if let Some((number, words)) = answer {
            self.answered = number;
            self.state.notice = Some(Notice::plain(words));
        }
    }

    /// Lets somebody in or out.
    fn ask_door(&mut self, act: SeatRequest) {
        let asked = self.table.gatekeeper(&self.setup.seat);
        let done = asked.and_then(|door| match act {
            SeatRequest::Invite { name, role } => Ok(Some((door.invite(&name, role)?, role))),
            SeatRequest::Revoke(seat) => door.revoke(seat).map(|()| None),
            SeatRequest::Dismiss(seat) => door.dismiss(seat).map(|()| None),
        });
        self.refresh();
        match done {
            Ok(made) => self.look(|state, view| {
                state.close_dialog(view);
                if let Some((made, role)) = made {
                    state.open(invitation_dialog(&made, role, view));
                }
            }),
            Err(why) => self.refuse(&why),
        }
    }

    /// Gives the page in browsers another address.
    fn renew_page(&mut self) {
        let page = self.look(|_, view| view.page());
        let renewed = page.ok_or_else(|| "the page is not open".to_owned());
        match renewed.and_then(|page| page.renew()) {
            Ok(address) => self.look(|state, view| {
                state.close_dialog(view);
                state.notice = Some(Notice::plain(format!("The page is now at {address}")));
            }),
            Err(why) => self.refuse(&why),
        }
    }

    fn show_themes(&mut self) {
        let own = self.setup.memory.as_ref().map(|memory| memory.themes());
        let themes = themes_form(&self.setup.theme, own.unwrap_or_default());
        self.state.open(themes);
    }

    fn show_palette(&mut self) {
        self.table.read_random_tables();
        self.look(ScreenState::open_palette);
    }

    /// Opens the list of random tables, as their files are now.
    fn show_tables(&mut self) {
        self.table.read_random_tables();
        let list = self.look(|_, view| random_tables_form(view));
        self.state.open(list);
    }

    fn save_table(&mut self, name: &str, text: &str) {
        let saved = match &self.setup.memory {
            Some(memory) => memory.save_table(name, text, true),
            None => Err("random tables are saved by the screen at the host alone".to_owned()),
        };
        self.after_table_change(saved);
    }

    fn delete_table(&mut self, name: &str) {
        let deleted = match &self.setup.memory {
            Some(memory) => memory.delete_table(name),
            None => Err("random tables are deleted by the screen at the host alone".to_owned()),
        };
        self.after_table_change(deleted);
    }

    /// Reads the tables again and opens their list anew, or says why a change failed.
    fn after_table_change(&mut self, changed: Result<(), String>) {
        match changed {
            Ok(()) => {
                self.state.layers.pop();
                self.show_tables();
            }
            Err(problem) => self.refuse(&problem),
        }
    }

    /// Uses the colours that were chosen, and remembers them.
    fn use_theme(&mut self, theme: Theme) -> Result<String, String> {
        let name = theme.name().to_owned();
        self.setup.theme = theme;
        self.frame_cache.forget();
        self.state.layers.clear();
        if let Some(memory) = &self.setup.memory {
            let kept = memory.keep_theme(&name);
            kept.map_err(|why| format!("theme: {name}, for now alone: {why}"))?;
        }
        Ok(format!("theme: {name}"))
    }

    /// Asks for what the screen shows next and takes too long for a key.
    pub(crate) fn queue_jobs(&mut self) {
        for dialog in &mut self.state.layers {
            if dialog.spec.needs_whole_log() {
                self.table.count_in_background();
            }
            self.jobs
                .extend(dialog.spec.take_question().map(Job::Worth));
            self.jobs.extend(
                dialog
                    .spec
                    .take_dice_question(&dialog.form)
                    .map(Job::DiceOdds),
            );
        }
        if self.state.tab == Tab::Log {
            self.ask_log();
        }
    }

    /// Asks for what the log has before what is known of it, if it is wanted.
    fn ask_log(&mut self) {
        if let Some(question) = self.look(ScreenState::ask_log) {
            self.jobs.push_back(Job::Log {
                table: Arc::clone(&self.table),
                seat: self.log_seat().clone(),
                question,
            });
        }
    }

    /// Who reads the log: everybody who looks on, while the screen is covered.
    pub(crate) fn log_seat(&self) -> &Seat {
        if self.state.is_covered {
            &self.onlooker
        } else {
            &self.setup.seat
        }
    }

    /// Takes what was worked out in the background.
    pub(crate) fn take_result(&mut self, result: JobResult) {
        match result {
            JobResult::Worth(worths) => {
                for dialog in &mut self.state.layers {
                    dialog.spec.take_answer(worths.clone());
                }
                self.is_stale = true;
            }
            JobResult::DiceOdds(odds) => {
                for dialog in &mut self.state.layers {
                    dialog.spec.take_dice_odds(&odds);
                }
                self.is_stale = true;
            }
            JobResult::Log(question, found) => {
                if let Some(why) = &found.error {
                    let text = format!("a part of the log cannot be read: {why}");
                    self.state.notice = Some(Notice::warning(text));
                }
                let is_taken =
                    self.look(|state, view| state.log.take_found(&question, &found, view));
                if is_taken {
                    self.is_stale = true;
                    self.ask_log();
                }
            }
        }
    }
}

/// What happens with the dialogs after the table has done what one of them asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AfterSubmit {
    /// The topmost dialog stays and gets the result.
    Stay,
    /// The topmost dialog closes.
    Return,
    /// All dialogs close.
    Close,
}

/// What went wrong, and what to do next.
fn words(problem: &Problem) -> String {
    let Problem::Store(error) = problem else {
        return problem.to_string();
    };
    join([error.to_string()].into_iter().chain(error.hint()), "; ")
}
