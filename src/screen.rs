//! One person's screen, the same for the local terminal and for a player who comes over SSH.
//!
//! [`Screen`] hears an [`Input`], lets [`ScreenState`] settle what it means, hands what changes the
//! table to [`Table::submit`](crate::table::Table::submit), and draws a frame as bytes. It owns no
//! thread and reads no clock: [`run`] does, for the terminal at this machine.

pub mod action;
mod availability;
mod background;
pub mod color_depth;
pub mod dialog;
pub mod display;
mod export;
pub mod input;
mod jobs;
pub mod keymap;
mod layout;
mod list;
mod roll_requests;
mod rows;
pub mod run;
mod saved_state;
pub mod setup;
mod state;
mod suggestions;
pub mod terminal;
pub mod theme;
mod tone;
mod update;
mod view;
pub mod widget;

use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[cfg(debug_assertions)]
use ratatui::buffer::Buffer;
use signal_hook::consts::{SIGCONT, SIGTSTP};

use crate::store::{Name, Saving};
use crate::table::{Act, Entry, Problem, Seat, SeatView, Table};
use display::Display;
use input::{Parser, Typed};
use state::{Label, Mode, Notice, Unsaved};
use theme::Theme;
use update::Effect;
use update::change::told;
use update::mouse::HitMap;
use update::themes::Themes;
use view::Tiles;

pub use background::{Job, JobResult, LogJob, LogQuestion};
pub use input::{ExitReason, Flow, Input};
pub use saved_state::{SavedState, Whereabouts};
pub use setup::{Memory, Setup, Zone};
pub use state::{ScreenState, Tab};

/// So long may an event wait for the disk before the screen speaks of it.
const QUIET: Duration = Duration::from_millis(300);

/// The largest terminal that is drawn whole.
const LARGEST: (u16, u16) = (500, 200);

/// One person's screen.
pub struct Screen {
    table: Arc<Table>,
    setup: Setup,
    /// Who looks on while the screen is covered.
    onlooker: Seat,
    state: ScreenState,
    parser: Parser,
    display: Display,
    /// Where the mouse finds what, in the last frame.
    spots: HitMap,
    tiles: Tiles,
    /// How often the table had changed when this screen last looked.
    revision: u64,
    /// Whether the last frame shows something else than what is.
    is_stale: bool,
    wish: Flow,
    wonder: Option<Job>,
    log_wonder: Option<Job>,
    /// The last answer to a suggestion of this seat that was told.
    answered: u64,
    /// Since when something waits for the disk without anybody being told.
    behind: Option<Instant>,
}

impl std::fmt::Debug for Screen {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Screen")
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

impl Screen {
    /// A screen at that table, on a terminal of that size.
    pub fn new(table: Arc<Table>, mut setup: Setup, size: (u16, u16)) -> Self {
        let size = bounded(size);
        let display = Display::new(size.0, size.1, setup.depth).ascii(setup.ascii);
        let mut state = ScreenState {
            size,
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
            display,
            spots: HitMap::default(),
            tiles: Tiles::default(),
            revision: table.revision(),
            is_stale: true,
            wish: Flow::Stay,
            wonder: None,
            log_wonder: None,
            answered: 0,
            behind: None,
            table,
            setup,
        };
        screen.greet();
        // What was answered before is no news.
        let answered = screen.look(|_, seen| seen.answer_since(0).map(|(number, _)| number));
        screen.answered = answered.unwrap_or(0);
        screen
    }

    /// The first words: how to begin, in a game that nobody has touched; what waits, in another.
    fn greet(&mut self) {
        self.read_label();
        let memory = self.setup.memory.clone();
        let knows = || memory.is_some_and(|memory| memory.was_greeted());
        if self.state.label.is_unnamed && self.revision == 0 && !knows() {
            self.state.mode = Mode::Greeting;
        }
        // Whoever joins while called on finds the check ready.
        self.look(ScreenState::hear_calls);
        self.look(ScreenState::hear_spending);
        let waiting = self.look(|_, seen| seen.unfinished().count());
        if waiting > 0 && self.state.notice.is_none() {
            let keys = &self.setup.keymap;
            let keys = keys.keys_for(action::Action::Resume, self.state.contexts());
            let key = keys.first().map_or(String::new(), |key| key.label(true));
            let checks = if waiting == 1 {
                "a check waits"
            } else {
                "checks wait"
            };
            let text = format!("{checks} for an answer: {key} goes on");
            self.state.notice = Some(Notice::plain(text));
        }
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
        let Self {
            table,
            setup,
            onlooker,
            state,
            ..
        } = self;
        table.read(&setup.seat, |seen| {
            let seen = covered(seen, state, onlooker);
            look(state, &seen)
        })
    }

    /// Hears something. What came of it is drawn by the next [`Screen::frame`].
    pub fn hear(&mut self, input: Input) {
        match input {
            Input::Bytes(bytes) => {
                let mut typed = Vec::new();
                self.parser.feed(&bytes, &mut typed);
                self.hear_typed(typed);
            }
            Input::Silence => {
                if self.parser.pending() {
                    let mut typed = Vec::new();
                    self.parser.flush(&mut typed);
                    self.hear_typed(typed);
                }
                self.watch_saving();
            }
            Input::Resize(width, height) => {
                self.resize((width, height));
            }
            Input::Changed(revision) => {
                if revision > self.revision {
                    self.take_in();
                }
                self.watch_saving();
            }
            Input::Saving => self.watch_saving(),
            Input::Learned(wondered) => self.learn(wondered),
            Input::Signal(SIGTSTP) => self.wish.turn(Flow::Suspend),
            Input::Signal(SIGCONT) => self.wish.turn(Flow::Resume),
            Input::Signal(signal) => self.wish.turn(Flow::Leave(ExitReason::Signal(signal))),
            Input::Closed => self.wish.turn(Flow::Leave(ExitReason::InputClosed)),
        }
    }

    fn hear_typed(&mut self, typed: Vec<Typed>) {
        for typed in typed {
            if matches!(self.wish, Flow::Leave(_)) {
                return;
            }
            self.is_stale = true;
            let Self {
                table,
                setup,
                onlooker,
                state,
                spots,
                ..
            } = self;
            let keymap = &setup.keymap;
            let effect = table.read(&setup.seat, |seen| {
                let seen = &covered(seen, state, onlooker);
                match typed {
                    Typed::Key(key) => state.hear_key(key, keymap, seen),
                    Typed::Mouse(mouse) => state.hear_mouse(mouse, spots, keymap, seen),
                    Typed::Paste(text) => state.hear_paste(text, seen),
                }
            });
            self.perform(effect);
            self.ask_beside();
            #[cfg(debug_assertions)]
            run::panic_if_told("update");
        }
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Nothing => {}
            Effect::Submit(act) => {
                let answer = self.submit(&act);
                self.state.notice = match answer {
                    Ok(entry) => self.look(|_, seen| told(&entry, seen)),
                    Err(problem) if self.refused(&act, &problem) => None,
                    Err(problem) => Some(Notice::warning(words(&problem))),
                };
            }
            Effect::Ask { act, close } => {
                let answer = self.submit(&act);
                if close && let Ok(entry) = &answer {
                    self.state.mode = Mode::Browse;
                    self.state.notice = self.look(|_, seen| told(entry, seen));
                } else if let Err(problem) = &answer
                    && self.refused(&act, problem)
                {
                    self.state.notice = None;
                } else {
                    let answer = answer.map_err(|problem| words(&problem));
                    self.look(|state, seen| {
                        if let Mode::Dialog(dialog) = &mut state.mode {
                            dialog.on_result(answer.as_deref().map_err(String::as_str), seen);
                        }
                    });
                }
            }
            Effect::Rename(name) => self.rename(&name),
            Effect::ShowThemes => {
                let now = &self.setup.theme;
                let own = self.setup.memory.as_ref().map(|memory| memory.themes());
                let themes = Themes::open(now, own.unwrap_or_default());
                self.state.mode = Mode::Themes(themes);
            }
            Effect::Wear(theme) => self.wear(theme),
            Effect::Export { path, replace } => self.export(&path, replace),
            Effect::Suggest(act) => self.suggest(&act),
            Effect::Answer(yes) => self.answer(yes),
            Effect::Door(act) => self.ask_door(&act),
            Effect::Redraw => self.draw_anew(),
            Effect::Suspend => self.wish = Flow::Suspend,
            Effect::Leave(why) => self.wish = Flow::Leave(why),
        }
    }

    /// Submits an act, and takes in what came of it.
    fn submit(&mut self, act: &Act) -> Result<Arc<Entry>, Problem> {
        let answer = self.table.submit(&self.setup.seat, act);
        self.take_in();
        self.watch_saving();
        answer
    }

    fn rename(&mut self, name: &str) {
        let gm = self.look(|_, seen| seen.system().spec().gm);
        let elsewhere = || format!("only the {gm}'s own screen names the game");
        let data = self.setup.data.as_ref().ok_or_else(elsewhere);
        let named = data.and_then(|data| {
            let name = Name::new(name, self.setup.reserved);
            let name = name.map_err(|problem| problem.to_string())?;
            let renamed = self.table.rename(data, &name);
            renamed.map_err(|problem| words(&problem))
        });
        self.take_in();
        match named {
            Ok(()) => {
                self.state.mode = Mode::Browse;
                let text = format!("the game is called {} now", self.state.label.name);
                self.state.notice = Some(Notice::plain(text));
            }
            Err(problem) => self.look(|state, seen| {
                if let Mode::Dialog(dialog) = &mut state.mode {
                    dialog.on_result(Err(&problem), seen);
                }
            }),
        }
    }

    /// Takes in that the table changed.
    fn take_in(&mut self) {
        let revision = self.look(|_, seen| seen.revision());
        if revision == self.revision {
            return;
        }
        self.read_label();
        self.revision = revision;
        self.is_stale = true;
        self.hear_answer();
        self.look(|state, seen| {
            let mut mode = &mut state.mode;
            while let Mode::Help { under, .. } = mode {
                mode = under;
            }
            if let Mode::Dialog(dialog) = mode {
                dialog.on_change(seen);
            }
            state.hear_calls(seen);
            state.hear_spending(seen);
        });
    }

    /// Looks how saving stands: it is told only when it takes long or fails.
    fn watch_saving(&mut self) {
        let saving = self.look(|_, seen| seen.saving().clone());
        self.behind = None;
        let unsaved = match saving {
            Saving::Quiet => Unsaved::No,
            Saving::Behind { since } if since.elapsed() >= QUIET => Unsaved::Slow,
            Saving::Behind { since } => {
                self.behind = Some(since);
                self.state.unsaved.clone()
            }
            Saving::Failing { at, reason, .. } => Unsaved::Failing { since: at, reason },
        };
        if unsaved != self.state.unsaved {
            self.state.unsaved = unsaved;
            self.is_stale = true;
        }
    }

    /// What is to be worked out beside the screen; of each kind only the last such question counts.
    pub fn take_wonder(&mut self) -> Option<Job> {
        self.wonder.take().or_else(|| self.log_wonder.take())
    }

    /// How long to wait for the next input before [`Input::Silence`]; for ever where nothing is pending.
    pub fn patience(&self, now: Instant) -> Option<Duration> {
        let slow = self
            .behind
            .map(|since| (since + QUIET).saturating_duration_since(now));
        let escape = self.parser.patience();
        match (slow, escape) {
            (Some(slow), Some(escape)) => Some(slow.min(escape)),
            (slow, escape) => slow.or(escape),
        }
    }

    /// What it wants of the terminal, once.
    pub fn take_wish(&mut self) -> Flow {
        mem::take(&mut self.wish)
    }

    /// Forgets what the terminal shows, and how large it was: everything is drawn anew.
    pub fn resume(&mut self, size: (u16, u16)) {
        self.resize(size);
        self.draw_anew();
    }

    fn draw_anew(&mut self) {
        self.display.forget();
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

    /// What is to be written to the terminal, in one go; nothing where nothing is otherwise.
    pub fn frame(&mut self) -> Vec<u8> {
        if !mem::take(&mut self.is_stale) {
            return Vec::new();
        }
        let far = self.look(ScreenState::settle);
        if !far.is_empty() {
            // What cannot be read is not shown, and its line stays empty.
            self.table.fetch(&far);
        }
        self.state.settle_help(&self.setup.keymap);
        let Self {
            table,
            setup,
            onlooker,
            state,
            display,
            spots,
            tiles,
            ..
        } = self;
        if display.is_blank() {
            tiles.forget();
        }
        let frame = table.read(&setup.seat, |seen| {
            let from = (&covered(seen, state, onlooker), &*state, &*setup);
            let frame = display.frame(|paper| view::draw(from, tiles, (paper, spots)));
            #[cfg(debug_assertions)]
            {
                let mut whole = Buffer::empty(display.shown().area);
                let all = (&mut whole, &mut HitMap::default());
                view::draw(from, &mut Tiles::default(), all);
                assert!(*display.shown() == whole, "a part of the screen is stale");
            }
            frame
        });
        #[cfg(debug_assertions)]
        run::panic_if_told("draw");
        frame
    }

    /// Puts on the colours that were chosen, and remembers them.
    fn wear(&mut self, theme: Theme) {
        let name = theme.name().to_owned();
        self.setup.theme = theme;
        self.tiles.forget();
        let kept = self.setup.memory.as_ref();
        let kept = kept.map_or(Ok(()), |memory| memory.keep_theme(&name));
        self.state.notice = Some(match kept {
            Ok(()) => Notice::plain(format!("theme: {name}")),
            Err(why) => Notice::warning(format!("theme: {name}, for now alone: {why}")),
        });
    }
}

/// What went wrong, and what to do next.
fn words(problem: &Problem) -> String {
    match problem {
        Problem::Refused(refusal) => refusal.to_string(),
        Problem::Store(error) => match error.hint() {
            Some(hint) => format!("{error}; {hint}"),
            None => error.to_string(),
        },
    }
}

/// What the screen shows of what its person sees.
fn covered<'b, 'a: 'b>(
    seen: &SeatView<'a>,
    state: &ScreenState,
    onlooker: &'b Seat,
) -> SeatView<'b> {
    if state.covered {
        seen.covered(onlooker)
    } else {
        *seen
    }
}

/// A size that a frame can have: it is the far end's number.
fn bounded((width, height): (u16, u16)) -> (u16, u16) {
    (width.clamp(1, LARGEST.0), height.clamp(1, LARGEST.1))
}
