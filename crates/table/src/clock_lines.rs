//! Clocks as lines of text, out of a game and into one: `The alarm: 3/6`, and in brackets what else there is to say:
//! `Healing: 1/4 [of "Mira", known, countdown]`. Names stand in quotes, as in JSON.

use std::fmt::Write as _;

use super::{SeatView, clock_line};
use tableside_game::{
    ArrivingClock, ArrivingLink, Clock, ClockKind, Every, Segments, Then, Visibility, WhenFull,
};

/// Words for a clock that does something when it is full.
const WHEN_FULL: [(WhenFull, &str); 3] = [
    (WhenFull::StartsAgain, "starts again"),
    (WhenFull::Grows, "grows"),
    (WhenFull::Shrinks, "shrinks"),
];

const ENDS_WITH_SCENE: &str = "ends with the scene";

/// A clock as a line that [`read_clock_lines`] reads back.
pub fn write_clock_line(clock: &Clock, seen: &SeatView<'_>) -> String {
    let one = seen.clock(clock.id);
    let mut line = one.map_or_else(String::new, |one| clock_line(&one));
    let details = details(clock, seen);
    if !details.is_empty() {
        let _ = write!(line, " [{}]", details.join(", "));
    }
    line
}

fn details(clock: &Clock, seen: &SeatView<'_>) -> Vec<String> {
    let mut details = Vec::new();
    if clock.owner.is_some() {
        details.push(format!("of {}", quoted(seen.owner_name(clock.owner))));
    }
    if clock.kind != ClockKind::default() {
        details.push(<&str>::from(clock.kind).to_owned());
    }
    if clock.visibility != Visibility::default() {
        details.push(<&str>::from(clock.visibility).to_owned());
    }
    for (when, words) in WHEN_FULL {
        if clock.when_full == when {
            details.push(words.to_owned());
        }
    }
    for (every, by) in &clock.every {
        details.push(format!("{by:+} every {}", <&str>::from(*every)));
    }
    if clock.turns > 0 {
        details.push(format!("turns {}", clock.turns));
    }
    if clock.of_scene {
        details.push(ENDS_WITH_SCENE.to_owned());
    }
    if clock.kind == ClockKind::Race && !clock.race.is_empty() {
        details.push(format!("race {}", quoted(&clock.race)));
    }
    if let Some([left, right]) = &clock.ends {
        details.push(format!("between {} and {}", quoted(left), quoted(right)));
    }
    if let Some(link) = clock.link
        && let Some(other) = seen.clock(link.to)
    {
        let mut words = format!("{} {}", <&str>::from(link.then), quoted(&other.clock.name));
        if other.clock.owner.is_some() {
            let _ = write!(words, " of {}", quoted(seen.owner_name(other.clock.owner)));
        }
        details.push(words);
    }
    details
}

fn quoted(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}

/// Reads clocks, one behind the other, in lines or not. An error says what cannot be read.
pub fn read_clock_lines(text: &str) -> Result<Vec<ArrivingClock>, String> {
    let mut clocks = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let Some((name, count, after)) = next_count(rest) else {
            let first = rest.split_whitespace().next().unwrap_or_default();
            return Err(format!(
                "{first:?} begins no clock; one is written like The alarm: 3/6"
            ));
        };
        let (filled, segments) = count;
        let segments = Segments::try_from(segments).map_err(|error| error.to_string())?;
        let mut read = ArrivingClock {
            clock: Clock {
                filled,
                ..Clock::new(name, segments)
            },
            ..ArrivingClock::default()
        };
        rest = after.trim_start();
        if let Some(inside) = rest.strip_prefix('[') {
            let mut details = Details { rest: inside };
            details
                .read_into(&mut read)
                .map_err(|what| format!("the clock {}: {what}", read.clock.name))?;
            rest = details.rest.trim_start();
        }
        clocks.push(read);
    }
    Ok(clocks)
}

/// The name before the next `: FILLED/SEGMENTS`, the two numbers, and the text behind them.
fn next_count(text: &str) -> Option<(String, (u8, i32), &str)> {
    for (colon, _) in text.match_indices(':') {
        let behind = text.get(colon + 1..)?;
        let numbers = behind.trim_start();
        if numbers.len() == behind.len() {
            continue;
        }
        let end = numbers
            .find(|letter: char| letter.is_whitespace() || letter == '[')
            .unwrap_or(numbers.len());
        let (count, after) = numbers.split_at(end);
        let read = count
            .split_once('/')
            .and_then(|(filled, segments)| Some((filled.parse().ok()?, segments.parse().ok()?)));
        if let Some(count) = read {
            let name = text.get(..colon)?;
            let name: Vec<&str> = name.split_whitespace().collect();
            return Some((name.join(" "), count, after));
        }
    }
    None
}

/// What stands in brackets behind a clock, up to the closing one.
struct Details<'a> {
    rest: &'a str,
}

impl<'a> Details<'a> {
    fn read_into(&mut self, read: &mut ArrivingClock) -> Result<(), String> {
        loop {
            self.rest = self.rest.trim_start();
            self.read_one(read)?;
            self.rest = self.rest.trim_start();
            if let Some(rest) = self.rest.strip_prefix(']') {
                self.rest = rest;
                return Ok(());
            }
            self.rest = self
                .rest
                .strip_prefix(',')
                .ok_or("what stands in brackets ends with ]")?;
        }
    }

    fn read_one(&mut self, read: &mut ArrivingClock) -> Result<(), String> {
        let words = self.words();
        let clock = &mut read.clock;
        for kind in ClockKind::ALL {
            if words == <&str>::from(kind) && self.is_at_end() {
                clock.kind = kind;
                return Ok(());
            }
        }
        for visibility in Visibility::ALL {
            if words == <&str>::from(visibility) {
                clock.visibility = visibility;
                return Ok(());
            }
        }
        for (when, known) in WHEN_FULL {
            if words == known {
                clock.when_full = when;
                return Ok(());
            }
        }
        for then in Then::ALL {
            if words == <&str>::from(then) {
                let to = self.name()?;
                let owner = if self.words() == "of" {
                    Some(self.name()?)
                } else {
                    None
                };
                read.link = Some(ArrivingLink { to, owner, then });
                return Ok(());
            }
        }
        match words {
            "of" => read.owner = Some(self.name()?),
            "race" => clock.race = self.name()?,
            "between" => {
                let left = self.name()?;
                if self.words() != "and" {
                    return Err("the ends are written like between \"left\" and \"right\"".into());
                }
                clock.ends = Some([left, self.name()?]);
            }
            ENDS_WITH_SCENE => clock.of_scene = true,
            words => {
                if let Some(turns) = words.strip_prefix("turns ") {
                    clock.turns = turns.parse().map_err(|_no_number| unknown(words))?;
                    return Ok(());
                }
                let (by, every) = words.split_once(" every ").ok_or_else(|| unknown(words))?;
                let by = by.parse().map_err(|_no_number| unknown(words))?;
                let known = Every::ALL
                    .into_iter()
                    .find(|known| every == <&str>::from(*known));
                clock.every.insert(known.ok_or_else(|| unknown(words))?, by);
            }
        }
        Ok(())
    }

    /// The words up to the next name, comma or bracket.
    fn words(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        let end = self.rest.find(['"', ',', ']']).unwrap_or(self.rest.len());
        let (words, rest) = self.rest.split_at(end);
        self.rest = rest;
        words.trim_end()
    }

    fn is_at_end(&self) -> bool {
        self.rest.is_empty() || self.rest.starts_with([',', ']'])
    }

    /// A name in quotes.
    fn name(&mut self) -> Result<String, String> {
        let mut names = serde_json::Deserializer::from_str(self.rest).into_iter::<String>();
        match names.next() {
            Some(Ok(name)) => {
                let end = names.byte_offset();
                self.rest = self.rest.get(end..).unwrap_or_default();
                Ok(name)
            }
            _ => Err("names in brackets stand in quotes, like of \"Mira\"".into()),
        }
    }
}

fn unknown(words: &str) -> String {
    format!("{words:?} says nothing of a clock; `tableside export GAME --clocks` shows what does")
}
