//! When a clock will be full, as a curve and in numbers; of a race, who is first.

use super::Canvas;
use super::reading::{Block, ReadDialog, Readable, Shown};
use crate::dice::Fraction;
use crate::screen::theme::Role;
use crate::screen::widget::curve::{Curve, HEIGHT};
use crate::screen::widget::{Look, columns};
use crate::session::{ClockId, Prospect, RaceProspect, Unforeseen};
use crate::table::SeatView;

/// When a clock will be full.
#[derive(Debug)]
pub struct ForecastDialog {
    clock: ClockId,
    title: String,
    note: String,
    told: Told,
}

/// What there is to be told; worked out when the table changes, not when it is drawn.
#[derive(Clone, Debug)]
struct Told {
    prospect: Result<Prospect, Unforeseen>,
    race: Option<Result<RaceProspect, Unforeseen>>,
    by: String,
}

const WIDTH: u16 = 66;
/// Columns before the curve.
const SCALE: u16 = 7;

impl ForecastDialog {
    /// Opens it, where the seat may know how full the clock is.
    pub fn open(clock: ClockId, seen: &SeatView<'_>) -> Option<ReadDialog<Self>> {
        Self::of(clock, seen).map(ReadDialog::new)
    }

    fn of(clock: ClockId, seen: &SeatView<'_>) -> Option<Self> {
        let known = seen.clock(clock)?;
        let told = Told::of(clock, seen)?;
        Some(Self {
            clock,
            title: known.clock.name.clone(),
            note: format!("{} of {}", known.clock.filled, known.clock.segments.count()),
            told,
        })
    }

    fn blocks(&self, width: u16, look: Look<'_>) -> Vec<Block> {
        let mut blocks = Vec::new();
        match &self.told.prospect {
            Ok(prospect) => tell(prospect, &self.told.by, (width, look), &mut blocks),
            Err(why) => blocks.push(Block::words(Role::Warning, capital(why))),
        }
        if let Some(race) = &self.told.race {
            blocks.push(Block::Gap);
            blocks.push(Block::words(
                Role::Heading,
                "Who is first, a roll each a round",
            ));
            match race {
                Ok(race) => tell_race(race, self.clock, look, &mut blocks),
                Err(why) => blocks.push(Block::words(Role::Muted, capital(why))),
            }
        }
        blocks
    }
}

impl Told {
    fn of(clock: ClockId, seen: &SeatView<'_>) -> Option<Self> {
        let prospect = seen.forecast(clock)?;
        let by = prospect.as_ref().map_or_else(
            |_| String::new(),
            |prospect| match prospect.who {
                Some(who) => format!("{}, {}", prospect.check.label, seen.owner_name(Some(who))),
                None => prospect.check.label.to_owned(),
            },
        );
        Some(Self {
            prospect,
            race: seen.race_forecast(clock),
            by,
        })
    }
}

fn capital(why: &Unforeseen) -> String {
    let words = why.to_string();
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    format!("{}.", first.chain(letters).collect::<String>())
}

fn tell(prospect: &Prospect, by: &str, (width, look): (u16, Look<'_>), blocks: &mut Vec<Block>) {
    let rolls = &prospect.forecast.rolls;
    let ticks = format!(
        "Filled by {by}; a roll fills {} on average",
        decimal(&prospect.ticks.mean())
    );
    blocks.push(Block::words(Role::Muted, ticks));
    blocks.push(Block::Gap);
    if let Some(tug) = &prospect.tug {
        curve(rolls, "At the right end", (width, look), blocks);
        blocks.push(Block::Gap);
        curve(&tug.left, "At the left end", (width, look), blocks);
        return;
    }
    if prospect
        .forecast
        .mean
        .as_ref()
        .is_some_and(Fraction::is_zero)
    {
        return blocks.push(Block::words(Role::Text, "It is full already."));
    }
    if rolls.last().is_some_and(Fraction::is_zero) {
        let words = "No roll of this check ever fills it.";
        return blocks.push(Block::words(Role::Warning, words));
    }
    curve(rolls, "Full", (width, look), blocks);
    blocks.push(Block::Gap);
    let mean = prospect.forecast.mean.as_ref();
    blocks.extend(mean.map(|mean| {
        let words = format!("On average it takes {} rolls.", decimal(mean));
        Block::words(Role::Text, words)
    }));
}

/// The rows of a curve with its scale.
pub(super) fn scaled(curve: &Curve<'_>, width: u16) -> Vec<Block> {
    let side = curve.look.pick("│", "|");
    let rows = curve.rows(width).into_iter().zip(0..);
    rows.map(|(row, from_top)| {
        let scale = match from_top {
            0 => "100 % ",
            row if row == HEIGHT - 1 => "  0 % ",
            row if row == HEIGHT / 2 => " 50 % ",
            _ => "      ",
        };
        let scale = format!("{scale}{side}");
        Block::Parts(vec![(Role::Muted, scale), (Role::ClockFill, row)])
    })
    .collect()
}

/// The curve with its scale, and the numbers beneath.
fn curve(rolls: &[Fraction], what: &str, (width, look): (u16, Look<'_>), blocks: &mut Vec<Block>) {
    let chances: Vec<f64> = rolls.iter().map(Fraction::to_f64).collect();
    let room = width.saturating_sub(SCALE);
    let curve = Curve {
        chances: &chances,
        look,
    };
    blocks.extend(scaled(&curve, room));
    let feet = format!("{}{}", " ".repeat(SCALE.into()), curve.feet(room));
    blocks.push(Block::Parts(vec![(Role::Muted, feet)]));
    blocks.push(Block::Gap);
    let cells: Vec<String> = rolls
        .iter()
        .zip(1..)
        .map(|(chance, roll)| format!("{roll:>3} {:>7}", chance.percent()))
        .collect();
    let in_row = usize::from((width / 13).max(1));
    let head = format!("{what}, after so many rolls");
    blocks.push(Block::words(Role::Heading, head));
    for row in cells.chunks(in_row) {
        blocks.push(Block::Parts(vec![(Role::Text, row.join("  "))]));
    }
}

fn tell_race(race: &RaceProspect, own: ClockId, look: Look<'_>, blocks: &mut Vec<Block>) {
    let names = race.places.iter().map(|place| columns(&place.name));
    let widest = names.max().unwrap_or(0).clamp(5, 30);
    let mut line = |name: &str, chance: f64, role: Role| {
        let name = look.fit(name, widest);
        let pad = usize::from(widest - columns(&name));
        let bar = look.pick("█", "#").repeat(bar_of(chance));
        blocks.push(Block::Parts(vec![
            (role, format!("{name}{}", " ".repeat(pad))),
            (Role::Text, format!("{:>7.1} %  ", chance * 100.0)),
            (Role::ClockFill, bar),
        ]));
    };
    for place in &race.places {
        let role = if place.clock == own {
            Role::Heading
        } else {
            Role::Text
        };
        line(&place.name, place.chance, role);
    }
    line("a tie", race.race.tie, Role::Muted);
}

/// Twentieths of a chance.
fn bar_of(chance: f64) -> usize {
    (0..=20_u8)
        .rev()
        .find(|part| f64::from(*part) <= chance * 20.0 + 0.5)
        .map_or(0, usize::from)
}

fn decimal(number: &Fraction) -> String {
    let words = format!("{:.1}", number.to_f64());
    match words.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => words,
    }
}

impl Readable for ForecastDialog {
    fn on_change(&mut self, seen: &SeatView<'_>) {
        // What is hidden or gone by now is not foretold any longer, and what was told stays as it was.
        if let Some(now) = Self::of(self.clock, seen) {
            *self = now;
        }
    }

    fn read(&self, _seen: &SeatView<'_>, canvas: &Canvas<'_>) -> Shown {
        let width = WIDTH.min(canvas.area.width.saturating_sub(4));
        Shown {
            title: self.title.clone(),
            note: self.note.clone(),
            blocks: self.blocks(width, canvas.look),
            width: WIDTH,
        }
    }
}
