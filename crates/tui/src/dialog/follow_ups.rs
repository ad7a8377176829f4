//! What the pages say follows a roll, as far as a person may do it with one key: damage taken or
//! shrugged off, wounds treated, First Aid, the stance that won, the one who fell, clocks ticked.

use std::sync::Arc;

use tableside_commands::with_conditions;
use tableside_game::{
    Allegiance, Blow, Change, Character, CharacterId, Command, Condition, DYING, EntityRef,
    EventKind, NOTHING_FOLLOWS, Part, PendingEffects, Roll, hit_points, opponent_of,
};
use tableside_rules::{CheckSpec, Effect, FirstAid, Id, Key, Party, Progress, Value};
use tableside_table::{Act, Entry, SeatRole, SeatView, read_again};

/// So many people are offered to be helped.
const MOST_PEOPLE: usize = 2;

/// So many clocks are offered to be ticked.
const MOST_CLOCKS: usize = 3;

/// A stance that won dazes, or the like, by so many levels (Heart Rush, Combat, Stances).
const STANCE_LEVELS: i32 = 2;

/// Something that may follow, and what its button says.
pub(super) type Offer = (Command, String);

/// A further check that a roll offers, with the fields that are filled in.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OfferedCheck {
    pub(super) check: &'static CheckSpec,
    pub(super) who: Option<CharacterId>,
    /// The role of that character in the roll.
    pub(super) of: Party,
    pub(super) with: Vec<(String, String)>,
}

/// What can be done about an entry.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FollowUp {
    Do(Act),
    /// Begins a note.
    Note,
    /// Sets the same check up again.
    Again,
    /// Goes on with the next check.
    Roll,
    /// Sets up a check that the roll offers.
    Check(OfferedCheck),
    Close,
}

/// What follows from that entry, unless it was done since, in words: commands, which are the GM's, and checks.
pub(super) fn follow_ups(entry: &Entry, view: &SeatView<'_>) -> Vec<(Option<FollowUp>, String)> {
    let holds = !view.is_struck(entry.number);
    let Some(roll) = entry.event.what.resolved().filter(|_| holds) else {
        return Vec::new();
    };
    let is_gm = view.seat().role == SeatRole::Gm;
    let offered = if is_gm { all(roll, view) } else { Vec::new() };
    let pending = if is_gm {
        view.pending_effects(roll)
    } else {
        Vec::new()
    };
    let mut checks = checks(roll, view);
    if is_gm {
        checks.extend(checks_of_candidates(roll, view));
    }
    let is_first = view.replaces(entry.number).is_none();
    if is_first && offered.is_empty() && checks.is_empty() && pending.is_empty() {
        return Vec::new();
    }
    // What followed from an earlier reading stands, until somebody takes it back.
    let before = |number: &u64| view.replaces(*number);
    let readings: Vec<u64> = std::iter::successors(Some(entry.number), before).collect();
    let later = view.log_since(readings.last().map_or(0, |first| first + 1));
    let later = later.filter(|one| one.number != entry.number && !view.is_struck(one.number));
    let later: Vec<Arc<Entry>> = later.collect();
    if later.iter().any(|later| declines(later, entry.number)) {
        return Vec::new();
    }
    let stands = later
        .iter()
        .filter(|one| one.number < entry.number && is_gm);
    let stands = stands.filter(|one| one.event.follows.is_some_and(|of| readings.contains(&of)));
    let stands = stands.map(|one| {
        let (entry, reason) = (one.number, String::new());
        let label = format!("Undo {}", one.event.text(view.system()));
        (Some(FollowUp::Do(Act::Strike { entry, reason })), label)
    });
    let offered = offered.into_iter().map(|(then, label)| {
        let is_open = !is_done(&then, &readings, &later, view);
        let (entry, then) = (entry.number, Box::new(then));
        let does = || FollowUp::Do(Command::Follow { entry, then }.into());
        (is_open.then(does), label)
    });
    let candidates = pending
        .iter()
        .filter(|group| !is_applied(group, entry.number, &readings, &later, view))
        .flat_map(|group| offers_to_candidates(group, roll, view));
    let candidates = candidates.map(|(then, label)| {
        let (entry, then) = (entry.number, Box::new(then));
        (
            Some(FollowUp::Do(Command::Follow { entry, then }.into())),
            label,
        )
    });
    let candidates: Vec<(Option<FollowUp>, String)> = candidates.collect();
    let checks = checks.into_iter().map(|offer| {
        // A check that is offered to one of several candidates is made once.
        let has_roller = |of| !view.lacks(of, roll);
        let is_its = |roll: &Roll| roll.id == offer.who || !has_roller(offer.of);
        let is_it = |roll: &Roll| roll.check == offer.check.id && is_its(roll);
        let is_open = !later.iter().filter_map(|later| later.roll()).any(is_it);
        let other = offer.who.filter(|_| roll.id != offer.who);
        let label = match other.and_then(|id| view.character(id)) {
            Some(who) => format!("{}: {}", offer.check.label, who.name),
            None => offer.check.label.to_owned(),
        };
        (is_open.then_some(FollowUp::Check(offer)), label)
    });
    candidates
        .into_iter()
        .chain(stands)
        .chain(offered)
        .chain(checks)
        .collect()
}

/// The checks that a roll offers to those for whom this seat rolls.
fn checks(roll: &Roll, view: &SeatView<'_>) -> Vec<OfferedCheck> {
    let mut checks = Vec::new();
    for effect in &roll.effects {
        if let Effect::Offer { check, of, with } = effect
            && let Ok(check) = view.system().check(check)
        {
            let (seat, with) = (view.seat(), with.clone());
            let mut whom = view.party_members(roll, *of).unwrap_or_default();
            whom.retain(|who| {
                seat.sees_all() || who.is_some_and(|id| seat.characters.contains(&id))
            });
            checks.extend(whom.into_iter().map(|who| OfferedCheck {
                check,
                who,
                of: *of,
                with: with.clone(),
            }));
        }
    }
    checks
}

/// The checks that a roll offers to a character it does not name: one for each candidate.
fn checks_of_candidates(roll: &Roll, view: &SeatView<'_>) -> Vec<OfferedCheck> {
    let mut checks = Vec::new();

    for effect in &roll.effects {
        if let Effect::Offer { check, of, with } = effect
            && view.lacks(*of, roll)
            && let Ok(check) = view.system().check(check)
        {
            for candidate in view.candidates(roll, *of) {
                checks.push(OfferedCheck {
                    check,
                    who: Some(candidate.id),
                    of: *of,
                    with: with.clone(),
                });
            }
        }
    }

    checks
}

/// One button for each candidate that takes the effects, and one for each that shrugs off half of the damage.
fn offers_to_candidates(group: &PendingEffects, roll: &Roll, view: &SeatView<'_>) -> Vec<Offer> {
    let mut whole = Vec::new();
    let mut half = Vec::new();

    for candidate in view.candidates(roll, group.missing) {
        let label = group.label(&candidate.name, view.system());
        whole.push((receive(group, candidate.id, false), label));

        let deals_damage = group
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::Damage { .. }));
        if deals_damage {
            let label = format!("{} shrugs off half", candidate.name);
            half.push((receive(group, candidate.id, true), label));
        }
    }

    let mut offers = whole;
    offers.append(&mut half);
    offers.retain(|(command, _)| view.preview(command).is_ok());
    offers
}

/// The command that applies the effects to one character.
fn receive(group: &PendingEffects, who: CharacterId, shrug_off: bool) -> Command {
    let mut commands = Vec::new();
    let mut others = Vec::new();

    for effect in &group.effects {
        match hit_points(effect) {
            Some(points) if points < 0 => commands.push(Command::Damage {
                who,
                amount: -points,
                shrug_off,
                blow: group.blow,
            }),
            Some(amount) => commands.push(Command::Heal { who, amount }),
            None => others.push(effect.clone()),
        }
    }

    if !others.is_empty() {
        let effects = others;
        commands.push(Command::Receive { who, effects });
    }
    Command::together(commands)
}

/// True if the effects were applied after the roll: by a button, or by hand before the next roll.
fn is_applied(
    group: &PendingEffects,
    entry: u64,
    readings: &[u64],
    later: &[Arc<Entry>],
    view: &SeatView<'_>,
) -> bool {
    let next_roll = later
        .iter()
        .filter(|later| later.number > entry && later.roll().is_some())
        .map(|later| later.number)
        .min();

    later.iter().any(|later| {
        if let Some(of) = later.event.follows {
            return readings.contains(&of) && view.applies(&group.effects, &later.event);
        }

        let is_by_hand = later.roll().is_none();
        let is_before_next_roll = next_roll.is_none_or(|next| later.number < next);
        is_by_hand && is_before_next_roll && view.applies_by_hand(&group.effects, &later.event)
    })
}

/// Offers no more of what follows from that entry.
pub(super) fn decline_follow_ups(entry: u64) -> Offer {
    (Command::DeclineFollowUps(entry), NOTHING_FOLLOWS.to_owned())
}

fn declines(later: &Entry, entry: u64) -> bool {
    let EventKind::Noted { text, about, .. } = &later.event.what else {
        return false;
    };
    *about == Some(entry) && text == NOTHING_FOLLOWS
}

/// Whether it was done since: as what follows one of these readings, or a clock ticked by hand.
fn is_done(command: &Command, readings: &[u64], later: &[Arc<Entry>], view: &SeatView<'_>) -> bool {
    let is_tick = matches!(command, Command::Tick { .. });
    later.iter().map(|later| &later.event).any(|event| {
        let by_hand = is_tick && matches!(event.what, EventKind::Ticked { .. });
        let counts = by_hand || event.follows.is_some_and(|of| readings.contains(&of));
        let mut changes = event.changes.iter();
        counts && changes.any(|change| touches(command, change, view))
    })
}

/// Whether a change is to what the command would change.
fn touches(command: &Command, change: &Change, view: &SeatView<'_>) -> bool {
    let stat_of = |who: &CharacterId, name: &str| change.stat() == Some((*who, name));
    match command {
        Command::SetConditions { who, .. } => {
            change.is_of(EntityRef::Character(*who), &Part::Conditions)
        }
        Command::SetStat { who, stat, .. } => stat_of(who, stat),
        Command::Damage { who, .. } => stat_of(who, "hit-points"),
        Command::TreatWounds { who, .. } => stat_of(who, "wounds"),
        Command::FirstAid { who, of, .. } => {
            let clock = view.system().spec().clock(*of);
            clock.is_some_and(|clock| stat_of(who, clock.overflow))
        }
        Command::Tick { clock, .. } => change.is_of(EntityRef::Clock(*clock), &Part::Filled),
        Command::All(all) => all.iter().any(|one| touches(one, change, view)),
        _ => false,
    }
}

/// Everything of the kind.
fn all(roll: &Roll, view: &SeatView<'_>) -> Vec<Offer> {
    let aid = match view.system().spec().first_aid {
        FirstAid::TreatsWounds => treatment(roll, view),
        FirstAid::RemovesHarm => first_aid(roll, view),
        FirstAid::EndsDying => fallen(roll, view),
        FirstAid::None => None,
    };
    let all = [hurt(roll, view), stance(roll, view), aid, ticks(roll, view)];
    all.into_iter().flatten().flatten().collect()
}

/// Who is to take how much damage.
fn hit<'a>(roll: &Roll, view: &'a SeatView<'_>) -> Option<(&'a Character, i32)> {
    let (amount, own) = roll.effects.iter().find_map(|effect| match effect {
        Effect::Damage { amount, own } => Some((*amount, *own)),
        _ => None,
    })?;
    let who = if own {
        view.character(roll.id?)
    } else {
        opponent(roll, view)
    };
    Some((who?, amount))
}

/// The damage that somebody takes, with the wound that it leaves, whole or half of it shrugged off.
fn hurt(roll: &Roll, view: &SeatView<'_>) -> Option<Vec<Offer>> {
    let (who, amount) = hit(roll, view)?;
    let take = |shrug_off| Command::Damage {
        who: who.id,
        amount,
        shrug_off,
        blow: Blow::Ordinary,
    };
    let all = [
        (take(false), format!("{} takes {amount}", who.name)),
        (take(true), format!("{} shrugs off half", who.name)),
    ];
    // Where the heart die is a d4 already, or there is none, half of it is no choice.
    let open = all.into_iter().filter(|(one, _)| view.preview(one).is_ok());
    Some(open.collect())
}

/// Whose sheet the other side's values came from.
fn opponent<'a>(roll: &Roll, view: &'a SeatView<'_>) -> Option<&'a Character> {
    let spec = roll.spec(view.system()).ok()?;
    view.character(opponent_of(spec, &roll.sources)?)
}

/// Cunning that beats Agility dazes, unbalances or weakens (Heart Rush, Combat, Stances); whether it
/// did beat it, the table knows.
fn stance(roll: &Roll, view: &SeatView<'_>) -> Option<Vec<Offer>> {
    let ability = roll.sources.get("ability");
    let cunning = ability.is_some_and(|source| source.name() == Some("Cunning"));
    let landed = matches!(roll.outcome.as_str(), "wound" | "hit");
    if roll.check != "attack" || !cunning || !landed {
        return None;
    }
    let whom = opponent(roll, view)?;
    let each = ["dazed", "off-balanced", "weakened"].map(|name| {
        let label = format!("{} {name} {STANCE_LEVELS}", whom.name);
        let worse = with_conditions(whom, |conditions| {
            Condition::worsen(conditions, name, STANCE_LEVELS);
        });
        (worse, label)
    });
    Some(each.into())
}

/// A skill check that succeeded may have been the treatment of wounds (Heart Rush, Treating Wounds).
fn treatment(roll: &Roll, view: &SeatView<'_>) -> Option<Vec<Offer>> {
    let total = roll.total.filter(|_| roll.outcome.starts_with("success"));
    let total = total.filter(|_| roll.check == "skill")?;
    let treat = |who: &Character| {
        let command = Command::TreatWounds { who: who.id, total };
        let open = view.preview(&command).is_ok();
        open.then(|| (command, format!("Treat {}'s wounds", who.name)))
    };
    let people = view.roster().filter(|one| one.is_here());
    let people = people.filter(|one| one.side != Allegiance::Adversary);
    Some(people.filter_map(treat).take(MOST_PEOPLE).collect())
}

/// A Safe roll against the difficulty of Traumas or of Wounds may have been First Aid (Gnosis, First
/// Aid).
fn first_aid(roll: &Roll, view: &SeatView<'_>) -> Option<Vec<Offer>> {
    let fields = roll.all_fields(view.system()).ok()?;
    let (of, word) = match (fields.text("risk"), fields.maybe_number("difficulty")) {
        ("safe", Some(16)) => (Id::new("stress"), "Traumas"),
        ("safe", Some(20)) => (Id::new("blood"), "Wounds"),
        _ => return None,
    };
    let stat = view.system().spec().clock(of)?.overflow;
    let levels = effect_levels(roll, view)?;
    let hurt = view.roster().filter(|one| view.treatable(one, stat) > 0);
    let each = hurt.take(MOST_PEOPLE).map(|one| {
        let who = one.id;
        let fewer = levels.min(view.treatable(one, stat));
        let label = format!("{}: {word} −{fewer}", one.name);
        (Command::FirstAid { who, of, levels }, label)
    });
    Some(each.collect())
}

/// The levels of effect that a roll came to, if it came to any.
pub(super) fn effect_levels(roll: &Roll, view: &SeatView<'_>) -> Option<i32> {
    let (_, outcome) = read_again(roll, view.system())?;
    outcome.keys.iter().find_map(|(key, value)| match value {
        Key::Number(number) if *key == "effect-levels" && *number > 0 => Some(*number),
        _ => None,
    })
}

/// The challenge of one who is down: success is one more wound, and dying; failure is death (Friday
/// Night Dungeon, Health, Healing, Wounds).
fn fallen(roll: &Roll, view: &SeatView<'_>) -> Option<Vec<Offer>> {
    let who = view.character(roll.id?)?;
    let is_down = who.sheet.number("hit-points") == Some(0) && !who.suffers(DYING);
    if !is_down || roll.check != "challenge" {
        return None;
    }
    let wounds = |number: i32| Command::SetStat {
        who: who.id,
        stat: "wounds".to_owned(),
        value: Value::Number(number),
    };
    if roll.outcome == "failure" {
        return Some(vec![(wounds(4), format!("{} is dead", who.name))]);
    }
    let now = who.sheet.number("wounds").unwrap_or(0);
    let falls = with_conditions(who, |conditions| {
        let new = [("unconscious", None), (DYING, Some(3))];
        conditions.extend(new.map(|(name, rounds)| Condition::new(name, None, rounds)));
    });
    let command = Command::All(vec![wounds((now + 1).min(4)), falls]);
    let label = format!("{} is wounded and dying", who.name);
    Some(vec![(command, label)])
}

/// The clocks that what came of it would fill, where it was rolled for none.
fn ticks(roll: &Roll, view: &SeatView<'_>) -> Option<Vec<Offer>> {
    let wounding = roll.effects.iter().any(|effect| match effect {
        Effect::Damage { .. } => true,
        Effect::Number(change) => change.id.as_str() == "hit-points",
        _ => false,
    });
    if roll.clock.is_some() || wounding {
        return None;
    }
    let spec = roll.spec(view.system()).ok()?;
    let Progress::Done(outcome, score) =
        roll.machine(view.system()).ok()?.after(&roll.trail).ok()?
    else {
        return None;
    };
    let clocks = view.clocks().map(|view| view.clock);
    let clocks = clocks.filter(|clock| clock.rule.is_none());
    let each = clocks.map(|clock| (clock, clock.ticks_of(spec, outcome, score.levels)));
    let open = each.filter(|(clock, by)| clock.filled_after(*by) != clock.filled);
    let each = open.take(MOST_CLOCKS).map(|(one, by)| {
        let clock = one.id;
        let sign = if by < 0 { '−' } else { '+' };
        let label = format!("{} {sign}{}", one.name, by.abs());
        (Command::Tick { clock, by }, label)
    });
    Some(each.collect())
}
