//! A screen: it handles inputs, changes its state, and draws frames.

mod export;
mod greeting;
mod perform;
mod refresh;
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
use super::setup::Setup;
use super::state::{Label, Naming, ScreenState};
use super::update::cursor::on_turn;
use super::update::mouse::HitMap;
use crate::dialog::games::{GamesDialog, Library};
use crate::terminal::display::Display;
use crate::terminal::input::{ExitReason, Flow, Input, Parser, Typed};
use crate::terminal::run;
use crate::view::{self, FrameCache, FrameInput};
pub use saved_state::{CursorPosition, SavedState};
use tableside_table::{Seat, SeatView, Table};

/// How long saving may take before the screen shows a warning.
const SLOW_SAVING: Duration = Duration::from_millis(300);

/// The maximum number of columns and rows that a screen draws.
const MAX_SIZE: (u16, u16) = (500, 200);

/// The screen of a seat.
pub struct Screen {
    table: Arc<Table>,
    setup: Setup,
    /// The seat that sees what players may see. The screen shows its view while it is covered.
    onlooker: Seat,
    state: ScreenState,
    parser: Parser,
    /// When the last bytes arrived. The parser may hold an unfinished sequence since then.
    unfinished_since: Instant,
    display: Display,
    /// The areas of the last frame that react to the mouse.
    hits: HitMap,
    frame_cache: FrameCache,
    /// The revision of the table at the last look.
    revision: u64,
    /// True if the screen must be redrawn.
    is_stale: bool,
    flow: Flow,
    /// The jobs for the background thread.
    jobs: VecDeque<Job>,
    /// The game that was picked from the list of games.
    picked: Option<String>,
    /// The text that the editor opens.
    text_to_edit: String,
    /// The number of the newest answer to a suggestion of this seat that was shown.
    answered: u64,
    /// The title, bells and clipboard contents that are sent with the next frame.
    attention: Attention,
    /// When the oldest unsaved event began to wait for the disk. `None` if no event waits, or if a warning is shown
    /// already.
    saving_since: Option<Instant>,
}

impl Screen {
    /// Creates a screen for a terminal with these columns and rows.
    pub fn new(table: Arc<Table>, setup: Setup, size: (u16, u16)) -> Self {
        let mut screen = Self::without_greeting(table, setup, size);
        screen.greet();
        screen
    }

    /// Creates a screen with the list of games, where the cursor is on the game of the given name. The table is not
    /// visible.
    pub fn picking(
        table: Arc<Table>,
        library: Arc<dyn Library>,
        selected: Option<&str>,
        setup: Setup,
        size: (u16, u16),
    ) -> Self {
        let games = GamesDialog::open(library, setup.zone, selected);
        let mut screen = Self::without_greeting(table, setup, size);
        screen.state.is_picking = true;
        screen.state.layers.push(games);
        screen
    }

    fn without_greeting(table: Arc<Table>, mut setup: Setup, size: (u16, u16)) -> Self {
        let size = limit_size(size);
        let (width, height) = size;
        let display = Display::new(width, height).ascii(setup.ascii);

        let mut state = ScreenState {
            size,
            keymap: Arc::clone(&setup.keymap),
            ..ScreenState::default()
        };
        let notices = mem::take(&mut setup.notices);
        if !notices.is_empty() {
            state.warn(notices.join("; "));
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
            saving_since: None,
            table,
            setup,
        };

        screen.with_view(ScreenState::notice_pause);
        screen.with_view(|state, view| {
            state.noticed.turn = on_turn(view);
            state.select_acting(view);
        });
        // Answers from before the screen opened are not shown.
        screen.answered = screen.read_view(|view| match view.answer_since(0) {
            Some((number, _)) => number,
            None => 0,
        });
        screen
    }

    fn read_label(&mut self) {
        let naming = match self.table.place() {
            None => Naming::Unsaved,
            Some(place) if self.table.is_unnamed() => Naming::MadeUp(place.name()),
            Some(_) => Naming::Named,
        };
        let can_name = self.setup.storage.is_some() && self.setup.seat.sees_all();
        self.state.label = Label {
            name: self.table.title(),
            is_nameable: can_name && naming != Naming::Named,
            naming,
            serves: self.setup.serves,
        };
    }

    pub fn seat(&self) -> &Seat {
        &self.setup.seat
    }

    pub fn state(&self) -> &ScreenState {
        &self.state
    }

    /// Calls a function with the state and with the visible part of the table.
    fn with_view<T>(&mut self, read: impl FnOnce(&mut ScreenState, &SeatView<'_>) -> T) -> T {
        self.table.read(&self.setup.seat, |view| {
            let view = covered(view, &self.state, &self.onlooker);
            read(&mut self.state, &view)
        })
    }

    /// Calls a function with the visible part of the table.
    fn read_view<T>(&self, read: impl FnOnce(SeatView<'_>) -> T) -> T {
        self.table.read(&self.setup.seat, |view| {
            read(covered(view, &self.state, &self.onlooker))
        })
    }

    /// Handles an input. The next [`Screen::frame`] draws the result.
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
        let action = self.with_view(|state, view| {
            state.remember_clocks(view);
            match typed {
                Typed::Key(key) => state.handle_key(key, view),
                Typed::Press(position) => state.handle_press(position, &hits, view),
                Typed::Wheel(by) => state.turn_wheel(by, view),
                Typed::Paste(text) => state.handle_paste(text, view),
            }
        });
        self.hits = hits;
        self.state.listed_revision = None;
        self.perform(action);

        if self.state.noticed.call_to_show.is_some() {
            self.with_view(ScreenState::show_call);
        }
        if self.state.noticed.question_to_show.is_some() {
            self.with_view(ScreenState::show_question);
        }
        let zone = self.setup.zone;
        self.with_view(|state, view| state.show_handout(zone, view));
        self.queue_jobs();

        #[cfg(debug_assertions)]
        run::panic_if_told("update");
    }

    /// Takes the next job for the background thread.
    pub fn take_job(&mut self) -> Option<Job> {
        self.jobs.pop_front()
    }

    /// How long to wait for more bytes before [`Input::Silence`]. `None` if neither bytes nor events are pending.
    ///
    /// Other inputs, such as changes of the table, do not extend the wait.
    pub fn patience(&self, now: Instant) -> Option<Duration> {
        let slow_saving = self.saving_since.map(|since| since + SLOW_SAVING);
        let unfinished = self
            .parser
            .patience()
            .map(|patience| self.unfinished_since + patience);

        let deadline = slow_saving.into_iter().chain(unfinished).min()?;
        Some(deadline.saturating_duration_since(now))
    }

    /// True if [`Input::Silence`] is due now.
    pub fn is_silence_due(&self, now: Instant) -> bool {
        self.patience(now).is_some_and(|left| left.is_zero())
    }

    /// Takes the request to the terminal.
    pub fn take_flow(&mut self) -> Flow {
        mem::take(&mut self.flow)
    }

    /// True if the screen ends and ignores further input.
    pub fn is_leaving(&self) -> bool {
        matches!(self.flow, Flow::Leave(_))
    }

    /// Takes the name of the picked game.
    pub fn take_picked(&mut self) -> Option<String> {
        self.picked.take()
    }

    /// Takes the text that the editor opens.
    pub(crate) fn take_text_to_edit(&mut self) -> String {
        mem::take(&mut self.text_to_edit)
    }

    /// Redraws the whole screen on a terminal of this size, after another program has used the terminal.
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
        let size = limit_size(size);
        if size != self.state.size {
            self.state.size = size;
            self.display.resize(size.0, size.1);
            self.is_stale = true;
        }
    }

    /// Returns the bytes to write to the terminal, in one write. Empty if the screen has not changed.
    pub fn frame(&mut self) -> Vec<u8> {
        if !self.is_stale {
            return Vec::new();
        }
        self.is_stale = false;

        self.measure_table();
        let missing_entries = self.with_view(ScreenState::prepare_frame);
        if !missing_entries.is_empty() {
            // Lines of entries that cannot be read stay empty.
            self.table.fetch(&missing_entries);
        }
        if self.display.is_blank() {
            self.frame_cache.forget();
        }

        let mut frame = self.draw();
        #[cfg(debug_assertions)]
        run::panic_if_told("draw");
        frame.extend(self.attention.take());
        frame
    }

    /// Measures the contents of the table, so that the layout can follow them.
    fn measure_table(&mut self) {
        let measured = self.table.read(&self.setup.seat, |view| {
            let input = FrameInput {
                view: &covered(view, &self.state, &self.onlooker),
                state: &self.state,
                setup: &self.setup,
            };
            view::measure_table(input, &self.frame_cache)
        });
        if let Some(measured) = measured {
            self.state.table.measured = measured;
        }
    }

    /// Draws the frame and sets the title of the window.
    fn draw(&mut self) -> Vec<u8> {
        self.table.read(&self.setup.seat, |view| {
            let visible = covered(view, &self.state, &self.onlooker);
            let input = FrameInput {
                view: &visible,
                state: &self.state,
                setup: &self.setup,
            };
            let frame_cache = &mut self.frame_cache;
            let hits = &mut self.hits;
            let frame = self
                .display
                .frame(|paper, shown| view::draw(input, frame_cache, paper, shown, hits));

            #[cfg(debug_assertions)]
            {
                let mut whole = Buffer::empty(self.display.shown().area);
                view::draw(
                    input,
                    &mut FrameCache::default(),
                    &mut whole,
                    &Buffer::default(),
                    &mut HitMap::default(),
                );
                let is_up_to_date = *self.display.shown() == whole;
                assert!(is_up_to_date, "a part of the screen is stale");
            }

            let game = &self.state.label.name;
            self.attention.title(game, self.setup.ascii, view);
            frame
        })
    }
}

/// Returns the view of the seat, or the view of an onlooker while the screen is covered.
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

/// Limits the size that a remote terminal reports.
fn limit_size(size: (u16, u16)) -> (u16, u16) {
    let (width, height) = size;
    let (max_width, max_height) = MAX_SIZE;
    (width.clamp(1, max_width), height.clamp(1, max_height))
}
