//! The statistics of dice and luck, for all rolls or for the rolls of one character.

use ratatui::layout::Rect;

use crate::dialog::forecast::scaled;
use crate::dialog::{Block, Canvas, Dialog, DialogAction, DialogSpec, Form, Row, StyledText};
use crate::theme::Role;
use crate::widget::curve::{Curve, column_part};
use tableside_dice::float;
use tableside_game::Roll;
use tableside_table::{CheckFigures, DieFigures, Figures, Luck, SeatView};
use tableside_text::{join, pluralise};

/// The width of the dialog, in columns.
const WIDTH: u16 = 72;

/// The number of the last rolls that the curve shows.
const LAST_ROLLS: usize = 600;

/// The width of the curve, in columns.
const CURVE_WIDTH: u16 = 64;

/// Faces are called rare if their deviation has a smaller probability than this.
const RARE: f64 = 0.01;

struct StatisticsDialog;

pub fn statistics_form(view: &SeatView<'_>) -> Dialog {
    let form = Form::empty("Dice and luck").with_width(WIDTH);
    Dialog::new(form, StatisticsDialog, view)
}

fn label_of(figures: &Figures) -> &str {
    if figures.who.is_empty() {
        "No character"
    } else {
        &figures.who
    }
}

/// Returns the figures as blocks: of one roller, or of all rolls if `roller` is 0.
fn figure_blocks(roller: usize, canvas: &Canvas<'_>, view: &SeatView<'_>) -> Vec<Block> {
    let statistics = view.statistics();
    if statistics.all.rolls == 0 {
        // The rolls of earlier sessions are counted after the first frame.
        let is_counting = statistics.from > 1 && view.rolls() > 0;
        let message = if is_counting {
            "Counting rolls …"
        } else {
            "No rolls yet. ⟨everywhere.roll⟩ rolls."
        };
        return vec![Block::muted(canvas.keys.fill_in(message))];
    }

    let area = canvas.area;
    let mut blocks = Vec::new();
    if statistics.from > 1 {
        let note = match view.tag(statistics.from).as_str() {
            "" => "The oldest rolls are not counted yet.".to_owned(),
            tag => format!("From entry {tag} on. Earlier rolls are not counted."),
        };
        blocks.push(Block::muted(note));
        blocks.push(Block::Gap);
    }

    let roller_index = roller.checked_sub(1);
    let roller_figures = roller_index.and_then(|index| statistics.each.get(index));
    let figures = roller_figures.unwrap_or(&statistics.all);
    blocks.push(luck_block(figures));
    blocks.extend(curve_blocks(roller_figures, view));
    blocks.extend(dice_blocks(&figures.dice, plot_height(area)));
    if !figures.checks.is_empty() {
        blocks.push(Block::Gap);
        blocks.extend(figures.checks.iter().map(check_block));
    }
    blocks
}

/// Returns the height of the plot of a die. On a low screen, plots are low too, so that the text fits.
fn plot_height(area: Rect) -> u16 {
    match area.height {
        0..20 => 2,
        20..34 => 3,
        _ => 5,
    }
}

/// Describes the mean luck of the rolls in a sentence.
fn luck_block(figures: &Figures) -> Block {
    let rolls = pluralise(figures.rolls, "roll");
    let text = match figures.luck {
        Some(luck) => {
            let percent = luck.mean * 100.0;
            let deviation = luck.deviation * 100.0;
            let rating = rate_luck(luck);
            format!(
                "{rolls}; luck {percent:.0} of 100, {rating} (standard deviation {deviation:.0})."
            )
        }
        None => format!("{rolls}."),
    };
    Block::text(text)
}

fn rate_luck(luck: Luck) -> &'static str {
    let distance = (luck.mean - 0.5).abs();
    let deviations = distance / luck.deviation.max(f64::EPSILON);
    if deviations < 1.0 {
        "as expected"
    } else if luck.mean > 0.5 {
        "luckier than most"
    } else {
        "unluckier than most"
    }
}

/// Returns the luck of the last rolls as a curve. `figures` is `None` for all rolls.
fn curve_blocks(figures: Option<&Figures>, view: &SeatView<'_>) -> Vec<Block> {
    let mut values = last_luck(figures, view);
    if values.len() < 2 {
        return Vec::new();
    }
    values.reverse();

    let count = values.len();
    let heading = format!("Luck over the last {count} rolls, the newest at the right");
    let mut blocks = vec![Block::Gap, Block::heading(heading)];
    // If there are more rolls than columns, each column shows the mean of several rolls.
    let rolls_per_column = count.div_ceil(CURVE_WIDTH.into());
    let means: Vec<f64> = values.chunks(rolls_per_column).map(mean).collect();
    blocks.extend(scaled(&Curve(&means), CURVE_WIDTH));
    blocks
}

fn mean(values: &[f64]) -> f64 {
    let mut sum = 0.0;
    let mut count = 0.0;
    for value in values {
        sum += value;
        count += 1.0;
    }
    sum / count
}

/// Lists the luck of the last rolls from 0 to 1, the newest first.
fn last_luck(figures: Option<&Figures>, view: &SeatView<'_>) -> Vec<f64> {
    let mut values = Vec::new();
    for entry in view.log() {
        if values.len() == LAST_ROLLS {
            break;
        }
        // An amended roll counts as the entry that replaced it.
        if view.replaced_by(entry.number).is_some() {
            continue;
        }

        if let Some(roll) = entry.event.what.resolved()
            && let Some(per_mille) = roll.luck
            && counts_for(roll, figures)
        {
            values.push(float(u64::from(per_mille)) / 1000.0);
        }
    }
    values
}

/// Returns true if a roll belongs to these figures.
fn counts_for(roll: &Roll, figures: Option<&Figures>) -> bool {
    match figures {
        None => true,
        Some(figures) if figures.id.is_some() => roll.id == figures.id,
        Some(figures) => roll.id.is_none() && roll.who == figures.who,
    }
}

/// Compares how often each face of each die was rolled with how often it is expected.
fn dice_blocks(dice: &[DieFigures], plot_height: u16) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (index, die) in dice.iter().enumerate() {
        blocks.push(Block::Gap);
        if index == 0 {
            let legend = "Each face: rolls on the left, expected rolls on the right";
            blocks.push(Block::muted(legend));
        }

        blocks.push(die_heading(die));
        for row in (0..plot_height).rev() {
            blocks.push(die_plot_row(die, row, plot_height));
        }
        blocks.push(face_names(die));
    }
    blocks
}

fn die_heading(die: &DieFigures) -> Block {
    let test = match &die.test {
        Some(test) if test.p < RARE => format!("p = {:.3}, seldom by chance", test.p),
        Some(test) => format!("p = {:.2}, as expected", test.p),
        None => "too few to tell".to_owned(),
    };
    let expected = format!(", {:.1} of each expected; {test}", die.due);
    Block::Parts(vec![
        (Role::Heading, format!("{}  ", die.die)),
        (Role::Text, format!("{} thrown", die.thrown)),
        (Role::Muted, expected),
    ])
}

/// Returns a row of the plot of a die. Row 0 is the lowest.
fn die_plot_row(die: &DieFigures, row: u16, plot_height: u16) -> Block {
    let highest_count = die
        .faces
        .iter()
        .map(|(_, count)| float(*count))
        .fold(die.due, f64::max)
        .max(f64::EPSILON);
    let column = |count: f64| column_part(count / highest_count, row, plot_height);

    let mut parts: Vec<StyledText> = vec![(Role::Muted, " ".to_owned())];
    for (_, count) in &die.faces {
        let rolled = column(float(*count));
        parts.push((Role::Info, format!(" {rolled}")));
        parts.push((Role::Border, column(die.due).to_owned()));
    }
    Block::Parts(parts)
}

fn face_names(die: &DieFigures) -> Block {
    let mut names = "  ".to_owned();
    for (face, _) in &die.faces {
        names += &format!("{face:>2} ");
    }
    Block::Parts(vec![(Role::Muted, names)])
}

/// Lists the number of times that each outcome of a check occurred.
fn check_block(figures: &CheckFigures) -> Block {
    let mut counts = Vec::new();
    for (outcome, count) in &figures.outcomes {
        if *count > 0 {
            let label = figures.check.outcome(*outcome).label;
            counts.push(format!("{label} {count}"));
        }
    }
    let text = format!("{}: {}", figures.check.label, join(counts, ", "));
    Block::muted(text)
}

impl DialogSpec for StatisticsDialog {
    fn needs_whole_log(&self) -> bool {
        true
    }

    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        let statistics = view.statistics();
        let mut labels = vec!["Everybody"];
        labels.extend(statistics.each.iter().map(label_of));
        let row = Row::choice("whose", "Whose", labels, 0).by_typing();
        form.lay_out(vec![row.help("The character whose rolls are counted.")]);
    }

    /// Closes the dialog, which only shows figures.
    fn submit(&mut self, _form: &mut Form, _view: &SeatView<'_>) -> Result<DialogAction, String> {
        Ok(DialogAction::Close)
    }

    fn blocks(&self, form: &Form, view: &SeatView<'_>, canvas: &Canvas<'_>) -> Vec<Block> {
        figure_blocks(form.choice("whose"), canvas, view)
    }
}
