//! Describes the state of the table in plain lines, for the command line and for players without a terminal.

mod clocks;

use serde_json::{Value as Json, json};

use self::clocks::describe_fill;
pub use self::clocks::{about_clock, clock_json, clock_line};
use super::SeatView;
use tableside_game::{Allegiance, Call, Character, Roll, TokenPool, Unfinished, sentence};
use tableside_rules::{Ask, Progress};
use tableside_text::{join, pluralise};

/// The maximum number of rolls that the status lists.
const LAST_ROLLS: usize = 3;

/// A line of the status. Either part may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusLine {
    /// The beginning of the line, which is emphasised: a title, or the name of the game.
    pub strong: String,
    /// The text after it, without emphasis.
    pub plain: String,
}

impl StatusLine {
    fn new(strong: &str, plain: impl Into<String>) -> Self {
        Self {
            strong: strong.to_owned(),
            plain: plain.into(),
        }
    }
}

/// Returns the lines of [`status`] as plain text.
pub fn plain_status(name: &str, seen: &SeatView<'_>) -> Vec<String> {
    status(name, seen)
        .into_iter()
        .map(|line| line.strong + &*line.plain)
        .collect()
}

/// Returns the status as a seat sees it, with the length of the log. `name` is the name of the game.
pub fn status(name: &str, seen: &SeatView<'_>) -> Vec<StatusLine> {
    let mut lines = status_lines(name, seen);
    // If the journal is incomplete, its number of entries differs from the number in the saved state.
    if !seen.is_incomplete() {
        let entries = pluralise(seen.log_length(), "entry");
        let length = format!("The log has {entries}.");
        lines.push(StatusLine::new("", ""));
        lines.push(StatusLine::new("", length));
    }
    lines
}

/// Returns the status without the length of the log, which takes time to count for players.
pub fn status_lines(name: &str, seen: &SeatView<'_>) -> Vec<StatusLine> {
    let system = seen.system().spec().name;
    let kind_of_game = format!(", a game of {system}.");
    let moment = describe_moment(seen);
    let mut status = Status {
        lines: vec![
            StatusLine::new(name, kind_of_game),
            StatusLine::new("", moment),
        ],
    };

    for side in Allegiance::ALL {
        let characters = seen
            .roster()
            .filter(|character| character.side == side)
            .flat_map(|character| describe_character(seen, character));
        status.add_section(side_name(side), characters);
    }

    let table_clocks = seen
        .clocks()
        .filter(|view| view.clock.owner.is_none())
        .map(|view| {
            let description = about_clock(&view, seen).join(", ");
            format!("{}: {description}.", view.clock.name)
        });
    status.add_section("Clocks", table_clocks);

    let table_pools = seen
        .pools_of(None)
        .map(|pool| format!("{}: {}.", pool.name, describe_tokens(pool, seen)));
    status.add_section("Tokens of the table", table_pools);

    let waiting_rolls = seen
        .unfinished()
        .map(|waiting| describe_waiting(waiting, seen));
    let questions = seen.sheet_questions().map(|question| question.text());
    status.add_section("Unfinished", waiting_rolls.chain(questions));

    let calls = seen.calls().map(|call| describe_call(call, seen));
    status.add_section("Called to roll", calls);
    status.add_section("Last rolls", last_rolls(seen));
    status.add_section("Lines and veils", lines_and_veils(seen));
    status.lines
}

struct Status {
    lines: Vec<StatusLine>,
}

impl Status {
    /// Adds a title with lines under it. Adds nothing if there are no lines.
    fn add_section(&mut self, title: &str, section: impl IntoIterator<Item = String>) {
        let mut lines = section.into_iter().peekable();
        if lines.peek().is_none() {
            return;
        }

        self.lines.push(StatusLine::new("", ""));
        self.lines.push(StatusLine::new(title, ""));
        for line in lines {
            let indented = format!("  {line}");
            self.lines.push(StatusLine::new("", indented));
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
        sentences += &format!(" It is {}'s turn.", now.name);
        if !later.is_empty() {
            let names = later.iter().map(|character| &character.name);
            let names_in_order = join(names, ", ");
            sentences += &format!(" Next: {names_in_order}.");
        }
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
    let check = check_label(&call.check, seen);
    let mut description = format!("{who}: {check}");

    for (id, value) in &call.fields {
        let field = spec.and_then(|spec| spec.field(id));
        let label = field.map_or("", |field| field.label);
        description += &format!(", {label} {value}");
    }
    if !call.helpers.is_empty() {
        let names = call.helpers.iter().map(|id| seen.owner_name(Some(*id)));
        let helpers = join(names, ", ");
        description += &format!(", with help from {helpers}");
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

/// Describes the newest rolls that were not undone or replaced, newest first, each with its effects.
fn last_rolls(seen: &SeatView<'_>) -> Vec<String> {
    let newest_rolls = seen
        .rolled()
        .filter(|number| !seen.is_struck(*number))
        .take(LAST_ROLLS);

    let mut lines = Vec::new();
    for number in newest_rolls {
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
            let names = choices.options.iter().map(|option| &option.name);
            let alternatives = join(names, " or ");
            format!("an answer: {alternatives}")
        }
        Some(Progress::Waits(Ask::Roll { .. })) => "the numbers on its dice".into(),
        Some(Progress::Done(..)) | None => "an answer".into(),
    }
}

/// The title above the characters of a side.
pub const fn side_name(side: Allegiance) -> &'static str {
    match side {
        Allegiance::Party => "The party",
        Allegiance::Ally => "Allies",
        Allegiance::Adversary => "Adversaries",
        Allegiance::Neutral => "Others",
        Allegiance::Crew => "Crew",
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
            let joined = parts.join(", ");
            lines.push(format!("  {title}{joined}."));
        }
    };

    if let Some(health) = character.health {
        add_line("", vec![health.to_owned()]);
    } else {
        let mut stats = Vec::new();
        for (stat, value) in character.sheet.iter() {
            let value_text = value.to_string();
            if !value_text.is_empty() {
                stats.push(format!("{} {value_text}", stat.label));
            }
        }
        add_line("", stats);
    }

    let conditions = seen
        .conditions_by_severity(character)
        .into_iter()
        .map(ToString::to_string);
    add_line("Conditions: ", conditions.collect());

    let mut clocks_and_pools = Vec::new();
    for view in seen.clocks_of(character.id) {
        let filled = describe_fill(&view);
        clocks_and_pools.push(format!("{} {filled}", view.clock.name));
    }
    for pool in seen.pools_of(Some(character.id)) {
        clocks_and_pools.push(format!("{} {}", pool.name, describe_tokens(pool, seen)));
    }
    add_line("", clocks_and_pools);

    let mut attempts = Vec::new();
    for (locked, attempt) in seen.locks() {
        if locked.id == character.id {
            attempts.push(attempt.to_owned());
        }
    }
    add_line("Cannot try again yet: ", attempts);
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

/// Returns the tokens of a pool, with the maximum if it has one: `4/6`.
fn describe_tokens(pool: &TokenPool, seen: &SeatView<'_>) -> String {
    let tokens = seen.tokens_in(pool);
    match pool.cap {
        Some(cap) => format!("{tokens}/{cap}"),
        None => tokens.to_string(),
    }
}

/// A pool as JSON.
pub fn pool_json(pool: &TokenPool, seen: &SeatView<'_>) -> Json {
    json!({
        "owner": seen.owner_name(pool.owner),
        "name": pool.name,
        "pool": pool.id_word(),
        "tokens": seen.tokens_in(pool),
    })
}

/// The name of the present scene, or its number if it has no name.
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
