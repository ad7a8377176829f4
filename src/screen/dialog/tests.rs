//! Dialogs pressed key by key against a table in memory, as the host does it.

mod amend;
mod any;
mod award;
mod calls;
mod closed;
mod favor;
mod forms;
mod groups;
mod hands;
mod harm;
mod house;
mod jump;
mod roll;
mod small;
mod untrained;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use ratatui::buffer::{Buffer, CellWidth as _};
use ratatui::layout::{Position, Rect};

use super::*;
use crate::dice::{Die, SystemDice};
use crate::rules::{Sheet, System, Value};
use crate::screen::color_depth::Depth;
use crate::screen::input::Key;
use crate::screen::keymap::Keymap;
use crate::screen::theme::Theme;
use crate::screen::widget::Look;
use crate::session::{
    Call, Character, CharacterId, Clock, ClockKind, Command, RollCommand, Segments, Session,
};
use crate::table::{Act, Seat, SeatView, Table};

/// The sizes at which every dialog is looked at.
const SIZES: [(u16, u16); 3] = [(40, 12), (80, 24), (120, 40)];

/// A person at a table with a dialog open.
struct Bench {
    table: Arc<Table>,
    seat: Seat,
    dialog: Option<Box<dyn Dialog>>,
    keymap: Keymap,
    /// What was submitted so far.
    acts: Vec<Act>,
    /// What was asked for beside that.
    renamed: Option<String>,
    left: bool,
}

fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

impl Bench {
    fn new(system: System) -> Self {
        let dice = Box::new(SystemDice::from_key([1; 32]));
        let session = Session::new(system);
        Self {
            table: Table::unsaved("sample", session, Vec::new(), None, noon, dice),
            seat: Seat::gm(),
            dialog: None,
            keymap: Keymap::default(),
            acts: Vec::new(),
            renamed: None,
            left: false,
        }
    }

    /// A table with these people.
    fn with(system: System, party: &[(&str, &[(&str, &str)])]) -> Self {
        let bench = Self::new(system);
        for (name, stats) in party {
            bench.add(name, stats);
        }
        bench
    }

    /// Heart Rush with Mira, Tamsin, and two clocks.
    fn heart_rush() -> Self {
        let bench = Self::new(System::HeartRush);
        let stats: &[_] = &[
            ("agility", "d10"),
            ("professions", "Mountain Guide 2, Sailor 3"),
        ];
        for (name, player, stats) in [("Mira", "Ana", stats), ("Tamsin", "Bo", &[])] {
            let mut one = bench.made(name, stats);
            one.player = player.into();
            bench.run(Command::add(one));
        }
        bench.add_clock("The cliff", ClockKind::Effort);
        bench.add_clock("The alarm", ClockKind::Countdown);
        bench
    }

    fn add_clock(&self, name: &str, kind: ClockKind) {
        let clock = Clock {
            kind,
            ..Clock::new(name, Segments::try_from(6).unwrap())
        };
        self.run(Command::add(clock));
    }

    /// A character with these values.
    fn made(&self, name: &str, stats: &[(&str, &str)]) -> Character {
        let mut sheet = Sheet::new(self.read(|seen| seen.system));
        for (stat, given) in stats {
            let value = sheet.stat(stat).unwrap().parse(given).unwrap();
            sheet.set(stat, value).unwrap();
        }
        Character::new(name, sheet)
    }

    fn add(&self, name: &str, stats: &[(&str, &str)]) {
        self.run(Command::add(self.made(name, stats)));
    }

    /// Sits the player of that character down.
    fn sit_down(&mut self, player: &str, character: &str) {
        self.seat = Seat {
            id: SeatId(7),
            name: player.into(),
            role: Role::Player,
            characters: vec![self.id(character)],
        };
    }

    /// The newest entry of the log.
    fn newest(&self) -> u64 {
        self.read(|seen| seen.log().next().unwrap().number)
    }

    /// What the newest entry of the log says.
    fn log(&self) -> String {
        self.read(|seen| seen.log().next().unwrap().event.text(seen.system()))
    }

    fn run(&self, command: Command) {
        self.table.submit(&Seat::gm(), &command.into()).unwrap();
    }

    fn read<T>(&self, show: impl FnOnce(&SeatView<'_>) -> T) -> T {
        self.table.read(&self.seat, show)
    }

    fn id(&self, name: &str) -> CharacterId {
        self.read(|seen| seen.character_named(name).unwrap().id)
    }

    fn open<D: Into<Box<dyn Dialog>>>(&mut self, open: impl FnOnce(&SeatView<'_>) -> D) {
        self.dialog = Some(self.table.read(&self.seat, open).into());
    }

    fn roll(&mut self, who: &str) {
        let who = self.id(who);
        self.open(|seen| RollDialog::open(Some(who), seen));
    }

    /// Presses keys by their names, one after another; what names no key is typed.
    fn press(&mut self, keys: &str) {
        for name in keys.split_whitespace() {
            match name.parse() {
                Ok(key) => self.key(key),
                Err(_) => self.write(name),
            }
        }
    }

    /// Types letters.
    fn write(&mut self, text: &str) {
        for letter in text.chars() {
            self.key(Key::char(letter));
        }
    }

    /// What the row in focus says.
    fn focused(&self) -> String {
        let frame = self.frame(120, 40);
        let row = frame.lines().find_map(|line| line.split_once("› "));
        row.map_or_else(String::new, |(_, row)| row.to_owned())
    }

    /// Goes down to the row of that name.
    fn go(&mut self, label: &str) {
        for _ in 0..40 {
            if self.focused().starts_with(label) {
                return;
            }
            self.press("down");
        }
        panic!("there is no {label}: {}", self.frame(120, 40));
    }

    /// Steps the focused field until these words are seen.
    fn step_to(&mut self, words: &str) {
        for _ in 0..40 {
            if self.frame(120, 40).contains(words) {
                return;
            }
            self.press("right");
        }
        panic!("there is no {words}: {}", self.frame(120, 40));
    }

    /// What is called for: by whom, which check, its fields.
    fn calls(&self) -> Vec<String> {
        self.read(|seen| {
            let told = |call: &Call| {
                let fields = call
                    .fields
                    .iter()
                    .map(|(id, given)| format!(" {id}={given}"));
                let fields: String = fields.collect();
                let shown = if call.shown { " shown" } else { "" };
                format!(
                    "{}: {}{fields}{shown}",
                    seen.owner_name(Some(call.who)),
                    call.check
                )
            };
            seen.calls().map(told).collect()
        })
    }

    /// Rolls the check that is set up with real dice.
    fn by_hand(&mut self, faces: &str) {
        self.press("ctrl-h enter");
        self.write(faces);
        self.press("enter");
    }

    #[track_caller]
    fn sees(&self, words: &str) {
        let frame = self.frame(120, 40);
        assert!(frame.contains(words), "no {words:?}: {frame}");
    }

    #[track_caller]
    fn sees_no(&self, words: &str) {
        let frame = self.frame(120, 40);
        assert!(!frame.contains(words), "{words:?}: {frame}");
    }

    fn key(&mut self, key: Key) {
        let dialog = self.dialog.as_ref().expect("a dialog is open");
        let typed = dialog.takes_letters() && key.letter().is_some();
        let action = self.keymap.action(dialog.contexts(), key);
        let event = match action.filter(|_| !typed) {
            Some(action) => DialogEvent::Action(action),
            None => DialogEvent::Key(key),
        };
        self.handle(&event);
    }

    fn handle(&mut self, event: &DialogEvent) {
        let dialog = self.dialog.as_mut().expect("a dialog is open");
        let reply = self
            .table
            .read(&self.seat, |seen| dialog.handle(event, seen));
        match reply {
            // Nobody is there to ask about the others.
            DialogAction::Stay | DialogAction::Suggest(_) | DialogAction::Door(_) => {}
            DialogAction::Close => self.dialog = None,
            DialogAction::Submit(act) => {
                self.submit(act);
            }
            DialogAction::SubmitAndClose(act) => {
                if self.submit(act) {
                    self.dialog = None;
                }
            }
            DialogAction::Rename(name) | DialogAction::Export { path: name, .. } => {
                self.renamed = Some(name);
            }
            DialogAction::Replace(other) => self.dialog = Some(other),
            DialogAction::Quit => self.left = true,
        }
    }

    /// Lets the dialog know that somebody else changed the table.
    fn changed(&mut self) {
        let dialog = self.dialog.as_mut().expect("a dialog is open");
        self.table.read(&self.seat, |seen| dialog.on_change(seen));
    }

    fn submit(&mut self, act: Act) -> bool {
        let told = self.table.submit(&self.seat, &act);
        self.acts.push(act);
        let dialog = self.dialog.as_mut().expect("a dialog is open");
        let problem = told.as_ref().map_err(ToString::to_string);
        self.table.read(&self.seat, |seen| {
            let told = problem.as_deref().map_err(String::as_str);
            dialog.on_result(told.map(|entry| &**entry), seen);
            dialog.on_change(seen);
        });
        told.is_ok()
    }

    fn click(&mut self, words: &str, (width, height): (u16, u16)) {
        let frame = self.frame(width, height);
        let (y, line) = frame
            .lines()
            .enumerate()
            .find(|(_, line)| line.contains(words))
            .expect("the words are on the screen");
        let x = line.split(words).next().unwrap().chars().count();
        let at = Position {
            x: u16::try_from(x).unwrap(),
            y: u16::try_from(y).unwrap(),
        };
        self.click_at(at, (width, height));
    }

    fn click_at(&mut self, at: Position, (width, height): (u16, u16)) {
        let theme = Theme::default();
        let (_, hits) = self.paint(Look::new(&theme, Depth::True), width, height);
        let mut hits = hits.iter().rev();
        let touched = hits.find(|(area, _)| area.contains(at));
        let touched = touched.map(|(_, touched)| *touched);
        self.handle(&DialogEvent::Click { at, touched });
    }

    /// Gives Mira an aspect to spend points on.
    fn give_an_aspect(&self) {
        let aspect = vec![("Captain of the Guard".to_owned(), 9)];
        self.run(Command::SetStat {
            who: self.id("Mira"),
            stat: "aspects".into(),
            value: Value::Ranks(aspect),
        });
    }

    /// What one would read on a screen of that size.
    fn frame(&self, width: u16, height: u16) -> String {
        let theme = Theme::default();
        let look = Look::new(&theme, Depth::True);
        self.frame_in(look, width, height)
    }

    fn frame_in(&self, look: Look<'_>, width: u16, height: u16) -> String {
        text_of(&self.paint(look, width, height).0)
    }

    fn paint(&self, look: Look<'_>, width: u16, height: u16) -> (Buffer, Vec<(Rect, Touched)>) {
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        let mut hits = Vec::new();
        let dialog = self.dialog.as_ref().expect("a dialog is open");
        let cursor = self.read(|seen| {
            let mut canvas = Canvas {
                look,
                area,
                buffer: &mut buffer,
                hits: &mut |area, touched| hits.push((area, touched)),
            };
            dialog.view(seen, &mut canvas)
        });
        assert!(cursor.is_none_or(|cursor| area.contains(cursor)));
        if look.ascii {
            crate::screen::view::spell_out(&mut buffer);
        }
        (buffer, hits)
    }

    /// The dialog at every size, to be looked at.
    fn shots(&self) -> String {
        let shots =
            SIZES.map(|(width, height)| format!("{width}x{height}\n{}", self.frame(width, height)));
        shots.join("\n")
    }

    /// The last roll that was submitted.
    fn rolled(&self) -> RollCommand {
        let commands = self.acts.iter().rev().filter_map(|act| match act {
            Act::Do(command) => Some(&**command),
            _ => None,
        });
        let mut rolls = commands.filter_map(|command| match command {
            Command::Roll(roll) => Some((**roll).clone()),
            _ => None,
        });
        rolls.next().expect("something was rolled")
    }

    fn last_command(&self) -> Command {
        match self.acts.last() {
            Some(Act::Do(command)) => (**command).clone(),
            other => panic!("{other:?} is no command"),
        }
    }
}

fn text_of(buffer: &Buffer) -> String {
    let mut text = String::new();
    for y in buffer.area.y..buffer.area.bottom() {
        let (mut line, mut x) = (String::new(), buffer.area.x);
        while x < buffer.area.right() {
            let cell = &buffer[(x, y)];
            line.push_str(cell.symbol());
            x += cell.cell_width().max(1);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
