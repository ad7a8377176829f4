//! Who gets as far as the login: so many at once, so many a second, and nobody who only stands in the way.
//!
//! A connection that is not in yet costs a place, and whoever has come least far gives it up when another
//! comes: who types a code is the last. What costs work, an exchange of keys, waits for its turn, of which an
//! address has a few a second; the newest comes first. Those who say nothing have turns of their own, and
//! fewer, so that a friend is let in while a crowd stands silent at the door. The login of somebody with a seat
//! gives its turn back. People with a seat and those who only watch do not take each other's places.

use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::access::Limits;
use super::socket::Cut;

/// So many turns a second have those of an address who wait for us to speak first.
const SILENT: u32 = 2;

/// How far a connection has come that is not in yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::server) enum Progress {
    /// It says nothing.
    #[default]
    Silent,
    /// It has said what it is.
    Spoke,
    /// It exchanges keys.
    Exchanging,
    /// It says who it is.
    Proving,
    /// Somebody is asked for a code.
    Asked,
}

/// As whom somebody comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::server) enum Coming {
    /// Runs the game.
    Gm,
    /// Has a seat.
    Seated,
    /// Watches without one.
    Passing,
}

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
    /// Those who are, by the number of their place.
    inside: HashMap<u64, (IpAddr, Coming)>,
    /// By address, and by whether they speak first.
    turns: HashMap<(IpAddr, bool), Turns>,
    /// Nobody watches from there without a seat any more.
    barred: HashSet<IpAddr>,
}

#[derive(Debug)]
struct Outside {
    number: u64,
    net: IpAddr,
    progress: Progress,
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
    net: IpAddr,
}

/// What counts as one address: whoever has an IPv6 address has all of its /64.
fn net(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        IpAddr::V4(_) => address,
    }
}

impl Gate {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How much is let through from now on.
    pub(in crate::server) fn limit(&self, limits: Limits) {
        self.inner().limits = limits;
    }

    /// Somebody comes. Where there are too many, one of them is sent away.
    pub(in crate::server) fn arrive(self: &Arc<Self>, address: IpAddr, cut: Cut) -> Place {
        let net = net(address);
        let mut inner = self.inner();
        let limits = inner.limits;
        let of_address = inner.outside.iter().filter(|one| one.net == net);
        if at_least(of_address, limits.logging_in_per_address) {
            inner.send_away(|one| one.net == net);
        }
        if at_least(inner.outside.iter(), limits.logging_in) {
            inner.send_away(|_| true);
        }
        inner.next += 1;
        let number = inner.next;
        inner.outside.push(Outside {
            number,
            net,
            progress: Progress::default(),
            cut,
            waits: None,
        });
        Place {
            gate: Arc::clone(self),
            number,
            net,
        }
    }
}

fn at_least<T>(some: impl Iterator<Item = T>, most: u32) -> bool {
    some.count() >= usize::try_from(most).unwrap_or(usize::MAX)
}

impl Inner {
    /// Sends the one away who has come least far: the one that stands there longest, and of those who are asked
    /// for a code the one that was asked last.
    fn send_away(&mut self, whom: impl Fn(&Outside) -> bool) {
        let some = || self.outside.iter().enumerate().filter(|(_, one)| whom(one));
        let least = some().min_by_key(|(_, one)| one.progress);
        let gone = match least {
            Some((_, one)) if one.progress == Progress::Asked => some().next_back(),
            least => least,
        };
        if let Some((place, _)) = gone {
            self.outside.remove(place).cut.cut();
        }
    }

    fn outside(&mut self, number: u64) -> Option<&mut Outside> {
        self.outside.iter_mut().find(|one| one.number == number)
    }

    /// Gives the turns that have come by now to those who came last; answers when the next one comes.
    fn give_turns(&mut self, net: IpAddr, spoke: bool, now: Instant) -> Duration {
        let most = self.limits.new_per_second.max(1);
        let rate = f64::from(if spoke { most } else { most.min(SILENT) });
        let turns = self.turns.entry((net, spoke)).or_insert(Turns {
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
            let waits = if one.net == net && (one.progress > Progress::Silent) == spoke {
                one.waits.take()
            } else {
                None
            };
            if waits.is_some_and(|waits| waits.send(()).is_ok()) {
                turns.left -= 1.0;
            }
        }
        let until_next = Duration::from_secs_f64((1.0 - turns.left).max(0.0) / rate);
        // An address that has all its turns again is as one that never came.
        if self.turns.len() > 1000 {
            let fresh = Duration::from_secs(2);
            self.turns
                .retain(|_, turns| now.saturating_duration_since(turns.at) < fresh);
        }
        until_next
    }
}

impl Place {
    /// Waits for a turn; answers whether it came.
    pub(in crate::server) async fn turn(&self) -> bool {
        let (sender, mut turn) = oneshot::channel();
        let spoke = {
            let mut inner = self.gate.inner();
            let Some(one) = inner.outside(self.number) else {
                return false;
            };
            one.waits = Some(sender);
            one.progress > Progress::Silent
        };
        loop {
            let next = self
                .gate
                .inner()
                .give_turns(self.net, spoke, Instant::now());
            // Others take the turns, too: then it is the one after.
            if let Ok(came) = tokio::time::timeout(next, &mut turn).await {
                return came.is_ok();
            }
        }
    }

    /// It has come so far.
    pub(in crate::server) fn reach(&self, progress: Progress) {
        if let Some(one) = self.gate.inner().outside(self.number) {
            one.progress = one.progress.max(progress);
        }
    }

    /// It is in; where that would be one too many, why not.
    pub(in crate::server) fn enter(&self, coming: Coming) -> Result<(), String> {
        let mut inner = self.gate.inner();
        let limits = inner.limits;
        inner.outside.retain(|one| one.number != self.number);
        let is_passing = coming == Coming::Passing;
        // Anybody can come in who only watches, again and again.
        if !is_passing && let Some(turns) = inner.turns.get_mut(&(self.net, true)) {
            turns.left += 1.0;
        }
        let is_same = |(_, other): &&(IpAddr, Coming)| (*other == Coming::Passing) == is_passing;
        let same = || inner.inside.values().filter(is_same);
        let here = || same().filter(|(net, _)| *net == self.net);
        let most = if is_passing {
            limits.watchers
        } else {
            limits.connections
        };
        if is_passing && inner.barred.contains(&self.net) {
            return Err(
                "the GM sent somebody off who watched from your address: ask the GM for a seat"
                    .to_owned(),
            );
        }
        // The one who runs the game is let in, whoever else is there.
        if coming != Coming::Gm
            && (at_least(same(), most) || at_least(here(), limits.connections_per_address))
        {
            return Err(format!(
                "the table is full: {} connections, {} of them from here; try again when somebody has left",
                same().count(),
                here().count()
            ));
        }
        inner.inside.insert(self.number, (self.net, coming));
        Ok(())
    }

    /// From here nobody watches without a seat any more.
    pub(in crate::server) fn bar(&self) {
        self.gate.inner().barred.insert(self.net);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut inner = self.gate.inner();
        inner.outside.retain(|one| one.number != self.number);
        inner.inside.remove(&self.number);
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
                places[0].reach(Progress::Spoke);
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
            inner.outside[place].progress = Progress::Exchanging;
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
        let first = gate.arrive(HERE, Cut::default());
        let second = gate.arrive(HERE, Cut::default());
        assert_eq!(first.enter(Coming::Seated), Ok(()));
        let refused = second.enter(Coming::Seated).unwrap_err();
        assert!(refused.contains("the table is full"), "{refused}");
        drop(first);
        let third = gate.arrive(HERE, Cut::default());
        assert_eq!(third.enter(Coming::Seated), Ok(()));
    }

    #[test]
    fn who_has_come_least_far_makes_room_and_who_types_a_code_is_the_last() {
        let gate = gate(Limits {
            logging_in_per_address: 5,
            ..Limits::default()
        });
        let order = [
            Progress::Asked,
            Progress::Proving,
            Progress::Exchanging,
            Progress::Spoke,
            Progress::Silent,
        ];
        let arrive = |progress| {
            let cut = Cut::default();
            let place = gate.arrive(HERE, cut.clone());
            place.reach(progress);
            (place, cut)
        };
        let first: Vec<(Place, Cut)> = order.into_iter().map(arrive).collect();
        let mut later = Vec::new();
        for stay in (0..4).rev() {
            later.push(arrive(Progress::Asked));
            let left: Vec<bool> = first.iter().map(|(_, cut)| !cut.is_cut()).collect();
            let expected: Vec<bool> = (0..5).map(|place| place <= stay).collect();
            assert_eq!(left, expected);
        }
        // All are asked now: whoever was first keeps the place.
        later.push(arrive(Progress::Asked));
        assert!(!first[0].1.is_cut());
    }

    #[test]
    fn one_network_of_ipv6_is_one_address() {
        let gate = gate(Limits {
            logging_in_per_address: 2,
            ..Limits::default()
        });
        let arrive = |address: &str| {
            let cut = Cut::default();
            (gate.arrive(address.parse().unwrap(), cut.clone()), cut)
        };
        let friend = arrive("2001:db8:0:1::7");
        let crowd: Vec<(Place, Cut)> = (1..9)
            .map(|one| arrive(&format!("2001:db8::{one}")))
            .collect();
        let left = crowd.iter().filter(|(_, cut)| !cut.is_cut()).count();
        assert_eq!((left, friend.1.is_cut()), (2, false));
    }

    #[test]
    fn who_only_watches_takes_no_place_of_a_seat_and_the_gm_is_always_let_in() {
        let gate = gate(Limits {
            watchers: 2,
            connections: 2,
            ..Limits::default()
        });
        let enter = |coming| {
            let place = gate.arrive(HERE, Cut::default());
            place.enter(coming).map(|()| place)
        };
        let crowd: Vec<_> = (0..9).map(|_| enter(Coming::Passing)).collect();
        assert_eq!(crowd.iter().filter(|one| one.is_ok()).count(), 2);
        let seated: Vec<_> = (0..9).map(|_| enter(Coming::Seated)).collect();
        assert_eq!(seated.iter().filter(|one| one.is_ok()).count(), 2);
        assert!(enter(Coming::Gm).is_ok());
        // Whoever is sent off does not come back without a seat.
        crowd[0].as_ref().unwrap().bar();
        drop(crowd);
        assert!(
            enter(Coming::Passing)
                .unwrap_err()
                .contains("sent somebody off")
        );
    }
}
