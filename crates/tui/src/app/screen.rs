//! One person's screen: it takes input, changes its state, and draws frames.

mod export;
mod perform;
mod saved_state;

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[cfg(debug_assertions)]
use ratatui::buffer::Buffer;
use signal_hook::consts::{SIGCONT, SIGTSTP};

use super::attention::Attention;
use super::background::Job;
use super::notice::Notice;
use super::setup::Setup;
use super::state::{Label, ScreenState};
use super::update::mouse::HitMap;
use super::{Action, roll_requests};
use crate::dialog::games::{GamesDialog, Library};
use crate::terminal::display::Display;
use crate::terminal::input::{ExitReason, Flow, Input, Parser, Typed};
use crate::terminal::run;
use crate::theme::Role;
use crate::view::{self, FrameCache, FrameInput};
pub use saved_state::{CursorPosition, SavedState};
use tableside_store::Saving;
use tableside_table::{Seat, SeatRole, SeatView, Table};
use tableside_text::join_with_and;

/// So long may an event wait for the disk before the screen speaks of it.
const QUIET: Duration = Duration::from_millis(300);

/// The columns and rows of the largest terminal that is drawn whole.
const LARGEST: (u16, u16) = (500, 200);

/// One person's screen.
pub struct Screen {
    table: Arc<Table>,
    setup: Setup,
    /// Who looks on while the screen is covered.
    onlooker: Seat,
    state: ScreenState,
    parser: Parser,
    /// When the bytes came that the parser keeps as unfinished.
    unfinished_since: Instant,
    display: Display,
    /// Where the mouse finds what, in the last frame.
    hits: HitMap,
    frame_cache: FrameCache,
    /// How often the table had changed when this screen last looked.
    revision: u64,
    /// Whether the last frame shows something else than what is.
    is_stale: bool,
    flow: Flow,
    /// What is to be worked out in the background.
    jobs: VecDeque<Job>,
    /// The game that was picked from the list of games.
    picked: Option<String>,
    /// The text that the editor opens.
    text_to_edit: String,
    /// The last answer to a suggestion of this seat that was told.
    answered: u64,
    /// What is sent beside the next frame.
    attention: Attention,
    /// Since when something waits for the disk without anybody being told.
    behind: Option<Instant>,
}

impl Screen {
    /// A screen at that table, on a terminal of so many columns and rows.
    pub fn new(table: Arc<Table>, setup: Setup, size: (u16, u16)) -> Self {
        let mut screen = Self::bare(table, setup, size);
        screen.greet();
        screen
    }

    /// A screen on which one of the library's games is picked, before any table is there to see; that one is under
    /// the cursor.
    pub fn picking(
        table: Arc<Table>,
        (library, at): (Arc<dyn Library>, Option<&str>),
        setup: Setup,
        size: (u16, u16),
    ) -> Self {
        let games = GamesDialog::open(library, setup.zone, at);
        let mut screen = Self::bare(table, setup, size);
        screen.state.is_picking = true;
        screen.state.layers.push(games);
        screen
    }

    fn bare(table: Arc<Table>, mut setup: Setup, size: (u16, u16)) -> Self {
        let size = bounded(size);
        let display = Display::new(size.0, size.1).ascii(setup.ascii);
        let mut state = ScreenState {
            size,
            keymap: Arc::clone(&setup.keymap),
            ..ScreenState::default()
        };
        let notices = mem::take(&mut setup.notices);
        if !notices.is_empty() {
            state.notice = Some(Notice::warning(notices.join("; ")));
        }
        let mut screen = Self {
            onlooker: Seat::onlooker(),
            state,
            parser: Parser::default(),
            unfinished_since: Instant::now(),
            display,
            hits: HitMap::default(),
            frame_cache: FrameCache::default(),
            revision: table.revision(),
            is_stale: true,
            flow: Flow::Stay,
            jobs: VecDeque::new(),
            picked: None,
            text_to_edit: String::new(),
            answered: 0,
            attention: Attention::default(),
            behind: None,
            table,
            setup,
        };
        screen.look(ScreenState::notice_pause);
        // What was answered before is no news.
        let answered = screen.look(|_, view| view.answer_since(0).map(|(number, _)| number));
        screen.answered = answered.unwrap_or(0);
        screen
    }

    /// The first words: how to begin, in a game that nobody has touched; what waits, in another.
    fn greet(&mut self) {
        self.read_label();
        // A player who joins and is called on finds the check ready.
        self.look(ScreenState::notice_calls);
        self.look(ScreenState::notice_rolls);
        let zone = self.setup.zone;
        self.look(|state, view| state.notice_handouts(zone, view));
        // Who comes looks at the screen.
        self.state.rings = None;
        let waiting = self.look(|_, view| {
            let may_answer = roll_requests::to_resume(view).next().is_some();
            roll_requests::describe_pending(view).filter(|_| may_answer)
        });
        let memory = self.setup.memory.clone();
        let knows = || memory.is_some_and(|memory| memory.note_greeted());
        let own = self.own_words();
        let key = |action| self.state.key(action);
        let words = if let Some(waiting) = waiting {
            let own = own.map_or_else(String::new, |own| own + "; ");
            format!(
                "{own}{waiting} for an answer: {} goes on",
                key(Action::Resume)
            )
        } else if let Some(own) = own {
            format!("{own}: {} tells what you can do", key(Action::Help))
        } else if self.state.label.is_unnamed && self.revision == 0 && !knows() {
            let [games, help] = [Action::Games, Action::Help].map(key);
            format!(
                "Welcome to the table, a sample: {games} begins or opens another; {help} shows keys"
            )
        } else {
            return;
        };
        self.state
            .notice
            .get_or_insert_with(|| Notice::plain(words));
    }

    /// Who somebody is who joined: "You are Tom, playing Sir Alric". The GM knows.
    fn own_words(&mut self) -> Option<String> {
        self.look(|_, view| {
            let seat = view.seat();
            let characters = view
                .roster()
                .filter(|one| seat.characters.contains(&one.id));
            let names: Vec<&str> = characters.map(|one| one.name.as_str()).collect();
            match (seat.role, names.as_slice()) {
                (SeatRole::Gm, _) => None,
                (SeatRole::Watcher, _) => Some("You are watching".to_owned()),
                (SeatRole::Player, []) => {
                    let gm = view.system().spec().gm;
                    Some(format!(
                        "You are {}, and the {gm} has not said yet whom you play",
                        seat.name
                    ))
                }
                (SeatRole::Player, names) => {
                    let names = join_with_and(names);
                    Some(format!("You are {}, playing {names}", seat.name))
                }
            }
        })
    }

    fn read_label(&mut self) {
        self.state.label = Label {
            name: self.table.name(),
            is_unnamed: self.table.is_unnamed(),
            is_view: self.table.is_view(),
            serves: self.setup.serves,
        };
    }

    /// Who sits at it.
    pub fn seat(&self) -> &Seat {
        &self.setup.seat
    }

    /// What it remembers.
    pub fn state(&self) -> &ScreenState {
        &self.state
    }

    /// Lets the state look at the table, covered if it is.
    fn look<T>(&mut self, look: impl FnOnce(&mut ScreenState, &SeatView<'_>) -> T) -> T {
        self.table.read(&self.setup.seat, |view| {
            let view = covered(view, &self.state, &self.onlooker);
            look(&mut self.state, &view)
        })
    }

    /// Handles an input. The next [`Screen::frame`] draws what came of it.
    pub fn handle(&mut self, input: Input) {
        let mut typed = Vec::new();
        match input {
            Input::Bytes(bytes) => {
                self.parser.feed(&bytes, &mut typed);
                self.unfinished_since = Instant::now();
            }
            Input::Silence => {
                self.parser.flush(&mut typed);
                self.watch_saving();
            }
            Input::Resize(width, height) => self.resize((width, height)),
            Input::Changed => self.refresh(),
            Input::Saving => self.watch_saving(),
            Input::JobDone(result) => self.take_result(result),
            Input::Signal(SIGTSTP) => self.flow.turn(Flow::Suspend),
            Input::Signal(SIGCONT) => self.flow.turn(Flow::Resume),
            Input::Signal(signal) => self.flow.turn(Flow::Leave(ExitReason::Signal(signal))),
            Input::Closed => self.flow.turn(Flow::Leave(ExitReason::InputClosed)),
        }
        for typed in typed {
            self.handle_typed(typed);
        }
    }

    fn handle_typed(&mut self, typed: Typed) {
        if self.is_leaving() {
            return;
        }
        self.is_stale = true;
        let hits = mem::take(&mut self.hits);
        let action = self.look(|state, view| {
            state.note_clocks(view);
            match typed {
                Typed::Key(key) => state.handle_key(key, view),
                Typed::Press(at) => state.handle_press(at, &hits, view),
                Typed::Wheel(by) => state.turn_wheel(by, view),
                Typed::Paste(text) => state.handle_paste(text, view),
            }
        });
        self.hits = hits;
        self.perform(action);
        if self.state.to_show.is_some() {
            self.look(ScreenState::show_call);
        }
        let zone = self.setup.zone;
        self.look(|state, view| state.show_handout(zone, view));
        self.queue_jobs();
        #[cfg(debug_assertions)]
        run::panic_if_told("update");
    }

    /// Takes in that the table changed.
    fn refresh(&mut self) {
        self.watch_saving();
        let revision = self.table.revision();
        if revision == self.revision {
            return;
        }
        self.read_label();
        self.revision = revision;
        self.is_stale = true;
        self.notice_answer();
        let zone = self.setup.zone;
        self.look(|state, view| {
            for dialog in &mut state.layers {
                dialog.on_change(view);
            }
            state.notice_calls(view);
            state.notice_rolls(view);
            state.notice_handouts(zone, view);
            state.notice_pause(view);
        });
        let called = self.state.rings.take();
        let words = called.or_else(|| {
            let suggests = |view: &SeatView<'_>| self.attention.suggestion(view);
            let suggested = self.table.read(&self.setup.seat, suggests)?;
            // What waits for an answer goes before words that were read.
            self.state.notice = None;
            Some(suggested)
        });
        if let Some(words) = words {
            let (how, game) = (self.setup.notify, &self.state.label.name);
            self.attention.ring(how, game, &words, self.setup.ascii);
        }
    }

    /// Looks how saving stands: it is told only when it takes long or fails.
    fn watch_saving(&mut self) {
        let saving = self.look(|_, view| view.saving());
        self.behind = None;
        let unsaved = match saving {
            Saving::Quiet => None,
            Saving::Behind { since } if since.elapsed() >= QUIET => Some(Notice::warning(
                "saving takes long: the last change is not on the disk yet",
            )),
            Saving::Behind { since } => {
                self.behind = Some(since);
                self.state.unsaved.clone()
            }
            Saving::Failing { at, reason, .. } => {
                let since = at.map(|at| format!(" since {}", self.setup.zone.time(at)));
                let since = since.unwrap_or_default();
                Some(Notice {
                    text: format!("NOT SAVED{since}: {reason}; it is tried again by itself"),
                    // Without a time only what can be had back is behind.
                    role: at.map_or(Role::Warning, |_| Role::Danger),
                })
            }
        };
        if unsaved != self.state.unsaved {
            self.state.unsaved = unsaved;
            self.is_stale = true;
        }
    }

    /// The next thing to be worked out in the background.
    pub fn take_job(&mut self) -> Option<Job> {
        self.jobs.pop_front()
    }

    /// How long to wait for more bytes before [`Input::Silence`]; for ever where nothing is pending.
    ///
    /// Both deadlines are points in time: other inputs, such as changes of the table, do not put them off.
    pub fn patience(&self, now: Instant) -> Option<Duration> {
        let slow_saving = self.behind.map(|since| since + QUIET);
        let unfinished = self
            .parser
            .patience()
            .map(|patience| self.unfinished_since + patience);

        let deadline = slow_saving.into_iter().chain(unfinished).min()?;
        Some(deadline.saturating_duration_since(now))
    }

    /// True if [`Input::Silence`] is due, because no bytes came in time.
    pub fn is_silence_due(&self, now: Instant) -> bool {
        self.patience(now).is_some_and(|left| left.is_zero())
    }

    /// What it wants of the terminal, once.
    pub fn take_flow(&mut self) -> Flow {
        mem::take(&mut self.flow)
    }

    /// Whether it leaves, and takes no more input.
    pub fn is_leaving(&self) -> bool {
        matches!(self.flow, Flow::Leave(_))
    }

    /// The game that was picked, once.
    pub fn take_picked(&mut self) -> Option<String> {
        self.picked.take()
    }

    /// The text that the editor opens, once.
    pub(crate) fn take_text_to_edit(&mut self) -> String {
        mem::take(&mut self.text_to_edit)
    }

    /// Forgets what the terminal shows, and how large it was: everything is drawn anew.
    pub fn resume(&mut self, size: (u16, u16)) {
        self.resize(size);
        self.draw_anew();
    }

    fn draw_anew(&mut self) {
        self.display.forget();
        self.attention.forget();
        self.is_stale = true;
    }

    fn resize(&mut self, size: (u16, u16)) {
        let size = bounded(size);
        if size != self.state.size {
            self.state.size = size;
            self.display.resize(size.0, size.1);
            self.is_stale = true;
        }
    }

    /// What is to be written to the terminal, in one go; empty if nothing changed.
    pub fn frame(&mut self) -> Vec<u8> {
        if !mem::take(&mut self.is_stale) {
            return Vec::new();
        }
        let far = self.look(ScreenState::settle);
        if !far.is_empty() {
            // What cannot be read is not shown, and its line stays empty.
            self.table.fetch(&far);
        }
        if self.display.is_blank() {
            self.frame_cache.forget();
        }
        let mut frame = self.table.read(&self.setup.seat, |view| {
            let shown = covered(view, &self.state, &self.onlooker);
            let input = FrameInput {
                view: &shown,
                state: &self.state,
                setup: &self.setup,
            };
            let frame_cache = &mut self.frame_cache;
            let hits = &mut self.hits;
            let display = &mut self.display;
            let frame = display.frame(|paper| view::draw(input, frame_cache, paper, hits));
            #[cfg(debug_assertions)]
            {
                let mut whole = Buffer::empty(display.shown().area);
                view::draw(
                    input,
                    &mut FrameCache::default(),
                    &mut whole,
                    &mut HitMap::default(),
                );
                assert!(*display.shown() == whole, "a part of the screen is stale");
            }
            let (game, is_ascii) = (&self.state.label.name, self.setup.ascii);
            self.attention.title(game, is_ascii, view);
            frame
        });
        #[cfg(debug_assertions)]
        run::panic_if_told("draw");
        frame.extend(self.attention.take());
        frame
    }
}

/// What the screen shows of what its person sees.
fn covered<'b, 'a: 'b>(
    view: &SeatView<'a>,
    state: &ScreenState,
    onlooker: &'b Seat,
) -> SeatView<'b> {
    if state.is_covered {
        view.covered(onlooker)
    } else {
        *view
    }
}

/// A size that a frame can have: it is the far end's number.
fn bounded((width, height): (u16, u16)) -> (u16, u16) {
    (width.clamp(1, LARGEST.0), height.clamp(1, LARGEST.1))
}
