//! The state of the table in plain lines, for the command line and for players without a terminal.

use serde_json::{Value as Json, json};

use super::{ClockView, SeatView};
use tableside_game::{
    Allegiance, Call, Character, ClockKind, LinkEffect, Roll, TokenPool, Unfinished, Visibility,
    filled_of, sentence,
};
use tableside_rules::{Ask, Progress};
use tableside_text::{join, pluralise};

/// How many rolls are listed.
const LAST_ROLLS: usize = 3;

/// A line of the status: a subject to emphasise, then the rest. Either may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The subject.
    pub strong: String,
    /// The rest.
    pub plain: String,
}

impl Told {
    fn new(strong: &str, plain: impl Into<String>) -> Self {
        Self {
            strong: strong.to_owned(),
            plain: plain.into(),
        }
    }
}

/// Returns the status without emphasis.
pub fn plain_status(name: &str, seen: &SeatView<'_>) -> Vec<String> {
    status(name, seen)
        .into_iter()
        .map(|line| line.strong + &*line.plain)
        .collect()
}

/// Returns the status as a seat sees it, with the length of the log. `name` is the name of the game.
pub fn status(name: &str, seen: &SeatView<'_>) -> Vec<Told> {
    let mut lines = status_lines(name, seen);
    // The state counts the entries, and may belong to another history than the journal.
    if !seen.is_incomplete() {
        let entries = pluralise(seen.log_length(), "entry");
        lines.push(Told::new("", ""));
        lines.push(Told::new("", format!("The log has {entries}.")));
    }
    lines
}

/// Returns the status without the length of the log, which takes time to count for players.
pub fn status_lines(name: &str, seen: &SeatView<'_>) -> Vec<Told> {
    let system = seen.system().spec().name;
    let mut status = Status::default();
    status
        .lines
        .push(Told::new(name, format!(", a game of {system}.")));
    status.lines.push(Told::new("", describe_moment(seen)));

    for side in Allegiance::ALL {
        let characters = seen.roster().filter(|character| character.side == side);
        let lines = characters.flat_map(|character| describe_character(seen, character));
        status.add_section(side_name(side), lines);
    }

    let table_clocks = seen.clocks().filter(|view| view.clock.owner.is_none());
    let lines = table_clocks.map(|view| {
        let description = about_clock(&view, seen).join(", ");
        format!("{}: {description}.", view.clock.name)
    });
    status.add_section("Clocks", lines);

    let table_pools = seen.pools_of(None);
    let lines = table_pools.map(|pool| format!("{}: {}.", pool.name, pool.tokens));
    status.add_section("Tokens of the table", lines);

    let waiting = seen.unfinished();
    let lines = waiting.map(|waiting| describe_waiting(waiting, seen));
    status.add_section("Unfinished", lines);

    let lines = seen.calls().map(|call| describe_call(call, seen));
    status.add_section("Called on to roll", lines);
    status.add_section("Last rolls", last_rolls(seen));
    status.add_section("Lines and veils", lines_and_veils(seen));
    status.lines
}

#[derive(Default)]
struct Status {
    lines: Vec<Told>,
}

impl Status {
    /// Adds lines under a title, if there are any.
    fn add_section(&mut self, title: &str, lines: impl IntoIterator<Item = String>) {
        let mut lines = lines.into_iter().peekable();
        if lines.peek().is_none() {
            return;
        }
        self.lines.push(Told::new("", ""));
        self.lines.push(Told::new(title, ""));
        for line in lines {
            self.lines.push(Told::new("", format!("  {line}")));
        }
    }
}

/// Describes the scene, the round and the turns.
fn describe_moment(seen: &SeatView<'_>) -> String {
    let mut sentences = match seen.scene().name.as_str() {
        "" => format!("{}.", scene(seen)),
        name => format!("The scene: {name}."),
    };
    let session = seen.session_number();
    if session > 1 {
        sentences += &format!(" Session {session}.");
    }
    if seen.round > 0 {
        sentences += &format!(" Round {}.", seen.round);
    }

    let turns = seen.turns();
    if let Some((now, later)) = turns.split_first() {
        sentences += &format!(" It is {}'s turn", now.name);
        if !later.is_empty() {
            let names = join(later.iter().map(|character| &character.name), ", ");
            sentences += &format!(", then {names}");
        }
        sentences += ".";
    }
    sentences
}

fn describe_waiting(waiting: &Unfinished, seen: &SeatView<'_>) -> String {
    let roll = &waiting.roll;
    let check = check_label(&roll.check, seen);
    let answers = missing_answer(roll, seen);
    if roll.who.is_empty() {
        format!("{check} waits for {answers}.")
    } else {
        format!("{}: {check} waits for {answers}.", roll.who)
    }
}

fn describe_call(call: &Call, seen: &SeatView<'_>) -> String {
    let who = seen.owner_name(Some(call.who));
    let spec = seen.system().check(&call.check).ok();
    let mut description = format!("{who}: {}", check_label(&call.check, seen));

    for (id, value) in &call.fields {
        let field = spec.and_then(|spec| spec.field(id));
        let label = field.map_or("", |field| field.label);
        description += &format!(", {label} {value}");
    }
    if !call.helpers.is_empty() {
        let helpers = call.helpers.iter();
        let names = join(helpers.map(|id| seen.owner_name(Some(*id))), ", ");
        description += &format!(", with help from {names}");
    }
    description + "."
}

fn check_label<'a>(id: &'a str, seen: &SeatView<'_>) -> &'a str {
    match seen.system().check(id) {
        Ok(check) => check.label,
        Err(_) => id,
    }
}

/// The lines and veils, each as a sentence.
fn lines_and_veils(seen: &SeatView<'_>) -> Vec<String> {
    let lines = seen.lines_and_veils.lines();
    let with_text = lines.filter(|line| !line.trim().is_empty());
    with_text.map(sentence).collect()
}

/// Describes the last rolls that hold, newest first, each with its effects.
fn last_rolls(seen: &SeatView<'_>) -> Vec<String> {
    let valid_rolls = seen.rolled().filter(|number| !seen.is_struck(*number));
    let mut lines = Vec::new();
    for number in valid_rolls.take(LAST_ROLLS) {
        let Some(entry) = seen.entry(number) else {
            continue;
        };
        let mut line = entry.event.text(seen.system());
        if entry.roll().is_some() {
            for effect in entry.event.in_short(seen) {
                line += &format!("; {effect}");
            }
        }
        lines.push(line + ".");
    }
    lines
}

/// Describes what a waiting roll needs: one of several answers, or the faces of dice.
fn missing_answer(roll: &Roll, seen: &SeatView<'_>) -> String {
    let progress = match roll.machine(seen.system()) {
        Ok(machine) => machine.after(&roll.trail).ok(),
        Err(_) => None,
    };
    match progress {
        Some(Progress::Waits(Ask::Choose { choices, .. })) => {
            let options = choices.options.iter();
            let names = join(options.map(|option| &option.name), " or ");
            format!("an answer, {names}")
        }
        Some(Progress::Waits(Ask::Roll { .. })) => "the faces of its dice".to_owned(),
        Some(Progress::Done(..)) | None => "an answer".to_owned(),
    }
}

/// The title of the characters of a side.
pub const fn side_name(side: Allegiance) -> &'static str {
    match side {
        Allegiance::Party => "The party",
        Allegiance::Ally => "Allies",
        Allegiance::Adversary => "Adversaries",
        Allegiance::Neutral => "Others",
    }
}

/// Describes a character: a line for its name, then a line each for its sheet, its conditions, its clocks and pools, and
/// the attempts that it may not repeat.
fn describe_character(seen: &SeatView<'_>, character: &Character) -> Vec<String> {
    let mut lines = vec![describe_name(character)];
    let mut add_line = |title: &str, mut parts: Vec<String>| {
        // A system without words for health gives an empty text for an adversary.
        parts.retain(|part| !part.is_empty());
        if !parts.is_empty() {
            lines.push(format!("  {title}{}.", parts.join(", ")));
        }
    };

    if let Some(health) = character.health {
        add_line("", vec![health.to_owned()]);
    } else {
        let mut stats = Vec::new();
        for (stat, value) in character.sheet.iter() {
            let value = value.to_string();
            if !value.is_empty() {
                stats.push(format!("{} {value}", stat.label));
            }
        }
        add_line("", stats);
    }

    let conditions = character.conditions.iter().map(ToString::to_string);
    add_line("Conditions: ", conditions.collect());

    let clocks = seen.clocks_of(character.id);
    let clocks = clocks.map(|view| format!("{} {}", view.clock.name, fullness(&view)));
    let pools = seen.pools_of(Some(character.id));
    let pools = pools.map(|pool| format!("{} {}", pool.name, pool.tokens));
    add_line("", clocks.chain(pools).collect());

    let locks = seen.locks().filter(|(who, _)| who.id == character.id);
    let attempts = locks.map(|(_, about)| about.to_owned());
    add_line("May not try again yet: ", attempts.collect());
    lines
}

fn describe_name(character: &Character) -> String {
    let mut line = character.name.clone();
    if !character.player.is_empty() {
        line += &format!(", played by {}", character.player);
    }
    if character.absent {
        line += ", absent";
    }
    if character.hidden {
        line += ", hidden from players";
    }
    if character.acted {
        line += ", has acted";
    }
    if let Some(initiative) = character.initiative {
        line += &format!(", initiative {initiative}");
    }
    line + "."
}

/// A clock as JSON. `filled` is null if only the clock's existence is visible.
pub fn clock_json(one: &ClockView<'_>, seen: &SeatView<'_>) -> Json {
    let clock = one.clock;
    let mut json = json!({"name": clock.name});
    if clock.owner.is_some() {
        json["owner"] = json!(seen.owner_name(clock.owner));
    }
    if clock.host_clock.is_some() {
        json["host"] = json!(true);
    }
    json["filled"] = json!(one.filled);
    json["segments"] = json!(clock.segments.count());
    json["kind"] = json!(clock.kind.into_str());
    json["visibility"] = json!(clock.visibility.into_str());
    json
}

/// A pool as JSON.
pub fn pool_json(pool: &TokenPool, seen: &SeatView<'_>) -> Json {
    json!({
        "owner": seen.owner_name(pool.owner),
        "name": pool.name,
        "pool": pool.id_word(),
        "tokens": pool.tokens,
    })
}

/// The name of the present scene, or its number.
pub fn scene(seen: &SeatView<'_>) -> String {
    let scene = seen.scene();
    if !scene.name.is_empty() {
        scene.name.clone()
    } else if scene.began.is_none() {
        "No scene has begun".to_owned()
    } else {
        format!("Scene {}", seen.scenes.len())
    }
}

/// A clock as a line that other programs can read: `The alarm: 3/6`. Without numbers if only the clock's
/// existence is visible.
pub fn clock_line(one: &ClockView<'_>) -> String {
    let name = &one.clock.name;
    match one.filled {
        Some(filled) => format!("{name}: {filled}/{}", one.clock.segments.count()),
        None => name.clone(),
    }
}

/// Describes a clock: its kind, its segments, the clocks that it waits for and leads to, and its visibility.
pub fn about_clock(one: &ClockView<'_>, seen: &SeatView<'_>) -> Vec<String> {
    let clock = one.clock;
    let segments = match one.filled {
        Some(filled) => filled_of(filled, clock.segments.count()),
        None => fullness(one),
    };
    let mut parts = vec![clock.kind.into_str().to_owned(), segments];

    if clock.kind == ClockKind::TugOfWar {
        parts.push(format!("between {}", clock.end_names().join(" and ")));
    }
    if let Some(winner) = seen.winner(clock)
        && winner.id != clock.id
    {
        parts.push(format!("lost to {}", winner.name));
    }
    if let Some(before) = seen.waits_for(clock) {
        parts.push(format!("waits until {} is full", before.name));
    }
    if let Some(link) = clock.link
        && let Some(other) = seen.clock(link.to)
    {
        let name = &other.clock.name;
        parts.push(match link.effect {
            LinkEffect::Beside => format!("rolls for it count for {name} too"),
            then => format!("when full it {} {name}", then.into_str()),
        });
    }
    if clock.host_clock.is_some() {
        parts.push("the host's".to_owned());
    }
    parts.extend(clock.describe_automation());
    match clock.visibility {
        Visibility::Visible => {}
        Visibility::Known => parts.push("players only know that it exists".to_owned()),
        Visibility::Hidden => parts.push("hidden from players".to_owned()),
    }
    parts
}

/// The filled segments of a clock: `3 of 6`, or `? of 6`.
fn fullness(one: &ClockView<'_>) -> String {
    let segments = one.clock.segments.count();
    match one.filled {
        Some(filled) => format!("{filled} of {segments}"),
        None => format!("? of {segments}"),
    }
}
