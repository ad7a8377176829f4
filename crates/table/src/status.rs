//! How the whole table stands, in plain lines that read well aloud: for the command line, and for who joins
//! without a terminal.

use serde_json::{Value as Json, json};

use super::{ClockView, SeatView};
use tableside_game::{
    Allegiance, Character, ClockKind, Roll, Then, TokenPool, Visibility, filled_of,
};
use tableside_rules::{Ask, Progress, System};
use tableside_text::{join, pluralise};

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
    fn new(strong: &str, plain: impl Into<String>) -> Self {
        let (strong, plain) = (strong.to_owned(), plain.into());
        Self { strong, plain }
    }
}

/// The whole table without emphasis.
pub fn plain_status(name: &str, seen: &SeatView<'_>) -> Vec<String> {
    let lines = status(name, seen).into_iter();
    lines.map(|line| line.strong + &*line.plain).collect()
}

/// The whole table in plain lines, as that seat sees it; `name` is what the game is called.
pub fn status(name: &str, seen: &SeatView<'_>) -> Vec<Told> {
    let mut out = status_lines(name, seen);
    // The number of entries is part of the state, which may belong to another history than the journal.
    if seen.is_incomplete() {
        return out;
    }

    let entries = format!("The log has {}.", pluralise(seen.log_length(), "entry"));
    out.extend([Told::new("", ""), Told::new("", entries)]);
    out
}

/// The same without the length of the log, which players have counted for them.
pub fn status_lines(name: &str, seen: &SeatView<'_>) -> Vec<Told> {
    let system = seen.system().spec().name;
    let scene = match seen.scene().name.as_str() {
        "" => format!("{}.", scene(seen)),
        scene => format!("The scene: {scene}."),
    };
    let round = match seen.round {
        0 => String::new(),
        round => format!(" Round {round}."),
    };
    let turns = seen.turns();
    let mut turn = String::new();
    if let Some((now, later)) = turns.split_first() {
        turn = format!(" It is {}'s turn", now.name);
        if !later.is_empty() {
            let names = join(later.iter().map(|one| &one.name), ", ");
            turn.push_str(", then ");
            turn.push_str(&names);
        }
        turn.push('.');
    }
    let mut out = vec![
        Told::new(name, format!(", a game of {system}.")),
        Told::new("", format!("{scene}{round}{turn}")),
    ];
    let mut section = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            out.extend([Told::new("", ""), Told::new(title, "")]);
            out.extend(lines.iter().map(|line| Told::new("", format!("  {line}"))));
        }
    };
    for side in Allegiance::ALL {
        let of_side = seen.roster().filter(|one| one.side == side);
        let told = of_side.flat_map(|one| tell_character(seen, one));
        section(side_name(side), told.collect());
    }
    let of_table = seen.clocks().filter(|clock| clock.clock.owner.is_none());
    let clocks = of_table.map(|one| {
        let about = about_clock(&one, seen).join(", ");
        format!("{}: {about}.", one.clock.name)
    });
    section("Clocks", clocks.collect());
    let pools = seen.pools_of(None);
    let pools = pools.map(|pool| format!("{}: {}.", pool.name, pool.tokens));
    section("Tokens of the table", pools.collect());
    let check = |id| seen.system().check(id).map_or(id, |check| check.label);
    let waiting = seen.unfinished().map(|waiting| {
        let roll = &waiting.roll;
        let colon = if roll.who.is_empty() { "" } else { ": " };
        let (check, answers) = (check(&roll.check), answers(roll, seen.system()));
        format!("{}{colon}{check} waits for {answers}.", roll.who)
    });
    section("Unfinished", waiting.collect());
    let called = seen.calls().map(|call| {
        let who = seen.owner_name(Some(call.who));
        let spec = seen.system().check(&call.check).ok();
        let fields = call.fields.iter().map(|(id, value)| {
            let field = spec.and_then(|spec| spec.field(id));
            let label = field.map_or("", |field| field.label);
            format!(", {label} {value}")
        });
        let fields = join(fields, "");
        let helpers = call.helpers.iter().map(|id| seen.owner_name(Some(*id)));
        let help = match join(helpers, ", ") {
            nobody if nobody.is_empty() => nobody,
            names => format!(", with help from {names}"),
        };
        format!("{who}: {}{fields}{help}.", check(&call.check))
    });
    section("Called on to roll", called.collect());
    section("Last rolls", last_rolls(seen));
    out
}

/// The last rolls that hold, the newest first, each with what the rules need next.
fn last_rolls(seen: &SeatView<'_>) -> Vec<String> {
    let held = seen.rolled().filter(|number| !seen.is_struck(*number));
    let held = held.take(LAST_ROLLS);
    let entries = held.filter_map(|number| seen.entry(number));
    let told = entries.map(|entry| {
        let mut words = entry.event.text(seen.system());
        if entry.roll().is_some() {
            let follows = entry.event.in_short(seen).into_iter();
            words.extend(follows.map(|more| format!("; {more}")));
        }
        words.push('.');
        words
    });
    told.collect()
}

/// What a check waits for: one of these answers, or the faces of dice.
fn answers(roll: &Roll, system: System) -> String {
    let machine = roll.machine(system);
    let asked = machine.and_then(|machine| Ok(machine.after(&roll.trail)?));
    match asked {
        Ok(Progress::Waits(Ask::Choose { choices, .. })) => {
            let names = join(choices.options.iter().map(|option| &option.name), " or ");
            format!("an answer, {names}")
        }
        Ok(Progress::Waits(Ask::Roll { .. })) => "the faces of its dice".to_owned(),
        Ok(Progress::Done(..)) | Err(_) => "an answer".to_owned(),
    }
}

/// What stands over those of a side.
pub const fn side_name(side: Allegiance) -> &'static str {
    match side {
        Allegiance::Party => "The party",
        Allegiance::Ally => "Allies",
        Allegiance::Adversary => "Adversaries",
        Allegiance::Apathetic => "Others",
    }
}

fn tell_character(seen: &SeatView<'_>, character: &Character) -> Vec<String> {
    let player = match character.player.as_str() {
        "" => String::new(),
        player => format!(", played by {player}"),
    };
    let words = [
        (character.absent, ", absent"),
        (character.hidden, ", hidden from players"),
        (character.acted, ", has acted"),
    ];
    let words = words.into_iter().filter(|(applies, _)| *applies);
    let words: String = words.map(|(_, word)| word).collect();
    let turn = character.initiative;
    let turn = turn.map(|number| format!(", initiative {number}"));
    let words = words + turn.unwrap_or_default().as_str();
    let stats = character.sheet.iter().filter_map(|(stat, value)| {
        let value = value.to_string();
        (!value.is_empty()).then(|| format!("{} {value}", stat.label))
    });
    let health = character.health.map(|health| vec![health.to_owned()]);
    let stats = health.unwrap_or_else(|| stats.collect());
    let mut told = vec![format!("{}{player}{words}.", character.name)];
    let mut more = |title: &str, mut words: Vec<String>| {
        // A system without words for a character's health gives players an empty text.
        words.retain(|word| !word.is_empty());
        if !words.is_empty() {
            told.push(format!("  {title}{}.", words.join(", ")));
        }
    };
    more("", stats);
    let conditions = character.conditions.iter().map(ToString::to_string);
    more("Conditions: ", conditions.collect());
    let clocks = seen.clocks_of(character.id);
    let clocks = clocks.map(|clock| format!("{} {}", clock.clock.name, fullness(&clock)));
    let pools = seen.pools_of(Some(character.id));
    let pools = pools.map(|pool| format!("{} {}", pool.name, pool.tokens));
    more("", clocks.chain(pools).collect());
    let locks = seen.locks().filter(|(who, _)| who.id == character.id);
    let locks = locks.map(|(_, about)| about.to_owned());
    more("May not try again yet: ", locks.collect());
    told
}

/// A clock for other programs; `filled` is null where the seat only knows that it exists.
pub fn clock_json(one: &ClockView<'_>, seen: &SeatView<'_>) -> Json {
    let clock = one.clock;
    let mut told = json!({"name": clock.name});
    if clock.owner.is_some() {
        told["owner"] = json!(seen.owner_name(clock.owner));
    }
    if clock.host_clock.is_some() {
        told["host"] = json!(true);
    }
    told["filled"] = json!(one.filled);
    told["segments"] = json!(clock.segments.count());
    told["kind"] = json!(clock.kind.into_str());
    told["visibility"] = json!(clock.visibility.into_str());
    told
}

/// A pool for other programs.
pub fn pool_json(pool: &TokenPool, seen: &SeatView<'_>) -> Json {
    json!({
        "owner": seen.owner_name(pool.owner),
        "name": pool.name,
        "pool": pool.id_word(),
        "tokens": pool.tokens,
    })
}

/// What the present scene is called: one without a name by its number.
pub fn scene(seen: &SeatView<'_>) -> String {
    match seen.scene() {
        scene if !scene.name.is_empty() => scene.name.clone(),
        scene if scene.began.is_none() => "No scene has begun".to_owned(),
        _ => format!("Scene {}", seen.scenes.len()),
    }
}

/// A clock in a line that other programs read, too: `The alarm: 3/6`, without numbers where the seat may not know
/// how full it is.
pub fn clock_line(one: &ClockView<'_>) -> String {
    let (name, of) = (&one.clock.name, one.clock.segments.count());
    let filled = one.filled.map(|filled| format!(": {filled}/{of}"));
    format!("{name}{}", filled.unwrap_or_default())
}

/// What is to be said of a clock: its kind, how full it is, what it waits for and leads to, who sees it.
pub fn about_clock(one: &ClockView<'_>, seen: &SeatView<'_>) -> Vec<String> {
    let clock = one.clock;
    let now = one.filled.map_or_else(
        || fullness(one),
        |now| filled_of(now, clock.segments.count()),
    );
    let mut told = vec![clock.kind.into_str().to_owned(), now];
    if clock.kind == ClockKind::TugOfWar {
        told.push(format!("between {}", clock.end_names().join(" and ")));
    }
    if let Some(winner) = seen.winner(clock).filter(|winner| winner.id != clock.id) {
        told.push(format!("lost to {}", winner.name));
    }
    if let Some(before) = seen.waits_for(clock) {
        told.push(format!("waits until {} is full", before.name));
    }
    let link = clock.link;
    if let Some((link, other)) = link.and_then(|link| Some((link, seen.clock(link.to)?))) {
        let name = &other.clock.name;
        told.push(match link.then {
            Then::Beside => format!("rolls for it count for {name} too"),
            then => format!("when full it {} {name}", then.into_str()),
        });
    }
    told.extend(clock.host_clock.map(|_| "the host's".to_owned()));
    told.extend(clock.acts());
    told.extend(match clock.visibility {
        Visibility::Visible => None,
        Visibility::Known => Some("players only know that it exists".to_owned()),
        Visibility::Hidden => Some("hidden from players".to_owned()),
    });
    told
}

/// How full a clock is, as far as the seat may know.
fn fullness(seen: &ClockView<'_>) -> String {
    let of = seen.clock.segments.count();
    let unknown = || format!("? of {of}");
    seen.filled
        .map_or_else(unknown, |filled| format!("{filled} of {of}"))
}
