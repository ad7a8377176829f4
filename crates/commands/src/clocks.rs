//! Commands for progress clocks.

use super::clock_checks::{attach, count_rolls, detach, set_outcome_ticks};
use super::error::refused;
use super::slots::combine;
use super::spec::ActResult;
use super::{Args, CommandId, CommandSpec, Target};
use tableside_game::{
    Arrivals, ArrivingClock, Clock, ClockKind, Command, Every, Link, LinkEffect, NewClock,
    Segments, Visibility, WhenFull,
};
use tableside_table::{SeatView, read_clock_lines};
use tableside_text::is_same_name;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec::new(
        CommandId::Tick,
        "tick/advance CLOCK [~by AMOUNT]",
        "Advance a clock by one segment, or by AMOUNT segments",
        tick,
    ),
    CommandSpec::new(
        CommandId::Tick,
        "tick/advance AMOUNT CLOCK",
        "Advance a clock by AMOUNT segments",
        tick,
    ),
    CommandSpec::new(
        CommandId::Untick,
        "untick/back ~up CLOCK [~by AMOUNT]",
        "Turn a clock back by one segment, or by AMOUNT segments",
        untick,
    ),
    CommandSpec::new(
        CommandId::FillClock,
        "fill CLOCK",
        "Fill all segments of a clock",
        fill,
    )
    .applies_if(is_not_full),
    CommandSpec::new(
        CommandId::EmptyClock,
        "empty/clear CLOCK",
        "Empty all segments of a clock",
        empty,
    )
    .applies_if(has_filled_segments),
    CommandSpec::new(
        CommandId::AddClock,
        "add/new/start clock NAME SIZE [effort|countdown|race|tug-of-war] [filled FILLED] [hidden|known] [~for OWNER]",
        "Add a clock with SIZE segments, of which FILLED are filled; both numbers can be dice, as in 4+d4",
        add_clock,
    ),
    CommandSpec::new(
        CommandId::AddClocks,
        "add/new/start clocks TEXT",
        "Add clocks, or change existing ones, as in: add clocks The alarm: 3/6 The flood: 0/4",
        add_clocks,
    ),
    CommandSpec::new(
        CommandId::SetSegments,
        "segments ~of CLOCK SEGMENTS",
        "Change the number of segments of a clock",
        set_segments,
    ),
    CommandSpec::new(
        CommandId::SetClockKind,
        "kind ~of CLOCK effort|countdown|race|tug-of-war",
        "Change the kind of a clock; the kind decides which results fill it",
        set_kind,
    ),
    CommandSpec::new(
        CommandId::AssignClock,
        "assign CLOCK to OWNER",
        "Give a clock to a character or to the table",
        assign,
    ),
    CommandSpec::new(
        CommandId::BindClock,
        "bind CLOCK ~to ~the scene",
        "Bind a clock to the scene, so that it is removed when the scene ends",
        bind,
    ),
    CommandSpec::new(
        CommandId::UnbindClock,
        "unbind CLOCK",
        "Keep a clock in the game when the scene ends",
        unbind,
    )
    .applies_if(belongs_to_scene),
    CommandSpec::new(
        CommandId::MakeKnown,
        "known CLOCK",
        "Show players that a clock exists, but hide its progress",
        make_known,
    )
    .applies_if(is_visible),
    CommandSpec::new(
        CommandId::LoopClock,
        "loop CLOCK [growing|shrinking]",
        "Let a clock start again when it is full; growing adds a segment each time, and shrinking removes one",
        start_again_when_full,
    ),
    CommandSpec::new(
        CommandId::UnloopClock,
        "unloop CLOCK",
        "Let a clock stay full instead of starting again",
        stay_full,
    )
    .applies_if(starts_again),
    CommandSpec::new(
        CommandId::TickRegularly,
        "every round|scene|rest ~tick CLOCK ~by AMOUNT",
        "Tick a clock every round, scene or rest; an amount below 0 turns it back, and 0 stops the ticks",
        tick_regularly,
    ),
    CommandSpec::new(
        CommandId::SetOutcomeTicks,
        "worth CLOCK NAME AMOUNT",
        "Set how many segments the outcome NAME of the clock's check fills; an amount below 0 empties segments",
        set_outcome_ticks,
    ),
    CommandSpec::new(
        CommandId::CountRolls,
        "count all|own ~rolls ~for CLOCK",
        "Let all rolls of a clock's check count for the clock, or only those made for it",
        count_rolls,
    ),
    CommandSpec::new(
        CommandId::LinkClock,
        "link CLOCK to NEXT [advances|reveals|starts|beside]",
        "Link a clock to NEXT: when full, it advances, reveals or starts NEXT; with beside, each roll counts for both clocks",
        link,
    ),
    CommandSpec::new(
        CommandId::UnlinkClock,
        "unlink CLOCK",
        "Remove the link from a clock to another",
        unlink,
    )
    .applies_if(is_linked),
    CommandSpec::new(
        CommandId::AttachRoll,
        "attach CLOCK [by WHO] CHECK…",
        "Choose the check that fills a clock; add by WHO if the same character always rolls it",
        attach,
    ),
    CommandSpec::new(
        CommandId::DetachRoll,
        "detach CLOCK",
        "Detach the check from a clock",
        detach,
    )
    .applies_if(has_check),
    CommandSpec::new(
        CommandId::RaceClocks,
        "race CLOCK against NEXT",
        "Start a race between two clocks, or let a clock join the race of NEXT; the first full clock wins",
        race,
    ),
];

fn is_not_full(target: &Target, view: &SeatView<'_>) -> bool {
    let clock = target.clock(view);
    clock.is_some_and(|clock| clock.filled < clock.segments.count())
}

fn has_filled_segments(target: &Target, view: &SeatView<'_>) -> bool {
    target.clock(view).is_some_and(|clock| clock.filled > 0)
}

fn belongs_to_scene(target: &Target, view: &SeatView<'_>) -> bool {
    target.clock(view).is_some_and(|clock| clock.of_scene)
}

fn is_visible(target: &Target, view: &SeatView<'_>) -> bool {
    let clock = target.clock(view);
    clock.is_some_and(|clock| clock.visibility == Visibility::Visible)
}

fn starts_again(target: &Target, view: &SeatView<'_>) -> bool {
    let clock = target.clock(view);
    clock.is_some_and(|clock| clock.when_full != WhenFull::Stays)
}

fn is_linked(target: &Target, view: &SeatView<'_>) -> bool {
    target.clock(view).is_some_and(|clock| clock.link.is_some())
}

fn has_check(target: &Target, view: &SeatView<'_>) -> bool {
    target
        .clock(view)
        .is_some_and(|clock| clock.check.is_some())
}

fn tick(args: &Args<'_>) -> ActResult {
    tick_each(args, |_| args.amount())
}

fn untick(args: &Args<'_>) -> ActResult {
    tick_each(args, |_| args.negative_amount())
}

/// Fills each clock. A full clock gets one more tick, which the game refuses with its message for full clocks.
fn fill(args: &Args<'_>) -> ActResult {
    tick_each(args, |clock| {
        let missing = clock.segments.count().saturating_sub(clock.filled);
        i32::from(missing.max(1))
    })
}

/// Empties each clock. An empty clock is turned back once, which the game refuses with its message for empty clocks.
fn empty(args: &Args<'_>) -> ActResult {
    tick_each(args, |clock| -i32::from(clock.filled.max(1)))
}

fn tick_each(args: &Args<'_>, ticks: impl Fn(&Clock) -> i32) -> ActResult {
    let commands = args.clocks().map(|clock| Command::Tick {
        clock: clock.id,
        by: ticks(clock),
    });
    combine(commands)
}

fn chosen_kind(args: &Args<'_>) -> ClockKind {
    args.chosen(ClockKind::ALL).unwrap_or_default()
}

fn add_clock(args: &Args<'_>) -> ActResult {
    let counts = &args.slots.counts;

    // The game rolls dice for the size when it decides the command.
    let size = counts.first().and_then(|size| size.parse::<i32>().ok());
    let segments = match size {
        Some(size) => Segments::try_from(size)?,
        None => Segments::default(),
    };
    let clock = Clock {
        kind: chosen_kind(args),
        visibility: args.chosen(Visibility::ALL).unwrap_or_default(),
        owner: args.first_character(),
        ..Clock::new(args.name(), segments)
    };

    let rolled = NewClock {
        clock,
        segments: counts.first().cloned(),
        filled: counts.get(1).cloned(),
    };
    Ok(Command::AddClock(rolled).into())
}

/// Adds clocks from text in the format of `tableside export --clocks`: `The alarm: 3/6 The flood: 0/4`.
fn add_clocks(args: &Args<'_>) -> ActResult {
    let clocks = read_clock_lines(args.text()).map_err(refused)?;

    let mut arrivals = Arrivals::default();
    for clock in clocks {
        arrivals
            .clocks
            .push(keep_other_properties(clock, args.view));
    }
    Ok(Command::TakeIn(Box::new(arrivals)).into())
}

/// If a line has only a name and progress, and the table has a clock of that name, returns this clock with the new
/// progress. Returns any other line unchanged.
fn keep_other_properties(line: ArrivingClock, view: &SeatView<'_>) -> ArrivingClock {
    let plain_clock = Clock {
        filled: line.clock.filled,
        ..Clock::new(&line.clock.name, line.clock.segments)
    };
    if line.clock != plain_clock || line.owner.is_some() || line.link.is_some() {
        return line;
    }

    let mut clocks = view.clocks().map(|clock_view| clock_view.clock);
    let existing =
        clocks.find(|clock| clock.owner.is_none() && is_same_name(&clock.name, &plain_clock.name));
    let Some(existing) = existing else {
        return line;
    };
    ArrivingClock {
        clock: Clock {
            segments: plain_clock.segments,
            filled: plain_clock.filled,
            ..existing.clone()
        },
        ..ArrivingClock::default()
    }
}

fn set_segments(args: &Args<'_>) -> ActResult {
    let segments = Segments::try_from(args.amount())?;
    args.edit_clocks(|clock| clock.segments = segments)
}

fn set_kind(args: &Args<'_>) -> ActResult {
    args.edit_clocks(|clock| clock.kind = chosen_kind(args))
}

fn assign(args: &Args<'_>) -> ActResult {
    args.edit_clocks(|clock| clock.owner = args.first_character())
}

fn bind(args: &Args<'_>) -> ActResult {
    args.edit_clocks(|clock| clock.of_scene = true)
}

fn unbind(args: &Args<'_>) -> ActResult {
    args.edit_clocks(|clock| clock.of_scene = false)
}

fn make_known(args: &Args<'_>) -> ActResult {
    args.edit_clocks(|clock| clock.visibility = Visibility::Known)
}

fn start_again_when_full(args: &Args<'_>) -> ActResult {
    let when_full = if args.has("growing") {
        WhenFull::Grows
    } else if args.has("shrinking") {
        WhenFull::Shrinks
    } else {
        WhenFull::StartsAgain
    };
    args.edit_clocks(|clock| clock.when_full = when_full)
}

fn stay_full(args: &Args<'_>) -> ActResult {
    args.edit_clocks(|clock| clock.when_full = WhenFull::Stays)
}

fn tick_regularly(args: &Args<'_>) -> ActResult {
    let every = args.chosen(Every::ALL).unwrap_or(Every::Round);
    args.edit_clocks(|clock| {
        clock.every.insert(every, args.amount());
    })
}

fn link(args: &Args<'_>) -> ActResult {
    let [clock, next] = args.two_clocks()?;
    let link = Link {
        to: next.id,
        effect: args.chosen(LinkEffect::ALL).unwrap_or_default(),
    };
    let linked = Clock {
        link: Some(link),
        ..clock.clone()
    };
    Ok(Command::edit(linked).into())
}

fn unlink(args: &Args<'_>) -> ActResult {
    args.edit_clocks(|clock| clock.link = None)
}

fn race(args: &Args<'_>) -> ActResult {
    let [clock, rival] = args.two_clocks()?;
    let command = Command::Race {
        clock: clock.id,
        rival: rival.id,
    };
    Ok(command.into())
}
