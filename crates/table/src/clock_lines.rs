//! Clocks as lines of text, for export and import: `The alarm: 3/6`, with further details in brackets:
//! `Healing: 1/4 [of "Mira", known, countdown]`. Names are in quotation marks, as in JSON.

use super::{SeatView, clock_line};
use tableside_game::{
    ArrivingClock, ArrivingLink, Clock, ClockKind, Every, LinkEffect, Segments, Visibility,
    WhenFull,
};

/// The settings for a full clock. A clock without such a setting stays full.
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
        let joined = details.join(", ");
        line += &format!(" [{joined}]");
    }
    line
}

fn details(clock: &Clock, seen: &SeatView<'_>) -> Vec<String> {
    let mut details = Vec::new();
    if clock.owner.is_some() {
        let owner = quoted(seen.owner_name(clock.owner));
        details.push(format!("of {owner}"));
    }
    if clock.kind != ClockKind::default() {
        let kind = clock.kind.into_str();
        details.push(kind.to_owned());
    }
    if clock.visibility != Visibility::default() {
        let visibility = clock.visibility.into_str();
        details.push(visibility.to_owned());
    }
    for (when, words) in WHEN_FULL {
        if clock.when_full == when {
            details.push(words.to_owned());
        }
    }
    for (every, by) in &clock.every {
        let event = every.into_str();
        details.push(format!("{by:+} every {event}"));
    }
    if clock.turns > 0 {
        details.push(format!("turns {}", clock.turns));
    }
    if clock.of_scene {
        details.push(ENDS_WITH_SCENE.to_owned());
    }
    if clock.kind == ClockKind::Race && !clock.race.is_empty() {
        let race = quoted(&clock.race);
        details.push(format!("race {race}"));
    }
    if let Some([left_end, right_end]) = &clock.ends {
        let left_name = quoted(left_end);
        let right_name = quoted(right_end);
        details.push(format!("between {left_name} and {right_name}"));
    }
    if let Some(link) = clock.link
        && let Some(other) = seen.clock(link.to)
    {
        let effect = link.effect.into_str();
        let name = quoted(&other.clock.name);
        let mut detail = format!("{effect} {name}");
        if other.clock.owner.is_some() {
            let owner = quoted(seen.owner_name(other.clock.owner));
            detail += &format!(" of {owner}");
        }
        details.push(detail);
    }
    details
}

fn quoted(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}

/// Reads clocks from a text, one or several on each line. The error describes the text that cannot be read.
pub fn read_clock_lines(text: &str) -> Result<Vec<ArrivingClock>, String> {
    let mut clocks = Vec::new();
    let mut unread = text.trim();
    while !unread.is_empty() {
        let Some(next) = NextClock::find(unread) else {
            let mut unread_words = unread.split_whitespace();
            let first = unread_words.next().unwrap_or_default();
            return Err(format!(
                "{first:?} is not a clock; write clocks as The alarm: 3/6"
            ));
        };
        let segments = match Segments::try_from(next.segments) {
            Ok(segments) => segments,
            Err(error) => return Err(error.to_string()),
        };
        let mut read = ArrivingClock {
            clock: Clock {
                filled: next.filled,
                ..Clock::new(next.name, segments)
            },
            ..ArrivingClock::default()
        };
        unread = next.after.trim_start();
        if let Some(inside) = unread.strip_prefix('[') {
            let mut details = Details { rest: inside };
            if let Err(error) = details.read_into(&mut read) {
                let name = read.clock.name;
                return Err(format!("the clock {name}: {error}"));
            }
            unread = details.rest.trim_start();
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
    /// The text after the beginning.
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
            if let Ok(filled) = filled.parse()
                && let Ok(segments) = segments.parse()
            {
                let name = text.get(..colon)?;
                let name_words: Vec<&str> = name.split_whitespace().collect();
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
        let setting = self.words();
        let clock = &mut read.clock;
        for kind in ClockKind::ALL {
            if setting == kind.into_str() && self.is_at_end() {
                clock.kind = kind;
                return Ok(());
            }
        }
        for visibility in Visibility::ALL {
            if setting == visibility.into_str() {
                clock.visibility = visibility;
                return Ok(());
            }
        }
        for (when, name) in WHEN_FULL {
            if setting == name {
                clock.when_full = when;
                return Ok(());
            }
        }
        for effect in LinkEffect::ALL {
            if setting == effect.into_str() {
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
        match setting {
            "of" => read.owner = Some(self.name()?),
            "race" => clock.race = self.name()?,
            "between" => {
                let left_end = self.name()?;
                if self.words() != "and" {
                    return Err(
                        "write the two ends of a clock as between \"left\" and \"right\"".into(),
                    );
                }
                let right_end = self.name()?;
                clock.ends = Some([left_end, right_end]);
            }
            ENDS_WITH_SCENE => clock.of_scene = true,
            setting => read_number(setting, clock).ok_or_else(|| unknown(setting))?,
        }
        Ok(())
    }

    /// Reads the words up to the next name, comma or bracket.
    fn words(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        let end = match self.rest.find(['"', ',', ']']) {
            Some(end) => end,
            None => self.rest.len(),
        };
        let (words, after) = self.rest.split_at(end);
        self.rest = after;
        words.trim_end()
    }

    fn is_at_end(&self) -> bool {
        self.rest.is_empty() || self.rest.starts_with([',', ']'])
    }

    /// Reads a name in quotation marks.
    fn name(&mut self) -> Result<String, String> {
        let json = serde_json::Deserializer::from_str(self.rest);
        let mut names = json.into_iter::<String>();
        match names.next() {
            Some(Ok(name)) => {
                let end = names.byte_offset();
                self.rest = self.rest.get(end..).unwrap_or_default();
                Ok(name)
            }
            _ => Err("write names in brackets with quotation marks, as in of \"Mira\"".into()),
        }
    }
}

/// Reads a setting with a number: `turns 2` or `+1 every round`. `None` for any other text.
fn read_number(setting: &str, clock: &mut Clock) -> Option<()> {
    if let Some(turns) = setting.strip_prefix("turns ") {
        clock.turns = turns.parse().ok()?;
        return Some(());
    }

    let (ticks, event_name) = setting.split_once(" every ")?;
    let mut events = Every::ALL.into_iter();
    let event = events.find(|event| event_name == event.into_str())?;
    clock.every.insert(event, ticks.parse().ok()?);
    Some(())
}

fn unknown(setting: &str) -> String {
    format!(
        "{setting:?} is not a setting of a clock; `tableside export GAME --clocks` shows the settings"
    )
}
