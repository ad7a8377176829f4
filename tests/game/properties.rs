//! What holds whatever people do: random acts against a table, with the state checked after each.

use std::sync::Arc;

use proptest::prelude::*;
use tableside::dice::SystemDice;
use tableside::game::{
    AttachedCheck, Author, Blow, CallCommand, Character, CharacterId, Clock, ClockKind, Command,
    CommandContext, Condition, ConditionEnd, EntityRef, Event, EventKind, Every, Faces, Game,
    InitiativeCommand, Link, LinkEffect, NoteCommand, PrepareCommand, Rest, RollCommand, Segments,
    TokenPool, Visibility, WhenFull,
};
use tableside::rules::{ChosenBy, Id, Kind, Sheet, System, Value};
use tableside::store::StoreClient as _;
use tableside::table::{Act, Seat, SeatRole, Table};

use super::around::player;
use super::opened::noon;

/// A command as a few numbers; which thing it means is settled against the state at hand.
#[derive(Clone, Debug)]
struct Flow {
    kind: u8,
    which: usize,
    by: i32,
    text: String,
}

fn wish() -> impl Strategy<Value = Flow> {
    let text = "[A-Za-z]{0,6}|\\PC{0,3}";
    (0_u8..41, any::<usize>(), -12_i32..12, text).prop_map(|(kind, which, by, text)| Flow {
        kind,
        which,
        by,
        text,
    })
}

fn pick<'a, T>(list: impl IntoIterator<Item = &'a T>, which: usize) -> Option<&'a T> {
    let list: Vec<&T> = list.into_iter().collect();
    list.get(which.checked_rem(list.len())?).copied()
}

fn command(game: &Game, wish: &Flow) -> Option<Command> {
    let who = pick(&game.roster, wish.which).map(|one| one.id);
    let check = pick(&game.unfinished, wish.which).map(|one| one.id);
    let stats = game.system.spec().stats;
    let stat = &stats[wish.which % stats.len()];
    Some(match wish.kind {
        0 | 1 => Command::add(Character::new(
            format!("{}{}", wish.text, wish.which % 7),
            Sheet::new(game.system),
        )),
        2 => {
            let mut character = game.character(who?)?.clone();
            character.name.clone_from(&wish.text);
            character.notes = wish.text.repeat(3);
            character.absent = wish.by > 0;
            Command::edit(character)
        }
        3 => Command::Remove(EntityRef::Character(who?)),
        4 => Command::Duplicate(EntityRef::Character(who?)),
        5 | 6 => Command::StepStat {
            who: who?,
            stat: stat.id.to_owned(),
            by: wish.by,
        },
        7 => Command::SetStat {
            who: who?,
            stat: stat.id.to_owned(),
            value: Value::Number(wish.by),
        },
        8 => Command::SetConditions {
            who: who?,
            conditions: vec![Condition {
                name: wish.text.clone(),
                value: Some(wish.by),
                rounds: u32::try_from(wish.by).ok(),
                fades: wish.which.is_multiple_of(2),
                ends: [
                    ConditionEnd::Round,
                    ConditionEnd::TurnStart,
                    ConditionEnd::TurnEnd,
                ][wish.which % 3],
            }],
        },
        9 => Command::edit(Character {
            acted: wish.by > 0,
            ..game.character(who?)?.clone()
        }),
        10 => Command::NextRound,
        11..=20 => return thing_command(game, wish, who),
        21 => Command::NextScene {
            name: wish.text.clone(),
        },
        22 => Command::EndSession,
        23 | 24 => Command::Roll(Box::new(roll(game, who, wish))),
        25 => Command::Answer {
            check: check?,
            chose: if wish.by > 0 { "complication" } else { "fail" }.to_owned(),
            by: ChosenBy::Player,
            faces: Faces::Rolled,
        },
        26 => Command::Note(NoteCommand {
            text: wish.text.clone(),
            ..NoteCommand::default()
        }),
        38..=40 => fight_command(game, wish, who?),
        _ => return around_command(game, wish, who?),
    })
}

/// A fight begins, goes on, and ends.
fn fight_command(game: &Game, wish: &Flow, who: CharacterId) -> Command {
    match wish.kind {
        38 if game.system.spec().initiative.is_some() => Command::Initiative(InitiativeCommand {
            rolls: game.roster.iter().map(|one| one.id).collect(),
            set: vec![(who, Some(wish.by.into()))],
        }),
        38 => Command::Initiative(InitiativeCommand {
            rolls: Vec::new(),
            set: vec![(who, (wish.by > -9).then(|| wish.by.into()))],
        }),
        39 if wish.by > 9 => Command::EndFight,
        _ => Command::EndTurn,
    }
}

/// What the pages say around the dice.
fn around_command(game: &Game, wish: &Flow, who: CharacterId) -> Option<Command> {
    Some(match wish.kind {
        27 => Command::Complicate {
            who,
            aspect: "Hot".to_owned(),
        },
        28 => Command::Award {
            pool: pick(&game.pools, wish.which)?.id,
            amount: wish.by,
            why: wish.text.clone(),
        },
        29 => Command::Call(CallCommand {
            group: false,
            who: vec![who, game.roster.first()?.id],
            check: game.system.spec().checks.first()?.id.to_owned(),
            fields: Vec::new(),
            helpers: Vec::new(),
            shown: wish.by > 0,
        }),
        30 => Command::Remove(EntityRef::Call(pick(&game.calls, wish.which)?.id)),
        31 => Command::Damage {
            who,
            amount: wish.by + 6,
            shrug_off: wish.which.is_multiple_of(2),
            blow: Blow::Ordinary,
        },
        32 => Command::Rest {
            who,
            rest: [Rest::Short, Rest::Long, Rest::LongFailed][wish.which % 3],
        },
        33 => Command::FirstAid {
            who,
            of: [Id::new("stress"), Id::new("blood")][wish.which % 2],
            levels: wish.by,
        },
        34 => {
            let stats = game.system.spec().stats.iter();
            let list = stats
                .filter(|stat| matches!(stat.kind, Kind::Ranks { .. }))
                .nth(1)?;
            Command::SetStat {
                who,
                stat: list.id.to_owned(),
                value: Value::Ranks(vec![("Hot-headed".to_owned(), wish.by)]),
            }
        }
        // A roll is read or rolled again; see `again`.
        _ => return None,
    })
}

/// The newest resolved check that holds, with the numbers of its readings, oldest first.
fn newest(lived: &[(Game, Event)]) -> Option<Vec<u64>> {
    let event = |number: u64| &lived[usize::try_from(number).unwrap() - 1].1.what;
    let replaced: Vec<u64> = lived
        .iter()
        .filter_map(|(_, event)| event.what.replaces())
        .collect();
    let mut numbers = (1..=lived.len() as u64).rev();
    let last =
        numbers.find(|number| event(*number).resolved().is_some() && !replaced.contains(number))?;
    let mut chain = vec![last];
    while let Some(before) = event(chain[chain.len() - 1]).replaces() {
        chain.push(before);
    }
    chain.reverse();
    Some(chain)
}

/// Reads the newest roll again under other fields, or rolls it again.
fn again(
    game: &Game,
    lived: &[(Game, Event)],
    wish: &Flow,
    luck: &mut SystemDice,
) -> Option<Event> {
    let chain = newest(lived)?;
    let events = chain
        .iter()
        .map(|number| &lived[usize::try_from(*number).unwrap() - 1].1);
    let event = Event::new(
        events.clone().next_back()?.what.clone(),
        events
            .clone()
            .flat_map(|event| event.changes.clone())
            .collect(),
    );
    let rolled = events
        .clone()
        .rposition(|event| !matches!(event.what, EventKind::Amended { .. }))?;
    let readings: Vec<_> = events
        .skip(rolled)
        .filter_map(|event| event.what.roll())
        .collect();
    let entry = *chain.last()?;
    if wish.kind == 35 {
        return game.reroll(entry, &event, &Faces::Rolled, luck).ok();
    }
    let fields = event.what.roll()?.spec(game.system).ok()?.fields;
    let field = fields[wish.which.checked_rem(fields.len())?].id.to_owned();
    let given = [
        wish.by.abs().to_string(),
        "yes".into(),
        "d10".into(),
        "hard".into(),
    ];
    let mut tries = given.iter().map(|given| {
        let given = [(field.clone(), given.clone())];
        game.amend(entry, &event, &readings, &given, &Faces::Rolled, luck)
    });
    let amended = tries.find_map(Result::ok)?;
    let (old, new) = (event.what.roll()?, amended.what.roll()?);
    assert_eq!(
        (&old.house, &old.hidden_from),
        (&new.house, &new.hidden_from)
    );
    Some(amended)
}

fn thing_command(game: &Game, wish: &Flow, who: Option<CharacterId>) -> Option<Command> {
    let clock = pick(&game.clocks, wish.which).map(|one| one.id);
    let pool = pick(&game.pools, wish.which).map(|one| one.id);
    Some(match wish.kind {
        11 => {
            let segments = Segments::try_from(wish.by.saturating_abs()).ok()?;
            let mut clock = Clock::new(&wish.text, segments);
            clock.kind = ClockKind::ALL[wish.which % 4];
            clock.owner = who.filter(|_| wish.by > 0);
            clock.of_scene = wish.which.is_multiple_of(3);
            clock.check = attached(game, wish, who);
            Command::add(clock)
        }
        12 => {
            let mut clock = game.clock(clock?)?.clone();
            clock.segments = clock.segments.saturating_add(wish.by);
            clock.visibility = Visibility::ALL[wish.which % 3];
            clock.check = attached(game, wish, who);
            clock.when_full = WhenFull::ALL[wish.which % 4];
            clock.every = [(Every::ALL[wish.which % 3], wish.by)].into();
            Command::edit(clock)
        }
        19 => {
            let mut clock = game.clock(clock?)?.clone();
            let other = &game.clocks[wish.by.unsigned_abs() as usize % game.clocks.len()];
            clock.link = (wish.by != 0).then_some(Link {
                to: other.id,
                effect: LinkEffect::ALL[wish.which % 4],
            });
            Command::edit(clock)
        }
        13 => Command::Remove(EntityRef::Clock(clock?)),
        15 => Command::PrepareScene(PrepareCommand {
            name: wish.text.clone(),
            notes: wish.text.repeat(2),
            characters: who.into_iter().collect(),
            clocks: clock.into_iter().collect(),
            creatures: Vec::new(),
            put_away: wish.by > 6,
        }),
        16 => {
            let scene = pick(&game.prepared, wish.which)?.id;
            match wish.by {
                ..-8 => Command::Remove(EntityRef::Prepared(scene)),
                -8..0 => Command::RevealScene(scene),
                0..3 => {
                    let mut scene = game.prepared(scene)?.clone();
                    scene.name.clone_from(&wish.text);
                    scene.notes.clear();
                    Command::edit(scene)
                }
                _ => Command::BringScene(scene),
            }
        }
        14 => Command::Tick {
            clock: clock?,
            by: wish.by,
        },
        17 => {
            let mut pool = TokenPool::new(&wish.text);
            pool.cap = Some(wish.by);
            pool.owner = who.filter(|_| wish.by > 0);
            Command::add(pool)
        }
        18 => Command::Remove(EntityRef::Pool(pool?)),
        _ => Command::Tokens {
            pool: pool?,
            by: wish.by,
        },
    })
}

/// A check that fills a clock, or none.
fn attached(game: &Game, wish: &Flow, who: Option<CharacterId>) -> Option<Box<AttachedCheck>> {
    let check = game.system.spec().checks.first()?;
    let outcome = check.outcomes[wish.which % check.outcomes.len()].id;
    (wish.by % 2 == 0).then(|| {
        Box::new(AttachedCheck {
            who: who.filter(|_| wish.by % 3 == 0),
            ticks: vec![(outcome.to_owned(), wish.by / 2)],
            ..AttachedCheck::new(check.id)
        })
    })
}

fn roll(game: &Game, who: Option<CharacterId>, wish: &Flow) -> RollCommand {
    let checks = game.system.spec().checks;
    let check = checks[wish.which % checks.len()];
    let mut filled = game.fill(check, who);
    for field in check.fields {
        if filled.fields.value(field.id).is_none() {
            for guess in ["d8", "12", "3", "trained", "moderate"] {
                if game.fill_in(&mut filled, who, field, guess).is_ok() {
                    break;
                }
            }
        }
    }
    let clock = game.clocks.first().map(|one| one.id);
    let helper = game.roster.last().map(|one| one.id);
    RollCommand {
        group: false,
        who,
        filled,
        faces: Faces::Rolled,
        choose: Vec::new(),
        by: ChosenBy::Gm,
        wait: wish.by > 0,
        hidden_from: Vec::new(),
        noticed: false,
        clock: clock.filter(|_| wish.by % 2 == 0),
        helpers: helper.filter(|_| wish.by % 3 == 0).into_iter().collect(),
    }
}

fn holds(game: &Game) {
    let is_there = |who: CharacterId| game.character(who).is_some();
    for clock in &game.clocks {
        assert!(clock.filled <= clock.segments.count(), "{clock:?}");
        let who = clock.check.as_ref().and_then(|check| check.who);
        let mut people = clock.owner.into_iter().chain(who);
        let mut linked = clock.link.iter().map(|link| game.clock(link.to));
        assert!(people.all(is_there), "{clock:?}");
        assert!(linked.all(|clock| clock.is_some()), "{clock:?}");
    }
    for pool in &game.pools {
        assert_eq!(pool.tokens, pool.within(pool.tokens), "{pool:?}");
        assert!(pool.owner.is_none_or(is_there), "{pool:?}");
    }
    for waiting in &game.unfinished {
        assert!(waiting.roll.id.is_none_or(is_there), "{waiting:?}");
    }
    for call in &game.calls {
        assert!(is_there(call.who), "{call:?}");
    }
    let again = Game::from_toml(&game.to_toml()).unwrap();
    assert_eq!(again, *game);
}

fn system() -> impl Strategy<Value = System> {
    let ready = System::shipped().filter(|system| !system.spec().checks.is_empty());
    prop::sample::select(ready.collect::<Vec<_>>())
}

/// The GM, two players with every other character each, and somebody who looks on.
fn seats() -> [Seat; 4] {
    let from = |first: u32| -> Vec<_> { (first..200).step_by(2).map(CharacterId).collect() };
    let (ana, bo) = (player("Ana", &from(1)), player("Bo", &from(2)));
    [Seat::gm(), ana, bo, Seat::onlooker()]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn replay_is_what_was_lived_and_every_act_can_be_taken_back(
        system in system(),
        wishes in prop::collection::vec(wish(), 1..40),
    ) {
        let mut luck = SystemDice::from_key([3; 32]);
        let mut game = Game::new(system);
        let mut lived: Vec<(Game, Event)> = Vec::new();
        for wish in &wishes {
            let number = lived.len() as u64 + 1;
            let moment = CommandContext {
                at: noon(),
                number,
                author: Author::nobody(),
            };
            let event = match command(&game, wish) {
                Some(command) => game.decide(&command, &moment, &mut luck).ok(),
                None if wish.kind > 34 => again(&game, &lived, wish, &mut luck),
                None => None,
            };
            let Some(event) = event else { continue };
            let line = serde_json::to_string(&event).unwrap();
            let read: Event = serde_json::from_str(&line).unwrap();
            prop_assert_eq!(&serde_json::to_string(&read).unwrap(), &line);
            prop_assert_eq!(read.what.roll(), event.what.roll(), "a roll is read back as it was made");
            let before = game.clone();
            game.apply(&event);
            holds(&game);
            let mut replayed = before.clone();
            replayed.apply(&read);
            prop_assert_eq!(&replayed, &game, "an event read back does what it did: {}", line);
            lived.push((before, event));
        }
        for (index, (before, event)) in lived.iter().enumerate().rev() {
            let number = index as u64 + 1;
            let what = EventKind::Undone { event: number, text: String::new() };
            let after = game.clone();
            let undoing = game.undo_event(number, event, what.clone()).unwrap();
            game.apply(&undoing);
            prop_assert_eq!(visible(&game), visible(before), "undo of {:?}", event);
            let redoing = game.undo_event(number, &undoing, what).unwrap();
            let mut redone = game.clone();
            redone.apply(&redoing);
            prop_assert_eq!(visible(&redone), visible(&after), "redo of {:?}", event);
        }
    }

    #[test]
    fn every_number_stays_within_its_bounds_and_redo_brings_back_what_undo_took(
        system in system(),
        wishes in prop::collection::vec((wish(), 0_u8..5, 0_usize..6), 1..40),
    ) {
        let game = Game::new(system);
        let dice = Box::new(SystemDice::from_key([5; 32]));
        let table: Arc<Table> = Table::unsaved("t", game, Vec::new(), None, noon, dice);
        let mut mirror = Game::new(system);
        let mut lines: Vec<String> = Vec::new();
        let seats = seats();
        for (wish, turn, seat) in &wishes {
            // The GM does most.
            let seat = seats.get(*seat).unwrap_or(&seats[0]);
            let act = match turn {
                0 => Act::Undo,
                1 => Act::Redo,
                2 if wish.kind > 34 => Act::Amend {
                    entry: wish.which as u64 % 40,
                    fields: vec![("modifier".into(), wish.by.to_string())],
                    faces: Faces::Rolled,
                },
                3 if wish.kind > 34 => Act::Strike {
                    entry: wish.which as u64 % 40,
                    reason: wish.text.clone(),
                },
                _ => match command(&mirror, wish) {
                    Some(command) => Act::from(command),
                    None => continue,
                },
            };
            let before = mirror.clone();
            let Ok(entry) = table.submit(seat, &act) else { continue };
            // A player is told no more than may be known.
            let whole = |number| table.read(&Seat::gm(), |seen| seen.entry(number).unwrap());
            let entry = whole(entry.number);
            prop_assert_ne!(seat.role, SeatRole::Watcher, "{:?}", act);
            lines.push(serde_json::to_string(&entry.event).unwrap());
            mirror.apply(&entry.event);
            holds(&mirror);
            if act == Act::Undo && wish.by % 2 == 0 {
                let redone = whole(table.submit(seat, &Act::Redo).unwrap().number);
                lines.push(serde_json::to_string(&redone.event).unwrap());
                mirror.apply(&redone.event);
                prop_assert_eq!(visible(&mirror), visible(&before), "redo of {:?}", entry.event);
            }
        }
        prop_assert_eq!(table.snapshot().0, mirror.to_toml());
        let mut replayed = Game::new(system);
        for line in &lines {
            replayed.apply(&serde_json::from_str(line).unwrap());
        }
        prop_assert_eq!(replayed, mirror);
    }
}

/// The state but for the numbers that only ever rise, and for who is remembered after going.
fn visible(game: &Game) -> String {
    let mut game = game.clone();
    game.departed.clear();
    let text = game.to_toml();
    let only_rise = ["next-id", "entries", "rolls"];
    let lines = text
        .lines()
        .filter(|line| !only_rise.iter().any(|name| line.starts_with(name)));
    lines.collect::<Vec<_>>().join("\n")
}
