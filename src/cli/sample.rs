//! The sample games: one evening of each system.
//!
//! `sessions/SYSTEM.toml` is the game before the first scene, as every game is saved; `sessions/SYSTEM.txt` is
//! what was played, a line each: the time, who did it unless it was the GM, and the words of `tableside do`.
//! They are played at a table, by the code of a real game: the log cannot grow stale.

use std::cell::Cell;

use chrono::{DateTime, Utc};

use tableside_commands::act_in_words;
use tableside_dice::Dice;
use tableside_game::{Command, Game};
use tableside_rules::{ChosenBy, System};
use tableside_table::{Act, Entry, RequestError, Seat, SeatId, SeatRole, Table};

/// A sample game.
#[derive(Debug)]
pub struct Sample {
    pub name: String,
    /// The state after all that was played.
    pub game: Game,
    /// What was played, oldest first.
    pub entries: Vec<Entry>,
}

thread_local! {
    /// The time of the line that is played; a table's clock is a plain function.
    static NOW: Cell<DateTime<Utc>> = const { Cell::new(DateTime::UNIX_EPOCH) };
}

/// The lines name every face that falls.
struct NoLuck;

impl Dice for NoLuck {
    fn up_to(&mut self, _sides: u32) -> u32 {
        1
    }
}

/// The sample game of a system.
pub fn sample(system: System) -> Result<Sample, RequestError> {
    let sample = system.sample();
    let none = || RequestError::failed(format!("{system} has no sample game"));
    let sample = sample.ok_or_else(none)?;
    play(sample.game, sample.commands)
}

fn play(before: &str, played: &str) -> Result<Sample, RequestError> {
    let wrong = |place: String, problem: String| {
        RequestError::failed(format!("the sample game, {place}: {problem}"))
    };
    let game = Game::from_toml(before)
        .map_err(|error| wrong("before the first scene".to_owned(), error.to_string()))?;
    let mut lines = (1..).zip(played.lines());
    let mut lines = lines
        .by_ref()
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let head = lines.next().and_then(|(_, line)| line.rsplit_once(", "));
    let (name, day) =
        head.ok_or_else(|| wrong("its title".to_owned(), "write NAME, DAY".to_owned()))?;
    let table = Table::unsaved(name, game, Vec::new(), None, || NOW.get(), Box::new(NoLuck));
    let mut entries = Vec::new();
    for (number, line) in lines {
        let entry = play_line(&table, day, line)
            .map_err(|problem| wrong(format!("line {number}"), problem))?;
        entries.push(entry);
    }
    Ok(Sample {
        name: name.to_owned(),
        game: table.game(),
        entries,
    })
}

/// Plays `19:11:32 Lea: give Wren 1 destiny`.
fn play_line(table: &std::sync::Arc<Table>, day: &str, line: &str) -> Result<Entry, String> {
    let (time, words) = line.split_once(' ').unwrap_or((line, ""));
    let at = format!("{day}T{time}Z").parse::<DateTime<Utc>>();
    NOW.set(at.map_err(|error| format!("{time}: {error}"))?);
    let by = words.split_once(": ");
    let (by, words) = by
        .filter(|(by, _)| !by.contains(' '))
        .unwrap_or(("gm", words));
    let seat = Seat::new(SeatId::NOBODY, by, SeatRole::Gm);
    let said = |error: RequestError| error.what;
    let mut act = act_in_words(table, &seat, words).map_err(said)?;
    if let Act::Do(command) = &mut act
        && let Command::Roll(roll) = &mut **command
    {
        // Players chose what was chosen; what nobody chose is left to the rules, also where the GM decides.
        roll.by = if roll.choose.is_empty() {
            ChosenBy::Gm
        } else {
            ChosenBy::Player
        };
    }
    let entry = table.submit(&seat, &act);
    let entry = entry.map_err(|problem| said(problem.into()))?;
    Ok(Entry::clone(&entry))
}

#[cfg(test)]
mod tests;
