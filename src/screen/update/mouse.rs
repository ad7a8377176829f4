//! The mouse: what it touches in the last frame, and what that means.

use ratatui::layout::{Position, Rect};

use super::Effect;
use crate::screen::action::Action;
use crate::screen::dialog::Heard;
use crate::screen::input::{Mouse, MouseKind};
use crate::screen::keymap::Keymap;
use crate::screen::layout;
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
        match &mut self.mode {
            Mode::Browse | Mode::Greeting | Mode::Filter(..) => {
                self.mode = match std::mem::take(&mut self.mode) {
                    Mode::Greeting => Mode::Browse,
                    mode => mode,
                };
                self.find(seen);
                self.step_in_hand(by);
                Effect::Nothing
            }
            Mode::Palette(palette) => {
                palette.step(by.signum());
                Effect::Nothing
            }
            Mode::Themes(themes) => {
                themes.step(by.signum());
                Effect::Nothing
            }
            Mode::Help { .. } | Mode::Dialog(_) => {
                let action = if by < 0 { Action::Up } else { Action::Down };
                self.act(action, keymap, seen)
            }
        }
    }

    fn press(
        &mut self,
        at: Position,
        spots: &HitMap,
        keymap: &Keymap,
        seen: &SeatView<'_>,
    ) -> Effect {
        let area = layout::dialog(self.size);
        match &mut self.mode {
            Mode::Browse => {}
            Mode::Greeting | Mode::Filter(..) => self.mode = Mode::Browse,
            Mode::Help { .. } => return self.act(Action::Close, keymap, seen),
            Mode::Palette(palette) => {
                let Some(Spot::Item(offer)) = spots.at(at) else {
                    return self.act(Action::Close, keymap, seen);
                };
                palette.at = offer;
                return self.act(Action::Open, keymap, seen);
            }
            Mode::Themes(themes) => {
                let Some(Spot::Item(offer)) = spots.at(at) else {
                    return self.act(Action::Close, keymap, seen);
                };
                // The first touch shows a theme, the second keeps it.
                if themes.at() == offer {
                    return self.act(Action::Open, keymap, seen);
                }
                themes.go(offer);
                return Effect::Nothing;
            }
            Mode::Dialog(_) => return self.hear_dialog(&Heard::Click { at, area }, seen),
        }
        match spots.at(at) {
            None | Some(Spot::Item(_)) => {}
            Some(Spot::Tab(tab)) => self.tab = tab,
            Some(Spot::Panel(panel)) => self.panel = panel,
            Some(Spot::Character(id, value)) => {
                self.panel = Panel::Party;
                self.party.select(id);
                self.stat = value.unwrap_or(self.stat);
            }
            Some(Spot::Clock(id)) => {
                self.panel = Panel::Clocks;
                self.clocks.select(id);
            }
            Some(Spot::Face(id)) => {
                self.panel = Panel::Clocks;
                self.clocks.select(id);
                return Effect::Submit(Command::Tick { clock: id, by: 1 }.into());
            }
            Some(Spot::Pool(id)) => {
                self.panel = Panel::Tokens;
                self.tokens.select(id);
            }
            Some(Spot::Roll(number)) => {
                self.panel = Panel::Rolls;
                self.rolls.select(number);
            }
            Some(Spot::Entry(line)) => self.log.go(line),
        }
        Effect::Nothing
    }
}
