//! Progress clocks.

use super::check_reader::ask;
use super::{ActResult, Args, CommandSpec, Thing, all, command};
use tableside_game::{
    Arrivals, ArrivingClock, Attached, Clock, ClockKind, Command, CommandError, Entity, Every,
    Link, Segments, Then, Visibility, WhenFull,
};
use tableside_rules::Refused;
use tableside_table::{SeatView, read_clock_lines};
use tableside_text::is_same_name;

pub(super) const COMMANDS: &[CommandSpec] = &[
    command("tick|advance CLOCK [~by AMOUNT]", |it| {
        tick(it, |_| it.amount())
    })
    .key("advance"),
    command("tick|advance AMOUNT CLOCK", |it| tick(it, |_| it.amount())),
    command("untick|back ~up CLOCK [~by AMOUNT]", |it| {
        tick(it, |_| it.amount().saturating_neg())
    })
    .key("back"),
    command("fill CLOCK", |it| {
        // One more where it is full already, so that the table says so.
        let left = |clock: &Clock| clock.segments.count().saturating_sub(clock.filled).max(1);
        tick(it, |clock| left(clock).into())
    })
    .when(|thing, seen| is(thing, seen, |clock| clock.filled < clock.segments.count())),
    command("empty|clear CLOCK", |it| {
        tick(it, |clock| -i32::from(clock.filled.max(1)))
    })
    .when(|thing, seen| is(thing, seen, |clock| clock.filled > 0)),
    command(
        "add|new|start clock NAME SIZE [effort|countdown|race|tug-of-war] [filled FILLED] [hidden|known] [~for OWNER]",
        add,
    ),
    command("add|new|start clocks TEXT", add_all),
    command("segments ~of CLOCK SEGMENTS", |it| {
        let segments = Segments::try_from(it.amount())?;
        it.edit_clocks(|clock| clock.segments = segments)
    }),
    command("kind ~of CLOCK effort|countdown|race|tug-of-war", |it| {
        it.edit_clocks(|clock| clock.kind = kind(it))
    }),
    command("assign CLOCK to OWNER", |it| {
        let owner = it.who();
        it.edit_clocks(|clock| clock.owner = owner)
    }),
    command("bind CLOCK ~to ~the scene", |it| {
        it.edit_clocks(|clock| clock.of_scene = true)
    }),
    command("unbind CLOCK", |it| {
        it.edit_clocks(|clock| clock.of_scene = false)
    })
    .when(|thing, seen| is(thing, seen, |clock| clock.of_scene)),
    command("known CLOCK", |it| {
        it.edit_clocks(|clock| clock.visibility = Visibility::Known)
    })
    .key("visibility")
    .when(|thing, seen| is(thing, seen, |clock| clock.visibility == Visibility::Visible)),
    command("loop CLOCK [growing|shrinking]", |it| {
        let when_full = match (it.has("growing"), it.has("shrinking")) {
            (true, _) => WhenFull::Grows,
            (_, true) => WhenFull::Shrinks,
            _ => WhenFull::StartsAgain,
        };
        it.edit_clocks(|clock| clock.when_full = when_full)
    }),
    command("unloop CLOCK", |it| {
        it.edit_clocks(|clock| clock.when_full = WhenFull::Stays)
    })
    .when(|thing, seen| is(thing, seen, |clock| clock.when_full != WhenFull::Stays)),
    command("every round|scene|rest ~tick CLOCK ~by AMOUNT", |it| {
        let every = it.said(Every::ALL, Into::into).unwrap_or(Every::Round);
        it.edit_clocks(|clock| {
            clock.every.insert(every, it.amount());
        })
    }),
    command("worth CLOCK NAME AMOUNT", |it| {
        attached(it, |check| {
            let outcome = it.name.to_lowercase();
            check.ticks.retain(|(known, _)| *known != outcome);
            check.ticks.push((outcome, it.amount()));
        })
    }),
    command("count all|own ~rolls ~for CLOCK", |it| {
        attached(it, |check| check.hears_all = it.has("all"))
    }),
    command("link CLOCK to NEXT [advances|reveals|starts|beside]", link),
    command("unlink CLOCK", |it| {
        it.edit_clocks(|clock| clock.link = None)
    })
    .when(|thing, seen| is(thing, seen, |clock| clock.link.is_some())),
    command("attach CLOCK [by WHO] CHECK…", attach),
    command("detach CLOCK", |it| {
        it.edit_clocks(|clock| clock.check = None)
    })
    .when(|thing, seen| is(thing, seen, |clock| clock.check.is_some())),
    command("race CLOCK against NEXT", race),
];

fn is(thing: &Thing, seen: &SeatView<'_>, test: fn(&Clock) -> bool) -> bool {
    thing.clock(seen).is_some_and(test)
}

fn tick(it: &Args<'_>, by: impl Fn(&Clock) -> i32) -> ActResult {
    all(it.clocks().map(|clock| Command::Tick {
        clock: clock.id,
        by: by(clock),
    }))
}

fn kind(it: &Args<'_>) -> ClockKind {
    it.said(ClockKind::ALL, Into::into).unwrap_or_default()
}

fn add(it: &Args<'_>) -> ActResult {
    // "visible" is no word of the form: a new clock is.
    let visibility = it.said(Visibility::ALL, Into::into);
    // What is no number is dice, and rolled for later.
    let size = it.counts.first().and_then(|size| size.parse::<i32>().ok());
    let size = size.map(Segments::try_from).transpose()?;
    let clock = Clock {
        kind: kind(it),
        visibility: visibility.unwrap_or_default(),
        owner: it.who(),
        ..Clock::new(&it.name, size.unwrap_or_default())
    };
    let parts = ["segments", "filled"].iter().zip(&it.counts);
    let clock = parts.fold(Entity::from(clock), |clock, (part, count)| {
        clock.counted(part, count)
    });
    Ok(Command::Add(clock).into())
}

/// Each `NAME: FILLED/SEGMENTS`, one behind the other, as `tableside export --clocks` prints them.
fn add_all(it: &Args<'_>) -> ActResult {
    let clocks = read_clock_lines(&it.text).map_err(|why| CommandError::from(Refused(why)))?;
    let mut arrivals = Arrivals::default();
    for read in clocks {
        arrivals.clocks.push(kept_where_unsaid(read, it.seen));
    }
    Ok(Command::TakeIn(Box::new(arrivals)).into())
}

/// A line without brackets sets how full a clock of the table is, and leaves its other properties as they are.
fn kept_where_unsaid(read: ArrivingClock, seen: &SeatView<'_>) -> ArrivingClock {
    let plain = Clock {
        filled: read.clock.filled,
        ..Clock::new(&read.clock.name, read.clock.segments)
    };
    if read.clock != plain || read.owner.is_some() || read.link.is_some() {
        return read;
    }

    let mut clocks = seen.clocks().map(|one| one.clock);
    let known =
        clocks.find(|clock| clock.owner.is_none() && is_same_name(&clock.name, &plain.name));
    let Some(known) = known else {
        return read;
    };
    ArrivingClock {
        clock: Clock {
            segments: plain.segments,
            filled: plain.filled,
            ..known.clone()
        },
        ..ArrivingClock::default()
    }
}

/// Each clock with its check changed.
fn attached(it: &Args<'_>, change: impl Fn(&mut Attached)) -> ActResult {
    it.edit_clocks(|clock| {
        let _ = clock.check.as_deref_mut().map(&change);
    })
}

fn two_clocks<'a>(it: &Args<'a>) -> Result<[&'a Clock; 2], CommandError> {
    let mut clocks = it.clocks();
    let two = clocks.next().zip(clocks.next());
    two.map(Into::into).ok_or(CommandError::Gone("clock"))
}

fn link(it: &Args<'_>) -> ActResult {
    let [one, other] = two_clocks(it)?;
    let link = Link {
        to: other.id,
        then: it.said(Then::ALL, Into::into).unwrap_or_default(),
    };
    let linked = Clock {
        link: Some(link),
        ..one.clone()
    };
    Ok(Command::edit(linked).into())
}

fn attach(it: &Args<'_>) -> ActResult {
    let who = it.who();
    let asked = ask(&it.text, who, None, it.seen)?;
    asked.keep_only("attach", &[])?;
    let check = Attached {
        who,
        fields: asked.fields,
        ..Attached::new(&asked.check)
    };
    it.edit_clocks(|clock| clock.check = Some(Box::new(check.clone())))
}

fn race(it: &Args<'_>) -> ActResult {
    let [clock, rival] = two_clocks(it)?;
    Ok(Command::Race {
        clock: clock.id,
        rival: rival.id,
    }
    .into())
}
