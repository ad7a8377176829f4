//! Whole evenings of random acts, each followed by what the pages say of it: who may help and what it costs,
//! what pools hold, what limits keep back, who decides, and what is booked.
//!
//! The dice are the table's own; how they are read is counted elsewhere. Here their outcome is given, and all
//! around it is worked out again. `ODDS_CASES` says how many evenings each system has.

mod gnosis;
mod heart_rush;
mod hfrpg;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tableside::dice::SystemDice;
use tableside::rules::{ChosenBy, Effect, Outcome, Sheet, System};
use tableside::session::{
    Character, CharacterId, ClockId, Command, EventKind, Faces, Roll, RollCommand, Session,
    UnfinishedId,
};
use tableside::table::{Act, Entry, Seat, SeatId, SeatRole, Table};

fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

/// So many acts has an evening.
const ACTS: usize = 12;

/// What the pages say the table holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct World {
    /// Tokens by whose they are.
    tokens: BTreeMap<String, i32>,
    /// What the scene gave, by whose it is.
    gained: BTreeMap<String, i32>,
    acted: BTreeSet<String>,
    /// Segments filled, by whose clock and its name.
    clocks: BTreeMap<(String, String), u8>,
    /// What may not be tried again, by whom.
    locks: BTreeSet<(String, String)>,
}

/// An evening.
struct Play {
    table: Arc<Table>,
    system: System,
    world: World,
    luck: u64,
}

/// A check to be made.
#[derive(Default)]
struct Flow {
    who: &'static str,
    check: &'static str,
    fields: Vec<(&'static str, String)>,
    choose: Vec<String>,
    helpers: Vec<&'static str>,
    clock: Option<ClockId>,
    /// Made from a player's seat, where a choice waits.
    by_a_player: bool,
}

type Party = &'static [(
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
)];

/// Plays evenings with this party: name, player, sheet.
fn evenings(system: System, party: Party, begin: fn(&mut Play), act: fn(&mut Play)) {
    let cases = std::env::var("ODDS_CASES").ok();
    let cases = cases.and_then(|cases| cases.parse().ok()).unwrap_or(24);
    let mut runner = TestRunner::new(Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 0,
        ..Config::default()
    });
    let result = runner.run(&any::<u64>(), |seed| {
        let mut play = Play::new(system, party, seed);
        begin(&mut play);
        play.world = play.seen();
        for _ in 0..ACTS {
            act(&mut play);
            assert_eq!(play.seen(), play.world, "after {}", play.last());
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{system}: {error}");
    }
}

impl Play {
    fn new(system: System, party: Party, seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let dice = Box::new(SystemDice::from_key(key));
        let table = Table::unsaved("t", Session::new(system), Vec::new(), None, noon, dice);
        let play = Self {
            table,
            system,
            world: World::default(),
            luck: seed | 1,
        };
        for (name, player, stats) in party {
            let mut sheet = Sheet::new(system);
            for (stat, given) in *stats {
                let value = sheet.stat(stat).unwrap().parse(given).unwrap();
                sheet.set(stat, value).unwrap();
            }
            let mut one = Character::new(*name, sheet);
            (*player).clone_into(&mut one.player);
            play.run(Command::add(one));
        }
        play
    }

    /// A number below that one.
    fn below(&mut self, end: usize) -> usize {
        self.luck ^= self.luck << 13;
        self.luck ^= self.luck >> 7;
        self.luck ^= self.luck << 17;
        usize::try_from(self.luck >> 33).unwrap() % end
    }

    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    /// Some of these, but for that one.
    fn some(&mut self, of: &[&'static str], but: &str) -> Vec<&'static str> {
        let mut some = Vec::new();
        for name in of.iter().copied().filter(|name| *name != but) {
            if self.one_in(3) {
                some.push(name);
            }
        }
        some
    }

    fn id(&self, name: &str) -> CharacterId {
        self.table
            .read(&Seat::gm(), |seen| seen.character_named(name).unwrap().id)
    }

    fn act(&self, seat: &Seat, command: Command) -> Result<Arc<Entry>, String> {
        let done = self.table.submit(seat, &Act::from(command));
        done.map_err(|problem| problem.to_string())
    }

    fn run(&self, command: Command) -> Arc<Entry> {
        self.act(&Seat::gm(), command).unwrap()
    }

    /// The seat of a player with that character.
    fn seat(&self, name: &str) -> Seat {
        Seat {
            id: SeatId(2),
            name: "player".to_owned(),
            role: SeatRole::Player,
            characters: vec![self.id(name)],
        }
    }

    fn stat(&self, name: &str, stat: &str) -> i32 {
        self.table.read(&Seat::gm(), |seen| {
            let one = seen.character_named(name).unwrap();
            one.sheet.number(stat).unwrap()
        })
    }

    fn roll(&self, wish: &Flow) -> Result<Arc<Entry>, String> {
        let who = self.id(wish.who);
        let check = self.system.check(wish.check).unwrap();
        let seat = if wish.by_a_player {
            self.seat(wish.who)
        } else {
            Seat::gm()
        };
        let filled = self.table.read(&seat, |seen| {
            let mut filled = seen.fill(check, Some(who));
            for (field, given) in &wish.fields {
                seen.fill_in(&mut filled, Some(who), check.field(field).unwrap(), given)
                    .map_err(|refusal| refusal.to_string())?;
            }
            Ok::<_, String>(filled)
        })?;
        let command = RollCommand {
            who: Some(who),
            filled,
            faces: Faces::Rolled,
            choose: wish.choose.clone(),
            by: if wish.by_a_player {
                ChosenBy::Player
            } else {
                ChosenBy::Gm
            },
            wait: wish.by_a_player,
            hidden_from: Vec::new(),
            noticed: false,
            clock: wish.clock,
            helpers: wish.helpers.iter().map(|name| self.id(name)).collect(),
            group: false,
        };
        self.act(&seat, Command::Roll(Box::new(command)))
    }

    /// The check that waits, if one does.
    fn waiting(&self) -> Option<UnfinishedId> {
        self.table.read(&Seat::gm(), |seen| {
            seen.unfinished().next().map(|one| one.id)
        })
    }

    /// That answer of the GM's, after the player was refused it.
    fn gm_answers(&self, check: UnfinishedId, player: &str, chose: &str) -> Arc<Entry> {
        let answer = |by| Command::Answer {
            check,
            chose: chose.to_owned(),
            by,
            faces: Faces::Rolled,
        };
        let refused = self.act(&self.seat(player), answer(ChosenBy::Player));
        assert!(refused.unwrap_err().contains("decides this"));
        self.run(answer(ChosenBy::Gm))
    }

    fn last(&self) -> String {
        self.table.read(&Seat::gm(), |seen| {
            seen.log().next().unwrap().event.text(self.system)
        })
    }

    /// What the table holds.
    fn seen(&self) -> World {
        self.table.read(&Seat::gm(), |seen| {
            let mut world = World::default();
            let name = |owner: Option<CharacterId>| {
                let one = owner.and_then(|id| seen.character(id));
                one.map_or(String::new(), |one| one.name.clone())
            };
            for pool in seen.pools() {
                let key = match pool.id_word() {
                    "logos" => continue,
                    _ => name(pool.owner),
                };
                world.tokens.insert(key.clone(), pool.tokens);
                if let Some(gains) = pool.gains {
                    world.gained.insert(key, gains.this_scene);
                }
            }
            let acted = seen.roster().filter(|one| one.acted);
            world.acted = acted.map(|one| one.name.clone()).collect();
            for clock in seen.clocks().map(|one| one.clock) {
                let key = (name(clock.owner), clock.name.clone());
                world.clocks.insert(key, clock.filled);
            }
            let locks = seen.locks();
            world.locks = locks
                .map(|(who, about)| (who.name.clone(), about.to_lowercase()))
                .collect();
            world
        })
    }

    fn tokens(&mut self, name: &str) -> &mut i32 {
        self.world.tokens.get_mut(name).unwrap()
    }

    fn gained(&mut self, name: &str) -> &mut i32 {
        self.world.gained.get_mut(name).unwrap()
    }

    fn have_acted(&mut self, names: &[&'static str]) {
        let names = names.iter().map(|name| (*name).to_owned());
        self.world.acted.extend(names);
    }
}

/// What a resolved check says.
fn told(entry: &Entry, system: System) -> (&Roll, Outcome) {
    let EventKind::Rolled(roll) = &entry.event.what else {
        panic!("resolved: {:?}", entry.event.what);
    };
    let outcome = roll.derive(system).unwrap();
    (roll, outcome)
}

/// With whom something is shared.
fn shared(roll: &Roll) -> Vec<String> {
    let names = roll.effects.iter().find_map(|effect| match effect {
        Effect::SharedWith { names } => Some(names.clone()),
        _ => None,
    });
    names.unwrap_or_default()
}
