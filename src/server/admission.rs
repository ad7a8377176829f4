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

use tokio::sync::{oneshot, watch};

use super::access::Limits;

/// So many turns a second have those of an address who wait for us to speak first.
const SILENT: u32 = 2;

/// How far a connection has come; it only goes on.
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
    /// Somebody is in.
    In,
    /// A screen is open, or what was asked for is being said.
    Open,
    /// All is said.
    Closed,
    /// Nothing more is read or written.
    Cut,
}

/// How far a connection has come, for all who serve it.
#[derive(Clone, Debug, Default)]
pub(in crate::server) struct Course(Arc<watch::Sender<Progress>>);

impl Course {
    pub(in crate::server) fn reach(&self, progress: Progress) {
        self.0.send_if_modified(|now| {
            let goes_on = progress > *now;
            *now = progress.max(*now);
            goes_on
        });
    }

    pub(in crate::server) fn has_reached(&self, progress: Progress) -> bool {
        *self.0.borrow() >= progress
    }

    /// Waits until it has come so far.
    pub(in crate::server) async fn wait_for(&self, progress: Progress) {
        let mut news = self.0.subscribe();
        // The sender lives as long as this does.
        drop(news.wait_for(|now| *now >= progress).await);
    }
}

/// As whom somebody comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::server) enum Entrant {
    /// Runs the game.
    Gm,
    /// Has a seat.
    Seated,
    /// Watches without one.
    Watching,
}

/// The door to the login.
#[derive(Debug, Default)]
pub(in crate::server) struct Admission {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    limits: Limits,
    next: u64,
    /// Those who are not in yet, the oldest first.
    outside: Vec<Outside>,
    /// Those who are, by the number of their place.
    inside: HashMap<u64, (IpAddr, Entrant)>,
    /// By address, and by whether they speak first.
    turns: HashMap<(IpAddr, bool), Turns>,
    /// Nobody watches from there without a seat any more.
    barred: HashSet<IpAddr>,
}

#[derive(Debug)]
struct Outside {
    number: u64,
    net: IpAddr,
    course: Course,
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
    admission: Arc<Admission>,
    number: u64,
    net: IpAddr,
    pub(in crate::server) course: Course,
}

/// What counts as one address: whoever has an IPv6 address has all of its /64.
fn net(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        IpAddr::V4(_) => address,
    }
}

impl Admission {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How much is let through from now on.
    pub(in crate::server) fn limit(&self, limits: Limits) {
        self.inner().limits = limits;
    }

    /// Somebody comes. Where there are too many, one of them is sent away.
    pub(in crate::server) fn arrive(self: &Arc<Self>, address: IpAddr) -> Place {
        let net = net(address);
        let mut inner = self.inner();
        let limits = inner.limits;
        inner
            .outside
            .retain(|one| !one.course.has_reached(Progress::Cut));
        let of_address = inner.outside.iter().filter(|one| one.net == net);
        if at_least(of_address, limits.logging_in_per_address) {
            inner.send_away(|one| one.net == net);
        }
        if at_least(inner.outside.iter(), limits.logging_in) {
            inner.send_away(|_| true);
        }
        inner.next += 1;
        let number = inner.next;
        let course = Course::default();
        inner.outside.push(Outside {
            number,
            net,
            course: course.clone(),
            waits: None,
        });
        Place {
            admission: Arc::clone(self),
            number,
            net,
            course,
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
        let least = some().min_by_key(|(_, one)| *one.course.0.borrow());
        let gone = match least {
            Some((_, one)) if one.course.has_reached(Progress::Asked) => some().next_back(),
            least => least,
        };
        if let Some((place, _)) = gone {
            self.outside.remove(place).course.reach(Progress::Cut);
        }
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
            if one.net == net
                && one.course.has_reached(Progress::Spoke) == spoke
                && one.waits.take().is_some_and(|waits| waits.send(()).is_ok())
            {
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
            let mut inner = self.admission.inner();
            let Some(one) = inner
                .outside
                .iter_mut()
                .find(|one| one.number == self.number)
            else {
                return false;
            };
            one.waits = Some(sender);
            self.course.has_reached(Progress::Spoke)
        };
        loop {
            let next = self
                .admission
                .inner()
                .give_turns(self.net, spoke, Instant::now());
            // Others take the turns, too: then it is the one after.
            if let Ok(came) = tokio::time::timeout(next, &mut turn).await {
                return came.is_ok();
            }
        }
    }

    /// It is in; where that would be one too many, why not.
    pub(in crate::server) fn enter(&self, entrant: Entrant) -> Result<(), String> {
        let mut inner = self.admission.inner();
        let limits = inner.limits;
        inner.outside.retain(|one| one.number != self.number);
        let is_watching = entrant == Entrant::Watching;
        // Anybody can come in who only watches, again and again.
        if !is_watching && let Some(turns) = inner.turns.get_mut(&(self.net, true)) {
            turns.left += 1.0;
        }
        let is_same =
            |(_, other): &&(IpAddr, Entrant)| (*other == Entrant::Watching) == is_watching;
        let same = || inner.inside.values().filter(is_same);
        let here = || same().filter(|(net, _)| *net == self.net);
        let most = if is_watching {
            limits.watchers
        } else {
            limits.connections
        };
        if is_watching && inner.barred.contains(&self.net) {
            return Err(
                "the GM sent somebody off who watched from your address: ask the GM for a seat"
                    .to_owned(),
            );
        }
        // The one who runs the game is let in, whoever else is there.
        if entrant != Entrant::Gm
            && (at_least(same(), most) || at_least(here(), limits.connections_per_address))
        {
            return Err(format!(
                "the table is full: {} connections, {} of them from here; try again when somebody has left",
                same().count(),
                here().count()
            ));
        }
        inner.inside.insert(self.number, (self.net, entrant));
        Ok(())
    }

    /// From here nobody watches without a seat any more.
    pub(in crate::server) fn bar(&self) {
        self.admission.inner().barred.insert(self.net);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut inner = self.admission.inner();
        inner.outside.retain(|one| one.number != self.number);
        inner.inside.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn gate(limits: Limits) -> Arc<Admission> {
        let gate = Arc::new(Admission::default());
        gate.limit(limits);
        gate
    }

    fn is_cut(place: &Place) -> bool {
        place.course.has_reached(Progress::Cut)
    }

    #[test]
    fn the_oldest_who_says_nothing_makes_room_and_who_speaks_stays() {
        let gate = gate(Limits {
            logging_in_per_address: 3,
            ..Limits::default()
        });
        let mut places = Vec::new();
        for number in 0..5 {
            places.push(gate.arrive(HERE));
            if number == 0 {
                places[0].course.reach(Progress::Spoke);
            }
        }
        let gone: Vec<bool> = places.iter().map(is_cut).collect();
        assert_eq!(gone, [false, true, true, false, false]);
    }

    #[test]
    fn the_newest_gets_the_first_turn_and_turns_run_out() {
        let gate = gate(Limits {
            new_per_second: 2,
            ..Limits::default()
        });
        let places: Vec<Place> = (0..4).map(|_| gate.arrive(HERE)).collect();
        let mut turns = Vec::new();
        for (place, one) in places.iter().enumerate() {
            let (sender, turn) = oneshot::channel();
            let mut inner = gate.inner();
            assert_eq!(inner.outside[place].number, one.number);
            inner.outside[place].waits = Some(sender);
            one.course.reach(Progress::Exchanging);
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
        let first = gate.arrive(HERE);
        let second = gate.arrive(HERE);
        assert_eq!(first.enter(Entrant::Seated), Ok(()));
        let refused = second.enter(Entrant::Seated).unwrap_err();
        assert!(refused.contains("the table is full"), "{refused}");
        drop(first);
        let third = gate.arrive(HERE);
        assert_eq!(third.enter(Entrant::Seated), Ok(()));
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
            let place = gate.arrive(HERE);
            place.course.reach(progress);
            place
        };
        let first: Vec<Place> = order.into_iter().map(arrive).collect();
        let mut later = Vec::new();
        for stay in (0..4).rev() {
            later.push(arrive(Progress::Asked));
            let left: Vec<bool> = first.iter().map(|place| !is_cut(place)).collect();
            let expected: Vec<bool> = (0..5).map(|place| place <= stay).collect();
            assert_eq!(left, expected);
        }
        // All are asked now: whoever was first keeps the place.
        later.push(arrive(Progress::Asked));
        assert!(!is_cut(&first[0]));
    }

    #[test]
    fn one_network_of_ipv6_is_one_address() {
        let gate = gate(Limits {
            logging_in_per_address: 2,
            ..Limits::default()
        });
        let arrive = |address: &str| gate.arrive(address.parse().unwrap());
        let friend = arrive("2001:db8:0:1::7");
        let crowd: Vec<Place> = (1..9)
            .map(|one| arrive(&format!("2001:db8::{one}")))
            .collect();
        let left = crowd.iter().filter(|place| !is_cut(place)).count();
        assert_eq!((left, is_cut(&friend)), (2, false));
    }

    #[test]
    fn who_only_watches_takes_no_place_of_a_seat_and_the_gm_is_always_let_in() {
        let gate = gate(Limits {
            watchers: 2,
            connections: 2,
            ..Limits::default()
        });
        let enter = |entrant| {
            let place = gate.arrive(HERE);
            place.enter(entrant).map(|()| place)
        };
        let crowd: Vec<_> = (0..9).map(|_| enter(Entrant::Watching)).collect();
        assert_eq!(crowd.iter().filter(|one| one.is_ok()).count(), 2);
        let seated: Vec<_> = (0..9).map(|_| enter(Entrant::Seated)).collect();
        assert_eq!(seated.iter().filter(|one| one.is_ok()).count(), 2);
        assert!(enter(Entrant::Gm).is_ok());
        // Whoever is sent off does not come back without a seat.
        crowd[0].as_ref().unwrap().bar();
        drop(crowd);
        assert!(
            enter(Entrant::Watching)
                .unwrap_err()
                .contains("sent somebody off")
        );
    }
}
