//! Clocks as lines of text, for export and import: `The alarm: 3/6`, with further details in brackets:
//! `Healing: 1/4 [of "Mira", known, countdown]`. Names are in quotation marks, as in JSON.

use super::{SeatView, clock_line};
use tableside_game::{
    ArrivingClock, ArrivingLink, Clock, ClockKind, Every, LinkEffect, Segments, Visibility,
    WhenFull,
};

/// The behaviour of a full clock, except staying full.
const WHEN_FULL: [(WhenFull, &str); 3] = [
    (WhenFull::StartsAgain, "starts again"),
    (WhenFull::Grows, "grows"),
    (WhenFull::Shrinks, "shrinks"),
];

const ENDS_WITH_SCENE: &str = "ends with the scene";

/// Returns a clock as a line that [`read_clock_lines`] can read.
pub fn write_clock_line(clock: &Clock, seen: &SeatView<'_>) -> String {
    let mut line = match seen.clock(clock.id) {
        Some(view) => clock_line(&view),
        None => String::new(),
    };
    let details = details(clock, seen);
    if !details.is_empty() {
        line += &format!(" [{}]", details.join(", "));
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
        let mut detail = format!(
            "{} {}",
            <&str>::from(link.effect),
            quoted(&other.clock.name)
        );
        if other.clock.owner.is_some() {
            detail += &format!(" of {}", quoted(seen.owner_name(other.clock.owner)));
        }
        details.push(detail);
    }
    details
}

fn quoted(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}

/// Reads clocks that follow each other, in lines or not. The error describes the text that cannot be read.
pub fn read_clock_lines(text: &str) -> Result<Vec<ArrivingClock>, String> {
    let mut clocks = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let Some(next) = NextClock::find(rest) else {
            let first = rest.split_whitespace().next().unwrap_or_default();
            return Err(format!(
                "no clock begins with {first:?}; write a clock like The alarm: 3/6"
            ));
        };
        let segments = Segments::try_from(next.segments).map_err(|error| error.to_string())?;
        let mut read = ArrivingClock {
            clock: Clock {
                filled: next.filled,
                ..Clock::new(next.name, segments)
            },
            ..ArrivingClock::default()
        };
        rest = next.after.trim_start();
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

/// The beginning of a clock: `NAME: FILLED/SEGMENTS`.
struct NextClock<'a> {
    name: String,
    filled: u8,
    segments: i32,
    /// The text after it.
    after: &'a str,
}

impl<'a> NextClock<'a> {
    /// Finds the next clock. A name may contain colons, so only a colon before a space and two numbers ends it.
    fn find(text: &'a str) -> Option<Self> {
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
            let Some((filled, segments)) = count.split_once('/') else {
                continue;
            };
            if let (Ok(filled), Ok(segments)) = (filled.parse(), segments.parse()) {
                let name_words: Vec<&str> = text.get(..colon)?.split_whitespace().collect();
                return Some(Self {
                    name: name_words.join(" "),
                    filled,
                    segments,
                    after,
                });
            }
        }
        None
    }
}

/// The text after the opening bracket of a clock's details.
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
                .ok_or("the settings of a clock must end with `]`")?;
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
        for effect in LinkEffect::ALL {
            if words == <&str>::from(effect) {
                let to = self.name()?;
                let owner = if self.words() == "of" {
                    Some(self.name()?)
                } else {
                    None
                };
                read.link = Some(ArrivingLink { to, owner, effect });
                return Ok(());
            }
        }
        match words {
            "of" => read.owner = Some(self.name()?),
            "race" => clock.race = self.name()?,
            "between" => {
                let left = self.name()?;
                if self.words() != "and" {
                    return Err(
                        "write the two ends of a clock like between \"left\" and \"right\"".into(),
                    );
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

    /// Reads the words up to the next name, comma or bracket.
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

    /// Reads a name in quotation marks.
    fn name(&mut self) -> Result<String, String> {
        let mut names = serde_json::Deserializer::from_str(self.rest).into_iter::<String>();
        match names.next() {
            Some(Ok(name)) => {
                let end = names.byte_offset();
                self.rest = self.rest.get(end..).unwrap_or_default();
                Ok(name)
            }
            _ => Err("a name in brackets must be in quotation marks, as in of \"Mira\"".into()),
        }
    }
}

fn unknown(words: &str) -> String {
    format!(
        "{words:?} is no setting of a clock; `tableside export GAME --clocks` shows the settings"
    )
}
