//! The dice and the luck of everyone, as the log has them: one person at a time, with small plots.

use ratatui::layout::Rect;

use crate::dialog::forecast::scaled;
use crate::dialog::{Block, Canvas, Dialog, DialogAction, DialogSpec, Form, Row};
use crate::theme::Role;
use crate::widget::curve::{Curve, column_part};
use tableside_dice::float;
use tableside_table::{DieFigures, Figures, SeatView};
use tableside_text::pluralise;

struct StatisticsDialog;

/// Columns that the figures want.
const WIDTH: u16 = 72;
/// So many of the last rolls are drawn as a curve, and in so many columns.
const LAST: usize = 600;
const CURVE: u16 = 64;
/// Below this, a deviation of the dice would seldom come by chance.
const SELDOM: f64 = 0.01;

fn name(figures: &Figures) -> &str {
    match figures.who.as_str() {
        "" => "Nobody in particular",
        who => who,
    }
}

/// The figures of everybody, and of each.
pub fn statistics_form(view: &SeatView<'_>) -> Dialog {
    let form = Form::new("Dice and luck", Vec::new()).with_width(WIDTH);
    Dialog::new(form, StatisticsDialog, view)
}

/// The figures of everybody together, or of one.
fn told(whose: usize, view: &SeatView<'_>, area: Rect) -> Vec<Block> {
    let statistics = view.statistics();
    if statistics.all.rolls == 0 {
        // What came before the game was opened is counted after its first frame.
        let is_counting = statistics.from > 1 && view.rolls() > 0;
        let words = if is_counting {
            "The rolls are being counted …"
        } else {
            "Nobody has rolled yet: r rolls."
        };
        return vec![Block::words(Role::Muted, words)];
    }
    let mut blocks = Vec::new();
    if statistics.from > 1 {
        let words = match view.tag(statistics.from).as_str() {
            "" => "The oldest rolls are not counted yet.".to_owned(),
            tag => format!("From entry {tag} on; what came before is not counted."),
        };
        blocks.extend([Block::words(Role::Muted, words), Block::Gap]);
    }
    let one = whose.checked_sub(1).and_then(|at| statistics.each.get(at));
    let figures = one.unwrap_or(&statistics.all);
    // Plots give way to words where there is little room.
    let rows = match area.height {
        0..20 => 2,
        20..34 => 3,
        _ => 5,
    };
    blocks.push(luck(figures));
    curve(one, view, &mut blocks);
    for (nth, die) in figures.dice.iter().enumerate() {
        blocks.push(Block::Gap);
        if nth == 0 {
            let words = "Each face: left how often it fell, right how often it was due";
            blocks.push(Block::words(Role::Muted, words));
        }
        dice(die, rows, &mut blocks);
    }
    checks(figures, &mut blocks);
    blocks
}

/// How lucky somebody was, in words.
fn luck(figures: &Figures) -> Block {
    let rolls = pluralise(figures.rolls, "roll");
    let Some(luck) = figures.luck else {
        return Block::words(Role::Text, format!("{rolls}."));
    };
    let away = (luck.mean - 0.5).abs() / luck.deviation.max(f64::EPSILON);
    let word = match (away < 1.0, luck.mean > 0.5) {
        (true, _) => "as chance has it",
        (false, true) => "luckier than most",
        (false, false) => "unluckier than most",
    };
    let (mean, chance) = (luck.mean * 100.0, luck.deviation * 100.0);
    let words =
        format!("{rolls}; luck {mean:.0} of 100, {word} (chance alone moves it by {chance:.0}).");
    Block::words(Role::Text, words)
}

/// The luck of the last rolls, one after the other.
fn curve(one: Option<&Figures>, view: &SeatView<'_>, blocks: &mut Vec<Block>) {
    let luck = |entry: &tableside_table::Entry| {
        // A roll that was read again counts as it is now.
        let is_read = view.replaced_by(entry.number).is_none();
        let roll = entry.event.what.resolved().filter(|_| is_read)?;
        let is_theirs = match one {
            None => true,
            Some(one) if one.id.is_some() => roll.id == one.id,
            Some(one) => roll.id.is_none() && roll.who == one.who,
        };
        roll.luck.filter(|_| is_theirs)
    };
    let last = view.log().filter_map(|entry| luck(&entry)).take(LAST);
    let last = last.map(|per_mille| float(u64::from(per_mille)) / 1000.0);
    let mut last: Vec<f64> = last.collect();
    if last.len() < 2 {
        return;
    }
    last.reverse();
    blocks.push(Block::Gap);
    let count = last.len();
    let words = format!("Luck over the last {count} rolls, the newest at the right");
    blocks.push(Block::words(Role::Heading, words));
    // Where there are more than columns, neighbours are taken together.
    let together = last.chunks(last.len().div_ceil(CURVE.into()));
    let mean = |some: &[f64]| some.iter().sum::<f64>() / some.iter().map(|_| 1.0).sum::<f64>();
    let chances: Vec<f64> = together.map(mean).collect();
    blocks.extend(scaled(&Curve(&chances), CURVE));
}

/// How often each face fell, beside how often it was due.
fn dice(die: &DieFigures, rows: u16, blocks: &mut Vec<Block>) {
    let test = match &die.test {
        Some(test) if test.p < SELDOM => format!("p = {:.3}, seldom by chance", test.p),
        Some(test) => format!("p = {:.2}, as chance has it", test.p),
        None => "too few to tell".to_owned(),
    };
    blocks.push(Block::Parts(vec![
        (Role::Heading, format!("{}  ", die.die)),
        (Role::Text, format!("{} thrown", die.thrown)),
        (Role::Muted, format!(", {:.1} of each due; {test}", die.due)),
    ]));
    let most = die.faces.iter().map(|(_, fell)| float(*fell));
    let most = most.fold(die.due, f64::max).max(f64::EPSILON);
    for below in (0..rows).rev() {
        let column = |value: f64| column_part(value / most, below, rows);
        let pairs = die.faces.iter().flat_map(|(_, fell)| {
            let fell = (Role::Info, format!(" {}", column(float(*fell))));
            [fell, (Role::Border, column(die.due).to_owned())]
        });
        let parts = [(Role::Muted, " ".to_owned())].into_iter().chain(pairs);
        blocks.push(Block::Parts(parts.collect()));
    }
    let names = die.faces.iter().map(|(face, _)| format!("{face:>2} "));
    let names = format!("  {}", names.collect::<String>());
    blocks.push(Block::Parts(vec![(Role::Muted, names)]));
}

fn checks(figures: &Figures, blocks: &mut Vec<Block>) {
    blocks.extend((!figures.checks.is_empty()).then_some(Block::Gap));
    for check in &figures.checks {
        let outcomes = check.outcomes.iter().filter(|(_, times)| *times > 0);
        let words: Vec<String> = outcomes
            .map(|(outcome, times)| format!("{} {times}", check.check.outcome(*outcome).label))
            .collect();
        let words = format!("{}: {}", check.check.label, words.join(", "));
        blocks.push(Block::words(Role::Muted, words));
    }
}

impl DialogSpec for StatisticsDialog {
    fn needs_whole_log(&self) -> bool {
        true
    }

    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        let statistics = view.statistics();
        let names = std::iter::once("Everybody").chain(statistics.each.iter().map(name));
        let row = Row::choice("whose", "Whose", names, 0);
        form.lay_out(vec![row.help("Whose rolls these are.")]);
    }

    /// There is nothing to be done.
    fn submit(&mut self, _form: &mut Form, _view: &SeatView<'_>) -> Result<DialogAction, String> {
        Ok(DialogAction::Close)
    }

    fn blocks(&self, form: &Form, view: &SeatView<'_>, canvas: &Canvas<'_>) -> Vec<Block> {
        told(form.choice("whose"), view, canvas.area)
    }
}
