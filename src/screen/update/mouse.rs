//! The mouse: what it touches in the last frame, and what that means.

use ratatui::layout::{Position, Rect};

use super::Effect;
use crate::screen::action::Action;
use crate::screen::dialog::{DialogEvent, Touched};
use crate::screen::input::{Mouse, MouseKind};
use crate::screen::keymap::Keymap;
use crate::screen::state::{Mode, Panel, ScreenState, Tab};
use crate::session::{CharacterId, ClockId, Command, PoolId};
use crate::table::SeatView;

/// The lines that one turn of the wheel moves.
const NOTCH: isize = 3;

/// Something on the screen that the mouse can touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::screen) enum Spot {
    /// A tab.
    Tab(Tab),
    /// A panel of the table.
    Panel(Panel),
    /// A character; a value of it.
    Character(CharacterId, Option<usize>),
    /// A clock.
    Clock(ClockId),
    /// A clock's face: touching it advances the clock.
    Face(ClockId),
    /// A pool.
    Pool(PoolId),
    /// A roll on the table.
    Roll(u64),
    /// A line of the log, counted from the newest.
    Entry(usize),
    /// A line of the palette, or of the list of themes.
    Item(usize),
    /// Something in a dialog.
    Dialog(Touched),
}

/// Where everything that can be touched is, the topmost last.
#[derive(Debug, Default)]
pub(in crate::screen) struct HitMap(Vec<(Rect, Spot)>);

impl HitMap {
    /// Forgets the last frame.
    pub(in crate::screen) fn clear(&mut self) {
        self.0.clear();
    }

    /// Forgets what was there: it is painted anew.
    pub(in crate::screen) fn forget(&mut self, area: Rect) {
        self.0
            .retain(|(place, _)| place.intersection(area) != *place);
    }

    /// Notes that this is here.
    pub(in crate::screen) fn put(&mut self, area: Rect, spot: Spot) {
        self.0.push((area, spot));
    }

    /// What is there.
    pub(in crate::screen) fn at(&self, at: Position) -> Option<Spot> {
        let mut touched = self.0.iter().rev();
        touched
            .find(|(area, _)| area.contains(at))
            .map(|(_, spot)| *spot)
    }
}

impl ScreenState {
    /// Hears the mouse.
    pub(in crate::screen) fn hear_mouse(
        &mut self,
        mouse: Mouse,
        spots: &HitMap,
        keymap: &Keymap,
        seen: &SeatView<'_>,
    ) -> Effect {
        let at = Position::new(mouse.column, mouse.row);
        match mouse.kind {
            MouseKind::Press => {
                self.notice = None;
                self.press(at, spots, keymap, seen)
            }
            MouseKind::ScrollUp => self.turn_wheel(-NOTCH, seen, keymap),
            MouseKind::ScrollDown => self.turn_wheel(NOTCH, seen, keymap),
            MouseKind::Release | MouseKind::Drag => Effect::Nothing,
        }
    }

    fn turn_wheel(&mut self, by: isize, seen: &SeatView<'_>, keymap: &Keymap) -> Effect {
        if matches!(self.mode, Mode::Greeting) {
            self.mode = Mode::Browse;
        }
        if !matches!(self.mode, Mode::Browse | Mode::Filter(..)) {
            let action = if by < 0 { Action::Up } else { Action::Down };
            return self.act(action, keymap, seen);
        }
        self.find(seen);
        self.step_in_hand(by);
        Effect::Nothing
    }

    fn press(
        &mut self,
        at: Position,
        spots: &HitMap,
        keymap: &Keymap,
        seen: &SeatView<'_>,
    ) -> Effect {
        let touched = spots.at(at);
        match (&mut self.mode, touched) {
            (Mode::Browse, _) => {}
            (Mode::Greeting | Mode::Filter(..), _) => self.mode = Mode::Browse,
            (Mode::Dialog(_), touched) => {
                let touched = match touched {
                    Some(Spot::Dialog(touched)) => Some(touched),
                    _ => None,
                };
                return self.hear_dialog(&DialogEvent::Click { at, touched }, seen);
            }
            (Mode::Palette(palette), Some(Spot::Item(item))) => {
                palette.at = item;
                return self.act(Action::Open, keymap, seen);
            }
            // The first touch shows a theme, the second keeps it.
            (Mode::Themes(themes), Some(Spot::Item(item))) if themes.at() != item => {
                themes.go(item);
                return Effect::Nothing;
            }
            (Mode::Themes(_), Some(Spot::Item(_))) => return self.act(Action::Open, keymap, seen),
            (Mode::Help { .. } | Mode::Palette(_) | Mode::Themes(_), _) => {
                return self.act(Action::Close, keymap, seen);
            }
        }
        self.panel = match touched {
            Some(Spot::Panel(panel)) => panel,
            Some(Spot::Character(id, value)) => {
                self.party.select(id);
                self.stat = value.unwrap_or(self.stat);
                Panel::Party
            }
            Some(Spot::Clock(id) | Spot::Face(id)) => {
                self.clocks.select(id);
                Panel::Clocks
            }
            Some(Spot::Pool(id)) => {
                self.tokens.select(id);
                Panel::Tokens
            }
            Some(Spot::Roll(number)) => {
                self.rolls.select(number);
                Panel::Rolls
            }
            _ => self.panel,
        };
        match touched {
            Some(Spot::Tab(tab)) => self.tab = tab,
            Some(Spot::Entry(line)) => self.log.go(line),
            Some(Spot::Face(clock)) => {
                return Effect::Submit(Command::Tick { clock, by: 1 }.into());
            }
            _ => {}
        }
        Effect::Nothing
    }
}
