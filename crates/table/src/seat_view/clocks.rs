//! Clocks as a seat sees them.

use super::SeatView;
use tableside_game::{CharacterId, Clock, ClockForecast, ClockId, NoForecast, Visibility};
use tableside_rules::Race;

/// A clock as a seat sees it.
#[derive(Clone, Copy, Debug)]
pub struct ClockView<'a> {
    /// The clock. If only its existence is visible, it contains only its name and its segments.
    pub clock: &'a Clock,
    /// The number of filled segments. `None` if only its existence is visible.
    pub filled: Option<u8>,
}

/// Methods about clocks.
impl<'a> SeatView<'a> {
    /// The visible clocks, in order.
    pub fn clocks(&self) -> impl Iterator<Item = ClockView<'a>> {
        self.game
            .clocks
            .iter()
            .map(move |clock| self.view_clock(clock))
    }

    /// The clocks of a character.
    pub fn clocks_of(&self, owner: CharacterId) -> impl Iterator<Item = ClockView<'a>> {
        self.clocks()
            .filter(move |view| view.clock.owner == Some(owner))
    }

    /// A clock, unless it is hidden from the seat.
    pub fn clock(&self, id: ClockId) -> Option<ClockView<'a>> {
        let clock = self.game.clock(id)?;
        Some(self.view_clock(clock))
    }

    fn view_clock(&self, clock: &'a Clock) -> ClockView<'a> {
        let is_visible = self.seat.sees_all() || clock.visibility == Visibility::Visible;
        let filled = is_visible.then_some(clock.filled);
        ClockView { clock, filled }
    }

    /// The clocks whose filled segments the seat sees.
    fn visible_clocks(&self) -> impl Iterator<Item = &'a Clock> {
        self.clocks()
            .filter(|view| view.filled.is_some())
            .map(|view| view.clock)
    }

    /// A clock, if the seat sees its filled segments.
    fn visible_clock(&self, id: ClockId) -> Option<&'a Clock> {
        let view = self.clock(id)?;
        view.filled?;
        Some(view.clock)
    }

    /// The visible clocks of a clock's race, including the clock itself. Empty if no other clock of the race is
    /// visible.
    pub fn race(&self, clock: &Clock) -> Vec<&'a Clock> {
        let members: Vec<&Clock> = self
            .visible_clocks()
            .filter(|other| clock.shares_race_with(other))
            .collect();
        if members.len() > 1 {
            members
        } else {
            Vec::new()
        }
    }

    /// The clock that won the race of this clock, as far as the seat sees.
    pub fn winner(&self, clock: &Clock) -> Option<&'a Clock> {
        let members = self.race(clock);
        members.into_iter().find(|member| member.is_full())
    }

    /// The forecast of when a clock is full. `None` if the seat does not see its filled segments.
    pub fn forecast(&self, id: ClockId) -> Option<Result<ClockForecast, NoForecast>> {
        let clock = self.visible_clock(id)?;
        Some(self.game.forecast(clock))
    }

    /// The visible clocks that compete to be full first: the clocks of a clock's race, or the clock and its parallel
    /// clock. Empty if no other clock competes.
    pub fn runners(&self, clock: &Clock) -> Vec<&'a Clock> {
        let race = self.race(clock);
        if !race.is_empty() {
            return race;
        }

        let pair: Vec<&Clock> = self
            .visible_clocks()
            .filter(|other| {
                let is_linked = clock.is_beside(other.id) || other.is_beside(clock.id);
                other.id == clock.id || is_linked
            })
            .take(2)
            .collect();
        if pair.len() == 2 { pair } else { Vec::new() }
    }

    /// The forecast of which of a clock's runners is full first. `None` if the clock has no runners, or if the seat
    /// does not see its filled segments.
    pub fn race_forecast(&self, id: ClockId) -> Option<Result<Race, NoForecast>> {
        let clock = self.visible_clock(id)?;
        let runners = self.runners(clock);
        if runners.is_empty() {
            return None;
        }
        Some(self.game.race_forecast(&runners))
    }
}
