//! The chances of the outcomes of a roll, as one bar with labels.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget;

use crate::theme::Role;
use crate::widget::{Appearance, after, below, columns, in_rows, join, left, row};

/// One outcome and its chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance<'a> {
    /// The name of the outcome.
    pub label: &'a str,
    /// The chance, 0 to 1.
    pub share: f64,
    pub role: Role,
    /// The sign of the outcome's tone.
    pub sign: &'static str,
}

impl Chance<'_> {
    fn is_possible(&self) -> bool {
        self.share > 0.0
    }
}

/// The chances of all outcomes as one bar, with labels below it.
#[derive(Clone, Copy, Debug)]
pub struct OddsBar<'a> {
    /// The outcomes, from one end of the bar to the other.
    pub chances: &'a [Chance<'a>],
    pub look: Appearance<'a>,
}

impl OddsBar<'_> {
    /// Returns the number of rows that the bar and its labels need at this width.
    pub fn height(&self, width: u16) -> u16 {
        if self.labels_fit_below(&self.cells(width)) {
            return 2;
        }

        let below_bar = Rect::new(0, 1, width, u16::MAX - 1);
        match self.places(below_bar).last() {
            Some(last_place) => last_place.bottom(),
            None => 2,
        }
    }

    fn cells(&self, width: u16) -> Vec<u16> {
        let chances = self.chances.iter();
        let shares: Vec<f64> = chances.map(|chance| chance.share).collect();
        apportion(&shares, width)
    }

    /// Returns true if each label fits below its part of the bar, with a blank before the next one.
    fn labels_fit_below(&self, cells: &[u16]) -> bool {
        let last_index = self.chances.iter().rposition(Chance::is_possible);
        for (index, chance) in self.chances.iter().enumerate() {
            if !chance.is_possible() {
                continue;
            }
            let blank = u16::from(Some(index) != last_index);
            if columns(&label_text(chance)) + blank > cells[index] {
                return false;
            }
        }
        true
    }

    /// Returns the fills and chances of the possible outcomes, without names.
    pub fn in_short(&self) -> Line<'static> {
        let mut parts = Vec::new();
        for (chance, fill) in self.filled() {
            if chance.is_possible() {
                let style = self.look.style(chance.role);
                let percentage = percent(chance.share);
                let text = format!("{fill}{}{percentage}", chance.sign);
                parts.push(Line::styled(text, style));
            }
        }
        join(parts, "  ")
    }

    /// Returns each outcome with its fill.
    fn filled(&self) -> impl Iterator<Item = (&Chance<'_>, &'static str)> {
        let fills = fills(self.chances.len());
        self.chances.iter().zip(fills)
    }

    /// Returns the name and the chance of an outcome.
    fn label(&self, chance: &Chance<'_>) -> Line<'static> {
        let name = format!("{} ", chance.label);
        Line::from(vec![
            self.look.span(name, Role::Text),
            self.look.span(percent(chance.share), chance.role),
        ])
    }

    /// Returns the place of each entry of the legend.
    fn places(&self, area: Rect) -> Vec<Rect> {
        let widths = self
            .chances
            .iter()
            .filter(|chance| chance.is_possible())
            .map(|chance| columns(&label_text(chance)) + 2);
        in_rows(area, widths, 2, 1)
    }

    /// Draws the bar, and the labels below its parts if `has_labels`.
    fn draw_bar(&self, cells: &[u16], has_labels: bool, area: Rect, buffer: &mut Buffer) {
        let mut free = area;
        for ((chance, fill), width) in self.filled().zip(cells) {
            let blocks = fill.repeat(usize::from(*width));
            let bar = self.look.line(blocks, chance.role);
            self.look.put(&bar, free, buffer);
            if has_labels {
                let label = self.label(chance);
                let label_area = left(row(free, 1), *width);
                self.look.put(&label, label_area, buffer);
            }
            free = after(free, *width);
        }
    }

    /// Draws the fill and the label of each possible outcome.
    fn draw_legend(&self, area: Rect, buffer: &mut Buffer) {
        let possible = self.filled().filter(|(chance, _)| chance.is_possible());
        for ((chance, fill), place) in possible.zip(self.places(area)) {
            let mut entry = self.look.line(fill, chance.role);
            entry.push_span(" ");
            entry.spans.extend(self.label(chance).spans);
            self.look.put(&entry, place, buffer);
        }
    }
}

/// The fills of the parts of a bar, from the best outcome to the worst. They differ without colour.
const FILLS: [&str; 8] = ["█", "▓", "▒", "░", "┆", "·", "≡", "╌"];

/// Returns fills for this number of outcomes that differ as much as possible.
fn fills(count: usize) -> impl Iterator<Item = &'static str> {
    let last_fill = count.clamp(6, FILLS.len()) - 1;
    let last_outcome = count.saturating_sub(1).max(1);
    (0..count).map(move |index| {
        let fill = index * last_fill / last_outcome;
        FILLS[fill.min(last_fill)]
    })
}

fn label_text(chance: &Chance<'_>) -> String {
    format!("{} {}", chance.label, percent(chance.share))
}

impl Widget for &OddsBar<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        if area.is_empty() {
            return;
        }

        let cells = self.cells(area.width);
        let has_labels = self.labels_fit_below(&cells);
        self.draw_bar(&cells, has_labels, area, buffer);
        if !has_labels {
            self.draw_legend(below(area, 1), buffer);
        }
    }
}

/// Formats a chance as a percentage. Chances near 0 and 1 are shown as `0.4%`, `<0.1%` or `>99.9%`, so that only 0
/// reads as `0%` and only 1 as `100%`.
pub fn percent(share: f64) -> String {
    match share * 100.0 {
        ..=0.0 => "0%".to_owned(),
        ..0.1 => "<0.1%".to_owned(),
        percent @ ..99.5 if percent >= 9.95 => format!("{percent:.0}%"),
        percent @ ..99.95 => format!("{percent:.1}%"),
        _ if share < 1.0 => ">99.9%".to_owned(),
        _ => "100%".to_owned(),
    }
}

/// The large signs of a percentage, as rows of dots. Each sign has three columns, and the point has one.
const LARGE: [(char, [u8; 5]); 14] = [
    ('0', [7, 5, 5, 5, 7]),
    ('1', [2, 6, 2, 2, 7]),
    ('2', [7, 1, 7, 4, 7]),
    ('3', [7, 1, 7, 1, 7]),
    ('4', [5, 5, 7, 1, 1]),
    ('5', [7, 4, 7, 1, 7]),
    ('6', [7, 4, 7, 5, 7]),
    ('7', [7, 1, 1, 1, 1]),
    ('8', [7, 5, 7, 5, 7]),
    ('9', [7, 5, 7, 1, 7]),
    ('%', [5, 1, 2, 4, 5]),
    ('.', [0, 0, 0, 0, 1]),
    ('<', [1, 2, 4, 2, 1]),
    ('>', [4, 2, 1, 2, 4]),
];

/// Returns a percentage in large digits: three lines, each with two rows of dots.
pub fn large_digits(percentage: &str) -> [String; 3] {
    let mut lines: [String; 3] = Default::default();
    for sign in percentage.chars() {
        let Some(dots) = large_sign(sign) else {
            continue;
        };

        let width = if sign == '.' { 1 } else { 3 };
        for (line, rows) in lines.iter_mut().zip(dots.chunks(2)) {
            let upper_row = rows[0];
            let lower_row = rows.get(1).copied().unwrap_or(0);
            for column in (0..width).rev() {
                line.push(half_blocks(upper_row, lower_row, column));
            }
            line.push(' ');
        }
    }
    lines
}

/// Returns the rows of dots of a large sign.
fn large_sign(sign: char) -> Option<[u8; 5]> {
    let mut signs = LARGE.iter();
    let (_, dots) = signs.find(|(character, _)| *character == sign)?;
    Some(*dots)
}

/// Returns the sign for two dots, one above the other. Columns are counted from the right.
fn half_blocks(upper_row: u8, lower_row: u8, column: u8) -> char {
    let is_upper_on = upper_row >> column & 1 == 1;
    let is_lower_on = lower_row >> column & 1 == 1;
    match (is_upper_on, is_lower_on) {
        (true, true) => '█',
        (true, false) => '▀',
        (false, true) => '▄',
        (false, false) => ' ',
    }
}

/// Distributes cells in proportion to the shares. Each possible outcome gets at least one cell if there are enough.
pub fn apportion(shares: &[f64], cells: u16) -> Vec<u16> {
    let total: f64 = shares.iter().sum();
    let due_cells: Vec<f64> = shares
        .iter()
        .map(|share| share / total * f64::from(cells))
        .collect();

    let mut given_cells = vec![0_u16; shares.len()];
    for _ in 0..cells {
        if let Some(index) = neediest_outcome(shares, &due_cells, &given_cells) {
            given_cells[index] += 1;
        }
    }
    given_cells
}

/// Returns the possible outcome that gets the next cell: an outcome without a cell, or else the outcome that is
/// furthest below its share.
fn neediest_outcome(shares: &[f64], due_cells: &[f64], given_cells: &[u16]) -> Option<usize> {
    let need = |index: usize| {
        let given = given_cells[index];
        let missing = due_cells[index] - f64::from(given);
        (given == 0, missing)
    };

    (0..shares.len())
        .filter(|index| shares[*index] > 0.0)
        .max_by(|a, b| {
            let order = need(*a).partial_cmp(&need(*b));
            order.expect("shares are numbers")
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widget::tests::{shown, with_looks};
    use proptest::prelude::*;
    use std::fmt::Write as _;

    const fn chance(label: &'static str, share: f64, role: Role) -> Chance<'static> {
        let sign = "";
        Chance {
            label,
            share,
            role,
            sign,
        }
    }

    const CHANCES: [Chance<'static>; 5] = [
        chance("Critical", 0.031, Role::Triumph),
        chance("Success", 0.4685, Role::Success),
        chance("At a cost", 0.25, Role::Partial),
        chance("Failure", 0.25, Role::Failure),
        chance("Fumble", 0.0005, Role::Disaster),
    ];

    #[test]
    fn odds_say_what_they_are_at_any_width() {
        with_looks(|look, name| {
            let all = OddsBar {
                chances: &CHANCES,
                look,
            };
            let two = OddsBar {
                chances: &CHANCES[1..3],
                look,
            };
            let mut text = String::new();
            for (odds, width) in [(&two, 60), (&two, 24), (&all, 100), (&all, 60), (&all, 38)] {
                let height = odds.height(width);
                write!(text, "{width}x{height}\n{}\n", shown(odds, width, height)).unwrap();
            }
            if !look.ascii {
                insta::assert_snapshot!(format!("odds_{name}"), text);
            }
        });
    }

    #[test]
    fn no_two_outcomes_of_a_check_look_alike_without_colour() {
        let systems = tableside_rules::System::shipped();
        let checks = systems.flat_map(|system| system.spec().checks);
        let mut counted = 0;
        for check in checks {
            counted += 1;
            let fills: Vec<&str> = fills(check.outcomes.len()).collect();
            let plain = fills
                .iter()
                .map(|fill| crate::terminal::display::in_ascii(fill));
            let plain: std::collections::BTreeSet<&str> = plain.collect();
            assert_eq!(plain.len(), check.outcomes.len(), "{}: {fills:?}", check.id);
        }
        assert_eq!(counted, 47);
    }

    #[test]
    fn a_percentage_is_read_in_large() {
        let lines = large_digits("4.7%").map(|line| line.trim_end().to_owned());
        assert_eq!(lines, ["█ █   ▀▀█ ▀ █", "▀▀█     █ ▄▀", "  ▀ ▀   ▀ ▀ ▀"]);
    }

    #[test]
    fn a_percentage_tells_near_from_never() {
        for (share, words) in [
            (0.0, "0%"),
            (0.0004, "<0.1%"),
            (0.031, "3.1%"),
            (0.4685, "47%"),
            (0.9949, "99%"),
            (0.998, "99.8%"),
            (0.9999, ">99.9%"),
            (1.0, "100%"),
        ] {
            assert_eq!(percent(share), words);
        }
    }

    proptest! {
        #[test]
        fn every_cell_is_given_and_no_chance_is_lost(
            shares in prop::collection::vec(prop_oneof![Just(0.0), 0.0..1.0_f64], 1..8),
            cells in 0_u16..120,
        ) {
            let given = apportion(&shares, cells);
            let possible = shares.iter().filter(|share| **share > 0.0).count();
            if possible > 0 {
                prop_assert_eq!(given.iter().sum::<u16>(), cells);
            }
            for (share, cells_of_it) in shares.iter().zip(&given) {
                prop_assert!(*share > 0.0 || *cells_of_it == 0);
                if usize::from(cells) >= possible && *share > 0.0 {
                    prop_assert!(*cells_of_it > 0);
                }
            }
        }
    }
}
