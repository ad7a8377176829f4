//! A table that plays by itself: characters with sheets, and a stream of acts like those of an evening.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use tableside::dice::{Dice, Die, SystemDice};
use tableside::game::{
    Character, Clock, Command, Condition, Faces, Filled, Game, RollCommand, Segments,
};
use tableside::rules::{Ask, CheckSpec, ChosenBy, Field, Kind, Progress, Sheet, System, Value};
use tableside::store::Storage;
use tableside::table::{Act, Seat, SeatView, Table};

/// The time at this table.
pub(super) fn noon() -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_176_000, 0).unwrap_or_default()
}

const NAMES: [&str; 12] = [
    "Mira Valdane",
    "Toll",
    "Osric the Grey",
    "Ann",
    "Brother Caspian",
    "Idra",
    "Jonah Whitlock",
    "Säde",
    "Wren",
    "Captain Holloway",
    "Goblin 3",
    "Nim",
];
const THINGS: [&str; 6] = [
    "Mountain Guide",
    "Former City Guard Captain",
    "Stealth",
    "Lore of the Deep",
    "Persuasion",
    "Broken Window",
];
const CLOCKS: [&str; 8] = [
    "The alarm",
    "Cross the mountains",
    "The ritual",
    "Win over the council",
    "Food",
    "The pursuit",
    "Storm",
    "Repair the airship",
];

/// Luck for choosing what happens.
pub(super) struct Whim(pub(super) SystemDice);

impl Whim {
    fn below(&mut self, count: usize) -> usize {
        let sides = u32::try_from(count).unwrap_or(u32::MAX);
        usize::try_from(self.0.up_to(sides) - 1).unwrap_or(0)
    }

    fn between(&mut self, min: i32, max: i32) -> i32 {
        let span = usize::try_from(max - min + 1).unwrap_or(1);
        min + i32::try_from(self.below(span)).unwrap_or(0)
    }

    fn happens(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        (!of.is_empty()).then(|| of[self.below(of.len())])
    }
}

/// Twelve characters and eight clocks.
pub(super) fn table(system: System, data: Option<Storage>, whim: &mut Whim) -> Arc<Table> {
    let dice = Box::new(SystemDice::from_key([9; 32]));
    let table = Table::unsaved("play", Game::new(system), Vec::new(), data, noon, dice);
    for name in NAMES {
        let mut character = Character::new(name, sheet(system, whim));
        "Robin".clone_into(&mut character.player);
        let command = Command::add(character);
        table
            .submit(&Seat::gm(), &command.into())
            .expect("a new character is welcome");
    }
    for name in CLOCKS {
        let segments = Segments::try_from(128).expect("the most that a clock has");
        let command = Command::add(Clock::new(name, segments));
        table
            .submit(&Seat::gm(), &command.into())
            .expect("a new clock is welcome");
    }
    table
}

fn sheet(system: System, whim: &mut Whim) -> Sheet {
    let mut sheet = Sheet::new(system);
    for stat in system.spec().stats {
        if let Kind::Ranks { max, .. } = stat.kind {
            let ranks = THINGS.map(|name| (name.to_owned(), whim.between(1, max.min(5))));
            let ranks = ranks.into_iter().take(3 + whim.below(3)).collect();
            sheet
                .set(stat.id, Value::Ranks(ranks))
                .expect("ranks within the stat's bounds");
        }
    }
    sheet
}

/// The next thing that somebody does; it may be refused.
pub(super) fn act(seen: &SeatView<'_>, whim: &mut Whim) -> Act {
    let clocks: Vec<_> = seen.clocks().map(|clock| clock.clock.id).collect();
    let pools: Vec<_> = seen.pools().map(|pool| pool.id).collect();
    let who = seen.roster().map(|one| one.id).collect::<Vec<_>>();
    let Some(who) = whim.one(&who) else {
        return Act::Undo;
    };
    if let Some(waiting) = seen.unfinished().next() {
        let machine = waiting.roll.machine(seen.system()).expect("it was begun");
        let Ok(Progress::Waits(Ask::Choose { choices, .. })) = machine.after(&waiting.roll.trail)
        else {
            return Command::Abandon(waiting.id).into();
        };
        let answer = Command::Answer {
            check: waiting.id,
            chose: choices.fallback().name.clone(),
            by: ChosenBy::Gm,
            faces: Faces::Rolled,
        };
        return answer.into();
    }
    // Who has too many Wounds or Traumas rests.
    for stat in ["wounds", "traumas"] {
        let tired = |one: &&Character| one.sheet.number(stat).is_some_and(|count| count > 2);
        if let Some(tired) = seen.roster().find(tired) {
            let rest = Command::SetStat {
                who: tired.id,
                stat: stat.to_owned(),
                value: Value::Number(0),
            };
            return rest.into();
        }
    }
    let command = match (whim.below(100), whim.one(&clocks), whim.one(&pools)) {
        (0..10, Some(clock), _) => Command::Tick {
            clock,
            by: whim.between(-3, 3),
        },
        (10..15, _, Some(pool)) => Command::Tokens {
            pool,
            by: whim.between(-2, 3),
        },
        (15..17, ..) => Command::SetConditions {
            who,
            conditions: vec![Condition::new("dazed", Some(whim.between(1, 3)), Some(2))],
        },
        (17..19, ..) => Command::edit(Character {
            acted: true,
            ..seen.character(who).expect("it is in the roster").clone()
        }),
        (19, ..) => Command::NextRound,
        (20..22, ..) if whim.happens(10) => Command::NextScene {
            name: "The warehouse by the river".to_owned(),
        },
        _ => Command::Roll(Box::new(roll(seen, whim))),
    };
    command.into()
}

/// A check of somebody's, filled in from the sheet and then by whim.
pub(super) fn roll(seen: &SeatView<'_>, whim: &mut Whim) -> RollCommand {
    let checks = seen.system().spec().checks;
    let check: &'static CheckSpec = checks[whim.below(checks.len())];
    let roster: Vec<_> = seen.roster().map(|one| one.id).collect();
    let who = whim.one(&roster);
    let mut filled = seen.fill(check, who);
    for field in check.fields {
        fill(seen, &mut filled, who, field, whim);
    }
    let clocks: Vec<_> = seen.clocks().map(|clock| clock.clock.id).collect();
    let clock = if whim.happens(20) {
        whim.one(&clocks)
    } else {
        None
    };
    let helper = whim.one(&roster).filter(|_| whim.happens(10));
    let hidden = whim.happens(5).then(|| "*".to_owned());
    RollCommand {
        group: false,
        who,
        filled,
        faces: Faces::Rolled,
        choose: Vec::new(),
        by: ChosenBy::Gm,
        wait: whim.happens(10),
        hidden_from: hidden.clone().into_iter().collect(),
        noticed: clock.is_some() && hidden.is_some(),
        clock,
        helpers: helper.into_iter().collect(),
    }
}

fn fill(
    seen: &SeatView<'_>,
    filled: &mut Filled,
    who: Option<tableside::game::CharacterId>,
    field: &'static Field,
    whim: &mut Whim,
) {
    let picks = seen.picks(who, field);
    if let Some(name) = whim.one(&(0..picks.len()).collect::<Vec<_>>())
        && whim.happens(60)
    {
        // A name that does not fit after all leaves the field to the next line.
        seen.fill_in(filled, who, field, &picks[name]).ok();
    }
    let open = filled.fields.value(field.id).is_none();
    let needed = open && field.start.is_none();
    let whimsical = !open && filled.source(field.id).is_none() && whim.happens(15);
    if !(needed || whimsical) {
        return;
    }
    let value = match field.kind {
        Kind::Die => whim.one(&Die::LADDER).map(Value::Die),
        Kind::Number { min, max } if needed => Some(Value::Number(
            whim.between(min.max(5).min(max), max.min(15)),
        )),
        Kind::Number { min, max } => Some(Value::Number(whim.between(min.max(-2), max.min(3)))),
        Kind::Flag => Some(Value::Flag(true)),
        Kind::Word(words) => whim.one(words).map(Value::from),
        Kind::Text | Kind::Ranks { .. } => Some(Value::from("the lock of the north gate")),
    };
    let excluded = field.excludes.filter(|other| {
        let other = filled.fields.value(other);
        other.is_some_and(|other| *other != Value::Number(0))
    });
    if let (Some(value), None) = (value, excluded) {
        filled.fields.set(field.id, value).ok();
    }
}
