//! Progress clocks.

use super::{Made, gone, phrase};
use crate::session::{Clock, ClockKind, Command, Segments, Visibility};
use crate::table::Seen;
use crate::table::phrase::said::Said;
use crate::table::phrase::{Phrase, Place, Unclear};

const HERE: Place = Place::Clocks;

pub(super) const PHRASES: &[Phrase] = &[
    phrase(
        HERE,
        "tick|advance CLOCK [~by AMOUNT]",
        "advances a clock by a segment, or by so many",
        "tick The alarm 2",
        tick,
    ),
    phrase(
        HERE,
        "untick|back ~up CLOCK [~by AMOUNT]",
        "turns a clock back by a segment, or by so many",
        "untick The alarm",
        untick,
    ),
    phrase(
        HERE,
        "fill CLOCK",
        "fills a clock to its last segment",
        "fill The alarm",
        fill,
    ),
    phrase(
        HERE,
        "empty|clear CLOCK",
        "empties a clock",
        "empty The alarm",
        empty,
    ),
    phrase(
        HERE,
        "add|new|start clock NAME SEGMENTS [effort|countdown|race|tug-of-war] [hidden|known] [~for OWNER]",
        "starts a clock with so many segments",
        "add clock The alarm 6 countdown",
        add,
    ),
    phrase(
        HERE,
        "segments ~of CLOCK SEGMENTS",
        "gives a clock so many segments",
        "segments The alarm 8",
        segments,
    ),
    phrase(
        HERE,
        "kind ~of CLOCK effort|countdown|race|tug-of-war",
        "says what a clock counts",
        "kind The alarm countdown",
        kind,
    ),
    phrase(
        HERE,
        "known CLOCK",
        "players know that the clock exists, not how full it is",
        "known The alarm",
        known,
    ),
];

fn tick(said: &Said, _: &Seen<'_>) -> Made {
    let clock = said.clock().ok_or(gone("clock"))?;
    let by = said.number("AMOUNT").unwrap_or(1);
    Ok(Command::Tick { clock, by }.into())
}

fn untick(said: &Said, _: &Seen<'_>) -> Made {
    let clock = said.clock().ok_or(gone("clock"))?;
    let by = said.number("AMOUNT").unwrap_or(1).saturating_neg();
    Ok(Command::Tick { clock, by }.into())
}

fn known_clock<'a>(said: &Said, seen: &Seen<'a>) -> Result<&'a Clock, Unclear> {
    let found = said.clock().and_then(|id| seen.clock(id));
    found.map(|one| one.clock).ok_or(gone("clock"))
}

fn fill(said: &Said, seen: &Seen<'_>) -> Made {
    let clock = known_clock(said, seen)?;
    // One more where it is full already, so that the table says so.
    let by = clock.segments.count().saturating_sub(clock.filled).max(1);
    let (clock, by) = (clock.id, i32::from(by));
    Ok(Command::Tick { clock, by }.into())
}

fn empty(said: &Said, seen: &Seen<'_>) -> Made {
    let clock = known_clock(said, seen)?;
    let by = -i32::from(clock.filled.max(1));
    let clock = clock.id;
    Ok(Command::Tick { clock, by }.into())
}

fn edited(said: &Said, seen: &Seen<'_>, edit: impl FnOnce(&mut Clock)) -> Made {
    let mut clock = known_clock(said, seen)?.clone();
    edit(&mut clock);
    Ok(Command::EditClock(Box::new(clock)).into())
}

fn count(said: &Said) -> Result<Segments, Unclear> {
    let number = said.number("SEGMENTS").unwrap_or(0);
    // What is no number of segments at all is told by the nearest that is none either.
    let number = u8::try_from(number.clamp(0, 255)).unwrap_or(0);
    Ok(Segments::try_from(number)?)
}

fn segments(said: &Said, seen: &Seen<'_>) -> Made {
    let segments = count(said)?;
    edited(said, seen, |clock| clock.segments = segments)
}

fn kind_in(said: &Said) -> Option<ClockKind> {
    ClockKind::ALL.into_iter().find(|kind| said.has(kind.id()))
}

fn kind(said: &Said, seen: &Seen<'_>) -> Made {
    edited(said, seen, |clock| {
        clock.kind = kind_in(said).unwrap_or(clock.kind);
    })
}

fn known(said: &Said, seen: &Seen<'_>) -> Made {
    edited(said, seen, |clock| clock.visibility = Visibility::Known)
}

fn add(said: &Said, _: &Seen<'_>) -> Made {
    let visibility = Visibility::ALL.into_iter();
    let mut clock = Clock {
        kind: kind_in(said).unwrap_or_default(),
        visibility: visibility
            .rev()
            .find(|visibility| said.has(visibility.id()))
            .unwrap_or_default(),
        owner: said.owner("OWNER").and_then(|owner| owner.0),
        ..Clock::new(said.text("NAME"), count(said)?)
    };
    clock.filled = clock.begins_at();
    Ok(Command::AddClock(Box::new(clock)).into())
}
