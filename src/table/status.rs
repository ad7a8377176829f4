//! How the whole table stands, in plain lines that read well aloud: for the command line, and for who joins
//! without a terminal.

use super::{ClockView, SeatView};
use crate::rules::{Ask, System};
use crate::session::{Allegiance, Character, CharacterId, ClockKind, Condition, Roll, Visibility};

/// So many rolls are told.
const LAST_ROLLS: usize = 3;

/// A line: what it is about, then the rest. Either may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// What it is about, for emphasis.
    pub strong: String,
    /// The rest.
    pub plain: String,
}

impl Told {
    fn line(plain: impl Into<String>) -> Self {
        Self {
            strong: String::new(),
            plain: plain.into(),
        }
    }

    fn title(strong: &str) -> Self {
        Self {
            strong: strong.to_owned(),
            plain: String::new(),
        }
    }
}

/// The whole table in plain lines, as that seat sees it; `name` is what the game is called.
pub fn status(name: &str, seen: &SeatView<'_>) -> Vec<Told> {
    let mut out = Vec::new();
    let system = seen.system().spec().name;
    out.push(Told {
        strong: name.to_owned(),
        plain: format!(", a game of {system}."),
    });
    let scene = match seen.scene().name.as_str() {
        "" => format!("{}.", scene(seen)),
        scene => format!("The scene: {scene}."),
    };
    let round = match seen.round() {
        0 => String::new(),
        round => format!(" Round {round}."),
    };
    out.push(Told::line(format!("{scene}{round}")));
    for side in Allegiance::ALL {
        let of_side = || seen.roster().filter(|one| one.side == side);
        if of_side().next().is_none() {
            continue;
        }
        out.push(Told::line(""));
        out.push(Told::title(side_name(side)));
        for character in of_side() {
            tell_character(&mut out, seen, character);
        }
    }
    let of_table = seen.clocks().filter(|clock| clock.clock.owner.is_none());
    let clocks: Vec<String> = of_table.map(|clock| describe_clock(&clock, seen)).collect();
    section(&mut out, "Clocks", &clocks);
    let pools = seen.pools_of(None);
    let pools: Vec<String> = pools
        .map(|pool| format!("{}: {}.", pool.name, pool.tokens))
        .collect();
    section(&mut out, "Tokens of the table", &pools);
    let waiting: Vec<String> = seen
        .unfinished()
        .map(|waiting| {
            let check = waiting.roll.spec(seen.system());
            let check = check.map_or(waiting.roll.check.as_str(), |spec| spec.label);
            let answers = answers(&waiting.roll, seen.system());
            match waiting.roll.who.as_str() {
                "" => format!("{check} waits for {answers}."),
                who => format!("{who}: {check} waits for {answers}."),
            }
        })
        .collect();
    section(&mut out, "Unfinished", &waiting);
    let called: Vec<String> = seen
        .calls()
        .map(|call| {
            let who = seen.owner_name(Some(call.who));
            let check = seen.system().check(&call.check);
            let check = check.map_or(call.check.as_str(), |spec| spec.label);
            let fields: Vec<String> = call
                .fields
                .iter()
                .map(|(field, value)| format!(", {field} {value}"))
                .collect();
            let helpers = call.helpers.iter().map(|id| seen.owner_name(Some(*id)));
            let helpers: Vec<&str> = helpers.collect();
            let help = match helpers.as_slice() {
                [] => String::new(),
                names => format!(", with help from {}", names.join(", ")),
            };
            format!("{who}: {check}{}{help}.", fields.concat())
        })
        .collect();
    section(&mut out, "Called on to roll", &called);
    section(&mut out, "Last rolls", &last_rolls(seen));
    out.push(Told::line(""));
    out.push(Told::line(match seen.log_length() {
        1 => "The log has 1 entry.".to_owned(),
        entries => format!("The log has {entries} entries."),
    }));
    out
}

/// The last rolls that hold, the newest first, each with what the rules need next.
fn last_rolls(seen: &SeatView<'_>) -> Vec<String> {
    let names = seen.names();
    let held = seen.rolled().filter(|number| !seen.is_struck(*number));
    let entries = held
        .take(LAST_ROLLS)
        .filter_map(|number| seen.entry(number));
    let told = entries.map(|entry| {
        let mut words = entry.event.text(seen.system());
        if entry.roll().is_some() {
            let follows = entry.event.in_short(seen.system(), &names).into_iter();
            words.extend(follows.map(|more| format!("; {more}")));
        }
        words.push('.');
        words
    });
    told.collect()
}

/// What a check waits for: one of these answers, or the faces of dice.
fn answers(roll: &Roll, system: System) -> String {
    let asked = roll
        .machine(system)
        .and_then(|machine| Ok(machine.after(&roll.trail)?));
    match asked {
        Ok(Ask::Choose { what, .. }) => {
            let names = what.options.iter().map(|option| option.name.as_str());
            format!("an answer, {}", names.collect::<Vec<_>>().join(" or "))
        }
        Ok(Ask::Roll { .. }) => "the faces of its dice".to_owned(),
        Ok(Ask::Done(..)) | Err(_) => "an answer".to_owned(),
    }
}

fn section(out: &mut Vec<Told>, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    out.push(Told::line(""));
    out.push(Told::title(title));
    let lines = lines.iter().map(|line| Told::line(format!("  {line}")));
    out.extend(lines);
}

const fn side_name(side: Allegiance) -> &'static str {
    match side {
        Allegiance::Party => "The party",
        Allegiance::Ally => "Allies",
        Allegiance::Adversary => "Adversaries",
        Allegiance::Apathetic => "Others",
    }
}

fn tell_character(out: &mut Vec<Told>, seen: &SeatView<'_>, character: &Character) {
    let mut first = character.name.clone();
    if !character.player.is_empty() {
        first.push_str(&format_args!(", played by {}", character.player).to_string());
    }
    for (applies, word) in [
        (character.absent, ", absent"),
        (character.hidden, ", hidden from players"),
        (character.acted, ", has acted"),
    ] {
        first.push_str(if applies { word } else { "" });
    }
    out.push(Told::line(format!("  {first}.")));
    let stats = character.sheet.iter().filter_map(|(stat, value)| {
        let value = value.to_string();
        (!value.is_empty()).then(|| format!("{} {value}", stat.label))
    });
    out.push(Told::line(format!(
        "    {}.",
        stats.collect::<Vec<_>>().join(", ")
    )));
    let conditions: Vec<String> = character
        .conditions
        .iter()
        .map(describe_condition)
        .collect();
    if !conditions.is_empty() {
        out.push(Told::line(format!(
            "    Conditions: {}.",
            conditions.join(", ")
        )));
    }
    let own = |owner: Option<CharacterId>| owner == Some(character.id);
    let clocks = seen.clocks().filter(|clock| own(clock.clock.owner));
    let clocks = clocks.map(|clock| format!("{} {}", clock.clock.name, fullness(&clock)));
    let pools = seen.pools_of(Some(character.id));
    let pools = pools.map(|pool| format!("{} {}", pool.name, pool.tokens));
    let held: Vec<String> = clocks.chain(pools).collect();
    if !held.is_empty() {
        out.push(Told::line(format!("    {}.", held.join(", "))));
    }
    let locks = seen.locks().filter(|(who, _)| who.id == character.id);
    let locks: Vec<&str> = locks.map(|(_, about)| about).collect();
    if !locks.is_empty() {
        out.push(Told::line(format!(
            "    May not try again yet: {}.",
            locks.join(", ")
        )));
    }
}

/// What the present scene is called: one without a name by its number.
pub fn scene(seen: &SeatView<'_>) -> String {
    match seen.scene() {
        scene if !scene.name.is_empty() => scene.name.clone(),
        scene if scene.began.is_none() => "No scene has begun".to_owned(),
        _ => format!("Scene {}", seen.scenes()),
    }
}

fn describe_condition(condition: &Condition) -> String {
    let mut words = condition.name.clone();
    if let Some(value) = condition.value {
        words.push_str(&format_args!(" {value}").to_string());
    }
    match condition.rounds {
        Some(1) => words.push_str(" for 1 more round"),
        Some(rounds) => words.push_str(&format_args!(" for {rounds} more rounds").to_string()),
        None => {}
    }
    words
}

fn describe_clock(one: &ClockView<'_>, seen: &SeatView<'_>) -> String {
    let clock = one.clock;
    let kind = match clock.kind {
        ClockKind::Effort => "effort clock",
        ClockKind::Countdown => "countdown",
        ClockKind::Race => "race",
        ClockKind::TugOfWar => "tug-of-war",
    };
    let full = match one.filled {
        Some(_) if clock.is_full() => ", full",
        _ => "",
    };
    let mut told = vec![kind.to_owned(), format!("{}{full}", fullness(one))];
    if clock.kind == ClockKind::TugOfWar {
        told.push(format!("between {}", clock.end_names().join(" and ")));
    }
    if let Some(winner) = seen.winner(clock).filter(|winner| winner.id != clock.id) {
        told.push(format!("lost to {}", winner.name));
    }
    if let Some(before) = seen.waits_for(clock) {
        told.push(format!("waits until {} is full", before.name));
    }
    if let Some((link, other)) = clock
        .link
        .and_then(|link| Some((link, seen.clock(link.to)?)))
    {
        told.push(format!(
            "when full it {} {}",
            link.then.id(),
            other.clock.name
        ));
    }
    told.extend(match clock.visibility {
        Visibility::Visible => None,
        Visibility::Known => Some("players only know that it exists".to_owned()),
        Visibility::Hidden => Some("hidden from players".to_owned()),
    });
    format!("{}: {}.", clock.name, told.join(", "))
}

/// How full a clock is, as far as the seat may know.
fn fullness(seen: &ClockView<'_>) -> String {
    let of = seen.clock.segments.count();
    match seen.filled {
        Some(filled) => format!("{filled} of {of}"),
        None => format!("? of {of}"),
    }
}
