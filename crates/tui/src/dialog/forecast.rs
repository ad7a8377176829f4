//! The forecast of a clock: when it will be full, as a curve and in numbers, and the winner of a race.

use crate::dialog::{Block, Canvas, Dialog, DialogSpec, Form};
use crate::theme::Role;
use crate::widget::curve::{Curve, HEIGHT};
use crate::widget::{Appearance, columns};
use tableside_dice::{Fraction, percent};
use tableside_game::{Clock, ClockForecast, ClockId, NoForecast, sentence};
use tableside_rules::Race;
use tableside_table::SeatView;
use tableside_text::join;

/// The width of the dialog, in columns.
const WIDTH: u16 = 66;

/// The width of the scale before the curve, in columns.
const SCALE_COLUMNS: u16 = 7;

/// The width of a number beneath the curve, in columns.
const CELL_COLUMNS: u16 = 13;

/// The maximum width of a clock's name in a race, in columns.
const MAX_NAME_COLUMNS: u16 = 30;

/// The forecast of a clock. It is computed when the game changes, not when it is drawn.
pub struct ForecastDialog {
    clock: ClockId,
    forecast: Result<ClockForecast, NoForecast>,
    race: Option<Result<Race, NoForecast>>,
    /// True if `race` compares two paired clocks that the same roll fills.
    is_pair: bool,
    /// The clocks of the race, in the order of its chances.
    runners: Vec<Runner>,
    /// The check that fills the clock, and its character and values.
    filled_by: String,
}

/// A clock in a race.
struct Runner {
    clock: ClockId,
    name: String,
}

/// A line of the table of a race.
struct Place<'a> {
    name: &'a str,
    chance: f64,
    role: Role,
}

impl ForecastDialog {
    /// Opens the forecast, if the fill of the clock is visible to this seat.
    pub fn open(clock: ClockId, view: &SeatView<'_>) -> Option<Dialog> {
        let form = Form::empty("").with_width(WIDTH);
        Some(Dialog::new(form, Self::of(clock, view)?, view))
    }

    fn of(id: ClockId, view: &SeatView<'_>) -> Option<Self> {
        let forecast = view.forecast(id)?;
        let clock = view.clock(id)?.clock;
        let filled_by = match &forecast {
            Ok(forecast) => describe_source(forecast, clock, view),
            Err(_) => String::new(),
        };
        let runners = view
            .runners(clock)
            .into_iter()
            .map(|runner| Runner {
                clock: runner.id,
                name: runner.name.clone(),
            })
            .collect();

        Some(Self {
            clock: id,
            forecast,
            race: view.race_forecast(id),
            is_pair: view.race(clock).is_empty(),
            runners,
            filled_by,
        })
    }

    fn forecast_blocks(&self, forecast: &ClockForecast, width: u16) -> Vec<Block> {
        let unit = forecast.by.unit();
        let mean_ticks = decimal(forecast.ticks.mean().to_f64().value());
        let mut blocks = vec![
            Block::muted(format!("Filled by {}", self.filled_by)),
            Block::muted(format!("A {unit} fills {mean_ticks} on average")),
            Block::Gap,
        ];

        let chances = &forecast.forecast.rolls;
        let mean_rolls = forecast.forecast.mean;
        if let Some(tug) = &forecast.tug {
            blocks.extend(chance_blocks(chances, "At the right end", width));
            blocks.push(Block::Gap);
            blocks.extend(chance_blocks(&tug.left, "At the left end", width));
            return blocks;
        }
        if mean_rolls == Some(0.0) {
            blocks.push(Block::text("The clock is already full."));
            return blocks;
        }
        if chances.last().is_some_and(Fraction::is_zero) {
            let text = format!("No {unit} can fill it.");
            blocks.push(Block::words(Role::Warning, text));
            return blocks;
        }

        blocks.extend(chance_blocks(chances, "Full", width));
        blocks.push(Block::Gap);
        if let Some(mean) = mean_rolls {
            let text = format!("On average it takes {} {unit}s.", decimal(mean));
            blocks.push(Block::text(text));
        }
        blocks
    }

    /// Returns a line for each clock of the race with its chance to be full first, and a line for a tie.
    fn race_blocks(&self, race: &Race, look: Appearance<'_>) -> Vec<Block> {
        let mut places = Vec::new();
        for (runner, chance) in self.runners.iter().zip(&race.wins) {
            let role = if runner.clock == self.clock {
                Role::Heading
            } else {
                Role::Text
            };
            places.push(Place {
                name: &runner.name,
                chance: *chance,
                role,
            });
        }
        places.push(Place {
            name: "a tie",
            chance: race.tie,
            role: Role::Muted,
        });

        let widest_name = places.iter().map(|place| columns(place.name)).max();
        let name_columns = widest_name.unwrap_or(0).min(MAX_NAME_COLUMNS);
        let mut blocks = Vec::new();
        for place in places {
            let name = look.fit(place.name, name_columns);
            let padding = " ".repeat((name_columns - columns(&name)).into());
            blocks.push(Block::Parts(vec![
                (place.role, format!("{name}{padding}")),
                (Role::Text, format!("{:>7.1} %", place.chance * 100.0)),
            ]));
        }
        blocks
    }
}

/// Describes the check that fills a clock, its character and its values.
fn describe_source(forecast: &ClockForecast, clock: &Clock, view: &SeatView<'_>) -> String {
    let mut parts = vec![forecast.by.label().to_owned()];
    if let Some(character) = forecast.who {
        parts.push(view.owner_name(Some(character)).to_owned());
    }
    if let Some(check) = &clock.check {
        for (name, value) in &check.fields {
            parts.push(format!("{name} {value}"));
        }
    }
    join(parts, ", ")
}

/// Returns the rows of a curve with a scale from 0 to 100 %.
pub(super) fn scaled(curve: &Curve<'_>, width: u16) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (row, from_top) in curve.rows(width).into_iter().zip(0..) {
        let scale = match from_top {
            0 => "100 % ",
            from_top if from_top == HEIGHT - 1 => "  0 % ",
            from_top if from_top == HEIGHT / 2 => " 50 % ",
            _ => "      ",
        };
        blocks.push(Block::Parts(vec![
            (Role::Muted, format!("{scale}│")),
            (Role::ClockFill, row),
        ]));
    }
    blocks
}

/// Returns the curve of the chances after 1, 2, 3, … rolls, and the numbers beneath it.
fn chance_blocks(chances: &[Fraction], label: &str, width: u16) -> Vec<Block> {
    let values: Vec<f64> = chances
        .iter()
        .map(|chance| chance.to_f64().value())
        .collect();
    let curve = Curve(&values);
    let curve_width = width.saturating_sub(SCALE_COLUMNS);

    let mut blocks = scaled(&curve, curve_width);
    let indent = " ".repeat(SCALE_COLUMNS.into());
    let axis = format!("{indent}{}", curve.feet(curve_width));
    blocks.push(Block::Parts(vec![(Role::Muted, axis)]));
    blocks.push(Block::Gap);

    let heading = format!("{label}, by number of rolls");
    blocks.push(Block::heading(heading));
    let cells: Vec<String> = chances
        .iter()
        .zip(1..)
        .map(|(chance, roll)| format!("{roll:>3} {:>7}", percent(chance)))
        .collect();
    let cells_in_line = usize::from((width / CELL_COLUMNS).max(1));
    for line in cells.chunks(cells_in_line) {
        blocks.push(Block::Parts(vec![(Role::Text, line.join("  "))]));
    }
    blocks
}

/// Formats a number with at most one decimal.
fn decimal(number: f64) -> String {
    let text = format!("{number:.1}");
    let without_zero = text.strip_suffix(".0").unwrap_or(&text);
    match without_zero {
        "-0" => "0".to_owned(),
        text => text.replace('-', "−"),
    }
}

impl DialogSpec for ForecastDialog {
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        if let Some(clock_view) = view.clock(self.clock) {
            let clock = clock_view.clock;
            form.title.clone_from(&clock.name);
            form.caption.note = format!("{} of {}", clock.filled, clock.segments.count());
        }
    }

    /// Updates the forecast. If the clock is hidden or removed, the last forecast stays.
    fn on_change(&mut self, _form: &mut Form, view: &SeatView<'_>) -> Option<Dialog> {
        if let Some(updated) = Self::of(self.clock, view) {
            *self = updated;
        }
        None
    }

    fn blocks(&self, _form: &Form, _view: &SeatView<'_>, canvas: &Canvas<'_>) -> Vec<Block> {
        let width = WIDTH.min(canvas.area.width.saturating_sub(4));
        let mut blocks = match &self.forecast {
            Ok(forecast) => self.forecast_blocks(forecast, width),
            Err(reason) => vec![Block::words(Role::Warning, sentence(&reason.to_string()))],
        };

        let Some(race) = &self.race else {
            return blocks;
        };
        let heading = if self.is_pair {
            "Which fills first, if each roll counts for both"
        } else {
            "Which fills first, with one roll each per round"
        };
        blocks.push(Block::Gap);
        blocks.push(Block::heading(heading));
        match race {
            Ok(race) => blocks.extend(self.race_blocks(race, canvas.look)),
            Err(reason) => blocks.push(Block::muted(sentence(&reason.to_string()))),
        }
        blocks
    }
}
