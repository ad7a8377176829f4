//! Progress clocks.

use super::super::roll::ask;
use super::super::slots::{Slots, all, gone};
use super::super::{CommandSpec, Made, Thing, command};
use crate::session::{
    Attached, Clock, ClockKind, Command, CommandError, Link, Segments, Then, Visibility,
};
use crate::table::SeatView;

pub(in super::super) const COMMANDS: &[CommandSpec] = &[
    command(
        "tick|advance CLOCK [~by AMOUNT]",
        "advances a clock by a segment, or by so many",
        "tick The alarm 2",
        |slots, _| tick(slots, slots.amount()),
    )
    .key("advance"),
    command(
        "untick|back ~up CLOCK [~by AMOUNT]",
        "turns a clock back by a segment, or by so many",
        "untick The alarm",
        |slots, _| tick(slots, slots.amount().saturating_neg()),
    )
    .key("back"),
    command(
        "fill CLOCK",
        "fills a clock to its last segment",
        "fill The alarm",
        |slots, seen| {
            // One more where it is full already, so that the table says so.
            let left = |clock: &Clock| clock.segments.count().saturating_sub(clock.filled).max(1);
            all(slots.known_clocks(seen).map(|clock| Command::Tick {
                clock: clock.id,
                by: left(clock).into(),
            }))
        },
    )
    .when(|thing, seen| is(thing, seen, |clock| clock.filled < clock.segments.count())),
    command(
        "empty|clear CLOCK",
        "empties a clock",
        "empty The alarm",
        |slots, seen| {
            all(slots.known_clocks(seen).map(|clock| Command::Tick {
                clock: clock.id,
                by: -i32::from(clock.filled.max(1)),
            }))
        },
    )
    .when(|thing, seen| is(thing, seen, |clock| clock.filled > 0)),
    command(
        "add|new|start clock NAME SEGMENTS [effort|countdown|race|tug-of-war] [hidden|known] [~for OWNER]",
        "starts a clock with so many segments",
        "add clock The alarm 6 countdown",
        add,
    ),
    command(
        "segments ~of CLOCK SEGMENTS",
        "gives a clock so many segments",
        "segments The alarm 8",
        |slots, seen| {
            let segments = Segments::try_from(slots.amount())?;
            slots.edit_clocks(seen, |clock| clock.segments = segments)
        },
    ),
    command(
        "kind ~of CLOCK effort|countdown|race|tug-of-war",
        "says what a clock counts",
        "kind The alarm countdown",
        |slots, seen| slots.edit_clocks(seen, |clock| clock.kind = kind_in(slots)),
    ),
    command(
        "known CLOCK",
        "players know that the clock exists, not how full it is",
        "known The alarm",
        |slots, seen| slots.edit_clocks(seen, |clock| clock.visibility = Visibility::Known),
    )
    .key("visibility")
    .when(|thing, seen| is(thing, seen, |clock| clock.visibility == Visibility::Visible)),
    command(
        "link CLOCK to NEXT [advances|reveals|starts]",
        "when the one clock is full, it advances, reveals or starts the other",
        "link The alarm to The gate closes starts",
        |slots, seen| {
            let to = slots.clocks().nth(1).ok_or(gone("clock"))?;
            let then = Then::ALL.into_iter().find(|then| slots.has(then.id()));
            let then = then.unwrap_or_default();
            edit_first(slots, seen, |clock| clock.link = Some(Link { to, then }))
        },
    ),
    command(
        "unlink CLOCK",
        "ends the link of a clock to another",
        "unlink The alarm",
        |slots, seen| slots.edit_clocks(seen, |clock| clock.link = None),
    )
    .when(|thing, seen| is(thing, seen, |clock| clock.link.is_some())),
    command(
        "attach CLOCK [by WHO] CHECK…",
        "says which check fills a clock, and who always rolls it",
        "attach Up the cliff by Mira skill agility cn=12",
        attach,
    ),
    command(
        "detach CLOCK",
        "no check fills the clock any more",
        "detach Up the cliff",
        |slots, seen| slots.edit_clocks(seen, |clock| clock.check = None),
    )
    .when(|thing, seen| is(thing, seen, |clock| clock.check.is_some())),
    command(
        "race CLOCK against NEXT",
        "two clocks race: the first full wins; further ones join either",
        "race The riders against The fire",
        race,
    ),
];

fn is(thing: &Thing, seen: &SeatView<'_>, test: fn(&Clock) -> bool) -> bool {
    thing.clock(seen).is_some_and(test)
}

fn tick(slots: &Slots, by: i32) -> Made {
    all(slots.clocks().map(|clock| Command::Tick { clock, by }))
}

fn edit_first(slots: &Slots, seen: &SeatView<'_>, change: impl FnOnce(&mut Clock)) -> Made {
    let clock = slots.known_clocks(seen).next().ok_or(gone("clock"))?;
    let mut clock = clock.clone();
    change(&mut clock);
    Ok(Command::edit(clock).into())
}

fn kind_in(slots: &Slots) -> ClockKind {
    let kind = ClockKind::ALL.into_iter().find(|kind| slots.has(kind.id()));
    kind.unwrap_or_default()
}

fn add(slots: &Slots, _: &SeatView<'_>) -> Made {
    // "visible" is no word of the form: a new clock is.
    let visibility = Visibility::ALL.into_iter();
    let mut clock = Clock {
        kind: kind_in(slots),
        visibility: visibility
            .rev()
            .find(|visibility| slots.has(visibility.id()))
            .unwrap_or_default(),
        owner: slots.owners().next().and_then(Thing::owner),
        ..Clock::new(&slots.name, Segments::try_from(slots.amount())?)
    };
    clock.filled = clock.begins_at();
    Ok(Command::add(clock).into())
}

fn attach(slots: &Slots, seen: &SeatView<'_>) -> Made {
    let who = slots.who();
    // Who rolls has a sheet like those here.
    let like = who.or_else(|| seen.roster().next().map(|one| one.id));
    let asked = ask(&slots.text, like, None, seen)?;
    let check = Attached {
        who,
        fields: asked.as_words(),
        ..Attached::new(asked.check.id)
    };
    edit_first(slots, seen, |clock| clock.check = Some(Box::new(check)))
}

/// Both in one race: that of the other where it is in one, else of this one, else a new one by its name.
fn race(slots: &Slots, seen: &SeatView<'_>) -> Made {
    let clocks: Vec<&Clock> = slots.known_clocks(seen).collect();
    let [one, other] = clocks.as_slice() else {
        return Err(gone("clock"));
    };
    let running = |clock: &Clock| (clock.kind == ClockKind::Race).then(|| clock.race.clone());
    let name = running(other).or_else(|| running(one));
    let name = name.unwrap_or_else(|| format!("{} against {}", one.name, other.name));
    let joined = clocks.iter().filter_map(|clock| {
        let mut racing = (*clock).clone();
        racing.kind = ClockKind::Race;
        racing.race.clone_from(&name);
        (racing != **clock).then(|| Command::edit(racing))
    });
    let commands: Vec<Command> = joined.collect();
    if commands.is_empty() || one.id == other.id {
        return Err(CommandError::Unchanged.into());
    }
    Ok(Command::together(commands).into())
}
