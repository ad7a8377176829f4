//! Limits on connections before and after the login.
//!
//! A connection that has not logged in yet takes a place. When all places are taken, a new connection pushes out
//! the one that has come least far; one where somebody types a code goes last. A key exchange costs work, so it waits for
//! a turn: an address has a few a second, and the newest connection comes first. A silent connection takes no
//! turn, so that a friend gets in past a silent crowd. A connection that sends much before its login takes further
//! turns. A login with a seat gives its turns back. Seats and watchers
//! are counted apart.
//!
//! The page in browsers uses the same limits. A browser counts as logged in when it has asked for a path that it can
//! only know from the GM, and as a watcher from then on.

use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::watch;

use super::access::Limits;
use tableside_table::{SeatRole, TokenBucket};

/// How far a connection has come; it never goes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum LoginStage {
    /// It has sent nothing.
    #[default]
    Silent,
    /// It has sent its version.
    Spoke,
    /// It exchanges keys.
    Exchanging,
    /// It authenticates.
    Proving,
    /// It is asked for a code.
    Asked,
    /// It is logged in.
    In,
    /// It has a screen, or gets its answer.
    Open,
    /// The channel is closed.
    Closed,
    /// Nothing more is read or written.
    Cut,
}

/// A connection's progress, shared by the tasks that serve it.
#[derive(Clone, Debug, Default)]
pub struct LoginProgress(Arc<watch::Sender<LoginStage>>);

impl LoginProgress {
    pub fn reach(&self, stage: LoginStage) {
        self.0.send_if_modified(|now| {
            let goes_on = stage > *now;
            *now = stage.max(*now);
            goes_on
        });
    }

    pub(super) fn has_reached(&self, stage: LoginStage) -> bool {
        *self.0.borrow() >= stage
    }

    pub async fn wait_for(&self, stage: LoginStage) {
        let mut news = self.0.subscribe();
        // The sender lives as long as this does.
        drop(news.wait_for(|now| *now >= stage).await);
    }
}

/// All connections, before and after the login.
#[derive(Debug, Default)]
pub struct Admission {
    pub limits: Limits,
    next: u64,
    /// Connections before the login, the oldest first.
    outside: Vec<Outside>,
    /// Connections after the login, by the number of their place.
    inside: HashMap<u64, Inside>,
    /// Turns for key exchanges, for each address.
    turns: HashMap<IpAddr, TokenBucket>,
    /// Addresses whose watcher was sent away; they need a seat now.
    barred: HashSet<IpAddr>,
}

#[derive(Debug)]
struct Outside {
    number: u64,
    net: IpAddr,
    progress: LoginProgress,
    /// Whether it waits for a turn.
    waits: bool,
    /// How many turns it had.
    turns: f64,
}

#[derive(Debug)]
struct Inside {
    net: IpAddr,
    /// True for a watcher without a seat.
    is_visitor: bool,
    progress: LoginProgress,
}

/// A connection's place; given up when dropped.
#[derive(Debug)]
pub struct ConnectionSlot {
    admission: Arc<Mutex<Admission>>,
    number: u64,
    net: IpAddr,
    pub progress: LoginProgress,
}

/// What counts as one address: for IPv6 the whole /64.
fn net(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        IpAddr::V4(_) => address,
    }
}

/// Takes a place for a new connection; if there are too many, one gives way.
pub fn arrive(admission: &Arc<Mutex<Admission>>, address: IpAddr) -> ConnectionSlot {
    let net = net(address);
    let mut inner = admission.lock();
    let limits = inner.limits;
    let outside = &mut inner.outside;
    outside.retain(|one| !one.progress.has_reached(LoginStage::Cut));
    let of_address = inner.outside.iter().filter(|one| one.net == net);
    if at_least(of_address, limits.logging_in_per_address) {
        inner.send_away(|one| one.net == net);
    }
    if at_least(inner.outside.iter(), limits.logging_in) {
        inner.send_away(|_| true);
    }
    inner.next += 1;
    let number = inner.next;
    let progress = LoginProgress::default();
    inner.outside.push(Outside {
        number,
        net,
        progress: progress.clone(),
        waits: false,
        turns: 0.0,
    });
    ConnectionSlot {
        admission: Arc::clone(admission),
        number,
        net,
        progress,
    }
}

fn at_least<T>(some: impl Iterator<Item = T>, most: u32) -> bool {
    some.count() >= usize::try_from(most).unwrap_or(usize::MAX)
}

impl Admission {
    /// Cuts the connection that has come least far: of several the oldest, or the newest if all are asked for a code.
    fn send_away(&mut self, whom: impl Fn(&Outside) -> bool) {
        let some = || self.outside.iter().enumerate().filter(|(_, one)| whom(one));
        let least = some().min_by_key(|(_, one)| *one.progress.0.borrow());
        let gone = match least {
            Some((_, one)) if one.progress.has_reached(LoginStage::Asked) => some().next_back(),
            least => least,
        };
        if let Some((place, _)) = gone {
            self.outside.remove(place).progress.reach(LoginStage::Cut);
        }
    }

    /// Whether the turn of that connection has come, false if it was cut; or how long until it is to ask again.
    fn turn(&mut self, number: u64, now: Instant) -> Result<bool, Duration> {
        let rate = f64::from(self.limits.new_per_second.max(1));
        // An address whose bucket is full again needs no entry.
        if self.turns.len() > 1000 {
            let fresh = Duration::from_secs(2);
            self.turns
                .retain(|_, turns| now.saturating_duration_since(turns.filled) < fresh);
        }
        let is_cut = |one: &Outside| one.progress.has_reached(LoginStage::Cut);
        let mut all = self.outside.iter();
        let Some(at) = all.position(|one| one.number == number && !is_cut(one)) else {
            return Ok(false);
        };
        let net = self.outside[at].net;
        // The newest comes first.
        let is_next = !all.any(|newer| newer.net == net && newer.waits && !is_cut(newer));
        let full = || TokenBucket::full(rate, now);
        let turns = self.turns.entry(net).or_insert_with(full);
        let has_come = is_next && turns.take(1.0, (rate, rate), now);
        self.outside[at].waits = !has_come;
        if !has_come {
            let due = (1.0 - turns.left).max(0.1);
            return Err(Duration::from_secs_f64(due / rate));
        }
        self.outside[at].turns += 1.0;
        Ok(true)
    }
}

impl Admission {
    /// Cuts the newest watcher of the address with the most watchers, if all places are taken and a watcher from
    /// `newcomer` would be one of fewer.
    fn make_room_for_viewer(&mut self, newcomer: IpAddr) {
        let mut viewers: Vec<(u64, &Inside)> = Vec::new();
        for (number, inside) in &self.inside {
            if inside.is_visitor && !inside.is_cut() {
                viewers.push((*number, inside));
            }
        }
        if !at_least(viewers.iter(), self.limits.watchers) {
            return;
        }

        let mut count_by_net: HashMap<IpAddr, usize> = HashMap::new();
        for (_, viewer) in &viewers {
            *count_by_net.entry(viewer.net).or_default() += 1;
        }
        let own_count = count_by_net.get(&newcomer).copied().unwrap_or_default();
        let largest = count_by_net.iter().max_by_key(|(_, count)| **count);
        let Some((crowded_net, crowd)) = largest else {
            return;
        };
        if *crowd < own_count + 2 {
            return;
        }

        let in_crowd = viewers
            .iter()
            .filter(|(_, viewer)| viewer.net == *crowded_net);
        if let Some((_, newest)) = in_crowd.max_by_key(|(number, _)| *number) {
            newest.progress.reach(LoginStage::Cut);
        }
    }
}

impl Inside {
    fn is_cut(&self) -> bool {
        self.progress.has_reached(LoginStage::Cut)
    }
}

impl ConnectionSlot {
    /// Waits for a turn; returns false if the connection was cut instead.
    pub(super) async fn turn(&self) -> bool {
        loop {
            let turn = self.admission.lock().turn(self.number, Instant::now());
            match turn {
                Ok(came) => return came,
                Err(pause) => tokio::time::sleep(pause).await,
            }
        }
    }

    /// Logs the connection in, with a seat of that role or as a watcher without one; or says why it may not.
    pub(super) fn enter(&self, role: Option<SeatRole>) -> Result<(), String> {
        let mut inner = self.admission.lock();
        let limits = inner.limits;
        let is_visitor = role.is_none();
        if is_visitor && inner.barred.contains(&self.net) {
            return Err(
                "the GM removed a watcher with your address: ask the GM for a seat".to_owned(),
            );
        }
        // A watcher's login gives no turn back: anybody can repeat it.
        let own = inner.outside.iter().find(|one| one.number == self.number);
        let own_turns = own.map_or(0.0, |own| own.turns);
        if !is_visitor && let Some(turns) = inner.turns.get_mut(&self.net) {
            turns.left += own_turns;
        }
        let most = if is_visitor {
            limits.watchers
        } else {
            limits.connections
        };
        let same = || {
            let inside = inner.inside.values();
            inside.filter(|other| other.is_visitor == is_visitor && !other.is_cut())
        };
        let here = || same().filter(|other| other.net == self.net);
        // The GM gets in even if the table is full.
        if role != Some(SeatRole::Gm)
            && (at_least(same(), most) || at_least(here(), limits.connections_per_address))
        {
            return Err(format!(
                "the table is full: {} connections, {} of them from your address; try again later",
                same().count(),
                here().count()
            ));
        }
        // Who is refused still counts among those outside.
        inner.outside.retain(|one| one.number != self.number);
        let inside = Inside {
            net: self.net,
            is_visitor,
            progress: self.progress.clone(),
        };
        inner.inside.insert(self.number, inside);
        Ok(())
    }

    /// Logs a browser in as a watcher. If all places of watchers are taken, the address with the most of them gives one
    /// up to an address that would still have fewer.
    pub fn enter_page(&self) -> Result<(), String> {
        self.admission.lock().make_room_for_viewer(self.net);
        self.enter(None)
    }

    /// Refuses watchers without a seat from this address from now on.
    pub(super) fn bar(&self) {
        self.admission.lock().barred.insert(self.net);
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut inner = self.admission.lock();
        inner.outside.retain(|one| one.number != self.number);
        inner.inside.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn gate(limits: Limits) -> Arc<Mutex<Admission>> {
        let gate: Arc<Mutex<Admission>> = Arc::default();
        gate.lock().limits = limits;
        gate
    }

    fn is_cut(slot: &ConnectionSlot) -> bool {
        slot.progress.has_reached(LoginStage::Cut)
    }

    #[test]
    fn the_newest_gets_the_first_turn_and_turns_run_out() {
        let gate = gate(Limits {
            new_per_second: 2,
            ..Limits::default()
        });
        let slots: Vec<ConnectionSlot> = (0..4).map(|_| arrive(&gate, HERE)).collect();
        for one in &mut gate.lock().outside {
            one.waits = true;
        }
        let now = Instant::now();
        let mut done = [false; 4];
        let mut came = |after| {
            let now = now + Duration::from_millis(after);
            let before = done;
            for (at, slot) in slots.iter().enumerate().rev() {
                done[at] = done[at] || gate.lock().turn(slot.number, now) == Ok(true);
            }
            [0, 1, 2, 3].map(|one| done[one] && !before[one])
        };
        assert_eq!(came(0), [false, false, true, true]);
        assert_eq!(came(400), [false; 4]);
        assert_eq!(came(600), [false, true, false, false]);
        drop(slots);
    }

    #[test]
    fn who_has_come_least_far_makes_room_and_who_types_a_code_is_the_last() {
        let gate = gate(Limits {
            logging_in_per_address: 5,
            ..Limits::default()
        });
        let order = [
            LoginStage::Asked,
            LoginStage::Proving,
            LoginStage::Exchanging,
            LoginStage::Spoke,
            LoginStage::Silent,
        ];
        let arrive_at = |stage| {
            let slot = arrive(&gate, HERE);
            slot.progress.reach(stage);
            slot
        };
        let first: Vec<ConnectionSlot> = order.into_iter().map(arrive_at).collect();
        let mut later = Vec::new();
        for stay in (0..4).rev() {
            later.push(arrive_at(LoginStage::Asked));
            let left: Vec<bool> = first.iter().map(|slot| !is_cut(slot)).collect();
            let expected: Vec<bool> = (0..5).map(|at| at <= stay).collect();
            assert_eq!(left, expected);
        }
        // All are asked now: the first keeps its slot.
        later.push(arrive_at(LoginStage::Asked));
        assert!(!is_cut(&first[0]));
    }

    #[test]
    fn one_network_of_ipv6_is_one_address() {
        let gate = gate(Limits {
            logging_in_per_address: 2,
            ..Limits::default()
        });
        let knock = |address: &str| arrive(&gate, address.parse().unwrap());
        let friend = knock("2001:db8:0:1::7");
        let crowd: Vec<ConnectionSlot> = (1..9)
            .map(|one| knock(&format!("2001:db8::{one}")))
            .collect();
        let left = crowd.iter().filter(|slot| !is_cut(slot)).count();
        assert_eq!((left, is_cut(&friend)), (2, false));
    }

    #[test]
    fn who_only_watches_takes_no_place_of_a_seat_and_the_gm_is_always_let_in() {
        let gate = gate(Limits {
            watchers: 2,
            connections: 2,
            ..Limits::default()
        });
        let enter = |role| {
            let slot = arrive(&gate, HERE);
            slot.enter(role).map(|()| slot)
        };
        let crowd: Vec<_> = (0..9).map(|_| enter(None)).collect();
        assert_eq!(crowd.iter().filter(|one| one.is_ok()).count(), 2);
        let seated: Vec<_> = (0..9).map(|_| enter(Some(SeatRole::Player))).collect();
        assert_eq!(seated.iter().filter(|one| one.is_ok()).count(), 2);
        assert!(enter(Some(SeatRole::Gm)).is_ok());
        // A watcher who was sent away does not come back without a seat.
        crowd[0].as_ref().unwrap().bar();
        drop(crowd);
        assert!(enter(None).unwrap_err().contains("removed a watcher"));
    }
}
