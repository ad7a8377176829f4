//! Progress clocks.

use super::{Made, gone, phrase};
use crate::session::{
    Attached, Clock, ClockKind, Command, CommandError, Link, Segments, Then, Visibility,
};
use crate::table::SeatView;
use crate::table::command_language::roll::ask;
use crate::table::command_language::said::Parsed;
use crate::table::command_language::{ParseError, Phrase, Place};

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
    phrase(
        HERE,
        "link CLOCK to NEXT [advances|reveals|starts]",
        "when the one clock is full, it advances, reveals or starts the other",
        "link The alarm to The gate closes starts",
        link,
    ),
    phrase(
        HERE,
        "unlink CLOCK",
        "ends the link of a clock to another",
        "unlink The alarm",
        unlink,
    ),
    phrase(
        HERE,
        "attach CLOCK [by WHO] CHECK…",
        "says which check fills a clock, and who always rolls it",
        "attach Up the cliff by Mira skill agility cn=12",
        attach,
    ),
    phrase(
        HERE,
        "detach CLOCK",
        "no check fills the clock any more",
        "detach Up the cliff",
        detach,
    ),
    phrase(
        HERE,
        "race CLOCK against NEXT",
        "two clocks race: the first full wins; further ones join either",
        "race The riders against The fire",
        race,
    ),
];

fn tick(said: &Parsed, _: &SeatView<'_>) -> Made {
    let clock = said.clock().ok_or(gone("clock"))?;
    let by = said.number("AMOUNT").unwrap_or(1);
    Ok(Command::Tick { clock, by }.into())
}

fn untick(said: &Parsed, _: &SeatView<'_>) -> Made {
    let clock = said.clock().ok_or(gone("clock"))?;
    let by = said.number("AMOUNT").unwrap_or(1).saturating_neg();
    Ok(Command::Tick { clock, by }.into())
}

fn known_clock<'a>(said: &Parsed, seen: &SeatView<'a>) -> Result<&'a Clock, ParseError> {
    let found = said.clock().and_then(|id| seen.clock(id));
    found.map(|one| one.clock).ok_or(gone("clock"))
}

fn fill(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let clock = known_clock(said, seen)?;
    // One more where it is full already, so that the table says so.
    let by = clock.segments.count().saturating_sub(clock.filled).max(1);
    let (clock, by) = (clock.id, i32::from(by));
    Ok(Command::Tick { clock, by }.into())
}

fn empty(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let clock = known_clock(said, seen)?;
    let by = -i32::from(clock.filled.max(1));
    let clock = clock.id;
    Ok(Command::Tick { clock, by }.into())
}

fn edited(said: &Parsed, seen: &SeatView<'_>, edit: impl FnOnce(&mut Clock)) -> Made {
    let mut clock = known_clock(said, seen)?.clone();
    edit(&mut clock);
    Ok(Command::EditClock(Box::new(clock)).into())
}

fn link(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let to = said.clock_in("NEXT").ok_or(gone("clock"))?;
    let then = Then::ALL.into_iter().find(|then| said.has(then.id()));
    edited(said, seen, |clock| {
        clock.link = Some(Link {
            to,
            then: then.unwrap_or_default(),
        });
    })
}

fn unlink(said: &Parsed, seen: &SeatView<'_>) -> Made {
    edited(said, seen, |clock| clock.link = None)
}

fn attach(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let who = said.who();
    // Whoever rolls has a sheet like those here.
    let like = who.or_else(|| seen.roster().next().map(|one| one.id));
    let asked = ask(said.text("CHECK…"), like, None, seen)?;
    let check = Attached {
        who,
        fields: asked.as_words(),
        ..Attached::new(asked.check.id)
    };
    edited(said, seen, |clock| clock.check = Some(Box::new(check)))
}

fn detach(said: &Parsed, seen: &SeatView<'_>) -> Made {
    edited(said, seen, |clock| clock.check = None)
}

/// Both in one race: that of the other where it is in one, else of this one, else a new one by its name.
fn race(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let one = known_clock(said, seen)?;
    let other = said.clock_in("NEXT").and_then(|id| seen.clock(id));
    let other = other.map(|one| one.clock).ok_or(gone("clock"))?;
    let running = |clock: &Clock| (clock.kind == ClockKind::Race).then(|| clock.race.clone());
    let name = running(other).or_else(|| running(one));
    let name = name.unwrap_or_else(|| format!("{} against {}", one.name, other.name));
    let joined = [one, other].into_iter().filter_map(|clock| {
        let mut racing = clock.clone();
        racing.kind = ClockKind::Race;
        racing.race.clone_from(&name);
        (racing != *clock).then(|| Command::EditClock(Box::new(racing)))
    });
    let commands: Vec<Command> = joined.collect();
    if commands.is_empty() || one.id == other.id {
        return Err(CommandError::Unchanged.into());
    }
    Ok(Command::together(commands).into())
}

fn count(said: &Parsed) -> Result<Segments, ParseError> {
    Ok(Segments::try_from(
        said.number("SEGMENTS").unwrap_or_default(),
    )?)
}

fn segments(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let segments = count(said)?;
    edited(said, seen, |clock| clock.segments = segments)
}

fn kind_in(said: &Parsed) -> Option<ClockKind> {
    ClockKind::ALL.into_iter().find(|kind| said.has(kind.id()))
}

fn kind(said: &Parsed, seen: &SeatView<'_>) -> Made {
    edited(said, seen, |clock| {
        clock.kind = kind_in(said).unwrap_or(clock.kind);
    })
}

fn known(said: &Parsed, seen: &SeatView<'_>) -> Made {
    edited(said, seen, |clock| clock.visibility = Visibility::Known)
}

fn add(said: &Parsed, _: &SeatView<'_>) -> Made {
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
