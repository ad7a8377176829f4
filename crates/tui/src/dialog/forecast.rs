//! When a clock will be full, as a curve and in numbers; of a race, who is first.

use crate::dialog::{Block, Canvas, Dialog, DialogSpec, Form};
use crate::theme::Role;
use crate::widget::curve::{Curve, HEIGHT};
use crate::widget::{Appearance, columns};
use tableside_dice::{Fraction, percent};
use tableside_game::{ClockForecast, ClockId, NoForecast, sentence};
use tableside_rules::Race;
use tableside_table::SeatView;
use tableside_text::join;

/// When a clock will be full; worked out when the table changes, not when it is drawn.
pub struct ForecastDialog {
    clock: ClockId,
    prospect: Result<ClockForecast, NoForecast>,
    race: Option<Result<Race, NoForecast>>,
    /// Whether that is two beside each other, and no race.
    is_pair: bool,
    /// The clocks of the race, in the order of its chances.
    runners: Vec<(ClockId, String)>,
    /// The check that fills it, and who makes it.
    by: String,
}

const WIDTH: u16 = 66;
/// Columns before the curve.
const SCALE: u16 = 7;

impl ForecastDialog {
    /// Opens it, where the seat may know how full the clock is.
    pub fn open(clock: ClockId, view: &SeatView<'_>) -> Option<Dialog> {
        let form = Form::new("", Vec::new()).with_width(WIDTH);
        Some(Dialog::new(form, Self::of(clock, view)?, view))
    }

    fn of(clock: ClockId, view: &SeatView<'_>) -> Option<Self> {
        let prospect = view.forecast(clock)?;
        let one = view.clock(clock)?.clock;
        let by = prospect.as_ref().map(|prospect| {
            let who = prospect
                .who
                .map(|who| view.owner_name(Some(who)).to_owned());
            let fields = one.check.iter().flat_map(|check| &check.fields);
            let fields = fields.map(|(name, given)| format!("{name} {given}"));
            let label = prospect.by.label().to_owned();
            join([label].into_iter().chain(who).chain(fields), ", ")
        });
        let runners = view.runners(one).into_iter();
        Some(Self {
            clock,
            runners: runners.map(|one| (one.id, one.name.clone())).collect(),
            by: by.unwrap_or_default(),
            prospect,
            race: view.race_forecast(clock),
            is_pair: view.race(one).is_empty(),
        })
    }

    fn tell(&self, prospect: &ClockForecast, width: u16) -> Vec<Block> {
        let rolls = &prospect.forecast.rolls;
        let mean = prospect.forecast.mean;
        let ticks = decimal(prospect.ticks.mean().to_f64().value());
        let unit = prospect.by.unit();
        let told = [
            format!("Filled by {}", self.by),
            format!("A {unit} fills {ticks} on average"),
        ];
        let mut blocks = told.map(|words| Block::words(Role::Muted, words)).to_vec();
        blocks.push(Block::Gap);
        if let Some(tug) = &prospect.tug {
            curve(rolls, "At the right end", width, &mut blocks);
            blocks.push(Block::Gap);
            curve(&tug.left, "At the left end", width, &mut blocks);
        } else if mean == Some(0.0) {
            blocks.push(Block::words(Role::Text, "It is full already."));
        } else if rolls.last().is_some_and(Fraction::is_zero) {
            let words = format!("No {unit} ever fills it.");
            blocks.push(Block::words(Role::Warning, words));
        } else {
            curve(rolls, "Full", width, &mut blocks);
            blocks.push(Block::Gap);
            blocks.extend(mean.map(|mean| {
                let words = format!("On average it takes {} {unit}s.", decimal(mean));
                Block::words(Role::Text, words)
            }));
        }
        blocks
    }

    fn tell_race(&self, race: &Race, look: Appearance<'_>) -> Vec<Block> {
        let places = self.runners.iter().zip(&race.wins);
        let places = places.map(|((clock, name), chance)| {
            let is_own = *clock == self.clock;
            let role = if is_own { Role::Heading } else { Role::Text };
            (name.as_str(), *chance, role)
        });
        let places: Vec<_> = places.chain([("a tie", race.tie, Role::Muted)]).collect();
        let widest = places.iter().map(|(name, ..)| columns(name)).max();
        let widest = widest.unwrap_or(0).min(30);
        let line = |(name, chance, role): (&str, f64, Role)| {
            let name = look.fit(name, widest);
            let pad = " ".repeat((widest - columns(&name)).into());
            Block::Parts(vec![
                (role, format!("{name}{pad}")),
                (Role::Text, format!("{:>7.1} %", chance * 100.0)),
            ])
        };
        places.into_iter().map(line).collect()
    }
}

/// The rows of a curve with its scale.
pub(super) fn scaled(curve: &Curve<'_>, width: u16) -> Vec<Block> {
    let rows = curve.rows(width).into_iter().zip(0..);
    rows.map(|(row, from_top)| {
        let scale = match from_top {
            0 => "100 % ",
            row if row == HEIGHT - 1 => "  0 % ",
            row if row == HEIGHT / 2 => " 50 % ",
            _ => "      ",
        };
        let scale = format!("{scale}│");
        Block::Parts(vec![(Role::Muted, scale), (Role::ClockFill, row)])
    })
    .collect()
}

/// The curve with its scale, and the numbers beneath.
fn curve(rolls: &[Fraction], what: &str, width: u16, blocks: &mut Vec<Block>) {
    let chances: Vec<f64> = rolls.iter().map(|chance| chance.to_f64().value()).collect();
    let room = width.saturating_sub(SCALE);
    let curve = Curve(&chances);
    blocks.extend(scaled(&curve, room));
    let feet = format!("{}{}", " ".repeat(SCALE.into()), curve.feet(room));
    blocks.push(Block::Parts(vec![(Role::Muted, feet)]));
    blocks.push(Block::Gap);
    let head = format!("{what}, after so many rolls");
    blocks.push(Block::words(Role::Heading, head));
    let cells = rolls.iter().zip(1..);
    let cells = cells.map(|(chance, roll)| format!("{roll:>3} {:>7}", percent(chance)));
    let cells: Vec<String> = cells.collect();
    for row in cells.chunks(usize::from((width / 13).max(1))) {
        blocks.push(Block::Parts(vec![(Role::Text, row.join("  "))]));
    }
}

fn decimal(number: f64) -> String {
    let words = format!("{number:.1}");
    // Nothing, from below, is nothing.
    let words = words.strip_suffix(".0").unwrap_or(&words);
    if words == "-0" { "0" } else { words }.replace('-', "−")
}

impl DialogSpec for ForecastDialog {
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        if let Some(known) = view.clock(self.clock) {
            let clock = known.clock;
            form.title.clone_from(&clock.name);
            form.note = format!("{} of {}", clock.filled, clock.segments.count());
        }
    }

    fn on_change(&mut self, _form: &mut Form, view: &SeatView<'_>) -> Option<Dialog> {
        // What is hidden or gone by now is not foretold any longer, and what was told stays as it was.
        if let Some(now) = Self::of(self.clock, view) {
            *self = now;
        }
        None
    }

    fn blocks(&self, _form: &Form, _view: &SeatView<'_>, canvas: &Canvas<'_>) -> Vec<Block> {
        let (look, width) = (canvas.look, WIDTH.min(canvas.area.width.saturating_sub(4)));
        let mut blocks = match &self.prospect {
            Ok(prospect) => self.tell(prospect, width),
            Err(why) => vec![Block::words(Role::Warning, sentence(&why.to_string()))],
        };
        if let Some(race) = &self.race {
            let heading = if self.is_pair {
                "Which is first, when a roll counts for both"
            } else {
                "Who is first, a roll each a round"
            };
            blocks.extend([Block::Gap, Block::words(Role::Heading, heading)]);
            match race {
                Ok(race) => blocks.extend(self.tell_race(race, look)),
                Err(why) => blocks.push(Block::words(Role::Muted, sentence(&why.to_string()))),
            }
        }
        blocks
    }
}
