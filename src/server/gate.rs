//! Who gets as far as the login: so many at once, so many a second, and nobody who only stands in the way.
//!
//! A connection that says nothing costs a place among those who are not in yet, and the oldest silent one
//! gives its place up when another comes. One that speaks waits for its turn, of which an address has a few
//! a second; the newest comes first. Those who say nothing have turns of their own, and fewer, so that a
//! friend is let in while a crowd stands silent at the door. A login that succeeds gives its turn back.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::access::Limits;
use super::line::Cut;

/// So many turns a second have those of an address who wait for us to speak first.
const SILENT: u32 = 2;

/// How often one who waits for a turn looks whether it has come.
const LOOK: Duration = Duration::from_millis(20);

/// The door to the login.
#[derive(Debug, Default)]
pub(in crate::server) struct Gate {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    limits: Limits,
    next: u64,
    /// Those who are not in yet, the oldest first.
    outside: Vec<Outside>,
    /// How many of an address are in.
    inside: HashMap<IpAddr, u32>,
    /// By address, and by whether they speak first.
    turns: HashMap<(IpAddr, bool), Turns>,
}

#[derive(Debug)]
struct Outside {
    number: u64,
    address: IpAddr,
    spoke: bool,
    cut: Cut,
    /// Told when its turn has come.
    waits: Option<oneshot::Sender<()>>,
}

/// The turns of an address.
#[derive(Debug)]
struct Turns {
    left: f64,
    at: Instant,
}

/// A connection's place; given up when dropped.
#[derive(Debug)]
pub(in crate::server) struct Place {
    gate: Arc<Gate>,
    number: u64,
    address: IpAddr,
    is_in: bool,
}

impl Gate {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How much is let through from now on.
    pub(in crate::server) fn limit(&self, limits: Limits) {
        self.inner().limits = limits;
    }

    fn give_turns(&self, address: IpAddr, spoke: bool) {
        self.inner().give_turns(address, spoke, Instant::now());
    }

    /// Somebody comes. Where there are too many, the oldest who said nothing is sent away, else the oldest.
    pub(in crate::server) fn arrive(self: &Arc<Self>, address: IpAddr, cut: Cut) -> Place {
        let mut inner = self.inner();
        let limits = inner.limits;
        let of_address = inner.outside.iter().filter(|one| one.address == address);
        if count(of_address) >= limits.logging_in_per_address {
            inner.send_away(|one| one.address == address);
        }
        if count(inner.outside.iter()) >= limits.logging_in {
            inner.send_away(|_| true);
        }
        inner.next += 1;
        let number = inner.next;
        inner.outside.push(Outside {
            number,
            address,
            spoke: false,
            cut,
            waits: None,
        });
        Place {
            gate: Arc::clone(self),
            number,
            address,
            is_in: false,
        }
    }
}

fn count<'a>(some: impl Iterator<Item = &'a Outside>) -> u32 {
    u32::try_from(some.count()).unwrap_or(u32::MAX)
}

impl Inner {
    fn send_away(&mut self, whom: impl Fn(&Outside) -> bool) {
        let silent = self.outside.iter().position(|one| whom(one) && !one.spoke);
        let gone = silent.or_else(|| self.outside.iter().position(whom));
        if let Some(place) = gone {
            self.outside.remove(place).cut.cut();
        }
    }

    /// Gives the turns that have come by now to those who came last.
    fn give_turns(&mut self, address: IpAddr, spoke: bool, now: Instant) {
        let most = self.limits.new_per_second.max(1);
        let rate = f64::from(if spoke { most } else { most.min(SILENT) });
        let turns = self.turns.entry((address, spoke)).or_insert(Turns {
            left: rate,
            at: now,
        });
        let since = now.saturating_duration_since(turns.at);
        turns.left = (turns.left + since.as_secs_f64() * rate).min(rate);
        turns.at = now;
        for one in self.outside.iter_mut().rev() {
            if turns.left < 1.0 {
                break;
            }
            let waits = if one.address == address && one.spoke == spoke {
                one.waits.take()
            } else {
                None
            };
            if waits.is_some_and(|waits| waits.send(()).is_ok()) {
                turns.left -= 1.0;
            }
        }
        // An address that has all its turns again is as one that never came.
        if self.turns.len() > 1000 {
            let fresh = Duration::from_secs(2);
            self.turns
                .retain(|_, turns| now.saturating_duration_since(turns.at) < fresh);
        }
    }
}

impl Place {
    /// Waits for a turn; answers whether it came.
    pub(in crate::server) async fn turn(&self) -> bool {
        let (sender, mut turn) = oneshot::channel();
        let spoke = {
            let mut inner = self.gate.inner();
            let mine = |one: &&mut Outside| one.number == self.number;
            let Some(one) = inner.outside.iter_mut().find(mine) else {
                return false;
            };
            one.waits = Some(sender);
            one.spoke
        };
        loop {
            self.gate.give_turns(self.address, spoke);
            if let Ok(came) = tokio::time::timeout(LOOK, &mut turn).await {
                return came.is_ok();
            }
        }
    }

    /// It has said something.
    pub(in crate::server) fn speak(&self) {
        let mut inner = self.gate.inner();
        let mine = |one: &&mut Outside| one.number == self.number;
        if let Some(one) = inner.outside.iter_mut().find(mine) {
            one.spoke = true;
        }
    }

    /// It is in; where that would be one too many, why not.
    pub(in crate::server) fn enter(&mut self) -> Result<(), String> {
        let mut inner = self.gate.inner();
        let limits = inner.limits;
        inner.outside.retain(|one| one.number != self.number);
        if let Some(turns) = inner.turns.get_mut(&(self.address, true)) {
            turns.left += 1.0;
        }
        let all: u32 = inner.inside.values().sum();
        let here = inner.inside.get(&self.address).copied().unwrap_or(0);
        if all >= limits.connections || here >= limits.connections_per_address {
            return Err(format!(
                "the table is full: {all} connections, {here} of them from here; try again when somebody has left"
            ));
        }
        *inner.inside.entry(self.address).or_default() += 1;
        self.is_in = true;
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut inner = self.gate.inner();
        inner.outside.retain(|one| one.number != self.number);
        if self.is_in
            && let Some(here) = inner.inside.get_mut(&self.address)
        {
            *here = here.saturating_sub(1);
            if *here == 0 {
                inner.inside.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn gate(limits: Limits) -> Arc<Gate> {
        let gate = Arc::new(Gate::default());
        gate.limit(limits);
        gate
    }

    #[test]
    fn the_oldest_who_says_nothing_makes_room_and_who_speaks_stays() {
        let gate = gate(Limits {
            logging_in_per_address: 3,
            ..Limits::default()
        });
        let cuts: Vec<Cut> = (0..5).map(|_| Cut::default()).collect();
        let mut places = Vec::new();
        for (number, cut) in cuts.iter().enumerate() {
            places.push(gate.arrive(HERE, cut.clone()));
            if number == 0 {
                places[0].speak();
            }
        }
        let gone: Vec<bool> = cuts.iter().map(Cut::is_cut).collect();
        assert_eq!(gone, [false, true, true, false, false]);
    }

    #[test]
    fn the_newest_gets_the_first_turn_and_turns_run_out() {
        let gate = gate(Limits {
            new_per_second: 2,
            ..Limits::default()
        });
        let places: Vec<Place> = (0..4).map(|_| gate.arrive(HERE, Cut::default())).collect();
        let mut turns = Vec::new();
        for (place, one) in places.iter().enumerate() {
            let (sender, turn) = oneshot::channel();
            let mut inner = gate.inner();
            assert_eq!(inner.outside[place].number, one.number);
            inner.outside[place].waits = Some(sender);
            inner.outside[place].spoke = true;
            turns.push(turn);
        }
        let now = Instant::now();
        gate.inner().give_turns(HERE, true, now);
        let came: Vec<bool> = turns
            .iter_mut()
            .map(|turn| turn.try_recv().is_ok())
            .collect();
        assert_eq!(came, [false, false, true, true]);
        gate.inner()
            .give_turns(HERE, true, now + Duration::from_millis(400));
        assert!(turns[1].try_recv().is_err());
        gate.inner()
            .give_turns(HERE, true, now + Duration::from_millis(600));
        assert!(turns[1].try_recv().is_ok());
    }

    #[test]
    fn one_who_gets_in_gives_the_turn_back_and_one_too_many_is_told_so() {
        let gate = gate(Limits {
            connections_per_address: 1,
            ..Limits::default()
        });
        let mut first = gate.arrive(HERE, Cut::default());
        let mut second = gate.arrive(HERE, Cut::default());
        assert_eq!(first.enter(), Ok(()));
        assert!(second.enter().unwrap_err().contains("the table is full"));
        drop(first);
        assert_eq!(gate.arrive(HERE, Cut::default()).enter(), Ok(()));
    }
}
